"""Paddle's fusion passes around a GRU, as `--gru-fusion-pass=strategy=paddle` imitates them.

Each is one of `mul_gru_fuse_pass`, `fc_gru_fuse_pass`, `multi_gru_fuse_pass` and `multi_gru_seq_fuse_pass`, and refuses
more than is unsound: a GRU without a bias, `origin_mode = true` before a product, weights that are no constants or that
both directions share, a sum of directions, and directions that the first two passes made themselves. Where they are
wrong (an initial state that is dropped, halves exchanged, a bias changed under its other readers), what is done here is
right all the same.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Operation

from lastuse.dialect.dnn.attributes import flag
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, GruOp, MultiGruOp
from lastuse.dialect.storage.attrs import display_name
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.gru.patterns import DirectionPair, FusionRefusal, FusionRules, Projection

MUL, FC, MULTI, SEQ = PASSES = (
    "mul_gru_fuse_pass",
    "fc_gru_fuse_pass",
    "multi_gru_fuse_pass",
    "multi_gru_seq_fuse_pass",
)


class PaddleRules(FusionRules):
    """The rules of some of the passes.

    Args:
        passes: which, by name.
        module: the program before any of them ran.
    """

    def __init__(self, passes: Collection[str], module: Operation) -> None:
        self.passes = passes
        self._given = {op for op in module.walk() if isinstance(op, FusedGruOp)}

    def projection(self, op: GruOp) -> Projection | FusionRefusal:
        match = super().projection(op)
        if isinstance(match, FusionRefusal):
            return match
        if (MUL if match.added is None else FC) not in self.passes:
            return _not_listed("a pass that is not run")
        if op.bias is None:
            return _not_listed("no bias")
        if flag(op.origin_mode):
            return _not_listed("origin_mode")
        if not isinstance(match.weight_x.owner, ConstantOp):
            return _not_listed(f"{display_name(match.weight_x)} is no constant")
        return _not_listed("constant rows") if isinstance(match.x.owner, ConstantOp) else match

    def direction_pair(self, op: Operation) -> DirectionPair | FusionRefusal | None:
        match = super().direction_pair(op)
        if match is None or isinstance(match, FusionRefusal):
            return match
        if MULTI not in self.passes:
            return _not_listed("a pass that is not run")
        if match.mode != "concat":
            return _not_listed("a sum")
        grus = (match.forward, match.reverse)
        if any(gru.bias is None for gru in grus):
            return _not_listed("no bias")
        if any(gru not in self._given for gru in grus):
            return _not_listed("made by a pass before")
        shared = {v for v in (match.forward.weight_x, match.forward.weight_h, match.forward.bias) if v is not None}
        if shared & {match.reverse.weight_x, match.reverse.weight_h, match.reverse.bias}:
            return _not_listed("shared weights")
        return match

    def inner_layers(self, op: MultiGruOp) -> MultiGruOp | FusionRefusal | None:
        inner = super().inner_layers(op)
        listed = SEQ in self.passes or not isinstance(inner, MultiGruOp)
        return inner if listed else _not_listed("a pass that is not run")


def _not_listed(what: str) -> FusionRefusal:
    return FusionRefusal(Reason.NOT_LISTED, what)
