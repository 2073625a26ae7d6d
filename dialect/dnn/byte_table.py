"""Functions of bytes, by a table of all results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.base import Array, KernelOnlyBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import blockwise
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype
from lastuse.dialect.storage.contract import Contract, InPlace

RESULTS = 256
"""Of a table: one for each byte."""


def all_bytes(dtype: str) -> Array:
    """Every number of an element type of 8 bits, in ascending order."""
    limits = np.iinfo(numpy_dtype(dtype))
    return np.arange(limits.min, limits.max + 1).astype(numpy_dtype(dtype))


@irdl_op_definition
class ByteTableOp(NativeBase, KernelOnlyBase):
    """table[x - m], element by element, where m is the smallest number of the type of x.

    Operands: x, ui8 or i8; table, 256 numbers of ui8 or i8. The result has the shape of x and the type of the table. In
    place over x of that type. `--quantized-ops-pass` makes it.
    """

    name = "dnn.byte_table"
    EXAMPLE: ClassVar = ": (tensor<2x3xui8>, tensor<256xui8>) -> tensor<2x3xui8>"
    CHEAP: ClassVar = True
    x = operand_def(TensorType)
    table = operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        same = self.operand_type().dtype == self.result_type().dtype
        return Contract((InPlace(0, 0),) if same else (), engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, table = operands
        for value, what in ((x, "x"), (table, "the table")):
            if value.dtype not in SMALL:
                raise ValueError(f"{what} must be {' or '.join(SMALL)}, not {value.dtype}")
        if table.shape != (RESULTS,):
            raise ValueError(f"the table must have {RESULTS} numbers on one axis")
        return (TensorInfo(x.shape, table.dtype),)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return TransposedForm(self.attributes, frozenset({0}))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, table), (y,) = operands, results
        smallest = int(np.iinfo(x.dtype).min)

        def results_of(x: Array) -> Array:
            return table[x.astype(np.int64) - smallest]

        blockwise(results_of, [x], y)
