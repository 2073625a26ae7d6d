"""`run-tool` with saved programs, and what is shown on a terminal while something takes long."""

from __future__ import annotations

import io
import time
from pathlib import Path

import numpy as np
import pytest

import lastuse
from lastuse.compiler import progress
from lastuse.compiler.progress import show_progress
from lastuse.runtime.stage_timer import Stages
from support import Done, call

MODEL = """
func.func @main(%x: tensor<?x4xf32> {dnn.name = "x"}) -> (tensor<?x4xf32> {dnn.name = "y"}) {
  %y = "dnn.softmax"(%x) {axis = -1 : i64} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
"""


def run_tool(*arguments: str) -> Done:
    return call(["run-tool", *arguments])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "m.mlir").write_text(MODEL)
    np.savez(tmp_path / "in.npz", x=np.arange(12, dtype=np.float32).reshape(3, 4))
    done = run_tool(
        *(str(tmp_path / "m.mlir"), "--inputs", str(tmp_path / "in.npz")),
        *("--outputs", str(tmp_path / "want.npz"), "--save", str(tmp_path / "m.lastuse")),
    )
    assert done.status == 0, done.err
    return tmp_path / "m.lastuse"


def test_saved_program_runs(saved: Path) -> None:
    folder = saved.parent
    done = run_tool(
        str(saved), "--inputs", str(folder / "in.npz"), "--outputs", str(folder / "got.npz"), "--threads", "1"
    )
    assert (done.status, done.err) == (0, "")
    np.testing.assert_array_equal(np.load(folder / "got.npz")["y"], np.load(folder / "want.npz")["y"])
    profiled = run_tool(str(saved), "--inputs", str(folder / "in.npz"), "--profile")
    assert profiled.status == 0 and "saved program" in profiled.out and "onednn.call dnn.softmax" in profiled.out


def test_damaged_program_is_one_line(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[:-9])
    done = run_tool(str(saved), "--inputs", str(saved.parent / "in.npz"))
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert done.err.startswith(f"{saved}:1:1: error: is no ")


def test_options_of_compiling_are_refused(saved: Path) -> None:
    done = run_tool(str(saved), "--inputs", str(saved.parent / "in.npz"), "--no-plan", "--types", "bf16")
    assert done.status == 1
    assert done.err == f"{saved}:1:1: error: is compiled already: --types, --no-plan have no effect on it\n"


def test_limit_of_a_saved_program(saved: Path) -> None:
    done = run_tool(str(saved), "--inputs", str(saved.parent / "in.npz"), "--limit", "1MiB")
    assert done.status == 0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    lastuse.compile(MODEL.encode(), inputs=(3, 4))
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("is_terminal", "wanted"), [(True, None), (False, None), (False, True), (True, False)])
def test_stages_are_shown(monkeypatch: pytest.MonkeyPatch, is_terminal: bool, wanted: bool | None) -> None:
    shown = is_terminal if wanted is None else wanted
    monkeypatch.setenv("TERM", "xterm")
    from rich import console, status  # loaded here, so that the first stage is not over when it is shown

    assert console and status
    monkeypatch.setattr(progress, "DELAY", 0.01)
    stream = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("FORCE_COLOR", "1")
    stages = Stages()
    with show_progress(stages, "compiling [m]", wanted), show_progress(stages, "another", wanted):
        with stages.stage("first"):
            time.sleep(0.3)
        with stages.stage("second"), stages.stage("inner"):
            time.sleep(0.3)
    text = stream.getvalue()
    assert ("compiling [m]: first" in text and "compiling [m]: inner" in text) == shown
    assert "another" not in text and stages.listener is None
    if not shown:
        assert text == ""


def test_display_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.01)
    monkeypatch.setattr("sys.stderr", Terminal())
    stages = Stages()
    with pytest.raises(KeyError), show_progress(stages, "task"), stages.stage("one"):
        time.sleep(0.05)
        raise KeyError
    assert stages.current is None and stages.listener is None
