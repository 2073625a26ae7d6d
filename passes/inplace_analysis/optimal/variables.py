"""The decision variables of a program: its choices, and the components that they fall into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from weakref import proxy

from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.dialect.ir.remembered import is_class
from lastuse.dialect.ir.tensor_types import squeezed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, Contribution, is_region_op
from lastuse.dialect.storage.layout import Layout, may_overlap, same_bytes
from lastuse.passes.analysis.disjoint_sets import flatten, join
from lastuse.passes.analysis.op_numbering import loop_depth
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.alias_sets import why_fixed
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.optimal.component_choices import Choice, ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.optimal.op_facts import facts_of, may_lie_on, returned_values
from lastuse.passes.inplace_analysis.place_index import FEW, PlaceIndex
from lastuse.passes.inplace_analysis.region_ops import Movement, movers_in, moves, slots


class Variables:
    """All choices of a program, and its components."""

    def __init__(self, reads: LastReads, parts: bool) -> None:
        self.reads, self.program = reads, reads.program
        self.decisions = decisions = reads.program.decisions
        numbered = self.program.sizes if decisions.numbers else ()
        self.numbers = {v: n for v in numbered if (n := decisions.number_of(v)) >= 0}
        self.planned = frozenset(r for r in decisions.offsets if isinstance(r, OpResult))
        mine = proxy(self)  # answers that held the variables would be garbage in a cycle
        self.movements = cache(partial(Variables._movements, mine))
        self.bytes_of = cache(partial(Variables._bytes_of, mine))
        self.result_bytes = cache(partial(Variables._result_bytes, mine))
        """Bytes of a value that is a result and not declared to be a view; 0 for any other."""
        self.returned = cache(partial(returned_values, self.program))
        self.facts = cache(partial(facts_of, self.program))
        self._places_of = cache(partial(Variables._index, mine))
        self.movers = movers_in(self.program.ops)
        """Region ops of known control flow, and branches."""
        self._number = {value: n for n, value in enumerate(reads.values)}
        self._met: list[list[int]] = []
        """By op, the values that it has to do with, by number."""
        declared = zip(self.program.ops, self.program.contracts, strict=True)
        lent = [op for op, contract in declared if contract.constant or contract.foreign]
        self._lent = frozenset(id(result) for op in lent for result in op.results)
        """Results of constants and foreign ops, which may not be written to. By their identities: values are hashed in
        Python."""
        self._sharing = [(self._number_of(a), self._number_of(b)) for a, b in self._shared()]
        """Pairs of values, by number, that share a storage, or may do so, whatever is chosen."""
        self.choices: list[Choice] = []
        self._doubtful: list[Choice] = []
        number = self._number
        for time, (op, contract) in enumerate(zip(self.program.ops, self.program.contracts, strict=True)):
            self._met.append([n for v in (*operands_of(op), *op.results) if (n := number.get(v)) is not None])
            crosses = op.successors or self._is_entered(op, contract) or is_class(type(op), ReturnOp)
            if contract.over or contract.contributions or crosses:
                self.choices.extend(self._of(time, op, contract, parts))
        self._known_roots: tuple[list[Choice], list[int]] = [], []
        """Of `_roots`, with the choices that they are of."""
        while admitted := self._admitted():
            self.choices = sorted((*self.choices, *admitted), key=lambda a: self.program.at[a.op])
            self._doubtful = [a for a in self._doubtful if a not in admitted]
        self.components = self._components()

    def _of(self, time: int, op: Operation, contract: Contract, parts: bool) -> Iterator[Choice]:
        results, operands = [*op.results], operands_of(op)
        if op.regions and self._is_entered(op, contract):
            yield from self._slots(op)
            yield from self._shares(op)
        elif op.successors:
            yield from self._shares(op)
        elif is_class(type(op), ReturnOp):
            yield from self._tied(op)
        elif contract.foreign or contract.constant:
            return
        hosts = self.decisions.over(op) if contract.over and self.decisions.inplace else [-1] * len(results)
        for entry, k, _, swaps, _ in contract.over:
            if entry >= len(results) or k >= len(operands) or hosts[entry] >= 0:
                continue
            result, operand = results[entry], operands[k]
            if self.planned and result in self.planned or not self._fits(operand, result):
                continue
            choice = Choice(ChoiceKind.OVER, op, entry, k, result, operand, swaps)
            if self._is_free(time, op, contract, operand):
                yield choice._replace(is_link=True) if self._is_link(choice, contract) else choice
            elif contract.contributions and not contract.fill:
                self._doubtful.append(choice)
        if not contract.contributions:
            return
        has_parts = parts and results and results[0] not in self.planned
        part_operands = self.decisions.parts.get(op, ()) if has_parts else ()
        for contribution in contract.contributions if has_parts else ():
            operand = nth(operands, contribution.operand)
            if (
                contribution.may_be_produced_in_place
                and contribution.operand not in part_operands
                and self._may_move(operand)
            ):
                yield Choice(ChoiceKind.PART, op, 0, contribution.operand, operand, results[0])

    def _is_link(self, choice: Choice, contract: Contract) -> bool:
        """As `Choice.is_link`, of one that writes a result over an operand of its size."""
        sizes, op, target = self.program.sizes, choice.op, choice.target
        if contract.foreign or contract.contributions or sizes[choice.source] != sizes[target]:
            return False
        moved = [need for need in self.reads.needs.get(target, ()) if need.contribution is not None]
        if moved or self.movers and op in self.movers:
            return False
        there = [k for k, operand in enumerate(operands_of(op)) if operand is target]
        if len(there) > 1:
            read = [k for k in there if k not in contract.metadata_only]
            return not read or may_lie_on(contract, choice.entry, read, read)
        return True

    def _is_entered(self, op: Operation, contract: Contract) -> bool:
        """An op with regions is a region op."""
        return contract.foreign or bool(self.movers) and op in self.movers

    def _slots(self, op: Operation) -> Iterator[Choice]:
        for slot in slots(op):
            has_place = slot.result in self.decisions.inplace or slot.result in self.planned
            if slot.init < 0 or has_place or any(a in self.numbers for a in slot.arguments):
                continue  # the slot is somewhere already
            init = operands_of(op)[slot.init]
            if self._fits(init, slot.result) and not self.reads.is_borrowed(self.reads.origin(init)):
                yield Choice(ChoiceKind.OVER, op, slot.result.index, slot.init, slot.result, init)

    def _shares(self, op: Operation) -> Iterator[Choice]:
        for index, move in enumerate(moves(op)):
            # A result whose slot is entered lies at the init, or does not.
            if move.op is not op or isinstance(move.target, BlockArgument):
                yield from self._share(move.op, index, move.source, move.target)

    def _tied(self, op: Operation) -> Iterator[Choice]:
        tensors = {a.index: a for a in self.program.func.args if a in self.program.sizes}
        for index, value in enumerate(operands_of(op)):
            argument = attrs.tied_argument(self.program.func, index)
            if argument in tensors:
                yield from self._share(op, index, value, tensors[argument])

    def _share(self, op: Operation, index: int, source: SSAValue, target: SSAValue) -> Iterator[Choice]:
        if source not in self.program.sizes or self.program.typed(source) != self.program.typed(target):
            return
        if self.reads.origin(source) is target or not self._may_move(source, number=True):
            return
        yield Choice(ChoiceKind.SHARE, op, index, -1, source, target)

    def _fits(self, operand: SSAValue, result: SSAValue) -> bool:
        sizes = self.program.sizes
        have, want = sizes.get(operand), sizes.get(result)
        if have is None or want is None:
            return False
        return have is want or have.dtype == want.dtype and squeezed(have.shape) == squeezed(want.shape)

    def _may_move(self, value: SSAValue, number: bool = False) -> bool:
        """Decisions may place `value`: it is a whole view of a result that an op computes, or, for a storage number, of
        an argument."""
        if value not in self.program.sizes:
            return False
        while (view := self.reads.view(value)) is not None:
            if not view.whole or self.reads.may_be_copy(value):
                return False
            value = operands_of(value.owner)[view.operand]  # pyright: ignore
        if isinstance(value, BlockArgument):
            return number
        assert isinstance(value, OpResult)
        return self.is_movable(value) and (number or not is_region_op(value.op))

    def is_movable(self, result: OpResult) -> bool:
        """Decisions may give the storage of a result: none else does."""
        lent = self.reads.is_constant(result) or self.reads.is_borrowed(result)
        return self.program.view(result) is None and not lent and result not in self.planned

    def _is_free(self, time: int, op: Operation, contract: Contract, operand: SSAValue) -> bool:
        """Only other decisions prevent it: no op reads the bytes later, and `op` does not through another view."""
        reads, now = self.reads, 2 * time
        origin, contributions, block = reads.origin(operand), contract.contributions, op.parent
        lent = not isinstance(origin, OpResult) or id(origin) in self._lent
        fixed = why_fixed(self.program, origin) if lent else None
        if fixed is Reason.OPERANDS_ALIAS or fixed is not None and not contributions:
            return False
        assert block is not None
        family = reads.family(origin)
        written: Layout | None = None
        if contributions or len(family) > FEW:
            written = reads.static(operand)
            if contributions and (written := self._written(op, contributions, written)) is None:
                return True
        if written is not None and len(family) > FEW:
            family = [family[n] for n in self._places_of(origin).near(written)]
        for value in family:
            for need in reads.needs.get(value, ()):
                if need.until > now and need.view is None and need.contribution is None and need.lives(block, now):
                    written = reads.static(operand) if written is None else written
                    if may_overlap(reads.static(value), written):
                        return False
        return True

    def _index(self, origin: SSAValue) -> PlaceIndex:
        """Where the values are that views alone put into a storage."""
        reads = self.reads
        return PlaceIndex([reads.static(v) if reads.needs.get(v) else None for v in reads.family(origin)])

    def _written(self, op: Operation, contributions: Sequence[Contribution], place: Layout | None) -> Layout | None:
        """The bytes that a data-movement op copies into an operand at `place`; None for none, or where that is not
        known."""
        part = next((c for c in contributions if c.complement), None)
        if part is not None:
            place = part.part(place) if place is not None else None
        for contribution in contributions:
            source = operands_of(op)[contribution.operand]
            base = operands_of(op)[part.operand if part is not None else 0]
            if contribution.complement or place is None or self.reads.origin(source) is not self.reads.origin(base):
                continue
            if same_bytes(self.reads.static(source), place):
                return None  # already in place
        return place

    def _bytes_of(self, value: SSAValue) -> int:
        """Bytes of a value, as `amount` counts those that are not known."""
        return amount(self.program.typed(value).bytes)

    def _result_bytes(self, value: SSAValue) -> int:
        is_result = isinstance(value, OpResult) and value not in self.reads.declared_views
        return self.bytes_of(value) if is_result else 0

    # What is moved

    def _movements(self, op: Operation) -> list[Movement]:
        """All values that `op` may have to move: contributions, and values at the boundaries of a region op."""
        is_mover = bool(self.movers) and op in self.movers
        movements = list(moves(op)) if is_mover else []
        if op.results and not is_mover:
            declared = self.program.contract(op).contributions
            movements = [Movement(op, operands_of(op)[c.operand], op.results[0], c) for c in declared]
        if not movements:
            return []
        return [
            m._replace(bytes=amount(self.program.typed(m.source).bytes) * 10 ** min(loop_depth(m.op), 6))
            for m in movements
            if m.source in self.program.sizes
        ]

    # Components

    def _number_of(self, value: SSAValue) -> int:
        return self._number.setdefault(value, len(self._number))

    def _together(self, choices: Iterable[Choice]) -> list[int]:
        """By number of a value that of one which stands for all that may share its storage by these choices."""
        pairs = [(self._number_of(choice.source), self._number_of(choice.target)) for choice in choices]
        above = list(range(len(self._number)))
        join(above, self._sharing)
        join(above, pairs)
        flatten(above)
        return above

    def _roots(self) -> list[int]:
        """Those of `_together` of all choices."""
        choices, roots = self._known_roots
        if choices is not self.choices:
            choices, roots = self._known_roots = self.choices, self._together(self.choices)
        return roots

    def _admitted(self) -> list[Choice]:
        """Data-movement ops over an operand that is read later, if all that they copy may be elided by other choices:
        by those of more such ops too, and, in a loop, by their own."""
        if not self._doubtful:
            return []
        admitted = self._cured(self._doubtful, self._roots())
        if admitted:
            return admitted
        # A part of the result itself is no cure: what is made there would ruin what is read.
        ops = {choice.op for choice in self._doubtful}
        others = [choice for choice in self.choices if choice.kind is not ChoiceKind.PART or choice.op not in ops]
        left, before = self._doubtful, -1
        while left and len(left) != before:
            before = len(left)
            left = self._cured(left, self._together((*others, *left)))
        return left

    def _cured(self, doubtful: Sequence[Choice], roots: Sequence[int]) -> list[Choice]:
        number = self._number
        choices: list[Choice] = []
        for choice in doubtful:
            contributions = self.program.contract(choice.op).contributions
            copied = (operands_of(choice.op)[c.operand] for c in contributions if not c.complement)
            root = roots[number[choice.target]]
            if all(v in self.program.sizes and roots[number[v]] == root for v in copied):
                choices.append(choice)
        return choices

    def _components(self) -> list[Component]:
        roots, number = self._roots(), self._number
        by_root: dict[int, Component] = {}
        for n, choice in enumerate(self.choices):
            root = roots[number[choice.source]]
            if (component := by_root.get(root)) is None:
                component = by_root[root] = Component()
            component.choices.append(n)
        of: list[Component | None] = [None] * len(roots)
        for n, value in enumerate(self.reads.values):
            if (component := by_root.get(roots[n])) is not None:
                of[n] = component
                component.values.append(value)
        for op, contract, met in zip(self.program.ops, self.program.contracts, self._met, strict=True):
            is_mover = bool(self.movers) and op in self.movers
            if is_mover:
                met = [*met, *[number[m.target] for m in self.movements(op) if m.target in number]]
            for n in met:
                component = of[n]
                if component is not None and (not component.ops or component.ops[-1] is not op):
                    component.add(op, contract, is_mover)
        return sorted(by_root.values(), key=lambda c: number[c.values[0]])

    def _shared(self) -> Iterator[tuple[SSAValue, SSAValue]]:
        """Pairs of values that share a storage, or may do so, whatever is chosen."""
        program = self.program
        by_number: dict[int, SSAValue] = {}
        for value, number in self.numbers.items():
            yield value, by_number.setdefault(number, value)
        arena = sorted(self.planned, key=program.time_of)
        yield from ((v, arena[0]) for v in arena)
        inplace, parts = self.decisions.inplace, self.decisions.parts
        declared = zip(program.ops, program.contracts, strict=True)
        if not (inplace or parts or self.movers):
            declared = [(op, contract) for op, contract in declared if contract.views or contract.foreign]
        for op, contract in declared:
            for result in op.results if inplace or contract.views or contract.foreign else ():
                if result not in program.sizes:
                    continue
                view = self.reads.view(result)
                if view is not None:
                    yield result, operands_of(op)[view.operand]
                k = inplace.get(result, -1)
                if k >= 0 and operands_of(op)[k] in program.sizes:
                    yield result, operands_of(op)[k]
                if contract.foreign:
                    yield from ((result, v) for v in program.tensors(op))
            for k in parts.get(op, ()) if parts else ():
                if operands_of(op)[k] in program.sizes:
                    yield operands_of(op)[k], op.results[0]
            for slot in slots(op) if op.regions else ():
                yield from ((argument, slot.result) for argument in slot.arguments if slot.result in program.sizes)
