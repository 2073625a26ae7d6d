"""Random straight-line programs with random plans: what the checker accepts, a byte-by-byte interpreter finds right.

`LASTUSE_EFFORT=10` tries ten times as many.
"""

from __future__ import annotations

import random

import pytest
import toy
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from oracle import EFFORT, Oracle

from lastuse.passes.checker import ViolationKind, check, transfer
from lastuse.passes.checker.function_model import FunctionModel
from lastuse.passes.checker.repair import repair


@pytest.fixture(autouse=True)
def small_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of a few bytes at any even offset: overlaps are what is tried here."""
    monkeypatch.setattr(transfer, "ALIGNMENT", 1)


@settings(max_examples=40 * EFFORT, deadline=None)
@given(st.integers(0, 1 << 32))
def test_accepted_plans_run_right(number: int) -> None:
    func = toy.generate(number)
    if not check(func):
        assert Oracle(func).right(6, number), "a wrong plan was accepted"


def test_few_right_plans_are_rejected() -> None:
    """At most 3 of 100 plans that no run finds wrong; the sample also contains wrong plans."""
    right = refused = wrong = 0
    for number in range(80 * EFFORT):
        func = toy.generate(number)
        accepted = not check(func)
        if Oracle(func).right(4 if accepted else 10, number):
            right += 1
            refused += not accepted
        else:
            wrong += 1
            assert not accepted
    assert refused <= 0.03 * right
    assert right > 26 * EFFORT
    assert wrong > 12 * EFFORT


@settings(max_examples=20 * EFFORT, deadline=None)
@given(st.integers(0, 1 << 32))
def test_repair_ends_in_a_right_plan(number: int) -> None:
    func = toy.generate(number)
    was_right = not check(func)
    dropped, wrong = repair(func)
    assert not wrong
    assert bool(dropped) != was_right
    assert Oracle(func).right(4, number)


NEEDED = {
    ViolationKind.BORROWED: 730,
    ViolationKind.COPY_OVERLAP: 37,
    ViolationKind.OUT_OF_BOUNDS: 12,
    ViolationKind.OVERLAP: 71,
    ViolationKind.OVERWRITTEN: 6,
    ViolationKind.READ_ONLY: 29,
    ViolationKind.RESULTS_OVERLAP: 214,
    ViolationKind.SCRATCH_OVERLAP: 45,
}
"""A rule, and a random program whose plan is wrong by it alone. Random plans break the others too seldom; each of those
has directed cases in test_plans and test_flow."""


@pytest.mark.parametrize("kind", NEEDED, ids=lambda k: k.name)
def test_oracle_finds_a_wrong_plan_without_each_rule(kind: ViolationKind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one of its rules the checker accepts a plan that the oracle finds wrong."""
    report = FunctionModel.report

    def forgetful(self: FunctionModel, found: ViolationKind, *args: object, **named: object) -> None:
        if found is not kind:
            report(self, found, *args, **named)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(FunctionModel, "report", forgetful)
    # Should the generator change, so does the program that shows it.
    for number in (NEEDED[kind], *range(3000)):
        func = toy.generate(number)
        if not check(func) and not Oracle(func).right(4, number):
            return
    pytest.fail("no random plan needs this rule")


def test_oracle_finds_an_overwritten_alias(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "add_guard", lambda *_: [])
    assert any(not check(f) and not Oracle(f).right(6, n) for n in range(3000) for f in [toy.generate(n)])


@seed(1)
@settings(max_examples=10 * EFFORT, deadline=None)
@given(st.integers(0, 1 << 32))
def test_plan_without_decisions_runs_right(number: int) -> None:
    generator = toy.Generator(random.Random(number))
    generator.eager = 0.0
    func = generator.make()
    assert check(func) == []
    assert Oracle(func).right(3, number)
