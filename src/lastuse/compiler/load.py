"""`lastuse.load`: a program from a file that `Program.save` wrote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lastuse.compiler.driver import context, measure_scratch
from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.program import Program
from lastuse.compiler.saved_program import SavedProgram, this_machine
from lastuse.compiler.saved_source import SavedSource
from lastuse.dialect.ir.diagnostics import LastuseError, Location, Remark, RemarkKind, ToolContext
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory.limit import limit_of
from lastuse.passes.memory.scratch_sizes import check_threads
from lastuse.runtime.stage_timer import Stages


def load(
    path: str | Path,
    *,
    threads: int | None = None,
    limit: int | str | None = None,
    arena: object | None = None,
    profile: bool = False,
    verify: bool = False,
    progress: bool | None = None,
    ctx: ToolContext | None = None,
) -> Program:
    """The program that `Program.save` wrote.

    It runs with the sizes that were compiled then without compiling, and compiles others. The file is mapped: it must
    not be changed while the program lives; replacing it by another file is safe. Weights that were packed with another
    version of oneDNN or for another instruction set are packed anew, and a remark says so.

    Args:
        threads: OpenMP threads of every run, as of `compile`; None for those it was compiled with.
        limit: bytes that the arena of a run may have; None for the limit it was compiled with. What was compiled for
            sizes with a larger arena is planned anew.
        arena: memory of the caller for all runs, as of `compile`.
        profile: take the time of every step.
        verify: prove again that the steps compute the model (`--verify-lowering-pass`), for a file of unknown origin.
            In any case the ops of its modules are verified, and no step leaves its memory.
        progress: as of `compile`.
        ctx: collects remarks and warnings.

    Raises:
        LastuseError: the file cannot be read, is none of a saved program, is damaged, or of a later version.
    """
    used = ctx.clone() if ctx is not None else context()
    used.wants_remarks = ctx is not None
    if used.measure_scratch is None:
        used.measure_scratch = measure_scratch
    stages = Stages()
    with stages.stage("read"):
        saved = SavedProgram(path, verify)
    try:
        check_threads(saved.options.threads)
        InplacePass(saved.options.strategy)
    except LastuseError as error:
        raise LastuseError(f"is damaged: {error.message}", Location(str(path))) from error
    options = replace(saved.options, profile=profile)
    if threads is not None:
        options = replace(options, threads=threads)
    if limit is not None:
        options = replace(options, limit=limit_of(limit))
    check_threads(options.threads)
    program = Program(SavedSource(saved, used), Pipeline(used, options, stages, progress), saved.kept, arena)
    here = this_machine()
    if saved.machine == here:
        for array, packed in saved.packings():
            program.weights.add_saved(array, packed)
        for layer in saved.layers():
            program.weights.add_saved_layer(layer)
    else:
        message = f"weights are packed anew: they were packed by {saved.machine}, here is {here}"
        used.remarks.append(Remark(RemarkKind.REORDER, message, "program", location=Location(str(path))))
    return program
