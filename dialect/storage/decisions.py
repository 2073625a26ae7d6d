"""Decisions about places as one frozen value: what the attributes of a function say, or what a search tries.

`attrs.py` reads and writes single attributes; `place_rules.py` says what decisions mean together.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.ir.region_branches import forwarded_operands
from lastuse.dialect.storage import attrs

ByValue = Mapping[SSAValue, int]
_OF_SLOTS = (attrs.SUCC_REUSE, attrs.SUCC_OFFSET, attrs.SUCC_FORWARD)
_OTHERS = frozenset((attrs.PARTS, attrs.COPY, attrs.FORWARD, *_OF_SLOTS))


@dataclass(frozen=True)
class Decisions:
    """What is decided about the places of a function's values. What is in no field is not decided.

    Attributes:
        inplace: by result, the operand that it is written over.
        parts: by op, the operands that are computed in their part of its result.
        numbers: by result, argument of the function or slot of a block argument, the number of its storage. A block
            argument is in it where all ops that pass a value to it agree.
        offsets: by result or block argument, its offset in the arena, in bytes, or for each unit of `unit`.
        copies: views that are copies, by result.
        forwarded: results and block arguments that lie where the operand that the path taken passed on lies.
        unit: the size that offsets are for each unit of; None for bytes.
        arena_bytes: what the function says its planned arena has; None without a plan.
    """

    inplace: ByValue = field(default_factory=dict[SSAValue, int])
    parts: Mapping[Operation, tuple[int, ...]] = field(default_factory=dict[Operation, tuple[int, ...]])
    numbers: ByValue = field(default_factory=dict[SSAValue, int])
    offsets: ByValue = field(default_factory=dict[SSAValue, int])
    copies: Set[SSAValue] = frozenset()
    forwarded: Set[SSAValue] = frozenset()
    unit: str | None = None
    arena_bytes: int | None = None

    @staticmethod
    def of(func: FuncOp) -> Decisions:
        """The decisions that the attributes of a function say."""
        inplace, numbers, offsets = dict[SSAValue, int](), dict[SSAValue, int](), dict[SSAValue, int]()
        parts, copies = dict[Operation, tuple[int, ...]](), set[SSAValue]()
        forwarded = set[SSAValue]()
        slots: dict[BlockArgument, None] = {}
        for argument in func.body.blocks.first.args if func.body.blocks.first is not None else ():
            _put(numbers, argument, attrs.argument_reuse(argument))
        per_result = {attrs.INPLACE: inplace, attrs.REUSE: numbers, attrs.OFFSET: offsets}
        for op in [op for op in ops_within(func) if op.attributes]:
            attributes = op.attributes
            for name in attributes:
                if (said := per_result.get(name)) is not None:
                    for result, entry in zip(op.results, attrs.entries(op, name), strict=True):
                        if entry >= 0:
                            said[result] = entry
            if attributes.keys().isdisjoint(_OTHERS):
                continue
            if attrs.PARTS in attributes and (operands := attrs.part_operands(op)):
                parts[op] = operands
            if attrs.is_copy(op):
                copies.update(op.results)
            if attrs.FORWARD in attributes:
                pairs = zip(op.results, attrs.entries(op, attrs.FORWARD), strict=True)
                forwarded.update(result for result, entry in pairs if entry == 1)
            if any(name in attributes for name in _OF_SLOTS):
                slots |= {a: None for block in attrs.blocks_after(op) for a in block.args}
        for argument in slots:
            _put(numbers, argument, _agreed(argument, attrs.SUCC_REUSE))
            _put(offsets, argument, _agreed(argument, attrs.SUCC_OFFSET))
            if _agreed(argument, attrs.SUCC_FORWARD) == 1:
                forwarded.add(argument)
        unit, arena = func.attributes.get(attrs.UNIT), func.attributes.get(attrs.ARENA_BYTES)
        return Decisions(
            inplace,
            parts,
            numbers,
            offsets,
            copies,
            forwarded,
            unit.data if isinstance(unit, StringAttr) else None,
            arena.value.data if isinstance(arena, IntegerAttr) else None,
        )

    def unplanned(self) -> Decisions:
        """The same without offsets, as before memory was planned."""
        return replace(self, offsets={}, unit=None, arena_bytes=None)

    def without_numbers(self, values: Set[SSAValue]) -> Decisions:
        """The same with each of some values in a storage of its own, where a number puts it into one of several."""
        return replace(self, numbers={value: n for value, n in self.numbers.items() if value not in values})

    def over(self, op: Operation) -> list[int]:
        """Per result of `op` the operand it is written over, -1 for none."""
        return [self.inplace.get(result, -1) for result in op.results]

    def number_of(self, value: SSAValue) -> int:
        """The storage number of a result, an argument of a function or the slot of a block argument, -1 for none. A
        block argument that shares the slot of a result has the result's."""
        number = self.numbers.get(value, -1)
        return -1 if number >= 0 and self._shares_slot(value) else number

    def offset_of(self, value: SSAValue) -> int:
        """The arena offset of a result or of the slot of a block argument, -1 for none."""
        offset = self.offsets.get(value, -1)
        return -1 if offset >= 0 and self._shares_slot(value) else offset

    def _shares_slot(self, value: SSAValue) -> bool:
        return not isinstance(value, OpResult) and self.slot_of(value) is not None  # pyright: ignore

    def slot_of(self, argument: BlockArgument) -> SSAValue | None:
        """The region op's result that shares its slot with a region argument (docs/storage.md, 5)."""
        op = argument.block.parent_op()
        if isinstance(op, scf.ForOp) and argument.index > 0:
            return op.results[argument.index - 1]
        if isinstance(op, scf.WhileOp):
            if argument.block is op.after_region.blocks.first:
                return op.results[argument.index]
            over = (r for r in op.results if self.inplace.get(r) == argument.index and isinstance(r.type, TensorType))
            return next(over, None)
        return None


def _put(entries: dict[SSAValue, int], value: SSAValue, entry: int) -> None:
    if entry >= 0:
        entries[value] = entry


def movers_to(block: Block) -> list[Operation]:
    """The ops on which a decision about a block's arguments stands: the branches to it; for the block that a region op
    enters first, that op."""
    parent = block.parent_op()
    if isinstance(parent, scf.WhileOp):
        return [parent] if block is parent.before_region.blocks.first else []
    return [p.last_op for p in block.predecessors() if p.last_op is not None]


def is_slot(argument: BlockArgument) -> bool:
    """Memory of its own that branches, or the op that enters its block, move values into: it may have a number."""
    movers = movers_to(argument.block)
    return bool(movers) and all(any(argument in c.targets for c in forwarded_operands(m)) for m in movers)


def set_number(value: SSAValue, number: int) -> None:
    """Put a result, an argument of a function or the slot of a block argument into storage `number`."""
    if isinstance(value, BlockArgument) and is_slot(value):
        for mover in movers_to(value.block):
            attrs.set_slot_entry(mover, attrs.SUCC_REUSE, value, number)
    else:
        attrs.set_number(value, number)


def set_forwarded(value: SSAValue) -> None:
    """Write that a result, or the slot of a block argument, is forwarded."""
    if isinstance(value, OpResult):
        entries = list(attrs.entries(value.op, attrs.FORWARD))
        entries[value.index] = 1
        attrs.set_entries(value.op, attrs.FORWARD, entries)
    elif isinstance(value, BlockArgument):
        for mover in movers_to(value.block):
            attrs.set_slot_entry(mover, attrs.SUCC_FORWARD, value, 1)


def _agreed(argument: BlockArgument, name: str) -> int:
    """The storage number, or offset, that all ops that pass a value on agree on for an argument, -1 for none."""
    entries = set[int]()
    for mover in movers_to(argument.block):
        numbers = attrs.slot_entries(mover, name, argument.block)
        entries.add(-1 if numbers is None else numbers[argument.index])
    return entries.pop() if len(entries) == 1 else -1
