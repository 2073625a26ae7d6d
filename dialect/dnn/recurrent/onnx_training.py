"""ONNX's GRU and LSTM in training: with a workspace that the gradient of the layer reads."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i32
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, result_def

from lastuse.dialect.dnn.attributes import by_role
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.recurrent.onnx_base import DifferentiableRecurrentBase
from lastuse.dialect.dnn.recurrent.onnx_rnn import OnnxGruBase, OnnxLstmBase
from lastuse.dialect.dnn.recurrent.onnx_workspace import CELLS, workspace_type
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.storage.contract import Backward, Contract, Engine

ENGINES = frozenset({Engine.NATIVE})
"""The runtime's kernel, on products of oneDNN. Nothing else fills a workspace."""


class OnnxTrainingBase(DifferentiableRecurrentBase):
    """A layer whose last result is the workspace."""

    KEPT: ClassVar[tuple[int, ...]]
    """The results that the gradient reads."""

    def storage(self) -> Contract:
        reads = Backward(frozenset(range(len(self.operands))), frozenset(self.KEPT))
        return Contract(backward=reads, engines=ENGINES)

    def engine(self) -> Engine:
        return Engine.NATIVE

    def primitive(self) -> Primitive | None:
        return None  # the runtime's kernel prepares oneDNN's products, and packs weights that change

    def native_kernel(self) -> str:
        return "recurrent_training"

    def native_numbers(self) -> Sequence[float]:
        roles, reverse = by_role(self, self.operands), self.directions()
        cell = CELLS.index(self.onednn_cell() or "")
        return [cell, len(reverse), reverse[0], self.batch_axis() == 0, "b" in roles, "initial_h" in roles]

    def may_take_scratch(self) -> bool:
        return True

    def opaque_values(self) -> Sequence[SSAValue]:
        return self.results[-1:]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        states = super().infer(operands)[:-1]
        refusal = self.untrainable()
        if refusal is not None:
            raise ValueError(refusal)
        cell = self.onednn_cell()
        assert cell is not None
        return (*states, workspace_type(cell, operands[0], operands[2], self.batch_axis()))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """The states alone: numpy's gradient reads no workspace."""
        *states, workspace = results
        super().kernel(operands, states, scratch)
        workspace[...] = 0

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        *of_states, of_workspace = results
        if of_workspace is not None:
            raise LastuseError(f"the workspace of {self.name} has no gradient", self)
        roles = by_role(self, self.operands)
        names = ("x", "w", "r", "b", *self.states())
        values = [*(roles.get(name) for name in names), *(self.results[k] for k in self.KEPT), *of_states]
        names = names if builder.is_needed(self.operands[0]) else names[1:]
        gradients = builder.emit_all(
            self.GRADIENT,
            *(value for value in values if value is not None),
            results=len(names) + 1,
            operandSegmentSizes=DenseArrayBase.from_list(i32, [int(value is not None) for value in values]),
            direction=self.direction,
            layout=self.layout,
            linear_before_reset=self.attributes.get("linear_before_reset"),
        )
        by_name = dict(zip(names, gradients, strict=False))  # the workspace is behind them
        return [by_name.get(name) for name in roles]

    @abstractmethod
    def states(self) -> tuple[str, ...]:
        """The operands that hold the states before the first step."""


@irdl_op_definition
class OnnxGruTrainingOp(OnnxTrainingBase, OnnxGruBase):
    """`onnx_gru` in training, with a workspace for `onnx_gru_training_grad`.

    Operands and attributes as of `onnx_gru`, f32, but no sequence_lens, no other activations than the default ones, and
    no clip. Results: y and y_h as there; workspace i8 [directions, bytes], whose elements mean nothing to other ops.
    `bytes` follows from the sizes: the gates of each step and, with linear_before_reset, what the reset multiplies.
    """

    name = "dnn.onnx_gru_training"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x384xi8>)"
    )
    GRADIENT: ClassVar = "onnx_gru_training_grad"
    KEPT: ClassVar = (0, 2)
    y = result_def(TensorType)
    y_h = result_def(TensorType)
    workspace = result_def(TensorType)

    def states(self) -> tuple[str, ...]:
        return ("initial_h",)


@irdl_op_definition
class OnnxLstmTrainingOp(OnnxTrainingBase, OnnxLstmBase):
    """`onnx_lstm` in training, with a workspace for `onnx_lstm_training_grad`.

    Operands and attributes as of `onnx_lstm`, f32, but no sequence_lens, no p, no other activations than the default
    ones, no clip and no input_forget; both initial states or none. Results: y, y_h and y_c as there; workspace as of
    `onnx_gru_training`, with the gates and the cells of each step.
    """

    name = "dnn.onnx_lstm_training"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, "
        "tensor<1x12x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x640xi8>)"
    )
    GRADIENT: ClassVar = "onnx_lstm_training_grad"
    KEPT: ClassVar = (0, 3)
    y = result_def(TensorType)
    y_h = result_def(TensorType)
    y_c = result_def(TensorType)
    workspace = result_def(TensorType)

    def states(self) -> tuple[str, ...]:
        return ("initial_h", "initial_c")
