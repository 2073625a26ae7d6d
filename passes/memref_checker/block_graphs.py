"""Functions with branches of `cf`: both forms side by side, block by block, until nothing changes.

Blocks of the form stand for those of the program that their branches lead to, or stand on the way there, where the
tensors of the program stand still (`edge_paths.py`). What holds at the start of a block is what all branches to it
agree about. A tensor that a branch passes on is a slot of the block then; memory that holds on each branch what goes
into a slot, holds the slot. The values of a block, and of those that it dominates, are those of an earlier turn when it
starts again: what memory held of them is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from xdsl.dialects import cf
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.dominator_trees import DominatorTree
from lastuse.dialect.ir.flow_graphs import successors
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.passes.memref_checker.block_facts import BlockFacts
from lastuse.passes.memref_checker.edge_paths import EdgePaths, passed_on
from lastuse.passes.memref_checker.joins import Stale, entered, shared
from lastuse.passes.memref_checker.memory_contents import MemoryContents, NotModelled, Seen, State
from lastuse.passes.memref_checker.memref_steps import MemrefSteps
from lastuse.passes.memref_checker.op_meaning import is_shaped
from lastuse.passes.memref_checker.piece_owners import OwedPath
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.ssa_terms import SsaTerms
from lastuse.passes.memref_checker.term_table import TermTable

FREE_ROUNDS, ROUNDS = 8, 24
"""After so many rounds memory only holds less than before; blocks that still change after so many are refused."""


class BlockPairs(Protocol):
    """What holds a block of the form against one of the program."""

    contents: TermTable
    terms: SsaTerms
    steps: MemrefSteps
    memory: MemoryContents
    source: FuncOp
    form: FuncOp

    def block(self, source: Block, form: Block, end: Callable[[Operation, Operation], None]) -> None: ...
    def edge_block(self, source: Operation, form: Block) -> None: ...
    def same_scalar(self, source: SSAValue, form: SSAValue) -> None: ...
    def same_scalars(self, source: Sequence[SSAValue], form: Sequence[SSAValue]) -> None: ...
    def bind_scalars(self, source: Sequence[SSAValue], form: Sequence[SSAValue], *key: object) -> None: ...


class BranchWay(NamedTuple):
    """One branch, when it was last looked at.

    Attributes:
        values: the tensors that it passes on.
        seen: the memrefs.
        contents: of these.
        state: of memory.
    """

    values: list[int]
    seen: list[Seen]
    contents: list[int]
    state: State


class PassedShapes(NamedTuple):
    """Shapes of what the first branch to a block passes on; each other one passes on the same."""

    values: list[Shape]
    memrefs: list[Shape]


class Carried(NamedTuple):
    """Memrefs that branches to a block pass on: what each may be, and which are never the same bytes."""

    pieces: list[Seen]
    bases: list[frozenset[int]]
    apart: frozenset[tuple[int, int]]


class FormBlocks:
    """The blocks of one function.

    Args:
        returned: gets the `func.return` of both.
    """

    def __init__(self, both: BlockPairs, returned: Callable[[Operation, Operation], None]) -> None:
        self.both, self.returned = both, returned
        self.contents, self.memory, self.steps = both.contents, both.memory, both.steps
        self.tree = DominatorTree(both.source.body)
        self.blocks = self.tree.order
        self.paths = EdgePaths(both.source.body, both.form.body)
        self.edges: dict[tuple[Block, int], BranchWay] = {}
        self.entering: dict[Block, list[tuple[Block, int]]] = {block: [] for block in self.blocks}
        """By block the edges to it."""
        for block in self.blocks:
            for n, after in enumerate(successors(block)):
                self.entering[after].append((block, n))
        self.shapes: dict[Block, PassedShapes] = {}
        """Of what the branches to a block pass on."""
        self.carried: dict[Block, Carried] = {}
        self.held: dict[Block, dict[int, int]] = {}
        """What memory held where a block started last."""
        self.first, self.has_less = 0, False

    def run(self) -> None:
        """Raises `Refused` or `NotModelled`; `both.at` is then the op."""
        entry = self.memory.snapshot()
        facts = BlockFacts(self.contents, self.tree)
        before: dict[Block, object] = {}
        for count in range(ROUNDS):
            self.has_less = count >= FREE_ROUNDS
            now: dict[Block, object] = {}
            for block in self.blocks:
                facts.begin(block)
                if block is self.blocks[0]:
                    self.memory.restore(entry)
                else:
                    self._enter(block)
                self.first = len(self.memory.pieces)
                if self.tree.turns:
                    now[block] = self._known(block)
                with self.steps.path():
                    self.both.block(block, self.paths.form_of[block], self._leave)
                facts.end()
            if now == before:
                facts.forget()  # control may leave from another block than the last one
                return
            before = now
        raise NotModelled("blocks whose memory never settles are not known")

    def _known(self, block: Block) -> object:
        """What is known where a block starts, which is the same in each round in the end."""
        known = {n: c for n, c in self.memory.held.items() if not self.contents.is_nothing(c)}
        return known, self.memory.named(self.memory.given_back.all()), self.carried.get(block), self._owed(block)

    def _owed(self, block: Block) -> object:
        """What has to be given back where the block starts, and by which memrefs; of what is the same in each round."""
        carried = self.carried[block].pieces if block in self.carried else []
        return self.memory.named(self.memory.owed), [{**self.memory.owners.of(one.piece)} for one in carried]

    # A block's start

    def _enter(self, block: Block) -> None:
        """Goes on with what all branches to the block agree about that were looked at."""
        edges = [self.edges[edge] for edge in self.entering[block] if edge in self.edges]
        tensors = [a for a in block.args if is_shaped(a)]
        form, stale = self.paths.form_of[block], Stale(self.contents, block, self.tree)
        self._bind_slots(block, tensors, stale)
        self.both.bind_scalars(block.args, form.args, block)
        if len(edges) == 1 and not block.args and not self.tree.turns:
            held = dict(edges[0].state.held)
        else:
            numbers = set[int].intersection(*(set(edge.state.held) for edge in edges))
            ways = {n: [(edge.state.held[n], edge.values) for edge in edges] for n in sorted(numbers)}
            held = {n: self._met(block, n, passed, stale) for n, passed in ways.items()}
        gone = frozenset[int]().union(*(edge.state.gone for edge in edges))
        owed = frozenset[int]().union(*(edge.state.owed for edge in edges))
        memrefs = [a for a in form.args if is_shaped(a)]
        if memrefs:
            self._carry(block, memrefs, edges, held, stale)
        if self.has_less:
            self._keep_less(block, held)
        self.held[block] = held
        self.memory.restore(State(held, gone, owed))

    def _keep_less(self, block: Block, held: dict[int, int]) -> None:
        """Memory holds no more than in the round before, so that it settles."""
        before = self.held.get(block, {})
        for number, content in held.items():
            old = before.get(number, content)
            if old != content:
                held[number] = self._met_contents(block, number, [old, content], lambda one: one)

    def _bind_slots(self, block: Block, tensors: Sequence[SSAValue], stale: Stale) -> None:
        shapes = self.shapes[block].values
        if any(stale.names(atom) for shape in shapes for size in shape for product, _ in size for atom in product):
            raise NotModelled("branches that pass on sizes of an earlier turn are not known")
        for n, (argument, shape) in enumerate(zip(tensors, shapes, strict=True)):
            self.both.terms.of[argument] = self.contents.slot(block, n, shape)

    def _met(self, block: Block, number: int, ways: list[tuple[int, list[int]]], stale: Stale) -> int:
        passed = iter([values for _, values in ways])
        return self._met_contents(
            block, number, [c for c, _ in ways], lambda one: entered(self.contents, block, one, next(passed), stale)
        )

    def _met_contents(self, block: Block, number: int, ways: list[int], entering: Callable[[int], int | None]) -> int:
        """What memory holds on several ways to a block, each as `entering` says of what it holds at the end of it."""
        shapes = [self.contents.shape[content] for content in ways]
        found: int | None = None
        # Sizes are equal as the block says, not only a branch to it.
        if all(self.contents.same_shape(shapes[0], other) for other in shapes):
            for n, content in enumerate(ways):
                one = entering(content)
                found = one if n == 0 else shared(self.contents, block, found, one)
        if found is None or self.contents.is_nothing(found):
            return self.contents.symbol(shapes[0], "nothing", number, block)
        return found

    def _carry(
        self, block: Block, memrefs: Sequence[SSAValue], edges: list[BranchWay], held: dict[int, int], stale: Stale
    ) -> None:
        old = self.carried.get(block)
        bases: list[frozenset[int]] = []
        for n in range(len(memrefs)):
            own = [self.memory.bases(edge.seen[n].piece) for edge in edges]
            bases.append(frozenset().union(*own, *([old.bases[n]] if old is not None else [])))
        pairs = frozenset(
            (i, j)
            for i in range(len(memrefs))
            for j in range(i)
            if (old is None or (i, j) in old.apart)
            and not any(self.memory.overlap(edge.seen[i], edge.seen[j]) for edge in edges)
        )
        if old is None or old.bases != bases or old.apart != pairs:
            pieces = [
                self.memory.piece("a memref that is carried", self.shapes[block].memrefs[n], carried=base)
                for n, base in enumerate(bases)
            ]
            self.memory.separate |= {frozenset([pieces[i].piece, pieces[j].piece]) for i, j in pairs}
            self.carried[block] = Carried(pieces, bases, pairs)
        paths = [OwedPath([one.piece for one in edge.seen], edge.state.owed) for edge in edges]
        self.memory.owners.meet([one.piece for one in self.carried[block].pieces], paths)
        for n, (value, piece) in enumerate(zip(memrefs, self.carried[block].pieces, strict=True)):
            self.steps.seen[value] = piece
            held[piece.piece] = self._met(block, piece.piece, [(e.contents[n], e.values) for e in edges], stale)

    # A block's end

    def _leave(self, source: Operation, form: Operation) -> None:
        match source, form:
            case ReturnOp(), ReturnOp():
                self.returned(source, form)
                return
            case _ if op_name(source) == op_name(form) == "llvm.unreachable":  # no caller is given anything
                return
            case cf.BranchOp(), cf.BranchOp():
                passed = [(source.arguments, form.arguments)]
            case cf.ConditionalBranchOp(), cf.ConditionalBranchOp():
                self.both.same_scalar(source.cond, form.cond)
                passed = [
                    (source.then_arguments, form.then_arguments),
                    (source.else_arguments, form.else_arguments),
                ]
            case cf.SwitchOp(), cf.SwitchOp() if source.case_values == form.case_values:
                self.both.same_scalar(source.flag, form.flag)
                ours, theirs = branch_operands(source) or (), branch_operands(form) or ()
                passed = [(one, two) for (_, one), (_, two) in zip(ours, theirs, strict=True)]
            case _ if not source.successors:
                raise NotModelled(f"'{op_name(source)}' at the end of a block is not known")
            case _:
                raise NotModelled("a branch is not that of the program")
        if len(source.successors) != len(form.successors):
            raise NotModelled("a branch is not that of the program")
        pairs = zip(source.successors, form.successors, passed, strict=True)
        ways = [(values, memrefs, self.paths.blocks(block, other)) for block, other, (values, memrefs) in pairs]
        before = self.memory.snapshot() if any(blocks for *_, blocks in ways) else None
        for n, (values, memrefs, blocks) in enumerate(ways):
            if before is not None:
                self.memory.restore(before)
            with self._along(source, blocks, memrefs) as arriving:
                self._arrive(source, n, values, arriving)

    @contextmanager
    def _along(
        self, source: Operation, blocks: Sequence[Block], passed: Sequence[SSAValue]
    ) -> Generator[Sequence[SSAValue]]:
        """Runs the blocks on an edge, of which the first one is passed `passed`; what the last one passes on."""
        with self.steps.path():
            for block in blocks:
                for argument, value in zip(block.args, passed, strict=True):
                    if is_shaped(value):
                        self.steps.seen[argument] = self.steps.seen[value]
                    else:
                        self.steps.scalars.of[argument] = self.steps.scalars.of[value]
                self.both.edge_block(source, block)
                passed = passed_on(block)
            yield passed

    def _arrive(self, source: Operation, n: int, values: Sequence[SSAValue], memrefs: Sequence[SSAValue]) -> None:
        """Notes what holds at the end of the nth edge, on which the program passes on `values`, the form `memrefs`."""
        self.both.same_scalars(values, memrefs)
        seen = [self.steps.seen[v] for v in memrefs if is_shaped(v)]
        contents = [self.memory.read(one) for one in seen]
        terms = [self.both.terms.of[v] for v in values if is_shaped(v)]
        parent = source.parent
        if parent is None or any(s.through for s in seen):
            raise NotModelled("a branch that passes on a part of a memref is not known")
        shapes = PassedShapes([self.contents.shape[v] for v in terms], [one.shape for one in seen])
        first = self.shapes.setdefault(source.successors[n], shapes)
        for one, other in zip((*first.values, *first.memrefs), (*shapes.values, *shapes.memrefs), strict=True):
            if not self.contents.same_shape(one, other):
                raise NotModelled("branches that pass on different sizes are not known")
        # Where blocks start again, memory that no key names has another number in each round.
        state = self.memory.without_inner(self.first) if self.tree.turns else self.memory.snapshot()
        self.edges[parent, n] = BranchWay(terms, seen, contents, state)
