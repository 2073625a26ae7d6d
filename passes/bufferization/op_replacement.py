"""What stands in the place of an op: ops that are added before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.storage.contract import contract_of, is_undefined
from lastuse.dialect.storage.index_arithmetic import constant_of
from lastuse.passes.bufferization.memref_types import Index, statics


def shape_of(value: SSAValue) -> Sequence[int]:
    """The sizes of a tensor of known rank, as its type says them."""
    assert isinstance(value.type, TensorType)
    return value.type.get_shape()


def insertion(
    source: SSAValue, into: SSAValue, offsets: Sequence[Index], sizes: Sequence[Index], strides: Sequence[Index]
) -> tensor.InsertSliceOp:
    """An insertion, as xDSL's constructor of `tensor.extract_slice` makes these of numbers and values."""
    given, counts, steps = ([n for n in some if not isinstance(n, int)] for some in (offsets, sizes, strides))
    numbers = statics(sizes), statics(offsets), statics(strides)
    return tensor.InsertSliceOp.get(source, into, *numbers, given, counts, steps)


class OpReplacement:
    """Ops that are added before the op `at`, which is `op` at first: that one they replace."""

    def __init__(self, op: Operation) -> None:
        self.op = self.at = op

    def add(self, made: Operation) -> SSAValue:
        inherit(made, self.op)
        block = self.at.parent
        assert block is not None
        block.insert_op_before(made, self.at)
        return made.results[0]

    def number(self, n: int) -> SSAValue:
        return self.add(arith.ConstantOp(IntegerAttr.from_index_int_value(n)))

    def value(self, index: Index) -> SSAValue:
        return self.number(index) if isinstance(index, int) else index

    def size(self, of: SSAValue, axis: int) -> Index:
        """A size of a tensor."""
        known = shape_of(of)[axis]
        return known if known != DYNAMIC_INDEX else self.add(tensor.DimOp(of, self.number(axis)))

    def before_source(self, source: SSAValue, needed: Iterable[SSAValue]) -> None:
        """Goes back to where `source` is begun to be computed, as far as all that is needed is there."""
        block, chain = self.op.parent, list[Operation]()
        while isinstance(source, OpResult) and source.op.parent is block:
            chain.append(source.op)
            over = [o.operand for o in contract_of(source.op).over if o.result == source.index]
            outs = [source.op.operands[k] for k in over if not is_undefined(source.op.operands[k])]
            if len(outs) != 1:
                break
            source = outs[0]
        made = {v.op for v in needed if isinstance(v, OpResult) and v.op.parent is block}
        first = self.op
        while chain and (previous := first.prev_op) is not None and first not in made and previous not in made:
            first = previous
            if first in chain:
                self.at = first
                if first is chain[-1]:
                    break

    def plus(self, a: Index, b: Index) -> Index:
        numbers = [n if isinstance(n, int) else constant_of(n) for n in (a, b)]
        one, other = numbers
        if isinstance(one, int) and isinstance(other, int):
            return one + other
        if 0 in numbers:
            return b if one == 0 else a
        return self.add(arith.AddiOp(self.value(a), self.value(b)))

    def empty(self, sizes: Sequence[Index], type_: TensorType) -> SSAValue:
        pairs = zip(sizes, type_.get_shape(), strict=True)
        return self.add(tensor.EmptyOp([self.value(n) for n, known in pairs if known == DYNAMIC_INDEX], type_))

    def replace(self, *values: SSAValue) -> None:
        for result, value in zip(self.op.results, values, strict=True):
            value.name_hint = value.name_hint or result.name_hint
        Rewriter.replace_op(self.op, [], values)
