"""Matrix products. An Einsum of two operands is one between views; one of a single operand is a sum and a transpose."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.dialect.dnn.einsum import Axes, Equation, equation_of
from lastuse.dialect.ir.tensor_types import Dim, product
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain


def _einsum(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    operands = [node.input(k) for k in range(len(node.inputs))]
    text = node.attributes["equation"]
    equation = equation_of(text, [b.rank(operand) for operand in operands])
    plain_axes = all(len(set(axes)) == len(axes) for axes in equation.operands)
    if len(operands) == 1 and plain_axes:
        return _Terms(b, node, equation).transposed(operands[0], equation.operands[0], equation.result, "")
    if len(operands) == 2 and plain_axes and b.dtype(operands[0]) != "bf16":
        product_of = _Terms(b, node, equation).product(operands)
        if product_of is not None:
            return product_of
    return b.op("einsum", operands, node, {"equation": text})


class _Terms:
    """An Einsum, axis by axis."""

    def __init__(self, b: OnnxBuilder, node: GraphNode, equation: Equation) -> None:
        self.b, self.node, self.equation = b, node, equation

    def transposed(self, x: SSAValue, axes: Axes, wanted: Axes, step: str) -> SSAValue:
        """x with the axes `wanted`, in their order; it is summed along all others."""
        summed = [k for k, name in enumerate(axes) if name not in wanted]
        kept = [name for name in axes if name in wanted]
        turned = kept != list(wanted)
        if summed:
            x = self.b.op("reduce_sum", [x], self.node, {"axes": summed}, step=f"{step}sum" if turned else step)
        if turned:
            x = self.b.op("transpose", [x], self.node, {"perm": [kept.index(name) for name in wanted]}, step=step)
        return x

    def product(self, operands: Sequence[SSAValue]) -> SSAValue | None:
        """The product of matrices that the Einsum is; None where sizes of shared axes may differ, or several unknown
        ones would become one."""
        (left, right), result = self.equation.operands, self.equation.result
        sizes: dict[str, Dim] = {}
        for axes, operand in zip((left, right), operands, strict=True):
            for name, size in zip(axes, self.b.shape(operand), strict=True):
                if sizes.setdefault(name, size) != size:
                    return None
        shared = [name for name in left if name in right]
        batch = tuple(name for name in result if name in shared)
        summed = tuple(name for name in shared if name not in result)
        rows = tuple(name for name in result if name in left and name not in right)
        columns = tuple(name for name in result if name in right and name not in left)
        if not summed and not (rows or columns):
            return None  # a product of elements
        if any(sum(not isinstance(sizes[n], int) for n in part) > 1 for part in (rows, columns, summed)):
            return None

        def matrices(operand: SSAValue, axes: Axes, down: Axes, along: Axes, step: str) -> SSAValue:
            turned = self.transposed(operand, axes, (*batch, *down, *along), f"{step} in order")
            return self._reshaped(turned, [sizes[n] for n in batch], sizes, (down, along), step)

        name = self.b.names_of(self.node, 1)[0]
        a = matrices(operands[0], left, rows, summed, "left")
        c = matrices(operands[1], right, summed, columns, "right")
        shape, order = [sizes[n] for n in (*batch, *rows, *columns)], (*batch, *rows, *columns)
        y = self.b.op("matmul", [a, c], self.node, step="" if self._is_plain(rows, columns, order) else "product")
        if not self._is_plain(rows, columns, ()):
            y = self.b.reshape(y, shape, name if order == result else f"{name}/parts")
        return y if order == result else self.transposed(y, order, result, "")

    def _is_plain(self, rows: Axes, columns: Axes, order: Axes) -> bool:
        """Whether rows and columns are one axis each, and the order, if there is one, that of the result."""
        return len(rows) == len(columns) == 1 and order in ((), self.equation.result)

    def _reshaped(
        self, x: SSAValue, batch: list[Dim], sizes: dict[str, Dim], parts: tuple[Axes, Axes], step: str
    ) -> SSAValue:
        """x [batch…, down…, along…] as matrices."""
        if len(parts[0]) == len(parts[1]) == 1:
            return x
        shape = [*batch, *(product(sizes[n] for n in part) for part in parts)]
        return self.b.reshape(x, shape, f"{self.b.names_of(self.node, 1)[0]}/{step}")


HANDLERS: dict[str, Handler] = {
    "Det": plain("det"),
    "Einsum": _einsum,
    "Gemm": plain("gemm"),
    "MatMul": plain("matmul"),
}
