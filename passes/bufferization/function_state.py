"""What the function that becomes one on memrefs has beyond values: its arguments, blocks and memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType, i8
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import calls_in, ops_within, reverse_postorder
from lastuse.dialect.ir.tensor_types import Poly
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage
from lastuse.dialect.storage.contract import contract_of, holds_nothing, is_foreign
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import aligned, is_dense
from lastuse.passes.bufferization.arena_memory import extent_of, new_arena, viewed_bytes
from lastuse.passes.bufferization.borrowed_memory import NONE, BorrowedMemory, borrowed_memory
from lastuse.passes.bufferization.call_results import CallResults, other_memory
from lastuse.passes.bufferization.forms import form_of
from lastuse.passes.bufferization.function_boundary import FunctionBoundary
from lastuse.passes.bufferization.lifetimes import Lifetime, is_touched_inside, lifetimes, openers_of
from lastuse.passes.bufferization.memref_types import aligned_alloc, boundary_type, dense_type, start_of, type_of
from lastuse.passes.bufferization.moved_results import moved_results
from lastuse.passes.bufferization.other_shapes import in_shape
from lastuse.passes.bufferization.returned_choices import give_back_others, give_back_unless
from lastuse.passes.bufferization.signatures import MemrefSignature, tensor_type
from lastuse.passes.bufferization.sizes_over_time import changing_symbols, have_all, have_one_size
from lastuse.passes.bufferization.unknown_sizes import UnknownMemoryError, unknown_memory, unknown_rank


class FunctionState(FunctionBoundary):
    """Arguments, blocks and memory of one function.

    Args:
        is_called: others call it.
        calls: how memory is taken and given, and the results of its calls.

    Attributes:
        blocks: the new blocks, by the old ones.
        edges: blocks made for the moves of a branch that has several successors.
        lent_on: by argument of a block, the memrefs that the block passes on and that may be its memory.
        left: ops, with the storage that each leaves to what it passes on.
        held: memory to be given back at the ends of blocks.
        passing: the memory that a boundary passes on as a value that is carried in memory of its own.
        passed_on: memory of a value that is another one's now, not to be given back where the first ends.
    """

    def __init__(self, func: FuncOp, is_called: bool, calls: CallResults) -> None:
        super().__init__(func, is_called, calls)
        self._chosen = frozenset[Storage]().union(*self.choices.values())
        self._changing = changing_symbols(func, self.places.sizes)
        # Only memory that calls return, or that is carried, is asked for when it ends.
        self._lifetimes = lifetimes(func, self.places, self.forwarded) if calls_in(func) or self.forwarded.owned else {}
        self._moved = frozenset(moved_results(func, self.places, self._lifetimes, calls))
        self._memories: dict[Storage, SSAValue] = {}
        self._openers = openers_of(self.places)
        self.homes = dict(self._homes())
        self._filled = frozenset(self._with_contents())
        # Else no op makes memory, which is asked of each value that opens a storage.
        self._has_others = bool(calls_in(func) or self.forwarded.owned or any(other_memory(func)))
        self._starts: dict[Operation, list[Storage]] = {}
        self._firsts: dict[Storage, Operation] = {}
        self._ends: dict[Operation, list[Storage]] = {}
        self._whole: list[Storage] = []
        self._offsets: dict[Storage, int] = {}
        self.arena_bytes = self._place()
        self.borrowed = self._borrow()
        self.lent_on: dict[SSAValue, list[SSAValue]] = {}
        self.left: set[tuple[Operation, Storage]] = set()
        self.edges, self.held = list[Block](), dict[Block | None, list[SSAValue]]()
        self.passed_on, self.passing = set[SSAValue](), dict[SSAValue, SSAValue]()
        self.arena: SSAValue | None = None
        self.blocks: dict[Block, Block] = {}

    @abstractmethod
    def op(self, op: Operation) -> None:
        """Emits what `op` does."""

    def _borrow(self) -> BorrowedMemory:
        if self.is_called:
            return NONE
        return borrowed_memory(self.func, self.places, self.forwarded, self._ends, self.boundary.strided)

    # Memory of results

    def _homes(self) -> Iterator[tuple[Storage, int]]:
        """Storages that a result fills: they are that result's memory."""
        found: set[Storage] = set()
        for n in (n for n in self.results if n not in self.stand_ins and self.tied_argument(n) is None):
            values = [op.operands[n] for op in self.returns]
            places = [self.places.of[v] for v in values]
            own = (PlaceKind.OWN, PlaceKind.NUMBERED, PlaceKind.BORROWED)
            for value, place in zip(values, places, strict=True):
                if place.storage in found or place.storage in self._chosen or place.storage.kind not in own:
                    continue
                if not self._fills(value, place):
                    continue
                several = self.boundary.results == "return" and len({p.storage for p in places}) > 1
                if several or not self._may_return(place):
                    continue
                found.add(place.storage)
                yield place.storage, n
                break

    def _may_return(self, place: Place) -> bool:
        """No op makes the memref; or one does, of memory that the function gives away."""
        key = place.storage.key
        made = key in self.forwarded.owned or (isinstance(key, OpResult) and self.is_made(key))
        return not made or (self.boundary.results == "return" and self._made_here(place.storage) is not None)

    def _fills(self, value: SSAValue, place: Place) -> bool:
        """The value is all of its storage, and that has nothing of another size; what the caller gives has the type of
        the value."""
        openers = self._openers.get(place.storage, ())
        alike = openers if self.boundary.results == "return" else [value, *openers]
        same = (
            self._have_one_size(alike)
            or {v.type for v in [value, *openers]} == {value.type}
            and (self.boundary.results == "return" and all(v in self.forwarded.owned for v in openers))
        )
        if self.boundary.results == "out" and any(map(self._is_sized_inside, openers)):
            return False
        whole = all(self.is_at(v, value) or have_all(self.places.of[v].layout, place.layout) for v in openers) and same
        return whole and is_dense(place.layout) and start_of(place.layout) == 0

    def _is_sized_inside(self, value: SSAValue) -> bool:
        """A size of a value is a number that a region computes: it may be another one each time."""
        symbols = (s for dim in self.places.sizes[value].known if isinstance(dim, Poly) for s in dim.symbols)
        numbers = (self._numbers[s] for s in symbols if s in self._numbers)
        return any(n.owner.parent_op() is not self.func for n in numbers)

    def _have_one_size(self, values: Sequence[SSAValue], block: Block | None = None) -> bool:
        """All values have one size: also one value alone that each run of `block`, by default the body of the function,
        makes once."""
        block = self.func.body.blocks[-1] if block is None else block
        once = len(values) == 1 and isinstance(made := values[0].owner, Operation) and made.parent is block
        changing = frozenset(s for s in self._changing if not once or s in self._sizes)
        return have_one_size(values, self.places.sizes, changing)

    # Memory

    def _place(self) -> int:
        """Decides what of the memory without an offset is in the arena, and what is taken apart; the arena's bytes."""
        end = self.rules.decisions.arena_bytes or 0
        apart = self.boundary.arena == "none" or self.rules.decisions.unit is not None
        taken, passed = list[Storage](), set(self._passed_on())
        for storage in self._openers:
            has_none = storage.kind in (PlaceKind.ARGUMENT, PlaceKind.CONSTANT, PlaceKind.FORWARDED)
            if has_none or not self._needs_memory(storage):
                made = self._made_here(storage)
                last = self._lifetimes[storage].last if made is not None else None
                if made is not None and last is not None and last.parent is made.op.parent:
                    self._ends.setdefault(last, []).append(storage)
                elif made is not None and made in self.forwarded.owned:
                    raise unknown_memory([made])
                continue
            nbytes = self._extent(storage)
            if storage.kind is PlaceKind.ARENA:
                end = max(end, nbytes or 0)
                continue
            if storage in self.homes or storage in self._chosen or storage in passed or nbytes is None or apart:
                taken.append(storage)
            else:
                self._offsets[storage] = aligned(end)
                end = aligned(end) + nbytes
        lives = lifetimes(self.func, self.places, self.forwarded, taken) if taken else {}
        for storage in taken:
            self._take_at(storage, lives[storage])
        return end

    def _passed_on(self) -> Iterator[Storage]:
        """The storages of what loops and branches are passed in memory of its own."""
        for op in ops_within(self.func) if self.forwarded.owned else ():
            for _, source, target in passed_by(op) if op is not self.func else ():
                if target in self.forwarded.owned and source in self.places.of:
                    yield self.places.of[source].storage

    def _with_contents(self) -> Iterator[Storage]:
        """The storages that a value with contents lies in."""
        found: set[int] = set()  # by identity: values share storages, and to hash one is Python code
        for value, (storage, _) in self.places.of.items():
            if id(storage) not in found and not holds_nothing(value):
                found.add(id(storage))
                yield storage

    def _needs_memory(self, storage: Storage) -> bool:
        """A value of the storage has bytes, and no op makes them."""
        owned, openers = self.forwarded.owned, self._openers[storage] if self._has_others else ()
        made = any(v in owned or (isinstance(v, OpResult) and self.is_made(v)) for v in openers)
        return not made and storage in self._filled

    def is_made(self, value: OpResult) -> bool:
        """The op makes the memref: a call, or an op that is given memory, or of which it is known only that the result
        may be bytes of an operand, where its form is a view of these."""
        if isinstance(value.op, CallOp):
            return self.calls.is_made(value) and not self.is_moved(value)
        given = contract_of(value.op).given
        form = form_of(value.op) if given or is_foreign(value.op) else None
        return form is not None and form.view is not None

    def is_moved(self, value: OpResult) -> bool:
        """A call returns memory that is given back in its block, and the result is used in others: it is moved."""
        return value in self._moved

    def _made_here(self, storage: Storage) -> OpResult | None:
        """The result that came with this memory, to be given back here: of a call of a function of the module, or of
        a loop or branch that carries it."""
        results = [v for v in self._openers[storage] if isinstance(v, OpResult)]
        returned = (v for v in results if isinstance(v.op, CallOp) and self.calls.is_new(v) and not self.is_moved(v))
        return next((v for v in results if v in self.forwarded.owned), None) or next(returned, None)

    def _take_at(self, storage: Storage, life: Lifetime) -> None:
        if life.first is None or life.last is None:
            self._whole.append(storage)
            return
        self._firsts[storage] = life.first
        self._starts.setdefault(life.first, []).append(storage)
        self._ends.setdefault(life.last, []).append(storage)

    def _extent(self, storage: Storage) -> int | None:
        """Bytes of a storage; None where they are not known."""
        return extent_of([self.places.of[v].layout for v in self._openers[storage]])

    def open(self, blocks: Mapping[Block, Block], signature: MemrefSignature) -> None:
        """Gives the function its arguments, its arena and what is taken on entry."""
        self.blocks = dict(blocks)
        old = self.func.body.blocks[0].args
        for argument, type_ in zip(old, signature.inputs, strict=False):
            new = self.entry.insert_arg(type_, len(self.entry.args))
            new.name_hint = argument.name_hint
            if self.is_tensor(argument):
                self.defined[argument] = new
            else:
                self.scalar[argument] = new
        for type_ in signature.inputs[len(old) :]:
            self.entry.insert_arg(type_, len(self.entry.args))
        outs = self.entry.args[len(old) :]
        self.outs = dict(zip(self.results, outs, strict=False)) if self.boundary.results == "out" else {}
        for n, out in self.outs.items():
            out.name_hint = self.returns[0].operands[n].name_hint
        for storage, n in self.homes.items():
            if n in self.outs:
                self._memories[storage] = self.outs[n]
        if signature.arena_bytes is not None:
            self.arena = self.entry.args[-1]
            self.arena.name_hint = "arena"
        elif self.arena_bytes:
            self.arena = new_arena(self.arena_bytes, self.rules.decisions.unit, self)
        for storage in self._whole:
            self._take(storage)
        for block in reverse_postorder(self.func.body)[1:]:
            for argument in block.args:
                if not self.is_carried(argument):
                    self.memref(argument)

    def memory(self, value: SSAValue) -> SSAValue:
        storage, layout = self.places.of[value]
        if storage.kind is PlaceKind.CONSTANT:
            return self.emit(memref.GetGlobalOp(self.constant(value), dense_type(tensor_type(value))))
        if storage.kind is PlaceKind.ARGUMENT:
            assert isinstance(storage.key, int)
            argument = self.func.body.blocks[0].args[storage.key]
            if is_unranked(argument) or is_unranked(value):
                return self.cast(self.defined[argument], boundary_type(value.type, strided=True))
            wanted = TensorType(tensor_type(value).element_type, self._known_shape(value))
            made = in_shape(self.defined[argument], wanted, self)
            if made is None:
                raise LastuseError(f"{attrs.display_name(value)} is not of the type of its memory", self.func)
            return made
        if storage.kind is PlaceKind.ARENA or storage in self._offsets:
            assert self.arena is not None
            return viewed_bytes(self.arena, self.polynomial(self._offsets.get(storage, start_of(layout))), value, self)
        if storage not in self._memories:
            self._take(storage)
        made = self._memories[storage]
        if is_unranked(value) and isinstance(made.type, MemRefType):
            raise unknown_rank(value, self.source)
        if not is_unranked(value) and type_of(made).element_type == i8 and made.type != dense_type(tensor_type(value)):
            return viewed_bytes(made, 0, value, self)
        return made

    def _known_shape(self, value: SSAValue) -> list[int]:
        """The sizes of a tensor that are numbers, also those that its type does not say."""
        known = self.places.sizes[value].known
        return [n if isinstance(n, int) else DYNAMIC_INDEX for n in known]

    @abstractmethod
    def constant(self, value: SSAValue) -> str:
        """The name of the global that holds a constant."""

    def _take(self, storage: Storage) -> None:
        openers = self._openers[storage]
        if storage in self._memories or any(v in self.defined for v in openers):
            return
        first, start = openers[0], self._firsts.get(storage)
        if is_unranked(first):
            made = self.new_memory(self.calls.sized_as(first))
            self._memories[storage] = self.cast(made, boundary_type(first.type, strided=True))
            return
        if self._have_one_size(openers, start.parent if start is not None else None):
            try:
                type_, sizes = dense_type(tensor_type(first)), self.dynamic_sizes(first)
            except LastuseError as unknown:
                raise UnknownMemoryError(unknown.message, openers, unknown.location) from None
        else:
            nbytes = self._extent(storage)
            if nbytes is None:
                raise unknown_memory(openers)
            type_, sizes = MemRefType(i8, [nbytes]), []
        self._memories[storage] = self.emit(aligned_alloc(sizes, type_), first.name_hint)

    def take_for(self, op: Operation) -> None:
        """Takes the memory whose first use is `op`."""
        for storage in self._starts.get(op, ()) if self._starts else ():
            self._take(storage)

    def give_back(self, op: Operation) -> None:
        """Gives back the memory whose last use is `op`; what a result of it may be, before that result."""
        if ended := self._ends.get(op) if self._ends else None:
            self.begin(op)
            for storage in sorted(ended, key=lambda storage: storage not in self.borrowed.left):
                self._free(storage)

    def _free(self, storage: Storage) -> None:
        made = self._memory_of(storage)
        kept = storage in self.homes or storage in self._chosen
        if made is not None and not kept and made not in self.passed_on:
            after = [self.defined[v] for v in self._openers_left(storage)]
            result = self._made_here(storage)
            self.give_back_memory(made, [*after, *self.owners(result)])

    def _openers_left(self, storage: Storage) -> list[SSAValue]:
        """The results that a storage may have become, in the order of the function."""
        left = self.borrowed.left.get(storage, ())
        return sorted(left, key=lambda v: v.index)  # pyright: ignore

    def owners(self, value: SSAValue | None) -> list[SSAValue]:
        """The memrefs whose memory a carried value may be, that stays when the value ends."""
        arguments = self.borrowed.of(value) if value is not None else ()
        return [
            self.defined[a] for a in sorted(arguments, key=lambda a: (a.block is not self.func.body.blocks[0], a.index))
        ]

    def give_back_memory(self, made: SSAValue, others: Sequence[SSAValue]) -> None:
        """Gives back memory, unless it is that of other memrefs."""
        if others:
            give_back_unless(made, others, self.add)
        else:
            self.emit(memref.DeallocOp.get(made))

    def _memory_of(self, storage: Storage) -> SSAValue | None:
        result = self._made_here(storage)
        return self.defined[result] if result is not None else self._memories.get(storage)

    def ending(self, op: Operation, value: SSAValue) -> SSAValue | None:
        """The memory that ends at `op`, of which a value is all; None for any other value."""
        storage = self.places.of[value].storage
        for argument in op.parent.args if op.parent is not None and op is op.parent.last_op else ():
            if argument in self.forwarded.owned and self.is_at(value, argument):
                return self.defined[argument]
        openers = self._openers.get(storage)
        whole = openers is not None and all(self.is_at(value, v) for v in openers)
        ends = whole and storage in self._ends.get(op, ()) and not is_touched_inside(op, storage, self.places)
        return self._memory_of(storage) if ends else None

    def is_end_of(self, op: Operation, argument: BlockArgument) -> bool:
        """The memory of an argument of a block inside of the function ends with the block that `op` ends."""
        block = argument.block
        return op.parent is block and op is block.last_op and block is not self.func.body.blocks[0]

    def ends_memory(self, op: Operation) -> bool:
        """Memory is given back with the block that `op` ends."""
        return bool(self._ends.get(op) or self.held.get(op.parent))

    def give_back_last(self, op: Operation) -> None:
        """Gives back the memory that ends with the block that `op` ends; on each way that control may take from it."""
        self.give_back(op)
        for aside in self.held.get(op.parent, ()):
            self.emit(memref.DeallocOp.get(aside))

    def emit_last(self, op: Operation, made: Operation, given_back: bool = False) -> None:
        """Ends a block: what `op` used last is given back before, unless that is done on each way from it."""
        if not given_back:
            self.give_back_last(op)
        self.held.pop(op.parent, None)
        if isinstance(op, ReturnOp):
            give_back_others(self.choices, made.operands, self._memories, self.add)
            for storage in self._whole:
                self._free(storage)
            if self.arena is not None and self.boundary.arena == "alloc":
                self.emit(memref.DeallocOp.get(self.arena))
        self.add(made)
