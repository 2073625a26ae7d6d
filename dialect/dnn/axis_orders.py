"""Ops that have operands and results with their axes in another order: a transpose before or behind them goes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute

from lastuse.dialect.dnn.attributes import axis_of, integers


class ReordersAxes(ABC):
    """An op class whose attributes say in which order it has the axes of operands and results."""

    @abstractmethod
    def with_operand_order(self, operand: int, perm: Sequence[int]) -> Mapping[str, Attribute] | None:
        """The attributes of the op that reads x itself where this one reads `dnn.transpose(x) {perm}`.

        Args:
            operand: the number of the operand.
            perm: as of `dnn.transpose`, one entry for each of its axes.

        Returns:
            None where the op is not computed as well so.
        """

    @abstractmethod
    def with_result_order(self, perm: Sequence[int]) -> Mapping[str, Attribute] | None:
        """The attributes of the op whose result is `dnn.transpose` by `perm` of this op's; None as above."""


def order_of(perm: Attribute | None, rank: int, what: str = "perm") -> tuple[int, ...]:
    """The axes in the order that an attribute states, counted from 0; as they are where it is absent.

    Raises:
        ValueError: it is no order of so many axes.
    """
    if perm is None:
        return tuple(range(rank))
    order = integers(perm)
    if sorted(axis_of(p, rank) for p in order) != list(range(rank)):
        raise ValueError(f"{what} {list(order)} is no order of {rank} axes")
    return tuple(p % rank for p in order)


def inverse(order: Sequence[int]) -> tuple[int, ...]:
    """The order that undoes one."""
    return tuple(order.index(axis) for axis in range(len(order)))


def stated_order(order: Sequence[int]) -> Attribute | None:
    """The attribute that states an order; None for axes that stay as they are."""
    return None if list(order) == list(range(len(order))) else DenseArrayBase.from_list(i64, list(order))


def changed_attributes(
    attributes: Mapping[str, Attribute], changed: Mapping[str, Attribute | None]
) -> Mapping[str, Attribute]:
    """Attributes with others instead; None is left out."""
    merged = {**attributes, **changed}
    return {name: value for name, value in merged.items() if value is not None}
