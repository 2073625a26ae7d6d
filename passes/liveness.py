"""`--liveness-pass`: which values are needed before and after every op."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lastuse.passes.analysis.liveness import Liveness, liveness

LIVE_IN, LIVE_OUT = "dnn.live_in", "dnn.live_out"


@dataclass(frozen=True)
class LivenessPass(ModulePass):
    """Annotate every op with the values that are live before and after it.

    Requires: verified IR.
    Guarantees: `dnn.live_in` and `dnn.live_out`, lists of value names as printed, in order of definition, on every op
        of every function, inside regions too.
    Leaves alone: everything else.
    Example: in `b = relu(a); return b`, relu has `dnn.live_in = ["a"]`, `dnn.live_out = ["b"]`.
    """

    name: ClassVar[str] = "liveness-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.walk():
            if isinstance(func, FuncOp) and func.body.blocks:
                names = _Names(func)
                _annotate(func.body, liveness(func.body), names)


def _annotate(region: Region, found: Liveness, names: _Names) -> None:
    for block in region.blocks:
        for op, before, after in found.walk(block):
            op.attributes[LIVE_IN], op.attributes[LIVE_OUT] = names.listed(before), names.listed(after)
            for inner in op.regions:
                _annotate(inner, found, names)


class _Names:
    """Names as the printer will give them: hints, made unique in order of definition, else numbers."""

    def __init__(self, func: FuncOp) -> None:
        self.name: dict[SSAValue, str] = {}
        self.order: dict[SSAValue, int] = {}
        self.used: dict[str, int] = {}
        self.numbered = 0
        self._region(func.body)

    def _region(self, region: Region) -> None:
        for block in region.blocks:
            for value in block.args:
                self._add(value)
            for op in block.ops:
                self._op(op)

    def _op(self, op: Operation) -> None:
        for value in op.results:
            self._add(value)
        for region in op.regions:
            self._region(region)

    def _add(self, value: SSAValue) -> None:
        hint = value.name_hint
        if hint is None:
            name, self.numbered = str(self.numbered), self.numbered + 1
        else:
            count = self.used.get(hint, 0)
            self.used[hint] = count + 1
            name = f"{hint}_{count}" if count else hint
        self.name[value], self.order[value] = name, len(self.order)

    def listed(self, values: frozenset[SSAValue]) -> ArrayAttr[StringAttr]:
        return ArrayAttr([StringAttr(self.name[v]) for v in sorted(values, key=self.order.__getitem__)])
