"""Random programs through every strategy, the checker and both executions:  make fuzz N=20000 SEED=1

Programs are numbered; a number is a program. What fails is made smaller and written to build/fuzz/, with the number, to
be made a test. Constants are in read-only pages: a program that writes one ends the run with SIGSEGV, and its number is
in build/fuzz/executing-*.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import fuzz_check  # noqa: E402
from fuzz_shrink import shrunk  # noqa: E402
from generate import random_program  # noqa: E402
from generate.flow import has_foreign, random_flow_program  # noqa: E402

from lastuse.compiler import clone  # noqa: E402
from lastuse.dialect import wellformed  # noqa: E402
from lastuse.dialect.onednn.flow import functions_of  # noqa: E402
from lastuse.passes import checker  # noqa: E402

OUT = HERE.parent.parent / "build" / "fuzz"


class Failure(NamedTuple):
    """A program that something is wrong with: its number, what was tried, of which kind the mistake is, in words."""

    seed: int
    module: ModuleOp
    case: fuzz_check.Case
    kind: str
    words: str


def program(seed: int) -> ModuleOp:
    """Program number `seed`: every third is a straight line."""
    return (random_program if seed % 3 == 0 else random_flow_program)(seed).module


def is_executed(seed: int, one_in: float) -> bool:
    """Program `seed` is one of those that are run, about one in so many, of straight lines more; 0: none. Foreign ops
    cannot be."""
    straight = seed % 3 == 0
    chosen = random.Random(f"{seed}").random() * one_in < (1.8 if straight else 0.9)
    return one_in > 0 and chosen and (straight or not has_foreign(seed))


@contextmanager
def noted(seed: int) -> Generator[None, None, None]:
    """While program `seed` is run there is a file that says so: a program that writes a constant takes us with it."""
    OUT.mkdir(parents=True, exist_ok=True)
    note = OUT / f"executing-{os.getpid()}"
    note.write_text(f"{seed}\n")
    try:
        yield
    finally:
        note.unlink()


def failure(seed: int, module: ModuleOp, case: fuzz_check.Case) -> Failure | None:
    """What is wrong with a program; None if nothing is."""
    try:
        with noted(seed) if case.execute else nullcontext():
            fuzz_check.check_case(module, seed, case)
    except fuzz_check.Wrong as wrong:
        return Failure(seed, module, case, wrong.kind, str(wrong))
    except Exception as error:  # whatever a pass dies of is a failure to be found
        return Failure(seed, module, case, type(error).__name__, f"{type(error).__name__}: {error}")
    return None


def failures(seeds: range, executed: float) -> Iterator[Failure]:
    """What is wrong with programs, of which about one in `executed` is run; 0: none."""
    for seed in seeds:
        case = fuzz_check.case_of(seed, is_executed(seed, executed))
        found = failure(seed, program(seed), case)
        if found is not None:
            wellformed.verify(found.module)  # or the mistake is the generator's
            yield found


def smaller(found: Failure) -> ModuleOp:
    """The smallest program found that fails in the same way; with earlier decisions written down, not drawn again."""
    module, case = clone(found.module), found.case
    if case.earlier:
        fuzz_check.decide_earlier(module, found.seed)
        case = case._replace(earlier=False)

    def fails(candidate: ModuleOp) -> bool:
        if any(checker.check(func) for func in functions_of(candidate).values()):
            return False  # what was given is wrong already
        again = failure(found.seed, candidate, case)
        return again is not None and again.kind == found.kind

    return shrunk(module, fails) if fails(module) else found.module


def main() -> int:
    """Run from the command line; 1 where something failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the first program's number")
    parser.add_argument("--executed", type=float, default=7, help="run one in so many; 0 for none")
    parser.add_argument("--most", type=int, default=5, help="stop after so many failures")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.count)
    executed = sum(is_executed(seed, options.executed) for seed in seeds)
    print(f"programs {seeds.start} to {seeds.stop - 1}, {executed} of them executed")
    begin, kinds = time.monotonic(), Counter[str]()
    for found in failures(seeds, options.executed):
        words = found.words.splitlines()[0]
        print(f"seed {found.seed}: {words}", flush=True)
        kinds[found.kind] += 1
        if kinds[found.kind] == 1:
            OUT.mkdir(parents=True, exist_ok=True)
            path = OUT / f"{found.seed}.mlir"
            path.write_text(f"// seed {found.seed}, {found.case}\n// {words}\n{smaller(found)!s}\n")
            print(f"  made smaller: {path}", flush=True)
        if kinds.total() >= options.most:
            break
    print(f"{kinds.total()} failures in {time.monotonic() - begin:.0f} s")
    return int(kinds.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
