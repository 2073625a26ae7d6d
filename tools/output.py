"""Output of the tools: a file, whole or not at all, or standard output."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from lastuse.dialect.ir import resources
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


def write_text(path: str | Path, text: str, arrays: Sequence[tuple[Path, resources.Store]] = ()) -> None:
    """`text` in UTF-8 at `path`, and files of arrays beside it, which are not there without the text: none beside a
    device or pipe. Raises as `write_output` does."""
    is_file = not os.path.exists(path) or os.path.isfile(path)

    def write(file: IO[bytes]) -> None:
        file.write(text.encode("utf-8"))
        file.flush()  # while the text can still fail
        for beside, store in arrays if is_file else ():
            resources.write_arrays(store, beside)

    write_output(path, write)
