"""RNN, GRU and LSTM."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder


def _recurrent(kind: str, operands: int, results: int) -> Handler:
    """The handler of an op with so many operands and results, some of which may be left out."""

    def handler(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
        # ONNX's default for `activations` of RNN has two names, whatever the directions.
        attributes = {name: v for name, v in node.attributes.items() if name != "activations" or name in node.stated}
        inputs = [node.optional(index) for index in range(operands)]
        return b.ops(kind, inputs, b.names_of(node, results), attributes)

    return handler


HANDLERS: dict[str, Handler] = {
    "RNN": _recurrent("onnx_rnn", 6, 2),
    "GRU": _recurrent("onnx_gru", 6, 2),
    "LSTM": _recurrent("onnx_lstm", 8, 3),
}
