"""
Ops of onnxruntime's own domain that its optimizer fuses from those of ONNX, as onnxruntime's schemas define them.

A model that onnxruntime has saved optimized has them. Each becomes the ops that it was made of; passes fuse them again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.byte_products import apply, constant, finish, stem_of, with_channels
from lastuse.frontends.onnx.declared_ops import DeclaredOp, handler_of

_ACTIVATIONS: Mapping[str, Mapping[str, float]] = {
    "Elu": {"alpha": 1.0},
    "HardSigmoid": {"alpha": 0.2, "beta": 0.5},
    "LeakyRelu": {"alpha": 0.01},
    "Relu": {},
    "Selu": {"alpha": 1.67326319217681884765625, "gamma": 1.05070102214813232421875},
    "Sigmoid": {},
    "Softplus": {},
    "Softsign": {},
    "Tanh": {},
    "ThresholdedRelu": {"alpha": 1.0},
}
"""Activations with the defaults of their parameters. Clip has its bounds."""
_PARAMETERS = ("alpha", "beta", "gamma")


def _number(b: OnnxBuilder, node: GraphNode, value: float, like: SSAValue, what: str) -> SSAValue:
    return constant(b, node, np.asarray(value, numpy_dtype(b.dtype(like))), what)


def _activated(
    b: OnnxBuilder, node: GraphNode, value: SSAValue, name: str, parameters: Mapping[str, float] | Sequence[float]
) -> SSAValue:
    """The result of the node: an activation of a value. Parameters are by name, or in the order of `_ACTIVATIONS`."""
    if not name:
        return finish(b, node, "Identity", value)
    if name == "Clip":
        if isinstance(parameters, Mapping) or len(parameters) != 2:
            raise ValueError("the activation Clip takes a least and a largest number")
        low, high = parameters
        bounds = (_number(b, node, low, value, "least"), _number(b, node, high, value, "largest"))
        return finish(b, node, "Clip", value, *bounds)
    if name not in _ACTIVATIONS:
        raise ValueError(f"the activation '{name}' is not supported")
    defaults = _ACTIVATIONS[name]
    if not isinstance(parameters, Mapping):
        if len(parameters) > len(defaults):
            raise ValueError(f"the activation {name} has {len(defaults)} parameters, not {len(parameters)}")
        parameters = dict(zip(defaults, parameters, strict=False))
    return finish(b, node, name, value, **{what: parameters.get(what, default) for what, default in defaults.items()})


def _convolution(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """activation(Conv(x, w, bias) + summand)"""
    attributes = dict(node.attributes)
    name, parameters = attributes.pop("activation"), attributes.pop("activation_params", ())
    made = apply(b, node, "Conv", node.input(0), node.input(1), node.optional(2), **attributes)
    if node.optional(3) is not None:
        made = apply(b, node, "Add", made, node.input(3))
    return _activated(b, node, made, name, parameters)


def _convolution_of_rows(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """A FusedConv whose channels are last, in what is added too."""
    x, added = with_channels(b, node, node.input(0), second=True), node.optional(3)
    inputs = [x, node.input(1), node.optional(2)]
    inputs += [] if added is None else [with_channels(b, node, added, second=True)]
    made = _convolution(b, replace(node, inputs=inputs, outputs=[f"{stem_of(node)}/channels second"]))
    return with_channels(b, node, made, second=False)


def _gemm(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """activation(Gemm(a, b, c))"""
    attributes = dict(node.attributes)
    name = attributes.pop("activation")
    given = {what: attributes.pop(f"activation_{what}", None) for what in _PARAMETERS}
    made = apply(b, node, "Gemm", node.input(0), node.input(1), node.optional(2), **attributes)
    return _activated(b, node, made, name, {what: value for what, value in given.items() if value is not None})


def _matmul(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """alpha * (a @ b), of matrices that may be transposed, and whose first axis may be before those of the batch"""
    operands: list[SSAValue] = []
    for index, side in enumerate("AB"):
        value, rank = node.input(index), b.rank(node.input(index))
        axes = list(range(rank))
        if node.attributes[f"transBatch{side}"] and rank > 2:
            axes = [*axes[1:-1], 0, rank - 1]
        if node.attributes[f"trans{side}"] and rank > 1:
            axes = [*axes[:-2], axes[-1], axes[-2]]
        operands.append(value if axes == sorted(axes) else apply(b, node, "Transpose", value, perm=axes))
    alpha = node.attributes["alpha"]
    if alpha == 1:
        return finish(b, node, "MatMul", *operands)
    made = apply(b, node, "MatMul", *operands)
    return finish(b, node, "Mul", made, _number(b, node, alpha, made, "alpha"))


def _gelu(approximate: str) -> Callable[[OnnxBuilder, GraphNode], SSAValue]:
    """Gelu of a value, or of its sum with a bias."""

    def lower(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        value, bias = node.input(0), node.optional(1)
        value = value if bias is None else apply(b, node, "Add", value, bias)
        return finish(b, node, "Gelu", value, approximate=approximate)

    return lower


def _quick_gelu(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """x * sigmoid(alpha * x)"""
    x = node.input(0)
    scaled = apply(b, node, "Mul", x, _number(b, node, node.attributes["alpha"], x, "alpha"))
    return finish(b, node, "Mul", x, apply(b, node, "Sigmoid", scaled))


def _skip_norm(op_type: str, rows: int) -> Callable[[OnnxBuilder, GraphNode], Sequence[SSAValue]]:
    """A normalisation of the sum of a value, another one and a bias, with so many rows that scale and shift it. The
    fourth result is the sum; means and deviations, the second and third, are for training."""

    def lower(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
        if node.wants(1) or node.wants(2):
            raise ValueError("means and deviations are not supported")
        total = apply(b, node, "Add", node.input(0), node.input(1))
        bias = node.optional(2 + rows)
        if bias is not None:
            total = apply(b, node, "Add", total, bias)
        scales = [node.optional(2 + number) for number in range(rows)]
        attributes = {"axis": -1, "epsilon": node.attributes["epsilon"], "stash_type": 1}
        made = finish(b, node, op_type, total, *scales, **attributes)
        return [made, made, made, total][: len(node.outputs)]

    return lower


def _rms_norm(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    if node.wants(1):
        raise ValueError("deviations are not supported")
    return finish(b, node, "RMSNormalization", *node.inputs, **node.attributes)


_WINDOW = {"auto_pad": "NOTSET", "dilations": None, "group": 1, "kernel_shape": None, "pads": None, "strides": None}
_GEMM = {"alpha": 1.0, "beta": 1.0, "transA": 0, "transB": 0}
_PRODUCT = {"alpha": 1.0, "transA": 0, "transB": 0, "transBatchA": 0, "transBatchB": 0}
_OPTIONAL_PARAMETERS = {f"activation_{what}": float for what in _PARAMETERS}
FUSED_OPS: Mapping[str, DeclaredOp] = {
    "BiasGelu": DeclaredOp(_gelu("none"), (2, 2), {}),
    "FastGelu": DeclaredOp(_gelu("tanh"), (1, 2), {}),
    "FusedConv": DeclaredOp(_convolution, (2, 4), {"activation": "", "activation_params": None, **_WINDOW}),
    "FusedGemm": DeclaredOp(_gemm, (2, 3), {"activation": "", **_GEMM, **_OPTIONAL_PARAMETERS}),
    "FusedMatMul": DeclaredOp(_matmul, (2, 2), _PRODUCT),
    "Gelu": DeclaredOp(_gelu("none"), (1, 1), {}),
    "NhwcFusedConv": DeclaredOp(_convolution_of_rows, (2, 4), {"activation": "", "activation_params": None, **_WINDOW}),
    "QuickGelu": DeclaredOp(_quick_gelu, (1, 1), {"alpha": 1.702}),
    "SkipLayerNormalization": DeclaredOp(_skip_norm("LayerNormalization", 2), (3, 5), {"epsilon": 1e-12}),
    "SkipSimplifiedLayerNormalization": DeclaredOp(_skip_norm("RMSNormalization", 1), (3, 4), {"epsilon": 1e-12}),
}
"""The ops by op type. Defaults of attributes are onnxruntime's."""
_NORM = {"axis": -1, "epsilon": 1e-5, "stash_type": 1}
UNNAMED_OPS: Mapping[str, Handler] = {"SimplifiedLayerNormalization": handler_of(DeclaredOp(_rms_norm, (2, 2), _NORM))}
"""Handlers of ops that the optimizer writes into ONNX's own domain, which does not have them."""
