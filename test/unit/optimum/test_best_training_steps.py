"""`strategy=optimal` on whole steps of training: it shares the most bytes over forward part, backward part and updates
together, against every set of decisions."""

from __future__ import annotations

import pytest
from exhaustive import is_best
from generate.training import training_program
from objective import worth
from unit.strategies.corpus import function, planned
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES

CONTEXT = context()
LARGEST, MOST_CHECKS = 17, 100
"""Ops of a step, and how often the checker may be asked about its plans; other steps are left out."""
BRANCHES = """func.func @main(%x: T, %w: T {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %c = "dnn.mul"(%x, %w) : (T, T) -> T
  %a = "dnn.relu"(%c) : (T) -> T
  %b = "dnn.neg"(%c) : (T) -> T
  %d = "dnn.tanh"(%b) : (T) -> T
  %e = "dnn.add"(%a, %d) : (T, T) -> T
  %loss = "dnn.reduce_sum"(%e) : (T) -> tensor<f32>
  func.return %loss : tensor<f32>
}""".replace("T", "tensor<4x4xf32>")
CHAIN = """func.func @main(%x: T, %w: T {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %c = "dnn.mul"(%x, %w) : (T, T) -> T
  %a = "dnn.relu"(%c) : (T) -> T
  %v = "dnn.reshape"(%a) : (T) -> R
  %t = "dnn.tanh"(%v) : (R) -> R
  %s = "dnn.sigmoid"(%t) : (R) -> R
  %loss = "dnn.reduce_sum"(%s) : (R) -> tensor<f32>
  func.return %loss : tensor<f32>
}""".replace("T", "tensor<4x4xf32>").replace("R", "tensor<2x8xf32>")


def step(text: str, optimizer: str = "none") -> str:
    """The step of a forward part."""
    module = parse(CONTEXT, text, "step.mlir")
    BackwardPass(optimizer).apply(CONTEXT, module)
    return str(module)


def decided(text: str, strategy: str = "optimal") -> FuncOp:
    """The function of a step, decided as the checker accepts it."""
    module = parse(CONTEXT, text, "step.mlir")
    InplacePass(strategy).apply(CONTEXT, module)
    func = next(op for op in module.walk() if isinstance(op, FuncOp))
    assert not check(func)
    return func


@pytest.mark.parametrize("optimizer", ["none", "sgd", "momentum", "adam"])
@pytest.mark.parametrize("text", [CHAIN, BRANCHES], ids=["chain", "branches"])
def test_no_set_of_decisions_about_a_step_shares_more(text: str, optimizer: str) -> None:
    whole = step(text, optimizer)
    assert planned("optimal", whole).proved
    assert is_best(function(whole), worth(decided(whole)), 1 << 14, optimizer, 0)


@pytest.mark.parametrize("piece", range(2))
def test_no_set_of_decisions_about_a_drawn_step_shares_more(piece: int) -> None:
    compared = 0
    for seed in range(25 * piece, 25 * (piece + 1)):
        module = training_program(seed)
        if sum(1 for _ in module.walk()) > LARGEST:
            continue
        text = str(module)
        compared += is_best(function(text), worth(decided(text)), MOST_CHECKS, f"step {seed}", 0)
    assert compared > 4


@pytest.mark.parametrize("text", [CHAIN, BRANCHES], ids=["chain", "branches"])
def test_the_best_over_a_step_shares_more_than_first_come_first_served(text: str) -> None:
    """nntrainer's walk takes a layer in place as it comes to it; the gradients are decided afterwards."""
    whole = step(text)
    have = {strategy: worth(decided(whole, strategy)) for strategy in STRATEGIES}
    assert have["optimal"] > have["nntrainer"]
    assert max(have.values()) == have["optimal"]


def test_the_relu_is_in_place_and_gradients_are_over_each_other() -> None:
    """Each of the three gradients is in the memory of the one before."""
    func = decided(step(CHAIN))
    over = {op.name: attrs.inplace(op) for op in func.walk() if op.name.endswith("_grad")}
    assert over == {"dnn.sigmoid_grad": (1,), "dnn.tanh_grad": (1,), "dnn.relu_grad": (1,)}
