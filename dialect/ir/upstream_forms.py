"""Ops that MLIR 19 verifies and xDSL 0.74 does not.

* Of `arith` on tensors: casts, and `select` by a tensor. Each element is what the op makes of scalars.
* A `tensor.reshape` of unknown sizes, and a `tensor.expand_shape` of one element without axes.
* A `bufferization.materialize_in_destination` into a memref at other strides.
* The rank, and the address, of a memref of unknown rank.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, bufferization, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType, UnrankedMemRefType
from xdsl.ir import Attribute, Block, Operation
from xdsl.utils.exceptions import DiagnosticException


def is_verified_upstream(op: Operation) -> bool:
    """Upstream takes an op that xDSL's verifier refuses."""
    accepts = _FORMS.get(type(op))
    return accepts is not None and accepts(op)


def _elementwise(op: Operation) -> bool:
    """Operands and results are tensors of one shape, or scalars beside them; on their elements the op verifies."""
    types = [v.type for v in (*op.operands, *op.results)]
    shapes = {type_.get_shape() for type_ in types if isinstance(type_, TensorType)}
    if len(shapes) != 1 or op.regions or not all(isinstance(r.type, TensorType) for r in op.results):
        return False
    elements = [_element(type_) for type_ in types]
    scalars = Block(arg_types=elements[: len(op.operands)])
    one = type(op).create(
        operands=scalars.args,
        result_types=elements[len(op.operands) :],
        properties=op.properties,
        attributes=op.attributes,
    )
    try:
        one.verify_()
    except DiagnosticException:
        return False
    return True


def _element(type_: Attribute) -> Attribute:
    return type_.element_type if isinstance(type_, TensorType) else type_


def _reshape(op: Operation) -> bool:
    source, shape, result = [v.type for v in (*op.operands, *op.results)]
    if not isinstance(source, TensorType) or not isinstance(shape, TensorType) or not isinstance(result, TensorType):
        return False
    unknown = DYNAMIC_INDEX in (*source.get_shape(), *result.get_shape())
    return unknown and _same_element(source, result) and shape.get_shape() == (len(result.get_shape()),)


def _expansion(op: Operation) -> bool:
    assert isinstance(op, tensor.ExpandShapeOp)
    source, result = op.operands[0].type, op.results[0].type
    if not isinstance(source, TensorType) or not isinstance(result, TensorType) or source.get_shape():
        return False
    sizes = op.static_output_shape.get_values()
    ones = len(sizes) == len(result.get_shape()) and all(n == 1 for n in (*result.get_shape(), *sizes))
    return ones and not op.reassociation.data and _same_element(source, result)


def _materialize(op: Operation) -> bool:
    assert isinstance(op, bufferization.MaterializeInDestinationOp)
    source, dest = op.source.type, op.dest.type
    if op.results or not isinstance(source, TensorType) or not isinstance(dest, MemRefType):
        return False
    return source.get_shape() == dest.get_shape() and _same_element(source, dest) and op.writable is not None


def _unranked(op: Operation) -> bool:
    return len(op.operands) == 1 and isinstance(op.operands[0].type, UnrankedMemRefType)


def _same_element(one: TensorType | MemRefType, other: TensorType | MemRefType) -> bool:
    return one.element_type == other.element_type


_FORMS: dict[type[Operation], Callable[[Operation], bool]] = {
    **dict.fromkeys(arith.Arith.operations, _elementwise),
    tensor.ReshapeOp: _reshape,
    tensor.ExpandShapeOp: _expansion,
    bufferization.MaterializeInDestinationOp: _materialize,
    memref.RankOp: _unranked,
    memref.ExtractAlignedPointerAsIndexOp: _unranked,
}
