"""Ops of a function on memrefs that stand for none of the program: views, and what moves bytes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.passes.memref_checker.choices import choice_of
from lastuse.passes.memref_checker.conditional_ends import guarded
from lastuse.passes.memref_checker.index_terms import Number, known, plus, product_of, times, value_of
from lastuse.passes.memref_checker.memory_contents import MemoryContents, NotModelled, Refused, Seen
from lastuse.passes.memref_checker.memref_views import is_row_major, item_bytes, same_bytes, shows_all
from lastuse.passes.memref_checker.slice_parts import ONE, Shape, SlicePart
from lastuse.passes.memref_checker.ssa_terms import SsaTerms, chosen, collapsed, reduced
from lastuse.passes.memref_checker.term_table import TermTable
from lastuse.passes.memref_checker.unranked_shapes import rank_of, size_along, stated, with_rank, without_rank


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
        self.unsure: dict[tuple[SlicePart, Shape, Shape], Operation | None] = {}
        """Parts that are not known to be inside of their memrefs, with the shapes of these, also as they are known at
        the ops that name the parts; and these ops."""
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
            memref.RankOp: self._rank,
            memref.ExtractAlignedPointerAsIndexOp: self._address,
            memref.CopyOp: self._copy,
            memref.LoadOp: self._load,
            memref.StoreOp: self._store,
        }

    def step(self, op: Operation) -> bool:
        """Evaluates a view, or what moves bytes: an op that stands for none of the program's; False for any other."""
        evaluate = self._forms.get(type(op))
        if evaluate is None:
            return False
        self.at = op
        evaluate(op)
        return True

    # Memory

    def _alloc(self, op: memref.AllocOp) -> None:
        (result,) = op.results
        shape = self.scalars.sizes(result.type, operands_of(op))
        name = result.name_hint or "memory"
        key = in_function(op)
        once = key is not None and op.parent is key.parent_region().blocks[0]  # pyright: ignore
        self.seen[result] = self.memory.piece(name, shape, own=True, key=key, once=once)

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
        name = op.name_.string_value()
        content = self.contents.symbol(shape, "constant", self.globals[name])
        key = "global", name  # one piece, wherever ops name it
        self.seen[op.memref] = self.memory.piece("a constant", shape, content, writable=False, key=key, once=True)

    def _view(self, op: memref.ViewOp) -> None:
        (result,), (source, shift, *sizes) = op.results, operands_of(op)
        type_, arena = result.type, self.seen[source]
        assert isinstance(type_, MemRefType)
        shape, item = self.scalars.sizes(type_, sizes), item_bytes(type_)
        first = self.scalars.number(shift)
        if arena.through:
            raise NotModelled("a view of a part of bytes is not known")
        room, behind = self.memory.pieces[arena.piece].arena, arena.piece
        end = plus(first, times(product_of(shape), known(item)))
        start = value_of(first)
        if start is not None and (start < 0 or start % item):
            raise Refused("a view starts where no element of its type may be")
        if not self.contents.at_most(end, arena.shape[0]):
            raise Refused("a view ends behind its memory")
        if room is not None:
            first, end, behind = plus(first, room[1]), plus(end, room[1]), room[0]
        self.seen[result] = self.memory.range(behind, first, end, type_.element_type, shape)

    def _through(self, made: SSAValue, source: SSAValue, *steps: SlicePart | Shape) -> None:
        base = self.seen[source]
        path, shape = list(base.through), base.shape
        for step in steps:
            if isinstance(step, SlicePart):
                is_all = step.sizes == shape and not any(step.offsets) and set(step.strides) <= {ONE}
                if not is_all:
                    self._in_bounds(step, shape)
                    path.append(step)
                shape = step.sizes
                continue
            if path and not isinstance(path[-1], SlicePart):
                path.pop()  # the elements are in the same order under each shape
            below = path[-1] if path else self.memory.pieces[base.piece].shape
            if step != (below.sizes if isinstance(below, SlicePart) else below):
                path.append(step)
            shape = step
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
                self.unsure.setdefault((part, shape, tuple(map(self.contents.norm, shape))), self.at)

    def _subview(self, op: memref.SubviewOp) -> None:
        part, (result,) = self.scalars.part(op), op.results
        shape = reduced(part.sizes, result.type.get_shape())  # pyright: ignore
        self._through(result, nth(operands_of(op), 0), part, shape)

    def _cast(self, op: memref.CastOp) -> None:
        source, result = operands_of(op)[0], op.results[0]
        shape, type_, has_rank = self.seen[source].shape, result.type, isinstance(source.type, MemRefType)
        if not isinstance(type_, MemRefType):
            self._through(result, source, *([without_rank(shape, self.scalars)] if has_rank else []))
            return
        if not has_rank:
            shape = with_rank(shape, len(type_.get_shape()), self.scalars)
        for n, size in zip(type_.get_shape(), shape, strict=True):
            if n != DYNAMIC_INDEX:
                self.same_sizes((known(n),), (size,))
        self._through(result, source, *([] if has_rank else [stated(shape, type_.get_shape())]))

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
        number, shape = self.scalars.number(op.index), self.seen[op.source].shape
        if not isinstance(op.source.type, MemRefType):
            self.scalars.of[op.result] = self.scalars.as_term(size_along(shape, number, self.scalars))
            return
        axis = value_of(number)
        if axis is None or not 0 <= axis < len(shape):
            raise NotModelled("an axis is not known")
        size = shape[axis]
        self.scalars.of[op.result] = self.scalars.as_term(size)

    def _rank(self, op: memref.RankOp) -> None:
        shape = self.seen[operands_of(op)[0]].shape
        self.scalars.of[op.rank] = self.scalars.as_term(rank_of(shape, self.scalars))

    # Moves

    def _copy(self, op: memref.CopyOp) -> None:
        source, target = (self.seen[v] for v in operands_of(op))
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
            if self.memory.overlap(source, target) and not same_bytes(source, target):
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


def in_function(op: Operation) -> Operation | None:
    """The op where it stands in a block of a function, which may run again; None in a region of another op."""
    return op if isinstance(op.parent_op(), FuncOp) else None
