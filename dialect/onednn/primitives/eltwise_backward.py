"""oneDNN's eltwise backward: the gradient of one function of each element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, FloatAttr, StringAttr
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute, number_of
from lastuse.dialect.onednn.primitives.eltwise import ELTWISE
from lastuse.dialect.onednn.step import DestinationStyleBase, OverlapRules, PrimitiveBase

FROM_RESULT = frozenset(("elu", "exp", "logistic", "relu", "sqrt", "tanh"))
"""Algorithms whose gradient oneDNN computes from the result of the forward op."""
WITHOUT_GRADIENT = frozenset(("round",))


@irdl_op_definition
class OneDnnEltwiseBackwardOp(PrimitiveBase):
    """diff_src = diff_dst * alg'(src; alpha, beta). ins: data, diff_dst; in place over diff_dst. All lie alike.

    data is src, or with `from_dst` dst = alg(src), from which some algorithms compute the same.
    """

    name = "onednn.eltwise_backward"
    alg = attr_def(StringAttr)
    from_dst = opt_attr_def(BoolAttr)
    alpha = opt_attr_def(FloatAttr)
    beta = opt_attr_def(FloatAttr)
    assembly_format: ClassVar = "$alg " + DestinationStyleBase.assembly_format

    @property
    def parameters(self) -> tuple[float, float]:
        """alpha and beta, 0 where not given."""
        return number_of(self.alpha, 0.0), number_of(self.beta, 0.0)

    @property
    def reads_result(self) -> bool:
        """Whether data is the result of the forward op."""
        return self.from_dst is not None and bool(self.from_dst.value.data)

    def rules(self) -> OverlapRules:
        return OverlapRules(over=frozenset({(0, 1)}))

    def verify_primitive(self) -> None:
        known = FROM_RESULT if self.reads_result else ELTWISE - WITHOUT_GRADIENT
        if self.alg.data not in known:
            raise VerifyException(f"eltwise has no gradient of '{self.alg.data}'; it has {', '.join(sorted(known))}")
        self.expect(2, 1)
        data, diff_dst = self.in_memories
        self.expect_alike(data, diff_dst)
        self.expect_alike(data, *self.out_memories)


@dataclass(frozen=True)
class EltwiseBackwardPrimitive(Primitive):
    """result = operand 1 * alg'(x; alpha, beta), where operand 0 is x, or alg(x) with `from_result`."""

    alg: str
    from_result: bool
    alpha: float = 0.0
    beta: float = 0.0

    TAKES_SCRATCH: ClassVar = False

    def emit(self, steps: StepBuilder) -> bool:
        data, diff_dst = steps.ins
        (diff_src,) = steps.outs
        if not all(v.layout.is_dense and v.shape == data.shape for v in (data, diff_dst, diff_src)):
            return False
        if data.clashes(diff_dst):
            return False  # oneDNN documents nowhere that one memory may be both
        numbers = {"alpha": self.alpha, "beta": self.beta}
        attributes = {name: f32_attribute(number) for name, number in numbers.items() if number}
        chosen = {"from_dst": BoolAttr.from_bool(True)} if self.from_result else {}
        stated = {"alg": StringAttr(self.alg), **chosen, **attributes}
        steps.step(OneDnnEltwiseBackwardOp, steps.ins, steps.outs, stated)
        return True
