"""Which front end reads a model: by its name, or whether it is a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.frontends.bindings import Bindings, bind

FOLDER = ""
TEXT, ONNX = ".mlir", ".onnx"
MAGIC_BYTES = 64
"""Bytes at the beginning that tell a kind of file: text has no control character among them."""
BYTES = "<bytes>"
"""What locations call a model that came as bytes."""
FRONT_ENDS = {
    FOLDER: "lastuse.frontends.paddle",
    TEXT: "lastuse.frontends.text.mlir_parser",
    ONNX: "lastuse.frontends.onnx",
}
"""The module that reads a model, by what its path ends in or `FOLDER`. Its `read(ctx, path)` gives the `ModuleOp`, not
verified, and raises LastuseError with a location where the model is wrong; `read_bytes(ctx, data, name)` reads the
bytes of a file. It is imported when it is needed. Where it has `READS_BINDINGS` both take `Bindings` as one more
argument; else inputs are bound in the module that it gives."""


def load(ctx: Context, path: str | Path, bindings: Bindings | None = None) -> ModuleOp:
    """
    The module at `path`: a file of textual IR, an ONNX model, or a Paddle model folder. Not yet verified.

    Raises:
        NeedsValuesError: the model cannot be read before more is bound.
        LastuseError: there is nothing there, it is of no kind we know, or it is wrong.
    """
    return reader(path)(ctx, bindings or Bindings())


def kind_of(data: bytes) -> str:
    """What the path of a file with these bytes would end in: ONNX models begin with control characters."""
    is_text = not any(byte < ord(" ") and chr(byte) not in "\t\n\r\f\v" for byte in data[:MAGIC_BYTES])
    return TEXT if is_text else ONNX


def reader(model: str | Path | bytes) -> Callable[[Context, Bindings], ModuleOp]:
    """
    The front end for the model at a path, or for the bytes of a file, loaded: protobuf takes longer than reading text,
    which does not need it.

    Raises:
        LastuseError: there is nothing there, or it is of no kind we know.
    """
    if isinstance(model, bytes | bytearray | memoryview):
        data = bytes(model)
        if not data:
            raise LastuseError("no bytes: a model is wanted", Location(BYTES))
        front_end = import_module(FRONT_ENDS[kind_of(data)])
        return partial(_read, front_end, front_end.read_bytes, (data, BYTES))
    if not isinstance(model, str) and not hasattr(model, "__fspath__"):
        hint = "; SerializeToString() gives its bytes" if hasattr(model, "SerializeToString") else ""
        kind = type(model).__name__
        raise LastuseError(f"a model is a path, the bytes of a file, or a module, not {kind}{hint}")
    name, is_folder = str(model), os.path.isdir(model)
    if not os.path.exists(model):
        raise LastuseError("no such file or folder", Location(name))
    kinds = [kind for kind in FRONT_ENDS if (is_folder if kind == FOLDER else not is_folder and name.endswith(kind))]
    if not kinds:
        endings = " or ".join(kind for kind in FRONT_ENDS if kind != FOLDER)
        raise LastuseError(f"not a model: neither a folder nor a file that ends in {endings}", Location(name))
    front_end = import_module(FRONT_ENDS[kinds[0]])
    return partial(_read, front_end, front_end.read, (model,))


def _read(
    front_end: ModuleType, read: Callable[..., ModuleOp], source: tuple[object, ...], ctx: Context, bindings: Bindings
) -> ModuleOp:
    if hasattr(front_end, "READS_BINDINGS"):
        return read(ctx, *source, bindings)
    module = read(ctx, *source)
    if bindings:
        bind(module, bindings)
    return module
