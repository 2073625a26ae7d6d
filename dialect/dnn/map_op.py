"""`dnn.map`: several elementwise ops as one, which reads each operand once and keeps no value in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.dnn.attributes import broadcast_all
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, element_type, numpy_dtype, typed
from lastuse.dialect.onednn.kernel_call import CALLEES
from lastuse.dialect.storage.contract import OWN_ENGINES, Contract, InPlace

_OP, _OPERANDS, _TYPE = "op", "operands", "type"
_OWN = frozenset({_OP, _OPERANDS, _TYPE})
LARGEST_MAP = 24
"""Ops of a map that a pass makes: registers of 1,024 elements stay in the cache of a core."""


class MapStage(NamedTuple):
    """One op of a map.

    Attributes:
        op: detached, on single elements.
        operands: of each its number: that of an operand of the map, or behind these that of an earlier stage.
    """

    op: ElementwiseBase
    operands: Sequence[int]

    @property
    def dtype(self) -> str:
        """The element type of what it makes."""
        return typed(self.op.results[0].type).dtype


@irdl_op_definition
class MapOp(ElementwiseBase):
    """Elementwise ops one after the other, on elements at the same place: each operand is read once, and no value in
    between has memory.

    Operands broadcast as in numpy. `body`: the ops in their order, the last of which makes the result:
    `[{op = "dnn.mul", operands = array<i64: 0, 1>, type = f32}, …]` with their attributes. `operands` are numbers: of
    an operand of the map, or, counted behind those, of an earlier op. `type` is the element type of what the op makes.
    Each operand, and each op but the last, is read. The ops are those that the runtime's `map` kernel computes. In
    place over any operand of the type of the result.
    """

    name = "dnn.map"
    EXAMPLE: ClassVar = (
        '{body = [{op = "dnn.mul", operands = array<i64: 0, 1>, type = f32}, '
        '{op = "dnn.tanh", operands = array<i64: 2>, type = f32}]} '
        ": (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"
    )
    BACKWARD: ClassVar = None

    inputs = var_operand_def(TensorType)
    y = result_def(TensorType)
    body_ops = attr_def(ArrayAttr, attr_name="body")

    def stages(self) -> Sequence[MapStage]:
        """The ops; raises ValueError where the body is none."""
        return _stages(self.body_ops, tuple(self.operand_type(k).dtype for k in range(len(self.operands))))

    def storage(self) -> Contract:
        fitting = [k for k in range(len(self.operands)) if self.operand_type(k).dtype == self.result_type().dtype]
        return Contract(
            tuple(InPlace(0, k, allow_same_operand=True) for k in fitting), strided=True, engines=OWN_ENGINES
        )

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        stages = _stages(self.body_ops, tuple(info.dtype for info in operands))
        if self.map_program() is None:
            raise ValueError("the runtime has no instructions for an op of the body, or for its element types")
        shape = broadcast_all(operands)
        values = [info._replace(content=None) for info in operands]
        for stage in stages:
            ins = [values[number] for number in stage.operands]
            known = all(None not in info.shape for info in ins)
            made = stage.op.infer(ins)[0].shape if known else (None,)
            values.append(TensorInfo(made, stage.dtype))
        return (TensorInfo(shape if None in values[-1].shape else values[-1].shape, values[-1].dtype),)

    def compute(self, *operands: Array) -> Array:
        values = list(operands)
        for stage in self.stages():
            made = stage.op.compute(*(values[number] for number in stage.operands))
            values.append(made.astype(numpy_dtype(stage.dtype)))
        return values[-1]

    def element(self, *operands: Dim) -> Dim | None:
        values: list[Dim] = list(operands)
        for stage in self.stages():
            made = stage.op.element(*(values[number] for number in stage.operands))
            if made is None:
                return None
            values.append(made)
        return values[-1]


def map_of(group: Sequence[ElementwiseBase], operands: Sequence[SSAValue]) -> MapOp:
    """The map that computes what the last op of a group makes, with the names of that one, not yet in a block.

    Args:
        group: in an order in which each op stands behind those whose results it reads.
        operands: what the group reads, each once.
    """
    numbers = {value: number for number, value in enumerate((*operands, *(op.results[0] for op in group)))}
    body = ArrayAttr([_entry(op, [numbers[value] for value in op.operands]) for op in group])
    made = group[-1].replacement(MapOp, operands, {"body": body})
    assert isinstance(made, MapOp)
    return made


def joins_maps(op: ElementwiseBase) -> bool:
    """Whether the op may be one of a map."""
    return not isinstance(op, MapOp) and op.map_program() is not None and not _OWN & set(op.attributes)


def _entry(op: ElementwiseBase, operands: Sequence[int]) -> DictionaryAttr:
    stated = {name: value for name, value in op.attributes.items() if "." not in name}
    numbers = DenseArrayBase.from_list(i64, list(operands))
    type_ = element_type(typed(op.results[0].type).dtype)
    return DictionaryAttr({_OP: StringAttr(op.name), _OPERANDS: numbers, _TYPE: type_, **stated})


@lru_cache(1024)
def _stages(body: ArrayAttr[Attribute], operands: tuple[str, ...]) -> Sequence[MapStage]:
    """The ops of a body on operands of these element types.

    Raises:
        ValueError: the body is none.
    """
    types, stages, read = list(operands), list[MapStage](), set[int]()
    for entry in body.data:
        stage = _stage(entry.data if isinstance(entry, DictionaryAttr) else {}, types)
        read |= set(stage.operands)
        types.append(stage.dtype)
        stages.append(stage)
    if not stages:
        raise ValueError("body: a map has an op")
    unread = set(range(len(types) - 1)) - read
    if unread:
        raise ValueError(f"body: no op reads {_shown(min(unread), len(operands))}")
    return tuple(stages)


def _stage(entry: Mapping[str, Attribute], types: Sequence[str]) -> MapStage:
    name, numbers, type_ = (entry.get(key) for key in (_OP, _OPERANDS, _TYPE))
    cls = CALLEES.get(name.data) if isinstance(name, StringAttr) else None
    if cls is None or not issubclass(cls, ElementwiseBase) or cls is MapOp:
        raise ValueError(f"body: {name} is no elementwise op")
    if not isinstance(numbers, DenseArrayBase) or type_ is None:
        raise ValueError(f"body: {cls.name} needs operands and a type")
    read = [int(number) for number in numbers.get_values()]
    if any(not 0 <= number < len(types) for number in read):
        raise ValueError(f"body: {cls.name} reads what is no operand and no earlier op")
    scalars = Block(arg_types=[TensorType(element_type(types[number]), []) for number in read]).args
    attributes = {key: value for key, value in entry.items() if key not in _OWN}
    op = cls.create(operands=scalars, result_types=[TensorType(type_, [])], attributes=attributes)
    try:
        op.verify()
    except VerifyException as error:
        raise ValueError(f"body: {error}") from None
    assert isinstance(op, ElementwiseBase)
    return MapStage(op, read)


def _shown(number: int, operands: int) -> str:
    return f"operand {number}" if number < operands else f"op {number - operands}"
