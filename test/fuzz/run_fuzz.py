"""Random programs through every strategy, the checker, execution and the interpreter:  make fuzz N=20000 SEED=1

Programs are numbered; a number is a program. One in ten has unknown sizes, ragged rows or large values, and is compiled
with options crossed at random. With --training all of them are steps of training, and their gradients are held against
slopes of their losses. What fails is made smaller and written to build/fuzz/, with the number, to be made a test.
Constants are in read-only pages: a program that writes one ends its process with SIGSEGV, and its number is in
build/fuzz/executing-*.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # more threads than cores: none of them spins

from xdsl.dialects.builtin import ModuleOp

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import fuzz_check  # noqa: E402
import fuzz_figures  # noqa: E402
import fuzz_sized  # noqa: E402
from fuzz_execute import Wrong  # noqa: E402
from fuzz_shrink import shrunk  # noqa: E402
from fuzz_slopes import compared_slopes  # noqa: E402
from generate import random_program  # noqa: E402
from generate.flow import has_foreign, random_flow_program  # noqa: E402
from generate.sized import Sized  # noqa: E402
from generate.training import training_program  # noqa: E402

from lastuse.compiler.module_utils import clone  # noqa: E402
from lastuse.dialect.ir.flow_graphs import functions_of  # noqa: E402
from lastuse.dialect.storage import verifier  # noqa: E402
from lastuse.passes import checker  # noqa: E402

OUT = HERE.parent.parent / "build" / "fuzz"
SIZED = 10
"""One program in so many is of unknown sizes or large values."""
PIECE = 100
"""So many programs are a worker's share at a time."""


class Failure(NamedTuple):
    """A program that something is wrong with: its number, what was tried, of which kind the mistake is, in words."""

    seed: int
    module: ModuleOp
    case: fuzz_check.Case | fuzz_sized.Crossing
    kind: str
    words: str


def program(seed: int) -> ModuleOp:
    """Program number `seed` of known, small sizes: every third is a straight line."""
    return (random_program if seed % 3 == 0 else random_flow_program)(seed).module


def training_failure(seed: int, figures: Counter[str] | None = None, extreme: bool = True) -> Failure | None:
    """What is wrong with step of training number `seed`, planned and run, or with its gradients; None if nothing is.
    `extreme`: some have inputs that are NaN, infinite, denormal or nearly too large."""
    module, case = training_program(seed), fuzz_check.case_of(seed, True)
    case = case._replace(extreme=case.extreme and extreme)
    counted = Counter[str]() if figures is None else figures

    def slopes() -> None:
        counted["slopes of losses"] += compared_slopes(seed)

    return failure(seed, module, case, counted) or _failure(seed, module, case, slopes)


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


def failure(seed: int, module: ModuleOp, case: fuzz_check.Case, figures: Counter[str] | None = None) -> Failure | None:
    """What is wrong with a program of known sizes; None if nothing is."""
    with noted(seed) if case.execute else nullcontext():
        return _failure(seed, module, case, lambda: fuzz_check.check_case(module, seed, case, figures))


def sized_failure(
    seed: int,
    sized: Sized,
    crossing: fuzz_sized.Crossing,
    figures: Counter[str] | None = None,
    module: ModuleOp | None = None,
) -> Failure | None:
    """What is wrong with a program of unknown sizes or large values, by default the drawn one; None if nothing is."""
    counted = Counter[str]() if figures is None else figures
    with noted(seed):
        checked = sized.module if module is None else module
        return _failure(
            seed, checked, crossing, lambda: fuzz_sized.check_crossing(sized, seed, crossing, counted, checked)
        )


def _failure(
    seed: int, module: ModuleOp, case: fuzz_check.Case | fuzz_sized.Crossing, check: Callable[[], None]
) -> Failure | None:
    try:
        check()
    except Wrong as wrong:
        return Failure(seed, module, case, wrong.kind, str(wrong))
    except Exception as error:  # whatever a pass dies of is a failure to be found
        return Failure(seed, module, case, type(error).__name__, f"{type(error).__name__}: {error}")
    return None


def smaller(found: Failure) -> ModuleOp:
    """The smallest program found that fails in the same way; with earlier decisions written down, not drawn again."""
    module, case = clone(found.module), found.case
    if isinstance(case, fuzz_sized.Crossing):
        sized = fuzz_sized.sized_program(found.seed)
    elif case.earlier:
        fuzz_check.decide_earlier(module, found.seed)
        case = case._replace(earlier=False)

    def fails(candidate: ModuleOp) -> bool:
        if any(checker.check(func) for func in functions_of(candidate).values()):
            return False  # what was given is wrong already
        if isinstance(case, fuzz_sized.Crossing):
            again = sized_failure(found.seed, sized, case, None, candidate)
        else:
            again = failure(found.seed, candidate, case)
        return again is not None and again.kind == found.kind

    return shrunk(module, fails) if fails(module) else found.module


# Many programs.


class Share(NamedTuple):
    """What a worker found in its programs: words of each failure by kind, figures, ops."""

    failures: list[tuple[int, str, str]]
    figures: Counter[str]
    ops: set[str]


def share(seeds: range, executed: float, training: bool = False) -> Share:
    """Try these programs; the first of each kind that fails is made smaller and written down."""
    found = Share([], Counter(), set())
    for wrong in _training_failures(seeds, found) if training else _failures(seeds, executed, found):
        words = wrong.words.splitlines()[0]
        if wrong.kind not in {kind for _, kind, _ in found.failures}:
            path = OUT / f"{wrong.seed}.mlir"
            path.write_text(f"// seed {wrong.seed}, {wrong.case}\n// {words}\n{smaller(wrong)!s}\n")
            words = f"{words}\n  made smaller: {path}"
        found.failures.append((wrong.seed, wrong.kind, words))
    return found


def _failures(seeds: range, executed: float, found: Share) -> Iterator[Failure]:
    for seed in seeds:
        if executed and seed % SIZED == SIZED - 1:
            sized = fuzz_sized.sized_program(seed)
            module, crossing = sized.module, fuzz_sized.crossing_of(seed, sized.symbols)
            wrong = sized_failure(seed, sized, crossing, found.figures)
            found.figures.update(fuzz_figures.crossed(module, fuzz_sized.family_of(seed), crossing))
        else:
            module = program(seed)
            case = fuzz_check.case_of(seed, is_executed(seed, executed))
            wrong = failure(seed, module, case, found.figures)
            found.figures.update(fuzz_figures.tried(case))
        found.figures.update(["programs: all", *fuzz_figures.features(module)])
        found.ops.update(fuzz_figures.operations(module))
        if wrong is not None:
            verifier.verify(wrong.module)  # or the mistake is the generator's
            yield wrong


def _training_failures(seeds: range, found: Share) -> Iterator[Failure]:
    for seed in seeds:
        wrong, module = training_failure(seed, found.figures), training_program(seed)
        found.figures.update(fuzz_figures.tried(fuzz_check.case_of(seed, True)))
        found.figures.update(["programs: all", *fuzz_figures.features(module)])
        found.ops.update(fuzz_figures.operations(module))
        if wrong is not None:
            yield wrong


def main() -> int:
    """Run from the command line; 1 where something failed."""
    from rich.console import Console

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the first program's number")
    parser.add_argument("--executed", type=float, default=0.5, help="run one in so many; 0 for none")
    parser.add_argument("--training", action="store_true", help="steps of training")
    parser.add_argument("--most", type=int, default=5, help="stop after so many failures")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.count)
    begin, failed = time.monotonic(), 0
    figures, ops = Counter[str](), set[str]()
    shares = [seeds[k : k + PIECE] for k in range(0, len(seeds), PIECE)]
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(share, piece, options.executed, options.training) for piece in shares]
        for done in as_completed(waiting):
            found = done.result()
            figures, ops = figures + found.figures, ops | found.ops
            for seed, _, words in found.failures:
                print(f"seed {seed}: {words}", flush=True)
            failed += len(found.failures)
            if failed >= options.most:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    fuzz_figures.show(figures, ops, Console(width=100))
    print(f"programs {seeds.start} to {seeds.stop - 1}: {failed} failures in {time.monotonic() - begin:.0f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
