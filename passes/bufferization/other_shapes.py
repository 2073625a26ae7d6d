"""Memory of the caller under the shape of another value that is all of it."""

from __future__ import annotations

from math import prod

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, MemRefType, TensorType, i64
from xdsl.ir import SSAValue

from lastuse.passes.bufferization.emission import Emission
from lastuse.passes.bufferization.memref_types import all_axes, collapsed_type, expanded_type, is_contiguous, type_of


def in_shape(made: SSAValue, type_: TensorType, to: Emission) -> SSAValue | None:
    """The memref `made` under the shape of `type_`: with sizes that the one knows and the other does not, or of other
    axes without gaps. None where it is none of these."""
    have, sizes, wanted = type_of(made), type_of(made).get_shape(), type_.get_shape()
    if have.element_type != type_.element_type:
        return None
    if len(sizes) == len(wanted):
        pairs = list(zip(sizes, wanted, strict=True))
        if all(a == b or DYNAMIC_INDEX in (a, b) for a, b in pairs):
            known = [a if b == DYNAMIC_INDEX else b for a, b in pairs]
            if known == [*sizes]:
                return made
            return to.emit(memref.CastOp.get(made, MemRefType(have.element_type, known, have.layout)))
    axes = range(len(sizes))
    static = DYNAMIC_INDEX not in (*sizes, *wanted) and prod(sizes) == prod(wanted) and bool(sizes) and bool(wanted)
    if not static or not is_contiguous(have, axes):
        return None
    if len(sizes) > 1:
        joined = collapsed_type(have, [list(axes)], [prod(sizes)])
        properties = {"reassociation": all_axes(len(sizes))}
        made = to.emit(memref.CollapseShapeOp.build(operands=[made], result_types=[joined], properties=properties))
    if len(wanted) > 1:
        apart = expanded_type(type_of(made), [list(range(len(wanted)))], wanted)
        shape = DenseArrayBase.from_list(i64, list(wanted))
        properties = {"reassociation": all_axes(len(wanted)), "static_output_shape": shape}
        made = to.emit(memref.ExpandShapeOp.build(operands=[made, []], result_types=[apart], properties=properties))
    return made
