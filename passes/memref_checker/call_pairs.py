"""Calls: what is passed is what the program passes, what the callee writes is known no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from xdsl.dialects.func import CallOp
from xdsl.ir import SSAValue

from lastuse.passes.memref_checker.memory_contents import NotModelled
from lastuse.passes.memref_checker.memref_steps import MemrefSteps
from lastuse.passes.memref_checker.op_meaning import is_shaped
from lastuse.passes.memref_checker.ssa_terms import SsaTerms


class Summary(NamedTuple):
    """What a function does to the memory that it is given.

    Attributes:
        writes: numbers of parameters that it may write.
        returns: of each memref that it returns, the parameters that it may be; empty where it is new memory.
    """

    writes: frozenset[int]
    returns: tuple[frozenset[int], ...]


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
        raise NotModelled("a call of a function without a body is not known")
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
        shape = terms.fresh_shape(result.type, source, number) if out is None else out.shape
        content = terms.of[result] = contents.symbol(shape, "called", source, number)
        if out is not None:
            memory.write(out, content)
            continue
        may_be = [given[k] for k in next(returned) if k in given]
        if may_be:
            raise NotModelled("a call that returns memory of an argument is not known")
        steps.seen[form.results[number]] = memory.piece("memory that a call returns", shape, content, own=True)
