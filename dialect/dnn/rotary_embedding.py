"""Rotary position embedding: pairs of elements turned by angles, and how models spell it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.arithmetic import AddOp, MulOp, SubOp
from lastuse.dialect.dnn.attributes import agreed_shape, broadcast_all, flag, need_float, need_same_dtype
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.data_movement import ConcatOp
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import NegOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.dnn.part_views import SliceOp
from lastuse.dialect.dnn.spelt_out import Constant, Spelling, SpeltOutBase, values_between
from lastuse.dialect.dnn.splits import SplitOp
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape
from lastuse.dialect.storage.contract import Backward, Contract, InPlace


@irdl_op_definition
class RotaryEmbeddingOp(NativeF32Base, KernelOnlyBase, DifferentiableBase, SpeltOutBase):
    """Pairs of elements of the last axis of x turned by angles, whose cosines and sines are given.

    Operands: x [..., size]; cosines and sines [..., n]; their other axes are broadcast as in numpy; one floating-point
    element type. Of a pair (a, b) with the numbers c and s the result has

        a * c - b * s,  b * c + a * s

    The first 2 * n elements are n pairs, with `interleaved` neighbours, else each of an element of the first half and
    one of the second; the elements behind them stay. With `each` the tables have numbers for both elements of a pair,
    n is even, and of halves (a, b) with (c, d) and (s, t) the result has a * c - b * s, b * d + a * t; the pairs are
    then not interleaved. In place over x. ONNX RotaryEmbedding.
    """

    name = "dnn.rotary_embedding"
    EXAMPLE: ClassVar = ": (tensor<2x3x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x4xf32>"
    x = operand_def(TensorType)
    cosines = operand_def(TensorType)
    sines = operand_def(TensorType)
    y = result_def(TensorType)
    interleaved = opt_attr_def(BoolAttr)
    each = opt_attr_def(BoolAttr)

    def storage(self) -> Contract:
        reads = Backward(operands=frozenset({0, 1, 2}))
        return Contract((InPlace(0, 0),), strided=True, backward=reads, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return [flag(self.interleaved), flag(self.each)]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[0])
        need_same_dtype(*operands)
        x, cosines, sines = operands
        if not all(info.shape for info in operands):
            raise ValueError("x and the tables must have an axis")
        (count,) = agreed_shape("the tables", cosines.known[-1:], sines.known[-1:])
        size = x.known[-1]
        if flag(self.interleaved) and flag(self.each):
            raise ValueError("takes interleaved or each, not both")
        if isinstance(count, int) and flag(self.each) and count % 2:
            raise ValueError(f"the tables have {count} numbers, which are not those of pairs")
        if isinstance(size, int) and isinstance(count, int) and count * (1 if flag(self.each) else 2) > size:
            raise ValueError(f"the tables have {count} numbers, x has {size} elements")
        leading = [TensorInfo(info.known[:-1], info.dtype) for info in operands]
        return (TensorInfo((*broadcast_all(leading), size), x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, cosines, sines), (y,) = operands, results
        x = np.broadcast_to(x, y.shape)
        first, second, turned = self._parts(x, cosines)
        a, b = x[..., first].copy(), x[..., second].copy()
        c, d = (cosines[..., : a.shape[-1]], cosines[..., a.shape[-1] :]) if flag(self.each) else (cosines, cosines)
        s, t = (sines[..., : a.shape[-1]], sines[..., a.shape[-1] :]) if flag(self.each) else (sines, sines)
        with np.errstate(all="ignore"):
            np.subtract(a * c, b * s, out=y[..., first], casting="unsafe")
            np.add(b * d, a * t, out=y[..., second], casting="unsafe")
        np.copyto(y[..., turned:], x[..., turned:])

    def _parts(self, x: Array, cosines: Array) -> tuple[slice, slice, int]:
        """The first and the second elements of pairs, and where those begin that stay."""
        turned = cosines.shape[-1] * (1 if flag(self.each) else 2)
        if flag(self.interleaved):
            return slice(0, turned, 2), slice(1, turned, 2), turned
        return slice(0, turned // 2), slice(turned // 2, turned), turned

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """x is turned back, and each number of a table has what it was multiplied with."""
        count = builder.known_size(self.cosines, len(builder.shape(self.cosines)) - 1)
        pairs = count // 2 if flag(self.each) else count
        rank = len(builder.shape(self.y))
        step, second = (2, 1) if flag(self.interleaved) else (1, pairs)

        def part(value: SSAValue, start: int, step: int = step, length: int = pairs) -> SSAValue:
            last = len(builder.shape(value)) - 1
            return builder.emit("slice", value, dim=last, start=start, end=start + (length - 1) * step + 1, step=step)

        def product(x: SSAValue, y: SSAValue) -> SSAValue:
            return builder.emit("mul", x, y)

        a, b, da, db = (part(value, start) for value in (self.x, dy) for start in (0, second))
        back = builder.emit("neg", self.sines)
        if flag(self.each):
            back = builder.emit("concat", part(back, pairs, 1), part(back, 0, 1), axis=-1)
        dx = builder.emit("rotary_embedding", dy, self.cosines, back, interleaved=self.interleaved, each=self.each)
        of_cosines, of_sines = (product(da, a), product(db, b)), (builder.emit("neg", product(da, b)), product(db, a))
        axis = rank - 1 if flag(self.each) else None
        kind = "concat" if flag(self.each) else "add"
        dc, ds = (builder.emit(kind, *halves, axis=axis) for halves in (of_cosines, of_sines))
        tables = ((dx, self.x), (dc, self.cosines), (ds, self.sines))
        return tuple(builder.summed_to(gradient, operand) for gradient, operand in tables)

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        for operands, attributes in (*_turned_halves(value), *_turned_wholes(value)):
            return Spelling(operands, attributes, values_between(value, operands, constant))
        return None


Spelt = tuple[Sequence[SSAValue], Mapping[str, Attribute]]


class _Part(NamedTuple):
    """Elements of the last axis of a value, from `start` to `end`."""

    of: SSAValue
    start: int
    end: int


def _part_of(value: SSAValue) -> _Part | None:
    """What a slice or a piece of the last axis is a part of; None for another value."""
    op = value.owner
    if isinstance(op, SliceOp):
        shape = static_shape(op.x.type)
        size = shape[-1]
        cuts = op.cuts(len(shape))
        if len(cuts) != 1 or cuts[0].axis != len(shape) - 1 or cuts[0].step != 1 or size is None:
            return None
        start, count = cuts[0].bounds(size)
        return _Part(op.x, start, start + count)
    if isinstance(op, SplitOp) and isinstance(value, OpResult):
        shape = static_shape(op.x.type)
        ends = [static_shape(piece.type)[-1] for piece in op.ys[: value.index + 1]]
        if op.axis_index(len(shape)) != len(shape) - 1 or None in ends:
            return None
        end = sum(size for size in ends if size is not None)
        return _Part(op.x, end - (ends[-1] or 0), end)
    return None


def _products(value: SSAValue) -> Iterator[tuple[SSAValue, SSAValue]]:
    """The factors of a product, in both orders."""
    if isinstance(value.owner, MulOp):
        yield value.owner.a, value.owner.b
        yield value.owner.b, value.owner.a


def _last(value: SSAValue) -> Dim | None:
    return static_shape(value.type)[-1] if static_shape(value.type) else None


def _turned_halves(value: SSAValue) -> Iterator[Spelt]:
    """concat(a * c - b * s, b * c + a * s, the rest), where a, b and the rest are the parts of one value."""
    op = value.owner
    if not isinstance(op, ConcatOp) or len(op.inputs) not in (2, 3):
        return
    first, second = (half.owner for half in op.inputs[:2])
    rank = len(static_shape(value.type))
    if not isinstance(first, SubOp) or not isinstance(second, AddOp) or op.axis_index(rank) != rank - 1:
        return
    for a, c in _products(first.a):
        for b, s in _products(first.b):
            parts = [_part_of(part) for part in (a, b, *op.inputs[2:])]
            if not _are_parts_of_one(parts, _last(a)) or _last(c) != _last(a) or c.type != s.type:
                continue
            wanted = [(parts[1], c), (parts[0], s)]
            for terms in ((second.a, second.b), (second.b, second.a)):
                factors = [[(_part_of(x), number) for x, number in _products(term)] for term in terms]
                if parts[0] is not None and all(want in of for want, of in zip(wanted, factors, strict=True)):
                    yield (parts[0].of, c, s), {}


def _are_parts_of_one(parts: Sequence[_Part | None], pairs: Dim | None) -> bool:
    """Whether these are the first and the second half of what is turned, and all that is behind them."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not isinstance(pairs, int) or len({part.of for part in known}) > 1:
        return False
    ends = [0, pairs, 2 * pairs, _last(known[0].of)]
    stated = [(part.start, part.end) for part in known]
    return stated == list(pairwise(ends))[: len(known)] and stated[-1][1] == ends[-1]


def _turned_wholes(value: SSAValue) -> Iterator[Spelt]:
    """x * c + concat(-b, a) * s, where a and b are the halves of x."""
    op = value.owner
    if not isinstance(op, AddOp):
        return
    for straight, crossed in ((op.a, op.b), (op.b, op.a)):
        for x, c in _products(straight):
            for turned, s in _products(crossed):
                join = turned.owner
                size = _last(x)
                if not isinstance(join, ConcatOp) or len(join.inputs) != 2 or not isinstance(size, int) or size % 2:
                    continue
                rank = len(static_shape(turned.type))
                negated = join.inputs[0].owner
                if join.axis_index(rank) != rank - 1 or not isinstance(negated, NegOp):
                    continue
                halves = [_part_of(join.inputs[1]), _part_of(negated.x)]
                is_one = _are_parts_of_one(halves, size // 2) and halves[0] is not None and halves[0].of is x
                if is_one and c.type == s.type and _last(c) == size:
                    yield (x, c, s), {"each": BoolAttr.from_bool(True)}
