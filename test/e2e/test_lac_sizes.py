"""LAC on batches of every size: decided once, and the arena of each as small as if it were planned by itself."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

import lastuse
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.passes.checker import check
from lastuse.passes.memory.frame_layout import planned_bytes
from support import ROOT, count_plans

sys.path.insert(0, str(ROOT / "examples" / "lac"))

import fetch

LENGTHS = int(os.environ.get("LASTUSE_LENGTHS", "60"))
"""How many batches, of 1 to 5,000 words in up to 200 sentences, some of them empty."""
ALONE = 10
"""One of so many is planned by itself too."""


@pytest.fixture(scope="module")
def folder() -> Path:
    try:
        return fetch.fetch(quiet=True) / "lac_model" / "model"
    except fetch.FetchError as error:
        pytest.skip(f"LAC is not here: {error}")


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("first", [(1244, 65), (1, 2), (0, 1)])
def test_one_plan_serves_every_batch(
    folder: Path, monkeypatch: pytest.MonkeyPatch, first: tuple[int, int], fuse: bool
) -> None:
    program = lastuse.compile(folder, fuse=fuse)
    found = program._sizes.further  # pyright: ignore[reportPrivateUsage]
    assert found is not None
    names = program.unknown_sizes
    found.module(dict(zip(names, first, strict=True)))
    found.module(dict(zip(names, (100, 12), strict=True)))
    planned = count_plans(monkeypatch)
    rng = random.Random(0)
    ratios: list[float] = []
    for number in range(LENGTHS):
        words, sentences = int(5000 ** rng.random()), rng.randint(1, 200)
        sizes = dict(zip(names, (words, sentences + 1), strict=True))
        func = main_function(found.module(sizes))
        if number % ALONE == 0:
            assert not check(func)
            before = len(planned)
            alone = main_function(program._sizes.decided(sizes, {}))  # pyright: ignore[reportPrivateUsage]
            del planned[before:]
            ratios.append((planned_bytes(func) or 0) / (planned_bytes(alone) or 1))
    assert len(planned) <= 2, "places were sought"
    assert "decided" not in planned
    assert max(ratios) <= 17 / 16
    assert sum(ratios) / len(ratios) <= 1.01
