"""What ops say that have the same class, properties and types: derived once for all of them.

Attributes never change, and cost much to compare by value. An op and its copies have the same ones, and ops of one text
have the same parts of them, so that these are known by their identities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TypeVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir.flow_graphs import operands_of, type_of
from lastuse.dialect.ir.remembered import attributes_by_identity, is_class

OperationT = TypeVar("OperationT", bound=Operation)
V = TypeVar("V")


def same_for_alike(compute: Callable[[OperationT], V]) -> Callable[[OperationT], V]:
    """A function of an op that follows from its class, its properties and the types of its operands and results: inside
    `unchanged_ops` it is computed once for all ops that are alike so."""

    @wraps(compute)
    def answer(op: OperationT) -> V:
        known = attributes_by_identity(compute)
        if known is None:
            return compute(op)
        properties, operands = op.properties, operands_of(op)
        kept = *properties.values(), *map(type_of, operands), *map(type_of, op.results)
        parts = map(_identity, properties.values())
        key = type(op), len(operands), *properties, *parts, *map(id, kept[len(properties) :])
        found = known.get(key)
        if found is None:
            found = known[key] = kept, compute(op)
        return found[1]

    return answer


def _identity(attribute: Attribute) -> object:
    """What is the same of two attributes of one property only where they are equal."""
    if type(attribute) is DenseArrayBase:
        return id(attribute.elt_type), attribute.data.data
    if type(attribute) is ArrayAttr:
        parts: Sequence[Attribute] = attribute.data
        if not parts or not is_class(type(parts[0]), EnumAttribute):
            return tuple(map(id, parts))
        of = type(parts[0])  # iterator types, which xDSL makes anew for each op
        return tuple([id(part.data) if type(part) is of else id(part) for part in parts])  # pyright: ignore
    return id(attribute)
