"""By how much the heap of a process grows in a run of lastuse, counted from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT, shared

sys.path.insert(0, str(ROOT / "bench"))

import peers


def built_ruler(folders: pytest.TempPathFactory) -> Path:
    """The library that counts the heap; skips the test without ../shared."""
    shared()
    return peers.memruler(folders.mktemp("ruler"))


def activation_bytes(engines: Path, model: Path, inputs: Path, ruler: Path) -> int:
    """What `engine_process.py` measures of lastuse on one thread.

    Args:
        engines: the file whose `ENGINES` has it.
        model: the file of the model.
        inputs: an npz file, as that engine wants it.
        ruler: of `built_ruler`.
    """
    done = subprocess.run(
        [sys.executable, peers.CHILD, engines, peers.OURS, model, inputs, "1"],
        input="heap\n",
        env={**os.environ, "LD_PRELOAD": str(ruler), "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])["activations"]
