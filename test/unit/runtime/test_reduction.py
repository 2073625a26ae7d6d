"""Reductions and local response normalization of oneDNN against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from steps import run_step
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, f32, i64
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.lrn import OneDnnLrnOp
from lastuse.dialect.onednn.primitives.reduction import REDUCTIONS, OneDnnReductionOp
from lastuse.runtime import _core

Array = np.ndarray
REDUCE = {"sum": np.sum, "mean": np.mean, "mul": np.prod}


def sample(*shape: int) -> Array:
    return np.random.default_rng(len(shape)).uniform(-2, 2, shape).astype(np.float32)


def test_every_algorithm_has_a_case() -> None:
    assert set(REDUCE) == REDUCTIONS == set(_core.reduction_algorithms())


@pytest.mark.parametrize("alg", sorted(REDUCE))
@pytest.mark.parametrize(
    ("shape", "axes"),
    [((7, 33), (1,)), ((1, 4097), (1,)), ((7, 33), (0,)), ((3, 4, 5, 6), (1, 3)), ((3, 4, 5), (0, 1, 2))],
)
@pytest.mark.parametrize("gap", [0, 3], ids=["dense", "strided"])
def test_reduction_equals_that_of_numpy(alg: str, shape: tuple[int, ...], axes: tuple[int, ...], gap: int) -> None:
    x = sample(*shape)
    want = np.asarray(REDUCE[alg](x.astype(np.float64), axis=axes, keepdims=True)).astype(np.float32)
    (have,) = run_step(OneDnnReductionOp, [x], [want], {"alg": StringAttr(alg)}, None, gap)
    np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-4)


def test_infinities_and_nan_pass_through_reductions() -> None:
    x = np.ones((3, 40), np.float32)
    x[0, 5], x[1, 7], x[2, 0], x[2, 39] = np.inf, np.nan, np.inf, -np.inf
    for alg, want in {"sum": [np.inf, np.nan, np.nan], "mul": [np.inf, np.nan, -np.inf]}.items():
        (have,) = run_step(OneDnnReductionOp, [x], [np.zeros((3, 1), np.float32)], {"alg": StringAttr(alg)})
        np.testing.assert_array_equal(have[:, 0], want)


def test_reduction_in_place_is_refused() -> None:
    with pytest.raises(VerifyException, match="may not be written over in 0"):
        run_step(OneDnnReductionOp, [sample(4, 4)], [sample(4, 1)], {"alg": StringAttr("sum")}, 0)


@pytest.mark.parametrize("size", [1, 3, 5, 9])
@pytest.mark.parametrize("shape", [(2, 7, 3, 5), (1, 16, 8, 8), (2, 5, 2, 3, 4)])
def test_lrn_equals_its_formula(size: int, shape: tuple[int, ...]) -> None:
    x = sample(*shape)
    alpha, beta, bias = 0.3, 0.75, 1.5
    around = [
        np.square(x.astype(np.float64))[:, max(0, c - size // 2) : c + size // 2 + 1].sum(1) for c in range(shape[1])
    ]
    want = x / (bias + alpha / size * np.stack(around, 1)) ** beta
    numbers = {name: FloatAttr(v, f32) for name, v in (("alpha", alpha), ("beta", beta), ("bias", bias))}
    (have,) = run_step(OneDnnLrnOp, [x], [x], {"size": IntegerAttr(size, i64), **numbers})
    np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-5)
