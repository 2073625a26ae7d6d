"""Last reads of every value; independent of the decisions taken.

Times are even at ops (twice the op's position) and odd between them: what a region op does when its regions are through
happens at the odd time after the last op in it. A *need* is a value (all of it, or what a scatter leaves of its base)
that an op reads; for every block it has the time in that block up to which the bytes must stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from lastuse.dialect.storage.contract import Contribution, View, is_region_op
from lastuse.dialect.storage.layout import Layout, Strided
from lastuse.dialect.storage.place_rules import accepts_strides, viewed
from lastuse.passes.analysis.liveness import RUNS_ONCE, live_sets
from lastuse.passes.analysis.op_numbering import NumberedOps

ALWAYS = 1 << 62
"""A need that lives out of a block."""


@dataclass(eq=False, slots=True)
class LastRead:
    """An op reads `value`: outside `contribution` alone, where that is given; only if the view `view` has to be a copy,
    where that is given.

    Attributes:
        born: when the bytes of the value are written.
        last: by block, the time of the last read in it or in its regions; ALWAYS where a later block reads the
            value.
        until: no read comes after this time.
    """

    value: SSAValue
    contribution: Contribution | None
    view: OpResult | None
    born: int
    last: dict[Block, int] = field(default_factory=dict[Block, int])
    until: int = -1

    def lives(self, block: Block, time: int) -> bool:
        """An op reads it after `time` in `block`."""
        return self.last.get(block, -1) > time


class LastReads:
    """Last reads of every value, and what it is a view of."""

    def __init__(self, program: NumberedOps) -> None:
        self.program = program
        self.closes: dict[Operation, int] = {}
        self.origins: dict[SSAValue, SSAValue] = {}
        self.needs: dict[SSAValue, list[LastRead]] = {}
        self._whole: dict[tuple[SSAValue, OpResult | None], LastRead] = {}
        self._read_by: dict[Operation, list[LastRead]] = {}
        self._accept: dict[SSAValue, bool] = {}
        self._views: dict[SSAValue, tuple[View | None, Layout]] = {}
        for time, op in enumerate(program.ops):
            above = op.parent_op()
            while above is not None and above in program.at:
                self.closes[above] = 2 * time + 1
                above = above.parent_op()
        for time, op in enumerate(program.ops):
            self._walk(time, op)
        body = program.func.body
        if len(body.blocks) > 1 or self.closes:
            self._live_out(body, frozenset())
        for needs in self.needs.values():
            for need in needs:
                several = len(_region(self.origin(need.value)).blocks) > 1
                need.until = ALWAYS if several else max(t for t in need.last.values() if t != ALWAYS)

    @cached_property
    def values(self) -> list[SSAValue]:
        """Every value with bytes, each before those that derive from it."""
        return sorted(self.program.sizes, key=self.program.time_of)

    @cached_property
    def copies(self) -> list[SSAValue]:
        """Declared views that have to be copies whatever is decided."""
        return [v for v in self.program.sizes if self.program.view(v) is not None and self.view(v) is None]

    @cached_property
    def families(self) -> dict[SSAValue, list[SSAValue]]:
        """By origin, a value and all that is a view of it."""
        found: dict[SSAValue, list[SSAValue]] = {}
        for value in self.program.sizes:
            found.setdefault(self.origin(value), []).append(value)
        return found

    def view(self, value: SSAValue) -> View | None:
        """The view that `value` is; None where it has to be a copy whatever is decided."""
        return self._seen(value)[0]

    def static(self, value: SSAValue) -> Layout:
        """The layout of a value in its origin, if that is row-major."""
        return self._seen(value)[1]

    def _seen(self, value: SSAValue) -> tuple[View | None, Layout]:
        found = self._views.get(value)
        if found is None:
            view, layout = self.program.view(value), self.program.dense(value)
            if view is not None:
                base = self.static(value.owner.operands[view.operand])  # pyright: ignore
                seen = viewed(base, view, self.program.sizes[value])
                if seen is None or isinstance(seen, Strided) and not (seen.is_dense or self.accepts_strides(value)):
                    view = None
                else:
                    layout = seen
            found = self._views[value] = view, layout
        return found

    def origin(self, value: SSAValue) -> SSAValue:
        """The value that a view is a view of, through other views; a value that is no view itself."""
        found = self.origins.get(value)
        if found is None:
            view = self.view(value)
            found = self.origin(value.owner.operands[view.operand]) if view is not None else value  # pyright: ignore
            self.origins[value] = found
        return found

    def born(self, value: SSAValue) -> int:
        """When the bytes of `value` are written."""
        value = self.origin(value)
        if isinstance(value, OpResult):
            return self.closes.get(value.op, 2 * self.program.at[value.op])
        return 2 * self.program.time_of(value) + 1

    def accepts_strides(self, value: SSAValue) -> bool:
        found = self._accept.get(value)
        if found is None:
            found = self._accept[value] = accepts_strides(value)
        return found

    def is_foreign(self, op: Operation) -> bool:
        """The results of the op may be any bytes of its operands."""
        time = self.program.at[op]
        return self.program.contracts[time].foreign

    def is_constant(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and self.program.contracts[self.program.at[value.op]].constant

    def is_borrowed(self, value: SSAValue) -> bool:
        """A result of a foreign op, or an argument of a block of one."""
        if isinstance(value, OpResult):
            return self.is_foreign(value.op)
        above = value.block.parent_op() if isinstance(value, BlockArgument) else None
        return above is not None and above in self.program.at and self.is_foreign(above)

    def borrowers(self, value: SSAValue) -> list[SSAValue]:
        """Values that may be bytes of `value`: results of foreign ops that read it, and views of these."""
        return self._borrowers.get(value, [])

    @cached_property
    def _borrowers(self) -> dict[SSAValue, list[SSAValue]]:
        hosts: dict[SSAValue, set[SSAValue]] = {}
        found: dict[SSAValue, list[SSAValue]] = {}
        for op in self.program.ops:
            borrowed = [v for v in self._made_by(op) if self.is_borrowed(v)]
            lent = set[SSAValue]()
            for host in self.program.tensors(op) if borrowed else ():
                lent |= {host} | hosts.get(self.origin(host), set())
            for value in borrowed:
                hosts[value] = lent
                for host in sorted(lent, key=self.program.time_of):
                    found.setdefault(host, []).extend(self.families[value])
        return found

    def _made_by(self, op: Operation) -> Iterator[SSAValue]:
        """Tensors that an op or the regions of an op define."""
        arguments = [a for region in op.regions for block in region.blocks for a in block.args]
        yield from (v for v in (*op.results, *arguments) if v in self.program.sizes)

    def enters(self, need: LastRead, block: Block) -> bool:
        """It is live at the beginning of `block`."""
        return block in need.last and _block(self.origin(need.value)) is not block

    # Reads

    def _walk(self, time: int, op: Operation) -> None:
        for value, contribution, view in self._reads(time, op):
            if value in self.program.sizes:
                self._note(op, 2 * time, value, contribution, view)
        if self.is_foreign(op) and op in self.closes:
            for value in self.program.captures(op):  # it may read all of them as long as its regions run
                self._note(op, self.closes[op], value, None, None)

    def _reads(self, time: int, op: Operation) -> Iterator[tuple[SSAValue, Contribution | None, OpResult | None]]:
        contract = self.program.contracts[time]
        if contract.foreign or is_region_op(op):
            yield from ((v, None, None) for v in op.operands)
            return
        for view in contract.views:
            result = op.results[view.result]
            yield op.operands[view.operand], None, result if self.view(result) is not None else None
        for contribution in contract.contributions:
            yield op.operands[contribution.operand], contribution if contribution.complement else None, None
        if contract.contributions or len(contract.views) == len(op.results) and contract.views:
            return
        for k, value in enumerate(op.operands):
            if k not in contract.metadata_only:
                yield value, None, None

    def _note(
        self, op: Operation, time: int, value: SSAValue, contribution: Contribution | None, view: OpResult | None
    ) -> None:
        need = self._whole.get((value, view)) if contribution is None else None
        if need is None:
            need = LastRead(value, contribution, view, self.born(value))
            self.needs.setdefault(value, []).append(need)
            if contribution is None:
                self._whole[value, view] = need
        home, block = _region(self.origin(value)), op.parent_block()
        self._read_by.setdefault(op, []).append(need)
        while block is not None:
            need.last[block] = max(need.last.get(block, -1), time)
            above = block.parent_op()
            if block.parent is home or above is None:
                return
            time, block = self.closes[above], above.parent_block()
            self._read_by.setdefault(above, []).append(need)

    # Liveness of needs at the ends of blocks: as `liveness.py` has it, with needs for values

    def _live_out(self, region: Region, at_exit: frozenset[LastRead]) -> None:
        blocks = list(region.blocks)
        number = {block: n for n, block in enumerate(blocks)}
        uses: list[set[LastRead]] = []
        for block in blocks:
            read = {n for op in self.program.ops_of(block) for n in self._read_by.get(op, ())}
            uses.append({n for n in read if _block(self.origin(n.value)) is not block})
        nexts = [[number[s] for s in b.last_op.successors] if b.last_op is not None else [] for b in blocks]
        passing = set(at_exit).union(*uses)
        defs = [{n for n in passing if _block(self.origin(n.value)) is block} for block in blocks]
        _, outs = live_sets(uses, defs, nexts, at_exit)
        for block, out in zip(blocks, outs, strict=True):
            for need in out:
                need.last[block] = ALWAYS
            if any(op in self.closes for op in self.program.ops_of(block)):
                self._inner(block, out)

    def _inner(self, block: Block, out: set[LastRead]) -> None:
        live = set(out)
        for op in reversed(self.program.ops_of(block)):
            live = {n for n in live if self.origin(n.value).owner is not op}
            read = self._read_by.get(op, ())
            if op in self.closes:
                inside = {n for n in read if n.last.get(block, -1) >= self.closes[op]}
                again = frozenset[LastRead]() if isinstance(op, RUNS_ONCE) else inside
                for region in op.regions:
                    self._live_out(region, frozenset(live | again))
            live.update(read)


def _block(value: SSAValue) -> Block:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    assert block is not None
    return block


def _region(value: SSAValue) -> Region:
    region = _block(value).parent
    assert region is not None
    return region
