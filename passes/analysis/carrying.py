"""Search over the contributions that carriers keep in position.

Each scatter over its base and each operand of a concat in its part is an edge; a set of edges determines a plan
(`decider.py`), and plans are compared by their score. Choosing the set is NP-hard (SEMANTICS 8): small sets are
searched exhaustively, larger ones by improving one edge at a time within a budget, and `proved` says which it was.
"""

from __future__ import annotations

from collections.abc import Iterator

from .decider import Decider, Plan
from .legality import Policy
from .program import Program
from .residence import Edge

EXHAUSTIVE_EDGES = 8
BUDGET_OPS = 200_000
"""Ops walked in all before the search stops: about a second."""


def edges_of(program: Program) -> list[Edge]:
    """Every contribution that could be kept in position, in program order."""
    return list(_edges(program))


def _edges(program: Program) -> Iterator[Edge]:
    for op, contract in zip(program.ops, program.contracts, strict=True):
        for carry in contract.carries:
            if carry.part or carry.rest and any(o.operand == carry.operand for o in contract.over):
                yield Edge(op, carry.operand)


def search(program: Program, policy: Policy, parts: bool = True) -> Plan:
    """The best plan over all sets of edges, or the best found within the budget."""
    edges = [e for e in edges_of(program) if parts or not _is_part(program, e)]
    best = Decider(program, policy, frozenset(edges)).run()
    if not edges:
        return best
    if best.lost:  # what could not be kept is not asked for again: others may then do better
        best = max(best, _without(program, policy, edges, best), key=lambda p: p.score)
    budget = max(2, BUDGET_OPS // len(program.ops))
    if len(edges) <= EXHAUSTIVE_EDGES and 1 << len(edges) <= budget:
        return _exhaustive(program, policy, edges, best)
    return _improve(program, policy, edges, best, budget)


def _is_part(program: Program, edge: Edge) -> bool:
    carries = program.contracts[program.at[edge.op]].carries
    return any(c.part for c in carries if c.operand == edge.operand)


def _without(program: Program, policy: Policy, edges: list[Edge], plan: Plan) -> Plan:
    kept = frozenset(e for e in edges if e not in plan.lost)
    return Decider(program, policy, kept).run()


def _exhaustive(program: Program, policy: Policy, edges: list[Edge], best: Plan) -> Plan:
    for mask in range(1 << len(edges)):
        chosen = frozenset(e for n, e in enumerate(edges) if mask >> n & 1)
        plan = Decider(program, policy, chosen).run()
        if plan.score > best.score:
            best = plan
    return best


def _improve(program: Program, policy: Policy, edges: list[Edge], best: Plan, budget: int) -> Plan:
    """Flip one edge at a time, keep what helps, until nothing does or the budget is spent."""
    chosen = frozenset(e for e in edges if e not in best.lost)
    improved = True
    while improved and budget > 0:
        improved = False
        for edge in edges:
            if budget <= 0:
                break
            budget -= 1
            flipped = chosen ^ {edge}
            plan = Decider(program, policy, flipped).run()
            if plan.score > best.score:
                best, chosen, improved = plan, flipped, True
    best.proved = False
    return best
