"""Which operands calls are given themselves (`dnn.donate`), once all other decisions of a function are taken.

A parameter that the callee may write gets a copy of its operand, unless nothing is left of the operand after the call.
An operand is given where its memory may be written, no value that has a byte of it is needed after the call, on any
path, and the call passes no such value otherwise (docs/storage.md, 5). What forwarded values may lie in is not given,
nor what a plan has given an offset. If a result of the call may be in the operand's memory, no other value may be there
from the call on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from xdsl.dialects.func import CallOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, Use

from lastuse.dialect.ir.flow_graphs import around_in, positions_in
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Places, Storage
from lastuse.dialect.storage.call_interface import called_function, written_operands
from lastuse.dialect.storage.contract import contract_of, holds_nothing, is_foreign
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import LayoutMap, is_dense, may_overlap
from lastuse.passes.analysis.op_numbering import NumberedOps

_GIVEN = frozenset({PlaceKind.OWN, PlaceKind.NUMBERED, PlaceKind.ARGUMENT})


def operands_to_give(program: NumberedOps, places: Places) -> Mapping[CallOp, tuple[int, ...]]:
    """Of each call that may be given operands, their numbers, those that it is given already among them.

    Args:
        places: where the values are, under the decisions of the function.
    """
    calls = [op for op in program.ops if isinstance(op, CallOp)]
    candidates = {op: sorted(written_operands(op) - attrs.operands_given_away(op)) for op in calls}
    if not any(candidates.values()):
        return {}
    donations = _Donations(program, places)
    found: dict[CallOp, tuple[int, ...]] = {}
    for op, numbers in candidates.items():
        given = [k for k in numbers if donations.may_be_given(op, k)]
        if given:
            found[op] = tuple(sorted({*given, *attrs.operands_given_away(op)}))
    return found


def operands_copied(program: NumberedOps, places: Places) -> Iterator[tuple[CallOp, int]]:
    """The operands that calls get copies of."""
    given = operands_to_give(program, places)
    for op in (op for op in program.ops if isinstance(op, CallOp)):
        for k in sorted(written_operands(op)):
            if op.operands[k] in places.of and k not in given.get(op, ()) and k not in _lain_over(op, places):
                yield op, k


def _lain_over(op: Operation, places: Places) -> Iterable[int]:
    """Numbers of the operands that a result is written over."""
    inplace = places.rules.decisions.inplace
    return {inplace[r] for r in op.results if inplace.get(r, -1) >= 0}


def is_last_use(
    value: SSAValue,
    op: CallOp,
    k: int,
    block_out: Callable[[], Mapping[Block, frozenset[SSAValue]]],
    spared: LayoutMap | None = None,
) -> bool:
    """Nothing needs the value after the call, and the call has it as operand `k` alone, or not at all.

    Args:
        block_out: the values that are live out of each block; asked only where the value may be.
        spared: the part of the value that the call is given: uses of what is outside of it do not count.
    """
    block = op.parent
    if block is None or (_may_leave(value, block) and value in block_out()[block]):
        return False
    for use in value.uses:
        if use.index in contract_of(use.operation).metadata_only or (spared is not None and _is_outside(use, spared)):
            continue
        around = around_in(use.operation, block)
        if around is op and (use.operation is not op or use.index != k):
            return False
        if around is not None and positions_in(block)[op] < positions_in(block)[around]:
            return False
    return True


def _may_leave(value: SSAValue, block: Block) -> bool:
    """The value may be live out of the block: another block defines it, or an op that is not in this one uses it."""
    home = value.owner.parent if isinstance(value, OpResult) else value.owner
    return home is not block or any(around_in(use.operation, block) is None for use in value.uses)


def _takes_strides(call: CallOp) -> bool:
    func = called_function(call)
    return func is not None and attrs.STRIDED in func.attributes


def _is_outside(use: Use, part: LayoutMap) -> bool:
    """The op replaces the part of its operand, and reads nothing of it."""
    bounds = getattr(part, "bounds", None)
    contributions = [c for c in contract_of(use.operation).contributions if c.operand == use.index]
    return bounds is not None and [(c.complement, getattr(c.into, "bounds", None)) for c in contributions] == [
        (True, bounds)
    ]


class _Donations:
    """What the decisions of one function leave to give away."""

    def __init__(self, program: NumberedOps, places: Places) -> None:
        self.program, self.places = program, places
        self._members: dict[Storage, list[SSAValue]] = {}
        for value, place in places.of.items():
            self._members.setdefault(place.storage, []).append(value)
        self._forwarded = set(self._passed_on())

    def _passed_on(self) -> Iterator[Storage]:
        """The storages that forwarded values may lie in."""
        forwarded = self.places.rules.decisions.forwarded
        for op in self.program.ops if forwarded else ():
            for passed in passed_by(op):
                if passed.target in forwarded and passed.source in self.places.of:
                    yield self.places.of[passed.source].storage

    def may_be_given(self, op: CallOp, k: int) -> bool:
        """The memory of operand `k` may be the callee's from the call on."""
        value = op.operands[k]
        if value not in self.places.of or k in _lain_over(op, self.places):
            return False
        storage, layout = self.places.of[value]
        if storage.kind not in _GIVEN or storage in self._forwarded:
            return False
        if not is_dense(layout) and not _takes_strides(op):
            return False
        if storage.kind is PlaceKind.ARGUMENT and storage.key not in self.program.writable:
            return False
        there = [v for v in self._members[storage] if v is value or not holds_nothing(v)]
        there = [v for v in there if may_overlap(self.places.of[v].layout, layout)]
        if not all(self._is_done(v, op, k) for v in chain(there, self._borrowers(there, op))):
            return False
        is_lent = is_foreign(op) and any(r in self.places.of for r in op.results)
        return not is_lent or all(self._is_before(v, op) for v in there)

    @cached_property
    def _lenders(self) -> Mapping[SSAValue, Sequence[Operation]]:
        """By value the foreign ops that are given it."""
        found: dict[SSAValue, list[Operation]] = {}
        for op in filter(is_foreign, self.program.ops):
            for value in self.program.tensors(op):
                found.setdefault(value, []).append(op)
        return found

    def _borrowers(self, hosts: Sequence[SSAValue], call: CallOp) -> Iterator[SSAValue]:
        """The values that may be bytes of `hosts`: results of foreign ops but the call, what lies there, and so on."""
        found, waiting = set(hosts), list(hosts)
        while waiting:
            for op in self._lenders.get(waiting.pop(), ()):
                inside = (a for region in op.regions for block in region.blocks for a in block.args)
                for lent in (*op.results, *inside) if op is not call else ():
                    members = self._members[self.places.of[lent].storage] if lent in self.places.of else ()
                    fresh = [v for v in members if v not in found]
                    found.update(fresh)
                    waiting += fresh
                    yield from fresh

    def _is_done(self, value: SSAValue, op: CallOp, k: int) -> bool:
        """Nothing needs the value after the call, and the call does not pass it otherwise."""
        return value not in op.results and is_last_use(value, op, k, lambda: self.program.block_out)

    def _is_before(self, value: SSAValue, op: CallOp) -> bool:
        """The value is made before the call, in its block or in an op there, and not again while a result of the call
        is there."""
        if isinstance(value, BlockArgument) and self.program.is_argument(value):
            return value.block is op.parent
        around = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
        while around is not None and around.parent is not op.parent:
            around = around.parent_op()
        return around is not None and self.program.at[around] < self.program.at[op]
