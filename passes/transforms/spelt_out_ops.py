"""What a model writes as several ops, as one op each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.spelt_out import Spelling, SpeltOutBase
from lastuse.dialect.dnn.wider_floats import has_dtype
from lastuse.dialect.ir.remembered import Answers, unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.transforms.constant_folding import constant_elements, erase_with_operands, insert_constant
from lastuse.passes.transforms.engine import inherit_engine


class Spelt(NamedTuple):
    """What became of ops that compute what one op does.

    Attributes:
        op: that one, or the last of the ops, where they stay.
        cls: the name of its class.
        reason: why they stay; None where they are one op now.
    """

    op: DnnOp
    cls: str
    reason: Reason | None


def replace_spelt_out(func: FuncOp, only_activations: bool, dtype: str = "f32") -> Iterator[Spelt]:
    """Replaces the last op of each spelling by the op that it stands for, and erases what nothing reads then; arrays
    of constants stay. Of spellings that are parts of others the whole counts.

    Args:
        only_activations: ops that compute element by element alone.
        dtype: the element type of what the ops read and make.
    """
    classes = [cls for cls in OPERATIONS.values() if issubclass(cls, SpeltOutBase)]
    if only_activations:
        classes = [cls for cls in classes if issubclass(cls, ElementwiseBase)]
    answers = Answers()
    for op in reversed(list(func.walk())):
        if not isinstance(op, DnnOp) or op.parent is None or attrs.is_decided(op) or not _is_of(op, dtype):
            continue
        with unchanged_ops(answers):
            found = _spelling(op, classes)
        if found is None:
            continue
        cls, spelling = found
        reason = _refusal(op, spelling)
        if reason is None:
            op = _replace(op, cls, spelling)
            answers = Answers()
        yield Spelt(op, cls.name, reason)


def _spelling(op: DnnOp, classes: Sequence[type[SpeltOutBase]]) -> tuple[type[SpeltOutBase], Spelling] | None:
    """The first of the classes that the result of `op` is spelt out of, and how."""
    for cls in classes:
        found = cls.spelt_by(op.results[0], constant_elements)
        if found is not None and (not issubclass(cls, ElementwiseBase) or _type_of(found) == op.results[0].type):
            return cls, found
    return None


def _type_of(spelling: Spelling) -> object:
    x = spelling.operands[0]
    return x.type if isinstance(x, SSAValue) else None


def _refusal(op: DnnOp, spelling: Spelling) -> Reason | None:
    """Why the ops stay: another op reads what would be gone, or what would be gone has been decided upon."""
    inside = {op, *(value.owner for value in spelling.inner)}
    if any(attrs.is_decided(each) for each in inside if isinstance(each, DnnOp)):
        return Reason.DECIDED
    if any(use.operation not in inside for value in spelling.inner for use in value.uses):
        return Reason.USED_ELSEWHERE
    return None


def _replace(op: DnnOp, cls: type[DnnOp], spelling: Spelling) -> DnnOp:
    operands = [value if isinstance(value, SSAValue) else _constant(op, value) for value in spelling.operands]
    view = spelling.view
    made = last = op.replacement(cls, operands, spelling.attributes, None if view is None else [view.operands[0].type])
    inherit_engine(made, op)
    Rewriter.insert_op(made, InsertPoint.before(op))
    if view is not None:
        stated = {name: value for name, value in view.attributes.items() if "." not in name}
        last = op.replacement(type(view), made.results, stated)
        Rewriter.insert_op(last, InsertPoint.before(op))
        attrs.hand_name_on(made.results[0], last.results[0], "sums")
    op.results[0].replace_all_uses_with(last.results[0])
    erase_with_operands(op)
    return made


def _constant(op: DnnOp, array: Array) -> SSAValue:
    made = insert_constant(op, array, op.results[0]).y
    made.name_hint = None  # the name is that of the result
    return made


def _is_of(op: DnnOp, dtype: str) -> bool:
    """One result of this element type, of operands of it."""
    return len(op.results) == 1 and all(has_dtype(value, dtype) for value in (*op.operands, *op.results))
