"""What branches and loops pass on several times, once.

Two results of a branch are the same if each arm passes on the same for both. Two tensors that a loop carries are the
same if they begin as the same, and each iteration passes on the same for both, as far as they are. A tensor that a loop
carries for itself alone goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.op_listing import OpListing


def merge_same(listing: OpListing) -> None:
    """Lets branches and loops pass on a tensor once."""
    merged = listing.of(lambda op_class: issubclass(op_class, (scf.IfOp, scf.ForOp)))
    for op in reversed(merged):  # those inside others first
        if isinstance(op, scf.IfOp) and _merge_results(op) or isinstance(op, scf.ForOp) and _merge_carried(op):
            listing.changed()


def _merge_results(op: scf.IfOp) -> bool:
    ends = [region.block.last_op for region in op.regions if region.blocks]
    if len(ends) != 2 or not all(isinstance(end, scf.YieldOp) for end in ends):
        return False
    seen: dict[tuple[SSAValue, ...], int] = {}
    kept: list[int] = []
    for n, passed in enumerate(zip(*(end.operands for end in ends if end is not None), strict=True)):
        first = seen.setdefault(passed, n)
        if first == n or not isinstance(op.results[n].type, TensorType):
            kept.append(n)
        else:
            op.results[n].replace_all_uses_with(op.results[first])
    if len(kept) == len(op.results):
        return False
    for end in ends:
        assert end is not None
        end.operands = [end.operands[n] for n in kept]
    first, second = [op.detach_region(region) for region in [*op.regions]]
    inherit(made := scf.IfOp(op.cond, [op.results[n].type for n in kept], first, second), op)
    _replace(op, made, kept)
    return True


def _merge_carried(op: scf.ForOp) -> bool:
    last, arguments = op.body.block.last_op, op.body.block.args[1:]
    if not isinstance(last, scf.YieldOp):
        return False
    first = _first_equal(list(op.iter_args), arguments, last.operands)
    for n, k in enumerate(first):
        if k != n:
            arguments[n].replace_all_uses_with(arguments[k])
            op.results[n].replace_all_uses_with(op.results[k])
    kept = _needed(op, last)
    if len(kept) == len(arguments):
        return False
    last.operands = [last.operands[n] for n in kept]
    initial = [op.iter_args[n] for n in kept]
    for n in reversed(range(len(arguments))):
        if n not in kept:
            op.body.block.erase_arg(arguments[n])
    inherit(made := scf.ForOp(op.lb, op.ub, op.step, initial, op.detach_region(op.body)), op)
    _replace(op, made, kept)
    return True


def _first_equal(initial: Sequence[SSAValue], arguments: Sequence[SSAValue], passed: Sequence[SSAValue]) -> list[int]:
    """By number of a carried tensor that of the first one which is always the same; other values are not compared."""
    number = {argument: n for n, argument in enumerate(arguments)}
    first = [initial.index(v) if isinstance(v.type, TensorType) else n for n, v in enumerate(initial)]
    while True:
        keys = [(first[n], first[number[v]] if v in number else v) for n, v in enumerate(passed)]
        after = [keys.index(key) for key in keys]
        if after == first:
            return first
        first = after


def _needed(op: scf.ForOp, last: scf.YieldOp) -> list[int]:
    """The numbers of what a loop carries that is used behind it, by an op in it, or passed on as such; all but
    tensors."""
    arguments = op.body.block.args[1:]
    number: dict[SSAValue, int] = {argument: n for n, argument in enumerate(arguments)}
    waiting = [
        n
        for n, argument in enumerate(arguments)
        if op.results[n].first_use is not None
        or not isinstance(argument.type, TensorType)
        or any(use.operation is not last for use in argument.uses)
    ]
    found = set[int]()
    while waiting:
        n = waiting.pop()
        if n not in found:
            found.add(n)
            if (before := number.get(last.operands[n])) is not None:
                waiting.append(before)
    return sorted(found)


def _replace(op: scf.IfOp | scf.ForOp, made: scf.IfOp | scf.ForOp, kept: Sequence[int]) -> None:
    results = dict(zip(kept, made.results, strict=True))
    for n, result in results.items():
        result.name_hint = op.results[n].name_hint
    Rewriter.replace_op(op, made, [results.get(n) for n in range(len(op.results))])
