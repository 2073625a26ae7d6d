"""What lowered modules compute, and whether a changed one computes the same.

    python mutant_runs.py FOLDER FIRST

runs the modules FOLDER/0.mlir, FOLDER/1.mlir, … on the arrays in FOLDER/inputs.npz, from number FIRST on, and prints of
each its number and what it computed. A changed module may run forever, or end the process: this is that process.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.runtime.program import Executable

SECONDS = 5.0
"""How long one module may run."""


def computed(module: ModuleOp, inputs: Mapping[str, np.ndarray]) -> str:
    """All that a module computes, and what becomes of its inputs, as a digest; its memory holds NaN before."""
    program = Executable(module, threads=1, poison=True)
    given = {name: np.array(array) for name, array in inputs.items()}
    out = {
        name: np.frombuffer(b"\xcd" * (int(np.prod(a.shape)) * a.dtype.itemsize), a.dtype).reshape(a.shape).copy()
        for name, a in program.results.items()
        if a.input is None and not a.is_scalar
    }
    results = program.run(given, out)
    found = hashlib.sha256()
    for name, array in sorted(results.items()):
        found.update(name.encode() + np.ascontiguousarray(array).tobytes())
    kept = {a.input for a in program.arguments if a.input is not None and a.result is None}
    for name, array in given.items():
        if name in kept:
            found.update(array.tobytes())
    return found.hexdigest()


def computed_apart(folder: Path, modules: Sequence[ModuleOp], inputs: Mapping[str, np.ndarray]) -> list[str | None]:
    """What each of the modules computes, in processes of their own; None for one that fails, or ends its process."""
    np.savez(folder / "inputs.npz", **dict(inputs))  # pyright: ignore
    for number, module in enumerate(modules):
        (folder / f"{number}.mlir").write_text(str(module))
    found: list[str | None] = []
    while len(found) < len(modules):
        command = [sys.executable, __file__, str(folder), str(len(found))]
        limit = SECONDS + 0.2 * (len(modules) - len(found))
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=limit
            )
            out = done.stdout
        except subprocess.TimeoutExpired as late:
            out = late.stdout or b""
        lines = out.decode().split()
        found += [None if line == "-" else line for line in lines]
        if len(found) < len(modules):
            found.append(None)  # the one that was running
    return found


def main(folder: Path, first: int) -> None:
    """Runs the modules of a folder."""
    with np.load(folder / "inputs.npz") as arrays:
        inputs = dict(arrays)
    while (path := folder / f"{first}.mlir").exists():
        try:
            print(computed(parse(context(), path.read_text(), path.name), inputs), flush=True)
        except (LastuseError, ValueError, IndexError):
            print("-", flush=True)
        first += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
