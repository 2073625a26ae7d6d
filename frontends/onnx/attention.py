"""
What the attention ops of onnxruntime's own domain are made of: heads, masks, and products with a softmax between them.

Heads are axes of views: a value [batch, length, heads * size] is [batch, heads, length, size] by a reshape and a
transpose, which products read where it lies. Masks that several nodes share are made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import Dim, numpy_dtype
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import apply, constant, finish

END = np.iinfo(np.int64).max
"""The end of a slice that has all elements from its start on."""
MASKED = -10000.0
"""What onnxruntime adds where a mask says 0, if the node does not say otherwise."""


@dataclass(frozen=True)
class Steps:
    """Adds ops on the way to the results of a node."""

    b: OnnxBuilder
    node: GraphNode

    def op(self, op_type: str, *inputs: SSAValue | None, **attributes: Any) -> SSAValue:
        """The first result of an op of ONNX's own domain."""
        return apply(self.b, self.node, op_type, *inputs, **attributes)

    def shape(self, value: SSAValue) -> Sequence[Dim]:
        return self.b.shape(value)

    def integers(self, values: Sequence[int]) -> SSAValue:
        """A constant of one axis, i64."""
        return constant(self.b, self.node, np.asarray(values, np.int64), "integers")

    def index(self, value: int) -> SSAValue:
        """A constant without axes, i64."""
        return constant(self.b, self.node, np.int64(value), "index")

    def number(self, value: float, like: SSAValue) -> SSAValue:
        """A constant without axes, of the element type of `like`."""
        dtype = self.b.dtype(like)
        try:
            array = np.asarray(value, numpy_dtype(dtype))
        except OverflowError:
            raise ValueError(f"values of element type {dtype} are not supported") from None
        return constant(self.b, self.node, array, "number")

    def reshape(self, x: SSAValue, sizes: Sequence[int]) -> SSAValue:
        """x with the sizes, of which 0 is that of x and -1 what is left."""
        return self.op("Reshape", x, self.integers(sizes), allowzero=0)

    def view(self, x: SSAValue, sizes: SSAValue) -> SSAValue:
        """x with sizes that a value holds."""
        return self.op("Reshape", x, sizes, allowzero=1)

    def transpose(self, x: SSAValue, *perm: int) -> SSAValue:
        return self.op("Transpose", x, perm=list(perm))

    def slice(self, x: SSAValue, axis: int, start: int, end: int | SSAValue = END, step: int = 1) -> SSAValue:
        """The elements of an axis from `start` to `end`."""
        last = self.integers([end]) if isinstance(end, int) else end
        return self.op("Slice", x, self.integers([start]), last, self.integers([axis]), self.integers([step]))

    def concat(self, values: Sequence[SSAValue], axis: int) -> SSAValue:
        return self.op("Concat", *values, axis=axis)

    def unsqueeze(self, x: SSAValue, *axes: int) -> SSAValue:
        return self.op("Unsqueeze", x, self.integers(axes))

    def floats(self, x: SSAValue) -> SSAValue:
        """Numbers as f32, which holds those of tokens."""
        return x if self.b.dtype(x) == "f32" else self.op("Cast", x, to=TensorProto.FLOAT)

    def wide(self, x: SSAValue) -> SSAValue:
        """Numbers as i64."""
        return x if self.b.dtype(x) == "i64" else self.op("Cast", x, to=TensorProto.INT64)

    def both(self, first: SSAValue | None, second: SSAValue | None) -> SSAValue | None:
        """The sum of what is there."""
        return self.op("Add", first, second) if first is not None and second is not None else first or second

    def heads(self, x: SSAValue, count: int) -> SSAValue:
        """[batch, length, count * size] as [batch, count, length, size]."""
        self.check_rank(x, 3, "a value with heads beside each other")
        width = self.shape(x)[2]
        if count < 1 or (isinstance(width, int) and width % count):
            raise ValueError(f"{width} elements are not {count} heads")
        return self.transpose(self.reshape(x, [0, 0, count, -1]), 0, 2, 1, 3)

    def finish_heads(self, x: SSAValue) -> SSAValue:
        """The node's first result: [batch, heads, length, size] with the heads beside each other."""
        sizes = self.integers([0, 0, -1])
        return finish(self.b, self.node, "Reshape", self.transpose(x, 0, 2, 1, 3), sizes, allowzero=0)

    def check_rank(self, x: SSAValue, rank: int, what: str) -> None:
        if self.b.rank(x) != rank:
            raise ValueError(f"{what} has {rank} axes, not {self.b.rank(x)}")


class Scores(NamedTuple):
    """How scores, the products of queries and keys, become weights of the values.

    Attributes:
        scale: what they are multiplied with; 0 is 1 / sqrt(the size of a head).
        bias: is added to them; its sizes broadcast to [batch, heads, length, keys].
        cap: softcap, a bound that tanh brings them below; 0 or less is none.
        sink: [heads], a score beside those of the keys that has no value; None is none.
    """

    scale: float = 0.0
    bias: SSAValue | None = None
    cap: float = 0.0
    sink: SSAValue | None = None


def attended(s: Steps, q: SSAValue, k: SSAValue, v: SSAValue, scores: Scores, shared: int = 1) -> SSAValue:
    """softmax(q @ k^T * scale + bias) @ v.

    Args:
        q: [batch, heads, length, size].
        k, v: [batch, heads / shared, keys, size]; each head of k and v is that of `shared` heads of q, in order.

    Returns:
        [batch, heads, length, size of v], which is that of q where heads are shared.

    Raises:
        ValueError: the sizes do not fit, or are not known.
    """
    _, heads, _, size = s.shape(q)
    if not isinstance(size, int) or not isinstance(heads, int):
        raise ValueError("the sizes of heads, and how many there are, must be known")
    if size < 1:
        raise ValueError("heads have no elements")
    groups = heads // shared
    counts = s.integers([groups]), s.integers([shared])
    sizes = [s.op("Shape", q, start=0, end=1), counts[0], s.op("Shape", q, start=2, end=3), counts[1]]
    if shared > 1:  # the rows of all queries that read one head of keys are those of one product
        turned = s.reshape(s.transpose(q, 0, 2, 1, 3), [0, 0, groups, shared, -1])
        q = s.reshape(s.transpose(turned, 0, 2, 1, 3, 4), [0, groups, -1, size])
    made = s.op("MatMul", q, s.transpose(k, 0, 1, 3, 2))
    scale = scores.scale or 1 / float(np.sqrt(np.float32(size)))
    made = made if scale == 1 else s.op("Mul", made, s.number(scale, made))
    if scores.cap > 0:
        cap = s.number(scores.cap, made)
        made = s.op("Mul", s.op("Tanh", s.op("Div", made, cap)), cap)
    by_head = None
    if shared > 1 or scores.sink is not None:
        by_head = s.concat([*sizes, s.op("Shape", made, start=3)], 0)
    if scores.bias is not None:
        made = _biased(s, made, scores.bias, by_head, (groups, shared))
    made = s.op("MatMul", _softmax(s, made, scores.sink, by_head, (groups, shared)), v)
    if shared > 1:
        made = s.view(made, s.concat([*sizes, s.integers([size])], 0))
        made = s.reshape(s.transpose(made, 0, 2, 1, 3, 4), [0, 0, heads, size])
        made = s.transpose(made, 0, 2, 1, 3)
    return made


def _biased(s: Steps, scores: SSAValue, bias: SSAValue, by_head: SSAValue | None, heads: tuple[int, int]) -> SSAValue:
    """Scores [batch, groups, length * heads of a group, keys] plus a bias that has each head, or is one for all."""
    if by_head is None:
        return s.op("Add", scores, bias)
    groups, shared = heads
    if s.shape(bias)[1] == 1:
        bias = s.unsqueeze(bias, 3)
    else:
        bias = s.reshape(s.transpose(bias, 0, 2, 1, 3), [0, 0, groups, shared, -1])
        bias = s.transpose(bias, 0, 2, 1, 3, 4)
    return s.view(s.op("Add", s.view(scores, by_head), bias), s.op("Shape", scores, start=0))


def _softmax(
    s: Steps, scores: SSAValue, sink: SSAValue | None, by_head: SSAValue | None, heads: Sequence[int]
) -> SSAValue:
    """The softmax of the last axis, of scores [batch, groups, length * heads of a group, keys], beside a sink."""
    if sink is None or by_head is None:
        return s.op("Softmax", scores, axis=-1)
    groups, shared = heads
    s.check_rank(sink, 1, "the sink of each head")
    if s.shape(sink)[0] != groups * shared:
        raise ValueError(f"the sink of each head has {s.shape(sink)[0]} elements, not {groups * shared}")
    column = s.reshape(sink, [1, groups, 1, shared, 1])
    column = s.op("Expand", column, s.concat([s.slice(by_head, 0, 0, 4), s.integers([1])], 0))
    made = s.op("Softmax", s.concat([column, s.view(scores, by_head)], 4), axis=-1)
    return s.view(s.slice(made, 4, 1), s.op("Shape", scores, start=0))


def grown(s: Steps, past: SSAValue | None, new: SSAValue) -> SSAValue:
    """Keys or values [batch, heads, length, size] behind those of earlier steps."""
    return new if past is None else s.concat([past, new], 2)


# Masks, as what is added to scores


def chosen(s: Steps, visible: SSAValue, like: SSAValue, hidden: float) -> SSAValue:
    """0 where `visible`, else `hidden`, of the element type of `like`."""
    return s.op("Where", visible, s.number(0.0, like), s.number(hidden, like))


def lowest(s: Steps, like: SSAValue) -> float:
    """The least number of the element type of `like`."""
    return float(np.finfo(numpy_dtype(s.b.dtype(like))).min)


def counted(s: Steps, x: SSAValue, axis: int, reverse: bool = False) -> SSAValue:
    """The numbers of an axis of x from 0, or those to 0, f32. They are sums of ones: a constant would be another one
    for each size, and no program for further sizes could be derived from those that were compiled."""

    def make() -> SSAValue:
        line = x
        others = [other for other in range(s.b.rank(x)) if other != axis]
        for other in others:
            line = s.slice(line, other, 0, 1)
        line = s.floats(s.op("Squeeze", line, s.integers(others)))
        ones = s.b.op("fill", [line], s.node, {"value": 1.0}, step="ones")
        return s.op("CumSum", ones, s.index(0), exclusive=1, reverse=int(reverse))

    return s.b.once(("counted", x, axis, reverse), make)


def causal_bias(s: Steps, q: SSAValue, k: SSAValue) -> SSAValue:
    """[length, keys]: hides the keys behind each query. The last query has all keys before it."""

    def make() -> SSAValue:
        rows, columns = counted(s, q, 2, reverse=True), counted(s, k, 2, reverse=True)
        visible = s.op("GreaterOrEqual", columns, s.unsqueeze(rows, 1))
        return chosen(s, visible, q, lowest(s, q))

    return s.b.once(("causal", *s.shape(q)[2:3], *s.shape(k)[2:3], s.b.dtype(q)), make)


def mask_bias(s: Steps, mask: SSAValue, q: SSAValue, k: SSAValue, hidden: float) -> SSAValue:
    """
    What a mask of integers adds to scores: `hidden` where it hides a key, else 0. A mask has one of the forms

    * [batch, keys] or [batch, length, keys]: 1 for a key that is visible, 0 for one that is not;
    * [batch]: the number of keys that are visible;
    * [2 * batch]: the ends of the visible keys, then their starts.

    Raises:
        ValueError: it has another form.
    """
    key = ("mask", mask, s.shape(k)[2], s.b.dtype(q), hidden)
    return s.b.once(key, lambda: chosen(s, _visible(s, mask, q, k), q, hidden))


def _visible(s: Steps, mask: SSAValue, q: SSAValue, k: SSAValue) -> SSAValue:
    rank = s.b.rank(mask)
    if rank in (2, 3):
        return s.unsqueeze(s.op("Greater", mask, s.number(0, mask)), *range(1, 5 - rank))
    if rank != 1:
        raise ValueError(f"a mask of {rank} axes is not supported")
    batch, count = s.shape(q)[0], s.shape(mask)[0]
    if count not in (batch, batch * 2):
        if not (isinstance(batch, int) and isinstance(count, int)):
            s.b.need([s.op("Shape", mask), s.op("Shape", q)], "which form a mask of one axis has depends on its size")
        raise ValueError(f"a mask of {count} numbers for {batch} sequences is not supported")
    columns, bounds = counted(s, k, 2), s.floats(mask)
    if count == batch:
        return s.op("Less", columns, s.unsqueeze(bounds, 1, 2, 3))
    ends, starts = (s.unsqueeze(x, 1, 2, 3) for x in _halves(s, bounds))
    return s.op("And", s.op("Less", columns, ends), s.op("GreaterOrEqual", columns, starts))


def _halves(s: Steps, bounds: SSAValue) -> Sequence[SSAValue]:
    rows = s.reshape(bounds, [2, -1])
    return [s.op("Squeeze", s.slice(rows, 0, k, k + 1), s.integers([0])) for k in (0, 1)]
