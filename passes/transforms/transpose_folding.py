"""Transposes that go into the ops that read them, or whose results they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.axis_orders import ReordersAxes, inverse
from lastuse.dialect.dnn.base import DnnOp, TransposedForm
from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.transforms.constant_folding import erase_unread
from lastuse.passes.transforms.engine import inherit_engine


def fold_transposes(ctx: Context, func: FuncOp) -> None:
    """Lets ops read values, and make results, with their axes in another order, where that saves a transpose.

    A transpose goes where all of its readers can read what it reads; elementwise ops with numbers between it and such
    a reader are computed before it. One that is the only reader of a result goes where the op can make its result so.
    """
    for op in list(func.walk()):
        if isinstance(op, DnnOp) and op.parent is not None:
            _unite_with_reshapes(op)
    for op in reversed(list(func.walk())):
        perm = op.permutation() if isinstance(op, DnnOp) and op.parent is not None else None
        if perm is None or not isinstance(op, DnnOp) or attrs.is_decided(op):
            continue
        if _absorbed(op.results[0], perm):
            _fold_into_readers(ctx, op.results[0], op.operands[0], perm)
            erase_unread(op)
        else:
            _fold_into_producer(ctx, op, perm)


def _unite_with_reshapes(op: DnnOp) -> None:
    """A transpose of the last two axes between reshapes that merge the axes before them, and split them again, is one
    of what is merged: exporters write the transpose of batches of matrices so."""
    perm, rank = op.permutation(), len(static_shape(op.operands[0].type)) if op.operands else 0
    if perm is None or list(perm) != [*range(rank - 2), rank - 1, rank - 2] or rank < 2:
        return
    before, users = op.operands[0].owner, list(op.results[0].uses)
    after = users[0].operation if len(users) == 1 else None
    if not (reshapes(before) and reshapes(after)) or any(map(attrs.is_decided, (before, op, after))):
        return
    sizes, ends = static_shape(before.operands[0].type), static_shape(after.results[0].type)
    matrix = static_shape(op.operands[0].type)[-2:]
    if None in (*sizes, *ends) or sizes[-2:] != matrix or ends != (*sizes[:-2], *reversed(matrix)):
        return
    order = [*range(len(sizes) - 2), len(sizes) - 1, len(sizes) - 2]
    made = after.replacement(type(op), [before.operands[0]], {"perm": DenseArrayBase.from_list(i64, order)})
    Rewriter.insert_op(made, InsertPoint.before(after))
    after.results[0].replace_all_uses_with(made.results[0])
    for old in (after, op):
        old.detach()
        old.erase()
    erase_unread(before)


def reshapes(op: object) -> TypeGuard[DnnOp]:
    """The result has the elements of the operand in their order."""
    if not isinstance(op, DnnOp) or op.permutation() is not None or len(op.results) != 1:
        return False
    view = contract_of(op).view_of(0)
    return view is not None and view.whole and view.operand == 0


def _absorbed(value: SSAValue, perm: Sequence[int]) -> bool:
    """All that read the value can read instead what it is the transpose of. Its sizes alone may be read in addition."""
    readers = [use for use in value.uses if not _reads_sizes(use)]
    for use in readers:
        op = use.operation
        if not isinstance(op, DnnOp) or attrs.is_decided(op):
            return False
        if isinstance(op, ReordersAxes):
            if op.with_operand_order(use.index, perm) is None:
                return False
        elif _form_before(op, use.index, perm) is None or not _absorbed(op.results[0], perm):
            return False
        elif any(map(_reads_sizes, op.results[0].uses)):
            return False  # the op goes, and its sizes with it
    return bool(readers)


def _reads_sizes(use: Use) -> bool:
    return use.index in contract_of(use.operation).metadata_only


def _form_before(op: DnnOp, index: int, perm: Sequence[int]) -> TransposedForm | None:
    """The form of an elementwise op with numbers that reads the operand of the transpose; None where it has none."""
    form = op.transposed_form(inverse(perm)) if len(op.results) == 1 else None
    if form is None or not form.results_too or index not in form.operands:
        return None
    if static_shape(op.results[0].type) != static_shape(op.operands[index].type):
        return None
    others = (value for number, value in enumerate(op.operands) if number != index)
    numbers = all(set(static_shape(value.type)) <= {1} for value in others)
    return form if numbers and len(form.operands) == len(op.operands) else None


def _fold_into_readers(ctx: Context, value: SSAValue, source: SSAValue, perm: Sequence[int]) -> None:
    """All that read the value, which is the transpose of `source`, read `source`."""
    while (use := next((use for use in value.uses if not _reads_sizes(use)), None)) is not None:
        op, index = use.operation, use.index
        assert isinstance(op, DnnOp)
        operands = [source if number == index else operand for number, operand in enumerate(op.operands)]
        if isinstance(op, ReordersAxes):
            attributes = op.with_operand_order(index, perm)
            assert attributes is not None
            made = _put(op, op, operands, attributes, op.results[0].type)
            text = f"reads {attrs.display_name(source)} with its axes in the order {list(perm)}"
            remark(ctx, RemarkKind.DECISION, made, text)
            op.results[0].replace_all_uses_with(made.results[0])
        else:
            form = _form_before(op, index, perm)
            assert form is not None
            made = _put(op, op, operands, form.attributes, permuted_type(op.results[0].type, inverse(perm)))
            _fold_into_readers(ctx, op.results[0], made.results[0], perm)
        op.detach()
        op.erase()


def _fold_into_producer(ctx: Context, transpose: DnnOp, perm: Sequence[int]) -> None:
    """The op whose result the transpose alone reads makes what the transpose does."""
    op = transpose.operands[0].owner
    if not isinstance(op, DnnOp) or not isinstance(op, ReordersAxes) or attrs.is_decided(op):
        return
    if op.results[0].uses.get_length() != 1 or op.parent is not transpose.parent:
        return
    attributes = op.with_result_order(perm)
    if attributes is None:
        return
    made = _put(op, transpose, op.operands, attributes, transpose.results[0].type)
    inherit_engine(made, op, transpose)
    remark(ctx, RemarkKind.DECISION, made, f"writes its result with its axes in the order {list(perm)}")
    transpose.results[0].replace_all_uses_with(made.results[0])
    for old in (transpose, op):
        old.detach()
        old.erase()


def _put(
    place: DnnOp, named: DnnOp, operands: Sequence[SSAValue], attributes: Mapping[str, Attribute], type_: Attribute
) -> DnnOp:
    """An op of the class of `place`, before it, with the names of `named`."""
    own = {name: value for name, value in attributes.items() if "." not in name}
    made = named.replacement(type(place), operands, own, [type_])
    Rewriter.insert_op(made, InsertPoint.before(place))
    return made


def permuted_type(type_: Attribute, perm: Sequence[int]) -> TensorType[Attribute]:
    """The type of a tensor whose axis i is axis `perm[i]` of one of this type."""
    assert isinstance(type_, TensorType)
    sizes = type_.get_shape()
    return TensorType(type_.element_type, [sizes[axis] for axis in perm])
