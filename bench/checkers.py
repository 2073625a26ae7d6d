"""
What the two checkers cost: CPU milliseconds of `--verify-lowering-pass` against those of `--verify-storage-pass` on the
same programs: LAC, fused and not, the loops of examples/, and a straight line of 10,000 operations. Both passes run in
one process, in turns, after they have run once; what is shown is the median of the turns, and the ratio of the medians.
The goal: at most 1.

    python bench/checkers.py [N]                N turns (default 101; a tenth of these for 10,000 operations)

LAC is left out where it is not in the cache (`python examples/lac/fetch.py`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.verify_lowering import VerifyLoweringPass
from lastuse.passes.verify_storage import VerifyStoragePass

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "bench"), str(ROOT / "examples" / "lac")]

import fetch  # noqa: E402
import passes_scaling  # noqa: E402

OPERATIONS = 10_000
BATCH = 1244, 65
"""Words of a batch of LAC, and offsets of its sentences."""

SIZE = 8
"""Each size that a loop of examples/ leaves open."""


class Case(NamedTuple):
    """A program with decisions, by name; in how many turns it is checked."""

    name: str
    module: ModuleOp
    turns: int


def cases(turns: int) -> Iterator[Case]:
    """The programs; LAC where it is in the cache."""
    if (folder := fetch.cache()).is_dir():
        for fuse in (True, False):
            program = lastuse.compile(folder / "lac_model" / "model", fuse=fuse)
            module = program.specialized(dict(zip(program.unknown_sizes, BATCH, strict=True))).module
            yield Case(f"LAC, {'' if fuse else 'not '}fused", module, turns)
    for path in sorted((ROOT / "examples" / "loops").glob("*.mlir")):
        program = lastuse.compile(path)
        module = program.specialized(dict.fromkeys(program.unknown_sizes, SIZE)).module
        yield Case(f"examples/loops/{path.name}", module, turns)
    straight = decided(passes_scaling.program(OPERATIONS), "straight.mlir")
    yield Case(f"{OPERATIONS} operations", straight, max(turns // 10, 3))


def decided(text: str, name: str) -> ModuleOp:
    """A program with the decisions of `--inplace-pass --memory-plan-pass`."""
    ctx = context()
    module = parse(ctx, text, name)
    InplacePass().apply(ctx, module)
    MemoryPlanPass().apply(ctx, module)
    return module


def seconds(work: Callable[[], None]) -> float:
    """CPU seconds that it takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compared(case: Case) -> tuple[float, float]:
    """CPU seconds of the checker of storage, and of that of lowering: medians over the turns."""
    ctx, lowered = context(), clone(case.module)
    LowerToOnednnPass(verify=False).apply(ctx, lowered)
    sides = [
        lambda: VerifyStoragePass().apply(ctx, case.module),
        lambda: VerifyLoweringPass().apply(ctx, lowered),
    ]
    for side in sides:
        side()
    taken = [[seconds(side) for side in sides] for _ in range(case.turns)]
    storage, lowering = (median(side) for side in zip(*taken, strict=True))
    return storage, lowering


def number(word: str) -> int:
    """An argument: how many turns."""
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"'{word}' is no number of turns")
    return int(word)


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU milliseconds of the checker of lowering, and of that of storage.")
    parser.add_argument("turns", metavar="N", nargs="?", type=number, default=101, help="turns (default: 101)")
    print(f"{'':28}{'storage':>12}{'lowering':>12}{'ratio':>8}")
    for case in cases(parser.parse_args().turns):
        storage, lowering = compared(case)
        print(f"{case.name:28}{storage * 1e3:9.2f} ms{lowering * 1e3:9.2f} ms{lowering / storage:8.2f}", flush=True)


if __name__ == "__main__":
    main()
