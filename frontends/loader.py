"""A model in any form we read, to a module: textual IR, or a folder with a Paddle inference model."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.ir.diagnostics import LastuseError, Location

FOLDER = ""
TEXT = ".mlir"
MAGIC_BYTES = 64
"""Bytes at the beginning that tell a kind of file: text has no control character among them."""
BYTES = "<bytes>"
"""What locations call a model that came as bytes."""
FRONT_ENDS = {
    FOLDER: "lastuse.frontends.paddle",
    TEXT: "lastuse.frontends.text.mlir_parser",
}
"""The module that reads a model, by what its path ends in or `FOLDER`. Its `read(ctx, path)` gives the `ModuleOp`, not
verified, and raises LastuseError with a location where the model is wrong; `read_bytes(ctx, data, name)` reads the
bytes of a file. It is imported when it is needed."""


def load(ctx: Context, path: str | Path) -> ModuleOp:
    """
    The module at `path`: a file of textual IR, or a Paddle model folder. Not yet verified.

    Raises:
        LastuseError: there is nothing there, it is of no kind we know, or it is wrong.
    """
    return reader(path)(ctx)


def kind_of(data: bytes) -> str:
    """
    What the path of a file with these bytes would end in.

    Raises:
        LastuseError: it is of no kind we know.
    """
    if not any(byte < ord(" ") and chr(byte) not in "\t\n\r\f\v" for byte in data[:MAGIC_BYTES]):
        return TEXT
    raise LastuseError("not a model: these bytes are no textual IR", Location(BYTES))


def reader(model: str | Path | bytes) -> Callable[[Context], ModuleOp]:
    """
    The front end for the model at a path, or for the bytes of a file, loaded: protobuf takes longer than reading, and
    only Paddle needs it.

    Raises:
        LastuseError: there is nothing there, or it is of no kind we know.
    """
    if isinstance(model, bytes | bytearray | memoryview):
        data = bytes(model)
        of_bytes = import_module(FRONT_ENDS[kind_of(data)])
        return lambda ctx: of_bytes.read_bytes(ctx, data, BYTES)
    path = model
    name, is_folder = str(path), os.path.isdir(path)
    if not os.path.exists(path):
        raise LastuseError("no such file or folder", Location(name))
    kinds = [kind for kind in FRONT_ENDS if (is_folder if kind == FOLDER else not is_folder and name.endswith(kind))]
    if not kinds:
        endings = " or ".join(kind for kind in FRONT_ENDS if kind != FOLDER)
        raise LastuseError(f"not a model: neither a folder nor a file that ends in {endings}", Location(name))
    front_end = import_module(FRONT_ENDS[kinds[0]])
    return lambda ctx: front_end.read(ctx, path)
