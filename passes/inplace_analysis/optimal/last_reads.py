"""Last reads of every value; independent of the decisions taken.

Times are even at ops (twice the op's position) and odd between them: what a region op does when its regions are through
happens at the odd time after the last op in it. A *need* is a value (all of it, or what a scatter leaves of its base)
that an op reads; for every block it has the time in that block up to which the bytes must stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import ancestors, operands_of
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.storage.contract import Contribution, View, is_undefined
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Layout
from lastuse.dialect.storage.place_rules import PlaceRules, Rule, accepts_strides
from lastuse.passes.analysis.liveness import live_out
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.read_after_write import kernel_reads, operand_reads, view_in_slices
from lastuse.passes.inplace_analysis.region_ops import movers_in

ALWAYS = 1 << 62
"""A need that lives out of a block."""


@dataclass(eq=False, slots=True)
class LastRead:
    """An op reads `value`: outside `contribution` alone, where that is given; only if the view `view` has to be a copy,
    where that is given.

    Attributes:
        born: when the bytes of the value are written.
        last: by block, the time of the last read in it or in its regions; ALWAYS where a later block reads the
            value. None in a function of one block: there it is `until`.
        until: no read comes after this time, and no block that it lives out of ends after it.
    """

    value: SSAValue
    contribution: Contribution | None
    view: OpResult | None
    born: int
    last: dict[Block, int] | None
    until: int = -1

    def last_in(self, block: Block) -> int:
        """The time of the last read in `block`, -1 for none."""
        return self.until if self.last is None else self.last.get(block, -1)

    def lives(self, block: Block, time: int) -> bool:
        """An op reads it after `time` in `block`."""
        return self.last_in(block) > time

    @property
    def leaves_a_block(self) -> bool:
        """It lives out of some block."""
        return self.last is not None and ALWAYS in self.last.values()


class ViewPlaces(PlaceRules):
    """Places of values as views alone give them: no value is written over another."""

    def __init__(self, program: NumberedOps, strided: Callable[[SSAValue], bool] = accepts_strides) -> None:
        super().__init__(Decisions(), program.sizes, program.contract)
        self.in_slices: set[SSAValue] = set()
        """Views of values that decisions put in slices at offsets that are known at run time, copies of any others."""
        self.view = program.view
        self.accepts_strides = cache(strided)

    def derived(self, value: SSAValue) -> tuple[Rule, SSAValue | None]:
        view = self.view(value)
        source = operands_of(value.owner)[view.operand] if view is not None else None  # pyright: ignore
        return Rule.VIEW, source

    def _place(
        self, value: SSAValue, rule: Rule, source: SSAValue, there: tuple[SSAValue, Layout]
    ) -> tuple[SSAValue, Layout]:
        view = self.view(value)
        layout = view_in_slices(view, there[1], self.own(value)) if view is not None else None
        if layout is None:
            return super()._place(value, rule, source, there)
        self.in_slices.add(value)
        return there[0], layout


class LastReads:
    """Last reads of every value, and what it is a view of."""

    def __init__(self, program: NumberedOps) -> None:
        self.program, self.places = program, ViewPlaces(program)
        self.closes: dict[Operation, int] = {}
        self.needs: dict[SSAValue, list[LastRead]] = {}
        self._whole: dict[SSAValue, LastRead] = {}
        self._copied: dict[tuple[SSAValue, OpResult], LastRead] = {}
        self._read_by: dict[Operation, list[LastRead]] = {}
        body = program.func.body
        for time, op in enumerate(() if program.is_one_block else program.ops):
            if op.parent is None or op.parent.parent is not body:
                self.closes.update((above, 2 * time + 1) for above in ancestors(op) if above in program.at)
        self._inside: dict[Operation, list[LastRead]] = {op: [] for op in self.closes}
        """What the regions of an op read from outside."""
        self.unwritten: set[SSAValue] = set()
        """Values without contents that a kernel reads."""
        self._is_one_block = not self.closes and len(program.order) == 1
        movers = movers_in(program.ops)
        for time, (op, contract) in enumerate(zip(program.ops, program.contracts, strict=True)):
            if contract.foreign or contract.views or contract.contributions or movers and op in movers:
                self._walk(time, op)
            else:
                self._kernel(op, 2 * time, kernel_reads(op, contract))
        if not self._is_one_block:
            self._finish()

    @cached_property
    def values(self) -> list[SSAValue]:
        """Every value with bytes, each before those that derive from it."""
        sizes = self.program.sizes  # as shape inference comes to them: within one block in this order
        return [*sizes] if self._is_one_block else sorted(sizes, key=self.program.time_of)

    @cached_property
    def declared_views(self) -> frozenset[SSAValue]:
        """Results that are views by their contracts, whatever is decided."""
        pairs = zip(self.program.ops, self.program.contracts, strict=True)
        with_views = ((op, contract.views) for op, contract in pairs if contract.views)
        return frozenset(op.results[view.result] for op, views in with_views for view in views)

    @cached_property
    def copies(self) -> list[SSAValue]:
        """Declared views that have to be copies whatever is decided."""
        return [v for v in self._declared if v not in self.views]

    def family(self, origin: SSAValue) -> Sequence[SSAValue]:
        """A value that is no view itself, and all that is a view of it."""
        return self._families.get(origin) or (origin,) if self._families else (origin,)

    @cached_property
    def _families(self) -> dict[SSAValue, list[SSAValue]]:
        """By origin, where there are views of it."""
        members: dict[SSAValue, list[SSAValue]] = {self.origin(view): [] for view in self.views}
        for value in self.program.sizes if members else ():
            if (family := members.get(self.origin(value))) is not None:
                family.append(value)
        return members

    def view(self, value: SSAValue) -> View | None:
        """The view that `value` is; None where it has to be a copy whatever is decided."""
        return self.views.get(value) if self.views else None

    @cached_property
    def views(self) -> dict[SSAValue, View]:
        """Those of all values that are views."""
        return {v: view for v, view in self._declared.items() if self.origin(v) is not v}

    @cached_property
    def _declared(self) -> dict[SSAValue, View]:
        """Those of all values that are views unless they have to be copies."""
        declared = ((v, self.program.view(v)) for v in self.declared_views if v in self.program.sizes)
        return {v: view for v, view in declared if view is not None}

    def may_be_copy(self, value: SSAValue) -> bool:
        """It is a view where decisions put its operand in a slice, and a copy elsewhere."""
        return bool(self.views) and value in self.places.in_slices

    def static(self, value: SSAValue) -> Layout:
        """The layout of a value in its origin, if that is row-major."""
        return self.places.find(value)[1]

    def origin(self, value: SSAValue) -> SSAValue:
        """The value that a view is a view of, through other views; a value that is no view itself."""
        return self.places.find(value)[0] if self._declared and value in self._declared else value

    def born(self, value: SSAValue) -> int:
        """When the bytes of `value` are written."""
        value = self.origin(value)
        if isinstance(value, OpResult):
            closed = self.closes.get(value.op) if self.closes else None
            return closed if closed is not None else 2 * self.program.at[value.op]
        return 2 * self.program.time_of(value) + 1

    def accepts_strides(self, value: SSAValue) -> bool:
        return self.places.accepts_strides(value)

    def is_foreign(self, op: Operation) -> bool:
        """The results of the op may be any bytes of its operands."""
        time = self.program.at[op]
        return self.program.contracts[time].foreign

    def is_constant(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and self.program.contract(value.op).constant

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
        borrowers: dict[SSAValue, list[SSAValue]] = {}
        pairs = zip(self.program.ops, self.program.contracts, strict=True)
        for op in [op for op, contract in pairs if contract.foreign]:
            borrowed, lent = list(self._made_by(op)), set[SSAValue]()
            for host in self.program.tensors(op) if borrowed else ():
                lent |= {host} | hosts.get(self.origin(host), set())
            for value in borrowed:
                hosts[value] = lent
                for host in sorted(lent, key=self.program.time_of):
                    borrowers.setdefault(host, []).extend(self.family(value))
        return borrowers

    def _made_by(self, op: Operation) -> Iterator[SSAValue]:
        """Tensors that an op or the regions of an op define."""
        arguments = [a for region in op.regions for block in region.blocks for a in block.args]
        yield from (v for v in (*op.results, *arguments) if v in self.program.sizes)

    def enters(self, need: LastRead, block: Block) -> bool:
        """It is live at the beginning of `block`."""
        return need.last_in(block) >= 0 and _block(self.origin(need.value)) is not block

    # Reads

    def _kernel(self, op: Operation, time: int, read: Sequence[SSAValue]) -> None:
        block, sizes, whole = op.parent, self.program.sizes, self._whole
        assert block is not None
        for value in read:
            need = whole.get(value)
            if need is None:
                if value not in sizes:
                    continue
                if is_undefined(value):
                    self.unwritten.add(value)
                    continue
                need = self._need(value, None, None)
            self._note(need, op, block, time)

    def _walk(self, time: int, op: Operation) -> None:
        for value, outside, view in operand_reads(op, self.program.contracts[time]):
            if value in self.program.sizes:
                need = self._need(value, outside, view if view is not None and self.view(view) else None)
                self._note(need, op, op.parent, 2 * time)
        if self.program.contracts[time].foreign and op in self.closes:
            for value in self.program.captures(op):  # it may read all of them as long as its regions run
                self._note(self._need(value, None, None), op, op.parent, self.closes[op])

    def _need(self, value: SSAValue, contribution: Contribution | None, view: OpResult | None) -> LastRead:
        need = None
        if contribution is None:
            need = self._whole.get(value) if view is None else self._copied.get((value, view))
        if need is None:
            need = LastRead(value, contribution, view, self.born(value), None if self._is_one_block else {})
            self.needs.setdefault(value, []).append(need)
            if contribution is None and view is None:
                self._whole[value] = need
            elif contribution is None and view is not None:
                self._copied[value, view] = need
        return need

    def _note(self, need: LastRead, op: Operation, block: Block | None, time: int) -> None:
        """`op`, in `block`, reads it."""
        if need.last is None:
            need.until = time
            return
        home = _region(self.origin(need.value))
        self._read_by.setdefault(op, []).append(need)
        if time == self.closes.get(op):
            self._inside[op].append(need)
        while block is not None:
            need.last[block] = max(need.last.get(block, -1), time)
            above = block.parent_op()
            if block.parent is home or above is None:
                return
            time, block = self.closes[above], above.parent_block()
            self._read_by.setdefault(above, []).append(need)
            self._inside[above].append(need)

    def _finish(self) -> None:
        if len(self.program.func.body.blocks) > 1 or self.closes:
            self._live_out()
        ends = {block: 2 * self.program.at[op] + 1 for op in self.program.ops if (block := op.parent) is not None}
        for needs in self.needs.values():
            for need in needs:
                need.until = self._until(need, ends)

    def _until(self, need: LastRead, ends: Mapping[Block, int]) -> int:
        """The time of the last read, or the end of the last block that a need lives out of: what branches write where
        it lives, they write before. `ends` are those of blocks."""
        if need.last is None:
            return ALWAYS
        home = _region(self.origin(need.value))
        read = [ends[b] if t == ALWAYS else t for b, t in need.last.items() if t != ALWAYS or b.parent is home]
        return max(read, default=ALWAYS)

    def _live_out(self) -> None:
        """Needs that live out of a block, by the data flow of `liveness.py`."""
        definitions: dict[Operation | Block, list[LastRead]] = {}
        for needs in self.needs.values():
            for need in needs:
                definitions.setdefault(self.origin(need.value).owner, []).append(need)
        read, program = self._read_by, self.program
        live_needs = live_out(
            program.func.body,
            lambda op: read.get(op, ()),
            lambda op: definitions.get(op, ()),
            self._inside,
            program.order,
        )
        for block, live in live_needs.items():
            for need in live:
                if need.last is not None:
                    need.last[block] = ALWAYS


def _block(value: SSAValue) -> Block:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    assert block is not None
    return block


def _region(value: SSAValue) -> Region:
    region = _block(value).parent
    assert region is not None
    return region


@remembered
def last_reads(program: NumberedOps) -> LastReads:
    """The last reads of a program, for all that is decided of it."""
    return LastReads(program)
