"""Whether values may be forwarded: no op writes bytes that a live value has, on any path.

With forwarded values (docs/storage.md, 2) a value lies where the path puts it. This walks the ops of one component of
storages (`storage_components.py`) once for each *binding* of its forwarded storages to places, and asks at each op
whether what it writes overlaps what is live after it, or what it reads. It looks only at pairs of values of which one
is in a forwarded storage: where the others lie has been decided before, and is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from xdsl.dialects import scf
from xdsl.dialects.func import CallOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import reverse_postorder
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.dialect.ir.tensor_types import Dim, Poly, product
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage
from lastuse.dialect.storage.contract import holds_nothing, is_region_op
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import Layout, Strided, Whole, is_dense, may_overlap, same_bytes
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.inplace_analysis.storage_components import ComponentOps, ForwardedPlaces

MOST_BINDINGS = 64
"""The checker refuses plans with more at one op."""

Binding = frozenset[tuple[Storage, Place]]
_Pairs = Sequence[tuple[SSAValue, SSAValue]]


class _Blamed(Exception):
    """The forwarded values that cannot all be forwarded."""

    def __init__(self, values: Iterable[SSAValue]) -> None:
        self.values = frozenset(values)


def blamed(placed: ForwardedPlaces, values: Iterable[SSAValue]) -> frozenset[SSAValue]:
    """Forwarded values that stand in the way, among those that may share bytes with `values` (`storage_components.py`);
    none where the decisions are legal there."""
    found = (PathInterference(placed, component).blamed() for component in placed.components(values))
    return frozenset[SSAValue]().union(*found)


class PathInterference:
    """Whether the places of values are legal under decisions with forwarded values.

    Args:
        placed: the places of all values.
        values: those of one component of storages.
    """

    def __init__(self, placed: ForwardedPlaces, values: Sequence[SSAValue]) -> None:
        self.placed, self.program, self.decisions = placed, placed.program, placed.decisions
        self.places = placed.of
        self.inside = ComponentOps(placed.program, values)
        self._number = {value: number for number, value in enumerate(values)}
        self._ends: dict[Operation, dict[Binding, set[Binding]]] = {}
        """By op with regions, the bindings behind it, for each one before it: loops around it lead to the same ones."""

    def blamed(self) -> frozenset[SSAValue]:
        """Forwarded values that stand in the way; none where the decisions are legal."""
        if not any(map(self._varies, self._number)):
            return frozenset()
        try:
            self._check_uses()
            self._region(self.program.func.body, {frozenset()})
        except _Blamed as wrong:
            return wrong.values
        return frozenset()

    def ruins(self, result: OpResult) -> bool:
        """A value that is needed after the op of `result` has bytes of it, in one storage."""
        op, place = result.op, self.places[result]
        live = self.inside.live_after(op.parent)[op].difference(op.results) if op.parent is not None else ()
        others = (self.places[v] for v in live)
        return any(o.storage == place.storage and may_overlap(o.layout, place.layout) for o in others)

    def is_forwarded(self, value: SSAValue) -> bool:
        """The value is forwarded, or the argument of a loop whose result is."""
        if value not in self._number or not self._varies(value):
            return False
        slot = self.decisions.slot_of(value) if isinstance(value, BlockArgument) else None
        return self._opener(value) in (value, slot)

    def _all_forwarded(self) -> _Blamed:
        """There are too many bindings to look at."""
        return _Blamed(v for v in self.decisions.forwarded if v in self._number)

    # The walk

    def _region(self, region: Region, states: set[Binding]) -> set[Binding]:
        """The bindings with which control leaves a region."""
        order = reverse_postorder(region)
        entries = {block: set(states) if number == 0 else set[Binding]() for number, block in enumerate(order)}
        done: dict[Block, set[Binding]] = {block: set() for block in order}
        left = set[Binding]()
        waiting = [order[0]]
        while waiting:
            block = waiting.pop(0)
            fresh = entries[block] - done[block]
            done[block] |= fresh
            end = self._block(block, fresh) if fresh else set[Binding]()
            last = block.last_op
            branches = branch_operands(last) if last is not None and last.successors else None
            if branches is None or last is None:
                left |= end
                continue
            for to, operands in branches:
                pairs = list(zip(operands, to.args, strict=True))
                arriving = self._move(last, pairs, end, self.inside.block_out[block])
                if not arriving <= entries[to]:
                    entries[to] |= arriving
                    waiting.append(to)
        return left

    def _block(self, block: Block, states: set[Binding]) -> set[Binding]:
        after = self.inside.live_after(block)
        last_named = self.inside.last_named(block, lambda value: self.places[value].storage)
        for number, op in enumerate(self.inside.order[block]):
            if op is block.last_op and (op.successors or block.parent_op() is not self.program.func):
                break  # its moves are made by what holds it
            states = self._op(op, states, after[op])
            held = {self.places[v].storage for v in after[op]}
            states = {
                frozenset(pair for pair in state if pair[0] in held or last_named.get(pair[0], -1) > number)
                for state in states
            }
            if len(states) > MOST_BINDINGS:
                raise self._all_forwarded()
        return states

    def _op(self, op: Operation, states: set[Binding], live: frozenset[SSAValue]) -> set[Binding]:
        if not op.regions or not is_region_op(op):
            return self._walk(op, states, live)
        ends = self._ends.setdefault(op, {})
        for state in states - ends.keys():
            ends[state] = self._walk(op, {state}, live)
        return set[Binding]().union(*(ends[state] for state in states))

    def _walk(self, op: Operation, states: set[Binding], live: frozenset[SSAValue]) -> set[Binding]:
        match op:
            case scf.IfOp():
                ways = [self._arm(op, region, states, live) for region in op.regions]
                return set[Binding]().union(*ways)
            case scf.ForOp():
                arguments = op.body.block.args[1:]
                held = live.union(self.inside.captured(op))
                states = self._move(op, list(zip(op.iter_args, op.results, strict=True)), states, held)
                return self._rounds(states, lambda s: self._turn(op.body, op.results, arguments, s, live))
            case scf.WhileOp():
                return self._while(op, states, live)
            case _ if op.regions and is_region_op(op):
                regions = [region for region in op.regions if region.blocks]
                return self._rounds(states, lambda s: set[Binding]().union(*(self._region(r, s) for r in regions)))
            case _ if any(map(self.is_forwarded, op.results)):
                passed = [(p.source, p.target) for p in passed_by(op) if p.target in self._number]
                ways = [self._move(op, [pair], states, live) for pair in passed]
                return set[Binding]().union(*ways)
            case _:
                for state in states:
                    self._check(op, dict(state), live)
                return states

    def _arm(self, op: Operation, region: Region, states: set[Binding], live: frozenset[SSAValue]) -> set[Binding]:
        block = region.blocks.first
        if block is None or block.last_op is None:
            return states
        pairs = list(zip(block.last_op.operands, op.results, strict=True))
        return self._move(block.last_op, pairs, self._block(block, states), live)

    def _turn(
        self,
        region: Region,
        targets: Sequence[SSAValue],
        arguments: Sequence[SSAValue],
        states: set[Binding],
        live: frozenset[SSAValue],
    ) -> set[Binding]:
        block = region.block
        assert block.last_op is not None
        pairs = list(zip(block.last_op.operands, targets, strict=True))
        apart = [(s, a) for (s, t), a in zip(pairs, arguments, strict=True) if self._is_apart(t, a)]
        held = live | self.inside.block_out[block]
        return self._move(block.last_op, [*pairs, *apart], self._block(block, states), held)

    def _is_apart(self, slot: SSAValue, argument: SSAValue) -> bool:
        return slot in self.places and self.places[slot].storage != self.places[argument].storage

    def _while(self, op: scf.WhileOp, states: set[Binding], live: frozenset[SSAValue]) -> set[Binding]:
        before, after = op.before_region.block, op.after_region.block
        condition = before.last_op
        assert condition is not None
        held = live.union(self.inside.captured(op))
        states = self._move(op, list(zip(op.arguments, before.args, strict=True)), states, held)
        left = set[Binding]()

        def turn(entering: set[Binding]) -> set[Binding]:
            pairs = list(zip(condition.operands[1:], op.results, strict=True))
            apart = [(s, a) for (s, t), a in zip(pairs, after.args, strict=True) if self._is_apart(t, a)]
            passed = self._move(condition, [*pairs, *apart], self._block(before, entering), held)
            left.update(passed)
            return self._turn(op.after_region, before.args, before.args, passed, held)

        self._rounds(states, turn)
        return left

    def _rounds(self, states: set[Binding], turn: Callable[[set[Binding]], set[Binding]]) -> set[Binding]:
        """All bindings that any number of turns lead to."""
        reached, fresh = set(states), set(states)
        while fresh:
            if len(reached) > MOST_BINDINGS:
                raise self._all_forwarded()
            fresh = turn(fresh) - reached
            reached |= fresh
        return reached

    # Moves

    def _move(self, op: Operation, pairs: _Pairs, states: Iterable[Binding], live: Iterable[SSAValue]) -> set[Binding]:
        """The bindings after `op` passes values on; what is copied must miss what stays and what is live."""
        sources = [s for s, _ in pairs if s in self._number]
        pairs = [(s, t) for s, t in pairs if t in self._number]
        forwarded = [(s, t) for s, t in pairs if self.is_forwarded(t)]
        moved = [(s, t) for s, t in pairs if not self.is_forwarded(t)]
        copied = [t for s, t in moved if not self._is_there(s, t)]
        held = {v for v in live if v in self._number and not holds_nothing(v)} - {t for _, t in pairs}
        after = set[Binding]()
        for state in states:
            now = dict(state)
            for number, (_, target) in enumerate(moved):
                self._check_all_apart(target, (t for _, t in moved[:number]), now)
            for target in copied:
                self._check_write(target, [*held, *sources], now)
                for source, other in forwarded:
                    if self._overlap(target, source, now):
                        raise _Blamed(self._openers(target, source, other))
            bound = {self.places[t].storage: self._bound(s, t, now) for s, t in forwarded}
            after.add(frozenset({**now, **bound}.items()))
        return after

    def _is_there(self, source: SSAValue, target: SSAValue) -> bool:
        one, other = self.places[source], self.places[target]
        return one.storage == other.storage and same_bytes(one.layout, other.layout)

    def _bound(self, source: SSAValue, target: SSAValue, now: Mapping[Storage, Place]) -> Place:
        place, own = self._physical(source, now), self.places[self._opener(target)].layout
        fits = _is_moved(own, place.layout) or self._has_other_sizes(own, place.layout)
        if isinstance(place.layout, Strided) and not is_dense(place.layout):
            fits = False
        if not fits or place.storage.kind is PlaceKind.BORROWED:
            raise _Blamed([self._opener(target)])
        return place

    def _has_other_sizes(self, own: Layout, layout: Layout) -> bool:
        """A value of unknown size is all of a dense one with other sizes, which do not change: along any axes where the
        value has one axis, else along as many."""
        if not isinstance(own, Whole) or not isinstance(layout, Strided | Whole) or layout.item != own.item:
            return False
        sizes: Sequence[Dim] = layout.sizes if isinstance(layout, Strided) else layout.shape
        if len(own.shape) == 1:
            sizes = (product(sizes),)
        if own.offset != 0 or not isinstance(layout.offset, int) or len(sizes) != len(own.shape):
            return False
        changing = {s for d in sizes if isinstance(d, Poly) for s in d.symbols if s not in self.placed.fixed}
        known = all(a == b for a, b in zip(own.shape, sizes, strict=True) if isinstance(a, int))
        return known and not changing

    # What overlaps

    def _physical(self, value: SSAValue, now: Mapping[Storage, Place]) -> Place:
        place = self.places[value]
        base = now.get(place.storage)
        return place if base is None else Place(base.storage, self._in_base(value, place.layout, base.layout))

    def _in_base(self, value: SSAValue, layout: Layout, base: Layout) -> Layout:
        """The layout of a value in a forwarded storage that lies at `base`: what is all of it is all of that."""
        if isinstance(layout, RuntimeSlice):
            return layout._replace(room=self._in_base(value, layout.room, base))
        whole = isinstance(layout, Whole) and any(same_bytes(layout, w) for w in self._wholes[self._opener(value)])
        return base if whole and not same_bytes(_moved(layout, base), base) else _moved(layout, base)

    @cached_property
    def _wholes(self) -> Mapping[SSAValue, list[Layout]]:
        """By value that opens a forwarded storage, its layout and those of loops' arguments that are all of it."""
        places = {v: self.places[v] for v in self._number}
        openers = {v: [place.layout] for v, place in places.items() if self._varies(v) and self._opener(v) is v}
        for value, place in places.items():
            slot = self.decisions.slot_of(value) if isinstance(value, BlockArgument) else None
            if slot is not None and slot in openers and place.storage.key is slot:
                openers[slot].append(place.layout)
        return openers

    def _varies(self, value: SSAValue) -> bool:
        return self.places[value].storage.kind is PlaceKind.FORWARDED

    def _opener(self, value: SSAValue) -> SSAValue:
        key = self.places[value].storage.key
        assert isinstance(key, SSAValue)
        return key

    def _overlap(self, a: SSAValue, b: SSAValue, now: Mapping[Storage, Place]) -> bool:
        one, other = self._physical(a, now), self._physical(b, now)
        return one.storage == other.storage and may_overlap(one.layout, other.layout)

    def _openers(self, *values: SSAValue) -> list[SSAValue]:
        return [self._opener(v) for v in values if self._varies(v)]

    def _check_write(self, value: SSAValue, others: Iterable[SSAValue], now: Mapping[Storage, Place]) -> None:
        """A value is written: not over another one that is needed, nor into memory that is not ours, nor into what is
        lent to a foreign op whose result is needed."""
        storage, others = self._physical(value, now).storage, list(others)
        if self._varies(value):
            is_lent = any(storage in self.placed.alias_sources.get(self.places[v].storage, ()) for v in others)
            if is_lent or not self._is_writable(storage):
                raise _Blamed([self._opener(value)])
        self._check_all_apart(value, others, now)

    def _check_all_apart(self, value: SSAValue, others: Iterable[SSAValue], now: Mapping[Storage, Place]) -> None:
        """No byte of `value` is one of `others`, but where places do not depend on the path, or are in one storage."""
        own, varies = self.places[value].storage, self._varies(value)
        differ = [v for v in others if v is not value and self.places[v].storage != own and (varies or self._varies(v))]
        wrong = [v for v in differ if self._overlap(value, v, now)]
        if wrong:
            first = min(wrong, key=lambda v: self._number.get(v, -1))
            raise _Blamed(self._openers(value, first))

    def _is_writable(self, storage: Storage) -> bool:
        if storage.kind is PlaceKind.ARGUMENT:
            return storage.key in self.program.writable
        return storage.kind in (PlaceKind.OWN, PlaceKind.NUMBERED)

    def _check(self, op: Operation, now: Mapping[Storage, Place], live: Iterable[SSAValue]) -> None:
        for result in self._written(op):
            made = (r for r in op.results if r in self._number)
            self._check_write(result, (*live, *self.inside.read(op), *made), now)

    def _written(self, op: Operation) -> Iterator[OpResult]:
        contract = self.program.contracts[self.program.at[op]]
        if contract.constant:
            return
        for result in op.results:
            if result not in self._number or holds_nothing(result):
                continue
            view = contract.view_of(result.index)
            if view is None or self.places[result].storage != self.places[op.operands[view.operand]].storage:
                yield result

    def _check_uses(self) -> None:
        """Nothing that lies in a forwarded storage is lent to an op of which nothing is known, given to a call, or
        returned where a result has to end in an argument."""
        for op in self.inside.ops:
            contract = self.program.contract(op)
            lends = contract.foreign and any(r in self.places for r in op.results)
            given = isinstance(op, CallOp) and bool(attrs.operands_given_away(op))
            if lends or given or op.regions and contract.foreign or isinstance(op, ReturnOp) and self.placed.is_tied:
                varying = self._openers(*self.inside.used(op))
                if varying:
                    raise _Blamed(varying)


def _moved(layout: Layout, base: Layout) -> Layout:
    return layout._replace(offset=layout.offset + base.offset)  # pyright: ignore


def _is_moved(own: Layout, layout: Layout) -> bool:
    if type(layout) is not type(own) or isinstance(own, RuntimeSlice):
        return False
    return same_bytes(layout, _moved(own, layout))
