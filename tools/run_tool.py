"""
`run-tool`: compiles a model and runs it on arrays from a file.

    run-tool model/ --inputs in.npz --outputs out.npz
    run-tool model.mlir --inputs in.npz --json --repeat 10
    run-tool model/ --inputs in.npz --repeat 10 --profile
    run-tool model.mlir --memory
    run-tool model/ --calibrate data.npz -o calibrated.mlir
    run-tool calibrated.mlir --types int8 --inputs in.npz
    run-tool model.mlir --inputs - --outputs - < in.npz > out.npz

A shell over `lastuse.compile`. Arrays are named as the model names its inputs and results; a ragged input `words` has
its cumulative offsets beside it in `words.lod`. `-` is standard input or output. Exit status: 0; 1 if something is
wrong; 2 if the command line is.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path

import numpy as np
import xdsl
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import TYPES, compile, context
from lastuse.compiler.load import load
from lastuse.compiler.program import Program
from lastuse.compiler.saved_program import SUFFIX
from lastuse.dialect.dnn.integer_forms import WAYS
from lastuse.dialect.dnn.recurrent.gru import KERNELS
from lastuse.dialect.dnn.wider_floats import HALVES
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError, Location, ToolContext
from lastuse.frontends.bindings import Bindings
from lastuse.passes.analysis.layouts import LAYOUTS
from lastuse.passes.memory.limit import limit_of
from lastuse.passes.memory.scratch_sizes import MAX_THREADS
from lastuse.runtime.engines import onednn_version
from lastuse.runtime.stage_timer import Stages, StageTime
from lastuse.tools.model_inputs import add_input_arguments, bindings_of
from lastuse.tools.output import write_output, write_text
from lastuse.tools.report import render_error, render_profile, render_remarks, render_stages
from lastuse.tools.shell import ArgumentParser, guarded, separate_remarks
from lastuse.tools.streams import STDIN, STREAM, is_terminal, print_line, read_bytes, read_stdin_text, write_stdout

IMPORTED = time.perf_counter()
"""All that most runs need is loaded."""


PROG = "run-tool"
DECISIONS = ["fuse", "types", "gru", "layout", "quantized", "halves", "post_ops", "inplace", "plan", "schedule"]
COMPILED = [*DECISIONS, "threads", "profile", "padded", "limit"]
"""Options of the command line that `compile` takes."""
DECIDED = {
    **{name: f"--{name}" for name in ("types", "gru", "layout", "quantized", "halves", "padded", "fetch")},
    **{name: f"--no-{name.replace('_', '-')}" for name in ("fuse", "post_ops", "inplace", "plan", "schedule")},
}
"""Options that a saved program was compiled with."""
DIGITS = 9
"""Most of a number on the command line: as many as fit into 32 bits, whatever they are."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command `run-tool`. Returns its exit status."""
    stages = Stages()
    if argv is None:  # the command of this process, which loaded the package for it
        stages.add("import", IMPORTED - lastuse.IMPORT_BEGIN)
    return guarded(PROG, lambda: _main(_arguments(argv), stages))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = ArgumentParser(
        prog=PROG,
        description="Compiles a model and runs it on oneDNN and numpy.",
        epilog="Arrays are named as the model names its inputs and results; ragged input: words and words.lod.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "model", metavar="MODEL", help="a .mlir, .onnx or .lastuse file, a Paddle folder, or - for text"
    )
    parser.add_argument("--inputs", metavar="IN.npz", help="arrays to run on (without: zeros, if all sizes are known)")
    add_input_arguments(parser)
    parser.add_argument("--outputs", metavar="OUT.npz", help="where to write the results; - prints nothing else")
    parser.add_argument("--threads", type=_threads, default=0, metavar="N", help="OpenMP threads of a run")
    parser.add_argument("--limit", type=_limit, metavar="BYTES", help="most bytes of the arena: 65536, 64KiB, 1MiB")
    parser.add_argument("--repeat", type=_positive, default=1, metavar="N", help="runs, each timed")
    parser.add_argument("--profile", action="store_true", help="print what start-up and each step took")
    parser.add_argument("--memory", action="store_true", help="print where each value lies in the arena, and when")
    parser.add_argument("--json", action="store_true", help="print one JSON object: seconds, memory, engines")
    parser.add_argument("--gru", choices=[engine.value for engine in KERNELS], help="whose kernels compute fused GRUs")
    parser.add_argument("--layout", choices=LAYOUTS, default="auto", help="first: channels stay as the model has them")
    parser.add_argument("--quantized", choices=WAYS, default="integers", help="dequantize: f32 weights")
    parser.add_argument("--halves", choices=HALVES, default="f32", help="model: each result of f16 is rounded to f16")
    parser.add_argument("--types", choices=TYPES, default="f32", help="of the weights of GRUs")
    parser.add_argument(
        "--calibrate", metavar="DATA.npz", help="note what int8 has to know, from a run on these arrays"
    )
    parser.add_argument(
        "-o", dest="module", metavar="OUT.mlir", help="write the calibrated model, and run nothing else"
    )
    parser.add_argument("--padded", type=_positive, default=0, metavar="N", help="pad sentences to N words for GRUs")
    parser.add_argument("--no-fuse", dest="fuse", action="store_false", help="leave GRUs and what they read apart")
    parser.add_argument("--no-post-ops", dest="post_ops", action="store_false", help="leave elementwise ops apart")
    parser.add_argument("--no-inplace", dest="inplace", action="store_false", help="write nothing over its input")
    parser.add_argument("--no-plan", dest="plan", action="store_false", help="share no memory between values")
    parser.add_argument("--no-schedule", dest="schedule", action="store_false", help="leave ops in their order")
    parser.add_argument("--fetch", action="append", default=[], metavar="NAME", help="an intermediate value as result")
    parser.add_argument("--save", metavar="OUT.lastuse", help="write the program, compiled for the sizes of the inputs")
    parser.add_remarks("say what was decided")
    parser.add_version(uses=_built_on)
    options = parser.parse_args(separate_remarks(sys.argv[1:] if argv is None else argv))
    options.changed = {name for name in DECIDED if getattr(options, name) != parser.get_default(name)}
    if options.module and not options.calibrate:
        parser.error("-o writes a calibrated model: it needs --calibrate")
    beside = Path(options.module or STREAM).with_suffix(".npz")
    if options.module not in (None, STREAM) and beside.resolve() == Path(options.calibrate).resolve():
        parser.error("-o writes arrays beside the model, over those of --calibrate: give it another name")
    if options.types != "f32" and not options.fuse:
        parser.error(f"--types {options.types} is for GRUs that are fused, not with --no-fuse")
    if [options.model, options.inputs, options.calibrate].count(STREAM) > 1:
        parser.error("- is standard input for one of MODEL, --inputs and --calibrate")
    if options.outputs == STREAM and (options.json or options.profile or options.memory):
        parser.error("--outputs - takes standard output: not with --json, --profile or --memory")
    return options


def _built_on() -> list[str]:
    return [f"oneDNN {'.'.join(map(str, onednn_version()))}", f"xDSL {xdsl.__version__}"]


def _positive(text: str) -> int:
    if text.isdecimal() and len(text) > DIGITS:
        raise argparse.ArgumentTypeError(f"{text} is too large")
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return int(text)


def _threads(text: str) -> int:
    number = _positive(text)
    if number > MAX_THREADS:
        raise argparse.ArgumentTypeError(f"{text} is above {MAX_THREADS:,}")
    return number


def _limit(text: str) -> int:
    try:
        return limit_of(text)
    except LastuseError as error:
        raise argparse.ArgumentTypeError(error.message) from None


def _main(options: argparse.Namespace, stages: Stages) -> int:
    ctx = context()
    ctx.wants_remarks = options.remarks is not None
    name, sources = options.model, dict[str, str]()
    try:
        model: str | ModuleOp = name
        if name == STREAM:
            name = STDIN
            with stages.stage("read"):
                from lastuse.frontends.text import mlir_parser

                sources[STDIN] = text = read_stdin_text()
                model = mlir_parser.parse(ctx, text, STDIN, folder=Path())
        if options.calibrate:
            with stages.stage("calibration"), _of_file(options.calibrate):
                model = lastuse.calibrate(model, _read(options.calibrate), ctx=ctx)
        if options.module:
            _write(model, options.module, ctx)
            return 0
        known = bindings_of(options)
        program = _program(model, options, known, ctx if ctx.wants_remarks else None)
        with program.stages.stage("inputs"):
            inputs = _read(options.inputs) if options.inputs else {**_zeros(program), **known.values}
        with _of_file(options.inputs):
            program.select(inputs)
            seconds, results = _run(program, inputs, options.repeat)
        if options.save:
            program.save(options.save)
        if options.outputs:
            write_output(options.outputs, lambda file: np.savez(file, **results))  # pyright: ignore[reportArgumentType]
        starting = [*stages.times, *program.stages.times, StageTime("first run", seconds[0])]
        _print(program, seconds, results, options, starting)
    except LastuseError as error:
        sys.stderr.write(render_error(error, sources, Location(name)))
        return 1
    finally:
        sys.stderr.write(render_remarks(ctx.remarks, options.remarks or "text"))
    return 0


def _program(model: str | ModuleOp, options: argparse.Namespace, known: Bindings, ctx: ToolContext | None) -> Program:
    """The program of a model, compiled or read from the file of a saved one."""
    if not isinstance(model, str) or not model.endswith(SUFFIX):
        chosen = {name: getattr(options, name) for name in COMPILED}
        shapes = known.shapes or None
        return compile(model, **chosen, inputs=shapes, values=known.values, fetch_names=options.fetch, ctx=ctx)
    changed = [DECIDED[name] for name in DECIDED if name in options.changed]
    if changed:
        have = "have" if len(changed) > 1 else "has"
        raise LastuseError(f"is compiled already: {', '.join(changed)} {have} no effect on it", Location(model))
    program = load(model, threads=options.threads or None, limit=options.limit, profile=options.profile, ctx=ctx)
    if known.shapes:
        program.compile_for(known.shapes)
    return program


@contextlib.contextmanager
def _of_file(path: str | None) -> Generator[None]:
    """What is wrong with arrays of this file is an error of the file; the op that cannot work with them is a note."""
    try:
        yield
    except ArrayError as error:
        if path is None:
            raise
        where = [(error.location, "at this op")] if error.location is not None else []
        raise LastuseError(error.message, Location(_shown(path)), [*where, *error.notes]) from error


def _shown(path: str) -> str:
    return STDIN if path == STREAM else path


def _write(module: str | ModuleOp, path: str, ctx: ToolContext) -> None:
    """The module as text, its arrays beside it; on standard output they are in the text."""
    assert isinstance(module, ModuleOp)
    from lastuse.tools.printer import printed  # which loads the parser of text

    if path == STREAM:
        write_text(path, f"{printed(module, ctx)}\n{resources.section(module)}")
        return
    beside = Path(path).with_suffix(".npz")
    arrays = resources.name_file(module, beside)
    write_text(path, f"{printed(module, ctx)}\n", [(beside, arrays)] if arrays else [])


def _run(program: Program, inputs: dict[str, np.ndarray], repeat: int) -> tuple[list[float], dict[str, np.ndarray]]:
    """Seconds of each run, and the results of the first: donated inputs hold others after it."""
    seconds: list[float] = []
    results: dict[str, np.ndarray] = {}
    for number in range(repeat):
        arrays = {name: array.copy() for name, array in inputs.items()} if repeat > 1 else inputs
        begin = time.perf_counter()
        outputs = program.run(arrays)
        seconds.append(time.perf_counter() - begin)
        if number == 0:
            results = outputs
    return seconds, results


def _read(path: str) -> dict[str, np.ndarray]:
    at = Location(_shown(path))
    try:
        arrays = np.load(io.BytesIO(read_bytes(STDIN)) if path == STREAM else path, allow_pickle=False)
        if not isinstance(arrays, np.lib.npyio.NpzFile):
            raise LastuseError("is a single array, not a .npz file", at)
        with arrays:
            return {name: resources.member(arrays, name) for name in arrays.files}
    except OSError as error:
        raise LastuseError(f"cannot be read: {error.strerror or error}", at) from None
    except resources.DAMAGED as error:
        raise LastuseError(f"is no whole .npz file: {resources.damage(error)}", at) from None


def _zeros(program: Program) -> dict[str, np.ndarray]:
    try:
        arrays = program.latest.runner.inputs
        return {name: np.zeros(arrays[name].shape, arrays[name].dtype) for name in program.inputs}
    except LastuseError as error:
        raise LastuseError(f"--inputs, or --shape and --value, is needed: {error.message}") from None
    except MemoryError as error:
        raise LastuseError(f"there is no memory for inputs of zeros: {error}") from error


def _print(
    program: Program,
    seconds: list[float],
    results: dict[str, np.ndarray],
    options: argparse.Namespace,
    starting: list[StageTime],
) -> None:
    figures = report(program, seconds) if options.json else {}
    if options.json and options.profile:
        figures["startup"] = [stage._asdict() for stage in starting]
    if options.memory:
        from lastuse.tools.visualize.read import memory_maps
        from lastuse.tools.visualize.table import plain, table

        maps = memory_maps(program.latest.module)
        if options.json:
            figures["memory"] = [plain(map_) for map_ in maps]
        else:
            write_stdout(table(maps, is_terminal()))
    if options.json:
        print_line(json.dumps(figures))
    elif options.profile:
        write_stdout(render_stages(starting) + "\n" + render_profile(program.latest.runner.profile()))
    elif not options.outputs and not options.memory:
        for name, array in results.items():
            print_line(f"{name} = {array.dtype}{list(array.shape)}")
            print_line(np.array2string(array, threshold=64))


def report(program: Program, seconds: list[float]) -> dict[str, object]:
    """What `--json` prints: seconds per run, memory in bytes, weights apart, ops in place, steps per engine, how often
    GRU primitives were found; with `--profile`, what each step took."""
    compiled = program.latest
    profile = [step._asdict() for step in compiled.runner.profile()]
    return {
        "seconds": seconds,
        **compiled.memory.as_dict(),
        "engines": dict(compiled.engines),
        "threads": compiled.runner.threads,
        "gru_primitives": program.weights.gru_primitives._asdict(),
        **({"profile": profile} if profile else {}),
        "onednn": ".".join(map(str, onednn_version())),
    }


if __name__ == "__main__":
    sys.exit(main())
