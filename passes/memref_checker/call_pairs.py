"""Calls: what is passed is what the program passes, what the callee writes is known no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import OpResult, SSAValue

from lastuse.dialect.storage.call_interface import may_be_written
from lastuse.passes.memref_checker.index_terms import Number, known, plus, product_of, times
from lastuse.passes.memref_checker.memory_contents import NotModelled, Seen
from lastuse.passes.memref_checker.memref_steps import MemrefSteps, in_function
from lastuse.passes.memref_checker.op_meaning import is_shaped
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.ssa_terms import SsaTerms

Formula = tuple[tuple[tuple[tuple[int, int | None], ...], int], ...]
"""A number by the arguments of a function: products of scalars, by parameter, or of sizes, by parameter and axis, each
with a factor."""
SizeFormula = tuple[Formula | None, ...]
"""The sizes of a result; None for one that the arguments do not say."""


class Returned(NamedTuple):
    """A memref that a function returns.

    Attributes:
        may_be: numbers of the parameters in whose memory it may be; none for new memory.
        whole: the parameter that it is all of, on every path; None for no such one.
    """

    may_be: frozenset[int] = frozenset()
    whole: int | None = None

    def joined(self, other: Returned) -> Returned:
        """On one of two paths."""
        return Returned(self.may_be | other.may_be, self.whole if self.whole == other.whole else None)


class Summary(NamedTuple):
    """What a function does to the memory that it is given, as its own form shows.

    Attributes:
        writes: numbers of parameters that it may write.
        returns: the memrefs that it returns.
        sizes: of each tensor that it returns or writes.
        declared: it has no body, so that what it returns is new memory or that of a parameter, and is not given back.
    """

    writes: frozenset[int]
    returns: tuple[Returned, ...]
    sizes: tuple[SizeFormula, ...]
    declared: bool = False


def declared_summary(func: FuncOp) -> Summary:
    """What a function without a body may do: it reads its tensors, and writes those that `bufferization.access` does
    not keep it from; what it returns may be memory of any."""
    inputs, outputs = func.function_type.inputs.data, func.function_type.outputs.data
    returned = Returned(frozenset(n for n, t in enumerate(inputs) if isinstance(t, TensorType)))
    made = [t for t in outputs if isinstance(t, TensorType)]
    sizes = tuple(tuple(None if n < 0 else known(n) for n in t.get_shape()) for t in made)
    return Summary(may_be_written(func), (returned,) * len(made), sizes, declared=True)  # pyright: ignore


class CallPairs:
    """Calls of one function."""

    def __init__(
        self,
        callees: Mapping[str, Summary],
        terms: SsaTerms,
        steps: MemrefSteps,
        same_scalar: Callable[[SSAValue, SSAValue], None],
    ) -> None:
        self.callees, self.terms, self.steps, self.same_scalar = callees, terms, steps, same_scalar
        self.memory = steps.memory

    def pair(self, source: CallOp, form: CallOp) -> None:
        """Holds a call of the form against that of the program.

        Raises:
            NotModelled: the callee is not proved, or the call is not shown to be the same.
        """
        summary = self.callees.get(source.callee.string_value())
        if summary is None or source.callee != form.callee:
            raise NotModelled("the function that is called is not proved")
        contents, memory = self.terms.contents, self.memory
        for one, two in zip(source.operands, form.operands, strict=False):
            if not is_shaped(one):
                self.same_scalar(one, two)
                continue
            shape, seen = self.terms.shape(one), self.steps.seen[two]
            self.steps.same_sizes(seen.shape, shape)
            if not contents.holds(self.terms.of[one], contents.reshape(memory.read(seen), shape)):
                raise NotModelled(f"it does not pass %{one.name_hint or '?'}")
        given = {k: self.steps.seen[v] for k, v in enumerate(form.operands) if is_shaped(v)}
        for k in sorted(summary.writes & given.keys()):
            if any(j != k and memory.overlap(given[k], s) for j, s in given.items()):
                raise NotModelled("an argument that the callee may write is not apart from another one")
            if summary.declared and not all(memory.pieces[b].writable for b in memory.bases(given[k].piece)):
                raise NotModelled("the callee may write memory that may not be written")
        for k in sorted(summary.writes & given.keys()):
            memory.write(given[k], memory.nothing(-1, given[k].shape))
        self._results(source, form, summary, given)

    def _results(self, source: CallOp, form: CallOp, summary: Summary, given: Mapping[int, Seen]) -> None:
        contents = self.terms.contents
        direct = len(form.results) == len(source.results)
        behind = iter(range(len(source.operands), len(form.operands)))
        returned, sizes = iter(summary.returns), iter(summary.sizes)
        scalars = iter([r for r in form.results if not is_shaped(r)])
        for number, result in enumerate(source.results):
            if not is_shaped(result):
                self.terms.of[result] = self.steps.scalars.of[next(scalars)] = contents.term("called", source, number)
                continue
            shape = self._shape(source, result, number, next(sizes))
            content = contents.symbol(shape, "called", source, number)
            self.terms.of[result] = content
            if not direct:
                out = given[next(behind)]
                self.steps.same_sizes(shape, out.shape)
                self.memory.write(out, contents.reshape(content, out.shape))
                continue
            back = next(returned)
            if back.whole is None:
                self._returned(form.results[number], back.may_be, content, shape, summary.declared, given)
                continue
            seen = self.steps.seen[form.results[number]] = given[back.whole]
            if back.whole in summary.writes:
                self.memory.write(seen, contents.reshape(content, seen.shape))
            else:
                self.terms.of[result] = self.terms.of[source.operands[back.whole]]

    def _returned(
        self,
        result: SSAValue,
        may_be: frozenset[int],
        content: int,
        shape: Shape,
        declared: bool,
        given: Mapping[int, Seen],
    ) -> None:
        bases = frozenset(base for k in may_be if k in given for base in self.memory.bases(given[k].piece))
        key = in_function(result.owner) if isinstance(result, OpResult) else None
        again = None if key is None else (key, result)
        name = "memory of an argument that a call returns" if bases else "memory that a call returns"
        made = self.memory.piece(name, shape, content, own=not declared and not bases, key=again)
        if bases:
            made = self.memory.piece(name, shape, content, carried=bases | {made.piece}, key=again)
        self.steps.seen[result] = made

    def _shape(self, source: CallOp, result: SSAValue, number: int, formulas: SizeFormula) -> Shape:
        """The sizes of a result: as its type says, or as the callee does by its arguments."""
        assert isinstance(result.type, TensorType)
        fresh = self.terms.fresh_shape(result.type, source, number)
        found: list[Number] = []
        for n, size, formula in zip(result.type.get_shape(), fresh, formulas, strict=True):
            found.append(size if n >= 0 or formula is None else self._evaluated(source, formula))
        return tuple(found)

    def _evaluated(self, source: CallOp, formula: Formula) -> Number:
        total: Number = ()
        for atoms, factor in formula:
            numbers = (
                self.terms.number(source.operands[n]) if axis is None else self.terms.shape(source.operands[n])[axis]
                for n, axis in atoms
            )
            total = plus(total, times(known(factor), product_of(numbers)))
        return total
