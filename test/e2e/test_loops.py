"""The examples of loops: decoding and a recurrent layer by hand, as written and planned, against numpy."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lastuse.compiler.driver import compile
from lastuse.compiler.program import Program
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from support import ROOT, call

EXAMPLES = ROOT / "examples" / "loops"
Arrays = dict[str, np.ndarray]


def model(seed: int) -> Arrays:
    rng = np.random.default_rng(seed)
    sizes = {"embedding": (6, 4), "mix": (4, 4), "head": (4, 6), "state": (4,)}
    drawn: Arrays = {name: rng.normal(size=shape).astype(np.float32) for name, shape in sizes.items()}
    return {**drawn, "token": np.array([1]), "text": np.full(8, -1)}


@cache
def compiled(name: str) -> list[Program]:
    """As written, and in place with a plan."""
    return [compile(EXAMPLES / name, inplace=k, plan=k, threads=1, poison=True) for k in (False, True)]


def decode(given: Arrays, end: int, most: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Text, state and the number of tokens, in numpy."""
    state, token, text, count = given["state"], 1, given["text"].copy(), 0
    while token != end and count < most:
        state = np.tanh(state @ given["mix"] + given["embedding"][token])
        token = int(np.argmax(state @ given["head"]))
        text[count] = token
        count += 1
    return text, state, count


@pytest.mark.parametrize("most", [0, 1, 5, 8])
@pytest.mark.parametrize("end", [-1, 1, 2, 3])
def test_decode_writes_the_text_of_numpy(end: int, most: int) -> None:
    programs = compiled("decode.mlir")
    for seed in range(4):
        text, state, count = decode(model(seed), end, most)
        found = [program.run({**model(seed), "end": np.int64(end), "most": np.int64(most)}) for program in programs]
        for result in found:
            np.testing.assert_array_equal(result["written"], text)
            np.testing.assert_allclose(result["last"], state, rtol=1e-5, atol=1e-6)
            assert result["count"] == count
        for name, array in found[0].items():
            np.testing.assert_array_equal(found[1][name], array)


def test_results_are_in_the_donated_arguments() -> None:
    program = compile(EXAMPLES / "decode.mlir", threads=1)
    given = model(2)
    found = program.run({**given, "end": np.int64(-1), "most": np.int64(8)})
    assert found["written"] is given["text"] and found["last"] is given["state"]
    assert not any(isinstance(op, BufferCopyOp) for op in program.latest.lowered.walk())


@pytest.mark.parametrize("steps", [0, 1, 2, 9, -3])
@pytest.mark.parametrize("batch", [1, 3, 17])
def test_rnn_computes_the_result_of_numpy(batch: int, steps: int) -> None:
    rng = np.random.default_rng(batch)
    given = {
        name: rng.normal(size=s).astype(np.float32) for name, s in (("x", (batch, 4)), ("weight", (4, 4)), ("bias", 4))
    }
    state = mean = np.zeros((batch, 4), np.float32)
    for _ in range(steps):
        state = np.tanh(state @ given["weight"] + given["x"] + given["bias"])
        mean = 0.9 * mean + 0.1 * state
    programs = compiled("rnn.mlir")
    naive, planned = (program.run({**given, "steps": np.int64(steps)}) for program in programs)
    np.testing.assert_allclose(planned["state"], state, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(planned["mean"], mean, rtol=1e-4, atol=1e-5)
    for name, array in naive.items():
        np.testing.assert_array_equal(planned[name], array)
    memory = programs[1].memory
    product = -(-batch * 16 // 64) * 64
    assert memory.arena_bytes == product + memory.scratch_bytes, "the product alone has memory of its own"


@pytest.mark.parametrize(
    ("n", "c"), [(np.array(3), np.array(True)), (np.int32(3), np.False_), (np.array(3, np.uint8), np.array(1))]
)
def test_run_tool_accepts_scalars_as_0d_arrays(n: np.ndarray, c: np.ndarray, tmp_path: Path) -> None:
    """Any dtype that holds the number is accepted; results have the declared type."""
    (tmp_path / "scalars.mlir").write_text(
        """func.func @main(%n: index, %c: i1, %k: i32, %x: tensor<2xf32>) -> (index, i1, i32, tensor<2xf32>) {
  %one = arith.constant true
  %d = arith.xori %c, %one : i1
  %m = arith.addi %n, %n : index
  %l = arith.muli %k, %k : i32
  func.return %m, %d, %l, %x : index, i1, i32, tensor<2xf32>
}
"""
    )
    np.savez(tmp_path / "in.npz", n=n, c=c, k=np.int64(-7), x=np.ones(2, np.float32))
    paths = [str(tmp_path / name) for name in ("scalars.mlir", "in.npz", "out.npz")]
    done = call(["run-tool", paths[0], "--inputs", paths[1], "--outputs", paths[2]])
    assert done.status == 0, done.err
    with np.load(paths[2]) as found:
        shown = {name: (found[name].dtype, found[name].shape, found[name].tolist()) for name in found.files}
    assert shown == {
        "out0": (np.dtype(np.int64), (), 6),
        "out1": (np.dtype(np.bool_), (), not c),
        "out2": (np.dtype(np.int32), (), 49),
        "out3": (np.dtype(np.float32), (2,), [1, 1]),
    }
