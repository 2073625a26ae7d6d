"""Every decision of a plan, changed in every way: some of what comes out is right, most of it is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, UnitAttr, i32, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.forwarding import passed_by

Change = tuple[str, Callable[[], None]]
"""What is changed, and how."""

STEP = 64
FRESH = 999
"""A storage number that is not in use."""


def perturbations(func: FuncOp) -> Iterator[str]:
    """Yield with one decision changed, which is then as it was before; the text says which."""
    for op in list(func.walk()):
        kept = dict(op.attributes)
        for what, change in _changes(func, op):
            change()
            yield f"{op.name} {', '.join(r.name_hint or '?' for r in op.results)}: {what}"
            op.attributes.clear()
            op.attributes.update(kept)
    yield from _arguments(func)


def _changes(func: FuncOp, op: Operation) -> Iterator[Change]:
    if isinstance(op, FuncOp):
        yield from _number(op, attrs.ARENA_BYTES)
        return
    numbers = [*sorted(attrs.numbers_in(func))[:4], FRESH]
    yield from _lists(op, attrs.INPLACE, range(-1, min(len(op.operands), 4)))
    yield from _lists(op, attrs.REUSE, [-1, *numbers])
    targets = {p.target for p in passed_by(op)}
    yield from _lists(op, attrs.FORWARD, [-1, 1]) if targets and targets.issuperset(op.results) else ()
    if any(o >= 0 for o in attrs.entries(op, attrs.OFFSET)):
        for step in (STEP, -STEP):
            new = [o + step if o >= 0 else o for o in attrs.entries(op, attrs.OFFSET)]
            yield f"offset by {step}", lambda new=new: attrs.set_entries(op, attrs.OFFSET, new)
    contract = contract_of(op)
    parts = set(attrs.part_operands(op))
    for carry in contract.contributions:
        if carry.may_be_produced_in_place:
            new = sorted(parts ^ {carry.operand})
            yield f"parts {new}", lambda new=new: attrs.set_entries(op, attrs.PARTS, new)
    if contract.views:
        yield "copy", lambda: _toggle(op, attrs.COPY)
    yield from _number(op, attrs.SCRATCH_OFFSET)
    if attrs.SUCC_OFFSET in op.attributes:
        yield from _slots(op)
    if op.successors and any(s.args for s in op.successors):
        yield from _successors(op, numbers)


def _lists(op: Operation, name: str, options: Sequence[int]) -> Iterator[Change]:
    old = attrs.entries(op, name)
    for index, was in enumerate(old):
        for value in options:
            if value != was:
                new = [value if i == index else v for i, v in enumerate(old)]
                yield f"{name[4:]} {new}", lambda new=new: attrs.set_entries(op, name, new)


def _number(op: Operation, name: str) -> Iterator[Change]:
    given = op.attributes.get(name)
    if isinstance(given, IntegerAttr):
        for value in (given.value.data - STEP, given.value.data + STEP):
            if value >= 0:
                yield f"{name} {value}", lambda value=value: op.attributes.update({name: IntegerAttr(value, i64)})


def _toggle(op: Operation, name: str) -> None:
    if name in op.attributes:
        del op.attributes[name]
    else:
        op.attributes[name] = UnitAttr()


def _slots(op: Operation) -> Iterator[Change]:
    """The arguments of the blocks it goes to, moved in the arena."""
    for block in attrs.blocks_after(op):
        for argument, offset in zip(block.args, attrs.slot_entries(op, attrs.SUCC_OFFSET, block) or (), strict=False):
            for new in (offset - STEP, offset + STEP) if offset >= 0 else ():
                if new >= 0:
                    yield (
                        f"{attrs.SUCC_OFFSET} {new}",
                        lambda new=new, argument=argument: attrs.set_slot_entry(op, attrs.SUCC_OFFSET, argument, new),
                    )


def _successors(op: Operation, numbers: Sequence[int]) -> Iterator[Change]:
    """Each argument of each successor in a storage of each number, and in none."""
    old = [list(attrs.slot_entries(op, attrs.SUCC_REUSE, s) or [-1] * len(s.args)) for s in op.successors]
    for s, given in enumerate(old):
        for index, was in enumerate(given):
            for number in (-1, *numbers):
                if number != was:
                    new = [list(g) for g in old]
                    new[s][index] = number
                    attribute = ArrayAttr([DenseArrayBase.from_list(i32, g) for g in new])
                    yield (
                        f"{attrs.SUCC_REUSE} {new}",
                        lambda attribute=attribute: op.attributes.update({attrs.SUCC_REUSE: attribute}),
                    )


def _arguments(func: FuncOp) -> Iterator[str]:
    kept = func.arg_attrs
    numbers = [*sorted(attrs.numbers_in(func))[:3], FRESH]
    for argument in func.body.blocks[0].args:
        given = attrs.is_donated(argument)
        attrs.set_argument_attribute(func, argument.index, attrs.DONATED, None if given else UnitAttr())
        yield f"argument {argument.index}: donated {not given}"
        func.arg_attrs = kept
        for number in numbers:
            if number != attrs.argument_reuse(argument):
                attrs.set_number(argument, number)
                yield f"argument {argument.index}: reuse {number}"
                func.arg_attrs = kept
