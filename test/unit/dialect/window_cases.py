"""Windows that move over elements with their channels last: sizes, their text, and what is under them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

Array = np.ndarray[Any, np.dtype[Any]]


class WindowCase(NamedTuple):
    """Sizes of x without its channels, channels, and the window along one or two axes."""

    x: tuple[int, ...]
    channels: int
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[int, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """Sizes of the result without its channels."""
        rank = len(self.kernel)
        rows = zip(
            self.x[1:], self.kernel, self.strides, self.dilations, self.pads[:rank], self.pads[rank:], strict=True
        )
        return (self.x[0], *((n + begin + end - (k - 1) * d - 1) // s + 1 for n, k, s, d, begin, end in rows))

    @property
    def movement(self) -> str:
        """The attributes that say how the window moves."""
        names = {"strides": self.strides, "dilations": self.dilations, "pads": self.pads}
        return ", ".join(f"{name} = array<i64: {', '.join(map(str, v))}>" for name, v in names.items())

    def windows(self, x: Array) -> Array:
        """[N, places…, C, kernel…]: what is under the window, zeros outside of x."""
        rank = len(self.kernel)
        edges = list(zip(self.pads[:rank], self.pads[rank:], strict=True))
        reach = [(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations, strict=True)]
        under = sliding_window_view(np.pad(x, [(0, 0), *edges, (0, 0)]), reach, tuple(range(1, 1 + rank)))
        places = tuple(slice(None, None, s) for s in self.strides)
        taps = tuple(slice(None, None, d) for d in self.dilations)
        return under[(slice(None), *places, slice(None), *taps)]


def line(name: str, shapes: list[tuple[int, ...]], attributes: str, y: tuple[int, ...], post_ops: str) -> str:
    """An op with a bias and channels last as text."""
    ins = ", ".join("x".join(map(str, shape)) + "xf32" for shape in shapes)
    more = f", post_ops = [{post_ops}]" if post_ops else ""
    result = "x".join(map(str, y)) + "xf32"
    return f"{name}({ins}) {{channels_last = true, has_bias = 1 : i64, {attributes}{more}}} -> {result}"


def drawn_cases(rng: np.random.Generator, most_channels: int) -> Iterator[WindowCase]:
    """Cases of two axes without end, whose windows have places."""
    while True:
        kernel, strides, dilations = (tuple(map(int, rng.integers(1, most, 2))) for most in (6, 4, 3))
        pads = tuple(map(int, rng.integers(0, 4, 4)))
        sizes = (int(rng.integers(1, 3)), *map(int, rng.integers(1, 30, 2)))
        case = WindowCase(sizes, int(rng.integers(1, most_channels)), kernel, strides, dilations, pads)
        if min(case.places) > 0:
            yield case
