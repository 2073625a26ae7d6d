"""`dnn.onnx_op`: its attributes, and what its meaning by `onnx.reference` cannot compute."""

from __future__ import annotations

import json

import numpy as np
import pytest

import lastuse

DEFORMED = 'op = "DeformConv", version = 19 : i64'


def run(attrs: str, op: str, operands: str, result: str, *arrays: np.ndarray) -> np.ndarray:
    """The result of one op in a function of its own."""
    types = [text for text in operands.split(", ") if text]
    arguments = ", ".join(f"%{number}: {type_}" for number, type_ in enumerate(types))
    names = ", ".join(f"%{number}" for number in range(len(types)))
    text = f"""func.func @main({arguments}) -> {result} {{
      %y = "dnn.onnx_op"({names}) {{attrs = {attrs}, {op}}} : ({operands}) -> {result}
      func.return %y : {result}
    }}"""
    return np.asarray(lastuse.compile(text.encode(), threads=1)(*arrays))


@pytest.mark.parametrize(("elements", "shape"), [("2.5", ()), ("2.5", (1,)), ("2.5", (2, 3)), ("[2.5, 7.0]", (2,))])
def test_tensor_attribute_keeps_its_rank(elements: str, shape: tuple[int, ...]) -> None:
    kind = f"tensor<{''.join(f'{size}x' for size in shape)}f32>"
    y = run(f"{{value = dense<{elements}> : {kind}}}", 'op = "Constant", version = 13 : i64', "", kind)
    assert y.shape == shape
    np.testing.assert_array_equal(y, np.broadcast_to(np.array(json.loads(elements), np.float32), shape))


def test_operands_that_the_reference_cannot_compute_are_one_error() -> None:
    """Three channels cannot be cut into two groups, which shape inference does not look at."""
    arrays = [np.ones(shape, np.float32) for shape in ((1, 3, 3, 3), (1, 3, 2, 2), (1, 16, 2, 2))]
    operands = "tensor<1x3x3x3xf32>, tensor<1x3x2x2xf32>, tensor<1x16x2x2xf32>"
    with pytest.raises(lastuse.LastuseError, match=r"onnx.reference cannot compute DeformConv: .*offset_group"):
        run(
            "{offset_group = 2 : i64}",
            'op = "DeformConv", version = 19 : i64',
            operands,
            "tensor<1x1x2x2xf32>",
            *arrays,
        )
