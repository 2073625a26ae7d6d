"""Results that are returned, in memory of their own, where they were copied out of other memory.

A decided function writes a result over an operand that is a part of other memory, as a slice is. That saves the bytes
of the result. Where it is returned, the caller is given memory that holds nothing else: the result is copied there.
Without the decision it is computed there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import OpResult

from lastuse.dialect.ir.flow_graphs import values_within
from lastuse.dialect.storage import attrs
from lastuse.passes.bufferization.other_decisions import forget_place, stand_in
from lastuse.passes.bufferization.own_slots import MOST_TRIALS
from lastuse.passes.lowering.context import LoweredCopy


def returned_apart(func: FuncOp, copies: Sequence[LoweredCopy]) -> Iterator[FuncOp]:
    """Copies of a decided function in which results that the return copies are written over no operand: all of them,
    then each alone. Each copy stands in the module in the place of the function until the next one is asked for.

    Args:
        copies: what the memref form of the function copies.
    """
    returned = dict.fromkeys(copy.value for copy in copies if isinstance(copy.op, ReturnOp))
    over = [v for v in returned if isinstance(v, OpResult) and attrs.entries(v.op, attrs.INPLACE)[v.index] >= 0]
    groups = [over] if over else []
    groups += [[value] for value in over[:MOST_TRIALS]] if len(over) > 1 else []
    for group in groups:
        with stand_in(func) as copy:
            found = dict(zip(values_within(func), values_within(copy), strict=True))
            for value in group:
                forget_place(found[value], is_owned=True)
            yield copy
