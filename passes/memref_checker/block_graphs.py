"""Functions with branches of `cf`: both forms side by side, block by block, until nothing changes.

Blocks of the form stand for those of the program that their branches lead to. What holds at the start of a block is
what all branches to it agree about. A tensor that a branch passes on is a slot of the block then; memory that holds on
each branch what goes into a slot, holds the slot. The values of a block, and of those that it dominates, are those of
an earlier turn when it starts again: what memory held of them is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from xdsl.dialects import cf
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.passes.memref_checker.joins import Stale, entered, shared
from lastuse.passes.memref_checker.memory_contents import MemoryContents, NotModelled, Seen, State
from lastuse.passes.memref_checker.memref_steps import MemrefSteps
from lastuse.passes.memref_checker.op_meaning import is_shaped
from lastuse.passes.memref_checker.piece_owners import OwedPath
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.ssa_terms import SsaTerms
from lastuse.passes.memref_checker.term_table import TermTable

ROUNDS = 24
"""Blocks whose state still changes after so many rounds are refused."""


class BlockPairs(Protocol):
    """What holds a block of the form against one of the program."""

    contents: TermTable
    terms: SsaTerms
    steps: MemrefSteps
    memory: MemoryContents
    source: FuncOp
    form: FuncOp

    def block(self, source: Block, form: Block, end: Callable[[Operation, Operation], None]) -> None: ...
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
        self.blocks = _reverse_post_order(both.source.body.blocks[0])
        self.dominators = _dominators(self.blocks)
        self.form_of: dict[Block, Block] = {self.blocks[0]: both.form.body.blocks[0]}
        self.edges: dict[tuple[Block, int], BranchWay] = {}
        self.shapes: dict[Block, list[Shape]] = {}
        self.carried: dict[Block, Carried] = {}
        self.first = 0
        self._stale = {
            block: Stale(both.contents, frozenset(b for b in self.blocks if block in self.dominators[b]))
            for block in self.blocks
        }

    def run(self) -> None:
        """Raises `Refused` or `NotModelled`; `both.at` is then the op."""
        entry = self.memory.snapshot()
        before: dict[Block, object] = {}
        for _ in range(ROUNDS):
            now: dict[Block, object] = {}
            for block in self.blocks:
                if block is self.blocks[0]:
                    self.memory.restore(entry)
                elif not self._enter(block):
                    continue
                self.first = len(self.memory.pieces)
                known = {n: c for n, c in self.memory.held.items() if not self.memory.is_nothing(c)}
                now[block] = (known, self.memory.given_back.all(), self.carried.get(block), self._owed(block))
                with self.steps.path():
                    self.both.block(block, self.form_of[block], self._leave)
            if now == before:
                return
            before = now
        raise NotModelled("blocks whose memory never settles are not known")

    def _owed(self, block: Block) -> object:
        """What has to be given back where the block starts, and by which memrefs; of what is the same in each round."""
        carried = self.carried[block].pieces if block in self.carried else []
        return self.memory.named(self.memory.owed), [{**self.memory.owners.of(one.piece)} for one in carried]

    # A block's start

    def _enter(self, block: Block) -> bool:
        """Goes on with what all branches to the block agree about; False where none was looked at yet."""
        edges = [edge for (source, n), edge in self.edges.items() if source.last_op.successors[n] is block]  # pyright: ignore
        if not edges:
            return False
        tensors = [a for a in block.args if is_shaped(a)]
        form = self.form_of[block]
        self._bind_slots(block, tensors, edges)
        self.both.bind_scalars(block.args, form.args, block)
        numbers = set.intersection(*(set(edge.state.held) for edge in edges))
        stale = self._stale[block]
        held: dict[int, int] = {}
        for number in sorted(numbers):
            held[number] = self._met(block, number, [(edge.state.held[number], edge.values) for edge in edges], stale)
        gone = frozenset[int]().union(*(edge.state.gone for edge in edges))
        owed = frozenset[int]().union(*(edge.state.owed for edge in edges))
        memrefs = [a for a in form.args if is_shaped(a)]
        if memrefs:
            self._carry(block, memrefs, edges, held, stale)
        self.memory.restore(State(held, gone, owed))
        return True

    def _bind_slots(self, block: Block, tensors: Sequence[SSAValue], edges: list[BranchWay]) -> None:
        shapes = [[self.contents.shape[v] for v in edge.values] for edge in edges]
        first = self.shapes.setdefault(block, shapes[0])
        for other in shapes:
            if not all(all(map(self.contents.same, a, b)) for a, b in zip(first, other, strict=True)):
                raise NotModelled("branches that pass on different sizes are not known")
        if any(self._stale[block].names(atom) for shape in first for size in shape for p, _ in size for atom in p):
            raise NotModelled("branches that pass on sizes of an earlier turn are not known")
        for n, (argument, shape) in enumerate(zip(tensors, first, strict=True)):
            self.both.terms.of[argument] = self.contents.slot(block, n, shape)

    def _met(self, block: Block, number: int, ways: list[tuple[int, list[int]]], stale: Stale) -> int:
        shape = self.contents.shape[ways[0][0]]
        found: int | None = None
        for n, (content, values) in enumerate(ways):
            one = entered(self.contents, block, content, values, stale)
            found = one if n == 0 else shared(self.contents, block, found, one)
        if found is None or self.memory.is_nothing(found):
            return self.contents.symbol(shape, "nothing", number, block)
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
                self.memory.piece("a memref that is carried", edges[0].seen[n].shape, carried=base)
                for n, base in enumerate(bases)
            ]
            self.memory.separate |= {frozenset([pieces[i].piece, pieces[j].piece]) for i, j in pairs}
            self.carried[block] = Carried(pieces, bases, pairs)
        paths = [OwedPath([one.piece for one in edge.seen], edge.state.owed) for edge in edges]
        self.memory.owners.meet([one.piece for one in self.carried[block].pieces], paths)
        for n, (value, piece) in enumerate(zip(memrefs, self.carried[block].pieces, strict=True)):
            for edge in edges:
                if not all(map(self.contents.same, edge.seen[n].shape, piece.shape)):
                    raise NotModelled("branches that pass on different sizes are not known")
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
        for n, (block, other, (values, memrefs)) in enumerate(pairs):
            if self.form_of.setdefault(block, other) is not other:
                raise NotModelled("a branch leads to another block than that of the program")
            self.both.same_scalars(values, memrefs)
            seen = [self.steps.seen[v] for v in memrefs if is_shaped(v)]
            contents = [self.memory.read(one) for one in seen]
            terms = [self.both.terms.of[v] for v in values if is_shaped(v)]
            parent = source.parent
            if parent is None or any(s.through for s in seen):
                raise NotModelled("a branch that passes on a part of a memref is not known")
            self.edges[parent, n] = BranchWay(terms, seen, contents, self.memory.without_inner(self.first))


def _reverse_post_order(entry: Block) -> list[Block]:
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, successors = stack[-1]
        after = next((b for b in successors if b not in seen), None)
        if after is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(after)
            stack.append((after, iter(_successors(after))))
    return order[::-1]


def _successors(block: Block) -> list[Block]:
    return list(block.last_op.successors) if block.last_op is not None else []


def _dominators(blocks: list[Block]) -> dict[Block, set[Block]]:
    """Of each block, those that every path to it goes through, and itself."""
    before: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block in blocks:
        for after in _successors(block):
            before[after].append(block)
    found = {block: set(blocks) for block in blocks}
    found[blocks[0]] = {blocks[0]}
    changed = True
    while changed:
        changed = False
        for block in blocks[1:]:
            new = set.intersection(*(found[b] for b in before[block])) | {block}
            changed |= new != found[block]
            found[block] = new
    return found
