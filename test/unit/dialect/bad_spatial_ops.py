"""Convolutions, pools, resizes and blocks of space on what they must refuse."""

from __future__ import annotations

from op_cases import Bad

KERNEL = ", kernel_shape = array<i64: 3>"

BAD_SPATIAL = [
    *(
        Bad(f"depthwise_conv({operands}) {{{attributes}}} -> {result}", said)
        for operands, attributes, result, said in (
            ("2x6x3xf32, 3x3xf32", "", "2x4x3xf32", "channels_last must be true"),
            (
                "2x6x3xf32, 3x3xf32",
                "channels_last = true, kernel_shape = array<i64: 3>",
                "2x4x3xf32",
                "the weights say",
            ),
            ("2x6x3xf64, 3x3xf64", "channels_last = true", "2x4x3xf64", "the operands must be f32"),
            ("2x6x3xf32, 3x4xf32", "channels_last = true", "2x4x3xf32", "w and the channels"),
            ("2x6x3xf32, 3x3x3xf32", "channels_last = true", "2x4x3xf32", "w must have the spatial axes of x"),
            ("2x6x3xf32, 3x3xf32, 4xf32", "channels_last = true, has_bias = 1 : i64", "2x4x3xf32", "the bias and the"),
            ("2x6x3xf32, 3x3xf32, 3xf32", "channels_last = true", "2x4x3xf32", "there are 3 operands besides those"),
            ("2x6x3xf32, 7x3xf32", "channels_last = true", "2x1x3xf32", "longer than an axis of 6"),
        )
    ),
    *(
        Bad(f"packed_conv({operands}) {{channels_last = true{attributes}}} -> {result}", said)
        for operands, attributes, result, said in (
            ("2x6x3xf32, 144xf32", ", columns = 4 : i64", "2x4x4xf32", "needs kernel_shape"),
            ("2x6x3xf32, 144xf32", f", columns = 0 : i64{KERNEL}", "2x4x0xf32", "columns must be 1 or more"),
            ("2x6x3xf64, 144xf64", f", columns = 4 : i64{KERNEL}", "2x4x4xf64", "the operands must be f32"),
            ("2x6x3xf32, 96xf32", f", columns = 4 : i64{KERNEL}", "2x4x4xf32", "w and its panels: sizes 96 and 144"),
            ("2x6x3xf32, 9x16xf32", f", columns = 4 : i64{KERNEL}", "2x4x4xf32", "w must have one axis, not 2"),
            (
                "2x6x3xf32, 144xf32, 5xf32",
                f", columns = 4 : i64, has_bias = 1 : i64{KERNEL}",
                "2x4x4xf32",
                "the bias and the columns",
            ),
            ("2x2x3xf32, 144xf32", f", columns = 4 : i64{KERNEL}", "2x1x4xf32", "longer than an axis of 2"),
            (
                "2x6x6x6x3xf32, 1296xf32",
                ", columns = 4 : i64, kernel_shape = array<i64: 3, 3, 3>",
                "2x4x4x4x4xf32",
                "one or two spatial axes",
            ),
        )
    ),
    Bad("conv(1x3x5xi32, 2x3x3xi32) -> 1x2x3xi32", "floating-point"),
    Bad("conv(3x5xf32, 2x3xf32) -> 3x2xf32", "3 axes or more"),
    Bad("conv(1x3x5xf32, 2x3x3x3xf32) -> 1x2x3xf32", "have 3 and 4 axes"),
    Bad("conv(1x3x5xf32, 2x4x3xf32) -> 1x2x3xf32", "channels of x and of the weights: sizes 3 and 4 differ"),
    Bad("conv(1x4x5xf32, 3x2x3xf32) {group = 2 : i64} -> 1x3x3xf32", "3 channels cannot be cut into 2 groups"),
    Bad("conv(1x4x5xf32, 3x4x3xf32) {group = 0 : i64} -> 1x3x3xf32", "group must be 1 or more"),
    Bad("conv(1x3x5xf32, 2x3x3xf32, 3xf32) -> 1x2x3xf32", "the bias and the channels of the result"),
    Bad("conv(1x3x5xf32, 2x3x3xf32, 1x2xf32) -> 1x2x3xf32", "the bias must have one axis"),
    Bad("conv(1x3x5xf32, 2x3x7xf32) -> 1x2x0xf32", "a window of 7 elements is longer than an axis of 5"),
    Bad("conv(1x3x5xf32, 2x3x3xf32) {kernel_shape = array<i64: 2>} -> 1x2x3xf32", "kernel_shape and the weights"),
    Bad("conv(1x3x5xf32, 2x3x3xf32) {strides = array<i64: 1, 1>} -> 1x2x3xf32", "strides must have 1 entries"),
    Bad("conv(1x3x5xf32, 2x3x3xf32) {strides = array<i64: 0>} -> 1x2x3xf32", "strides must be 1 or more"),
    Bad("conv(1x3x5xf32, 2x3x3xf32) {pads = array<i64: -1, 0>} -> 1x2x2xf32", "pads must be 0 or more"),
    Bad('conv(1x3x5xf32, 2x3x3xf32) {auto_pad = "FULL"} -> 1x2x3xf32', "auto_pad must be one of"),
    Bad('conv(1x3x5xf32, 2x3x3xf32) {auto_pad = "VALID", pads = array<i64: 1, 1>} -> 1x2x3xf32', "no room for pads"),
    Bad("conv_transpose(1x3x5xf32, 2x3x3xf32) -> 1x3x7xf32", "channels of x and of the weights: sizes 3 and 2 differ"),
    Bad("conv_transpose(1x3x5xf32, 3x2x3xf32) {group = 2 : i64} -> 1x4x7xf32", "cannot be cut into 2 groups"),
    Bad("conv_transpose(1x3x1xf32, 3x2x3xf32) {pads = array<i64: 2, 2>} -> 1x2x0xf32", "more than the result has"),
    Bad("conv_transpose(1x3x5xf32, 3x2x3xf32) {output_shape = array<i64: 7, 7>} -> 1x2x7xf32", "output_shape must"),
    Bad("max_pool(1x3x5xf32) -> 1x3x5xf32", "needs kernel_shape"),
    Bad("max_pool(1x3x5xi1) {kernel_shape = array<i64: 2>} -> 1x3x4xi1", "must be numbers"),
    Bad("max_pool(1x3x5xf32) {kernel_shape = array<i64: 2>, storage_order = 2 : i64} -> 1x3x4xf32", "storage_order is"),
    Bad("lp_pool(1x3x5xf32) {kernel_shape = array<i64: 2>, p = 0 : i64} -> 1x3x4xf32", "p must be 1 or more"),
    Bad("global_lp_pool(1x3x5xf32) {p = 0 : i64} -> 1x3x1xf32", "p must be 1 or more"),
    Bad("average_pool(1x3x5xi64) {kernel_shape = array<i64: 2>} -> 1x3x4xi64", "floating-point"),
    Bad("max_unpool(1x1x2xf32, 1x1x2xi32) {kernel_shape = array<i64: 2>} -> 1x1x3xf32", "element type i64"),
    Bad("max_unpool(1x1x2xf32, 1x1x3xi64) {kernel_shape = array<i64: 2>} -> 1x1x3xf32", "sizes 2 and 3 differ"),
    Bad(
        "max_unpool(1x1x2xf32, 1x1x2xi64) {channels_last = true, kernel_shape = array<i64: 2>} -> 1x1x3xf32",
        "indices are counted so",
    ),
    Bad(
        "max_unpool(1x1x2xf32, 1x1x2xi64) {kernel_shape = array<i64: 2>, output_shape = array<i64: 1, 1, 2>} "
        "-> 1x1x2xf32",
        "has no room",
    ),
    Bad('grid_sample(1x2x3xf32, 1x4x1xf32) {mode = "bilinear"} -> 1x2x4xf32', "mode is 'bilinear', it must be one of"),
    Bad('grid_sample(1x2x3xf32, 1x4x1xf32) {padding_mode = "wrap"} -> 1x2x4xf32', "padding_mode is 'wrap'"),
    Bad("grid_sample(1x2x3xi32, 1x4x1xi32) -> 1x2x4xi32", "has element type i32, it must be f32 or f64"),
    Bad("grid_sample(1x2x3xf32, 1x4x1xf64) -> 1x2x4xf32", "element types f32 and f64"),
    Bad("grid_sample(1x2xf32, 1x4xf32) -> 1x2xf32", "2 and 2 axes"),
    Bad("grid_sample(1x2x3x4xf32, 1x4x1xf32) -> 1x2x4xf32", "4 and 3 axes"),
    Bad("grid_sample(1x2x3x4xf32, 1x4x4x3xf32) -> 1x2x4x4xf32", "positions in grid: sizes 3 and 2 differ"),
    Bad("grid_sample(1x2x3xf32, 2x4x1xf32) -> 1x2x4xf32", "batches: sizes 1 and 2 differ"),
    Bad("deform_columns(1x2x3x3xf32, 1x2x3x3xf32) -> 1x2x9xf32", "kernel_shape is missing"),
    Bad("deform_columns(1x2x3x3xf32, 1x2x3x3xf32) {kernel_shape = array<i64: 1>} -> 1x2x9xf32", "must be 2 numbers"),
    Bad(
        "deform_columns(1x2x3x3xf32, 1x2x3x3xf32) {kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, -1>} "
        "-> 1x2x9xf32",
        "pads must be 4 numbers from 0 on",
    ),
    Bad("deform_columns(1x2x3xf32, 1x2x3xf32) {kernel_shape = array<i64: 1, 1>} -> 1x2x9xf32", "must have 4 axes"),
    Bad(
        "deform_columns(1x3x3x3xf32, 1x4x3x3xf32) {kernel_shape = array<i64: 1, 1>, offset_group = 2 : i64} "
        "-> 1x3x9xf32",
        "offset_group is 2, which does not divide 3 channels",
    ),
    Bad(
        "deform_columns(1x2x3x3xf32, 1x3x3x3xf32) {kernel_shape = array<i64: 1, 1>} -> 1x2x9xf32",
        "offsets: sizes 3 and 2 differ",
    ),
    Bad(
        "deform_columns(1x2x3x3xf32, 1x2x2x3xf32) {kernel_shape = array<i64: 1, 1>} -> 1x2x6xf32",
        "places of the window: sizes 2 and 3 differ",
    ),
    Bad(
        "deform_columns(1x2x3x3xf32, 1x2x3x3xf32, 1x2x3x3xf32) {kernel_shape = array<i64: 1, 1>} -> 1x2x9xf32",
        "the mask: sizes 2 and 1 differ",
    ),
    *(
        Bad(f"roi_align({types}) {{{more}output_height = 2 : i64, output_width = 2 : i64}} -> 3x2x2x2xf32", reason)
        for types, more, reason in (
            ("1x2x5x6xf32, 3x4xf32, 3xi64", 'mode = "sum", ', "mode is 'sum'"),
            ("1x2x5x6xf32, 3x4xf32, 3xi64", 'coordinate_transformation_mode = "pixel", ', "is 'pixel'"),
            ("1x2x5x6xf32, 3x4xf32, 3xi64", "sampling_ratio = -1 : i64, ", "sampling_ratio is -1"),
            ("1x2x5x6xf32, 3x4xf32, 3xf32", "", "indices must have element type i32 or i64"),
            ("1x2x5x6xf32, 3x4xf64, 3xi64", "", "element types f32 and f64"),
            ("1x2x5xf32, 3x4xf32, 3xi64", "", "4, 2 and 1 axes"),
            ("1x2x5x6xf32, 3x5xf32, 3xi64", "", "numbers of a box: sizes 5 and 4 differ"),
            ("1x2x5x6xf32, 2x4xf32, 3xi64", "", "boxes: sizes 2 and 3 differ"),
        )
    ),
    Bad(
        "roi_align(1x2x5x6xf32, 3x4xf32, 3xi64) {output_height = 0 : i64, output_width = 2 : i64} -> 3x2x0x2xf32",
        "output_height and output_width are 0 and 2",
    ),
    Bad("resize(2x3xf32) -> 2x3xf32", "needs either scales or sizes"),
    Bad("resize(2x3xf32) {scales = array<f32: 2.0>} -> 4x3xf32", "scales must have 2 entries"),
    Bad("resize(2x3xf32) {axes = array<i64: 0, -2>, sizes = array<i64: 4, 4>} -> 4x4xf32", "name one twice"),
    Bad("resize(2x3xf32) {scales = array<f32: 1.0, 0.0>} -> 2x0xf32", "scales must be above 0"),
    Bad("resize(2x0xf32) {sizes = array<i64: 2, 3>} -> 2x3xf32", "without elements stays so"),
    Bad('resize(2x3xf32) {mode = "bilinear", sizes = array<i64: 4, 3>} -> 4x3xf32', "mode must be one of"),
    Bad(
        'resize(2x3xf32) {coordinate_transformation_mode = "middle", sizes = array<i64: 4, 3>} -> 4x3xf32',
        "coordinate_transformation_mode must be one of",
    ),
    Bad('resize(2x3xf32) {nearest_mode = "up", sizes = array<i64: 4, 3>} -> 4x3xf32', "nearest_mode must be one of"),
    Bad(
        'resize(2x3xf32) {keep_aspect_ratio_policy = "fit", sizes = array<i64: 4, 3>} -> 4x3xf32',
        "keep_aspect_ratio_policy must be one of",
    ),
    Bad(
        'resize(2x3xf32) {coordinate_transformation_mode = "tf_crop_and_resize", sizes = array<i64: 4, 3>} -> 4x3xf32',
        "needs a roi of 4 numbers",
    ),
    Bad("resize(2x3xf32) {antialias = true, sizes = array<i64: 4, 3>} -> 4x3xf32", "linear and cubic"),
    Bad("depth_to_space(8x3x5xf32) {blocksize = 2 : i64} -> 2x6x10xf32", "4 axes"),
    Bad("depth_to_space(1x7x3x5xf32) {blocksize = 2 : i64} -> 1x1x6x10xf32", "cannot be cut into blocks of 2"),
    Bad("depth_to_space(1x7x3x5xf32) {blocksize = 0 : i64} -> 1x1x6x10xf32", "blocksize must be 1 or more"),
    Bad('space_to_depth(1x8x4x4xf32) {blocksize = 2 : i64, mode = "RCD"} -> 1x32x2x2xf32', "mode must be DCR or CRD"),
    Bad("space_to_depth(1x8x3x4xf32) {blocksize = 2 : i64} -> 1x32x1x2xf32", "cannot be cut into blocks of 2"),
]
