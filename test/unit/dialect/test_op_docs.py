"""docs/ops.md is generated from the classes, and the example of docs/adding-an-op.md works."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.storage.contract import contract_of
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


def test_op_of_the_guide_works() -> None:
    page = (ROOT / "docs" / "adding-an-op.md").read_text()
    (source,) = re.findall(r"```python\n# dialect/dnn/squares\.py\n(.*?)```", page, re.DOTALL)
    module = types.ModuleType("lastuse.dialect.dnn.squares")
    module.__package__ = "lastuse.dialect.dnn"
    sys.modules[module.__name__] = module  # annotations are looked up there
    try:
        exec(compile(source, "squares.py", "exec"), vars(module))
        cls: type[DnnOp] = vars(module)["SquaredDifferenceOp"]
        op = example_of(cls)
        assert [(o.operand, o.allow_same_operand) for o in contract_of(op).over] == [(0, True), (1, True)]
        a, b = np.array([[1, 2, 3], [4, 5, 6]], np.float32), np.array([1, 1, 2], np.float32)
        want = np.array([[0, 1, 1], [9, 16, 16]], np.float32)
        assert np.array_equal(op.reference(a, b)[0], want)
        op.kernel([a, b], [a], np.empty(0, np.uint8))
        assert np.array_equal(a, want)
    finally:
        del sys.modules[module.__name__]
