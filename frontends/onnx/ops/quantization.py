"""Quantised ops: numbers of eight and sixteen bits, with a scale and a zero point."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.ops.shapes import dtype_attribute


def _linear(kind: str) -> Handler:
    """Element types are numbers in ONNX, 0 for none. `saturate` concerns floating-point results of eight bits."""

    def handler(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        attributes = {name: node.attributes[name] for name in ("axis", "block_size")}
        for name in ("output_dtype", "precision"):
            number = node.attributes.get(name, 0)
            attributes[name] = dtype_attribute(number) if number else None
        return b.op(kind, [node.input(0), node.input(1), node.optional(2)], node, attributes)

    return handler


def _dynamic_quantize_linear(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    return b.ops("dynamic_quantize_linear", [node.input(0)], b.names_of(node, 3))


def _matmul_integer(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    operands = [node.input(0), node.input(1), node.optional(2), node.optional(3)]
    return b.op("matmul_integer", operands, node)


def _qlinear_matmul(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return b.op("qlinear_matmul", [node.input(k) for k in range(8)], node)


_WINDOW = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")


def _convolution(kind: str, inputs: int) -> Handler:
    """The handler of a convolution with so many inputs, of which the node may leave some out."""

    def handler(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        attributes = {name: node.attributes.get(name) for name in _WINDOW}
        return b.op(kind, [node.optional(k) for k in range(inputs)], node, attributes)

    return handler


HANDLERS: dict[str, Handler] = {
    "ConvInteger": _convolution("conv_integer", 4),
    "DequantizeLinear": _linear("dequantize_linear"),
    "DynamicQuantizeLinear": _dynamic_quantize_linear,
    "MatMulInteger": _matmul_integer,
    "QLinearConv": _convolution("qlinear_conv", 9),
    "QLinearMatMul": _qlinear_matmul,
    "QuantizeLinear": _linear("quantize_linear"),
}
