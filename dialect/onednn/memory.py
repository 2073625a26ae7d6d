"""What a memref says: sizes, strides in bytes, element type; which buffer it lies in, and where."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.tensor_types import dtype_name, element_type, item_bytes
from lastuse.dialect.storage.layout import Strided, reshape, same_bytes

MemRefT = MemRefType[Attribute]


class MemRefLayout(NamedTuple):
    """A memref type: `layout` in bytes from the address of its first element, `dtype` as IR names it."""

    layout: Strided
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        return self.layout.sizes

    @property
    def element_strides(self) -> tuple[int, ...]:
        """Strides in elements."""
        return tuple(s // self.layout.item for s in self.layout.strides)

    def __str__(self) -> str:
        return str(memref_type(self.layout, self.dtype))


def memory_of(type_: Attribute) -> MemRefLayout:
    """What a memref type says.

    Raises:
        VerifyException: it is no memref, or has unknown sizes, or a layout other than strides.
    """
    if not isinstance(type_, MemRefType):
        raise VerifyException(f"{type_} is no memref")
    shape, dtype = type_.get_shape(), dtype_name(type_.element_type)
    if DYNAMIC_INDEX in shape:
        raise VerifyException(f"{type_} has unknown sizes; storage is planned for known ones")
    item = item_bytes(dtype)
    if isinstance(type_.layout, NoneAttr):
        return MemRefLayout(Strided.dense(shape, item), dtype)
    if not isinstance(type_.layout, StridedLayoutAttr):
        raise VerifyException(f"{type_} is not laid out in strides")
    strides = [s for s in type_.layout.get_strides() if s is not None]
    if len(strides) != len(shape) or type_.layout.get_offset() != 0:
        raise VerifyException(f"{type_} needs a known stride for each size and an offset of 0")
    return MemRefLayout(Strided(0, shape, tuple(s * item for s in strides), item), dtype)


def memref_type(layout: Strided, dtype: str) -> MemRefT:
    """The memref type of a layout (its offset apart); dense ones carry no strides."""
    if layout.strides == Strided.dense(layout.sizes, layout.item).strides:
        return MemRefType(element_type(dtype), layout.sizes)
    return MemRefType(
        element_type(dtype), layout.sizes, StridedLayoutAttr([s // layout.item for s in layout.strides], 0)
    )


def alike(a: Strided, b: Strided) -> bool:
    """The same sizes and strides; the stride of an axis of one element does not count."""
    steps = [[s for n, s in zip(m.sizes, m.strides, strict=True) if n > 1] for m in (a, b)]
    return a.sizes == b.sizes and steps[0] == steps[1]


class BufferView(OpTrait):
    """The result of the op is bytes of operand 0, from byte `offset` of it on, which is an attribute."""


class Operand(NamedTuple):
    """Elements of type `dtype` at `layout`, in bytes from the start of the buffer that `root` is."""

    root: SSAValue
    layout: Strided
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        return self.layout.sizes

    def at(self, layout: Strided) -> Operand:
        return self._replace(layout=layout)

    def reshaped(self, sizes: tuple[int, ...]) -> Operand | None:
        """The same elements in the same order under other sizes; None where that is no strided place."""
        layout = reshape(self.layout, sizes)
        return None if layout is None else self.at(layout)

    def padded(self, rank: int) -> Operand:
        """With sizes of 1 in front, up to `rank` axes."""
        layout, missing = self.layout, rank - len(self.shape)
        # The stride of an axis of one element is free; this one makes a dense layout look dense.
        step = layout.sizes[0] * layout.strides[0] if layout.sizes else layout.item
        sizes, strides = (1,) * missing + layout.sizes, (step,) * missing + layout.strides
        return self.at(layout._replace(sizes=sizes, strides=strides))

    def is_at(self, other: Operand) -> bool:
        """Exactly the same bytes by the same index map."""
        return self.root is other.root and same_bytes(self.layout, other.layout)

    def clashes(self, other: Operand) -> bool:
        """Some byte is of both."""
        return self.root is other.root and self.layout.overlaps(other.layout)


def locate(value: SSAValue) -> Operand:
    """Follows views down to the buffer. Raises VerifyException where a type is not strided."""
    offset, (layout, dtype) = 0, memory_of(value.type)
    while isinstance(value, OpResult) and value.op.has_trait(BufferView):
        start = value.op.attributes["offset"]
        assert isinstance(start, IntegerAttr)
        offset, value = offset + start.value.data, value.op.operands[0]
    return Operand(value, layout.shifted(offset), dtype)
