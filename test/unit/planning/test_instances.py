"""Public instances: the best known results, in bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from problems import check, read_csv, read_graph

from lastuse.passes.planning.joint_search import joint_plan
from lastuse.passes.planning.planner import Plan, Proof, plan
from support import shared

MINIMALLOC = ("A", "C", "E", "G", "I", "K")
GRAPHS = (
    "darts_v2_normal_cifar",
    "darts_v2_reduction_cifar",
    "inception_v3_mixed5d",
    "lstm_train_t8",
    "randwire_ws32_4_075_s1",
    "randwire_ws32_4_075_s2",
    "randwire_ws64_4_075_s1",
    "randwire_ws64_6_075_s1",
    "resnet18_cifar_train_b8",
)


def minimalloc(name: str) -> tuple[Path, int]:
    """The file of an instance and the capacity in its name."""
    path = next((shared() / "planning" / "minimalloc").glob(f"{name}.*.csv"))
    return path, int(path.name.split(".")[1])


def timed(path: Path, algorithm: str) -> tuple[Plan, float]:
    """A plan and the seconds of processor time it took."""
    buffers = read_csv(path)
    before = time.process_time()
    found = plan(buffers, algorithm, seconds=20)
    seconds = time.process_time() - before
    check(
        buffers[:600],
        found._replace(offsets=found.offsets[:600], peak=_peak(buffers, found, 600), bound=0, proof=Proof.NONE),
    )
    return found, seconds


def _peak(buffers: list, found: Plan, count: int) -> int:
    return max(o + b.size for b, o in zip(buffers[:count], found.offsets[:count], strict=True))


@pytest.mark.parametrize("name", MINIMALLOC)
def test_exact_proves_the_lower_bound_of_minimallocs_instances(name: str) -> None:
    path, capacity = minimalloc(name)
    found, seconds = timed(path, "exact")
    assert found.peak <= capacity
    assert (found.proof, found.bound) == (Proof.REACHED, found.peak)
    assert seconds < 5


def test_best_is_near_the_bound_quickly() -> None:
    ratios: list[float] = []
    for name in MINIMALLOC:
        found, seconds = timed(minimalloc(name)[0], "best")
        ratios.append(found.peak / found.bound)
        assert seconds < 1
    assert sum(ratios) / len(ratios) <= 1.18


@pytest.mark.parametrize(("name", "ratio"), [("G_1", 1.0), ("resnet50", 1.005), ("pangu_2.6B", 1.01)])
def test_best_on_larger_traces(name: str, ratio: float) -> None:
    found, seconds = timed(shared() / "planning" / "idealloc" / f"{name}.csv", "best")
    assert found.peak <= ratio * found.bound
    assert seconds < 5


@pytest.mark.parametrize("inplace", [False, True], ids=["plain", "inplace"])
@pytest.mark.parametrize("name", GRAPHS)
def test_orders_of_least_peak(name: str, inplace: bool) -> None:
    graph, known = read_graph(shared() / "planning" / "schedules" / f"{name}.json", inplace)
    before = time.process_time()
    found = joint_plan(graph, seconds=60)
    assert time.process_time() - before < 5
    assert (found.schedule.peak, found.schedule.bound) == (known["best_peak"], known["best_peak"])
    assert found.arena.plan.proof is not Proof.NONE
    assert found.arena.plan.peak == found.schedule.peak
