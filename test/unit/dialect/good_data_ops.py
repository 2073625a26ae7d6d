"""Ops that move elements of any type, one line each."""

from __future__ import annotations

from op_cases import ANY

DATA_OPS: list[tuple[tuple[str, ...], list[str]]] = [
    (
        ANY,
        [
            "reduce_max(3x0x5xT) {axes = array<i64: 1>} -> 3x5xT",
            "reduce_min(3x0x5xT) {axes = array<i64: 1>, keepdims = true} -> 3x1x5xT",
            "reduce_max(3x4xT) -> T",
            "reduce_min(3x4xT) -> T",
            "where(4xi1, 3x1xT, T) -> 3x4xT",
            "masked_fill(3x4xT, 4xi1) {value = 1 : i64} -> 3x4xT",
            "fill(3x4xT) {value = 1 : i64} -> 3x4xT",
            "zeros() -> 3x4xT",
            "ones(3x4xT) -> 12xT",
            *(f"cast(3x4xT) -> 3x4x{to}" for to in ANY),
            "gather(5x4xT, 2x3xi64) -> 2x3x4xT",
            "gather(4x5xT, 2x3xi32) {axis = -1 : i64} -> 4x2x3xT",
            "gather(5x4xT, i64) -> 4xT",
            "reshape(2x3x4xT) {shape = array<i64: 0, -1>} -> 2x12xT",
            "reshape(T) -> 1x1xT",
            "reshape(0x3xT) -> 3x0xT",
            *(f"flatten(2x3x4xT) {{axis = {a} : i64}} -> {s}xT" for a, s in ((0, "1x24"), (-1, "6x4"), (3, "24x1"))),
            "multiout(2x3xT) -> 2x3xT, 2x3xT, 2x3xT",
            "keep() -> ",
            "keep(2x3xT, 0xT, T) -> ",
            "expand(3x1xT) -> 2x3x4xT",
            "expand(1x4xT) -> 1x4xT",
            "reshape(0x3xT) {allowzero = 1 : i64, shape = array<i64: 3, 0>} -> 3x0xT",
            "reshape(2x3xT) {allowzero = true, shape = array<i64: 3, -1>} -> 3x2xT",
            "squeeze(2x1x3x1xT) -> 2x3xT",
            "squeeze(2x1x3x1xT) {axes = array<i64: -1>} -> 2x1x3xT",
            "squeeze(1x1xT) {axes = array<i64: 1, 0>} -> T",
            "unsqueeze(T) {axes = array<i64: 0, 1>} -> 1x1xT",
            "unsqueeze(2x3xT) {axes = array<i64: -1, 0>} -> 1x2x3x1xT",
            "unsqueeze(2x3xT) {axes = array<i64: 2, 1>} -> 2x1x1x3xT",
            "expand(3x1xT) {shape = array<i64: 2, 1, 4>} -> 2x3x4xT",
            "expand(2x3x4xT) {shape = array<i64: 1>} -> 2x3x4xT",
            "expand(1xT) {shape = array<i64: 0>} -> 0xT",
            "tile(2x3xT) {repeats = array<i64: 2, 3>} -> 4x9xT",
            "tile(T) {repeats = array<i64>} -> T",
            "tile(2x3x2xT) {repeats = array<i64: 1, 0, 4>} -> 2x0x8xT",
            "shape(2x3x4xT) {start = -2 : i64} -> 2xi64",
            "shape(2x3x4xT) {end = 9 : i64, start = 2 : i64} -> 1xi64",
            "shape(2x3x4xT) {end = 1 : i64, start = 2 : i64} -> 0xi64",
            "size(T) -> i64",
            "size(2x0xT) -> i64",
            *(f"eye_like(3x5xT) {{k = {k} : i64}} -> 3x5xT" for k in (-2, 0, 4, 9, -9, 1 << 62)),
            f"eye_like(3x5xT) {{k = {-(1 << 80)} : i256}} -> 3x5xT",
            "eye_like(3x3xi32) {dtype = T} -> 3x3xT",
            *(
                f"trilu({shape}xT) {{k = {k} : i64, upper = {upper} : i64}} -> {shape}xT"
                for upper in (0, 1)
                for shape, k in (("3x5", 0), ("2x5x3", 1), ("4x4", -2), ("3x3", 7), ("3x3", -7), ("2x3", -1 << 63))
            ),
            "gather_elements(3x4xT, 2x4xi64) -> 2x4xT",
            "gather_elements(3x4xT, 3x7xi32) {axis = -1 : i64} -> 3x7xT",
            "gather_nd(3x4x5xT, 2x2xi64) -> 2x5xT",
            "gather_nd(3x4x5xT, 3x2x1xi64) {batch_dims = 1 : i64} -> 3x2x5xT",
            "gather_nd(3x4xT, 3x1xi32) {batch_dims = 1 : i64} -> 3xT",
            "gather_nd(3x4xT, 2xi64) -> T",
            "gather_nd(3x4xT, 2x1x2xi64) -> 2x1xT",
            "tensor_scatter(2x5x3xT, 2x2x3xT) -> 2x5x3xT",
            "tensor_scatter(2x5x3xT, 2x2x3xT, 2xi64) -> 2x5x3xT",
            'tensor_scatter(3x4x5x2xT, 3x3x5x2xT, 3xi64) {axis = 1 : i64, mode = "circular"} -> 3x4x5x2xT',
            "dynamic_slice(T) {slice_sizes = array<i64>} -> T",
            "dynamic_slice(4x5x3xT, i64, i64, i64) {slice_sizes = array<i64: 2, 5, 0>} -> 2x5x0xT",
            *(
                f"dynamic_slice(4x5xT, {start}, {start}) {{slice_sizes = array<i64: 1, 3>}} -> 1x3xT"
                for start in ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
            ),
            "dynamic_update_slice(T, T) -> T",
            "dynamic_update_slice(4x5x3xT, 2x5x1xT, i32, i32, i32) -> 4x5x3xT",
            *(
                f"dynamic_update_slice(4x5xT, 1x3xT, {start}, {start}) -> 4x5xT"
                for start in ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
            ),
            "reverse_sequence(4x3x2xT, 3xi64) -> 4x3x2xT",
            "reverse_sequence(3x4xT, 3xi32) {batch_axis = 0 : i64, time_axis = 1 : i64} -> 3x4xT",
            "compress(2x3xT) {condition = array<i64: 0, 1, 1, 0, 1>} -> 3xT",
            "compress(2x3xT) {axis = -1 : i64, condition = array<i64: 0, 1>} -> 2x1xT",
            "compress(2x3xT) {axis = 0 : i64, condition = array<i64>} -> 0x3xT",
            "transpose(2x3x4xT) -> 4x3x2xT",
            "transpose(2x3x4xT) {perm = array<i64: 0, 2, 1>} -> 2x4x3xT",
            "slice(3x5xT) {dim = 1 : i64, end = 9223372036854775807 : i64, start = -2 : i64} -> 3x2xT",
            "slice(3x5xT) {dim = -1 : i64, end = -1 : i64, step = 2 : i64} -> 3x2xT",
            "slice(3x5xT) {end = -100 : i64, start = 2 : i64} -> 0x5xT",
            "slice(3x5xT) {ends = array<i64: 2, -1>, starts = array<i64: 0, 1>} -> 2x3xT",
            "slice(4x5x6xT) {axes = array<i64: -1, 0>, ends = array<i64: -9, 4>, starts = array<i64: 5, 1>, "
            "steps = array<i64: -2, 2>} -> 2x5x3xT",
            "slice(4x5xT) {axes = array<i64: 1>, ends = array<i64: -100>, starts = array<i64: 9>, "
            "steps = array<i64: -1>} -> 4x5xT",
            "slice(4x5xT) {axes = array<i64: 1>, ends = array<i64: 4>, starts = array<i64: 1>, "
            "steps = array<i64: -1>} -> 4x0xT",
            "slice(T) {ends = array<i64>, starts = array<i64>} -> T",
            "slice_scatter(3x5xT, 2x3xT) {ends = array<i64: 3, 5>, starts = array<i64: 1, 0>, "
            "steps = array<i64: 1, 2>} -> 3x5xT",
            "select(3x5xT) {index = -1 : i64} -> 5xT",
            "diagonal(3x5xT) -> 3xT",
            "diagonal(3x5xT) {offset = -2 : i64} -> 1xT",
            "diagonal(3x5xT) {offset = 9 : i64} -> 0xT",
            "diagonal(3x2x5xT) {dim1 = -1 : i64, dim2 = 0 : i64} -> 2x3xT",
            "as_strided(4x4xT) {size = array<i64: 2, 2>, storage_offset = 2 : i64, stride = array<i64: 4, 1>} -> 2x2xT",
            "split(5x2xT) {split_size = 2 : i64} -> 2x2xT, 2x2xT, 1x2xT",
            "split(2x5xT) {axis = -1 : i64, split = array<i64: 4, 1>} -> 2x4xT, 2x1xT",
            "split(5x2xT) {num_outputs = 2 : i64} -> 3x2xT, 2x2xT",
            "unbind(2x3xT) {axis = 1 : i64} -> 2xT, 2xT, 2xT",
            "slice_scatter(3x5xT, 3x2xT) {dim = 1 : i64, end = 4 : i64, step = 2 : i64} -> 3x5xT",
            "select_scatter(3x5xT, 3xT) {dim = 1 : i64, index = 2 : i64} -> 3x5xT",
            "diagonal_scatter(3x5xT, 2xT) {offset = 3 : i64} -> 3x5xT",
            "as_strided_scatter(4x4xT, 2x2xT) {size = array<i64: 2, 2>, stride = array<i64: 5, 1>} -> 4x4xT",
            "diagonal_scatter(3x3xT, 0xT) {offset = 3 : i64} -> 3x3xT",
            "as_strided_scatter(4x4xT, 0xT) {size = array<i64: 0>, stride = array<i64: 1>} -> 4x4xT",
            "concat(2x3xT, 2x1xT, 2x0xT) {axis = -1 : i64} -> 2x4xT",
            "stack(2x3xT, 2x3xT) {axis = -1 : i64} -> 2x3x2xT",
            "pad(2x3xT) {pads = array<i64: 1, 0, 0, 3>, value = 1 : i64} -> 3x6xT",
            "pad(4x5xT) {pads = array<i64: -1, 2, 1, -3>, value = 1 : i64} -> 4x4xT",
            "pad(4x5x6xT) {axes = array<i64: -1, 0>, pads = array<i64: 1, 0, 2, 3>} -> 7x5x9xT",
            *(
                f'pad({shape}xT) {{mode = "{mode}", pads = array<i64: {pads}>}} -> {out}xT'
                for mode in ("reflect", "edge", "wrap")
                for shape, pads, out in (
                    ("4x5", "1, 2, 3, 4", "8x11"),
                    ("3x1x4", "0, 2, 9, 7, 1, 0", "10x4x13"),
                    ("4x5", "-1, 3, 2, -2", "5x6"),
                )
            ),
            'pad(3x4xT) {axes = array<i64: 1>, mode = "edge", pads = array<i64: 1, 1>} -> 3x6xT',
            *(
                f'lod_to_tnc(7x2xT, 4xi64) {{is_reverse = {reverse}, layout = "{layout}"}} -> {shape}x2xT'
                for reverse in ("false", "true")
                for layout, shape in (("tnc", "4x3"), ("ntc", "3x4"))
            ),
            *(
                f'tnc_to_lod({shape}x2xT, 4xi64) {{is_reverse = {reverse}, layout = "{layout}"}} -> 7x2xT'
                for reverse in ("false", "true")
                for layout, shape in (("tnc", "4x3"), ("ntc", "3x4"))
            ),
            "tnc_to_lod(4x3x2xT, 4xi64, 7x1xi64) -> 7x2xT",
        ],
    ),
]

REDUCTIONS = [
    "reduce_sum(33x7x9x31xf32) {axes = array<i64: 0, 2, 3>} -> 7xf32",
    "reduce_sum(3x40x5x300xf32) {axes = array<i64: 0, 2>} -> 40x300xf32",
    "reduce_sum(0x4xf32) {axes = array<i64: 0>} -> 4xf32",
    "reduce_sum(3x600x3xf32) {axes = array<i64: 2>} -> 3x600xf32",
    "reduce_max(2x17x15xf64) {axes = array<i64: 2>, keepdims = true} -> 2x17x1xf64",
    "reduce_log_sum_exp(40x2xf32) {axes = array<i64: 1>} -> 40xf32",
    "reduce_sum(9x40x5x30xi64) {axes = array<i64: 0, 2>} -> 40x30xi64",
    "reduce_max(9x40x5x300xf32) {axes = array<i64: 0, 2>, keepdims = true} -> 1x40x1x300xf32",
    "reduce_min(40x3x2000xi32) {axes = array<i64: 0, 2>} -> 3xi32",
    "reduce_log_sum_exp(30x7x600xf32) {axes = array<i64: 0, 2>} -> 7xf32",
    "reduce_log_sum_exp(7x600xf64) {axes = array<i64: 0>} -> 600xf64",
    "reduce_l2(70x600xi64) {axes = array<i64: 1>} -> 70xi64",
]
"""Reductions of many elements, and of few along the last axis."""
