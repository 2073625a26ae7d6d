"""
Batches of ragged rows that may be made larger: with more rows in more sequences, which change no row that is there.

A program compiled for somewhat more rows and sequences then runs batches of many sizes. That is right where every op
keeps rows apart (`DnnOp.keeps_rows`), and where how many there are shows nowhere but in the first axis of values.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.tensor_types import Dim, Poly, static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.shape_inference import Sizes, infer_shapes


class RaggedRows(NamedTuple):
    """What of a function is rows of one ragged batch.

    Attributes:
        rows: numbers of the arguments that have a row for each word.
        ends: number of the argument that holds the cumulative lengths of the sequences, one more than there are.
    """

    rows: frozenset[int]
    ends: int


def ragged_rows(func: FuncOp) -> RaggedRows | None:
    """The batch of `func`; None where it may not be made larger, or there is none."""
    if len(func.body.blocks) != 1 or any(attrs.is_donated(a) for a in func.args):
        return None
    sizes = infer_shapes(func)
    shapes = {a.index: static_shape(a.type) for a in func.args if isinstance(a.type, TensorType)}
    if len(shapes) < len(func.args):
        return None
    unknown = {index: shape for index, shape in shapes.items() if None in shape}
    ends = [index for index in unknown if _is_ends(func.args[index])]
    rows = frozenset(unknown) - set(ends)
    if len(ends) != 1 or not rows or any(None in unknown[k][1:] for k in rows):
        return None
    counts = {sizes[func.args[k]].shape[0] for k in rows}
    count, end = next(iter(counts)), sizes[func.args[ends[0]]].shape[0]
    if len(counts) != 1 or not isinstance(count, Poly) or not isinstance(end, Poly):
        return None
    for op in func.body.blocks[0].ops:
        if isinstance(op, ReturnOp):
            if not all(_has(sizes, v, count) for v in op.operands):
                return None
        elif not _keeps(op, sizes, count, end):
            return None
    return RaggedRows(rows, ends[0])


def _is_ends(argument: SSAValue) -> bool:
    """It cuts rows into sequences, and is for nothing else."""
    uses = list(argument.uses)
    ops = {use.operation for use in uses}
    # Each op once: it is read as nothing but the ends.
    return 0 < len(uses) == len(ops) and all(isinstance(op, DnnOp) and op.offsets_operand() is argument for op in ops)


def _keeps(op: object, sizes: Sizes, count: Poly, end: Poly) -> bool:
    """The op keeps rows apart, or has to do with none."""
    if not isinstance(op, DnnOp):
        return False
    ends = op.offsets_operand()
    values = [v for v in (*op.operands, *op.results) if v is not ends]
    unknown = [v for v in values if any(not isinstance(d, int) for d in sizes[v].shape)]
    if not unknown:
        return ends is None
    return op.is_rowwise() and all(_has(sizes, v, count) for v in (*unknown, *op.results))


def _has(sizes: Sizes, value: SSAValue, count: Dim) -> bool:
    """The value has a row for each word, and its other sizes are numbers."""
    shape = sizes[value].shape if value in sizes else ()
    return bool(shape) and shape[0] == count and all(isinstance(d, int) for d in shape[1:])
