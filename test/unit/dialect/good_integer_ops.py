"""Products and convolutions of small integers, one line each."""

from __future__ import annotations

from op_cases import segments

_PACKED = "channels_last = true, group = 2 : i64, packed = array<i64: 6, 3, 2, 2>, "

BLOCKWISE_PRODUCTS = [
    f"blockwise_matmul({operands}) "
    f"{{bits = {bits} : i64, block_size = {block} : i64, columns = {columns} : i64}} -> {y}"
    for bits, block, columns, operands, y in (
        (4, 2, 5, "2x3x4xf32, 1x4x32xui8, 1x2x64xf32", "2x3x5xf32"),
        (8, 128, 130, "60x401xf32, 3x401x64xui8, 3x4x64xf32, 3x4x64xui8", "60x130xf32"),
        (4, 32, 130, "37x401xf32, 3x401x32xui8, 3x13x64xf32, 3x13x64xf32", "37x130xf32"),
        (4, 16, 64, "1x200xf32, 1x200x32xui8, 1x13x64xf32", "1x64xf32"),
        (8, 16, 4, "0x3xf32, 1x3x64xui8, 1x1x64xf32", "0x4xf32"),
        (4, 16, 4, "2x0xf32, 1x0x32xui8, 1x0x64xf32", "2x4xf32"),
        (4, 16, 0, "2x3xf32, 0x3x32xui8, 0x1x64xf32", "2x0xf32"),
    )
]

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
            f"matmul_integer(2x5xui8, 192xui8, ui8) {segments(1, 1, 1, 0, more='packed = array<i64: 5, 4>, ')}"
            " -> 2x4xi32",
            f"matmul_integer(30x70xi8, 3648xi8, i8, 33xi8) {segments(1, 1, 1, 1, more='packed = array<i64: 70, 33>, ')}"
            " -> 30x33xi32",
            "qlinear_matmul(3x2x3xi8, f32, i8, 128xui8, 4xf32, 4xui8, f32, ui8) {packed = array<i64: 3, 4>}"
            " -> 3x2x4xui8",
            "qlinear_conv(1x7x6x4xui8, f32, ui8, 512xi8, 6xf32, 6xi8, f32, i8, 6xi32) "
            "{channels_last = true, group = 2 : i64, packed = array<i64: 6, 3, 2, 2>} -> 1x5x5x6xi8",
            "qlinear_conv(2x9x8x40xui8, f32, ui8, 40x3x2x1xi8, 40xf32, 40xi8, f32, ui8, 40xi32) "
            "{channels_last = true, group = 40 : i64, pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 1>} "
            "-> 2x5x8x40xui8",
            f"conv_integer(1x5x5x3xi8, 3x2x2x1xui8, i8) "
            f"{segments(1, 1, 1, 0, more='channels_last = true, group = 3 : i64, ')} -> 1x4x4x3xi32",
            "qlinear_add(2x3xui8, f32, ui8, 2x3xi8, f32, i8, f32, i8) -> 2x3xi8",
            "qlinear_add(70x90xui8, 1xf32, ui8, 70x90xui8, f32, ui8, f32, ui8) -> 70x90xui8",
            "qlinear_add(90xi8, f32, i8, 70x90xui8, f32, ui8, f32, ui8) -> 70x90xui8",
            "qlinear_add(2x1xui8, f32, ui8, 2x3xui8, f32, ui8, f32, ui8) -> 2x3xui8",
            "qlinear_add(0x3xui8, f32, ui8, 3xui8, f32, ui8, f32, ui8) -> 0x3xui8",
            "qlinear_add(2x3xui8, f32, ui8, 3xi8, f32, i8, f32, ui8) -> 2x3xui8",
            "qlinear_add(70x90xui8, f32, ui8, ui8, f32, ui8, f32, ui8) -> 70x90xui8",
            "qlinear_add(1x1x9xi8, f32, i8, 3x5x40x9xi8, f32, i8, f32, ui8) -> 3x5x40x9xui8",
            "qlinear_add(3x5x7x300xi8, f32, i8, 3x1x1x300xi8, f32, i8, f32, i8) -> 3x5x7x300xi8",
            "qlinear_add(6xui8, f32, ui8, 1x1x6xui8, f32, ui8, f32, ui8) -> 1x1x6xui8",
            "qlinear_add(2x3xui8, f32, ui8, 2x3xi8, f32, i8, f32, i8) {in_steps = true} -> 2x3xi8",
            "qlinear_add(70x90xui8, f32, ui8, 90xui8, 1xf32, ui8, f32, ui8) {in_steps = true} -> 70x90xui8",
            "qlinear_add(2x1xui8, f32, ui8, 2x3xui8, f32, ui8, f32, ui8) {in_steps = true} -> 2x3xui8",
            "byte_table(2x3xui8, 256xi8) -> 2x3xi8",
            "byte_table(70x900xi8, 256xi8) -> 70x900xi8",
            "byte_table(i8, 256xui8) -> ui8",
            "byte_table(0x3xui8, 256xui8) -> 0x3xui8",
            "byte_table(2x3x5xui8, 3x256xi8) -> 2x3x5xi8",
            "byte_table(2x3x7x50xi8, 3x256xi8) -> 2x3x7x50xi8",
            "byte_table(3x20x30x70xi8, 70x256xui8) {axis = 3 : i64} -> 3x20x30x70xui8",
            "byte_table(2x9x70x4xui8, 70x256xui8) {axis = -2 : i64} -> 2x9x70x4xui8",
            "byte_table(0x3xui8, 3x256xui8) -> 0x3xui8",
            f"scaled_matmul_integer(2x3xui8, 3x4xi8, f32) {segments(1, 1, 1, 0, 0, 0, 0)} -> 2x4xf32",
            f"scaled_matmul_integer(20x30xui8, 1152xi8, f32, 20xf32, ui8, 20xi8, 20xf32) "
            f"{segments(1, 1, 1, 1, 1, 1, 1, more='packed = array<i64: 30, 20>, ')} -> 20x20xf32",
            "qlinear_matmul(3xui8, f32, ui8, 3x4xi8, f32, i8, f32, i8) -> 4xi8",
            f"scaled_matmul_integer(20x30xui8, 30x37xi8, f32, 1xf32) "
            f"{segments(1, 1, 1, 1, 0, 0, 0, more='min = -1.5 : f32, max = 900.0 : f32, ')} -> 20x37xf32",
            f"scaled_conv_integer(1x4x7x6xui8, 6x2x3x2xui8, f32, 6x1x1xf32, ui8, 6xui8, 1x6x1x1xf32) "
            f"{segments(1, 1, 1, 1, 1, 1, 1, more='group = 2 : i64, min = 0.0 : f32, ')} -> 1x6x5x5xf32",
            f"scaled_conv_integer(2x40x70xi8, 70x40x3xi8, 1xf32, 1xi8, 1xf32) "
            f"{segments(1, 1, 1, 0, 1, 0, 1, more='pads = array<i64: 2, 0>, max = 60.0 : f32, ')} -> 2x70x70xf32",
            f"scaled_conv_integer(2x9x8x40xui8, 40x3x2x1xi8, f32, 40xf32, ui8, 40xi8, 1x1x40xf32) "
            f"{segments(1, 1, 1, 1, 1, 1, 1, more='channels_last = true, group = 40 : i64, min = -2.0 : f32, ')} "
            "-> 2x7x7x40xf32",
            f"scaled_conv_integer(1x7x6x4xi8, 512xi8, f32, f32, 6xf32) "
            f"{segments(1, 1, 1, 1, 0, 0, 1, more=_PACKED)} -> 1x5x5x6xf32",
            f"scaled_conv_integer(2x9x9x12xui8, 33x3x3x12xi8, f32, ui8, 33xi8, 33xf32) "
            f"{segments(1, 1, 1, 0, 1, 1, 1, more='channels_last = true, min = 0.0 : f32, max = 6.0 : f32, ')} "
            "-> 2x7x7x33xf32",
            f"scaled_conv_integer(1x5x5x8xui8, 32x3x3x8xi8, f32) "
            f"{segments(1, 1, 1, 0, 0, 0, 0, more='channels_last = true, ')} -> 1x3x3x32xf32",
            f"scaled_conv_integer(1x3x61x4xui8, 2x1x20x4xui8, f32, 2xf32, ui8, 2xui8, 1x1x2xf32) "
            f"{segments(1, 1, 1, 1, 1, 1, 1, more='channels_last = true, min = -2.0 : f32, ')} -> 1x3x42x2xf32",
            f"scaled_conv_integer(1x1x3x61xui8, 2x1x1x20xui8, f32, 2x1x1xf32, ui8, 2xui8, 2x1x1xf32) "
            f"{segments(1, 1, 1, 1, 1, 1, 1)} -> 1x2x3x42xf32",
            "qlinear_conv(1x3x61x4xui8, f32, ui8, 3x2x20x4xi8, 3xf32, 3xi8, f32, ui8, 3xi32) "
            "{channels_last = true, pads = array<i64: 1, 4, 0, 4>} -> 1x3x50x3xui8",
            "qlinear_conv(1x1x3x61xi8, f32, i8, 3x1x2x20xui8, 3xf32, 3xui8, f32, i8, 3xi32) -> 1x3x2x42xi8",
            f"scaled_conv_integer(0x1x3x3xui8, 1x1x2x2xui8, f32) {segments(1, 1, 1, 0, 0, 0, 0)} -> 0x1x2x2xf32",
        ],
    ),
]

_LAST, _AROUND = ", channels_last = true", ", pads = array<i64: 1, 1, 1, 1>"
WIDE_CONVOLUTIONS = [
    f"conv_integer({line} {{channels_last = true, operandSegmentSizes = array<i32: 1, 1, {zeros}>{more}}} -> {y}"
    for line, zeros, more, y in (
        ("2x9x130x8xui8, 24x3x3x8xi8, ui8)", "1, 0", ", pads = array<i64: 1, 1, 1, 1>", "2x9x130x24xi32"),
        ("2x9x260x4xui8, 33x3x3x4xui8)", "0, 0", ", strides = array<i64: 2, 2>", "2x4x129x33xi32"),
        ("1x9x130x12xui8, 16x2x1x12xi8)", "0, 0", ", dilations = array<i64: 3, 1>", "1x6x130x16xi32"),
        ("1x9x130x4xui8, 16x3x2x4xi8, ui8, i8)", "1, 1", "", "1x7x129x16xi32"),
        ("1x9x130x4xi8, 16x3x2x4xi8)", "0, 0", "", "1x7x129x16xi32"),
        ("1x300x12xui8, 7x3x12xi8)", "0, 0", ", strides = array<i64: 2>", "1x149x7xi32"),
        ("1x4x5x110x4xui8, 7x2x2x2x4xi8)", "0, 0", "", "1x3x4x109x7xi32"),
    )
]
"""Convolutions of rows that are longer than a chunk of the runtime's kernel."""

SHIFTED_CONVOLUTIONS = [
    f"conv_integer({line} {{operandSegmentSizes = array<i32: 1, 1, {zeros}>{more}}} -> {y}"
    for line, zeros, more, y in (
        ("1x1x700x1xui8, 1x1x256x1xui8, ui8, ui8)", "1, 1", f"{_LAST}, strides = array<i64: 1, 2>", "1x1x223x1xi32"),
        ("2x700x1xi8, 2x31x1xui8, i8, 2xui8)", "1, 1", f"{_LAST}, strides = array<i64: 3>", "2x224x2xi32"),
        ("1x1x700xi8, 3x1x40xui8, i8, 3xui8)", "1, 1", "", "1x3x661xi32"),
        ("2x1x100x70xui8, 20x1x3x3xi8, ui8)", "1, 0", _AROUND, "2x20x100x70xi32"),
        ("2x5x61x8xui8, 1x3x5x8xui8, ui8, ui8)", "1, 1", f"{_LAST}, pads = array<i64: 1, 2, 1, 2>", "2x5x61x1xi32"),
        (
            "1x5x66x8xui8, 8x3x39x8xui8, ui8, 8xui8)",
            "1, 1",
            f"{_LAST}, pads = array<i64: 1, 19, 1, 19>",
            "1x5x66x8xi32",
        ),
        ("2x9x40x3xi8, 12x3x3x3xui8, i8, 12xui8)", "1, 1", _LAST + _AROUND, "2x9x40x12xi32"),
        ("1x9x40x8xui8, 6x3x3x4xui8, ui8, 6xui8)", "1, 1", f"{_LAST}, group = 2 : i64", "1x7x38x6xi32"),
        (
            "1x6x9x40xi8, 4x3x3x3xui8, i8, ui8)",
            "1, 1",
            ", group = 2 : i64, pads = array<i64: 1, 0, 1, 0>",
            "1x4x9x38xi32",
        ),
        ("2x4x9x40xui8, 1x4x2x9xi8)", "0, 0", ", dilations = array<i64: 3, 1>", "2x1x6x32xi32"),
        ("1x3x4x5x40xui8, 2x3x2x2x9xui8, ui8, ui8)", "1, 1", "", "1x2x3x4x32xi32"),
    )
]
"""Convolutions of which the runtime's kernel makes several places with one row, or whose weights it fills up."""

CHANNEL_CONVOLUTIONS = [
    *(
        f"conv_integer({line} {{operandSegmentSizes = array<i32: 1, 1, {zeros}>{more}}} -> {y}"
        for line, zeros, more, y in (
            ("1x40x119x1xi8, 40x1x20x1xi8, i8)", "1, 0", ", group = 40 : i64", "1x40x100x1xi32"),
            ("2x17x9x8xui8, 17x1x3x2xui8, ui8, 17xui8)", "1, 1", f", group = 17 : i64{_AROUND}", "2x17x9x9xi32"),
            ("2x3x300xui8, 3x1x5xi8)", "0, 0", ", group = 3 : i64, strides = array<i64: 2>", "2x3x148xi32"),
            ("1x3x1x140xi8, 3x1x1x4xi8)", "0, 0", ", group = 3 : i64, dilations = array<i64: 1, 2>", "1x3x1x134xi32"),
            ("1x2x4x5x6xi8, 2x1x2x2x2xi8)", "0, 0", ", group = 2 : i64", "1x2x3x4x5xi32"),
            ("1x70x1x4xui8, 8x70x20x1xi8, ui8)", "1, 0", ", pads = array<i64: 10, 0, 10, 0>", "1x8x2x4xi32"),
            ("1x4x61x1xui8, 3x4x5x1xi8, ui8)", "1, 0", ", pads = array<i64: 2, 0, 2, 1>", "1x3x61x2xi32"),
            ("1x61x1x4xui8, 3x5x1x4xi8, ui8)", "1, 0", f"{_LAST}, pads = array<i64: 2, 0, 2, 0>", "1x61x1x3xi32"),
        )
    ),
    "qlinear_conv(1x20x119x1xi8, f32, i8, 20x1x20x1xi8, 20xf32, 20xi8, f32, i8, 20xi32) {group = 20 : i64} "
    "-> 1x20x100x1xi8",
    f"scaled_conv_integer(2x9x9x70xui8, 9x1x3x1xi8, f32, ui8, 9xi8, 9x1x1xf32) "
    f"{segments(1, 1, 1, 0, 1, 1, 1, more='group = 9 : i64, min = 0.0 : f32, ')} -> 2x9x7x70xf32",
]
"""Convolutions of each channel whose channels are second, and along one axis of several."""
