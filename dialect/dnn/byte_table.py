"""Functions of bytes, by a table of all results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, agreed, axis_of, integer, moved_axis
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import blockwise
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype
from lastuse.dialect.storage.contract import Contract, InPlace

RESULTS = 256
"""Of a table: one for each byte."""
CHANNELS = 1
"""The axis of channels, unless `axis` says another one."""


def all_bytes(dtype: str) -> Array:
    """Every number of an element type of 8 bits, in ascending order."""
    limits = np.iinfo(numpy_dtype(dtype))
    return np.arange(limits.min, limits.max + 1).astype(numpy_dtype(dtype))


@irdl_op_definition
class ByteTableOp(NativeBase, KernelOnlyBase):
    """table[x - m], element by element, where m is the smallest number of the type of x; or table[c, x - m], where c is
    the index of the element along `axis`.

    Operands: x, ui8 or i8; table [256] or [C, 256], ui8 or i8. `axis`: of x, default 1. The result has the shape of x
    and the type of the table. In place over x of that type. `--quantized-ops-pass` makes it.
    """

    name = "dnn.byte_table"
    EXAMPLE: ClassVar = ": (tensor<2x3xui8>, tensor<256xui8>) -> tensor<2x3xui8>"
    CHEAP: ClassVar = True
    x = operand_def(TensorType)
    table = operand_def(TensorType)
    y = result_def(TensorType)
    axis = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        same = self.operand_type().dtype == self.result_type().dtype
        return Contract((InPlace(0, 0),) if same else (), engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, table = operands
        for value, what in ((x, "x"), (table, "the table")):
            if value.dtype not in SMALL:
                raise ValueError(f"{what} must be {' or '.join(SMALL)}, not {value.dtype}")
        if table.shape[-1:] != (RESULTS,) or len(table.shape) > 2:
            raise ValueError(f"the table must have {RESULTS} numbers on one axis, or for each channel")
        if len(table.shape) == 2:
            agreed(
                x.shape[axis_of(integer(self.axis, CHANNELS), len(x.shape))], table.shape[0], "channels of x and table"
            )
        return (TensorInfo(x.shape, table.dtype),)

    def _channels(self) -> int | None:
        """The axis of x along which tables differ; None where there is one table."""
        if len(self.operand_type(1).shape) < 2:
            return None
        return axis_of(integer(self.axis, CHANNELS), len(self.operand_type().shape))

    def native_numbers(self) -> Sequence[float]:
        axis = self._channels()
        return [] if axis is None else [axis]

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        if self._channels() is None:
            return TransposedForm(self.attributes, frozenset({0}))
        return TransposedForm({**self.attributes, "axis": moved_axis(self.axis, CHANNELS, perm)}, frozenset({0}))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, table), (y,), axis = operands, results, self._channels()
        smallest = int(np.iinfo(x.dtype).min)
        flat = table.reshape(-1)
        first = np.arange(0, flat.size, RESULTS).reshape(-1, *(1,) * (0 if axis is None else x.ndim - axis - 1))

        def results_of(x: Array, first: Array) -> Array:
            return flat[first + x.astype(np.int64) - smallest]

        blockwise(results_of, [x, first], y)
