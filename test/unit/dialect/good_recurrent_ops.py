"""Recurrent layers on types they accept, one line each."""

from __future__ import annotations

from op_cases import BF16, INT8, data, halves, segments

LSTM_GRAD = 'activations = ["tanh", "sigmoid", "identity"], direction = "reverse", layout = 1 : i64, '
TIED = "clip = 0.5 : f32, input_forget = true, is_reverse = true, "
NUMBERED = (
    'activations = ["HardSigmoid", "Softsign", "ScaledTanh"], activation_alpha = array<f32: 0.25, 0.5>, '
    "activation_beta = array<f32: 0.5, 2.0>, "
)
BOTH = 'direction = "bidirectional", layout = 1 : i64, '

RECURRENT_OPS: list[tuple[tuple[str, ...], list[str]]] = [
    (
        ("f32", "f64"),
        [
            f"gru(7x9xT, 3x9xT, 4xi64) {segments(1, 1, 0, 0, 1)} -> 7x3xT",
            f"fused_gru(7x4xT, 4x9xT, 3x9xT, 4xi64) {segments(1, 1, 1, 0, 0, 1)} -> 7x3xT",
            f"fused_gru(7x4xT, 4x9xT, 3x3x3xT, 1x9xT, 3x3xT, 4xi64) {segments(1, 1, 1, 1, 1, 1)} -> 7x3xT",
            f"fused_gru(0x4xT, 4x9xT, 3x3x3xT, 1xi64) {segments(1, 1, 1, 0, 0, 1)} -> 0x3xT",
            f"gru_grad(0x9xT, 3x3x3xT, 1xi64, 0x3xT, 0x3xT) {segments(1, 1, 0, 0, 1, 1, 1)} -> 0x9xT, 3x3x3xT, 1x9xT",
            f"fused_gru_grad(0x4xT, 4x9xT, 3x9xT, 1xi64, 0x3xT, 0x3xT) {segments(1, 1, 1, 0, 0, 1, 1, 1)} "
            "-> 0x4xT, 4x9xT, 3x9xT, 1x9xT",
            f"fused_gru_grad(7x1xT, 1x3xT, 1x3xT, 4xi64, 7x1xT, 7x1xT) {segments(1, 1, 1, 0, 0, 1, 1, 1)} "
            "-> 7x1xT, 1x3xT, 1x3xT, 1x3xT",
            f"gru_grad(7x9xT, 3x9xT, 3x3xT, 4xi64, 7x3xT, 7x3xT) {segments(1, 1, 0, 1, 1, 1, 1)} "
            "-> 3x9xT, 1x9xT, 3x3xT",
            *(
                f"fused_gru_grad({n}x{i}xT, {i}x3xT, 1x3xT, {4 if n else 1}xi64, {n}x1xT, {n}x1xT) "
                f"{segments(1, 1, 1, 0, 0, 1, 1, 1)} -> {i}x3xT, 1x3xT, 1x3xT"
                for n, i in ((0, 4), (1, 1), (7, 4))
            ),
            *(
                line
                for more in (
                    "is_reverse = true, ",
                    "origin_mode = true, ",
                    'activation = "sigmoid", gate_activation = "tanh", ',
                    'activation = "identity", gate_activation = "relu", ',
                )
                for line in (
                    f"gru_grad(7x9xT, 3x3x3xT, 1x9xT, 3x3xT, 4xi64, 7x3xT, 7x3xT) "
                    f"{segments(1, 1, 1, 1, 1, 1, 1, more=more)} -> 7x9xT, 3x3x3xT, 1x9xT, 3x3xT",
                    f"fused_gru_grad(7x3xT, 3x9xT, 3x3x3xT, 1x9xT, 3x3xT, 4xi64, 7x3xT, 7x3xT) "
                    f"{segments(1, 1, 1, 1, 1, 1, 1, 1, more=more)} -> 7x3xT, 3x9xT, 3x3x3xT, 1x9xT, 3x3xT",
                )
            ),
            *(
                f"multi_gru(7x4xT, {halves('4x9xT, 3x9xT, 1x9xT', again)}, 4xi64) "
                f'{{layers = {layers} : i64, mode = "{mode}", origin_mode = {origin}}} -> 7x{width}xT'
                for mode, width, again, layers, origin in (
                    ("concat", 6, "", 1, "false"),
                    ("sum", 3, "", 1, "true"),
                    ("concat", 4, "6x6xT, 2x3x2xT, 1x6xT", 2, "false"),
                    ("sum", 5, "3x15xT, 5x15xT, 1x15xT", 2, "false"),
                )
            ),
            "multi_gru(7x4xT, 4x9xT, 3x3x3xT, 1x9xT, 4x9xT, 3x9xT, 1x9xT, 3x3xT, 3x3xT, 4xi64) "
            '{mode = "concat"} -> 7x6xT',
            "crf_decoding(7x3xT, 5x3xT, 4xi64) -> 7x1xi64",
            "linear_chain_crf(7x3xT, 5x3xT, 7x1xi32, 4xi64) -> 3x1xT",
            "linear_chain_crf_grad(7x3xT, 5x3xT, 7x1xi32, 4xi64, 3x1xT) -> 7x3xT, 5x3xT",
            "linear_chain_crf_grad(0x3xT, 5x3xT, 0x1xi64, 1xi64, 0x1xT) -> 0x3xT, 5x3xT",
            f"onnx_gru(5x2x4xT, 1x9x4xT, 1x9x3xT) {segments(1, 1, 1, 0, 0, 0)} -> 5x1x2x3xT, 1x2x3xT",
            *(
                f"onnx_gru({x}x4xT, 2x9x4xT, 2x9x3xT, 2x18xT, 2xi32, {h}xT) "
                f"{segments(1, 1, 1, 1, 1, 1, more=more)} -> {y}xT, {h}xT"
                for x, y, h, more in (
                    ("5x2", "5x2x2x3", "2x2x3", 'direction = "bidirectional", linear_before_reset = 1 : i64, '),
                    ("2x5", "2x5x2x3", "2x2x3", 'direction = "bidirectional", layout = 1 : i64, clip = 0.5 : f32, '),
                )
            ),
            "onnx_rnn(2x5x4xT, 2x3x4xT, 2x3x3xT, 2x6xT, 2xi32, 2x2x3xT) "
            + segments(1, 1, 1, 1, 1, 1, more='direction = "bidirectional", layout = 1 : i64, ')
            + " -> 2x5x2x3xT, 2x2x3xT",
            *(
                f"onnx_gru(5x2x4xT, 1x9x4xT, 1x9x3xT) {segments(1, 1, 1, 0, 0, 0, more=more)} -> 5x1x2x3xT, 1x2x3xT"
                for more in (
                    'activations = ["HardSigmoid", "Softsign"], ',
                    'activations = ["hardsigmoid", "Affine"], activation_alpha = array<f32: 0.25, 0.5>, '
                    "activation_beta = array<f32: 0.5, 0.25>, ",
                    'activations = ["LeakyRelu", "ScaledTanh"], activation_alpha = array<f32: 0.125, 0.5>, '
                    "activation_beta = array<f32: 2.0>, ",
                    'activations = ["Softplus", "Elu"], ',
                )
            ),
            "onnx_rnn_grad(2x5x4xT, 2x3x4xT, 2x3x3xT, 2x6xT, 2xi32, 2x2x3xT, 2x5x2x3xT, 2x5x2x3xT, 2x2x3xT) "
            + segments(*[1] * 9, more='direction = "bidirectional", layout = 1 : i64, ')
            + " -> 2x5x4xT, 2x3x4xT, 2x3x3xT, 2x6xT, 2x2x3xT",
            f"onnx_gru_grad(5x2x4xT, 1x9x4xT, 1x9x3xT, 5x1x2x3xT, 1x2x3xT) {segments(1, 1, 1, 0, 0, 0, 1, 0, 1)} "
            "-> 5x2x4xT, 1x9x4xT, 1x9x3xT, 1x18xT, 1x2x3xT",
            *(
                f"onnx_gru_grad({x}x4xT, 2x9x4xT, 2x9x3xT, 2x18xT, 2xi32, {h}xT, {y}xT, {y}xT, {h}xT) "
                f"{segments(*[1] * 9, more=more)} -> {x}x4xT, 2x9x4xT, 2x9x3xT, 2x18xT, {h}xT"
                for x, y, h, more in (
                    ("5x2", "5x2x2x3", "2x2x3", 'direction = "bidirectional", linear_before_reset = 1 : i64, '),
                    ("2x5", "2x5x2x3", "2x2x3", 'direction = "bidirectional", layout = 1 : i64, '),
                )
            ),
            *(
                "onnx_gru_grad(5x2x4xT, 1x9x4xT, 1x9x3xT, 5x1x2x3xT, 5x1x2x3xT) "
                f"{segments(1, 1, 1, 0, 0, 0, 1, 1, 0, more=more)} -> 5x2x4xT, 1x9x4xT, 1x9x3xT, 1x18xT, 1x2x3xT"
                for more in (
                    'activations = ["HardSigmoid", "Softsign"], clip = 1.5 : f32, ',
                    'activations = ["hardsigmoid", "Affine"], activation_alpha = array<f32: 0.25, 0.5>, '
                    "activation_beta = array<f32: 0.5, 0.25>, ",
                    'activations = ["LeakyRelu", "ScaledTanh"], activation_alpha = array<f32: 0.125, 0.5>, '
                    "activation_beta = array<f32: 2.0>, ",
                    'activations = ["Softplus", "Elu"], ',
                )
            ),
            "onnx_lstm_grad(5x2x4xT, 1x12x4xT, 1x12x3xT, 5x1x2x3xT, 5x1x2x3xT) "
            + segments(1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, more="clip = 0.5 : f32, input_forget = 1 : i64, ")
            + " -> 5x2x4xT, 1x12x4xT, 1x12x3xT, 1x24xT, 1x2x3xT, 1x2x3xT, 1x9xT",
            f"onnx_lstm_grad(2x5x4xT, 1x12x4xT, 1x12x3xT, 1x24xT, 2xi64, 2x1x3xT, 2x1x3xT, 1x9xT, 2x5x1x3xT, "
            f"2x5x1x3xT, 2x1x3xT, 2x1x3xT) {segments(*[1] * 12, more=LSTM_GRAD)} "
            "-> 2x5x4xT, 1x12x4xT, 1x12x3xT, 1x24xT, 2x1x3xT, 2x1x3xT, 1x9xT",
            f"onnx_lstm(5x2x4xT, 1x12x4xT, 1x12x3xT) {segments(1, 1, 1, 0, 0, 0, 0, 0)} -> 5x1x2x3xT, 1x2x3xT, 1x2x3xT",
            *(
                f"onnx_lstm(5x2x4xT, 1x12x4xT, 1x12x3xT, 1x2x3xT) {segments(*sizes, more=more)} "
                "-> 5x1x2x3xT, 1x2x3xT, 1x2x3xT"
                for sizes, more in (
                    ((1, 1, 1, 0, 0, 1, 0, 0), 'activations = ["HardSigmoid", "LeakyRelu", "Softsign"], '),
                    ((1, 1, 1, 0, 0, 0, 1, 0), 'activations = ["Elu", "Softplus", "Softsign"], clip = 0.25 : f32, '),
                )
            ),
            f"onnx_lstm(2x5x4xT, 1x12x4xT, 1x12x3xT, 1x24xT, 2xi64, 2x1x3xT, 2x1x3xT, 1x9xT) "
            f"{segments(1, 1, 1, 1, 1, 1, 1, 1, more='layout = 1 : i64, input_forget = 1 : i64, ')} "
            "-> 2x5x1x3xT, 2x1x3xT, 2x1x3xT",
        ],
    ),
    (
        ("f32",),
        [
            *(
                f"onnx_gru_training({t}x{n}x{i}xf32, 1x{3 * h}x{i}xf32, 1x{3 * h}x{h}xf32) "
                f"{segments(1, 1, 1, 0, 0, 0)} -> {t}x1x{n}x{h}xf32, 1x{n}x{h}xf32, 1x{kept}xi8"
                for t, n, i, h, kept in ((5, 2, 4, 3, 384), (0, 2, 4, 3, 0), (5, 0, 4, 3, 0), (1, 1, 1, 1, 64))
            ),
            *(
                f"onnx_lstm_training({t}x{n}x{i}xf32, 1x{4 * h}x{i}xf32, 1x{4 * h}x{h}xf32) "
                f"{segments(1, 1, 1, 0, 0, 0, 0, 0)} "
                f"-> {t}x1x{n}x{h}xf32, 1x{n}x{h}xf32, 1x{n}x{h}xf32, 1x{kept}xi8"
                for t, n, i, h, kept in ((5, 2, 4, 3, 640), (0, 2, 4, 3, 0), (5, 0, 4, 3, 0), (1, 1, 1, 1, 64))
            ),
            "onnx_gru_training(2x5x4xf32, 2x9x4xf32, 2x9x3xf32, 2x18xf32, 2x2x3xf32) "
            + segments(1, 1, 1, 1, 0, 1, more=BOTH + "linear_before_reset = 1 : i64, ")
            + " -> 2x5x2x3xf32, 2x2x3xf32, 2x512xi8",
            "onnx_lstm_training(2x5x4xf32, 2x12x4xf32, 2x12x3xf32, 2x24xf32, 2x2x3xf32, 2x2x3xf32) "
            + segments(1, 1, 1, 1, 0, 1, 1, 0, more=BOTH)
            + " -> 2x5x2x3xf32, 2x2x3xf32, 2x2x3xf32, 2x640xi8",
            *(
                f"onnx_gru_training_grad({t}x{n}x4xf32, 1x9x4xf32, 1x9x3xf32, {t}x1x{n}x3xf32, 1x{kept}xi8, "
                f"1x{n}x3xf32) {segments(1, 1, 1, 0, 0, 1, 1, 0, 1)} "
                f"-> {t}x{n}x4xf32, 1x9x4xf32, 1x9x3xf32, 1x18xf32, 1x{n}x3xf32, 1x{kept}xi8"
                for t, n, kept in ((5, 2, 384), (0, 2, 0), (5, 0, 0), (1, 1, 64))
            ),
            *(
                f"onnx_lstm_training_grad({t}x{n}x4xf32, 1x12x4xf32, 1x12x3xf32, {t}x1x{n}x3xf32, 1x{kept}xi8, "
                f"1x{n}x3xf32) {segments(1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0)} "
                f"-> 1x12x4xf32, 1x12x3xf32, 1x24xf32, 1x{n}x3xf32, 1x{n}x3xf32, 1x{kept}xi8"
                for t, n, kept in ((5, 2, 640), (0, 2, 0), (5, 0, 0), (1, 1, 64))
            ),
            "onnx_lstm_training_grad(2x5x4xf32, 2x12x4xf32, 2x12x3xf32, 2x24xf32, 2x2x3xf32, 2x2x3xf32, 2x5x2x3xf32, "
            f"2x640xi8, 2x5x2x3xf32, 2x2x3xf32, 2x2x3xf32) {segments(*[1] * 11, more=BOTH)} "
            "-> 2x5x4xf32, 2x12x4xf32, 2x12x3xf32, 2x24xf32, 2x2x3xf32, 2x2x3xf32, 2x640xi8",
            *(
                f"dynamic_lstm({t}x{n}x{4 * h}xf32, {h}x{4 * h}xui8, f32) {segments(1, 1, 1, 0, 0, 0, 0, 0)} "
                f"-> {t}x{n}x{h}xf32, {n}x{h}xf32, {n}x{h}xf32"
                for t, n, h in ((5, 2, 3), (0, 2, 3), (5, 0, 3), (3, 2, 0), (1, 1, 1), (3, 1, 150), (2, 20, 40))
            ),
            f"dynamic_lstm(6x3x20xf32, 5x20xi8, 20xf32, 20xi8, 15xf32, 3xi32, 3x5xf32, 3x5xf32) "
            f"{segments(*[1] * 8, more=TIED)} -> 6x3x5xf32, 3x5xf32, 3x5xf32",
            f"dynamic_lstm(4x2x80xf32, 3072xui8, 1xf32, 1xui8, 2xi64, 2x20xf32) "
            f"{segments(1, 1, 1, 1, 0, 1, 0, 1, more='packed = array<i64: 20, 80>, ')} "
            "-> 4x2x20xf32, 2x20xf32, 2x20xf32",
            f"dynamic_lstm(4x2x12xf32, 512xi8, 12xf32, 9xf32, 2x3xf32) "
            f"{segments(1, 1, 1, 0, 1, 0, 1, 0, more='packed = array<i64: 3, 12>, ')} -> 4x2x3xf32, 2x3xf32, 2x3xf32",
            f"dynamic_lstm(4x2x12xf32, 3x12xi8, f32) "
            f"{segments(1, 1, 1, 0, 0, 0, 0, 0, more=NUMBERED)} -> 4x2x3xf32, 2x3xf32, 2x3xf32",
            f"quantized_gru(7x4xf32, {INT8}, 4xi64) {{{data(1)}, reverse = [true]}} -> 7x3xf32",
            f"quantized_gru(7x4xf32, {BF16}, {BF16}, 3x3xf32, 3x3xf32, 4xi64) "
            '{mode = "sum", reverse = [false, true]} -> 7x3xf32',
            f"quantized_gru(7x4xf32, {INT8}, {INT8}, {INT8.replace('4x9', '6x9')}, {INT8.replace('4x9', '6x9')}, "
            f'4xi64) {{{data(2)}, layers = 2 : i64, mode = "concat", reverse = [true, false]}} -> 7x6xf32',
        ],
    ),
]
