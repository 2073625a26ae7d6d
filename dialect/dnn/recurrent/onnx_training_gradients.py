"""The gradients of ONNX's GRU and LSTM from the workspace of the layer in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    opt_result_def,
    result_def,
)

from lastuse.dialect.dnn.attributes import INTEGER, by_role, integer
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.onnx_gradient_base import OnnxGradBase
from lastuse.dialect.dnn.recurrent.onnx_gradients import OnnxGruStepBase, OnnxLstmStepBase
from lastuse.dialect.dnn.recurrent.onnx_training import ENGINES
from lastuse.dialect.dnn.recurrent.onnx_workspace import CELLS, workspace_type
from lastuse.dialect.dnn.recurrent.ragged import expect_shape
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract, Engine, InPlace


class OnnxTrainingGradBase(OnnxGradBase):
    """The gradients of a layer that has left a workspace. The numpy kernel computes the gates again instead."""

    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    direction = opt_attr_def(StringAttr)
    layout = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        workspace = list(by_role(self, range(len(self.operands)))).index("workspace")
        return Contract((InPlace(len(self.results) - 1, workspace),), scratch=self._scratch(), engines=ENGINES)

    def engine(self) -> Engine:
        return Engine.NATIVE

    def native_kernel(self) -> str:
        return "recurrent_training_grad"

    def native_numbers(self) -> Sequence[float]:
        roles, reverse = by_role(self, self.operands), self.directions()
        given = [name in roles for name in ("y_gradient", "y_h_gradient", "y_c_gradient")]
        layer = [CELLS.index(self._cell()), len(reverse), reverse[0], self.batch_axis() == 0]
        return [*layer, "b" in roles, "initial_h" in roles, *given, self._has_x_gradient()]

    def may_take_scratch(self) -> bool:
        return True

    def opaque_values(self) -> Sequence[SSAValue]:
        return by_role(self, self.operands)["workspace"], self.results[-1]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        types = by_role(self, operands)
        x, r, workspace = types["x"], types["r"], types["workspace"]
        results = self.gradient_types({name: type_ for name, type_ in types.items() if name != "workspace"})
        if x.dtype != "f32":
            raise ValueError(f"x has element type {x.dtype}, it must be f32")
        if 0 in (x.shape[2], r.shape[2]):
            raise ValueError("there are no inputs, or no channels")
        if len({name in types for name in self.STATES}) > 1:
            raise ValueError("there must be both initial states, or none")
        want = workspace_type(self._cell(), x, r, self.batch_axis())
        expect_shape("workspace", workspace, want.shape, "i8")
        return (*results[0 if self._has_x_gradient() else 1 : 4 + len(self.STATES)], want)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """From the states alone: the workspace means nothing to numpy."""
        *gradients, workspace = results
        if not self._has_x_gradient():
            gradients = [np.empty_like(operands[0]), *gradients]
        workspace[...] = by_role(self, operands)["workspace"]
        super().kernel(operands, gradients, scratch)

    def _has_x_gradient(self) -> bool:
        return len(self.results) != 4 + len(self.STATES)

    def _cell(self) -> str:
        if len(self.STATES) > 1:
            return "lstm"
        return "lbr_gru" if integer(self.attributes.get("linear_before_reset"), 0) else "gru"


@irdl_op_definition
class OnnxGruTrainingGradOp(OnnxTrainingGradBase, OnnxGruStepBase):
    """The gradients of `onnx_gru_training`, from its workspace.

    Operands: x, w, r, b and initial_h of `onnx_gru_training`, the last two optional; y and workspace, its results; then
    how the loss changes with y and with y_h, each optional. Results: how it changes with x, w, r, b and initial_h;
    where an operand is left out, that of zeros; behind them the workspace, which holds gradients of the gates then. The
    first result may be left out: it is not computed then.
    `direction`, `layout` and `linear_before_reset` are those of the forward op. Element type f32.
    `operandSegmentSizes` says which of the nine operands are there.
    """

    name = "dnn.onnx_gru_training_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>, tensor<5x1x2x3xf32>, tensor<1x384xi8>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, "
        "tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1x2x3xf32>, tensor<1x384xi8>)"
    )

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    r = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    y = operand_def(TensorType)
    workspace = operand_def(TensorType)
    y_gradient = opt_operand_def(TensorType)
    y_h_gradient = opt_operand_def(TensorType)
    x_gradient = opt_result_def(TensorType)
    w_gradient = result_def(TensorType)
    r_gradient = result_def(TensorType)
    b_gradient = result_def(TensorType)
    initial_h_gradient = result_def(TensorType)
    used_workspace = result_def(TensorType)


@irdl_op_definition
class OnnxLstmTrainingGradOp(OnnxTrainingGradBase, OnnxLstmStepBase):
    """The gradients of `onnx_lstm_training`, from its workspace.

    Operands: x, w, r, b, initial_h and initial_c of `onnx_lstm_training`, the last three optional; y and workspace, its
    results; then how the loss changes with y, y_h and y_c, each optional. Results: how it changes with x, w, r, b,
    initial_h and initial_c; where an operand is left out, that of zeros; behind them the workspace, as of
    `onnx_gru_training_grad`. The first result may be left out. `direction` and `layout` are those of the forward op.
    Element type f32. `operandSegmentSizes` says which of the eleven operands are there.
    """

    name = "dnn.onnx_lstm_training_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0>} : (tensor<5x2x4xf32>, "
        "tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<5x1x2x3xf32>, tensor<1x640xi8>, "
        "tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, "
        "tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x640xi8>)"
    )

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    r = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    initial_c = opt_operand_def(TensorType)
    y = operand_def(TensorType)
    workspace = operand_def(TensorType)
    y_gradient = opt_operand_def(TensorType)
    y_h_gradient = opt_operand_def(TensorType)
    y_c_gradient = opt_operand_def(TensorType)
    x_gradient = opt_result_def(TensorType)
    w_gradient = result_def(TensorType)
    r_gradient = result_def(TensorType)
    b_gradient = result_def(TensorType)
    initial_h_gradient = result_def(TensorType)
    initial_c_gradient = result_def(TensorType)
    used_workspace = result_def(TensorType)
