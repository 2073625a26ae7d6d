"""Where the value of a symbol stands: at the size of an argument, or at an index value that an op takes a size from."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.ir.tensor_types import Poly, Symbol, symbol
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.argument_names import symbol_names
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.shape_inference import Sizes


def has_symbols(sizes: Sizes) -> bool:
    """Some size of a tensor is no number. Most tensors share what is known of their type."""
    return any(isinstance(n, Poly) for info in {id(info): info for info in sizes.values()}.values() for n in info.shape)


def sizes_of_arguments(func: FuncOp) -> dict[Symbol, tuple[SSAValue, int]]:
    """An argument and an axis that have the size of each symbol; none has the number of elements of another one."""
    found: dict[Symbol, tuple[SSAValue, int]] = {}
    entry = func.body.blocks[0]
    for (number, axis), name in sorted(symbol_names(entry).items()):
        for s in symbol(name).symbols if not is_unranked(entry.args[number]) else ():
            found.setdefault(s, (entry.args[number], axis))
    return found


def sizes_of_numbers(func: FuncOp, sizes: Sizes) -> dict[Symbol, SSAValue]:
    """The index value that each symbol is, of those that an op takes a size from."""
    found: dict[Symbol, SSAValue] = {}
    unknown = {v for v, type_ in sizes.items() if not isinstance(type_.bytes, int)} if has_symbols(sizes) else ()
    for op in ops_within(func)[1:] if unknown else ():
        if not any(r in unknown for r in op.results):
            continue
        for result, axis, operand in contract_of(op).sized_by:
            dim = sizes[op.results[result]].known[axis]
            for s in dim.symbols if isinstance(dim, Poly) else ():
                if dim == symbol(s.name, s.key):
                    found.setdefault(s, op.operands[operand])
    return found
