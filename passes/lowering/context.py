"""The function that is being lowered: its blocks, and where its values are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import reverse_postorder
from lastuse.dialect.onednn.buffers import ArenaOp, ConstantBufferOp
from lastuse.dialect.onednn.memory import Operand, memref_type
from lastuse.dialect.onednn.primitives.base import Emitter
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind
from lastuse.dialect.storage.layout import Strided, aligned
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.memory.allocation_problem import place_temporaries
from lastuse.passes.memory.frame_layout import FrameLayout, FrameLocation, frame_of


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


class LoweringContext(ABC):
    """The state of one lowering, for ops, calls, control flow and copies; the old function is left as it was.

    Args:
        functions: every function of the module that has a body, by name: those it may call.
        is_called: others call it.

    Attributes:
        frame: where the values of the function lie.
        emit: writes to the block that is being made.
        blocks: the blocks of the lowered function, by those of the old one.
        copies: what the lowered function copies, one for each copy in it, in their order.
        edges: blocks made for the moves of a branch that has several successors.
        scalar: the scalar that stands for one of the old function.
        constants: the buffer of each constant.
    """

    def __init__(self, func: FuncOp, functions: Mapping[str, FuncOp], is_called: bool) -> None:
        self.func, self.functions = func, functions
        self.frame: FrameLayout = frame_of(func, is_called)
        self.edges: list[Block] = []
        self.copies: list[LoweredCopy] = []
        self.scalar: dict[SSAValue, SSAValue] = {}
        self.constants: dict[SSAValue, SSAValue] = {}
        self._temporaries = place_temporaries(func, self.frame, functions)
        self.blocks = {old: self._block(old) for old in reverse_postorder(func.body)}
        self.entry = next(iter(self.blocks.values()))
        self.emit = Emitter(self.entry)
        self.begin(func)
        arena = ArenaOp(max([self.frame.arena_bytes, *(end for _, end in self._temporaries.values())]))
        arena.memory.name_hint = "arena"
        self.emit.add(arena)
        self.arena: SSAValue = arena.memory

    @abstractmethod
    def op(self, op: Operation) -> None:
        """Emits what `op` does. Raises LastuseError where nothing runs such an op."""

    def _block(self, old: Block) -> Block:
        """A block with the scalars of `old` as arguments; the function's first one with its memory too."""
        new, first = Block(), old is self.func.body.blocks.first
        for argument in old.args:
            is_tensor = argument in self.frame.places
            if is_tensor and not first:
                continue
            type_ = self.memory_type(argument) if is_tensor else argument.type
            new_argument = new.insert_arg(type_, len(new.args))
            new_argument.name_hint = argument.name_hint
            if not is_tensor:
                self.scalar[argument] = new_argument
        for result in self.frame.results if first else ():
            if not result.tied:
                new_argument = new.insert_arg(self.memory_type(result.value), len(new.args))
                new_argument.name_hint = result.value.name_hint
        return new

    def begin(self, op: Operation) -> None:
        """What is emitted from now on comes from `op`, which has no temporaries yet."""
        self.emit.source, self._used = op, 0

    # Values.

    def memory_type(self, value: SSAValue) -> Attribute:
        """The type of an argument that is the dense memory of `value`."""
        return memref_type(self.frame.own(value), self.frame.sizes[value].dtype)

    def operand(self, value: SSAValue) -> Operand:
        """The place of a tensor in the lowered function.

        Raises:
            LastuseError: it is no tensor.
        """
        if value not in self.frame.places:
            raise LastuseError(f"{attrs.display_name(value)} is {value.type}, not a tensor", self.emit.source)
        return self.at(self.frame.location(value), self.frame.sizes[value].dtype)

    def at(self, location: FrameLocation, dtype: str) -> Operand:
        """A place in the lowered function, of elements of that type."""
        match location.root:
            case None:
                root = self.arena
            case int():
                root = self.entry.args[location.root]
            case _:
                root = self.constants[location.root]
        return Operand(root, location.layout, dtype)

    def is_tensor(self, value: SSAValue) -> bool:
        """Whether a value of the old function has bytes; else it is a scalar."""
        return value in self.frame.places

    def scalars(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """Those of the values that are scalars, as they are in the lowered function."""
        return [self.scalar[v] for v in values if not self.is_tensor(v)]

    def define(self, old: Iterable[SSAValue], new: Iterable[SSAValue]) -> None:
        """The scalars among `old` are `new` from now on."""
        for value, scalar in zip([v for v in old if not self.is_tensor(v)], new, strict=True):
            scalar.name_hint = value.name_hint
            self.scalar[value] = scalar

    def constant(self, value: SSAValue, content: Attribute) -> None:
        """Emits what `value` is in every run."""
        assert isinstance(content, DenseIntOrFPElementsAttr | DenseResourceAttr)
        constant = ConstantBufferOp(content)
        constant.memory.name_hint = value.name_hint
        self.emit.add(constant)
        self.constants[value] = constant.memory

    def temporary(self, like: Operand) -> Operand:
        """Arena bytes for the elements of `like`, dense, while the op at hand runs: of those it has aside."""
        assert self.emit.source is not None
        begin, end = self._temporaries[self.emit.source]
        start = begin + aligned(self._used)
        self._used = start + like.layout.nbytes - begin
        assert begin + self._used <= end, "temporaries are counted before the function is lowered"
        layout = Strided.dense(like.shape, like.layout.item, start)
        return Operand(self.arena, layout, like.dtype)

    # Copies.

    def note_copy(self, op: Operation, source: SSAValue, target: SSAValue, nbytes: int, otherwise: Reason) -> None:
        """Notes that `op` copies bytes of `source` into `target`; for the reason `otherwise`, if no other is known."""
        what = copied_into(source, target)
        self.copies.append(LoweredCopy(op, what, nbytes, self.reason_of(source, otherwise), target))

    def reason_of(self, source: SSAValue, otherwise: Reason) -> Reason:
        """Why a value is copied: it is memory that nothing may write, else `otherwise`."""
        storage = self.frame.places[source].storage
        if storage.kind is PlaceKind.ARGUMENT and storage.key not in attrs.writable_arguments(self.func):
            return Reason.PROGRAM_INPUT
        return Reason.CONSTANT if storage.kind is PlaceKind.CONSTANT else otherwise
