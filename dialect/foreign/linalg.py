"""Contracts of `linalg` on tensors: every structured op, named or generic, by its indexing maps.

A result goes over its own `outs` operand: that is what destination style means. Over an input it goes where both are
read and written at the same index and every element is written once: the loops are all parallel, and the maps equal.
"""

from __future__ import annotations

from xdsl.dialects import linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import BroadcastOp, ReduceOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from lastuse.dialect.foreign.common import KERNEL, is_tensor
from lastuse.dialect.storage.contract import FOREIGN, Contract, InPlace, supply_contract


def _structured(op: Operation) -> Contract:
    assert isinstance(op, LinalgStructuredOperation)
    if not op.res or len(op.res) != len(op.outputs):
        return FOREIGN  # on memrefs: what they alias is no business of values
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    arguments = op.body.block.args
    ins = len(op.inputs)
    parallel = all(kind.data is IteratorType.PARALLEL for kind in op.get_iterator_types())
    unread = frozenset(k for k in range(ins, len(op.operands)) if not any(arguments[k].uses))
    over: list[InPlace] = []
    for r, result in enumerate(op.res):
        written = maps[ins + r]
        once = parallel and _is_permutation(written)
        read = [k for k, operand in enumerate(op.operands) if k not in unread and is_tensor(operand)]
        same = {k for k in read if once and maps[k] == written and op.operands[k].type == result.type}
        repeats = same.issuperset(read)
        over += [InPlace(r, k, repeats) for k in sorted(same | {ins + r})]
    same = tuple((r, ins + r) for r in range(len(op.res)))
    return KERNEL._replace(over=tuple(over), metadata_only=unread, same_shape=same)


def _is_permutation(map_: AffineMap) -> bool:
    """Every loop is one axis, and every axis one loop."""
    return sorted(map_.used_dims()) == list(range(map_.num_dims)) and len(map_.results) == map_.num_dims


def _over_init(op: Operation) -> Contract:
    """One input and `init`, operand 1: a broadcast reads no element of it, a reduction accumulates into it."""
    if not op.results:
        return FOREIGN
    unread = not any(op.regions[0].block.args[1].uses)
    return KERNEL._replace(over=(InPlace(0, 1),), same_shape=((0, 1),), metadata_only=frozenset({1} if unread else ()))


supply_contract(BroadcastOp, _over_init)
supply_contract(ReduceOp, _over_init)
for _class in linalg.Linalg.operations:
    if issubclass(_class, LinalgStructuredOperation):
        supply_contract(_class, _structured)
