"""What the commands share towards the shell: how they read their command line, and how they end."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import lastuse
from lastuse.tools.streams import OutputError, write_stdout


class ArgumentParser(argparse.ArgumentParser):
    """argparse, but a mistake is one line: the usage of a tool with a hundred passes would hide it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {' '.join(message.split())} (see {self.prog} --help)\n")

    def add_remarks(self, help: str) -> None:
        """`--remarks`, `--remarks=json`; `separate_remarks` prepares the words that are parsed."""
        self.add_argument("--remarks", nargs="?", const="text", choices=["text", "json"], help=help)

    def add_version(self, *flags: str, uses: Callable[[], list[str]] = list) -> None:
        """`--version`: the tool, the package and, after it, what `uses` says when asked."""

        def text() -> str:
            return ", ".join([f"{self.prog} (lastuse) {lastuse.__version__}", *uses()]) + "\n"

        self.add_text(*flags, "--version", text=text, help="print the version")

    def add_text(self, *flags: str, text: Callable[[], str], help: str) -> None:
        """Flags that print a text, which is made when they are met, and end the tool."""
        self.add_argument(*flags, action=_Print, nargs=0, const=text, help=help)


class _Print(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        write_stdout(self.const())
        parser.exit()


def separate_remarks(words: Sequence[str]) -> list[str]:
    """A command line in which `--remarks` does not take the input file that follows it for its value."""
    return ["--remarks=text" if word == "--remarks" else word for word in words]


def guarded(prog: str, work: Callable[[], int]) -> int:
    """Runs a tool's work: the exit status, also when standard output is full, closed, or a pipe that nothing reads any
    more, and when the user interrupts it."""
    # A module is one large cycle that lives until the end: looking for garbage in it time and again finds none.
    gc.set_threshold(100_000, 20, 100)
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison] - closed before Python started
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open to the end, as it is
    try:
        try:
            status = work()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison]
            write_stdout("")  # flushes what argparse and others printed
        return status
    except BrokenPipeError:
        _discard_output()
        return 1
    except OutputError as error:
        _discard_output()
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{prog}: error: standard output cannot be written: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _discard_output() -> None:
    """What is still buffered goes nowhere: Python would complain again when it flushes it at exit."""
    if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison]
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
