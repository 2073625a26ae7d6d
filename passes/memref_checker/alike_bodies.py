"""Loops with one body, op by op: most forms have the bodies of their program's ops, which shows without the meaning of
each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter, is_
from typing import NamedTuple

from xdsl.dialects import linalg, memref, tensor
from xdsl.dialects.builtin import DenseArrayBase
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import GenericOp, PoolingNchwMaxOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from lastuse.dialect.ir.element_of_input import ElementOfInputOp
from lastuse.dialect.ir.flow_graphs import (
    arguments_of,
    first_block_of,
    first_op_of,
    next_op_of,
    operands_of,
    type_of,
)
from lastuse.dialect.ir.linalg_loops import LinalgLoops, loops_of
from lastuse.passes.memref_checker.op_meaning import axes_of, writes_all

_OF_XDSL = frozenset(linalg.Linalg.operations)
_SEGMENTS = "operandSegmentSizes"
_READS = frozenset({tensor.ExtractOp, memref.LoadOp, ElementOfInputOp})
_data_of: Callable[[Attribute], object] = attrgetter("data")
_parts_of: Callable[[Attribute], tuple[Attribute, ...]] = attrgetter("data")
Pair = tuple[int, int]
"""The numbers of two operands: of an op of the program, and of the one of the form."""


class LoopPair(NamedTuple):
    """The loops of an op of the program and of one of the form.

    Attributes:
        ours: those of the program's op.
        theirs: those of the form's.
        axes: of `ours`, as `axes_of` says them.
        same_map: of each map of `ours`, whether each of `theirs` equals it.
        same_results: the loops are of the same kinds, and go over the results alike.
        once: each element of each result is written once, whatever the types are.
    """

    ours: LinalgLoops
    theirs: LinalgLoops
    axes: tuple[tuple[int, ...], ...]
    same_map: Sequence[Sequence[bool]]
    same_results: bool
    once: bool


class AlikeLoops(NamedTuple):
    """Two ops that compute the same of their operands.

    Attributes:
        pair: their loops.
        reads: the operands that the results are made of, in the order of the bodies.
        whole: each element of each result is written once: none keeps what the operand of the result had.
    """

    pair: LoopPair
    reads: Sequence[Pair]
    whole: bool


@cache
def _has_loops(op_class: type[Operation]) -> bool:
    return issubclass(op_class, LinalgStructuredOperation) and not issubclass(op_class, PoolingNchwMaxOp)


class AlikeBodies:
    """Asked of the ops of one function."""

    def __init__(self) -> None:
        self._pairs: dict[tuple[int, int], LoopPair] = {}
        self._said: dict[tuple[object, ...], LoopPair] = {}
        """By what two ops say of their loops: maps, kinds and types are compared by identity, and the ops hold them."""

    def loops(self, op: Operation, source: Operation) -> AlikeLoops | None:
        """What an op of the form and one of the program that compute the same have in common; None for others, and for
        ops of which that does not show at once."""
        if type(op) is not type(source) or not _has_loops(type(op)):
            return None
        pair = self._pair(op, source)
        one, two = first_block_of(source.regions[0]), first_block_of(op.regions[0])
        if not pair.same_results or one is None or two is None:
            return None
        ours, theirs = pair.ours, pair.theirs
        if len(arguments_of(one)) != len(ours.maps) or len(arguments_of(two)) != len(theirs.maps):
            return None
        yielded = _yielded_alike(one, two, pair.same_map)
        if yielded is None:
            return None
        if pair.once:
            return AlikeLoops(pair, yielded[0] if len(yielded) == 1 else _in_order(yielded), True)
        whole = writes_all(source, ours)  # pyright: ignore[reportArgumentType]
        if ours is not theirs and writes_all(op, theirs) != whole:  # pyright: ignore[reportArgumentType]
            return None
        outs = [*zip(range(ours.ins, len(ours.maps)), range(theirs.ins, len(theirs.maps)), strict=True)]
        return AlikeLoops(pair, _in_order(yielded if whole else [[*reads, *outs] for reads in yielded]), whole)

    def _pair(self, op: Operation, source: Operation) -> LoopPair:
        said, other = source.properties, op.properties
        segments, others, maps = said.get(_SEGMENTS), other.get(_SEGMENTS), said.get("indexing_maps")
        if type(segments) is not DenseArrayBase or type(others) is not DenseArrayBase or type(source) not in _OF_XDSL:
            return self._of_loops(op, source)
        if not len(said) == len(other) == 1 and not _has_same(other, said):
            return self._of_loops(op, source)
        both = segments.data.data, others.data.data
        key = type(source), *both, *(map(id, _parts_of(maps)) if maps is not None else ())
        if type(source) is GenericOp:  # whose loops follow from what it says alone
            key = *key, None, *map(id, map(_data_of, _parts_of(said["iterator_types"])))
        elif len(said) == (1 if maps is None else 2):  # or from the types of the operands besides
            types = *map(type_of, operands_of(source)), *map(type_of, operands_of(op))
            key = *key, None, *map(id, types)
        else:
            return self._of_loops(op, source)
        found = self._said.get(key)
        if found is None:
            found = self._said[key] = self._of_loops(op, source)
        return found

    def _of_loops(self, op: Operation, source: Operation) -> LoopPair:
        ours, theirs = loops_of(source), loops_of(op)  # pyright: ignore[reportArgumentType]
        key = id(ours), id(theirs)
        found = self._pairs.get(key)
        if found is None:
            found = self._pairs[key] = _paired(ours, theirs)
        return found


def _paired(ours: LinalgLoops, theirs: LinalgLoops) -> LoopPair:
    results, others = ours.maps[ours.ins :], theirs.maps[theirs.ins :]
    same_map = [[one == two for two in theirs.maps] for one in ours.maps]
    once = ours.parallel and all(ours.once[ours.ins :])
    return LoopPair(ours, theirs, axes_of(ours.maps), same_map, (ours.kinds, results) == (theirs.kinds, others), once)


def _yielded_alike(one: Block, two: Block, same_map: Sequence[Sequence[bool]]) -> list[Sequence[Pair]] | None:
    """What each value that `one` ends with is made of, if `two` has the same ops on the same values; None if not, or
    where that does not show."""
    made: dict[int, tuple[SSAValue, Sequence[Pair]]] = {}
    a, b = first_op_of(one), first_op_of(two)
    while a is not None and b is not None:
        operands, others = operands_of(a), operands_of(b)
        if type(a) is not type(b) or len(operands) != len(others) or not _says_same(a, b):
            return None
        found: list[Sequence[Pair]] = []
        for mine, theirs in zip(operands, others, strict=True):
            if type(mine) is BlockArgument:
                if type(theirs) is not BlockArgument or mine.block is not one or theirs.block is not two:
                    return None
                if not same_map[mine.index][theirs.index]:
                    return None
                found.append(((mine.index, theirs.index),))
                continue
            known = made.get(id(mine))
            if known is None or known[0] is not theirs:
                return None
            found.append(known[1])
        following, after = next_op_of(a), next_op_of(b)
        if following is None and after is None:
            return found
        reads = found[0] if len(found) == 1 else _in_order(found)
        for mine, theirs in zip(a.results, b.results, strict=True):
            if type_of(mine) is not type_of(theirs):
                return None
            made[id(mine)] = theirs, reads
        a, b = following, after
    return None


def _in_order(reads: Sequence[Sequence[Pair]]) -> list[Pair]:
    """What is in one of several lists, as it comes first."""
    return [*dict.fromkeys(chain.from_iterable(reads))]


def _says_same(one: Operation, two: Operation) -> bool:
    """Two ops have the very same attributes, as `0.0` and `-0.0` are equal ones, and neither has more to say."""
    if type(one) in _READS or one.regions or two.regions or len(one.results) != len(two.results):
        return False
    if (one.attributes or two.attributes) and not _has_same(one.attributes, two.attributes):
        return False
    mine, theirs = one.properties, two.properties
    return not (mine or theirs) or _has_same(mine, theirs)


def _has_same(mine: Mapping[str, Attribute], theirs: Mapping[str, Attribute]) -> bool:
    return len(mine) == len(theirs) and all(map(is_, mine.values(), map(theirs.get, mine)))
