"""What the op classes share: kinds of attributes, axes that may be negative, element types, sizes of arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, TypeVar

import numpy as np
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import AnyOf, base, opt_attr_def

from lastuse.dialect.dnn.base import Array, DnnOp, TransposedForm
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, broadcast, numpy_dtype
from lastuse.dialect.storage.contract import ALL_ENGINES, CPU_ONLY, OWN_ENGINES, Engine, engine_of

T = TypeVar("T")

NUMBER = AnyOf((base(IntegerAttr), base(FloatAttr)))
"""An attribute that is a number: `1 : i64`, `1.0 : f32`, `true`."""

INTEGER = base(IntegerAttr)
INTEGERS = base(DenseArrayBase)
"""`array<i64: 1, 2>`."""


def integer(attribute: Attribute | None, default: int) -> int:
    """The value of an integer attribute; `true` is 1."""
    if attribute is None:
        return default
    assert isinstance(attribute, IntegerAttr)
    value: int = attribute.value.data
    return abs(value) if attribute.type == i1 else value


def flag(attribute: BoolAttr | None) -> bool:
    """The value of a flag; absent is false."""
    return attribute is not None and bool(attribute.value.data)


def word(attribute: StringAttr | None, default: str) -> str:
    """The value of a word; absent is `default`."""
    return default if attribute is None else attribute.data


def number(attribute: Attribute | None, default: float) -> float | int:
    """The value of a number attribute."""
    if isinstance(attribute, FloatAttr):
        return attribute.value.data
    return default if attribute is None else integer(attribute, 0)


@remembered
def integers(attribute: Attribute) -> tuple[int, ...]:
    """The values of an array of integers.

    Raises:
        ValueError: it is an array of something else.
    """
    assert isinstance(attribute, DenseArrayBase)
    if not isinstance(attribute.elt_type, IntegerType):
        raise ValueError(f"{attribute} must be an array of integers")
    return tuple(int(v) for v in attribute.get_values())


def scalar(value: float, dtype: str) -> Array:
    """`value` as one element, an array without axes.

    Raises:
        ValueError: integers cannot hold it.
    """
    kind = numpy_dtype(dtype)
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        if not math.isfinite(value) or value != int(value) or not limits.min <= value <= limits.max:
            raise ValueError(f"{value} is no value of element type {dtype}")
        value = int(value)
    with np.errstate(over="ignore"):  # beyond the largest float is an infinity
        return np.asarray(value).astype(kind)


def axis_of(axis: int, rank: int, what: str = "axis") -> int:
    """The axis counted from 0.

    Raises:
        ValueError: there is no such axis.
    """
    if not -rank <= axis < rank:
        raise ValueError(f"{what} {axis} is outside the {rank} axes of the operand")
    return axis % rank


def diagonal_of(k: int, shape: Sequence[int | None]) -> int:
    """The diagonal `k` of matrices of this shape; where it has no element, the first one beside them on its side."""
    rows, columns = (size or 0 for size in shape[-2:])
    return min(max(k, -rows), columns)


class AxisBase(DnnOp):
    """An op along one axis of its operands."""

    DEFAULT_AXIS: ClassVar[int] = 0
    axis = opt_attr_def(INTEGER)

    def axis_index(self, rank: int) -> int:
        """The axis, counted from 0."""
        return axis_of(integer(self.axis, self.DEFAULT_AXIS), rank)

    def with_moved_axis(self, perm: Sequence[int]) -> TransposedForm:
        """The `transposed_form` along the same axis of operands that all have as many axes as `perm`."""
        axis = moved_axis(self.axis, self.DEFAULT_AXIS, perm)
        return TransposedForm({**self.attributes, "axis": axis}, frozenset(range(len(self.operands))))


def moved_axes(axes: Sequence[int], perm: Sequence[int]) -> DenseArrayBase:
    """The attribute that names these axes of a value where they are in another order: axis i is axis `perm[i]`."""
    return DenseArrayBase.from_list(i64, [perm.index(axis_of(axis, len(perm))) for axis in axes])


def moved_axis(axis: Attribute | None, default: int, perm: Sequence[int]) -> IntegerAttr:
    """The attribute `axis` where the axes are in another order: axis i is axis `perm[i]`."""
    return IntegerAttr(perm.index(axis_of(integer(axis, default), len(perm))), i64)


def is_float(dtype: str) -> bool:
    """Whether elements are floating-point numbers."""
    return dtype.startswith(("f", "bf"))


def need_float(type_: TensorInfo) -> None:
    """Raises ValueError unless elements are floating-point numbers."""
    if not is_float(type_.dtype):
        raise ValueError(f"elements must be floating-point numbers, not {type_.dtype}")


def need_number(type_: TensorInfo) -> None:
    """Raises ValueError where elements are truth values."""
    if type_.dtype == "i1":
        raise ValueError("elements must be numbers, not i1")


def need_same_dtype(*types: TensorInfo) -> None:
    """Raises ValueError unless all have one element type."""
    names = [t.dtype for t in types]
    if len(set(names)) > 1:
        raise ValueError(f"operands have element types {', '.join(names[:-1])} and {names[-1]}")


def agreed(a: Dim | None, b: Dim | None, what: str) -> Dim | None:
    """One size of two that must be equal: the number, if either is one.

    Raises:
        ValueError: they are different numbers. Of different unknown sizes nothing is known.
    """
    if isinstance(a, int) and isinstance(b, int) and a != b:
        raise ValueError(f"{what}: sizes {a} and {b} differ")
    return b if a is None or (isinstance(b, int) and not isinstance(a, int)) else a


def agreed_shape(what: str, shape: Sequence[Dim | None], *others: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
    """One shape of several that must be equal; raises ValueError where they cannot be."""
    for other in others:
        if len(shape) != len(other):
            raise ValueError(f"{what} have {len(shape)} and {len(other)} axes")
        shape = tuple(agreed(a, b, what) for a, b in zip(shape, other, strict=True))
    return tuple(shape)


def broadcast_all(types: Sequence[TensorInfo]) -> tuple[Dim | None, ...]:
    """The numpy broadcast of the shapes of all; None where a size is not known."""
    shape: tuple[Dim | None, ...] = types[0].known
    for type_ in types[1:]:
        have = type_.known
        if None not in shape:
            shape = broadcast(tuple(d for d in shape if d is not None), have)
            continue
        # A size that could not be told is one of two unknown ones: a number decides it, anything else does not.
        rank = max(len(shape), len(have))
        long, other = ((1,) * (rank - len(s)) + tuple(s) for s in (shape, have))
        shape = tuple(
            (b if isinstance(b, int) and b != 1 else None) if a is None else broadcast((a,), (b,))[0]
            for a, b in zip(long, other, strict=True)
            if b is not None
        )
    return shape


def by_role(op: DnnOp, values: Sequence[T]) -> dict[str, T]:
    """What there is for each operand of an op, none of them variadic, by the operand's name; those left out are not
    there."""
    names = [name for name, _ in op.get_irdl_definition().operands]
    sizes = op.attributes.get("operandSegmentSizes")
    if isinstance(sizes, DenseArrayBase):
        names = [name for name, size in zip(names, sizes.get_values(), strict=True) if size]
    return dict(zip(names, values, strict=True))


def on_cpu_alone(op: DnnOp) -> bool:
    """Whether kernels of ours alone run this op: oneDNN has no primitive for it, or `dnn.engine` says so."""
    return engine_of(op) is Engine.CPU or op.primitive() is None


def all_f32(op: DnnOp) -> bool:
    """Whether every operand and result has element type f32: what oneDNN's primitives are used for."""
    return all(isinstance(v.type, TensorType) and v.type.element_type == f32 for v in (*op.operands, *op.results))


def engines(op: DnnOp) -> frozenset[Engine]:
    """The engines that may run an op: oneDNN where there is a primitive, the cpu engine always. Native, where the
    runtime has a kernel, if there is no primitive or `dnn.engine` asks for it."""
    primitive = op.primitive()
    asks = primitive is None or engine_of(op) is Engine.NATIVE
    own = OWN_ENGINES if asks and op.native_kernel() is not None else CPU_ONLY
    return own if primitive is None else own | ALL_ENGINES
