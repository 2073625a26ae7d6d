"""A model becomes a step of training: its loss, what is trained, and the optimizer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp

from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.program_signature import Example, ProgramSignature, signature_of
from lastuse.compiler.training_program import Optimizer
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs, verifier
from lastuse.passes.backward import BackwardPass
from lastuse.passes.differentiation.parameters import make_trainable
from lastuse.passes.differentiation.updates import RATE
from lastuse.passes.memory.frame_layout import result_names
from lastuse.passes.transforms.add_outputs import add_output


class Training:
    """What `compile` is asked to train, and makes of the model.

    Attributes:
        values: of the parameters that were constants, and of the states of the optimizer, by name.
    """

    def __init__(
        self,
        loss: str | None,
        optimizer: Optimizer | None,
        trainable: Collection[str] | str | None,
        examples: Example | None,
        check: bool = False,
    ) -> None:
        """
        Args:
            loss: the result or value that is the loss, by name; None where the model says it (`dnn.loss`).
            optimizer: what updates parameters; None where gradients are the results.
            trainable: names of arguments and constants, or `all`; None where the model says it (`dnn.trainable`).
            examples: of the inputs: arrays or shapes, as of `Program.compile_for`. None where sizes stay unknown.
            check: a loss that is not finite is an error.

        Raises:
            LastuseError: there is no such optimizer, or it has no such option.
        """
        self._loss, self._trainable, self._examples = loss, trainable, examples
        asked = _backward_pass(optimizer)
        self._backward_pass = replace(asked, check=check or asked.check)
        self.values: dict[str, np.ndarray] = {}

    def mark(self, module: ModuleOp) -> None:
        """Marks the loss and what is trained; constants that are trained become arguments.

        Raises:
            LastuseError: the model has no such loss, argument or constant.
        """
        func = main_function(module)
        if self._loss is not None:
            _mark_loss(func, self._loss)
        if self._trainable is not None:
            self.values.update(make_trainable(func, self._trainable))

    def bind(self, pipeline: Pipeline, module: ModuleOp) -> None:
        """Gives the module the sizes of the examples: along which axes operands are broadcast is known then.

        Raises:
            LastuseError: they do not fit.
        """
        signature = signature_of(main_function(module))
        if self._examples is not None and signature.symbols:
            data = {name: spec for name, spec in signature.inputs.items() if name not in self.values}
            pipeline.specialize(module, ProgramSignature(data, signature.symbols).example_sizes(self._examples))

    def differentiate(self, pipeline: Pipeline, module: ModuleOp) -> None:
        """Adds the backward part and the updates. The states of the optimizer start from zeros.

        Raises:
            LastuseError: an op between what is trained and the loss has no gradient.
        """
        before = set(signature_of(main_function(module)).inputs)
        pipeline.apply(self._backward_pass, module)
        verifier.verify(module)
        for name, spec in signature_of(main_function(module)).inputs.items():
            if name not in before and name != RATE:
                self.values[name] = np.zeros([d for d in spec.shape if isinstance(d, int)], spec.dtype)


def _backward_pass(optimizer: Optimizer | None) -> BackwardPass:
    if optimizer is None:
        return BackwardPass()
    try:
        return BackwardPass(optimizer) if isinstance(optimizer, str) else BackwardPass(**optimizer)
    except TypeError as error:
        raise LastuseError(f"optimizer: {str(error).removeprefix('BackwardPass.__init__() ')}") from error


def _mark_loss(func: FuncOp, name: str) -> None:
    if name not in result_names(func):
        add_output(func, name)
    number = result_names(func).index(name)
    rows = [attrs.result_attributes(func, index) for index in range(len(func.function_type.outputs.data))]
    for row in rows:
        row.pop(attrs.LOSS, None)
    rows[number][attrs.LOSS] = UnitAttr()
    func.res_attrs = ArrayAttr([DictionaryAttr(row) for row in rows])
