"""The corpus of five systems' cases, through its own runner: what the first seed decides, and what is best."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import shared

RUNS = {
    "the seed's own decisions": ["paddle_onednn_inplace"],
    "the best count": ["--best", "paddle_onednn_inplace", "torch_fx_reinplace", "nntrainer_inplace"],
}


@pytest.mark.parametrize("name", RUNS)
def test_every_case_passes(name: str, tmp_path: Path) -> None:
    tool = tmp_path / "opt-tool"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lastuse.tools.opt_tool "$@"\n')
    tool.chmod(0o755)
    command = [sys.executable, str(shared() / "cases" / "runner.py"), "--tool", str(tool), *RUNS[name]]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False
    )
    last = done.stdout.rstrip().splitlines()[-1:]
    assert done.returncode == 0 and last and last[0].endswith(", 0 failed"), done.stdout + done.stderr
