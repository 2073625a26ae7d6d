"""Garbage collection while compiling: modules are many small objects, and walking them all gains nothing then."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_paused: list[bool] = []
"""For each block that is open, whether collection was on before the first of them."""


@contextmanager
def paused_collection() -> Generator[None, None, None]:
    """Inside, cycles of objects are not looked for; afterwards they are, if they were before.

    Blocks may nest, and be open in several threads: the last one to end brings collection back.
    """
    with _lock:
        _paused.append(_paused[0] if _paused else gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _paused.pop() and not _paused:
                gc.enable()
