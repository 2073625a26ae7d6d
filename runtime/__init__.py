"""Programs of prepared oneDNN primitives: what the compiler hands its lowered modules to.

The package loads the core, and OpenMP with it, so that OpenMP's threads do not stay awake for long.

Where GNU's OpenMP finds no setting, its threads spin for milliseconds after each parallel loop. The core has threads of
its own for what is ragged, on the same cores: on two cores, LAC ran slower with two threads than with one. A tenth of a
millisecond is enough for the next step's loop, and as long as the core's own threads wait awake. OpenMP reads its
settings once, when it is loaded; where that was before, they stay as they are.
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
