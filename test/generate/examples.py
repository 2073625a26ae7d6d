"""How an op is drawn that has no maker of its own: by its class and the example there."""

from __future__ import annotations

from collections.abc import Sequence

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.example import example_of, operand_names
from lastuse.dialect.ir.tensor_types import TensorInfo

from .builder import FLOATS, NUMBERS, Builder, Maker, Value, count_of
from .kernels import broadcast, broadcasting


def maker_of(cls: type[DnnOp]) -> Maker:
    """Draws an elementwise op on operands that broadcast, any other op on operands of the example's types."""
    op = example_of(cls)
    types = [op.operand_type(k) for k in range(len(op.operands))]
    results = [op.result_type(k) for k in range(len(op.results))]
    attributes = cls.EXAMPLE.rsplit(": (", 1)[0].strip().removeprefix("{").removesuffix("}")
    elementwise = issubclass(cls, ElementwiseBase) and len({t.dtype for t in types}) == 1 and _broadcasts(op, types)
    choice = {"f32": FLOATS, "i64": NUMBERS, "i1": ("i1",)}[types[0].dtype] if elementwise else ()
    dtypes = [dtype for dtype in choice if _accepts(op, types, dtype)]

    def make(b: Builder) -> None:
        operands = [_operand(b, op, index) for index in range(len(types))]
        b.append(cls.name[4:], operands, attributes, *((tuple(t.shape), t.dtype) for t in results))

    def make_elementwise(b: Builder) -> None:
        operands = broadcasting(b, b.of(*dtypes), len(types))
        shape, (dtype,) = broadcast(b, [v.shape for v in operands]), {t.dtype for t in results}
        assert shape is not None
        same = dtype == types[0].dtype
        b.emit(cls.name[4:], operands, attributes, (shape, operands[0].dtype if same else dtype))

    return make_elementwise if elementwise else make


def _broadcasts(op: DnnOp, types: Sequence[TensorInfo]) -> bool:
    """Whether any of the operands may be the larger one, and any the smaller one."""
    try:
        for smaller in range(len(types)):
            op.infer([t._replace(shape=() if k == smaller else (2,)) for k, t in enumerate(types)])
    except ValueError:
        return False
    return True


def _accepts(op: DnnOp, types: Sequence[TensorInfo], dtype: str) -> bool:
    try:
        op.infer([TensorInfo(t.shape, dtype) for t in types])
    except ValueError:
        return False
    return True


def _operand(b: Builder, op: DnnOp, index: int) -> Value:
    type_ = op.operand_type(index)
    shape = tuple(d for d in type_.shape if d is not None)
    if operand_names(op)[index] == "offsets":
        rows = (op.result_type() if len(op.operand_type().shape) == 3 else op.operand_type()).shape[0]
        return b.constant(shape, type_.dtype, [rows * k // (shape[0] - 1) for k in range(shape[0])])
    if operand_names(op)[index] == "count":
        return b.constant(shape, type_.dtype, [op.result_type().shape[0]])
    if type_.dtype[0] == "i":
        return b.constant(shape, type_.dtype, [0] * count_of(shape))  # an index into any axis
    return b.pick(lambda v: v.kind == (shape, type_.dtype), type_.dtype, shape)
