"""One function, from values with decisions to steps on places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.cfg import reverse_postorder
from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.onednn.buffers import ArenaOp, ConstantBufferOp
from lastuse.dialect.onednn.memory import memref_type
from lastuse.dialect.onednn.primitives.base import Operand
from lastuse.dialect.onednn.source import RESULT
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind
from lastuse.dialect.storage.contract import Contract, Contribution, View, contract_of
from lastuse.dialect.storage.layout import Strided, aligned
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.lowering.calls import lower_call
from lastuse.passes.lowering.control import lower_control
from lastuse.passes.lowering.data_movement_ops import lower_carries, lower_views, move
from lastuse.passes.lowering.emit import Emitter
from lastuse.passes.lowering.select import select
from lastuse.passes.memory.allocation_problem import place_temporaries
from lastuse.passes.memory.copy_temporaries import ParallelMove, moves_into, return_moves, sequential_copies
from lastuse.passes.memory.frame_layout import FrameLayout, FrameLocation, frame_of

_PLAN = frozenset({attrs.ARENA_BYTES, attrs.UNIT})
SCALARS = frozenset({"arith", "tensor"})
"""Dialects with ops on scalars, or from tensors to scalars."""


class LoweredCopy(NamedTuple):
    """A copy that a lowered function makes.

    Attributes:
        op: the op that it is made for.
        what: what is copied where, in words.
        nbytes: how many bytes.
        reason: why, as far as lowering can tell.
        value: the value whose bytes these are, or some of these.
        by: the op that is the cause, if it is another one.
    """

    op: Operation
    what: str
    nbytes: int
    reason: Reason
    value: SSAValue
    by: Operation | None = None


class FunctionLowering:
    """Lowers one function; the old one is left as it was.

    Args:
        functions: every function of the module that has a body, by name: those it may call.
        is_called: others call it.

    Attributes:
        emit: writes to the block that is being made.
        blocks: the blocks of the lowered function, by those of the old one.
        copies: what the lowered function copies, one for each copy in it, in their order.
        edges: blocks made for the moves of a branch that has several successors.
    """

    def __init__(self, func: FuncOp, functions: Mapping[str, FuncOp], is_called: bool) -> None:
        self.func, self.functions = func, functions
        self.frame: FrameLayout = frame_of(func, is_called)
        self.edges: list[Block] = []
        self.copies: list[LoweredCopy] = []
        self._scalars: dict[SSAValue, SSAValue] = {}
        self._constants: dict[SSAValue, SSAValue] = {}
        self._temporaries = place_temporaries(func, self.frame, functions)
        self._used = 0  # bytes of temporaries of the boundary or call at hand
        self.blocks = {old: self._block(old) for old in reverse_postorder(func.body)}
        self.entry = next(iter(self.blocks.values()))
        self.emit = Emitter(self.entry)
        self.emit.source = func
        arena = ArenaOp(max([self.frame.arena_bytes, *(end for _, end in self._temporaries.values())]))
        arena.memory.name_hint = "arena"
        self.emit.add(arena)
        self.arena: SSAValue = arena.memory

    def lower(self) -> FuncOp:
        """The lowered function."""
        first = self.emit
        for old, new in self.blocks.items():
            self.emit = first if new is self.entry else Emitter(new, first)
            for op in old.ops:
                self.op(op)
        outputs = self.func.function_type.outputs.data
        scalars = [outputs[number] for number, _ in self.frame.scalars]
        names = [DictionaryAttr({RESULT: StringAttr(name)}) for _, name in self.frame.scalars]
        lowered = FuncOp(
            self.func.sym_name.data,
            FunctionType.from_lists([argument.type for argument in self.entry.args], scalars),
            Region([*self.blocks.values(), *self.edges]),
            self.func.sym_visibility,
            arg_attrs=ArrayAttr([DictionaryAttr(a) for a in self._argument_attributes()]),
            res_attrs=ArrayAttr(names) if names else None,
        )
        lowered.attributes.update({k: v for k, v in self.func.attributes.items() if k not in _PLAN})
        return lowered

    def _block(self, old: Block) -> Block:
        """A block with the scalars of `old` as arguments; the function's first one with its memory too."""
        new, first = Block(), old is self.func.body.blocks.first
        for argument in old.args:
            is_tensor = argument in self.frame.places
            if is_tensor and not first:
                continue
            type_ = self.memory_type(argument) if is_tensor else argument.type
            made = new.insert_arg(type_, len(new.args))
            made.name_hint = argument.name_hint
            if not is_tensor:
                self._scalars[argument] = made
        for result in self.frame.results if first else ():
            if not result.tied:
                made = new.insert_arg(self.memory_type(result.value), len(new.args))
                made.name_hint = result.value.name_hint
        return new

    def _argument_attributes(self) -> list[dict[str, Attribute]]:
        attributes: list[dict[str, Attribute]] = [{attrs.NAME: StringAttr(name)} for name in self.frame.inputs]
        for argument, given in zip(self.func.body.blocks[0].args, attributes, strict=True):
            if attrs.is_donated(argument):
                given[attrs.DONATED] = UnitAttr()
        attributes += [{} for result in self.frame.results if not result.tied]
        for result in self.frame.results:
            attributes[result.argument][RESULT] = StringAttr(result.name)
        return attributes

    # Values.

    def memory_type(self, value: SSAValue) -> Attribute:
        """The type of an argument that is the dense memory of `value`."""
        return memref_type(self.frame.own(value), self.frame.dtypes[value])

    def operand(self, value: SSAValue) -> Operand:
        """The place of a tensor in the lowered function.

        Raises:
            LastuseError: it is no tensor.
        """
        if value not in self.frame.places:
            raise LastuseError(f"{attrs.display_name(value)} is {value.type}, not a tensor", self.emit.source)
        return self.at(self.frame.location(value), self.frame.dtypes[value])

    def at(self, location: FrameLocation, dtype: str) -> Operand:
        """A place in the lowered function, of elements of that type."""
        match location.root:
            case None:
                root = self.arena
            case int():
                root = self.entry.args[location.root]
            case _:
                root = self._constants[location.root]
        return Operand(root, location.layout, dtype)

    def is_tensor(self, value: SSAValue) -> bool:
        return value in self.frame.places

    def scalar(self, value: SSAValue) -> SSAValue:
        """The scalar that stands for one of the old function."""
        return self._scalars[value]

    def scalars(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """Those of the values that are scalars, as they are in the lowered function."""
        return [self.scalar(v) for v in values if not self.is_tensor(v)]

    def define(self, old: Iterable[SSAValue], new: Iterable[SSAValue]) -> None:
        """The scalars among `old` are `new` from now on."""
        for value, made in zip([v for v in old if not self.is_tensor(v)], new, strict=True):
            made.name_hint = value.name_hint
            self._scalars[value] = made

    # Ops.

    def begin(self, op: Operation) -> None:
        """What is emitted from now on comes from `op`, which has no temporaries yet."""
        self._at, self.emit.source, self._used = op, op, 0

    def op(self, op: Operation) -> None:
        """Emits what `op` does.

        Raises:
            LastuseError: nothing runs such an op.
        """
        self.begin(op)
        match op:
            case DnnOp() if contract_of(op).constant:
                self.constant(op.results[0], op.attributes["value"])
            case DnnOp():
                self._dnn(op)
            case ReturnOp():
                self._return(op)
            case CallOp():
                lower_call(op, self)
            case _ if lower_control(op, self):
                pass
            case _ if op.dialect_name() in SCALARS:
                # Loading these dialects takes longer than lowering a small model, and few have any of their ops.
                from lastuse.passes.lowering.scalars import lower_scalar

                lower_scalar(op, self)
            case _:
                raise LastuseError(f"nothing here can run {op_name(op)}", op)

    def constant(self, value: SSAValue, content: Attribute) -> None:
        """Emits what `value` is in every run."""
        assert isinstance(content, DenseIntOrFPElementsAttr | DenseResourceAttr)
        constant = ConstantBufferOp(content)
        constant.memory.name_hint = value.name_hint
        self.emit.add(constant)
        self._constants[value] = constant.memory

    def _dnn(self, op: DnnOp) -> None:
        contract = contract_of(op)
        ins, outs = [self.operand(v) for v in op.operands], [self.operand(v) for v in op.results]
        if not self.carried(op, contract, ins, outs):
            select(op, ins, outs, self._scratch(op), self.emit, self._accumulated)

    def carried(self, op: Operation, contract: Contract, ins: Sequence[Operand], outs: Sequence[Operand]) -> bool:
        """Emits the copies of an op that only moves bytes; False where a kernel has to run."""

        def viewed(view: View, nbytes: int) -> None:
            self._moved(op, op.operands[view.operand], op.results[view.result], nbytes, Reason.LAYOUT)

        def carried(carry: Contribution, nbytes: int) -> None:
            self._moved(op, op.operands[carry.operand], op.results[0], nbytes, Reason.TAKEN)

        if contract.views and lower_views(contract.views, ins, outs, self.emit, viewed):
            return True
        moves = contract.contributions and not contract.fill
        return bool(moves) and lower_carries(contract, ins, outs[0], self.emit, carried)

    def _accumulated(self, op: Operation, k: int, nbytes: int) -> None:
        """oneDNN adds to what lies in the result's place."""
        self._moved(op, op.operands[k], op.results[0], nbytes, Reason.TAKEN)

    def _scratch(self, op: Operation) -> Operand | None:
        """The planned scratch; where nothing was planned the runtime has some."""
        offset, nbytes = op.attributes.get(attrs.SCRATCH_OFFSET), contract_of(op).scratch
        if not isinstance(offset, IntegerAttr) or not nbytes:
            return None
        return Operand(self.arena, Strided.dense((nbytes,), 1, offset.value.data), "i8")

    def temporary(self, like: Operand) -> Operand:
        """Arena bytes for the elements of `like`, dense, while the op at hand runs: of those it has aside."""
        begin, end = self._temporaries[self._at]
        start = begin + aligned(self._used)
        self._used = start + like.layout.nbytes - begin
        assert begin + self._used <= end, "temporaries are counted before the function is lowered"
        layout = Strided.dense(like.shape, like.layout.item, start)
        return Operand(self.arena, layout, like.dtype)

    def _moved(self, op: Operation, source: SSAValue, target: SSAValue, nbytes: int, otherwise: Reason) -> None:
        what = copied_into(source, target)
        self.copies.append(LoweredCopy(op, what, nbytes, self._reason(source, otherwise), target))

    def report(
        self, op: Operation, nbytes: int, what: str, reason: Reason, value: SSAValue, by: Operation | None = None
    ) -> None:
        """Notes that `op` copies all bytes of `value`."""
        self.copies.append(LoweredCopy(op, what, nbytes, reason, value, by))

    # Boundaries.

    def cross(self, op: Operation, sources: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        """Moves the tensors among `sources` to the places of `targets`: all are read, then all are written."""
        pairs = [(s, t) for s, t in zip(sources, targets, strict=True) if self.is_tensor(t)]
        moves, self._used = moves_into(sources, targets, self.frame), 0

        def copied(number: int, nbytes: int) -> None:
            self._moved(op, *pairs[number], nbytes, Reason.CONTROL_FLOW)

        self._move(op, moves, [s for s, _ in pairs], copied)

    def _reason(self, source: SSAValue, otherwise: Reason) -> Reason:
        storage = self.frame.places[source].storage
        if storage.kind is PlaceKind.ARGUMENT and storage.key not in attrs.writable_arguments(self.func):
            return Reason.PROGRAM_INPUT
        return Reason.CONSTANT if storage.kind is PlaceKind.CONSTANT else otherwise

    def _move(
        self,
        op: Operation,
        moves: Sequence[ParallelMove],
        values: Sequence[SSAValue],
        report: Callable[[int, int], None],
    ) -> None:
        """A parallel move of those values; each copy is reported with its number and its bytes."""
        typed = [(m, self.frame.dtypes[v]) for m, v in zip(moves, values, strict=True)]
        moved = {m.number: v for m, v in zip(moves, values, strict=True)}
        targets = {m.number: self.at(m.target, dtype) for m, dtype in typed}
        sources = {m.number: self.at(m.source, dtype) for m, dtype in typed}
        order = sequential_copies(moves)
        for number in order.first:
            aside = self.temporary(sources[number])
            self.emit.copy(sources[number], aside)
            sources[number] = aside
            value = moved[number]
            self.report(op, aside.layout.nbytes, f"{attrs.display_name(value)} is put aside", Reason.CYCLE, value)
        for number in order.then:
            if move(self.emit, sources[number], targets[number]):
                report(number, targets[number].layout.nbytes)

    def _return(self, op: ReturnOp) -> None:
        """Brings every result that is not computed in its own memory there: a parallel move."""

        def copied(number: int, nbytes: int) -> None:
            value = op.operands[number]
            what = f"{attrs.display_name(value)} is copied into the memory of result {number}"
            self.report(op, nbytes, what, self._reason(value, Reason.RETURNED), value)

        values = [op.operands[result.number] for result in self.frame.results]
        self._move(op, return_moves(op, self.frame), values, copied)
        self.emit.add(ReturnOp(*self.scalars(op.operands)))
