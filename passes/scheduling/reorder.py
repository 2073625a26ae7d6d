"""Orders of the ops of a function: the one that needs least memory is looked for block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult

from lastuse.dialect.ir.flow_graphs import CONTROL, ancestors
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import memory_model
from lastuse.passes.memory.frame_layout import returns_of
from lastuse.passes.planning.external_choices import best_order, least_peak
from lastuse.passes.scheduling.schedule_graph import block_graph

Order = Sequence[Operation]
Refused = frozenset[OpResult]
"""Results that an in-place decision was assumed for and not made."""


class BetterOrder(NamedTuple):
    """
    A better order of a block.

    Attributes:
        block: the block.
        order: all of its ops.
        inplace: results that it takes to be written over an operand, or to have operands computed in them.
    """

    block: Block
    order: tuple[Operation, ...]
    inplace: tuple[OpResult, ...]


class Orders(NamedTuple):
    """
    What there is to say of the order of a function's ops.

    Attributes:
        improvements: blocks that have a better order.
        proved: no order of any block needs less, as far as sums of live bytes can tell.
        is_complete: no search reached its limit but for that of parts; those that were tried have no better order.
        peak: the largest sum of live bytes of a block in its better order, with all in place that may be.
        least: the same without results that may be written over a part of a storage, and so on: as long as no other
            part of a concat is computed in place, no order has less. The peak, where there are no such results, or the
            search reached its limit.
    """

    improvements: tuple[BetterOrder, ...]
    proved: bool
    is_complete: bool
    peak: int
    least: int


def why_fixed(func: FuncOp, program: NumberedOps | None) -> str | None:
    """Why the ops of a function keep their order: its sizes or decisions; None where they may be moved."""
    if program is None or not returns_of(func):
        return "a block is never reached, or control never leaves the function"
    if not program.has_known_sizes:
        return "a size is not known"
    if attrs.numbers_in(func) or any(name in op.attributes for op in func.walk() for name in attrs.PLACES):
        return "places are decided already, and they are right in this order"
    return None


def orders(
    program: NumberedOps, nodes: int, refused: Refused = frozenset(), inplace: bool = True, settle: bool = True
) -> Orders:
    """Better orders for the blocks of a function that `why_fixed` says nothing of.

    Args:
        program: the function's.
        nodes: of the search in each part of a block; see `planning.schedule`.
        refused: results that are not to be thought in place.
        inplace: results may be written over operands at all.
        settle: ops are where they were as far as possible; else the orders that were found first, which have fewer
            gaps now and then.
    """
    func, model = program.func, memory_model(program)
    improvements: list[BetterOrder] = []
    proved = is_complete = True
    peak = least = 0
    for block in program.block_out:
        if block.last_op is None or block.last_op not in program.at or not _is_ours(block, func):
            continue
        found = block_graph(model, block, lambda result: inplace and result not in refused)
        nodes_of, graph, outside, results, _, uncertain = found
        best = best_order(graph, outside, nodes=nodes, settle=settle)
        proved, is_complete = proved and best.proved, is_complete and best.schedule.bound == best.schedule.peak
        peak, sure = max(peak, best.schedule.peak), best.schedule.peak
        if best.schedule.order != tuple(range(len(graph.ops))):
            over = (*best.schedule.inplace, *sorted(best.variant.forced))
            beside = outside._replace(begins=outside.begins | uncertain)
            if uncertain and best.schedule.bound == best.schedule.peak:  # else one more would reach its limit, too
                sure = min(sure, least_peak(graph, beside, nodes=nodes))
            order = order_around(program, block, [nodes_of[n] for n in best.schedule.order])
            improvements.append(BetterOrder(block, order, tuple(results[w] for _, w in over if w in results)))
        least = max(least, sure)
    return Orders(tuple(improvements), proved, is_complete, peak, least)


def apply_order(block: Block, order: Sequence[Operation]) -> None:
    """Gives a block the order that it is said to have."""
    at = block.first_op
    for op in order:
        if op is at:
            at = op.next_op
        elif at is not None:
            op.detach()
            block.insert_op_before(op, at)


def _is_ours(block: Block, func: FuncOp) -> bool:
    """All that stands around the block is control flow: what another op wants of its regions is not known."""
    return all(isinstance(around, CONTROL) for around in takewhile(lambda op: op is not func, ancestors(block)))


def order_around(program: NumberedOps, block: Block, nodes: Order) -> tuple[Operation, ...]:
    """All ops of a block, the nodes in their order: each op that is no node stays in front of the node it stands in
    front of, or goes where it is needed first, or where all is made that it needs."""
    ops = program.ops_of(block)
    in_front: dict[Operation, list[Operation]] = {node: [] for node in (*nodes, ops[-1])}
    run: list[Operation] = []
    for op in ops:
        if op in in_front:
            in_front[op], run = run, []
        else:
            run.append(op)
    needs = {
        op: [v.op for v in program.read_by(op) if isinstance(v, OpResult) and v.op.parent_block() is block]
        for op in ops
    }
    order: dict[Operation, None] = {}
    late: list[Operation] = []
    for node in (*nodes, ops[-1]):
        late += in_front[node]
        for op in late:
            if all(o in order for o in needs[op]):
                order[op] = None
        _emit(node, needs, order)
        late = [op for op in late if op not in order]
    return tuple(order)


def _emit(node: Operation, needs: Mapping[Operation, Order], order: dict[Operation, None]) -> None:
    """`node`, behind all that it needs and that is not there yet."""
    waiting = [node]
    while waiting:
        missing = [op for op in needs[waiting[-1]] if op not in order]
        if missing:
            waiting += reversed(missing)
        else:
            order[waiting.pop()] = None
