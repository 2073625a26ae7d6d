"""Steps of LSTMs of bytes in C++: those of the op's kernel in numpy, the same bits on all threads and processors."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from native_kernels import native_kernel, scratch_of
from op_cases import build, empty, segments

import lastuse
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.example import operand_names
from lastuse.dialect.dnn.packed_columns import PacksWeights
from lastuse.runtime import _core


def operands_of(op: DnnOp, rng: np.random.Generator, steps: int, weights: Array) -> list[Array]:
    """Arrays for an op: lengths from none to all steps, scales as small as those of models."""
    arrays: list[Array] = []
    for number, name in enumerate(operand_names(op)):
        shape = [size for size in op.operand_type(number).shape if isinstance(size, int)]
        match name:
            case "r":
                arrays.append(weights)
            case "r_zero_point":
                arrays.append(rng.integers(0, 100, shape).astype(weights.dtype))
            case "r_scale":
                arrays.append(rng.uniform(0.0005, 0.002, shape).astype(np.float32))
            case "sequence_lens":
                arrays.append(rng.integers(0, steps + 1, shape).astype(np.int32))
            case _:
                arrays.append(rng.standard_normal(shape).astype(np.float32))
    return arrays


def computed(op: DnnOp, operands: list[Array], threads: int) -> list[Array]:
    results = empty(op)
    native_kernel(op, threads)(operands, results, scratch_of(op, threads))
    return results


@settings(max_examples=80, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    st.tuples(st.integers(1, 6), st.integers(1, 14), st.integers(1, 40)),
    st.lists(st.booleans(), min_size=5, max_size=5),
    st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.booleans()),
    st.integers(1, 3),
    st.integers(0, 2**32),
)
def test_kernel_is_that_of_numpy(
    sizes: tuple[int, int, int], given_: list[bool], flags: tuple[bool, ...], threads: int, seed: int
) -> None:
    (steps, batch, hidden), rng = sizes, np.random.default_rng(seed)
    unsigned, of_columns, is_packed, reverse, tied = flags
    dtype, each, state = "ui8" if unsigned else "i8", f"{4 * hidden}x" if of_columns else "", f"{batch}x{hidden}xf32"
    optional = [f"{each}{dtype}", f"{3 * hidden}xf32", f"{batch}xi32", state, state]
    types = [f"{steps}x{batch}x{4 * hidden}xf32", f"{hidden}x{4 * hidden}x{dtype}", f"{each}f32"]
    types += [type_ for type_, is_given in zip(optional, given_, strict=True) if is_given]
    more = (
        f"is_reverse = {str(reverse).lower()}, input_forget = {str(tied).lower()}, clip = {rng.uniform(0.5, 3)} : f32, "
    )
    limits = np.iinfo(np.uint8 if unsigned else np.int8)
    weights = rng.integers(limits.min, limits.max + 1, (hidden, 4 * hidden)).astype(limits.dtype)
    made = f"{steps}x{state}, {state}, {state}"
    if is_packed:
        plain = build(f"dynamic_lstm({', '.join(types)}) {segments(1, 1, 1, *map(int, given_))} -> {made}")
        assert isinstance(plain, PacksWeights)
        weights = plain.packed_weights(weights)
        types[1], more = f"{weights.size}x{dtype}", f"{more}packed = array<i64: {hidden}, {4 * hidden}>, "
    names = segments(1, 1, 1, *map(int, given_), more=more)
    op = build(f"dynamic_lstm({', '.join(types)}) {names} -> {made}")
    operands, want = operands_of(op, rng, steps, weights), empty(op)
    op.kernel(operands, want, np.empty(0, np.uint8))
    # Where the two round a state to neighbouring bytes, what follows is another step of the scale off.
    first = (steps - 1) if reverse else 0
    for one, other in zip(computed(op, operands, threads), want, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-2)
        if not given_[2] and one.ndim == 3:
            np.testing.assert_allclose(one[first], other[first], rtol=0, atol=1e-6)


def program_of(steps: int, batch: int, hidden: int, threads: int) -> lastuse.Program:
    columns = 4 * hidden
    text = f"""func.func @main(%x: tensor<{steps}x{batch}x{columns}xf32>, %r: tensor<{hidden}x{columns}xi8>,
        %s: tensor<f32>, %z: tensor<i8>, %h: tensor<{batch}x{hidden}xf32>)
        -> (tensor<{steps}x{batch}x{hidden}xf32>, tensor<{batch}x{hidden}xf32>, tensor<{batch}x{hidden}xf32>) {{
      %y:3 = "dnn.dynamic_lstm"(%x, %r, %s, %z, %h) {{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0>}}
        : (tensor<{steps}x{batch}x{columns}xf32>, tensor<{hidden}x{columns}xi8>, tensor<f32>, tensor<i8>,
           tensor<{batch}x{hidden}xf32>)
        -> (tensor<{steps}x{batch}x{hidden}xf32>, tensor<{batch}x{hidden}xf32>, tensor<{batch}x{hidden}xf32>)
      func.return %y#0, %y#1, %y#2
        : tensor<{steps}x{batch}x{hidden}xf32>, tensor<{batch}x{hidden}xf32>, tensor<{batch}x{hidden}xf32>
    }}"""
    return lastuse.compile(text.encode(), threads=threads)


def arrays_of(steps: int, batch: int, hidden: int) -> list[Array]:
    rng = np.random.default_rng(hidden)
    x = rng.standard_normal((steps, batch, 4 * hidden)).astype(np.float32)
    r = rng.integers(-128, 128, (hidden, 4 * hidden)).astype(np.int8)
    h = rng.standard_normal((batch, hidden)).astype(np.float32)
    return [x, r, np.array(0.001, np.float32), np.array(3, np.int8), h]


@pytest.mark.parametrize("sizes", [(9, 1, 400), (5, 3, 257), (3, 40, 72)])
def test_threads_change_no_bit(sizes: tuple[int, int, int]) -> None:
    arrays, before = arrays_of(*sizes), _core.joint_jobs()
    want = program_of(*sizes, 1)(*arrays)
    for threads in (2, 3):
        program = program_of(*sizes, threads)
        for _ in range(200):
            for one, other in zip(program(*arrays), want, strict=True):
                np.testing.assert_array_equal(one, other)
            # On a busy machine threads rest for some runs.
            if _core.joint_jobs() > before or len(os.sched_getaffinity(0)) == 1:
                break
    assert _core.joint_jobs() > before or len(os.sched_getaffinity(0)) == 1


def digest() -> str:
    """Of results for a few sizes."""
    found = hashlib.sha256()
    for sizes in ((6, 1, 70), (4, 2, 33), (3, 14, 16)):
        for array in program_of(*sizes, 1)(*arrays_of(*sizes)):
            found.update(array.tobytes())
    return found.hexdigest()


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_processors_change_no_bit(isa: str) -> None:
    folder = Path(__file__).parent
    code = f"import sys; sys.path[:0] = {[str(folder), str(folder.parent / 'dialect')]}; import test_byte_lstm as t"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print(t.digest())"],
        env={**os.environ, "ONEDNN_MAX_CPU_ISA": isa},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest()
