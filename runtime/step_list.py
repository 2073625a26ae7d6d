"""The steps of a program as plain data, before anything is prepared: what a program of other sizes is derived from.

A list is recorded from a lowered module whose buffers lie in regions of their own (`spread`), far enough apart that an
offset tells its buffer. Assembling it prepares primitives, packs weights and adds the steps to the core, as building
the module does, with the buffers where a plan has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.ir.diagnostics import Location
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.memory import locate, memory_of
from lastuse.dialect.onednn.primitives.convolution import WeightedBase
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.dialect.onednn.step import DestinationStyleBase, PrimitiveBase, Work
from lastuse.dialect.storage.contract import contract_of
from lastuse.runtime import _core
from lastuse.runtime.build import Argument, Builder, Built, Computed, callees_first
from lastuse.runtime.constant_arrays import packed_source
from lastuse.runtime.primitive_preparation import layout_of, recipe_of, threads_for
from lastuse.runtime.primitive_recipes import Layout, Recipe, primitives_from
from lastuse.runtime.weights import PackedWeights, Packing

REGION = 1 << 40
"""Bytes from the beginning of one buffer to that of the next where buffers are spread."""
PLAIN = frozenset(("add_argument", "add_constant", "add_copy", "add_view"))
"""Methods of the core that are recorded as they are called."""
ORDER = frozenset(("add_label", "add_return", "bind_label", "set_entry"))
"""Those of programs without branches and calls, which are the same in all lists."""


class NotRecordedError(Exception):
    """A program has steps that a list does not hold: branches, calls, kernels in Python, recurrent layers."""


class CallResult(NamedTuple):
    """What the call of this number returned."""

    call: str


class InBuffer(NamedTuple):
    """So many bytes behind the beginning of a buffer of the arena; the buffer's number as a word."""

    buffer: str
    offset: int


class Weights(NamedTuple):
    """Constant weights of a primitive, and their own layout."""

    array: np.ndarray
    plain: Layout


class PrimitiveStep(NamedTuple):
    """A step of a primitive.

    Attributes:
        recipe: of the primitive, for no threads.
        work: decides its threads.
        scratch: the buffer of its scratch, "" where the plan has none.
        weights: what its second operand is packed from.
    """

    name: str
    recipe: Recipe
    work: Work
    ins: tuple[CallResult, ...]
    outs: tuple[CallResult, ...]
    scratch: str
    weights: Weights | None


class NativeStep(NamedTuple):
    """A step of a kernel of our own; `shapes` of its operands, `declared` bytes of scratch, others as above."""

    name: str
    kernel: str
    op: str
    numbers: tuple[float, ...]
    shapes: tuple[tuple[int, ...], ...]
    declared: int
    ins: tuple[CallResult, ...]
    outs: tuple[CallResult, ...]
    scratch: str


class Call(NamedTuple):
    """A method of the core, one of `PLAIN`."""

    method: str
    arguments: tuple[Any, ...]
    number: str


class StepList(NamedTuple):
    """A program without branches.

    Attributes:
        steps: calls, and steps, in order.
        arguments: the arrays that it takes.
        constant_bytes: of its constants.
        computed: as of `Built`.
    """

    steps: tuple[Call | PrimitiveStep | NativeStep, ...]
    arguments: tuple[Argument, ...]
    constant_bytes: int
    computed: tuple[Computed, ...]


def spread(count: int) -> list[int]:
    """Offsets for so many buffers, each in a region of its own."""
    return [number * REGION for number in range(count)]


def recorded(
    module: ModuleOp, function: str, threads: int, weights: PackedWeights
) -> tuple[StepList, dict[str, Location]]:
    """The steps of a lowered module, whose buffers are spread, and their places in the source.

    Raises:
        NotRecordedError: it has steps that a list does not hold.
        LastuseError: the module cannot run.
    """
    functions = callees_first(functions_of(module), function)
    if len(functions) != 1:
        raise NotRecordedError
    recorder = _Recorder(module, functions, threads, weights)
    return recorder.record(), recorder.places


class _NotedCalls:
    """Notes the calls of a core."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.steps: list[Call | PrimitiveStep | NativeStep] = []

    def __getattr__(self, method: str) -> Callable[..., Any]:
        if method not in PLAIN | ORDER:
            raise NotRecordedError(method)

        def note(*arguments: Any) -> Any:
            if method in ORDER:
                return None
            if method == "add_view" and arguments[0] == _core.StepProgram.ARENA:
                buffer, offset = divmod(arguments[1], REGION)
                arguments = (arguments[0], InBuffer(str(buffer), offset), *arguments[2:])
            call = Call(method, tuple(map(_frozen, arguments)), str(len(self.steps)))
            self.steps.append(call)
            return CallResult(call.number)

        return note


def _frozen(argument: Any) -> Any:
    return tuple(argument) if isinstance(argument, list) else argument


class _Recorder(Builder):
    core: Any

    def record(self) -> StepList:
        self.core = _NotedCalls(self.core.threads)
        arguments = self.main(self.functions[0])
        if any(argument.is_scalar for argument in arguments):
            raise NotRecordedError
        return StepList(tuple(self.core.steps), arguments, self.constant_bytes, tuple(self.computed))

    def primitive(self, step: PrimitiveBase, name: str, outs: list[int]) -> None:
        recipe, ins, weights = recipe_of(step, self.core.threads), step.ins, None
        if isinstance(step, OneDnnMatmulOp | WeightedBase):
            ins = [step.ins[number] for number in step.passed()]
            source = packed_source(step.ins[1])
            if source is not None:
                weights = Weights(self.constant(source), layout_of(memory_of(source.type)))
                ins = [ins[0], source, *ins[2:]]
        views: Any = tuple(map(self.view, ins))
        made: Any = tuple(outs)
        recipe = recipe._replace(threads=0)
        scratch = self._scratch_buffer(step)
        self.core.steps.append(PrimitiveStep(name, recipe, step.work(), views, made, scratch, weights))

    def kernel_call(self, step: KernelCallOp, name: str, outs: list[int]) -> str:
        op = step.op()
        kernel = op.native_kernel()
        if step.native is None or kernel is None:
            raise NotRecordedError
        views: Any = tuple(map(self.view, step.ins))
        made: Any = tuple(outs)
        shapes = tuple(tuple(memory.shape) for memory in step.in_memories)
        numbers, declared = tuple(op.native_numbers()), contract_of(op).scratch
        scratch = self._scratch_buffer(step)
        self.core.steps.append(NativeStep(name, kernel, op.name, numbers, shapes, declared, views, made, scratch))
        return kernel

    def gru(self, step: OneDnnGruOp, name: str, outs: list[int]) -> None:
        raise NotRecordedError

    def recurrent(self, step: OneDnnRecurrentOp, name: str, outs: list[int]) -> None:
        raise NotRecordedError

    def _scratch_buffer(self, step: DestinationStyleBase) -> str:
        if step.scratch is None:
            return ""
        located = locate(step.scratch)
        if located.root not in self.starts:
            raise NotRecordedError
        buffer, offset = divmod(self.starts[located.root] + located.layout.offset, REGION)
        if offset:
            raise NotRecordedError
        return str(buffer)


class Prepared(NamedTuple):
    """A list whose primitives are prepared.

    Attributes:
        primitives: of the steps that have one, in order, each with its packed weights.
        scratch: bytes that each buffer of scratch needs, by the buffer's number.
        needed: bytes of scratch of each step that may have some, in order.
    """

    listed: StepList
    primitives: tuple[tuple[_core.Primitive, Packing | None], ...]
    scratch: dict[int, int]
    needed: tuple[int, ...]


def prepared(listed: StepList, threads: int, weights: PackedWeights) -> Prepared | None:
    """Prepares the primitives of a list; None where a step needs scratch that was not planned.

    Raises:
        _core.Error: there is no such primitive.
    """
    with_primitives = [step for step in listed.steps if isinstance(step, PrimitiveStep)]
    recipes = [step.recipe._replace(threads=threads_for(step.work, threads)) for step in with_primitives]
    primitives: list[tuple[_core.Primitive, Packing | None]] = [
        (chosen, None) if step.weights is None else weights.for_recipe(*step.weights, recipe, chosen)
        for step, recipe, chosen in zip(with_primitives, recipes, primitives_from(recipes, threads), strict=True)
    ]
    scratch, sizes, made = dict[int, int](), list[int](), iter(primitives)
    for step in listed.steps:
        if isinstance(step, Call):
            continue
        if isinstance(step, PrimitiveStep):
            needed = next(made)[0].scratch_bytes
        else:
            asked = _core.native_scratch(step.kernel, step.op, step.numbers, step.shapes, threads)
            needed = max(step.declared, asked)
        sizes.append(needed)
        if step.scratch:
            scratch[int(step.scratch)] = max(scratch.get(int(step.scratch), 0), needed)
        elif needed:
            return None
    return Prepared(listed, tuple(primitives), scratch, tuple(sizes))


def assembled(
    ready: Prepared, offsets: Sequence[int], arena_bytes: int, threads: int, places: Mapping[str, Location]
) -> Built:
    """The program of a prepared list with its buffers at these offsets.

    Raises:
        _core.Error: a view is not within its buffer, or a step does not take its operands.
    """
    core = _core.StepProgram(arena_bytes, threads)
    core.set_entry()
    results: dict[str, Any] = {}
    packed: dict[int, int] = {}
    byte = np.dtype(np.uint8)

    def given(argument: Any) -> Any:
        if isinstance(argument, CallResult):
            return results[argument.call]
        return offsets[int(argument.buffer)] + argument.offset if isinstance(argument, InBuffer) else argument

    primitives, sizes = iter(ready.primitives), iter(ready.needed)
    for step in ready.listed.steps:
        if isinstance(step, Call):
            results[step.number] = getattr(core, step.method)(*map(given, step.arguments))
            continue
        ins, outs, needed = [results[r.call] for r in step.ins], [results[r.call] for r in step.outs], next(sizes)
        scratch = -1
        if step.scratch:
            room = ready.scratch[int(step.scratch)]
            scratch = core.add_view(core.ARENA, offsets[int(step.scratch)], byte, (room,), (1,))
        if isinstance(step, NativeStep):
            core.add_native(step.name, step.kernel, step.op, step.numbers, ins, outs, scratch, needed)
        else:
            primitive, packing = next(primitives)
            if packing is not None and packing.memory is not None:
                ins[1] = core.add_packed(packing.memory, packing.layout)
                packed[id(packing.memory)] = packing.nbytes
            core.add_primitive(step.name, primitive, ins, outs, scratch)
    core.add_return()
    listed, made = ready.listed, tuple(primitive for primitive, _ in ready.primitives)
    nbytes = sum(packed.values())
    return Built(core, listed.arguments, listed.constant_bytes, nbytes, places, listed.computed, made)
