"""Tensor types of a whole module: what no memory holds, and what no kernel computes."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.dtypes import dtype_name, item_bytes, numpy_dtype
from lastuse.dialect.ir.symbolic_shape import static_shape

ADDRESS_SPACE = 1 << 47
"""Bytes that a tensor has at most: no process has more memory than that, and sums of such numbers stay exact."""


def verify_sizes(top: Operation) -> None:
    """Raises LastuseError at the first op with a tensor of a negative size, or of more than `ADDRESS_SPACE` bytes. A
    size that is not known counts as 1."""
    for op, type_ in _tensor_types(top):
        sizes = [size for size in static_shape(type_) if size is not None]
        if any(size < 0 for size in sizes):
            raise LastuseError(f"{type_} has a negative size", op)
        nbytes = prod(sizes) * item_bytes(dtype_name(type_.element_type))
        if nbytes > ADDRESS_SPACE:
            raise LastuseError(f"{type_} has {nbytes:,} bytes; a tensor has {ADDRESS_SPACE:,} at most", op)


def verify_element_types(top: Operation) -> None:
    """Raises LastuseError at the first op with a tensor of an element type that no kernel here computes with."""
    for op, type_ in _tensor_types(top):
        try:
            numpy_dtype(dtype_name(type_.element_type))
        except ValueError as error:
            raise LastuseError(f"{type_} cannot run: {error}", op) from error


def _tensor_types(top: Operation) -> Iterator[tuple[Operation, TensorType[Attribute]]]:
    """Each tensor type of results and block arguments, with the first op that has it."""
    seen: dict[int, Attribute] = {}  # by identity: the parser makes one object for one text
    for op in top.walk():
        blocks = (block for region in op.regions for block in region.blocks)
        for value in (*op.results, *(argument for block in blocks for argument in block.args)):
            if id(value.type) not in seen:
                seen[id(value.type)] = value.type
                if isinstance(value.type, TensorType):
                    yield op, value.type
