"""Which unknown sizes have one value in a run of a function."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.tensor_types import Poly, Symbol
from lastuse.dialect.storage.shape_inference import Sizes


def fixed_symbols(func: FuncOp, sizes: Sizes) -> frozenset[Symbol]:
    """The symbols of sizes that have one value from the first time on when a value has that size.

    These are the symbols of the sizes of arguments and of what the first block makes, in the arms of `scf.if` too. What
    is made in loops and later blocks is made again, with other sizes.
    """
    fixed, changing = set[Symbol](), set[Symbol]()
    for value, once in _in_order(func.body.blocks[0], True):
        found = fixed if once else changing
        found.update(_symbols(value, sizes) - fixed - changing)
    return frozenset(fixed)


def _in_order(block: Block, once: bool) -> Iterator[tuple[SSAValue, bool]]:
    """The values of a block and of the regions in it, each before those that have sizes from it, and whether it is
    made once."""
    yield from ((argument, once) for argument in block.args)
    for op in block.ops:
        yield from _of_regions(op, once and isinstance(op, scf.IfOp))
        yield from ((result, once) for result in op.results)


def _of_regions(op: Operation, once: bool) -> Iterator[tuple[SSAValue, bool]]:
    for region in op.regions:
        for block in region.blocks:
            yield from _in_order(block, once)


def _symbols(value: SSAValue, sizes: Sizes) -> frozenset[Symbol]:
    dims = sizes[value].known if value in sizes else ()
    return frozenset[Symbol]().union(*(d.symbols for d in dims if isinstance(d, Poly)))
