"""Sizes that are not the same whenever a value is made: memory is of one size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.ir.region_branches import forwarded_operands
from lastuse.dialect.ir.tensor_types import Poly, Symbol, TensorInfo, product
from lastuse.dialect.storage.layout import Layout, Whole
from lastuse.passes.bufferization.size_symbols import has_symbols


def changing_symbols(func: FuncOp, sizes: Mapping[SSAValue, TensorInfo]) -> frozenset[Symbol]:
    """The sizes of arguments of blocks that are passed values of different sizes: of what a loop carries, the size may
    be another one in each iteration, though it has one symbol."""
    found: set[Symbol] = set()
    for op in ops_within(func) if has_symbols(sizes) else ():
        if op is func or not (op.regions or op.successors):
            continue
        for _, sources, targets in forwarded_operands(op):
            for source, target in zip(sources, targets, strict=False):
                if isinstance(target, BlockArgument) and target in sizes and source in sizes:
                    ours, theirs = sizes[target].known, sizes[source].known
                    for a, b in zip(ours, theirs, strict=False):
                        found |= a.symbols if isinstance(a, Poly) and a != b else frozenset()
    return frozenset(found)


def have_all(one: Layout, other: Layout) -> bool:
    """Both are all of a storage of unknown size, of as many elements."""
    if not isinstance(one, Whole) or not isinstance(other, Whole):
        return False
    return (one.offset, one.item, product(one.shape)) == (other.offset, other.item, product(other.shape))


def have_one_size(
    values: Sequence[SSAValue], sizes: Mapping[SSAValue, TensorInfo], changing: frozenset[Symbol]
) -> bool:
    """All values have one type, and sizes that are equal and stay as they are."""
    return len({value.type for value in values}) == 1 and have_same_sizes(values, sizes, changing)


def have_same_sizes(
    values: Sequence[SSAValue], sizes: Mapping[SSAValue, TensorInfo], changing: frozenset[Symbol]
) -> bool:
    """All values have sizes that are equal and stay as they are, whatever their types say."""
    if len({sizes[value].known for value in values}) != 1:
        return False
    dims = sizes[values[0]].known
    return not any(isinstance(dim, Poly) and dim.symbols & changing for dim in dims)
