"""Convolutions, and their transposes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def, var_operand_def

from lastuse.dialect.dnn.arithmetic import READS_BOTH
from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    agreed,
    all_f32,
    engines,
    integer,
    integers,
    need_float,
    need_same_dtype,
    on_cpu_alone,
)
from lastuse.dialect.dnn.base import Array, DnnOp, TransposedForm
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.integer_forms import IntegerFactors, Requantization, SumsIntegers, quantized_product
from lastuse.dialect.dnn.post_ops import PostOpsBase
from lastuse.dialect.dnn.spatial.convolution_gradients import bias_gradient, known_sizes, movement_of
from lastuse.dialect.dnn.spatial.window_kernels import convolve, convolve_transposed
from lastuse.dialect.dnn.spatial.windowed import AnySizeBase, WindowedOpBase, known
from lastuse.dialect.dnn.spatial.zeros_around import ReadsZerosBase
from lastuse.dialect.dnn.widening import Widening
from lastuse.dialect.dnn.work import work_of_product
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.convolution import ConvolutionPrimitive, DeconvolutionPrimitive
from lastuse.dialect.onednn.primitives.post_ops import PostOp
from lastuse.dialect.onednn.primitives.window import NOTSET, TransposedRule, WindowRule, numbers
from lastuse.dialect.storage.contract import OWN_ENGINES, Contract, Engine, engine_of

MOST_NATIVE_TAPS = 256
"""Elements of a window, at most, of the runtime's kernel (`most_taps` in runtime/cpp/kernels/conv_transpose.hpp)."""
MOST_NATIVE_WEIGHTS = 1024
"""Weights of a group for one element of the window, at most, for which that kernel is preferred to oneDNN's."""
FEW_OUTPUTS = 4
"""Channels of the result below which it is preferred, without groups."""
MOST_ROW_OUTPUTS = 8
"""Channels of the result of a group, at most, for which the runtime's kernel that reads rows of channels where they are
(runtime/cpp/kernels/conv_rows.hpp) is preferred: twice as many of x, or more, have to be moved for oneDNN's."""
LEAST_ROW = 16
"""Elements of a row, at least, for which that kernel is preferred."""


class ConvolutionBase(WindowedOpBase, PostOpsBase):
    """x, weights and perhaps a bias: a sum over channels and the elements of a window."""

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    rest = var_operand_def(TensorType)
    y = result_def(TensorType)
    group = opt_attr_def(INTEGER)

    def own_storage(self) -> Contract:
        return Contract(strided=on_cpu_alone(self), backward=READS_BOTH, engines=engines(self))

    def work(self) -> int:
        return super().work() + work_of_product(self.x, self.w, self.y)

    def prefers_channels_last(self) -> bool:
        return self.is_faster_channels_last()

    def channels_last_gain(self) -> int:
        """With groups oneDNN is 10 to 19 times as fast, which counts as 8 times."""
        return super().channels_last_gain() if self.groups == 1 else 7 * self.work()

    @property
    def groups(self) -> int:
        """How many groups the channels have."""
        return integer(self.group, 1)

    def kernel_of(self, w: Sequence[Dim | None]) -> tuple[int, ...] | None:
        """Sizes of the window, from the weights' shape and `kernel_shape`; None where they are not known.

        Raises:
            ValueError: the two differ.
        """
        sizes = w[2:]
        if self.kernel_shape is not None:
            stated = self.kernel_sizes(len(sizes))
            sizes = tuple(agreed(a, b, "kernel_shape and the weights") for a, b in zip(stated, sizes, strict=True))
        return known(sizes)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return super().transposed_form(perm) if self.post_ops is None else None

    @property
    def channel_axis(self) -> int:
        return len(self.result_type().shape) - 1 if self.is_channels_last else 1

    def takes_whole_operands(self) -> bool:
        return self.is_channels_last

    def scaled_channels(
        self, factor: Array, shift: Array, constant: Callable[[SSAValue], Array | None]
    ) -> Mapping[int, Array] | None:
        w, b = constant(self.w), constant(self.operands[2]) if self.own_count > 2 else np.zeros(1)
        if w is None or b is None:
            return None
        return {1: self.with_channels_scaled(w.astype(np.float64), factor), 2: b.astype(np.float64) * factor + shift}

    @abstractmethod
    def with_channels_scaled(self, w: Array, factor: Array) -> Array:
        """Weights that make each channel of the result `factor` times what it is with `w`."""

    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if len(operands) > 3:
            raise ValueError(f"there are {len(operands)} operands besides those of post-ops, 3 at most are taken")
        x, w, *bias = operands
        need_float(x)
        need_same_dtype(*operands)
        batch, channels, spatial = self.parted(x.shape)
        if len(w.shape) != len(x.shape):
            raise ValueError(f"x and the weights have {len(x.shape)} and {len(w.shape)} axes")
        if self.groups < 1:
            raise ValueError(f"group must be 1 or more, not {self.groups}")
        outputs = self.output_channels(channels, w.shape)
        for b in bias:
            if len(b.shape) != 1:
                raise ValueError(f"the bias must have one axis, not {len(b.shape)}")
            agreed(b.shape[0], outputs, "the bias and the channels of the result")
        kernel = self.kernel_of(w.shape)
        rank = len(spatial)
        self.rule(kernel if kernel is not None else (1,) * rank)
        places = self.outputs(kernel, spatial) if kernel is not None else (None,) * rank
        return (TensorInfo(self.joined(batch, outputs, places), x.dtype),)

    @abstractmethod
    def output_channels(self, channels: Dim | None, w: Sequence[Dim | None]) -> Dim | None:
        """Channels of the result. Raises ValueError where the weights do not fit x's channels and the groups."""

    @abstractmethod
    def outputs(self, kernel: tuple[int, ...], spatial: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """Spatial sizes of the result."""

    @abstractmethod
    def convolved(self, x: Array, w: Array) -> Array:
        """The sums, of x and weights with axes as ONNX has them."""

    def own_reference(self, *operands: Array) -> Array:
        x, w, *bias = operands
        y = self.convolved(self.channels_second(x), w)
        if bias:
            y += bias[0].astype(y.dtype).reshape(-1, *(1,) * (y.ndim - 2))
        return self.channels_back(y).astype(x.dtype, copy=False)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        assert dy is not None
        if self.post_ops is not None:
            raise LastuseError(f"{self.name} with post-ops has no gradient", self)
        shared = {"group": self.group, "channels_last": self.channels_last}
        dx, dw = self.factors(dy, shared, builder)
        return (dx, dw, bias_gradient(dy, self.is_channels_last, builder))[: len(self.operands)]

    @abstractmethod
    def factors(self, dy: SSAValue, shared: Mapping[str, Any], builder: GradientBuilder) -> tuple[SSAValue, SSAValue]:
        """The gradients of x and of the weights from that of y; `shared` are attributes that all these ops have."""

    def window_numbers(self, rule_of: Callable[[tuple[int, ...]], WindowRule | TransposedRule]) -> Sequence[float]:
        """What native kernels are told: groups, and of the spatial axes strides, dilations and begins."""
        kernel = self.kernel_of(self.operand_type(1).shape)
        sizes = known(self.parted(self.operand_type().shape)[2])
        assert kernel is not None and sizes is not None
        window = rule_of(kernel).window(sizes)
        return [self.groups, *window.strides, *window.dilations, *window.begins]

    def spatial_sizes(self, value: SSAValue, builder: GradientBuilder) -> tuple[int, ...]:
        """The spatial sizes of x, or of a value like it; raises LastuseError where one is not known."""
        return known_sizes(self.parted(builder.shape(value))[2], self)

    def known_kernel(self, builder: GradientBuilder) -> tuple[int, ...]:
        """Sizes of the window; raises LastuseError where one is not known."""
        return known_sizes(self.kernel_of(builder.shape(self.w)) or (None,), self)


@irdl_op_definition
class ConvOp(ConvolutionBase, ReadsZerosBase, SumsIntegers, AnySizeBase):
    """The sum over channels and a window of x, times weights, at each place of the window; plus a bias.

    Operands: x [N, C, spatial…], weights [O, C/group, kernel…], bias [O] (optional); one floating-point type. Result:
    [N, O, places…]. With `channels_last` x and the result are [N, spatial…, C], the weights as before. `group`:
    default 1. `strides`, `dilations`, `pads` (begins, then ends), `auto_pad`, `kernel_shape` as in ONNX Conv.
    `post_ops`: elementwise ops that each element of the result goes through, `[{op = "dnn.relu"}]` with their
    attributes. Their operands are the last ones, in their order. The result may lie over what
    `{op = "dnn.add", sum}`, which is the first of them, adds. A kernel of the runtime computes one of few outputs whose
    channels are second. `any_size`: for models of many widths; see `docs/onnx.md`.
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

    def storage(self) -> Contract:
        contract = super().storage()
        return contract._replace(engines=contract.engines | OWN_ENGINES) if self._is_native() else contract

    def engine(self) -> Engine | None:
        return Engine.NATIVE if self._prefers_native() else super().engine()

    def prefers_channels_last(self) -> bool:
        return super().prefers_channels_last() and not self._is_native()

    def _is_native(self) -> bool:
        given = engine_of(self)
        return self._prefers_native() if given is None else given is Engine.NATIVE and self.native_kernel() is not None

    def _prefers_native(self) -> bool:
        row = self.operand_type().shape[-1]
        return isinstance(row, int) and row >= LEAST_ROW and self.native_kernel() is not None

    def native_kernel(self) -> str | None:
        """The kernel of few outputs, of stride 1 along the last axis: oneDNN's take a copy of x with channels last."""
        sizes = numbers(self.operand_type(1).shape)
        if sizes is None or not 3 <= len(sizes) <= 4 or 0 in sizes or self.groups < 1 or not all_f32(self):
            return None
        kernel, outputs = self.kernel_of(sizes), sizes[0] // self.groups
        if self.is_channels_last or self.post_ops is not None or kernel is None or self.rule(kernel).strides[-1] != 1:
            return None
        return "conv" if outputs <= MOST_ROW_OUTPUTS and 2 * outputs <= sizes[1] else None

    def native_numbers(self) -> Sequence[float]:
        return self.window_numbers(self.rule)

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
        extra = self._entries(self.output_padding, "output_padding", len(kernel), 0)
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
