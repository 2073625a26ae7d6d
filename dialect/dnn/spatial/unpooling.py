"""The inverse of max_pool: its results back in their places."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGERS, agreed_shape, integers, is_float, need_number
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.gathers import READS_INDICES, IndicesError
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase, known
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape
from lastuse.dialect.onednn.primitives.window import TransposedRule
from lastuse.dialect.storage.contract import Contract


@irdl_op_definition
class MaxUnpoolOp(NativeF32Base, WindowedOpBase):
    """Zeros, with the elements of x where `indices` say: counted row by row over the tensor that was pooled.

    Operands: x [N, C, spatial…], numbers, and indices of its shape, i64: results of `dnn.max_pool`, whose
    `kernel_shape`, `strides` and `pads` say the sizes of what was pooled. `output_shape`, if given, has the sizes of
    the result: zeros are behind it. Of equal indices the last counts. An index outside is an error. ONNX MaxUnpool.
    """

    name = "dnn.max_unpool"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) "
        "-> tensor<1x1x4x4xf32>"
    )
    SPATIAL: ClassVar = frozenset()
    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    y = result_def(TensorType)
    output_shape = opt_attr_def(INTEGERS)

    def storage(self) -> Contract:
        strided = not self.takes_native()
        return Contract(strided=strided, backward=READS_INDICES, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return [size or 0 for size in known(self._whole(static_shape(self.x.type))) or ()]

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """What dy has where the elements of x went, and 0 for those that another one was written over: the number that
        is left there says which one that is."""
        (dy,) = results
        assert dy is not None
        if not is_float(self.operand_type().dtype):
            return None, None
        whole = self._whole(builder.known_shape(self.x))
        if self.output_shape is not None:
            dy = builder.emit("slice", dy, starts=[0] * len(whole), ends=list(known(whole) or ()))
        numbers = builder.reshaped(builder.integers(range(prod(builder.known_shape(self.x))), i32), self.x)
        stated = {name: value for name, value in self.attributes.items() if "." not in name and name != "output_shape"}
        written: dict[str, Any] = {**stated}
        left = builder.emit("max_unpool", numbers, self.indices, **written)
        taken, found = (
            builder.emit("gather", builder.emit("reshape", value, shape=[prod(known(whole) or ())]), self.indices)
            for value in (dy, left)
        )
        kept = builder.emit("equal", found, numbers, dtype="i1")
        return builder.emit("where", kept, taken, builder.number(0, taken)), None

    def _whole(self, shape: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """Sizes of what was pooled."""
        batch, channels, spatial = self.parted(shape)
        kernel = self.kernel_sizes(len(spatial))
        rule = TransposedRule(self.rule(kernel), (0,) * len(kernel))
        return batch, channels, *rule.outputs(spatial)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, indices = operands
        need_number(x)
        if self.is_channels_last:
            raise ValueError("x is [N, C, spatial…]: indices are counted so")
        if indices.dtype != "i64":
            raise ValueError(f"indices must have element type i64, not {indices.dtype}")
        shape = agreed_shape("x and indices", x.shape, indices.shape)
        whole = self._whole(shape)
        if self.output_shape is None:
            return (TensorInfo(whole, x.dtype),)
        stated = integers(self.output_shape)
        fits = len(stated) == len(whole)
        if not fits or any(isinstance(w, int) and w > s for w, s in zip(whole, stated, strict=True)):
            raise ValueError(f"output_shape {list(stated)} has no room for what was pooled")
        return (TensorInfo(stated, x.dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, indices = operands
        whole = known(self._whole(x.shape))
        assert whole is not None
        flat = np.zeros(whole, x.dtype).reshape(-1)
        if indices.size and (indices.min() < 0 or indices.max() >= flat.size):
            wrong = int(indices.min() if indices.min() < 0 else indices.max())
            raise IndicesError(f"{self.name}: index {wrong} is outside of {flat.size} elements")
        flat[indices.reshape(-1)] = x.reshape(-1)
        y = flat.reshape(whole)
        if self.output_shape is None:
            return (y,)
        out = np.zeros(integers(self.output_shape), x.dtype)
        out[tuple(slice(0, size) for size in whole)] = y
        return (out,)
