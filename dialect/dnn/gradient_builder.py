"""Adds the ops that compute gradients (`DnnOp.gradient`): the types of their results are inferred."""

from __future__ import annotations

from collections.abc import Container, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, FloatAttr, TensorType, f64, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.ir.attribute_values import attribute_of
from lastuse.dialect.ir.diagnostics import LastuseError, inherit
from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, tensor_type, typed
from lastuse.dialect.onednn.kernel_call import CALLEES

OperationT = TypeVar("OperationT", bound=Operation)

Array = np.ndarray

_SCALAR = TensorInfo((), "f32")
"""A type for results, until it is inferred."""


class GradientBuilder:
    """Adds ops of a backward part, one behind the other.

    Attributes:
        origin: the op whose gradient is built: new ops are located there, and errors name it.
        sizes: shapes and element types of the values of the function; those of new values are added.
        needed: the values whose gradients are read; None where all are.
    """

    def __init__(self, builder: Builder, origin: Operation, sizes: Mapping[SSAValue, TensorInfo] | None = None) -> None:
        self._builder = builder
        self.origin = origin
        self.sizes = dict(sizes or {})
        self.needed: Container[SSAValue] | None = None

    def is_needed(self, value: SSAValue) -> bool:
        """Whether the gradient of an operand is read: where it is not, an op may leave it out."""
        return self.needed is None or value in self.needed

    @contextmanager
    def inserting(self, point: InsertPoint) -> Generator[None]:
        """Ops are added at another place meanwhile."""
        around, self._builder = self._builder, Builder(point)
        yield
        self._builder = around

    def insert(self, op: OperationT) -> OperationT:
        """Adds an op that is there already."""
        inherit(op, self.origin)
        return self._builder.insert(op)

    def describe(self, value: SSAValue, like: SSAValue) -> None:
        """Gives a value the sizes of another one of its type, and the name in the text, unless it has one."""
        if like in self.sizes:
            self.sizes[value] = self.sizes[like]
        value.name_hint = value.name_hint or like.name_hint

    def info(self, value: SSAValue) -> TensorInfo:
        """Shape and element type of a value; unknown sizes are polynomials, or None where nothing is known of them."""
        return self.sizes.get(value) or typed(value.type)

    def shape(self, value: SSAValue) -> tuple[Dim | None, ...]:
        """Sizes of a value; unknown ones as `info` has them."""
        return self.info(value).shape

    def known_shape(self, value: SSAValue) -> tuple[int, ...]:
        """Sizes of a value.

        Raises:
            LastuseError: one of them is not known.
        """
        return tuple(self.known_size(value, axis) for axis in range(len(self.shape(value))))

    def known_size(self, value: SSAValue, axis: int) -> int:
        """One size of a value.

        Raises:
            LastuseError: it is not known.
        """
        size = self.shape(value)[axis]
        if not isinstance(size, int):
            raise LastuseError(f"the gradient of {self.origin.name} needs known sizes (--specialize-pass)", self.origin)
        return size

    def emit(
        self,
        kind: str,
        *operands: SSAValue,
        like: SSAValue | None = None,
        dtype: str | None = None,
        **attributes: object,
    ) -> SSAValue:
        """Adds `dnn.<kind>`, which has one result, and returns it; see `emit_all`."""
        return self.emit_all(kind, *operands, results=1, like=like, dtype=dtype, **attributes)[0]

    def emit_all(
        self,
        kind: str,
        *operands: SSAValue,
        results: int,
        like: SSAValue | None = None,
        dtype: str | None = None,
        **attributes: object,
    ) -> Sequence[SSAValue]:
        """
        Adds `dnn.<kind>`, and returns its results.

        Args:
            results: how many there are.
            like: a value whose type the first result has, where the op does not infer it from its operands.
            dtype: the element type of the results, where the op does not infer it.
            attributes: as attributes, or as Python numbers, words and lists of these; None is left out.

        Raises:
            LastuseError: the operands do not fit the op, which is a mistake of the forward op's `gradient`.
        """
        cls = CALLEES[f"dnn.{kind}"]
        assert issubclass(cls, InfersShapes)
        chosen = {name: _attribute(value) for name, value in sorted(attributes.items()) if value is not None}
        first = self.info(operands[0] if like is None else like) if operands or like else _SCALAR
        first = first if dtype is None else first._replace(dtype=dtype)
        probe = cls.create(operands=operands, result_types=[tensor_type(first)] * results, attributes=chosen)
        try:
            inferred = probe.infer([self.info(operand) for operand in operands])
        except ValueError as error:
            raise LastuseError(f"the gradient of {self.origin.name}: {cls.name}: {error}", self.origin) from error
        finally:
            probe.drop_all_references()
        if like is not None:
            inferred = (first, *inferred[1:])
        return self._insert(cls, operands, inferred, chosen)

    def _insert(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        results: Sequence[TensorInfo],
        attributes: Mapping[str, Attribute],
    ) -> Sequence[SSAValue]:
        types = [tensor_type(info) for info in results]
        op = self.insert(cls.create(operands=operands, result_types=types, attributes=attributes))
        self.sizes |= zip(op.results, results, strict=True)
        return op.results

    def number(self, value: float, like: SSAValue) -> SSAValue:
        """A value without axes, of the element type of another one."""
        type_ = like.type
        assert isinstance(type_, TensorType)
        return self.emit("constant_of_shape", shape=[], value=FloatAttr(value, type_.element_type))

    def cast(self, value: SSAValue, like: SSAValue) -> SSAValue:
        """The value in the element type of another one."""
        dtype = self.info(like).dtype
        return value if self.info(value).dtype == dtype else self.emit("cast", value, dtype=dtype)

    def integers(self, values: Sequence[int], element_type: Attribute = i64) -> SSAValue:
        """A constant of integers along one axis."""
        type_: TensorType[Any] = TensorType(element_type, [len(values)])
        data = DenseIntOrFPElementsAttr.from_list(type_, list(values))
        return self._insert(CALLEES["dnn.constant"], (), (typed(type_),), {"value": data})[0]

    def numbers(self, values: Array, dtype: str) -> SSAValue:
        """A constant of these numbers, of a floating-point type."""
        type_ = tensor_type(TensorInfo(values.shape, dtype))
        data = DenseIntOrFPElementsAttr.from_list(type_, values.reshape(-1).tolist())  # pyright: ignore
        return self._insert(CALLEES["dnn.constant"], (), (typed(type_),), {"value": data})[0]

    def zeros(self, like: SSAValue) -> SSAValue:
        """Zeros in the shape and type of a value, which is not read."""
        return self.emit("fill", like, value=0)

    def blank(self, shape: Sequence[int], dtype: str) -> SSAValue:
        """Zeros in a shape and element type."""
        return self._insert(CALLEES["dnn.zeros"], (), (TensorInfo(tuple(shape), dtype),), {})[0]

    def scaled(self, value: SSAValue, factor: float) -> SSAValue:
        """The value, each element times `factor`."""
        return value if factor == 1 else self.emit("scale", value, scale=factor)

    def reshaped(self, value: SSAValue, like: SSAValue) -> SSAValue:
        """The elements of a value in the shape of another one."""
        shape = self.shape(like)
        if shape == self.shape(value):
            return value
        numbers = [dim if isinstance(dim, int) else -1 for dim in shape]
        if numbers.count(-1) > 1:
            self.known_shape(like)
        return self.emit("reshape", value, shape=numbers, allowzero=True if 0 in numbers else None)

    def summed_to(self, value: SSAValue, like: SSAValue) -> SSAValue:
        """The value, summed along the axes along which `like` is broadcast to it, in the shape of `like`.

        Raises:
            LastuseError: sizes that are not known may be equal or not.
        """
        wide, narrow = self.shape(value), self.shape(like)
        if wide == narrow:
            return value
        extra = len(wide) - len(narrow)
        axes = list(range(extra))
        for axis, (large, small) in enumerate(zip(wide[extra:], narrow, strict=True), extra):
            if small == 1 and large != 1:
                axes.append(axis)
            elif large is None or small is None or large != small:
                raise LastuseError(
                    f"the gradient of {self.origin.name} needs to know along which axes its operands are broadcast: "
                    "sizes have to be known (--specialize-pass)",
                    self.origin,
                )
        kept = [axis for axis in axes if axis >= extra]
        if kept and extra:
            return self.reshaped(self.emit("reduce_sum", value, axes=axes, keepdims=True), like)
        return self.emit("reduce_sum", value, axes=axes, keepdims=True if kept else None)


def _attribute(value: object) -> Attribute:
    """The attribute of a Python value; an empty list is one of integers."""
    return DenseArrayBase.from_list(i64, []) if value == [] else attribute_of(value, f64)
