"""What stands in the regions of an op: what the ops in them read from outside, and whether they have tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, Region, SSAValue

from lastuse.dialect.ir.element_of_input import ElementOfInputOp
from lastuse.dialect.ir.flow_graphs import AS_THEY_STAND, Order, listed_block, operands_of, ops_of, ops_within, type_of
from lastuse.dialect.ir.remembered import is_class, remembered


class RegionContents(NamedTuple):
    """What stands in the regions of an op, however deep.

    Attributes:
        captured: the values from outside that the ops read, each once, in the order of the ops.
        reads_tensors: an operand is a tensor.
        has_tensors: an operand, a result or an argument of a block is a tensor.
        tables: the numbers of the inputs of the op around that the ops ask for elements of (`table_reads.py`).
    """

    captured: tuple[SSAValue, ...]
    reads_tensors: bool
    has_tensors: bool
    tables: frozenset[int]


_NO_TABLES = frozenset[int]()


@remembered
def contents_of(op: Operation) -> RegionContents:
    """What stands in the regions of an op as its ops stand."""
    return _contents(op, AS_THEY_STAND, contents_of)


def _contents(op: Operation, order: Order, of: Callable[[Operation], RegionContents]) -> RegionContents:
    """`of` tells what stands in an op inside, so that each is looked at once."""
    used: dict[int, SSAValue] = {}  # by identity: values are hashed in Python
    defined: dict[int, SSAValue] = {}
    reads_tensors = has_tensors = False
    tables = _NO_TABLES
    for region in op.regions:
        block = region._first_block  # pyright: ignore[reportPrivateUsage]  # properties are Python code, run for all ops
        while block is not None:
            for argument in block._args:  # pyright: ignore[reportPrivateUsage]
                defined[id(argument)] = argument
            for inner in ops_of(block, order) if order else listed_block(block):
                for value in operands_of(inner):
                    used[id(value)] = value
                if inner.regions:
                    inside = of(inner)
                    for value in inside.captured:
                        used[id(value)] = value
                    reads_tensors |= inside.reads_tensors
                    has_tensors |= inside.has_tensors
                    tables |= inside.tables
                elif type(inner) is ElementOfInputOp:
                    tables |= {inner.input.value.data}
                for result in inner.results:
                    defined[id(result)] = result
            block = block._next_block  # pyright: ignore[reportPrivateUsage]
    captured = () if used.keys() <= defined.keys() else tuple([v for n, v in used.items() if n not in defined])
    has_tensors = has_tensors or has_tensor([*captured, *defined.values()])
    reads_tensors = reads_tensors or has_tensors and has_tensor(used.values())
    return RegionContents(captured, reads_tensors, has_tensors, tables)


def has_tensor(values: Iterable[SSAValue]) -> bool:
    """One of the values is a tensor of known rank."""
    return any(map(is_class, set(map(type, map(type_of, values))), repeat(TensorType)))


def captured(region: Region, order: Order) -> dict[Operation, tuple[SSAValue, ...]]:
    """As `captures_of`, in another order of the ops."""
    captures: dict[Operation, tuple[SSAValue, ...]] = {}

    def inside(op: Operation) -> RegionContents:
        contents = _contents(op, order, inside)
        captures[op] = contents.captured
        return contents

    for block in region.blocks:
        for op in listed_block(block):
            if op.regions:
                inside(op)
    return {op: found for op, found in captures.items() if found}


@remembered
def captures_of(region: Region) -> Mapping[Operation, tuple[SSAValue, ...]]:
    """What the regions of ops read from outside them, each once, in the order of the ops: of each op in a region of the
    op around, however deep, that reads so."""
    around = region.parent
    assert around is not None
    return {op: found for op in ops_within(around)[1:] if op.regions and (found := contents_of(op).captured)}


def read_by(op: Operation) -> list[SSAValue]:
    """Operands of `op` and what its regions capture from outside, each once."""
    captures = contents_of(op).captured if op.regions else ()
    return list(dict.fromkeys((*operands_of(op), *captures)))
