"""
Lets tests import `support`, and each other's helpers.

Test files themselves are imported by their path (`--import-mode=importlib`), so that two folders may have a file of one
name; a helper's name has to be its own.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TEST = Path(__file__).resolve().parent

sys.path[:0] = [str(folder) for folder in dict.fromkeys([TEST, *sorted(path.parent for path in TEST.rglob("*.py"))])]
sys.path.append(str(TEST.parent))  # for `bench`


def pytest_collection_finish() -> None:
    """What is there now stays to the end, and modules are large cycles: looking for garbage in them finds none."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture
def registered_contracts() -> Iterator[None]:
    """Contracts that a test registers are there for that test alone."""
    from lastuse.dialect.storage import contract

    registry = contract._registered  # pyright: ignore[reportPrivateUsage]
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)
