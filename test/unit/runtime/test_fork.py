"""A forked child runs programs, whatever its parent ran before."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from products import Product, helpers_path, is_right, parallel

import lastuse

PATIENCE = 60
"""Seconds after which a child hangs."""


def in_child(work: Callable[[], bool]) -> bool:
    """Whether `work` is true in a forked child, which is ended where it hangs."""
    child = os.fork()
    if child == 0:
        status = 2
        try:
            status = 0 if work() else 1
        finally:
            os._exit(status)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def apart(work: Callable[[], bool]) -> bool:
    """Whether `work` is true on a new thread."""
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found == [True]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_child_runs_a_program_of_its_parent(threads: int) -> None:
    product = Product(threads)
    assert product.is_right()
    assert in_child(product.is_right)
    assert product.is_right()


def test_child_compiles_programs() -> None:
    assert Product(2).is_right()
    assert in_child(lambda: Product(2, 1).is_right() and Product(3, 2).is_right())


def test_child_starts_threads_and_children() -> None:
    product = Product(2)
    assert product.is_right()
    assert in_child(lambda: apart(product.is_right) and product.is_right() and in_child(product.is_right))


def test_child_forked_on_another_thread_runs() -> None:
    product = Product(2)
    assert product.is_right()
    assert apart(lambda: product.is_right() and in_child(product.is_right) and product.is_right())


def test_child_forked_in_a_parallel_region_runs() -> None:
    """The child is inside the region, without the other threads of its team."""
    product = Product(2)
    assert parallel(2, lambda: in_child(product.is_right)) == [True, True]
    assert product.is_right()


def test_child_forked_while_another_thread_runs_is_right() -> None:
    product, ended = Product(2), threading.Event()

    def work() -> None:
        while not ended.is_set():
            assert product.is_right()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            assert in_child(lambda: product.is_right() and Product(2, 3).is_right())
    finally:
        ended.set()
        thread.join()


def test_child_forked_while_another_thread_compiles_is_right(tmp_path: Path) -> None:
    """The thread holds the program's lock most of the time."""
    model = tmp_path / "rows.mlir"
    model.write_text(ROWS)
    program, ended = lastuse.compile(model, threads=2), threading.Event()
    x = np.ones((3, 8), np.float32)
    want = program(x)

    def work() -> None:
        rows = 3
        while not ended.is_set():
            rows += 1
            program.specialized({"rows": rows})

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            assert in_child(lambda: bool((program(x) == want).all()))
    finally:
        ended.set()
        thread.join()


def test_gru_runs_in_a_child(tmp_path: Path) -> None:
    """Our own threads are started again."""
    model = tmp_path / "gru.mlir"
    model.write_text(GRU)
    program = lastuse.compile(model, threads=2)
    x, offsets = np.random.default_rng(1).normal(size=(40, 8)).astype(np.float32), np.array([0, 5, 9, 30, 40])
    want = program(x, offsets)
    assert in_child(lambda: bool((program(x, offsets) == want).all()))
    np.testing.assert_array_equal(program(x, offsets), want)


GRU = """
func.func @main(%x: tensor<40x8xf32>, %offsets: tensor<5xi64>) -> tensor<40x8xf32> {
  %wx = "dnn.constant"() {value = dense<0.1> : tensor<8x12xf32>} : () -> tensor<8x12xf32>
  %wh = "dnn.constant"() {value = dense<0.2> : tensor<4x12xf32>} : () -> tensor<4x12xf32>
  %b = "dnn.constant"() {value = dense<0.3> : tensor<1x12xf32>} : () -> tensor<1x12xf32>
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %offsets) {mode = "concat"} :
    (tensor<40x8xf32>, tensor<8x12xf32>, tensor<4x12xf32>, tensor<1x12xf32>, tensor<8x12xf32>, tensor<4x12xf32>,
     tensor<1x12xf32>, tensor<5xi64>) -> tensor<40x8xf32>
  func.return %y : tensor<40x8xf32>
}
"""

ROWS = """
func.func @main(%x: tensor<?x8xf32> {dnn.name = "rows"}) -> tensor<?x8xf32> {
  %w = "dnn.constant"() {value = dense<0.1> : tensor<8x8xf32>} : () -> tensor<8x8xf32>
  %a = "dnn.matmul"(%x, %w) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %b = "dnn.relu"(%a) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = "dnn.add"(%b, %x) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %y : tensor<?x8xf32>
}
"""

BEFORE = """
import os
from products import Product
child = os.fork()
if child == 0:
    os._exit(0 if Product(2).is_right() else 1)
print(os.waitpid(child, 0)[1], Product(2).is_right())
"""


def test_child_forked_before_the_first_run_is_right() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEFORE],
        env={**os.environ, "PYTHONPATH": helpers_path()},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout == "0 True\n", done.stderr


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pool_of_processes_is_right(method: str) -> None:
    assert is_right(2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(is_right, [2, 2, 3]).get(PATIENCE) == [True] * 3
