"""Scalars of the `arith` dialect as what the core computes in its registers."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import dtype_name, numpy_dtype
from lastuse.runtime import _core


def constant_word(op: arith.ConstantOp) -> int:
    """The register's content for a constant: an integer sign-extended, a float as its bits.

    Raises:
        LastuseError: its type is none of the scalars that steer control flow.
    """
    value = op.value
    if isinstance(value, IntegerAttr):
        bits = numpy_dtype(dtype_name(value.type)).itemsize * 8
        width = 1 if dtype_name(value.type) == "i1" else bits
        cut = value.value.data & ((1 << width) - 1)
        return cut - (1 << width) if cut >> (width - 1) else cut
    if isinstance(value, FloatAttr) and dtype_name(value.type) in ("f32", "f64"):
        narrow = dtype_name(value.type) == "f32"
        number = np.float32(value.value.data) if narrow else value.value.data
        return int.from_bytes(struct.pack("<f" if narrow else "<d", number), "little", signed=not narrow)
    raise LastuseError(f"a constant of {op.result.type} is no scalar that runs", op)


def scalar_of(op: Operation) -> _core.Scalar:
    """The computation of an `arith` op on scalars.

    Raises:
        _core.Error: the core has none for these types.
    """
    name, source = op.name.removeprefix(f"{arith.Arith.name}."), op.operands[-1]
    if isinstance(op, arith.CmpiOp):
        name += f".{_predicate(op.predicate, CMPI_COMPARISON_OPERATIONS)}"
    elif isinstance(op, arith.CmpfOp):
        name += f".{_predicate(op.predicate, CMPF_COMPARISON_OPERATIONS)}"
    if len(op.results) != 1:
        raise _core.Error(f"no scalar '{name}' with {len(op.results)} results")
    return _core.scalar(name, dtype_name(source.type), dtype_name(op.results[0].type))


def _predicate(predicate: Attribute, names: Sequence[str]) -> str:
    assert isinstance(predicate, IntegerAttr)
    return names[predicate.value.data]
