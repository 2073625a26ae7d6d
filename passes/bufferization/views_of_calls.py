"""Calls of functions that only view their arguments: the caller makes the view.

A result that a function lends is memory of the caller's operand, and the caller may not write it: it knows neither
which bytes these are nor how they lie. Of a view it knows both.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_of, topological_order
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage.contract import contract_of


def view_in_callers(listing: OpListing) -> None:
    """Replaces results of calls that are views of operands, or one of several, by the same ops in the caller. A call
    of which nothing else is left goes."""
    if not any(issubclass(op_class, CallOp) for op_class in listing.classes):
        return
    functions = functions_of(listing.module)
    with unchanged_ops():
        order = reversed(topological_order(functions))  # what is called comes first
        calls = [(func, call) for func in order for call in calls_in(func)]
    for func, call in calls:
        callee = functions.get(callee_of(call))
        if callee is not None and callee is not func and len(callee.body.blocks) == 1:
            _view_here(call, callee)
            listing.changed()


def _view_here(call: CallOp, callee: FuncOp) -> None:
    block = callee.body.block
    last = block.last_op
    assert isinstance(last, ReturnOp)
    known: dict[SSAValue, SSAValue] = dict(zip(block.args, call.operands, strict=True))
    for result, value in zip(call.results, last.operands, strict=True):
        is_used = any(True for _ in result.uses)
        needed = _needed(value, block) if is_used and isinstance(result.type, TensorType) else None
        if needed:
            result.replace_all_uses_with(_cloned(value, needed, known, call, block))
    unused = all(result.first_use is None for result in call.results)
    if unused and call.results and all(_is_view(op) or op is last for op in block.ops):
        call.detach()
        call.erase()


def _needed(value: SSAValue, block: Block) -> dict[Operation, None] | None:
    """The ops of `block` that make a value of its arguments; None where one of them does more than view these."""
    found: dict[Operation, None] = {}
    waiting = [value]
    while waiting:
        owner = waiting.pop().owner
        if owner is block or owner in found:
            continue
        if not isinstance(owner, Operation) or owner.parent is not block or not _is_view(owner):
            return None
        found[owner] = None
        waiting.extend(owner.operands)
    return found


def _is_view(op: Operation) -> bool:
    """The op makes views, chooses one of several tensors, or computes scalars without reading a tensor."""
    if op.regions or op.successors or isinstance(op, CallOp) or not op.results:
        return False
    contract = contract_of(op)
    viewed = {(v.result, v.operand) for v in contract.views} | set(contract.forwards)
    for result in op.results:
        if isinstance(result.type, TensorType) and not any(index == result.index for index, _ in viewed):
            return False
    lent = {k for _, k in viewed} | contract.metadata_only
    reads = any(isinstance(v.type, TensorType) and k not in lent for k, v in enumerate(op.operands))
    return not reads and (is_side_effect_free(op) or contract.pure or bool(viewed))


def _cloned(
    value: SSAValue, needed: Mapping[Operation, None], known: dict[SSAValue, SSAValue], call: CallOp, callee: Block
) -> SSAValue:
    """The value, computed before the call. `known`: what stands for values of the function, whose ops are in
    `callee`."""
    block = call.parent
    assert block is not None
    for op in callee.ops:
        if op in needed and any(result not in known for result in op.results):
            made = op.clone(known)
            inherit(made, call)
            block.insert_op_before(made, call)
            known.update(zip(op.results, made.results, strict=True))
    return known[value]
