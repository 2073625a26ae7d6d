"""What upstream's text may leave out or say otherwise, as xDSL's verifiers want it.

Strides and dilations that are not said are 1. A `tensor.pad` whose amounts are known at run time only has a result of
unknown sizes, which is cast to the sizes that the text says. An op of `linalg` or `vector` of a kind that xDSL's class
does not have (elements of other types, several reductions at once, a property) is one without a class, as ops that xDSL
does not know.
"""

from __future__ import annotations

import re

from xdsl.dialects import linalg, tensor, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IntegerType,
    ModuleOp,
    ShapedType,
    TensorType,
    UnregisteredOp,
    i64,
)
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, ReduceOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit

_HINTS = re.compile(r'\b(?:linalg\.(?:conv|pooling)|tensor\.pad)|"linalg\.|"vector\.')
_STEPS = ("strides", "dilations")
_CLASSES = frozenset({*linalg.Linalg.operations, *vector.Vector.operations})


def state_forms(module: ModuleOp, text: str) -> None:
    """Changes the ops of a module that was read from `text`, as far as it has such ops."""
    if not _HINTS.search(text):
        return
    for op in [*module.walk()]:
        if isinstance(op, tensor.PadOp):
            _state_sizes(op)
        elif type(op) in _CLASSES:
            if _is_no_op_of_class(op):
                _drop_class(op)
            elif op.results:
                _state_steps(op)


def _state_steps(op: Operation) -> None:
    declared = type(op).get_irdl_definition().properties  # pyright: ignore
    type_ = op.results[0].type
    if not all(step in declared for step in _STEPS) or not isinstance(type_, ShapedType):
        return
    named = re.search(r"_([1-3])d", op.name)
    axes = int(named[1]) if named else len(type_.get_shape()) - 2
    for step in _STEPS:
        if step not in op.properties and axes > 0:
            op.properties[step] = DenseIntOrFPElementsAttr.from_list(TensorType(i64, [axes]), [1] * axes)


def _is_no_op_of_class(op: Operation) -> bool:
    """Upstream has such an op of that name, xDSL's class does not."""
    if isinstance(op, FillOp):
        return not all(isinstance(v.type, AnyFloat | IntegerType) for v in op.inputs)
    if isinstance(op, ReduceOp):
        return len(op.operands) > 2 and len(op.operands) == 2 * len(op.results)
    if isinstance(op, IndexOp):
        return isinstance(op.parent_op(), UnregisteredOp)
    return not isinstance(op, GenericOp) and not type(op).get_irdl_definition().properties.keys() >= {*op.properties}  # pyright: ignore


def _drop_class(op: Operation) -> None:
    made = UnregisteredOp.with_name(op.name).create(
        operands=op.operands,
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(region) for region in [*op.regions]],
        location=op.location,
    )
    for old, new in zip(op.results, made.results, strict=True):
        new.name_hint = old.name_hint
    inherit(made, op)
    Rewriter.replace_op(op, made)


def _state_sizes(op: tensor.PadOp) -> None:
    stated, source = op.result.type, op.source.type
    amounts = (op.static_low.get_values(), op.static_high.get_values())
    if not isinstance(source, TensorType) or {len(source.get_shape()), *map(len, amounts)} != {len(stated.get_shape())}:
        return
    pairs = zip(stated.get_shape(), source.get_shape(), *amounts, strict=True)
    sizes = [DYNAMIC_INDEX if DYNAMIC_INDEX in others else size for size, *others in pairs]
    if list(stated.get_shape()) == sizes or op.parent is None:
        return
    padded = Rewriter.replace_value_with_new_type(op.result, TensorType(stated.element_type, sizes))
    inherit(cast := tensor.CastOp(padded, stated), op)
    padded.replace_uses_with_if(cast.dest, lambda use: use.operation is not cast)
    op.parent.insert_op_after(cast, op)
