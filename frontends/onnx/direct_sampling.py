"""GridSample, RoiAlign and DeformConv of ONNX's own domain on floating-point numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import SSAValue

from lastuse.dialect.dnn.attributes import is_float
from lastuse.frontends.onnx.attention import Steps
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import finish, stem_of
from lastuse.frontends.onnx.wide_floats import wide_ops

_MODES = {"bilinear": "linear", "bicubic": "cubic"}
"""The names of modes before opset 20."""
_BEFORE_HALF_PIXELS = "output_half_pixel"
"""What RoiAlign does before opset 16, which names it."""


def _grid_sample(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue] | None:
    x, mode = node.input(0), node.attributes["mode"]
    if not is_float(b.dtype(x)):
        return None
    attributes = {**node.attributes, "mode": _MODES.get(mode, mode)}
    return wide_ops(b, "grid_sample", node, [x, node.input(1)], attributes, [b.dtype(x)])


def _roi_align(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    attributes = {"coordinate_transformation_mode": _BEFORE_HALF_PIXELS, **node.attributes}
    operands = [node.input(k) for k in range(3)]
    return wide_ops(b, "roi_align", node, operands, attributes, [b.dtype(operands[0])])


def _deform_conv(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue] | None:
    """The product of the filters and `dnn.deform_columns`. None where x is no batch of planes, or the sizes of the
    filters are not known."""
    s, (x, w, offset), bias = Steps(b, node), (node.input(k) for k in range(3)), node.optional(3)
    filters, channels, groups = s.shape(w), b.shape(x)[1], node.attributes["group"]
    outputs, *depth = filters
    known = [size for size in (outputs, *depth, channels) if isinstance(size, int)]
    if b.rank(x) != 4 or len(known) != 5 or not is_float(b.dtype(x)):
        return None
    outputs, each, *window, inputs = known
    if each * groups != inputs or outputs % groups:
        raise ValueError(f"{outputs} filters of {each} channels in {groups} groups do not fit {inputs} channels")
    names = ("strides", "dilations", "pads", "offset_group")
    attributes = {name: node.attributes[name] for name in names if node.attributes.get(name) is not None}
    attributes["kernel_shape"] = window
    columns, *_ = wide_ops(
        b,
        "deform_columns",
        GraphNode(node.op_type, node.name, node.inputs, node.attributes, node.stated, [f"{stem_of(node)}/columns"]),
        [x, offset, node.optional(4)],
        attributes,
        [b.dtype(x)],
    )
    count = each * window[0] * window[1]
    if groups > 1:
        columns = s.reshape(columns, [0, groups, count, -1])
    shape = [outputs, count] if groups == 1 else [groups, outputs // groups, count]
    product = s.op("MatMul", s.reshape(w, shape), columns)
    batch, places = s.op("Shape", x, start=0, end=1), s.op("Shape", offset, start=2, end=4)
    sizes = s.concat([batch, s.integers([outputs]), places], 0)
    if bias is None:
        return [finish(b, node, "Reshape", product, sizes, allowzero=1)]
    return [finish(b, node, "Add", s.view(product, sizes), s.reshape(bias, [-1, 1, 1]))]


DIRECT_SAMPLING: Mapping[str, Callable[[OnnxBuilder, GraphNode], Sequence[SSAValue] | None]] = {
    "DeformConv": _deform_conv,
    "GridSample": _grid_sample,
    "RoiAlign": _roi_align,
}
"""Handlers of ops that `dnn.onnx_op` computes else: None where it has to."""
