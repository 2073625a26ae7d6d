"""Ops that compute each element from the elements at the same place of one operand; the base of all such ops."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.affine import Affine, AffineBase
from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    all_f32,
    engines,
    integer,
    is_float,
    need_float,
    need_number,
    number,
    on_cpu_alone,
    scalar,
)
from lastuse.dialect.dnn.base import Array, DnnOp, OneOperandBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import blockwise
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.map_program import MapProgram
from lastuse.dialect.dnn.map_tracing import NotTraceable, traced
from lastuse.dialect.dnn.spelt_out import BoundedLine, BoundsBase
from lastuse.dialect.ir.tensor_types import MAX_CONTENT, Content, Dim, Shape, TensorInfo, numpy_dtype
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive
from lastuse.dialect.onednn.primitives.post_ops import PostOp, eltwise_post_op
from lastuse.dialect.storage.contract import Backward, Contract, Engine, InPlace

READS_OPERAND = Backward(operands=frozenset({0}))
READS_RESULT = Backward(results=frozenset({0}))
READS_NOTHING = Backward()


class ElementwiseBase(DnnOp):
    """One result, each element of it from the elements at the same place of the operands (numpy broadcasting).

    In place over any operand of the result's element type, whatever the others are: a block is read before it is
    written. Holds for kernels of ours, in numpy and of the runtime; ops that oneDNN computes too declare their own.
    """

    EXACT: ClassVar[bool] = False
    """Every kernel of every engine gives the same bits (IEEE-exact or a selection), so strides are allowed. NaNs count
    as one."""
    BACKWARD: ClassVar[Backward | None] = READS_OPERAND
    CHEAP: ClassVar = True

    @abstractmethod
    def compute(self, *operands: Array) -> Array:
        """The result for operands that broadcast; warnings about infinities and NaN are off."""

    def post_op(self) -> PostOp | None:
        """What oneDNN calls the op as a post-op, on f32, where operand 0 is the value so far and operand 1, if there is
        one, broadcasts to it; None where it is none."""
        return None

    def storage(self) -> Contract:
        fitting = [k for k in range(len(self.operands)) if self.operand_type(k).dtype == self.result_type().dtype]
        over = tuple(InPlace(0, k, allow_same_operand=True) for k in fitting)
        return Contract(over, strided=True, backward=self.BACKWARD, engines=engines(self))

    def is_rowwise(self) -> bool:
        return True

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        if "axis" in self.get_irdl_definition().attributes:
            return None  # the class says what becomes of it
        return TransposedForm(self.attributes, frozenset(range(len(self.operands))))

    def ignores_unit_axes(self, axes: Sequence[int]) -> bool:
        return "axis" not in self.get_irdl_definition().attributes

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        with np.errstate(all="ignore"):
            return (np.asarray(self.compute(*operands)),)

    def element(self, *operands: Dim) -> Dim | None:
        """One element of the result, of elements that are integers or polynomials over unknown sizes, which are
        not negative. None where it is not known; asked where an operand has a polynomial."""
        return None

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        (content,) = super().contents(operands)
        known = [info.content for info in operands if info.content is not None]
        if content is not None or len(known) < len(operands) or any(isinstance(e, float) for c in known for e in c):
            return (content,)
        (result,) = self.infer([info._replace(content=None) for info in operands])
        if not all(isinstance(size, int) for size in result.shape) or prod(result.known) > MAX_CONTENT:  # pyright: ignore
            return (None,)
        arrays = [_objects(info, result.known) for info in operands]
        elements = [self.element(*row) for row in zip(*(a.ravel().tolist() for a in arrays), strict=True)]
        return (None if any(e is None for e in elements) else tuple(e for e in elements if e is not None),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        blockwise(self.compute, operands, results[0])

    def map_program(self) -> MapProgram | None:
        """What the runtime's `map` kernel computes for this op, as `compute` says it; None where it has no instructions
        for that."""
        operands = tuple(self.operand_type(k).dtype for k in range(len(self.operands)))
        stated = frozenset((k, v) for k, v in self.attributes.items() if "." not in k)
        key = (type(self), stated, operands, self.result_type().dtype)
        if key not in _PROGRAMS:
            if len(_PROGRAMS) >= KEPT:
                _PROGRAMS.clear()
            _PROGRAMS[key] = self._traced(operands, self.result_type().dtype)
        return _PROGRAMS[key]

    def _traced(self, operands: Sequence[str], result: str) -> MapProgram | None:
        try:
            return traced(self.compute, [numpy_dtype(dtype) for dtype in operands], numpy_dtype(result))
        except NotTraceable:
            return None

    def is_faster_alone(self, elements: Dim) -> bool:
        """Whether oneDNN computes the op on so many elements faster than the `map` kernel does as part of a map: a
        function such as tanh takes it half the time (AVX-512)."""
        few = isinstance(elements, int) and elements <= FEW_ELEMENTS
        program = None if few or self.primitive() is None else self.map_program()
        return program is not None and program.has_functions

    def native_kernel(self) -> str | None:
        return None if self.map_program() is None else "map"

    def native_numbers(self) -> Sequence[float]:
        program = self.map_program()
        return [] if program is None else program.numbers()

    def engine(self) -> Engine | None:
        if self.primitive() is None and self.native_kernel() is not None:
            return Engine.NATIVE
        return super().engine()


_PROGRAMS: dict[tuple[object, ...], MapProgram | None] = {}
KEPT = 1024
"""Programs that are kept; they depend on the types of elements and on attributes alone."""
FEW_ELEMENTS = 2048
"""Up to so many elements a step takes about as long as a call of oneDNN, whatever function it computes."""


def _objects(info: TensorInfo, shape: Shape) -> Array:
    """The content of an operand as an array of Python objects that is broadcast to `shape`."""
    array = np.empty(len(info.content or ()), object)
    array[:] = info.content
    return np.broadcast_to(array.reshape(info.known), shape)  # pyright: ignore


class UfuncBase(ElementwiseBase):
    """One numpy function of all operands, computed straight into its place where it makes the result's element type."""

    UFUNC: ClassVar[np.ufunc]

    def compute(self, *operands: Array) -> Array:
        return self.UFUNC(*operands)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        if self.UFUNC.resolve_dtypes((*(a.dtype for a in operands), None))[-1] != results[0].dtype:
            return super().kernel(operands, results, scratch)
        with np.errstate(all="ignore"):
            self.UFUNC(*operands, out=results[0])


class UnaryBase(OneOperandBase, ElementwiseBase):
    """y = f(x): one operand, one result of its shape and element type. In place over x on every engine."""

    INTEGERS: ClassVar[bool] = False
    """Whether elements may be integers too."""
    ELTWISE: ClassVar[EltwisePrimitive | None] = None

    def storage(self) -> Contract:
        strided = self.EXACT or on_cpu_alone(self)
        return Contract((InPlace(0, 0),), strided=strided, backward=self.BACKWARD, engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (need_number if self.INTEGERS else need_float)(operands[0])
        return (operands[0],)

    def primitive(self) -> Primitive | None:
        return self.eltwise() if all_f32(self) else None

    def eltwise(self) -> EltwisePrimitive | None:
        """The oneDNN primitive for f32."""
        return self.ELTWISE

    def post_op(self) -> PostOp | None:
        function = self.eltwise() if all_f32(self) else None
        return None if function is None else eltwise_post_op(function)


class UnaryUfuncBase(UnaryBase, UfuncBase):
    """y = ufunc(x). numpy may round otherwise at strides than in contiguous memory, so an op that is not exact is
    computed in contiguous blocks."""

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        if self.EXACT or all(a.flags.c_contiguous for a in (operands[0], results[0])):
            return super().kernel(operands, results, scratch)
        blockwise(self.compute, operands, results[0], contiguous=True)


class UnaryKernelBase(UnaryBase):
    """y = f(x) in several steps, each computed straight into the place of y."""

    @abstractmethod
    def write(self, x: Array, y: Array) -> None:
        """Writes f(x) to y, which may be x; warnings about infinities and NaN are off."""

    def compute(self, *operands: Array) -> Array:
        result = np.empty_like(operands[0])
        self.write(operands[0], result)
        return result

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        with np.errstate(all="ignore"):
            self.write(operands[0], results[0])


def negate(x: Array, out: Array) -> None:
    """-x into `out`, which may be x. Not by np.negative: numpy 2 writes wrong elements where both lie at a stride of 16
    bytes (f32) or 64 (f64)."""
    if out.dtype.kind in "iu":
        np.subtract(out.dtype.type(0), x, out=out)
    else:
        np.multiply(x, out.dtype.type(-1), out=out)


@irdl_op_definition
class ExpOp(UnaryUfuncBase, DifferentiableBase):
    """e to the power x, element by element.

    y has the shape and floating-point type of x. On oneDNN NaN gives infinity. ONNX Exp.
    """

    name = "dnn.exp"
    ELTWISE: ClassVar = EltwisePrimitive("exp")
    UFUNC: ClassVar = np.exp
    BACKWARD: ClassVar = READS_RESULT

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", dy, self.y),)


@irdl_op_definition
class SqrtOp(UnaryUfuncBase, DifferentiableBase):
    """Square root, element by element. y has the shape and floating-point type of x. ONNX Sqrt."""

    name = "dnn.sqrt"
    ELTWISE: ClassVar = EltwisePrimitive("sqrt")
    EXACT: ClassVar = True
    UFUNC: ClassVar = np.sqrt
    BACKWARD: ClassVar = READS_RESULT

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("div", builder.scaled(dy, 0.5), self.y),)


@irdl_op_definition
class AbsOp(UnaryUfuncBase, DifferentiableBase):
    """|x|, element by element. y has the shape and element type of x, floating-point or integers. ONNX Abs."""

    name = "dnn.abs"
    ELTWISE: ClassVar = EltwisePrimitive("abs")
    EXACT: ClassVar = True
    INTEGERS: ClassVar = True
    UFUNC: ClassVar = np.abs

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", dy, builder.emit("sign", self.x)),)


@irdl_op_definition
class NegOp(UnaryKernelBase, DifferentiableBase):
    """-x, element by element. y has the shape and element type of x, floating-point or integers. ONNX Neg.

    oneDNN's linear(-1, 0) would give 0 for x = 0, where the sign says -0: so this op runs on the cpu engine alone.
    """

    name = "dnn.neg"
    EXACT: ClassVar = True
    INTEGERS: ClassVar = True
    BACKWARD: ClassVar = READS_NOTHING

    def element(self, *operands: Dim) -> Dim | None:
        return 0 - operands[0]

    def write(self, x: Array, y: Array) -> None:
        negate(x, y)  # np.negative also turns the sign of NaN, a product does not

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("neg", dy),)


@irdl_op_definition
class ClipOp(UnaryKernelBase, DifferentiableBase, BoundsBase):
    """x brought between `min` and `max`, element by element; a missing bound does not bind.

    y has the shape and element type of x, floating-point or integers. NaN gives `min`, or else `max`, which is what
    oneDNN's clip gives. Where min > max, all is max. The gradient is 0 at a bound. ONNX Clip, which leaves NaN open.
    """

    name = "dnn.clip"
    BACKWARD: ClassVar = READS_RESULT
    EXAMPLE: ClassVar = "{max = 6.0 : f32, min = 0.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    INTEGERS: ClassVar = True
    low = opt_attr_def(NUMBER, attr_name="min")
    high = opt_attr_def(NUMBER, attr_name="max")

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        for bound in (self.low, self.high):
            if bound is not None:
                scalar(number(bound, 0), operands[0].dtype)
        return super().infer(operands)

    def write(self, x: Array, y: Array) -> None:
        source = x
        for bound, ufunc in ((self.low, np.fmax), (self.high, np.fmin)):  # they drop NaN
            if bound is not None:
                ufunc(source, y.dtype.type(number(bound, 0)), out=y)
                source = y
        if source is x:
            np.copyto(y, x)

    def bounded_line(self) -> BoundedLine:
        low, high = number(self.low, -math.inf), number(self.high, math.inf)
        return BoundedLine(low=min(low, high), high=high)

    def eltwise(self) -> EltwisePrimitive | None:
        if self.low is None or self.high is None:
            return None
        return EltwisePrimitive("clip", float(number(self.low, 0)), float(number(self.high, 0)))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("clip_grad", self.y, dy, min=self.low, max=self.high),)


@irdl_op_definition
class ScaleOp(UnaryKernelBase, DifferentiableBase, AffineBase):
    """scale * x + bias, or scale * (x + bias) where `bias_after_scale` is false, element by element.

    `scale`: default 1, `bias`: default 0, `bias_after_scale`: default true. y has the shape and element type of x,
    floating-point or integers; for integers both numbers must be integers. Paddle's scale.
    """

    name = "dnn.scale"
    EXAMPLE: ClassVar = "{bias = 1.0 : f32, scale = 0.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    INTEGERS: ClassVar = True
    BACKWARD: ClassVar = READS_NOTHING
    factor = opt_attr_def(NUMBER, attr_name="scale")
    bias = opt_attr_def(NUMBER)
    bias_after_scale = opt_attr_def(INTEGER)

    def _numbers(self) -> tuple[float | int, float | int, bool]:
        return number(self.factor, 1), number(self.bias, 0), bool(integer(self.bias_after_scale, 1))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if not is_float(operands[0].dtype):
            for value in self._numbers()[:2]:
                scalar(value, operands[0].dtype)
        return super().infer(operands)

    def write(self, x: Array, y: Array) -> None:
        factor, bias, after = self._numbers()
        if after:
            np.multiply(x, y.dtype.type(factor), out=y)
            np.add(y, y.dtype.type(bias), out=y)
        else:
            np.add(x, y.dtype.type(bias), out=y)
            np.multiply(y, y.dtype.type(factor), out=y)

    def affine(self, constant: Callable[[SSAValue], Array | None]) -> Affine:
        factor, bias, after = self._numbers()
        return Affine(0, np.asarray(float(factor)), np.asarray(float(bias if after else factor * bias)))

    def eltwise(self) -> EltwisePrimitive:
        factor, bias, after = self._numbers()
        return EltwisePrimitive("linear", float(factor), float(bias if after else factor * bias))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.scaled(dy, float(self._numbers()[0])),)
