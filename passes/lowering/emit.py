"""Adds onednn ops to a block; views and packings of an operand are made once."""

from __future__ import annotations

from collections import ChainMap

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.onednn.buffers import ArenaOp, PackOp, view_of
from lastuse.dialect.onednn.kernel_call import BufferCopyOp
from lastuse.dialect.onednn.memory import memory_of
from lastuse.dialect.onednn.primitives.base import Operand
from lastuse.dialect.onednn.source import LABEL
from lastuse.dialect.onednn.step import DestinationStyleBase


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
