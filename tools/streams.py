"""Standard input and output as files: what `-` means to every tool."""

from __future__ import annotations

import errno
import io
import os
import sys

from lastuse.dialect.ir.diagnostics import LastuseError, Location

STREAM = "-"
"""The name of standard input where a tool reads, of standard output where it writes."""
STDIN = "<stdin>"
STDOUT = "<stdout>"


class OutputError(Exception):
    """Standard output cannot be written: the device is full, or the stream is closed."""


def read_bytes(path: str, limit: int = -1) -> bytes:
    """The bytes of a file or of `STDIN`, `limit` at most. Raises LastuseError."""
    try:
        if path != STDIN:
            with open(path, "rb") as file:
                return file.read(limit)
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - closed before Python started
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return sys.stdin.buffer.read(limit)
    except OSError as error:
        raise LastuseError(f"cannot be read: {error.strerror or error}", Location(path)) from error


def read_stdin_text() -> str:
    """Standard input as MLIR text; raises LastuseError where it is too long or not UTF-8."""
    from lastuse.frontends.text import mlir_parser

    return mlir_parser.decode(read_bytes(STDIN, mlir_parser.MAX_TEXT_BYTES + 1), STDIN)


def is_terminal() -> bool:
    """A person reads standard output."""
    return sys.stdout is not None and sys.stdout.isatty()  # pyright: ignore[reportUnnecessaryComparison]


def print_line(line: str) -> None:
    """A line on standard output. Raises as `write_stdout` does."""
    write_stdout(f"{line}\n")


def write_stdout(data: str | bytes) -> None:
    """
    Writes text or bytes to standard output.

    Raises:
        OutputError: they cannot be written.
        BrokenPipeError: the reader has gone.
    """
    try:
        if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - closed before Python started
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if isinstance(data, bytes):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        else:
            # A console of few characters shows the others as escapes.
            encoding = sys.stdout.encoding or "utf-8"
            sys.stdout.write(data.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, io.UnsupportedOperation) as error:
        raise OutputError(error.strerror or str(error)) from error
