"""What the evaluation of choices asks of an op, whatever is chosen: looked up once for all sets of choices."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, holds_nothing, is_inserted_into
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.region_ops import moves_values


class OpFacts(NamedTuple):
    """Facts of one op.

    Attributes:
        time: twice its position.
        results: those that the op writes: with bytes, and no views by the contract. Into one without contents others
            may have been put before.
        reads: operands whose bytes are read, with their numbers.
        moves: the op is a region op of known control flow, or a branch.
        returns: the op is the return of the function.
    """

    op: Operation
    contract: Contract
    time: int
    block: Block
    results: tuple[OpResult, ...]
    reads: tuple[tuple[int, SSAValue], ...]
    moves: bool
    returns: bool


def facts_of(program: NumberedOps, op: Operation) -> OpFacts:
    """The facts of an op of a program."""
    time, sizes, block = program.at[op], program.sizes, op.parent_block()
    assert block is not None
    contract = program.contracts[time]
    views, unread, empty = {view.result for view in contract.views}, contract.metadata_only, contract.uninitialized
    return OpFacts(
        op,
        contract,
        2 * time,
        block,
        tuple([r for r in op.results if r in sizes and r.index not in views and not (empty and _is_filled_later(r))]),
        tuple([(k, v) for k, v in enumerate(operands_of(op)) if k not in unread and v in sizes]),
        moves_values(op),
        op.next_op is None and isinstance(op, ReturnOp),
    )


def may_lie_on(contract: Contract, result: int, meets: Collection[int], exact: Collection[int]) -> bool:
    """Some permission lets a result lie on the operands `meets` that the op reads, by number, where it has exactly the
    bytes of those of `exact`."""
    for over in contract.over:
        if over.result != result or over.operand not in exact:
            continue
        others = [k for k in meets if k != over.operand and not (over.allow_same_operand and k in exact)]
        if not others:
            return True
    return False


def _is_filled_later(result: OpResult) -> bool:
    """It begins without contents, and others are inserted into it."""
    return holds_nothing(result) and is_inserted_into(result)


class ReturnedValues(NamedTuple):
    """What a return gives back: its operands, each with the number of the argument that it is tied to, and by operand
    or tied argument where it stands among them."""

    values: list[tuple[SSAValue, int | None]]
    at: dict[SSAValue, list[int]]


def returned_values(program: NumberedOps, op: Operation) -> ReturnedValues:
    """What a return of a program gives back."""
    func = program.func
    values = [(value, attrs.tied_argument(func, n)) for n, value in enumerate(operands_of(op))]
    at: dict[SSAValue, list[int]] = {}
    for n, (value, k) in enumerate(values):
        tied = (func.args[k],) if k is not None and k < len(func.args) else ()
        for key in dict.fromkeys((value, *tied)):
            at.setdefault(key, []).append(n)
    return ReturnedValues(values, at)
