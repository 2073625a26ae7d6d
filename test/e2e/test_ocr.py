"""The example of three networks that read a picture in one array: the text, and the results of onnxruntime."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import lastuse
from lastuse.dialect.storage.layout import ALIGNMENT
from support import ROOT

FOLDER = ROOT / "examples" / "ocr"
TOLERANCE = 1e-4


def example(name: str) -> ModuleType:
    """A file of the example as a module."""
    spec = importlib.util.spec_from_file_location(f"ocr_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


ocr, drawing = example("read_text"), example("picture")


@pytest.fixture(scope="module")
def models() -> dict[str, Path]:
    fetch = example("fetch")
    try:
        return fetch.fetch()
    except fetch.FetchError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def programs(models: dict[str, Path]) -> dict[str, lastuse.Program]:
    return ocr.programs(models)


def test_the_text_of_the_picture_is_printed(
    programs: dict[str, lastuse.Program], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs `main`. The README shows what it prints; bytes of scratch depend on the CPU."""

    def compiled(_: dict[str, Path]) -> dict[str, lastuse.Program]:
        return programs

    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("fetch", "picture"):
        monkeypatch.setitem(sys.modules, name, example(name))
    monkeypatch.setattr(ocr, "programs", compiled)
    ocr.main()
    printed = capsys.readouterr().out.splitlines()
    shown = [line.strip() for line in (FOLDER / "README.md").read_text().splitlines() if line.startswith("    ")]
    assert [line.split("  ")[0] for line in printed[:3]] == [line.text for line in drawing.LINES]
    assert ["upside down" in line for line in printed[:3]] == [line.is_turned for line in drawing.LINES]
    numbers = re.compile(r"[\d,.]+")
    assert [numbers.sub("", line).split() for line in printed[3:]] == [
        numbers.sub("", line).split() for line in shown[3:]
    ]
    assert [line.split("  ")[0] for line in shown[:3]] == [line.text for line in drawing.LINES]
    for line, (name, program) in zip(printed[3:6], programs.items(), strict=True):
        assert line.split()[0] == name
        assert f" {program.memory.arena_bytes:,} bytes" in line


def test_networks_in_one_array_have_the_results_of_onnxruntime(
    models: dict[str, Path], programs: dict[str, lastuse.Program]
) -> None:
    """The array is filled with NaN before each run."""
    ort = pytest.importorskip("onnxruntime")
    networks, arena = ocr.in_one_array(programs)
    needs = [program.memory_for(x=ocr.SHAPES[name]).arena_bytes for name, program in programs.items()]
    assert arena.nbytes == max(needs) + ALIGNMENT < sum(needs)
    runs: list[str] = []

    def checked(name: str) -> Callable[[np.ndarray], np.ndarray]:
        session = ort.InferenceSession(str(models[name]), providers=["CPUExecutionProvider"])

        def network(pixels: np.ndarray) -> np.ndarray:
            arena[:] = 0xFF
            result = networks[name](pixels)
            assert (arena != 0xFF).any(), f"the {name} does not run in the array"
            (want,) = session.run(None, {"x": pixels})
            np.testing.assert_allclose(result, want, rtol=0, atol=TOLERANCE)
            runs.append(name)
            return result

        return network

    reader = ocr.Reader({name: checked(name) for name in networks}, ocr.characters_of(models["recogniser"]))
    lines = (
        drawing.Line("0123456789", 20, 12),
        drawing.Line("STORAGE", 84, 40, is_turned=True),
        drawing.Line("HELLO WORLD", 144, 30, dot=3),
    )
    texts = reader(drawing.draw(ocr.HEIGHT, ocr.WIDTH, lines))
    assert [(line.text, line.is_turned) for line in texts] == [(line.text, line.is_turned) for line in lines]
    assert runs == ["detector", *["classifier", "recogniser"] * 3]
    for text, line in zip(texts, lines, strict=True):
        right = line.left + (1 + (drawing.COLUMNS + 1) * len(line.text)) * line.dot
        ink = (line.top + line.dot, line.left + line.dot, line.top + (drawing.ROWS + 1) * line.dot, right)
        np.testing.assert_allclose(text.box, ink, atol=2.5 * line.dot)


def test_an_empty_picture_has_no_text(models: dict[str, Path], programs: dict[str, lastuse.Program]) -> None:
    networks, _ = ocr.in_one_array(programs)
    reader = ocr.Reader(networks, ocr.characters_of(models["recogniser"]))
    assert reader(drawing.draw(ocr.HEIGHT, ocr.WIDTH, ())) == []


def test_every_class_of_the_recogniser_is_a_character(
    models: dict[str, Path], programs: dict[str, lastuse.Program]
) -> None:
    characters = ocr.characters_of(models["recogniser"])
    program = programs["recogniser"]
    program.run({"x": np.zeros(ocr.SHAPES["recogniser"], np.float32)})
    (result,) = program.outputs.values()
    assert len(characters) == result.shape[-1] == 6625
    assert all(len(character) == 1 for character in characters[1:])


def test_boxes_are_those_of_connected_parts() -> None:
    """A part that winds, one that touches it at a corner only, a faint one and a thin one."""
    chances = np.zeros((64, 64), np.float32)
    chances[2:12, 2:50], chances[12:20, 44:50] = 0.9, 0.9
    chances[20:30, 50:60] = 0.9
    chances[40:50, 4:30] = 0.4
    chances[55:57, 4:30] = 0.9
    labels = ocr.components(chances > ocr.INK)
    assert [np.count_nonzero(labels == label) for label in (labels[2, 2], labels[20, 50])] == [528, 100]
    assert labels[2, 2] == labels[19, 49] != labels[20, 50]
    assert (labels > 0).sum() == 528 + 100 + 260 + 52
    # The first part fills 528 of 864 pixels and reaches 1.6 x 864 / 132 = 10 pixels further, to the edges at most.
    assert ocr.boxes(chances) == [(0, 0, 30, 60), (16, 46, 34, 64)]


def test_repeated_characters_count_once_unless_a_blank_is_between_them() -> None:
    steps = [0, 1, 1, 0, 1, 2, 2, 0, 0]
    chances = np.eye(3, dtype=np.float32)[steps]
    chances[1, 1] = 0.7
    text, score = ocr.decode(chances, ["", "a", "b"])
    assert (text, round(score, 6)) == ("aab", 0.9)
    assert ocr.decode(np.eye(3, dtype=np.float32)[[0, 0]], ["", "a", "b"]) == ("", 0.0)


def test_scaling_is_linear_between_the_centres_of_pixels() -> None:
    """A ramp stays a ramp; its ends are those of the outer pixels."""
    ramp = np.tile(np.arange(8, dtype=np.uint8) * 10, (4, 1))
    doubled = ocr.scaled(ramp, 8, 16)
    np.testing.assert_allclose(doubled[:, 1:-1], np.tile(2.5 + 5 * np.arange(14), (8, 1)))
    np.testing.assert_array_equal(doubled[:, [0, -1]], np.tile([0, 70], (8, 1)))
    np.testing.assert_array_equal(ocr.scaled(ramp, 4, 8), ramp)


def test_without_network_there_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    fetch = example("fetch")
    with pytest.raises(fetch.FetchError, match="could not be downloaded; it needs the network once"):
        fetch.fetch()
