"""Which values are forwarded: what is decided is legal, right, and saves copies."""

from __future__ import annotations

import random

import pytest
from forwarding_programs import Generator
from ir import main, parse
from oracle import EFFORT, Oracle
from perturb import perturbations

from lastuse.compiler.driver import context
from lastuse.dialect.storage.decisions import Decisions
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lowering.copy_analysis import expected_copies


@pytest.mark.parametrize("foreign", [False, True])
def test_decided_programs_are_accepted_and_right(foreign: bool) -> None:
    forwarded = 0
    for number in range(25 * EFFORT):
        func = Generator(random.Random(number), 0.0, foreign).make()
        parent = func.parent_op()
        assert parent is not None
        InplacePass(forward=True).apply(context(), parent)  # pyright: ignore[reportArgumentType]
        assert [v.message for v in check(func)] == [], number
        assert Oracle(func).right(6, number)
        forwarded += bool(Decisions.of(func).forwarded)
    assert forwarded > 10 * EFFORT


def test_changed_decisions_that_are_wrong_are_refused() -> None:
    wrong = 0
    for number in range(12 * EFFORT):
        func = Generator(random.Random(number), 0.0).make()
        InplacePass(forward=True).apply(context(), func.parent_op())  # pyright: ignore[reportArgumentType]
        rng = random.Random(number)
        for change, text in enumerate(perturbations(func)):
            if rng.random() > 0.25:
                continue
            accepted = not check(func)
            right = Oracle(func).right(3, change) and (accepted or Oracle(func).right(10, change))
            assert right or not accepted, f"a wrong plan was accepted: {number}, {text}"
            wrong += not right
    assert wrong >= 60 * EFFORT


LOOP = """func.func @main(%x: T DONATED, %y: T DONATED, %n: index) -> (T, T) {
  %r, %s = "scf.for"(%n, %n, %n, %x, %y) ({
  ^bb0(%i: index, %a: T, %b: T):
    %c = relu(%a) : (T) -> T
    "scf.yield"(%b, %c) : (T, T) -> ()
  }) : (index, index, index, T, T) -> (T, T)
  %z = exp(%r) : (T) -> T
  %w = exp(%s) : (T) -> T
  func.return %z, %w : T, T
}"""


@pytest.mark.parametrize(("donated", "copies"), [("{dnn.donated}", 0), ("", 5)])
def test_loop_that_swaps_copies_nothing_where_both_values_may_be_written(donated: str, copies: int) -> None:
    """Where they may not be written, each has a slot: two copies before the loop, two in each turn and one aside."""
    func = main(parse(LOOP.replace("DONATED", donated)))
    module = func.parent_op()
    InplacePass(forward=True).apply(context(), module)  # pyright: ignore[reportArgumentType]
    assert check(func) == []
    crossing = [copy for copy, _ in expected_copies(func) or () if copy.op.name in ("scf.for", "scf.yield")]
    assert len(crossing) == copies
    assert len(Decisions.of(func).forwarded) == (2 if donated else 0)


def test_nothing_is_forwarded_unless_asked() -> None:
    func = main(parse(LOOP.replace("DONATED", "{dnn.donated}")))
    InplacePass().apply(context(), func.parent_op())  # pyright: ignore[reportArgumentType]
    assert not Decisions.of(func).forwarded
