"""A primitive gets the threads it was prepared for, whatever OpenMP's settings and wherever the run is called."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from large_ops import RESULTS
from products import Product, helpers_path, parallel, set_setting, setting

from lastuse import LastuseError
from lastuse.runtime.engines import get_threads
from support import swept

HERE = Path(__file__).resolve().parent
FEWER = {
    "limit 1": ({"OMP_THREAD_LIMIT": "1"}, (1, 1, 1)),
    "limit 3": ({"OMP_THREAD_LIMIT": "3"}, (1, 2, 3)),
    "dynamic": ({"OMP_DYNAMIC": "true"}, (1, 2, 5)),
    "no active level": ({"OMP_MAX_ACTIVE_LEVELS": "0"}, (1, 1, 1)),
    "one core": ({}, (1, 2, 5)),
    "bound, nested": (
        {"OMP_NUM_THREADS": "2,3", "OMP_PLACES": "cores", "OMP_PROC_BIND": "close", "OMP_MAX_ACTIVE_LEVELS": "4"},
        (1, 2, 5),
    ),
}
"""Settings, and the threads of programs made for 1, 2 and 5."""


def run(code: list[str], env: dict[str, str], one_core: bool = False) -> subprocess.CompletedProcess[str]:
    """A process of its own: OpenMP reads its settings once."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
    return subprocess.run(
        [*(["taskset", "-c", str(min(os.sched_getaffinity(0)))] * one_core), sys.executable, *code],
        env={**plain, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": helpers_path(), **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", swept(FEWER, 2))
def test_every_op_is_right_with_fewer_threads_than_asked_for(name: str) -> None:
    env, counts = FEWER[name]
    done = run([str(HERE / "large_ops.py"), "1", "2", "5"], env, one_core=name == "one core")
    lines = done.stdout.splitlines()
    used = [
        f"{asked} threads asked, {size} used, {RESULTS} results" for asked, size in zip((1, 2, 5), counts, strict=True)
    ]
    assert (lines, done.returncode) == (used, 0), done.stdout + done.stderr


@pytest.mark.parametrize("name", ["limit 1", "limit 3", "no active level"])
def test_grus_are_right_with_fewer_threads_than_asked_for(name: str) -> None:
    """Packed weights, oneDNN's runs and runs on our own threads."""
    env, _ = FEWER[name]
    tests = str(HERE / "test_ragged.py::test_every_form_equals_the_reference")
    done = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", tests], env)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


@pytest.mark.parametrize("region", [1, 2, 3])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_run_in_a_parallel_region_is_right(region: int, threads: int) -> None:
    product = Product(threads)
    assert parallel(region, product.is_right) == [True] * region
    assert product.threads == threads
    assert product.is_right()


def test_a_run_in_nested_regions_is_right() -> None:
    product, before = Product(2), setting("max_active_levels")
    set_setting("max_active_levels", 3)
    try:
        assert parallel(2, lambda: parallel(2, product.is_right)) == [[True, True]] * 2
    finally:
        set_setting("max_active_levels", before)


def test_a_program_made_in_a_parallel_region_is_right() -> None:
    made: list[Product] = []

    def make(threads: int) -> tuple[int, bool]:
        product = Product(threads)
        made.append(product)
        return product.threads, product.is_right()

    assert parallel(2, lambda: make(2)) == [(2, True)] * 2
    # As many as OpenMP gives there.
    assert parallel(2, lambda: make(0)) == [(1, True)] * 2
    assert parallel(2, get_threads) == [1, 1]
    assert all(product.is_right() for product in made)


def test_run_is_right_after_settings_have_changed() -> None:
    product = Product(2)
    before = {name: setting(name) for name in ("dynamic", "max_active_levels")}
    try:
        for name, value in (("dynamic", 1), ("max_active_levels", 0)):
            set_setting(name, value)
            assert product.is_right()
    finally:
        for name, value in before.items():
            set_setting(name, value)


def test_a_run_leaves_settings_as_they_were() -> None:
    """Runs on a thread of its own, whose settings differ."""
    found: list[list[int]] = []

    def work() -> None:
        set_setting("num_threads", 3)
        set_setting("dynamic", 1)
        product = Product(2)
        with pytest.raises(LastuseError, match="shape"):
            product.program.run({"x0": product.a, "x1": np.ones((2, 2), np.float32)})
        assert product.is_right()
        found.append([setting(name) for name in ("max_threads", "dynamic")])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [[3, 1]]


REFUSED = """
from products import Product, set_setting
from lastuse import LastuseError
set_setting("max_active_levels", 1)
product = Product(2)
assert product.threads == 2 and product.is_right()
set_setting("max_active_levels", 0)
try:
    product.is_right()
except LastuseError as error:
    print(error)
assert Product(2).threads == 1 and Product(2).is_right()
"""


def test_fewer_threads_than_prepared_is_an_error_of_one_line() -> None:
    """The process allows one thread when the program runs."""
    done = run(["-c", REFUSED], {"OMP_MAX_ACTIVE_LEVELS": "0"})
    assert done.stdout == "the program is prepared for 2 threads, and OpenMP gives 1\n", done.stderr


STARVED = """
import os, resource
import numpy as np
from op_cases import build, operands_for
from products import Product, parallel
from test_engines import module
import lastuse

before = Product(2)
assert before.is_right()
line = "crf_decoding(300x30xf32, 32x30xf32, 11xi64) -> 300x1xi64"
arrays = operands_for(build(line))
program = lastuse.compile(module([line], "cpu"), threads=3)
if os.getuid() == 0:
    os.setresuid(65534, 65534, 65534)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
assert before.is_right()
after = Product(5)
assert after.threads == 1 and after.is_right()
(path,) = build(line).reference(*arrays)
assert (program(*arrays) == path).all()
print(*parallel(2, before.is_right), sep="\\n")
"""


def test_lack_of_system_threads_is_an_error() -> None:
    """OpenMP alone would end the process. Existing threads continue."""
    done = run(["-c", STARVED], {})
    refused = "the system starts no further thread: Resource temporarily unavailable\n"
    assert done.stdout == 2 * refused, done.stderr
