"""
Paddle programs (1.x and 2.x before PIR), for inference or training, to modules of dnn ops.

`read` takes a folder with the serialized program (`__model__`, or one `.pdmodel` file) and its parameters (one file
each, or all in one file). What comes out is `func.func @main`:

* an argument per model input, named by `dnn.name`; for a ragged input `words` one more, `words.lod`, with the
  cumulative lengths of its sequences (i64 [sequences + 1]), which the ops along sequences take as an operand;
* parameters as `dnn.constant`, their arrays beside the module (`lastuse.dialect.ir.resources`); what the program
  updates (parameters, states of its optimizer, running statistics) and the learning rate as arguments that start from
  their arrays (`dnn.initial`), the updated values as results tied to them;
* results named by `dnn.name`; on every op `dnn.names`, what the source model calls its results. A value the source has
  no name for is called `<result>/<what it is>`.

Locations name the program file; the line is the op's number in the program, counted from 1: the ops of the main block,
then those of the blocks that `while` and `conditional_block` own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.frontends.bindings import Bindings, bind
from lastuse.frontends.paddle import gradient_ops, optimizer_ops, sequences, sub_blocks
from lastuse.frontends.paddle.builder import PaddleBuilder
from lastuse.frontends.paddle.params import read_parameters
from lastuse.frontends.paddle.proto import PaddleOp, PaddleProgram, Var, fail, read_program
from lastuse.frontends.paddle.tensor_ops import has_fixed_statistics

__all__ = ["HANDLERS", "READS_BINDINGS", "read"]

READS_BINDINGS = True
"""Gradients may need sizes of inputs."""

HANDLERS = (
    gradient_ops.FORWARD | sequences.HANDLERS | sub_blocks.HANDLERS | gradient_ops.HANDLERS | optimizer_ops.HANDLERS
)
"""The conversion of each Paddle op there is one for, by its type. An op's scratch outputs have no value here."""

_PROGRAM_NAMES = ("__model__", "model.pdmodel", "inference.pdmodel")
_INPUT, _OUTPUT = "feed", "fetch"
_LOSS = 256
"""The role (`op_role`) of the op that computes the loss of a training."""


def read(ctx: Context, path: str | Path, bindings: Bindings | None = None) -> ModuleOp:
    """
    The model in the folder `path`, or whose program is the file `path`, as a module. It needs nothing of the context.

    A program as it is trained has no feed and fetch ops: its inputs are then the variables that are read before they
    are written, its results the losses.

    Raises:
        NeedsValuesError: the gradient of an op needs sizes of inputs that are not bound.
        LastuseError: names the file and what is wrong with it, or all ops that are not supported at once.
    """
    bindings = bindings or Bindings()
    program = read_program(_program_file(Path(path)))
    _refuse_unsupported(program)
    persistable = [v for v in program.vars.values() if v.persistable and v.tensor]
    parameters = read_parameters(program.file, persistable)
    feeds = _by_column(program, _INPUT, lambda op: op.outputs.get("Out", []))
    names = [op.outputs["Out"][0] for op in feeds] or _read_first(program)
    sizes = {name: _bound_sizes(program, name, bindings) for name in names}
    results = _results(program)
    states = _states(program, persistable)
    builder = PaddleBuilder(program, parameters, HANDLERS, sizes, states, [name for name, _ in results])
    for op in program.ops:
        if op.type not in (_INPUT, _OUTPUT):
            builder.convert(op)
    module = builder.finish_at(results)
    if bindings:
        bind(module, Bindings(bindings.shapes, builder.unbound(bindings.sizes), bindings.values))
    return module


def _read_first(program: PaddleProgram) -> list[str]:
    """The variables that the program reads before it writes them, in the order of the program's variables."""
    written, first = set[str](), set[str]()
    for op in program.ops:
        first.update(name for names in op.inputs.values() for name in names if name not in written)
        written.update(name for names in op.outputs.values() for name in names)
    return [v.name for v in program.vars.values() if v.name in first and v.tensor and not v.persistable]


def _bound_sizes(program: PaddleProgram, name: str, bindings: Bindings) -> list[int]:
    """The sizes of an input, -1 where they are known neither in the program nor from what is bound."""
    var = program.vars.get(name)
    dims = list(var.tensor.dims) if var is not None and var.tensor is not None else []
    unknown = [axis for axis, size in enumerate(dims) if size < 0]
    shape = bindings.values[name].shape if name in bindings.values else bindings.shapes.get(name, ())
    for axis in unknown:
        symbol = f"{name}.{axis}" if len(unknown) > 1 else name
        dims[axis] = shape[axis] if len(shape) == len(dims) else bindings.sizes.get(symbol, -1)
    return dims


def _results(program: PaddleProgram) -> list[tuple[str, int]]:
    """The variables that are fetched, each with the number of the op that does; without such an op, the losses."""
    fetches = [(op.inputs["X"][0], op.index) for op in _by_column(program, _OUTPUT, lambda op: op.inputs.get("X", []))]
    losses = [(op.first_output, op.index) for op in program.ops if op.attrs.get("op_role") == _LOSS and op.outputs]
    if not fetches and not losses:
        fail(program.file, "the program has no outputs: no fetch op, and no op that computes the loss of a training")
    return fetches or losses


def _states(program: PaddleProgram, persistable: list[Var]) -> list[str]:
    """The parameters that the program writes, and its learning rates."""
    states: set[str] = set()
    for op in (op for block in program.blocks for op in block):
        states.update(op.inputs.get("LearningRate", []))
        kept = ("MeanOut", "VarianceOut") if op.type == "batch_norm" and _is_fixed(program, op) else ()
        states.update(name for slot, names in op.outputs.items() if slot not in kept for name in names)
    return [var.name for var in persistable if var.name in states]


def _is_fixed(program: PaddleProgram, op: PaddleOp) -> bool:
    try:
        return has_fixed_statistics(op)
    except ValueError as error:
        raise LastuseError(f"{op.type}: {error}", Location(str(program.file), op.index + 1)) from None


def _program_file(path: Path) -> Path:
    if path.is_file():
        return path
    for name in _PROGRAM_NAMES:
        if (path / name).is_file():
            return path / name
    try:
        others = sorted(path.glob("*.pdmodel"))
    except OSError as error:
        fail(path, f"cannot be read: {error.strerror}")
    if len(others) != 1:
        fail(path, f"is no Paddle model: it holds none of {', '.join(_PROGRAM_NAMES)}")
    return others[0]


def _refuse_unsupported(program: PaddleProgram) -> None:
    """Raises one error that lists every type of op there is no conversion for, with its count and first output."""
    unsupported: dict[str, list[PaddleOp]] = {}
    known = {*HANDLERS, _INPUT, _OUTPUT}
    for op in (op for block in program.blocks for op in block):
        if op.type not in known:
            unsupported.setdefault(op.type, []).append(op)
    if unsupported:
        kinds = [f"{type_ or '(no type)'} (x{len(ops)}, '{ops[0].first_output}')" for type_, ops in unsupported.items()]
        first = next(iter(unsupported.values()))[0]
        fail(program.file, f"unsupported ops: {', '.join(kinds)}", first.index + 1)


def _by_column(program: PaddleProgram, type_: str, variables: Callable[[PaddleOp], list[str]]) -> list[PaddleOp]:
    """The feed or fetch ops in the order of the inputs or outputs they stand for."""
    ops = [op for op in program.ops if op.type == type_]
    for op in ops:
        if len(variables(op)) != 1 or not isinstance(op.attrs.get("col", 0), int):
            fail(program.file, f"{type_} must name one variable and its column", op.index + 1)
    ops.sort(key=lambda op: op.attrs.get("col", 0))
    return ops
