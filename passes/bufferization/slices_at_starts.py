"""Slices whose starts are tensors, as slices of `tensor` whose offsets are index values.

An op that takes or writes a part at starts that operands hold (`HasTensorForm`) becomes the op of `tensor` that takes
or writes that part. Its offsets are the starts, clamped so that the part lies inside. Each start is loaded once, when
it is computed, and clamped once for all parts of one size in a tensor of one size: two parts at the same starts are
then at the same index values, which is what says that they are the same part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import LastuseError, clone_located, inherit, op_name
from lastuse.dialect.ir.flow_graphs import ancestors, listed_ops
from lastuse.dialect.ir.interfaces import HasTensorForm
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import is_class
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.index_arithmetic import Number, constant_of, is_between

Key = tuple[object, ...]


def load_starts(listing: OpListing, functions: Sequence[FuncOp], decided: bool) -> list[FuncOp]:
    """Replaces each op of the functions that has a form of `tensor` by it.

    Args:
        listing: the ops of the module of the functions.
        decided: the places of values are decided already: what a copying op makes has a place of its own.

    Returns:
        The functions as they were: copies of those that are changed.

    Raises:
        LastuseError: a start has a type whose elements are no numbers of `arith`.
    """
    if not any(is_class(op_class, HasTensorForm) for op_class in listing.classes):
        return [*functions]
    starts = _Starts()
    found = {func: [op for op in listed_ops(func) if is_class(type(op), HasTensorForm)] for func in functions}
    before = [clone_located(func) if ops else func for func, ops in found.items()]
    for op in [op for ops in found.values() for op in ops]:
        assert isinstance(op, HasTensorForm)
        source, values = op.operands[0], op.start_values()
        part = op.part_of_operand()
        sizes = [starts.size(part, axis, op) for axis in range(len(values))]
        offsets = [
            starts.clamped(value, source, axis, size, op)
            for axis, (value, size) in enumerate(zip(values, sizes, strict=True))
        ]
        made = op.tensor_form(offsets, sizes)
        if decided and contract_of(made).view_of(0) is not None:
            made.attributes[attrs.COPY] = UnitAttr()
        Rewriter.replace_op(op, made)
    starts.erase_unused()
    listing.changed()
    return before


class _Starts:
    """The index values that were made, by what they are.

    What is made of a start alone stands behind it. What depends on a size stands before the op that needs it: ops are
    visited in their order, so it is there for all later ops of the block, and of blocks inside of these.
    """

    def __init__(self) -> None:
        self._made: dict[Key, list[SSAValue]] = {}
        self._read: dict[SSAValue, None] = {}

    def size(self, value: SSAValue, axis: int, op: Operation) -> Number:
        """The size of a tensor along an axis, where `op` stands."""
        value = _with_same_sizes(value)
        known = static_shape(value.type)[axis]
        if known is not None:
            return known
        number = self._constant(axis, op)
        return self._once(("size", value, axis), op, lambda: tensor.DimOp(value, number))

    def clamped(self, start: SSAValue, source: SSAValue, axis: int, size: Number, op: Operation) -> Number:
        """The first element of a part of `size` elements along an axis of `source`, for `op`."""
        number, whole = self._loaded(start, op), self.size(source, axis, op)
        if isinstance(whole, int) and isinstance(size, int):
            last = whole - size
            if isinstance(number, int):
                return max(0, min(number, last))
            if is_between(number, 0, last):
                return number
            return self._between(number, self._constant(last, op), _behind(number))
        many, few = (self._constant(n, op) if isinstance(n, int) else n for n in (whole, size))
        last = self._once(("rest", many, few), op, lambda: arith.SubiOp(many, few))
        value = self._constant(number, op) if isinstance(number, int) else number
        return self._between(value, last, op)

    def erase_unused(self) -> None:
        """Takes away the ops that made starts, if no op reads these any more."""
        for start in self._read:
            if isinstance(start, OpResult) and not start.uses and _only_makes(start.op):
                Rewriter.erase_op(start.op)

    def _between(self, number: SSAValue, last: SSAValue, at: Operation) -> SSAValue:
        """A number, or `last` where it is more, or 0 where it is less; computed before `at`."""
        low = self._once(("min", number, last), at, lambda: arith.MinSIOp(number, last))
        zero = self._constant(0, at)
        return self._once(("max", low), at, lambda: arith.MaxSIOp(low, zero))

    def _loaded(self, start: SSAValue, op: Operation) -> Number:
        """What a start holds."""
        self._read[start] = None
        content = _content(start)
        if content is not None:
            return content
        assert isinstance(start.type, TensorType)
        type_ = start.type.element_type
        if isinstance(type_, IntegerType) and type_.signedness.data is not Signedness.SIGNLESS:
            raise LastuseError(f"'{op_name(op)}' with a start of {type_} has no memref form", op)
        scalar = _only_element(start)
        if scalar is None:
            scalar = self._once(("element", start), _behind(start), lambda: tensor.ExtractOp(start, [], type_))
        if isinstance(type_, IndexType):
            return constant_of(scalar)
        if type_ == i64 and isinstance(scalar.owner, arith.IndexCastOp):
            return constant_of(scalar.owner.input)  # an index has 64 bits
        return self._once(("index", scalar), _behind(scalar), lambda: arith.IndexCastOp(scalar, IndexType()))

    def _constant(self, number: int, op: Operation) -> SSAValue:
        """A constant, at the begin of the function that `op` is in."""
        func = next(outer for outer in ancestors(op) if isinstance(outer, FuncOp))
        first = func.body.blocks[0].first_op
        assert first is not None
        key = ("constant", func, number)
        return self._once(key, first, lambda: arith.ConstantOp.from_int_and_width(number, IndexType()), everywhere=True)

    def _once(self, key: Key, at: Operation, make: Callable[[], Operation], everywhere: bool = False) -> SSAValue:
        """The result of an op that is there already, or of a new one before `at`.

        Args:
            everywhere: whatever is there stands before all that need it.
        """
        known, block = self._made.setdefault(key, []), at.parent
        assert block is not None
        around = {outer.parent for outer in (at, *ancestors(at))}
        for value in known:
            if everywhere or value.owner.parent in around:  # pyright: ignore[reportAttributeAccessIssue]
                return value
        made = make()
        inherit(made, at)
        block.insert_op_before(made, at)
        known.append(made.results[0])
        return made.results[0]


def _behind(value: SSAValue) -> Operation:
    """The first op behind the definition of a value, and behind the constants at the begin of a block."""
    op = value.owner.first_op if isinstance(value.owner, Block) else value.owner.next_op
    while isinstance(value.owner, Block) and isinstance(op, arith.ConstantOp):
        op = op.next_op
    assert op is not None
    return op


def _with_same_sizes(value: SSAValue) -> SSAValue:
    """The first of the values, each of which has the sizes of the one before by what its op declares."""
    while isinstance(value, OpResult):
        same = dict(contract_of(value.op).same_shape)
        if value.index not in same:
            break
        value = value.op.operands[same[value.index]]
    return value


def _content(start: SSAValue) -> int | None:
    """The number that a constant is."""
    if not isinstance(start, OpResult) or not contract_of(start.op).constant:
        return None
    content = {**start.op.attributes, **start.op.properties}.get("value")
    return int(content.get_values()[0]) if isinstance(content, DenseIntOrFPElementsAttr) else None


def _only_makes(op: Operation) -> bool:
    """The op does nothing but make its one result."""
    contract = contract_of(op)
    return len(op.results) == 1 and (contract.pure or contract.constant)


def _only_element(start: SSAValue) -> SSAValue | None:
    """The scalar of which a start is made."""
    return start.owner.operands[0] if isinstance(start.owner, tensor.FromElementsOp) else None
