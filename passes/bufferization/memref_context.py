"""The function that becomes one on memrefs: the block that is written, and the memref of each value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.new_ops import new_op
from lastuse.dialect.ir.region_contents import read_by
from lastuse.dialect.ir.tensor_types import Dim, Poly, Symbol, static_shape
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, PlaceKind, assign_places
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.index_arithmetic import constant_of
from lastuse.dialect.storage.layout import Strided, same_bytes
from lastuse.dialect.storage.place_rules import Rule
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.bufferization.emission import Emission
from lastuse.passes.bufferization.forwarded_memrefs import ForwardedMemrefs
from lastuse.passes.bufferization.memref_types import (
    Index,
    dense_type,
    subview_of,
    type_of,
    with_sizes,
)
from lastuse.passes.bufferization.other_shapes import with_axes
from lastuse.passes.bufferization.signatures import tensor_type
from lastuse.passes.bufferization.size_symbols import sizes_of_arguments, sizes_of_numbers
from lastuse.passes.bufferization.unknown_sizes import unknown_rank, unknown_size
from lastuse.passes.lowering.context import LoweredCopy


class MemrefContext(Emission, ABC):
    """The state of one function, for its ops, calls, control flow and copies; the old function is left as it was.

    Args:
        decisions: what gives the places of its values.

    Attributes:
        places: of its tensors.
        scalar: the value that stands for one of the old function that is no tensor.
        defined: memrefs that ops of the new function make, arguments and memory, by the values that lie in them.
        copies: what is copied, one for each copy.
    """

    def __init__(self, func: FuncOp, decisions: Decisions, owned: frozenset[SSAValue] = frozenset()) -> None:
        super().__init__(func)
        self.places = assign_places(func, decisions)
        self.rules = self.places.rules
        self.forwarded = ForwardedMemrefs(func, self.places, self.rules.decisions, owned)
        self.scalar: dict[SSAValue, SSAValue] = {}
        self.defined: dict[SSAValue, SSAValue] = {}
        self.copies: list[LoweredCopy] = []
        self._sizes = sizes_of_arguments(func)
        self._numbers = sizes_of_numbers(func, self.places.sizes)
        self._open = [self.entry]
        self._scopes: list[dict[object, SSAValue]] = [{}]
        self._asked: set[tuple[SSAValue, int]] = set()

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Ops are added to `block`; memrefs of values that are made there are known in it alone."""
        around, self.block = self.block, block
        self._scopes.append({})
        self._open.append(block)
        yield
        self._open.pop()
        self._scopes.pop()
        self.block = around

    # Values

    def is_tensor(self, value: SSAValue) -> bool:
        """Whether a value of the old function has bytes; else it is a scalar."""
        return value in self.places.of

    def value(self, value: SSAValue) -> SSAValue:
        """What stands for a value of the old function: its memref, or the scalar."""
        if (known := self._known(value)) is not None:
            return known
        return self.memref(value) if self.is_tensor(value) else self.scalar_of(value)

    def scalar_of(self, value: SSAValue) -> SSAValue:
        """The scalar that stands for one of the old function.

        Raises:
            LastuseError: it is a tensor of unknown rank, or of a type that has no place.
        """
        if value not in self.scalar:
            raise LastuseError(f"{attrs.display_name(value)} is {value.type}, which has no memref form", self.source)
        return self.scalar[value]

    def scalars(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """Those of the values that are scalars, as they are in the new function."""
        return [self.scalar_of(v) for v in values if not self.is_tensor(v)]

    def define(self, old: Iterable[SSAValue], new: Iterable[SSAValue]) -> None:
        """The scalars and forwarded tensors among `old` are `new` from now on."""
        for value, made in zip([v for v in old if self.is_carried(v)], new, strict=True):
            made.name_hint = value.name_hint
            (self.defined if self.is_tensor(value) else self.scalar)[value] = made

    def is_carried(self, value: SSAValue) -> bool:
        """Boundaries pass it on as a value: a scalar, or the memref of a tensor that is forwarded or owned."""
        return self.forwarded.is_carried(value)

    def carried(self, sources: Iterable[SSAValue], targets: Iterable[SSAValue]) -> list[SSAValue]:
        """What a boundary passes on as values of what becomes `targets`."""
        pairs = [(s, t) for s, t in zip(sources, targets, strict=True) if self.is_carried(t)]
        return [self.passed(s, t) if self.is_tensor(t) else self.scalar_of(s) for s, t in pairs]

    @abstractmethod
    def passed(self, source: SSAValue, target: SSAValue) -> SSAValue:
        """The memref that a boundary passes on of a tensor that becomes one whose memref is carried."""

    @abstractmethod
    def carried_type(self, value: SSAValue) -> Attribute:
        """The type that a boundary passes a value on with."""

    def clone(self, op: Operation) -> None:
        """Emits an op on scalars as it is, with all that is in it."""
        copied = op.clone({v: self.scalar_of(v) for v in read_by(op)})
        self.add(copied)
        self.define(op.results, copied.results)

    # Memrefs

    def memref(self, value: SSAValue) -> SSAValue:
        """The memref of a tensor: its bytes by the rule that gives its place.

        Raises:
            LastuseError: no memref is these bytes.
        """
        if (known := self._known(value)) is not None:
            return known
        chain: list[tuple[SSAValue, Rule, SSAValue]] = []
        while known is None:
            rule, source = self._rule(value)
            if source is None:
                known = self._note(value, self.memory(value))
            else:
                chain.append((value, rule, source))
                value, known = source, self._known(source)
        for item, rule, source in reversed(chain):
            known = self._note(item, self._derived(item, rule, source, known))
        return known

    def _note(self, value: SSAValue, made: SSAValue) -> SSAValue:
        self._scopes[-1][value] = made
        return made

    def _known(self, value: SSAValue) -> SSAValue | None:
        made = self.defined.get(value)
        if made is None:
            for scope in reversed(self._scopes):
                if (made := scope.get(value)) is not None:
                    break
        return made

    @abstractmethod
    def memory(self, value: SSAValue) -> SSAValue:
        """The memref of a value that opens a storage."""

    def _rule(self, value: SSAValue) -> tuple[Rule, SSAValue | None]:
        """The rule that gave the place of a value, and the value that it follows from."""
        opens = self.rules.at[value][0] is value
        return (Rule.STORAGE, None) if opens else self.rules.derived(value)

    def is_derived(self, value: SSAValue) -> bool:
        """The value is a view that lies in its operand: nothing is done for it."""
        return self._rule(value)[0] is Rule.VIEW

    def _derived(self, value: SSAValue, rule: Rule, of: SSAValue, source: SSAValue) -> SSAValue:
        """The memref of a value whose place follows by `rule` from that of `of`, whose memref is `source`."""
        if rule is Rule.VIEW:
            assert isinstance(value, OpResult)
            return self.view(value.op, source)
        if rule is Rule.PART:
            part = self.rules.parts[value]
            return self.ranked(self.part(part.op, part.operand, source), value)
        return source if of.type is value.type else self.ranked(source, value)

    @abstractmethod
    def view(self, op: Operation, source: SSAValue) -> SSAValue:
        """The memref of a view op, of the bytes of its operand at `source`."""

    @abstractmethod
    def part(self, op: Operation, operand: int, result: SSAValue) -> SSAValue:
        """The part of the result of `op`, which lies at `result`, that an operand is."""

    @abstractmethod
    def declared_sizes(self, op: Operation) -> list[Index] | None:
        """The sizes of the result of `op`, where its form says them."""

    def no_form(self, op: Operation) -> LastuseError:
        """The error of an op that has no memref form."""
        return LastuseError(f"'{op_name(op)}' has no memref form", op)

    def ranked(self, made: SSAValue, value: SSAValue) -> SSAValue:
        """The same elements in the same order under the sizes of `value`.

        Raises:
            LastuseError: these are no axes of that memory.
        """
        if is_unranked(value):
            return made
        found = with_axes(made, tensor_type(value).get_shape(), self)
        if found is None:
            raise LastuseError(f"the axes of {attrs.display_name(value)} are no view of its memory", self.source)
        return found

    def cast(self, made: SSAValue, type_: Attribute) -> SSAValue:
        """The memref under another type of the same memory."""
        return made if made.type == type_ else self.emit(memref.CastOp.get(made, type_))  # pyright: ignore

    def subview(
        self,
        source: SSAValue,
        offsets: Sequence[Index],
        sizes: Sequence[Index],
        strides: Sequence[Index],
        kept: Sequence[int] | None = None,
    ) -> SSAValue:
        """Part of a memref; `kept` are the axes that are left, all without it."""
        return self.emit(subview_of(source, offsets, sizes, strides, range(len(sizes)) if kept is None else kept))

    # Sizes

    def sizes(self, value: SSAValue) -> list[Index]:
        """The size of every axis of a tensor, each as a number or as a value of type `index`."""
        return [self.size(value, axis) if n is None else n for axis, n in enumerate(static_shape(value.type))]

    def dynamic_sizes(self, value: SSAValue) -> list[SSAValue]:
        """The sizes that the type of a tensor does not say, as values: these may be known from elsewhere."""
        unknown = [axis for axis, n in enumerate(static_shape(value.type)) if n is None]
        return [self.as_value(self.size(value, axis)) for axis in unknown]

    def size(self, value: SSAValue, axis: int) -> Index:
        """One size of a tensor.

        Raises:
            LastuseError: it is not known where it is needed, or the rank is not known.
        """
        if is_unranked(value):
            raise unknown_rank(value, self.source)
        known = static_shape(value.type)[axis]
        if known is not None:
            return known
        made = self._known(value)
        if made is not None:
            return self.dim(made, axis)
        dim = self.places.sizes[value].known[axis]
        if self._is_known(dim):
            return self.polynomial(dim)
        if isinstance(value, OpResult):
            sizes, same = self.declared_sizes(value.op), dict(contract_of(value.op).same_shape)
            if sizes is not None:
                return sizes[axis]
            if value.index in same:
                return self.size(value.op.operands[same[value.index]], axis)
            if (agreed := self._agreed_size(value, axis)) is not None:
                return agreed
        source = self._rule(value)[1]
        if source is not None:
            return self.dim(self.memref(value), axis) if is_unranked(source) else self.size(source, axis)
        raise unknown_size(value, axis, self.places.sizes, self.source)

    def _agreed_size(self, value: OpResult, axis: int) -> Index | None:
        """The size of what a region op passes on as `value`, where all of it shows the same before the op runs."""
        if (value, axis) in self._asked:  # a loop passes on what it is given
            return None
        sources = [passed.source for passed in passed_by(value.op) if passed.target is value]
        self._asked.add((value, axis))
        try:
            sizes = [self.size(source, axis) for source in sources]
        except LastuseError:
            return None
        finally:
            self._asked.discard((value, axis))
        if sizes and sizes.count(sizes[0]) == len(sizes):
            return sizes[0]
        return self._chosen_size(value.op, dict(zip(sources, sizes, strict=True)))

    def _chosen_size(self, op: Operation, sizes: Mapping[SSAValue, Index]) -> Index | None:
        """The size of what an op chooses, of operands of those sizes: the op on sizes."""
        if op.regions or not all(v in sizes or v in self.scalar for v in op.operands):
            return None
        operands = [self.as_value(sizes[v]) if v in sizes else self.scalar[v] for v in op.operands]
        return self.emit(type(op).create(operands=operands, result_types=[IndexType()]))

    def dim(self, made: SSAValue, axis: int) -> Index:
        """The size of a memref along an axis."""
        known = type_of(made).get_shape()[axis]
        if known != DYNAMIC_INDEX:
            return known
        key = (made, axis)
        for scope in reversed(self._scopes):
            if key in scope:
                return scope[key]
        self._scopes[-1][key] = self.emit(memref.DimOp(made, self.index(axis)))
        return self._scopes[-1][key]

    def _is_known(self, dim: Dim) -> bool:
        return not isinstance(dim, Poly) or all(s in self._sizes or self._is_there(s) for s in dim.symbols)

    def _is_there(self, symbol: Symbol) -> bool:
        """The index value that the symbol is, is computed in a block that is being written."""
        made = self.scalar.get(self._numbers[symbol]) if symbol in self._numbers else None
        return made is not None and (made.owner if isinstance(made.owner, Block) else made.owner.parent) in self._open

    def _symbol(self, symbol: Symbol) -> SSAValue:
        if symbol not in self._sizes:
            return self.scalar[self._numbers[symbol]]
        argument, axis = self._sizes[symbol]
        return self.at_start(symbol, lambda: memref.DimOp(self.defined[argument], self.index(axis)))

    def polynomial(self, dim: Dim) -> Index:
        """A polynomial over sizes that are known here, computed."""
        if not isinstance(dim, Poly):
            return dim
        total: Index = 0
        for monomial, coefficient in dim.terms:
            term: Index = coefficient
            for factor in monomial:
                term = self.times(term, self._symbol(factor))
            total = self.plus(total, term)
        return total

    def indices(self, static_: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Index]:
        """Mixed numbers and values, as slices list them, with the values of the new function; a constant that is not
        there yet is its number."""
        values = iter(dynamic)
        return [self._index_of(next(values)) if n == DYNAMIC_INDEX else n for n in static_]

    def _index_of(self, value: SSAValue) -> Index:
        number = constant_of(value) if value not in self.scalar else value
        return number if isinstance(number, int) else self.scalar_of(value)

    # Copies

    def new_memory(self, value: SSAValue, name: str | None = None) -> SSAValue:
        """Memory of its own for the contents of a tensor, of known rank."""
        return self.emit(memref.AllocOp(self.dynamic_sizes(value), [], dense_type(tensor_type(value))), name)

    def is_at(self, value: SSAValue, other: SSAValue) -> bool:
        """Both have exactly the same bytes by the same map."""
        a, b = self.places.of[value], self.places.of[other]
        if a.layout is b.layout and isinstance(a.layout, Strided):
            return a.storage == b.storage
        return a.storage == b.storage and same_bytes(a.layout, b.layout)

    def clashes(self, a: Place, b: Place) -> bool:
        """Some byte may be of both."""
        if a.storage != b.storage:
            return False
        both = isinstance(a.layout, Strided) and isinstance(b.layout, Strided)
        return a.layout.overlaps(b.layout) if both else True  # pyright: ignore

    def copy(self, source: SSAValue, target: SSAValue) -> None:
        """Copies one memref to another of the same sizes, of known rank."""
        if not isinstance(source.type, MemRefType) or not isinstance(target.type, MemRefType):
            raise LastuseError("memory of unknown rank cannot be copied", self.source)
        have, want = type_of(source), type_of(target)
        if 0 in want.get_shape():
            return
        if have.get_shape() != want.get_shape():
            pairs = zip(have.get_shape(), want.get_shape(), strict=True)
            sizes = [DYNAMIC_INDEX if DYNAMIC_INDEX in pair else pair[0] for pair in pairs]
            source, target = (self.cast(v, with_sizes(type_of(v), sizes)) for v in (source, target))
        self.add(new_op(memref.CopyOp, [source, target]))

    def reason_of(self, op: Operation, value: SSAValue, otherwise: Reason) -> Reason:
        """Why `op` copies a value: it is memory that nothing may write, or it is used by another op too, else
        `otherwise`."""
        storage = self.places.of[value].storage
        if storage.kind is PlaceKind.ARGUMENT and storage.key not in attrs.writable_arguments(self.func):
            return Reason.PROGRAM_INPUT
        if storage.kind is PlaceKind.CONSTANT:
            return Reason.CONSTANT
        return Reason.USED_LATER if any(use.operation is not op for use in value.uses) else otherwise

    def note_copy(self, op: Operation, value: SSAValue, what: str, reason: Reason) -> None:
        """Notes a copy of `value` for the remarks. `reason` where nothing else is."""
        if reason is Reason.TAKEN:
            reason = self.reason_of(op, value, reason)
        nbytes = self.places.sizes[value].bytes
        self.copies.append(LoweredCopy(op, what, nbytes if isinstance(nbytes, int) else 0, reason, value))
