"""Updates of parameters: a parameter and its states from their gradient. Each result may lie over its operand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.accumulation import AccumulatesGradientBase, Accumulation
from lastuse.dialect.dnn.attributes import NUMBER, agreed_shape, flag, need_float, need_same_dtype, number
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.blocked_kernels import blockwise_all
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract, InPlace

_NATIVE_SCALARS = ("f32", "f64", "i32", "i64")


class UpdateBase(NativeF32Base, KernelOnlyBase):
    """Operands: the parameter, its gradient and its states, of one shape and floating-point type; then scalars without
    axes, the last of which is the learning rate. Results: the parameter and the states, updated.

    The gradient is increased by `weight_decay` (default 0) times the parameter before all else.
    """

    SCALARS: ClassVar[int] = 1
    weight_decay = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        states = range(1, len(self.results))
        over = (InPlace(0, 0), *(InPlace(k, k + 1) for k in states), InPlace(0, 1))
        return Contract(over, strided=True, engines=self.kernel_engines())

    def takes_native(self) -> bool:
        scalars = range(len(self.operands) - self.SCALARS, len(self.operands))
        return super().takes_native() and all(self.operand_type(k).dtype in _NATIVE_SCALARS for k in scalars)

    def native_numbers(self) -> Sequence[float]:
        return [number(self.weight_decay, 0)]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        tensors, scalars = operands[: -self.SCALARS], operands[-self.SCALARS :]
        need_float(tensors[0])
        need_same_dtype(*tensors)
        shape = agreed_shape("parameter, gradient and states", *(info.shape for info in tensors))
        if any(info.shape for info in scalars):
            raise ValueError("scalar operands have no axes")
        need_float(scalars[-1])
        return tuple(TensorInfo(shape, tensors[0].dtype) for _ in self.results)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        count = len(operands) - self.SCALARS
        kind = operands[0].dtype.type
        decay = kind(number(self.weight_decay, 0))
        scalars = [operand.reshape(-1)[0] for operand in operands[count:]]
        for parameter, gradient, *rest in blockwise_all(operands[:count], results):
            states, targets = rest[: count - 2], rest[count - 2 :]
            moved = gradient + parameter * decay if decay else gradient
            updated = self.update(parameter, moved, states, scalars)
            for target, value in zip(targets, updated, strict=True):
                np.copyto(target, value)

    @abstractmethod
    def update(
        self, parameter: Array, gradient: Array, states: Sequence[Array], scalars: Sequence[np.generic]
    ) -> Sequence[Array]:
        """The results for some elements, of their type."""


@irdl_op_definition
class SgdOp(UpdateBase):
    """w - lr * g: one step down the gradient.

    Operands: the parameter w, its gradient g and the learning rate lr, without axes. `weight_decay`: default 0; g is
    increased by so many times w. The result has the type of w. PyTorch SGD.
    """

    name = "dnn.sgd"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"
    parameter = operand_def(TensorType)
    parameter_gradient = operand_def(TensorType)
    rate = operand_def(TensorType)
    updated = result_def(TensorType)

    def update(
        self, parameter: Array, gradient: Array, states: Sequence[Array], scalars: Sequence[np.generic]
    ) -> Sequence[Array]:
        return (parameter - gradient * parameter.dtype.type(scalars[0]),)


@irdl_op_definition
class MomentumOp(UpdateBase, AccumulatesGradientBase):
    """v' = momentum * v + g, then w - lr * v'; with `nesterov` w - lr * (g + momentum * v').

    Operands: the parameter w, its gradient g, the velocity v and the learning rate lr, without axes. `momentum`:
    default 0.9. `weight_decay`: default 0; g is increased by so many times w. Results: w and v, updated. PyTorch SGD
    with momentum.
    """

    name = "dnn.momentum"
    EXAMPLE: ClassVar = (
        ": (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)"
    )
    parameter = operand_def(TensorType)
    parameter_gradient = operand_def(TensorType)
    velocity = operand_def(TensorType)
    rate = operand_def(TensorType)
    updated = result_def(TensorType)
    updated_velocity = result_def(TensorType)
    momentum = opt_attr_def(NUMBER)
    nesterov = opt_attr_def(BoolAttr)

    def native_numbers(self) -> Sequence[float]:
        return [*super().native_numbers(), number(self.momentum, 0.9), flag(self.nesterov)]

    def update(
        self, parameter: Array, gradient: Array, states: Sequence[Array], scalars: Sequence[np.generic]
    ) -> Sequence[Array]:
        kind = parameter.dtype.type
        part = kind(number(self.momentum, 0.9))
        velocity = states[0] * part + gradient
        direction = gradient + velocity * part if flag(self.nesterov) else velocity
        return parameter - direction * kind(scalars[0]), velocity

    def accumulation(self) -> Accumulation | str:
        if number(self.weight_decay, 0):
            return "the weight decay adds the parameter to it"
        if flag(self.nesterov):
            return "nesterov reads it again"
        return Accumulation(1, 2, float(number(self.momentum, 0.9)))

    def with_new_state(self, state: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue]:
        return builder.emit("sgd", self.parameter, state, self.rate), state


class AdamBase(UpdateBase):
    """`beta1`: default 0.9, `beta2`: default 0.999, `epsilon`: default 1e-8. Results: the parameter and two moments."""

    beta1 = opt_attr_def(NUMBER)
    beta2 = opt_attr_def(NUMBER)
    epsilon = opt_attr_def(NUMBER)

    def native_numbers(self) -> Sequence[float]:
        own = number(self.beta1, 0.9), number(self.beta2, 0.999), number(self.epsilon, 1e-8)
        return [*super().native_numbers(), *own]

    def update(
        self, parameter: Array, gradient: Array, states: Sequence[Array], scalars: Sequence[np.generic]
    ) -> Sequence[Array]:
        kind = parameter.dtype.type
        beta1, beta2, rate = number(self.beta1, 0.9), number(self.beta2, 0.999), np.float64(scalars[-1])
        power1, power2 = self.powers(scalars)
        first = states[0] * kind(beta1) + gradient * kind(1 - beta1)
        second = states[1] * kind(beta2) + np.square(gradient) * kind(1 - beta2)
        scale = np.sqrt(second) / kind(np.sqrt(1 - power2)) + kind(number(self.epsilon, 1e-8))
        return parameter - first / scale * kind(rate / (1 - power1)), first, second

    @abstractmethod
    def powers(self, scalars: Sequence[np.generic]) -> tuple[np.float64, np.float64]:
        """beta1^t and beta2^t."""


@irdl_op_definition
class AdamOp(AdamBase):
    """Adam: w - lr * (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + epsilon).

    m' = beta1 * m + (1 - beta1) * g and v' = beta2 * v + (1 - beta2) * g^2. Operands: the parameter w, its gradient g,
    m, v, the number t of the step, from 1 on, and the learning rate lr; the last two have no axes. `beta1`: default
    0.9, `beta2`: default 0.999, `epsilon`: default 1e-8. `weight_decay`: default 0; g is increased by so many times w.
    Results: w, m and v, updated. Kingma and Ba 2015, algorithm 1; PyTorch Adam.
    """

    name = "dnn.adam"
    EXAMPLE: ClassVar = (
        ": (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<i64>, tensor<f32>) -> "
        "(tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)"
    )
    SCALARS: ClassVar = 2
    parameter = operand_def(TensorType)
    parameter_gradient = operand_def(TensorType)
    first_moment = operand_def(TensorType)
    second_moment = operand_def(TensorType)
    step = operand_def(TensorType)
    rate = operand_def(TensorType)
    updated = result_def(TensorType)
    updated_first = result_def(TensorType)
    updated_second = result_def(TensorType)

    def powers(self, scalars: Sequence[np.generic]) -> tuple[np.float64, np.float64]:
        step = np.float64(scalars[0])
        return np.float64(number(self.beta1, 0.9) ** step), np.float64(number(self.beta2, 0.999) ** step)


@irdl_op_definition
class AdamWithPowersOp(AdamBase):
    """`dnn.adam`, told beta1^t and beta2^t instead of t.

    Operands: the parameter w, its gradient g, m, v, beta1^t, beta2^t and the learning rate lr; the last three have no
    axes and floating-point elements. `beta1`: default 0.9, `beta2`: default 0.999, `epsilon`: default 1e-8, of m' and
    v' as in `dnn.adam`. `weight_decay`: default 0; g is increased by so many times w. Results: w, m and v, updated.
    Paddle adam.
    """

    name = "dnn.adam_with_powers"
    EXAMPLE: ClassVar = (
        ": (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>) "
        "-> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)"
    )
    SCALARS: ClassVar = 3
    parameter = operand_def(TensorType)
    parameter_gradient = operand_def(TensorType)
    first_moment = operand_def(TensorType)
    second_moment = operand_def(TensorType)
    power1 = operand_def(TensorType)
    power2 = operand_def(TensorType)
    rate = operand_def(TensorType)
    updated = result_def(TensorType)
    updated_first = result_def(TensorType)
    updated_second = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[4])
        need_float(operands[5])
        return super().infer(operands)

    def powers(self, scalars: Sequence[np.generic]) -> tuple[np.float64, np.float64]:
        return np.float64(scalars[0]), np.float64(scalars[1])
