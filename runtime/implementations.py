"""Which kernels oneDNN has for an op: generated ones, or its reference, which is some hundred times slower."""

from __future__ import annotations

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.tensor_types import item_bytes, typed
from lastuse.dialect.onednn.primitives.base import PlacedValue
from lastuse.dialect.onednn.step import PrimitiveBase
from lastuse.dialect.storage.layout import Strided
from lastuse.runtime.primitive_preparation import primitive_of
from lastuse.runtime.scratch import StepsOf

REFERENCE = "ref"
"""oneDNN's names of its references begin with it: `ref:any`."""


def is_fast(op: DnnOp, steps: StepsOf) -> bool:
    """Whether the op is computed by primitives, none of them oneDNN's reference, where its operands and results are
    dense and in memory of their own. False where a size is not known.

    Args:
        op: in a block or not.
        steps: those that lowering chooses for an op.

    Raises:
        LastuseError: oneDNN has no primitive for a step that was chosen.
    """
    values: list[PlacedValue] = []
    for value in (*op.operands, *op.results):
        info = typed(value.type)
        sizes = tuple(size for size in info.shape if isinstance(size, int))
        if len(sizes) < len(info.shape) or 0 in sizes:
            return False
        values.append(PlacedValue(Strided.dense(sizes, item_bytes(info.dtype)), info.dtype, len(values), None))
    kinds = [primitive_of(step, 1).implementation for step in steps(op, values) if isinstance(step, PrimitiveBase)]
    return bool(kinds) and not any(kind.startswith(REFERENCE) for kind in kinds)
