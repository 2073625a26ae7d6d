"""Ops of `linalg`, registered or not: the same op on memrefs, its results as `outs`.

Where `outs` is read and lies elsewhere it is copied to the result first. A `linalg.generic` that writes each element
once reads it as a further input instead: nothing is copied.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.linalg.ops import GenericOp, PoolingNchwMaxOp
from xdsl.dialects.memref import LoadOp
from xdsl.dialects.tensor import ExtractOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import LastuseError, inherit
from lastuse.dialect.ir.flow_graphs import block_ops, operands_of, ops_within
from lastuse.dialect.ir.linalg_loops import loops_of
from lastuse.dialect.ir.remembered import is_class
from lastuse.dialect.ir.table_reads import ElementOfInputOp, tables_of
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import contract_of, is_undefined
from lastuse.passes.analysis.liveness import captures_of
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.bufferization.forms import MemrefForm, declare_form
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import Index, segments

_ELEMENT_READS = (ExtractOp, ElementOfInputOp)


def _compute(op: Operation, to: MemrefContext) -> None:
    first = len(operands_of(op)) - len(op.results)
    unread = contract_of(op).metadata_only
    elsewhere = [
        r
        for r, result in enumerate(op.results)
        if first + r not in unread
        and not to.is_at(operands_of(op)[first + r], result)
        and not is_undefined(operands_of(op)[first + r])
    ]
    moved = [r for r in elsewhere if not (isinstance(op, GenericOp) and _can_be_read(op, first + r))]
    for r in moved:
        result, old = op.results[r], operands_of(op)[first + r]
        place = to.places.of[result]
        others = [v for v in operands_of(op)[:first] if to.is_tensor(v)]
        if any(to.clashes(place, to.places.of[v]) for v in others):
            name = display_name(result)
            raise LastuseError(f"{name} lies over an input, and its `outs` elsewhere is read: no memref form", op)
        to.copy(to.memref(old), to.memref(result))
        to.note_copy(op, old, copied_into(old, result), Reason.TAKEN)
    ins = [to.value(v) for v in operands_of(op)[:first]]
    outs = [to.memref(v) for v in op.results]
    added = [r for r in elsewhere if r not in moved]
    if isinstance(op, GenericOp) and (added or tables_of(op)):
        extra = [to.memref(operands_of(op)[first + r]) for r in added]
        _emit_generic(op, ins, extra, outs, added, to)
        return
    copied = type(op).create(
        operands=[*ins, *outs],
        properties=dict(op.properties),
        attributes={k: v for k, v in op.attributes.items() if not k.startswith("dnn.")},
        regions=[_cloned(region, op, to) for region in op.regions],
    )
    to.emit(copied)


def _can_be_read(op: GenericOp, operand: int) -> bool:
    """Each element of that operand is read where it is written, once."""
    loops = loops_of(op)
    return loops.parallel and loops.once[operand]


def _emit_generic(
    op: GenericOp,
    ins: list[SSAValue],
    extra: list[SSAValue],
    outs: list[SSAValue],
    added: list[int],
    to: MemrefContext,
) -> None:
    """The op with the `outs` numbered `added` as further inputs: its body reads these. What it reads elements of at
    indices of its own is no input: it loads them."""
    body, maps, count = _cloned(op.body, op, to), list(op.indexing_maps.data), len(ins)
    block = body.block
    for position, r in enumerate(added):
        old = block.args[len(ins) + position + r]
        new = block.insert_arg(old.type, len(ins) + position)
        old = block.args[len(ins) + position + 1 + r]
        old.replace_all_uses_with(new)
        maps.insert(count + position, op.indexing_maps.data[count + r])
    for number in sorted(tables_of(op), reverse=True):
        block.erase_arg(block.args[number])
        del maps[number], ins[number]
    sizes = segments(len(ins) + len(extra), len(outs))
    properties = {"indexing_maps": ArrayAttr(maps), "iterator_types": op.iterator_types, "operandSegmentSizes": sizes}
    to.emit(GenericOp.create(operands=[*ins, *extra, *outs], properties=properties, regions=[body]))


def _cloned(region: Region, op: Operation, to: MemrefContext) -> Region:
    """A copy of a region of an op, with the scalars of the new function; elements of tensors from outside are loaded.

    Raises:
        LastuseError: it does anything else with tensors.
    """
    ops = ops_within(op)[1:]
    mapper: dict[SSAValue, SSAValue] = {v: to.value(v) for v in captures_of(to.func.body)[op]}
    for inner in ops:
        if any(map(to.is_tensor, operands_of(inner))) and not isinstance(inner, ExtractOp):
            raise to.no_form(inner)
    new = _copied(region, mapper)
    has_loads = any(is_class(type(inner), _ELEMENT_READS) for inner in ops)
    for inner in [*new.walk()] if has_loads else ():
        if isinstance(inner, _ELEMENT_READS):
            table = inner.tensor if isinstance(inner, ExtractOp) else to.memref(operands_of(op)[inner.input.value.data])
            inherit(load := LoadOp.get(table, inner.indices), op)
            Rewriter.replace_op(inner, load)
    if isinstance(op, PoolingNchwMaxOp):
        # xDSL 0.74 takes the maximum of input and window; upstream's is of input and result.
        _, window, result = new.block.args
        window.replace_all_uses_with(result)
    return new


def _copied(region: Region, mapper: dict[SSAValue, SSAValue]) -> Region:
    """A copy of a region. One block of ops without regions, as kernels have, needs no second walk over its ops."""
    body = region.first_block
    ops = block_ops(body) if body is not None and body.next_block is None else ()
    if body is None or not ops or ops[-1].successors or any(op.regions for op in ops):
        new = Region()
        region.clone_into(new, None, mapper)
        return new
    block = Block(arg_types=[a.type for a in body.args])
    for old, argument in zip(body.args, block.args, strict=True):
        mapper[old], argument.name_hint = argument, old.name_hint
    for op in ops:
        made = type(op).create(
            operands=[mapper.get(v, v) for v in operands_of(op)],
            result_types=op.result_types,
            properties=op.properties,
            attributes=op.attributes,
            location=op.location,
        )
        for old, result in zip(op.results, made.results, strict=True):
            mapper[old], result.name_hint = result, old.name_hint
        block.add_op(made)
    return Region(block)


def _sizes(op: Operation, to: MemrefContext) -> list[Index]:
    """Those of the first of `outs`."""
    return to.sizes(operands_of(op)[len(operands_of(op)) - len(op.results)])


declare_form("linalg.*", MemrefForm(compute=_compute, sizes=_sizes))
