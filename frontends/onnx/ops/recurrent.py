"""RNN, GRU and LSTM. Those of narrow floating-point numbers are computed in f32."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.wide_floats import wide_ops


def _recurrent(kind: str, operands: int, results: int) -> Handler:
    """The handler of an op with so many operands and results, some of which may be left out."""

    def handler(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
        # ONNX's default for `activations` of RNN has two names, whatever the directions.
        attributes = {name: v for name, v in node.attributes.items() if name != "activations" or name in node.stated}
        inputs = [node.optional(index) for index in range(operands)]
        return wide_ops(b, kind, node, inputs, attributes, [b.dtype(node.input(0))] * results)

    return handler


HANDLERS: dict[str, Handler] = {
    "RNN": _recurrent("onnx_rnn", 6, 2),
    "GRU": _recurrent("onnx_gru", 6, 2),
    "LSTM": _recurrent("onnx_lstm", 8, 3),
}
