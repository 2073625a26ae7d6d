"""oneDNN computes the reference; where an op allows strides, both engines give the same bits."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from op_cases import build, module, operands_for
from op_lines import accepted, example_line, large_line

import lastuse
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.onednn.primitives.gru import GruPrimitive
from lastuse.dialect.onednn.primitives.recurrent import RecurrentPrimitive
from lastuse.dialect.storage.contract import ALL_ENGINES, contract_of
from lastuse.testing import same_bits

SHAPE = "37x41xf32"
GIVEN = [
    f'gelu({SHAPE}) {{approximate = "none"}} -> {SHAPE}',
    f"scale({SHAPE}) {{bias = 3.0 : f32, bias_after_scale = false, scale = 0.3 : f32}} -> {SHAPE}",
    f"sum({SHAPE}) -> {SHAPE}",
    f"sum({SHAPE}, {SHAPE}) -> {SHAPE}",
    f"sum({SHAPE}, {SHAPE}, {SHAPE}, {SHAPE}) -> {SHAPE}",
    *(f"{name}({SHAPE}) {{axis = 0 : i64}} -> {SHAPE}" for name in ("softmax", "log_softmax")),
    f"layer_norm({SHAPE}, 41xf32, 41xf32) -> {SHAPE}, 37x1xf32, 37x1xf32",
    "batch_norm(5x6x7x3xf32, 6xf32, 6xf32, 6xf32, 6xf32) {epsilon = 1.0e-3 : f32} -> 5x6x7x3xf32",
    "batch_norm(5x7x3x6xf32, 6xf32, 6xf32, 6xf32, 6xf32) {channels_last = true} -> 5x7x3x6xf32",
    "matmul(41xf32, 41x13xf32) -> 13xf32",
    "matmul(4x37x41xf32, 41xf32) -> 4x37xf32",
    "matmul(41xf32, 41xf32) -> f32",
    "matmul(41xf32, 3x41x5xf32) -> 3x5xf32",
    "matmul(4x1x5x6xf32, 3x6x7xf32) -> 4x3x5x7xf32",
    f"gemm({SHAPE}, 41x13xf32, 13xf32) {{alpha = 0.5 : f32, beta = 2.0 : f32}} -> 37x13xf32",
    "gemm(41x37xf32, 13x41xf32, 37x13xf32) {transA = 1 : i64, transB = 1 : i64} -> 37x13xf32",
    f"gemm({SHAPE}, 41x13xf32) -> 37x13xf32",
    "lrn(2x7x3x5x2xf32) {alpha = 0.5 : f32, bias = 2.0 : f32, size = 5 : i64} -> 2x7x3x5x2xf32",
    *(
        f"reduce_{name}({shape}"
        for name in ("sum", "mean", "prod")
        for shape in (
            "6x1x41xf32) {axes = array<i64: -1, 1>, keepdims = true} -> 6x1x1xf32",
            "37x41xf32) -> f32",
        )
    ),
]
"""Ops with other attributes and operands than their examples."""


def lines() -> Iterator[str]:
    """Lines of all ops for which oneDNN has a primitive. Recurrent ops, whose weights have to be constants, run in
    test/unit/gru."""
    for cls in OPERATIONS.values():
        if not isinstance(example_of(cls).primitive(), GruPrimitive | RecurrentPrimitive | None):
            made = [line for line in (large_line(cls, factor=13), example_line(cls)) if line is not None]
            same = re.sub(r"(\w+)\((\S+), \S+\)", r"\1(\2, \2)", made[0])
            yield from dict.fromkeys(line for line in map(accepted, [*made, same]) if line is not None)
    yield from GIVEN


LINES = list(lines())


def run(line: str, engine: str, operands: list[Array]) -> list[Array]:
    program = lastuse.compile(module([line], engine))
    results = program.run({f"x{k}": a for k, a in enumerate(operands)})
    assert set(filter(program.latest.engines.get, program.latest.engines)) == {engine}
    return [results[name] for name in sorted(results)]


@pytest.mark.parametrize("line", LINES)
def test_onednn_computes_the_reference(line: str) -> None:
    op = build(line)
    operands = operands_for(op)
    got, wanted = run(line, "onednn", operands), op.reference(*operands)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4 * max(1.0, float(np.abs(b).max())))


@pytest.mark.parametrize("line", LINES)
def test_both_engines_give_the_same_bits_where_strides_are_allowed(line: str) -> None:
    op = build(line)
    contract = contract_of(op)
    assert contract.engines >= ALL_ENGINES
    if not contract.strided:
        return
    rng = np.random.default_rng(1)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-42, -1e-42, 3.4e38, 1.0, -1.0], np.float32)
    operands = [np.where(rng.random(a.shape) < 0.4, rng.choice(special, a.shape), a) for a in operands_for(op)]
    for a, b in zip(run(line, "onednn", operands), run(line, "cpu", operands), strict=True):
        # Which NaN comes out is the processor's choice.
        assert same_bits(np.where(np.isnan(a), np.float32(0), a), np.where(np.isnan(b), np.float32(0), b))
        assert np.array_equal(np.isnan(a), np.isnan(b))
