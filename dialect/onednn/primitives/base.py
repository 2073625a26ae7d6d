"""What all primitives have in common: how an op declares one, and how the steps of the op are chosen from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.onednn.buffers import ConstantBufferOp
from lastuse.dialect.onednn.step import MAX_RANK, SUPPORTED, DestinationStyleBase
from lastuse.dialect.storage.layout import Strided, reshape, same_bytes


class Operand(NamedTuple):
    """Elements of type `dtype` at `layout`, in bytes from the start of the buffer that `root` is."""

    root: SSAValue
    layout: Strided
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        return self.layout.sizes

    @property
    def is_constant(self) -> bool:
        return isinstance(self.root.owner, ConstantBufferOp)

    @property
    def suits_onednn(self) -> bool:
        """oneDNN has a layout for it, and there is an element at all."""
        layout = self.layout
        return (
            self.dtype in SUPPORTED
            and layout.elements > 0
            and len(layout.sizes) <= MAX_RANK
            and all(s >= 0 for s in layout.strides)
            and layout.injective
        )

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


class StepBuilder(Protocol):
    """Adds the steps of one op; says where its operands and results are."""

    @property
    def ins(self) -> tuple[Operand, ...]:
        """The op's operands."""
        ...

    @property
    def outs(self) -> tuple[Operand, ...]:
        """The op's results."""
        ...

    def step(
        self,
        op_class: type[DestinationStyleBase],
        ins: Sequence[Operand],
        outs: Sequence[Operand],
        attributes: Mapping[str, Attribute],
        packed: Container[int] = (),
    ) -> None:
        """Adds one step; `packed` are the numbers of the ins that are constant weights to pack."""
        ...

    def copy(self, operand: int, source: Operand, target: Operand) -> None:
        """Adds a copy of the op's operand of this number to `target`, unless its elements are there already."""
        ...


class Primitive(ABC):
    """The oneDNN primitive that computes an op, as `DnnOp.primitive` declares it: its parameters, as fields of a
    frozen dataclass. Algorithms are named as oneDNN names them, in lower case without the prefix of the kind."""

    TAKES_SCRATCH: ClassVar[bool] = True
    """Whether it may take scratch, which depends on the machine and on the layouts of operands."""

    def accepts(self, operands: Sequence[Operand]) -> bool:
        """Whether oneDNN has a layout for all these operands and results."""
        return all(operand.suits_onednn for operand in operands)

    @abstractmethod
    def emit(self, steps: StepBuilder) -> bool:
        """Emits the steps of the primitive; False, and nothing emitted, where oneDNN does not take these layouts.

        The choice must not depend on whether a result is in place, or the planned program would give other bits than
        the naive one. So what only in place needs (a sum post-op over C, one memory as both sources) is used out of
        place too.
        """


def f32_attribute(number: float) -> FloatAttr:
    """The number as oneDNN takes it: beyond the largest f32 it is an infinity, as it is to the op's own kernel."""
    with np.errstate(over="ignore"):
        return FloatAttr(float(np.float32(number)), f32)


def number_of(attribute: FloatAttr | None, default: float) -> float:
    """The number of an attribute, `default` where there is none."""
    return default if attribute is None else attribute.value.data
