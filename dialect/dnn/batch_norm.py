"""Batch normalisation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def, var_result_def

from lastuse.dialect.dnn.affine import Affine, AffineBase
from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    agreed,
    all_f32,
    engines,
    flag,
    integer,
    need_float,
    need_same_dtype,
    number,
    on_cpu_alone,
)
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import blocks
from lastuse.dialect.dnn.blocked_kernels import mean as mean_of
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.integer_forms import ComputesChannels
from lastuse.dialect.dnn.second_run import SecondRun
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.batch_norm import BatchNormPrimitive
from lastuse.dialect.onednn.primitives.batch_norm_training import BatchNormTrainingPrimitive
from lastuse.dialect.storage.contract import ANY_ENGINE, CPU_ONLY, Backward, Contract, Engine, InPlace, engine_of


@irdl_op_definition
class BatchNormOp(KernelOnlyBase, AffineBase, ComputesChannels):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias for each channel.

    Operands: x [N, C, …], or with `channels_last` [N, …, C]; then scale, bias, mean, variance, each [C]. `epsilon`:
    default 1e-5. y has the type of x; all of one floating-point type.
    With `training_mode` x is normalised by its own statistics, and there are three results: behind y the running mean
    and variance, which are `momentum` (default 0.9) of the operands and the rest of x's. ONNX BatchNormalization. Two
    more results, if there are any, are the mean and the variance of x, which the gradient reads beside x and the scale.
    Without `training_mode` the gradient of x reads scale and variance, those of the scale and of the statistics x and
    the mean too.
    """

    name = "dnn.batch_norm"
    EXAMPLE: ClassVar = (
        "{epsilon = 1.0e-5 : f32} "
        ": (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"
    )
    CHEAP: ClassVar = True
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    bias = operand_def(TensorType)
    mean = operand_def(TensorType)
    variance = operand_def(TensorType)
    y = result_def(TensorType)
    statistics = var_result_def(TensorType)
    epsilon = opt_attr_def(NUMBER)
    momentum = opt_attr_def(NUMBER)
    training_mode = opt_attr_def(INTEGER)
    channels_last = opt_attr_def(BoolAttr)

    def is_training(self) -> bool:
        """Whether x's own statistics normalise it."""
        return bool(integer(self.training_mode, 0))

    def computed_channels(self) -> int | None:
        rank = len(self.operand_type().shape)
        return None if self.is_training() else rank - 1 if flag(self.channels_last) else 1

    def storage(self) -> Contract:
        if self.is_training():
            over = (InPlace(0, 0), InPlace(1, 3), InPlace(2, 4))
            saved = frozenset(range(3, len(self.results)))
            return Contract(over, backward=Backward(frozenset({0, 1}), saved), engines=self._training_engines())
        reads = Backward(operands=frozenset({0, 1, 3, 4}))
        return Contract((InPlace(0, 0),), strided=on_cpu_alone(self), backward=reads, engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        need_float(x)
        need_same_dtype(*operands)
        if len(x.shape) < 2:
            raise ValueError(f"x must have 2 axes or more, not {len(x.shape)}")
        channels = x.shape[-1 if flag(self.channels_last) else 1]
        for operand, what in zip(operands[1:], ("scale", "bias", "mean", "variance"), strict=True):
            if len(operand.shape) != 1:
                raise ValueError(f"{what} must have one axis, not {len(operand.shape)}")
            channels = agreed(channels, operand.shape[0], f"channels of x and {what}")
        if self.is_training():
            count = 4 if len(self.statistics) == 4 else 2
            return (x, *(TensorInfo((channels,), x.dtype) for _ in range(count)))
        return (x,)

    def affine(self, constant: Callable[[SSAValue], Array | None]) -> Affine | None:
        parameters = [constant(value) for value in self.operands[1:]]
        known = [p.astype(np.float64) for p in parameters if p is not None]
        if self.is_training() or len(known) < len(parameters):
            return None
        scale, bias, mean, variance = known
        factor = scale / np.sqrt(variance + float(np.float32(number(self.epsilon, 1e-5))))
        behind = 0 if flag(self.channels_last) else len(self.operand_type().shape) - 2
        return Affine(0, *(a.reshape(-1, *(1,) * behind) for a in (factor, bias - mean * factor)))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, y = (np.moveaxis(a, -1, 1) if flag(self.channels_last) else a for a in (operands[0], results[0]))
        scale, bias, mean, variance = operands[1:]
        with np.errstate(all="ignore"):
            if self.is_training():
                own = _channel_statistics(x)
                part = x.dtype.type(number(self.momentum, 0.9))
                for old, new, running in zip((mean, variance), own, results[1:3], strict=True):
                    np.add(old * part, new * (x.dtype.type(1) - part), out=running)
                for out, value in zip(results[3:], own, strict=False):
                    np.copyto(out, value)
                mean, variance = own
            self._normalise(x, scale, bias, mean, variance, y)

    def _normalise(self, x: Array, scale: Array, bias: Array, mean: Array, variance: Array, y: Array) -> None:
        column = (slice(None), *(None for _ in range(x.ndim - 2)))
        factor = scale / np.sqrt(variance + x.dtype.type(number(self.epsilon, 1e-5)))
        np.subtract(x, mean[column], out=y)
        np.multiply(y, factor[column], out=y)
        np.add(y, bias[column], out=y)

    def _training_engines(self) -> frozenset[Engine]:
        if not all_f32(self):
            return CPU_ONLY
        return ANY_ENGINE if len(self.statistics) == 4 else ANY_ENGINE - {Engine.ONEDNN}

    def engine(self) -> Engine | None:
        """In training our own kernel, which sums a channel in f64: oneDNN does so in f32, and is slower."""
        return Engine.NATIVE if self.is_training() and all_f32(self) else super().engine()

    def native_kernel(self) -> str | None:
        return "batch_norm" if self.is_training() else None

    def native_numbers(self) -> Sequence[float]:
        return [number(self.epsilon, 1e-5), number(self.momentum, 0.9), flag(self.channels_last)]

    def primitive(self) -> Primitive | None:
        epsilon, last = float(number(self.epsilon, 1e-5)), flag(self.channels_last)
        if not all_f32(self):
            return None
        if not self.is_training():
            return BatchNormPrimitive(epsilon, last)
        if engine_of(self) is not Engine.ONEDNN or len(self.statistics) < 4:
            return None
        return BatchNormTrainingPrimitive(epsilon, float(number(self.momentum, 0.9)), last)

    def training_form(self) -> DnnOp | None:
        if not self.is_training() or len(self.statistics) == 4:
            return None
        return self.extended(self.statistics[0].type, self.statistics[1].type)

    def second_run(self) -> SecondRun:
        """In training y depends on no running statistics: those that were saved stand in, and the memory of the running
        ones may be written over."""
        if not self.is_training() or len(self.statistics) < 4:
            return super().second_run()
        return super().second_run()._replace(operands=(self.x, self.scale, self.bias, *self.statistics[2:]))

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        dy, *statistics = results
        if any(statistics) or self.is_training() and len(self.statistics) < 4:
            raise LastuseError(f"{self.name} has a gradient of y alone, from statistics that it has as results", self)
        assert dy is not None
        shared: dict[str, Any] = {"epsilon": float(number(self.epsilon, 1e-5)), "channels_last": self.channels_last}
        if self.is_training():
            operands = (self.x, self.scale, *self.statistics[2:], dy)
            return *builder.emit_all("batch_norm_grad", *operands, results=3, **shared), None, None
        return self._gradient_of_fixed(dy, shared, builder)

    def _gradient_of_fixed(
        self, dy: SSAValue, shared: Mapping[str, Any], builder: GradientBuilder
    ) -> Sequence[SSAValue | None]:
        """The gradients with statistics that are operands: each op reads no more than it has to, so that x is dead
        where only the gradient of x is asked for."""
        shifted = builder.emit("scale", self.variance, bias=shared["epsilon"])
        factor = builder.emit("div", self.scale, builder.emit("sqrt", shifted))
        rank = len(builder.shape(dy))
        last = rank - 1 if flag(self.channels_last) else 1
        others = [axis for axis in range(rank) if axis != last]
        behind = list(range(1, rank - last))  # axes of dy behind that of the channels, in a factor that begins with it
        column = builder.emit("unsqueeze", factor, axes=behind) if behind else factor
        dx = builder.emit("mul", dy, column)
        dbias = builder.emit("reduce_sum", dy, axes=others)
        operands = (self.x, self.scale, self.mean, self.variance, dy)
        _, dscale, _ = builder.emit_all("batch_norm_grad", *operands, results=3, fixed=True, **shared)
        dmean = builder.emit("neg", builder.emit("mul", dbias, factor))
        ratio = builder.emit("div", builder.emit("mul", dscale, self.scale), shifted)
        return dx, dscale, dbias, dmean, builder.scaled(ratio, -0.5)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """The channels may be brought to the end, the batch stays in front."""
        if len(perm) < 3 or flag(self.channels_last) or (perm[0], perm[-1]) != (0, 1):
            return None
        return TransposedForm({**self.attributes, "channels_last": BoolAttr.from_bool(True)}, frozenset({0}))


def _channel_statistics(x: Array) -> tuple[Array, Array]:
    """The mean and the variance of each channel (axis 1); NaN where it has no elements."""
    axes = tuple(a for a in range(x.ndim) if a != 1)
    mean = mean_of(x, axes, keepdims=True)
    variance = np.zeros_like(mean)
    for part, target in blocks(x.shape, axes):
        squares = np.square(x[part] - mean[target])
        np.add(variance[target], np.add.reduce(squares, axes, dtype=x.dtype, keepdims=True), out=variance[target])
    count = int(np.prod([x.shape[a] for a in axes], dtype=np.int64))
    return mean.reshape(-1), (variance / x.dtype.type(count)).reshape(-1)
