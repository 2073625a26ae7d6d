"""Contracts of `linalg` on tensors: every structured op, named or generic, by its indexing maps.

A result goes over its own `outs` operand: that is what destination style means. Over an input it goes where both are
read and written at the same index and every element is written once: the loops are all parallel, and the maps equal.

Ops that xDSL does not know are read in generic form, whatever their names. Their maps are those that the op carries, or
follow from the name; an op whose maps are not known goes over `outs` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import linalg
from xdsl.dialects.builtin import DenseArrayBase
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import BroadcastOp, ReduceOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from lastuse.dialect.foreign.common import KERNEL, is_tensor
from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.linalg_loops import LinalgLoops, carried_maps, is_permutation, loops_of, writes_each
from lastuse.dialect.ir.remembered import attributes_by_identity
from lastuse.dialect.storage.contract import FOREIGN, Contract, InPlace, supply_contract


class Structured(NamedTuple):
    """What the interface of structured ops says of one.

    Attributes:
        ins: how many operands are inputs; the others are `outs`, one for each result.
        maps: of each operand, from the loops to its axes; None where they are not known.
        parallel: no loop is a reduction.
        unread: numbers of `outs` that the kernel does not read.
    """

    ins: int
    maps: Sequence[AffineMap] | None
    parallel: bool
    unread: frozenset[int]


def _registered(op: Operation) -> Contract:
    assert isinstance(op, LinalgStructuredOperation)
    loops = loops_of(op)
    types = [value.type for value in operands_of(op)]
    # A named op that reduces adds to `outs`, also max pooling, whose body in xDSL 0.74 has no use of that element.
    unread = _without_uses(op, loops.ins) if loops.parallel or "indexing_maps" in op.properties else ()
    unread = [k for k in unread if loops.once[k] or writes_each(loops.maps[k], types[k])]
    known = attributes_by_identity(_registered)
    kept = loops, *types, *[result.type for result in op.results]
    key = len(types), *unread, *map(id, kept)
    found = known.get(key) if known is not None else None
    if found is None:
        structured = Structured(loops.ins, loops.maps, loops.parallel, frozenset(unread))
        found = kept, _structured(op, structured, loops)
        if known is not None:
            known[key] = found
    return found[1]


def _structured(op: Operation, structured: Structured, loops: LinalgLoops | None = None) -> Contract:
    """`loops` are those of the op where they are at hand."""
    ins, maps, parallel, unread = structured
    outs = [v.type for v in operands_of(op)[ins:]]
    if not op.results or outs != [r.type for r in op.results] or not all(map(is_tensor, op.results)):
        return FOREIGN  # on memrefs: what they alias is no business of values
    over: list[InPlace] = []
    for r, result in enumerate(op.results):
        read = [k for k, operand in enumerate(operands_of(op)) if k not in unread and is_tensor(operand)]
        same = set[int]()
        if loops is not None:
            alike, of = loops.alike, ins + r
            if parallel and loops.once[of]:
                same = {k for k in read if alike[k] == alike[of] and operands_of(op)[k].type == result.type}
        elif maps is not None and parallel and is_permutation(maps[ins + r]):
            same = {k for k in read if maps[k] == maps[ins + r] and operands_of(op)[k].type == result.type}
        repeats = same.issuperset(read)
        over += [InPlace(r, k, repeats) for k in sorted(same | {ins + r})]
    sizes = tuple((r, ins + r) for r in range(len(op.results)))
    return KERNEL._replace(over=tuple(over), metadata_only=unread, same_shape=sizes)


def _without_uses(op: Operation, ins: int) -> list[int]:
    """Numbers of `outs` whose element the kernel does not use; none where it has no argument for it."""
    block = op.regions[0].first_block if op.regions else None
    arguments = block.args if block is not None else ()
    if len(arguments) != len(operands_of(op)):
        return []
    return [k for k in range(ins, len(arguments)) if arguments[k].first_use is None]


def _map(op: Operation) -> Contract:
    """`linalg.map`: all operands but the last at one index; its kernel gets no element of the last one."""
    ins = len(operands_of(op)) - 1
    if ins < 0 or not is_tensor(operands_of(op)[ins]):
        return FOREIGN
    maps = [AffineMap.identity(len(operands_of(op)[ins].type.get_shape()))] * (ins + 1)  # pyright: ignore
    block = op.regions[0].blocks.first if op.regions else None
    reads = block is None or len(block.args) > ins and any(block.args[ins].uses)
    return _structured(op, Structured(ins, maps, True, frozenset() if reads else frozenset({ins})))


def _reduce(op: Operation) -> Contract:
    """Inputs, and as many `init`, which it accumulates into: what these had stays where nothing is reduced."""
    return _structured(op, Structured(len(op.results), None, False, frozenset()))


def _broadcast(op: Operation) -> Contract:
    """One input and `init`, operand 1, of which it reads no element."""
    return _structured(
        op, Structured(1, None, True, frozenset({1} if not any(op.regions[0].block.args[1].uses) else ()))
    )


def _softmax(op: Operation) -> Contract:
    """One input and `outs`, operand 1, whose elements are not read."""
    return _structured(op, Structured(1, None, False, frozenset({1})))


def _unregistered(op: Operation) -> Contract:
    """A named op in generic form: `operandSegmentSizes` tells inputs from `outs`, and its body, where it is said, has
    an argument for each. What it has in `outs` it reads, unless its maps show that it writes each element."""
    segments = op.properties.get("operandSegmentSizes", op.attributes.get("operandSegmentSizes"))
    counts = segments.get_values() if isinstance(segments, DenseArrayBase) else ()
    block = op.regions[0].first_block if op.regions else None
    if len(counts) != 2 or min(counts) < 0 or sum(counts) != len(operands_of(op)):
        return FOREIGN
    if not op.regions or block is not None and len(block.args) != len(operands_of(op)):
        return FOREIGN
    maps = carried_maps(op)
    if maps is None and op_name(op) in ELEMENTWISE and is_tensor(operands_of(op)[-1]):
        maps = [AffineMap.identity(len(operands_of(op)[-1].type.get_shape()))] * len(operands_of(op))  # pyright: ignore
    unread = frozenset[int]()
    if maps is not None:
        unread = frozenset([k for k in _without_uses(op, counts[0]) if writes_each(maps[k], operands_of(op)[k].type)])
    # Of a named op that carries its maps, a loop that the result's map does not have is a reduction.
    return _structured(op, Structured(counts[0], maps, True, unread))


ELEMENTWISE = frozenset(
    f"linalg.{name}"
    for name in (
        *("abs", "ceil", "floor", "negf", "reciprocal", "round", "rsqrt", "square", "tanh", "erf"),
        *("div", "div_unsigned", "powf", "max_unsigned", "min_unsigned", "elemwise_unary", "elemwise_binary"),
        *("add", "sub", "mul", "exp", "log", "sqrt", "max", "min", "select", "copy", "fill", "fill_rng_2d"),
    )
)
"""Named ops whose maps are all the identity where they carry none."""
supply_contract(BroadcastOp, _broadcast)
supply_contract(ReduceOp, _reduce)
supply_contract("linalg.map", _map)
supply_contract("linalg.softmax", _softmax)
supply_contract("linalg.reduce", _reduce)
supply_contract("linalg.*", _unregistered)
for _class in linalg.Linalg.operations:
    if issubclass(_class, LinalgStructuredOperation):
        supply_contract(_class, _registered)
