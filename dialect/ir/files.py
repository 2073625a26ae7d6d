"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

from lastuse.dialect.ir.diagnostics import LastuseError, Location


def write_whole(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """
    Lets `write` fill a new file and puts it at `path` when it is complete; a file that was there before stays until
    then, and stays if `write` raises. Links are followed. What is not a regular file, such as /dev/null or a pipe,
    cannot be replaced and is written directly.

    Raises:
        LastuseError: the file cannot be written.
    """
    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as file:
                write(file)
            return
        # In the same folder, because a rename is one step only within a file system.
        temporary = f"{target}.{os.urandom(4).hex()}.tmp"
        mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                write(file)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise LastuseError(f"cannot be written: {error.strerror or error}", Location(str(path))) from error
