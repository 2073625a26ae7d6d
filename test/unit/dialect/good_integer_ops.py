"""Products and convolutions of small integers, one line each."""

from __future__ import annotations

from op_cases import segments

INTEGER_OPS: list[tuple[tuple[str, ...], list[str]]] = [
    (
        ("i8",),
        [
            *(
                f"matmul_integer({a}x{p}, {b}x{q}) {segments(1, 1, 0, 0)} -> {y}"
                for p, q in (("ui8", "i8"), ("i8", "ui8"), ("ui8", "ui8"))
                for a, b, y in (
                    ("2x3", "3x4", "2x4xi32"),
                    ("3", "3x4", "4xi32"),
                    ("2x3", "3", "2xi32"),
                    ("3", "3", "i32"),
                )
            ),
            f"matmul_integer(2x1x70x600xui8, 3x600x300xi8, 2x1x70x1xui8, 300xi8) {segments(1, 1, 1, 1)}"
            " -> 2x3x70x300xi32",
            f"matmul_integer(2x3xi8, 3x4xi8, 2xi8) {segments(1, 1, 1, 0)} -> 2x4xi32",
            f"matmul_integer(2x3xi8, 3x4xi8, i8) {segments(1, 1, 0, 1)} -> 2x4xi32",
            f"matmul_integer(2x0xi8, 0x4xi8) {segments(1, 1, 0, 0)} -> 2x4xi32",
            f"conv_integer(1x4x7x6xui8, 6x2x3x2xui8, ui8, 6xui8) {segments(1, 1, 1, 1, more='group = 2 : i64, ')}"
            " -> 1x6x5x5xi32",
            f"conv_integer(2x40x70xi8, 70x40x3xi8, 1xi8) {segments(1, 1, 1, 0, more='pads = array<i64: 2, 0>, ')}"
            " -> 2x70x70xi32",
            f"conv_integer(1x1x3x3xui8, 1x1x2x2xui8) {segments(1, 1, 0, 0)} -> 1x1x2x2xi32",
            f"conv_integer(0x1x3x3xui8, 1x1x2x2xui8) {segments(1, 1, 0, 0)} -> 0x1x2x2xi32",
            "qlinear_conv(1x2x7x7xui8, f32, ui8, 3x2x3x3xui8, f32, ui8, f32, ui8) "
            "{strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>} -> 1x3x3x3xui8",
            "qlinear_conv(1x2x7x7xi8, f32, i8, 3x2x2x3xi8, 3xf32, 3xi8, f32, i8) "
            '{auto_pad = "SAME_UPPER"} -> 1x3x7x7xi8',
            "qlinear_matmul(2x3xi8, 2xf32, 2xi8, 3x4xi8, 4xf32, 4xi8, 2xf32, 2xui8) -> 2x4xui8",
            "qlinear_matmul(5x2x3xui8, f16, ui8, 3x4xui8, f16, ui8, f16, ui8) -> 5x2x4xui8",
            "qlinear_matmul(2x3xi8, f32, i8, 3x4xi8, 4xf32, 4xi8, f32, ui8, 4xi32) -> 2x4xui8",
            "qlinear_conv(1x7x6x4xui8, f32, ui8, 6x3x2x2xi8, 6xf32, 6xi8, f32, i8, 6xi32) "
            "{channels_last = true, group = 2 : i64} -> 1x5x5x6xi8",
            f"conv_integer(0x3x3x1xui8, 1x2x2x1xui8) {segments(1, 1, 0, 0, more='channels_last = true, ')} "
            "-> 0x2x2x1xi32",
            "qlinear_matmul(3xui8, f32, ui8, 3x4xi8, f32, i8, f32, i8) -> 4xi8",
        ],
    ),
]
