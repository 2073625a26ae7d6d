"""Strategies of `--inplace-pass`: each its own file, all on the same analyses."""

from __future__ import annotations

from collections.abc import Callable

from lastuse.passes.analysis.op_numbering import Program
from lastuse.passes.inplace_analysis.greedy import Plan
from lastuse.passes.inplace_analysis.policies import nntrainer, optimal, paddle, reinplace, transpiler

STRATEGIES: dict[str, Callable[[Program, bool], Plan]] = {
    "optimal": optimal.decide,
    "paddle": paddle.decide,
    "nntrainer": nntrainer.decide,
    "reinplace": reinplace.decide,
    "transpiler": transpiler.decide,
}
"""What each strategy decides for a function; the flag allows parts."""
