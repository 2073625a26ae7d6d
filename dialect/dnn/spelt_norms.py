"""Normalisations that models spell out: by means, squares, roots and quotients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.dnn.affine import AffineBase
from lastuse.dialect.dnn.attributes import integer
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.reductions import ReduceBase
from lastuse.dialect.dnn.spelt_out import Constant, Spelling, close, values_between
from lastuse.dialect.ir.tensor_types import static_shape

MOST_FACTORS = 8
"""Factors of a value that are told apart."""


class _Factors(NamedTuple):
    """A value as a product of some values over the product of others."""

    over: Sequence[SSAValue]
    under: Sequence[SSAValue]


class _Squares(NamedTuple):
    """A value that is the mean of squares of another one along its last axes, from `axis` on, plus epsilon; of that
    without its mean, where it is centred."""

    x: SSAValue
    axis: int
    epsilon: float
    is_centred: bool


class NormSpelling(NamedTuple):
    """(x - mean) / sqrt(mean of squares + epsilon) * scale + bias, without a mean where it is not centred.

    Attributes:
        scale, bias: of the sizes of the axes from `axis` on; None where there is none.
    """

    x: SSAValue
    axis: int
    epsilon: float
    is_centred: bool
    scale: SSAValue | Array | None
    bias: SSAValue | Array | None

    def sizes(self) -> tuple[int, ...]:
        """Of the axes that are normalised."""
        return tuple(size for size in static_shape(self.x.type)[self.axis :] if size is not None)

    def spelling(self, value: SSAValue, constant: Constant, with_bias: bool) -> Spelling:
        """The op on x, scale and, if it has one, bias: ones and zeros where the model has none."""
        scale = np.ones(self.sizes(), np.float32) if self.scale is None else self.scale
        bias = np.zeros(self.sizes(), np.float32) if self.bias is None else self.bias
        operands = [self.x, scale, bias] if with_bias else [self.x, scale]
        leaves = [operand for operand in operands if isinstance(operand, SSAValue)]
        attributes: Mapping[str, Attribute] = {
            "axis": IntegerAttr(self.axis, i64),
            "epsilon": FloatAttr(self.epsilon, f32),
        }
        return Spelling(operands, attributes, values_between(value, leaves, constant))


def norm_of(value: SSAValue, constant: Constant) -> NormSpelling | None:
    """The normalisation that a value is; None where it is none."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    if op.name == "dnn.add":
        for core, other in (op.operands, op.operands[::-1]):
            found = _scaled(core, constant)
            bias = None if found is None else _row(other, found, constant)
            if found is not None and bias is not None:
                return found._replace(bias=bias)
            shifted = _shifted(core, other, constant)
            if shifted is not None:
                return shifted
        return None
    return _scaled(value, constant)


def _scaled(value: SSAValue, constant: Constant) -> NormSpelling | None:
    """A normalisation with a scale or without one, and with no bias."""
    for squares in _squares_under(value, constant):
        factors = _factors(value, squares.x, constant)
        found = _read(factors, squares, constant)
        if found is not None and found.x.type == value.type:
            return found
    return None


def _read(factors: _Factors, squares: _Squares, constant: Constant) -> NormSpelling | None:
    """The normalisation whose factors these are: what is normalised, over the root, times one row and numbers."""
    heads = [v for v in factors.over if _is_head(v, squares, constant)]
    if not heads:
        return None
    scale = _row_of(_without(factors, heads[0]), squares, constant)
    if isinstance(scale, bool):
        return NormSpelling(*squares, None, None) if scale else None
    return NormSpelling(*squares, scale, None)


def _is_head(value: SSAValue, squares: _Squares, constant: Constant) -> bool:
    if not squares.is_centred:
        return value is squares.x
    centred = _centred(value, constant)
    return centred is not None and centred == (squares.x, squares.axis)


def _row_of(factors: _Factors, squares: _Squares, constant: Constant) -> SSAValue | Array | bool:
    """The row that these factors are beside the root of the squares; True where there is none, False where they are
    something else."""
    number, rows, roots = 1.0, list[SSAValue](), 0
    for value, is_over in (*((v, True) for v in factors.over), *((v, False) for v in factors.under)):
        known = constant(value)
        if known is not None and known.size == 1:
            number = number * known.item() if is_over else number / known.item()
        elif _root(value, constant) == (squares, not is_over):
            roots += 1
        elif is_over:
            rows.append(value)
        else:
            return False
    if roots != 1 or len(rows) > 1 or (rows and number != 1):
        return False
    if not rows:
        return True if number == 1 else np.full(_sizes(squares), number, np.float32)
    row = _row(rows[0], NormSpelling(*squares, None, None), constant)
    return False if row is None else row


def _shifted(core: SSAValue, other: SSAValue, constant: Constant) -> NormSpelling | None:
    """x * a + (bias - mean * a), where a is the scale over the root."""
    op = other.owner
    if not isinstance(op, Operation) or op.name != "dnn.sub":
        return None
    for squares in _squares_under(core, constant):
        if not squares.is_centred:
            continue
        left, right = (_factors(value, squares.x, constant) for value in (core, op.operands[1]))
        means = [v for v in right.over if _mean(v, constant) == (squares.x, squares.axis)]
        if squares.x not in left.over or not means:
            continue
        ours, theirs = _without(left, squares.x), _without(right, means[0])
        scale = _row_of(ours, squares, constant)
        if scale is False or not _are_alike(ours, theirs):
            continue
        found = NormSpelling(*squares, None if scale is True else scale, None)
        bias = _row(op.operands[0], found, constant)
        if bias is not None and found.x.type == core.type:
            return found._replace(bias=bias)
    return None


def _without(factors: _Factors, value: SSAValue) -> _Factors:
    """The factors but for one."""
    number = list(factors.over).index(value)
    return _Factors([v for k, v in enumerate(factors.over) if k != number], factors.under)


def _are_alike(a: _Factors, b: _Factors) -> bool:
    return all(sorted(map(id, x)) == sorted(map(id, y)) for x, y in zip(a, b, strict=True))


def _factors(value: SSAValue, x: SSAValue | None, constant: Constant) -> _Factors:
    """The factors of a value; x is one."""
    over, under = list[SSAValue](), list[SSAValue]()
    waiting = [(value, True)]
    while waiting:
        factor, is_over = waiting.pop()
        op = factor.owner
        name = op.name if isinstance(op, Operation) and len(over) + len(under) < MOST_FACTORS else ""
        if name not in ("dnn.mul", "dnn.div", "dnn.reciprocal") or factor is x or constant(factor) is not None:
            (over if is_over else under).append(factor)
            continue
        assert isinstance(op, Operation)
        if name == "dnn.reciprocal":
            waiting.append((op.operands[0], not is_over))
        else:
            waiting += [(op.operands[1], is_over == (name == "dnn.mul")), (op.operands[0], is_over)]
    return _Factors(over, under)


def _squares_under(value: SSAValue, constant: Constant) -> Iterator[_Squares]:
    """The squares by whose root a value is divided."""
    factors = _factors(value, None, constant)
    for factor, is_over in (*((v, True) for v in factors.over), *((v, False) for v in factors.under)):
        root = _root(factor, constant)
        if root is not None and root[1] is not is_over:
            yield root[0]


def _root(value: SSAValue, constant: Constant) -> tuple[_Squares, bool] | None:
    """The squares whose root a value is, or (False) one over their root."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    power = 0.5 if op.name == "dnn.sqrt" else None
    if op.name == "dnn.pow":
        exponent = constant(op.operands[1])
        power = None if exponent is None or exponent.size != 1 else exponent.item()
    squares = _squares(op.operands[0], constant) if power in (0.5, -0.5) else None
    return None if squares is None else (squares, power == 0.5)


def _squares(value: SSAValue, constant: Constant) -> _Squares | None:
    """The mean of squares plus epsilon that a value is."""
    op, epsilon = value.owner, 0.0
    line = op.affine(constant) if isinstance(op, AffineBase) else None
    if line is not None and line.shift.size == line.factor.size == 1 and line.factor.item() == 1:
        assert isinstance(op, Operation)
        value, epsilon = op.operands[line.operand], line.shift.item()
    if epsilon < 0:
        return None
    mean = _mean(value, constant) or _mean(value, constant, "dnn.reduce_sum_square")
    if mean is None:
        return _difference(value, epsilon, constant)
    squared = [mean[0]] * 2 if _is_named(value, "dnn.reduce_sum_square", constant) else _square(mean[0], constant)
    if squared is None:
        return None
    centred = [_centred(v, constant) for v in squared]
    if centred[0] is not None and centred[0] == centred[1]:
        x, axis = centred[0]
        return _Squares(x, axis, epsilon, True) if axis == mean[1] else None
    return _Squares(squared[0], mean[1], epsilon, False) if squared[0] is squared[1] else None


def _difference(value: SSAValue, epsilon: float, constant: Constant) -> _Squares | None:
    """The variance as the mean of squares less the square of the mean."""
    op = value.owner
    if not isinstance(op, Operation) or op.name != "dnn.sub":
        return None
    mean, squared = _mean(op.operands[0], constant), _square(op.operands[1], constant)
    of = None if mean is None else _square(mean[0], constant)
    if mean is None or squared is None or of is None or of[0] is not of[1]:
        return None
    wanted = (of[0], mean[1])
    return _Squares(*wanted, epsilon, True) if all(_mean(v, constant) == wanted for v in squared) else None


def _square(value: SSAValue, constant: Constant) -> Sequence[SSAValue] | None:
    """The two factors whose product a value is: of a power of two the base, twice."""
    op = value.owner
    if isinstance(op, Operation) and op.name == "dnn.mul":
        return op.operands
    if isinstance(op, Operation) and op.name == "dnn.pow":
        exponent = constant(op.operands[1])
        return [op.operands[0]] * 2 if exponent is not None and exponent.size == 1 and exponent.item() == 2 else None
    return None


def _centred(value: SSAValue, constant: Constant) -> tuple[SSAValue, int] | None:
    """What a value is less its mean along the axes from one on, and that axis."""
    op = value.owner
    if not isinstance(op, Operation) or op.name != "dnn.sub":
        return None
    mean = _mean(op.operands[1], constant)
    return mean if mean is not None and mean[0] is op.operands[0] else None


def _is_named(value: SSAValue, name: str, constant: Constant) -> bool:
    """Whether a value is the op's result, or a number times it."""
    op = value.owner
    line = op.affine(constant) if isinstance(op, AffineBase) else None
    if line is not None and isinstance(op, Operation):
        op = op.operands[line.operand].owner
    return isinstance(op, Operation) and op.name == name


def _mean(value: SSAValue, constant: Constant, sums: str = "dnn.reduce_sum") -> tuple[SSAValue, int] | None:
    """The value whose mean along all axes from one on this is, and that axis: a mean, or a sum over its elements."""
    op, factor = value.owner, 1.0
    line = op.affine(constant) if isinstance(op, AffineBase) else None
    if line is not None and line.factor.size == line.shift.size == 1 and line.shift.item() == 0:
        assert isinstance(op, Operation)
        factor, op = line.factor.item(), op.operands[line.operand].owner
    if not isinstance(op, ReduceBase) or op.name not in ("dnn.reduce_mean", sums) or not integer(op.keepdims, 0):
        return None
    shape = static_shape(op.x.type)
    axes = op.reduced_axes(len(shape))
    if not axes or axes != tuple(range(axes[0], len(shape))) or None in shape[axes[0] :]:
        return None
    count = prod(size for size in shape[axes[0] :] if size is not None)
    share = 1.0 if op.name == "dnn.reduce_mean" else 1 / max(count, 1)
    return (op.x, axes[0]) if close(factor, share) else None


def _sizes(squares: _Squares) -> tuple[int, ...]:
    return NormSpelling(*squares, None, None).sizes()


def _row(value: SSAValue, norm: NormSpelling, constant: Constant) -> SSAValue | Array | None:
    """A value as one element for each that is normalised together; None where it has others, or reads x."""
    sizes, shape = norm.sizes(), static_shape(value.type)
    if shape == sizes:
        return value
    known = constant(value)
    if known is None or known.ndim > len(static_shape(norm.x.type)):
        return None
    wide = (1,) * (len(sizes) - known.ndim) + known.shape
    first = len(wide) - len(sizes)
    fits = all(size == 1 for size in wide[:first])
    if not fits or any(a not in (1, b) for a, b in zip(wide[first:], sizes, strict=True)):
        return None
    return np.ascontiguousarray(np.broadcast_to(known.reshape(wide[first:]), sizes), np.float32)
