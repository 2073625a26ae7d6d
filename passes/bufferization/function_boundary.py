"""What a function takes and returns when it becomes one on memrefs: the types, and whose memory results are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType, i8
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Storage
from lastuse.dialect.storage.layout import Whole, aligned
from lastuse.passes.bufferization.borrowed_memory import BorrowedMemory
from lastuse.passes.bufferization.call_results import CallResults, tied_argument_of
from lastuse.passes.bufferization.joined_axes import joins_axes
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import boundary_type, memory_type
from lastuse.passes.bufferization.returned_choices import returned_choices
from lastuse.passes.bufferization.signatures import MemrefSignature, tensor_type
from lastuse.passes.bufferization.undefined_results import stand_ins
from lastuse.passes.memory.frame_layout import returns_of


class FunctionBoundary(MemrefContext):
    """Arguments and results of one function.

    Args:
        is_called: others call it.
        calls: how memory is taken and given, and the results of its calls.

    Attributes:
        returns: the ops that return; all of them return results of the same numbers.
        results: numbers of the results that are tensors.
        stand_ins: the result whose memory another one is too, that has no contents.
        choices: the storages of the function that a result may be, by the number of the result.
        arena_bytes: what is planned, in bytes.
        borrowed: what is carried in memory of its own, or in memory that stays.
        homes: the number of the result whose memory a storage is.
    """

    arena_bytes: int
    borrowed: BorrowedMemory
    homes: Mapping[Storage, int]

    def __init__(self, func: FuncOp, is_called: bool, calls: CallResults) -> None:
        super().__init__(func, calls.decisions(func), calls.owned)
        self.calls, self.is_called = calls, is_called
        self.boundary, self.functions, self.callees = calls.boundary, calls.functions, calls.callees
        self.returns = returns_of(func)
        if not self.returns:
            raise LastuseError("the function never returns", func)
        self.results = dict.fromkeys(n for n, v in enumerate(self.returns[0].operands) if self.is_tensor(v))
        """Numbers of the results that are tensors, in order."""
        fixed = is_called or self.boundary.results == "out" or len(self.returns) > 1
        self.stand_ins = {} if fixed else stand_ins(self.returns[0].operands, self.places.sizes)
        chosen = not is_called and self.boundary.results == "return"
        found = returned_choices(func, self.places, self.forwarded) if chosen else {}
        self.choices = {n: own for n, own in found.items() if n not in self.stand_ins and self._is_carried_as(n)}

    def argument_type(self, argument: BlockArgument) -> Attribute:
        """The type of an argument: at any strides, unless something needs its memory without gaps."""
        strided = self.boundary.strided and not joins_axes(argument, self.places, self.forwarded)
        return boundary_type(argument.type, strided)

    def carried_type(self, value: SSAValue) -> Attribute:
        if not self.is_tensor(value):
            return value.type
        if value in self.forwarded.owned and self.borrowed.of(value):
            return self.owned_type(value)
        return self.forwarded.carried_type(value, lambda n: self.argument_type(self.func.body.blocks[0].args[n]))

    def owned_type(self, value: SSAValue) -> MemRefType | UnrankedMemRefType:
        """The type of the memref of a value that is carried in memory of its own: at any strides, where it may be
        memory of an argument that is."""
        return memory_type(tensor_type(value), self.is_owned_strided(value))

    def is_owned_strided(self, value: SSAValue) -> bool:
        """What is carried in memory of its own may be memory of an argument that is at any strides."""
        return self.boundary.strided and any(a.block is self.func.body.blocks[0] for a in self.borrowed.of(value))

    def signature(self) -> MemrefSignature:
        """The types of the function on memrefs; those of the functions that it calls are known."""
        inputs = [self.argument_type(a) for a in self.func.body.blocks[0].args]
        outputs: list[Attribute] = []
        for n, value in enumerate(self.returns[0].operands):
            if n not in self.results:
                outputs.append(value.type)
            elif self.boundary.results == "out":
                if is_unranked(value):
                    raise LastuseError(f"result {n} has no known rank: the caller can give no memory for it", self.func)
                inputs.append(memory_type(tensor_type(value), strided=False))
            else:
                outputs.append(self._return_type(n))
        called = [self.callees[name].arena_bytes for c in calls_in(self.func) if (name := callee_of(c)) in self.callees]
        if self.boundary.arena == "argument" and (self.places.of or any(n is not None for n in called)):
            inner = max((n or 0 for n in called), default=0)
            nbytes = aligned(self.arena_bytes) + inner if inner else self.arena_bytes
            inputs.append(MemRefType(i8, [nbytes]))
            return MemrefSignature(tuple(inputs), tuple(outputs), nbytes, self.lent)
        return MemrefSignature(tuple(inputs), tuple(outputs), None, self.lent)

    @cached_property
    def own_signature(self) -> MemrefSignature:
        """The types of the function on memrefs; callers have seen those of a function that is called."""
        return self.callees[self.func.sym_name.data] if self.is_called else self.signature()

    @cached_property
    def lent(self) -> frozenset[int]:
        """The results that a called function returns in memory of its arguments, on every path."""
        lends = self.results if self.is_called and self.boundary.results == "return" else []
        lent = (n for n in lends if attrs.lent_arguments(self.func, n) and self.tied_argument(n) is None)
        return frozenset(n for n in lent if all(self._is_of_argument(op.operands[n]) for op in self.returns))

    def tied_argument(self, number: int) -> BlockArgument | None:
        """The argument in whose memory a called function always returns a result."""
        tied = tied_argument_of(self.func, number) if self.is_called and self.boundary.results == "return" else None
        return self.func.body.blocks[0].args[tied] if tied is not None else None

    def _return_type(self, number: int) -> Attribute:
        if (tied := self.tied_argument(number)) is not None:
            return self.argument_type(tied)
        number = self.stand_ins.get(number, number)
        values = [op.operands[number] for op in self.returns]
        if self.homes.get(self.places.of[values[0]].storage) == number:
            owned = [v for v in self.forwarded.owned if self.is_at(v, values[0])]
            strided = any(self.is_owned_strided(v) for v in owned)
            return memory_type(tensor_type(values[0]), strided)
        if not self.boundary.strided or not all(self.stays(v, number) for v in values):
            return memory_type(tensor_type(values[0]), strided=False)
        if any(self.places.of[v].storage.kind is PlaceKind.FORWARDED for v in values):
            return memory_type(tensor_type(values[0]), strided=True)
        arguments = [(v, self.func.body.blocks[0].args[self._argument_of(v)]) for v in values]
        strided = [memory_type(tensor_type(v), strided=True) for v in values]
        kinds = {
            self.argument_type(a) if self._is_all_of(v, a) else s for (v, a), s in zip(arguments, strided, strict=True)
        }
        return kinds.pop() if len(kinds) == 1 else strided[0]

    def _argument_of(self, value: SSAValue) -> int:
        key = self.places.of[value].storage.key
        assert isinstance(key, int)
        return key

    def _is_carried_as(self, number: int) -> bool:
        """The memref that is carried has a type that result `number` may have."""
        value = self.returns[0].operands[number]
        return self.boundary.strided or self.carried_type(value) == memory_type(tensor_type(value), strided=False)

    def stays(self, value: SSAValue, number: int) -> bool:
        """A value that is returned as result `number` is memory of an argument, or such memory or that of the function
        as the path decides, and is returned as that memory."""
        if number in self.choices:
            return True
        return number in self.lent if self.is_called else self._is_of_argument(value)

    def _is_of_argument(self, value: SSAValue) -> bool:
        if (storage := self.places.of[value].storage).kind is PlaceKind.FORWARDED:
            dense = self.boundary.strided or self.carried_type(value) == memory_type(tensor_type(value), strided=False)
            return dense and all(s.kind is PlaceKind.ARGUMENT for s in self.forwarded.storages(storage))
        if storage.kind is not PlaceKind.ARGUMENT:
            return False
        place, argument = self.places.of[value].layout, self.func.body.blocks[0].args[self._argument_of(value)]
        if is_unranked(argument) and not is_unranked(value):
            return self.boundary.strided
        return self.boundary.strided or isinstance(place, Whole) or self.is_at(value, argument)

    def _is_all_of(self, value: SSAValue, argument: BlockArgument) -> bool:
        return self.is_at(value, argument) and value.type == argument.type
