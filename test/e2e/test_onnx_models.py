"""ONNX models of real packages, end to end: the results of onnxruntime, and an arena that has the bytes of the plan."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from packaged_models import EVERY_KIND, EVERY_MODEL, fetched, model_table

import lastuse
from lastuse.dialect.dnn.spatial.row_convolution import RowConvolutionBase
from lastuse.dialect.dnn.spatial.windowed import AnySizeBase
from support import opt_tool

Arrays = Mapping[str, np.ndarray]
ALIGNMENT = 64


def same_bits(left: Arrays, right: Arrays) -> bool:
    return list(left) == list(right) and all(
        left[name].shape == right[name].shape and left[name].tobytes() == right[name].tobytes() for name in left
    )


@EVERY_KIND
def test_results_are_those_of_onnxruntime_and_of_naive(model: model_table.Model) -> None:
    ort = pytest.importorskip("onnxruntime")
    path = fetched(model)
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    planned = lastuse.compile(path, threads=1, poison=True)
    naive = lastuse.compile(path, threads=1, plan=False, inplace=False)
    for sizes in (model.sizes, *model.others):
        inputs = model.inputs(sizes)
        results = planned.run(inputs)
        assert list(results) == names
        for name, expected in zip(names, session.run(None, inputs), strict=True):
            result = results[name]
            assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
            error = np.abs(result.astype(np.float64) - expected).max() / np.abs(expected).max()
            assert error <= model.tolerance, f"{name} at {sizes} differs by {error:.1e}"
        assert not planned.latest.engines.get("cpu"), "a step is a call of numpy"
        memory = planned.memory
        assert planned.latest.runner.memory.arena == memory.arena_bytes
        assert same_bits(results, planned.context(aligned(memory.arena_bytes)).run(inputs))
        if memory.arena_bytes:
            with pytest.raises(lastuse.LastuseError, match="arena"):
                planned.context(aligned(memory.arena_bytes - 1)).run(inputs)
        assert same_bits(results, naive.run(inputs)), sizes
        assert memory.arena_bytes <= naive.memory.arena_bytes


def aligned(nbytes: int) -> np.ndarray:
    """So many bytes, from a boundary of 64 bytes on."""
    memory = np.empty(nbytes + ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + nbytes]


@EVERY_MODEL
def test_printed_has_the_same_bits(model: model_table.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the smallest sizes, which the text has as numbers; and, of a model that can be read without, as symbols.

    Without fusion: where sizes are numbers from the beginning, more ops are fused, and oneDNN rounds otherwise. So it
    does where a convolution has an implementation for open widths, and the runtime's kernel where the sizes of rows say
    that it is faster.
    """
    monkeypatch.setattr(AnySizeBase, "has_open_size", lambda _: False)
    monkeypatch.setattr(RowConvolutionBase, "native_kernel", lambda _: None)
    path, text = fetched(model), tmp_path / "model.mlir"
    bound: list[str] = []
    for name, size in model.smallest.items():
        bound += ["--value", f"{name}={size}"] if isinstance(size, int) else ["--shape", f"{name}={_times(size)}"]
    inputs = model.inputs(model.smallest)
    results = lastuse.compile(path, threads=1, fuse=False).run(inputs)
    for options in (bound, []):
        done = opt_tool(*options, "-o", str(text), str(path))
        if options or done.status == 0:
            assert done.status == 0, done.err
            printed = lastuse.compile(text, threads=1, fuse=False)
            assert same_bits(results, printed.run({name: inputs[name] for name in printed.inputs})), options
        else:
            assert "(--shape, --value)" in done.err


def _times(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))
