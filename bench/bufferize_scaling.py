"""
How `--bufferize-pass` scales: CPU seconds of the pass alone, its checkers included, on generated linalg functions,
beside those of `--one-shot-bufferize` of MLIR on the same text. Neither reads nor prints in that time: the module is
parsed before, and `mlir-opt-19 --mlir-timing` gives the pass its own line. Each run has a process of its own. The goal:
at most ten times the peer at 2,000 ops, and at most linear from there. Two kinds of functions: kernels alone, and
kernels with slices.

    python -m bench.bufferize_scaling [N …]        2,000, 5,000, 10,000 and 20,000 ops without arguments
    python -m bench.bufferize_scaling --kind kernels --floor 2000

With `--floor` it says too what xDSL takes for the same ops and does no more than to copy or verify them. With
`--calls` it says how many functions the pass calls: its work, whatever the caches of a machine hold of it.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import FrameType
from typing import TypeVar

from lastuse.compiler.driver import context
from lastuse.dialect.ir.collection import paused_collection
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass

Measured = TypeVar("Measured")
PEER = "mlir-opt-19"
OPTIONS = "bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"
TOOK = re.compile(r"\(\s*(\S+)%\)\s+OneShotBufferize$", re.MULTILINE)
"""The line of the pass in the peer's report: its part of the time."""
WHOLE, PART = "tensor<32x32xf32>", "tensor<8x32xf32>"
ELEMENTWISE = ("arith.addf", "arith.mulf", "arith.subf", "arith.maximumf")
RECENT = 6
"""Values of one type that later ops read."""
KINDS = ("kernels", "kernels-and-slices")
ALIKE = "affine_map<(a, b) -> (a, b)>"


class Writer:
    """Writes the ops of a function: kernels of several kinds, with and without new memory, and slices both ways. Every
    op reads the last value of its type, directly or through what it makes, so that nothing is left out as unused."""

    def __init__(self, seed: int, slices: bool) -> None:
        self.slices = slices
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self.recent = {WHOLE: ["%x"], PART: ["%p"]}

    def text(self, count: int) -> str:
        """A function of `count` ops before its return."""
        self._op("%zero = arith.constant 0.0 : f32")
        kinds = (self._elementwise, self._over_last, self._matmul, self._over_fill, self._slice, self._insert)
        weights = (8, 4, 3, 2, *((3, 3) if self.slices else (0, 0)))
        while len(self.lines) < count - 1:
            type_ = WHOLE if self.chance.random() < 0.75 else PART
            self.chance.choices(kinds, weights)[0](type_)
        self._insert(PART)
        head = f"func.func @main(%x: {WHOLE}, %p: {PART}, %w: {WHOLE}) -> {WHOLE} {{"
        return "\n".join([head, *self.lines, f"func.return {self.recent[WHOLE][-1]} : {WHOLE}", "}", ""])

    def _op(self, line: str) -> None:
        self.lines.append(line)

    def _new(self, type_: str | None = None) -> str:
        name = f"%v{len(self.lines)}"
        if type_ is not None:
            self.recent[type_] = [*self.recent[type_], name][-RECENT:]
        return name

    def _empty(self, type_: str) -> str:
        name = self._new()
        self._op(f"{name} = tensor.empty() : {type_}")
        return name

    def _generic(self, type_: str, given: list[str], out: str, reads_out: bool = False) -> None:
        name, kernel = self._new(type_), self.chance.choice(ELEMENTWISE)
        read = f"%a0, %a{len(given) if reads_out else len(given) - 1}"
        maps = ", ".join([ALIKE] * (len(given) + 1))
        args = ", ".join(f"%a{k}: f32" for k in range(len(given) + 1))
        self._op(
            f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ['parallel', 'parallel']}}".replace(
                "'", '"'
            )
            + f" ins({', '.join(given)} : {', '.join([type_] * len(given))}) outs({out} : {type_})"
            + f" {{ ^bb0({args}): %r = {kernel} {read} : f32 linalg.yield %r : f32 }} -> {type_}"
        )

    def _elementwise(self, type_: str) -> None:
        given = [self.recent[type_][-1], self.chance.choice(self.recent[type_])]
        self._generic(type_, given[: self.chance.choice((1, 2))], self._empty(type_))

    def _over_last(self, type_: str) -> None:
        """Destination style: over a value that an earlier op computed, which may be read later."""
        self._generic(type_, [self.chance.choice(self.recent[type_])], self.recent[type_][-1], reads_out=True)

    def _over_fill(self, type_: str) -> None:
        given = self.recent[type_][-1]
        self._generic(type_, [given], self._fill(type_), reads_out=True)

    def _matmul(self, type_: str) -> None:
        given, out = self.recent[type_][-1], self._fill(type_)
        name = self._new(type_)
        self._op(f"{name} = linalg.matmul ins({given}, %w : {type_}, {WHOLE}) outs({out} : {type_}) -> {type_}")

    def _fill(self, type_: str) -> str:
        out = self._empty(type_)
        name = self._new(type_)
        self._op(f"{name} = linalg.fill ins(%zero : f32) outs({out} : {type_}) -> {type_}")
        return name

    def _slice(self, type_: str) -> None:
        name, base, last = self._new(), self.recent[WHOLE][-1], self.recent[PART][-1]
        at = f"[{8 * self.chance.randrange(4)}, 0] [8, 32] [1, 1]"
        self._op(f"{name} = tensor.extract_slice {base}{at} : {WHOLE} to {PART}")
        self._generic(PART, [last, name], self._empty(PART))

    def _insert(self, type_: str) -> None:
        given, base = self.recent[PART][-1], self.recent[WHOLE][-1]
        name, at = self._new(WHOLE), f"[{8 * self.chance.randrange(4)}, 0] [8, 32] [1, 1]"
        self._op(f"{name} = tensor.insert_slice {given} into {base}{at} : {PART} into {WHOLE}")


def alone(measured: Callable[[str], Measured], text: str) -> Measured:
    """What a function measures in a new process, as the peer has one for each run: objects of earlier runs lie in the
    way of those of later ones, and what was run before runs faster."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(measured, text).result()


def ours(text: str) -> float:
    """CPU seconds of the pass. A form that is not proved is an error: a checker that gives up early takes less time."""
    ctx = context()
    module = parse(ctx, text, "bench.mlir")
    begin = time.process_time()
    BufferizePass(layouts="identity", unproved="error").apply(ctx, module)
    return time.process_time() - begin


def calls(text: str) -> int:
    """How many functions of Python the pass calls."""
    ctx = context()
    module = parse(ctx, text, "bench.mlir")
    made = 0

    def note(frame: FrameType, event: str, of: object) -> None:
        nonlocal made
        made += event == "call"

    sys.setprofile(note)
    try:
        BufferizePass(layouts="identity", unproved="error").apply(ctx, module)
    finally:
        sys.setprofile(None)
    return made


def floor(text: str) -> dict[str, float]:
    """CPU seconds of what xDSL does with a function and its memref form."""
    ctx = context()
    module = parse(ctx, text, "bench.mlir")
    form = module.clone()
    BufferizePass(layouts="identity").apply(ctx, form)
    steps: dict[str, Callable[[], object]] = {
        "to copy the function": module.clone,
        "to verify it": module.verify,
        "to copy its form": form.clone,
    }
    taken: dict[str, float] = {}
    for what, step in steps.items():
        with paused_collection():
            begin = time.process_time()
            step()
            taken[what] = time.process_time() - begin
    return taken


def peer(text: str) -> float:
    """CPU seconds of the peer's pass, in one thread: the part that it reports of what its process takes for the text
    beyond what it takes for none."""
    flags = [f"--one-shot-bufferize={OPTIONS}", "--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null"]
    taken: list[float] = []
    for given in ("", text):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [PEER, "--mlir-disable-threading", *flags], input=given, check=True, stderr=subprocess.PIPE, text=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    found = TOOK.search(done.stderr)
    if found is None:
        raise ValueError(f"{PEER} reports no time of its pass:\n{done.stderr}")
    return (taken[1] - taken[0]) * float(found.group(1)) / 100


def number(word: str) -> int:
    """An argument: how many ops."""
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"'{word}' is no number of ops")
    return int(word)


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU seconds of --bufferize-pass beside --one-shot-bufferize.")
    parser.add_argument("counts", metavar="N", nargs="*", type=number, help="ops (default: 2000 5000 10000 20000)")
    parser.add_argument("--kind", choices=KINDS, help="kernels alone, or kernels with slices (default: both)")
    parser.add_argument("--floor", action="store_true", help="what xDSL takes to copy and to verify the same ops")
    parser.add_argument("--calls", action="store_true", help="how many functions the pass calls")
    parser.add_argument("--turns", type=number, default=3, help="runs of each, in turns; the median counts (3)")
    args = parser.parse_args()
    for what in (args.kind,) if args.kind else KINDS:
        print(what.replace("-", " "))
        compare(args.counts or (2_000, 5_000, 10_000, 20_000), what == KINDS[1], args)


def compare(counts: Sequence[int], slices: bool, args: argparse.Namespace) -> None:
    """Prints a line for each number of ops."""
    first: tuple[int, float] | None = None
    first_calls = 0
    for count in counts:
        text = Writer(count, slices).text(count)
        has_peer = shutil.which(PEER) is not None
        turns = [(alone(ours, text), peer(text) if has_peer else 0.0) for _ in range(args.turns)]
        mine, theirs = (statistics.median(each) for each in zip(*turns, strict=True))
        line = f"{count:>8} ops: {mine:7.3f} s CPU, {1e6 * mine / count:6.1f} us an op"
        if has_peer:
            line += f"; {PEER} {theirs:.4f} s, {mine / theirs:.1f} times"
        if first is not None:
            line += f"; {mine / first[1]:.1f} times that of {first[0]} ops, linear is {count / first[0]:.1f}"
        first = first or (count, mine)
        print(line, flush=True)
        if args.calls:
            made = calls(text)
            first_calls = first_calls or made
            print(f"{'':>8} {made / count:.0f} calls an op; {made / first_calls:.2f} times those of {first[0]} ops")
        for what, seconds in alone(floor, text).items() if args.floor else ():
            print(f"{'':>8} {what}: {seconds:.3f} s" + (f", {seconds / theirs:.1f} times" if has_peer else ""))


if __name__ == "__main__":
    main()
