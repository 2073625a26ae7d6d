"""Products that are a Gelu, which exporters write as x * 0.5 * (1 + erf(x / sqrt(2))): one op, for which oneDNN has a
primitive, and whose result may lie over x. What the product was made from is dead then, if nothing else reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose, sqrt

from xdsl.ir import Operation, SSAValue

from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder, plain

FARTHEST = 4
"""Products that are followed back from one to its factors."""
CLOSE = 1e-6
"""How far constants may be from those of the formula, relatively: they are rounded to f32."""


def _mul(b: OnnxBuilder, node: GraphNode) -> SSAValue | Sequence[SSAValue]:
    x = _gelu_operand(b, [node.input(0), node.input(1)])
    return plain("mul")(b, node) if x is None else b.op("gelu", [x], node)


def _gelu_operand(b: OnnxBuilder, operands: list[SSAValue]) -> SSAValue | None:
    """The x of which a product of these is the Gelu, of the same shape; None if it is none."""
    scale, factors = 1.0, list[SSAValue]()
    for factor in _factors(operands, FARTHEST):
        number = _number(b, factor)
        if number is None:
            factors.append(factor)
        else:
            scale *= number
    if len(factors) != 2 or not isclose(scale, 0.5, rel_tol=CLOSE):
        return None
    for x, other in (factors, factors[::-1]):
        if b.dtype(x) == "f32" and x.type == other.type and _is_one_plus_erf_of(b, other, x):
            return x if all(_keeps_shape(b, operand, x) for operand in operands) else None
    return None


def _factors(values: list[SSAValue], depth: int) -> Iterator[SSAValue]:
    for value in values:
        operands = _operands(value, "mul")
        if operands is not None and depth:
            yield from _factors(operands, depth - 1)
        else:
            yield value


def _is_one_plus_erf_of(b: OnnxBuilder, value: SSAValue, x: SSAValue) -> bool:
    """Whether the value is 1 + erf(x / sqrt(2))."""
    for term, one in _both_orders(_operands(value, "add")):
        operands = _operands(term, "erf")
        if operands is not None and _number(b, one) == 1.0:
            return _is_scaled(b, operands[0], x)
    return False


def _is_scaled(b: OnnxBuilder, value: SSAValue, x: SSAValue) -> bool:
    """Whether the value is x / sqrt(2), as a quotient or as a product."""
    quotient = _operands(value, "div")
    if quotient is not None:
        number = _number(b, quotient[1])
        return quotient[0] is x and number is not None and isclose(number, sqrt(2), rel_tol=CLOSE)
    for factor, scale in _both_orders(_operands(value, "mul")):
        number = _number(b, scale)
        if factor is x and number is not None:
            return isclose(number, sqrt(0.5), rel_tol=CLOSE)
    return False


def _operands(value: SSAValue, kind: str) -> list[SSAValue] | None:
    """The operands of the op that makes the value, if it is `dnn.<kind>`."""
    op = value.owner
    return list(op.operands) if isinstance(op, Operation) and op.name == f"dnn.{kind}" else None


def _both_orders(operands: list[SSAValue] | None) -> list[list[SSAValue]]:
    return [] if operands is None else [operands, operands[::-1]]


def _number(b: OnnxBuilder, value: SSAValue) -> float | None:
    """The only element of a constant."""
    numbers = b.numbers(value)
    return None if numbers is None or numbers.size != 1 else float(numbers.item())


def _keeps_shape(b: OnnxBuilder, operand: SSAValue, x: SSAValue) -> bool:
    return operand.type == x.type or (_number(b, operand) is not None and b.rank(operand) <= b.rank(x))


HANDLERS = {"Mul": _mul}
