"""Constants computed when the program is compiled, by the ops' own reference kernels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import inherit, source_names
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of

MAX_INLINE_BYTES = 4096
"""A larger constant is a resource, unless it is one number repeated."""


def constant_of(value: SSAValue) -> ConstantOp | None:
    """The constant op that makes the value, if one does and its array is at hand."""
    op = value.owner
    if not isinstance(op, ConstantOp):
        return None
    if isinstance(op.value, DenseResourceAttr):
        top = op.get_toplevel_object()
        if not isinstance(top, ModuleOp) or op.value.resource_handle.data not in resources.of(top):
            return None
    return op


def constants_of(value: SSAValue) -> list[ConstantOp] | None:
    """The constants that a value is, or is a view of; None where it depends on anything else."""
    constant, op = constant_of(value), value.owner
    if constant is not None:
        return [constant]
    if not isinstance(op, DnnOp) or len(op.results) != 1 or not op.operands or contract_of(op).view_of(0) is None:
        return None
    sources = [constants_of(operand) for operand in op.operands]
    return None if None in sources else [c for source in sources if source is not None for c in source]


def constant_elements(value: SSAValue) -> Array | None:
    """The elements of a constant, or of a view of constants; None where the value is neither."""
    return None if constants_of(value) is None else _array(value)


def fold_constants(op: DnnOp) -> ConstantOp | None:
    """Replace an op of constants, and of views of constants, with one result by a new constant. What it read stays.

    Returns:
        The new constant; None, and nothing is changed, where an operand is no constant, or its array is not at hand.
    """
    return fold_results(op).get(op.results[0]) if len(op.results) == 1 else None


MOST_INLINE = 1024
"""Bytes of constants that stand in the op where no constant that they are computed from says where."""


def fold_results(op: DnnOp) -> Mapping[SSAValue, ConstantOp]:
    """As `fold_constants`, of an op with any number of results: the new constants of those that are read."""
    sources = [constants_of(value) for value in op.operands]
    if None in sources or not isinstance(op.get_toplevel_object(), ModuleOp):
        return {}
    arrays = op.reference(*(_array(value) for value in op.operands))
    inline = not any(isinstance(c.value, DenseResourceAttr) for source in sources for c in source or ())
    if not sources:
        inline = sum(array.nbytes for array in arrays) <= MOST_INLINE
    made = dict[SSAValue, ConstantOp]()
    for result, array in zip(tuple(op.results), arrays, strict=True):
        constant = replace_with_constant(result, array, inline) if result.first_use or len(arrays) == 1 else None
        if constant is not None:
            made[result] = constant
    return made


def _array(value: SSAValue) -> Array:
    """The elements of a value that `constants_of` has constants for."""
    op = value.owner
    if isinstance(op, ConstantOp):
        return op.array()
    assert isinstance(op, DnnOp)
    return op.reference(*(_array(operand) for operand in op.operands))[0]


def replace_with_constant(value: OpResult, array: Array, inline: bool = True) -> ConstantOp | None:
    """Replace the uses of a value by a new constant before its op, which is erased once none of its results has a use.

    Args:
        array: the elements, of the value's type.
        inline: a short constant may stand in the text.

    Returns:
        The new constant; None where the op is in no module.
    """
    op = value.op
    module = op.get_toplevel_object()
    if not isinstance(module, ModuleOp):
        return None
    name = _name(op, value)
    dense = np.require(array, requirements="C")
    stem = name or op.name.partition(".")[2]
    attributes: dict[str, Attribute] = {"value": _value(module, dense, value.type, stem, inline)}
    # A result without a name is called by its number; a name that is not the model's would be its name.
    if name is not None and (attrs.NAMES in op.attributes or not _is_returned(value)):
        attributes[attrs.NAMES] = ArrayAttr([StringAttr(name)])
    constant = ConstantOp.create(result_types=[value.type], attributes=attributes)
    inherit(constant, op)
    constant.y.name_hint = value.name_hint
    Rewriter.insert_op(constant, InsertPoint.before(op))
    value.replace_all_uses_with(constant.y)
    if all(result.first_use is None for result in op.results):
        op.detach()
        op.erase()
    return constant


def _is_returned(value: OpResult) -> bool:
    return any(isinstance(use.operation, ReturnOp) for use in value.uses)


def erase_unread(op: Operation) -> None:
    """Erase an op without readers. The array of a constant stays until the pass drops all that no op refers to
    (`drop_unreferenced`), as that takes a walk over the module."""
    if op.parent is not None and _is_unread(op):
        op.detach()
        op.erase()


def erase_with_operands(op: Operation) -> None:
    """Erase an op without readers, and the ops that only it read, each once; arrays stay as with `erase_unread`."""
    pending = [op]
    while pending:
        unread = pending.pop()
        if unread.parent is not None and _is_unread(unread):
            pending += dict.fromkeys(v.owner for v in unread.operands if isinstance(v.owner, DnnOp))
            unread.detach()
            unread.erase()


def _is_unread(op: Operation) -> bool:
    return all(result.first_use is None for result in op.results)


def _name(op: Operation, value: OpResult) -> str | None:
    """What the new constant is called: the value's own name in the source, or one after its op's first operand's."""
    own = source_names(op)
    if len(own) == len(op.results) and attrs.NAMES in op.attributes:
        return own[value.index]
    first = next((attrs.source_name(v) or v.name_hint for v in op.operands), None)
    return None if first is None else f"{first}/{op.name.partition('.')[2]}"


def insert_constant(before: Operation, array: Array, like: SSAValue) -> ConstantOp:
    """Add a constant of these elements before an op of a module, of the element type of another value, called after
    it."""
    module, type_ = before.get_toplevel_object(), like.type
    assert isinstance(module, ModuleOp) and isinstance(type_, TensorType)
    stem = attrs.source_name(like) or like.name_hint or "constant"
    dense, made = np.require(array, requirements="C"), TensorType(type_.element_type, array.shape)
    constant = ConstantOp.create(
        result_types=[made], attributes={"value": _value(module, dense, made, stem, inline=False)}
    )
    inherit(constant, before)
    constant.y.name_hint = like.name_hint
    Rewriter.insert_op(constant, InsertPoint.before(before))
    return constant


def _value(module: ModuleOp, array: Array, type_: Attribute, name: str, inline: bool) -> Attribute:
    """The array as a constant's value: in the text where it is one number repeated, or short and none of its sources is
    a resource; else a resource."""
    assert isinstance(type_, TensorType)
    if array.size and array.dtype.kind != "b":
        flat = array.reshape(-1)
        if flat[:1].tobytes() * flat.size == flat.tobytes():
            return DenseIntOrFPElementsAttr(type_, BytesAttr(flat[:1].tobytes()))
        if inline and array.nbytes <= MAX_INLINE_BYTES:
            return DenseIntOrFPElementsAttr(type_, BytesAttr(flat.tobytes()))
    return resources.add_array(module, name, array)
