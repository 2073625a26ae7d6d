"""Products of two tensors by a kernel of the runtime that knows no size (runtime/cpp/kernels/strided_product.hpp)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.ir import OpResult, SSAValue

from lastuse.dialect.dnn.attributes import all_f32, engines
from lastuse.dialect.dnn.axis_orders import inverse
from lastuse.dialect.dnn.matmul_base import MatmulLikeBase
from lastuse.dialect.dnn.row_post_ops import row_post_op_numbers, row_terms
from lastuse.dialect.onednn.primitives.post_ops import PostOp, operands_of
from lastuse.dialect.storage.contract import OWN_ENGINES, Backward, Contract, Engine, contract_of, engine_of

MOST_AXES = 8
"""Axes of an operand, at most, of the runtime's kernel."""
MOST_TERMS = 4
"""Operands of post-ops, at most."""
READS_FACTORS = Backward(operands=frozenset({0, 1}))
"""What the gradient of a product reads."""


class NativeMatmulBase(MatmulLikeBase):
    """A product that the runtime's kernel computes where both operands are batches of matrices, none of them constant.

    It reads operands where they lie, and is as fast as oneDNN's primitives, which are made for each set of sizes. Those
    have constants packed once; the kernel packs them in each run.
    """

    @abstractmethod
    def product_orders(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """The axes of both operands, in the order of the product: batches, then rows and columns. The axes of the
        product, in the order of the result."""

    def own_storage(self) -> Contract:
        runs = engines(self) | (OWN_ENGINES if self._is_native() else frozenset())
        return Contract(strided=engine_of(self) is Engine.NATIVE, backward=READS_FACTORS, engines=runs)

    def engine(self) -> Engine | None:
        return Engine.NATIVE if self._prefers_native() else super().engine()

    def native_kernel(self) -> str | None:
        fits = all_f32(self) and max(len(self.operand_type(k).shape) for k in range(2)) <= MOST_AXES
        return "matmul" if fits and self._row_terms() is not None else None

    def native_numbers(self) -> Sequence[float]:
        a, b, y = self.product_orders()
        return [*a, *b, *inverse(y), *row_post_op_numbers(self._row_terms() or ())]

    def may_take_scratch(self) -> bool:
        return self._is_native() or super().may_take_scratch()

    def takes_post_ops(self, engine: Engine | None) -> bool:
        return self._prefers_native() if engine is Engine.NATIVE else super().takes_post_ops(engine)

    def takes_broadcast_operands(self, engine: Engine | None) -> bool:
        return engine is Engine.NATIVE

    def _row_terms(self) -> Sequence[PostOp] | None:
        """The post-ops, where the kernel has them all."""
        post_ops = row_terms(self)
        return post_ops if post_ops is not None and operands_of(post_ops) <= MOST_TERMS else None

    def _is_native(self) -> bool:
        given = engine_of(self)
        return self._prefers_native() if given is None else given is Engine.NATIVE and self.native_kernel() is not None

    def _prefers_native(self) -> bool:
        """The same at all sizes: an op may be placed before they are known."""
        batches = all(len(self.operand_type(k).shape) > 2 for k in range(2))
        return batches and not any(map(_is_constant, self.operands[:2])) and self.native_kernel() is not None


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and contract_of(value.op).constant
