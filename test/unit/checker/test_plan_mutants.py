"""Plans with one decision changed, in every place and every way: those that a run finds wrong are refused."""

from __future__ import annotations

from collections.abc import Sequence

import plans_of_flow
import plans_of_forwarding
import plans_of_parts
import plans_of_storage
import pytest
from ir import Broken, both
from oracle import EFFORT, Oracle, Unsupported
from perturb import perturbations

from lastuse.passes.checker import check

RUNS = 4 * EFFORT
FAMILIES: list[tuple[str, Sequence[Broken], int]] = [
    ("storage", plans_of_storage.PLANS, 80),
    ("parts", plans_of_parts.PLANS, 80),
    ("flow", plans_of_flow.PLANS, 55),
    ("forwarding", plans_of_forwarding.PLANS, 65),
]
"""Right plans, and how many of their mutants are wrong at least: 280 together."""


@pytest.mark.parametrize("name,plans,least", FAMILIES, ids=[name for name, _, _ in FAMILIES])
def test_wrong_plans_are_refused(name: str, plans: Sequence[Broken], least: int) -> None:
    wrong = 0
    for plan in plans:
        right, _ = both(plan.text)
        for number, what in enumerate(perturbations(right)):
            try:
                if Oracle(right).right(RUNS, number):
                    continue
            except Unsupported:
                continue
            wrong += 1
            assert check(right), f"a wrong plan was accepted: {name}, {plan.name}, {what}"
    assert wrong >= least, wrong
