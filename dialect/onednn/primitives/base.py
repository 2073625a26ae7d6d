"""What all primitives have in common: how an op declares one, and what the steps of the op are emitted with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import ChainMap
from collections.abc import Callable, Container, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import FloatAttr, MemRefType, f32
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.onednn.buffers import ArenaOp, ConstantBufferOp, PackOp, view_of
from lastuse.dialect.onednn.memory import Operand, memory_of
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.onednn.source import LABEL
from lastuse.dialect.onednn.step import MAX_RANK, SUPPORTED, DestinationStyleBase
from lastuse.dialect.storage.layout import Strided


def is_constant(operand: Operand) -> bool:
    """Whether the operand lies in a constant."""
    return isinstance(operand.root.owner, ConstantBufferOp)


class PlacedValue(NamedTuple):
    """Where an operand or result of an op is, whatever the program around it.

    Attributes:
        layout: in bytes from the start of its storage.
        dtype: element type.
        storage: the number of the storage, those of one op counted from 0.
        constant: the sizes of the constant that the storage is, None for other storages.
    """

    layout: Strided
    dtype: str
    storage: int
    constant: tuple[int, ...] | None


class Emitter:
    """Appends ops to a block. `source` is the op they come from: they inherit its location, and steps its name.

    `around`: the emitter of a block that dominates this one and emits nothing meanwhile; its views and packings are at
    hand here too.
    """

    def __init__(self, block: Block, around: Emitter | None = None) -> None:
        self.block = block
        self.source: Operation | None = None if around is None else around.source
        self._views: ChainMap[Operand, SSAValue] = ChainMap() if around is None else around._views.new_child()
        self._packed: ChainMap[Operand, OpResult] = ChainMap() if around is None else around._packed.new_child()

    def add(self, op: Operation) -> None:
        if self.source is not None:
            inherit(op, self.source)
            label = self.source.attributes.get(LABEL)
            if label is not None and isinstance(op, DestinationStyleBase):
                op.attributes[LABEL] = label
        self.block.add_op(op)

    def value(self, operand: Operand) -> SSAValue:
        """The memref of an operand: the buffer itself, or a view of it."""
        if operand not in self._views:
            assert isinstance(operand.root.type, MemRefType)
            whole = memory_of(operand.root.type)
            # The arena is always seen through views: it may still grow.
            is_arena = isinstance(operand.root.owner, ArenaOp)
            if operand.layout == whole.layout and operand.dtype == whole.dtype and not is_arena:
                self._views[operand] = operand.root
            else:
                view = view_of(*operand)
                self.add(view)
                self._views[operand] = view.view
        return self._views[operand]

    def packed(self, operand: Operand) -> SSAValue:
        """Constant weights, packed."""
        if operand not in self._packed:
            pack = PackOp(self.value(operand))
            self.add(pack)
            self._packed[operand] = pack.packed
        return self._packed[operand]

    def copy(self, source: Operand, target: Operand) -> bool:
        """Moves elements unless they are there already or there are none; whether it did."""
        if not target.layout.elements or source.is_at(target):
            return False
        self.add(BufferCopyOp([self.value(source)], [self.value(target)]))
        return True


CopyReport = Callable[[int, int], None]
"""Told of a copy that a primitive needs: the number of the operand that is copied, and how many bytes."""


class StepBuilder(NamedTuple):
    """Adds the steps of one op, whose operands, results and scratch are these; `report` is told of copies."""

    ins: Sequence[Operand]
    outs: Sequence[Operand]
    scratch: Operand | None
    emit: Emitter
    report: CopyReport | None = None

    def step(
        self,
        op_class: type[DestinationStyleBase],
        ins: Sequence[Operand],
        outs: Sequence[Operand],
        attributes: Mapping[str, Attribute],
        packed: Container[int] = (),
    ) -> None:
        """Adds one step; `packed` are the numbers of the ins that are constant weights to pack."""
        values = [self.emit.packed(v) if k in packed else self.emit.value(v) for k, v in enumerate(ins)]
        targets = [self.emit.value(v) for v in outs]
        scratch = None if self.scratch is None else self.emit.value(self.scratch)
        self.emit.add(op_class(values, targets, scratch, dict(attributes)))

    def copy(self, operand: int, source: Operand, target: Operand) -> None:
        """Adds a copy of the op's operand of this number to `target`, unless its elements are there already."""
        if self.emit.copy(source, target) and self.report is not None:
            self.report(operand, target.layout.nbytes)


class Primitive(ABC):
    """The oneDNN primitive that computes an op, as `DnnOp.primitive` declares it: its parameters, as fields of a
    frozen dataclass. Algorithms are named as oneDNN names them, in lower case without the prefix of the kind."""

    TAKES_SCRATCH: ClassVar[bool] = True
    """Whether it may take scratch, which depends on the machine and on the layouts of operands."""

    def accepts(self, operands: Sequence[Operand]) -> bool:
        """Whether oneDNN has a layout for all these operands and results, and there is an element in each at all."""
        return all(
            operand.dtype in SUPPORTED
            and operand.layout.elements > 0
            and len(operand.shape) <= MAX_RANK
            and all(s >= 0 for s in operand.layout.strides)
            and operand.layout.injective
            for operand in operands
        )

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
