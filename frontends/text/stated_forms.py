"""What upstream's text may leave out or say otherwise, as xDSL's verifiers want it.

Strides and dilations that are not said are 1. A `tensor.pad` whose amounts are known at run time only has a result of
unknown sizes, which is cast to the sizes that the text says. An op of `linalg` or `vector` of a kind that xDSL's class
does not have (elements of other types, several reductions at once, a property) is one without a class, as ops that xDSL
does not know. A `linalg.matmul` of other elements than its result's casts them first.
"""

from __future__ import annotations

import re

from xdsl.dialects import arith, linalg, tensor, vector
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
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, MatmulOp, ReduceOp, YieldOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit

_HINTS = re.compile(r'\b(?:linalg\.(?:conv|pooling|matmul)|tensor\.pad)|"linalg\.|"vector\.')
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
                _state_casts(op)


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


def _state_casts(op: Operation) -> None:
    """The body that xDSL makes of a product's custom form has no casts to the elements of the result."""
    body = op.regions[0].first_block if isinstance(op, MatmulOp) else None
    first = body.first_op if body is not None and len(body.args) == 3 else None
    if body is None or not isinstance(first, arith.MuliOp | arith.MulfOp) or first.result.type == body.args[2].type:
        return
    add, last, wanted = first.next_op, body.last_op, body.args[2].type
    casts = [_cast(argument, wanted) for argument in body.args[:2]]
    if not isinstance(add, arith.AddiOp | arith.AddfOp) or last is None or None in casts:
        return
    for made in (last, add, first):
        made.detach()
        made.erase(safe_erase=False)
    is_float = isinstance(wanted, AnyFloat)
    one, other = (cast for cast in casts if cast is not None)
    product = (arith.MulfOp if is_float else arith.MuliOp)(one.results[0], other.results[0])
    total = (arith.AddfOp if is_float else arith.AddiOp)(body.args[2], product.result)
    made = (one, other, product, total, YieldOp(total.result))
    inherit(made, op)
    body.add_ops(made)


def _cast(value: SSAValue, wanted: Attribute) -> Operation | None:
    """The signed cast of an element; None for types that have none."""
    have = value.type
    if isinstance(have, IntegerType) and isinstance(wanted, IntegerType):
        narrower = have.width.data < wanted.width.data
        return arith.ExtSIOp(value, wanted) if narrower else arith.TruncIOp(value, wanted)
    if isinstance(have, IntegerType) and isinstance(wanted, AnyFloat):
        return arith.SIToFPOp(value, wanted)
    if isinstance(have, AnyFloat) and isinstance(wanted, AnyFloat) and have.bitwidth != wanted.bitwidth:
        narrower = have.bitwidth < wanted.bitwidth
        return arith.ExtFOp(value, wanted) if narrower else arith.TruncFOp(value, wanted)
    return None


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
