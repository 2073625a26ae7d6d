"""Does the custom form of an op keep its attributes? Several of xDSL's leave out those they do not know.

The answer comes from the text itself: a copy of the op alone, printed in its custom form and read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.printer import Printer

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.frontends.text import mlir_parser

VALUES = UnregisteredOp.with_name("lastuse.values")
SHORT_BODY = 16
"""A region of at most so many ops is copied with them: a custom form may leave them out, or show them as an attribute.
Of a longer one only the blocks' arguments and terminators are."""


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
        those of the ops inside that a custom form may leave out."""
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
        module = ModuleOp.create(regions=[Region([block, *copy.successors])])
        self.printer(stream).print_op_with_default_format(module)
        try:
            again = mlir_parser.parse(self.ctx, stream.getvalue(), "<printer>").regions[0].blocks[0].last_op
        except LastuseError:
            return False
        have, want = (list(o.walk()) if o is not None else [] for o in (again, copy))
        return [_summary(o) for o in have] == [_summary(o) for o in want]


def _prefixed(op: Operation) -> dict[str, Attribute]:
    """The attributes that belong to a dialect, which the op's own definition does not know."""
    return {name: value for name, value in op.attributes.items() if "." in name}


def _summary(op: Operation) -> tuple[str, dict[str, Attribute]]:
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
    inner = ((o.name, len(o.operands), *((n, type(a)) for n, a in _sorted(o))) for o in _sampled(op))
    return type(op), types, len(op.successors), tuple(len(r.blocks) for r in op.regions), *inner


def _sorted(op: Operation) -> list[tuple[str, Attribute]]:
    return sorted([*op.attributes.items(), *op.properties.items()], key=lambda pair: pair[0])


def _is_short(region: Region) -> bool:
    return all(n < SHORT_BODY for n, _ in enumerate(region.walk()))


def _alone(op: Operation) -> tuple[Block, Operation]:
    """A block that ends in a copy of `op`, with all that it uses as arguments."""
    used: dict[SSAValue, None] = dict.fromkeys(op.operands)
    for region in op.regions:
        if _is_short(region):
            inside = {v for inner in region.walk() for v in inner.results}
            inside |= {v for inner in region.walk() for r in inner.regions for b in r.blocks for v in b.args}
            inside |= {v for b in region.blocks for v in b.args}
            used.update({v: None for inner in region.walk() for v in inner.operands if v not in inside})
    block = Block(arg_types=[value.type for value in used])
    values: dict[SSAValue, SSAValue] = dict(zip(used, block.args, strict=True))
    copy = type(op).create(
        operands=[values[v] for v in op.operands],
        result_types=[r.type for r in op.results],
        properties=op.properties,
        attributes=op.attributes,
        successors=[Block(arg_types=[a.type for a in s.args]) for s in op.successors],
        regions=[_copied(region, values) for region in op.regions],
    )
    block.add_op(copy)
    return block, copy


def _copied(region: Region, values: dict[SSAValue, SSAValue]) -> Region:
    if not _is_short(region):
        return _ends(region)
    copied = Region()
    region.clone_into(copied, value_mapper=dict(values))
    return copied


def _ends(region: Region) -> Region:
    """The blocks of a region with their arguments and terminators alone."""
    blocks = {old: Block(arg_types=[a.type for a in old.args]) for old in region.blocks}
    for old, new in blocks.items():
        last = old.last_op
        if last is None:
            continue
        given = VALUES.create(result_types=[v.type for v in last.operands])
        successors = [blocks[s] for s in last.successors]
        end = type(last).create(
            operands=given.results,
            result_types=[r.type for r in last.results],
            properties=last.properties,
            attributes=last.attributes,
            successors=successors,
            regions=[Region() for _ in last.regions],
        )
        new.add_ops([given, end] if given.results else [end])
    return Region(list(blocks.values()))
