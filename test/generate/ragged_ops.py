"""How ops along ragged sequences are drawn, and those that prepare their weights."""

from __future__ import annotations

from math import prod

from .builder import FLOATS, Builder, Maker, Shape, Value


def _fitting(b: Builder, shape: Shape, dtype: str) -> Value:
    return b.pick(lambda v: v.kind == (shape, dtype), dtype, shape)


def _is_matrix(b: Builder, v: Value) -> bool:
    """Rows of floats that can be cut into sequences."""
    two = v.dtype in FLOATS and len(v.shape) == 2 and 0 not in v.shape
    return two and 1 in v.known_axes and b.has_ends(v.shape[0])


def _matrix(b: Builder, columns: int | None = None) -> Value:
    """A value of floats with two axes, none of size 0; of so many columns, if they are given."""
    if columns is None:
        return b.pick(lambda v: _is_matrix(b, v))
    shape = (b.rows(), columns)
    return b.pick(lambda v: v.dtype in FLOATS and v.shape == shape, FLOATS, shape)


def _modes(b: Builder) -> str:
    return f"is_reverse = {str(b.chance(2)).lower()}, origin_mode = {str(b.chance(2)).lower()}"


def _segments(b: Builder, *there: bool) -> str:
    return f"{_modes(b)}, operandSegmentSizes = array<i32: {', '.join(str(int(t)) for t in there)}>"


def _gru(b: Builder) -> None:
    channels, bias = b.number(*b.widths), b.chance(2)
    gates = _matrix(b, 3 * channels)
    kinds = [(channels, 3 * channels), *[(1, 3 * channels)] * bias]
    rest = [_fitting(b, shape, gates.dtype) for shape in kinds]
    words = gates.shape[0]
    offsets = b.ends(words)
    b.emit(
        "gru", [gates, *rest, offsets], _segments(b, True, True, bias, False, True), ((words, channels), gates.dtype)
    )


def _weight_h(b: Builder, channels: int, dtype: str) -> Value:
    return _fitting(b, b.choose([(channels, 3 * channels), (channels, 3, channels)]), dtype)


def _fused_gru(b: Builder) -> None:
    x, channels, bias, h0 = _matrix(b), b.number(*b.widths), b.chance(2), b.chance(2)
    words, offsets = x.shape[0], b.ends(x.shape[0])
    operands = [x, _fitting(b, (x.shape[1], 3 * channels), x.dtype), _weight_h(b, channels, x.dtype)]
    operands += [_fitting(b, (1, 3 * channels), x.dtype)] * bias
    operands += [_fitting(b, (offsets.shape[0] - 1, channels), x.dtype)] * h0
    sizes = _segments(b, True, True, True, bias, h0, True)
    b.emit("fused_gru", [*operands, offsets], sizes, ((words, channels), x.dtype))


def _gru_grad(b: Builder) -> None:
    channels = b.number(*b.widths)
    _gru_grad_of(b, "gru_grad", channels, [_matrix(b, 3 * channels)])


def _fused_gru_grad(b: Builder) -> None:
    x, channels = _matrix(b), b.number(*b.widths)
    _gru_grad_of(b, "fused_gru_grad", channels, [x, _fitting(b, (x.shape[1], 3 * channels), x.dtype)])


def _gru_grad_of(b: Builder, kind: str, channels: int, own: list[Value]) -> None:
    (words, _), dtype, bias, h0 = own[0].shape, own[0].dtype, b.chance(2), b.chance(2)
    offsets, weight_h, row = b.ends(words), _weight_h(b, channels, dtype), (1, 3 * channels)
    states = (offsets.shape[0] - 1, channels)
    operands = [*own, weight_h, *[_fitting(b, row, dtype)] * bias, *[_fitting(b, states, dtype)] * h0]
    operands += [offsets, *(_fitting(b, (words, channels), dtype) for _ in range(2))]
    sizes = _segments(b, *[True] * len(own), True, bias, h0, True, True, True)
    results = [*(value.shape for value in own), weight_h.shape, row, *[states] * h0]
    b.emit(kind, operands, sizes, *((shape, dtype) for shape in results[b.chance(4) :]))


def _multi_gru(b: Builder) -> None:
    x, channels, mode = _matrix(b), b.number(*b.widths), b.choose(["concat", "sum"])
    weights = list[Value]()
    for _ in range(2):
        weights += [_fitting(b, (x.shape[1], 3 * channels), x.dtype), _weight_h(b, channels, x.dtype)]
        weights.append(_fitting(b, (1, 3 * channels), x.dtype))
    width = channels if mode == "sum" else 2 * channels
    operands = [x, *weights, b.ends(x.shape[0])]
    b.emit("multi_gru", operands, f'mode = "{mode}"', ((x.shape[0], width), x.dtype))


def _weight_h_to_gates(b: Builder) -> None:
    channels, dtype = b.number(*b.widths), b.choose(FLOATS)
    x = _fitting(b, (channels, 3 * channels), dtype)
    b.emit("gru_weight_h_to_gates", [x], "", ((channels, 3, channels), dtype))


def _negate_gate(b: Builder) -> None:
    x = _matrix(b, 3 * b.number(*b.widths))
    b.emit("negate_gate", [x], f'gate = "{b.choose(["update", "reset", "candidate"])}"', (x.shape, x.dtype))


def _zero_bias(b: Builder) -> None:
    b.emit("zero_bias", [], "", ((1, 3 * b.number(*b.widths)), "f32"))


def _quantized_gru(b: Builder) -> None:
    x = b.pick(lambda v: v.dtype == "f32" and _is_matrix(b, v), "f32")
    channels, kind = b.number(*b.widths), b.choose(["bf16", "i8"])
    (words, inputs), row = x.shape, (1, 3 * channels)
    shapes = (inputs, 3 * channels), (channels, 3, channels)
    weights = [b.constant(shape, kind, [b.number(0, 3) for _ in range(prod(shape))]) for shape in shapes]
    weights.append(_fitting(b, row, "f32"))
    weights += [b.constant(row, "f32", [2] * row[1]) for _ in range(2 if kind == "i8" else 0)]
    data = "data_scale = array<f32: 9.0, 127.5>, data_shift = array<f32: 128.0, 128.0>, " if kind == "i8" else ""
    attributes = f"{data}reverse = [{str(b.chance(2)).lower()}]"
    b.emit("quantized_gru", [x, *weights, b.ends(words)], attributes, ((words, channels), "f32"))


def _weights_of_fewer_bits(b: Builder) -> None:
    x = _matrix(b, 3 * b.number(*b.widths))
    scale = b.emit("gru_weight_scale", [x], "", ((1, x.shape[1]), "f32"))
    b.emit("quantize_weights", [x, scale], "", (x.shape, "i8"))


def _padded(b: Builder) -> None:
    """To the padded form and back: the one's result is the other's operand."""
    x = b.pick(lambda v: _is_matrix(b, v) and v.is_known)
    reverse, layout = str(b.chance(2)).lower(), b.choose(["tnc", "ntc"])
    words, channels = x.shape
    offsets, attributes = b.ends(words), f'is_reverse = {reverse}, layout = "{layout}"'
    sizes = (words, offsets.shape[0] - 1) if layout == "tnc" else (offsets.shape[0] - 1, words)
    padded = b.emit("lod_to_tnc", [x, offsets], attributes, ((*sizes, channels), x.dtype))
    b.emit("tnc_to_lod", [padded, offsets, *[x] * b.chance(2)], attributes, (x.shape, x.dtype))


def _crf_decoding(b: Builder) -> None:
    x = _matrix(b)
    tags = x.shape[1]
    transition = _fitting(b, (tags + 2, tags), x.dtype)
    b.emit("crf_decoding", [x, transition, b.ends(x.shape[0])], "", ((x.shape[0], 1), "i64"))


def _onnx_rnn(op: str, gates: int, states: int) -> Maker:
    def make(b: Builder) -> None:
        x = b.pick(
            lambda v: v.dtype in FLOATS and len(v.shape) == 3 and 0 not in v.shape and v.is_known, FLOATS, (2, 2, 2)
        )
        (steps, batch, inputs), hidden = x.shape, b.number(*b.widths)
        there = [b.chance(2) for _ in range(2)]
        kinds = [(1, gates * hidden, inputs), (1, gates * hidden, hidden), *[(1, 2 * gates * hidden)] * there[0]]
        weights = [_fitting(b, shape, x.dtype) for shape in kinds]
        lengths = [b.constant((batch,), "i64", [b.number(0, steps) for _ in range(batch)])] * there[1]
        segments = [1, 1, 1, *map(int, there), 0, *[0] * (2 * states - 2)]
        direction = b.choose(["forward", "reverse"])
        attributes = f'direction = "{direction}", operandSegmentSizes = array<i32: {", ".join(map(str, segments))}>'
        results = [((steps, 1, batch, hidden), x.dtype), *[((1, batch, hidden), x.dtype)] * states]
        b.emit(op, [x, *weights, *lengths], attributes, *results)

    return make


def _onnx_grad(op: str, gates: int, states: int) -> Maker:
    def make(b: Builder) -> None:
        x = b.pick(
            lambda v: v.dtype in FLOATS and len(v.shape) == 3 and 0 not in v.shape and v.is_known, FLOATS, (2, 2, 2)
        )
        (steps, batch, inputs), hidden = x.shape, b.number(*b.widths)
        there = [b.chance(2) for _ in range(2)]
        bias, y, state = (1, 2 * gates * hidden), (steps, 1, batch, hidden), (1, batch, hidden)
        kinds = [(1, gates * hidden, inputs), (1, gates * hidden, hidden), *[bias] * there[0], y, *[y] * there[1]]
        segments = [1, 1, 1, int(there[0]), 0, 0, *[0] * (2 * states - 2), 1, int(there[1]), *[0] * states]
        direction = b.choose(["forward", "reverse"])
        attributes = f'direction = "{direction}", operandSegmentSizes = array<i32: {", ".join(map(str, segments))}>'
        shapes = [x.shape, *kinds[:2], bias, *[state] * states, *[(1, 3 * hidden)] * (states - 1)]
        operands = [x, *(_fitting(b, shape, x.dtype) for shape in kinds)]
        b.emit(op, operands, attributes, *((shape, x.dtype) for shape in shapes))

    return make


RAGGED: dict[str, Maker] = {
    "dnn.gru": _gru,
    "dnn.fused_gru": _fused_gru,
    "dnn.gru_grad": _gru_grad,
    "dnn.fused_gru_grad": _fused_gru_grad,
    "dnn.multi_gru": _multi_gru,
    "dnn.gru_weight_h_to_gates": _weight_h_to_gates,
    "dnn.negate_gate": _negate_gate,
    "dnn.zero_bias": _zero_bias,
    "dnn.quantized_gru": _quantized_gru,
    "dnn.gru_weight_scale": _weights_of_fewer_bits,
    "dnn.quantize_weights": _weights_of_fewer_bits,
    "dnn.lod_to_tnc": _padded,
    "dnn.tnc_to_lod": _padded,
    "dnn.onnx_rnn": _onnx_rnn("onnx_rnn", 1, 1),
    "dnn.onnx_gru": _onnx_rnn("onnx_gru", 3, 1),
    "dnn.onnx_lstm": _onnx_rnn("onnx_lstm", 4, 2),
    "dnn.onnx_rnn_grad": _onnx_grad("onnx_rnn_grad", 1, 1),
    "dnn.onnx_gru_grad": _onnx_grad("onnx_gru_grad", 3, 1),
    "dnn.onnx_lstm_grad": _onnx_grad("onnx_lstm_grad", 4, 2),
    "dnn.crf_decoding": _crf_decoding,
}
"""How each of them is drawn, by name."""
