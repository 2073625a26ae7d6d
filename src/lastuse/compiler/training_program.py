"""A step of training as a program, which holds the parameters and the states of the optimizer, and updates them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np

from lastuse.compiler.finite_search import Run
from lastuse.compiler.model_source import ModelSource
from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.program import Program
from lastuse.compiler.program_context import Selection
from lastuse.compiler.program_signature import ProgramSignature
from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError, Location
from lastuse.dialect.ir.files import write_whole
from lastuse.dialect.ir.locks import ForkLock
from lastuse.passes.differentiation.updates import STEP
from lastuse.runtime.arrays import Arrays

Optimizer = str | Mapping[str, Any]
"""The name of an optimizer, or options of `--backward-pass` by name."""


class TrainingProgram(Program):
    """A compiled step of training. Each run updates `parameters`, in place; runs of several threads take turns."""

    def __init__(
        self,
        source: ModelSource,
        pipeline: Pipeline,
        kept: int,
        arena: object | None,
        parameters: Mapping[str, np.ndarray],
    ) -> None:
        """
        Args:
            source, pipeline, kept, arena: as of `Program`.
            parameters: the first values of parameters and states, by name. Parameters that are not among them are
                inputs of each run, which updates the caller's arrays.
        """
        super().__init__(source, pipeline, kept, arena)
        self._parameters, self._step_lock, self._count = dict(parameters), ForkLock(), 0
        data = {name: spec for name, spec in self._signature.inputs.items() if name not in parameters}
        self._signature = ProgramSignature(data, self._signature.symbols)

    @property
    def parameters(self) -> Mapping[str, np.ndarray]:
        """The parameters and the states of the optimizer, by name: the arrays that each run updates."""
        return self._parameters

    def run(self, inputs: Arrays, out: Arrays | None = None) -> dict[str, np.ndarray]:
        """Run a step.

        Args:
            inputs: an array per input, by name. A parameter may be among them: the caller's array is updated then.
            out: as of `Program.run`.

        Returns:
            Every result by name but for the parameters and states that the program holds.

        Raises:
            NotFiniteError: the loss is not finite, and the program was compiled with `check`: nothing is updated, and
                the first op that made a number that is not finite is named.
            LastuseError: arrays are missing, unknown or do not fit.
        """
        return super().run(inputs, out)

    def checked(self, run: Run, inputs: Arrays, out: Arrays | None) -> dict[str, np.ndarray]:
        """What `run` makes of the inputs and `parameters`, without the parameters. Steps of other threads wait."""
        with self._step_lock:
            given = {**self._parameters, **inputs}
            before = given.get(STEP)
            number = self._count + 1 if before is None else int(before) + 1
            results = self.loss_check.run(run, given, out, number)
            self._count += 1
        return {name: array for name, array in results.items() if name not in self._parameters}

    def select(self, inputs: Arrays) -> Selection:
        return super().select({**self._parameters, **inputs})

    def set_parameters(self, values: Arrays) -> None:
        """Copies values into `parameters`; those that are not named stay. Raises ArrayError, before anything is
        copied, where one is unknown or has another shape or dtype."""
        for name, value in values.items():
            mine = self._parameters.get(name)
            if mine is None:
                raise ArrayError(f"no parameter is called '{name}'; there are {', '.join(self._parameters) or 'none'}")
            if np.shape(value) != mine.shape or np.asarray(value).dtype != mine.dtype:
                other = np.asarray(value)
                raise ArrayError(f"parameter {name} is {mine.dtype}{mine.shape}, not {other.dtype}{other.shape}")
        with self._step_lock:
            for name, value in values.items():
                np.copyto(self._parameters[name], value)

    def save_parameters(self, path: str | Path) -> None:
        """Writes `parameters` to a file in numpy's format `npz`, for `load_parameters`.

        Raises:
            LastuseError: the file cannot be written.
        """

        def write(file: IO[bytes]) -> None:
            with self._step_lock:
                np.savez(file, **self._parameters)  # pyright: ignore[reportArgumentType]

        write_whole(path, write)

    def load_parameters(self, path: str | Path) -> None:
        """Reads all of `parameters` from a file that `save_parameters` wrote. Training goes on as it would have.

        Raises:
            LastuseError: the file cannot be read, or has other parameters.
        """
        try:
            with np.load(path, allow_pickle=False) as arrays:
                values = {name: arrays[name] for name in arrays.files}
        except (OSError, ValueError, EOFError, KeyError) as error:
            raise LastuseError(f"is no file of parameters: {error}", Location(str(path))) from error
        missing = [name for name in self._parameters if name not in values]
        if missing:
            raise LastuseError(f"has no parameter {', '.join(missing)}", Location(str(path)))
        try:
            self.set_parameters(values)
        except ArrayError as error:
            raise LastuseError(error.message, Location(str(path))) from error

    def save(self, path: str | Path) -> NoReturn:
        """A step is not saved: `save_parameters` saves what it learned. Raises LastuseError."""
        raise LastuseError("a step of training is not saved: save_parameters writes what it has learned")
