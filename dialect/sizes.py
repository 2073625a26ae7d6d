"""Sizes of every tensor of a function: unknown ones as symbols that flow through the ops' shape functions."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from .base import DnnOp
from .blocks import reached
from .decisions import source_name
from .diagnostics import LastuseError
from .shape import Dim, Typed, static_shape, symbol, typed

Sizes = Mapping[SSAValue, Typed]


def infer_sizes(func: FuncOp) -> Sizes:
    """Every tensor value of `func` with its shape, every size known: a number or a polynomial over symbols.

    An unknown size of an argument is the symbol of its name (`words`; `x.0`, `x.1` where there are several); one that
    no shape function tells is a symbol of its own. Values of other types carry no bytes and are left out.

    Raises:
        LastuseError: at the first op that the sizes of its operands do not fit.
    """
    sizes: dict[SSAValue, Typed] = {}
    order = reached(func.body)
    known = set(order)
    for block in (*order, *(b for b in func.body.blocks if b not in known)):
        _infer_block(block, sizes)
    return sizes


def symbol_name(argument: BlockArgument, axis: int) -> str:
    """What the unknown size `axis` of a function's argument is called, in `--specialize-pass` too."""
    name = source_name(argument) or argument.name_hint or f"arg{argument.index}"
    several = sum(d is None for d in static_shape(argument.type)) > 1
    return f"{name}.{axis}" if several else name


def _infer_block(block: Block, sizes: dict[SSAValue, Typed]) -> None:
    outermost = isinstance(parent := block.parent_op(), FuncOp) and parent.body.blocks.first is block
    for argument in block.args:
        _fresh(argument, sizes, outermost)
    for op in block.ops:
        _infer_op(op, sizes)
        for region in op.regions:
            for inner in region.blocks:
                _infer_block(inner, sizes)


def _fresh(value: SSAValue, sizes: dict[SSAValue, Typed], is_argument: bool = False) -> None:
    if not isinstance(value.type, TensorType) or value in sizes:
        return
    filled: list[Dim | None] = []
    for axis, size in enumerate(static_shape(value.type)):
        if size is not None:
            filled.append(size)
        elif is_argument and isinstance(value, BlockArgument):
            filled.append(symbol(symbol_name(value, axis)))
        else:
            filled.append(symbol(f"{value.name_hint or '_'}.{axis}", len(sizes) + 1))
    sizes[value] = typed(value.type, filled)


def _infer_op(op: Operation, sizes: dict[SSAValue, Typed]) -> None:
    inferred: tuple[Typed, ...] = ()
    for value in op.operands:
        if value not in sizes:  # in a block that is never reached, or in text that is not yet verified
            _fresh(value, sizes)
    if isinstance(op, DnnOp):
        try:
            inferred = op.infer([sizes[v] for v in op.operands])
        except ValueError as error:
            raise LastuseError(f"{op.name}: {error}", op) from None
    for index, result in enumerate(op.results):
        _fresh(result, sizes)
        if index < len(inferred) and result in sizes and not all(isinstance(d, int) for d in sizes[result].shape):
            choices = zip(static_shape(result.type), inferred[index].shape, sizes[result].shape, strict=True)
            shape = tuple(next(d for d in dims if d is not None) for dims in choices)
            sizes[result] = Typed(shape, sizes[result].dtype)
