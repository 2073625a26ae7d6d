"""Values that are functions of one value of bytes, element by element: a table of 256 results says all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.byte_table import RESULTS, all_bytes
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.integer_forms import ComputesChannels, ComputesElements
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.tensor_types import numpy_dtype, static_shape, typed
from lastuse.dialect.storage import attrs
from lastuse.passes.transforms.constant_folding import constant_elements

LEAST_PLACES = 64
"""Elements of a channel, at least, for a table of its own: of fewer it takes longer to read the tables than to compute
what is in them."""


class ByteFunction(NamedTuple):
    """A value whose elements depend on the elements at the same place of one value of bytes alone, and perhaps on the
    channel.

    Attributes:
        root: the value of bytes, of the same shape.
        results: the element for each byte, in ascending order of the bytes: [256], or [256, C].
        axis: that of the channels; None where they do not matter.
    """

    root: SSAValue
    results: Array
    axis: int | None


class ChannelRow(NamedTuple):
    """A constant with an element for each channel.

    Attributes:
        elements: [1, C].
        axis: that of the channels, counted from behind: -1 is the last one.
    """

    elements: Array
    axis: int


def byte_functions(func: FuncOp) -> Mapping[SSAValue, ByteFunction]:
    """The values of a function that are functions of bytes, each of the root that is furthest away."""
    return _ByteFunctions(func).found


class _ByteFunctions:
    def __init__(self, func: FuncOp) -> None:
        self.found: dict[SSAValue, ByteFunction] = {}
        self._known: dict[SSAValue, Array] = {}
        for op in func.walk():
            if not isinstance(op, DnnOp) or len(op.results) != 1 or attrs.is_decided(op):
                continue
            if self._keep_known(op):
                continue
            if isinstance(op, ComputesChannels):
                self._compute_channels(op)
            elif not op.regions and _is_elementwise(op):
                self._compute(op)

    def _compute(self, op: DnnOp) -> None:
        """Notes what an elementwise op makes of functions of one root, of numbers and of rows."""
        functions, operands, axes = dict[SSAValue, ByteFunction](), list[Array](), set[int]()
        rank = _rank(op.results[0])
        for index, operand in enumerate(op.operands):
            number = self._number(operand)
            if number is not None:
                operands.append(number)
                continue
            if isinstance(op, ComputesElements) and index > 0:
                return
            function = self._function(operand)
            row = self._row(operand) if function is None else None
            if function is not None:
                functions[function.root] = function
                operands.append(function.results)
                axes |= set() if function.axis is None else {function.axis}
            elif row is not None:
                operands.append(row.elements)
                axes.add(row.axis + rank)
            else:
                return
        if len(functions) == 1 and len(axes) <= 1:
            self._keep(op, functions.popitem()[0], operands, axes.pop() if axes else None)

    def _compute_channels(self, op: DnnOp) -> None:
        """The same for an op with parameters of channels."""
        assert isinstance(op, ComputesChannels)
        axis, function = op.computed_channels(), self._function(op.operands[0])
        parameters = [self._elements(value) for value in op.operands[1:]]
        if axis is None or function is None or function.axis not in (None, axis):
            return
        known = [parameter for parameter in parameters if parameter is not None]
        if len(known) < len(parameters) or len({parameter.size for parameter in known}) != 1:
            return
        x = function.results.reshape(RESULTS, -1)
        x = np.ascontiguousarray(np.broadcast_to(x, (RESULTS, known[0].size)))
        self._keep(op, function.root, [x, *known], axis)

    def _keep(self, op: DnnOp, root: SSAValue, operands: Sequence[Array], axis: int | None) -> None:
        """Notes the function of `root` that an op makes of these arrays, [256, C] where there are channels."""
        value, shape = op.results[0], static_shape(root.type)
        if static_shape(value.type) != shape:  # a row makes channels of one
            return
        sizes = (RESULTS,)
        if axis is not None:
            channels = shape[axis]
            if (
                channels is None
                or not _pays(root, axis)
                or not all(a.shape[-1:] in ((), (RESULTS,), (1,), (channels,)) for a in operands)
            ):
                return
            sizes = (RESULTS, channels)
            if not isinstance(op, ComputesChannels):
                operands = [a.reshape(RESULTS, 1) if a.shape == (RESULTS,) else a for a in operands]
        results = np.empty(sizes, numpy_dtype(typed(value.type).dtype))
        op.kernel(operands, [results], np.empty(0, np.uint8))
        self.found[value] = ByteFunction(root, results, axis)

    def _keep_known(self, op: DnnOp) -> bool:
        """Notes what an op makes of what is known while compiling, where it differs along one axis at most; whether it
        does."""
        value, operands = op.results[0], [self._elements(operand) for operand in op.operands]
        known = [operand for operand in operands if operand is not None]
        if not operands or len(known) < len(operands) or op.regions or len(_long_axes(value)) > 1:
            return False
        self._known[value] = op.reference(*known)[0]
        return True

    def _elements(self, value: SSAValue) -> Array | None:
        """What is known while compiling, and differs along one axis at most."""
        if value not in self._known and len(_long_axes(value)) <= 1:
            constant = constant_elements(value)
            if constant is not None:
                self._known[value] = constant
        return self._known.get(value)

    def _function(self, value: SSAValue) -> ByteFunction | None:
        return self.found.get(value) or _root(value)

    def _number(self, value: SSAValue) -> Array | None:
        """What is known of one element, without axes."""
        elements = self._elements(value) if _has_one_element(value) else None
        return None if elements is None else elements.reshape(())

    def _row(self, value: SSAValue) -> ChannelRow | None:
        elements = self._elements(value)
        if elements is None:
            return None
        (axis,) = _long_axes(value)
        return ChannelRow(elements.reshape(1, -1), axis - _rank(value))


def _is_elementwise(op: DnnOp) -> bool:
    return isinstance(op, ElementwiseBase) or (isinstance(op, ComputesElements) and op.is_elementwise())


def _root(value: SSAValue) -> ByteFunction | None:
    """A value of bytes as a function of itself."""
    dtype = typed(value.type).dtype
    return ByteFunction(value, all_bytes(dtype), None) if dtype in SMALL else None


def _pays(root: SSAValue, axis: int) -> bool:
    """Whether a table for each channel takes less time than ops: not for rows of the last axis, which may be few."""
    shape = static_shape(root.type)
    return axis + 1 < len(shape) and element_count(root) // (shape[axis] or 1) >= LEAST_PLACES


def _long_axes(value: SSAValue) -> list[int]:
    """The axes that do not have size 1."""
    return [axis for axis, size in enumerate(static_shape(value.type)) if size != 1]


def _rank(value: SSAValue) -> int:
    return len(static_shape(value.type))


def _has_one_element(value: SSAValue) -> bool:
    shape = static_shape(value.type)
    return None not in shape and prod(size for size in shape if isinstance(size, int)) == 1


def is_identity(function: ByteFunction) -> bool:
    """Whether the value is its root."""
    own = all_bytes(typed(function.root.type).dtype)
    results = function.results.reshape(RESULTS, -1)
    return results.dtype == own.dtype and bool(np.all(results == own[:, None]))
