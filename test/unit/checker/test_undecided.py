"""Functions without decisions are accepted, whatever their sizes, control flow, calls and ops; so are decisions of
passes at unknown sizes."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from generate import Generated, random_program
from generate.flow import random_flow_program
from generate.unknown import random_open_program
from oracle import EFFORT
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.schedule import SchedulePass

CONTEXT = context()
PIPELINES = (
    *([InplacePass(strategy=s)] for s in STRATEGIES),
    [InplacePass(strategy="reinplace"), MemoryPlanPass(algorithm="greedy")],
    [MemoryPlanPass(algorithm="pool"), InplacePass(strategy="transpiler")],
    [SchedulePass(), InplacePass(), MemoryPlanPass()],
    [PlanPass()],
)


def wrong(module: ModuleOp) -> list[str]:
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    return [v.message for func in functions for v in check(func)]


def accepted(text: str) -> ModuleOp:
    module = parse(CONTEXT, text, "undecided.mlir")
    verifier.verify(module)
    assert wrong(module) == [], text
    return module


@pytest.mark.parametrize("draw", [random_program, random_flow_program], ids=["straight", "flow"])
def test_undecided_programs_are_accepted(draw: Callable[[int], Generated]) -> None:
    for seed in range(40 * EFFORT):
        accepted(str(draw(seed).module))


def open_programs(first: int, count: int) -> list[tuple[int, str]]:
    """Seed and text of those that are well-formed."""
    found: list[tuple[int, str]] = []
    for seed in range(first, first + count):
        text = str(random_open_program(seed))
        try:
            verifier.verify(parse(CONTEXT, text, "open.mlir"))
        except LastuseError:
            continue  # an op there has to know a size
        found.append((seed, text))
    assert len(found) > count // 2
    return found


def test_undecided_programs_of_unknown_sizes_are_accepted() -> None:
    for _, text in open_programs(0, 100 * EFFORT):
        accepted(text)


def test_decisions_of_passes_at_unknown_sizes_are_accepted() -> None:
    for seed, text in open_programs(1000, 50 * EFFORT):
        module = accepted(text)
        for step in random.Random(seed).choice(PIPELINES):
            step.apply(CONTEXT, module)
        assert wrong(module) == [], f"{seed}\n{text}"


STEPS = {
    "tensor.insert": "%b = tensor.insert %v into %a[%i] : tensor<?xf32>",
    "tensor.insert_slice": "%b = tensor.insert_slice %k into %a[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>",
    "tensor.concat": "%b = tensor.concat dim(0) %a, %k : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>",
    "tensor.empty": "%b = tensor.empty(%i) : tensor<?xf32>",
    "linalg.fill": "%b = linalg.fill ins(%v : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>",
    "linalg.exp": "%b = linalg.exp ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>",
    "arith.negf": "%b = arith.negf %a : tensor<?xf32>",
    "dnn.concat": '%b = "dnn.concat"(%a, %a) {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>',
    "dnn.relu": '%b = "dnn.relu"(%a) : (tensor<?xf32>) -> tensor<?xf32>',
    "dnn.reshape": '%z = "dnn.reshape"(%a) : (tensor<?xf32>) -> tensor<?x?xf32>\n'
    '%b = "dnn.reshape"(%z) : (tensor<?x?xf32>) -> tensor<?xf32>',
    "foreign": '%b = "strange.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>',
    "call": "%b = func.call @other(%a) : (tensor<?xf32>) -> tensor<?xf32>",
    "itself": '%b = "dnn.copy"(%t) : (tensor<?xf32>) -> tensor<?xf32>',
}
"""What a loop does with a value of unknown size: some keep the size, some do not, of some nothing is known."""
LOOPS = {
    "for": """%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {{
      {step}
      scf.yield %b : tensor<?xf32>
    }}""",
    "while": """%r, %last = scf.while (%a = %t, %i = %c0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {{
      %more = arith.cmpi slt, %i, %n : index
      {step}
      scf.condition(%more) %b, %i : tensor<?xf32>, index
    }} do {{
    ^bb0(%d: tensor<?xf32>, %j: index):
      %next = arith.addi %j, %c1 : index
      %e = "dnn.neg"(%d) : (tensor<?xf32>) -> tensor<?xf32>
      scf.yield %e, %next : tensor<?xf32>, index
    }}""",
    "if": """%i = arith.constant 2 : index
    %flag = arith.cmpi slt, %i, %n : index
    %r = scf.if %flag -> (tensor<?xf32>) {{
      %a = "dnn.exp"(%t) : (tensor<?xf32>) -> tensor<?xf32>
      {step}
      scf.yield %b : tensor<?xf32>
    }} else {{
      scf.yield %t : tensor<?xf32>
    }}""",
    "blocks": """cf.br ^head(%t, %c0 : tensor<?xf32>, index)
  ^head(%a: tensor<?xf32>, %i: index):
    {step}
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %n : index
    cf.cond_br %more, ^head(%b, %next : tensor<?xf32>, index), ^tail(%b : tensor<?xf32>)
  ^tail(%r: tensor<?xf32>):""",
}


@pytest.mark.parametrize("given", ["", " {dnn.donated}"], ids=["kept", "donated"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("loop", LOOPS)
def test_loop_with_a_value_of_unknown_size_is_accepted(loop: str, step: str, given: str) -> None:
    """Undecided, and as every strategy decides it."""
    text = f"""func.func private @other(%x: tensor<?xf32> {{dnn.donated}}) -> tensor<?xf32> {{
  %y = "dnn.relu"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}}
func.func @main(%t: tensor<?xf32>{given}, %k: tensor<4xf32>, %n: index, %v: f32) -> tensor<?xf32> {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    {LOOPS[loop].format(step=STEPS[step])}
    %s = "dnn.relu"(%r) : (tensor<?xf32>) -> tensor<?xf32>
    func.return %s : tensor<?xf32>
}}"""
    accepted(text)
    for pipeline in PIPELINES[-4:]:
        module = accepted(text)
        for each in pipeline:
            each.apply(CONTEXT, module)
        assert wrong(module) == [], pipeline
