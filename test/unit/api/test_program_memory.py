"""The memory of a program, for sizes that ran and for others, the largest size within a limit, and remarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import lastuse
from lastuse.compiler import size_compiler as compiled
from lastuse.compiler.driver import context
from lastuse.compiler.program_memory import BYTES, largest_size
from lastuse.dialect.ir.diagnostics import RemarkKind

MIX = """
func.func @main(%x: tensor<?x4xf32> {dnn.name = "rows"}) -> (tensor<?x4xf32> {dnn.name = "shares"}) {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<4xf32>} : () -> tensor<4xf32>
  %a = "dnn.mul"(%x, %w) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %b = "dnn.relu"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = "dnn.softmax"(%b) {axis = -1 : i64} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = "dnn.mul"(%c, %b) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
"""
TWO = """
func.func @main(%x: tensor<?x?xf32> {dnn.donated, dnn.name = "x"}, %n: tensor<3xi64> {dnn.name = "n"})
    -> (tensor<?x?xf32> {dnn.name = "y"}, tensor<?x?xf32> {dnn.tied = 0 : i32}) {
  %a = "dnn.exp"(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = "dnn.softmax"(%a) {axis = -1 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = "dnn.add"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %b, %c : tensor<?x?xf32>, tensor<?x?xf32>
}
"""


@pytest.fixture
def mix(tmp_path: Path) -> Path:
    (tmp_path / "mix.mlir").write_text(MIX)
    return tmp_path / "mix.mlir"


def test_memory_of_a_program_is_that_of_its_runner(mix: Path) -> None:
    program = lastuse.compile(mix, threads=1)
    program(np.ones((8, 4), np.float32))
    memory, runner = program.memory, program.latest.runner.memory
    assert memory.arena_bytes == runner.arena + runner.scratch
    assert (memory.input_bytes, memory.result_bytes) == (128, runner.results) == (128, 128)
    assert (memory.weight_bytes, memory.packed_bytes) == (runner.constants, runner.packed)
    assert memory.total_bytes == runner.arena + runner.scratch + 128 + 128 + runner.constants + runner.packed
    assert memory.as_dict().keys() >= {*BYTES, "inplace_ops"}
    with pytest.raises(FrozenInstanceError):
        memory.arena_bytes = 0  # pyright: ignore[reportAttributeAccessIssue]


def test_tied_results_take_no_memory_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "two.mlir").write_text(TWO)
    program = lastuse.compile(tmp_path / "two.mlir", threads=1)
    program.run({"x": np.ones((5, 7), np.float32), "n": np.zeros(3, np.int64)})
    assert program.memory.result_bytes == program.latest.runner.memory.results == 140
    assert program.memory.input_bytes == 140 + 24


@pytest.mark.parametrize("rows", [0, 1, 8, 33, 1000])
@pytest.mark.parametrize("options", [{}, {"plan": False}, {"inplace": False}, {"schedule": False}])
def test_memory_for_is_the_memory_after_a_run(mix: Path, rows: int, options: dict[str, bool]) -> None:
    asked = lastuse.compile(mix, threads=1, **options).memory_for(rows=rows)  # pyright: ignore[reportArgumentType]
    program = lastuse.compile(mix, threads=1, **options)  # pyright: ignore[reportArgumentType]
    ran = program.specialized({"rows": rows}).memory
    assert asked == ran


def test_memory_for_after_other_sizes(mix: Path) -> None:
    program = lastuse.compile(mix, threads=1)
    for rows in (3, 700, 20, 5000):
        asked = program.memory_for(rows=rows)
        assert asked == program.specialized({"rows": rows}).memory


def test_memory_for_allocates_nothing(mix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = lastuse.compile(mix, threads=1)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a program is prepared")

    monkeypatch.setattr(compiled, "Executable", refuse)
    # Some terabytes.
    assert program.memory_for(rows=1 << 40).arena_bytes >= 1 << 44


def test_sizes_are_given_by_name_or_shape(mix: Path, tmp_path: Path) -> None:
    program = lastuse.compile(mix, threads=1)
    wanted = program.memory_for({"rows": 8})
    assert wanted == program.memory_for(sizes={"rows": 8}) == program.memory_for(rows=8)
    assert wanted == program.memory_for(rows=(8, 4)) == program.memory_for(rows=[8, 4])
    (tmp_path / "two.mlir").write_text(TWO)
    two = lastuse.compile(tmp_path / "two.mlir", threads=1)
    assert two.memory_for(x=(5, 7)) == two.memory_for(dict(zip(two.unknown_sizes, (5, 7), strict=True)))


WRONG: dict[str, tuple[dict[str, object], str]] = {
    "missing": ({}, "sizes are missing: rows"),
    "negative": ({"rows": -1}, "size rows is a number from 0 on, not -1"),
    "no number": ({"rows": "8"}, "size rows is a number from 0 on, not '8'"),
    "true": ({"rows": True}, "size rows is a number from 0 on, not True"),
    "unknown": ({"columns": 4}, "no unknown size is called 'columns'; there are rows"),
    "unknown shape": ({"columns": (4,)}, "no input of unknown sizes is called 'columns'; there are rows"),
    "another rank": ({"rows": (8,)}, "input rows has 2 axes, not 1"),
    "another size": ({"rows": (8, 5)}, "input rows has size 4 on axis 1, not 5"),
    "two": ({"sizes": {"rows": 8}, "rows": 9}, "size rows is 8 and 9"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_sizes_are_errors(mix: Path, name: str) -> None:
    given, message = WRONG[name]
    with pytest.raises(lastuse.LastuseError) as error:
        lastuse.compile(mix).memory_for(**given)  # pyright: ignore[reportArgumentType]
    assert error.value.message == message


@pytest.mark.parametrize("limit", ["64KiB", 65536, "1MiB", 100_000])
@pytest.mark.parametrize("of", ["arena_bytes", "total_bytes"])
def test_largest_size_within_a_limit(mix: Path, limit: int | str, of: str) -> None:
    program = lastuse.compile(mix, threads=1)
    found = program.largest("rows", limit=limit, of=of)
    nbytes = {"64KiB": 65536, "1MiB": 1 << 20}.get(str(limit), limit)
    assert getattr(program.memory_for(rows=found), of) <= int(nbytes)
    assert all(getattr(program.memory_for(rows=found + n), of) > int(nbytes) for n in range(1, 17))
    if of == "arena_bytes":
        assert program.specialized({"rows": found}).memory.arena_bytes <= int(nbytes)


def test_largest_value_of_one_of_two_sizes(tmp_path: Path) -> None:
    (tmp_path / "two.mlir").write_text(TWO)
    program = lastuse.compile(tmp_path / "two.mlir", threads=1)
    first, second = program.unknown_sizes
    found = program.largest(first, limit="1MiB", sizes={second: 16}, of="total_bytes")
    # Two arrays of 16 columns, and three numbers beside them.
    assert found == ((1 << 20) - 24) // 128
    with pytest.raises(lastuse.LastuseError, match=r"every size x\.0 up to 2,147,483,648 fits"):
        program.largest(first, limit=64, sizes={second: 16})  # in place in the caller's arrays
    with pytest.raises(lastuse.LastuseError, match=f"sizes are missing: {second}"):
        program.largest(first, limit="1MiB")


def test_impossible_or_unknown_limits_of_largest_are_errors(mix: Path) -> None:
    program = lastuse.compile(mix, threads=1)
    for name, limit, of, message in (
        ("columns", 64, "arena_bytes", "no unknown size is called 'columns'; there are rows"),
        ("rows", "64x", "arena_bytes", "limit '64x' is no number of bytes"),
        ("rows", 64, "arena", "no bytes are called 'arena'; there are arena_bytes"),
        ("rows", 0, "weight_bytes", "no size rows fits into 0 bytes: rows = 0 takes 16"),
        ("rows", 1 << 20, "weight_bytes", "every size rows up to"),
    ):
        with pytest.raises(lastuse.LastuseError) as error:
            program.largest(name, limit=limit, of=of)
        assert message in error.value.message


def steps(size: int) -> int:
    """Memory that falls at every multiple of 10."""
    return size * 10 - (60 if size % 10 == 0 else 0)


def picky(size: int) -> int:
    if size < 8 or size == 40:
        raise lastuse.LastuseError(f"{size} does not fit the model")
    return size * 10


@pytest.mark.parametrize(
    ("nbytes", "limit", "wanted"),
    [
        (lambda n: n * 10, 1000, 100),
        (lambda n: n * 10, 999, 99),
        (lambda n: n * 10, 0, 0),
        (steps, 1001, 100),
        (steps, 945, 100),
        (picky, 399, 39),
        (picky, 415, 41),
        (picky, 85, 8),
        (lambda n: picky(n - 1), 85, 9),
    ],
)
@pytest.mark.parametrize("start", [1, 64, 4096])
def test_search_finds_the_largest_size(nbytes: Callable[[int], int], limit: int, wanted: int, start: int) -> None:
    assert largest_size("n", limit, start, nbytes) == wanted


def test_search_without_any_accepted_size_is_an_error() -> None:
    def never(size: int) -> int:
        raise lastuse.LastuseError(f"{size} does not fit the model")

    with pytest.raises(lastuse.LastuseError, match="64 does not fit the model"):
        largest_size("n", 10, 64, never)


def test_repr_of_programs_and_memory(mix: Path) -> None:
    program = lastuse.compile(mix, threads=1)
    assert repr(program) == "<program of rows: tensor<?x4xf32>, compiled for 0 sets of sizes>"
    assert program._repr_svg_() is None  # pyright: ignore[reportPrivateUsage]
    program(np.ones((8, 4), np.float32))
    assert repr(program.memory).startswith("<memory of ") and "arena 128, inputs 128, results 128" in repr(
        program.memory
    )
    assert repr(program.memory) in repr(program)
    for thing in (program, program.memory):
        picture = thing._repr_svg_()  # pyright: ignore[reportPrivateUsage]
        assert picture is not None and ElementTree.fromstring(picture).tag.endswith("svg")


def test_remarks_of_a_program_are_kept(mix: Path) -> None:
    program = lastuse.compile(mix, threads=1)
    with pytest.raises(lastuse.LastuseError, match="sizes are not known yet"):
        _ = program.remarks
    program(np.ones((8, 4), np.float32))
    said = program.remarks
    assert said == program.remarks
    refused = [r for r in said if r.kind is RemarkKind.REFUSAL and r.reason == "used-later"]
    assert [(r.op, r.names) for r in refused] == [("dnn.softmax", ("c",))]
    assert refused[0].location is not None and refused[0].location.line == 6
    decided = [r.op for r in said if r.kind is RemarkKind.DECISION]
    assert "dnn.map" in decided and "func.func" in decided


def test_a_context_collects_remarks(mix: Path) -> None:
    ctx = context()
    program = lastuse.compile(mix, threads=1, ctx=ctx)
    before = len(ctx.remarks)
    program(np.ones((8, 4), np.float32))
    assert len(ctx.remarks) > before
    assert program.remarks == tuple(ctx.remarks)
    assert not ctx.wants_remarks, "a context is as it was"
    alone = lastuse.compile(mix, threads=1)
    alone(np.ones((8, 4), np.float32))
    assert set(alone.remarks) == set(program.remarks)
