"""A function on tensors and its memref form, run side by side on terms, on every path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from xdsl.dialects import scf
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import first_op_of, next_op_of, operands_of
from lastuse.dialect.ir.remembered import is_a
from lastuse.passes.memref_checker.alike_bodies import AlikeBodies
from lastuse.passes.memref_checker.block_graphs import FormBlocks
from lastuse.passes.memref_checker.call_pairs import CallPairs, Summary
from lastuse.passes.memref_checker.carried_loops import CarriedLoop
from lastuse.passes.memref_checker.form_boundary import FormBoundary
from lastuse.passes.memref_checker.index_terms import value_of
from lastuse.passes.memref_checker.joins import joined, renamed
from lastuse.passes.memref_checker.kernel_pairs import KernelPairs
from lastuse.passes.memref_checker.memory_contents import NotModelled, Seen, State
from lastuse.passes.memref_checker.memref_steps import MemrefSteps, in_function
from lastuse.passes.memref_checker.op_meaning import has_bytes, is_shaped
from lastuse.passes.memref_checker.piece_owners import OwedPath
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.ssa_terms import SsaTerms, chosen
from lastuse.passes.memref_checker.tensor_moves import TensorMoves
from lastuse.passes.memref_checker.term_table import TermTable
from lastuse.passes.memref_checker.unranked_shapes import stated_by


@cache
def is_control_flow(op_class: type[Operation]) -> bool:
    """Whether the dialect of a class is one of control flow and calls."""
    return op_class.dialect_name() in ("scf", "func")


class SideBySide:
    """One function.

    Args:
        kept: numbers of arguments that may not be written.
        callees: of the functions that it calls.
        globals_: contents of constants, by name.
        contents: empty, or as an earlier run left it: what that one found of the sizes of results.

    Attributes:
        at: the op of the form that is looked at.
    """

    def __init__(
        self,
        source: FuncOp,
        form: FuncOp,
        kept: set[int],
        callees: Mapping[str, Summary],
        globals_: Mapping[str, str],
        contents: TermTable,
    ) -> None:
        self.contents = contents
        self.source, self.form = source, form
        self.terms = SsaTerms(self.contents)
        self.moves = TensorMoves(self.terms)
        self.steps = MemrefSteps(self.contents, self.terms, globals_)
        self.memory, self.scalars = self.steps.memory, self.steps.scalars
        self.bodies = AlikeBodies()
        self._written: dict[object, set[tuple[int, frozenset[int]]]] = {}
        """By loop what `CarriedLoop` knows of pieces that its turns change."""
        self.kernels = KernelPairs(self.terms, self.steps)
        self.calls = CallPairs(callees, self.terms, self.steps, self.same_scalar)
        self.boundary = FormBoundary(source, form, kept, self.terms, self.steps, self.same_scalar)
        self.at: Operation = form

    def run(self) -> Summary:
        """Raises `Refused` or `NotModelled`; `at` is then the op."""
        self.boundary.begin()
        if len(self.source.body.blocks) == len(self.form.body.blocks) == 1:
            self.block(self.source.body.blocks[0], self.form.body.blocks[0], self.boundary.returned)
        else:
            FormBlocks(self, self.boundary.returned).run()
        for (part, *shapes), op in self.steps.unsure.items():
            if not any(self.terms.names_part_of(part, shape) for shape in shapes):
                self.at = op or self.form
                raise NotModelled("a part that the program does not name may be outside of its memref")
        return self.boundary.summary()

    # Blocks

    def block(self, source: Block, form: Block, end: Callable[[Operation, Operation], None]) -> None:
        """Both blocks; `end` gets their terminators."""
        facts = self.contents.facts()
        self._ops(first_op_of(source), form, end)
        if source.parent_op() is not self.source:
            self.contents.forget_facts(facts)

    def edge_block(self, source: Operation, form: Block) -> None:
        """A block of the form alone, behind the terminator `source`: none of its ops stands for one of the program."""
        self._ops(source, form, lambda source, form: None)

    def _ops(self, source: Operation | None, form: Block, end: Callable[[Operation, Operation], None]) -> None:
        """The program from the op `source` on, and a block of the form; `end` gets their terminators."""
        next_, op = self._next(source), first_op_of(form)
        while op is not None:
            self.at = op
            following = next_op_of(op)
            if self.steps.step(op) or (is_a(op, scf.IfOp) and self.steps.gives_back(op)):
                pass
            elif following is None:
                if next_ is None or next_op_of(next_) is not None:
                    raise NotModelled("the program has an op that the form has not")
                end(next_, op)
            elif op.regions or is_control_flow(type(op)) or has_bytes(operands_of(op)):
                if self._pair(op, next_):
                    next_ = self._next(next_op_of(next_) if next_ is not None else None)
            else:
                self.scalars.scalar_op(op)
            op = following

    def _next(self, op: Operation | None) -> Operation | None:
        """The first op of the program from `op` on that computes, or that is control flow; those before it that do not
        are evaluated."""
        while op is not None:
            following = next_op_of(op)
            if following is None or is_control_flow(type(op)):
                return op
            if not op.regions and not has_bytes(operands_of(op)) and not has_bytes(op.results):
                self.terms.scalar_op(op)
            elif not self.moves.move(op):
                return op
            op = following
        return None

    def _pair(self, op: Operation, source: Operation | None) -> bool:
        """An op of the form that computes, or that is control flow, against that of the program; False where it only
        chooses one of two tensors."""
        if source is not None and (alike := self.bodies.loops(op, source)) is not None:
            self.kernels.pair(op, source, alike)
            return True
        if op.name == "arith.select":
            self._select(op)
            return False
        if not self.steps.is_choice(source, self.terms) and self.steps.chooses(op):
            return False
        match op, source:
            case _, None:
                raise NotModelled("the program has no such op")
            case scf.IfOp(), scf.IfOp():
                self._if(source, op)
            case scf.ForOp(), scf.ForOp():
                self._for(source, op)
            case scf.WhileOp(), scf.WhileOp():
                self._while(source, op)
            case CallOp(), CallOp():
                self.calls.pair(source, op)
            case _:
                if is_control_flow(type(op)) or is_control_flow(type(source)):
                    raise NotModelled(f"'{op_name(op)}' for '{op_name(source)}' is not known")
                self.kernels.pair(op, source, None)
        return True

    def same_scalar(self, source: SSAValue, form: SSAValue) -> None:
        if not self.contents.holds(self.terms.of[source], self.scalars.of[form]):
            raise NotModelled(f"%{source.name_hint or '?'} is another value")

    def same_scalars(self, source: Sequence[SSAValue], form: Sequence[SSAValue]) -> None:
        ours, theirs = ([v for v in values if not is_shaped(v)] for values in (source, form))
        if len(ours) != len(theirs):
            raise NotModelled("it passes on other scalars")
        for one, two in zip(ours, theirs, strict=True):
            self.same_scalar(one, two)

    def bind_scalars(self, source: Sequence[SSAValue], form: Sequence[SSAValue], *key: object) -> None:
        """Scalars that control flow defines: the same unknown one in both."""
        ours, theirs = ([v for v in values if not is_shaped(v)] for values in (source, form))
        for n, (one, two) in enumerate(zip(ours, theirs, strict=True)):
            self.terms.of[one] = self.scalars.of[two] = self.contents.term("scalar of", *key, n)

    # Memrefs that are carried

    def _select(self, op: Operation) -> None:
        flag, one, two = operands_of(op)
        a, b = self.steps.seen[one], self.steps.seen[two]
        content = chosen(self.contents, self.scalars.of[flag], self.memory.read(a), self.memory.read(b))
        shape = self.contents.either(self.scalars.of[flag], a.shape, b.shape)
        made = self.steps.seen[op.results[0]] = self._carried([a, b], shape, content, in_function(op))
        self.memory.owners.meet([made.piece], [OwedPath([way.piece], self.memory.owed) for way in (a, b)])

    def _carried(self, may_be: Sequence[Seen], shape: Shape, content: int, key: object = None) -> Seen:
        bases = frozenset(p for seen in may_be for p in self.memory.bases(seen.piece))
        made = self.memory.piece("a memref that is carried", shape, content, carried=bases, key=key)
        if parts := frozenset(p for seen in may_be for p in self.memory.parts_of(seen)):
            self.memory.parts[made.piece] = parts
        return made

    def _apart(self, made: Sequence[Seen], *ways: Sequence[Seen]) -> None:
        """Notes which carried memrefs are never the same bytes: on no way."""
        for i, one in enumerate(made):
            for j in range(i):
                pair = frozenset([one.piece, made[j].piece])
                if any(self.memory.overlap(way[i], way[j]) for way in ways):
                    self.memory.separate.discard(pair)
                else:
                    self.memory.separate.add(pair)

    # Branches

    def _if(self, source: scf.IfOp, form: scf.IfOp) -> None:
        self.same_scalar(source.cond, form.cond)
        before, owner = self.memory.snapshot(), ("if", source)
        arms: list[tuple[list[int], list[Seen], State]] = []
        for ours, theirs in zip(source.regions, form.regions, strict=True):
            self.memory.restore(before)
            yielded: list[SSAValue] = []
            passed: list[SSAValue] = []

            def end(one: Operation, two: Operation, y: list[SSAValue] = yielded, p: list[SSAValue] = passed) -> None:
                self.same_scalars(operands_of(one), operands_of(two))
                y.extend(operands_of(one))
                p.extend(operands_of(two))

            with self.steps.path():
                if ours.blocks.first is not None:
                    if theirs.blocks.first is None:
                        raise NotModelled("an arm is missing")
                    self.block(ours.blocks[0], theirs.blocks[0], end)
                kept = [self.terms.of[v] for v in yielded if is_shaped(v)]
                seen = [self.steps.seen[v] for v in passed if is_shaped(v)]
                arms.append((kept, seen, self.memory.snapshot()))
        (values, seen, one), (others, other_seen, two) = arms
        tensors = [r for r in source.results if is_shaped(r)]
        slots: dict[tuple[int, int], int] = {}  # results that are the same value on each path are one slot
        for n, (result, one_value, other) in enumerate(zip(tensors, values, others, strict=True)):
            shape = self.contents.either(owner, self.contents.shape[one_value], self.contents.shape[other])
            slot = self.contents.slot(owner, n, stated_by(result.type, shape))
            self.terms.of[result] = slots.setdefault((one_value, other), slot)
        self.bind_scalars(source.results, form.results, owner)
        contents = [(self._read_in(one, a), self._read_in(two, b)) for a, b in zip(seen, other_seen, strict=True)]
        after: dict[int, int] = {}
        for number, content in one.held.items():
            if number in two.held:
                join = joined(self.contents, owner, content, two.held[number], values, others)
                if join is not None:
                    after[number] = join
        self.memory.restore(State(after, one.gone | two.gone, one.owed | two.owed))
        made: list[Seen] = []
        results = [result for result in form.results if is_shaped(result)]
        for result, (a, b), (have, have_too) in zip(results, zip(seen, other_seen, strict=True), contents, strict=True):
            join = joined(self.contents, owner, have, have_too, values, others)
            shape = stated_by(result.type, self.contents.either(owner, a.shape, b.shape))
            content = join if join is not None else self.memory.nothing(-1, shape)
            key = in_function(form)
            made.append(self._carried([a, b], shape, content, None if key is None else (key, len(made))))
        for new, *ways in zip(made, seen, other_seen, strict=True):
            self.memory.keep_apart(new.piece, [way.piece for way in ways])
        paths = [OwedPath([way.piece for way in memrefs], end.owed) for _, memrefs, end in arms]
        self.memory.owners.meet([new.piece for new in made], paths)
        self._apart(made, seen, other_seen)  # of each way alone, which is more than of all of them
        for result, one_seen in zip(results, made, strict=True):
            self.steps.seen[result] = one_seen

    def _read_in(self, state: State, seen: Seen) -> int:
        self.memory.restore(state)
        return self.memory.read(seen)

    # Loops

    def _for(self, source: scf.ForOp, form: scf.ForOp) -> None:
        for one, two in zip((source.lb, source.ub, source.step), (form.lb, form.ub, form.step), strict=True):
            self.same_scalar(one, two)
        self.same_scalars(source.iter_args, form.iter_args)
        ours, theirs = source.body.block.args, form.body.block.args

        def turn(carried: Sequence[Seen]) -> tuple[list[int], list[Seen]]:
            self.bind_scalars(ours, theirs, "turn", source)
            if (lower := self.terms.number(source.lb)) == () or all(n >= 0 and not p for p, n in lower):
                self.contents.sizes.add(self.terms.of[ours[0]])
            first, end = (value_of(self.terms.number(v)) for v in (source.lb, source.ub))
            if first is not None and end is not None:
                self.contents.ranges[self.terms.of[ours[0]]] = (first, end - 1)
            self._bind(theirs, carried)
            return self._body(source.body.block, form.body.block)

        tensors = [a for a in ours if is_shaped(a)]
        inits = [v for v in source.iter_args if is_shaped(v)]
        memrefs = [self.steps.seen[v] for v in form.iter_args if is_shaped(v)]
        shapes, carried = self._loop(source, inits, tensors, memrefs, turn)
        results = [r for r in source.results if is_shaped(r)]
        self._after(source, shapes, results)
        self._bind(form.results, carried)
        self.bind_scalars(source.results, form.results, "after", source)

    def _bind(self, memrefs: Sequence[SSAValue], seen: Sequence[Seen]) -> None:
        for value, one in zip([v for v in memrefs if is_shaped(v)], seen, strict=True):
            self.steps.seen[value] = one

    def _body(self, source: Block, form: Block, skip: int = 0) -> tuple[list[int], list[Seen]]:
        """What a block passes on: tensors, and memrefs."""
        passed: list[int] = []
        seen: list[Seen] = []

        def end(one: Operation, two: Operation) -> None:
            self.same_scalars(operands_of(one), operands_of(two))
            passed.extend(self.terms.of[v] for v in operands_of(one) if is_shaped(v))
            seen.extend(self.steps.seen[v] for v in operands_of(two) if is_shaped(v))

        self.block(source, form, end)
        return passed, seen

    def _loop(
        self,
        owner: Operation,
        inits: Sequence[SSAValue],
        tensors: Sequence[SSAValue],
        memrefs: Sequence[Seen],
        turn: Callable[[Sequence[Seen]], tuple[list[int], list[Seen]]],
    ) -> tuple[list[Shape], list[Seen]]:
        """Runs a loop until what holds at the start of every turn is known; memory is then as at that start. Returns
        the shapes of its slots, and the memrefs that it carries."""

        def run(slots: Sequence[int], carried: Sequence[Seen]) -> tuple[list[int], list[Seen]]:
            self.terms.of.update(zip(tensors, slots, strict=True))
            with self.steps.path():
                return turn(carried)

        values = [self.terms.of[v] for v in inits]
        return CarriedLoop(self.memory, owner, values, memrefs, run, self._written.setdefault(owner, set())).run()

    def _after(self, owner: object, shapes: Sequence[Shape], results: Sequence[SSAValue]) -> None:
        """What holds behind a loop: its slots are its results."""
        for n, (shape, result) in enumerate(zip(shapes, results, strict=True)):
            self.terms.of[result] = self.contents.slot(("after", owner), n, shape)
        for number, content in list(self.memory.held.items()):
            self.memory.held[number] = renamed(self.contents, owner, content)

    def _while(self, source: scf.WhileOp, form: scf.WhileOp) -> None:
        self.same_scalars(source.arguments, form.arguments)
        ours, theirs = source.before_region.block, form.before_region.block
        state: list[tuple[list[int], list[int], list[Seen], list[int], State]] = []

        def turn(carried: Sequence[Seen]) -> tuple[list[int], list[Seen]]:
            self.bind_scalars(ours.args, theirs.args, "turn", source)
            self._bind(theirs.args, carried)
            state.clear()

            def condition(one: Operation, two: Operation) -> None:
                self.same_scalars(operands_of(one), operands_of(two))
                values = [self.terms.of[v] for v in operands_of(one)[1:]]
                scalars = [self.scalars.of[v] for v in operands_of(two)[1:] if not is_shaped(v)]
                seen = [self.steps.seen[v] for v in operands_of(two)[1:] if is_shaped(v)]
                state.append((values, scalars, seen, [], self.memory.snapshot()))

            self.block(ours, theirs, condition)
            inside, inner = source.after_region.block, form.after_region.block
            passed_on(inside.args, inner.args)
            return self._body(inside, inner)

        def passed_on(values: Sequence[SSAValue], memrefs: Sequence[SSAValue]) -> None:
            for value, term in zip(values, state[0][0], strict=True):
                self.terms.of[value] = term
            for value, term in zip([v for v in memrefs if not is_shaped(v)], state[0][1], strict=True):
                self.scalars.of[value] = term
            self._bind(memrefs, state[0][2])

        tensors = [a for a in ours.args if is_shaped(a)]
        inits = [v for v in source.arguments if is_shaped(v)]
        memrefs = [self.steps.seen[v] for v in form.arguments if is_shaped(v)]
        self._loop(source, inits, tensors, memrefs, turn)
        self.memory.restore(state[0][4])
        passed_on(source.results, form.results)
