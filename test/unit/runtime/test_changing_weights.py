"""Convolutions whose weights are no constants: packed in scratch by each run, the gradient of the weights unpacked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import lastuse
from lastuse.runtime import _core

Array = np.ndarray
RNG = np.random.default_rng(11)


class Case(NamedTuple):
    """Of a convolution: `kernel` is the length of the window, `step` how far it moves."""

    batch: int
    channels: int
    outputs: int
    sizes: tuple[int, int]
    kernel: int
    step: int


CASES = [
    Case(2, 8, 16, (9, 7), 3, 1),
    Case(3, 3, 40, (6, 8), 3, 2),
    Case(1, 16, 5, (4, 4), 1, 1),
    Case(2, 64, 64, (5, 5), 3, 1),
]


def sample(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


def _type(array: Array) -> str:
    return f"tensor<{'x'.join(map(str, array.shape))}xf32>"


def _program(path: Path, op: str, attributes: str, y: Array, **operands: Array) -> lastuse.Program:
    arguments = ", ".join(f'%{name}: {_type(array)} {{dnn.name = "{name}"}}' for name, array in operands.items())
    types = ", ".join(map(_type, operands.values()))
    given = ", ".join(f"%{name}" for name in operands)
    path.write_text(f"""func.func @main({arguments}) -> ({_type(y)} {{dnn.name = "y"}}) {{
  %y = "dnn.{op}"({given}) {{{attributes}}} : ({types}) -> {_type(y)}
  func.return %y : {_type(y)}
}}""")
    return lastuse.compile(path)


def _windows(padded: Array, y: Array, kernel: int, step: int) -> Iterator[tuple[int, int, Array]]:
    """For each place in the window the elements of x [N, H, W, C] there, one for each place of the window."""
    rows, columns = y.shape[1:3]
    for i, j in product(range(kernel), repeat=2):
        yield i, j, padded[:, i : i + step * rows : step, j : j + step * columns : step]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_weights_that_change_are_packed_in_scratch(tmp_path: Path, case: Case) -> None:
    batch, channels, outputs, sizes, kernel, step = case
    side = kernel // 2
    places = [(n + 2 * side - kernel) // step + 1 for n in sizes]
    x, y = sample(batch, *sizes, channels), sample(batch, *places, outputs)
    pads = ", ".join([str(side)] * 4)
    movement = f"channels_last = true, pads = array<i64: {pads}>, strides = array<i64: {step}, {step}>"
    rest = ", ".join(str((n + 2 * side - kernel) % step) for n in sizes)
    w = sample(outputs, channels, kernel, kernel)
    forward = _program(tmp_path / "f.mlir", "conv", movement, y, x=x, w=w)
    extra = f"{movement}, output_padding = array<i64: {rest}>"
    data = _program(tmp_path / "d.mlir", "conv_transpose", extra, x, dy=y, w=w)
    sized = f"{movement}, kernel_shape = array<i64: {kernel}, {kernel}>"
    weights = _program(tmp_path / "w.mlir", "conv_weights_grad", sized, w, x=x, dy=y)

    for weight in (w, sample(*w.shape)):  # the second run reads what its own weights are packed to
        padded = np.pad(x.astype(np.float64), ((0, 0), (side, side), (side, side), (0, 0)))
        want_y, want_dx, want_dw = np.zeros(y.shape), np.zeros_like(padded), np.zeros(w.shape)
        into = {(i, j): part for i, j, part in _windows(want_dx, y, kernel, step)}
        for i, j, part in _windows(padded, y, kernel, step):
            want_y += part @ weight[:, :, i, j].T.astype(np.float64)
            into[i, j] += y @ weight[:, :, i, j].astype(np.float64)
            want_dw[:, :, i, j] = np.einsum("nhwo,nhwc->oc", y.astype(np.float64), part)
        inner = want_dx[:, side : side + sizes[0], side : side + sizes[1]]
        runs = ((forward, {"x": x, "w": weight}, want_y), (data, {"dy": y, "w": weight}, inner))
        for program, arguments, want in (*runs, (weights, {"x": x, "dy": y}, want_dw)):
            result = program.run(arguments)["y"]
            np.testing.assert_allclose(result, want, rtol=1e-4, atol=1e-5 * np.abs(want).max())

    for program in (forward, weights):
        assert program.latest.engines == {"onednn": 1}
    # A transpose to fewer than four channels is computed by our own kernel.
    assert data.latest.engines == ({"native": 1} if channels < 4 else {"onednn": 1})
    assert forward.memory.arena_bytes >= w.nbytes, "packed weights are planned memory"


def test_conversions_of_a_primitive() -> None:
    def row_major(*shape: int) -> _core.Desc:
        return _core.Desc(np.dtype(np.float32), shape, [int(np.prod(shape[k + 1 :])) for k in range(len(shape))])

    square, turned = row_major(4, 6), _core.Desc(np.dtype(np.float32), (4, 6), (1, 4))
    plain = _core.eltwise("relu", 0.0, 0.0, square, square)
    assert plain.with_operand(0, square).scratch_bytes == plain.scratch_bytes
    both = plain.with_operand(0, turned).with_result(0, turned)
    assert both.ins == [turned] and both.outs == [turned]
    # Both forms that the primitive takes, each on a boundary of 64 bytes.
    assert both.scratch_bytes == plain.scratch_bytes + 128 + square.nbytes
    with pytest.raises(_core.Error, match="of 1 operands has no number 1"):
        plain.with_operand(1, turned)
    with pytest.raises(_core.Error, match="of 1 results has no number 2"):
        plain.with_result(2, turned)

    def program_of(primitive: _core.Primitive, strides: tuple[int, int]) -> Array:
        program = _core.StepProgram(0, primitive.threads)
        views = [
            program.add_view(
                program.add_argument(name, np.dtype(np.float32), (24,), name == "y"),
                0,
                np.dtype(np.float32),
                (4, 6),
                strides,
            )
            for name in ("x", "y")
        ]
        program.add_primitive("relu", primitive, views[:1], views[1:])
        x, y = np.arange(-12, 12, dtype=np.float32), np.zeros(24, np.float32)
        _core.Context(program).run([x, y])
        return y

    want = np.maximum(np.arange(-12, 12, dtype=np.float32), 0)
    np.testing.assert_array_equal(program_of(plain, (6, 1)), want)
    np.testing.assert_array_equal(program_of(both, (1, 4)), want)
