"""oneDNN's eltwise: one function of each element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, StringAttr
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import Operand
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute, number_of
from lastuse.dialect.onednn.step import DestinationStyleBase, OverFirstBase

ELTWISE = frozenset(
    ("abs", "clip", "elu", "exp", "gelu_erf", "gelu_tanh", "hardsigmoid", "hardswish", "linear", "log", "logistic")
    + ("mish", "pow", "relu", "round", "soft_relu", "sqrt", "square", "swish", "tanh")
)
"""As oneDNN names them; the core's table has the same (test/unit/runtime/test_primitives.py)."""


@irdl_op_definition
class OneDnnEltwiseOp(OverFirstBase):
    """dst = alg(src; alpha, beta), in place too. Both lie alike."""

    name = "onednn.eltwise"
    alg = attr_def(StringAttr)
    alpha = opt_attr_def(FloatAttr)
    beta = opt_attr_def(FloatAttr)
    assembly_format: ClassVar = "$alg " + DestinationStyleBase.assembly_format

    @property
    def parameters(self) -> tuple[float, float]:
        """alpha and beta, 0 where not given."""
        return number_of(self.alpha, 0.0), number_of(self.beta, 0.0)

    def verify_primitive(self) -> None:
        if self.alg.data not in ELTWISE:
            raise VerifyException(f"eltwise has no algorithm '{self.alg.data}'; it has {', '.join(sorted(ELTWISE))}")
        self.expect(1, 1)
        self.expect_alike(*self.in_memories, *self.out_memories)


@dataclass(frozen=True)
class EltwisePrimitive(Primitive):
    """dst = alg(src; alpha, beta)."""

    alg: str
    alpha: float = 0.0
    beta: float = 0.0

    TAKES_SCRATCH: ClassVar = False

    def emit(self, steps: StepBuilder) -> bool:
        if not (steps.ins[0].layout.is_dense and steps.outs[0].layout.is_dense):
            # At strides oneDNN takes another implementation, whose relu keeps -0; ops that allow strides have the bits
            # of the dense one on the cpu engine.
            return False
        self.emit_at(steps, steps.ins[0], steps.outs[0])
        return True

    def emit_at(self, steps: StepBuilder, src: Operand, dst: Operand) -> None:
        """Emits the step from `src` to `dst`."""
        numbers = {"alpha": self.alpha, "beta": self.beta}
        stated = {name: f32_attribute(number) for name, number in numbers.items() if number}
        steps.step(OneDnnEltwiseOp, [src], [dst], {"alg": StringAttr(self.alg), **stated})
