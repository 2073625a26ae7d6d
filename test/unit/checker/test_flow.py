"""Plans with branches, loops, blocks and calls: right ones are accepted, each wrong one is rejected."""

from __future__ import annotations

import plans_of_calls
import plans_of_flow
import pytest
from ir import Broken, both, label, main, named, parse
from plans_of_flow import arms, blocks, loop, numbered

from lastuse.passes.checker import check

PLANS = plans_of_flow.PLANS + plans_of_calls.PLANS


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_wrong_plan_is_rejected_and_the_right_one_accepted(plan: Broken) -> None:
    right, broken = both(plan.text)
    assert [v.message for v in check(right)] == []
    found = check(broken)
    assert found, "accepted"
    first = found[0]
    destroyer = label(first.destroyers[0]).replace("scf.if", "r") if first.destroyers else None
    seen = (first.kind, label(first.reader), named(first.value), first.bytes, destroyer, first.path)
    assert seen == (plan.kind, plan.reader, plan.value, plan.bytes, plan.destroyer, plan.path)


def messages(text: str) -> list[str]:
    return [v.message for v in check(main(parse(text)))]


def test_message_names_the_path() -> None:
    assert (
        "(in an earlier turn of scf.for)"
        in messages(
            loop("""%t = exp(%a) {inplace[0]} : (T) -> T
            "scf.yield"(%t) : (T) -> ()""")
        )[0]
    )
    assert "(through the then arm of scf.if)" in messages(arms(b="inplace[0]", other="%a"))[0]
    assert "(through block 1)" in messages(blocks(b="inplace[0]", other="%a"))[0]


def test_block_argument_is_its_own_storage_if_predecessors_disagree() -> None:
    text = numbered(0, a="reuse[0]", other="%a").replace("[array<i32: 0>]", "[array<i32: 1>]")
    assert messages(text) == []


def test_nested_loops_reach_a_fixpoint_in_few_rounds() -> None:
    """Six nested loops, each with a slot in a storage of its own."""
    depth = 6
    lines = ["func.func @main(%x: T, %n: index) -> T {", '%c = "arith.constant"() {value = 1 : index} : () -> index']
    for k in range(depth):
        start = "%x" if k == 0 else f"%p{k - 1}"
        lines += [f'%r{k} = "scf.for"(%c, %n, %c, {start}) ({{', f"^bb0(%i{k}: index, %p{k}: T):"]
    lines += [f"%u = exp(%p{depth - 1}) {{inplace[0]}} : (T) -> T"]
    last = "%u"
    for k in reversed(range(depth)):
        lines += [f'"scf.yield"({last}) : (T) -> ()', "}) : (index, index, index, T) -> T"]
        last = f"%r{k}"
    lines += [f"func.return {last} : T", "}"]
    assert messages("\n".join(lines)) == []
