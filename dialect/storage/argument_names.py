"""What the arguments of a function and their unknown sizes are called. No two are called the same, but sizes that
`dnn.sizes` states to be equal: the text of a function may call several arguments the same, and so does xDSL, which
reads `%x_1` and `%x_2` as `%x`."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import chain, count

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, BlockArgument

from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage.attrs import size_names, source_name


@remembered
def argument_names(block: Block) -> tuple[str, ...]:
    """The names of the arguments of a block: `dnn.name`, else the name in the text, else `arg0`; with a number behind
    it where another argument has that name: first those that `dnn.name` gives."""
    stated = [source_name(argument) for argument in block.args]
    taken = dict.fromkeys(filter(None, stated))
    names: list[str] = []
    used = set[str]()
    for argument, name in zip(block.args, stated, strict=True):
        if not name or name in used:
            name = free_name(name or argument.name_hint or f"arg{argument.index}", taken)
            taken[name] = None
        used.add(name)
        names.append(name)
    return tuple(names)


def argument_name(argument: BlockArgument) -> str:
    """The name that `argument_names` gives one argument."""
    return argument_names(argument.block)[argument.index]


@remembered
def symbol_names(block: Block) -> Mapping[tuple[int, int], str]:
    """What the unknown sizes of a function's arguments are called, by the number of the argument and axis: as
    `dnn.sizes` says, else after the argument, with its axis (`x.0`, `x.1`) where the argument has several. Sizes of one
    name are equal."""
    unknown = [
        (argument, [axis for axis, size in enumerate(static_shape(argument.type)) if size is None])
        for argument in block.args
        if isinstance(argument.type, TensorType)
    ]
    found = {(a.index, axis): name for a, axes in unknown for axis, name in enumerate(size_names(a)) if axis in axes}
    found = {place: name for place, name in found.items() if name}
    taken, names = dict.fromkeys(found.values()), argument_names(block)
    for argument, axes in unknown:
        for axis in axes:
            if (place := (argument.index, axis)) not in found:
                name = names[argument.index]
                found[place] = name = free_name(f"{name}.{axis}" if len(axes) > 1 else name, taken)
                taken[name] = None
    return found


def symbol_name(argument: BlockArgument, axis: int) -> str:
    """The name that `symbol_names` gives the unknown size `axis` of an argument; `--specialize-pass` takes it."""
    return symbol_names(argument.block)[argument.index, axis]


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with a number behind it where it is taken."""
    return next(n for n in chain((name,), (f"{name}.{k}" for k in count(1))) if n not in taken)
