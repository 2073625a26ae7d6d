"""
How the passes scale: CPU seconds of `opt-tool --inplace-pass --memory-plan-pass --verify-storage-pass` on straight-line
programs. The goal: 10,000 operations under 8 s, of these 1.5 s for `--inplace-pass`, and ten times as many in at most
twelve times the time.

    python bench/passes_scaling.py [N …]        10,000 and 100,000 without arguments
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = ["--inplace-pass", "--memory-plan-pass", "--verify-storage-pass"]
TYPES = ["tensor<8x16xf32>", "tensor<8x32xf32>", "tensor<4x16xf32>"]
UNARY = ["relu", "tanh", "sigmoid", "exp", "abs", "neg"]
BINARY = ["add", "mul", "sub", "maximum"]


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


def seconds(count: int, flags: list[str]) -> float:
    """CPU seconds, user and system, of the command on a program of `count` operations."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        path.write_text(program(count))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "lastuse.tools.opt_tool", *flags, str(path)]
        subprocess.run([*command, "-o", str(Path(folder) / "out.mlir")], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(counts: list[int]) -> None:
    previous: tuple[int, float, float] | None = None
    for count in counts:
        nothing, inplace, taken = (seconds(count, flags) for flags in ([], FLAGS[:1], FLAGS))
        alone = inplace - nothing
        line = f"{count:>8} operations: {taken:7.2f} s CPU, of these {nothing:.2f} s to read, verify and print"
        line += f", {alone:.2f} s {FLAGS[0]}"
        if previous is not None:
            of, before, before_alone = previous
            line += f"; {taken / before:.1f} times the time of {of}, {FLAGS[0]} {alone / before_alone:.1f} times"
        print(line, flush=True)
        previous = count, taken, alone


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [10_000, 100_000])
