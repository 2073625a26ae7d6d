"""Strategies of `--inplace-pass`: each its own file, all on the same analyses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.policies import nntrainer, optimal, paddle, reinplace, transpiler

STRATEGIES: dict[str, Callable[[NumberedOps, bool], InPlaceDecisions]] = {
    "optimal": optimal.decide,
    "paddle": paddle.decide,
    "nntrainer": nntrainer.decide,
    "reinplace": reinplace.decide,
    "transpiler": transpiler.decide,
}
"""What each strategy decides for a function; the flag allows parts."""
UNEXPLAINED = {**STRATEGIES, "optimal": partial(optimal.decide, reasons=False)}
"""The same decisions, where nothing asks for their reasons: a strategy that needs none leaves them out."""
