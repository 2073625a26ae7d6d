"""How long OpenMP's threads stay awake."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SHOW = "import os, lastuse.runtime; print(sorted(n for n in os.environ if n in ('GOMP_SPINCOUNT', 'OMP_WAIT_POLICY')))"


@pytest.mark.parametrize(
    ("given", "spins", "left"),
    [
        ({}, "GOMP_SPINCOUNT = '4000'", "[]"),
        ({"GOMP_SPINCOUNT": "77"}, "GOMP_SPINCOUNT = '77'", "['GOMP_SPINCOUNT']"),
        ({"OMP_WAIT_POLICY": "passive"}, "GOMP_SPINCOUNT = '0'", "['OMP_WAIT_POLICY']"),
    ],
)
def test_openmp_spins_briefly_unless_the_environment_says_otherwise(
    given: dict[str, str], spins: str, left: str
) -> None:
    """Child processes do not inherit the setting."""
    env = {k: v for k, v in os.environ.items() if k not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**env, **given, "OMP_DISPLAY_ENV": "verbose"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == left
    assert spins in done.stderr
