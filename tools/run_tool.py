"""
`run-tool`: compiles a model and runs it on arrays from a file.

    run-tool model/ --inputs in.npz --outputs out.npz
    run-tool model.mlir --inputs in.npz --json --repeat 10
    run-tool model/ --inputs in.npz --repeat 10 --profile
    run-tool model.mlir --memory
    run-tool model/ --calibrate data.npz -o calibrated.mlir
    run-tool calibrated.mlir --types int8 --inputs in.npz

A shell over `lastuse.compile`. Arrays are named as the model names its inputs and results; a ragged input `words` has
its cumulative offsets beside it in `words.lod`. Exit status: 0; 1 if something is wrong; 2 if the command line is.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler import TYPES, Program, compile, context

from .. import runtime
from ..dialect import resources
from ..dialect.diagnostics import LastuseError, Location
from ..runtime import Stages, StageTime
from .output import write_text, write_whole
from .report import render_error, render_profile, render_remarks, render_stages
from .shell import ArgumentParser, guarded

IMPORTED = time.perf_counter()
"""All that most runs need is loaded."""


DIGITS = 9
"""Most of a number on the command line: as many as fit into 32 bits, whatever they are."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command `run-tool`. Returns its exit status."""
    stages = Stages()
    if argv is None:  # the command of this process, which loaded the package for it
        stages.add("import", IMPORTED - lastuse.started.STARTED)
    return guarded(lambda: _main(_arguments(argv), stages))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = ArgumentParser(
        prog="run-tool",
        description="Compiles a model and runs it on oneDNN and numpy.",
        epilog="Arrays are named as the model names its inputs and results; ragged input: words and words.lod.",
        allow_abbrev=False,
    )
    parser.add_argument("model", metavar="MODEL", help="a .mlir file or a Paddle model folder")
    parser.add_argument("--inputs", metavar="IN.npz", help="arrays to run on (without: zeros, if all sizes are known)")
    parser.add_argument("--outputs", metavar="OUT.npz", help="where to write the results")
    parser.add_argument("--threads", type=_positive, default=0, metavar="N", help="OpenMP threads of a run")
    parser.add_argument("--repeat", type=_positive, default=1, metavar="N", help="runs, each timed")
    parser.add_argument("--profile", action="store_true", help="print what start-up and each step took")
    parser.add_argument("--memory", action="store_true", help="print where each value lies in the arena, and when")
    parser.add_argument("--json", action="store_true", help="print one JSON object: seconds, memory, engines")
    parser.add_argument("--types", choices=TYPES, default="f32", help="of the weights of GRUs")
    parser.add_argument(
        "--calibrate", metavar="DATA.npz", help="note what int8 has to know, from a run on these arrays"
    )
    parser.add_argument(
        "-o", dest="module", metavar="OUT.mlir", help="write the calibrated model, and run nothing else"
    )
    parser.add_argument("--padded", type=_positive, default=0, metavar="N", help="pad sentences to N words for GRUs")
    parser.add_argument("--no-fuse", action="store_true", help="leave GRUs and what they read apart")
    parser.add_argument("--no-inplace", action="store_true", help="write nothing over its input")
    parser.add_argument("--no-plan", action="store_true", help="share no memory between values")
    parser.add_argument("--no-schedule", action="store_true", help="leave ops in their order")
    parser.add_argument("--fetch", action="append", default=[], metavar="NAME", help="an intermediate value as result")
    parser.add_argument("--remarks", nargs="?", const="text", choices=["text", "json"], help="say what was decided")
    words = sys.argv[1:] if argv is None else argv
    options = parser.parse_args(["--remarks=text" if word == "--remarks" else word for word in words])
    if options.module and not options.calibrate:
        parser.error("-o writes a calibrated model: it needs --calibrate")
    if options.types != "f32" and options.no_fuse:
        parser.error(f"--types {options.types} is for GRUs that are fused, not with --no-fuse")
    return options


def _positive(text: str) -> int:
    if text.isdecimal() and len(text) > DIGITS:
        raise argparse.ArgumentTypeError(f"{text} is too large")
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return int(text)


def _main(options: argparse.Namespace, stages: Stages) -> int:
    ctx = context()
    ctx.wants_remarks = options.remarks is not None
    try:
        model: str | ModuleOp = options.model
        if options.calibrate:
            with stages.stage("calibration"):
                model = lastuse.calibrate(model, _read(options.calibrate), ctx=ctx)
        if options.module:
            _write(model, Path(options.module), ctx)
            return 0
        program = compile(
            model,
            fuse=not options.no_fuse,
            types=options.types,
            inplace=not options.no_inplace,
            plan=not options.no_plan,
            schedule=not options.no_schedule,
            fetch_names=options.fetch,
            threads=options.threads,
            profile=options.profile,
            padded=options.padded,
            ctx=ctx,
        )
        with program.stages.stage("inputs"):
            inputs = _read(options.inputs) if options.inputs else _zeros(program)
        seconds, results = _run(program, inputs, options.repeat)
        if options.outputs:
            write_whole(options.outputs, lambda file: np.savez(file, **results))  # pyright: ignore[reportArgumentType]
        starting = [*stages.times, *program.stages.times, StageTime("first run", seconds[0])]
        _print(program, seconds, results, options, starting)
    except LastuseError as error:
        sys.stderr.write(render_error(error, {}, Location(options.model)))
        return 1
    finally:
        sys.stderr.write(render_remarks(ctx.remarks, options.remarks or "text"))
    return 0


def _write(module: str | ModuleOp, path: Path, ctx: Context) -> None:
    """The module as text, its arrays beside it."""
    assert isinstance(module, ModuleOp)
    try:
        resources.save(module, path.with_suffix(".npz"))
    except OSError as error:
        raise LastuseError(f"cannot be written: {error.strerror or error}", Location(str(path))) from error
    from .printer import MemoPrinter  # which loads the parser of text

    stream = StringIO()
    MemoPrinter(stream, ctx).print_op(module)
    write_text(path, stream.getvalue() + "\n")


def _run(program: Program, inputs: dict[str, np.ndarray], repeat: int) -> tuple[list[float], dict[str, np.ndarray]]:
    """Seconds of each run, compilation apart, and the results of the first: donated inputs hold others after it."""
    program.specialized(program.sizes_of(inputs))
    seconds: list[float] = []
    results: dict[str, np.ndarray] = {}
    for number in range(repeat):
        given = {name: array.copy() for name, array in inputs.items()} if repeat > 1 else inputs
        started = time.perf_counter()
        found = program.run(given)
        seconds.append(time.perf_counter() - started)
        if number == 0:
            results = found
    return seconds, results


def _read(path: str) -> dict[str, np.ndarray]:
    try:
        arrays = np.load(path, allow_pickle=False)
        if not isinstance(arrays, np.lib.npyio.NpzFile):
            raise LastuseError("is a single array, not a .npz file", Location(path))
        with arrays:
            return {name: resources.member(arrays, name) for name in arrays.files}
    except OSError as error:
        raise LastuseError(f"cannot be read: {error.strerror or error}", Location(path)) from None
    except resources.DAMAGED as error:
        raise LastuseError(f"is no whole .npz file: {resources.damage(error)}", Location(path)) from None


def _zeros(program: Program) -> dict[str, np.ndarray]:
    if program.unknown_sizes:
        raise LastuseError(f"--inputs is needed: sizes are not known ({', '.join(program.unknown_sizes)})")
    return {name: np.zeros(a.shape, a.dtype) for name, a in program.latest.runner.inputs.items()}


def _print(
    program: Program,
    seconds: list[float],
    results: dict[str, np.ndarray],
    options: argparse.Namespace,
    starting: list[StageTime],
) -> None:
    if options.json:
        startup = {"startup": [stage._asdict() for stage in starting]} if options.profile else {}
        print(json.dumps(report(program, seconds) | startup | _memory(program, options)))
        return
    if options.memory:
        from .pictures.read import memory_maps
        from .pictures.table import table

        sys.stdout.write(table(memory_maps(program.latest.module), sys.stdout.isatty()))
    if options.profile:
        sys.stdout.write(render_stages(starting) + "\n" + render_profile(program.latest.runner.profile()))
    if not options.outputs and not options.profile and not options.memory:
        for name, array in results.items():
            print(f"{name} = {array.dtype}{list(array.shape)}")
            print(np.array2string(array, threshold=64))


def _memory(program: Program, options: argparse.Namespace) -> dict[str, object]:
    """With `--memory`, what `--json` prints of it."""
    if not options.memory:
        return {}
    from .pictures.read import memory_maps
    from .pictures.table import plain

    return {"memory": [plain(found) for found in memory_maps(program.latest.module)]}


def report(program: Program, seconds: list[float]) -> dict[str, object]:
    """What `--json` prints: seconds per run, memory in bytes, weights apart, ops in place, steps per engine, how often
    GRU primitives were found; with `--profile`, what each step took."""
    compiled = program.latest
    profile = [step._asdict() for step in compiled.runner.profile()]
    return {
        "seconds": seconds,
        **compiled.memory._asdict(),
        "engines": dict(compiled.engines),
        "weight_bytes": compiled.runner.memory.constants + compiled.runner.memory.packed,
        "threads": compiled.runner.threads,
        "gru_primitives": program.weights.gru_primitives._asdict(),
        **({"profile": profile} if profile else {}),
        "onednn": ".".join(map(str, runtime.onednn_version())),
    }


if __name__ == "__main__":
    sys.exit(main())
