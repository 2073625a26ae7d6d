"""Insertions of what control flow results in, made where it is computed.

What an `scf.if` results in and a `tensor.insert_slice` puts into a tensor can be put there by both arms. What an
`scf.for` carries and a `tensor.insert_slice` puts into a tensor then is a part of that tensor, which the loop can carry
instead: each iteration takes its part and puts it back. Then nothing of it needs memory beside the tensor, and what an
op computes in an arm or iteration may be computed in the part.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf, tensor
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import ancestors, listed_ops
from lastuse.dialect.storage.contract import contract_of, is_undefined

LONGEST = 8
"""Ops, one over the result of the other, that an insertion is followed through."""
_RANGES = ("static_offsets", "static_sizes", "static_strides", "operandSegmentSizes")


def has_insertions(func: FuncOp) -> bool:
    """Some insertion of what control flow results in could be made where that is computed."""
    return any(_region_of(op) is not None for op in listed_ops(func))


def move_insertions(func: FuncOp) -> bool:
    """Makes insertions of what control flow results in where that is computed; whether there are any. The function
    computes the same: an insertion that is made earlier puts the same value to the same place."""
    is_changed, again = False, True
    while again:  # one that is moved may let an earlier one be moved
        again = False
        waiting = listed_ops(func)[::-1]
        while waiting:
            op = waiting.pop()
            if op.parent is not None and _moved(op):
                waiting += [inner for new in _move(op) for inner in listed_ops(new)[:0:-1]]
                is_changed = again = True
    return is_changed


def _move(op: Operation) -> Sequence[Operation]:
    """Makes an insertion where its source is computed. Returns the op that stands for the one that computes it."""
    assert isinstance(op, tensor.InsertSliceOp)
    first = _computed_over(op)
    if first is not None and first is not op.source:
        op = _insert_first(op, first)
    owner = _region_of(op)
    if isinstance(owner, scf.IfOp):
        return [_into_arms(op, owner)]
    return [_into_iterations(op, owner)] if isinstance(owner, scf.ForOp) else []


def _moved(op: Operation) -> bool:
    owner = _region_of(op)
    return isinstance(op, tensor.InsertSliceOp) and owner is not None and _are_before(op, owner)


def _region_of(op: Operation) -> scf.IfOp | scf.ForOp | None:
    """The op whose result is inserted, by `op` alone, in one block with it; or what is computed over that result."""
    if not isinstance(op, tensor.InsertSliceOp) or op.source is op.dest:
        return None
    owner = value.op if (value := _computed_over(op)) is not None else None
    if not isinstance(owner, scf.IfOp | scf.ForOp):
        return None
    if isinstance(op.dest, OpResult) and op.dest.op is owner:
        # Another result of the branch, which nothing else needs.
        return owner if isinstance(owner, scf.IfOp) and len(list(op.dest.uses)) == 1 else None
    # A loop that carries the tensor can write it only where it reads nothing else of it.
    return owner if isinstance(owner, scf.IfOp) or not _is_used_in(op.dest, owner) else None


def _computed_over(op: tensor.InsertSliceOp) -> OpResult | None:
    """The result of control flow that the source of an insertion is, or may be written over, by ops of the same block
    that alone use it."""
    value = op.source
    for _ in range(LONGEST):
        if (
            not isinstance(value, OpResult)
            or value.op.parent is not op.parent
            or len({u.operation for u in value.uses}) > 1
        ):
            return None
        if isinstance(value.op, scf.IfOp | scf.ForOp):
            return value
        contract, last = contract_of(value.op), value
        over = (value.op.operands[o.operand] for o in contract.over if o.result == value.index)
        value = next((v for v in over if v.type == last.type), None)
        if value is None or contract.contributions:
            return None
    return None


def _insert_first(op: tensor.InsertSliceOp, value: OpResult) -> tensor.InsertSliceOp:
    """Inserts a value that the source of `op` is computed over: that is computed over the part then. Returns the new
    insertion."""
    (user,) = {use.operation for use in value.uses}
    assert user.parent is not None
    early = _insertion(op, value, op.dest)
    part = _extraction(op, early.result)
    for new in (early, part):
        user.parent.insert_op_before(new, user)
    value.replace_uses_with_if(part.result, lambda use: use.operation is user)
    op.operands[1] = early.result
    return early


def _is_used_in(value: SSAValue, owner: Operation) -> bool:
    """The regions of an op read the tensor, or a view of it that is made outside of them."""
    waiting, seen = [value], {value}
    while waiting:
        for use in waiting.pop().uses:
            if any(around is owner for around in ancestors(use.operation)):
                return True
            view = next((v for v in contract_of(use.operation).views if v.operand == use.index), None)
            result = use.operation.results[view.result] if view is not None else None
            if result is not None and result not in seen:
                seen.add(result)
                waiting.append(result)
    return False


def _are_before(op: tensor.InsertSliceOp, owner: scf.IfOp | scf.ForOp) -> bool:
    """What the insertion needs is there when its source begins to be computed; or the ops that it needs can be moved
    before that, as they do nothing else and need nothing of it."""
    block = owner.parent
    assert block is not None
    after = _between(owner, op)
    needed, waiting = set[Operation](), [v for v in op.operands if v is not op.source]
    while waiting:
        value = waiting.pop()
        if isinstance(value, OpResult) and value.op in after and value.op not in needed:
            if not (contract_of(value.op).pure or is_side_effect_free(value.op)):
                return False
            needed.add(value.op)
            waiting += value.op.operands
        elif isinstance(value, OpResult) and value.op is owner and value is not op.dest:
            return False
    for inner in [o for o in after if o in needed]:
        inner.detach()
        block.insert_op_before(inner, owner)
    return True


def _between(first: Operation, last: Operation) -> dict[Operation, None]:
    found: dict[Operation, None] = {}
    op = first.next_op
    while op is not None and op is not last:
        found[op] = None
        op = op.next_op
    return found


def _insertion(like: tensor.InsertSliceOp, source: SSAValue, dest: SSAValue) -> tensor.InsertSliceOp:
    operands = [source if v is like.source else dest if v is like.dest else v for v in like.operands]
    made = tensor.InsertSliceOp.create(
        operands=operands,
        result_types=[dest.type],
        properties={k: v for k, v in like.properties.items() if k in _RANGES},
    )
    inherit(made, like)
    return made


def _extraction(like: tensor.InsertSliceOp, whole: SSAValue) -> tensor.ExtractSliceOp:
    properties = {k: v for k, v in like.properties.items() if k in _RANGES[:3]}
    made = tensor.ExtractSliceOp.build(
        operands=[whole, list(like.offsets), list(like.sizes), list(like.strides)],
        result_types=[like.source.type],
        properties=properties,
    )
    inherit(made, like)
    return made


def _into_arms(op: tensor.InsertSliceOp, owner: scf.IfOp) -> scf.IfOp:
    assert isinstance(op.source, OpResult)
    number, types = op.source.index, [*owner.result_types]
    beside = op.dest.index if isinstance(op.dest, OpResult) and op.dest.op is owner else None
    types[number] = op.result.type
    kept = [n for n in range(len(types)) if n != beside]
    for region in owner.regions:
        last = region.block.last_op
        assert last is not None
        base = op.dest
        if beside is not None:
            base = last.operands[beside]
            _advance(base)
        made = _insertion(op, last.operands[number], base)
        region.block.insert_op_before(made, last)
        passed = [made.result if n == number else last.operands[n] for n in kept]
        Rewriter.replace_op(last, end := scf.YieldOp(*passed), [])
        inherit(end, last)
    regions = [owner.detach_region(region) for region in list(owner.regions)]
    new = scf.IfOp(owner.cond, [types[n] for n in kept], regions[0], regions[1])
    _replace(op, owner, new, number, kept)
    return new


def _advance(value: SSAValue) -> None:
    """Makes an insertion as soon as all that it needs is there: what is computed later may lie in the rest of its base
    then."""
    op = value.owner
    if not isinstance(op, tensor.InsertSliceOp) or (block := op.parent) is None:
        return
    needed = {v.op for v in op.operands if isinstance(v, OpResult)}
    last = next((inner for inner in reversed(list(block.ops)) if inner in needed), None)
    op.detach()
    if last is not None:
        block.insert_op_after(op, last)
    elif block.first_op is not None:
        block.insert_op_before(op, block.first_op)


def _into_iterations(op: tensor.InsertSliceOp, owner: scf.ForOp) -> scf.ForOp:
    assert isinstance(op.source, OpResult)
    number = op.source.index
    body, block = owner.body.block, owner.parent
    assert block is not None
    first, initial = op.dest, owner.iter_args[number]
    if not is_undefined(initial):
        made = _insertion(op, initial, first)
        block.insert_op_before(made, owner)
        first = made.result
    old = body.args[number + 1]
    whole = body.insert_arg(op.result.type, number + 1)
    whole.name_hint = op.result.name_hint
    part = _extraction(op, whole)
    assert body.first_op is not None
    body.insert_op_before(part, body.first_op)
    old.replace_all_uses_with(part.result)
    body.erase_arg(old)
    last = body.last_op
    assert last is not None
    back = _insertion(op, last.operands[number], whole)
    body.insert_op_before(back, last)
    last.operands[number] = back.result
    carried = list(owner.iter_args)
    carried[number] = first
    new = scf.ForOp(owner.lb, owner.ub, owner.step, carried, owner.detach_region(owner.body))
    _replace(op, owner, new, number)
    return new


def _replace(
    op: tensor.InsertSliceOp, owner: Operation, new: Operation, number: int, kept: Sequence[int] | None = None
) -> None:
    """`new` stands for `owner`, of whose results it has those that are `kept`; result `number` is what the insertion
    made."""
    block = owner.parent
    assert block is not None
    inherit(new, owner)
    block.insert_op_before(new, owner)
    for result, n in zip(new.results, range(len(owner.results)) if kept is None else kept, strict=True):
        result.name_hint = owner.results[n].name_hint if n != number else op.result.name_hint
        if n == number:
            Rewriter.replace_op(op, [], [result])
        else:
            owner.results[n].replace_all_uses_with(result)
    owner.detach()
    owner.erase()
