"""When the process began to load the package: what that took is a stage of a command's start."""

from __future__ import annotations

from time import perf_counter

STARTED = perf_counter()
