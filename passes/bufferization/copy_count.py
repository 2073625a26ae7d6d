"""What a function on memrefs copies."""

from __future__ import annotations

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.ir.flow_graphs import ancestors
from lastuse.dialect.ir.tensor_types import dtype_name, item_bytes
from lastuse.dialect.storage.index_arithmetic import constant_of

TRIPS, SIZE = 10, 64
"""What an unknown number of iterations, and an unknown size, are taken for."""


def copied_in(func: FuncOp) -> tuple[int, int]:
    """How often the function copies, and how many bytes, by the trips of the loops around each copy."""
    times = nbytes = 0
    for op in func.walk():
        if isinstance(op, memref.CopyOp):
            trips = 1
            for around in ancestors(op):
                trips *= _trips(around) if isinstance(around, scf.ForOp) else 1
                trips *= TRIPS if isinstance(around, scf.WhileOp) else 1
            times, nbytes = times + trips, nbytes + trips * _nbytes(op.source.type)
    return times, nbytes


def _trips(loop: scf.ForOp) -> int:
    low, high, step = (_number(v) for v in (loop.lb, loop.ub, loop.step))
    return TRIPS if low is None or high is None or not step else max(0, -(-(high - low) // step))


def _number(value: SSAValue) -> int | None:
    number = constant_of(value)
    return number if isinstance(number, int) else None


def _nbytes(type_: Attribute) -> int:
    assert isinstance(type_, MemRefType)
    nbytes = item_bytes(dtype_name(type_.element_type))
    for size in type_.get_shape():
        nbytes *= SIZE if size == DYNAMIC_INDEX else size
    return nbytes
