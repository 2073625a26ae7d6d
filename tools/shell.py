"""What the commands share towards the shell: how they read their command line, and how they end."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable
from typing import NoReturn


class ArgumentParser(argparse.ArgumentParser):
    """argparse, but a mistake is one line: the usage of a tool with a hundred passes would hide it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {' '.join(message.split())} (see {self.prog} --help)\n")


def guarded(work: Callable[[], int]) -> int:
    """Runs a tool's work: the exit status, also when the reader of its output has gone or the user interrupts it."""
    # A module is one large cycle that lives until the end: looking for garbage in it time and again finds none.
    gc.set_threshold(100_000, 20, 100)
    try:
        return work()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except BrokenPipeError:
        # Python would complain again when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
