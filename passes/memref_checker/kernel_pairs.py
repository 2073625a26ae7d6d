"""Kernels of the form, each held against the op of the program that it computes the same as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.memref_checker.alike_bodies import AlikeLoops
from lastuse.passes.memref_checker.compared_reads import Read, compare, compare_leaves, same_elements
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
        reads: the operands that it reads, in pairs.
        results: of the program's op: where its results go.
        outs: where those of the form's go.
        maps: of each result, from the loops; None for an op that is no loop.
        parallel: each element of a result is written once.
    """

    reads: Sequence[Read]
    results: Sequence[SSAValue]
    outs: Sequence[SSAValue]
    maps: Sequence[AffineMap | None]
    parallel: bool


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
        held: list[tuple[SSAValue, AffineMap | None, Seen]] = []
        for value, memref, map_ in kernel.reads:
            seen = self._read(value, memref, source)
            if seen is not None:
                held.append((value, map_, seen))
        written = [self.steps.seen[v] for v in kernel.outs]
        for number, target in enumerate(written):
            for value, map_, seen in held:
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
        self._learn_equal(ours, alike.pair.axes)
        reads: list[Read] = []
        for k, j in alike.reads:
            compare_leaves(ours[k], others[j], maps[k], maps[k], reads)
        results, outs = (
            source.results or ours[loops.ins : len(maps)],
            op.results or others[theirs.ins : len(theirs.maps)],
        )
        return Kernel(reads, results, outs, maps[loops.ins :], alike.whole)

    def _learn_equal(self, operands: Sequence[SSAValue], axes: Sequence[Sequence[int]]) -> None:
        """Operands that a loop goes over are of one size, or the program has no meaning; `axes` as `axes_of` says."""
        sizes: dict[int, Number] = {}
        terms, shapes = self.terms.of, self.contents.shape
        said: tuple[Shape, Sequence[int]] | None = None
        for value, numbers in zip(operands, axes, strict=False):
            shape = shapes.get(terms[value], ())
            if (shape, numbers) == said:
                continue
            said = shape, numbers
            for size, number in zip(shape, numbers, strict=False):
                if number >= 0 and (first := sizes.setdefault(number, size)) is not size and first != size:
                    self.contents.learn(first, size)

    def _by_meaning(self, op: Operation, source: Operation) -> Kernel:
        mine = meaning_of(op, self.steps.scalars.of.__getitem__)
        theirs = meaning_of(source, self.terms.of.__getitem__)
        self._learn_equal(operands_of(source), axes_of(loop_maps(source) or ()))
        if mine.key != theirs.key or len(mine.results) != len(theirs.results):
            raise NotModelled(f"it does not compute what '{op_name(source)}' does")
        reads: list[Read] = []
        for one, two in zip(theirs.results, mine.results, strict=True):
            compare(self.contents, one, two, reads)
        if theirs.key[0] == "op":
            unread = {operands_of(source)[k] for k in contract_of(source).metadata_only}
            reads = [read for read in reads if read[0] not in unread]
        return Kernel(reads, theirs.written, mine.written, theirs.map, theirs.parallel)

    # What is read and written

    def _read(self, value: SSAValue, memref: SSAValue, source: Operation) -> Seen | None:
        """The memref that is read, which holds the value that the program's op reads; None of a scalar."""
        wanted, seen = self.terms.of[value], self.steps.seen.get(memref)
        if seen is None:
            have = self.steps.scalars.of[memref]
        else:
            shape = self.contents.shape[wanted]
            self.steps.same_sizes(seen.shape, shape)
            have = self.contents.reshape(self.memory.read(seen), shape)
        if not self.contents.holds(wanted, have):
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
            assert isinstance(result, OpResult)
            shape = self.terms.result_shape(source, result)
            self.steps.same_sizes(shape, target.shape)
            content = self.contents.symbol(shape, "result", source, result.index)
            self.terms.of[result] = content
            if not same_elements(result, out):
                raise NotModelled("a result is of another type")
            self.memory.write(target, self.contents.reshape(content, target.shape))
