"""What is computed between dequantize_linear and quantize_linear, computed in integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.byte_table import all_bytes
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.integer_forms import (
    IntegerFactors,
    Requantization,
    RequantizesNumbers,
    SumsIntegers,
    TakesQuantized,
    bias_steps,
    fits,
)
from lastuse.dialect.dnn.quantization import saturated
from lastuse.dialect.dnn.spelt_out import BoundsBase
from lastuse.dialect.dnn.widening import Widening, WidensIntegers
from lastuse.dialect.ir.diagnostics import RemarkKind, op_name, remark
from lastuse.dialect.ir.tensor_types import TensorInfo, element_type, numpy_dtype, typed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.transforms.byte_functions import ByteFunction, byte_functions, is_identity
from lastuse.passes.transforms.constant_folding import (
    constant_elements,
    erase_with_operands,
    fold_constants,
    insert_constant,
)

BIAS_DEPTH = 4
"""Ops behind each other that a bias may be made by, of constants: it is dequantised, and its axes are moved."""


class IntegerRewriter:
    """Rewrites the ops of a function that quantise values."""

    def __init__(self, ctx: Context, func: FuncOp) -> None:
        self._ctx, self._func = ctx, func
        self._sizes: Mapping[SSAValue, TensorInfo] = {}

    def apply(self) -> None:
        quantizing = [op for op in self._func.walk() if isinstance(op, RequantizesNumbers)]
        if not quantizing:
            return
        self._sizes = infer_shapes(self._func)
        self._put_tables(quantizing)
        quantizing = [op for op in quantizing if isinstance(op, DnnOp) and op.parent is not None]
        products = [op for op in self._func.walk() if isinstance(op, SumsIntegers)]
        for op in quantizing:
            assert isinstance(op, DnnOp)
            result = op.requantization()
            if result is not None and not attrs.is_decided(op):
                self._rewrite(op, result)
        for op in products:
            if isinstance(op, DnnOp) and op.parent is not None and _widening_of(op.operands[0]) is not None:
                remark(self._ctx, RemarkKind.REFUSAL, op, f"computed in f32: {self._refusal(op)}")

    def _put_tables(self, quantizing: Sequence[Operation]) -> None:
        """Puts tables in the place of ops that quantise functions of bytes: the last ones first, as what they read is
        then not read any more."""
        functions = byte_functions(self._func)
        for op in reversed(quantizing):
            if not isinstance(op, RequantizesNumbers) or not isinstance(op, DnnOp) or op.parent is None:
                continue
            if op.requantization() is None or attrs.is_decided(op):
                continue
            function = functions.get(op.results[0])
            if function is None:
                continue
            builder = GradientBuilder(Builder(InsertPoint.before(op)), op, self._sizes)
            made = function.root
            if not is_identity(function):
                made = self._table(op, function, builder)
                made.name_hint = op.results[0].name_hint
                kinds = "all bytes are a table" if function.axis is None else "all bytes are a table for each channel"
                remark(self._ctx, RemarkKind.DECISION, op, f"its results for {kinds}")
            self._sizes = builder.sizes
            op.results[0].replace_all_uses_with(made)
            erase_with_operands(op)

    def _table(self, op: DnnOp, function: ByteFunction, builder: GradientBuilder) -> SSAValue:
        if function.axis is None:
            dtype = typed(op.results[0].type).dtype
            table = builder.integers(function.results.tolist(), element_type(dtype))
            return builder.emit("byte_table", function.root, table)
        table = insert_constant(op, np.ascontiguousarray(function.results.T), op.results[0]).y
        table.name_hint, builder.sizes[table] = None, typed(table.type)
        return builder.emit("byte_table", function.root, table, axis=function.axis)

    def _rewrite(self, op: DnnOp, result: Requantization) -> None:
        """Puts what is computed in integers in the place of the op that quantises."""
        value, bounds = op.operands[0], list[BoundsBase]()
        while isinstance(value.owner, BoundsBase) and self._is_bound(value.owner) and _has_one_use(value):
            bounds.append(value.owner)
            value = value.owner.operands[0]
        source = value.owner
        if not isinstance(source, DnnOp) or attrs.is_decided(source):
            return
        limits = [self._limits(bound, result) for bound in bounds]
        if None in limits:
            return
        builder = GradientBuilder(Builder(InsertPoint.before(op)), source, self._sizes)
        made = self._computed(source, value, result, builder)
        if made is None:
            return
        for limit in reversed(limits):
            if limit is not None and limit != _range_of(result):
                made = builder.emit("clip", made, min=limit[0], max=limit[1])
        remark(self._ctx, RemarkKind.DECISION, source, f"computed in integers, up to {op_name(op)}")
        self._sizes = builder.sizes | {made: self._sizes.get(op.results[0], builder.info(made))}
        made.name_hint = op.results[0].name_hint
        op.results[0].replace_all_uses_with(made)
        erase_with_operands(op)

    def _computed(
        self, source: DnnOp, value: SSAValue, result: Requantization, builder: GradientBuilder
    ) -> SSAValue | None:
        """The quantised result of an op, on integers; None where there is none."""
        if not _has_one_use(value) and not isinstance(source, WidensIntegers):
            return None
        widened = _widening_of(value)
        if widened is not None:
            return widened.integers if self._is_same(widened, result) else None
        if isinstance(source, SumsIntegers):
            return None if self._refusal(source) else self._product(source, result, builder)
        if isinstance(source, TakesQuantized):
            return self._quantized(source, result, builder)
        return self._moved(source, result, builder)

    def _quantized(self, op: TakesQuantized, result: Requantization, builder: GradientBuilder) -> SSAValue | None:
        """An op of dequantised values, each of one scale."""
        assert isinstance(op, DnnOp)
        operands = [_widening_of(value) for value in op.operands]
        known = [widened for widened in operands if widened is not None and widened.axis is None]
        return op.on_quantized(known, result, builder) if len(known) == len(operands) else None

    def _refusal(self, op: DnnOp) -> str | None:
        """Why a product is not computed in integers."""
        assert isinstance(op, SumsIntegers)
        factors = [_widening_of(value) for value in op.operands[:2]]
        for value, factor in zip(op.operands, factors, strict=False):
            if factor is None:
                return f"{attrs.display_name(value)} is not dequantised from ui8 or i8 by scales along one axis"
        x, weights = factors
        assert x is not None and weights is not None
        if x.axis is not None:
            return f"{attrs.display_name(op.operands[0])} has more than one scale"
        refusal = op.integer_refusal(x, weights)
        number = op.bias_operand()
        if refusal is not None or number is None:
            return refusal or self._reader_refusal(op)
        bias, steps = _numbers(op.operands[number]), self._steps(x, weights)
        if bias is None or steps is None:
            return "its bias or a scale is no constant"
        size = typed(op.operands[number].type).shape[-1:]
        if bias.size not in (1, *(s for s in size if s is not None)) or not fits(bias_steps(bias.reshape(-1), steps)):
            return "its bias is not one number for each channel that 32 bits hold"
        return self._reader_refusal(op)

    def _reader_refusal(self, op: DnnOp) -> str | None:
        uses = list(op.results[0].uses)
        reader = uses[0].operation if len(uses) == 1 else None
        while isinstance(reader, BoundsBase) and _has_one_use(reader.results[0]):
            reader = next(iter(reader.results[0].uses)).operation
        if not isinstance(reader, RequantizesNumbers) or reader.requantization() is None:
            return "its result is not quantised, by one scale, for all readers"
        return None

    def _product(self, op: DnnOp, result: Requantization, builder: GradientBuilder) -> SSAValue:
        assert isinstance(op, SumsIntegers)
        x, weights = (_widening_of(value) for value in op.operands[:2])
        assert x is not None and weights is not None
        number = op.bias_operand()
        bias = None if number is None else _numbers(op.operands[number])
        steps = self._steps(x, weights)
        if bias is not None:
            channels = builder.known_size(op.operands[number or 0], -1) if bias.ndim else 1
            bias = np.broadcast_to(bias.reshape(-1), (channels,))
        made = op.on_integers(IntegerFactors(x, weights, bias, steps), result, builder)
        for operand in made.owner.operands if isinstance(made.owner, Operation) else ():
            if isinstance(operand.owner, DnnOp) and operand.owner.permutation() is not None:
                fold_constants(operand.owner)
        return made

    def _moved(self, op: DnnOp, result: Requantization, builder: GradientBuilder) -> SSAValue | None:
        """An op that moves elements, or selects the largest of them, on the integers."""
        contract = contract_of(op)
        moves = bool(contract.contributions) and not contract.fill or contract.view_of(0) is not None
        if len(op.results) != 1 or not (moves or op.selects_largest() or _selects(op)):
            return None
        scale = constant_elements(result.scale)
        if scale is None or not scale.reshape(-1)[0] > 0:
            return None
        operands: list[SSAValue] = []
        for value in op.operands:
            widened = _widening_of(value)
            if widened is not None and self._is_same(widened, result):
                operands.append(widened.integers)
            elif typed(value.type).dtype == typed(op.results[0].type).dtype:
                if widened is None or op.selects_largest():
                    return None
                made = _requantized(widened, result, builder)
                if made is None:
                    return None
                operands.append(made)
            else:
                operands.append(value)
        if operands == list(op.operands):
            return None
        attributes = {name: value for name, value in op.attributes.items() if "." not in name}
        old, dtype = op.results[0], typed(result.zero_point.type).dtype
        assert isinstance(old.type, TensorType)
        moved = TensorType(element_type(dtype), old.type.get_shape())
        mover = type(op).create(operands=operands, result_types=[moved], attributes=attributes)
        (made,) = builder.insert(mover).results
        builder.sizes[made] = builder.info(old)._replace(dtype=dtype, content=None)
        return made

    def _steps(self, x: Widening, weights: Widening) -> Array | None:
        """The scales of the sums."""
        scales = [constant_elements(factor.scale) for factor in (x, weights)]
        first, second = scales
        return None if first is None or second is None else first.reshape(-1)[:1] * second.reshape(-1)

    def _is_same(self, widened: Widening, result: Requantization) -> bool:
        """Whether a value has the scale and the zero point that it is quantised with."""
        if widened.axis is not None or typed(widened.integers.type).dtype != typed(result.zero_point.type).dtype:
            return False
        if widened.scale is not result.scale and not _are_equal(widened.scale, result.scale):
            return False
        if widened.zero_point is None:
            zero = constant_elements(result.zero_point)
            return zero is not None and not zero.any()
        return widened.zero_point is result.zero_point or _are_equal(widened.zero_point, result.zero_point)

    @staticmethod
    def _is_bound(op: BoundsBase) -> bool:
        line = op.bounded_line()
        return line is not None and (line.slope, line.shift) == (1.0, 0.0)

    @staticmethod
    def _limits(op: BoundsBase, result: Requantization) -> tuple[int, int] | None:
        """The bounds of an op, quantised; None where the scale or the zero point is no constant."""
        scale, zero = constant_elements(result.scale), constant_elements(result.zero_point)
        line = op.bounded_line()
        if scale is None or zero is None or line is None or not scale.reshape(-1)[0] > 0:
            return None
        least, largest = _range_of(result)
        with np.errstate(all="ignore"):
            steps = np.rint(np.asarray([line.low, line.high], np.float32) / scale.reshape(-1)[0]).astype(np.float64)
        low, high = np.clip(steps + float(zero.reshape(-1)[0]), least, largest)
        return int(low), int(high)


def _selects(op: DnnOp) -> bool:
    """Whether the elements of the result are those of operand 0, wherever other operands say."""
    others = range(1, len(op.operands))
    return isinstance(op, MovesElementsBase) and op.moves(0) and not any(op.moves(k) for k in others)


def _range_of(result: Requantization) -> tuple[int, int]:
    limits = np.iinfo(numpy_dtype(typed(result.zero_point.type).dtype))
    return int(limits.min), int(limits.max)


def _widening_of(value: SSAValue) -> Widening | None:
    """The integers that a value is dequantised from."""
    return value.owner.widening() if isinstance(value.owner, WidensIntegers) else None


def _has_one_use(value: SSAValue) -> bool:
    return len(list(value.uses)) == 1


def _are_equal(a: SSAValue, b: SSAValue) -> bool:
    """Whether two numbers are equal constants."""
    numbers: Sequence[Array | None] = [constant_elements(value) for value in (a, b)]
    first, second = numbers
    return first is not None and second is not None and bool(np.array_equal(first.reshape(-1), second.reshape(-1)))


def _requantized(widened: Widening, result: Requantization, builder: GradientBuilder) -> SSAValue | None:
    """The integers of another scale or zero point, by a table; None where these are no constants."""
    zero = widened.zero_point
    numbers = [constant_elements(value) for value in (widened.scale, *result, *(() if zero is None else (zero,)))]
    if widened.axis is not None or any(number is None for number in numbers):
        return None
    scale, y_scale, y_zero, *x_zero = (number.reshape(-1)[0] for number in numbers if number is not None)
    steps = all_bytes(typed(widened.integers.type).dtype).astype(np.float32) - sum(x_zero, np.float32(0))
    dtype = typed(result.zero_point.type).dtype
    with np.errstate(all="ignore"):
        made = saturated(np.rint(steps * scale / y_scale).astype(np.float64), y_zero, np.iinfo(numpy_dtype(dtype)))
    table = builder.integers(made.astype(np.int64).tolist(), element_type(dtype))
    looked_up = builder.emit("byte_table", widened.integers, table)
    info, op = builder.info(looked_up), looked_up.owner
    constant = fold_constants(op) if isinstance(op, DnnOp) else None
    if constant is None or not isinstance(table.owner, Operation):
        return looked_up
    erase_with_operands(table.owner)
    builder.sizes[constant.y] = info
    return constant.y


def _numbers(value: SSAValue, depth: int = BIAS_DEPTH) -> Array | None:
    """The elements of a constant, or of what up to `depth` ops behind each other make of constants."""
    known = constant_elements(value)
    op = value.owner
    if known is not None or not isinstance(op, DnnOp) or not op.operands or op.regions or len(op.results) != 1:
        return known
    operands: list[Array] = []
    for operand in op.operands if depth else ():
        numbers = _numbers(operand, depth - 1)
        if numbers is None:
            return None
        operands.append(numbers)
    return op.reference(*operands)[0] if operands else None
