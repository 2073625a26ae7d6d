"""Liveness: which values are still needed before and after each op.

live-out(n) = union of live-in over the successors; live-in(n) = uses(n) + (live-out(n) - defs(n)): the classic backward
data-flow problem (Aho, Lam, Sethi, Ullman, "Compilers", section 9.2.5), solved with a worklist.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import AS_THEY_STAND, Order, operands_of, ops_of
from lastuse.dialect.ir.region_contents import captured, captures_of

RUNS_ONCE = (scf.IfOp,)
"""Region ops whose regions run at most once each; the regions of any other may run again."""

T = TypeVar("T", bound=Hashable)


def live_sets(
    uses: Sequence[Collection[T]],
    defs: Sequence[Collection[T]],
    successors: Sequence[Sequence[int]],
    live_at_exit: Collection[T] = (),
) -> tuple[list[set[T]], list[set[T]]]:
    """(live-in, live-out) per node of a control-flow graph.

    Args:
        uses, defs: names read and written, per node.
        successors: node numbers, per node; a node without any is an exit.
        live_at_exit: names that are needed after the exits.
    """
    count = len(uses)
    predecessors: list[list[int]] = [[] for _ in range(count)]
    for node, nexts in enumerate(successors):
        for successor in nexts:
            predecessors[successor].append(node)
    live_in: list[set[T]] = [set(u) for u in uses]
    live_out: list[set[T]] = [set() for _ in range(count)]
    pending, queued = deque(reversed(range(count))), [True] * count
    while pending:
        node = pending.popleft()
        queued[node] = False
        out = set[T]().union(*(live_in[s] for s in successors[node])) if successors[node] else set(live_at_exit)
        before = set(uses[node]) | (out - set(defs[node]))
        live_out[node] = out
        if before != live_in[node]:
            live_in[node] = before
            for predecessor in predecessors[node]:
                if not queued[predecessor]:
                    queued[predecessor] = True
                    pending.append(predecessor)
    return live_in, live_out


@dataclass(frozen=True)
class Liveness:
    """Live values at the ends of every block; `walk` gives them op by op. `captured`: as `captures_of`."""

    block_out: dict[Block, frozenset[SSAValue]]
    captured: Mapping[Operation, tuple[SSAValue, ...]]

    def walk(self, block: Block) -> Iterator[tuple[Operation, frozenset[SSAValue], frozenset[SSAValue]]]:
        """(op, live-in, live-out) of a block's ops, last to first. Sets are built op by op: keep what you need."""
        live = set(self.block_out[block])
        op = block.last_op
        while op is not None:
            out = frozenset(live)
            live.difference_update(op.results)
            live.update(operands_of(op))
            live.update(self.captured.get(op, ()))
            yield op, frozenset(live), out
            op = op.prev_op


def liveness(region: Region, order: Order = AS_THEY_STAND, entered: Collection[Operation] | None = None) -> Liveness:
    """Liveness of a function's or region op's body, inner regions included.

    Inside a loop's region what the loop captures is live at the end of the body too: the next iteration reads it.

    Args:
        order: of the ops.
        entered: the ops in whose regions blocks are looked at; without it, all.
    """
    captures = captured(region, order) if order else captures_of(region)
    if entered is None:
        entered = [op for block in region.blocks for outer in block.ops for op in outer.walk() if op.regions]
    inside = {op: captures.get(op, ()) for op in entered}

    def read(op: Operation) -> Sequence[SSAValue]:
        return (*operands_of(op), *captures.get(op, ())) if op.regions else operands_of(op)

    def definitions(owner: Operation | Block) -> Sequence[SSAValue]:
        return owner.args if isinstance(owner, Block) else owner.results

    return Liveness(live_out(region, read, definitions, inside, order), captures)


def live_out(
    region: Region,
    read: Callable[[Operation], Collection[T]],
    definitions: Callable[[Operation | Block], Collection[T]],
    inside: Mapping[Operation, Collection[T]],
    order: Order,
) -> dict[Block, frozenset[T]]:
    """What is live at the end of every block, those in regions too.

    Args:
        read: what an op reads, and what its regions read from outside.
        definitions: what an op or the arguments of a block define.
        inside: by op into whose regions to look, what they read from outside.
        order: of the ops.
    """
    result: dict[Block, frozenset[T]] = {}

    def visit(region: Region, at_exit: Collection[T]) -> None:
        number = {block: n for n, block in enumerate(region.blocks)}
        if len(number) == 1 and ((last := region.block.last_op) is None or not last.successors):
            walk(region.block, set(at_exit))
            return
        defs = [set(definitions(block)).union(*map(definitions, ops_of(block, order))) for block in number]
        uses = [set[T]().union(*map(read, ops_of(block, order))) - d for block, d in zip(number, defs, strict=True)]
        nexts = [[number[s] for s in b.last_op.successors] if b.last_op is not None else [] for b in number]
        _, outs = live_sets(uses, defs, nexts, at_exit)
        for block, live in zip(number, outs, strict=True):
            walk(block, live)

    def walk(block: Block, live: set[T]) -> None:
        """`live` is what is live at the end of the block."""
        result[block] = frozenset(live)
        ops = ops_of(block, order)
        for op in reversed(ops) if inside and any(op in inside for op in ops) else ():
            live.difference_update(definitions(op))
            # What is live after the op is live at its exits, and, where a region may run again, what it captures.
            captures = inside.get(op, ())
            again = () if not captures or isinstance(op, RUNS_ONCE) else captures
            for inner in op.regions if op in inside else ():
                visit(inner, live.union(again))
            live.update(read(op))

    visit(region, ())
    return result
