"""Sums of products along named axes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import agreed, need_number, need_same_dtype
from lastuse.dialect.dnn.base import Array, CpuOnlyBase, KernelOnlyBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, broadcast
from lastuse.dialect.storage.contract import CPU_ONLY, Backward, Contract

Axes = tuple[str, ...]


class Equation(NamedTuple):
    """The names of the axes of each operand, and of the result. An ellipsis is axes named `.0`, `.1`, … from the last
    one on, so that it fits another one from its end."""

    operands: tuple[Axes, ...]
    result: Axes


def equation_of(text: str, ranks: Sequence[int]) -> Equation:
    """The equation of an einsum of operands with so many axes.

    Raises:
        ValueError: it is malformed, or does not fit the operands.
    """
    plain = text.replace(" ", "")
    left, arrow, right = plain.partition("->")
    terms = left.split(",")
    if any(re.fullmatch(r"[A-Za-z]*(\.\.\.)?[A-Za-z]*", term) is None for term in (*terms, right)):
        raise ValueError(f"equation '{text}' is malformed")
    if len(terms) != len(ranks):
        raise ValueError(f"equation '{text}' is of {len(terms)} operands, not {len(ranks)}")
    operands = tuple(_axes(term, rank - len(term.replace("...", ""))) for term, rank in zip(terms, ranks, strict=True))
    for term, axes, rank in zip(terms, operands, ranks, strict=True):
        if len(axes) != rank:
            raise ValueError(f"'{term}' does not name the {rank} axes of its operand")
    broadcast_axes = max((sum(name[0] == "." for name in axes) for axes in operands), default=0)
    if not arrow:
        counts = Counter(name for axes in operands for name in axes if name[0] != ".")
        right = "..." + "".join(sorted(name for name, count in counts.items() if count == 1))
    result = _axes(right, broadcast_axes)
    given = {name for axes in operands for name in axes}
    if len(set(result)) < len(result) or not set(result) <= given:
        raise ValueError(f"the result of equation '{text}' names an axis twice, or one that no operand has")
    return Equation(operands, result)


def _axes(term: str, ellipsis: int) -> Axes:
    """The names of a term whose ellipsis, if it has one, stands for so many axes."""
    before, dots, behind = term.partition("...")
    middle = [f".{k}" for k in reversed(range(max(0, ellipsis)))] if dots else []
    return (*before, *middle, *behind)


def _dots(axes: Sequence[str]) -> int:
    """How many axes an ellipsis stands for."""
    return sum(name[0] == "." for name in axes)


def _term(axes: Sequence[str]) -> str:
    """The names as an equation has them."""
    letters = [name if name[0] != "." else "..." for name in axes]
    return "".join(name for k, name in enumerate(letters) if name != "..." or name not in letters[:k])


@irdl_op_definition
class EinsumOp(CpuOnlyBase, KernelOnlyBase, DifferentiableBase):
    """The sum of products of the operands along the axes that `equation` names, as numpy's einsum.

    `equation`: names of the axes of each operand, and behind `->` those of the result; an ellipsis stands for axes that
    broadcast. Operands of one element type, floating-point or integers. ONNX Einsum.
    """

    name = "dnn.einsum"
    EXAMPLE: ClassVar = '{equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>'
    inputs = var_operand_def(TensorType)
    y = result_def(TensorType)
    equation = attr_def(StringAttr)

    def storage(self) -> Contract:
        return Contract(backward=Backward(operands=frozenset(range(len(self.operands)))), engines=CPU_ONLY)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if not operands:
            raise ValueError("einsum has at least one operand")
        need_same_dtype(*operands)
        need_number(operands[0])
        equation = equation_of(self.equation.data, [len(x.shape) for x in operands])
        sizes: dict[str, Dim | None] = {}
        for axes, x in zip(equation.operands, operands, strict=True):
            for name, size in zip(axes, x.shape, strict=True):
                sizes[name] = size if name not in sizes else _common(name, sizes[name], size)
        return (TensorInfo(tuple(sizes[name] for name in equation.result), operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (y,) = results
        text = self.equation.data.replace(" ", "")
        with np.errstate(all="ignore"):
            if y.dtype.kind in "iu" or y.dtype.itemsize > 2:
                np.einsum(text, *operands, out=y)
            else:  # sums in f32
                np.copyto(y, np.einsum(text, *(x.astype(np.float32) for x in operands)), casting="unsafe")

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return [self._factor(number, dy, builder) for number in range(len(self.inputs))]

    def _factor(self, number: int, dy: SSAValue, builder: GradientBuilder) -> SSAValue:
        """The gradient of one operand: an einsum of `dy` and the other operands. Axes that no other operand and not
        the result have are repeated."""
        x = self.inputs[number]
        operands, result = equation_of(self.equation.data, [len(builder.shape(v)) for v in self.inputs])
        axes = operands[number]
        others = [(names, v) for k, (names, v) in enumerate(zip(operands, self.inputs, strict=True)) if k != number]
        terms = [(result, dy), *others]
        named = {name for names, _ in terms for name in names}
        dots, most = _dots(axes), max(_dots(names) for names, _ in terms)
        if len(set(axes)) < len(axes) or (dots and dots != most):
            raise LastuseError(f"{self.name} has no gradient of an operand that names an axis twice or lacks one", self)
        kept = [name for name in axes if name in named]
        leading = "..." if most and not dots else ""
        text = f"{','.join(_term(names) for names, _ in terms)}->{leading}{_term(kept)}"
        dx = builder.emit("einsum", *(value for _, value in terms), equation=text)
        if leading:
            dx = builder.emit("reduce_sum", dx, axes=list(range(most)))
        missing = [axis for axis, name in enumerate(axes) if name not in named]
        if missing:
            dx = builder.emit("unsqueeze", dx, axes=missing)
            sizes = builder.known_shape(x)
            shape = [size if axis in missing else 1 for axis, size in enumerate(sizes)]
            dx = builder.emit("expand", dx, shape=shape)
        return builder.summed_to(dx, x)


def _common(name: str, a: Dim | None, b: Dim | None) -> Dim | None:
    """The size of an axis that two operands have."""
    if name[0] != ".":
        return agreed(a, b, f"axis '{name}'")
    return None if a is None or b is None else broadcast((a,), (b,))[0]
