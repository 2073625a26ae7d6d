"""What is known of a model's inputs when it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument

from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location, inherit
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import MAX_CONTENT, dtype_name, numpy_dtype, static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name, argument_names, symbol_name
from lastuse.dialect.storage.specialization import specialize, unknown_sizes


@dataclass(frozen=True)
class Bindings:
    """Sizes and values that inputs have.

    Attributes:
        shapes: the whole shape of an input, by its name.
        sizes: numbers for unknown sizes, by the names that these have in the module.
        values: the elements of an input, by its name; the program is right for these alone.
    """

    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    values: Mapping[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])

    def __bool__(self) -> bool:
        return bool(self.shapes or self.sizes or self.values)


def bind(module: ModuleOp, bindings: Bindings) -> None:
    """Gives the inputs of the main function of a module their sizes and values.

    Raises:
        LastuseError: there is no such input or size, or it does not take that shape or value.
    """
    func = main_function(module)
    arguments = dict(zip(argument_names(func.body.blocks[0]), func.args, strict=True))
    for name in (*bindings.shapes, *bindings.values):
        if name not in arguments:
            raise LastuseError(f"no input is called '{name}'; there are {', '.join(arguments) or 'none'}", func)
    sizes = dict(bindings.sizes)
    shapes = {**{name: array.shape for name, array in bindings.values.items()}, **bindings.shapes}
    for name, shape in shapes.items():
        _add_sizes(func, arguments[name], shape, sizes)
    known = unknown_sizes(func)
    for name in sizes:
        if name not in known:
            raise LastuseError(f"no unknown size is called {name}; there are {', '.join(known) or 'none'}", func)
    if sizes:
        specialize(module, {func: sizes})
    for name, array in bindings.values.items():
        bind_value(func, func.args[arguments[name].index], array)


def _add_sizes(func: FuncOp, argument: BlockArgument, shape: Sequence[int], sizes: dict[str, int]) -> None:
    """Adds the numbers of the unknown sizes of an argument."""
    name = argument_name(argument)
    stated = static_shape(argument.type) if isinstance(argument.type, TensorType) else ()
    if len(stated) != len(shape):
        raise LastuseError(f"input {name} has {len(stated)} axes, {len(shape)} are given", func)
    for axis, (size, number) in enumerate(zip(stated, shape, strict=True)):
        if size is not None and size != number:
            raise LastuseError(f"input {name} has size {size} on axis {axis}, {number} is given", func)
        if size is None and sizes.setdefault(symbol := symbol_name(argument, axis), number) != number:
            raise LastuseError(f"size {symbol} is {sizes[symbol]} and {number}", func)


def bind_value(func: FuncOp, argument: BlockArgument, array: np.ndarray) -> None:
    """Makes an argument's value a constant for all that reads it. The argument keeps it (`dnn.value`), and a run checks
    that it gets it.

    Raises:
        LastuseError: the value is not of the argument's type, or has too many elements.
    """
    module, name = func.get_toplevel_object(), argument_name(argument)
    assert isinstance(module, ModuleOp)
    if not isinstance(argument.type, TensorType) or static_shape(argument.type) != array.shape:
        raise LastuseError(f"input {name} is {argument.type}, its value has shape {list(array.shape)}", func)
    exact = exact_value(name, array, dtype_name(argument.type.element_type), func)
    value = resources.add_array(module, f"{name}/value", exact)
    constant = ConstantOp.create(
        result_types=[argument.type],
        attributes={"value": value, attrs.NAMES: ArrayAttr([StringAttr(f"{name}/value")])},
    )
    inherit(constant, func)
    argument.replace_all_uses_with(constant.y)
    first = func.body.blocks[0].first_op
    assert first is not None
    func.body.blocks[0].insert_op_before(constant, first)
    attrs.set_argument_attribute(func, argument.index, attrs.VALUE, value)


def exact_value(name: str, array: np.ndarray, dtype: str, place: FuncOp | Location) -> np.ndarray:
    """The value of an input in the input's element type; raises LastuseError where that cannot hold it, or there are
    too many elements."""
    if array.size > MAX_CONTENT:
        raise LastuseError(
            f"the value of input {name} has {array.size} elements; {MAX_CONTENT} at most are bound", place
        )
    with np.errstate(all="ignore"):
        exact = array.astype(numpy_dtype(dtype))
    if not np.array_equal(exact, array, equal_nan=array.dtype.kind == "f"):
        raise LastuseError(f"input {name} has element type {dtype}, which cannot hold its value", place)
    return exact


def constant_value(argument: BlockArgument, module: ModuleOp | None) -> np.ndarray:
    """The elements of the value that an argument is bound to (`dnn.value`)."""
    value = attrs.argument_attributes(argument)[attrs.VALUE]
    return attribute_array(value, module if module is not None else ModuleOp([]))


def attribute_array(value: Attribute, module: ModuleOp) -> np.ndarray:
    """The elements of a constant that is an attribute; its array may stand beside the module."""
    if isinstance(value, DenseResourceAttr):
        return resources.array_of(value, module)
    assert isinstance(value, DenseIntOrFPElementsAttr)
    return ConstantOp.create(result_types=[value.type], attributes={"value": value}).array()
