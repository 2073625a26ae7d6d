"""A compiled model: a program for each set of sizes, made when it is first asked for; the most recent ones are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.bucketing import Rounding, rounding_of
from lastuse.compiler.caller_arena import arena_array
from lastuse.compiler.compiled import Compiled
from lastuse.compiler.finite_search import LossCheck, Run
from lastuse.compiler.model_source import ModelSource, Values, source_of
from lastuse.compiler.pipeline import Options, Pipeline
from lastuse.compiler.program_context import ProgramContext, Selection, by_name, single
from lastuse.compiler.program_memory import BYTES, START, ProgramMemory, largest_size, memory_of, sizes_from
from lastuse.compiler.program_signature import Example, TensorSpec, outputs_of
from lastuse.compiler.progress import show_progress
from lastuse.compiler.recent import Recent, choices_of, key_of
from lastuse.compiler.saved_program import save_program
from lastuse.compiler.size_compiler import SizeCompiler
from lastuse.dialect.ir.collection import paused_collection
from lastuse.dialect.ir.diagnostics import LastuseError, NeedsValuesError, Remark
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.locks import ForkLock
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory.limit import limit_of
from lastuse.runtime.arrays import Arrays
from lastuse.runtime.program import StepTime

Result = TypeVar("Result")
KEPT_SIZES = 64
"""How many sets of sizes a program keeps compiled unless told otherwise."""


class Program:
    """A compiled model. Threads may run it at the same time.

    Attributes:
        weights: packed weights and GRU primitives, which all sizes share.
        stages: what reading the model and compiling it for all sizes so far took.
    """

    def __init__(
        self, source: ModelSource, pipeline: Pipeline, kept: int = KEPT_SIZES, arena: object | None = None
    ) -> None:
        """`arena`: memory of the caller for all runs, of which one goes on at a time."""
        self._arena = None if arena is None else arena_array(arena)
        if self._arena is not None:
            limit = min(self._arena.nbytes, pipeline.options.limit or self._arena.nbytes)
            pipeline = replace(pipeline, options=replace(pipeline.options, limit=limit))
        self._kept, self._ctx, self._options, self.stages = kept, pipeline.ctx, pipeline.options, pipeline.stages
        self._shows_progress = pipeline.progress
        self._source, self._sizes = source, SizeCompiler(source, pipeline, self._arena, partial(Program, kept=kept))
        self._signature, self.weights = source.signature, self._sizes.weights
        self._symbols = self._signature.symbols
        self._run_lock = nullcontext() if arena is None else ForkLock()
        self._compiled = Recent[Compiled](kept, pipeline.options.kept_bytes)
        # What was planned for `memory_for` is what a run takes: planned again, it may have become another plan.
        self._planned = Recent[ModuleOp](max(1, kept))
        self._lock = ForkLock()
        self._last: Compiled | None = None
        self._said: tuple[Compiled, tuple[Remark, ...]] | None = None
        if not self._symbols and not source.bound_inputs and not self._sizes.stored:
            try:
                self._last = self.specialized({})
            except NeedsValuesError as error:
                source.add_bound(error)

    @cached_property
    def _rounding(self) -> Rounding | None:
        return rounding_of(self._source.func) if self._options.round_sizes else None

    @property
    def inputs(self) -> Mapping[str, TensorSpec]:
        """Names, shapes and dtypes of the inputs, by name, in order; `str` of one is its type, in which an unknown size
        is `?`."""
        return self._signature.inputs

    @property
    def outputs(self) -> Mapping[str, TensorSpec]:
        """The same of the results.

        Raises:
            LastuseError: the sizes of an op's operands do not fit it; or the model can only be read for known sizes or
                values, and nothing ran yet.
        """
        specs = self._source.output_specs
        return outputs_of(main_function(self.latest.module)) if specs is None else specs

    @property
    def bound_inputs(self) -> tuple[str, ...]:
        """Names of the inputs whose elements decide shapes or branches. Each set of their values has a program of its
        own, which is kept as those of sizes are."""
        return self._source.bound_inputs

    @property
    def unknown_sizes(self) -> tuple[str, ...]:
        """Names of the sizes that the inputs bind."""
        return tuple(self._symbols)

    @property
    def memory(self) -> ProgramMemory:
        """Memory of the sizes that ran last.

        Raises:
            LastuseError: there are unknown sizes and nothing ran yet; ask `specialized(...)`.
        """
        return self.latest.memory

    def memory_for(
        self,
        sizes: Mapping[str, int] | None = None,
        *,
        values: Arrays | None = None,
        **shapes: int | Sequence[int],
    ) -> ProgramMemory:
        """The memory of a run with these sizes, which is planned and not allocated: no arena, no prepared program, no
        packed weights. Of GRUs that oneDNN computes, one direction of each size is packed once, measured and freed.

        Args:
            sizes: a number for every unknown size, by name.
            values: arrays for the `bound_inputs`, by name.
            shapes: sizes by keyword; or by the name of an input its shape, `memory_for(rows=(8, 4))`.

        Returns:
            what `memory` is after such a run, if it is the next one. With `round_sizes` that is the memory of the
            larger sizes that it runs with.

        Raises:
            LastuseError: a name is unknown, a size is missing or does not fit the model, or a limit is exceeded.
        """
        return self._memory_for(sizes_from(self.inputs, self._symbols, sizes or {}, shapes), values)

    def _memory_for(
        self, sizes: Mapping[str, int], values: Arrays | None = None, with_packed: bool = True
    ) -> ProgramMemory:
        """The memory of these sizes; unless `with_packed`, packed weights are 0 where they are not known yet."""
        return self._with_values(
            values or {}, lambda bound: self._planned_memory(self._rounded(sizes), bound, with_packed)
        )

    def _with_values(self, inputs: Arrays, use: Callable[[Values], Result]) -> Result:
        """What `use` makes of the elements of the bound inputs; it is asked again where more inputs turn out to be
        such."""
        while True:
            try:
                return use(self._source.values_of(inputs))
            except NeedsValuesError as error:
                self._source.add_bound(error)

    def _planned_memory(self, sizes: Mapping[str, int], values: Values, with_packed: bool) -> ProgramMemory:
        key = key_of(self._symbols, sizes, values)
        with self._lock:
            compiled = self._compiled.get(key)
            if compiled is not None:
                return compiled.memory
            module = self._planned.get(key)
            if module is None:
                module = self._planned.put(key, self._sizes.planned(sizes, values))
            packed = self._sizes.packed_bytes(module) if with_packed else 0
        return memory_of(module, self._sizes.figures(module), packed)

    def largest(
        self,
        name: str,
        /,
        limit: int | str,
        sizes: Mapping[str, int] | None = None,
        *,
        of: str = "arena_bytes",
        **shapes: int | Sequence[int],
    ) -> int:
        """The largest size with which the memory fits into a limit: `largest("rows", limit="1MiB")`.

        It has been planned, and fits; the next 16 sizes have been planned too, and do not. Beyond them a plan may be
        smaller again: plans need not grow with sizes.

        Args:
            name: of an unknown size.
            limit: bytes (`65536`, `64KiB`, `1MiB`).
            sizes: the other unknown sizes, by name.
            of: which bytes: an attribute of `ProgramMemory`, such as `total_bytes`.
            shapes: as of `memory_for`.

        Raises:
            LastuseError: no size fits, all do, there is no such size or limit, or another size is missing.
        """
        most = limit_of(limit)
        if name not in self._symbols:
            raise LastuseError(f"no unknown size is called '{name}'; there are {', '.join(self._symbols) or 'none'}")
        if of not in BYTES:
            raise LastuseError(f"no bytes are called '{of}'; there are {', '.join(BYTES)}")
        others = {n: s for n, s in self._symbols.items() if n != name}
        bound = sizes_from(self.inputs, others, sizes or {}, shapes)
        with_packed = of in ("packed_bytes", "total_bytes")
        return largest_size(
            name, most, START, lambda size: getattr(self._memory_for({**bound, name: size}, None, with_packed), of)
        )

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What passes decided, refused and had to copy, and why: once for the model, then for the sizes that ran last.

        A program that was compiled with `ctx` has collected them, for all its sizes; else they are worked out when they
        are asked for, by deciding anew for those sizes.

        Raises:
            LastuseError: there are unknown sizes and nothing ran yet.
        """
        compiled = None if self._ctx.wants_remarks else self.latest
        if compiled is None or (self._sizes.stored and self._source.module is None):
            return tuple(self._ctx.remarks)
        if self._said is None or self._said[0] is not compiled:
            ctx = self._ctx.clone()
            ctx.wants_remarks, ctx.remarks = True, list(self._ctx.remarks)
            module = self._sizes.decided(compiled.sizes, compiled.values, self._options.limit, ctx)
            LowerToOnednnPass(verify=False).apply(ctx, module)
            self._said = compiled, tuple(ctx.remarks)
        return self._said[1]

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}: {type_}" for name, type_ in self.inputs.items())
        kept = f", compiled for {len(self._compiled)} sets of sizes" if self._symbols else ""
        memory = f", {self._last.memory!r}" if self._last is not None else ""
        return f"<program of {inputs or 'no input'}{kept}{memory}>"

    def _repr_svg_(self) -> str | None:
        """The memory map of the sizes that ran last, as a notebook shows it; None where nothing ran."""
        return self._last.memory._repr_svg_() if self._last is not None else None  # pyright: ignore

    @property
    def latest(self) -> Compiled:
        """The program for the sizes that ran last; raises LastuseError as `memory` does."""
        if self._last is None and not self._symbols and not self.bound_inputs:
            self._last = self.specialized({})
        if self._last is None:
            why = f"sizes are not known yet ({', '.join((*self._symbols, *self.bound_inputs))})"
            raise LastuseError(f"{why}: run the program, or ask specialized({{name: size}})")
        return self._last

    def specialized(self, sizes: Mapping[str, int], values: Values | None = None) -> Compiled:
        """The program for these sizes, compiled now if it is not kept.

        Args:
            sizes: a number for every unknown size, by name.
            values: an array for each of `bound_inputs`, by name.

        Raises:
            LastuseError: a size is missing, or does not fit the model.
        """
        missing = [name for name in self._symbols if name not in sizes]
        if missing:
            raise LastuseError(f"sizes are missing: {', '.join(missing)}")
        bound = values or {}
        key = key_of(self._symbols, sizes, bound)
        with self._lock:
            compiled = self._compiled.get(key)
            if compiled is None:
                task = ", ".join(["compiling", *(f"{name} = {size}" for name, size in sizes.items())])
                with show_progress(self.stages, task, self._shows_progress), paused_collection():
                    compiled = self._sizes.compile(sizes, bound, self._planned.pop(key))
                self._compiled.put(key, compiled)
            return compiled

    def warm(self, sizes: Mapping[str, int | Iterable[int]]) -> None:
        """Compiles the program beforehand for sizes by name: `warm({"rows": (8, 16)})`. Where several names have more
        than one size, for each choice of them.

        Raises:
            LastuseError: as `specialized` does, or there are more choices than `kept_sizes`: nothing is compiled then.
        """
        for chosen in choices_of(sizes, self._kept):
            self.specialized(self._rounded(sizes_from(self.inputs, self._symbols, chosen, {})))

    def run(self, inputs: Arrays, out: Arrays | None = None) -> dict[str, np.ndarray]:
        """Run once.

        Args:
            inputs: an array per input, by name, of the shapes and dtypes of `inputs`.
            out: arrays to write results to, by name; others are allocated.

        Returns:
            Every result by name, in the order of the function's results.

        Raises:
            LastuseError: arrays are missing, unknown or do not fit.
        """
        return self.checked(self._run, inputs, out)

    def checked(self, run: Run, inputs: Arrays, out: Arrays | None) -> dict[str, np.ndarray]:
        """What `run` makes of the inputs. Where it ends because a number is not finite, the inputs are as before."""
        return self.loss_check.run(run, inputs, out)

    def _run(self, inputs: Arrays, out: Arrays | None) -> dict[str, np.ndarray]:
        """As `run`, without `checked`."""
        with self._run_lock:
            compiled, part = self.select(inputs)
            results = compiled.runner.run(inputs, out, part)
        return {name: results[name] for name in compiled.results}

    @cached_property
    def loss_check(self) -> LossCheck:
        """What is done where a run ends because the loss is not finite."""

        def undecided(inputs: Arrays) -> ModuleOp | None:
            if self._sizes.stored and self._source.module is None:
                return None
            return self._sizes.undecided(self.sizes_of(inputs), self._source.values_of(inputs))

        def run(module: ModuleOp, inputs: Arrays) -> Mapping[str, np.ndarray]:
            options = Options(inplace=False, plan=False, schedule=False, threads=self._options.threads)
            return Program(source_of(module), Pipeline(self._ctx.clone(), options)).run(inputs)

        return LossCheck(self._source.unprotected_inputs, undecided, run)

    def __call__(self, *arrays: np.ndarray) -> np.ndarray | tuple[np.ndarray, ...]:
        """Run on arrays in the order of the inputs; the result, or a tuple of them in order."""
        return single(self.run(by_name(tuple(self.inputs), arrays)))

    def context(self, arena: object | None = None) -> ProgramContext:
        """Memory for one run at a time, of inputs of any sizes.

        Args:
            arena: an array or another buffer (`bytearray`, `mmap`), used from its first 64-byte boundary on as long as
                the context lives. None: memory of its own.

        Raises:
            LastuseError: the arena is no writable, contiguous buffer.
        """
        return ProgramContext(tuple(self.inputs), self.select, self.checked, arena, self._kept)

    def profile(self) -> list[StepTime]:
        """What each step of the program for the sizes that ran last took in all its runs so far, in order.

        Raises:
            LastuseError: the program was compiled without `profile=True`, or nothing ran yet.
        """
        if not self._options.profile:
            raise LastuseError("the program does not measure its steps: compile it with profile=True")
        return self.latest.runner.profile()

    def compile_for(self, examples: Example | Sequence[Example] | Mapping[str, Example]) -> Compiled:
        """The program for inputs of these sizes, compiled now if it is not kept.

        Args:
            examples: arrays or shapes, by name or in the order of the inputs; of a single input also it alone. Inputs
                whose sizes are all known may be left out of those by name. Those in `bound_inputs` are arrays.

        Raises:
            LastuseError: an input is unknown, a size is missing or does not fit.
        """
        sizes = self._rounded(self._signature.example_sizes(examples))
        arrays = self._signature.example_arrays(examples)
        compiled = self._last = self._with_values(arrays, lambda values: self.specialized(sizes, values))
        return compiled

    def save(self, path: str | Path) -> None:
        """Writes the program, for all sizes it is compiled for, with weights and packed weights, for `lastuse.load`.

        Raises:
            LastuseError: the file cannot be written.
        """
        with self._lock:
            programs = self._compiled.values()
            for each in self._sizes.stored:
                if key_of(self._symbols, each.sizes, each.values) not in self._compiled:
                    programs.append(self._sizes.restore(each))
        save_program(
            path,
            self._ctx,
            self._source,
            programs,
            options=self._options,
            kept=self._kept,
            outputs=self.outputs,
            weights=self.weights,
        )

    def sizes_of(self, inputs: Arrays) -> dict[str, int]:
        """The unknown sizes that these inputs bind, by name; raises LastuseError where one is missing."""
        return self._signature.sizes_of(inputs)

    def _rounded(self, sizes: Mapping[str, int]) -> Mapping[str, int]:
        """The sizes that a batch of these sizes runs with."""
        return sizes if self._rounding is None else self._rounding.sizes_for(sizes)

    def select(self, inputs: Arrays) -> Selection:
        """What runs for these inputs, compiled now if it is not kept. Raises LastuseError as `run` does."""
        sizes = self.sizes_of(inputs)
        batch = None if self._rounding is None else self._rounding.batch_of(inputs, sizes)
        used = sizes if batch is None else batch.larger_sizes
        compiled = self._last = self._with_values(inputs, lambda values: self.specialized(used, values))
        return Selection(compiled, None if batch is None else batch.leading_rows(compiled.runner.arguments))
