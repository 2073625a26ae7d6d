"""Ops that compute each element from the elements at the same place: activations, arithmetic, comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from ..base import Array, DnnOp
from ..primitive import Binary, Eltwise, Primitive
from ..shape import Typed, broadcast, squeezed
from ..storage import ALL_ENGINES, CPU_ONLY, Backward, Contract, Over


class UnaryOp(DnnOp):
    """y = f(x): one operand, one result of its shape and element type. In place over x on every engine."""

    EXACT: ClassVar[bool] = False
    """Every kernel of every engine gives the same bits (IEEE-exact or a selection), so strides are allowed."""
    BACKWARD: ClassVar[Backward] = Backward(operands=frozenset({0}))

    x = operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(
            over=(Over(0, 0),),
            strided=self.EXACT or self.primitive() is None,
            backward=self.BACKWARD,
            engines=CPU_ONLY if self.primitive() is None else ALL_ENGINES,
        )

    def infer(self, operands: Sequence[Typed]) -> tuple[Typed, ...]:
        return (operands[0],)


@irdl_op_definition
class Relu(UnaryOp):
    """max(x, 0), element by element; NaN stays NaN."""

    name = "dnn.relu"
    EXACT: ClassVar = True
    BACKWARD: ClassVar = Backward(results=frozenset({0}))

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (np.maximum(operands[0], operands[0].dtype.type(0)),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        np.maximum(operands[0], operands[0].dtype.type(0), out=results[0])

    def primitive(self) -> Primitive | None:
        return Eltwise("relu") if self.operand_type().dtype == "f32" else None


class BinaryOp(DnnOp):
    """c = f(a, b) with numpy broadcasting. In place over an operand of the result's shape; the other one may be exactly
    the same bytes. oneDNN documents operand 0 alone; operand 1 is reached by exchanging both where the op commutes."""

    UFUNC: ClassVar[np.ufunc]
    ALG: ClassVar[str | None] = None
    REPEATED: ClassVar[Eltwise | None] = None

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    c = result_def(TensorType)

    def storage(self) -> Contract:
        engines = CPU_ONLY if self.primitive() is None else ALL_ENGINES
        return Contract(
            over=(
                Over(0, 0, repeats=True),
                Over(0, 1, repeats=True, swap=self.COMMUTES, engines=ALL_ENGINES if self.COMMUTES else CPU_ONLY),
            ),
            strided=True,
            backward=Backward(operands=frozenset({0, 1})),
            engines=engines,
        )

    def infer(self, operands: Sequence[Typed]) -> tuple[Typed, ...]:
        a, b = operands
        if a.dtype != b.dtype:
            raise ValueError(f"operands have element types {a.dtype} and {b.dtype}")
        return (Typed(broadcast(a.known, b.known), a.dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (self.UFUNC(*operands),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        self.UFUNC(*operands, out=results[0])

    def primitive(self) -> Primitive | None:
        if self.ALG is None or self.operand_type().dtype != "f32":
            return None
        return Binary(self.ALG, self.REPEATED)


@irdl_op_definition
class Add(BinaryOp):
    """a + b."""

    name = "dnn.add"
    UFUNC: ClassVar = np.add
    ALG: ClassVar = "add"
    COMMUTES: ClassVar = True
    REPEATED: ClassVar = Eltwise("linear", 2.0, 0.0)
