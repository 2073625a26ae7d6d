"""Calls: tensors are passed as memrefs; results are memory that the function writes, or that it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import callee_of
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.call_interface import written_operands
from lastuse.dialect.storage.contract import is_undefined
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.bufferization.arena_memory import room
from lastuse.passes.bufferization.function_state import FunctionState
from lastuse.passes.bufferization.memref_types import any_strides, boundary_type, dense_type, is_contiguous
from lastuse.passes.bufferization.signatures import Boundary, MemrefSignature, tensor_type
from lastuse.passes.bufferization.unknown_sizes import of_known_rank


def declared_signature(func: FuncOp, boundary: Boundary) -> MemrefSignature:
    """The signature of a function without a body."""
    inputs = [boundary_type(t, boundary.strided) for t in func.function_type.inputs]
    outputs = [boundary_type(t, boundary.strided) for t in func.function_type.outputs]
    return MemrefSignature(tuple(inputs), tuple(outputs))


class _LateCopy(NamedTuple):
    """After the call `source` is copied to `target`, the place of `value`."""

    source: SSAValue
    target: SSAValue
    value: SSAValue
    reason: Reason = Reason.LAYOUT


def bufferize_call(op: CallOp, to: FunctionState) -> None:
    """Emits a call. A parameter that the callee may write gets a copy, unless the operand itself is given away, or
    nothing is left of it. Where a result is tied to it the copy is made where that result lies, and stays there.

    Raises:
        LastuseError: the module does not declare the callee, or recursion.
    """
    name = callee_of(op)
    if name not in to.callees:
        raise LastuseError(f"the module does not have @{name}", op)
    call = _MemrefCall(op, to)
    arguments = [call.argument(k) if to.is_tensor(v) else to.scalar_of(v) for k, v in enumerate(op.operands)]
    if to.boundary.results == "out" and name in to.functions:
        arguments += [call.out(r) for r in op.results if to.is_tensor(r)]
    signature = to.callees[name]
    if signature.arena_bytes is not None:
        assert to.arena is not None
        arguments.append(room(to.arena, to.arena_bytes, signature.arena_bytes, to))
    made = CallOp(op.callee, arguments, signature.outputs)
    to.begin(op)
    to.add(made)
    call.define(made)
    call.finish()


class _MemrefCall:
    """One call. `written`: the operands that it may write; `tied`: results, by the operand that they are tied to."""

    def __init__(self, op: CallOp, to: FunctionState) -> None:
        self.op, self.to = op, to
        self.types = to.callees[callee_of(op)].inputs
        self.written = written_operands(op) - attrs.operands_given_away(op)
        self.over = {k: r for r, k in zip(op.results, attrs.inplace(op), strict=True) if k >= 0}
        self.tied = {k: r for r in op.results if to.is_tensor(r) and (k := to.calls.operand_of(r)) is not None}
        self.temporaries: list[SSAValue] = []
        self.lenders = to.calls.lenders(op)
        self.late: list[_LateCopy] = []

    def argument(self, k: int) -> SSAValue:
        """The memref that is passed for operand `k`."""
        to, value, type_ = self.to, self.op.operands[k], self.types[k]
        result = self.tied.get(k)
        if result is not None and not to.is_at(value, result):
            target = to.memref(result)
            if _can_be(target.type, type_):
                source = of_known_rank(value)
                ranked = target if source is value else to.cast(target, any_strides(tensor_type(source)))
                to.copy(to.memref(source), ranked)
                self._note(k, Reason.CALLEE_WRITES)
                return to.cast(target, type_)
        written = k in self.written and k not in self.over
        if result is not None:
            written = not to.is_at(value, result)
        if not written and _can_be(to.memref(value).type, type_):
            return to.cast(to.memref(value), type_)
        made = self._copied(k, Reason.CALLEE_WRITES if written else Reason.LAYOUT)
        if result is not None:
            self.late.append(_LateCopy(made, to.memref(result), result))
        return to.cast(made, type_)

    def _copied(self, k: int, reason: Reason) -> SSAValue:
        value = of_known_rank(self.op.operands[k])
        aside = self._aside(value)
        if k in self.lenders and any(self.to.is_tensor(r) and self.to.is_made(r) for r in self.op.results):
            self.temporaries.remove(aside)
            self.to.held.setdefault(self.op.parent, []).append(aside)  # a result may be there
        if not is_undefined(value):
            self.to.copy(self.to.memref(value), aside)
            self._note(k, reason)
        return aside

    def _note(self, k: int, reason: Reason) -> None:
        value = self.op.operands[k]
        self.to.note_copy(self.op, value, f"{display_name(value)} is copied for the call", reason)

    def _aside(self, value: SSAValue) -> SSAValue:
        aside = self.to.new_memory(value)
        self.temporaries.append(aside)
        return aside

    def out(self, result: OpResult) -> SSAValue:
        """The memref that the callee writes a result to."""
        made = self.to.memref(result)
        if made.type == dense_type(tensor_type(result)) and result not in self.over.values():
            return made
        aside = self._aside(result)
        self.late.append(_LateCopy(aside, made, result))
        return aside

    def define(self, made: CallOp) -> None:
        """What the results of the call are."""
        to, returned = self.to, iter(made.results)
        for result in self.op.results:
            if not to.is_tensor(result):
                to.scalar[result] = next(returned)
            elif result in self.tied.values():
                next(returned)
            elif to.is_made(result):
                to.defined[result] = next(returned)
            elif to.is_moved(result):
                there = next(returned)
                self.late.append(_LateCopy(there, to.memref(result), result, Reason.CONTROL_FLOW))
                self.temporaries.append(there)
        for new, old in zip(made.results, self.op.results, strict=False):
            new.name_hint = old.name_hint

    def finish(self) -> None:
        """What is copied after the call, and what was taken for it alone."""
        for source, target, value, reason in self.late:
            self.to.copy(source, target)
            what = f"a result of the call is copied into the place of {display_name(value)}"
            self.to.note_copy(self.op, value, what, reason)
        for aside in self.temporaries:
            self.to.emit(memref.DeallocOp.get(aside))


def _can_be(have: Attribute, want: Attribute) -> bool:
    """The memory is as the callee wants it."""
    if not isinstance(want, MemRefType) or not isinstance(want.layout, NoneAttr):
        return True
    assert isinstance(have, MemRefType)
    axes: Sequence[int] = range(len(have.get_shape()))
    strides = have.get_strides()
    starts = have.get_offset() == 0
    return starts and is_contiguous(have, axes) and (not strides or strides[-1] == 1 or have.get_shape()[-1] == 1)
