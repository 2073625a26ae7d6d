"""Recurrent layers in training, and their gradients, on what they must refuse."""

from __future__ import annotations

from op_cases import Bad, segments

GRU = "5x2x4xf32, 1x9x4xf32, 1x9x3xf32"
BYTE_LSTM_RESULTS = "5x2x3xf32, 2x3xf32, 2x3xf32"
LSTM = "5x2x4xf32, 1x12x4xf32, 1x12x3xf32"

BAD_RECURRENT = [
    *(
        Bad(f"onnx_gru_training({types}) {segments(1, 1, 1, *rest, more=more)} -> {y}, 1x384xi8", reason)
        for types, rest, more, y, reason in (
            (GRU.replace("f32", "f64"), (0, 0, 0), "", "5x1x2x3xf64, 1x2x3xf64", "elements are not f32"),
            (f"{GRU}, 2xi32", (0, 1, 0), "", "5x1x2x3xf32, 1x2x3xf32", "there are sequence_lens"),
            (GRU, (0, 0, 0), "clip = 1.0 : f32, ", "5x1x2x3xf32, 1x2x3xf32", "there is a clip"),
            (
                GRU,
                (0, 0, 0),
                'activations = ["Relu", "Tanh"], ',
                "5x1x2x3xf32, 1x2x3xf32",
                "there are other activations",
            ),
            ("5x2x0xf32, 1x9x0xf32, 1x9x3xf32", (0, 0, 0), "", "5x1x2x3xf32, 1x2x3xf32", "or one is 0"),
            ("5x2x4xf32, 1x9x5xf32, 1x9x3xf32", (0, 0, 0), "", "5x1x2x3xf32, 1x2x3xf32", "last axis of w is 5"),
            (f"{GRU}, 1x3x3xf32", (0, 0, 1), "", "5x1x2x3xf32, 1x2x3xf32", "initial_h is 3, it must be 2"),
            (GRU, (0, 0, 0), "linear_before_reset = 1 : i64, ", "5x1x2x3xf32, 1x2x3xf32", "1x512xi8"),
        )
    ),
    *(
        Bad(
            f"onnx_lstm_training({LSTM}{types}) {segments(1, 1, 1, 0, 0, *rest, more=more)} "
            f"-> 5x1x2x3xf32, 1x2x3xf32, 1x2x3xf32, {workspace}",
            reason,
        )
        for types, rest, more, workspace, reason in (
            (", 1x2x3xf32", (1, 0, 0), "", "1x640xi8", "there is one initial state of two"),
            (", 1x2x3xf32", (0, 1, 0), "", "1x640xi8", "there is one initial state of two"),
            (", 1x9xf32", (0, 0, 1), "", "1x640xi8", "there are peepholes"),
            ("", (0, 0, 0), "input_forget = 1 : i64, ", "1x640xi8", "or input_forget"),
            ("", (0, 0, 0), "", "1x576xi8", "1x640xi8"),
            ("", (0, 0, 0), "", "1x640xui8", "1x640xi8"),
        )
    ),
    *(
        Bad(
            f"onnx_gru_training_grad({types}) {segments(1, 1, 1, 0, 0, 1, 1, 1, 0, more=more)} "
            "-> 5x2x4xf32, 1x9x4xf32, 1x9x3xf32, 1x18xf32, 1x2x3xf32, 1x384xi8",
            reason,
        )
        for types, more, reason in (
            (f"{GRU}, 5x1x2x3xf32, 1x320xi8, 5x1x2x3xf32", "", "last axis of workspace is 320, it must be 384"),
            (f"{GRU}, 5x1x2x3xf32, 2x384xi8, 5x1x2x3xf32", "", "first axis of workspace is 2, it must be 1"),
            (f"{GRU}, 5x1x2x3xf32, 1x384xf32, 5x1x2x3xf32", "", "workspace has element type f32"),
            (f"{GRU}, 5x1x3x3xf32, 1x384xi8, 5x1x2x3xf32", "", "of y is 3, it must be 2"),
            (f"{GRU}, 5x1x2x3xf32, 1x384xi8, 5x1x2x4xf32", "", "y_gradient is 4, it must be 3"),
            (f"{GRU}, 5x1x2x3xf32, 1x384xi8, 5x1x2x3xf32", "layout = 2 : i64, ", "layout is 2"),
            (f"{GRU}, 5x1x2x3xf32, 1x384xi8, 5x1x2x3xf32", "linear_before_reset = 1 : i64, ", "it must be 512"),
            (
                f"{GRU}, 5x1x2x3xf32, 1x384xi8, 5x1x2x3xf32".replace("f32", "f64"),
                "",
                "x has element type f64, it must be f32",
            ),
        )
    ),
    *(
        Bad(
            f"onnx_lstm_training_grad({LSTM}{types}) {segments(1, 1, 1, 0, *rest, 1, 1, 1, 0, 0)} "
            "-> 5x2x4xf32, 1x12x4xf32, 1x12x3xf32, 1x24xf32, 1x2x3xf32, 1x2x3xf32, 1x640xi8",
            reason,
        )
        for types, rest, reason in (
            (
                ", 1x2x3xf32, 5x1x2x3xf32, 1x640xi8, 5x1x2x3xf32",
                (1, 0),
                "there must be both initial states, or none",
            ),
            (", 5x1x2x3xf32, 1x384xi8, 5x1x2x3xf32", (0, 0), "workspace is 384, it must be 640"),
        )
    ),
    *(
        Bad(f"dynamic_lstm({types}) {segments(1, 1, 1, *rest, more=more)} -> {BYTE_LSTM_RESULTS}", reason)
        for types, rest, more, reason in (
            ("5x2x12xf32, 3x12xf32, f32", (0, 0, 0, 0, 0), "", "r has element type f32"),
            ("5x2x13xf32, 3x12xi8, f32", (0, 0, 0, 0, 0), "", "last axis of x is 13, it must be 12"),
            ("5x2x12xf64, 3x12xi8, f32", (0, 0, 0, 0, 0), "", "x has element type f64"),
            ("5x2x12xf32, 3x11xi8, f32", (0, 0, 0, 0, 0), "", "last axis of r is 11, it must be 12"),
            ("5x2x12xf32, 3x12xi8, 3xf32", (0, 0, 0, 0, 0), "", "axis of r_scale is 3, it must be 12"),
            ("5x2x12xf32, 3x12xi8, f64", (0, 0, 0, 0, 0), "", "r_scale has element type f64"),
            ("5x2x12xf32, 3x12xi8, f32, ui8", (1, 0, 0, 0, 0), "", "r_zero_point has element type ui8"),
            ("5x2x12xf32, 3x12xi8, f32, 12xf32", (0, 1, 0, 0, 0), "", "axis of p is 12, it must be 9"),
            ("5x2x12xf32, 3x12xi8, f32, 2xf32", (0, 0, 1, 0, 0), "", "sequence_lens has element type f32"),
            ("5x2x12xf32, 3x12xi8, f32, 3x3xf32", (0, 0, 0, 1, 0), "", "first axis of initial_h is 3, it must be 2"),
            ("5x2x12xf32, 3x12xi8, f32, 2x4xf32", (0, 0, 0, 0, 1), "", "last axis of initial_c is 4, it must be 3"),
            ("5x2x12xf32, 511xi8, f32", (0, 0, 0, 0, 0), "packed = array<i64: 3, 12>, ", "have 512 elements"),
            ("5x2x12xf32, 512xi8, f32", (0, 0, 0, 0, 0), "packed = array<i64: 3, 11>, ", "not 3 rows and 11"),
            ("5x2x12xf32, 3x12xi8, f32", (0, 0, 0, 0, 0), "clip = -1.0 : f32, ", "clip is -1.0"),
            ("5x2x12xf32, 3x12xi8, f32", (0, 0, 0, 0, 0), 'activations = ["Tanh"], ', "there are 1 activations"),
        )
    ),
    Bad(
        f"fused_gru_grad(7x4xf32, 4x9xf32, 3x9xf32, 3xi64, 7x3xf32, 7x3xf32) {segments(1, 1, 1, 0, 0, 1, 1, 1)} "
        "-> 3x9xf32, 1x9xf32",
        "has 4 results, 2 are given",
    ),
    *(
        Bad(f"fused_gru_grad({types}) {segments(1, 1, 1, *rest, 1, 1, 1, more=more)} -> {results}", reason)
        for types, rest, more, results, reason in (
            (
                "7x4xf32, 4x9xf32, 3x9xf32, 3x3xf32, 3xi64, 7x3xf32, 7x3xf32",
                (0, 1),
                "",
                "7x4xf32, 4x9xf32, 3x9xf32, 1x9xf32, 3x3xf32",
                "first axis of h0 is 3, it must be 2",
            ),
            (
                "7x4xf32, 4x9xf32, 3x9xf32, 3xi64, 6x3xf32, 7x3xf32",
                (0, 0),
                "",
                "7x4xf32, 4x9xf32, 3x9xf32, 1x9xf32",
                "first axis of hidden is 6, it must be 7",
            ),
            (
                "7x4xf32, 4x9xf32, 3x9xf32, 3xi64, 7x3xf32, 7x3xf32",
                (0, 0),
                'activation = "elu", ',
                "7x4xf32, 4x9xf32, 3x9xf32, 1x9xf32",
                "activation is 'elu'",
            ),
        )
    ),
]
