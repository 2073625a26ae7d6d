"""Loops with one body, op by op: most forms have the bodies of their program's ops, which shows without the meaning of
each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xdsl.dialects import memref, tensor
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import GenericOp, PoolingNchwMaxOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.linalg_loops import LinalgLoops, loops_of
from lastuse.dialect.ir.table_reads import ElementOfInputOp
from lastuse.passes.memref_checker.op_meaning import writes_all

_READS = frozenset({tensor.ExtractOp, memref.LoadOp, ElementOfInputOp})


@cache
def _has_loops(op_class: type[Operation]) -> bool:
    return issubclass(op_class, LinalgStructuredOperation) and not issubclass(op_class, PoolingNchwMaxOp)


def alike_loops(op: Operation, source: Operation) -> tuple[LinalgLoops, list[int]] | None:
    """The loops of two ops that compute the same of their operands, and the numbers of the operands that their results
    are made of, in the order of the bodies; None for others, and for ops of which that does not show at once."""
    if type(op) is not type(source) or not _has_loops(type(op)):
        return None
    loops = loops_of(source)  # pyright: ignore[reportArgumentType]
    # Those of a generic op follow from what it says alone.
    said = type(op) is GenericOp and _has_same(op.properties, source.properties)
    if not said and loops_of(op) is not loops:  # pyright: ignore[reportArgumentType]
        return None
    one, two = source.regions[0].first_block, op.regions[0].first_block
    yielded = _yielded_alike(one, two) if one is not None and two is not None else None
    if one is None or yielded is None or len(one.args) != len(loops.maps):
        return None
    outs = [] if writes_all(source, loops) else range(loops.ins, len(loops.maps))
    found: dict[int, None] = {}
    seen = set[Operation]()
    for value in yielded:
        waiting = [value]
        while waiting:
            value = waiting.pop()
            if isinstance(value, BlockArgument):
                found[value.index] = None
            elif isinstance(value.owner, Operation) and value.owner not in seen:
                seen.add(value.owner)
                waiting += reversed(operands_of(value.owner))
        found.update(dict.fromkeys(outs))
    return loops, list(found)


def _yielded_alike(one: Block, two: Block) -> tuple[SSAValue, ...] | None:
    """What `one` ends with, if `two` has the same ops on the same values; None if not, or where that does not show."""
    if len(one.args) != len(two.args):
        return None
    pairs: dict[int, SSAValue] = dict(zip(map(id, one.args), two.args, strict=True))
    a, b, last = one.first_op, two.first_op, one.last_op
    while a is not None and b is not None:
        operands = operands_of(a)
        if type(a) is not type(b) or type(a) in _READS or a.regions or b.regions or not _says_same(a, b):
            return None
        if [pairs.get(id(v)) for v in operands] != list(operands_of(b)):
            return None
        for mine, theirs in zip(a.results, b.results, strict=True):
            if mine.type is not theirs.type:
                return None
            pairs[id(mine)] = theirs
        a, b = a.next_op, b.next_op
    return tuple(operands_of(last)) if a is b and last is not None else None


def _says_same(one: Operation, two: Operation) -> bool:
    """Two ops have the very same attributes: `0.0` and `-0.0` are equal ones."""
    same = _has_same(one.attributes, two.attributes) and _has_same(one.properties, two.properties)
    return same and len(one.results) == len(two.results)


def _has_same(mine: Mapping[str, Attribute], theirs: Mapping[str, Attribute]) -> bool:
    if len(mine) != len(theirs):
        return False
    return all(theirs.get(name) is value for name, value in mine.items())
