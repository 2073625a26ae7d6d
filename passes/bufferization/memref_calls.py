"""Calls: tensors are passed as memrefs; results are memory that the function writes, or that it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import callee_of
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import display_name
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.bufferization.function_state import FunctionState
from lastuse.passes.bufferization.memref_types import Memref, boundary_type, dense_type, is_contiguous, type_of
from lastuse.passes.bufferization.signatures import Boundary, MemrefSignature


def declared_signature(func: FuncOp, boundary: Boundary) -> MemrefSignature:
    """The signature of a function without a body."""
    inputs = [boundary_type(t, boundary.strided) for t in func.function_type.inputs]
    outputs = [boundary_type(t, boundary.strided) for t in func.function_type.outputs]
    return MemrefSignature(tuple(inputs), tuple(outputs))


def bufferize_call(op: CallOp, callees: Mapping[str, MemrefSignature], to: FunctionState) -> None:
    """Emits a call. A parameter that the callee may write gets a copy, unless the operand itself is given away, or
    nothing is left of it.

    Raises:
        LastuseError: the module does not declare the callee, or recursion.
    """
    name = callee_of(op)
    if name not in callees:
        raise LastuseError(f"the module does not have @{name}", op)
    signature, callee = callees[name], to.functions.get(name)
    temporaries: list[SSAValue] = []
    arguments = [
        _argument(op, k, signature.inputs[k], callee, temporaries, to) if to.is_tensor(v) else to.scalar_of(v)
        for k, v in enumerate(op.operands)
    ]
    writes_results = callee is not None and to.boundary.results == "out"
    late: list[tuple[SSAValue, SSAValue, SSAValue]] = []
    if writes_results:
        for r in (r for r in op.results if to.is_tensor(r)):
            made, want = to.memref(r), dense_type(r.type)  # pyright: ignore
            if made.type != want:
                aside = to.emit(memref.AllocOp(to.dynamic_sizes(r), [], want))
                temporaries.append(aside)
                late.append((aside, made, r))
                made = aside
            arguments.append(made)
    if signature.arena_bytes is not None:
        arguments.append(to.room(signature.arena_bytes))
    call = CallOp(op.callee, arguments, signature.outputs)
    to.begin(op)
    to.add(call)
    outputs = iter(call.results)
    for result in op.results:
        if not to.is_tensor(result):
            to.scalar[result] = next(outputs)
        elif not writes_results:
            to.defined[result] = next(outputs)
    for made, old in zip(call.results, op.results, strict=False):
        made.name_hint = old.name_hint
    for source, target, value in late:
        to.copy(source, target)
        what = f"a result of the call is copied into the place of {display_name(value)}"
        to.note_copy(op, value, what, Reason.LAYOUT)
    for aside in temporaries:
        to.emit(memref.DeallocOp.get(aside))


def _argument(
    op: CallOp, k: int, type_: Attribute, callee: FuncOp | None, temporaries: list[SSAValue], to: FunctionState
) -> SSAValue:
    value = op.operands[k]
    made = to.memref(value)
    written = callee is not None and k in attrs.writable_arguments(callee) and k not in attrs.operands_given_away(op)
    fits = _can_be(type_of(made), type_)
    if written or not fits:
        aside = to.emit(memref.AllocOp(to.dynamic_sizes(value), [], dense_type(value.type)))  # pyright: ignore
        to.copy(made, aside)
        reason = Reason.CALLEE_WRITES if written else Reason.LAYOUT
        to.note_copy(op, value, f"{display_name(value)} is copied for the call", reason)
        temporaries.append(aside)
        made = aside
    return to.cast(made, type_)


def _can_be(have: Memref, want: Attribute) -> bool:
    """The memory is as the callee wants it."""
    if not isinstance(want, MemRefType) or not isinstance(want.layout, NoneAttr):
        return True
    axes: Sequence[int] = range(len(have.get_shape()))
    strides = have.get_strides()
    starts = have.get_offset() == 0
    return starts and is_contiguous(have, axes) and (not strides or strides[-1] == 1 or have.get_shape()[-1] == 1)
