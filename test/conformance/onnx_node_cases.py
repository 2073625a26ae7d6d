"""ONNX's own tests of its ops, and what became of each: `python test/conformance/onnx_node_cases.py` writes it down.

`onnx_nodes.txt` has a line a test: its name, `own` (only classes of ours run), `onnx_op` (`dnn.onnx_op` runs some of
it) or `skipped` with the reason.
"""

from __future__ import annotations

import sys
import unittest
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case.test_case import TestCase
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner

from lastuse import onnx_backend

OWN, STANDARD, SKIPPED = "own", "onnx_op", "skipped"
FILE = Path(__file__).parent / "onnx_nodes.txt"


@cache
def cases() -> dict[str, TestCase]:
    """The tests by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {case.name: case for case in load_model_tests(kind="node")}


def recorded() -> dict[str, str]:
    """What became of each test, by name: the rest of its line."""
    lines = FILE.read_text().splitlines() if FILE.exists() else []
    return {name: rest for name, _, rest in (line.partition(" ") for line in lines)}


def outcome(name: str) -> str:
    """Runs a test; the rest of its line. Raises AssertionError where the results differ, and what compiling raises."""
    case = cases()[name]
    try:
        prepared = onnx_backend.prepare(case.model)
        for inputs, outputs in case.data_sets or ():
            results = prepared.run([_array(item) for item in inputs])
            expected = [_array(item) for item in outputs]
            Runner.assert_similar_outputs(expected, results, case.rtol, case.atol)
    except unittest.SkipTest as skipped:
        return f"{SKIPPED} {' '.join(str(skipped).split())}"
    ops = {op.name for op in prepared.program.latest.module.walk()}
    return STANDARD if "dnn.onnx_op" in ops else OWN


def _array(item: Any) -> Any:
    return (
        numpy_helper.to_array(item)
        if isinstance(item, TensorProto)
        else np.asarray(item)
        if np.isscalar(item)
        else item
    )


def _line(name: str) -> tuple[str, str]:
    warnings.simplefilter("ignore")
    try:
        return name, outcome(name)
    except Exception as error:
        return name, f"FAILED {type(error).__name__}: {' '.join(str(error).split())[:200]}"


def main() -> int:
    """Runs all tests and writes the file. Returns 1 where one failed."""
    with ProcessPoolExecutor(2) as pool:
        results = dict(pool.map(_line, sorted(cases()), chunksize=50))
    failed = [f"{name} {result}" for name, result in results.items() if result.startswith("FAILED")]
    print("\n".join(failed))
    FILE.write_text("".join(f"{name} {result}\n" for name, result in sorted(results.items())))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
