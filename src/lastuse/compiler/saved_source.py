"""The model of a saved program, read when it is compiled for sizes that its file does not have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.compiler.model_source import ModelSource, Values
from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.program_signature import ProgramSignature, TensorSpec
from lastuse.compiler.saved_program import SavedProgram
from lastuse.dialect.ir.diagnostics import LastuseError, ToolContext
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.frontends.bindings import Bindings


class SavedSource(ModelSource):
    """A model in a file. One that could only be read for known sizes or values is not in the file, and has programs for
    the sets that were compiled alone."""

    def __init__(self, saved: SavedProgram, ctx: ToolContext) -> None:
        # The module is not read here: a run with sizes that the file has does not need it.
        self.saved, self._ctx = saved, ctx
        self._bindings, self._bound = Bindings(), dict.fromkeys(saved.bound_inputs)
        self._fixed, self.outputs = dict(saved.fixed_values), tuple(saved.outputs)

    @cached_property
    def _model(self) -> ModuleOp | None:
        return self.saved.model(self._ctx)

    @property
    def module(self) -> ModuleOp | None:
        return self._model

    @property
    def func(self) -> FuncOp:
        if self._model is None:
            raise self._missing()
        return main_function(self._model)

    @cached_property
    def signature(self) -> ProgramSignature:
        return self.saved.signature

    @cached_property
    def output_specs(self) -> Mapping[str, TensorSpec]:
        return self.saved.outputs

    @cached_property
    def unprotected_inputs(self) -> Sequence[str] | None:
        if self.saved.says_unprotected or self._model is None:
            return self.saved.unprotected_inputs
        return super().unprotected_inputs  # the file of an earlier version does not say it

    def specialized(self, pipeline: Pipeline, sizes: Mapping[str, int], values: Values) -> ModuleOp:
        if self._model is None:
            raise self._missing()
        self.saved.compare()
        return super().specialized(pipeline, sizes, values)

    def _missing(self) -> LastuseError:
        known = "; ".join(str(stored) for stored in self.saved.sizes)
        why = "its model can only be read for known sizes and values"
        return LastuseError(f"has no program for these sizes: {why}, and it has {known}", self.saved.location)
