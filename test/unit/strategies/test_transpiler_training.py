"""The memory transpiler on real backward graphs: when variables die, what the pool shares, what is then in place."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.frontends.text import mlir_parser
from lastuse.passes.analysis.liveness import live_sets
from lastuse.passes.backward import BackwardPass
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.verify_storage import VerifyStoragePass

M = "tensor<4x4xf32>"
NETWORK = f"""func.func @main(%x: {M}, %t: {M}, %w: {M} {{dnn.trainable}}, %u: {M} {{dnn.trainable}})
    -> (tensor<f32> {{dnn.loss, dnn.name = "loss"}}) {{
  %a = "dnn.matmul"(%x, %w) : ({M}, {M}) -> {M}
  %b = "dnn.relu"(%a) : ({M}) -> {M}
  %c = "dnn.matmul"(%b, %u) : ({M}, {M}) -> {M}
  %d = "dnn.tanh"(%c) : ({M}) -> {M}
  %e = "dnn.mul"(%d, %x) : ({M}, {M}) -> {M}
  %loss = "dnn.mse"(%e, %t) : ({M}, {M}) -> tensor<f32>
  func.return %loss : tensor<f32>
}}"""


def step(**options: object) -> tuple[ModuleOp, FuncOp]:
    """A step of training by sgd."""
    module = mlir_parser.parse(context(), NETWORK, "net.mlir")
    BackwardPass("sgd", **options).apply(context(), module)  # pyright: ignore
    return module, main_function(module)


def live(func: FuncOp) -> dict[Operation, tuple[set[SSAValue], set[SSAValue]]]:
    """What is live before and after each op."""
    ops = list(func.body.block.ops)
    following = [[k + 1] if k + 1 < len(ops) else [] for k in range(len(ops))]
    uses, defs = [set(op.operands) for op in ops], [set(op.results) for op in ops]
    return dict(zip(ops, zip(*live_sets(uses, defs, following, set()), strict=True), strict=True))


def operand_of_relu(func: FuncOp) -> tuple[Operation, SSAValue]:
    relu = next(op for op in func.body.block.ops if op.name == "dnn.relu")
    return relu, relu.operands[0]


def test_the_operand_of_relu_dies_at_the_forward_op() -> None:
    """Its gradient reads the result alone. In the mirrored graph, where it reads the operand, that lives on."""
    func = step()[1]
    relu, operand = operand_of_relu(func)
    assert operand in live(func)[relu][0]
    assert operand not in live(func)[relu][1]
    mirrored = step(mirror=True)[1]
    relu, operand = operand_of_relu(mirrored)
    assert operand in live(mirrored)[relu][1]


def test_the_pool_shares_as_the_rules_say() -> None:
    """In the order of the ops: a result takes the memory of its type that has been free longest; then what is read here
    for the last time joins. Arguments and what is returned take no part, nor does a result that nothing reads."""
    module, func = step()
    sets, returned = live(func), set(func.body.block.last_op.operands)  # pyright: ignore
    pool: list[SSAValue] = []
    memory: dict[SSAValue, SSAValue] = {}
    for op in func.body.block.ops:
        for result in op.results:
            fitting = [free for free in pool if free.type == result.type and result not in returned]
            memory[result] = memory[fitting[0]] if fitting else result
            pool = [free for free in pool if not fitting or free is not fitting[0]]
        dying = (v for v in dict.fromkeys(op.operands) if v in memory and v not in sets[op][1])
        pool += [value for value in dying if value not in returned]
    MemoryPlanPass("pool").apply(context(), module)
    VerifyStoragePass().apply(context(), module)
    numbered = {value: attrs.number_of(value) for value in memory}
    shared = {root for value, root in memory.items() if root is not value}
    assert len(shared) > 2
    for value, root in memory.items():
        assert (numbered[value] >= 0) == (root in shared), value
        assert root not in shared or numbered[value] == numbered[root], value
    assert len({numbered[root] for root in shared}) == len(shared)


def test_pool_then_in_place_is_the_order_of_the_document() -> None:
    """What the pool has placed stays; then a tagged result whose operand is read for the last time is over it."""
    module, func = step()
    for pass_ in (MemoryPlanPass("pool"), InplacePass("transpiler"), VerifyStoragePass()):
        pass_.apply(context(), module)
    decided = [op for op in func.body.block.ops if any(k >= 0 for k in attrs.inplace(op))]
    assert decided
    assert all(len(op.operands) == 1 for op in decided)
    placed = [op for op in func.body.block.ops if any(attrs.number_of(r) >= 0 for r in op.results)]
    assert len(placed) > 4


@pytest.mark.parametrize("options", [{}, {"schedule": False}])
def test_steps_by_the_rules_of_the_transpiler_have_the_bits_of_naive_ones(options: dict[str, bool]) -> None:
    arguments = {"loss": "loss", "optimizer": "sgd", "threads": 1}
    ours = lastuse.compile(NETWORK.encode(), strategy="transpiler", **arguments, **options)  # pyright: ignore
    naive = lastuse.compile(NETWORK.encode(), inplace=False, plan=False, **arguments)  # pyright: ignore
    rng = np.random.default_rng(4)
    batch = {name: rng.normal(size=(4, 4)).astype(np.float32) for name in "xtwu"} | {"lr": np.float32(0.1)}
    for _ in range(5):
        results = [program.run({n: np.array(a) for n, a in batch.items()}) for program in (ours, naive)]
        assert all(results[0][name].tobytes() == results[1][name].tobytes() for name in results[1])
        batch |= {name: results[0][name] for name in "wu"}
