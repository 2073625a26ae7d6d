"""The modules of a model: one with unknown sizes, or one for each set of sizes and values that reading depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.compiler.finite_search import unprotected_inputs
from lastuse.compiler.module_utils import clone, erase_uncalled
from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.program_signature import ProgramSignature, TensorSpec, outputs_of, signature_of
from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError, NeedsValuesError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import MAX_CONTENT
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.frontends.bindings import Bindings, attribute_array, bind, constant_value
from lastuse.passes.memory.frame_layout import result_names
from lastuse.passes.transforms.refinement import shape_inputs
from lastuse.runtime.arrays import Arrays, as_array

Values = Mapping[str, np.ndarray]


class ModelSource:
    """
    What a program is compiled from.

    Where ranks or arms of branches depend on sizes or on elements of inputs, the model is read anew for each set of
    them. Where shapes alone depend on elements of inputs, these are bound in a copy of the module.

    Attributes:
        outputs: names of the results.
    """

    outputs: Sequence[str]

    def __init__(self, read: Callable[[Bindings], ModuleOp], bindings: Bindings | None = None) -> None:
        """
        Args:
            read: the module, prepared for being specialised.
            bindings: what is known of all runs.

        Raises:
            LastuseError: the model cannot be read.
        """
        self._read, self._bindings = read, bindings or Bindings()
        self._bound: dict[str, None] = {}
        try:
            self._module: ModuleOp | None = read(self._bindings)
        except NeedsValuesError as error:
            if error.signature is None:
                raise
            self._module, self._func, self.outputs = None, main_function(error.signature), error.outputs
            self._bound.update(dict.fromkeys(error.inputs))
        else:
            self._func = main_function(self._module)
            self.outputs = result_names(self._func)
            self._bound.update(dict.fromkeys(shape_inputs(self._func)))
        self._fixed = {
            argument_name(argument): constant_value(argument, self._module)
            for argument in self._func.args
            if attrs.VALUE in attrs.argument_attributes(argument)
        }

    @property
    def module(self) -> ModuleOp | None:
        """The module with unknown sizes; None where the model can only be read for known ones."""
        return self._module

    @property
    def func(self) -> FuncOp:
        """Its main function; where there is no module, one with the arguments alone."""
        return self._func

    @cached_property
    def signature(self) -> ProgramSignature:
        """The inputs."""
        return signature_of(self.func)

    @cached_property
    def output_specs(self) -> Mapping[str, TensorSpec] | None:
        """The results; None where there is no module. Raises LastuseError where sizes do not fit an op."""
        return None if self.module is None else outputs_of(self.func)

    @cached_property
    def unprotected_inputs(self) -> Sequence[str] | None:
        """Names of the inputs that a run may have written over when it ends because a number is not finite; None
        where no number has to be."""
        return unprotected_inputs(self.func)

    @property
    def fixed_values(self) -> Values:
        """The elements that inputs have in every run, by name."""
        return self._fixed

    @property
    def initial_values(self) -> dict[str, np.ndarray]:
        """Copies of what the model's parameters and states start from (`dnn.initial`), by name."""
        module = self._func.get_toplevel_object()
        assert isinstance(module, ModuleOp)
        given = {argument_name(a): attrs.argument_attributes(a).get(attrs.INITIAL) for a in self._func.args}
        return {name: np.array(attribute_array(value, module)) for name, value in given.items() if value is not None}

    @property
    def bound_inputs(self) -> tuple[str, ...]:
        """Names of the inputs whose elements decide shapes or branches: each set of them has a program of its own."""
        return tuple(self._bound)

    def add_bound(self, error: NeedsValuesError) -> None:
        """Binds the inputs that turned out to be needed; raises the error where they are bound already."""
        names = [name for name in error.inputs if name not in self._bound]
        if not names:
            raise error
        self._bound.update(dict.fromkeys(names))

    def values_of(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """The elements of the bound inputs, but for those that have too many: what needs them is refused at its place.

        Raises:
            ArrayError: one is missing; or an input has another value than the one that the model was read for.
        """
        for name, value in self._fixed.items():
            if name in inputs and not np.array_equal(
                as_array(inputs[name], name), value, equal_nan=value.dtype.kind == "f"
            ):
                raise ArrayError(f"input {name} is bound to {value.tolist()}, and another value is given")
        missing = [name for name in self._bound if name not in inputs]
        if missing:
            raise ArrayError(f"the value of {' and '.join(missing)} is missing: shapes or branches depend on it")
        arrays = {name: as_array(inputs[name], name) for name in self._bound}
        return {name: np.array(array) for name, array in arrays.items() if array.size <= MAX_CONTENT}

    def specialized(self, pipeline: Pipeline, sizes: Mapping[str, int], values: Values) -> ModuleOp:
        """A module for these sizes and values of the bound inputs, in which all sizes are known.

        Raises:
            NeedsValuesError: the elements of more inputs are needed.
            LastuseError: they do not fit the model, or each other.
        """
        module = self.module
        if module is None:
            known = self._bindings
            merged = Bindings(known.shapes, {**known.sizes, **sizes}, {**known.values, **values})
            module = self._read(merged)
            sizes = {}
        else:
            module = clone(module)
            if values:
                bind(module, Bindings(sizes=sizes, values=values))
                sizes = {}
        erase_uncalled(module)
        pipeline.specialize(module, sizes)
        return module


def source_of(module: ModuleOp) -> ModelSource:
    """The source that is a module."""

    def read(bindings: Bindings) -> ModuleOp:
        if bindings:
            raise LastuseError("a module is bound by its own sizes", module)
        return module

    return ModelSource(read)
