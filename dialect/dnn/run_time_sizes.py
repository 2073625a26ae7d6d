"""Results whose size is known when the program runs: ops that count what they find, and the part that is counted.

An op that finds elements has a result with room for as many as there may be, and their number as another one. The part
of the first with that many rows is `dnn.leading_rows`: the only op whose sizes follow from a number of the run.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import prod
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.part_views import SliceOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import CPU_ONLY, Contract

COUNT = TensorInfo((), "i64")
"""The number of the rows that an op has found."""


class RunTimeRows(NamedTuple):
    """The first rows of a value: `x`, and the `length` of them, a value without axes."""

    x: SSAValue
    length: SSAValue


class RunTimeRowsBase(DnnOp):
    """An op whose only result is the first rows of an operand: how many, a number of the run may say."""

    @abstractmethod
    def run_time_rows(self) -> RunTimeRows | None:
        """What the rows are, where their number is not known while compiling; else None."""


@irdl_op_definition
class LeadingRowsOp(RunTimeRowsBase):
    """The first `count` rows of x, a number that is known when the op runs.

    Operands: x [rows, ...]; count, i64 without axes, from 0 to rows. Another count is an error, and so is one that is
    not the number of rows that the result's type states. Where that is not known while compiling, what the program does
    with the rows is compiled for each count.
    """

    name = "dnn.leading_rows"
    EXAMPLE: ClassVar = ": (tensor<4x3xf32>, tensor<i64>) -> tensor<2x3xf32>"
    SIMPLER_BECAUSE: ClassVar = "how many rows it has is known"
    x = operand_def(TensorType)
    count = operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(engines=CPU_ONLY)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, count = operands
        if not x.shape or count.shape or count.dtype != COUNT.dtype:
            raise ValueError("x must have an axis, and count must be i64 without axes")
        stated = self.result_type().shape
        rows = 0 if x.shape[0] == 0 else stated[0] if stated else None
        if isinstance(rows, int) and isinstance(x.shape[0], int) and rows > x.shape[0]:
            raise ValueError(f"there are {x.shape[0]} rows, not {rows}")
        rows = rows if count.numbers is None else self._checked(count.numbers, x.shape[0])
        return (TensorInfo((rows, *x.known[1:]), x.dtype),)

    def infer_with_contents(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        results = super().infer_with_contents([operands[0]._replace(content=None), operands[1]])
        return results if operands[0].content is None else super().infer_with_contents(operands)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, count = operands
        try:
            rows = self._checked(count, len(x))
            agreed(rows, self.result_type().shape[0], "rows")
        except ValueError as error:
            raise LastuseError(str(error), self) from error
        return (x[:rows],)

    def run_time_rows(self) -> RunTimeRows | None:
        return RunTimeRows(self.x, self.count) if self.result_type().shape[0] is None else None

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        count = np.zeros((), np.int64) if self.operand_type().shape[0] == 0 else constant(self.count)
        if count is None:
            return None
        part = {name: IntegerAttr(value, i64) for name, value in (("dim", 0), ("start", 0), ("end", int(count)))}
        return self.replacement(SliceOp, [self.x], part)

    def _checked(self, count: Array, rows: object) -> int:
        number = int(count)
        if number < 0 or (isinstance(rows, int) and number > rows):
            raise ValueError(f"there are {rows} rows, not {number}")
        return number


@irdl_op_definition
class NonZeroOp(NativeBase, KernelOnlyBase):
    """The places of the elements of x that are not 0, in the order of memory, and how many there are.

    x has an axis and elements of any type; -0 is 0, and NaN is not. Results: i64 [elements of x, axes], a row for each
    that is found, with 0 in the rows behind them; their number, i64. The transposed rows are ONNX's NonZero.
    """

    name = "dnn.non_zero"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> (tensor<6x2xi64>, tensor<i64>)"
    x = operand_def(TensorType)
    places = result_def(TensorType)
    count = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(backward=READS_NOTHING, engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (x,) = operands
        if not x.shape:
            raise ValueError("x must have an axis")
        elements = prod(d for d in x.shape if d is not None) if None not in x.shape else None
        return TensorInfo((elements, len(x.shape)), "i64"), COUNT

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (places, count) = operands, results
        found = np.argwhere(x)
        places[: len(found)], places[len(found) :] = found, 0
        count[...] = len(found)
