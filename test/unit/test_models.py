"""The arena of each example is the smallest its order of ops can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import ROOT, proof_of

SIZES = {"keys": 64, "values": 64}
"""Of the models that have no meaning at the smallest sizes."""
MODELS = sorted((ROOT / "examples").rglob("*.mlir"))


def test_models_are_found() -> None:
    assert MODELS


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_arena_is_the_smallest_for_its_order(path: Path) -> None:
    assert proof_of(path, SIZES).endswith("the smallest possible (reached)")
