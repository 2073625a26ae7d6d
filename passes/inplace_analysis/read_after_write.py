"""For each value, the root bytes that it names; for each root, its reads in order. In-place decisions rely on these.

A *root* is a value with bytes that were written: an argument, a constant, a result of a kernel, of an opaque or
foreign op, the copied part of a data-movement op. Every other value is *slices* of roots: a view is a strided slice;
a scatter that is written over its base is the base without the part, and the part. Whether a result may be written
over an operand depends on the reads of the operand's roots that come later, and on nothing else (docs/storage.md,
4).

The slices of data-movement ops depend on decisions: which scatters are written over their base, which operands of a
concat are computed in their part. These are given (`carried`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage.contract import Contract, Contribution, View, is_region_op, is_undefined
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import (
    EXACT_BYTES,
    Layout,
    Strided,
    Whole,
    is_dense,
    mapped,
    may_overlap,
    reshape,
    same_bytes,
    share_byte,
)
from lastuse.dialect.storage.place_rules import accepts_strides, viewed
from lastuse.dialect.storage.runtime_slices import lies_in
from lastuse.passes.analysis.op_numbering import NumberedOps


class Edge(NamedTuple):
    """A contribution that is elided: operand `operand` of the data-movement op `op` (0 for a scatter's base)."""

    op: Operation
    operand: int

    def contribution(self, program: NumberedOps) -> Contribution:
        """What the op declares of it."""
        return next(c for c in program.contract(self.op).contributions if c.operand == self.operand)


class RootSlice(NamedTuple):
    """Bytes of a value: `layout` in the bytes of `root`, without those of `minus`.

    `where` is the same slice in the bytes of the value, were it dense; None where that is not known, and the slice then
    stands for at least its bytes. `may`: perhaps these bytes, perhaps not (results of foreign ops). `via`: only if the
    source of this scatter was computed in its part, which is known once the scatter's time has passed.
    """

    root: SSAValue
    layout: Layout
    where: Layout | None
    minus: tuple[Layout, ...] = ()
    may: bool = False
    via: Operation | None = None

    @property
    def shift(self) -> int | None:
        """From a byte of the value to the same byte of the root, where that is one distance for all of the slice."""
        value_layout, root_layout = self.where, self.layout
        if not isinstance(value_layout, Strided) or not isinstance(root_layout, Strided):
            return None
        return root_layout.offset - value_layout.offset if value_layout[1:] == root_layout[1:] else None


class SliceRead(NamedTuple):
    """At `time`, `op` reads `slice` of a root, through `value`."""

    time: int
    op: Operation
    value: SSAValue
    slice_: RootSlice


class OperandRead(NamedTuple):
    """An op reads `value`: of a scatter's base only what is `outside` the part; the operand of a `view` only where that
    has to be a copy."""

    value: SSAValue
    outside: Contribution | None = None
    view: OpResult | None = None


def operand_reads(op: Operation, contract: Contract) -> Iterator[OperandRead]:
    """What an op reads of its operands (docs/storage.md, 4): nothing of those that no op gives contents."""
    yield from (read for read in _operand_reads(op, contract) if not is_undefined(read.value))


def _operand_reads(op: Operation, contract: Contract) -> Iterator[OperandRead]:
    if contract.foreign or is_region_op(op):
        yield from map(OperandRead, operands_of(op))
        return
    for view in contract.views:
        yield OperandRead(operands_of(op)[view.operand], view=op.results[view.result])
    for contribution in contract.contributions:
        # One that is already in place moves nothing, but its bytes must be whole by now all the same.
        yield OperandRead(operands_of(op)[contribution.operand], contribution if contribution.complement else None)
    if not contract.contributions and (not contract.views or len(contract.views) < len(op.results)):
        yield from map(OperandRead, kernel_reads(op, contract))


def kernel_reads(op: Operation, contract: Contract) -> Sequence[SSAValue]:
    """The operands whose bytes a kernel reads."""
    unread = contract.metadata_only
    return [v for k, v in enumerate(operands_of(op)) if k not in unread] if unread else operands_of(op)


def view_in_slices(view: View, source: Layout, own: Layout) -> Layout | None:
    """Where all of a value that lies at `source` is, under sizes that the op of the view does not know. The view is a
    copy then, dense at `own`, but none where decisions put the value in a slice at an offset that is known at run time.
    None for any other view."""
    if not view.whole or not isinstance(source, Strided) or mapped(view.map, source) is not None:
        return None
    if isinstance(own, Strided):
        return reshape(source, own.sizes)
    return own._replace(offset=source.offset) if isinstance(own, Whole) else None


def overlap(a: RootSlice, b: RootSlice) -> bool:
    """Whether two slices of one root share a byte; unknown counts as yes."""
    return meet(a.layout, b.layout, (*a.minus, *b.minus))


def meet(a: Layout, b: Layout, minus: Sequence[Layout]) -> bool:
    """Whether two layouts of one storage share a byte that is in none of `minus`; unknown counts as yes."""
    if not may_overlap(a, b):
        return False
    if any(lies_in(layout, m) for m in minus for layout in (a, b)):
        return False
    strided = tuple(m for m in minus if isinstance(m, Strided))
    if not strided or not isinstance(a, Strided) or not isinstance(b, Strided) or a.nbytes + b.nbytes > EXACT_BYTES:
        return True
    return share_byte(a, b, strided)


class ValueContents:
    """Slices of every value and reads of every root, where the contributions `carried` are elided."""

    def __init__(self, program: NumberedOps, carried: frozenset[Edge] = frozenset()) -> None:
        self.program, self.carried = program, carried
        self.slices: dict[SSAValue, tuple[RootSlice, ...]] = {}
        self.reads: dict[tuple[Block, SSAValue], list[SliceRead]] = {}
        """By block and root: a block's reads, and at its terminator whatever lives out of it."""
        for time, op in enumerate(program.ops):
            block = op.parent_block()
            assert block is not None
            for argument in program.arguments_at(op):
                self.slices[argument] = (*self._whole(argument), *self._borrowed(program.foreign_parent(block)))
            self._reads_of(time, op)
            for result in op.results:
                if result in program.sizes:
                    self.slices[result] = tuple(self._slices_of(result))
            if op.next_op is None:
                for value in sorted(program.block_out[block], key=program.time_of):
                    if not is_undefined(value):
                        self._note(time, op, value)

    def _whole(self, value: SSAValue) -> tuple[RootSlice, ...]:
        own = self.program.dense(value)
        return (RootSlice(value, own, own),)

    def _borrowed(self, op: Operation | None) -> Iterator[RootSlice]:
        """What a result of a foreign op may be: any bytes of what the op is given or captures."""
        for value in self.program.tensors(op) if op is not None else ():
            yield from (p._replace(may=True, where=None) for p in self.slices[value])

    def _slices_of(self, value: OpResult) -> Iterator[RootSlice]:
        contract = self.program.contract(value.op)
        view = self.program.view(value)
        if view is not None:
            through = self._through(value)
            yield from through if through is not None else self._whole(value)
        elif any(Edge(value.op, c.operand) in self.carried for c in contract.contributions):
            yield from self._carried_slices(value)
        else:
            yield from self._whole(value)
            if contract.foreign:
                yield from self._borrowed(value.op)
            if contract.contributions and value in self.program.decisions.inplace:
                # What it lies over may be what it copies: then nothing is copied, and both are there.
                carried = (p for c in contract.contributions for p in self.slices[operands_of(value.op)[c.operand]])
                yield from (p._replace(where=None) for p in carried)

    def _through(self, value: OpResult) -> tuple[RootSlice, ...] | None:
        """The operand's slices seen through a view; None where the view has to be a copy: its map is no strided map
        there, or its result would be strided and a reader needs it row-major."""
        view = self.program.view(value)
        assert view is not None
        operand = operands_of(value.op)[view.operand]
        outer, own = self.program.dense(operand), self.program.dense(value)
        if isinstance(outer, Whole) and view.whole:
            return tuple(p._replace(where=own) for p in self.slices[operand])
        if view_in_slices(view, outer, own) is not None:
            return tuple(p._replace(where=None) for p in self.slices[operand])
        type_ = self.program.sizes[value]
        window = viewed(outer, view, type_)
        if window is None:
            return None
        seen: list[RootSlice] = []
        for slice_ in self.slices[operand]:
            through = _seen(slice_, outer, window, lambda layout: viewed(layout, view, type_), own)
            if through is None or not (all(is_dense(p.layout) for p in through) or accepts_strides(value)):
                return None
            seen.extend(through)
        return tuple(seen)

    def _may_be_copy(self, value: OpResult, operand: SSAValue) -> bool:
        view = self.program.view(value)
        if view is None or view_in_slices(view, self.program.dense(operand), self.program.dense(value)) is not None:
            return True
        return self._through(value) is None

    def under(self, value: SSAValue, slice_: RootSlice, contribution: Contribution | None) -> list[RootSlice]:
        """Of a slice of a scatter's base `value`, the bytes under the part; the whole slice where these are not
        known."""
        own = self.program.dense(value)
        part = contribution.part(own) if contribution is not None else None
        if contribution is None or part is None:
            return [slice_]
        seen = _seen(slice_, own, part, contribution.part, part)
        return [slice_] if seen is None else seen

    def _carried_slices(self, value: OpResult) -> Iterator[RootSlice]:
        op, contract, own = value.op, self.program.contract(value.op), self.program.dense(value)
        for contribution in contract.contributions:
            operand = operands_of(op)[contribution.operand]
            carried = Edge(op, contribution.operand) in self.carried
            part, whole = contribution.part(own), self.program.dense(operand)
            if contribution.complement and carried:
                yield from self._outside(self.slices[operand], contribution, own)
            elif contribution.complement:
                yield RootSlice(value, own, own)
            elif not carried:
                yield RootSlice(value, part if part is not None else own, part)
            # A scatter's source: it may have been computed in its part.
            if not contribution.complement and (carried or contract.contributions[0].complement):
                for slice_ in self.slices[operand]:
                    via = slice_.via if carried else op
                    yield slice_._replace(where=_inside(part, slice_.where, whole), via=via)
        if contract.fill:
            yield RootSlice(value, own, own)

    @staticmethod
    def _outside(slices: tuple[RootSlice, ...], contribution: Contribution, own: Layout) -> Iterator[RootSlice]:
        """A scatter's base, a value of layout `own`, without the part. Where elements of the base share bytes, bytes
        under the part are those of other elements too, and nothing is left out."""
        part = contribution.part(own)
        if part is None:
            yield from slices
            return
        for slice_ in slices:
            where, layout = slice_.where, slice_.layout
            if where is None or isinstance(layout, Strided) and not layout.injective:
                yield slice_
            elif where == own:
                gone = mapped(contribution.into, layout)
                yield slice_._replace(minus=(*slice_.minus, gone)) if gone is not None else slice_
            elif not may_overlap(where, part):
                yield slice_
            elif not lies_in(where, part):
                shift = slice_.shift if isinstance(part, Strided) else None
                gone = part.shifted(shift) if isinstance(part, Strided) and shift is not None else None
                yield slice_ if gone is None else slice_._replace(minus=(*slice_.minus, gone))

    def _reads_of(self, time: int, op: Operation) -> None:
        captured = self.program.captures(op) if is_region_op(op) else ()
        for value, outside, view in (*operand_reads(op, self.program.contracts[time]), *map(OperandRead, captured)):
            if view is None or self._may_be_copy(view, value):
                self._note(time, op, value, outside)

    def _note(self, time: int, op: Operation, value: SSAValue, outside: Contribution | None = None) -> None:
        """`op` reads `value`; of a scatter's base only what is `outside` the part."""
        slices = self.slices.get(value, ())
        if outside is not None:
            slices = tuple(self._outside(slices, outside, self.program.dense(value)))
        for slice_ in slices:
            block = op.parent_block()
            assert block is not None
            self.reads.setdefault((block, slice_.root), []).append(SliceRead(time, op, value, slice_))

    def conflicting_read(
        self, slice_: RootSlice, op: Operation, elided_scatters: Collection[Operation], itself: bool = False
    ) -> SliceRead | None:
        """The first read of a byte of `slice` after `op`, or by `op` `itself` too, in its block; or None.

        `elided_scatters`: scatters before `op` whose source was computed in its part.
        """
        conflict: SliceRead | None = None
        block, time = op.parent_block(), self.program.at[op] - itself
        assert block is not None
        for read in reversed(self.reads.get((block, slice_.root), ())):
            if read.time <= time:
                break
            via = read.slice_.via
            if via is not None and self.program.at[via] <= time and via not in elided_scatters:
                continue
            if overlap(read.slice_, slice_):
                conflict = read
        return conflict


def elided(program: NumberedOps, decisions: Decisions) -> frozenset[Edge]:
    """Contributions that decisions elide: scatters over their base, operands in their part."""
    edges = {Edge(op, k) for op, operands in decisions.parts.items() for k in operands}
    pairs = zip(program.ops, program.contracts, strict=True)
    for op, contract in [(op, contract) for op, contract in pairs if contract.contributions]:
        over = decisions.inplace.get(op.results[0], -1) if op.results else -1
        edges.update(Edge(op, c.operand) for c in contract.contributions if c.complement and c.operand == over)
    return frozenset(edges)


def _inside(part: Layout | None, where: Layout | None, whole: Layout) -> Layout | None:
    """`where` in the bytes of a value of layout `whole` that lies at `part` of another, in the bytes of that one."""
    if where == whole:
        return part
    return where.within(part) if isinstance(part, Strided) and isinstance(where, Strided) else None


def _seen(
    slice_: RootSlice, outer: Layout, window: Layout, into: Callable[[Layout], Layout | None], own: Layout
) -> list[RootSlice] | None:
    """A slice of a value of layout `outer`, seen through what makes of layouts that of a value of layout `own`, the
    bytes `window` of the first. None where it makes none of the slice's."""
    if slice_.where == outer:
        layout = into(slice_.layout)
        return None if layout is None else [slice_._replace(layout=layout, where=own)]
    if slice_.where is not None and not may_overlap(slice_.where, window):
        return []
    if isinstance(slice_.where, Strided) and same_bytes(slice_.where, window):
        if isinstance(slice_.layout, Strided) and isinstance(own, Strided):
            layout = reshape(slice_.layout, own.sizes)
            return [slice_._replace(layout=layout, where=own) if layout is not None else slice_._replace(where=None)]
        return [slice_._replace(where=None)]
    if slice_.shift is not None and isinstance(window, Strided):
        return [slice_._replace(layout=window.shifted(slice_.shift), where=own)]  # at most these bytes
    return [slice_._replace(where=None)]
