"""Convolutions, pools and resizes on types they accept, one line each."""

from __future__ import annotations

from op_cases import FLOATS

SPATIAL_OPS: list[tuple[tuple[str, ...], list[str]]] = [
    (
        ("f32", "f64"),
        [
            *(
                f'grid_sample(2x3x4x5xT, 2x3x2x2xT) {{align_corners = {aligned} : i64, mode = "{mode}", '
                f'padding_mode = "{padding}"}} -> 2x3x3x2xT'
                for mode in ("linear", "nearest", "cubic")
                for padding, aligned in (
                    ("zeros", 0),
                    ("zeros", 1),
                    ("border", 0),
                    ("reflection", 0),
                    ("reflection", 1),
                )
            ),
            *(
                f'grid_sample(1x2x3x4x2xT, 1x3x2x2x3xT) {{mode = "{mode}", padding_mode = "{padding}"}} -> 1x2x3x2x2xT'
                for mode in ("linear", "nearest", "cubic")
                for padding in ("zeros", "reflection")
            ),
            'grid_sample(1x2x5xT, 1x7x1xT) {mode = "cubic", padding_mode = "border"} -> 1x2x7xT',
            'grid_sample(1x2x1x1xT, 1x3x2x2xT) {align_corners = 1 : i64, padding_mode = "reflection"} -> 1x2x3x2xT',
            "grid_sample(1x2x2x3x2x2xT, 1x2x1x1x2x4xT) -> 1x2x2x1x1x2xT",
            "deform_columns(2x4x5x6xT, 2x16x4x5xT, 2x8x4x5xT) {kernel_shape = array<i64: 2, 2>, "
            "offset_group = 2 : i64} -> 2x16x20xT",
            "deform_columns(1x2x7x8xT, 1x12x3x9xT) {dilations = array<i64: 2, 1>, kernel_shape = array<i64: 3, 2>, "
            "pads = array<i64: 1, 0, 2, 2>, strides = array<i64: 2, 1>} -> 1x12x27xT",
            *(
                f"roi_align(2x3x5x6xT, 4x4xT, 4x{index}) {{{more}output_height = 2 : i64, output_width = 3 : i64}} "
                "-> 4x3x2x3xT"
                for index, more in (
                    ("i64", ""),
                    ("i32", 'mode = "max", '),
                    ("i64", 'coordinate_transformation_mode = "output_half_pixel", spatial_scale = 0.5 : f32, '),
                )
            ),
            'roi_align(2x3x5x6xT, 4x4xT, 4xi64) {mode = "max", output_height = 1 : i64, output_width = 1 : i64, '
            "sampling_ratio = 3 : i64} -> 4x3x1x1xT",
        ],
    ),
    (
        FLOATS,
        [
            "conv(2x6x9x8xT, 4x3x3x2xT) {group = 2 : i64, pads = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} "
            "-> 2x4x5x9xT",
            "conv(1x9x8x6xT, 6x1x3x3xT, 6xT) {channels_last = true, group = 6 : i64, pads = array<i64: 1, 1, 1, 1>} "
            "-> 1x9x8x6xT",
            'conv(2x20x5xT, 4x5x3xT, 4xT) {auto_pad = "SAME_UPPER", channels_last = true, strides = array<i64: 2>} '
            "-> 2x10x4xT",
            "conv(2x5x20x1xT, 4x5x3x1xT) {dilations = array<i64: 3, 1>} -> 2x4x14x1xT",
            'conv(1x4x5x6x3xT, 2x3x2x2x2xT) {auto_pad = "SAME_LOWER", channels_last = true} -> 1x4x5x6x2xT',
            "conv(1x3x5x5xT, 2x3x5x5xT) -> 1x2x1x1xT",
            "conv_transpose(2x6x4x5xT, 6x2x3x2xT) {group = 3 : i64, output_padding = array<i64: 1, 0>, "
            "pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 3>} -> 2x6x8x13xT",
            "conv_transpose(2x7x6xT, 6x1x3xT, 6xT) {channels_last = true, group = 6 : i64, strides = array<i64: 2>} "
            "-> 2x15x6xT",
            'conv_transpose(1x4x5x2xT, 2x3x3x3xT) {auto_pad = "SAME_UPPER", channels_last = true, '
            "strides = array<i64: 2, 2>} -> 1x8x10x3xT",
            "conv_transpose(1x2x3x3xT, 2x3x3x3xT) {dilations = array<i64: 2, 1>, output_shape = array<i64: 10, 8>, "
            "strides = array<i64: 3, 2>} -> 1x3x10x8xT",
            *(
                f"{line} -> 2x9x8x5xT"
                for line in (
                    "max_pool_grad(2x4x4x5xT, 2x4x4x5xui8) {ceil_mode = 1 : i64, channels_last = true, "
                    "kernel_shape = array<i64: 3, 2>, output_shape = array<i64: 9, 8>, strides = array<i64: 2, 2>}",
                    "average_pool_grad(2x4x4x5xT) {ceil_mode = 1 : i64, channels_last = true, "
                    "kernel_shape = array<i64: 3, 2>, output_shape = array<i64: 9, 8>, strides = array<i64: 2, 2>}",
                )
            ),
            "max_pool_grad(2x3x9xT, 2x3x9xui8) {kernel_shape = array<i64: 3>, output_shape = array<i64: 9>, "
            "pads = array<i64: 1, 1>} -> 2x3x9xT",
            "average_pool_grad(2x3x5x6xT) {count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, "
            "output_shape = array<i64: 5, 6>, pads = array<i64: 1, 1, 1, 1>} -> 2x3x5x6xT",
            "conv_weights_grad(2x6x9x8xT, 2x4x4x9xT) {group = 2 : i64, kernel_shape = array<i64: 3, 2>, "
            "pads = array<i64: 1, 0, 0, 2>, strides = array<i64: 2, 1>} -> 4x3x3x2xT",
            'conv_weights_grad(1x9x8x6xT, 1x5x4x6xT) {auto_pad = "SAME_UPPER", channels_last = true, group = 6 : i64, '
            "kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} -> 6x1x3x3xT",
            "conv_weights_grad(2x3x9xT, 2x4x5xT) {dilations = array<i64: 2>, kernel_shape = array<i64: 3>} -> 4x3x3xT",
            "conv_weights_grad(1x2x3x4x3xT, 1x3x2x3x2xT) {kernel_shape = array<i64: 2, 2, 2>} -> 3x2x2x2x2xT",
            "max_pool(2x4x5x3xT) {channels_last = true, kernel_shape = array<i64: 2, 2>} -> 2x3x4x3xT, 2x3x4x3xui8",
            "max_pool(2x3x9xT) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} -> 2x3x9xT, 2x3x9xui8",
            "max_pool(1x1x20x20xT) {kernel_shape = array<i64: 16, 16>} -> 1x1x5x5xT, 1x1x5x5xi32",
            "max_pool(1x2x3x4x5xT) {kernel_shape = array<i64: 2, 2, 2>} -> 1x2x2x3x4xT, 1x2x2x3x4xui8",
            "conv_transpose(1x2x3x4x2xT, 2x1x2x2x2xT) -> 1x1x4x5x3xT",
            "max_pool(2x9x8x5xT) {ceil_mode = 1 : i64, channels_last = true, kernel_shape = array<i64: 3, 2>, "
            "pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 2>} -> 2x5x4x5xT",
            "max_pool(2x3x9xT) {dilations = array<i64: 2>, kernel_shape = array<i64: 3>} -> 2x3x5xT",
            "max_pool(2x3x4x5x6xT) {kernel_shape = array<i64: 2, 2, 2>, strides = array<i64: 2, 1, 2>} -> 2x3x2x4x3xT",
            "max_pool(2x3x4x5xT) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} "
            "-> 2x3x5x6xT, 2x3x5x6xi64",
            "max_pool(2x4x5x3xT) {channels_last = true, kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64} "
            "-> 2x3x4x3xT, 2x3x4x3xi64",
            *(
                f"average_pool(2x9x8x5xT) {{{c}channels_last = true, count_include_pad = {i} : i64, "
                "kernel_shape = array<i64: 3, 2>, pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 2>} "
                f"-> 2x5x4x5xT"
                for c in ("", "ceil_mode = 1 : i64, ")
                for i in (0, 1)
            ),
            "average_pool(2x3x4x5x6xT) {kernel_shape = array<i64: 2, 3, 2>} -> 2x3x3x3x5xT",
            "average_pool(2x3x9xT) {dilations = array<i64: 2>, kernel_shape = array<i64: 3>} -> 2x3x5xT",
            "lp_pool(2x9x8x5xT) {channels_last = true, kernel_shape = array<i64: 3, 2>, p = 3 : i64, "
            "pads = array<i64: 1, 0, 1, 1>} -> 2x9x8x5xT",
            *(
                f"global_{kind}_pool(2x4x5x3xT) {{channels_last = true}} -> 2x1x1x3xT"
                for kind in ("average", "max", "lp")
            ),
            "global_average_pool(2x3x40xT) -> 2x3x1xT",
            "global_lp_pool(2x3x4x5xT) {p = 1 : i64} -> 2x3x1x1xT",
            *(
                f'resize(1x2x5x7xT) {{axes = array<i64: 2, 3>, coordinate_transformation_mode = "{how}", '
                f'mode = "{mode}", {more}}} -> 1x2x{size}xT'
                for how in ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric")
                for mode, more, size in (
                    ("nearest", 'nearest_mode = "ceil", scales = array<f32: 2.0, 3.0>', "10x21"),
                    ("nearest", 'nearest_mode = "round_prefer_ceil", scales = array<f32: 0.5, 0.75>', "2x5"),
                    ("linear", "scales = array<f32: 2.0, 0.75>", "10x5"),
                    ("linear", "antialias = true, sizes = array<i64: 3, 4>", "3x4"),
                    ("cubic", "exclude_outside = true, sizes = array<i64: 9, 4>", "9x4"),
                    ("cubic", 'keep_aspect_ratio_policy = "not_larger", sizes = array<i64: 9, 9>', "6x9"),
                )
            ),
            'resize(1x5x7x2xT) {axes = array<i64: 1, 2>, coordinate_transformation_mode = "tf_crop_and_resize", '
            'extrapolation_value = 7.0 : f32, mode = "linear", roi = array<f32: 0.25, -0.5, 0.75, 1.5>, '
            "sizes = array<i64: 4, 6>} -> 1x4x6x2xT",
            'resize(1x5x7x2xT) {axes = array<i64: 1, 2>, mode = "linear", sizes = array<i64: 10, 14>} -> 1x10x14x2xT',
            'resize(2x9xT) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor", '
            "scales = array<f32: 1.0, 2.0>} -> 2x18xT",
            'depth_to_space(2x8x3x5xT) {blocksize = 2 : i64, mode = "CRD"} -> 2x2x6x10xT',
            'space_to_depth(2x3x4x6xT) {blocksize = 2 : i64, mode = "CRD"} -> 2x12x2x3xT',
            "max_unpool(1x1x2x2xT, 1x1x2x2xi64) {kernel_shape = array<i64: 2, 2>, "
            "output_shape = array<i64: 1, 1, 5, 5>, strides = array<i64: 2, 2>} -> 1x1x5x5xT",
        ],
    ),
]
