"""What is known of the attributes of an op in its form with operands (`dnn.dynamic`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Attribute

from lastuse.dialect.dnn.attributes import integer, integers
from lastuse.dialect.dnn.base import UnknownShapeError
from lastuse.dialect.ir.tensor_types import Dim, Poly, TensorInfo


class PartialAttributes(NamedTuple):
    """Attributes of an op, some of which are operands.

    Attributes:
        attributes: the attributes.
        values: the operands, by the name of the attribute that each becomes.
    """

    attributes: Mapping[str, Attribute]
    values: Mapping[str, TensorInfo]

    def __contains__(self, name: object) -> bool:
        return name in self.attributes or name in self.values

    def sizes(self, name: str) -> tuple[Dim | None, ...]:
        """A list of integers or polynomials; an element that is not known is None.

        Raises:
            UnknownShapeError: not even the length is known.
            ValueError: it is no list.
        """
        if name not in self.values:
            attribute = self.attributes[name]
            if not isinstance(attribute, DenseArrayBase):
                raise ValueError(f"{name} must be a list")
            return integers(attribute)
        info = self.values[name]
        if len(info.shape) != 1:
            raise ValueError(f"{name} must have one axis, it has {len(info.shape)}")
        if info.content is None:
            if not isinstance(info.shape[0], int):
                raise UnknownShapeError(f"the rank of the result depends on the length of {name}, which is not known")
            return (None,) * info.shape[0]
        return tuple(_size(element) for element in info.content)

    def numbers(self, name: str) -> tuple[int, ...] | None:
        """A list of integers; None where one of them is not known."""
        sizes = self.sizes(name)
        known = [size for size in sizes if isinstance(size, int)]
        return tuple(known) if len(known) == len(sizes) else None

    def size(self, name: str, default: int) -> Dim | None:
        """One integer or polynomial; None where it is not known.

        Raises:
            ValueError: it is a list.
        """
        if name not in self.values:
            return integer(self.attributes.get(name), default)
        info = self.values[name]
        if info.shape:
            raise ValueError(f"{name} must have no axes, it has {len(info.shape)}")
        return None if info.content is None else _size(info.content[0])


def _size(element: object) -> Dim | None:
    """The element as a size; a floating-point number that is whole is one too."""
    if isinstance(element, int | Poly):
        return element
    return int(element) if isinstance(element, float) and element.is_integer() else None
