"""How a window moves over the spatial axes of a tensor, and how many places it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastuse.dialect.ir.tensor_types import Dim, Poly, Shape

SAME_UPPER, SAME_LOWER, VALID, NOTSET = "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"
AUTO_PADS = (NOTSET, SAME_UPPER, SAME_LOWER, VALID)
"""ONNX's words for padding that depends on the sizes."""


class Window(NamedTuple):
    """A window for known sizes, one entry for each spatial axis.

    Attributes:
        kernel: elements of the window.
        strides: steps from one place to the next.
        dilations: the distance of two neighbours in the window.
        begins, ends: how far the places reach beyond the first and the last element.
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    @property
    def reach(self) -> tuple[int, ...]:
        """Elements from the first of the window to the last, both included."""
        return tuple((k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations, strict=True))

    def stretched(self, sizes: Sequence[int], places: Sequence[int]) -> Window:
        """With `ends` that so many places on axes of these sizes take, where those here are too few."""
        last = [(p - 1) * s - b + r for p, s, b, r in zip(places, self.strides, self.begins, self.reach, strict=True)]
        needed = tuple(max(e, end - n) for e, end, n in zip(self.ends, last, sizes, strict=True))
        return self._replace(ends=needed)

    def selected(self, axes: Sequence[int]) -> Window:
        """Of these axes, in this order."""
        return Window(*(tuple(entry[axis] for axis in axes) for entry in self))

    def widened(self) -> Window:
        """With one more axis in front, of one element and one place."""
        return Window(*((start, *entry) for start, entry in zip((1, 1, 1, 0, 0), self, strict=True)))


class WindowRule(NamedTuple):
    """How a window moves over axes whose sizes may be unknown.

    Attributes:
        kernel, strides, dilations: as of `Window`.
        pads: begins, then ends.
        auto_pad: one of `AUTO_PADS`; with a word other than NOTSET, `pads` does not count.
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[int, ...]
    auto_pad: str = NOTSET

    def window(self, sizes: Sequence[int]) -> Window:
        """The window on axes of these sizes."""
        rank = len(self.kernel)
        plain = Window(self.kernel, self.strides, self.dilations, (0,) * rank, (0,) * rank)
        if self.auto_pad == NOTSET:
            return plain._replace(begins=self.pads[:rank], ends=self.pads[rank:])
        if self.auto_pad == VALID:
            return plain
        totals = (
            max(0, (-(-n // s) - 1) * s + r - n) for n, s, r in zip(sizes, self.strides, plain.reach, strict=True)
        )
        begins, ends = _halves(list(totals), self.auto_pad == SAME_UPPER)
        return plain._replace(begins=begins, ends=ends)

    def places(self, sizes: Sequence[Dim | None], ceil: bool = False) -> tuple[Dim | None, ...]:
        """How many places the window has on axes of these sizes; None where a size does not tell it.

        Args:
            ceil: a place that ends beyond the padding counts too, if it starts before the padding at the end.

        Raises:
            ValueError: the window is longer than an axis with its padding.
        """
        return tuple(self._places(axis, size, ceil) for axis, size in enumerate(sizes))

    def _places(self, axis: int, size: Dim | None, ceil: bool) -> Dim | None:
        if size is None:
            return None
        stride = self.strides[axis]
        if self.auto_pad in (SAME_UPPER, SAME_LOWER):
            return floor_quotient(size + (stride - 1), stride)
        rank = len(self.kernel)
        begin, end = (0, 0) if self.auto_pad == VALID else (self.pads[axis], self.pads[rank + axis])
        reach = (self.kernel[axis] - 1) * self.dilations[axis] + 1
        free = size + (begin + end - reach)
        if not isinstance(free, int):
            steps = free if not ceil or stride == 1 else None
            quotient = None if steps is None else floor_quotient(steps, stride)
            return None if quotient is None else quotient + 1
        if free < 0:
            raise ValueError(f"a window of {reach} elements is longer than an axis of {size} with its padding")
        if not ceil:
            return free // stride + 1
        places = -(-free // stride) + 1
        return places - 1 if isinstance(size, int) and (places - 1) * stride >= size + begin else places


class TransposedRule(NamedTuple):
    """How the window of a transposed convolution moves over its result.

    Attributes:
        rule: of the convolution that is transposed; its pads are cut off the result.
        output_padding: elements that the result has more at the end of each axis.
        output_shape: sizes of the result's spatial axes, or None; the padding then follows from them.
    """

    rule: WindowRule
    output_padding: tuple[int, ...]
    output_shape: tuple[int, ...] | None = None

    def outputs(self, sizes: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """Sizes of the result's spatial axes; None where a size is not known.

        Raises:
            ValueError: one is negative.
        """
        if self.output_shape is not None:
            return self.output_shape
        strides, rank = self.rule.strides, len(sizes)
        if self.rule.auto_pad in (SAME_UPPER, SAME_LOWER):
            return tuple(None if n is None else n * s for n, s in zip(sizes, strides, strict=True))
        pads = (0,) * (2 * rank) if self.rule.auto_pad == VALID else self.rule.pads
        whole = self._whole(sizes)
        out = tuple(None if w is None else w - (pads[a] + pads[rank + a]) for a, w in enumerate(whole))
        if any(isinstance(n, int) and n < 0 for n in out):
            raise ValueError("the pads are more than the result has elements")
        return out

    def _whole(self, sizes: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """Sizes of the result before its padding is cut off."""
        rule = self.rule
        rows = zip(sizes, rule.strides, rule.kernel, rule.dilations, self.output_padding, strict=True)
        return tuple(None if n is None else (n - 1) * s + ((k - 1) * d + 1 + extra) for n, s, k, d, extra in rows)

    def window(self, sizes: Sequence[int]) -> Window:
        """The window on an operand with axes of these sizes: that of the convolution from the result to the operand."""
        rule, rank = self.rule, len(sizes)
        plain = Window(rule.kernel, rule.strides, rule.dilations, (0,) * rank, (0,) * rank)
        if self.output_shape is None and rule.auto_pad == VALID:
            return plain
        if self.output_shape is None and rule.auto_pad == NOTSET:
            return plain._replace(begins=rule.pads[:rank], ends=rule.pads[rank:])
        totals: list[int] = []
        for whole, size in zip(self._whole(sizes), self.outputs(sizes), strict=True):
            assert isinstance(whole, int) and isinstance(size, int)
            totals.append(max(0, whole - size))
        begins, ends = _halves(totals, rule.auto_pad == SAME_UPPER)
        return plain._replace(begins=begins, ends=ends)


def _halves(totals: Sequence[int], upper: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Each number in two halves, the larger one second if `upper`."""
    small, large = tuple(t // 2 for t in totals), tuple(t - t // 2 for t in totals)
    return (small, large) if upper else (large, small)


def floor_quotient(size: Dim, divisor: int) -> Dim | None:
    """size / divisor rounded down; None where that is no polynomial."""
    if isinstance(size, int):
        return size // divisor
    if any(c % divisor for m, c in size.terms if m):
        return None
    total: Dim = 0
    for monomial, coefficient in size.terms:
        total = total + (Poly(((monomial, coefficient // divisor),)) if monomial else coefficient // divisor)
    return total


def numbers(shape: Shape | Sequence[Dim | None]) -> tuple[int, ...] | None:
    """The sizes, where all are numbers."""
    known = tuple(size for size in shape if isinstance(size, int))
    return known if len(known) == len(shape) else None
