"""What convolutions and their transposes share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_attr_def, result_def, var_operand_def

from lastuse.dialect.dnn.arithmetic import READS_BOTH
from lastuse.dialect.dnn.attributes import (
    INTEGER,
    agreed,
    engines,
    integer,
    need_float,
    need_same_dtype,
    on_cpu_alone,
)
from lastuse.dialect.dnn.base import Array, TransposedForm
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.post_ops import PostOpsBase
from lastuse.dialect.dnn.spatial.convolution_gradients import bias_gradient, known_sizes
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase, known
from lastuse.dialect.dnn.work import work_of_product
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.window import TransposedRule, WindowRule
from lastuse.dialect.storage.contract import Contract


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
