"""Paddle's ops whose windows move over images: convolutions and pools. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.ir import Attribute, SSAValue

from lastuse.frontends.paddle.builder import Handler, PaddleBuilder
from lastuse.frontends.paddle.op_attributes import flag, int_attr, integer, integers, ints_attr, text
from lastuse.frontends.paddle.proto import PaddleOp

_ALGORITHMS = {"EXPLICIT": None, "SAME": "SAME_UPPER", "VALID": "VALID"}


def _conv(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "ResidualData")
    x, weights, bias = b.input(op, "Input"), b.input(op, "Filter"), b.optional(op, "Bias")
    attributes = {**_movement(op, with_dilations=True), "group": int_attr(integer(op, "groups", 1)), **_order(op)}
    operands = [x, weights] if bias is None else [x, weights, bias]
    return b.emit("conv", operands, attributes, name=name)


def _pool(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    kind = text(op, "pooling_type", "max")
    if kind not in ("max", "avg"):
        raise ValueError(f"the attribute pooling_type is '{kind}', max or avg is expected")
    x, kernel, order = b.input(op, "X"), integers(op, "ksize"), _order(op)
    attributes = {**_movement(op, with_dilations=False), "ceil_mode": int_attr(int(flag(op, "ceil_mode", False)))}
    adaptive = flag(op, "adaptive", False)
    if flag(op, "global_pooling", False) or adaptive:
        sizes = _spatial_sizes(b, x, order)
        places = kernel if adaptive and not flag(op, "global_pooling", False) else [1] * len(sizes)
        if len(places) != len(sizes) or any(p < 1 or s % p for s, p in zip(sizes, places, strict=True)):
            raise ValueError(f"an adaptive pool of {sizes} to {places} places has windows of several sizes")
        kernel = [s // p for s, p in zip(sizes, places, strict=True)]
        attributes = {"strides": ints_attr(kernel)}
    attributes |= {"kernel_shape": ints_attr(kernel), **order}
    if kind == "avg":
        attributes["count_include_pad"] = int_attr(int(not flag(op, "exclusive", True)))
        return b.emit("average_pool", [x], attributes, name=name)
    y = b.emit("max_pool", [x], attributes, name=name)
    return b.with_saved_results(y, b.differentiates("pool2d"))[0]


def _spatial_sizes(b: PaddleBuilder, x: SSAValue, order: dict[str, Attribute]) -> list[int]:
    shape = b.shape(x)
    sizes = [size for size in (shape[1:-1] if order else shape[2:]) if isinstance(size, int)]
    if len(sizes) != len(shape) - 2:
        raise ValueError("a pool of all that there is needs known sizes")
    return sizes


def _movement(op: PaddleOp, with_dilations: bool) -> dict[str, Attribute]:
    """How the window moves. Paddings are one number for each spatial axis, or two, for its begin and its end."""
    algorithm = text(op, "padding_algorithm", "EXPLICIT")
    if algorithm not in _ALGORITHMS:
        raise ValueError(f"the attribute padding_algorithm is '{algorithm}', not one of {', '.join(_ALGORITHMS)}")
    strides, pads = integers(op, "strides", [1, 1]), integers(op, "paddings", [0, 0])
    attributes: dict[str, Attribute] = {"strides": ints_attr(strides)}
    rule = _ALGORITHMS[algorithm]
    if with_dilations and rule != "SAME_UPPER":  # there the window is dense
        attributes["dilations"] = ints_attr(integers(op, "dilations", [1, 1]))
    if rule is not None:
        attributes["auto_pad"] = StringAttr(rule)
    elif len(pads) == 2 * len(strides):
        attributes["pads"] = ints_attr([*pads[::2], *pads[1::2]])
    else:
        attributes["pads"] = ints_attr([*pads, *pads])
    return attributes


def _order(op: PaddleOp) -> dict[str, Attribute]:
    order = text(op, "data_format", "NCHW")
    if order not in ("NCHW", "AnyLayout", "NHWC"):
        raise ValueError(f"the attribute data_format is '{order}', NCHW or NHWC is expected")
    return {"channels_last": BoolAttr.from_bool(True)} if order == "NHWC" else {}


HANDLERS: dict[str, Handler] = {**dict.fromkeys(("conv2d", "depthwise_conv2d"), _conv), "pool2d": _pool}
