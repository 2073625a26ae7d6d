"""One plan for every number of units: nothing is planned anew, and what runs is right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lastuse
from lastuse import compiler
from lastuse.dialect import decisions
from lastuse.passes.memory_plan import MemoryPlanPass

TEXT = """func.func @main(%x: tensor<?x{row}xf32> {{dnn.name = "x"}}) -> (tensor<?x{row}xf32> {{dnn.name = "y"}}) {{
  %a = "dnn.exp"(%x) : (tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %b = "dnn.relu"(%a) : (tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %c = "dnn.softmax"(%a) {{axis = -1 : i64}} : (tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %d = "dnn.mul"(%b, %c) : (tensor<?x{row}xf32>, tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %y = "dnn.add"(%d, %x) : (tensor<?x{row}xf32>, tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  func.return %y : tensor<?x{row}xf32>
}}
"""


def program(folder: Path, row: int, **options: bool) -> lastuse.Program:
    path = folder / "model.mlir"
    path.write_text(TEXT.format(row=row))
    return lastuse.compile(path, kept_sizes=2, **options)


def expected(x: np.ndarray) -> np.ndarray:
    a = np.exp(x)
    e = np.exp(a - a.max(axis=-1, keepdims=True)) if a.size else a
    return np.maximum(a, 0) * (e / e.sum(axis=-1, keepdims=True)) + x


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """An entry for each time that a module is planned."""
    calls: list[bool] = []
    apply = MemoryPlanPass.apply

    def counted(self: MemoryPlanPass, ctx: object, op: object) -> None:
        calls.append(True)
        apply(self, ctx, op)  # pyright: ignore

    monkeypatch.setattr(MemoryPlanPass, "apply", counted)
    return calls


@pytest.mark.parametrize("inplace", [True, False])
def test_further_sizes_plan_nothing(tmp_path: Path, planned: list[bool], inplace: bool) -> None:
    found = program(tmp_path, 16, inplace=inplace)
    rng = np.random.default_rng(0)
    for time, count in enumerate((3, 7, 1, 0, 40, 11, 3)):
        planned.clear()
        x = rng.standard_normal((count, 16)).astype(np.float32)
        np.testing.assert_allclose(found(x), expected(x), rtol=1e-5, atol=1e-6)
        assert time < 2 or not planned, "the first number, and then the unit, are planned"
        assert found.memory.arena_bytes == found.memory.live_peak_bytes
        alone = program(tmp_path, 16, inplace=inplace).specialized({"x": count}).memory
        assert found.memory.arena_bytes == alone.arena_bytes
    attributes = compiler.main_function(found.latest.module).attributes
    assert decisions.UNIT not in attributes and decisions.ARENA_BYTES in attributes


def test_where_units_would_take_more_every_size_has_a_plan(tmp_path: Path, planned: list[bool]) -> None:
    found = program(tmp_path, 4)
    for count in (3, 7, 1):
        planned.clear()
        x = np.ones((count, 4), np.float32)
        np.testing.assert_allclose(found(x), expected(x), rtol=1e-5, atol=1e-6)
        assert planned
