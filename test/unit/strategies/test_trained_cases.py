"""nntrainer's cases with real gradients: what it decides about steps of training, and what they compute in place.

A rule that is taken out shows: the checker refuses the decision that it forbade, and forced past the checker the
gradients are others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from fuzz_execute import Wrong, executed, hold_against, promise_of, right_results, same_results
from fuzz_inputs import Arrays, inputs_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.backward import BackwardPass
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.inplace_analysis.policies.nntrainer import decide
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.placement import PlacementPass
from support import swept

from .corpus import cases, runner
from .trained_cases import CONTEXT, layers, trained

T = "tensor<4x6xf32>"


def steps(trained_scales: bool = False) -> Iterator[tuple[dict[str, dict[str, str]], str, ModuleOp]]:
    """What is expected of each case, its name, and its step."""
    run = runner()
    for case in cases("nntrainer_inplace"):
        text = run.Function(case).text if run.runnable(case) else ""
        if "dnn.opaque" in text:  # the others have nothing that could be trained
            yield case["expect"], case["id"], trained(text, trained_scales)


def step(*lines: str) -> ModuleOp:
    """The step of a forward part of lines: %c comes of the trainable %w, the loss of %r."""
    body = "\n".join(lines).replace("T", T)
    module = parse(
        CONTEXT,
        f"""func.func @main(%x: {T}, %w: tensor<6x6xf32> {{dnn.trainable}}) -> (tensor<f32> {{dnn.loss}}) {{
          %c = "dnn.matmul"(%x, %w) : ({T}, tensor<6x6xf32>) -> {T}
          {body}
          %loss = "dnn.reduce_sum_square"(%r) : ({T}) -> tensor<f32>
          func.return %loss : tensor<f32>
        }}""",
        "step.mlir",
    )
    BackwardPass().apply(CONTEXT, module)
    return module


def run_decided(module: ModuleOp, inputs: Arrays, prove: bool = True) -> Arrays:
    """What the step computes as it is decided; its arena is planned."""
    planned = clone(module)
    MemoryPlanPass().apply(CONTEXT, planned)
    return executed("decided", planned, inputs, prove=prove)


@pytest.mark.parametrize("scales", [False, True], ids=["fixed scales", "trained scales"])
def test_decides_about_steps_as_about_the_forward_part(scales: bool) -> None:
    """Layers have the modes of the cases, but where a gradient reads what would be written over: a trained batch
    normalisation's its operand, that of an activation the result, also where this is not in place."""
    seen = Counter[str]()
    for expect, name, module in steps(scales):
        program = NumberedOps.of(main_function(module))
        assert program is not None
        plan = decide(program, False)
        for layer, op in layers(module).items():
            reasons = [refusal.reason.value for refusal in plan.refused.get(op, ())]
            same = plan.modes[op] == expect["mode"][layer].lower()
            seen.update(reasons, same=same, layers=1)
            assert same or set(reasons) & {"backward-needs", "program-input"}, (name, layer, plan.modes[op], reasons)
            if "backward-needs" in reasons:
                producer = op.operands[0].owner
                activation = isinstance(producer, Operation) and plan.modes[producer] == "none"
                assert activation or scales and op.name == "dnn.batch_norm", (name, layer)
    assert seen["same"] > 150
    assert seen["restricting-input"] > 5
    assert seen["backward-needs"] > (9 if scales else 3)


@pytest.mark.parametrize("strategy", swept(STRATEGIES, 2))
def test_gradients_are_right_in_place(strategy: str) -> None:
    """The results of each step are those without decisions, bit for bit, which are those of the interpreter."""
    in_place = 0
    for number, (_, name, module) in enumerate(steps(True)):
        inputs = inputs_of(main_function(module), number)
        naive = executed("naive", clone(module), inputs)
        if strategy == "optimal":
            hold_against(name, right_results(module, list(inputs.values())), naive, promise_of(module), Counter())
        decided = clone(module)
        if strategy == "paddle":
            PlacementPass().apply(CONTEXT, decided)
        InplacePass(strategy).apply(CONTEXT, decided)
        assert not check(main_function(decided)), name
        same_results(name, naive, run_decided(decided, inputs))
        in_place += sum(k >= 0 for op in decided.walk() for k in attrs.inplace(op))
    assert in_place > 40


ACCEPTED = {
    "relu, flatten": (
        '%a = "dnn.relu"(%c) : (T) -> T',
        '%f = "dnn.flatten"(%a) {axis = 1 : i64} : (T) -> T',
        '%r = "dnn.sigmoid"(%f) : (T) -> T',
    ),
    "sigmoid, reshape": (
        '%a = "dnn.sigmoid"(%c) : (T) -> T',
        '%f = "dnn.reshape"(%a) : (T) -> tensor<2x12xf32>',
        '%t = "dnn.tanh"(%f) : (tensor<2x12xf32>) -> tensor<2x12xf32>',
        '%r = "dnn.reshape"(%t) : (tensor<2x12xf32>) -> T',
    ),
    "multiout, flatten": (
        '%p, %q = "dnn.multiout"(%c) : (T) -> (T, T)',
        '%f = "dnn.flatten"(%p) {axis = 1 : i64} : (T) -> T',
        '%t = "dnn.tanh"(%f) : (T) -> T',
        '%r = "dnn.mul"(%t, %q) : (T, T) -> T',
    ),
    "multiout": (
        '%p, %q = "dnn.multiout"(%c) : (T) -> (T, T)',
        '%t = "dnn.sigmoid"(%p) : (T) -> T',
        '%r = "dnn.add"(%t, %q) : (T, T) -> T',
    ),
    "activations": (
        '%a = "dnn.sigmoid"(%c) : (T) -> T',
        '%t = "dnn.tanh"(%a) : (T) -> T',
        '%r = "dnn.neg"(%t) : (T) -> T',
    ),
    "batch norm": (
        '%k = "dnn.constant"() {value = dense<0.5> : tensor<6xf32>} : () -> tensor<6xf32>',
        '%g = "dnn.reduce_sum"(%w) {axes = array<i64: 0>} : (tensor<6x6xf32>) -> tensor<6xf32>',
        '%b = "dnn.batch_norm"(%c, %g, %k, %k, %k) : '
        "(T, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> T",
        '%r = "dnn.relu"(%b) : (T) -> T',
    ),
}
"""What nntrainer accepted before it had modes, or its table gives away: the op that writes is the last but one or the
last one that could be in place, and what it would write over is read by a gradient or another reader."""


def overwriting(module: ModuleOp) -> Operation:
    """The op whose decision was the mistake."""
    kinds = ("dnn.batch_norm", "dnn.tanh", "dnn.sigmoid")
    ops = [op for op in module.walk() if op.name in kinds]
    return next((op for op in ops if op.name == "dnn.batch_norm"), ops[-1])


@pytest.mark.parametrize("name", ACCEPTED)
def test_without_the_rule_gradients_are_wrong(name: str) -> None:
    module = step(*ACCEPTED[name])
    inputs = inputs_of(main_function(module), 3)
    want = executed("naive", clone(module), inputs)
    for strategy in STRATEGIES:
        decided = clone(module)
        InplacePass(strategy).apply(CONTEXT, decided)
        assert attrs.inplace(overwriting(decided)) == (-1,), strategy
        same_results(strategy, want, run_decided(decided, inputs))
    forced = clone(module)
    attrs.set_entries(overwriting(forced), attrs.INPLACE, [0])
    (found, *_) = check(main_function(forced))
    assert found.kind.name == "OVERWRITTEN"
    got = executed("forced", forced, inputs, prove=False)
    with pytest.raises(Wrong, match="other bits"):
        same_results("forced", want, got)
    gradient = next(key for key in want if key.endswith(".gradient"))
    assert np.abs(want[gradient] - got[gradient]).max() > 1e-3


def test_chain_is_in_place_both_ways() -> None:
    """relu, reshape, tanh: the relu over the product and the gradients over each other; the tanh has other memory,
    though a relu's gradient, which asks for signs alone, would find these in a tanh too."""
    module = step(
        '%a = "dnn.relu"(%c) : (T) -> T',
        '%f = "dnn.reshape"(%a) : (T) -> tensor<2x12xf32>',
        '%t = "dnn.tanh"(%f) : (tensor<2x12xf32>) -> tensor<2x12xf32>',
        '%r = "dnn.reshape"(%t) : (tensor<2x12xf32>) -> T',
    )
    inputs = inputs_of(main_function(module), 4)
    want = executed("naive", clone(module), inputs)
    InplacePass("optimal").apply(CONTEXT, module)
    over = {op.name: attrs.inplace(op)[0] for op in module.walk() if len(op.results) == 1}
    assert (over["dnn.relu"], over["dnn.tanh"]) == (0, -1)
    assert (over["dnn.tanh_grad"], over["dnn.relu_grad"]) == (1, 1)
    same_results("chain", want, run_decided(module, inputs))
    attrs.set_entries(next(op for op in module.walk() if op.name == "dnn.tanh"), attrs.INPLACE, [0])
    assert [violation.reader.name for violation in check(main_function(module))] == ["dnn.relu_grad"]


def test_gradient_of_an_addition_is_both_and_written_over_by_the_last_reader() -> None:
    module = step(
        '%a = "dnn.relu"(%c) : (T) -> T',
        '%b = "dnn.tanh"(%c) : (T) -> T',
        '%r = "dnn.add"(%a, %b) : (T, T) -> T',
    )
    inputs = inputs_of(main_function(module), 5)
    want = executed("naive", clone(module), inputs)
    (add,) = (op for op in module.walk() if op.name == "dnn.add" and op.results[0].name_hint == "r")
    grads = [op for op in module.walk() if op.name in ("dnn.relu_grad", "dnn.tanh_grad")]
    assert grads[0].operands[1] is grads[1].operands[1]
    InplacePass("optimal").apply(CONTEXT, module)
    assert attrs.inplace(add)[0] == -1 or len(want) == 2
    assert [attrs.inplace(op) for op in grads] == [(-1,), (1,)]
    same_results("add", want, run_decided(module, inputs))
    attrs.set_entries(grads[0], attrs.INPLACE, [1])
    attrs.set_entries(grads[1], attrs.INPLACE, [-1])
    assert check(main_function(module))
    with pytest.raises(Wrong, match="other bits"):
        same_results("add", want, executed("forced", module, inputs, prove=False))
