"""Activations that a model writes as several ops, as one op each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import TensorType, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.spelt_out import SpeltOutBase
from lastuse.dialect.storage import attrs
from lastuse.passes.transforms.constant_folding import constant_elements, erase_with_operands
from lastuse.passes.transforms.engine import inherit_engine


def replace_spelt_out(func: FuncOp) -> Iterator[tuple[DnnOp, str]]:
    """Replaces the last op of each such spelling by the op that it stands for, and erases what nothing reads then;
    arrays of constants stay.

    Yields:
        Each new op, with its name.
    """
    classes = [cls for cls in OPERATIONS.values() if issubclass(cls, SpeltOutBase)]
    for op in list(func.walk()):
        if not isinstance(op, DnnOp) or op.parent is None or attrs.is_decided(op) or not _is_f32(op):
            continue
        for cls in classes:
            found = cls.spelt_by(op.results[0], constant_elements)
            if found is not None and found[0].type == op.results[0].type:
                yield _replace(op, cls, *found), cls.name
                break


def _replace(op: DnnOp, cls: type[DnnOp], x: SSAValue, attributes: Mapping[str, Attribute]) -> DnnOp:
    made = op.replacement(cls, [x], attributes)
    inherit_engine(made, op)
    Rewriter.insert_op(made, InsertPoint.before(op))
    op.results[0].replace_all_uses_with(made.results[0])
    erase_with_operands(op, keep_array=True)
    return made


def _is_f32(op: DnnOp) -> bool:
    types = [value.type for value in (*op.operands, *op.results)]
    return len(op.results) == 1 and all(isinstance(t, TensorType) and t.element_type == f32 for t in types)
