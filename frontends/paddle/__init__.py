"""
Paddle inference folders (1.x and 2.x before PIR) to modules of dnn ops.

`read` takes a folder with the serialized program (`__model__`, or one `.pdmodel` file) and its parameters (one file
each, or all in one file). What comes out is `func.func @main`:

* an argument per model input, named by `dnn.name`; for a ragged input `words` one more, `words.lod`, with the
  cumulative lengths of its sequences (i64 [sequences + 1]), which the ops along sequences take as an operand;
* parameters as `dnn.constant`, their arrays beside the module (`lastuse.dialect.ir.resources`);
* results named by `dnn.name`; on every op `dnn.names`, what the source model calls its results. A value the source has
  no name for is called `<result>/<what it is>`.

Locations name the program file; the line is the op's number in the program, counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.frontends.paddle import elementwise_ops, sequences, shapes, tensor_ops
from lastuse.frontends.paddle.builder import PaddleBuilder
from lastuse.frontends.paddle.params import read_parameters
from lastuse.frontends.paddle.proto import PaddleOp, PaddleProgram, fail, read_program

__all__ = ["HANDLERS", "read"]

HANDLERS = elementwise_ops.HANDLERS | shapes.HANDLERS | tensor_ops.HANDLERS | sequences.HANDLERS
"""The conversion of each Paddle op there is one for, by its type. An op's scratch outputs have no value here."""

_PROGRAM_NAMES = ("__model__", "model.pdmodel", "inference.pdmodel")
_INPUT, _OUTPUT = "feed", "fetch"


def read(ctx: Context, path: str | Path) -> ModuleOp:
    """
    The model in the folder `path`, or whose program is the file `path`, as a module. It needs nothing of the context.

    Raises:
        LastuseError: names the file and what is wrong with it, or all ops that are not supported at once.
    """
    program = read_program(_program_file(Path(path)))
    _refuse_unsupported(program)
    parameters = read_parameters(program.file, [v for v in program.vars.values() if v.persistable and v.tensor])
    feeds = _by_column(program, _INPUT, lambda op: op.outputs.get("Out", []))
    fetches = _by_column(program, _OUTPUT, lambda op: op.inputs.get("X", []))
    builder = PaddleBuilder(program, parameters, [op.outputs["Out"][0] for op in feeds])
    for op in program.ops:
        if op.type not in (_INPUT, _OUTPUT):
            builder.convert(op, HANDLERS[op.type])
    return builder.finish_at(fetches)


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
    for op in program.ops:
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
    if type_ == _OUTPUT and not ops:
        fail(program.file, "the program has no outputs (no fetch op)")
    return ops
