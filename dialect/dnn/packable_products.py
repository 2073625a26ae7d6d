"""Products in f32 that `--pack-weights-pass` makes a `dnn.packed_matmul`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.dnn.attributes import all_f32
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.packed_columns import PacksWeights
from lastuse.dialect.dnn.packed_matmul import PackedMatmulOp, packed_panels
from lastuse.dialect.dnn.post_ops import PostOpsBase, adds
from lastuse.dialect.dnn.row_post_ops import row_post_ops
from lastuse.dialect.storage.contract import engine_of

LEAST_COLUMNS = 9
"""Columns, at least, for which weights are packed: fewer fill less than half of a vector."""


class PlainProduct(NamedTuple):
    """Rows of operand 0 times weights of so many columns. `steps`: of the axes between the first and the last one every
    how many-th element is read; none: all are."""

    columns: int
    steps: tuple[int, ...] = ()


class _AddedRow(NamedTuple):
    """The operand that is added to each row, or none, and how many post-ops that is."""

    number: int | None
    stages: int


class PackableProductBase(PostOpsBase, PacksWeights):
    """An op that may be products of rows with weights, plus a row, and post-ops: a `dnn.packed_matmul` with constant
    weights."""

    @abstractmethod
    def plain_product(self) -> PlainProduct | None:
        """The product; None where the op does more, or not that."""

    @abstractmethod
    def columns_of_weights(self, weights: Array) -> Array:
        """The weights as [K, N]."""

    def packable_operand(self) -> int | None:
        product = self.plain_product()
        return None if product is None or not self.packs_columns(product.columns) else 1

    def packed_weights(self, weights: Array) -> Array:
        return packed_panels(self.columns_of_weights(weights))

    def with_packed_weights(self, packed: SSAValue, shape: Sequence[int]) -> DnnOp:
        product = self.plain_product()
        assert product is not None
        operands, attributes = self.packed_parts(product.columns, packed)
        stated: dict[str, Attribute] = {"columns": IntegerAttr(product.columns, i64), **attributes}
        if any(step != 1 for step in product.steps):
            stated["steps"] = DenseArrayBase.from_list(i64, product.steps)
        return self.replacement(PackedMatmulOp, operands, stated)

    def packs_columns(self, columns: int) -> bool:
        """Whether the runtime's kernels take an op of so many columns, or channels, with its post-ops."""
        is_open = all_f32(self) and engine_of(self) is None
        return is_open and columns >= LEAST_COLUMNS and self._added_row(columns) is not None

    def packed_parts(self, columns: int, packed: SSAValue) -> tuple[Sequence[SSAValue], Mapping[str, Attribute]]:
        """The operands of the op with packed weights, and what it states of its bias and its post-ops."""
        row = self._added_row(columns)
        assert row is not None
        bias = [] if row.number is None else [self.operands[row.number]]
        further = [self.operands[stage.number] for stage in self.stages()[row.stages :] if stage.number is not None]
        stated: dict[str, Attribute] = {"has_bias": IntegerAttr(1, i64)} if bias else {}
        entries = [] if self.post_ops is None else self.post_ops.data[row.stages :]
        if entries:
            stated["post_ops"] = ArrayAttr(entries)
        return [self.operands[0], packed, *bias, *further], stated

    def _added_row(self, columns: int) -> _AddedRow | None:
        """What is added to each row; None where the kernel does not take what becomes of the product."""
        row = _AddedRow(None, 0)
        if self.own_count > 2:
            row = _AddedRow(2, 0)
        elif self.post_ops is not None:
            first = self.stages()[0]
            if first.number is not None and adds(first.op) and not first.is_sum:
                row = _AddedRow(first.number, 1)
        if row.number is not None and self.operand_type(row.number).shape != (columns,):
            return None
        return row if row_post_ops(self, row.stages) is not None else None
