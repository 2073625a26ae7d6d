"""What is going on, on the terminal, while something takes longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from lastuse.runtime.stage_timer import Stages

if TYPE_CHECKING:
    from rich.status import Status

DELAY = 1.0
"""Seconds before anything is shown."""


@contextmanager
def show_progress(stages: Stages, task: str, wanted: bool | None = None) -> Generator[None]:
    """
    Shows the task and its present stage on standard error from the first second on, as long as the block takes.

    Args:
        stages: tell what is done.
        wanted: None where standard error is a terminal.
    """
    if stages.listener is not None or not (sys.stderr.isatty() if wanted is None else wanted):
        yield
        return
    display = _Display(stages, task)
    try:
        yield
    finally:
        display.stop()


class _Display:
    """A line that appears after a while, and goes when it is stopped."""

    def __init__(self, stages: Stages, task: str) -> None:
        self._stages, self._task = stages, task
        self._status: Status | None = None
        self._is_over = False
        self._lock = Lock()
        stages.listener = self._change
        self._timer = Timer(DELAY, self._show)
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        """Clears the line."""
        self._stages.listener = None
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._status is not None:
                self._status.stop()

    def _show(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._is_over:
                self._status = Console(stderr=True).status(self._text(self._stages.current))
                self._status.start()

    def _change(self, stage: str | None) -> None:
        with self._lock:
            if self._status is not None:
                self._status.update(self._text(stage))

    def _text(self, stage: str | None) -> str:
        from rich.markup import escape

        return escape(f"{self._task}: {stage}" if stage else self._task)
