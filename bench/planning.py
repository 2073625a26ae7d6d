"""
How the planner does: the public instances, where ../shared/planning is beside the repository; instances cut from a full
arena, so that the bound can be reached; and how it grows from 1,000 to 10,000 buffers, which should be no worse than
n log n where the number in use at one time stays the same. CPU seconds, one thread.

    python bench/planning.py [seconds]

`seconds` are what `exact` may take for one instance (default 5).
"""

from __future__ import annotations

import argparse
import csv
import random
import resource
import time
from pathlib import Path

from lastuse.passes.planning.planner import Buffer, Plan, Proof, plan

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "planning"


def read(path: Path) -> list[Buffer]:
    """The buffers of a file of `id,lower,upper,size`."""
    with path.open() as file:
        return [Buffer(int(r["size"]), int(r["lower"]), int(r["upper"]) - 1) for r in csv.DictReader(file)]


def cut(count: int, seed: int) -> list[Buffer]:
    """1,024 units of memory and of time cut at random into rectangles, of which one in twenty is taken away."""
    choose = random.Random(seed)
    cells = [(0, 1024, 0, 1024)]
    while len(cells) < count * 20 // 19:
        n = choose.randrange(len(cells))
        begin, end, low, high = cells[n]
        if choose.random() < 0.5 and end - begin > 1:
            at = choose.randrange(begin + 1, end)
            cells[n : n + 1] = [(begin, at, low, high), (at, end, low, high)]
        elif high - low > 1:
            at = choose.randrange(low + 1, high)
            cells[n : n + 1] = [(begin, end, low, at), (begin, end, at, high)]
    choose.shuffle(cells)
    return [Buffer((high - low) << 10, begin, end - 1) for begin, end, low, high in cells[:count]]


def stream(count: int, live: int, seed: int = 0) -> list[Buffer]:
    """`count` buffers, of which about `live` are in use at one time."""
    choose = random.Random(seed)
    made: list[Buffer] = []
    for _ in range(count):
        first = choose.randrange(count)
        size = choose.randrange(1, 1_000) if choose.random() < 0.9 else choose.randrange(1_000, 20_000)
        made.append(Buffer(64 * size, first, first + int(choose.expovariate(1 / live))))
    return made


def anyhow(count: int, seed: int = 0) -> list[Buffer]:
    """Times and sizes that are all alike: two of three meet."""
    choose = random.Random(seed)
    made: list[Buffer] = []
    for _ in range(count):
        first, last = sorted((choose.randrange(count), choose.randrange(count)))
        made.append(Buffer(choose.randrange(1, 1 << 16), first, last))
    return made


def timed(buffers: list[Buffer], algorithm: str, seconds: float = 0.0) -> tuple[Plan, float]:
    """A plan, and the CPU seconds it took."""
    begin = time.process_time()
    return plan(buffers, algorithm, seconds=seconds), time.process_time() - begin


def show(name: str, buffers: list[Buffer], limit: float | None) -> None:
    """A line: the peak over the bound and the seconds of each algorithm; `exact` if there is a limit."""
    words = [f"{name:>24} {len(buffers):>6} buffers"]
    for algorithm in ("greedy", "best", *(["exact"] if limit else [])):
        found, seconds = timed(buffers, algorithm, limit if algorithm == "exact" and limit else 0.0)
        words.append(f"{algorithm} {found.peak / max(found.bound, 1):.4f} in {seconds:.3f} s")
        if algorithm == "exact":
            words.append("proved" if found.proof is not Proof.NONE else "not proved")
    print(", ".join(words), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="How the planner does, and how it grows.")
    parser.add_argument("seconds", nargs="?", type=float, default=5.0, help="of `exact` for one instance (default: 5)")
    limit: float = parser.parse_args().seconds
    for path in sorted(SHARED.glob("*/*.csv")):
        show(path.stem, read(path), limit if path.parent.name == "minimalloc" else None)
    for count in (100, 200, 300, 400, 500):
        for seed in range(3):
            show(f"cut at random, {seed}", cut(count, seed), limit)
    for live in (10, 100):
        for count in (1_000, 2_000, 5_000, 10_000):
            show(f"{live} in use at once", stream(count, live), None)
    for count in (1_000, 10_000):
        show("two of three meet", anyhow(count), None)
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB in all")


if __name__ == "__main__":
    main()
