"""The order of ops through the compiler and run-tool."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.tools.run_tool import main

# On oneDNN a matmul takes scratch on some machines and none on others.
TEXT = """
func.func @main(%x: T) -> T {
  %a = "dnn.exp"(%x) : (T) -> T
  %b = "dnn.concat"(%x, %x, %x, %x) {axis = 0 : i64} : (T, T, T, T) -> tensor<16x4xf32>
  %s = "dnn.slice"(%b) {dim = 0 : i64, start = 4 : i64, end = 8 : i64} : (tensor<16x4xf32>) -> T
  %c = "dnn.tanh"(%s) : (T) -> T
  %d = "dnn.add"(%c, %s) : (T, T) -> T
  %y = "dnn.matmul"(%a, %d) {dnn.engine = "cpu"} : (T, T) -> T
  func.return %y : T
}
""".replace("T", "tensor<4x4xf32>")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT)
    return path


def test_another_order_gives_the_same_bits_in_a_smaller_arena(model: Path) -> None:
    ctx = context()
    ctx.wants_remarks = True
    ordered, given = (lastuse.compile(model, fuse=False, **options) for options in ({"ctx": ctx}, {"schedule": False}))
    assert (ordered.memory.arena_bytes, given.memory.arena_bytes) == (320, 384)
    x = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)
    assert np.array_equal(ordered(x), given(x))
    said = [remark.message for remark in ctx.remarks]
    assert "ops are moved: the arena has 320 bytes, in the order they had 384" in said
    assert any("the order 64: 320 are left" in text for text in said)


def test_compile_without_plan_or_in_place_gives_the_same_bits(model: Path) -> None:
    x = np.ones((4, 4), np.float32)
    results = [
        lastuse.compile(model, plan=plan, inplace=inplace)(x) for plan in (True, False) for inplace in (True, False)
    ]
    assert all(np.array_equal(results[0], other) for other in results)


@pytest.mark.parametrize(("flags", "arena"), [([], 320), (["--no-schedule"], 384)])
def test_run_tool_reports_the_arena(
    model: Path, flags: list[str], arena: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(model), "--json", "--no-fuse", *flags]) == 0
    assert json.loads(capsys.readouterr().out)["arena_bytes"] == arena
