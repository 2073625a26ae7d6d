"""What loops and branches carry in memory of its own: each value takes as much as it needs, when it is passed on.

The memory of a tensor whose size is not known before a loop, or before a branch, cannot be there before it. The memref
of such a value is carried. Memory that ends where the value is passed on is passed on, and so is memory that stays as
it is (`borrowed_memory.py`); anything else is copied to new memory. Each value has its memory alone: that of a block
argument is given back at the end of the block, that of a result after its last use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import ancestors, is_inside
from lastuse.dialect.storage.assignment import PlaceKind
from lastuse.dialect.storage.contract import is_undefined
from lastuse.dialect.storage.layout import Whole
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.bufferization.function_state import FunctionState
from lastuse.passes.bufferization.other_shapes import in_shape
from lastuse.passes.bufferization.signatures import tensor_type
from lastuse.passes.bufferization.unknown_sizes import of_known_rank


def carried_with(values: Iterable[SSAValue]) -> frozenset[SSAValue]:
    """Those of the values that loops and branches of `scf` carry, with the others in whose memory they are passed
    on."""
    found: set[SSAValue] = set()
    for value in values:
        found.update(_with(value))
    return frozenset(found)


def _with(value: SSAValue) -> Iterator[SSAValue]:
    op = value.op if isinstance(value, OpResult) else value.block.parent_op()  # pyright: ignore
    number = value.index  # pyright: ignore
    match op:
        case scf.IfOp():
            yield value
        case scf.ForOp() if isinstance(value, OpResult) or number:
            n = number if isinstance(value, OpResult) else number - 1
            yield from (op.results[n], op.body.block.args[n + 1])
        case scf.WhileOp() if isinstance(value, BlockArgument) and value.block is op.before_region.block:
            yield value
        case scf.WhileOp():
            yield from (op.results[number], op.after_region.block.args[number])
        case _:
            return


def returned_from_arms(to: FunctionState) -> frozenset[SSAValue]:
    """The results of `scf.if` that are returned, of which an arm makes one of unknown size: in memory of their own they
    need no copy when the function returns."""
    if to.boundary.results != "return" or len(to.returns) != 1:
        return frozenset()
    values = [(n, v) for n, v in enumerate(to.returns[0].operands) if to.is_tensor(v) and to.forwarded.is_forwarded(v)]
    kept = [v for n, v in values if n in to.stand_ins or to.stays(v, n) or not isinstance(v.owner, scf.IfOp)]
    return frozenset(v for _, v in values if v not in kept and _is_made_in_arm(v, to))


def _is_made_in_arm(value: SSAValue, to: FunctionState) -> bool:
    for source in to.forwarded.sources(to.places.of[value].storage):
        storage, layout = to.places.of[source]
        root = to.rules.at[source][0]
        if storage.kind is PlaceKind.OWN and isinstance(layout, Whole) and is_inside(root, value.owner):  # pyright: ignore
            return True
    return False


def pass_on(op: Operation, source: SSAValue, target: SSAValue, to: FunctionState) -> SSAValue:
    """The memref that `op` passes on: that of the source where it ends here or stays, or a copy of it."""
    type_, ending = to.owned_type(target), to.ending(op, source)
    lenders = [a for a in to.borrowed.of(to.rules.at[source][0]) if to.is_end_of(op, a)]
    if any(a in to.lent_on for a in lenders):  # the block passes that memory on already
        return _copied(op, source, target, to)
    made: SSAValue | None = None
    if ending is not None and ending not in to.passed_on and not _is_used_within(op, source, to):
        made = in_shape(ending, tensor_type(source), to)
        if made is not None:
            lenders += [a for a in to.forwarded.owned if isinstance(a, BlockArgument) and to.defined.get(a) is ending]
            if any(a in to.lent_on for a in lenders):
                return _copied(op, source, target, to)
            to.passed_on.add(ending)
    elif to.borrowed.is_lent(op, source, target):
        left = (op, to.places.of[source].storage)
        if left in to.left:
            return _copied(op, source, target, to)
        if left[1] in to.borrowed.left:
            to.left.add(left)
        made = to.memref(source)
    if made is None:
        return _copied(op, source, target, to)
    for argument in lenders:
        to.lent_on.setdefault(argument, []).append(made)
    return to.cast(made, type_)


def _copied(op: Operation, source: SSAValue, target: SSAValue, to: FunctionState) -> SSAValue:
    """New memory that is passed on, with the contents of the source."""
    source = of_known_rank(source)
    made = to.new_memory(source, target.name_hint)
    if not is_undefined(source):
        to.copy(to.memref(source), made)
        to.note_copy(op, source, copied_into(source, target), Reason.CONTROL_FLOW)
    return to.cast(made, to.owned_type(target))


def _is_used_within(op: Operation, source: SSAValue, to: FunctionState) -> bool:
    """A region op uses the memory of what is passed on to it, in its regions too."""
    storage, of = to.places.of[source].storage, to.forwarded.storages
    values = (v for v, place in to.places.of.items() if storage in of(place.storage)) if op.regions else ()
    return any(op in ancestors(use.operation) for v in values for use in v.uses if use.operation is not op)


def drop(arguments: Iterable[SSAValue], to: FunctionState) -> None:
    """Gives back the memory of the arguments of a block that ends, but for what it passes on."""
    for argument in arguments:
        if argument in to.forwarded.owned and to.defined[argument] not in to.passed_on:
            to.give_back_memory(to.defined[argument], [*to.lent_on.get(argument, ()), *to.owners(argument)])
