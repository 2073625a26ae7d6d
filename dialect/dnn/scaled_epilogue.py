"""What becomes of sums of products of bytes before they are written: f32, scaled, shifted and bounded."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, f32, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import opt_attr_def

from lastuse.dialect.dnn.affine import Affine, AffineBase
from lastuse.dialect.dnn.attributes import NUMBER, by_role, number
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.integer_products import IntegerSumsBase
from lastuse.dialect.dnn.quantization import ONE
from lastuse.dialect.dnn.spelt_out import BoundsBase, Constant, Spelling, SpeltOutBase, values_between
from lastuse.dialect.ir.tensor_types import Dim, static_shape


class ScaledSumsBase(IntegerSumsBase, SpeltOutBase):
    """Sums of products of bytes, as f32 times the scales of both factors, plus a bias, between two bounds.

    `min`, `max`: the bounds, as of `dnn.clip`; a missing one does not bind. Operands are those of the op that makes
    sums in i32, with the scales behind the factors, and the bias at the end.
    """

    SUMS: ClassVar[type[IntegerSumsBase]]
    """The op that makes the sums alone."""
    low = opt_attr_def(NUMBER, attr_name="min")
    high = opt_attr_def(NUMBER, attr_name="max")

    def bounds(self) -> tuple[float, float]:
        return float(number(self.low, -math.inf)), float(number(self.high, math.inf))

    def finished(self, sums: Array, factor: Array, bias: Array | None) -> Array:
        """The results of some sums; factor and bias broadcast to them. NaN is below the smallest number."""
        with np.errstate(all="ignore"):
            made = sums.astype(np.float32) * factor
            made = made if bias is None else made + bias
            for bound, choose in ((self.low, np.greater), (self.high, np.less)):
                if bound is not None:
                    limit = np.float32(number(bound, 0))
                    made = np.where(choose(made, limit), made, limit)
        return made

    @classmethod
    @abstractmethod
    def is_row(cls, shape: Sequence[Dim | None], sums: IntegerSumsBase) -> bool:
        """Whether a value of a shape is one number for each column or channel of the sums, or one for all."""

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """f32(sums) * scale, or that plus a row, or what a line of constants makes of these, or any between bounds."""
        inner, bounds = _bounded(value)
        found = _biased(cls, inner) or _lined(cls, inner, constant)
        return None if found is None else found.spelling(value, bounds, constant)


def _bounded(value: SSAValue) -> tuple[SSAValue, Mapping[str, Attribute]]:
    """What a value is between bounds, and these."""
    op = value.owner
    line = op.bounded_line() if isinstance(op, BoundsBase) else None
    if line is None or (line.slope, line.shift) != (1, 0):
        return value, {}
    assert isinstance(op, Operation)
    with np.errstate(over="ignore"):  # a bound beyond f32 is an infinity there
        low, high = (float(np.float32(bound)) for bound in (line.low, line.high))
    bounds = [(name, at) for name, at, none in (("min", low, -math.inf), ("max", high, math.inf)) if at != none]
    return op.operands[0], {name: FloatAttr(bound, f32) for name, bound in bounds}


class _ScaledSums(NamedTuple):
    """Sums, what they are multiplied with, and what is added.

    Attributes:
        scale: one number; None for 1.
        row: one number for each column or channel, or one for all; None for 1.
        view: reshapes the sums before they are scaled; all else is one number then. None: no op does.
    """

    sums: IntegerSumsBase
    scale: SSAValue | None
    row: SSAValue | Array | None
    bias: SSAValue | Array | None
    view: DnnOp | None = None

    def fits(self, cls: type[ScaledSumsBase], shape: Sequence[Dim | None]) -> bool:
        """Whether what has this shape may be the row or the bias."""
        if self.view is None:
            return cls.is_row(shape, self.sums)
        return set(shape) <= {1} and len(shape) <= len(static_shape(self.sums.results[0].type))

    def spelling(self, value: SSAValue, bounds: Mapping[str, Attribute], constant: Constant) -> Spelling:
        names = [name for name, _ in self.sums.get_irdl_definition().operands]
        roles = by_role(self.sums, self.sums.operands)
        factors, zeros = [roles[name] for name in names[:2]], [roles.get(name) for name in names[2:]]
        scale = np.ones((), np.float32) if self.scale is None else self.scale
        given = [operand for operand in (self.row, *zeros, self.bias) if operand is not None]
        sizes = [1, 1, 1, *(int(operand is not None) for operand in (self.row, *zeros, self.bias))]
        kept = {name: attribute for name, attribute in self.sums.attributes.items() if "." not in name}
        attributes = {**kept, **bounds, "operandSegmentSizes": DenseArrayBase.from_list(i32, sizes)}
        leaves = [leaf for leaf in (*factors, *given, scale) if isinstance(leaf, SSAValue)]
        return Spelling([*factors, scale, *given], attributes, values_between(value, leaves, constant), self.view)


def _biased(cls: type[ScaledSumsBase], value: SSAValue) -> _ScaledSums | None:
    """Scaled sums, or these plus a row."""
    for core, other in _operands_of(value, "dnn.add"):
        found = _scaled(cls, core) if core.type == value.type else None
        if found is not None and found.fits(cls, static_shape(other.type)):
            return found._replace(bias=other)
    return _scaled(cls, value)


def _lined(cls: type[ScaledSumsBase], value: SSAValue, constant: Constant) -> _ScaledSums | None:
    """A line of scaled sums, as of `dnn.batch_norm`, whose terms are constants: in the row and the bias."""
    op = value.owner
    if not isinstance(op, AffineBase) or len(op.results) != 1:
        return None
    found = {number: _biased(cls, each) for number, each in enumerate(op.operands) if each.type == value.type}
    if all(sums is None for sums in found.values()):
        return None
    line = op.affine(constant)
    inner = None if line is None else found.get(line.operand)
    return None if line is None or inner is None else _with_line(cls, inner, line, constant)


def _with_line(cls: type[ScaledSumsBase], inner: _ScaledSums, line: Affine, constant: Constant) -> _ScaledSums | None:
    """The sums with a line behind them; None where row or bias are no constants, or the line is of other axes."""
    scale, row = inner.scale, inner.row
    if isinstance(row, SSAValue) and constant(row) is None and scale is not None and static_shape(row.type) in ONE:
        scale, row = row, scale
    terms = [constant(term) if isinstance(term, SSAValue) else term for term in (row, inner.bias)]
    if any(term is None and given is not None for term, given in zip(terms, (row, inner.bias), strict=True)):
        return None
    with np.errstate(all="ignore"):
        made = line.factor if terms[0] is None else line.factor * terms[0]
        bias = line.shift if terms[1] is None else line.factor * terms[1] + line.shift
        made, bias = (_without_leading_ones(term.astype(np.float32)) for term in (made, bias))
    if not (np.isfinite(made).all() and np.isfinite(bias).all()):
        return None
    if not (inner.fits(cls, made.shape) and inner.fits(cls, bias.shape)):
        return None
    return inner._replace(scale=scale, row=made, bias=bias if bias.any() or inner.bias is not None else None)


def _without_leading_ones(array: Array) -> Array:
    """The elements without the unit axes in front, which broadcasting adds."""
    axes = next((axis for axis, size in enumerate(array.shape) if size != 1), array.ndim)
    return array.reshape(array.shape[axes:])


def _scaled(cls: type[ScaledSumsBase], value: SSAValue) -> _ScaledSums | None:
    """The sums whose f32 times scales is a value: one for all, one for each column or channel, or the product."""
    for wide, scale in _operands_of(value, "dnn.mul"):
        cast, view = wide.owner, None
        if isinstance(cast, DnnOp) and cast.name == "dnn.reshape":
            cast, view = cast.operands[0].owner, cast
        sums = cast.operands[0].owner if isinstance(cast, Operation) and cast.name == "dnn.cast" else None
        if not isinstance(sums, cls.SUMS) or wide.type != value.type or sums.packed is not None:
            continue
        if not sums.takes_native():
            continue
        for one, row in _factors(scale):
            found = _ScaledSums(sums, one, row, None, view)
            if row is None or found.fits(cls, static_shape(row.type)):
                return found
    return None


def _factors(scale: SSAValue) -> Iterator[tuple[SSAValue | None, SSAValue | None]]:
    """The ways in which a scale is one number times others; a product with other readers is computed for these."""
    if scale.uses.get_length() == 1:
        for one, other in _operands_of(scale, "dnn.mul"):
            if static_shape(one.type) in ONE:
                yield one, other
    yield (scale, None) if static_shape(scale.type) in ONE else (None, scale)


def _operands_of(value: SSAValue, name: str) -> Sequence[tuple[SSAValue, SSAValue]]:
    """Both orders of the operands of the op of that name that makes the value."""
    op = value.owner
    if not isinstance(op, Operation) or op.name != name:
        return ()
    first, second = op.operands
    return (first, second), (second, first)
