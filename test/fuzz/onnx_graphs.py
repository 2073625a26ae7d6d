"""Random small ONNX graphs, by number: each node is drawn on the values that are there, whose elements `onnx.reference`
computes."""

from __future__ import annotations

from onnx import ModelProto, helper, numpy_helper
from onnx_cases import Case
from onnx_draw import Graph, typed_input
from onnx_ops import DRAWS
from onnx_shape_ops import SHAPE_DRAWS
from onnx_window_ops import WINDOW_DRAWS

ALL = {**DRAWS, **SHAPE_DRAWS, **WINDOW_DRAWS}


def random_graph(seed: int) -> Case:
    """Graph number `seed`, of one to six nodes that are drawn, and those that compute their parameters."""
    graph = Graph(seed)
    drawn: list[str] = []
    count = graph.random.choice([1, 1, 2, 3, 4, 6])
    for _ in range(200):
        if len(drawn) == count:
            break
        kind = graph.random.choice(sorted(ALL))
        if graph.attempt(ALL[kind]):
            drawn.append(kind)
    return Case(" ".join(drawn), model_of(graph), graph.inputs)


def model_of(graph: Graph) -> ModelProto:
    random_ = graph.random
    dynamic = random_.random() < 0.5
    shared = random_.random() < 0.5
    symbols: dict[int, str] = {}

    def size(number: int) -> int | str:
        if not dynamic or random_.random() < 0.4:
            return number
        return symbols.setdefault(number, f"n{number}") if shared else graph.new("d")

    inputs = [typed_input(name, array, [size(n) for n in array.shape]) for name, array in graph.inputs.items()]
    read = {name for node in graph.nodes for name in node.input}
    ends = [name for name in graph.results if name not in read or random_.random() < 0.2]
    outputs = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(graph.arrays[n].dtype), None) for n in ends
    ]
    weights = [numpy_helper.from_array(array, name) for name, array in graph.constants.items()]
    proto = helper.make_graph(graph.nodes, "graph", inputs, outputs, weights)
    return helper.make_model(proto, opset_imports=[helper.make_opsetid("", graph.opset)], ir_version=9)
