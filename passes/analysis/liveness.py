"""Liveness: which values are still needed before and after each op.

live-out(n) = union of live-in over the successors; live-in(n) = uses(n) + (live-out(n) - defs(n)): the classic backward
data-flow problem (Aho, Lam, Sethi, Ullman, "Compilers", section 9.2.5), solved with a worklist.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialect.blocks import is_inside

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
    """Live values at the ends of every block; `walk` gives them op by op."""

    block_out: dict[Block, frozenset[SSAValue]]

    def walk(self, block: Block) -> Iterator[tuple[Operation, frozenset[SSAValue], frozenset[SSAValue]]]:
        """(op, live-in, live-out) of a block's ops, last to first. Sets are built op by op: keep what you need."""
        live = set(self.block_out[block])
        op = block.last_op
        while op is not None:
            out = frozenset(live)
            live.difference_update(op.results)
            live.update(read_by(op))
            yield op, frozenset(live), out
            op = op.prev_op

    def storages(
        self, block: Block, storage_of: Mapping[SSAValue, T]
    ) -> Iterator[tuple[Operation, frozenset[T], frozenset[T]]]:
        """As `walk`, of storages: one lives while any value in it does.

        Args:
            storage_of: what a value lies in, such as its class of `alias.alias_classes`; a value without one carries no
                bytes.
        """
        live = set(self.block_out[block])
        lying = Counter(storage_of[v] for v in live if v in storage_of)
        for op in reversed(list(block.ops)):
            out = frozenset(+lying)
            made = live.intersection(op.results)
            live -= made
            read = set(read_by(op)) - live
            lying.subtract(storage_of[v] for v in made if v in storage_of)
            lying.update(storage_of[v] for v in read if v in storage_of)
            live |= read
            yield op, frozenset(+lying), out


def read_by(op: Operation, operands: bool = True) -> list[SSAValue]:
    """Operands of `op`, unless not asked for, and what its regions capture from outside, each once."""
    found = dict.fromkeys(op.operands if operands else ())
    if op.regions:
        for inner in op.walk():
            if inner is not op:
                found |= dict.fromkeys(v for v in inner.operands if not is_inside(v, op))
    return list(found)


def liveness(region: Region, live_at_exit: Collection[SSAValue] = ()) -> Liveness:
    """Liveness of a function's or region op's body, inner regions included.

    Inside a loop's region what the loop captures is live at the end of the body too: the next iteration reads it.
    """
    block_out: dict[Block, frozenset[SSAValue]] = {}
    _region(region, frozenset(live_at_exit), block_out)
    return Liveness(block_out)


def _region(region: Region, at_exit: frozenset[SSAValue], block_out: dict[Block, frozenset[SSAValue]]) -> None:
    blocks = list(region.blocks)
    number = {block: n for n, block in enumerate(blocks)}
    uses: list[set[SSAValue]] = []
    defs: list[set[SSAValue]] = []
    for block in blocks:
        read, made = set[SSAValue](), set[SSAValue](block.args)
        for op in block.ops:
            read.update(v for v in read_by(op) if v not in made)
            made.update(op.results)
        uses.append(read)
        defs.append(made)
    nexts = [[number[s] for s in b.last_op.successors] if b.last_op is not None else [] for b in blocks]
    _, outs = live_sets(uses, defs, nexts, at_exit)
    for block, out in zip(blocks, outs, strict=True):
        block_out[block] = frozenset(out)
        if any(op.regions for op in block.ops):
            _inner(block, block_out)


def _inner(block: Block, block_out: dict[Block, frozenset[SSAValue]]) -> None:
    """Regions of the block's ops: what is live after the op is live at their exits, and, where a region may run again,
    what the op captures."""
    live = set(block_out[block])
    for op in reversed(list(block.ops)):
        live.difference_update(op.results)
        again = () if isinstance(op, RUNS_ONCE) else read_by(op, operands=False)
        for region in op.regions:
            _region(region, frozenset(live.union(again)), block_out)
        live.update(read_by(op))
