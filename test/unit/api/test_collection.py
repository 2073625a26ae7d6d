"""Compiling looks for no cycles of objects, and leaves collection as it was."""

from __future__ import annotations

import gc
from collections.abc import Generator
from threading import Thread
from typing import Any

import pytest

import lastuse
from lastuse.compiler import driver, size_compiler
from lastuse.dialect.ir.collection import paused_collection

ROWS = """
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = "dnn.relu"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %y : tensor<?x8xf32>
}
"""


@pytest.fixture(autouse=True)
def collection() -> Generator[None, None, None]:
    """Collection is on before and after each test."""
    gc.enable()
    yield
    gc.enable()


def test_last_block_brings_collection_back() -> None:
    with paused_collection():
        with paused_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_block_of_another_thread_may_end_last() -> None:
    first, second = paused_collection(), paused_collection()
    first.__enter__()
    thread = Thread(target=second.__enter__)
    thread.start()
    thread.join()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_collection_that_was_off_stays_off() -> None:
    gc.disable()
    with paused_collection():
        pass
    assert not gc.isenabled()


def test_sizes_are_compiled_without_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    program = lastuse.compile(ROWS.encode())
    seen: list[bool] = []
    copied = size_compiler.clone

    def noted(module: object) -> object:
        seen.append(gc.isenabled())
        return copied(module)  # pyright: ignore

    monkeypatch.setattr(size_compiler, "clone", noted)
    program.specialized({"x": 4})
    assert seen
    assert not any(seen)
    assert gc.isenabled()


def test_models_are_fused_without_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    fused = driver.prepare

    def noted(*args: Any) -> None:
        seen.append(gc.isenabled())
        fused(*args)

    monkeypatch.setattr(driver, "prepare", noted)
    lastuse.compile(ROWS.encode())
    assert seen == [False]
    assert gc.isenabled()


def test_error_brings_collection_back() -> None:
    program = lastuse.compile(ROWS.encode(), limit=64)
    with pytest.raises(lastuse.LastuseError):
        program.specialized({"x": -1})
    assert gc.isenabled()
