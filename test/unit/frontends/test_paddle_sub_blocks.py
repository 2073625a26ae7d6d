"""Paddle's `while`, `conditional_block` and `select_input`, in programs written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paddle_writer import Model
from xdsl.context import Context

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.paddle import read

X = np.array([1, -2, 3], np.float32)


def loop(**changes: Any) -> Model:
    """y is x, doubled n times; a branch inside, which leaves y as it is, adds 1 where x's sum is above 1.

    Args:
        changes: attributes of ops, by their types.
    """
    model = Model()
    model.feed("x", "float32", [3])
    model.feed("n", "int64", [1], col=1)
    model.op("fill_constant", {}, {"Out": ["i"]}, shape=[1], dtype=3, value=0.0)
    model.op("assign", {"X": ["x"]}, {"Out": ["y"]})
    model.op("less_than", {"X": ["i"], "Y": ["n"]}, {"Out": ["more"]})
    model.op("reduce_sum", {"X": ["x"]}, {"Out": ["total"]}, reduce_all=True)
    model.op("fill_constant", {}, {"Out": ["one"]}, shape=[], dtype=5, value=1.0)
    model.op("greater_than", {"X": ["total"], "Y": ["one"]}, {"Out": ["large"]})
    slots = {"Condition": ["more"], "X": ["y", "i", "n", "large"]}
    model.op("while", slots, {"Out": ["y", "i", "more"]}, **{"sub_block": 1, **changes.get("while", {})})
    model.fetch("y")
    model.fetch("i", 1)
    with model.block():
        model.op("scale", {"X": ["y"]}, {"Out": ["y"]}, scale=2.0, **changes.get("scale", {}))
        branch = {"sub_block": 2, "is_scalar_condition": True, **changes.get("conditional_block", {})}
        model.op("conditional_block", {"Cond": ["large"], "Input": ["y"]}, {"Out": ["y"]}, **branch)
        model.op("increment", {"X": ["i"]}, {"Out": ["i"]}, step=1.0)
        model.op("less_than", {"X": ["i"], "Y": ["n"]}, {"Out": ["more"]})
    with model.block():
        model.op("scale", {"X": ["y"]}, {"Out": ["y"]}, bias=1.0)
    return model


@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("offset", [0, 1])
def test_a_loop_writes_variables_outside(tmp_path: Path, count: int, offset: int) -> None:
    program = lastuse.compile(loop().write(tmp_path))
    y = x = X + np.float32(offset)
    for _ in range(count):
        y = y * 2 + (x.sum() > 1)
    got = program.run({"x": x, "n": np.array([count])})
    np.testing.assert_array_equal(got["y"], y)
    assert got["i"] == count


def choice(**changes: Any) -> Model:
    """y is 2x where the sum of x is above 0, else x + w."""
    model = Model()
    model.feed("x", "float32", [3])
    model.parameter("w", np.array([10, 20, 30], np.float32))
    model.op("reduce_sum", {"X": ["x"]}, {"Out": ["total"]}, reduce_all=True)
    model.op("fill_constant", {}, {"Out": ["zero"]}, shape=[], dtype=5, value=0.0)
    model.op("greater_than", {"X": ["total"], "Y": ["zero"]}, {"Out": ["yes"]})
    model.op("logical_not", {"X": ["yes"]}, {"Out": ["no"]})
    model.op("cast", {"X": ["yes"]}, {"Out": ["mask"]}, in_dtype=0, out_dtype=2)
    for name, number in (("yes", 1), ("no", 2)):
        outputs = {"Out": [f"y.{name}"], "Scope": ["scope"]}
        condition = {"Cond": [changes.get(name, name)], "Input": ["x"]}
        model.op("conditional_block", condition, outputs, sub_block=number, is_scalar_condition=True)
    model.op("select_input", {"X": changes.get("X", ["y.no", "y.yes"]), "Mask": ["mask"]}, {"Out": ["y"]})
    model.op("elementwise_mul", {"X": ["y"], "Y": ["w"]}, {"Out": ["z"]})
    model.fetch("z")
    with model.block():
        model.op("scale", {"X": ["x"]}, {"Out": ["y.yes"]}, scale=2.0)
    with model.block():
        model.op("elementwise_add", {"X": ["x"], "Y": ["w"]}, {"Out": ["y.no"]})
    return model


@pytest.mark.parametrize("sign", [1, -1])
def test_a_choice_between_two_blocks_is_one_branch(tmp_path: Path, sign: int) -> None:
    folder = choice().write(tmp_path)
    module = read(Context(), folder)
    module.verify()
    assert sum(op.name == "scf.if" for op in module.walk()) == 1
    x, w = sign * X, np.array([10, 20, 30], np.float32)
    np.testing.assert_array_equal(lastuse.compile(folder)(x), (2 * x if sign > 0 else x + w) * w)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (loop(**{"while": {"sub_block": 7}}), ":9:1: error: while (output 'y'): the attribute sub_block is 7"),
        (loop(**{"while": {"sub_block": 0}}), "the attribute sub_block is 0, the number of a block inside is expected"),
        (loop(conditional_block={"sub_block": 1}), ":13:1: error: conditional_block (output 'y'): the attribute sub_b"),
        (loop(conditional_block={"is_scalar_condition": False}), "a condition for each row is not supported"),
        (loop(scale={"bias": "much"}), ":12:1: error: scale (output 'y'): the attribute bias is 'much'"),
        (choice(X=["y.yes", "y.no"]), "its mask is not the condition of the second of its two blocks"),
        (choice(no="yes"), "its mask is not the condition of the second of its two blocks"),
        (choice(X=["y.no", "x"]), "it does not choose between the values of two blocks"),
        (choice(X=["y.no"]), "it does not choose between the values of two blocks"),
    ],
)
def test_wrong_blocks_are_errors(tmp_path: Path, model: Model, message: str) -> None:
    with pytest.raises(LastuseError) as caught:
        read(Context(), model.write(tmp_path))
    assert message in str(caught.value)


def test_the_gradient_of_a_loop_is_one_error(tmp_path: Path) -> None:
    model = loop()
    model.op("while_grad", {"X": ["y"], "Out@GRAD": ["y"]}, {"X@GRAD": ["x@GRAD"]}, sub_block=1)
    with pytest.raises(LastuseError, match=r":12:1: error: unsupported ops: while_grad \(x1, 'x@GRAD'\)$"):
        read(Context(), model.write(tmp_path))
