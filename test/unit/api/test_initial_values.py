"""Arguments that start from a value of the model: the program holds them."""

from __future__ import annotations

import numpy as np
import pytest

import lastuse
from lastuse.compiler.training_program import TrainingProgram

COUNTER = """func.func @main(%x: tensor<2xf32>, %total: tensor<2xf32> {dnn.initial = dense<[1.0, 2.0]> : tensor<2xf32>})
    -> (tensor<2xf32> {dnn.name = "total", dnn.tied = 1 : i32}, tensor<2xf32> {dnn.name = "twice"}) {
  %next = "dnn.add"(%total, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %twice = "dnn.add"(%next, %next) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %next, %twice : tensor<2xf32>, tensor<2xf32>
}"""


def compiled(text: str = COUNTER) -> TrainingProgram:
    program = lastuse.compile(text.encode())
    assert isinstance(program, TrainingProgram)
    return program


def test_a_state_starts_from_its_value_and_is_updated_by_each_run() -> None:
    program, other = compiled(), compiled()
    assert list(program.inputs) == ["x"]
    held = program.parameters["total"]
    for number in (1, 2, 3):
        results = program.run({"x": np.array([1, 10], np.float32)})
        assert list(results) == ["twice"]
        np.testing.assert_array_equal(held, [1 + number, 2 + 10 * number])
        np.testing.assert_array_equal(results["twice"], 2 * held)
    np.testing.assert_array_equal(other.parameters["total"], [1, 2])


def test_the_callers_array_is_used_if_it_is_given() -> None:
    program, mine = compiled(), np.zeros(2, np.float32)
    program.run({"x": np.ones(2, np.float32), "total": mine})
    np.testing.assert_array_equal(mine, [1, 1])
    np.testing.assert_array_equal(program.parameters["total"], [1, 2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("tensor<2xf32>})", "tensor<3xf32>})"), "dnn.initial"),
        (("dense<[1.0, 2.0]> : tensor<2xf32>}", "1 : i32}"), "dnn.initial of argument 1 is no constant"),
        (
            ('dnn.name = "twice"', "dnn.initial = dense<0.0> : tensor<2xf32>"),
            "dnn.initial of result 1 is not for results",
        ),
    ],
)
def test_a_wrong_value_is_one_error(change: tuple[str, str], message: str) -> None:
    text = COUNTER.replace("[1.0, 2.0]", "0.0") if "3xf32" in change[1] else COUNTER
    assert change[0] in text
    with pytest.raises(lastuse.LastuseError, match=message):
        compiled(text.replace(*change))
