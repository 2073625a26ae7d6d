"""Paddle programs as they are trained, written by hand: what a step computes, wrong programs, mutated files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paddle_run import evaluate, main_function, normal
from paddle_writer import Model
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr

from lastuse.dialect.ir.diagnostics import LastuseError, NeedsValuesError
from lastuse.dialect.storage import attrs
from lastuse.frontends.bindings import Bindings
from lastuse.frontends.paddle import read

LOSS, BACKWARD = 256, 1


def regression(rows: int = 4, **changes: Any) -> Model:
    """Rows times weights, softmax, cross entropy, mean; the gradient by the weights; sgd with a learning rate of 0.5.

    Args:
        changes: of an op, by its type: None leaves it out, a mapping has other slots or attributes.
    """
    model = Model()
    model.variable("x", "float32", [rows, 3])
    model.variable("y", "int64", [rows, 1])
    model.parameter("w", normal(3, 5))
    model.parameter("rate", np.array(0.5, np.float32))
    label, grad = {"Label": ["y"]}, "z@GRAD"

    def op(kind: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], **attributes: Any) -> None:
        change = changes.get(kind, {})
        if change is not None:
            inputs |= change.get("inputs", {})
            outputs |= change.get("outputs", {})
            model.op(kind, inputs, outputs, **attributes, **change.get("attrs", {}))

    op("mul", {"X": ["x"], "Y": ["w"]}, {"Out": ["z"]})
    op("softmax_with_cross_entropy", {"Logits": ["z"], **label}, {"Softmax": ["p"], "Loss": ["losses"]})
    op("reduce_mean", {"X": ["losses"]}, {"Out": ["loss"]}, reduce_all=True, op_role=LOSS)
    op("fill_constant", {}, {"Out": ["loss@GRAD"]}, value=1.0, shape=[], op_role=LOSS | BACKWARD)
    op("reduce_mean_grad", {"X": ["losses"], "Out@GRAD": ["loss@GRAD"]}, {"X@GRAD": ["d"]}, reduce_all=True)
    op("softmax_with_cross_entropy_grad", {"Softmax": ["p"], **label, "Loss@GRAD": ["d"]}, {"Logits@GRAD": [grad]})
    op("mul_grad", {"X": ["x"], "Y": ["w"], "Out@GRAD": [grad]}, {"Y@GRAD": ["w@GRAD"]})
    op("sgd", {"Param": ["w"], "Grad": ["w@GRAD"], "LearningRate": ["rate"]}, {"ParamOut": ["w"]})
    return model


def test_a_step_is_that_of_the_formula(tmp_path: Path) -> None:
    model, x, y = regression(), normal(4, 3), np.array([[0], [4], [-100], [2]])
    module = read(Context(), model.write(tmp_path))
    module.verify()
    func = main_function(module)
    assert [attrs.source_name(a) for a in func.args] == ["x", "y", "w", "rate"]
    assert [attrs.INITIAL in attrs.argument_attributes(a) for a in func.args] == [False, False, True, True]
    tied = [attrs.result_attributes(func, k).get(attrs.TIED) for k in range(2)]
    assert isinstance(tied[1], IntegerAttr)
    assert (tied[0], tied[1].value.data) == (None, 2)
    w = model.parameters["w"]
    got = evaluate(module, {"x": x, "y": y, "w": w, "rate": model.parameters["rate"]})
    parts = np.exp(x.astype(float) @ w)
    parts /= parts.sum(1, keepdims=True)
    counts = y.reshape(-1) != -100
    rows = np.arange(4)[counts]
    np.testing.assert_allclose(got["loss"], -np.log(parts[rows, y[rows, 0]]).sum() / 4, rtol=1e-5)
    parts[rows, y[rows, 0]] -= 1
    np.testing.assert_allclose(got["w"], w - 0.5 * x[rows].T @ parts[rows] / 4, rtol=1e-5, atol=1e-6)


def test_no_op_is_made_that_nothing_reads(tmp_path: Path) -> None:
    """The forward ops that a gradient was told from, and the gradient of x, which nothing asked for, are gone."""
    func = main_function(read(Context(), regression().write(tmp_path)))
    assert all(r.first_use is not None for op in func.body.block.ops for r in op.results)
    assert sum(op.name in ("dnn.matmul", "dnn.gemm") for op in func.body.block.ops) == 2


def refused(folder: Path, model: Model) -> str:
    begin = time.process_time()
    with pytest.raises(LastuseError) as caught:
        read(Context(), model.write(folder))
    assert time.process_time() - begin < 2
    assert caught.value.location is not None
    assert str(folder) in caught.value.location.file
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mul_grad": {"inputs": {"Out@GRAD": []}}}, ":7:1: error: mul_grad (output 'w@GRAD'): the input Out@GRAD is"),
        ({"mul_grad": {"inputs": {"Y": []}}}, ":7:1: error: mul_grad (output 'w@GRAD'): the input Y has 0 variables"),
        ({"mul_grad": {"inputs": {"X": ["ghost"]}}}, ":7:1: error: 'ghost' is read, but nothing before computes it"),
        ({"mul_grad": {"inputs": {"X": ["w"]}}}, ":7:1: error: mul_grad"),
        ({"reduce_mean_grad": {"inputs": {"Out@GRAD": ["z"]}}}, "has the shape of another value than Out"),
        ({"softmax_with_cross_entropy_grad": {"inputs": {"Label": ["x"]}}}, "labels must have size 1 on axis 1 of 2"),
        ({"softmax_with_cross_entropy": None}, "'losses' is read, but nothing before computes it"),
        ({"sgd": {"inputs": {"LearningRate": []}}}, ":8:1: error: sgd (output 'w'): the input LearningRate is missing"),
        ({"sgd": {"inputs": {"Grad": ["x"]}}}, ":8:1: error: sgd (output 'w'): "),
        ({"fill_constant": {"attrs": {"str_value": "much"}}}, "str_value is 'much', a number is expected"),
    ],
)
def test_wrong_steps_are_errors(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    assert message in refused(tmp_path, regression(**changes))


def test_gradients_of_unknown_sizes_say_what_they_need(tmp_path: Path) -> None:
    folder = regression(rows=-1).write(tmp_path)
    with pytest.raises(NeedsValuesError, match=r"it needs the sizes x, y \(--shape\)") as caught:
        read(Context(), folder)
    assert caught.value.sizes == ("x", "y")
    for bindings in (Bindings(shapes={"x": (4, 3), "y": (4, 1)}), Bindings(sizes={"x": 4, "y": 4})):
        module = read(Context(), folder, bindings)
        module.verify()
        assert [str(a.type) for a in main_function(module).args[:2]] == ["tensor<4x3xf32>", "tensor<4x1xi64>"]


def test_pickles_are_not_read(tmp_path: Path) -> None:
    model = regression()
    (tmp_path / "net.pdmodel").write_bytes(model.program())
    (tmp_path / "net.pdparams").write_bytes(b"\x80\x04pickle")
    with pytest.raises(LastuseError, match="parameters in a pickle are not read: save them with save_vars") as caught:
        read(Context(), tmp_path)
    assert caught.value.location is not None
    assert caught.value.location.file == str(tmp_path / "net.pdparams")


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_flipped_bits_and_cut_files_never_crash(tmp_path: Path, data: st.DataObject) -> None:
    regression().write(tmp_path)
    file = tmp_path / data.draw(st.sampled_from(["__model__", "__model__", "w", "rate"]))
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    file.write_bytes(content)
    begin = time.process_time()
    try:
        read(Context(), tmp_path).verify()
    except LastuseError as error:
        assert error.location is not None
    assert time.process_time() - begin < 2
