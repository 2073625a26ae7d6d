"""Does the custom form of an op keep its attributes? Several of xDSL's leave out those they do not know.

The answer comes from the text itself: a copy of the op alone, printed in its custom form and read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.arith import CmpfOp, CmpiOp, SelectOp
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, UnregisteredOp, i1
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.printer import Printer

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.remembered import is_a
from lastuse.frontends.text import mlir_parser

VALUES = UnregisteredOp.with_name("lastuse.values")
SHORT_BODY = 16
"""A region of at most so many ops is copied with them: a custom form may leave them out, or show them as an attribute.
Of a longer one only the blocks' arguments and terminators are."""

_OF_VALUES = ("arg_attrs", "res_attrs")
"""Properties that hold the attributes of arguments and results."""

_UNREAD: Mapping[type[Operation], Callable[[Operation], bool]] = {
    GenericOp: lambda op: len(op.results) > 1,
    SelectOp: lambda op: op.operands[0].type != i1,
    CmpiOp: lambda op: op.results[0].type != i1,
    CmpfOp: lambda op: op.results[0].type != i1,
}
"""Ops whose custom form xDSL 0.74 prints and does not read, or reads as another op."""


class CustomForms:
    """Remembers which custom forms keep attributes.

    Args:
        ctx: knows the dialects of the ops that are printed.
        printer: makes a printer of ops inside, which may be in generic form themselves.
    """

    def __init__(self, ctx: Context, printer: Callable[[StringIO], Printer]) -> None:
        self.ctx, self.printer = ctx, printer
        self._known: dict[tuple[object, ...], bool] = {}

    def keeps_attributes(self, op: Operation) -> bool:
        """Whether the custom form of `op`, read again, has all attributes with a dialect's prefix that `op` has, and
        those of the ops inside that a custom form may leave out. Some are not read at all."""
        if (is_unread := _UNREAD.get(type(op))) is not None and is_unread(op):
            return False
        if type(op).print is Operation.print or not any(map(_prefixed, _sampled(op))):
            return True
        key = _outline(op)
        if key not in self._known:
            self._known[key] = True  # of the copy, which is printed in custom form
            self._known[key] = self._read_again(op)
        return self._known[key]

    def _read_again(self, op: Operation) -> bool:
        block, copy = _alone(op)
        stream = StringIO()
        stream.write('"builtin.module"')
        module = ModuleOp.create(regions=[Region([block, *dict.fromkeys(copy.successors)])])
        self.printer(stream).print_op_with_default_format(module)
        try:
            again = mlir_parser.parse(self.ctx, stream.getvalue(), "<printer>").regions[0].blocks[0].last_op
        except LastuseError:
            return False
        have, want = (list(o.walk()) if o is not None else [] for o in (again, copy))
        return [_summary(o) for o in have] == [_summary(o) for o in want]


def _prefixed(op: Operation) -> dict[object, Attribute]:
    """The attributes that belong to a dialect, which the op's own definition does not know: those of the op, and of
    the arguments and results of a function."""
    found: dict[object, Attribute] = {name: value for name, value in op.attributes.items() if "." in name}
    for kind in _OF_VALUES:
        listed = op.properties.get(kind)
        for number, entry in enumerate(listed if is_a(listed, ArrayAttr) else ()):
            inner = entry.data if is_a(entry, DictionaryAttr) else {}
            found.update({(kind, number, name): a for name, a in inner.items() if "." in name})
    return found


def _summary(op: Operation) -> tuple[str, dict[object, Attribute]]:
    return op_name(op), _prefixed(op)


def _sampled(op: Operation) -> Iterator[Operation]:
    """`op`, and the ops inside that are copied with it."""
    yield op
    for region in op.regions:
        if _is_short(region):
            yield from region.walk()
        else:
            yield from (b.last_op for b in region.blocks if b.last_op is not None)


def _outline(op: Operation) -> tuple[object, ...]:
    """What the custom form of an op may depend on, but for the values and names in it."""
    types = tuple(type(v.type) for v in (*op.operands, *op.results))
    inner = ((o.name, len(o.operands), *map(_types, (o.attributes, o.properties))) for o in _sampled(op))
    return type(op), types, len(op.successors), tuple(len(r.blocks) for r in op.regions), *inner


def _types(attributes: Mapping[str, Attribute]) -> frozenset[tuple[str, type[Attribute]]]:
    return frozenset((name, type(attribute)) for name, attribute in attributes.items())


def _is_short(region: Region) -> bool:
    return all(n < SHORT_BODY for n, _ in enumerate(region.walk()))


def _alone(op: Operation) -> tuple[Block, Operation]:
    """A block that ends in a copy of `op`, with all that it uses as arguments."""
    used = dict.fromkeys(op.operands)
    for region in filter(_is_short, op.regions):
        used |= {v: None for inner in region.walk() for v in inner.operands if not region.is_ancestor(v.owner)}
    block = Block(arg_types=[value.type for value in used])
    values: dict[SSAValue, SSAValue] = dict(zip(used, block.args, strict=True))
    copy = op.clone_without_regions(dict(values), {s: Block(arg_types=s.arg_types) for s in op.successors})
    for region, copied in zip(op.regions, copy.regions, strict=True):
        if _is_short(region):
            region.clone_into(copied, value_mapper=dict(values))
        else:
            copied.add_block(_ends(region))
    block.add_op(copy)
    return block, copy


def _ends(region: Region) -> Iterable[Block]:
    """The blocks of a region with their arguments and terminators alone."""
    blocks = {old: Block(arg_types=old.arg_types) for old in region.blocks}
    for old, new in blocks.items():
        last = old.last_op
        if last is not None:
            values = VALUES.create(result_types=[v.type for v in last.operands])
            end = last.clone_without_regions(dict(zip(last.operands, values.results, strict=True)), blocks)
            new.add_ops([values, end] if values.results else [end])
    return blocks.values()
