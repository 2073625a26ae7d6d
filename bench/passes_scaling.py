"""
How the passes scale: CPU seconds of `opt-tool --inplace-pass --memory-plan-pass --verify-storage-pass` on straight-line
programs, each pass alone as the tool runs it (`--time-passes`), and the whole process. The goal: 10,000 operations
under 8 s, of these 1.5 s for `--inplace-pass`, and ten times as many in at most twelve times the time.

    python bench/passes_scaling.py [N …]        10,000 and 100,000 without arguments
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PASSES = ["inplace-pass", "memory-plan-pass", "verify-storage-pass"]
TOOK = re.compile(r"^Pass (\S+) took (\S+) seconds$", re.MULTILINE)
TYPES = ["tensor<8x16xf32>", "tensor<8x32xf32>", "tensor<4x16xf32>"]
UNARY = ["relu", "tanh", "sigmoid", "exp", "abs", "neg"]
BINARY = ["add", "mul", "sub", "maximum"]


class Seconds(NamedTuple):
    """CPU seconds, user and system: of a process, and of each pass in it."""

    whole: float
    passes: dict[str, float]


def program(count: int) -> str:
    """A function of `count` operations: chains with branches that live on for a while, of three sizes."""
    chance = random.Random(count)
    recent = {kind: [f"%x{index}"] for index, kind in enumerate(TYPES)}
    lines: list[str] = []
    for index in range(count):
        kind = chance.choice(TYPES)
        values = recent[kind]
        if chance.random() < 0.6:
            op, operands = chance.choice(UNARY), [values[-1]]
        else:
            op, operands = chance.choice(BINARY), [values[-1], chance.choice(values)]
        signature = ", ".join([kind] * len(operands))
        lines.append(f'  %v{index} = "dnn.{op}"({", ".join(operands)}) : ({signature}) -> {kind}')
        recent[kind] = [*values, f"%v{index}"][-8:]
    arguments = ", ".join(f"%x{index}: {kind}" for index, kind in enumerate(TYPES))
    results = ", ".join(recent[kind][-1] for kind in TYPES)
    kinds = ", ".join(TYPES)
    return "\n".join(
        [f"func.func @main({arguments}) -> ({kinds}) {{", *lines, f"  func.return {results} : {kinds}", "}", ""]
    )


def seconds(count: int) -> Seconds:
    """What the tool takes for a program of `count` operations, in one process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        path.write_text(program(count))
        command = [sys.executable, "-m", "lastuse.tools.opt_tool", "--time-passes", *(f"--{p}" for p in PASSES)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command += [str(path), "-o", str(Path(folder) / "out.mlir")]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(whole, {name: float(taken) for name, taken in TOOK.findall(done.stdout)})


def number(word: str) -> int:
    """An argument: how many operations."""
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"'{word}' is no number of operations")
    return int(word)


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU seconds of the passes on straight-line programs.")
    parser.add_argument("counts", metavar="N", nargs="*", type=number, help="operations (default: 10000 100000)")
    previous: tuple[int, Seconds] | None = None
    for count in parser.parse_args().counts or (10_000, 100_000):
        taken = seconds(count)
        each = "".join(f"{found:.2f} s --{name}, " for name, found in taken.passes.items())
        rest = taken.whole - sum(taken.passes.values())
        line = f"{count:>8} operations: {taken.whole:7.2f} s CPU, of these {each}{rest:.2f} s to read, verify and print"
        if previous is not None:
            of, before = previous
            grown = [f"{taken.whole / before.whole:.1f} times the time of {of}"]
            grown += [f"--{name} {found / before.passes[name]:.1f} times" for name, found in taken.passes.items()]
            line += f"; {', '.join(grown)}"
        print(line, flush=True)
        previous = count, taken


if __name__ == "__main__":
    main()
