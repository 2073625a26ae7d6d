"""docs/ops.md is generated from the classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastuse.tools.docs import main, op_table
from support import ROOT


def test_committed_table_is_the_generated_one() -> None:
    assert (ROOT / "docs" / "ops.md").read_text() == op_table(), "run `python -m lastuse.tools.docs`"


def test_check_reports_a_stale_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ops.md"
    assert main(["--check", str(path)]) == 1
    assert "is not what" in capsys.readouterr().err
    assert main([str(path)]) == 0
    assert main(["--check", str(path)]) == 0
    assert path.read_text() == op_table()
