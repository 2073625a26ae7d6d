"""What is passed on as it is: the paths by which a value becomes another one, at boundaries and by choice of an op.

A result or block argument that is *forwarded* (`dnn.forward`, docs/storage.md, 2) lies where the operand that the path
taken gave it lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.ir.region_branches import forwarded_operands
from lastuse.dialect.storage.contract import contract_of


class PassedOn(NamedTuple):
    """`mover` passes `source` on as `target`."""

    mover: Operation
    source: SSAValue
    target: SSAValue


def passed_within(func: Operation) -> list[PassedOn]:
    """What the ops within a function pass on, as `passed_by` says."""
    return [passed for op in ops_within(func) if op is not func for passed in passed_by(op)]


def passed_by(op: Operation) -> Iterator[PassedOn]:
    """What a region op of `scf` or a branch of `cf` passes on at its boundaries, and the operands of which another op
    declares a result to be one."""
    for mover, sources, targets in forwarded_operands(op):
        yield from (PassedOn(mover, a, b) for a, b in zip(sources, targets, strict=True))
    if op.regions or op.successors:
        return
    for result, operand in contract_of(op).forwards:
        yield PassedOn(op, op.operands[operand], op.results[result])
