"""`DnnOp.gradient`: the ops that it adds compute the derivative, from what the contract says the backward op reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest
from gradient_lines import LINES
from op_cases import build, named, operands_for
from op_lines import example_line, retyped
from xdsl.builder import Builder
from xdsl.dialects.builtin import TensorType, f32, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.activations import ReluOp
from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo, typed
from lastuse.dialect.storage.contract import Backward, Contract

STEP = 1e-6
WITH_GRADIENT = [cls for cls in OPERATIONS.values() if cls.gradient is not DnnOp.gradient]
OF_NO_GRADIENT = re.compile(r"^onnx_.*(clip|input_forget|activations)")
"""Recurrent layers of ONNX that have none; `test_onnx_gradient.py` has the activations that do."""
F32_ALONE = {"onnx_gru_training", "onnx_lstm_training"}
"""Ops that are not computed in f64; `test_onnx_training.py` has their gradients."""
IN_F64 = [cls for cls in WITH_GRADIENT if cls.name[4:] not in F32_ALONE]
LINES_WITH_GRADIENT = [
    *(example_line(cls) for cls in IN_F64),
    *(line for cls in IN_F64 for line in LINES.get(cls.name[4:], ()) if not OF_NO_GRADIENT.match(line)),
]
INSIDE = {
    "dnn.acos": (-0.9, 0.9),
    "dnn.acosh": (1.1, 3.0),
    "dnn.asin": (-0.9, 0.9),
    "dnn.atanh": (-0.9, 0.9),
    "dnn.batch_norm": (0.2, 3.0),
    "dnn.log": (0.2, 3.0),
    "dnn.pow": (0.3, 2.5),
    "dnn.reduce_log_sum": (0.2, 3.0),
    "dnn.sqrt": (0.2, 3.0),
}
"""Between which numbers an op has a derivative, where not between -2 and 2."""
OF_FIRST_RESULT = {"dnn.batch_norm", "dnn.layer_norm"}
"""Ops that have a gradient of their first result alone: the others are statistics."""


@irdl_op_definition
class PickScaledOp(DnnOp):
    """Elements of x by number, and the same doubled: an integer operand, and two results."""

    name = "dnn.pick_scaled"
    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    picked = result_def(TensorType)
    doubled = result_def(TensorType)
    FACTORS: ClassVar = (1, 2)

    def storage(self) -> Contract:
        return Contract(backward=Backward())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return operands[0], operands[0]

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return tuple(factor * operands[0] for factor in self.FACTORS)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        picked, doubled = results
        if doubled is None:
            return picked, None
        scaled = builder.scaled(doubled, 2)
        return scaled if picked is None else builder.emit("add", picked, scaled), None


def gradients(op: DnnOp, operands: Sequence[Array], results: Sequence[Array | None]) -> list[Array | None]:
    """The gradients of operands that the ops of `op.gradient` compute by their references.

    An op whose gradient reads a value of `op` that `backward` does not name finds no array for it.
    """
    block = op.parent_block()
    assert block is not None
    backward = op.storage().backward
    assert backward is not None
    forward = op.reference(*operands)
    known: dict[SSAValue, Array] = {op.operands[k]: operands[k] for k in backward.operands}
    known |= {op.results[k]: forward[k] for k in backward.results}
    given: list[SSAValue | None] = []
    for result, array in zip(op.results, results, strict=True):
        if array is None:
            given.append(None)
        else:
            given.append(block.insert_arg(result.type, len(block.args)))
            known[given[-1]] = array  # pyright: ignore
    made = op.gradient(given, GradientBuilder(Builder(InsertPoint.at_end(block)), op))
    ops: list[Operation] = list(block.ops)
    for other in ops[ops.index(op) + 1 :]:
        assert isinstance(other, DnnOp)
        other.verify()
        places = other.storage().metadata_only
        reads = [v for k, v in enumerate(other.operands) if k not in places]
        assert all(v in known for v in reads), f"{other.name} reads what `backward` does not name"
        arrays = [known[v] if v in known else np.zeros(typed(v.type).shape) for v in other.operands]  # pyright: ignore
        known |= zip(other.results, other.reference(*arrays), strict=True)
    assert len(made) == len(op.operands)
    for operand, value in zip(op.operands, made, strict=True):
        assert value is None or value.type == operand.type
    return [None if value is None else known[value] for value in made]


def numeric(op: DnnOp, operands: Sequence[Array], weights: Sequence[Array | None], number: int) -> Array:
    """Central differences of the sum of the results, weighted, for operand `number`."""

    def loss(x: Array) -> float:
        changed = [x if k == number else a for k, a in enumerate(operands)]
        results = op.reference(*changed)
        return float(sum(np.sum(r * w) for r, w in zip(results, weights, strict=True) if w is not None))

    found = np.zeros_like(operands[number])
    for at in np.ndindex(found.shape):
        step = np.zeros_like(operands[number])
        step[at] = STEP
        found[at] = (loss(operands[number] + step) - loss(operands[number] - step)) / (2 * STEP)
    return found


def on(cls: type[DnnOp], *types: TensorType[f32]) -> DnnOp:  # pyright: ignore
    block = Block(arg_types=types)
    op = cls.create(operands=block.args, result_types=[types[0]] * len(cls.get_irdl_definition().results))
    block.add_op(op)
    return op


def test_relu() -> None:
    op = on(ReluOp, TensorType(f32, [3, 4]))
    rng = np.random.default_rng(0)
    x, dy = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    (dx,) = gradients(op, [x], [dy])
    assert dx is not None
    np.testing.assert_allclose(dx, numeric(op, [x], [dy], 0), atol=1e-8)


@pytest.mark.parametrize("present", [(True, True), (True, False), (False, True)])
def test_results_without_a_gradient_and_operands_that_have_none(present: tuple[bool, bool]) -> None:
    op = on(PickScaledOp, TensorType(f32, [2, 3]), TensorType(i64, [2, 3]))
    rng = np.random.default_rng(1)
    x, indices = rng.normal(size=(2, 3)), np.zeros((2, 3), np.int64)
    weights = [rng.normal(size=(2, 3)) if there else None for there in present]
    dx, none = gradients(op, [x, indices], weights)
    assert none is None
    assert dx is not None
    np.testing.assert_allclose(dx, numeric(op, [x, indices], weights, 0), atol=1e-6)


def test_integers_have_no_gradient() -> None:
    op = on(ReluOp, TensorType(i64, [3]))
    assert gradients(op, [np.array([1, -1, 0])], [np.array([1, 1, 1])]) == [None]


def line_in_f64(line: str) -> DnnOp:
    """The op of a line whose floating-point operands and results have 64 bits: central differences need these."""
    built = build(retyped(line, "f64"))
    block = Block(arg_types=[operand.type for operand in built.operands])
    types = [result.type for result in built.results]
    op = type(built).create(operands=block.args, result_types=types, attributes=built.attributes)
    op = op.training_form() or op
    block.add_op(op)
    return op


def points(op: DnnOp, seed: int) -> list[Array]:
    """Operands at which the op has a derivative, wherever these lie: elements are apart and away from kinks."""
    rng = np.random.default_rng(seed)
    arrays = operands_for(op, seed)
    for index, array in enumerate(arrays):
        if array.dtype.kind == "f":
            low, high = INSIDE.get(op.name, (-2.0, 2.0))
            ranks = rng.permutation(array.size).reshape(array.shape)  # no two elements are equal
            arrays[index] = low + (high - low) * (ranks + rng.uniform(0.3, 0.7)) / max(array.size, 1)
    return arrays


@pytest.mark.parametrize("line", LINES_WITH_GRADIENT)
def test_gradient_is_the_derivative(line: str) -> None:
    op = line_in_f64(line)
    rng = np.random.default_rng(2)
    operands = points(op, 3)
    types = [op.result_type(k) for k in range(len(op.results))]
    weights = [rng.normal(size=type_.shape) if is_float(type_.dtype) else None for type_ in types]  # pyright: ignore
    if op.name in OF_FIRST_RESULT:
        weights[1:] = [None] * len(weights[1:])
    for number, gradient in enumerate(gradients(op, operands, weights)):
        if not is_float(op.operand_type(number).dtype):
            assert gradient is None
            continue
        right = numeric(op, operands, weights, number)
        np.testing.assert_allclose(0 * right if gradient is None else gradient, right, rtol=1e-4, atol=1e-6)


def test_every_op_with_a_gradient_has_lines() -> None:
    assert {named(line) for line in LINES_WITH_GRADIENT} == {cls.name[4:] for cls in IN_F64}
    assert {cls.name[4:] for cls in WITH_GRADIENT} >= F32_ALONE


@pytest.mark.parametrize("cls", [c for c in OPERATIONS.values() if c not in WITH_GRADIENT], ids=lambda cls: cls.name)
def test_an_op_without_a_gradient_says_so(cls: type[DnnOp]) -> None:
    op = example_of(cls)
    with pytest.raises(LastuseError, match=f"{cls.name} has no gradient"):
        op.gradient(op.results, GradientBuilder(Builder(InsertPoint.before(op)), op))
