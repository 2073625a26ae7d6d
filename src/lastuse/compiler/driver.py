"""`lastuse.compile`: from a model to a program that runs, every size of input in its own plan.

The way of a program: GRUs are fused and their weights prepared, and every op gets its engine; then, for each set of
sizes, the module is specialised to them, ordered, decided in place and planned, checked, lowered, checked again, and
built into prepared primitives. Further sizes take over what was decided for the first ones (`plan_reuse.py`). The few
most recent sizes are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from lastuse.compiler.model_source import ModelSource
from lastuse.compiler.module_utils import clone
from lastuse.compiler.pipeline import KEPT_BYTES, Options, Pipeline, passes_of
from lastuse.compiler.program import KEPT_SIZES, Program
from lastuse.compiler.program_signature import Example
from lastuse.compiler.progress import show_progress
from lastuse.compiler.saved_program import SUFFIX
from lastuse.compiler.training_program import Optimizer, TrainingProgram
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.collection import paused_collection
from lastuse.dialect.ir.diagnostics import LastuseError, Location, NeedsValuesError, ToolContext
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import verify_element_types
from lastuse.dialect.storage import verifier
from lastuse.frontends.bindings import Bindings, bind
from lastuse.passes.accumulate import AccumulatePass
from lastuse.passes.bubble_up import BubbleUpPass
from lastuse.passes.inplace import InplacePass
from lastuse.passes.layout import LayoutPass
from lastuse.passes.lowering.instruction_selection import separate_steps
from lastuse.passes.map_fusion import MapFusionPass
from lastuse.passes.memory.limit import limit_of
from lastuse.passes.memory.scratch_sizes import check_threads
from lastuse.passes.pack_weights import PackWeightsPass
from lastuse.passes.pad_gru import PadGruPass
from lastuse.passes.placement import PlacementPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.post_op_fusion import PostOpFusionPass
from lastuse.passes.quantize import TYPES as REDUCED
from lastuse.passes.quantize import QuantizePass
from lastuse.passes.quantized_ops import QuantizedOpsPass
from lastuse.passes.quantized_weights import QuantizedWeightsPass
from lastuse.passes.refine import RefinePass
from lastuse.passes.transforms.add_outputs import add_output
from lastuse.passes.transforms.refinement import needs_refinement
from lastuse.passes.transforms.simplify import erase_dead
from lastuse.passes.widen_floats import WidenFloatsPass
from lastuse.runtime.arrays import Arrays
from lastuse.runtime.implementations import is_fast
from lastuse.runtime.scratch import measured
from lastuse.runtime.stage_timer import Stages
from lastuse.universe import UNIVERSE

if TYPE_CHECKING:
    from lastuse.compiler.training import Training

TYPES = ("f32", *REDUCED)
"""What the weights of GRUs may be."""


def compile(
    model: str | Path | bytes | ModuleOp,
    *,
    inputs: Example | Sequence[Example] | Mapping[str, Example] | None = None,
    values: Arrays | None = None,
    loss: str | None = None,
    optimizer: Optimizer | None = None,
    trainable: Collection[str] | str | None = None,
    recompute: str = "cheap",
    check: bool = False,
    fuse: bool = True,
    types: str = "f32",
    gru: str | None = None,
    layout: str = "auto",
    post_ops: bool = True,
    quantized: str = "integers",
    halves: str = "f32",
    inplace: bool = True,
    plan: bool = True,
    schedule: bool = True,
    strategy: str = "optimal",
    fetch_names: Sequence[str] = (),
    threads: int = 0,
    kept_sizes: int = KEPT_SIZES,
    kept_bytes: int | str = KEPT_BYTES,
    derive_sizes: bool = True,
    poison: bool = False,
    profile: bool = False,
    round_sizes: bool = False,
    padded: int = 0,
    limit: int | str | None = None,
    arena: object | None = None,
    progress: bool | None = None,
    ctx: ToolContext | None = None,
) -> Program:
    """Compile a model to a program.

    Args:
        model: a file of textual IR, an ONNX model, a Paddle model folder, the bytes of such a file, or a module in
            the dnn dialect (it is copied).
        inputs: arrays or shapes of the inputs, by name or in order (of a single input also it alone), for which the
            program is compiled now; without, a model with unknown sizes is compiled at its first run.
        values: elements that inputs have in every run, by name, 64 of an input at most: what depends on them alone is
            computed now. Shapes and branches that depend on elements of other inputs are compiled for each set of these
            (`Program.bound_inputs`).
        loss: the result or value that is the loss, by name, where the model does not say it (`dnn.loss`). With it, or
            one of the two that follow, the program is a step of training (`--backward-pass`): a `TrainingProgram`.
        optimizer: `sgd`, `momentum` or `adam`, or options of `--backward-pass` by name
            (`{"optimizer": "adam", "beta1": 0.8}`). None: the gradients are results.
        trainable: names of the arguments and constants that are trained, or `all` constants of floating-point numbers
            that have an axis; None: the arguments that the model marks (`dnn.trainable`). Constants among them become
            `parameters` of the program.
        recompute: which ops of a step of training may run again where its arena is above the `limit`: `cheap`
            (elementwise ops and normalisations), `all` or `none`.
        check: a step of training whose loss is not finite is an error that names the step and the first op to make a
            number that is not finite; nothing is updated.
        fuse: fuse GRUs with what they read (`--gru-fusion-pass`), prepare the weights oneDNN takes, and fuse
            elementwise ops as `post_ops` says.
        types: of the weights of GRUs: f32, bf16, or int8, for which the model has to be calibrated (`calibrate`).
        gru: whose kernels compute fused GRUs in f32, `onednn` or `native` (our own); None for those that are faster on
            the machine.
        layout: `auto` lets values have their channels last where convolutions gain more than transposes take
            (`--layout-pass`), `first` leaves all as the model has them.
        post_ops: fuse elementwise ops into the convolutions and products whose results they read
            (`--post-op-fusion-pass`); in a step of training none is fused.
        quantized: `integers` computes what a model has between dequantize_linear and quantize_linear in integers
            (`--quantized-ops-pass`), `model` leaves it as the model has it, as a step of training does, `dequantize`
            computes it in f32 on f32 weights.
        halves: `f32` computes in f32 what a model states in f16 (`--widen-floats-pass`), `model` rounds each result to
            f16, as a step of training does.
        inplace: write values over their inputs where that is right.
        plan: share memory between values that are not in use together.
        schedule: move ops where that makes the arena smaller; without `plan` there is none.
        strategy: of `--inplace-pass`.
        fetch_names: intermediate values, by their names in the source model, that become results too.
        threads: OpenMP threads of every run, 4,096 at most, and no more than OpenMP gives; 0 for all of those.
        kept_sizes: for how many sets of input sizes the compiled program is kept, the most recent ones.
        kept_bytes: bytes (`65536`, `"64KiB"`, `"1MiB"`) of prepared steps that these hold together, 0 for any number;
            the most recent one is kept in any case. Weights and arenas are shared, and not counted.
        derive_sizes: make programs of further sizes from those of compiled ones, where all passes would make the same,
            and prove them as they run (docs/scheduling.md); else all sizes go through all passes and checkers.
        poison: fill the arena with NaN before every run (for tests).
        profile: take the time of every step (`latest.runner.profile()`); that of every stage of compiling is in
            `stages.times` in any case.
        round_sizes: run a ragged batch as part of one of up to 6 % more rows, so that batches of many sizes share a
            compiled program; where a row's result depends on its own sequence alone, else it changes nothing.
        padded: pad sentences to so many words before GRUs (`--pad-gru-pass`), to compare with; 0 for the ragged way.
        limit: bytes (`65536`, `"64KiB"`, `"1MiB"`) that the arena of a run may have. Sizes for which it has more are an
            error at the op where most is live, with what is live there and what would help.
        arena: memory of the caller for all runs, an array or another buffer, used from its first 64-byte boundary on.
            Its size is a `limit`. Runs of several threads take turns.
        progress: show on standard error what is done, where that takes longer than a second; None: if it is a terminal.
        ctx: collects remarks and warnings.

    Raises:
        LastuseError: the model cannot be read, is wrong, or cannot run, or its arena is above the limit.
    """
    if isinstance(model, str | Path) and str(model).endswith(SUFFIX):
        raise LastuseError("is a program that is compiled: lastuse.load reads it", Location(str(model)))
    used = ctx.clone() if ctx is not None else context()
    used.wants_remarks = True
    if used.measure_scratch is None:
        used.measure_scratch = measure_scratch
    if used.is_fast is None:
        used.is_fast = has_fast_primitives
    check_threads(threads)
    # What no pass takes is an error before the model is read.
    InplacePass(strategy)
    LayoutPass(layout)
    QuantizedOpsPass(quantized)
    WidenFloatsPass(halves)
    if padded:
        PadGruPass(padded)
    trains = loss is not None or optimizer is not None or trainable is not None
    if check and not trains:
        raise LastuseError("check is for steps of training: give a loss, an optimizer, or what is trained")
    training = None
    if trains:
        from lastuse.compiler.training import Training  # differentiation is imported where it is used alone

        training = Training(loss, optimizer, trainable, inputs, check)
    PlanPass(recompute=recompute)
    options = Options(
        inplace=inplace,
        plan=plan,
        schedule=schedule,
        strategy=strategy,
        threads=threads,
        poison=poison,
        profile=profile,
        round_sizes=round_sizes,
        padded=padded,
        limit=None if limit is None else limit_of(limit),
        recompute=recompute if training is not None else "none",
        post_ops=fuse and post_ops and training is None,
        derive_sizes=derive_sizes,
        kept_bytes=limit_of(kept_bytes),
    )
    pipeline = Pipeline(used, options, progress=progress)
    check_types(types)

    def prepared(bindings: Bindings) -> ModuleOp:
        if isinstance(model, ModuleOp):
            module = clone(model)
            if bindings:
                bind(module, bindings)
        else:
            module = read(used, model, pipeline.stages, bindings)
        with pipeline.stages.stage("verify"):
            verifier.verify(module)
            verify_element_types(module)
        for name in fetch_names:
            add_output(main_function(module), name)
        prepare(pipeline, module, fuse, types, gru, layout, post_ops, training, quantized, halves)
        return module

    bound = {name: np.asarray(value) for name, value in (values or {}).items()}
    task = f"compiling {model}" if isinstance(model, str | Path) else "compiling"
    with show_progress(pipeline.stages, task, progress), paused_collection():
        source = ModelSource(prepared, Bindings(values=bound))
        used.wants_remarks = ctx is not None
        parameters = source.initial_values | (training.values if training is not None else {})
        if training is None and not parameters:
            program = Program(source, pipeline, kept_sizes, arena)
        else:
            program = TrainingProgram(source, pipeline, kept_sizes, arena, parameters)
        if inputs is not None:
            program.compile_for(inputs)
    return program


def prepare(
    pipeline: Pipeline,
    module: ModuleOp,
    fuse: bool = True,
    types: str = "f32",
    gru: str | None = None,
    layout: str = "auto",
    post_ops: bool = True,
    training: Training | None = None,
    quantized: str = "integers",
    halves: str = "f32",
) -> None:
    """What is done once, before sizes are known: fusion, layouts, the backward part, the weights, which engine runs
    what.

    Raises:
        LastuseError: there are no such types or kernels, a GRU has not been calibrated for int8, or the model cannot
            be trained.
    """
    check_types(types)
    if training is not None:
        training.mark(module)
    else:
        pipeline.apply(QuantizedOpsPass(quantized), module)
        if quantized != "dequantize":
            pipeline.apply(QuantizedWeightsPass(), module)
    if needs_refinement(module):
        with suppress(NeedsValuesError):  # inputs that decide sizes are bound before the module is specialised
            pipeline.apply(RefinePass(), module)
        verifier.verify(module)
    if training is None:
        pipeline.apply(WidenFloatsPass(halves), module)
    else:
        training.bind(pipeline, module)
        pipeline.apply(BubbleUpPass(), module)
    for pass_ in passes_of("fuse", layout={"layout": layout}):
        if training is not None and isinstance(pass_, MapFusionPass | PackWeightsPass):
            continue  # maps have no gradients, and neither have ops with packed weights, or with post-ops
        if isinstance(pass_, PostOpFusionPass) and (training is not None or not post_ops):
            pass_ = PostOpFusionPass(only_activations=True)
        if fuse or isinstance(pass_, LayoutPass):
            pipeline.apply(pass_, module)
    if training is not None:
        training.differentiate(pipeline, module)
        if fuse:
            pipeline.apply(AccumulatePass(), module)
    if types != "f32":
        pipeline.apply(QuantizePass(type=types), module)
    erase_dead(pipeline.ctx, module)
    pipeline.apply(PlacementPass(gru), module)


def check_types(types: str) -> None:
    """Raises LastuseError where weights have no such types."""
    if types not in TYPES:
        raise LastuseError(f"no types '{types}' of weights; there are {', '.join(TYPES)}")


def measure_scratch(module: Operation, threads: int) -> Mapping[Operation, int]:
    """Bytes of scratch that each op takes whose steps are a primitive's (`runtime.measured`)."""
    return measured(module, threads, separate_steps)


def has_fast_primitives(op: DnnOp) -> bool:
    """Whether primitives compute the op, none of them oneDNN's reference (`runtime.implementations`)."""
    return is_fast(op, separate_steps)


def context() -> ToolContext:
    """A context that knows every dialect of xDSL and ours."""
    from xdsl.dialects import get_all_dialects

    ctx = ToolContext(
        allow_unregistered=True,
        closed_dialects=frozenset(UNIVERSE.all_dialects),
        wants_remarks=False,
        measure_scratch=measure_scratch,
        is_fast=has_fast_primitives,
    )
    for name, factory in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        ctx.register_dialect(name, factory)
    return ctx


def read(
    ctx: ToolContext, model: str | Path | bytes, stages: Stages | None = None, bindings: Bindings | None = None
) -> ModuleOp:
    """The module at a path, or in the bytes of a file; raises LastuseError."""
    from lastuse.frontends.loader import reader

    stages = stages or Stages()
    with stages.stage("front end"):
        load = reader(model)
    with stages.stage("read"):
        return load(ctx, bindings or Bindings())
