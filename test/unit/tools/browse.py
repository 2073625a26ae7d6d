"""Pictures in a browser: one headless run of chromium loads them all and tells what it sees."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PROBE = Path(__file__).with_name("browse.js")


def browser() -> str:
    """The program; the test is skipped where there is none (.ci/run counts that as a failure)."""
    found = next((path for name in NAMES if (path := shutil.which(name)) is not None), None)
    if found is None:
        pytest.skip("no browser: on Debian, apt install chromium")
    return found


def seen(pictures: Sequence[tuple[str, str]], folder: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """
    What the browser sees of each picture, and what its console said.

    Args:
        pictures: kind, `svg` or `html`, and text of each.
        folder: where a page may be written.
    """
    data = json.dumps([{"kind": kind, "text": text} for kind, text in pictures]).replace("<", "\\u003c")
    page = folder / "probe.html"
    script = PROBE.read_text()
    page.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><body style="margin:0">'
        f'<script type="application/json" id="given">{data}</script><script>{script}</script>'
    )
    quiet = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--user-data-dir={folder / 'user'}",
    )
    loud = ("--enable-logging=stderr", "--window-size=1700,1000", "--virtual-time-budget=20000", "--dump-dom")
    done = subprocess.run(
        [browser(), *quiet, *loud, page.as_uri()], capture_output=True, text=True, timeout=120, check=False
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found is not None, f"the browser told nothing\n{done.stderr[-2000:]}"
    return json.loads(unescape(found[1])), re.findall(r"CONSOLE.*", done.stderr)
