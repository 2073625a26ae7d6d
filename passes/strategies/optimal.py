"""The default: most bytes kept, then fewest bytes moved, most results in place, fewest swaps (SEMANTICS 8).

Kernels and views are separable: each op takes a dying operand where it may. What carriers keep in position (scatters
over their base, operands of a concat in their part) is chosen by search, component by component.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ..analysis.carrying import search
from ..analysis.decider import Plan
from ..analysis.program import Program
from ..analysis.reasons import Reason


class NoObjection:
    """Everything that is legal is welcome."""

    def objection(self, program: Program, op: Operation, result: int, operand: int) -> Reason | None:
        return None


def decide(program: Program, parts: bool = True) -> Plan:
    """The best plan found; without `parts`, no operand of a concat is computed in its part of the result."""
    return search(program, NoObjection(), parts)
