"""Forwarded values: plans right and broken, and random ones against the oracle."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from forwarding_programs import Generator
from ir import Broken, both, label, main, named, parse
from oracle import EFFORT, Oracle
from plans_of_forwarding import PLANS

from lastuse.dialect.storage import attrs
from lastuse.passes import checker
from lastuse.passes.checker import ViolationKind, check, interpretation
from lastuse.passes.checker.control_flow import FlowNode
from lastuse.passes.checker.function_model import FunctionModel
from lastuse.passes.checker.interpretation import Node, with_bindings
from lastuse.passes.checker.repair import repair


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_wrong_plan_is_rejected_and_the_right_one_accepted(plan: Broken) -> None:
    right, broken = both(plan.text)
    assert [v.message for v in check(right)] == []
    first = check(broken)[0]
    destroyer = first.destroyers[0] if first.destroyers else None
    seen = (
        first.kind,
        label(first.reader),
        named(first.value),
        first.bytes,
        destroyer and label(destroyer),
        first.path,
    )
    assert seen == (plan.kind, plan.reader, plan.value, plan.bytes, plan.destroyer, plan.path)


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_repaired_plan_is_right(plan: Broken) -> None:
    _, broken = both(plan.text)
    dropped, wrong = repair(broken)
    assert dropped
    assert not wrong
    assert check(broken) == []


def _chosen(count: int) -> str:
    """A value that is one of two, `count` times over, all needed at the end."""
    lines = [f'%s{k} = "arith.select"(%c, %x, %y) {{forward[1]}} : (i1, T, T) -> T' for k in range(count)]
    total = ", ".join(f"%s{k}" for k in range(count))
    types = ", ".join("T" for _ in range(count))
    body = "\n".join(lines)
    return f"func.func @main(%x: T, %y: T, %c: i1) -> ({types}) {{\n{body}\nfunc.return {total} : {types}\n}}"


def test_more_than_64_bindings_are_refused_and_dropped() -> None:
    assert check(main(parse(_chosen(6)))) == []
    func = main(parse(_chosen(7)))
    assert [v.kind for v in check(func)] == [ViolationKind.TOO_MANY_WAYS]
    dropped, wrong = repair(func)
    assert not wrong
    assert [d.decision.attribute for d in dropped] == [attrs.FORWARD]


def _apart(count: int, last: str = "") -> str:
    """As many values, each one of two of its own; and `last`, before all are needed."""
    names = ", ".join(f"%x{k}: T {{dnn.donated}}, %y{k}: T {{dnn.donated}}" for k in range(count))
    lines = [f'%s{k} = "arith.select"(%c, %x{k}, %y{k}) {{forward[1]}} : (i1, T, T) -> T' for k in range(count)]
    total = ", ".join(f"%s{k}" for k in range(count))
    types = ", ".join("T" for _ in range(count))
    body = "\n".join([*lines, last])
    return f"func.func @main({names}, %c: i1) -> ({types}) {{\n{body}\nfunc.return {total} : {types}\n}}"


def test_values_that_share_no_memory_are_bound_apart() -> None:
    assert check(main(parse(_apart(40)))) == []


@pytest.mark.parametrize("chosen", [0, 17, 39])
def test_one_wrong_value_among_those_bound_apart_is_refused(chosen: int) -> None:
    func = main(parse(_apart(40, f"%z = relu(%y{chosen}) {{inplace[0]}} : (T) -> T")))
    assert [(v.kind, named(v.value)) for v in check(func)] == [(ViolationKind.OVERWRITTEN, f"s{chosen}")]
    dropped, wrong = repair(func)
    assert len(dropped) == 1
    assert not wrong


def _bound_apart(frame: FunctionModel, nodes: Sequence[FlowNode]) -> list[list[Node]]:
    if not frame.bindings.storages:
        return with_bindings(frame, nodes)
    return interpretation._rows(frame, nodes, interpretation._needed(nodes))  # pyright: ignore[reportPrivateUsage]


def test_sets_that_are_bound_apart_break_the_rules_that_all_break(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of random plans, right and wrong."""
    monkeypatch.setattr(interpretation, "_FEW_BINDINGS", 1)
    several = 0
    for number in range(100 * EFFORT):
        rng = random.Random(number)
        func = Generator(rng, rng.choice((0.0, 0.15, 0.3, 0.5)), foreign=number % 3 == 0).make()
        several += len(FunctionModel(func).bindings.apart(1)) > 1
        monkeypatch.setattr(checker, "with_bindings", with_bindings)
        together = {(v.kind, v.reader, v.value) for v in check(func)}
        monkeypatch.setattr(checker, "with_bindings", _bound_apart)
        assert {(v.kind, v.reader, v.value) for v in check(func)} == together, number
    assert several > 15 * EFFORT


def test_bindings_that_are_needed_no_more_are_forgotten() -> None:
    lines = [f'%s{k} = "arith.select"(%c, %x, %y) {{forward[1]}} : (i1, T, T) -> T' for k in range(9)]
    uses = [f"%z{k} = relu(%s{k}) : (T) -> T" for k in range(9)]
    body = "\n".join(line for pair in zip(lines, uses, strict=True) for line in pair)
    func = main(parse(f"func.func @main(%x: T, %y: T, %c: i1) -> T {{\n{body}\nfunc.return %z8 : T\n}}"))
    assert check(func) == []


def test_accepted_plans_run_right() -> None:
    """Few right plans are refused, but for moves that only lowering could put in an order."""
    right = refused = wrong = 0
    for number in range(200 * EFFORT):
        rng = random.Random(number)
        func = Generator(rng, rng.choice((0.15, 0.3, 0.5))).make()
        found = check(func)
        if Oracle(func).right(30 if found else 8, number):
            right += 1
            refused += bool(found) and found[0].kind is not ViolationKind.MOVES_OVERLAP
        else:
            wrong += 1
            assert found, f"a wrong plan was accepted: {number}"
    assert wrong > 60 * EFFORT
    assert right > 40 * EFFORT
    assert refused <= 0.06 * right


def test_repair_ends_in_a_right_plan() -> None:
    for number in range(40 * EFFORT):
        func = Generator(random.Random(number)).make()
        _, wrong = repair(func)
        assert not wrong
        assert Oracle(func).right(4, number)
