"""
Quantised ops of onnxruntime's own domain, as `onnxruntime.quantization` writes them and onnxruntime's schemas define
them.

Each is dequantize_linear, an op of ONNX's, and quantize_linear; `--quantized-ops-pass` makes ops on integers of them.
Steps are rounded where onnxruntime's kernels round them: scales that differ by a power of two make ties of half the
numbers, and each way to write the formula in f32 rounds these otherwise. So sums and products are made of integers,
which f32 holds exactly, times one quotient of scales.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np
from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.quantization import ONE
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.ir.tensor_types import element_type, numpy_dtype
from lastuse.frontends.onnx.attention_ops import ATTENTION_OPS
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.byte_products import (
    apply,
    constant,
    dynamic_product,
    finish,
    scaled_product,
    with_bias,
    with_channels,
)
from lastuse.frontends.onnx.declared_ops import REQUIRED, DeclaredOp, handler_of
from lastuse.frontends.onnx.dynamic_lstm import INPUTS, LSTM_ATTRIBUTES, dynamic_lstm
from lastuse.frontends.onnx.embedding_norms import EMBEDDING_NORMS
from lastuse.frontends.onnx.few_bits import FEW_BITS_OPS
from lastuse.frontends.onnx.fused_ops import FUSED_OPS
from lastuse.frontends.onnx.grouped_attention import GROUPED_OPS
from lastuse.frontends.onnx.image_ops import IMAGE_OPS
from lastuse.frontends.onnx.rotary import ROTARY_OPS

LARGEST_SUM = (1 << 24) // 255
"""So many bytes have a sum that f32 holds."""
COERCED_BEFORE = 13
"""Softmax of an older opset is that of all axes from `axis` on, as one."""
_WINDOW = {
    "auto_pad": "NOTSET",
    "ceil_mode": 0,
    "channels_last": 0,
    "count_include_pad": 0,
    "kernel_shape": REQUIRED,
    "pads": None,
    "strides": None,
}
_MAXIMUM = {
    "auto_pad": "NOTSET",
    "ceil_mode": 0,
    "dilations": None,
    "kernel_shape": REQUIRED,
    "pads": None,
    "storage_order": 0,
    "strides": None,
}
_CONVOLUTION = {
    "auto_pad": "NOTSET",
    "channels_last": 0,
    "dilations": None,
    "group": 1,
    "kernel_shape": None,
    "pads": None,
    "strides": None,
}


# What ops are made of


def _check_bytes(b: OnnxBuilder, value: SSAValue, what: str) -> None:
    if b.dtype(value) not in SMALL:
        raise ValueError(f"{what} has element type {b.dtype(value)}, not {' or '.join(SMALL)}")


def _check_parameter(b: OnnxBuilder, value: SSAValue | None, what: str) -> None:
    if value is not None and b.sizes[value].shape not in ONE:
        raise ValueError(f"{what} must be one number")


def _dequantized(b: OnnxBuilder, node: GraphNode, first: int) -> SSAValue:
    """The value whose integers, scale and zero point are inputs from `first` on; the last one may be left out."""
    x, scale, zero = node.input(first), node.input(first + 1), node.optional(first + 2)
    _check_bytes(b, x, f"input {first}")
    for number, parameter in ((first + 1, scale), (first + 2, zero)):
        _check_parameter(b, parameter, f"input {number}")
    return b.op("dequantize_linear", [x, scale, zero], node, step=f"input {first}")


def _quantized(b: OnnxBuilder, node: GraphNode, value: SSAValue, first: int, dtype: str) -> SSAValue:
    """The result of a node: a value in integers, whose scale and zero point are inputs from `first` on. Without a zero
    point they are of type `dtype`."""
    scale, zero = node.input(first), node.optional(first + 1)
    for number, parameter in ((first, scale), (first + 1, zero)):
        _check_parameter(b, parameter, f"input {number}")
    if zero is not None:
        _check_bytes(b, zero, f"input {first + 1}")
    stated = {} if zero is not None else {"output_dtype": element_type(dtype)}
    return b.op("quantize_linear", [value, scale, zero], node, stated)


def _unary(op_type: str, *, keeps: Sequence[str] = ()) -> Callable[[OnnxBuilder, GraphNode], SSAValue]:
    """An op of one quantised value, with the attributes `keeps`."""

    def lower(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        attributes = {name: node.attributes[name] for name in keeps}
        made = apply(b, node, op_type, _dequantized(b, node, 0), **attributes)
        return _quantized(b, node, made, 3, b.dtype(node.input(0)))

    return lower


# Ops of which the steps of the result are made, and rounded


def _number(b: OnnxBuilder, node: GraphNode, value: SSAValue) -> SSAValue:
    """A scale or zero point without axes, so that it adds none to what it is combined with."""
    if not b.rank(value):
        return value
    return apply(b, node, "Reshape", value, constant(b, node, np.zeros(0, np.int64), "no axes"), allowzero=0)


def _zero(b: OnnxBuilder, node: GraphNode, dtype: str, what: str) -> SSAValue:
    """The zero point 0 of an element type."""
    return constant(b, node, np.zeros((), numpy_dtype(dtype)), what)


def _integers(b: OnnxBuilder, node: GraphNode, first: int) -> SSAValue:
    """Quantised numbers less their zero point, inputs as of `_dequantized`, in f32."""
    x, scale, zero = node.input(first), node.input(first + 1), node.optional(first + 2)
    _check_bytes(b, x, f"input {first}")
    for number, parameter in ((first + 1, scale), (first + 2, zero)):
        _check_parameter(b, parameter, f"input {number}")
    one = constant(b, node, np.float32(1), f"step of input {first}")
    return b.op("dequantize_linear", [x, one, zero], node, step=f"input {first}")


def _rounded(
    b: OnnxBuilder, node: GraphNode, steps: SSAValue, first: int, dtype: str, *, shifted: bool = False
) -> SSAValue:
    """The result of a node: steps of its scale, rounded. The scale and the zero point are inputs from `first` on, which
    is added before steps are rounded if they are to be `shifted`."""
    zero = node.optional(first + 1) or _zero(b, node, dtype, "no zero")
    _check_parameter(b, node.input(first), f"input {first}")
    _check_parameter(b, zero, f"input {first + 1}")
    _check_bytes(b, zero, f"input {first + 1}")
    if shifted:
        shift = apply(b, node, "Cast", _number(b, node, zero), to=TensorProto.FLOAT)
        steps = apply(b, node, "Add", steps, shift)
        zero = _zero(b, node, b.dtype(zero), "no zero")
    return b.op("quantize_linear", [steps, constant(b, node, np.float32(1), "step"), zero], node)


def _add(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """A tie is one only if the scales are divided first: `in_steps`."""
    operands: list[SSAValue] = []
    for first in (0, 3):
        x, scale, zero = node.input(first), node.input(first + 1), node.optional(first + 2)
        _check_bytes(b, x, f"input {first}")
        operands += [x, scale, zero or _zero(b, node, b.dtype(x), str(first))]
    operands += [node.input(6), node.optional(7) or _zero(b, node, b.dtype(node.input(0)), "no zero")]
    for number in (1, 2, 4, 5, 6, 7):
        _check_parameter(b, operands[number], f"input {number}")
    return b.op("qlinear_add", operands, node, {"in_steps": True})


def _mul(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """(a - a_zero_point) * (b - b_zero_point), which f32 holds, times a_scale * b_scale / y_scale."""
    product = apply(b, node, "Mul", _integers(b, node, 0), _integers(b, node, 3))
    scales = [_number(b, node, node.input(number)) for number in (1, 4, 6)]
    factor = apply(b, node, "Div", apply(b, node, "Mul", *scales[:2]), scales[2])
    steps = apply(b, node, "Mul", product, factor)
    return _rounded(b, node, steps, 6, b.dtype(node.input(0)), shifted=True)


def _average_pool(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    attributes = {name: value for name, value in node.attributes.items() if name != "channels_last"}
    x, is_last = _dequantized(b, node, 0), node.attributes["channels_last"]
    x = with_channels(b, node, x, second=True) if is_last else x
    made = apply(b, node, "AveragePool", x, **attributes)
    made = with_channels(b, node, made, second=False) if is_last else made
    steps = apply(b, node, "Div", made, _number(b, node, node.input(3)))
    return _rounded(b, node, steps, 3, b.dtype(node.input(0)), shifted=True)


def _max_pool(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """A MaxPool of integers whose channels are last."""
    made = apply(b, node, "MaxPool", with_channels(b, node, node.input(0), second=True), **node.attributes)
    return with_channels(b, node, made, second=False)


def _global_average_pool(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """The sum of integers, which f32 holds, times x_scale / (y_scale * how many there are)."""
    x, rank = _integers(b, node, 0), b.rank(node.input(0))
    first = 1 if node.attributes["channels_last"] else 2
    axes = list(range(first, first + rank - 2))
    if not axes:
        raise ValueError(f"it takes 3 axes or more, not {rank}")
    sizes = [b.sizes[x].shape[axis] for axis in axes]
    count = prod(size for size in sizes if isinstance(size, int))
    known = all(isinstance(size, int) for size in sizes) and count < LARGEST_SUM
    listed = constant(b, node, np.asarray(axes, np.int64), "axes")
    kind = {"keepdims": 1, "noop_with_empty_axes": 0}
    made = apply(b, node, "ReduceSum" if known else "ReduceMean", x, listed, **kind)
    step = _number(b, node, node.input(3))
    if known:
        step = apply(b, node, "Mul", step, constant(b, node, np.float32(count), "count"))
    factor = apply(b, node, "Div", _number(b, node, node.input(1)), step)
    return _rounded(b, node, apply(b, node, "Mul", made, factor), 3, b.dtype(node.input(0)))


def _softmax(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """Steps are as many to 1 as fit in it: onnxruntime rounds 1 / y_scale down."""
    x, axis = _dequantized(b, node, 0), node.attributes["axis"]
    rank = b.rank(x)
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is outside of {rank} axes")
    if node.attributes["opset"] >= COERCED_BEFORE or axis % rank == rank - 1:
        made = apply(b, node, "Softmax", x, axis=axis)
    else:
        rows = apply(b, node, "Softmax", apply(b, node, "Flatten", x, axis=axis % rank), axis=-1)
        made = apply(b, node, "Reshape", rows, apply(b, node, "Shape", x, start=0), allowzero=1)
    one = constant(b, node, np.float32(1), "one")
    count = apply(b, node, "Floor", apply(b, node, "Div", one, _number(b, node, node.input(3))))
    return _rounded(b, node, apply(b, node, "Mul", made, count), 3, b.dtype(node.input(0)))


def _concat(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    if len(node.inputs) % 3 != 2:
        raise ValueError("behind the scale and the zero point come values, each with its scale and zero point")
    values = [_dequantized(b, node, first) for first in range(2, len(node.inputs), 3)]
    return _quantized(b, node, apply(b, node, "Concat", *values, axis=node.attributes["axis"]), 0, "ui8")


def _where(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    made = apply(b, node, "Where", node.input(0), _dequantized(b, node, 1), _dequantized(b, node, 4))
    return _quantized(b, node, made, 7, b.dtype(node.input(1)))


def _reduce_mean(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    axes = constant(b, node, np.asarray(node.attributes["axes"], np.int64), "axes")
    kind = {"keepdims": node.attributes["keepdims"], "noop_with_empty_axes": 0}
    made = apply(b, node, "ReduceMean", _dequantized(b, node, 0), axes, **kind)
    return _quantized(b, node, made, 3, b.dtype(node.input(0)))


def _gemm(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """alpha * (a @ b + c): c is i32, in steps of the sums. Without a scale the result is f32."""
    alpha, turned = node.attributes["alpha"], node.attributes["transB"]
    w, w_scale, w_zero, bias = node.input(3), node.input(4), node.input(5), node.optional(6)
    _check_bytes(b, w, "input 3")
    x = _dequantized(b, node, 0)
    weights = b.op("dequantize_linear", [w, w_scale, w_zero], node, {"axis": 0 if turned else 1}, step="input 3")
    operands = [x, weights]
    if bias is not None:
        if b.dtype(bias) != "i32":
            raise ValueError(f"input 6 has element type {b.dtype(bias)}, not i32")
        scale = apply(b, node, "Mul", node.input(1), w_scale)
        shape, last = b.sizes[w_scale].shape, b.rank(bias) - 1
        if shape not in ONE and last < 0:
            raise ValueError("input 6 has no axis for the scales of the columns")
        operands.append(b.op("dequantize_linear", [bias, scale], node, {"axis": max(last, 0)}, step="input 6"))
    attributes = {"alpha": alpha, "beta": alpha, "transA": node.attributes["transA"], "transB": turned}
    made = apply(b, node, "Gemm", *operands, **attributes)
    if node.optional(7) is None:
        return made
    return _quantized(b, node, made, 7, b.dtype(node.input(0)))


def _convolution(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """QLinearConv, whose channels may be last."""
    is_last = node.attributes["channels_last"]
    inputs = list(node.inputs)
    inputs[0] = with_channels(b, node, node.input(0), second=True) if is_last else node.input(0)
    attributes = {name: value for name, value in node.attributes.items() if name != "channels_last"}
    made = apply(b, node, "QLinearConv", *inputs, **attributes)
    return with_channels(b, node, made, second=False) if is_last else made


def _matmul_to_float(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    product = [node.input(0), node.input(1), node.optional(4), node.optional(5)]
    return with_bias(b, node, scaled_product(b, node, product, [node.input(2), node.input(3)]), node.optional(6))


def _dynamic_matmul(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    made = dynamic_product(b, node, node.input(0), node.input(1), node.input(2), node.optional(3))
    return with_bias(b, node, made, node.optional(4))


def _linear(op_type: str) -> Callable[[OnnxBuilder, GraphNode], SSAValue]:
    """ONNX's own op, which this domain has for types that older opsets of ONNX do not allow."""

    def lower(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        return finish(b, node, op_type, *node.inputs, **{**node.attributes, "block_size": 0})

    return lower


_ANY = 1 << 20
_OPS = {
    "DequantizeLinear": DeclaredOp(_linear("DequantizeLinear"), (2, 3), {"axis": 1}),
    "DynamicQuantizeLSTM": DeclaredOp(dynamic_lstm, (INPUTS, INPUTS), LSTM_ATTRIBUTES),
    "DynamicQuantizeMatMul": DeclaredOp(_dynamic_matmul, (3, 5), {}),
    "MatMulIntegerToFloat": DeclaredOp(_matmul_to_float, (4, 7), {}),
    "NhwcMaxPool": DeclaredOp(_max_pool, (1, 1), _MAXIMUM),
    "QGemm": DeclaredOp(_gemm, (6, 9), {"alpha": 1.0, "transA": 0, "transB": 0}),
    "QLinearAdd": DeclaredOp(_add, (7, 8), {}),
    "QLinearAveragePool": DeclaredOp(_average_pool, (4, 5), _WINDOW),
    "QLinearConcat": DeclaredOp(_concat, (5, _ANY), {"axis": REQUIRED}),
    "QLinearConv": DeclaredOp(_convolution, (8, 9), _CONVOLUTION),
    "QLinearGlobalAveragePool": DeclaredOp(_global_average_pool, (5, 5), {"channels_last": 0}),
    "QLinearLeakyRelu": DeclaredOp(_unary("LeakyRelu", keeps=["alpha"]), (4, 5), {"alpha": 0.01}),
    "QLinearMul": DeclaredOp(_mul, (7, 8), {}),
    "QLinearReduceMean": DeclaredOp(_reduce_mean, (4, 5), {"axes": REQUIRED, "keepdims": REQUIRED}),
    "QLinearSigmoid": DeclaredOp(_unary("Sigmoid"), (4, 5), {}),
    "QLinearSoftmax": DeclaredOp(_softmax, (5, 5), {"axis": -1, "opset": REQUIRED}),
    "QLinearWhere": DeclaredOp(_where, (9, 9), {}),
    "QuantizeLinear": DeclaredOp(_linear("QuantizeLinear"), (2, 3), {"axis": 1}),
}
_ALL = {
    **_OPS,
    **FUSED_OPS,
    **ATTENTION_OPS,
    **EMBEDDING_NORMS,
    **FEW_BITS_OPS,
    **GROUPED_OPS,
    **IMAGE_OPS,
    **ROTARY_OPS,
}
CONTRIB_HANDLERS: Mapping[str, Handler] = {name: handler_of(op) for name, op in sorted(_ALL.items())}
"""The handler of each op of the domain that is read, by op type."""
