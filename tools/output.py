"""Output of the tools: a file, whole or not at all, or standard output."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import IO

from lastuse.dialect.ir.files import write_whole
from lastuse.tools.streams import STREAM, write_stdout


def write_output(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """
    What `write` writes, at `path` as `write_whole` puts it there; `-` is standard output.

    Raises:
        LastuseError: the file cannot be written.
        OutputError: standard output cannot be written.
    """
    if path != STREAM:
        write_whole(path, write)
        return
    whole = io.BytesIO()
    write(whole)
    write_stdout(whole.getvalue())


def write_text(path: str | Path, text: str) -> None:
    """`text` in UTF-8 at `path`. Raises as `write_output` does."""
    write_output(path, lambda file: file.write(text.encode("utf-8")))
