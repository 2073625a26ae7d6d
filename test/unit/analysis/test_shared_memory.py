"""What ops share: of each op of the dialect, as its gradient has it in a whole step that `--inplace-pass` decides."""

from __future__ import annotations

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.compiler.driver import context
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.storage.assignment import assign_places
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.shared_memory import Shares, shares
from lastuse.passes.backward import BackwardPass
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass

CONTEXT = context()
T = "tensor<4x4xf32>"
LINES = {
    **{op: f'%y = "dnn.{op}"(%u) : ({T}) -> {T}' for op in ("relu", "sigmoid", "tanh", "gelu", "silu", "leaky_relu")},
    **{op: f'%y = "dnn.{op}"(%u) : ({T}) -> {T}' for op in ("neg", "identity", "reshape", "exp")},
    **{op: f'%y = "dnn.{op}"(%u, %v) : ({T}, {T}) -> {T}' for op in ("add", "sub")},
    "flatten": f'%y = "dnn.flatten"(%u) {{axis = 1 : i64}} : ({T}) -> {T}',
    "batch_norm": f'%y = "dnn.batch_norm"(%u, %k, %k, %k, %k) : ({T}, {", ".join(["tensor<4xf32>"] * 4)}) -> {T}',
}
"""Ops that share gradients; of each an op that makes %y."""
ALONE = {
    "matmul": f'%y = "dnn.matmul"(%u, %v) : ({T}, {T}) -> {T}',
    "reduce_max": f'%m = "dnn.reduce_max"(%u) {{axes = array<i64: 0>}} : ({T}) -> tensor<4xf32>\n'
    f'%y = "dnn.expand"(%m) : (tensor<4xf32>) -> {T}',
}


def step(line: str) -> FuncOp:
    """A step with a line, decided: %u and %v come of trainable arguments, and the loss of %y."""
    text = f"""func.func @main(%a: {T} {{dnn.trainable}}, %b: {T} {{dnn.trainable}}, %k: tensor<4xf32>)
        -> (tensor<f32> {{dnn.loss}}) {{
      %u = "dnn.tanh"(%a) : ({T}) -> {T}
      %v = "dnn.sigmoid"(%b) : ({T}) -> {T}
      {line}
      %w = "dnn.mul"(%y, %v) : ({T}, {T}) -> {T}
      %loss = "dnn.reduce_sum_square"(%w) : ({T}) -> tensor<f32>
      func.return %loss : tensor<f32>
    }}"""
    module = parse(CONTEXT, text, "step.mlir")
    BackwardPass().apply(CONTEXT, module)
    InplacePass().apply(CONTEXT, module)
    func = next(op for op in module.walk() if isinstance(op, FuncOp))
    assert not check(func)
    return func


def gradients(func: FuncOp) -> tuple[SSAValue, SSAValue]:
    """Those of %u, which the gradient of the tanh before reads, and of %y."""
    of_u = [op.operands[1] for op in func.walk() if op.name == "dnn.tanh_grad"][-1]
    return of_u, next(result for op in func.walk() for result in op.results if result.name_hint == "y_grad")


@pytest.mark.parametrize("op", LINES)
def test_shared_gradient_is_in_the_memory_of_that_of_the_result(op: str) -> None:
    func = step(LINES[op])
    places = assign_places(func).of
    of_u, of_y = gradients(func)
    assert places[of_u].storage == places[of_y].storage
    forward = next(o for o in func.walk() if o.name == f"dnn.{op}" and o.results[0].name_hint == "y")
    assert shares(forward, False, {}) is Shares.GRADIENTS
    assert shares(forward, True, {}) is Shares.BOTH


@pytest.mark.parametrize("op", ALONE)
def test_gradient_that_is_not_shared(op: str) -> None:
    func = step(ALONE[op])
    places = assign_places(func).of
    of_u, of_y = gradients(func)
    assert places[of_u].storage != places[of_y].storage
    assert shares(next(o for o in func.walk() if o.name == f"dnn.{op}"), False, {}) is None


def test_one_gradient_of_an_addition_is_both() -> None:
    """No op computes it: the gradient of %u is that of %y, and so is that of %v2."""
    func = step(f'%v2 = "dnn.exp"(%v) : ({T}) -> {T}\n{LINES["add"].replace("%v", "%v2")}')
    of_u, of_y = gradients(func)
    (exp,) = (op for op in func.walk() if op.name == "dnn.exp")
    readers = {use.operation for use in exp.results[0].uses}
    assert of_u is of_y
    assert any(use.operation in readers for use in of_y.uses)


def test_each_op_with_a_gradient_is_asked_without_an_error() -> None:
    found = {name: shares(example_of(cls), False, {}) for name, cls in OPERATIONS.items()}
    without = {name for name, cls in OPERATIONS.items() if cls.gradient is DnnOp.gradient}
    assert all(found[name] is None for name in without)
    assert sum(shared is Shares.GRADIENTS for shared in found.values()) > 60
    apart = ("matmul", "conv", "max_pool", "gather", "fused_gru", "multiout", "expand", "reduce_max", "nll")
    assert all(found[f"dnn.{name}"] is None for name in apart)
