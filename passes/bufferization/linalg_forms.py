"""Ops of `linalg`, registered or not: the same op on memrefs, its results as `outs`.

Where `outs` is read and lies elsewhere it is copied to the result first. A `linalg.generic` that writes each element
once reads it as a further input instead: nothing is copied.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.linalg.ops import GenericOp, PoolingNchwMaxOp
from xdsl.dialects.memref import LoadOp
from xdsl.dialects.tensor import ExtractOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import LastuseError, inherit, op_name
from lastuse.dialect.ir.element_of_input import ElementOfInputOp
from lastuse.dialect.ir.flow_graphs import operands_of, ops_within
from lastuse.dialect.ir.linalg_loops import loops_of
from lastuse.dialect.ir.new_ops import copy_block, new_op, region_of
from lastuse.dialect.ir.region_contents import contents_of
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import contract_of, is_undefined
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.bufferization.forms import MemrefForm, declare_form
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import Index, segments

_WITHOUT_BODIES = ("linalg.softmax",)
"""Of the ops that have none, those that read and write memrefs; others are ops on tensors alone."""
_ELEMENT_READS = (ExtractOp, ElementOfInputOp)


def _compute(op: Operation, to: MemrefContext) -> None:
    if not op.regions and op_name(op) not in _WITHOUT_BODIES:
        raise to.no_form(op)
    operands, results, unread = [*operands_of(op)], op.results, contract_of(op).metadata_only
    first = len(operands) - len(results)
    elsewhere = [
        r
        for r, (old, result) in enumerate(zip(operands[first:], results, strict=True))
        if first + r not in unread and not is_undefined(old) and not to.is_at(old, result)
    ]
    moved = [r for r in elsewhere if not (is_a(op, GenericOp) and _can_be_read(op, first + r))]
    for r in moved:
        result, old = results[r], operands[first + r]
        place = to.places.of[result]
        others = [v for v in operands[:first] if to.is_tensor(v)]
        if any(to.clashes(place, to.places.of[v]) for v in others):
            name = display_name(result)
            raise LastuseError(f"{name} lies over an input, and its `outs` elsewhere is read: no memref form", op)
        to.copy(to.memref(old), to.memref(result))
        to.note_copy(op, old, copied_into(old, result), Reason.TAKEN)
    ins = [to.value(v) for v in operands[:first]]
    outs = [to.memref(v) for v in results]
    added = [r for r in elsewhere if r not in moved]
    if is_a(op, GenericOp) and (added or contents_of(op).tables):
        extra = [to.memref(operands[first + r]) for r in added]
        _emit_generic(op, ins, extra, outs, added, to)
        return
    attributes = {k: v for k, v in op.attributes.items() if not k.startswith("dnn.")}
    regions = [_cloned(region, op, to) for region in op.regions]
    to.add(new_op(type(op), [*ins, *outs], (), op.properties, attributes, regions))


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
    old, count = op.indexing_maps.data, len(ins)
    maps = [*old[:count], *[old[count + r] for r in added], *old[count:]]
    body = _cloned(op.regions[0], op, to, [count + r for r in added])
    for number in sorted(contents_of(op).tables, reverse=True):
        body.block.erase_arg(body.block.args[number])
        del maps[number], ins[number]
    sizes = segments(len(ins) + len(extra), len(outs))
    properties = {"indexing_maps": ArrayAttr(maps), "iterator_types": op.iterator_types, "operandSegmentSizes": sizes}
    to.add(new_op(GenericOp, [*ins, *extra, *outs], (), properties, {}, [body]))


def _cloned(region: Region, op: Operation, to: MemrefContext, read: Sequence[int] = ()) -> Region:
    """A copy of a region of an op, with the scalars of the new function; elements of tensors from outside are loaded.

    Args:
        read: arguments, by number, of `outs` that are inputs too: these have a further argument, which is read.

    Raises:
        LastuseError: it does anything else with tensors.
    """
    contents = contents_of(op)
    has_reads = contents.reads_tensors and _reads_elements(op, to) or bool(contents.tables)
    known = {id(v): to.value(v) for v in contents.captured}
    new = _copied(region, len(operands_of(op)) - len(op.results), read, known)
    for inner in [*new.walk()] if has_reads else ():
        if isinstance(inner, _ELEMENT_READS):
            table = inner.tensor if isinstance(inner, ExtractOp) else to.memref(operands_of(op)[inner.input.value.data])
            inherit(load := LoadOp.get(table, inner.indices), op)
            Rewriter.replace_op(inner, load)
    if is_a(op, PoolingNchwMaxOp):
        # xDSL 0.74 takes the maximum of input and window; upstream's is of input and result.
        _, window, result = new.block.args
        window.replace_all_uses_with(result)
    return new


def _reads_elements(op: Operation, to: MemrefContext) -> bool:
    """Ops in an op read elements of tensors.

    Raises:
        LastuseError: they do anything else with tensors.
    """
    found = False
    for inner in ops_within(op)[1:]:
        if any(map(to.is_tensor, operands_of(inner))) and not isinstance(inner, ExtractOp):
            raise to.no_form(inner)
        found |= isinstance(inner, _ELEMENT_READS)
    return found


def _copied(region: Region, inputs: int, read: Sequence[int], known: dict[int, SSAValue]) -> Region:
    """A copy of a region of one block; of an op that has no region here, none. `known`: what stands for values, by
    their identities."""
    old = region.first_block
    if old is None:
        return Region()
    arguments: Sequence[SSAValue] = old.args
    if read:
        arguments = [*arguments[:inputs], *[arguments[n] for n in read], *arguments[inputs:]]
    return region_of(copy_block(old, arguments, known))


def _sizes(op: Operation, to: MemrefContext) -> list[Index]:
    """Those of the first of `outs`."""
    return to.sizes(operands_of(op)[len(operands_of(op)) - len(op.results)])


declare_form("linalg.*", MemrefForm(compute=_compute, sizes=_sizes))
