"""Ops that copy elements to other places, or name parts of a value."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain
from lastuse.frontends.onnx.ops.shapes import as_scalar


def _concat(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return b.op("concat", node.inputs, node, {"axis": node.attributes["axis"]})


def _split(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    x, sizes, count = node.input(0), node.optional(1), len(node.outputs)
    attributes = {"axis": node.attributes["axis"]}
    if sizes is None:
        attributes["num_outputs"] = node.attributes.get("num_outputs", count)
    return b.ops("split", [x], b.names_of(node, count), attributes, {"split": sizes})


def _slice(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    names = ("starts", "ends", "axes", "steps")
    return b.op("slice", [node.input(0)], node, dynamic={name: node.optional(k + 1) for k, name in enumerate(names)})


def _pad(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    value = as_scalar(b, node.optional(2), node, "value") if node.attributes["mode"] == "constant" else None
    values = {"pads": node.input(1), "value": value, "axes": node.optional(3)}
    return b.op("pad", [node.input(0)], node, {"mode": node.attributes["mode"]}, values)


def _tile(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return b.op("tile", [node.input(0)], node, dynamic={"repeats": node.input(1)})


def _trilu(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    k = as_scalar(b, node.optional(1), node, "k")
    return b.op("trilu", [node.input(0)], node, {"upper": node.attributes["upper"]}, {"k": k})


def _scan(kind: str) -> Handler:
    """The handler of a running sum or product."""

    def handler(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        attributes = {name: node.attributes[name] for name in ("exclusive", "reverse")}
        return b.op(kind, [node.input(0)], node, attributes, {"axis": as_scalar(b, node.input(1), node, "axis")})

    return handler


HANDLERS: dict[str, Handler] = {
    "Concat": _concat,
    "CumProd": _scan("cumprod"),
    "CumSum": _scan("cumsum"),
    "Pad": _pad,
    "ReverseSequence": plain("reverse_sequence"),
    "Slice": _slice,
    "Split": _split,
    "Tile": _tile,
    "Trilu": _trilu,
}
