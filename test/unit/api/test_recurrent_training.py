"""Steps of training with ONNX's GRU and LSTM: their workspaces are values of the plan."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.training_program import TrainingProgram
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.verify_lowering import VerifyLoweringPass
from lastuse.passes.verify_storage import VerifyStoragePass

STEPS, BATCH, INPUTS, HIDDEN = 6, 4, 5, 8
CELLS = {"lstm": (4, 2, ""), "gru": (3, 1, ""), "lbr_gru": (3, 1, ", linear_before_reset = 1 : i64")}
"""Gates, states and attributes."""


def network(cell: str, more: str = "", steps: str = str(STEPS)) -> str:
    """Two layers, the first one in both directions; the loss is made of all states of the second one and of its last
    one."""
    gates, states, own = CELLS[cell]
    name, rows = f"onnx_{'lstm' if cell == 'lstm' else 'gru'}", gates * HIDDEN
    absent = ", 0" * (2 if cell == "lstm" else 0)
    attributes = f"operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0{absent}>{own}{more}"
    shapes = [(2, INPUTS), (1, HIDDEN)]
    types = [
        (f"{d}x{rows}x{width}xf32", f"{d}x{rows}x{HIDDEN}xf32", f"{d}x{2 * rows}xf32", f"{d}x{BATCH}x{HIDDEN}xf32")
        for d, width in shapes
    ]
    arguments, results, signatures = list[str](), list[str](), list[str]()
    for k, (w, r, b, state) in enumerate(types):
        for role, type_ in (("w", w), ("r", r), ("b", b)):
            arguments.append(f'%{role}{k}: tensor<{type_}> {{dnn.name = "{role}{k}", dnn.trainable}}')
        d, width = shapes[k]
        results.append(
            ", ".join(f"tensor<{type_}>" for type_ in (f"{steps}x{d}x{BATCH}x{HIDDEN}xf32", *[state] * states))
        )
        signatures.append(", ".join(f"tensor<{t}>" for t in (f"{steps}x{BATCH}x{width}xf32", w, r, b)))
    ends = [", ".join(f"%e{k}_{n}" for n in range(states)) for k in range(2)]
    y0, x1 = f"tensor<{steps}x2x{BATCH}x{HIDDEN}xf32>", f"tensor<{steps}x{BATCH}x{HIDDEN}xf32>"
    y1 = f"tensor<{steps}x1x{BATCH}x{HIDDEN}xf32>"
    return f"""
func.func @main(%x: tensor<{steps}x{BATCH}x{INPUTS}xf32> {{dnn.name = "x"}}, {", ".join(arguments)})
    -> (tensor<f32> {{dnn.loss, dnn.name = "loss"}}) {{
  %y0, {ends[0]} = "dnn.{name}"(%x, %w0, %r0, %b0) {{direction = "bidirectional", {attributes}}} : ({signatures[0]})
    -> ({results[0]})
  %x1 = "dnn.reduce_sum"(%y0) {{axes = array<i64: 1>}} : ({y0}) -> {x1}
  %y1, {ends[1]} = "dnn.{name}"(%x1, %w1, %r1, %b1) {{{attributes}}} : ({signatures[1]}) -> ({results[1]})
  %q = "dnn.mul"(%y1, %y1) : ({y1}, {y1}) -> {y1}
  %all = "dnn.reduce_sum"(%q) : ({y1}) -> tensor<f32>
  %last = "dnn.reduce_sum"(%e1_{states - 1}) : (tensor<1x{BATCH}x{HIDDEN}xf32>) -> tensor<f32>
  %loss = "dnn.add"(%all, %last) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}}
"""


def program_of(text: str, **options: Any) -> TrainingProgram:
    program = lastuse.compile(parse(context(), text, "step"), optimizer="momentum", threads=1, **options)
    assert isinstance(program, TrainingProgram)
    return program


def runs(text: str, **options: Any) -> list[bytes]:
    """The losses of three steps, and the parameters and their states after each."""
    program = program_of(text, **options)
    rng, made = np.random.default_rng(3), list[bytes]()
    given = dict[str, np.ndarray]()
    for name, spec in program.inputs.items():
        shape = [int(size) if str(size).isdigit() else STEPS for size in spec.shape]
        given[name] = (0.3 * rng.normal(size=shape)).astype("f")
    given["lr"] = np.array(0.05, "f")
    for _ in range(3):
        loss = program.run(given)["loss"]
        made.append(loss.tobytes())
        made += [array.tobytes() for array in given.values()]
        made += [array.tobytes() for array in program.parameters.values()]
    return made


@pytest.mark.parametrize("cell", CELLS)
def test_planned_steps_are_naive_ones_bit_for_bit(cell: str) -> None:
    text = network(cell)
    planned = runs(text, poison=True)
    assert planned == runs(text, inplace=False, plan=False, poison=True)
    assert planned == runs(text, schedule=False)
    assert planned == runs(network(cell, steps="?"))
    assert planned == runs(text, recompute="all", limit=less_memory(text))


def less_memory(text: str) -> int:
    """Somewhat less than the step takes if nothing runs again."""
    return program_of(text).memory.arena_bytes * 19 // 20


@pytest.mark.parametrize("cell", CELLS)
def test_losses_are_those_of_the_kernels_in_numpy(cell: str) -> None:
    per_step = len(runs(network(cell))) // 3
    fast, slow = (runs(text)[::per_step] for text in (network(cell), network(cell, ', dnn.engine = "cpu"')))
    assert fast != slow
    losses = [np.frombuffer(b"".join(each), "f") for each in (fast, slow)]
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-5)


def planned(cell: str) -> str:
    ctx = context()
    module = parse(ctx, network(cell), "step")
    BackwardPass(optimizer="sgd").apply(ctx, module)
    PlanPass().apply(ctx, module)
    VerifyStoragePass().apply(ctx, module)
    return str(module)


def lowered(text: str) -> str:
    ctx = context()
    module = parse(ctx, text, "step")
    LowerToOnednnPass().apply(ctx, module)
    VerifyLoweringPass().apply(ctx, module)
    return str(module)


def test_the_gradient_writes_over_the_workspace_and_a_plan_that_loses_it_is_refused() -> None:
    text = planned("gru")
    assert len(re.findall(r"onnx_gru_training_grad.*dnn\.inplace = array<i32: (?:-1, ){4,5}5>", text)) == 2
    # The workspaces of both layers in the same place: that of the first one is lost before its gradient reads it.
    forward = re.findall(r'"dnn\.onnx_gru_training"\(.*', text)
    places = [re.search(r"dnn\.offset = array<i64: [-\d, ]*, (\d+)>", line) for line in forward]
    assert all(places) and len(places) == 2
    first, second = (found.group(1) for found in places if found is not None)
    changed = text.replace(forward[1], re.sub(rf", {second}>", f", {first}>", forward[1], count=1))
    assert changed != text
    ctx = context()
    with pytest.raises(LastuseError):
        VerifyStoragePass().apply(ctx, parse(ctx, changed, "step"))


def test_steps_that_read_another_workspace_are_refused() -> None:
    text = lowered(planned("lbr_gru"))
    lines = text.splitlines()
    (call,) = (line for line in lines if 'call "dnn.onnx_gru_training_grad"' in line and "memref<1x" in line)
    (forward,) = (line for line in lines if 'call "dnn.onnx_gru_training"' in line and "memref<2x" in line)
    read = re.search(r"ins\((.*?) :", call)
    written = re.search(r"outs\(%\w+, %\w+, (%\w+) :", forward)
    assert read is not None and written is not None
    own, kind = read[1].split(", ")[5], re.search(r"memref<1x\d+xi8>", call)
    other = re.search(rf"{written[1]} = onednn\.view %arena \{{(offset = \d+ : i64)\}} : (\S+) ->", text)
    assert other is not None and kind is not None
    # The gradient of the second layer reads the workspace that the first one has left.
    view = f"    %wrong = onednn.view %arena {{{other[1]}}} : {other[2]} -> {kind[0]}\n"
    changed = text.replace(call, view + call.replace(f"{own},", "%wrong,").replace(f"{own} :", "%wrong :"))
    ctx = context()
    with pytest.raises(LastuseError, match=r"reads %y1 in bytes .* which hold %y0"):
        VerifyLoweringPass().apply(ctx, parse(ctx, changed, "step"))
