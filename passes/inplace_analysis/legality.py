"""Legality: why a result may not be written over an operand, as later reads show (docs/storage.md, 4)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest

from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.tensor_types import Dim, Poly, squeezed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, InPlace, contract_of, is_region_op
from lastuse.dialect.storage.layout import Layout, Strided, is_dense, may_overlap, same_bytes
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason, Refusal
from lastuse.passes.inplace_analysis.alias_sets import AliasSets, Position
from lastuse.passes.inplace_analysis.read_after_write import RootSlice, SliceRead, ValueContents

Policy = Callable[[NumberedOps, Operation, int, int], Reason | None]
"""Why the system of a strategy would not write a result of an op over an operand, both by number; asked before
legality."""


def accept_all(program: NumberedOps, op: Operation, result: int, operand: int) -> Reason | None:
    """The policy that takes everything that is legal."""
    return None


def amount(size: Dim) -> int:
    """A number to compare sizes by: every unknown counts as 1,024."""
    if not isinstance(size, Poly):
        return size
    return sum(c * 1024 ** len(m) for m, c in size.terms)


def permission(contract: Contract, result: OpResult, k: int) -> InPlace | None:
    """The declaration that `result` may be written over operand `k`, if there is one."""
    for over in contract.over:
        if over.operand == k and over.result == result.index:
            return over
    return None


def unfit_refusal(program: NumberedOps, op: Operation, result: OpResult, k: int) -> Refusal | None:
    """Why `result` may not be written over operand `k` by the op and the types alone, whatever else is read when."""
    operand = operands_of(op)[k]
    over = permission(program.contract(op), result, k)
    if over is None:
        declared = permission(contract_of(op), result, k)
        return Refusal(Reason.KERNEL if declared is None else Reason.FLOAT_BITS, result.index, k, operand)
    have, want = program.typed(operand), program.typed(result)
    if have.dtype != want.dtype:
        return Refusal(Reason.ELEMENT_TYPE, result.index, k, operand)
    if have.shape != want.shape and squeezed(have.shape) != squeezed(want.shape):
        reason = Reason.BROADCAST if _is_broadcast(have.shape, want.shape) else Reason.SIZE
        return Refusal(reason, result.index, k, operand, detail=f"{have.bytes} bytes, {want.bytes} wanted")
    return None


def _is_broadcast(have: Sequence[Dim | None], want: Sequence[Dim | None]) -> bool:
    """One element of the first shape is read for several of the second: known to be, whatever unknown sizes are."""
    pairs = list(zip_longest(reversed(have), reversed(want), fillvalue=1))
    fits = all(a == b or a == 1 for a, b in pairs)
    return fits and any(a == 1 != b and isinstance(b, int) for a, b in pairs)


FIRST = (Reason.NOT_LISTED, Reason.ENGINE)
"""Objections that come before what the types say: the strategy's system does not look at the operand at all."""


class Legality:
    """Refusals, from later reads and from the places of values under the decisions taken so far.

    `elided`: scatters met so far whose source was computed in its part."""

    def __init__(
        self,
        program: NumberedOps,
        policy: Policy,
        contents: ValueContents,
        sets: AliasSets,
        elided: set[Operation] | None = None,
    ) -> None:
        self.program, self.policy, self.contents, self.sets = program, policy, contents, sets
        self.elided = elided if elided is not None else set[Operation]()
        self.claims = list(_claims(program))

    def slices(self, value: SSAValue) -> list[RootSlice]:
        """Slices of a value met before: of a scatter's source only where it was computed in its part."""
        return [p for p in self.contents.slices[value] if p.via is None or p.via in self.elided]

    def refusal(self, op: Operation, result: OpResult, k: int) -> Refusal | None:
        """Why `result` may not be written over operand `k`, or None."""
        operand, contract = operands_of(op)[k], self.program.contract(op)
        over, refused = permission(contract, result, k), unfit_refusal(self.program, op, result, k)
        if over is None:
            return refused
        rejects = self.policy(self.program, op, result.index, k)
        if rejects is not None and (refused is None or rejects in FIRST):
            return Refusal(rejects, result.index, k, operand)
        if refused is not None:
            return refused
        position, slices = self.sets.position(operand), self.slices(operand)
        group, place = position
        refused = self._storage_refusal(operand, position, slices, result.index, k)
        if refused is None and not self._accepted(place, result, contract.strided):
            refused = Refusal(Reason.LAYOUT, result.index, k, operand)
        refused = refused or self._repeated(op, over, position, slices)
        refused = refused or self.read_refusal(op, result.index, k, slices, result)
        if refused is None and k in contract.metadata_only:
            refused = self._source_refusal(op, over)
        if refused is None and (k in contract.metadata_only or group.number >= 0):
            refused = self._resident_refusal(op, k, place)
        return refused

    def _others(self, op: Operation, k: int) -> list[SSAValue]:
        """What `op` reads beside operand `k`."""
        unread = {k, *self.program.contract(op).metadata_only}
        return [v for j, v in enumerate(operands_of(op)) if j not in unread and v in self.program.sizes]

    def _accepted(self, layout: Layout, result: OpResult, strided: bool = True) -> bool:
        """A result may lie at `layout`; `strided`: the op that makes it accepts strides."""
        if is_dense(layout):
            return True
        injective = not isinstance(layout, Strided) or layout.injective
        return injective and strided and self.sets.all_accept_strides(result)

    def _source_refusal(self, op: Operation, over: InPlace) -> Refusal | None:
        """The destination operand is not read, but another operand that is read may occupy its bytes."""
        home, place = self.sets.position(operands_of(op)[over.operand])
        for other in self._others(op, over.operand):
            where, layout = self.sets.position(other)
            if where is home and may_overlap(layout, place):
                reason = Reason.REPEATED_OPERAND if same_bytes(layout, place) else Reason.OVERLAPPING_VIEW
                return Refusal(reason, over.result, over.operand, other, op)
        return None

    def storage_refusal(self, op: Operation, result: int, k: int) -> Refusal | None:
        """Why nothing may be written over operand `k`, whichever op reads it: its storage may not be written, or the
        operand may be bytes of other values."""
        operand = operands_of(op)[k]
        return self._storage_refusal(operand, self.sets.position(operand), self.slices(operand), result, k)

    def _storage_refusal(
        self, operand: SSAValue, position: Position, slices: Sequence[RootSlice], result: int, k: int
    ) -> Refusal | None:
        if position.group.fixed is not None:
            return Refusal(position.group.fixed, result, k, position.group.root)
        if any(p.may for p in slices):
            return Refusal(Reason.OPERANDS_ALIAS, result, k, operand)
        return None

    def _repeated(self, op: Operation, over: InPlace, place: Position, mine: Sequence[RootSlice]) -> Refusal | None:
        """Another operand may have bytes of the one that is written over, which has these slices at `place`."""
        for other in self._others(op, over.operand):
            theirs = self.slices(other)
            if not _share(mine, theirs):
                continue
            position = self.sets.position(other)
            reason = None if over.allow_same_operand else Reason.REPEATED_OPERAND
            if position.group is not place.group or not same_bytes(position.layout, place.layout):
                reason = Reason.OVERLAPPING_VIEW
            if any(p.may for p in theirs):
                reason = Reason.OPERANDS_ALIAS
            if reason is not None:
                return Refusal(reason, over.result, over.operand, other, op)
        return None

    def read_refusal(
        self, op: Operation, result: int, k: int, slices: list[RootSlice], target: OpResult | None = None
    ) -> Refusal | None:
        """The bytes are read later, or a storage number places another value there too early."""
        for slice_ in slices:
            read = self.read_after(slice_, op)
            if read is not None:
                reason = Reason.OPERANDS_ALIAS if read.slice_.may else self._why_read(op, slice_, read)
                return Refusal(reason, result, k, read.value, read.op)
        return self._next_refusal(op, k, target) if target is not None else None

    def _next_refusal(self, op: Operation, k: int, target: OpResult) -> Refusal | None:
        """By earlier decisions a later op would overwrite `target` while it is live: the op's result has the number of
        the storage of operand `k`, or lies over a value there that the op does not read."""
        group, place = self.sets.position(operands_of(op)[k])
        by = self._overtaken(op, target, group.number, place) if group.number >= 0 else None
        by = by or self._claimed(op, k, target)
        return Refusal(Reason.NEXT_OP_REUSES, target.index, k, *by) if by is not None else None

    def _overtaken(
        self, op: Operation, target: OpResult, number: int, place: Layout
    ) -> tuple[SSAValue, Operation] | None:
        """A later value of storage `number` that is written while `target`, which lies at `place` there, is live; and
        the op that writes it."""
        heirs = self._heirs(target)
        mine = self._slices_of(heirs)
        written, at = self._written.get(number, []), self.program.at
        for later, value in written[bisect_right(written, at[op], key=lambda w: at[w[0]]) :]:
            if any(self.read_after(p, later, itself=is_region_op(later)) for p in mine):
                return value, later
            if isinstance(value, OpResult) and not all(
                self._reads_in_place(later, value, heir, place) for heir in heirs
            ):
                return value, later
        return None

    @cached_property
    def _written(self) -> Mapping[int, list[tuple[Operation, SSAValue]]]:
        """By number of a storage the ops that write it, in order, and the values that they write to it."""
        written: dict[int, list[tuple[Operation, SSAValue]]] = {}
        number_of, view = self.program.decisions.number_of, self.program.view
        for op in self.program.ops if self.program.decisions.numbers else ():
            arguments = [a for block in attrs.blocks_after(op) for a in block.args]
            for value in (*op.results, *arguments):
                number = number_of(value)
                if number >= 0 and not (isinstance(value, OpResult) and view(value) is not None):
                    written.setdefault(number, []).append((op, value))
        return written

    def _claimed(self, op: Operation, k: int, target: OpResult) -> tuple[SSAValue, Operation] | None:
        home, place = self.sets.position(operands_of(op)[k])
        mine = self._slices_of(self._heirs(target)) if self.claims else []
        for later, operand in self.claims:
            if self.program.at[later] <= self.program.at[op] or operand not in self.sets.at:
                continue
            where, layout = self.sets.position(operand)
            if where is home and may_overlap(layout, place) and any(self.read_after(p, later) for p in mine):
                return later.results[0], later
        return None

    def _heirs(self, target: OpResult) -> list[SSAValue]:
        """`target`, and values that by earlier decisions lie over it, or are views of it."""
        heirs: list[SSAValue] = [target]
        for value in heirs:
            for use in value.uses:
                for result in use.operation.results:
                    if result not in self.program.sizes or result in heirs:
                        continue
                    view = self.program.view(result)
                    seen = view.operand if view is not None else None
                    if use.index in (self.program.decisions.inplace.get(result), seen):
                        heirs.append(result)
        return heirs

    def _slices_of(self, values: list[SSAValue]) -> list[RootSlice]:
        return [p for v in values for p in self.contents.slices[v]]

    def _reads_in_place(self, op: Operation, result: OpResult, value: SSAValue, place: Layout) -> bool:
        """`op` does not read `value`, or may write `result`, which is at byte 0 of the storage, over it at `place`."""
        readers = [k for k, v in enumerate(operands_of(op)) if v is value]
        over = {o.operand: o for o in self.sets.contract(op).over if o.result == result.index}
        if not readers:
            return not any(
                p.root is value for v in operands_of(op) if v in self.contents.slices for p in self.contents.slices[v]
            )
        fits = squeezed(self.program.typed(value).shape) == squeezed(self.program.typed(result).shape)
        fits = fits and same_bytes(place, self.program.dense(result))
        return fits and all(k in over for k in readers) and (len(readers) == 1 or over[readers[0]].allow_same_operand)

    def data_movement_refusal(self, op: Operation, contract: Contract, over: InPlace) -> Refusal | None:
        """Why a data-movement op may not be written over its destination: the bytes that it writes must be dead, and
        disjoint from the sources that it copies."""
        k = over.operand
        base = operands_of(op)[k]
        early = self.storage_refusal(op, 0, k) or self._next_refusal(op, k, op.results[0])
        if early is not None:
            return early
        contribution = next((c for c in contract.contributions if c.complement), None)
        written = [p for q in self.slices(base) for p in self.contents.under(base, q, contribution)]
        home, place = self.sets.position(base)
        if not self._accepted(place, op.results[0]):
            return Refusal(Reason.LAYOUT, 0, k)
        part = contribution.part(place) if contribution is not None else None
        target = place if part is None else part
        is_part = contribution is not None and (part is not None or not isinstance(place, Strided))
        for carried in contract.contributions:
            if carried.operand == k:
                continue
            source = operands_of(op)[carried.operand]
            if _share([p for p in self.slices(source) if p.may], written):
                return Refusal(Reason.OPERANDS_ALIAS, 0, k, source, op)
            where, layout = self.sets.position(source)
            if where is home and same_bytes(layout, target) and is_part:
                return None  # already in place: nothing is written
            if where is home and may_overlap(layout, target):
                return Refusal(Reason.OVERLAPPING_VIEW, 0, k, source, op)
        return self.read_refusal(op, 0, k, written) or self._resident_refusal(op, k, target)

    def _resident_refusal(self, op: Operation, k: int, written: Layout) -> Refusal | None:
        """Another value, which is read later, has the bytes of an operand that need not hold it any more."""
        own = {p.root for p in self.slices(operands_of(op)[k])}
        for value in self.sets.position(operands_of(op)[k]).group.members:
            if value in own or self.program.view(value) is not None:
                continue
            if not may_overlap(self.sets.position(value)[1], written):
                continue
            whole = self.program.dense(value)
            read = self.read_after(RootSlice(value, whole, whole), op)
            if read is not None:
                return Refusal(self._why_read(op, read.slice_, read), 0, k, value, read.op)
        return None

    def _why_read(self, op: Operation, slice_: RootSlice, read: SliceRead) -> Reason:
        """Returned; read again by the next iteration or on another path; or simply read later."""
        if self.program.is_return(read.time):
            return Reason.RETURNED
        # A terminator that does not name the value stands for blocks that run after it.
        beyond = read.op.next_op is None and read.value not in operands_of(read.op)
        if beyond and (self.program.loop_around(op, slice_.root) is not None or read.op.successors):
            return Reason.CONTROL_FLOW
        return Reason.USED_LATER

    def meet(self, op: Operation, k: int, other: int) -> bool:
        """Operands `k` and `other` may share a byte."""
        return _share(self.slices(operands_of(op)[k]), self.slices(operands_of(op)[other]))

    def read_after(self, slice_: RootSlice, op: Operation, itself: bool = False) -> SliceRead | None:
        """The first op in the block of `op` that reads the bytes after it, or, with `itself`, `op`."""
        return self.contents.conflicting_read(slice_, op, self.elided, itself)


def _share(some: Sequence[RootSlice], others: Sequence[RootSlice]) -> bool:
    for a in some:
        for b in others:
            if a.root is b.root and may_overlap(a.layout, b.layout):
                return True
    return False


def _claims(program: NumberedOps) -> Iterator[tuple[Operation, SSAValue]]:
    """Ops that are written over an operand of which they need not read all bytes, by earlier decisions."""
    for op, contract in zip(program.ops, program.contracts, strict=True):
        for k in program.decisions.over(op) if contract.metadata_only or contract.contributions else ():
            if k >= 0:
                yield op, operands_of(op)[k]
