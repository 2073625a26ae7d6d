"""Programs for further sizes without passes: the steps of compiled sizes are a template, whose numbers are formulas.

What is compiled for other sizes by the same decisions has the same steps; only numbers in them differ. A template
learns from programs that went through all passes and checks. For sizes that its formulas cover (`size_formulas.py`)
shapes are inferred, numbers follow, primitives are prepared, and buffers get places by the planner. Of the program as
it runs it is then proved that every step reads what it reads in the programs learnt from (`step_flow.py`). Sizes that
are not covered, or of which that cannot be proved, go through all passes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.module_utils import clone
from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.size_formulas import Filling, Formulas, Inferred, divisors_of, flattened, inferred
from lastuse.compiler.size_probes import probes
from lastuse.compiler.step_flow import Flow, FlowError, TooFineError, flow_of
from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.dialect.storage.layout import aligned
from lastuse.dialect.storage.repeated_inference import RepeatedInference
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory.allocation_problem import AllocationProblem, allocation_problem
from lastuse.passes.memory_plan import put_plan
from lastuse.passes.planning import planner
from lastuse.runtime import _core
from lastuse.runtime.build import Built
from lastuse.runtime.step_list import NotRecordedError, StepList, assembled, prepared, recorded, spread
from lastuse.runtime.weights import PackedWeights

LEAST = 4
"""Sizes that are compiled before others are derived from them."""
PATIENCE = 8
"""Sizes after which a template is given up that has no formula for some number."""
MOST = 64
"""Sizes that are learnt from."""
MOST_PROBES = 8
"""Of these, sizes that are compiled for what they cover alone."""
SMALL_ARRAY = 4096
"""Bytes of constants that are compared by their elements; larger ones are the same array."""

Place = Callable[[Sequence[Hashable], Sequence[planner.Buffer]], planner.Plan]
"""A plan of buffers, which have names."""


class BufferPart(NamedTuple):
    """A buffer of the arena: bytes, those of scratch being 0 as the primitives tell them; and when it is in use."""

    nbytes: int
    is_scratch: bool
    times: tuple[tuple[int, int], ...]


class Parts(NamedTuple):
    """All of a program that follows from its sizes: steps, and the buffers that they use."""

    listed: StepList
    buffers: tuple[BufferPart, ...]


class Derived(NamedTuple):
    """A program that was derived, what it is made from, and its plan."""

    parts: Parts
    built: Built
    plan: planner.Plan
    engines: Mapping[str, int]


class SizeTemplate:
    """What is known of the programs of one module for sizes that have the same decisions."""

    def __init__(self, pipeline: Pipeline, module: ModuleOp, weights: PackedWeights) -> None:
        """`module`: before sizes are known."""
        self._pipeline, self._weights = pipeline, weights
        func = main_function(module)
        self._inference, self._formulas = RepeatedInference(func), Formulas(divisors_of(func))
        self._parts: Parts | None = None
        self._filling: Filling | None = None
        self._arrays: list[np.ndarray] = []
        self._names: list[Hashable] = []
        self._flow: Flow | None = None
        self._places: Mapping[str, Location] = {}
        self._engines: Mapping[str, int] = {}
        self._first: _core.StepProgram | None = None  # derived from these parts
        self._learns, self._tries, self._probes = len(functions_of(module)) == 1, 0, 0
        self._learnt: list[Mapping[str, int]] = []
        self._probed: Mapping[str, int] | None = None

    def learn(
        self,
        sizes: Mapping[str, int],
        module: ModuleOp,
        names_of: Callable[[AllocationProblem], list[Hashable]],
        engines: Mapping[str, int],
        core: _core.StepProgram,
    ) -> None:
        """Learns from sizes that were compiled, whose program the checkers proved.

        Args:
            module: planned for them.
            names_of: the names of buffers.
            engines: how many steps each engine runs.
            core: the program.
        """
        if not self._learns:
            return
        with self._pipeline.stages.stage("template"):
            known = len(self._formulas)
            try:
                self._add(sizes, module, names_of, engines, flow_of(core))
            except (NotRecordedError, FlowError) as error:
                self._learns = isinstance(error, TooFineError)  # smaller sizes may be learnt from
            self._tries += 1
            count = len(self._formulas)
            if count == known and sizes == self._probed:
                self._probes = MOST_PROBES  # others would not be learnt from, either
            incomplete = count < LEAST or not self._formulas.is_complete
            if count >= MOST or (incomplete and self._tries >= PATIENCE):
                self._learns = False

    def _add(
        self,
        sizes: Mapping[str, int],
        module: ModuleOp,
        names_of: Callable[[AllocationProblem], list[Hashable]],
        engines: Mapping[str, int],
        flow: Flow,
    ) -> None:
        of_sizes = inferred(self._inference, sizes)
        if of_sizes is None:
            raise NotRecordedError
        problem, parts, places = parts_of(self._pipeline, module, self._weights)
        names = names_of(problem)
        numbers, rest, arrays = flattened(parts)
        known = (self._names, self._flow)
        if self._parts is not None and not ((names, flow) == known and are_same(arrays, self._arrays)):
            return
        if self._formulas.add(of_sizes, numbers, tuple(rest)):
            self._parts, self._arrays, self._names, self._flow = parts, arrays, names, flow
            self._filling = self._first = None
            self._places, self._engines = places, engines
            self._learnt.append(sizes)

    def probe(self, sizes: Mapping[str, int]) -> Mapping[str, int] | None:
        """Other sizes which cover these that are not covered, if they are learnt from, and more than these would; None
        where there are none."""
        if not self._learns or len(self._formulas) < LEAST or self._probes >= MOST_PROBES:
            return None
        self._probes += 1
        with self._pipeline.stages.stage("template"):
            wanted = self._inferred(sizes)
            own = None if wanted is None else self._formulas.gain(wanted, wanted)
            if wanted is None or own is None:
                return None
            best, chosen = None if self._formulas.is_outside(wanted) else own, None
            for other in probes(self._learnt, sizes):
                more = self._inferred(other)
                gain = None if more is None else self._formulas.gain(wanted, more)
                if gain is not None and (best is None or gain > best):
                    best, chosen = gain, other
        self._probed = chosen
        return chosen

    def _inferred(self, sizes: Mapping[str, int]) -> Inferred | None:
        try:
            return inferred(self._inference, sizes)
        except LastuseError:
            return None

    def derive(self, sizes: Mapping[str, int], place: Place) -> Derived | None:
        """The program for other sizes; None where they are not covered."""
        if self._parts is None or len(self._formulas) < LEAST:
            return None
        stages, threads = self._pipeline.stages, self._pipeline.options.threads
        parts = self._parts_for(sizes)
        if parts is None:
            return None
        listed, buffers = parts
        used = threads or _core.get_threads()
        try:
            with stages.stage("primitives"):
                ready = prepared(listed, used, self._weights)
            if ready is None:
                return None
            with stages.stage("planning"):
                nbytes = [ready.scratch.get(n, 0) if b.is_scratch else b.nbytes for n, b in enumerate(buffers)]
                demand = [
                    planner.buffer_of([planner.LiveRange(*times, aligned(n)) for times in buffer.times])
                    for n, buffer in zip(nbytes, buffers, strict=True)
                ]
                plan = place(self._names, demand)
            limit = self._pipeline.options.limit
            if limit is not None and plan.peak > limit:
                return None
            with stages.stage("steps"):
                built = assembled(ready, plan.offsets, plan.peak, used, self._places)
            with stages.stage("check"):
                if flow_of(built.core) != self._flow:
                    return None
            if self._first is None:
                self._first = built.core
            else:
                built.core.share(self._first)
            return Derived(parts, built, plan, self._engines)
        except (_core.Error, LastuseError, FlowError):
            return None  # what is wrong is said where all passes run

    def _parts_for(self, sizes: Mapping[str, int]) -> Parts | None:
        """The parts for other sizes; None where they are not covered."""
        with self._pipeline.stages.stage("shape inference"):
            of_sizes = self._inferred(sizes)
            numbers = None if of_sizes is None else self._formulas.numbers(of_sizes)
            if numbers is None:
                return None
            if self._filling is None:
                self._filling = Filling(self._parts, self._formulas.varying)
            return self._filling.filled(numbers)


def parts_of(
    pipeline: Pipeline, module: ModuleOp, weights: PackedWeights
) -> tuple[AllocationProblem, Parts, Mapping[str, Location]]:
    """The parts of a program that a planned module is compiled to, its buffers, and the places of its steps.

    Raises:
        NotRecordedError: it has steps that a list does not hold, or temporaries.
    """
    module = clone(module)
    func = main_function(module)
    problem = allocation_problem(func)
    if problem is None or None in problem.owners:
        raise NotRecordedError
    buffers = _buffers_of(problem)
    offsets = spread(len(buffers) + 1)
    put_plan(func, problem, planner.Plan(tuple(offsets[:-1]), offsets[-1], 0, planner.Proof.NONE, 0.0))
    ctx = pipeline.ctx.clone()
    ctx.wants_remarks = False
    LowerToOnednnPass(verify=False).apply(ctx, module)
    listed, places = recorded(module, func.sym_name.data, pipeline.options.threads, weights)
    return problem, Parts(listed, buffers), places


def _buffers_of(problem: AllocationProblem) -> tuple[BufferPart, ...]:
    frame = problem.model.frame
    parts: list[BufferPart] = []
    for owner, buffer in zip(problem.owners, problem.buffers, strict=True):
        times = tuple((piece.lower, piece.upper) for piece in buffer.live_ranges)
        if isinstance(owner, tuple):
            parts.append(BufferPart(frame.extents[frame.places[owner[0]].storage], False, times))
        else:
            parts.append(BufferPart(0, True, times))
    return tuple(parts)


def are_same(some: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> bool:
    """Whether arrays have the same elements, large ones because they are the same memory."""
    if len(some) != len(others):
        return False
    for a, b in zip(some, others, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype or a.strides != b.strides:
            return False
        same = a.__array_interface__["data"] == b.__array_interface__["data"]
        if not same and (a.nbytes > SMALL_ARRAY or a.tobytes() != b.tobytes()):
            return False
    return True
