"""Ops of `vector` and `bufferization` on tensors: transfers are the same ops on memrefs, the rest is copies."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import is_undefined
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.bufferization.forms import MemrefForm, declare_form
from lastuse.passes.bufferization.memref_context import MemrefContext


def _read(op: Operation, to: MemrefContext) -> None:
    read = type(op).create(
        operands=[to.value(v) for v in op.operands],
        result_types=[r.type for r in op.results],
        properties=dict(op.properties),
        attributes={k: v for k, v in op.attributes.items() if not k.startswith("dnn.")},
    )
    to.emit(read)
    to.define(op.results, read.results)


def _write(op: Operation, to: MemrefContext) -> None:
    """The vector is operand 0, the destination operand 1."""
    old, result = op.operands[1], op.results[0]
    made = to.memref(result)
    if not to.is_at(old, result) and not is_undefined(old):
        to.copy(to.memref(old), made)
        to.note_copy(op, old, copied_into(old, result), Reason.TAKEN)
    others = [to.value(v) for v in op.operands[2:]]
    operands = [to.scalar_of(op.operands[0]), made, *others]
    to.emit(type(op).create(operands=operands, properties=dict(op.properties)))


def _moved(op: Operation, to: MemrefContext) -> None:
    """The first tensor among the operands is all of the result."""
    source = next((v for v in op.operands if to.is_tensor(v)), None)
    if source is None:
        raise to.no_form(op)
    if not op.results:  # to a memref of the program
        into = to.scalar_of(op.operands[1])
        if not is_undefined(source) and to.memref(source) is not into:
            to.copy(to.memref(source), into)
            to.note_copy(op, source, f"{display_name(source)} is copied into a memref of the program", Reason.TAKEN)
        return
    if not to.is_at(source, op.results[0]) and not is_undefined(source):
        to.copy(to.memref(source), to.memref(op.results[0]))
        to.note_copy(op, source, copied_into(source, op.results[0]), Reason.TAKEN)


def _all_of(op: Operation, operand: int, result: SSAValue, to: MemrefContext) -> SSAValue:
    """The source is all of the destination."""
    return result


def _of_memref(op: Operation, memref: SSAValue, to: MemrefContext) -> SSAValue:
    """The memref itself, which nothing else writes while the tensor is used."""
    if "restrict" not in op.properties:
        raise LastuseError("a tensor of a memref that others may write, without `restrict`, has no memref form", op)
    return memref


declare_form("bufferization.to_tensor", MemrefForm(view=_of_memref, any_rank=True))
declare_form("vector.transfer_read", MemrefForm(_read))
declare_form("vector.gather", MemrefForm(_read))
declare_form("vector.transfer_write", MemrefForm(_write))
declare_form("bufferization.alloc_tensor", MemrefForm(_moved))
declare_form("bufferization.materialize_in_destination", MemrefForm(_moved, part=_all_of))
