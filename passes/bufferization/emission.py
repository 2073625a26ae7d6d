"""Ops that are added one after the other, and indices: numbers while they are known, else values."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import Location, inherit, locations
from lastuse.dialect.ir.flow_graphs import nth
from lastuse.dialect.ir.new_ops import add_last
from lastuse.passes.bufferization.memref_types import Index


class Emission:
    """What is written of a new function.

    Attributes:
        func: the old function.
        entry: the first block.
        block: the block that ops are added to.
        source: the op of the old function that new ones come from.
    """

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.entry = self.block = Block()
        self.source: Operation = func
        self._located: tuple[Operation, Location | None] = func, locations.get(func)
        self._head: list[Operation] = []
        self._entry_values: dict[object, SSAValue] = {}

    def begin(self, op: Operation) -> None:
        """What is emitted from now on comes from `op`."""
        self.source = op

    def add(self, op: Operation) -> None:
        """Adds an op."""
        if self._located[0] is not self.source:
            self._located = self.source, locations.get(self.source)
        if (location := self._located[1]) is not None:
            locations.setdefault(op, location)
        add_last(op, self.block)

    def emit(self, op: Operation, name: str | None = None) -> SSAValue:
        """Adds an op and returns its first result, called `name`; of an op without results, its first operand."""
        self.add(op)
        if not op.results:
            return op.operands[0]
        made = nth(op.results, 0)
        if name:
            made.name_hint = name
        return made

    def index(self, number: int) -> SSAValue:
        """A constant of type `index`."""
        if (made := self._entry_values.get(number)) is not None:
            return made
        name = f"c{number}" if number >= 0 else None
        return self.at_start(number, lambda: arith.ConstantOp.from_int_and_width(number, IndexType()), name)

    def at_start(self, key: object, make: Callable[[], Operation], name: str | None = None) -> SSAValue:
        """The result of an op at the start of the function, made when it is first asked for."""
        if key not in self._entry_values:
            op = make()
            op.results[0].name_hint = name
            inherit(op, self.func)
            self._head.append(op)
            self._entry_values[key] = op.results[0]
        return self._entry_values[key]

    def finish(self) -> None:
        """Puts what stands at the start there."""
        first = self.entry.first_op
        for op in self._head:
            if first is None:
                self.entry.add_op(op)
            else:
                self.entry.insert_op_before(op, first)

    def times(self, a: Index, b: Index) -> Index:
        """The product of two indices."""
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if 1 in (a, b):
            return b if a == 1 else a
        return self.emit(arith.MuliOp(self.as_value(a), self.as_value(b)))

    def plus(self, a: Index, b: Index) -> Index:
        """The sum of two indices."""
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if 0 in (a, b):
            return b if a == 0 else a
        return self.emit(arith.AddiOp(self.as_value(a), self.as_value(b)))

    def minus(self, a: Index, b: Index) -> Index:
        """The difference of two indices."""
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        return a if b == 0 else self.emit(arith.SubiOp(self.as_value(a), self.as_value(b)))

    def as_value(self, index: Index) -> SSAValue:
        """An index as a value."""
        return self.index(index) if isinstance(index, int) else index
