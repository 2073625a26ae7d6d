"""A model in any form we read, to a module: textual IR, or a folder with a Paddle inference model."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.ir.diagnostics import LastuseError, Location

TEXT_SUFFIXES = (".mlir",)


def load(ctx: Context, path: str | Path) -> ModuleOp:
    """
    The module at `path`: a file of textual IR, or a Paddle model folder. Not yet verified.

    Raises:
        LastuseError: there is nothing there, it is of no kind we know, or it is wrong.
    """
    return reader(path)(ctx)


def reader(path: str | Path) -> Callable[[Context], ModuleOp]:
    """
    What reads the model at `path`, loaded: protobuf takes longer than reading, and only a Paddle model needs it.

    Raises:
        LastuseError: there is nothing there, or it is of no kind we know.
    """
    name = str(path)
    if os.path.isdir(path):
        from lastuse.frontends.paddle import read as read_paddle

        return lambda ctx: read_paddle(Path(path))
    if not os.path.exists(path):
        raise LastuseError("no such file or folder", Location(name))
    if not name.endswith(TEXT_SUFFIXES):
        raise LastuseError(
            f"not a model: neither a folder nor a file that ends in {' or '.join(TEXT_SUFFIXES)}", Location(name)
        )
    from lastuse.frontends.text.mlir_parser import read as read_text

    return lambda ctx: read_text(ctx, path)
