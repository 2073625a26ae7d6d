"""Types of the values of an ONNX graph, by ONNX's shape inference: element type and rank where these can be told."""

from __future__ import annotations

from onnx import IR_VERSION, GraphProto, ModelProto, TensorProto, TypeProto, helper, shape_inference

from lastuse.frontends.onnx.scopes import all_graphs

SMALL = 512
"""Bytes of an initializer at most whose elements are known here."""


def infer_types(graph: GraphProto, opset: int) -> dict[str, TypeProto]:
    """
    The types of values of `graph` and of graphs within it, by name; names are unique. Nothing of a node that cannot be
    inferred. What the model states of its outputs does not count.

    Weights are inputs here, of their stated types, but for the few bytes that a shape may be: also those of
    inner graphs, as names are unique.
    """
    small: list[TensorProto] = []
    bare = GraphProto(name="graph", node=graph.node, input=graph.input)
    for inner in all_graphs(graph):
        for weight in inner.initializer:
            if weight.data_type == TensorProto.INT64 and weight.ByteSize() <= SMALL and not weight.external_data:
                small.append(weight)
            else:
                bare.input.append(helper.make_tensor_value_info(weight.name, weight.data_type, weight.dims))
    for inner in all_graphs(bare):
        del inner.initializer[:]
        del inner.sparse_initializer[:]
    bare.initializer.extend(small)
    model = ModelProto(graph=bare, ir_version=IR_VERSION, opset_import=[helper.make_opsetid("", opset)])
    try:
        inferred = shape_inference.infer_shapes(model)
    except (shape_inference.InferenceError, RuntimeError, ValueError, TypeError, IndexError):
        return {value.name: value.type for value in bare.input}
    values = (value for inner in all_graphs(inferred.graph) for value in (*inner.input, *inner.value_info))
    return {value.name: value.type for value in values if value.type.HasField("tensor_type")}
