"""Loops that copy one of two tensors or memrefs, all of it by one flag."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.remembered import is_a
from lastuse.passes.memref_checker.op_meaning import Leaf, MeaningNode, meaning_of
from lastuse.passes.memref_checker.ssa_terms import SsaTerms


def choice_of(op: Operation | None, terms: SsaTerms) -> tuple[int, SSAValue, SSAValue] | None:
    """The flag, and what is copied where it is true and where it is false; None for any other op."""
    if op is None or not is_a(op, GenericOp) or not _yields_a_choice(op) or len(op.outputs) != 1:
        return None
    meaning = meaning_of(op, terms.of.__getitem__)
    match meaning.results[0].inner:
        case (
            MeaningNode(("arith.select", *_), (MeaningNode(("outside", int(flag)), ()), Leaf() as one, Leaf() as two)),
        ):
            whole = AffineMap.identity(len(op.iterator_types))
            if meaning.parallel and {one.map, two.map, meaning.map[0]} == {whole}:
                return flag, one.operand, two.operand
        case _:
            pass
    return None


def _yields_a_choice(op: GenericOp) -> bool:
    last = op.regions[0].block.last_op
    return last is not None and [type(v.owner) for v in operands_of(last)] == [arith.SelectOp]
