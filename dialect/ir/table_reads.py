"""Kernels that read elements of a tensor at indices which they compute, such as rows by their numbers.

Upstream writes this as `tensor.extract`, in the body of a `linalg.generic`, of a tensor from outside of it. Analyses
see what an op reads at its operands: the tensor becomes a further input, of which the body asks for elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, TensorType, i64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.dialects.tensor import ExtractOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineMap
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.element_of_input import ElementOfInputOp, elements_in
from lastuse.dialect.ir.op_listing import OpListing


def may_read_tables(listing: OpListing) -> bool:
    """Whether `read_tables` may change ops."""
    return any(issubclass(op_class, ExtractOp) for op_class in listing.classes)


def read_tables(listing: OpListing) -> None:
    """Makes inputs of the tensors of which the bodies of `linalg.generic` extract elements."""
    if not may_read_tables(listing):
        return
    ops = listing.ops
    listing.changed()
    for op in ops:
        if isinstance(op, GenericOp) and op.results and (found := _extracted(op)):
            _as_inputs(op, found)


def extract_tables(func: Operation) -> None:
    """What `read_tables` made, as it was."""
    for op in [*func.walk()]:
        if not isinstance(op, GenericOp) or not (found := elements_in(op)):
            continue
        tables = {inner.input.value.data for inner in found}
        for inner in found:
            extract = ExtractOp(op.inputs[inner.input.value.data], list(inner.indices), inner.result.type)
            inherit(extract, inner)
            Rewriter.replace_op(inner, extract)
        block, maps, inputs = op.body.block, list(op.indexing_maps.data), list(op.inputs)
        for number in sorted(tables, reverse=True):
            block.erase_arg(block.args[number])
            del maps[number], inputs[number]
        _replace(op, inputs, maps)


def _extracted(op: GenericOp) -> list[ExtractOp]:
    """The extractions in the body, where it does nothing else with tensors; none else."""
    found: list[ExtractOp] = []
    for inner in op.body.walk():
        if isinstance(inner, ExtractOp) and not op.is_ancestor(_owner(inner.tensor)):
            found.append(inner)
        elif any(isinstance(v.type, TensorType) for v in (*inner.operands, *inner.results)):
            return []
    return found


def _owner(value: SSAValue) -> Operation:
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    assert owner is not None
    return owner


def _as_inputs(op: GenericOp, found: list[ExtractOp]) -> None:
    tables = list(dict.fromkeys(extract.tensor for extract in found))
    first, block = len(op.inputs), op.body.block
    loops = op.indexing_maps.data[0].data.num_dims
    maps = list(op.indexing_maps.data)
    for n, table in enumerate(tables):
        type_ = table.type
        assert isinstance(type_, TensorType)
        block.insert_arg(type_.element_type, first + n)
        zeros = tuple(AffineConstantExpr(0) for _ in type_.get_shape())
        maps.insert(first + n, type(maps[0])(AffineMap(loops, 0, zeros)))
    for extract in found:
        number = IntegerAttr(first + tables.index(extract.tensor), i64)
        made = ElementOfInputOp(
            operands=[list(extract.indices)], properties={"input": number}, result_types=[extract.result.type]
        )
        inherit(made, extract)
        Rewriter.replace_op(extract, made)
    _replace(op, [*op.inputs, *tables], maps)


def _replace(op: GenericOp, inputs: Sequence[SSAValue], maps: Sequence[AffineMapAttr]) -> None:
    """By one with other inputs."""
    types = [result.type for result in op.results]
    body = op.detach_region(op.body)
    made = GenericOp(inputs, op.outputs, body, maps, op.iterator_types, types, op.doc, op.library_call)
    made.attributes.update(op.attributes)
    inherit(made, op)
    for new, old in zip(made.results, op.results, strict=True):
        new.name_hint = old.name_hint
    Rewriter.replace_op(op, made)
