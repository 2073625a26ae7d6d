"""Make intermediate values results too."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.flow_graphs import reverse_postorder
from lastuse.dialect.storage import attrs


def add_output(func: FuncOp, name: str) -> None:
    """Return the value that the source model calls `name` as one more result of that name.

    Raises:
        LastuseError: there is no such value, or it is not there at every return: it is computed on some paths only, or
            inside a loop or branch.
    """
    returns = _returns(func)
    attrs.add_results(func, returns, [(_named(func, name, returns), {attrs.NAME: StringAttr(name)})])


def fetch_value(func: FuncOp, value: SSAValue, name: str) -> None:
    """Return a value as one more result of that name; raises LastuseError where it is not there at every return."""
    returns = _returns(func)
    refusal = _refusal(func, value, name, returns)
    if refusal is not None:
        raise refusal
    attrs.add_results(func, returns, [(value, {attrs.NAME: StringAttr(name)})])


def _returns(func: FuncOp) -> list[ReturnOp]:
    returns = [b.last_op for b in reverse_postorder(func.body) if isinstance(b.last_op, ReturnOp)]
    if not returns:
        raise LastuseError("the function does not return", func)
    return returns


def _named(func: FuncOp, name: str, returns: list[ReturnOp]) -> SSAValue:
    """The last value of that name that is there at every return."""
    values = list(_values(func.body))
    plain = name.removeprefix("%")
    named = [v for v in reversed(values) if attrs.source_name(v) == name or v.name_hint == plain]
    if not named:
        known = list(dict.fromkeys(n for v in values if (n := attrs.source_name(v) or v.name_hint)))
        choices = f"{', '.join(known[:20])}{', …' * (len(known) > 20)}"
        raise LastuseError(f"no value is called '{name}'; there are {choices}", func)
    refusals = [_refusal(func, value, name, returns) for value in named]
    for value, refusal in zip(named, refusals, strict=True):
        if refusal is None:
            return value
    raise next(r for r in refusals if r is not None)


def _values(region: Region) -> Iterator[SSAValue]:
    """All values of a region, those inside its ops too, in the order of the text."""
    for block in region.blocks:
        yield from block.args
        for op in block.ops:
            for inner in op.regions:
                yield from _values(inner)
            yield from op.results


def _refusal(func: FuncOp, value: SSAValue, name: str, returns: list[ReturnOp]) -> LastuseError | None:
    """Why a value is not there at every return, or None."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    around = block.parent_op() if block is not None else None
    where: Operation = value.op if isinstance(value, OpResult) else (around or func)
    assert block is not None
    if around is not func:
        inside = f"inside '{op_name(around)}'" if around is not None else "elsewhere"
        text = f"'{name}' is computed {inside} and gone behind it: yield it, and fetch the result"
        return LastuseError(text, where)
    beside = reverse_postorder(func.body, avoided=block)
    missed = next((last for last in returns if last.parent_block() in beside), None)
    if missed is None:
        return None
    return LastuseError(f"'{name}' is not computed on every path to a return", where, [(missed, "not here")])
