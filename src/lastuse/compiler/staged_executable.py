"""A program some of whose sizes are counted in the run: its stages, each compiled for the sizes that it gets.

The stages of a module (`passes/transforms/run_time_stages.py`) are programs of their own. The first one is compiled
with the whole; a later one for each number of rows that comes, as any program is for sizes of inputs: what was decided
for some serves others, and the most recent ones are kept. All run in the same arenas, one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute

from lastuse.compiler.compiled import Compiled
from lastuse.compiler.program_memory import ProgramMemory, nbytes, weights_of
from lastuse.compiler.program_signature import TensorSpec
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import dtype_name, numpy_dtype
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.passes.transforms.run_time_stages import Rows, StagedModule
from lastuse.runtime.arrays import Arrays, LeadingRows, as_array, check_names
from lastuse.runtime.build import Argument
from lastuse.runtime.program import Context, Executable, HeldMemory, StepTime

COUNTED = "sizes of the program are counted in each run"


class RunTimeSizesError(LastuseError):
    """Sizes of a module are counted in the run, so that it has no plan as a whole; `module` is it, undecided."""

    def __init__(self, module: ModuleOp) -> None:
        super().__init__(f"{COUNTED}: there is no plan before it runs", main_function(module))
        self.module = module


class StageProgram(Protocol):
    """A stage: a program for the sizes that it gets (`lastuse.Program`)."""

    @property
    def inputs(self) -> Mapping[str, TensorSpec]: ...

    @property
    def latest(self) -> Compiled: ...

    def run(self, inputs: Arrays, out: Arrays | None = None) -> dict[str, np.ndarray]: ...


class StagedExecutable(Executable):
    """Runs the stages of a module, in order. Threads may call `run` at the same time."""

    def __init__(self, module: ModuleOp, stages: StagedModule, programs: Sequence[StageProgram]) -> None:
        """
        Args:
            module: the whole, whose unknown sizes are those that are counted.
            stages: its stages.
            programs: one for each of these.
        """
        func = main_function(module)
        self._module, self._stages, self._programs = module, stages, programs
        outputs = zip(stages.results, func.function_type.outputs.data, strict=True)
        self._arguments = (
            *(_argument(argument.type, argument_name(argument), None) for argument in func.args),
            *(_argument(type_, None, name) for name, type_ in outputs),
        )

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Inputs and results; a size that is counted is below 0."""
        return self._arguments

    @property
    def inputs(self) -> dict[str, Argument]:
        return {a.input: a for a in self._arguments if a.input is not None}

    @property
    def results(self) -> dict[str, Argument]:
        return {a.result: a for a in self._arguments if a.result is not None}

    @property
    def threads(self) -> int:
        return self._ran[0].runner.threads

    @property
    def steps(self) -> list[str]:
        return [step for compiled in self._ran for step in compiled.runner.steps]

    @property
    def _ran(self) -> list[Compiled]:
        """The programs of the stages for the sizes that ran last; of a stage that did not run yet there is none."""
        ran: list[Compiled] = []
        for program in self._programs:
            try:
                ran.append(program.latest)
            except LastuseError:
                break
        return ran

    @property
    def memory(self) -> HeldMemory:
        parts = [compiled.runner.memory for compiled in self._ran]
        return HeldMemory(
            max(part.arena for part in parts),
            max(part.scratch for part in parts),
            weights_of(self._module),
            max(part.packed for part in parts),
            sum(part.results for part in parts),
        )

    @property
    def arena_bytes(self) -> int:
        return self.memory.arena

    @property
    def held_bytes(self) -> int:
        return sum(compiled.held_bytes for compiled in self._ran)

    @property
    def engines(self) -> Mapping[str, int]:
        """How many steps each engine runs, of the stages that have run."""
        counted: Counter[str] = Counter()
        for compiled in self._ran:
            counted.update(compiled.engines)
        return dict(sorted(counted.items()))

    def planned(self) -> tuple[ModuleOp, ProgramMemory]:
        """The plan of the first stage; and the memory of all that have run: the largest arena, and all results, those
        between the stages too."""
        parts = [compiled.memory for compiled in self._ran]
        largest = max(parts, key=lambda part: part.arena_bytes)
        return parts[0].module, ProgramMemory(
            largest.arena_bytes,
            max(part.scratch_bytes for part in parts),
            sum(part.naive_bytes for part in parts),
            max(part.live_peak_bytes for part in parts),
            sum(part.inplace_ops for part in parts),
            sum(nbytes(type_) for type_ in main_function(self._module).function_type.inputs.data),
            sum(part.result_bytes for part in parts),
            weights_of(self._module),
            max(part.packed_bytes for part in parts),
            largest.module,
        )

    def run(self, inputs: Arrays, out: Arrays | None = None, part: LeadingRows | None = None) -> dict[str, np.ndarray]:
        if part is not None:
            raise LastuseError(f"{COUNTED}: it does not run on parts of larger inputs (round_sizes)")
        given = {} if out is None else {name: as_array(array, name) for name, array in out.items()}
        check_names(self._arguments, inputs, given)
        values = {name: as_array(inputs[name], name) for name in self.inputs}
        _check_apart(values, given)
        made = {source: given[name] for name, source in self._stages.results.items() if name in given}
        own: set[str] = set()
        for stage, program in zip(self._stages.stages, self._programs, strict=True):
            values.update({rows.name: _counted(rows, values) for rows in stage.rows})
            results = {name: made[name] for name in stage.results if name in made}
            read = {name: values[name] for name in program.inputs}
            values.update(program.run(read, results or None))
            own.update(name for name in stage.results if name not in made)
        found: dict[str, np.ndarray] = {}
        for name, source in self._stages.results.items():
            array = values[source]
            if name in given:
                _put(array, given[name], name)
                array = given[name]
            elif source in own:
                own.remove(source)  # another result of the same value is a copy
            else:
                array = array.copy()
            found[name] = array
        return found

    def context(self, arena: np.ndarray | None = None) -> Context:
        raise LastuseError(f"{COUNTED}: it has no memory of its own for one run at a time")

    def profile(self) -> list[StepTime]:
        return [step for compiled in self._ran for step in compiled.runner.profile()]


def _counted(rows: Rows, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """The rows that are counted. The op that counts has said how many there are: no more than it has room for."""
    x, count = values[rows.x], int(values[rows.length])
    if not 0 <= count <= len(x):
        raise LastuseError(f"there are {len(x)} rows of {rows.x}, not {count}")
    return x[:count]


def _check_apart(inputs: Arrays, given: Arrays) -> None:
    """Raises LastuseError where memory for a result overlaps an input or other such memory: a later stage may read it
    after it is written."""
    arrays = [*given.items(), *inputs.items()]
    for n, (name, array) in enumerate(arrays[: len(given)]):
        for other, against in arrays[n + 1 :]:
            if np.may_share_memory(array, against):
                raise LastuseError(f"'{name}' and '{other}' overlap, and one of them is written")


def _put(array: np.ndarray, into: np.ndarray, name: str) -> None:
    """Copies a result into memory of the caller, if it is not there; raises LastuseError where that is another array
    than it wants."""
    if array is into:
        return
    if into.shape != array.shape or into.dtype != array.dtype:
        raise LastuseError(f"'{name}' is {into.dtype} {into.shape}, the result {array.dtype} {array.shape}")
    if not into.flags.writeable:
        raise LastuseError(f"'{name}' is written to, but its array is read-only")
    np.copyto(into, array)


def _argument(type_: Attribute, name: str | None, result: str | None) -> Argument:
    is_tensor = isinstance(type_, TensorType)
    element = type_.element_type if is_tensor else type_  # pyright: ignore[reportUnknownMemberType]
    shape = tuple(type_.get_shape()) if is_tensor else ()  # pyright: ignore[reportUnknownMemberType]
    return Argument(name, result, shape, numpy_dtype(dtype_name(element)), not is_tensor)
