"""What ops that multiply two matrices have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.dnn.accumulation import AddsToValueBase
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.integer_forms import IntegerFactors, Requantization, SumsIntegers, quantized_product
from lastuse.dialect.dnn.packable_products import PackableProductBase, PlainProduct
from lastuse.dialect.dnn.widening import Widening
from lastuse.dialect.dnn.work import work_of_product
from lastuse.dialect.ir.diagnostics import LastuseError


class Product(NamedTuple):
    """x [rows, columns of weights] @ weights, plus `added` where it is not None."""

    x: SSAValue
    weights: SSAValue
    added: SSAValue | None = None


class MatmulLikeBase(PackableProductBase, DifferentiableBase, SumsIntegers, AddsToValueBase):
    """An op that multiplies two matrices."""

    def is_rowwise(self) -> bool:
        return True

    def work(self) -> int:
        return super().work() + work_of_product(self.operands[0], self.operands[1], self.results[0])

    @abstractmethod
    def product(self) -> Product | None:
        """The product that is all of what the op does; None where it does more."""

    @abstractmethod
    def turns_columns(self) -> bool | None:
        """Whether the op is a product with a transposed operand 1, or one as it is; None where it does more, but for
        what it adds."""

    @abstractmethod
    def own_gemm(self) -> Mapping[str, Attribute] | None:
        """The attributes of the `dnn.gemm` of operands 0 and 1 that the op is but for post-ops; None if it is none."""

    def adds_to_value(self) -> str | None:
        is_gemm = self.post_ops is None and self.own_count == 2 and self.own_gemm() is not None
        return None if is_gemm else "it is more than a product of two matrices"

    def added_to(self, value: SSAValue, factor: float, builder: GradientBuilder) -> SSAValue:
        attributes: dict[str, Any] = {**(self.own_gemm() or {}), "beta": None if factor == 1 else factor}
        return builder.emit("gemm", *self.operands, value, **attributes)

    @abstractmethod
    def own_gradient(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """`differentiate` without post-ops."""

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        if self.post_ops is not None:
            raise LastuseError(f"{self.name} with post-ops has no gradient", self)
        return self.own_gradient(dy, builder)

    @property
    def channel_axis(self) -> int:
        return len(self.result_type().shape) - 1

    def bias_operand(self) -> int | None:
        return 2 if self.own_count > 2 else None

    def plain_product(self) -> PlainProduct | None:
        turned, shapes = self.turns_columns(), [self.operand_type(k).shape for k in range(2)]
        if turned is None or len(shapes[0]) < 2 or len(shapes[1]) != 2 or 0 in shapes[1]:
            return None
        columns = shapes[1][0 if turned else 1]
        return PlainProduct(columns) if isinstance(columns, int) else None

    def columns_of_weights(self, weights: Array) -> Array:
        return weights.T if self.turns_columns() else weights

    def integer_refusal(self, x: Widening, weights: Widening) -> str | None:
        rank, turned = len(self.operand_type(1).shape), self.turns_columns()
        if self.post_ops is not None or turned is None or (turned and rank != 2):
            return "there is no op on integers of its form"
        along = 0 if turned else rank - 1
        return None if weights.axis is None or (weights.axis, rank) == (along, 2) else "scales are not those of columns"

    def on_integers(self, factors: IntegerFactors, result: Requantization, builder: GradientBuilder) -> SSAValue:
        weights = factors.weights
        if self.turns_columns():
            rows = builder.emit("transpose", weights.integers, perm=[1, 0])
            weights = weights._replace(integers=rows, axis=None if weights.axis is None else 1)
        return quantized_product("qlinear_matmul", factors._replace(weights=weights), result, builder)
