"""`--lower-to-onednn-pass`: from values with decisions to explicit storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialect import decisions
from ..dialect.base import DnnOp
from ..dialect.diagnostics import LastuseError, RemarkKind, inherit, op_name, remark
from ..dialect.dnn.sources import Constant
from ..dialect.layout import Strided
from ..dialect.onednn import RESULT, ArenaOp, ConstantOp, memref_type
from ..dialect.onednn.emit import Emitter, Operand
from ..dialect.onednn.selection import select
from ..dialect.place import Kind, Place
from ..dialect.storage import contract_of
from .analysis.buffers import aligned
from .analysis.reasons import Reason
from .lowering.carry import lower_carries, lower_views, move
from .lowering.frame import Frame, frame_of, memory_arguments
from .lowering.moves import Move, ordered

_PLAN = frozenset({decisions.ARENA_BYTES, decisions.UNIT})


@dataclass(frozen=True)
class LowerToOnednnPass(ModulePass):
    """Turn dnn ops on values into onednn ops on places in one arena.

    Requires: functions of one block with known sizes (`--specialize-pass`) whose decisions `--verify-storage-pass`
        accepts. Without a plan every value gets arena bytes of its own.
    Guarantees: results are arguments with `onednn.result`, inputs carry `dnn.name`; what may run on oneDNN does, all
        else calls the op's kernel; the steps compute the same bits whatever was decided. Every copy is a remark.
    Leaves alone: declarations, and functions with no tensors.
    Example: `%y = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>}` becomes `onednn.eltwise "relu" ins(%v) outs(%v)`.
    """

    name: ClassVar[str] = "lower-to-onednn-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in list(op.body.block.ops):
            if isinstance(func, FuncOp) and func.body.blocks:
                lowered = _Lowering(ctx, func).lower()
                inherit(lowered, func)
                Rewriter.replace_op(func, lowered, [])


class _Lowering:
    def __init__(self, ctx: Context, func: FuncOp) -> None:
        self.ctx, self.func = ctx, func
        self.frame: Frame = frame_of(func)
        values = memory_arguments(func.body.block, self.frame.results)
        self.block = Block(arg_types=[memref_type(self._own(v), self._dtype(v)) for v in values])
        for argument, value in zip(self.block.args, values, strict=True):
            argument.name_hint = value.name_hint
        self.emit = Emitter(self.block)
        self.emit.source = func
        self.constants: dict[SSAValue, SSAValue] = {}
        arena = ArenaOp(self.frame.arena_bytes)
        arena.memory.name_hint = "arena"
        self.emit.add(arena)
        self.arena: SSAValue = arena.memory

    def lower(self) -> FuncOp:
        """The lowered function; the old one is left as it was."""
        for op in self.func.body.block.ops:
            self.emit.source = op
            if isinstance(op, ReturnOp):
                self._return(op)
            elif isinstance(op, Constant):
                self._constant(op)
            elif isinstance(op, DnnOp):
                self._op(op)
            else:
                raise LastuseError(f"nothing here can run {op_name(op)}", op)
        types = [argument.type for argument in self.block.args]
        lowered = FuncOp(
            self.func.sym_name.data,
            FunctionType.from_lists(types, []),
            Region(self.block),
            self.func.sym_visibility,
            arg_attrs=ArrayAttr([DictionaryAttr(a) for a in self._argument_attributes()]),
        )
        lowered.attributes.update({k: v for k, v in self.func.attributes.items() if k not in _PLAN})
        return lowered

    def _argument_attributes(self) -> list[dict[str, Attribute]]:
        attributes: list[dict[str, Attribute]] = [{decisions.NAME: StringAttr(name)} for name in self.frame.inputs]
        for argument, given in zip(self.func.body.block.args, attributes, strict=True):
            if decisions.is_donated(argument):
                given[decisions.DONATED] = UnitAttr()
        attributes += [{} for result in self.frame.results if not result.tied]
        for result in self.frame.results:
            attributes[result.argument][RESULT] = StringAttr(result.name)
        return attributes

    # Places.

    def _own(self, value: SSAValue) -> Strided:
        """The dense layout of a value in memory of its own."""
        layout = self.frame.places[value].layout
        assert isinstance(layout, Strided)
        return Strided.dense(layout.sizes, layout.item)

    def _dtype(self, value: SSAValue) -> str:
        return self.frame.dtypes[value]

    def _operand(self, value: SSAValue) -> Operand:
        if value not in self.frame.places:
            raise LastuseError(f"{decisions.shown(value)} is {value.type}, not a tensor", self.emit.source)
        place: Place = self.frame.places[value]
        layout = place.layout
        assert isinstance(layout, Strided)
        if place.storage.kind is Kind.CONSTANT:
            assert isinstance(place.storage.key, SSAValue)
            return Operand(self.constants[place.storage.key], layout, self._dtype(value))
        slot = self.frame.slots[place.storage]
        root = self.arena if slot.argument is None else self.block.args[slot.argument]
        return Operand(root, layout.shifted(slot.offset), self._dtype(value))

    def _scratch(self, op: Operation) -> Operand | None:
        """The planned scratch; where nothing was planned the runtime has some."""
        offset, nbytes = op.attributes.get(decisions.SCRATCH_OFFSET), contract_of(op).scratch
        if not isinstance(offset, IntegerAttr) or not nbytes:
            return None
        return Operand(self.arena, Strided.dense((nbytes,), 1, offset.value.data), "i8")

    # Ops.

    def _constant(self, op: Constant) -> None:
        constant = ConstantOp(op.value)
        constant.memory.name_hint = op.y.name_hint
        self.emit.add(constant)
        self.constants[op.y] = constant.memory

    def _op(self, op: DnnOp) -> None:
        contract = contract_of(op)
        ins, outs = [self._operand(v) for v in op.operands], [self._operand(v) for v in op.results]
        if contract.views and lower_views(op, contract.views, ins, outs, self.emit, self._copied):
            return
        moves = contract.carries and not contract.fill
        if moves and lower_carries(op, contract, ins, outs[0], self.emit, self._copied):
            return
        select(op, ins, outs, self._scratch(op), self.emit)

    def _copied(self, op: Operation, why: str, nbytes: int) -> None:
        remark(self.ctx, RemarkKind.COPY, op, f"copies {nbytes:,} bytes: {why}", reason=Reason.LAYOUT)

    # The return.

    def _return(self, op: ReturnOp) -> None:
        """Brings every result that is not computed in its own memory there: a parallel move."""
        moves: list[Move] = []
        for number, result in enumerate(self.frame.results):
            own = Operand(self.block.args[result.argument], self._own(result.value), self._dtype(result.value))
            moves.append(Move(number, self._operand(result.value), own))
        order = ordered(moves)
        sources = {m.number: m.source for m in moves}
        for number in order.first:
            sources[number] = self._put_aside(sources[number])
        for number in order.then:
            target = moves[number].target
            if move(self.emit, sources[number], target):
                self._returned(op, number, target.layout.nbytes)
        self.emit.add(ReturnOp())

    def _put_aside(self, source: Operand) -> Operand:
        """A copy of `source` at the arena's end, which moves up."""
        assert isinstance(self.arena.type, MemRefType)
        layout = Strided.dense(source.shape, source.layout.item, aligned(self.arena.type.get_shape()[0]))
        larger = MemRefType(self.arena.type.element_type, [layout.span[1]])
        self.arena = Rewriter.replace_value_with_new_type(self.arena, larger)
        temporary = Operand(self.arena, layout, source.dtype)
        self.emit.copy(source, temporary)
        return temporary

    def _returned(self, op: ReturnOp, number: int, nbytes: int) -> None:
        kind = self.frame.places[self.frame.results[number].value].storage.kind
        reasons = {Kind.ARGUMENT: Reason.PROGRAM_INPUT, Kind.CONSTANT: Reason.CONSTANT}
        text = f"copies {nbytes:,} bytes: result {number} is not computed in memory of its own"
        remark(self.ctx, RemarkKind.COPY, op, text, reason=reasons.get(kind, Reason.RETURNED))
