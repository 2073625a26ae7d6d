"""The first seed's decisions on its cases, through the corpus' own runner and the command itself; test/unit/strategies
has every system's, and what is best."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support import shared


def test_every_case_passes(tmp_path: Path) -> None:
    tool = tmp_path / "opt-tool"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lastuse.tools.opt_tool "$@"\n')
    tool.chmod(0o755)
    command = [sys.executable, str(shared() / "cases" / "runner.py"), "--tool", str(tool), "paddle_onednn_inplace"]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False
    )
    last = done.stdout.rstrip().splitlines()[-1:]
    assert done.returncode == 0 and last and last[0].endswith(", 0 failed"), done.stdout + done.stderr
