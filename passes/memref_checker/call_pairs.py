"""Calls: what is passed is what the program passes, what the callee writes is known no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.storage.call_interface import may_be_written
from lastuse.passes.memref_checker.memory_contents import NotModelled
from lastuse.passes.memref_checker.memref_steps import MemrefSteps
from lastuse.passes.memref_checker.op_meaning import is_shaped
from lastuse.passes.memref_checker.ssa_terms import SsaTerms


class Returned(NamedTuple):
    """A memref that a function returns.

    Attributes:
        may_be: numbers of the parameters in whose memory it may be; none for new memory.
        whole: the parameter that it is all of, on every path; None for no such one.
    """

    may_be: frozenset[int] = frozenset()
    whole: int | None = None


class Summary(NamedTuple):
    """What a function does to the memory that it is given, as its own form shows.

    Attributes:
        writes: numbers of parameters that it may write.
        returns: the memrefs that it returns.
        is_known: the function has a body, which is proved; else it is taken at its word.
    """

    writes: frozenset[int]
    returns: tuple[Returned, ...]
    is_known: bool = True


def declared_summary(func: FuncOp) -> Summary:
    """What a function without a body may do: it writes what `bufferization.access` does not keep it from."""
    return Summary(may_be_written(func), (), is_known=False)


def call_pair(
    source: CallOp,
    form: CallOp,
    callees: Mapping[str, Summary],
    terms: SsaTerms,
    steps: MemrefSteps,
    same_scalar: Callable[[SSAValue, SSAValue], None],
) -> None:
    """Holds a call of the form against that of the program.

    Raises:
        NotModelled: the callee is not proved, or the call is not shown to be the same.
    """
    contents, memory = terms.contents, steps.memory
    summary = callees.get(source.callee.string_value())
    if summary is None or source.callee != form.callee:
        raise NotModelled("a call of a function that is not proved is not known")
    if not summary.is_known and any(is_shaped(r) for r in source.results):
        raise NotModelled("memory that a function without a body returns is not known")
    for one, two in zip(source.operands, form.operands, strict=False):
        if not is_shaped(one):
            same_scalar(one, two)
        elif not contents.holds(terms.of[one], memory.read(steps.seen[two])):
            raise NotModelled(f"it does not pass %{one.name_hint or '?'}")
    given = {k: steps.seen[v] for k, v in enumerate(form.operands) if is_shaped(v)}
    for k in summary.writes:
        if k in given and any(j != k and memory.overlap(given[k], s) for j, s in given.items()):
            raise NotModelled("an argument that the callee writes is not apart from another one")
    for k in sorted(summary.writes & given.keys()):
        memory.write(given[k], memory.nothing(-1, given[k].shape))
    direct = len(form.results) == len(source.results)
    behind = iter(range(len(source.operands), len(form.operands)))
    returned = iter(summary.returns)
    for number, result in enumerate(source.results):
        if not is_shaped(result):
            mine = [r for r in form.results if not is_shaped(r)]
            position = sum(not is_shaped(r) for r in source.results[:number])
            terms.of[result] = steps.scalars.of[mine[position]] = contents.term("called", source, number)
            continue
        out = None if direct else given[next(behind)]
        back = next(returned) if out is None else Returned()
        if back.whole is not None:
            seen = steps.seen[form.results[number]] = given[back.whole]
            terms.of[result] = terms.of[source.operands[back.whole]]
            if back.whole in summary.writes:
                terms.of[result] = contents.symbol(seen.shape, "called", source, number)
                memory.write(seen, terms.of[result])
            continue
        shape = terms.fresh_shape(result.type, source, number) if out is None else out.shape
        content = terms.of[result] = contents.symbol(shape, "called", source, number)
        if out is not None:
            memory.write(out, content)
            continue
        bases = frozenset(b for k in back.may_be if k in given for b in memory.bases(given[k].piece))
        name = "memory of an argument that a call returns" if back.may_be else "memory that a call returns"
        made = memory.piece(name, shape, content, carried=bases, own=not back.may_be)
        steps.seen[form.results[number]] = made
