"""Values that are functions of one value of bytes, element by element: a table of 256 results says all of them."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.byte_table import RESULTS, all_bytes
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.integer_forms import ComputesElements
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.ir.tensor_types import numpy_dtype, static_shape, typed
from lastuse.dialect.storage import attrs
from lastuse.passes.transforms.constant_folding import constant_elements


class ByteFunction(NamedTuple):
    """A value whose elements depend on the elements at the same place of one value of bytes alone.

    Attributes:
        root: the value of bytes, of the same shape.
        results: the element for each byte, in ascending order of the bytes.
    """

    root: SSAValue
    results: Array


def byte_functions(func: FuncOp) -> Mapping[SSAValue, ByteFunction]:
    """The values of a function that are functions of bytes, each of the root that is furthest away."""
    found: dict[SSAValue, ByteFunction] = {}
    numbers: dict[SSAValue, Array] = {}
    for op in func.walk():
        if not isinstance(op, DnnOp) or len(op.results) != 1:
            continue
        value = op.results[0]
        if not op.operands:
            if _has_one_element(value):
                constant = constant_elements(value)
                if constant is not None:
                    numbers[value] = constant.reshape(())
        elif _is_elementwise(op):
            _compute(op, found, numbers)
    return found


def _compute(op: DnnOp, found: dict[SSAValue, ByteFunction], numbers: dict[SSAValue, Array]) -> None:
    """Notes what an op makes of functions of one root, or of numbers alone."""
    roots: set[SSAValue] = set()
    operands: list[Array] = []
    has_parameters = isinstance(op, ComputesElements)
    for index, operand in enumerate(op.operands):
        number = numbers.get(operand)
        if number is None:
            if has_parameters and index > 0:
                return
            function = found.get(operand) or _root(operand)
            if function is None:
                return
            roots.add(function.root)
            operands.append(function.results)
        else:
            operands.append(number)
    value, shape = op.results[0], (RESULTS,) if roots else ()
    if len(roots) > 1 or (roots and len(static_shape(value.type)) != len(static_shape(next(iter(roots)).type))):
        return
    results = np.empty(shape, numpy_dtype(typed(value.type).dtype))
    op.kernel(operands, [results], np.empty(0, np.uint8))
    if not roots:
        if _has_one_element(value):
            numbers[value] = results
    else:
        found[value] = ByteFunction(roots.pop(), results)


def _is_elementwise(op: DnnOp) -> bool:
    if attrs.is_decided(op) or op.regions:
        return False
    return isinstance(op, ElementwiseBase) or (isinstance(op, ComputesElements) and op.is_elementwise())


def _root(value: SSAValue) -> ByteFunction | None:
    """A value of bytes as a function of itself."""
    dtype = typed(value.type).dtype
    return ByteFunction(value, all_bytes(dtype)) if dtype in SMALL else None


def _has_one_element(value: SSAValue) -> bool:
    shape = static_shape(value.type)
    return None not in shape and prod(size for size in shape if isinstance(size, int)) == 1


def is_identity(function: ByteFunction) -> bool:
    """Whether the value is its root."""
    own = all_bytes(typed(function.root.type).dtype)
    return function.results.dtype == own.dtype and bool(np.array_equal(function.results, own))
