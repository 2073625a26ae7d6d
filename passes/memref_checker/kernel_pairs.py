"""Kernels of the form, each held against the op of the program that it computes the same as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.memref_checker.alike_bodies import AlikeLoops
from lastuse.passes.memref_checker.compared_reads import Read, compare, same_elements
from lastuse.passes.memref_checker.index_terms import Number
from lastuse.passes.memref_checker.memory_contents import NotModelled, Seen
from lastuse.passes.memref_checker.memref_steps import MemrefSteps
from lastuse.passes.memref_checker.memref_views import same_bytes
from lastuse.passes.memref_checker.op_meaning import axes_of, is_shaped, loop_maps, meaning_of
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.ssa_terms import SsaTerms


class Kernel(NamedTuple):
    """An op of the form that computes the same of its operands as one of the program.

    Attributes:
        held: the operands of the program's op that it reads, with their maps, and the memrefs that are read and hold
            them; no scalars.
        results: of the program's op: where its results go.
        outs: where those of the form's go.
        maps: of each result, from the loops; None for an op that is no loop.
        parallel: each element of a result is written once.
        shapes: of each result of the program's op; None where these are still to be found.
    """

    held: Sequence[tuple[SSAValue, AffineMap | None, Seen]]
    results: Sequence[SSAValue]
    outs: Sequence[SSAValue]
    maps: Sequence[AffineMap | None]
    parallel: bool
    shapes: Sequence[Shape] | None


class KernelPairs:
    """Kernels of one function."""

    def __init__(self, terms: SsaTerms, steps: MemrefSteps) -> None:
        self.terms, self.steps = terms, steps
        self.contents, self.memory = terms.contents, steps.memory

    def pair(self, op: Operation, source: Operation, alike: AlikeLoops | None) -> None:
        """`op` computes what `source` does, from memory that holds its operands; `alike` as `AlikeBodies` says.

        Raises:
            NotModelled: it is not shown to.
        """
        kernel = self._by_meaning(op, source) if alike is None else self._by_body(op, source, alike)
        written = [self.steps.seen[v] for v in kernel.outs]
        for number, target in enumerate(written):
            for value, map_, seen in kernel.held:
                if self.memory.overlap(seen, target) and not (
                    same_bytes(seen, target) and self._may_overwrite(source, kernel, number, value, map_)
                ):
                    raise NotModelled(f"'{op_name(op)}' writes over what it still reads")
            for other in written[:number]:
                if self.memory.overlap(target, other):
                    raise NotModelled(f"two results of '{op_name(op)}' overlap")
        self._results(op, source, kernel, written)

    # What is computed

    def _by_body(self, op: Operation, source: Operation, alike: AlikeLoops) -> Kernel:
        loops, theirs = alike.pair.ours, alike.pair.theirs
        maps, ours, others = loops.maps, [*operands_of(source)], [*operands_of(op)]
        terms = [*map(self.terms.of.__getitem__, ours)]  # once: values are hashed in Python
        self._learn_equal(terms, alike.pair.axes)
        for k, j in alike.reads:
            if not same_elements(ours[k], others[j]):
                raise NotModelled("it reads other elements than its op")
        held: list[tuple[SSAValue, AffineMap | None, Seen]] = []
        for k, j in alike.reads:
            seen = self._read(ours[k], terms[k], others[j], source)
            if seen is not None:
                held.append((ours[k], maps[k], seen))
        results, outs = (
            source.results or ours[loops.ins : len(maps)],
            op.results or others[theirs.ins : len(theirs.maps)],
        )
        count = len(source.results)  # none of an op on memrefs
        shapes = [*map(self.contents.shape.__getitem__, terms[-count:])] if count else None
        return Kernel(held, results, outs, maps[loops.ins :], alike.whole, shapes)

    def _learn_equal(self, terms: Sequence[int], axes: Sequence[Sequence[int]]) -> None:
        """Operands that a loop goes over are of one size, or the program has no meaning; `axes` as `axes_of` says."""
        sizes: dict[int, Number] = {}
        shapes = self.contents.shape
        last: Shape | None = None
        same: Sequence[int] | None = None
        for term, numbers in zip(terms, axes, strict=False):
            shape = shapes.get(term, ())
            if shape == last and numbers == same:
                continue
            last, same = shape, numbers
            for size, number in zip(shape, numbers, strict=False):
                if number >= 0 and (first := sizes.setdefault(number, size)) is not size and first != size:
                    self.contents.learn(first, size)

    def _by_meaning(self, op: Operation, source: Operation) -> Kernel:
        mine = meaning_of(op, self.steps.scalars.of.__getitem__)
        theirs = meaning_of(source, self.terms.of.__getitem__)
        axes = axes_of(loop_maps(source) or ())
        self._learn_equal([self.terms.of[value] for value in operands_of(source)[: len(axes)]], axes)
        if mine.key != theirs.key or len(mine.results) != len(theirs.results):
            raise NotModelled(f"it does not compute what '{op_name(source)}' does")
        reads: list[Read] = []
        for one, two in zip(theirs.results, mine.results, strict=True):
            compare(self.contents, one, two, reads)
        if theirs.key[0] == "op":
            unread = {operands_of(source)[k] for k in contract_of(source).metadata_only}
            reads = [read for read in reads if read[0] not in unread]
        held: list[tuple[SSAValue, AffineMap | None, Seen]] = []
        for value, memref, map_ in reads:
            seen = self._read(value, self.terms.of[value], memref, source)
            if seen is not None:
                held.append((value, map_, seen))
        return Kernel(held, theirs.written, mine.written, theirs.map, theirs.parallel, None)

    # What is read and written

    def _read(self, value: SSAValue, wanted: int, memref: SSAValue, source: Operation) -> Seen | None:
        """The memref that is read, which holds the value that the program's op reads, whose term is `wanted`; None of a
        scalar."""
        seen = self.steps.seen.get(memref)
        if seen is None:
            have = self.steps.scalars.of[memref]
        else:
            shape = self.contents.shape[wanted]
            if seen.shape != shape:
                self.steps.same_sizes(seen.shape, shape)
            have = self.memory.read(seen)
            if have != wanted:
                have = self.contents.reshape(have, shape)
        if have != wanted and not self.contents.holds(wanted, have):
            raise NotModelled(f"it does not read %{value.name_hint or '?'}, which '{op_name(source)}' reads")
        return seen

    def _may_overwrite(
        self, source: Operation, kernel: Kernel, number: int, value: SSAValue, map_: AffineMap | None
    ) -> bool:
        """A result may be written where an operand is read: element by element, each after it was read."""
        operands, result = operands_of(source), kernel.maps[number]
        if result is not None:
            own = nth(operands, len(operands) - len(source.results) + number)
            return (map_ is result or map_ == result) and (kernel.parallel or value is own)
        over = contract_of(source).over
        return any(o.result == number and operands[o.operand] is value for o in over)

    def _results(self, op: Operation, source: Operation, kernel: Kernel, written: Sequence[Seen]) -> None:
        for result in source.results:
            if not is_shaped(result):
                self.terms.of[result] = self.contents.term("symbol", "computed", source, result.index)
        for result in op.results:
            self.steps.scalars.of[result] = self.terms.of[source.results[result.index]]
        for result, out, target in zip(kernel.results, kernel.outs, written, strict=True):
            assert is_a(result, OpResult)
            shapes, number = kernel.shapes, result.index
            shape = self.terms.result_shape(source, result) if shapes is None else shapes[number]
            is_same = shape == target.shape
            if not is_same:
                self.steps.same_sizes(shape, target.shape)
            content = self.contents.symbol(shape, "result", source, number)
            self.terms.of[result] = content
            if not same_elements(result, out):
                raise NotModelled("a result is of another type")
            self.memory.write(target, content if is_same else self.contents.reshape(content, target.shape))
