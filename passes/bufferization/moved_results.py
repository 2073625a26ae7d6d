"""Results of calls that are moved out of the memory that the call returns.

That memory is given back in the block of the call. A result that is used after that block, as what a loop or branch
passes on, needs memory of its own. A result in memory of an operand is never passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.func import FuncOp
from xdsl.ir import OpResult

from lastuse.dialect.ir.flow_graphs import calls_in
from lastuse.dialect.storage.assignment import Places, Storage
from lastuse.passes.bufferization.call_results import CallResults
from lastuse.passes.bufferization.lifetimes import Lifetime


def moved_results(
    func: FuncOp, places: Places, lives: Mapping[Storage, Lifetime], calls: CallResults
) -> Iterator[OpResult]:
    """The results of the calls of a function that are copied to memory of their own when the call returns."""
    for call in calls_in(func):
        for value in call.results:
            if value not in places.of or places.rules.at[value][0] is not value:
                continue
            last = lives[places.of[value].storage].last
            if calls.is_new(value) and (last is None or last.parent is not call.parent):
                yield value
