"""Wrong files: one located line, soon, and with little memory."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from wrong_models import RIGHT, flipped, write_data, wrong_models

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.onnx.model import load_model

WRONG = {name: (data, words) for name, data, words in wrong_models()}
SECONDS = 2.0


def error_of(file: Path) -> str | None:
    """The error of loading a model, None where there is none; with the time that it takes."""
    start = time.perf_counter()
    try:
        load_model(file)
        message = None
    except LastuseError as error:
        assert error.location is not None
        message = str(error)
        assert message.startswith(f"{file}:{error.location.line}:{error.location.col}: error: ")
        assert "\n" not in message and len(message) < 1000
    assert time.perf_counter() - start < SECONDS
    return message


def test_right_models_are_read(tmp_path: Path) -> None:
    for name, make in RIGHT.items():
        (tmp_path / name).write_bytes(make().SerializeToString())
        assert error_of(tmp_path / name) is None, name


def test_there_are_many() -> None:
    assert len(WRONG) >= 150


@pytest.mark.parametrize("name", WRONG)
def test_wrong_model_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    write_data(folder)
    data, words = WRONG[name]
    (folder / "m.onnx").write_bytes(data)
    message = error_of(folder / "m.onnx")
    assert message is not None and words in message


def test_flipped_bits_are_an_error_or_a_model(tmp_path: Path) -> None:
    refused = 0
    for seed in range(400):
        _, data = flipped(seed)
        (tmp_path / "m.onnx").write_bytes(data)
        refused += error_of(tmp_path / "m.onnx") is not None
    assert 100 < refused < 390
