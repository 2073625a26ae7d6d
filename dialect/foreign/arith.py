"""Contracts of `arith` and `math`: element by element on tensors. On scalars, where they mostly stand, they have
nothing to do with memory."""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from lastuse.dialect.foreign.common import CONSTANT, KERNEL, elementwise_of_equal_sizes, is_tensor
from lastuse.dialect.ir.tensor_types import is_integer, item_bytes, typed
from lastuse.dialect.storage.contract import FOREIGN, Contract, Declared, View, supply_contract
from lastuse.dialect.storage.layout import identical


def _constant(op: Operation) -> Contract:
    return CONSTANT if is_tensor(op.results[0]) else FOREIGN


def _bitcast(op: Operation) -> Contract:
    """The same bytes under another element type."""
    source = op.operands[0].type
    reads = not is_integer(source.element_type if isinstance(source, TensorType) else source)
    if not is_tensor(op.operands[0]) or not is_tensor(op.results[0]):
        return FOREIGN._replace(reads_bits=reads)
    items = {item_bytes(typed(v.type).dtype) for v in (op.operands[0], op.results[0])}
    views = (View(0, 0, identical, whole=True),) if len(items) == 1 else ()
    return KERNEL._replace(views=views, reads_bits=reads)


def _select(op: Operation) -> Contract:
    """By a scalar, one of two tensors as it is, whose sizes may differ; by a tensor, element by element."""
    contract = elementwise_of_equal_sizes(op)
    if contract.foreign or is_tensor(op.operands[0]):
        return contract
    return contract._replace(forwards=((0, 1), (0, 2)), same_shape=())


SPECIAL: dict[type[Operation], Declared] = {
    arith.ConstantOp: _constant,
    arith.BitcastOp: _bitcast,
    arith.SelectOp: _select,
}
for _class in (*arith.Arith.operations, *math.Math.operations):
    is_bitcast = _class is arith.BitcastOp
    supply_contract(_class, SPECIAL.get(_class, elementwise_of_equal_sizes), may_read_bits=is_bitcast)
