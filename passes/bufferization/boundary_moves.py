"""Copies at boundaries: before control enters or leaves a region, takes a branch or returns, tensors move to the memory
of the values that they become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.storage.assignment import Place
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import is_undefined
from lastuse.dialect.storage.layout import same_bytes
from lastuse.passes.analysis.parallel_copy import sequentialize
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.bufferization.function_state import FunctionState
from lastuse.passes.bufferization.lent_storages import lent_storages
from lastuse.passes.bufferization.owned_values import pass_on


class MemrefMove(NamedTuple):
    """The bytes of `value` go to `place`, which is `target`. `what` says so in words."""

    value: SSAValue
    place: Place
    target: SSAValue
    what: str
    reason: Reason


def move_forwarded(op: Operation, sources: Sequence[SSAValue], targets: Sequence[SSAValue], to: FunctionState) -> None:
    """Moves the tensors among `sources` to the memory of `targets`: all are read, then all are written. Forwarded ones
    stay where they are. What is passed on in memory of its own is copied before anything is written."""
    for source, target in zip(sources, targets, strict=True):
        if target in to.forwarded.owned:
            to.passing[target] = pass_on(op, source, target, to)
    pairs = [(s, t) for s, t in zip(sources, targets, strict=True) if not to.is_carried(t) and not to.is_at(s, t)]
    moves = [MemrefMove(s, to.places.of[t], to.memref(t), copied_into(s, t), Reason.CONTROL_FLOW) for s, t in pairs]
    move_all(op, moves, to)


def move_all(op: Operation, moves: Sequence[MemrefMove], to: FunctionState) -> None:
    """A parallel move. A pair in equal places is left out, and so is what no op gave contents; a cycle is broken by a
    temporary. So is the copy of what a call returned, to memory that it may be in."""
    moves = [m for m in moves if not is_undefined(m.value)]
    from_ = [to.places.of[m.value] for m in moves]
    moves = [m for m, p in zip(moves, from_, strict=True) if not _is_at(m.place, p)]
    from_ = [to.places.of[m.value] for m in moves]
    hosts = [lent_storages(m.value, to.places, to.calls) for m in moves]
    lent = [{s for host in found for s in to.forwarded.storages(host)} for found in hosts]
    order = sequentialize(
        len(moves), lambda a, b: to.clashes(moves[a].place, from_[b]) or moves[a].place.storage in lent[b]
    )
    sources = [to.memref(m.value) for m in moves]
    temporaries: list[SSAValue] = []
    for n in order.first:
        value = moves[n].value
        aside = to.new_memory(value)
        to.copy(sources[n], aside)
        to.note_copy(op, value, f"{display_name(value)} is copied to a temporary", Reason.CYCLE)
        sources[n] = aside
        temporaries.append(aside)
    for n in order.then:
        to.copy(sources[n], moves[n].target)
        to.note_copy(op, moves[n].value, moves[n].what, moves[n].reason)
    for aside in temporaries:
        to.emit(memref.DeallocOp.get(aside))


def _is_at(a: Place, b: Place) -> bool:
    return a.storage == b.storage and same_bytes(a.layout, b.layout)
