"""Decisions without their reasons are the decisions with them: on programs of ops of ours, with regions and blocks, and
of ops that are nothing but a contract, after decisions made before too."""

from __future__ import annotations

import pytest
from programs import blocks, program
from toy import generate
from unit.strategies.corpus import function
from xdsl.dialects.func import FuncOp

from bench.bufferize_scaling import Writer
from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES, UNEXPLAINED

EACH = 10


def compared(func: FuncOp) -> bool:
    """Whether there are reasons that are left out, after both plans are compared."""
    numbered = NumberedOps.of(func)
    if numbered is None:
        return False
    one, two = (strategies["optimal"](numbered, True) for strategies in (STRATEGIES, UNEXPLAINED))
    assert (one.inplace, one.parts, one.reuse, one.copies) == (two.inplace, two.parts, two.reuse, two.copies)
    assert one.copy_count == two.copy_count == sum(map(len, one.copied.values()))
    return len(two.refused) < len(one.refused) or len(two.copied) < len(one.copied)


@pytest.mark.parametrize("slices", [False, True])
def test_plan_of_kernels_and_parts_without_reasons_is_the_plan(slices: bool) -> None:
    """In one block of kernels the plan without reasons places few values."""
    with_parts = 0
    for seed in range(EACH):
        module = parse(context(), Writer(seed, slices).text(120), "kernels.mlir")
        compared(main_function(module))
        InplacePass().apply(context(), module)
        with_parts += any(attrs.PARTS in op.attributes for op in module.walk())
    assert with_parts


@pytest.mark.parametrize("group", range(6))
def test_plan_without_reasons_is_the_plan(group: int) -> None:
    left_out = 0
    for seed in range(EACH * group, EACH * (group + 1)):
        left_out += compared(function(program(seed))) + compared(function(blocks(seed)))
        for earlier in (False, True):
            func = generate(seed, earlier)
            repair(func)
            left_out += compared(func)
    assert left_out > EACH
