"""Programs of prepared oneDNN primitives: what the compiler hands its lowered modules to.

The package loads the core, and OpenMP with it, so that OpenMP's threads do not stay awake for long.

Where GNU's OpenMP finds no setting, its threads spin for milliseconds after each parallel loop. Meanwhile they take
cores from other threads of the process: those of the user, and the core's own where several programs run at once. A
tenth of a millisecond is enough for the next step's loop. OpenMP reads its settings once, when it is loaded; where
that was before, they stay as they are.
"""

from __future__ import annotations

import os
from importlib import import_module

SPINS = "GOMP_SPINCOUNT"
ROUNDS = "4000"
"""Each takes 25 to 40 nanoseconds."""


def _load() -> None:
    if SPINS in os.environ or "OMP_WAIT_POLICY" in os.environ:
        import_module("._core", __package__)
        return
    os.environ[SPINS] = ROUNDS
    try:
        import_module("._core", __package__)
    finally:
        del os.environ[SPINS]


_load()
