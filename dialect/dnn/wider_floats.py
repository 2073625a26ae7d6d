"""Ops on narrow floating-point numbers, stated on wider ones."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import tensor_type, typed

HALVES = ("f32", "model")
"""How f16 is computed: in f32, or as the model states it."""


class DependsOnFloatType:
    """An op class that computes something else on numbers of another floating-point type, beyond rounding."""


class ChangesTypeAlone:
    """An op class whose result has the numbers of its operand: between equal types it is its operand."""


def has_dtype(value: SSAValue, dtype: str) -> bool:
    """Whether a value is a ranked tensor of this element type."""
    return isinstance(value.type, TensorType) and typed(value.type).dtype == dtype


def in_wider_floats(op: DnnOp, narrow: str, wide: str) -> Sequence[Attribute] | str:
    """The types of an op's results where all tensors of `narrow` that it reads and makes are of `wide`, and it computes
    the same but for rounding. If it has no such form, why not, in words."""
    if isinstance(op, DependsOnFloatType):
        return f"what it computes depends on the range of {narrow}"
    if op.regions or not op.operands:
        return f"the op has no form of {wide}"
    types = [_wider(value, narrow, wide) for value in (*op.operands, *op.results)]
    operands = Block(arg_types=types[: len(op.operands)]).args
    results = types[len(op.operands) :]
    form = type(op).create(operands=operands, result_types=results, attributes=op.attributes)
    try:
        form.verify()
    except (LastuseError, VerifyException, ValueError):
        return f"the op has no form of {wide}"
    finally:
        form.erase()
    return results


def _wider(value: SSAValue, narrow: str, wide: str) -> Attribute:
    return tensor_type(typed(value.type)._replace(dtype=wide)) if has_dtype(value, narrow) else value.type
