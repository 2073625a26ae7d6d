"""Arrays that `run-tool` cannot run on: an error of one line with the location, and no file written."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lastuse
from lastuse.tools.run_tool import main

MODEL = """
func.func @main(%words: tensor<?x1xi64> {dnn.name = "words"}, %offsets: tensor<?xi64> {dnn.name = "words.lod"})
    -> (tensor<?x1xf32> {dnn.name = "y"}) {
  %table = "dnn.constant"() {value = dense<0.5> : tensor<4x3xf32>} : () -> tensor<4x3xf32>
  %wh = "dnn.constant"() {value = dense<0.5> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %flat = "dnn.reshape"(%words) {shape = array<i64: -1>} : (tensor<?x1xi64>) -> tensor<?xi64>
  %x = "dnn.gather"(%table, %flat) {from_end = false} : (tensor<4x3xf32>, tensor<?xi64>) -> tensor<?x3xf32>
  %y = "dnn.gru"(%x, %wh, %offsets) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}
    : (tensor<?x3xf32>, tensor<1x3xf32>, tensor<?xi64>) -> tensor<?x1xf32>
  func.return %y : tensor<?x1xf32>
}
"""
WORDS, OFFSETS = np.array([[0], [1], [3]]), np.array([0, 2, 3])
ARRAYS: dict[str, tuple[dict[str, np.ndarray], str]] = {
    "descending": ({"words": WORDS, "words.lod": np.array([0, 2, 1, 3])}, "offset 2 is 1, less than the 2 before it"),
    "too far": ({"words": WORDS, "words.lod": np.array([0, 4])}, "the last offset is 4, but there are 3 rows"),
    "too short": ({"words": WORDS, "words.lod": np.array([0, 2])}, "the last offset is 2, but there are 3 rows"),
    "late": ({"words": WORDS, "words.lod": np.array([1, 3])}, "the first offset is 1, not 0"),
    "no offsets": ({"words": WORDS, "words.lod": np.array([], np.int64)}, "there are no offsets"),
    "above the table": ({"words": WORDS + 1, "words.lod": OFFSETS}, "index 4 is outside the axis of size 4"),
    "below the table": ({"words": WORDS - 1, "words.lod": OFFSETS}, "index -1 is outside the axis of size 4"),
    "narrow": ({"words": WORDS.astype(np.int32), "words.lod": OFFSETS}, "has dtype int32, the program wants int64"),
    "missing": ({"words": WORDS}, "input words.lod is missing"),
    "unknown": ({"words": WORDS, "words.lod": OFFSETS, "z": WORDS}, "unknown z"),
    "flat": ({"words": WORDS[:, 0], "words.lod": OFFSETS}, "input words has 1 axes, the program wants 2"),
    "wide": ({"words": np.hstack([WORDS, WORDS]), "words.lod": OFFSETS}, "'words' has shape [3, 2]"),
}


def stored(text: str, body: bytes = b"") -> bytes:
    """A .npy file with this header."""
    header = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body


def with_members(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)


def with_bytes_turned(path: Path) -> None:
    np.savez_compressed(path, words=np.arange(1000).reshape(-1, 1), **{"words.lod": OFFSETS})
    content = bytearray(path.read_bytes())
    content[60:75] = bytes(255 - byte for byte in content[60:75])
    path.write_bytes(content)


def cut(path: Path) -> None:
    np.savez(path, words=WORDS, **{"words.lod": OFFSETS})
    path.write_bytes(path.read_bytes()[:300])


GIANT = stored("{'descr': '<i8', 'fortran_order': False, 'shape': (100000000000000, 1), }")
SHORT = stored("{'descr': '<i8', 'fortran_order': False, 'shape': (100, 1), }", bytes(8))
FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (
        lambda path: path.write_text("words"),
        "is no whole .npz file: it has arrays of objects, or is of another",
    ),
    "nothing": (lambda path: path.write_bytes(b""), "is no whole .npz file"),
    "cut": (cut, "is no whole .npz file"),
    "turned": (with_bytes_turned, "is no whole .npz file"),
    "giant": (lambda path: with_members(path, {"words.npy": GIANT}), "is no whole .npz file: Unable to allocate"),
    "short": (lambda path: with_members(path, {"words.npy": SHORT}), "is no whole .npz file"),
    "half a header": (lambda path: with_members(path, {"words.npy": stored("{'descr': '<i8', ")}), "is no whole .npz"),
    "no array": (lambda path: with_members(path, {"words": b"0 1"}), "is no whole .npz file: 'words' is no array"),
    "objects": (lambda path: np.savez(path, words=np.array([{}], object)), "arrays of objects"),
    "folder": (lambda path: path.mkdir(), "cannot be read"),
    "not there": (lambda path: None, "cannot be read"),
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    return path


def said(model: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a run says that fails: one line but for the source that it points to, and a note of the op that read it."""
    before = sorted(model.parent.iterdir())
    assert main([str(model), *words]) == 1
    told = capsys.readouterr()
    assert not told.out
    assert sorted(model.parent.iterdir()) == before
    first, *shown = told.err.splitlines()
    if len(shown) == 3:
        assert shown[0].startswith(f"{model}:") and shown[0].endswith(": note: at this op")
    assert not shown or (len(shown) in (2, 3) and shown[-1].strip() == "^")
    return first


@pytest.mark.parametrize("name", ARRAYS)
def test_wrong_arrays_are_errors(model: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    arrays, expected = ARRAYS[name]
    data, out = model.parent / "data.npz", model.parent / "out"
    np.savez(data, **arrays)  # pyright: ignore[reportArgumentType]
    for words in (["--inputs", str(data), "--outputs", f"{out}.npz"], ["--calibrate", str(data), "-o", f"{out}.mlir"]):
        first = said(model, capsys, *words)
        assert first.startswith(f"{data}:1:1: error: ")
        assert expected in first


@pytest.mark.parametrize("name", FILES)
def test_wrong_files_are_errors(model: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    write, expected = FILES[name]
    data, out = model.parent / "data.npz", model.parent / "out"
    write(data)
    for words in (["--inputs", str(data), "--outputs", f"{out}.npz"], ["--calibrate", str(data), "-o", f"{out}.mlir"]):
        first = said(model, capsys, *words)
        assert first.startswith(f"{data}:1:1: error: ")
        assert expected in first


def test_right_arrays_are_accepted(model: Path) -> None:
    data, out = model.parent / "data.npz", model.parent / "out.npz"
    np.savez(data, words=WORDS, **{"words.lod": OFFSETS})
    assert main([str(model), "--inputs", str(data), "--outputs", str(out)]) == 0
    assert np.load(out)["y"].shape == (3, 1)


def test_wrong_numbers_on_the_command_line_are_errors(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(model), "--threads", "5000"]) == 2
    assert capsys.readouterr().err.startswith("run-tool: error: argument --threads: 5000 is above 4,096 (see")
    for option in ("--threads", "--padded", "--repeat"):
        for number, why in (
            ("0", "is not a number above 0"),
            ("-1", "is not"),
            ("x", "is not"),
            ("9" * 5000, "too large"),
        ):
            assert main([str(model), option, number]) == 2
            first, *rest = capsys.readouterr().err.splitlines()
            assert first.startswith(f"run-tool: error: argument {option}: {number}")
            assert why in first
            assert not rest


@pytest.mark.parametrize("threads", [-1, 4097, 1 << 40])
def test_wrong_number_of_threads_is_an_error(model: Path, threads: int) -> None:
    with pytest.raises(lastuse.LastuseError, match="threads are 0"):
        lastuse.compile(model, threads=threads)
