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
FRONT_ENDS = {
    FOLDER: "lastuse.frontends.paddle",
    ".mlir": "lastuse.frontends.text.mlir_parser",
}
"""The module that reads a model, by what its path ends in or `FOLDER`. Its `read(ctx, path)` gives the `ModuleOp`, not
verified, and raises LastuseError with a location where the model is wrong. It is imported when it is needed."""


def load(ctx: Context, path: str | Path) -> ModuleOp:
    """
    The module at `path`: a file of textual IR, or a Paddle model folder. Not yet verified.

    Raises:
        LastuseError: there is nothing there, it is of no kind we know, or it is wrong.
    """
    return reader(path)(ctx)


def reader(path: str | Path) -> Callable[[Context], ModuleOp]:
    """
    The front end for the model at `path`, loaded: protobuf takes longer than reading, and only Paddle needs it.

    Raises:
        LastuseError: there is nothing there, or it is of no kind we know.
    """
    name, is_folder = str(path), os.path.isdir(path)
    if not os.path.exists(path):
        raise LastuseError("no such file or folder", Location(name))
    kinds = [kind for kind in FRONT_ENDS if (is_folder if kind == FOLDER else not is_folder and name.endswith(kind))]
    if not kinds:
        endings = " or ".join(kind for kind in FRONT_ENDS if kind != FOLDER)
        raise LastuseError(f"not a model: neither a folder nor a file that ends in {endings}", Location(name))
    front_end = import_module(FRONT_ENDS[kinds[0]])
    return lambda ctx: front_end.read(ctx, path)
