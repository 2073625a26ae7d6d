"""Ops that find elements or boxes: how many there are may be known in the run alone."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import MAX_CONTENT, Poly, element_type, is_integer
from lastuse.dialect.storage.dependences import data_dependences
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder


def places_of(b: OnnxBuilder, x: SSAValue, node: GraphNode, step: str = "places") -> SSAValue:
    """The places of the elements of a value that are not 0, a row each."""
    name = node.outputs[0] or node.name or node.op_type
    places, count = b.ops("non_zero", [x], [f"{name}/all", f"{name}/count"])
    return b.op("leading_rows", [places, count], node, step=step)


def is_counted_in_run(b: OnnxBuilder, value: SSAValue) -> bool:
    """Whether what is found in a value is counted in each run: it depends on numbers that are no small inputs of
    integers, which say sizes."""
    arguments = data_dependences([value]).arguments
    return any(not _says_sizes(b, argument) for argument in arguments)


def _says_sizes(b: OnnxBuilder, argument: SSAValue) -> bool:
    elements = b.sizes[argument].elements
    is_small = isinstance(elements, int) and elements <= MAX_CONTENT
    return is_small and is_integer(element_type(b.dtype(argument)))


def _non_zero(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    x = node.input(0)
    if b.numbers(x) is None and is_counted_in_run(b, x):
        x = x if b.rank(x) else b.op("reshape", [x], node, {"shape": [1]}, step="axis")
        return b.op("transpose", [places_of(b, x, node)], node, {"perm": [1, 0]})
    places = np.stack(np.nonzero(np.atleast_1d(known_elements(b, node, "non-zero"))))
    return b.constant(places.astype(np.int64), b.names_of(node, 1)[0])


def known_elements(b: OnnxBuilder, node: GraphNode, which: str) -> np.ndarray:
    """The elements of the first input, which decide the size of the result."""
    x = node.input(0)
    numbers = b.numbers(x)
    if numbers is None:
        if any(isinstance(size, Poly) for size in b.shape(x)):
            b.need([b.op("shape", [x], node, step="sizes")], f"how many elements are {which} depends on unknown sizes")
        b.need([x], f"how many elements are {which} is not known while compiling")
    return numbers


def _compress(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    x, condition, axis = node.input(0), node.input(1), node.attributes.get("axis")
    if b.numbers(condition) is not None or not is_counted_in_run(b, condition):
        return b.op("compress", [x], node, {"axis": axis}, {"condition": condition})
    if axis is None:
        x = b.op("reshape", [x], node, {"shape": [-1]}, step="row")
    places = b.op("squeeze", [places_of(b, condition, node)], node, {"axes": [1]}, step="indices")
    return b.op("gather", [x, places], node, {"axis": axis or 0})


def _non_max_suppression(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    name = node.outputs[0] or node.name or node.op_type
    limit, overlap = node.optional(2), node.optional(3)
    limit = b.constant(np.zeros(1, np.int64), f"{name}/max") if limit is None else limit
    overlap = b.constant(np.zeros(1, np.float32), f"{name}/iou") if overlap is None else overlap
    known = b.numbers(limit)
    attributes = {
        "center_point_box": node.attributes["center_point_box"],
        "most": None if known is None or known.size != 1 else max(0, int(known.reshape(()))),
    }
    operands = [node.input(0), node.input(1), limit, overlap, node.optional(4)]
    selected, count = b.ops("non_max_suppression", operands, [f"{name}/all", f"{name}/count"], attributes)
    return b.op("leading_rows", [selected, count], node)


HANDLERS: dict[str, Handler] = {
    "Compress": _compress,
    "NonMaxSuppression": _non_max_suppression,
    "NonZero": _non_zero,
}
