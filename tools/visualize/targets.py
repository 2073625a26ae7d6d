"""The targets of `opt-tool -t`: `svg`, `html` and `dot`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.tools.visualize.graphviz import dot
from lastuse.tools.visualize.memory import MemoryMap
from lastuse.tools.visualize.page import page
from lastuse.tools.visualize.read import memory_maps, undecided
from lastuse.tools.visualize.svg import svg

MAX_MAPS = 100
"""Functions in one picture."""


@dataclass(frozen=True)
class MapTarget(Target):
    """
    The memory map of each function: time across, addresses up, a box for each storage with its life.

    Options:
        naive: draw above it, at the same scale, the same program without decisions.
    """

    naive: bool = False

    def maps(self, module: ModuleOp) -> Sequence[MemoryMap]:
        """What is drawn. Raises LastuseError as `memory_maps` does, and of more functions than a picture holds."""
        maps = memory_maps(module)
        if len(maps) > MAX_MAPS:
            raise LastuseError(f"{len(maps)} functions are more than a picture holds, which is {MAX_MAPS}", module)
        return (
            [m for pair in zip(memory_maps(undecided(module)), maps, strict=True) for m in pair] if self.naive else maps
        )


@dataclass(frozen=True)
class SvgTarget(MapTarget):
    """The memory map as one SVG."""

    name: ClassVar[str] = "svg"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(svg(self.maps(module), self.naive) + "\n")


@dataclass(frozen=True)
class HtmlTarget(MapTarget):
    """The memory map as a page that zooms and filters."""

    name: ClassVar[str] = "html"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(page(self.maps(module), self.naive))


@dataclass(frozen=True)
class DotTarget(Target):
    """The graph, for graphviz, with what is in place drawn over it."""

    name: ClassVar[str] = "dot"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(dot(module))
