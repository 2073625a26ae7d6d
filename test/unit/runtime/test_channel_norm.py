"""The core's batch normalisation in training, and its gradient: against f64, in place, and by any number of threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lastuse
from lastuse.runtime import _core

Array = np.ndarray
NOTHING = np.empty(0, np.uint8)
EPSILON, MOMENTUM = 1e-3, 0.75
SHAPES = [(2, 3), (3, 1, 5), (4, 17, 3, 5), (2, 40, 9), (8, 300, 2, 2), (2, 7, 2, 3, 40), (5, 16, 60, 60)]
"""[batch, channels, …]; the last ones are computed by more than one thread."""


def arrays(shape: tuple[int, ...], last: bool, seed: int = 0) -> tuple[Array, Array, list[Array]]:
    """x, dy and four rows: scale, bias, mean, variance."""
    rng = np.random.default_rng(seed)
    x, dy = (rng.normal(size=shape) * 2 + 3 for _ in range(2))
    rows = [rng.uniform(0.5, 1.5, shape[1]).astype(np.float32) for _ in range(4)]
    order = (0, *range(2, len(shape)), 1) if last else range(len(shape))
    first, second = (np.ascontiguousarray(a.transpose(order), np.float32) for a in (x, dy))
    return first, second, rows


def _column(row: Array, x: Array, last: bool) -> Array:
    return row.astype(np.float64) if last else row.astype(np.float64).reshape(-1, *[1] * (x.ndim - 2))


def _axes(x: Array, last: bool) -> tuple[int, ...]:
    return tuple(axis for axis in range(x.ndim) if axis != (x.ndim - 1 if last else 1))


def _normalise(given: list[Array], last: bool, threads: int) -> None:
    numbers = [EPSILON, MOMENTUM, float(last)]
    _core.call_native("batch_norm", "dnn.batch_norm", numbers, given[:5], given[5:], NOTHING, threads)


def _go_back(given: list[Array], fixed: bool, last: bool, threads: int) -> None:
    numbers = [EPSILON, float(fixed), float(last)]
    _core.call_native("batch_norm_grad", "dnn.batch_norm_grad", numbers, given[:5], given[5:], NOTHING, threads)


def normalised(x: Array, rows: list[Array], last: bool, threads: int, in_place: bool) -> list[Array]:
    scale, bias, mean, variance = (row.copy() for row in rows)
    x = x.copy()
    y, new = (x, [mean, variance]) if in_place else (np.empty_like(x), [np.empty_like(mean) for _ in range(2)])
    own = [np.empty_like(mean) for _ in range(2)]
    _normalise([x, scale, bias, mean, variance, y, *new, *own], last, threads)
    return [y, *new, *own]


@pytest.mark.parametrize("last", [False, True], ids=["channels second", "channels last"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_normalisation_is_that_of_f64(shape: tuple[int, ...], last: bool) -> None:
    x, _, rows = arrays(shape, last)
    found = normalised(x, rows, last, 1, False)
    wide = x.astype(np.float64)
    mean, variance = wide.mean(_axes(x, last)), wide.var(_axes(x, last))
    scale, bias, old_mean, old_variance = (row.astype(np.float64) for row in rows)
    standard = (wide - _column(mean, x, last)) / np.sqrt(_column(variance, x, last) + EPSILON)
    y = standard * _column(scale, x, last) + _column(bias, x, last)
    running = [old * MOMENTUM + new * (1 - MOMENTUM) for old, new in ((old_mean, mean), (old_variance, variance))]
    for array, want in zip(found, (y, *running, mean, variance), strict=True):
        np.testing.assert_allclose(array, want, rtol=1e-6, atol=3e-6)
    # oneDNN's sums in f32 are 1e-6 off here.
    np.testing.assert_allclose(found[3], mean, rtol=1.2e-7)
    for threads in (1, 2, 3):
        for other in (False, True):
            for array, again in zip(found, normalised(x, rows, last, threads, other), strict=True):
                assert array.tobytes() == again.tobytes(), (threads, other)


@pytest.mark.parametrize("fixed", [False, True], ids=["own statistics", "fixed"])
@pytest.mark.parametrize("last", [False, True], ids=["channels second", "channels last"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gradient_is_that_of_f64(shape: tuple[int, ...], last: bool, fixed: bool) -> None:
    x, dy, (scale, _, mean, variance) = arrays(shape, last)

    def gradients(threads: int, over: Array | None) -> list[Array]:
        given, upstream = x.copy() if over is not x else x, dy.copy() if over is not dy else dy
        dx = np.empty_like(x) if over is None else over
        sums = [np.empty_like(scale) for _ in range(2)]
        _go_back([given, scale, mean, variance, upstream, dx, *sums], fixed, last, threads)
        return [dx.copy(), *sums]

    found, axes = gradients(1, None), _axes(x, last)
    inverse = 1 / np.sqrt(_column(variance, x, last) + EPSILON)
    standard, wide = (x.astype(np.float64) - _column(mean, x, last)) * inverse, dy.astype(np.float64)
    dbias, dscale = wide.sum(axes), (wide * standard).sum(axes)
    rest = (_column(dbias, x, last) + standard * _column(dscale, x, last)) / (x.size / shape[1])
    dx = (wide - (0 if fixed else rest)) * inverse * _column(scale, x, last)
    for array, want in zip(found, (dx, dscale, dbias), strict=True):
        np.testing.assert_allclose(array, want, rtol=1e-5, atol=1e-6 * max(np.abs(want).max(), np.abs(dx).max()))
    for threads in (1, 2, 3):
        for over in (None, x, dy):
            kept = None if over is None else over.copy()
            for array, again in zip(found, gradients(threads, over), strict=True):
                assert array.tobytes() == again.tobytes(), threads
            if over is not None and kept is not None:
                np.copyto(over, kept)


def test_small_variance_behind_a_large_mean() -> None:
    rng = np.random.default_rng(3)
    x = (1e4 + rng.normal(size=(16, 2, 64))).astype(np.float32)
    x[0, 1, 0] = -1e6  # what moments are taken about is far from the others
    rows = [np.ones(2, np.float32), *(np.zeros(2, np.float32) for _ in range(3))]
    variance = normalised(x, rows, False, 1, False)[4]
    np.testing.assert_allclose(variance, x.astype(np.float64).var((0, 2)), rtol=1e-6)


def test_no_elements_and_no_numbers() -> None:
    rows = [np.ones(3, np.float32) for _ in range(4)]
    for shape in ((0, 3, 2), (2, 3, 0)):
        assert np.isnan(normalised(np.zeros(shape, np.float32), rows, False, 1, False)[3]).all()
    x = np.ones((2, 3, 2), np.float32)
    x[0, 1, 0] = np.inf
    y, *_, mean, _ = normalised(x, rows, False, 1, False)
    assert np.isinf(mean[1]) and np.isnan(y[:, 1]).all() and np.isfinite(y[:, [0, 2]]).all()


def test_wrong_arrays_are_refused() -> None:
    x, rows = np.zeros((2, 3, 4), np.float32), [np.zeros(3, np.float32) for _ in range(9)]
    with pytest.raises(_core.Error, match="or a row for its channels"):
        _normalise([x, np.zeros(4, np.float32), *rows[:3], x, *rows[:4]], False, 1)
    with pytest.raises(_core.Error, match="have x's shape"):
        _normalise([x, *rows[:4], x[:1].copy(), *rows[:4]], False, 1)
    with pytest.raises(_core.Error, match="two axes"):
        _normalise([np.zeros(3, np.float32), *rows[:4], np.zeros(3, np.float32), *rows[:4]], False, 1)
    with pytest.raises(_core.Error, match="dense f32"):
        _go_back([x.astype(np.float64), *rows[:3], x, x, *rows[:2]], False, False, 1)


@pytest.mark.parametrize("last", [False, True], ids=["channels second", "channels last"])
def test_engines_agree(tmp_path: Path, last: bool) -> None:
    x, dy, rows = arrays((4, 17, 3, 5), last)
    big, row = f"tensor<{'x'.join(map(str, x.shape))}xf32>", "tensor<17xf32>"
    where = f"channels_last = {str(last).lower()}"
    results = ("y", "new_mean", "new_variance", "own_mean", "own_variance", "dx", "dscale", "dbias")
    types = [big, *[row] * 4, big, row, row]
    named = ", ".join(f'{type_} {{dnn.name = "{name}"}}' for name, type_ in zip(results, types, strict=True))
    given: dict[str, Array] = {"x": x, "dy": dy}
    given.update(zip(("scale", "bias", "mean", "variance"), rows, strict=True))
    arguments = ", ".join(f'%{name}: {big if name in ("x", "dy") else row} {{dnn.name = "{name}"}}' for name in given)
    found: dict[str, dict[str, Array]] = {}
    for engine in ("native", "onednn", "cpu"):
        pin = f'{where}, dnn.engine = "{engine}"'
        path = tmp_path / f"{engine}.mlir"
        path.write_text(f"""func.func @main({arguments}) -> ({named}) {{
  %y, %new_mean, %new_variance, %own_mean, %own_variance = "dnn.batch_norm"(%x, %scale, %bias, %mean, %variance)
    {{training_mode = true, {pin}}} : ({big}, {row}, {row}, {row}, {row}) -> ({big}, {row}, {row}, {row}, {row})
  %dx, %dscale, %dbias = "dnn.batch_norm_grad"(%x, %scale, %own_mean, %own_variance, %dy) {{{pin}}}
    : ({big}, {row}, {row}, {row}, {big}) -> ({big}, {row}, {row})
  func.return {", ".join(f"%{name}" for name in results)} : {", ".join(types)}
}}""")
        program = lastuse.compile(path)
        found[engine] = {name: np.array(array) for name, array in program.run(given).items()}
        assert set(program.latest.engines) == {engine}
        path.write_text(path.read_text().replace(f', dnn.engine = "{engine}"', ""))
    chosen = lastuse.compile(path)
    chosen.run(given)
    assert chosen.latest.engines == {"native": 2}, "what no text pins"
    for engine in ("onednn", "cpu"):
        for name, array in found[engine].items():
            np.testing.assert_allclose(array, found["native"][name], rtol=1e-4, atol=1e-4, err_msg=f"{engine} {name}")
