"""Ops on operands whose axes have another order: the results are those of the op, in that order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from op_cases import build, operands_for

from lastuse.dialect.dnn import OPERATIONS

Array = np.ndarray
LAST = (0, 2, 3, 1)

OPS = [
    "relu(2x3x4x5xf32) -> 2x3x4x5xf32",
    "add(2x3x4x5xf32, 2x3x1x1xf32) -> 2x3x4x5xf32",
    "split(2x3x4x5xf32) {axis = -3 : i64, split = array<i64: 1, 2>} -> 2x1x4x5xf32, 2x2x4x5xf32",
    "slice(2x3x4x5xf32) {dim = 1 : i64, start = 1 : i64} -> 2x2x4x5xf32",
    "slice(2x3x4x5xf32) {starts = array<i64: 0, 1>, ends = array<i64: 1, 3>} -> 1x2x4x5xf32",
    "slice(2x3x4x5xf32) {starts = array<i64: 3, 1>, ends = array<i64: 0, 3>, axes = array<i64: -1, 1>, "
    "steps = array<i64: -1, 1>} -> 2x2x4x3xf32",
    "pad(2x3x4x5xf32) {pads = array<i64: 0, 1, 2, 3, 0, 0, 1, -1>} -> 2x4x7x7xf32",
    'pad(2x3x4x5xf32) {pads = array<i64: 2, 1>, axes = array<i64: 1>, mode = "edge"} -> 2x6x4x5xf32',
    "reduce_mean(2x3x4x5xf32) {axes = array<i64: 2, -1>, keepdims = true} -> 2x3x1x1xf32",
    "reduce_max(2x3x4x5xf32) {axes = array<i64: 2, 3>} -> 2x3xf32",
    "reduce_sum(2x3x4x5xf32) -> f32",
    "batch_norm(2x3x4x5xf32, 3xf32, 3xf32, 3xf32, 3xf32) -> 2x3x4x5xf32",
]


def results_of(
    kind: str, arrays: Sequence[Array], attributes: dict[str, object], shapes: Sequence[Sequence[int]]
) -> Sequence[Array]:
    """What the reference of an op computes whose results have these shapes."""
    types = [f"{''.join(f'{size}x' for size in shape)}f32" for shape in shapes]
    given = ", ".join("".join(f"{size}x" for size in array.shape) + "f32" for array in arrays)
    shown = ", ".join(f"{name} = {value}" for name, value in attributes.items())
    return build(f"{kind}({given}) {{{shown}}} -> {', '.join(types)}").reference(*arrays)


@pytest.mark.parametrize("line", OPS)
def test_transposed_form_computes_the_transposed_results(line: str) -> None:
    op = build(line)
    arrays = operands_for(op)
    infos = [op.operand_type(k) for k in range(len(arrays))]
    attributes = {name: value for name, value in op.attributes.items() if "." not in name}
    form = OPERATIONS[op.name].transposed_form(attributes, infos, LAST)
    assert form is not None
    wants = [want.transpose(LAST) if form.results_too else want for want in op.reference(*arrays)]
    moved = [array.transpose(LAST) if k in form.operands else array for k, array in enumerate(arrays)]
    shapes = [want.shape for want in wants]
    results = results_of(op.name[4:], moved, dict(form.attributes), shapes)
    for got, want in zip(results, wants, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "line",
    [
        "reduce_max(2x3x4x5xf32) {axes = array<i64: 3>} -> 2x3x4xf32",
        "batch_norm(2x3x5x4xf32, 3xf32, 3xf32, 3xf32, 3xf32) {training_mode = true} -> 2x3x5x4xf32, 3xf32, 3xf32",
        "batch_norm(2x5x4x3xf32, 3xf32, 3xf32, 3xf32, 3xf32) {channels_last = true} -> 2x5x4x3xf32",
    ],
)
def test_ops_without_a_transposed_form_say_so(line: str) -> None:
    op = build(line)
    infos = [op.operand_type(k) for k in range(len(op.operands))]
    assert OPERATIONS[op.name].transposed_form(op.attributes, infos, LAST) is None
