"""Values that are to stay until some op, though no op reads them any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, traits_def, var_operand_def

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import ALL_ENGINES, Contract


@irdl_op_definition
class KeepOp(DnnOp):
    """Counts as reading its operands, and does nothing: their memory holds them until here.

    Any operands, no results. Ops of this kind stay in their order and are never erased.
    `--backward-pass=mirror=true` adds them.
    """

    name = "dnn.keep"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<4xf32>) -> ()"
    # An effect that is not named: a reader that is moved or erased would keep nothing.
    traits = traits_def()
    inputs = var_operand_def(TensorType)

    def storage(self) -> Contract:
        return Contract(strided=True, engines=ALL_ENGINES)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return ()

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return ()
