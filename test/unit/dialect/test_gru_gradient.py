"""Gradients of GRUs over ragged sequences against central differences, and the backward op's kernel in blocks."""

from __future__ import annotations

import numpy as np
import pytest
from native_kernels import native_kernel, scratch_of
from op_cases import build, empty, segments, without_first
from test_gradients import gradients, numeric
from xdsl.ir import Block

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.recurrent import gru_gradient_base
from lastuse.dialect.ir.tensor_types import typed
from lastuse.dialect.storage.contract import contract_of

OFFSETS = np.array([0, 3, 3, 4, 9], np.int64)
"""Of nine rows: the sequences have several lengths, and one is empty."""


def arrays_of(op: DnnOp, offsets: Array, seed: int = 0) -> list[Array]:
    rng = np.random.default_rng(seed)
    shapes = [typed(v.type).shape for v in op.operands]
    drawn = [0.5 * rng.normal(size=shape) for shape in shapes]  # pyright: ignore
    return [offsets if v is op.offsets_operand() else a for v, a in zip(op.operands, drawn, strict=True)]


def check(line: str) -> None:
    built = build(line)
    block = Block(arg_types=[operand.type for operand in built.operands])
    types = [result.type for result in built.results]
    op = type(built).create(operands=block.args, result_types=types, attributes=built.attributes)
    block.add_op(op)
    operands = arrays_of(op, OFFSETS)
    weights = [np.random.default_rng(1).normal(size=r.shape) for r in op.reference(*operands)]
    for number, gradient in enumerate(gradients(op, operands, weights)):
        assert (gradient is None) == (op.operands[number] is op.offsets_operand())
        if gradient is not None:
            want = numeric(op, operands, weights, number)
            np.testing.assert_allclose(gradient, want, rtol=1e-4, atol=1e-6, err_msg=f"operand {number}")


@pytest.mark.parametrize(
    "more",
    [
        "",
        "is_reverse = true, ",
        "origin_mode = true, ",
        "is_reverse = true, origin_mode = true, ",
        'activation = "sigmoid", gate_activation = "tanh", ',
        'activation = "identity", gate_activation = "sigmoid", ',
    ],
)
@pytest.mark.parametrize("weight_h", ["3x9xf64", "3x3x3xf64"])
def test_gradients_of_a_fused_gru(weight_h: str, more: str) -> None:
    sizes = segments(1, 1, 1, 1, 1, 1, more=more)
    check(f"fused_gru(9x4xf64, 4x9xf64, {weight_h}, 1x9xf64, 4x3xf64, 5xi64) {sizes} -> 9x3xf64")


def test_gradients_without_bias_and_initial_states() -> None:
    check(f"fused_gru(9x4xf64, 4x6xf64, 2x6xf64, 5xi64) {segments(1, 1, 1, 0, 0, 1)} -> 9x2xf64")
    check(f"gru(9x6xf64, 2x6xf64, 5xi64) {segments(1, 1, 0, 0, 1)} -> 9x2xf64")


@pytest.mark.parametrize("more", ["", ", reverse_first = true", ", origin_mode = true"])
def test_gradients_of_both_directions_side_by_side(more: str) -> None:
    cell = "4x6xf64, 2x6xf64, 1x6xf64"
    check(f'multi_gru(9x4xf64, {cell}, {cell}, 4x2xf64, 4x2xf64, 5xi64) {{mode = "concat"{more}}} -> 9x4xf64')


@pytest.mark.parametrize("mode", ["sum", "concat"])
@pytest.mark.parametrize("more", ["", ", reverse_first = true"])
def test_states_that_the_result_does_not_hold_are_computed_again(mode: str, more: str) -> None:
    width = 2 if mode == "sum" else 4
    cells = ", ".join(["4x6xf64, 2x6xf64, 1x6xf64"] * 2 + [f"{width}x6xf64, 2x2x3xf64, 1x6xf64"] * 2)
    cells = cells.replace("2x2x3", "2x3x2")
    check(f'multi_gru(9x4xf64, {cells}, 5xi64) {{mode = "{mode}", layers = 2 : i64{more}}} -> 9x{width}xf64')


@pytest.mark.parametrize(
    "line",
    [
        f"gru_grad(9x6xf64, 2x6xf64, 1x6xf64, 4x2xf64, 5xi64, 9x2xf64, 9x2xf64) {segments(1, 1, 1, 1, 1, 1, 1)} "
        "-> 9x6xf64, 2x6xf64, 1x6xf64, 4x2xf64",
        f"fused_gru_grad(9x2xf64, 2x6xf64, 2x6xf64, 5xi64, 9x2xf64, 9x2xf64) {segments(1, 1, 1, 0, 0, 1, 1, 1)} "
        "-> 9x2xf64, 2x6xf64, 2x6xf64, 1x6xf64",
    ],
)
@pytest.mark.parametrize("block_rows", [1, 4, 7])
def test_blocks_of_any_size_have_the_same_gradients(
    line: str, block_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sequence goes on in the block before; more sequences than a block has rows are groups of their own. Over any
    operand the bits are the same."""
    op = build(line)
    operands = arrays_of(op, OFFSETS)
    monkeypatch.setattr(gru_gradient_base, "BLOCK_ROWS", block_rows)
    want, got = op.reference(*operands), [np.full(typed(r.type).shape, np.nan) for r in op.results]  # pyright: ignore
    op.kernel(operands, got, np.full(contract_of(op).scratch, 255, np.uint8))
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)
    for over in contract_of(op).over:
        own, again = [a.copy() for a in operands], [np.full_like(a, np.nan) for a in got]
        again[over.result] = own[over.operand]
        op.kernel(own, again, np.full(contract_of(op).scratch, 255, np.uint8))
        assert [a.tobytes() for a in again] == [a.tobytes() for a in got]


def test_the_gradient_of_a_fused_gru_needs_no_gates_of_all_rows() -> None:
    """Neither its values nor its scratch grow by the gates of the rows: 3 * 16 numbers of each."""
    scratch = list[int]()
    for rows in (1_000, 100_000):
        sizes = segments(1, 1, 1, 0, 0, 1, 1, 1)
        line = (
            f"fused_gru_grad({rows}x16xf32, 16x48xf32, 16x48xf32, 5xi64, {rows}x16xf32, {rows}x16xf32) {sizes} "
            f"-> {rows}x16xf32, 16x48xf32, 16x48xf32, 1x48xf32"
        )
        op = build(line)
        scratch.append(contract_of(op).scratch)
        assert all(typed(value.type).shape != (rows, 48) for value in (*op.operands, *op.results))
    assert scratch[0] == scratch[1] > 0


@pytest.mark.parametrize(
    "line",
    [
        f"gru_grad(9x6xf32, 2x6xf32, 1x6xf32, 4x2xf32, 5xi64, 9x2xf32, 9x2xf32) {segments(1, 1, 1, 1, 1, 1, 1)} "
        "-> 9x6xf32, 2x6xf32, 1x6xf32, 4x2xf32",
        f"fused_gru_grad(9x5xf32, 5x6xf32, 2x6xf32, 4x2xf32, 5xi64, 9x2xf32, 9x2xf32) "
        f"{segments(1, 1, 1, 0, 1, 1, 1, 1)} -> 9x5xf32, 5x6xf32, 2x6xf32, 1x6xf32, 4x2xf32",
    ],
)
def test_other_gradients_have_the_same_bits_without_the_first_one(line: str) -> None:
    op = build(line)
    fewer = without_first(op)
    operands = [a if a.dtype == np.int64 else a.astype("f") for a in arrays_of(op, OFFSETS)]
    made = {each: [np.full_like(array, np.nan) for array in empty(each)] for each in (op, fewer)}
    for native in (False, True):
        for each, results in made.items():
            if native:
                native_kernel(each, 1)(operands, results, scratch_of(each, 1))
            else:
                each.kernel(operands, results, np.full(contract_of(each).scratch, 255, np.uint8))
        assert [a.tobytes() for a in made[fewer]] == [a.tobytes() for a in made[op][1:]]
    for got, want in zip(made[fewer], fewer.reference(*operands), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    assert not contract_of(fewer).over
