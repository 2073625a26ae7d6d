"""`pad`: elements added around a value, and taken off it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import attr_def, base, irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import (
    INTEGERS,
    NUMBER,
    axis_of,
    integers,
    is_float,
    moved_axes,
    number,
    scalar,
    word,
)
from lastuse.dialect.dnn.axis_moves import STRETCHES, stretches, whole_stretch
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase, OneOperandBase, TransposedForm
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase, element_words
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.dnn.views import ReshapeOp
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape
from lastuse.dialect.storage.contract import Contract, Contribution
from lastuse.dialect.storage.layout import Strided

Mode = Literal["constant", "reflect", "edge", "wrap"]


@irdl_op_definition
class PadOp(NativeBase, OneOperandBase, KernelOnlyBase):
    """x with elements added around it.

    `pads`: how many before each axis, then how many after each axis; a negative number takes as many off. `axes`: the
    axes that `pads` speaks of, default all. `mode`: `constant` (default) adds `value` (default 0), `edge` repeats the
    outermost element, `reflect` goes back inside from there, `wrap` goes on at the other end. Where nothing is taken
    off and the mode is constant, x may be computed in its part of the result beforehand. ONNX Pad.
    """

    name = "dnn.pad"
    ALONG_AXES: ClassVar = frozenset({"pads"})
    SIMPLER_BECAUSE: ClassVar = "it adds nothing to its operand, and takes nothing off"
    EXAMPLE: ClassVar = "{pads = array<i64: 0, 1, 0, 2>, value = 1.0 : f32} : (tensor<2x3xf32>) -> tensor<2x6xf32>"
    pads = attr_def(INTEGERS)
    axes = opt_attr_def(INTEGERS)
    mode = opt_attr_def(base(StringAttr))
    value = opt_attr_def(NUMBER)

    def _around(self, rank: int) -> list[tuple[int, int]]:
        """Elements added before and after each axis; negative ones are taken off."""
        pads = integers(self.pads)
        axes = [axis_of(axis, rank) for axis in (range(rank) if self.axes is None else integers(self.axes))]
        if len(set(axes)) < len(axes):
            raise ValueError(f"axes {axes} name one twice")
        if len(pads) != 2 * len(axes):
            raise ValueError(f"pads must be {2 * len(axes)} numbers")
        around = [(0, 0)] * rank
        for k, axis in enumerate(axes):
            around[axis] = pads[k], pads[len(axes) + k]
        return around

    def _mode(self) -> Mode:
        mode = word(self.mode, "constant")
        if mode not in ("constant", "reflect", "edge", "wrap"):
            raise ValueError(f"mode is '{mode}', it must be constant, reflect, edge or wrap")
        return mode

    def zeros_around(self) -> Sequence[tuple[int, int]] | None:
        """How many zeros stand before and after each axis of x; None where the result is another one."""
        around = self._around(len(self.operand_type().shape))
        is_zero = self._mode() == "constant" and not number(self.value, 0)
        return around if is_zero and min((n for pair in around for n in pair), default=0) >= 0 else None

    def _inside(self, m: Strided) -> Strided:
        around = self._around(len(m.sizes))
        offset = m.offset + sum(before * stride for (before, _), stride in zip(around, m.strides, strict=True))
        sizes = tuple(size - sum(added) for size, added in zip(m.sizes, around, strict=True))
        return Strided(offset, sizes, m.strides, m.item)

    def storage(self) -> Contract:
        moves = Contract(strided=True, backward=READS_NOTHING, engines=self.kernel_engines())
        shape = static_shape(self.x.type)
        if self._mode() != "constant" or min((n for pair in self._around(len(shape)) for n in pair), default=0) < 0:
            return moves
        if None in (*shape, *static_shape(self.y.type)):
            return moves
        inside = Contribution(0, self._inside, may_be_produced_in_place=True)
        return moves._replace(contributions=(inside,), fill=True)

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        sizes = static_shape(self.x.type)
        if None in (*sizes, *static_shape(self.y.type)) or any(map(any, self._around(len(sizes)))):
            return None
        return self.replacement(ReshapeOp, [self.x], {})

    def native_name(self) -> str:
        return "pad" if self._mode() == "constant" else STRETCHES

    def native_numbers(self) -> Sequence[float]:
        sizes = [size or 0 for size in static_shape(self.x.type)]
        around = self._around(len(sizes))
        if self._mode() == "constant":
            value = element_words(number(self.value, 0), self.operand_type().dtype)
            return [*value, *(before for before, _ in around), *(after for _, after in around)]
        numbers: list[int] = []
        for size, added in zip(sizes, around, strict=True):
            numbers += stretches(self._sources(size, added)) if any(added) else whole_stretch(size)
        return numbers

    def _sources(self, size: int, added: tuple[int, int]) -> Array:
        """Which elements of an axis of so many elements the result has, where the mode takes some of them."""
        sources = np.empty(size + sum(added), np.int64)
        _pad(np.arange(size), sources, [added], self._mode(), np.int64(0))
        return sources

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, mode = operands[0], self._mode()
        scalar(number(self.value, 0), x.dtype)
        sizes: list[Dim | None] = []
        for axis, (size, (before, after)) in enumerate(zip(x.known, self._around(len(x.shape)), strict=True)):
            if isinstance(size, int):
                inside = size + min(before, 0) + min(after, 0)
                _need_source(mode, axis, inside, max(before, 0), max(after, 0))
            sizes.append(size + before + after)
        return (TensorInfo(tuple(sizes), x.dtype),)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        x, known = operands[0], PartialAttributes(attributes, values)
        rank = len(x.shape)
        axes = known.numbers("axes") if "axes" in known else tuple(range(rank))
        if axes is None:
            return (TensorInfo((None,) * rank, x.dtype),)
        pads, sizes = known.sizes("pads"), list(x.shape)
        if len(pads) != 2 * len(axes):
            raise ValueError(f"pads must be {2 * len(axes)} numbers")
        for axis, before, after in zip(axes, pads[: len(axes)], pads[len(axes) :], strict=True):
            size = sizes[axis_of(axis, rank)]
            whole = None if size is None or before is None or after is None else size + before + after
            sizes[axis_of(axis, rank)] = whole
        return (TensorInfo(tuple(sizes), x.dtype),)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        axes = range(len(perm)) if self.axes is None else integers(self.axes)
        return TransposedForm({**self.attributes, "axes": moved_axes(axes, perm)}, frozenset({0}))

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        if dy is None or not is_float(self.operand_type().dtype):
            return (None,)
        if self._mode() == "constant":
            return (builder.emit("pad", dy, pads=[-number_ for number_ in integers(self.pads)], axes=self.axes),)
        # Each element of the result is one of x, axis after axis: what came of one is added up.
        shape, dtype = list(builder.known_shape(self.y)), builder.info(dy).dtype
        around = self._around(len(shape))
        for axis, size in enumerate(builder.known_shape(self.x)):
            if around[axis] != (0, 0):
                shape[axis] = size
                sources = self._sources(size, around[axis])
                whole, numbers = builder.blank(shape, dtype), builder.integers(sources.tolist())
                dy = builder.emit("index_add", whole, numbers, dy, axis=axis)
        return (dy,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        _pad(x, y, self._around(y.ndim), self._mode(), y.dtype.type(number(self.value, 0)))


def _need_source(mode: Mode, axis: int, inside: int, before: int, after: int) -> None:
    """Raises ValueError where an axis that keeps `inside` elements has none to add."""
    if inside < 0:
        raise ValueError(f"pads take more elements off axis {axis} than it has")
    if mode != "constant" and not inside and (before or after):
        raise ValueError(f"axis {axis} has no elements to add in mode {mode}")


def _pad(x: Array, y: Array, around: Sequence[tuple[int, int]], mode: Mode, value: np.generic) -> None:
    """Writes x into y, with elements added before and after each axis, or taken off."""
    x = x[tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, around, strict=True))]
    added = [(max(a, 0), max(b, 0)) for a, b in around]
    inside = [slice(a, a + n) for n, (a, _) in zip(x.shape, added, strict=True)]
    if mode == "constant":  # x may be in its part of y already
        _fill_around(y, added, value)
        y[tuple(inside)] = x
        return
    y[tuple(inside)] = x
    for axis, (before, after) in enumerate(added):
        if not before and not after:
            continue
        # Axes before this one are whole by now, those behind it are not.
        outer, inner, last = (slice(None),) * axis, inside[axis + 1 :], y.shape[axis] - after
        for begin, end, first, step in _stretches(mode, last - before, before):
            source = _span(before + first + (end - begin - 1) * step, end - begin, -step)
            y[(*outer, slice(before - end, before - begin), *inner)] = y[(*outer, source, *inner)]
        for begin, end, first, step in _stretches(mode, last - before, after):
            source = _span(last - 1 - first, end - begin, -step)
            y[(*outer, slice(last + begin, last + end), *inner)] = y[(*outer, source, *inner)]


def _fill_around(y: Array, added: Sequence[tuple[int, int]], value: np.generic) -> None:
    for axis, (before, after) in enumerate(added):
        outer = (slice(None),) * axis
        if before:
            y[(*outer, slice(0, before))] = value
        if after:
            y[(*outer, slice(y.shape[axis] - after, None))] = value


def _stretches(mode: Mode, inside: int, count: int) -> Iterator[tuple[int, int, int, int]]:
    """What `count` elements before an axis are, outwards, which has `inside` elements: from the element `begin` to
    `end` those from the index `first` on, in steps of `step`. After the axis it is the same from its other end."""
    begin = 0
    while begin < count:
        if mode == "edge" or (mode == "reflect" and inside == 1):
            length, first, step = count, 0, 0
        elif mode == "wrap":
            length, first, step = inside, inside - 1, -1
        else:
            length = inside - 1
            first, step = (1, 1) if begin // length % 2 == 0 else (inside - 2, -1)
        end = min(begin + length, count)
        yield begin, end, first, step
        begin = end


def _span(first: int, count: int, step: int) -> slice:
    """So many indices from `first` on; the first one alone where the step is 0."""
    if step == 0:
        return slice(first, first + 1)
    end = first + count * step
    return slice(first, end if end >= 0 else None, step)
