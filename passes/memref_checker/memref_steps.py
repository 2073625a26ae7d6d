"""Ops of a function on memrefs: views, what moves bytes, and kernels, each held against an op of the program."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.memref_checker.alike_bodies import alike_loops
from lastuse.passes.memref_checker.choices import choice_of
from lastuse.passes.memref_checker.compared_reads import Read, compare, compare_leaves, element_of
from lastuse.passes.memref_checker.conditional_ends import guarded
from lastuse.passes.memref_checker.index_terms import Number, known, plus, product_of, times, value_of
from lastuse.passes.memref_checker.memory_contents import MemoryContents, NotModelled, Refused, Seen
from lastuse.passes.memref_checker.memref_views import is_row_major, item_bytes, shows_all, slices_of
from lastuse.passes.memref_checker.op_meaning import (
    Meaning,
    axes_of,
    is_shaped,
    loop_maps,
    meaning_of,
    structured,
    written_by,
)
from lastuse.passes.memref_checker.slice_parts import ONE, Shape, SlicePart
from lastuse.passes.memref_checker.ssa_terms import SsaTerms, chosen, collapsed, reduced
from lastuse.passes.memref_checker.term_table import TermTable


class MemrefSteps:
    """The memref form of one function, op by op.

    Args:
        source: the terms of the program's values.
        globals_: the contents of constants, by name.
    """

    def __init__(self, contents: TermTable, source: SsaTerms, globals_: Mapping[str, str]) -> None:
        self.contents, self.source, self.globals = contents, source, globals_
        self.scalars = SsaTerms(contents)
        self.memory = MemoryContents(contents)
        self.seen: dict[SSAValue, Seen] = {}
        self.free: set[int] = set()
        """Sizes of memory that the caller gives for results."""
        self.unsure: dict[SlicePart, Operation | None] = {}
        """Parts that are not known to be inside of their memrefs, and the ops that name them."""
        self.at: Operation | None = None
        self._before: dict[SSAValue, Seen] = {}
        """Memrefs of which memory was given back on this path, as they were before."""
        self._forms: dict[type[Operation], Callable[..., None]] = {
            memref.AllocOp: self._alloc,
            memref.DeallocOp: self._dealloc,
            memref.GetGlobalOp: self._global,
            memref.ViewOp: self._view,
            memref.SubviewOp: self._subview,
            memref.CastOp: self._cast,
            memref.CollapseShapeOp: self._collapse,
            memref.ExpandShapeOp: self._expand,
            memref.ReinterpretCastOp: self._reinterpret,
            memref.DimOp: self._dim,
            memref.ExtractAlignedPointerAsIndexOp: self._address,
            memref.CopyOp: self._copy,
            memref.LoadOp: self._load,
            memref.StoreOp: self._store,
        }

    def is_step(self, op: Operation) -> bool:
        """The op stands for none of the program's."""
        return type(op) in self._forms

    def step(self, op: Operation) -> None:
        """A view, or what moves bytes."""
        self.at = op
        self._forms[type(op)](op)

    # Memory

    def _alloc(self, op: memref.AllocOp) -> None:
        shape = self.scalars.numbers(op.memref.type.get_shape(), op.dynamic_sizes)
        name = op.memref.name_hint or "memory"
        key = in_function(op)
        once = key is not None and op.parent is key.parent_region().blocks[0]  # pyright: ignore
        self.seen[op.memref] = self.memory.piece(name, shape, own=True, key=key, once=once)

    def _dealloc(self, op: memref.DeallocOp) -> None:
        self._give_back(op.memref, [])

    def _give_back(self, value: SSAValue, others: list[SSAValue]) -> None:
        """Gives back memory unless it is that of `others`: these, and what is never that memory, are what is left."""
        memref = self.seen[value]
        for other in others:
            self.memory.check_compared(memref, self.seen[other])
        if self.memory.pieces[memref.piece].carried:
            others += [v for v, seen in self.seen.items() if self.memory.is_apart(seen, memref)]
        made = self.memory.give_back_unless(memref, [self.seen[v] for v in others])
        for other, left in zip(others, made, strict=True):
            self._before.setdefault(other, self.seen[other])
            self.seen[other] = left

    @contextmanager
    def path(self) -> Generator[None]:
        """A path that others meet, or that is gone more than once: behind it memrefs may be what they were before."""
        around, self._before = self._before, {}
        try:
            yield
        finally:
            self.seen.update(self._before)
            self._before = around

    def _address(self, op: memref.ExtractAlignedPointerAsIndexOp) -> None:
        self.scalars.of[op.aligned_pointer] = self.contents.term("address", op)

    def gives_back(self, op: scf.IfOp) -> bool:
        """Whether the op gives back memory unless it is that of other memrefs."""
        found = guarded(op)
        if found is None:
            return False
        end, others = found
        self._give_back(end.memref, others)
        return True

    def _global(self, op: memref.GetGlobalOp) -> None:
        shape = tuple(known(n) for n in op.memref.type.get_shape())  # pyright: ignore
        content = self.contents.symbol(shape, "constant", self.globals[op.name_.string_value()])
        self.seen[op.memref] = self.memory.piece("a constant", shape, content, writable=False, key=in_function(op))

    def _view(self, op: memref.ViewOp) -> None:
        type_, arena = op.results[0].type, self.seen[op.source]
        assert isinstance(type_, MemRefType)
        shape = self.scalars.numbers(type_.get_shape(), op.sizes)
        first = self.scalars.number(op.byte_shift)
        if arena.through:
            raise NotModelled("a view of a part of bytes is not known")
        room, behind = self.memory.pieces[arena.piece].arena, arena.piece
        end = plus(first, times(product_of(shape), known(item_bytes(type_))))
        start = value_of(first)
        if start is not None and (start < 0 or start % item_bytes(type_)):
            raise Refused("a view starts where no element of its type may be")
        if not self.contents.at_most(end, arena.shape[0]):
            raise Refused("a view ends behind its memory")
        if room is not None:
            first, end, behind = plus(first, room[1]), plus(end, room[1]), room[0]
        self.seen[op.results[0]] = self.memory.range(behind, first, end, type_.element_type, shape)

    def _through(self, made: SSAValue, source: SSAValue, *steps: SlicePart | Shape) -> None:
        base = self.seen[source]
        path, shape = list(base.through), base.shape
        for step in steps:
            after = step.sizes if isinstance(step, SlicePart) else step
            if (
                isinstance(step, SlicePart)
                and step.sizes == shape
                and not any(step.offsets)
                and set(step.strides) <= {ONE}
            ):
                continue
            if not isinstance(step, SlicePart) and step == shape:
                continue
            if isinstance(step, SlicePart):
                self._in_bounds(step, shape)
            path.append(step)
            shape = after
        self.seen[made] = Seen(base.piece, tuple(path), shape)

    def _in_bounds(self, part: SlicePart, shape: Shape) -> None:
        """Raises `Refused` where a part is known to be outside; a program whose own slices are has no meaning."""
        for offset, size, stride, room in zip(*part, shape, strict=True):
            first, count = value_of(offset), value_of(size)
            last = value_of(plus(plus(offset, times(plus(size, ONE, -1), stride)), room, -1))
            is_outside = (first is not None and first < 0) or (count != 0 and last is not None and last >= 0)
            if is_outside and not self.source.names_part_of(part, shape):
                raise Refused("elements outside of a memref are named")
            if (last is None or first is None) and not self.contents.is_inside(part, shape):
                self.unsure.setdefault(part, self.at)

    def _subview(self, op: memref.SubviewOp) -> None:
        part = self.scalars.part(op)
        self._through(op.result, op.source, part, reduced(part.sizes, op.result.type.get_shape()))  # pyright: ignore

    def _cast(self, op: memref.CastOp) -> None:
        type_ = op.results[0].type
        if not isinstance(type_, MemRefType):
            raise NotModelled("a memref of unknown rank is not known")
        for n, size in zip(type_.get_shape(), self.seen[operands_of(op)[0]].shape, strict=True):
            if n != DYNAMIC_INDEX:
                self.same_sizes((known(n),), (size,))
        self._through(op.results[0], operands_of(op)[0])

    def _collapse(self, op: memref.CollapseShapeOp) -> None:
        source = operands_of(op)[0]
        self._through(op.results[0], source, collapsed(self.seen[source].shape, op.reassociation))

    def _expand(self, op: memref.ExpandShapeOp) -> None:
        sizes = self.scalars.numbers(op.static_output_shape.get_values(), operands_of(op)[1:])
        self._through(op.results[0], operands_of(op)[0], sizes)

    def _reinterpret(self, op: memref.ReinterpretCastOp) -> None:
        source = operands_of(op)[0]
        sizes = self.scalars.numbers(op.static_sizes.get_values(), op.sizes)
        strides = self.scalars.numbers(op.static_strides.get_values(), op.strides)
        if not shows_all(op) and not is_row_major(op, sizes, strides):
            raise NotModelled("a reinterpret_cast that is no reshape of dense memory is not known")
        if product_of(sizes) != product_of(self.seen[source].shape):
            raise NotModelled("a reinterpret_cast to other elements is not known")
        self._through(op.results[0], source, sizes)

    def _dim(self, op: memref.DimOp) -> None:
        axis, shape = value_of(self.scalars.number(op.index)), self.seen[op.source].shape
        if axis is None or not 0 <= axis < len(shape):
            raise NotModelled("an axis is not known")
        size = shape[axis]
        self.scalars.of[op.result] = self.scalars.as_term(size)

    # Moves

    def _copy(self, op: memref.CopyOp) -> None:
        source, target = self.seen[op.source], self.seen[op.destination]
        if self.memory.overlap(source, target):
            raise NotModelled("a copy may overlap itself")
        self.same_sizes(source.shape, target.shape)
        self.memory.write(target, self.contents.reshape(self.memory.read(source), target.shape))

    def _load(self, op: memref.LoadOp) -> None:
        at = tuple(self.scalars.number(i) for i in op.indices)
        self._in_bounds(SlicePart(at, (ONE,) * len(at), (ONE,) * len(at)), self.seen[op.memref].shape)
        self.scalars.of[op.res] = self.contents.element(self.memory.read(self.seen[op.memref]), at)

    def _store(self, op: memref.StoreOp) -> None:
        base = self.seen[op.memref]
        at = tuple(self.scalars.number(i) for i in op.indices)
        ones = (ONE,) * len(at)
        self._in_bounds(SlicePart(at, ones, ones), base.shape)
        element = Seen(base.piece, (*base.through, SlicePart(at, ones, ones)), ones)
        single = self.contents.term("single", self.scalars.of[op.value], len(at))
        self.contents.shape[single] = ones
        self.memory.write(element, single)

    def is_choice(self, op: Operation | None, terms: SsaTerms) -> bool:
        """The op is a loop that copies one of two tensors or memrefs, all of it by one flag."""
        return choice_of(op, terms) is not None

    def chooses(self, op: Operation) -> bool:
        """A loop that copies one of two memrefs, all of it by one flag, is a move; False for any other op."""
        choice = choice_of(op, self.scalars)
        if choice is None or not isinstance(op, GenericOp):
            return False
        flag, *operands = choice
        target, sources = self.seen[op.outputs[0]], [self.seen[v] for v in operands]
        for source in sources:
            self.same_sizes(source.shape, target.shape)
            if self.memory.overlap(source, target) and not self._same_bytes(source, target):
                raise NotModelled("a choice is written over what it still reads")
        self.memory.write(target, chosen(self.contents, flag, *(self.memory.read(s) for s in sources)))
        return True

    def same_sizes(self, a: Shape, b: Shape) -> None:
        """Raises `NotModelled` where two shapes are not known to be equal."""
        if a == b:
            return
        for one, two in zip(a, b, strict=True):
            if not self.contents.same(one, two) and not self._given(one, two) and not self._given(two, one):
                raise NotModelled("sizes are not known to be equal")

    def _given(self, one: Number, two: Number) -> bool:
        """`one` is a size of memory of the caller, which is as large as the result that it is for: `two`."""
        atom = one[0][0][0] if len(one) == 1 and one[0][1] == 1 and len(one[0][0]) == 1 else None
        if atom not in self.free or atom in self.contents.equal:
            return False
        self.contents.learn(one, two)
        self.contents.always[atom] = two
        return True

    # Kernels

    def kernel(self, op: Operation, source: Operation) -> None:
        """`op` computes what `source` does, from memory that holds its operands."""
        reads: list[Read] = []
        if (alike := alike_loops(op, source)) is not None:
            loops, numbers = alike
            mine = theirs = structured(source, loops)
            outs = written_by(op, loops)
            self._learn_equal(source, axes_of(loops))
            ours, others = [*operands_of(source)], [*operands_of(op)]
            for k in numbers:
                compare_leaves(ours[k], others[k], loops.maps[k], loops.maps[k], reads)
        else:
            mine = meaning_of(op, self.scalars.of.__getitem__)
            theirs = meaning_of(source, self.source.of.__getitem__)
            self._learn_sizes(source)
            outs = mine.written
            if mine.key != theirs.key or len(mine.results) != len(theirs.results):
                raise NotModelled(f"it does not compute what '{op_name(source)}' does")
            for one, two in zip(theirs.results, mine.results, strict=True):
                compare(self.contents, one, two, reads)
        needed = reads
        if theirs.key[0] == "op":
            unread = {operands_of(source)[k] for k in contract_of(source).metadata_only}
            needed = [r for r in reads if r.value not in unread]
        for read in needed:
            self._check_read(read, source)
        written = [self.seen[v] for v in outs]
        for number, target in enumerate(written):
            for read in needed:
                if read.memref in self.seen and not self._may_write(op, source, theirs, number, target, read):
                    raise NotModelled(f"'{op_name(op)}' writes over what it still reads")
            for other in written[:number]:
                if self.memory.overlap(target, other):
                    raise NotModelled(f"two results of '{op_name(op)}' overlap")
        self._results(op, source, theirs, outs)

    def _learn_equal(self, source: Operation, axes: Sequence[Sequence[int]]) -> None:
        """As `_learn_sizes`; `axes` as `axes_of` says them."""
        sizes: dict[int, Number] = {}
        for value, numbers in zip(operands_of(source), axes, strict=False):
            shape = self.source.shape(value) if is_shaped(value) else ()
            for size, number in zip(shape, numbers, strict=False):
                if number >= 0 and (first := sizes.setdefault(number, size)) is not size and first != size:
                    self.contents.learn(first, size)

    def _learn_sizes(self, source: Operation) -> None:
        """Operands that a loop goes over are of one size, or the program has no meaning."""
        sizes: dict[int, Number] = {}
        for value, map_ in zip(operands_of(source), loop_maps(source) or (), strict=False):
            shape = self.source.shape(value) if is_shaped(value) else ()
            for size, index in zip(shape, map_.results, strict=False):
                if isinstance(index, AffineDimExpr) and (first := sizes.setdefault(index.position, size)) != size:
                    self.contents.learn(first, size)

    def _results(self, op: Operation, source: Operation, theirs: Meaning, written: Sequence[SSAValue]) -> None:
        for result in source.results:
            if not is_shaped(result):
                key = ("computed", source, result.index)
                self.source.of[result] = self.contents.term("symbol", *key)
        for result in op.results:
            self.scalars.of[result] = self.source.of[source.results[result.index]]
        for result, target_value in zip(theirs.written, written, strict=True):
            assert isinstance(result, OpResult)
            target = self.seen[target_value]
            shape = self.source.result_shape(source, result)
            self.same_sizes(shape, target.shape)
            content = self.contents.symbol(shape, "result", source, result.index)
            self.source.of[result] = content
            if element_of(result) != element_of(target_value):
                raise NotModelled("a result is of another type")
            self.memory.write(target, self.contents.reshape(content, target.shape))

    def _check_read(self, read: Read, source: Operation) -> None:
        wanted, seen = self.source.of[read.value], self.seen.get(read.memref)
        if seen is not None:
            shape = self.contents.shape[wanted]
            self.same_sizes(seen.shape, shape)
            have = self.contents.reshape(self.memory.read(seen), shape)
        else:
            have = self.scalars.of[read.memref]
        if not self.contents.holds(wanted, have):
            raise NotModelled(f"it does not read %{read.value.name_hint or '?'}, which '{op_name(source)}' reads")

    def _may_write(
        self, op: Operation, source: Operation, theirs: Meaning, number: int, target: Seen, read: Read
    ) -> bool:
        seen = self.seen[read.memref]
        if not self.memory.overlap(seen, target):
            return True
        if not self._same_bytes(seen, target):
            return False
        if theirs.key[0] == "loops":
            own = operands_of(source)[len(operands_of(source)) - len(source.results) + number]
            return read.map == theirs.map[number] and (theirs.parallel or read.value is own)
        over = contract_of(source).over
        return any(o.result == number and operands_of(source)[o.operand] is read.value for o in over)

    def _same_bytes(self, a: Seen, b: Seen) -> bool:
        return a.piece == b.piece and a.shape == b.shape and slices_of(a) == slices_of(b)


def in_function(op: Operation) -> Operation | None:
    """The op where it stands in a block of a function, which may run again; None in a region of another op."""
    return op if isinstance(op.parent_op(), FuncOp) else None
