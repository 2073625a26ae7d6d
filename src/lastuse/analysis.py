"""Questions about a program: what may be written over what, what shares bytes, what is live, where a value lies.

They may be asked of ops of any dialect, in functions of `func`, under the decisions that the program carries. An op
without a contract is taken for the worst: it reads all it is given, and its results may be any bytes of it. No question
changes the program; each looks at the whole function anew, and the answers are immutable.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.flow_graphs import ancestors, function_around
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage, assign_places
from lastuse.dialect.storage.contract import contract_of, is_region_op, is_scatter
from lastuse.dialect.storage.layout import Layout, may_overlap, same_bytes
from lastuse.passes.analysis.alias import alias_classes
from lastuse.passes.analysis.liveness import liveness
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.checker import check
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.legality import permission, unfit_refusal
from lastuse.passes.inplace_analysis.read_after_write import Edge
from lastuse.passes.inplace_analysis.region_ops import slots

__all__ = ["Layout", "Place", "PlaceKind", "Reason", "Storage", "aliases", "live_before", "may_write_over", "place_of"]


def may_write_over(op: Operation, operand: int | SSAValue, result: int = 0) -> Reason | None:
    """Why a result of `op` may not be written over an operand, None if it may.

    It may where the op declares it, the bytes fit, and `--verify-storage-pass` accepts the function with this decision
    added to those that it carries. Of those, offsets in an arena are left out, since a plan is made after decisions,
    and so is what was decided about this result.

    Args:
        op: an op of a function.
        operand: its number, or the value; of a value that is given twice, the first one.
        result: its number.

    Raises:
        LastuseError: the op stands in no function, or has no such operand or result.
    """
    func, k = _function_of(op), _operand_number(op, operand)
    if not 0 <= result < len(op.results):
        raise LastuseError(f"'{op_name(op)}' has {len(op.results)} results, none with number {result}", op)
    copy, same, frame = _copied(op, func)
    attrs.drop_plan(frame)
    over = list(attrs.inplace(same))
    over[result] = -1
    attrs.set_entries(same, attrs.INPLACE, over)
    program = NumberedOps.of(frame)
    if program is None or same not in program.at:
        return Reason.CONTROL_FLOW  # in a block that is never reached, or inside an op that hides what it does
    target, source = same.results[result], same.operands[k]
    if target not in program.sizes or source not in program.sizes:
        return Reason.KERNEL
    starts = is_region_op(same) and any(s.result is target and s.init == k for s in slots(same))
    if not starts and permission(program.contracts[program.at[same]], target, k) is None:
        unfit = unfit_refusal(program, same, target, k)
        return unfit.reason if unfit is not None else Reason.KERNEL
    refused = _refused(program, same, result, k)
    over[result] = k
    attrs.set_entries(same, attrs.INPLACE, over)
    placed = assign_places(frame)
    there = placed.of[target].storage == placed.of[source].storage
    if there and same_bytes(placed.of[target].layout, placed.of[source].layout) and not check(frame):
        del copy  # which is what the answer is about, and has to live until here
        return None
    return refused if refused is not None else Reason.NEXT_OP_REUSES


def _refused(program: NumberedOps, op: Operation, result: int, k: int) -> Reason | None:
    """The reason that the deciding walk has against one decision, all others being those of the program."""

    def only(program: NumberedOps, other: Operation, index: int, operand: int) -> Reason | None:
        return None if (other, index, operand) == (op, result, k) else Reason.NOT_LISTED

    carried = frozenset({Edge(op, k)} if is_scatter(contract_of(op)) else ())
    plan = GreedyAnalysis(program, only, carried).run()
    refusals = (r.reason for r in plan.refused.get(op, ()) if (r.result, r.operand) == (result, k))
    return next(refusals, None)


def aliases(value: SSAValue) -> tuple[SSAValue, ...]:
    """The values that may have a byte in common with `value`, itself left out, in the order of the program.

    Such are what is in place over it or it over them, views, parts of a result, what has the same storage number or an
    overlapping range of the arena (whether at the same time or not), and what an op without a contract may have kept of
    it. A value without bytes, a scalar for one, has none.

    Raises:
        LastuseError: the value belongs to no function.
    """
    classes = alias_classes(_function_of(value))
    if value not in classes.number:
        return ()
    mine, number = classes.places.of[value], classes.number[value]

    def meets(other: SSAValue) -> bool:
        theirs = classes.places.of[other]
        # In one class in different storages: through what is borrowed.
        return mine.storage != theirs.storage or may_overlap(mine.layout, theirs.layout)

    return tuple(v for v, n in classes.number.items() if v is not value and n == number and meets(v))


def live_before(op: Operation) -> tuple[SSAValue, ...]:
    """The values that are needed at `op` or after it and exist before it, in the order of the program: scalars too.

    In a loop that is also what the next iteration reads.

    Raises:
        LastuseError: the op stands in no function.
    """
    func, block = _function_of(op), op.parent_block()
    assert block is not None
    live_values = liveness(func.body)
    if block not in live_values.block_out:
        raise LastuseError(f"'{op_name(op)}' stands in a region that liveness does not look into", op)
    live = next(before for other, before, _ in live_values.walk(block) if other is op)
    return tuple(v for v in _values(func) if v in live)


def place_of(value: SSAValue) -> Place | None:
    """Where a value lies: its storage, and the bytes of it as a layout; None for a value without bytes, a scalar.

    The rules are those of docs/storage.md, 2: the first one that applies gives the place.

    Raises:
        LastuseError: the value belongs to no function.
    """
    return assign_places(_function_of(value)).of.get(value)


def _function_of(thing: Operation | SSAValue) -> FuncOp:
    """The function around an op or a value."""
    inner = thing if isinstance(thing, Operation) else thing.owner
    around = function_around(inner)
    if around is None or around.body.blocks.first is None:
        raise LastuseError("stands in no function", thing if isinstance(thing, Operation) else None)
    return around


def _operand_number(op: Operation, operand: int | SSAValue) -> int:
    number = operand if isinstance(operand, int) else next((k for k, v in enumerate(op.operands) if v is operand), -1)
    if not 0 <= number < len(op.operands):
        numbering = f"none with number {operand}" if isinstance(operand, int) else "and this value is none of them"
        raise LastuseError(f"'{op_name(op)}' has {len(op.operands)} operands, {numbering}", op)
    return number


def _copied(op: Operation, func: FuncOp) -> tuple[Operation, Operation, FuncOp]:
    """A copy of all that is around a function, which calls need, with the op and the function in it."""
    top = (func, *ancestors(func))[-1]
    copy = top.clone()
    pairs = dict(zip(top.walk(), copy.walk(), strict=True))
    frame = pairs[func]
    assert isinstance(frame, FuncOp)
    return copy, pairs[op], frame


def _values(func: FuncOp) -> Iterator[SSAValue]:
    """Arguments of blocks and results of ops, in the order of the text."""
    for op in func.body.walk():
        block = op.parent_block()
        if block is not None and op is block.first_op:
            yield from block.args
        yield from op.results
