"""Matrix products."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    NUMBER,
    agreed,
    all_f32,
    engines,
    integer,
    is_float,
    need_number,
    need_same_dtype,
    number,
    scalar,
)
from lastuse.dialect.dnn.axis_orders import ReordersAxes, changed_attributes, inverse, order_of, stated_order
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.blocked_kernels import BLOCK
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.matmul_base import MatmulLikeBase, Product
from lastuse.dialect.dnn.native_matmul import READS_FACTORS, NativeMatmulBase
from lastuse.dialect.dnn.widening import TakesIntegers, Widening
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, broadcast, static_shape
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.matmul import MatmulPrimitive
from lastuse.dialect.onednn.primitives.post_ops import SUM, PostOp
from lastuse.dialect.storage.contract import Contract, InPlace


@irdl_op_definition
class MatmulOp(NativeMatmulBase, TakesIntegers, ReordersAxes):
    """a @ b, as in numpy: products of the last two axes, the others broadcast.

    A 1-d operand is a row on the left, a column on the right, and its axis goes. `transA`, `transB`: the last two axes
    of that operand, which has 2 or more, are exchanged. Operands of one element type, floating-point or integers.
    `permA`, `permB`: the order of axes in which an operand is read, as `perm` of `dnn.transpose`, before that; `perm`:
    that of the result's. Never in place but over what a post-op adds. `post_ops` as of `dnn.conv`. A kernel of the
    runtime computes batches of f32 matrices, none of them constant, and adds what broadcasts. ONNX MatMul, which has no
    attributes.
    """

    name = "dnn.matmul"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>"
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    rest = var_operand_def(TensorType)
    y = result_def(TensorType)
    trans_a = opt_attr_def(INTEGER, attr_name="transA")
    trans_b = opt_attr_def(INTEGER, attr_name="transB")
    perm_a = opt_attr_def(INTEGERS, attr_name="permA")
    perm_b = opt_attr_def(INTEGERS, attr_name="permB")
    perm = opt_attr_def(INTEGERS)

    def _turned(self) -> tuple[bool, bool]:
        return bool(integer(self.trans_a, 0)), bool(integer(self.trans_b, 0))

    def _orders(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The orders of the axes of both operands and the result; raises ValueError where one is none."""
        values = ((self.perm_a, self.a, "permA"), (self.perm_b, self.b, "permB"), (self.perm, self.y, "perm"))
        a, b, y = (order_of(perm, len(static_shape(value.type)), what) for perm, value, what in values)
        return a, b, y

    def _keeps_order(self) -> bool:
        return self.perm_a is self.perm_b is self.perm is None

    def is_rowwise(self) -> bool:
        if not self._keeps_order() and any(order[:1] != (0,) for order in self._orders()):
            return False
        return not self._turned()[0] or len(self.operand_type().shape) > 2

    def product_orders(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        a, b, y = self._orders()
        a, b = ((*o[:-2], o[-1], o[-2]) if turned else o for o, turned in zip((a, b), self._turned(), strict=True))
        return a, b, y

    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if len(operands) != 2:
            raise ValueError(f"there are {len(operands)} operands besides those of post-ops, 2 are taken")
        need_same_dtype(*operands)
        need_number(operands[0])
        a, b = operands[0].known, operands[1].known
        if not a or not b:
            raise ValueError("operands must have one axis or more")
        a = tuple(a[axis] for axis in order_of(self.perm_a, len(a), "permA"))
        b = tuple(b[axis] for axis in order_of(self.perm_b, len(b), "permB"))
        turn_a, turn_b = self._turned()
        if (turn_a and len(a) == 1) or (turn_b and len(b) == 1):
            raise ValueError("an operand with one axis cannot be transposed")
        a = (*a[:-2], a[-1], a[-2]) if turn_a else a
        b = (*b[:-2], b[-1], b[-2]) if turn_b else b
        agreed(a[-1], b[-2:][0], "the summed axes")
        rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
        batch: tuple[Dim | None, ...] = broadcast(a[:-2], b[:-2])
        made = (*batch, *rows, *columns)
        order = order_of(self.perm, len(made))
        return (TensorInfo(tuple(made[axis] for axis in order), operands[0].dtype),)

    def own_reference(self, *operands: Array) -> Array:
        with np.errstate(all="ignore"):
            y = np.asarray(np.matmul(*self._factors(operands)))
            return y.transpose(order_of(self.perm, y.ndim)).astype(operands[0].dtype, copy=False)

    def own_kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (y,) = results
        with np.errstate(all="ignore"):
            np.matmul(*self._factors(operands), out=y.transpose(inverse(order_of(self.perm, y.ndim))))

    def _factors(self, operands: Sequence[Array]) -> list[Array]:
        stated = zip(operands, (self.perm_a, self.perm_b), self._turned(), strict=True)
        ordered = [(x.transpose(order_of(perm, x.ndim)), turned) for x, perm, turned in stated]
        return [x.swapaxes(-1, -2) if turned else x for x, turned in ordered]

    def product(self) -> Product | None:
        plain = not any(self._turned()) and self._keeps_order() and self.post_ops is None
        return Product(self.a, self.b) if plain else None

    def own_primitive(self, post_ops: tuple[PostOp, ...]) -> Primitive | None:
        if not all_f32(self) or (post_ops and self.perm is not None):
            return None
        if self._keeps_order():
            return MatmulPrimitive(*self._turned(), post_ops=post_ops)
        return MatmulPrimitive(*self._turned(), post_ops=post_ops, orders=self._orders())

    def _is_batched(self) -> bool:
        """Both operands are batches of matrices: no weights, which serve all batches as rows of one matrix."""
        read = zip((self.a, self.b), self._orders(), strict=False)
        a, b = ([static_shape(value.type)[axis] for axis in order[:-2]] for value, order in read)
        return bool(a and b) and (any(size != 1 for size in b) or all(size == 1 for size in a))

    def with_operand_order(self, operand: int, perm: Sequence[int]) -> Mapping[str, Attribute] | None:
        """oneDNN reads matrices at any distances of rows, or of columns, where the other ones have none between."""
        if operand > 1 or not self._is_batched() or self.primitive() is None:
            return None
        order = [perm[axis] for axis in self._orders()[operand]]
        rank, (perm_name, turn_name) = len(order), (("permA", "transA"), ("permB", "transB"))[operand]
        if rank - 1 not in order[-2:]:
            return None
        changed: dict[str, Attribute | None] = {perm_name: stated_order(order)}
        if order == [*range(rank - 2), rank - 1, rank - 2]:
            changed = {perm_name: None, turn_name: None if self._turned()[operand] else IntegerAttr(1, i64)}
        return changed_attributes(self.attributes, changed)

    def with_result_order(self, perm: Sequence[int]) -> Mapping[str, Attribute] | None:
        """oneDNN writes rows at any distances, whose elements have none between."""
        order = [self._orders()[2][axis] for axis in perm]
        if order[-1] != len(order) - 1 or not self._is_batched():
            return None
        if self.post_ops is not None or self.primitive() is None:
            return None
        return changed_attributes(self.attributes, {"perm": stated_order(order)})

    def takes_integers(self, operand: int, widening: Widening) -> bool:
        a, b = (len(self.operand_type(k).shape) for k in range(2))
        plain = self.product() is not None
        return operand == 1 and a > 1 and b == 2 and widening.axis in (None, 1) and plain

    def with_integers(self, widening: Widening, builder: GradientBuilder) -> SSAValue:
        numbers = [v for v in (widening.scale, widening.zero_point) if v is not None]
        rows = [builder.emit("reshape", value, shape=[-1]) for value in numbers]
        return builder.emit("dequantized_matmul", self.a, widening.integers, *rows)

    def turns_columns(self) -> bool | None:
        return None if self._turned()[0] or not self._keeps_order() else self._turned()[1]

    def scaled_channels(
        self, factor: Array, shift: Array, constant: Callable[[SSAValue], Array | None]
    ) -> Mapping[int, Array] | None:
        b = constant(self.b)
        if b is None or b.ndim < 2 or shift.any() or not self._keeps_order():
            return None
        factor = factor[:, None] if self._turned()[1] else factor
        return {1: b.astype(np.float64) * factor}

    def own_gemm(self) -> Mapping[str, Attribute] | None:
        plain = self._keeps_order() and all(len(self.operand_type(k).shape) == 2 for k in range(2))
        return {name: value for name, value in self.attributes.items() if "." not in name} if plain else None

    def own_gradient(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        if not self._keeps_order():
            return self._gradient_in_order(dy, builder)
        a, b = self.a, self.b
        if len(builder.shape(b)) == 1:
            b, dy = builder.emit("unsqueeze", b, axes=[1]), builder.emit("unsqueeze", dy, axes=[-1])
        if len(builder.shape(a)) == 1:
            a, dy = builder.emit("unsqueeze", a, axes=[0]), builder.emit("unsqueeze", dy, axes=[-2])
        da, db = _gradients(a, b, dy, self._turned(), builder)
        return builder.reshaped(da, self.a), builder.reshaped(db, self.b)

    def _gradient_in_order(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """The gradients of the operands as they are read, in the order that they have."""
        *orders, made = self._orders()
        dy = builder.emit("transpose", dy, perm=list(inverse(made)))
        factors = [builder.emit("transpose", x, perm=list(o)) for x, o in zip((self.a, self.b), orders, strict=True)]
        gradients = _gradients(factors[0], factors[1], dy, self._turned(), builder)
        pairs = zip(gradients, orders, strict=True)
        return [builder.emit("transpose", dx, perm=list(inverse(order))) for dx, order in pairs]


def _gradients(
    a: SSAValue, b: SSAValue, dy: SSAValue, turned: tuple[bool, bool], builder: GradientBuilder
) -> tuple[SSAValue, SSAValue]:
    """The gradients of a and b, of a product of matrices, each turned or not.

    Where one b serves all batches, the batches are rows of one matrix: no gradient of each batch is made. An operand
    is read turned: a transpose view of it would be copied.
    """
    kind, rows, steep = "matmul", a, dy
    turn_a, turn_b = turned
    if len(builder.shape(b)) == 2 and not turn_a:
        kind = "gemm"
        rows, steep = (x if len(builder.shape(x)) == 2 else builder.emit("flatten", x, axis=-1) for x in (a, dy))
    if turn_a:
        da = builder.emit(kind, b, steep, transA=turn_b or None, transB=True)
    else:
        da = builder.emit(kind, steep, b, transB=None if turn_b else True)
    if turn_b:
        db = builder.emit(kind, steep, rows, transA=True, transB=turn_a or None)
    else:
        db = builder.emit(kind, rows, steep, transA=None if turn_a else True)
    return builder.reshaped(builder.summed_to(da, rows), a), builder.summed_to(db, b)


@irdl_op_definition
class GemmOp(MatmulLikeBase):
    """alpha * A @ B + beta * C, with A, B transposed where `transA`, `transB` say so.

    Operands: A [M, K] (or [K, M]), B [K, N] (or [N, K]), C (optional), which broadcasts to [M, N]. `alpha`, `beta`:
    default 1, integers for integers. One element type, floating-point or integers. In place over a C of the result's
    shape: on oneDNN by the sum post-op. `post_ops` as of `dnn.conv`.
    ONNX Gemm.
    """

    name = "dnn.gemm"
    EXAMPLE: ClassVar = "{transB = 1 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>"
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    rest = var_operand_def(TensorType)
    y = result_def(TensorType)
    trans_a = opt_attr_def(INTEGER, attr_name="transA")
    trans_b = opt_attr_def(INTEGER, attr_name="transB")
    alpha = opt_attr_def(NUMBER)
    beta = opt_attr_def(NUMBER)

    @property
    def c(self) -> SSAValue | None:
        """What is added."""
        return self.operands[2] if self.own_count > 2 else None

    def _turned(self) -> tuple[bool, bool]:
        return bool(integer(self.trans_a, 0)), bool(integer(self.trans_b, 0))

    def is_rowwise(self) -> bool:
        return not self._turned()[0]

    def own_storage(self) -> Contract:
        over = (InPlace(0, 2),) if self.c is not None else ()
        return Contract(over, backward=READS_FACTORS, engines=engines(self))

    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if not 2 <= len(operands) <= 3:
            raise ValueError(f"there are {len(operands)} operands besides those of post-ops, 2 or 3 are taken")
        need_same_dtype(*operands)
        need_number(operands[0])
        if not is_float(operands[0].dtype):
            for factor in (self.alpha, self.beta):
                scalar(number(factor, 1), operands[0].dtype)
        a, b = operands[0].known, operands[1].known
        if len(a) != 2 or len(b) != 2:
            raise ValueError("A and B must have 2 axes")
        turn_a, turn_b = self._turned()
        rows, summed = reversed(a) if turn_a else a
        other, columns = reversed(b) if turn_b else b
        agreed(summed, other, "the summed axes")
        if len(operands) > 2:
            c = operands[2].known
            if len(c) > 2:
                raise ValueError(f"C must have 2 axes at most, not {len(c)}")
            for size, want in zip(reversed(c), (columns, rows), strict=False):
                if size != 1:
                    agreed(size, want, "C and the product")
        return (TensorInfo((rows, columns), operands[0].dtype),)

    def _factors(self, operands: Sequence[Array]) -> tuple[Array, Array]:
        turn_a, turn_b = self._turned()
        return operands[0].T if turn_a else operands[0], operands[1].T if turn_b else operands[1]

    def _sum(self, a: Array, b: Array, c: Array | None) -> Array:
        """alpha * a @ b + beta * c in new memory."""
        alpha, beta = (a.dtype.type(number(f, 1)) for f in (self.alpha, self.beta))
        product = np.matmul(a, b)
        if alpha != 1:
            np.multiply(product, alpha, out=product)
        if c is not None:
            product += c if beta == 1 else beta * c
        return product

    def own_reference(self, *operands: Array) -> Array:
        a, b = self._factors(operands)
        with np.errstate(all="ignore"):
            return self._sum(a, b, operands[2] if len(operands) > 2 else None).astype(a.dtype, copy=False)

    def own_kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (y,) = results
        a, b = self._factors(operands)
        c = np.broadcast_to(operands[2], y.shape) if len(operands) > 2 else None
        step = max(1, 4 * BLOCK // max(y.shape[1], 1))
        with np.errstate(all="ignore"):
            for start in range(0, y.shape[0], step):  # a block of rows is done before its rows of C are written
                rows = slice(start, start + step)
                np.copyto(y[rows], self._sum(a[rows], b, None if c is None else c[rows]))

    def product(self) -> Product | None:
        plain = not any(self._turned()) and number(self.alpha, 1) == 1 and number(self.beta, 1) == 1
        plain = plain and self.post_ops is None
        return Product(self.a, self.b, self.c) if plain else None

    def own_primitive(self, post_ops: tuple[PostOp, ...]) -> Primitive | None:
        if not all_f32(self) or (self.c is not None and any(post_op.kind == SUM for post_op in post_ops)):
            return None  # both would add what is in the result's memory
        alpha, beta = (float(number(factor, 1)) for factor in (self.alpha, self.beta))
        return MatmulPrimitive(*self._turned(), alpha, beta, post_ops)

    def turns_columns(self) -> bool | None:
        is_scaled = number(self.alpha, 1) != 1 or number(self.beta, 1) != 1
        return None if is_scaled or self._turned()[0] else self._turned()[1]

    def scaled_channels(
        self, factor: Array, shift: Array, constant: Callable[[SSAValue], Array | None]
    ) -> Mapping[int, Array] | None:
        b = constant(self.b)
        c = np.zeros(1) if self.c is None else constant(self.c)
        if b is None or c is None or number(self.beta, 1) != 1:
            return None
        scaled = b.astype(np.float64) * (factor[:, None] if self._turned()[1] else factor)
        return {1: scaled, 2: c.astype(np.float64) * factor + shift}

    def own_gemm(self) -> Mapping[str, Attribute]:
        return {name: value for name, value in self.attributes.items() if "." not in name and name != "beta"}

    def own_gradient(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        turn_a, turn_b = self._turned()
        alpha = float(number(self.alpha, 1))

        def product(a: SSAValue, b: SSAValue, transA: bool, transB: bool) -> SSAValue:
            scale = None if alpha == 1 else alpha
            return builder.emit("gemm", a, b, transA=transA or None, transB=transB or None, alpha=scale)

        da = product(self.b, dy, turn_b, True) if turn_a else product(dy, self.b, False, not turn_b)
        db = product(dy, self.a, True, turn_a) if turn_b else product(self.a, dy, not turn_a, False)
        if self.c is None:
            return da, db
        return da, db, builder.scaled(builder.summed_to(dy, self.c), float(number(self.beta, 1)))

    def part_alone(self, axis: int, start: int, end: int, builder: GradientBuilder) -> SSAValue | None:
        if self.c is not None or self.post_ops is not None:
            return None
        factors, turned = [self.a, self.b], self._turned()
        along = 1 - axis if turned[axis] else axis
        factors[axis] = builder.emit("slice", factors[axis], dim=along, start=start, end=end)
        attributes: dict[str, Any] = dict(self.attributes)
        return builder.emit("gemm", *factors, **attributes)
