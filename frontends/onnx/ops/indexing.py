"""Ops that take or write elements by number, and those that find numbers of elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain
from lastuse.frontends.onnx.ops.counted_rows import known_elements
from lastuse.frontends.onnx.ops.shapes import as_scalar


def _gather(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """One element of an axis is a view."""
    data, indices, axis = node.input(0), node.input(1), node.attributes["axis"]
    numbers = b.numbers(indices)
    if numbers is not None and not numbers.ndim:
        return b.op("select", [data], node, {"dim": axis, "index": int(numbers)})
    return b.op("gather", [data, indices], node, {"axis": axis})


def _top_k(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    attributes = {name: node.attributes[name] for name in ("axis", "largest", "sorted")}
    k = as_scalar(b, node.input(1), node, "k")
    return b.ops("top_k", [node.input(0)], b.names_of(node, 2), attributes, {"k": k})


def _one_hot(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    depth = as_scalar(b, node.input(1), node, "depth")
    return b.op("one_hot", [node.input(0), node.input(2)], node, {"axis": node.attributes["axis"]}, {"depth": depth})


def _unique(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    x, axis = known_elements(b, node, "different"), node.attributes.get("axis")
    values, first, inverse, counts = np.unique(x, True, True, True, axis=axis)
    inverse = inverse.reshape(-1)
    if not node.attributes["sorted"]:
        order = np.argsort(first)
        places = np.argsort(order)
        values, first = np.take(values, order, axis or 0), first[order]
        inverse, counts = places[inverse], counts[order]
    arrays = [values, *(array.astype(np.int64) for array in (first, inverse, counts))]
    names = b.names_of(node, len(node.outputs))
    return [b.constant(array, name) for array, name in zip(arrays, names, strict=False)]


HANDLERS: dict[str, Handler] = {
    "ArgMax": plain("arg_max"),
    "ArgMin": plain("arg_min"),
    "Gather": _gather,
    "GatherElements": plain("gather_elements"),
    "GatherND": plain("gather_nd"),
    "OneHot": _one_hot,
    "ScatterElements": plain("scatter_elements"),
    "ScatterND": plain("scatter_nd"),
    "TensorScatter": plain("tensor_scatter"),
    "TopK": _top_k,
    "Unique": _unique,
}
