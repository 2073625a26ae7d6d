"""`--liveness-pass`: which values are needed before and after every op."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.passes.analysis.liveness import Liveness, liveness

LIVE_IN, LIVE_OUT = "dnn.live_in", "dnn.live_out"


@dataclass(frozen=True)
class LivenessPass(ModulePass):
    """Annotate every op with what is live before and after it.

    Requires: verified IR.
    Guarantees: `dnn.live_in` and `dnn.live_out`, lists of value names as printed, in order of definition, on every op
        of every function, inside regions too.
    Leaves alone: everything else.
    Example: in `b = relu(a); return b`, relu has `dnn.live_in = ["a"]`, `dnn.live_out = ["b"]`.
    """

    name: ClassVar[str] = "liveness-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            printer = Printer(StringIO())
            names = {value: (n, printer.print_ssa_value(value)) for n, value in enumerate(_defined(func.body))}
            _annotate(func.body, liveness(func.body), names)


_Names = Mapping[SSAValue, tuple[int, str]]
"""Positions of values in order of definition, and their names as the printer will give them."""


def _annotate(region: Region, live: Liveness, names: _Names) -> None:
    for block in region.blocks:
        for op, before, after in live.walk(block):
            op.attributes[LIVE_IN], op.attributes[LIVE_OUT] = _listed(before, names), _listed(after, names)
            for inner in op.regions:
                _annotate(inner, live, names)


def _listed(values: Iterable[SSAValue], names: _Names) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(name) for _, name in sorted(names[value] for value in values)])


def _defined(region: Region) -> Iterator[SSAValue]:
    """The values of a region in the order in which they are printed."""
    for block in region.blocks:
        yield from block.args
        for op in block.ops:
            yield from op.results
            for inner in op.regions:
                yield from _defined(inner)
