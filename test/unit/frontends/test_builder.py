"""The function builder of front ends: arguments, inferred types, stated types, constants, names, locations."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue

import lastuse
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location, location_of
from lastuse.dialect.ir.tensor_types import TensorInfo, symbol
from lastuse.dialect.storage import attrs
from lastuse.frontends.builder import SHARED_BYTES, FunctionBuilder


@pytest.fixture
def builder() -> FunctionBuilder:
    return FunctionBuilder("model.x")


def finished(builder: FunctionBuilder, *results: SSAValue) -> ModuleOp:
    module = builder.finish(results, [f"r{k}" for k in range(len(results))])
    module.verify()
    return module


def test_a_function_that_runs(builder: FunctionBuilder) -> None:
    x = builder.argument("x", [-1, 3], "f32")
    w = builder.constant(np.arange(6, dtype=np.float32).reshape(3, 2), "w")
    one = builder.splat(1.0, TensorInfo((2,), "f32"), "one")
    product = builder.emit("matmul", [x, w], name="x/product")
    module = finished(builder, builder.emit("add", [product, one], name="sum"))
    assert builder.shape(product) == (symbol("x"), 2)
    given = np.ones((4, 3), np.float32)
    (result,) = lastuse.compile(module).run({"x": given}).values()
    np.testing.assert_array_equal(result, given @ np.arange(6, dtype=np.float32).reshape(3, 2) + 1)


def test_names_are_those_of_the_source(builder: FunctionBuilder) -> None:
    x = builder.argument("layer 0/x", [2], "f32")
    builder.location = Location("model.x", 7, 1, "y")
    module = finished(builder, builder.emit("exp", [x], name="y:0"))
    (func,) = (op for op in module.walk() if isinstance(op, FuncOp))
    assert x.name_hint == "layer_0_x"
    assert attrs.argument_attributes(func.args[0])[attrs.NAME].data == "layer 0/x"  # pyright: ignore
    assert attrs.result_attributes(func, 0)[attrs.NAME].data == "r0"  # pyright: ignore
    (exp,) = (op for op in module.walk() if op.name == "dnn.exp")
    assert [name.data for name in exp.attributes[attrs.NAMES].data] == ["y:0"]  # pyright: ignore
    assert location_of(exp) == Location("model.x", 7, 1, "y")
    assert location_of(func) == location_of(module) == Location("model.x")


def test_unknown_sizes_are_symbols(builder: FunctionBuilder) -> None:
    rows = builder.argument("rows", [-1, 4], "f32")
    image = builder.argument("image", [-1, 3, -1], "f32")
    assert builder.shape(rows) == (symbol("rows"), 4)
    assert builder.shape(image) == (symbol("image.0"), 3, symbol("image.2"))


def test_stated_sizes_fill_in_what_the_op_does_not_infer(builder: FunctionBuilder) -> None:
    x = builder.argument("x", [-1, 4], "f32")
    flat = builder.reshape(x, [symbol("x") * 4], "flat")
    assert builder.shape(flat) == (symbol("x") * 4,)
    assert [str(op.results[0].type) for op in finished(builder, flat).walk() if op.name == "dnn.reshape"] == [
        "tensor<?xf32>"
    ]


def test_a_reshape_between_unknown_sizes_has_to_keep_all_but_one(builder: FunctionBuilder) -> None:
    x = builder.argument("x", [-1, -1, 2], "f32")
    rows, columns = builder.shape(x)[:2]
    builder.reshape(x, [rows, columns * 2], "kept")
    with pytest.raises(ValueError, match="several unknown sizes"):
        builder.reshape(x, [columns, rows * 2], "turned")


def test_an_op_with_several_results(builder: FunctionBuilder) -> None:
    x = builder.argument("x", [2, 5], "f32")
    values, indices = builder.emit_all("top_k", [x], {"k": IntegerAttr(3, i64)}, names=["values", "indices"])
    assert (builder.sizes[values], builder.sizes[indices]) == (TensorInfo((2, 3), "f32"), TensorInfo((2, 3), "i64"))
    finished(builder, values, indices)


def test_operands_that_do_not_fit_leave_no_op(builder: FunctionBuilder) -> None:
    a, b = builder.argument("a", [2, 3], "f32"), builder.argument("b", [4, 5], "f32")
    with pytest.raises(ValueError, match="3"):
        builder.emit("matmul", [a, b], name="product")
    assert not list(a.uses) and not list(b.uses)
    assert "dnn.matmul" not in str(finished(builder, a))


def test_arrays_of_constants_stand_beside_the_module(builder: FunctionBuilder) -> None:
    array = np.arange(3, dtype=np.float32)
    module = finished(builder, builder.constant(array, "weights"))
    assert [value is array or (value == array).all() for value in resources.of(module).values()] == [True]


def test_equal_small_integers_are_one_constant(builder: FunctionBuilder) -> None:
    """Not floats, which may be parameters that are trained apart, and not what another block has."""
    zero, one = np.zeros((), np.uint8), np.ones((), np.uint8)
    first = builder.constant(zero, "x_zero_point")
    assert builder.constant(zero.copy(), "y_zero_point") is first
    assert builder.constant(one, "one") is not first
    assert builder.constant(zero.astype(np.int8), "of_another_type") is not first
    assert builder.constant(zero.reshape(1), "of_another_shape") is not first
    large = np.zeros(SHARED_BYTES + 1, np.uint8)
    assert builder.constant(large, "large") is not builder.constant(large, "as_large")
    bias = np.zeros(4, np.float32)
    assert builder.constant(bias, "bias") is not builder.constant(bias, "other_bias")
    with builder.appending_to(Block()):
        assert builder.constant(zero, "inner") is not first


def test_failures_name_the_location(builder: FunctionBuilder) -> None:
    builder.location = Location("model.x", 3)
    with pytest.raises(LastuseError, match="no such op") as error:
        builder.fail("no such op")
    assert error.value.location == Location("model.x", 3)
