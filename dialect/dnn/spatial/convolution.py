"""Convolutions, and their transposes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import (
    INTEGERS,
    agreed,
    all_f32,
    integers,
)
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.integer_forms import IntegerFactors, Requantization, SumsIntegers, quantized_product
from lastuse.dialect.dnn.spatial.convolution_base import ConvolutionBase
from lastuse.dialect.dnn.spatial.convolution_gradients import movement_of
from lastuse.dialect.dnn.spatial.depthwise_convolution import DepthwiseConvolutionBase
from lastuse.dialect.dnn.spatial.row_convolution import RowConvolutionBase
from lastuse.dialect.dnn.spatial.window_kernels import convolve, convolve_transposed
from lastuse.dialect.dnn.spatial.windowed import known
from lastuse.dialect.dnn.spatial.zeros_around import ReadsZerosBase
from lastuse.dialect.dnn.widening import Widening
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import Dim
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.convolution import ConvolutionPrimitive, DeconvolutionPrimitive
from lastuse.dialect.onednn.primitives.post_ops import PostOp
from lastuse.dialect.onednn.primitives.window import NOTSET, TransposedRule, WindowRule, numbers
from lastuse.dialect.storage.contract import Contract, Engine

MOST_NATIVE_TAPS = 256
"""Elements of a window, at most, of the runtime's kernel (`most_taps` in runtime/cpp/kernels/conv_transpose.hpp)."""
MOST_NATIVE_WEIGHTS = 1024
"""Weights of a group for one element of the window, at most, for which that kernel is preferred to oneDNN's."""
FEW_OUTPUTS = 4
"""Channels of the result below which it is preferred, without groups."""


@irdl_op_definition
class ConvOp(RowConvolutionBase, DepthwiseConvolutionBase, ReadsZerosBase, SumsIntegers):
    """The sum over channels and a window of x, times weights, at each place of the window; plus a bias.

    Operands: x [N, C, spatial…], weights [O, C/group, kernel…], bias [O] (optional); one floating-point type. Result:
    [N, O, places…]. With `channels_last` x and the result are [N, spatial…, C], the weights as before. `group`:
    default 1. `strides`, `dilations`, `pads` (begins, then ends), `auto_pad`, `kernel_shape` as in ONNX Conv.
    `post_ops`: elementwise ops that each element of the result goes through, `[{op = "dnn.relu"}]` with their
    attributes. Their operands are the last ones, in their order. The result may lie over what
    `{op = "dnn.add", sum}`, which is the first of them, adds. A kernel of the runtime computes one of few outputs, and
    others whose channels are second, with some of the post-ops. `any_size`: for models of many widths; see
    `docs/onnx.md`.
    """

    name = "dnn.conv"
    EXAMPLE: ClassVar = (
        "{pads = array<i64: 1, 1, 1, 1>} : (tensor<2x5x6x7xf32>, tensor<4x5x3x3xf32>, tensor<4xf32>) "
        "-> tensor<2x4x6x7xf32>"
    )

    def output_channels(self, channels: Dim | None, w: Sequence[Dim | None]) -> Dim | None:
        agreed(channels, None if w[1] is None else w[1] * self.groups, "channels of x and of the weights")
        if isinstance(w[0], int) and w[0] % self.groups:
            raise ValueError(f"{w[0]} channels cannot be cut into {self.groups} groups")
        return w[0]

    def outputs(self, kernel: tuple[int, ...], spatial: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        return self.rule(kernel).places(spatial)

    def with_zeros_around(self, x: SSAValue, around: Sequence[tuple[int, int]]) -> DnnOp | None:
        """With larger `pads`, as long as each window has an element of x's axis, or could have one."""
        kernel, (batch, channels, spatial) = self.kernel_of(self.operand_type(1).shape), self.parted(around)
        if kernel is None or any((*batch, *channels)):
            return None
        rule = self.rule(kernel)
        added = [before for before, _ in spatial] + [after for _, after in spatial]
        pads = [own + more for own, more in zip(rule.pads, added, strict=True)]
        reach = [1 + (size - 1) * dilation for size, dilation in zip(kernel, rule.dilations, strict=True)]
        if rule.auto_pad != NOTSET or any(pad >= size for pad, size in zip(pads, (*reach, *reach), strict=True)):
            return None
        attributes = {**self.attributes, "pads": DenseArrayBase.from_list(i64, pads)}
        return self.replacement(ConvOp, [x, *self.operands[1:]], attributes)

    def convolved(self, x: Array, w: Array) -> Array:
        rule = self.rule(w.shape[2:])
        places = known(rule.places(x.shape[2:]))
        assert places is not None
        return convolve(x, w, rule.window(x.shape[2:]), places, self.groups)

    def factors(self, dy: SSAValue, shared: Mapping[str, Any], builder: GradientBuilder) -> tuple[SSAValue, SSAValue]:
        kernel, sizes = self.known_kernel(builder), self.spatial_sizes(self.x, builder)
        window = self.rule(kernel).window(sizes)
        rows = zip(sizes, window.begins, window.ends, window.reach, window.strides, strict=True)
        # Elements at the end of x that no window reaches.
        rest = [(n + b + e - r) % s for n, b, e, r, s in rows]
        movement = movement_of(window)
        dx = builder.emit("conv_transpose", dy, self.w, output_padding=rest, **shared, **movement)
        return dx, builder.emit("conv_weights_grad", self.x, dy, kernel_shape=kernel, **shared, **movement)

    def with_channels_scaled(self, w: Array, factor: Array) -> Array:
        return w * factor.reshape(-1, *(1,) * (w.ndim - 1))

    def bias_operand(self) -> int | None:
        return 2 if self.own_count > 2 else None

    def integer_refusal(self, x: Widening, weights: Widening) -> str | None:
        if self.post_ops is not None or self.is_channels_last:
            return "there is no op on integers of its form"
        return None if weights.axis in (None, 0) else "scales are not those of channels of the result"

    def on_integers(self, factors: IntegerFactors, result: Requantization, builder: GradientBuilder) -> SSAValue:
        names = ("group", "strides", "dilations", "pads", "auto_pad", "kernel_shape")
        attributes = {name: self.attributes.get(name) for name in names}
        return quantized_product("qlinear_conv", factors, result, builder, attributes)

    def own_primitive(self, post_ops: tuple[PostOp, ...]) -> Primitive | None:
        kernel = self.kernel_of(self.operand_type(1).shape)
        if kernel is None or not all_f32(self):
            return None
        parts = self.groups, self.is_channels_last, self.rule(kernel)
        return ConvolutionPrimitive(*parts, post_ops=post_ops, any_size=self.any_size is not None)


@irdl_op_definition
class ConvTransposeOp(ConvolutionBase):
    """The transpose of `dnn.conv`: each element of x, times the weights, is added to a window of the result.

    Operands: x [N, C, spatial…], weights [C, O/group, kernel…], bias [O] (optional), which is added; one floating-point
    type. With `channels_last` x and the result are [N, spatial…, C]. `pads` are cut off the result, `output_padding`
    (default 0) makes it longer at its ends; or `output_shape` says its spatial sizes. `group`, `strides`, `dilations`,
    `auto_pad`, `kernel_shape` as in ONNX ConvTranspose. `post_ops` as of `dnn.conv`.
    """

    name = "dnn.conv_transpose"
    EXAMPLE: ClassVar = (
        "{strides = array<i64: 2, 2>} : (tensor<2x5x6x7xf32>, tensor<5x4x3x3xf32>, tensor<4xf32>) "
        "-> tensor<2x4x13x15xf32>"
    )
    output_padding = opt_attr_def(INTEGERS)
    output_shape = opt_attr_def(INTEGERS)

    def transposed_rule(self, kernel: Sequence[int]) -> TransposedRule:
        """How the window moves over the result; raises ValueError as `rule` does."""
        stated = None if self.output_padding is None else integers(self.output_padding)
        extra = self._entries(stated, "output_padding", len(kernel), 0)
        shape = None if self.output_shape is None else integers(self.output_shape)
        if shape is not None and (len(shape) != len(kernel) or min(shape) < 0):
            raise ValueError(f"output_shape must have {len(kernel)} sizes, not {list(shape)}")
        return TransposedRule(self.rule(kernel), extra, shape)

    def output_channels(self, channels: Dim | None, w: Sequence[Dim | None]) -> Dim | None:
        agreed(channels, w[0], "channels of x and of the weights")
        if isinstance(w[0], int) and w[0] % self.groups:
            raise ValueError(f"{w[0]} channels cannot be cut into {self.groups} groups")
        return None if w[1] is None else w[1] * self.groups

    def outputs(self, kernel: tuple[int, ...], spatial: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        return self.transposed_rule(kernel).outputs(spatial)

    def convolved(self, x: Array, w: Array) -> Array:
        rule, sizes = self.transposed_rule(w.shape[2:]), x.shape[2:]
        outputs = known(rule.outputs(sizes))
        assert outputs is not None
        return convolve_transposed(x, w, rule.window(sizes), outputs, self.groups)

    def factors(self, dy: SSAValue, shared: Mapping[str, Any], builder: GradientBuilder) -> tuple[SSAValue, SSAValue]:
        kernel, sizes = self.known_kernel(builder), self.spatial_sizes(self.x, builder)
        window = self.transposed_rule(kernel).window(sizes)
        outputs = self.spatial_sizes(dy, builder)
        if WindowRule(*window[:3], (*window.begins, *window.ends)).places(outputs) != sizes:
            raise LastuseError(f"{self.name} with output_shape {list(outputs)} has no gradient", self)
        movement = movement_of(window)
        dx = builder.emit("conv", dy, self.w, **shared, **movement)
        return dx, builder.emit("conv_weights_grad", dy, self.x, kernel_shape=kernel, **shared, **movement)

    def storage(self) -> Contract:
        contract, packed = super().storage(), self._native_weights()
        if packed is None:
            return contract
        return contract._replace(engines=contract.engines | {Engine.NATIVE}, scratch=-(-4 * prod(packed) // 64) * 64)

    def engine(self) -> Engine | None:
        return super().engine() if self.native_kernel() is None else Engine.NATIVE

    def native_kernel(self) -> str | None:
        return None if self._native_weights() is None else "conv_transpose"

    def native_numbers(self) -> Sequence[float]:
        return self.window_numbers(self.transposed_rule)

    def _native_weights(self) -> tuple[int, ...] | None:
        """The sizes of the weights as the runtime's kernel packs them; None where oneDNN's primitive computes the op.

        oneDNN has no fast implementation by groups, and none of few outputs: both take several times as long.
        """
        shape = self.operand_type(1).shape
        sizes = numbers(shape) if len(shape) <= 4 else None
        if sizes is None or not all_f32(self) or not self.is_channels_last or self.post_ops is not None:
            return None
        kernel = self.kernel_of(sizes)
        if kernel is None or prod(kernel) > MOST_NATIVE_TAPS or 0 in sizes:
            return None
        inputs, outputs = sizes[0], sizes[1]
        by_groups = self.groups > 1 and inputs // self.groups * outputs <= MOST_NATIVE_WEIGHTS
        if not by_groups and outputs * self.groups >= FEW_OUTPUTS:
            return None
        return (*kernel, inputs, -(-outputs // 8) * 8)

    def with_channels_scaled(self, w: Array, factor: Array) -> Array:
        inputs, outputs, *kernel = w.shape
        cut = w.reshape(self.groups, inputs // self.groups, outputs, *kernel)
        return (cut * factor.reshape(self.groups, 1, outputs, *(1,) * len(kernel))).reshape(w.shape)

    def own_primitive(self, post_ops: tuple[PostOp, ...]) -> Primitive | None:
        kernel = self.kernel_of(self.operand_type(1).shape)
        if kernel is None or not all_f32(self):
            return None
        return DeconvolutionPrimitive(
            self.groups, self.is_channels_last, self.transposed_rule(kernel), post_ops=post_ops
        )
