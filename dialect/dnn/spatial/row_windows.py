"""Ops that kernels of the runtime compute for windows over channels that are last, whatever the sizes of x
(runtime/cpp/kernels/float_windows.hpp)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, result_def, var_operand_def

from lastuse.dialect.dnn.base import DnnOp, TransposedForm
from lastuse.dialect.dnn.row_post_ops import RowPostOpsBase, row_post_op_numbers, row_post_ops
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase, known
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo

MOST_ROW_WINDOW_AXES = 2
"""Spatial axes that the kernels take."""


def movement_of_window(op: DnnOp) -> dict[str, Attribute]:
    """What a convolution states of how its window moves, with its channels last."""
    names = ("strides", "dilations", "pads", "auto_pad")
    stated = {name: op.attributes[name] for name in names if name in op.attributes}
    return {"channels_last": BoolAttr.from_bool(True), **stated}


class RowWindowsBase(WindowedOpBase, RowPostOpsBase):
    """x [N, spatial…, C] with one or two spatial axes, weights, perhaps a bias, and post-ops."""

    SPATIAL: ClassVar = frozenset()
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    rest = var_operand_def(TensorType)
    y = result_def(TensorType)

    @abstractmethod
    def kernel_dims(self, w: Sequence[Dim | None]) -> Sequence[Dim | None]:
        """Sizes of the window, for weights of this shape."""

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return None

    def takes_native(self) -> bool:
        return super().takes_native() and known(self._kernel()) is not None

    def native_numbers(self) -> Sequence[float]:
        kernel, sizes = known(self._kernel()), known(self.parted(self.operand_type().shape)[2])
        assert kernel is not None and sizes is not None
        window = self.rule(kernel).window(sizes)
        movement = [*window.kernel, *window.strides, *window.dilations, *window.begins]
        return [self.bias_count(), *movement, *row_post_op_numbers(row_post_ops(self) or ())]

    def taps(self) -> int:
        """Elements of the window, as far as its sizes are known."""
        return prod(n for n in self._kernel() if isinstance(n, int))

    def need_row_windows(self, operands: Sequence[TensorInfo]) -> None:
        """Raises ValueError unless the operands are f32, as many as there must be, x of so many axes, and the bias of
        one."""
        x, _, *bias = operands
        if not self.is_channels_last:
            raise ValueError("channels_last must be true")
        self.need_operand_count(len(operands))
        if any(operand.dtype != "f32" for operand in operands):
            raise ValueError("the operands must be f32")
        if len(self.parted(x.known)[2]) > MOST_ROW_WINDOW_AXES or any(len(row.known) != 1 for row in bias):
            raise ValueError("x must have one or two spatial axes, the bias one axis")

    def row_places(self, x: TensorInfo, kernel: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """Spatial sizes of the result; raises ValueError where the window does not fit x."""
        spatial, sizes = self.parted(x.known)[2], known(kernel)
        rule = self.rule(sizes if sizes is not None else (1,) * len(spatial))
        return rule.places(spatial) if sizes is not None else (None,) * len(spatial)

    def _kernel(self) -> Sequence[Dim | None]:
        return self.kernel_dims(self.operand_type(1).shape)
