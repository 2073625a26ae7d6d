"""Every primitive against numpy, and in place against out of place: the same bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import erf
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from steps import run_step
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, FloatAttr, IntegerAttr, StringAttr, f32, i64
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

import lastuse
from lastuse.dialect.onednn.primitives.batch_norm import OneDnnBatchNormOp
from lastuse.dialect.onednn.primitives.binary import BINARY, COMPARISONS, OneDnnBinaryOp
from lastuse.dialect.onednn.primitives.data_reorder import OneDnnReorderOp
from lastuse.dialect.onednn.primitives.eltwise import ELTWISE, OneDnnEltwiseOp
from lastuse.dialect.onednn.primitives.layer_norm import OneDnnLayerNormOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.primitives.softmax import OneDnnSoftmaxOp
from lastuse.dialect.onednn.primitives.sum import OneDnnSumOp
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.runtime import _core

Array = np.ndarray
Attributes = Mapping[str, Attribute]


def number(value: float) -> FloatAttr:
    return FloatAttr(value, f32)


def sample(*shape: int, low: float = -3.0, high: float = 3.0) -> Array:
    """Reproducible f32 numbers, and where negatives may be, both zeros."""
    array = np.random.default_rng(sum(shape) + len(shape)).uniform(low, high, shape).astype(np.float32)
    if low < 0 and array.size > 2:
        array.reshape(-1)[:2] = 0.0, -0.0
    return array


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.vectorize(erf)(x / np.sqrt(2)))


def _gelu_tanh(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


_relu6 = {"alpha": number(0.0), "beta": number(6.0)}
_slope = {"alpha": number(0.25)}
_one = {"alpha": number(1.0)}
_line = {"alpha": number(2.5), "beta": number(-0.5)}
_hard = {"alpha": number(1 / 6), "beta": number(0.5)}

ELTWISE_CASES: dict[str, tuple[Callable[[Array], Array], Attributes]] = {
    "relu": (lambda x: np.where(x > 0, x, 0.25 * x), _slope),
    "tanh": (np.tanh, {}),
    "elu": (lambda x: np.where(x > 0, x, 0.25 * np.expm1(x)), _slope),
    "square": (np.square, {}),
    "abs": (np.abs, {}),
    "sqrt": (lambda x: np.sqrt(np.abs(x)), {}),
    "swish": (lambda x: x * _sigmoid(x), _one),
    "linear": (lambda x: 2.5 * x - 0.5, _line),
    "soft_relu": (lambda x: np.log1p(np.exp(x)), _one),
    "hardsigmoid": (lambda x: np.clip(x / 6 + 0.5, 0, 1), _hard),
    "hardswish": (lambda x: x * np.clip(x / 6 + 0.5, 0, 1), _hard),
    "mish": (lambda x: x * np.tanh(np.log1p(np.exp(x))), {}),
    "logistic": (_sigmoid, {}),
    "exp": (np.exp, {}),
    "gelu_tanh": (_gelu_tanh, {}),
    "gelu_erf": (_gelu, {}),
    "log": (lambda x: np.log(np.abs(x)), {}),
    "clip": (lambda x: np.clip(x, 0, 6), _relu6),
    "pow": (lambda x: np.abs(x) ** 1.5, {"alpha": number(1.0), "beta": number(1.5)}),
    "round": (np.round, {}),
}
_POSITIVE = {"sqrt", "log", "pow"}


class Case(NamedTuple):
    """One step and what numpy says: `want` maps the ins, as f64, to the outs."""

    op_class: type[DestinationStyleBase]
    ins: tuple[Array, ...]
    want: Callable[..., Array | tuple[Array, ...]]
    attributes: Attributes
    tolerance: float = 1e-5


def _eltwise(alg: str) -> Case:
    want, attributes = ELTWISE_CASES[alg]
    x = np.abs(sample(5, 37)) + np.float32(0.1) if alg in _POSITIVE else sample(5, 37)
    return Case(OneDnnEltwiseOp, (x,), want, {"alg": StringAttr(alg), **attributes})


_UFUNCS: dict[str, Callable[..., Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "ge": np.greater_equal,
    "gt": np.greater,
    "le": np.less_equal,
    "lt": np.less,
    "eq": np.equal,
    "ne": np.not_equal,
}


def _binary(alg: str, *shape: int) -> Case:
    other = sample(*shape, low=0.5) if alg == "div" else sample(*shape)
    return Case(OneDnnBinaryOp, (sample(4, 3, 19), other), _UFUNCS[alg], {"alg": StringAttr(alg)})


def _softmax(axis: int, log: bool) -> Case:
    def want(x: Array) -> Array:
        y = np.exp(x) / np.exp(x).sum(axis, keepdims=True)
        return np.log(y) if log else y

    given: dict[str, Attribute] = {"axis": IntegerAttr(axis, i64)}
    return Case(
        OneDnnSoftmaxOp, (sample(3, 7, 18),), want, {**given, "log": BoolAttr.from_bool(True)} if log else given
    )


def _normal(x: Array, scale: Array, shift: Array) -> Array:
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-3) * scale + shift


def _normal_with_statistics(x: Array, scale: Array, shift: Array) -> tuple[Array, ...]:
    return _normal(x, scale, shift), x.mean(-1), x.var(-1)


def _batch(x: Array, *rows: Array) -> Array:
    scale, shift, mean, variance = (r.reshape(1, -1, *[1] * (x.ndim - 2)) for r in rows)
    return (x - mean) / np.sqrt(variance + 1e-3) * scale + shift


def _channels(size: int) -> tuple[Array, ...]:
    return sample(size), sample(size) + np.float32(0.5), sample(size) * np.float32(0.3), sample(size, low=0.2)


def _weighted(a: Array, b: Array, c: Array) -> Array:
    return a - 2 * b + 0.5 * c


_EPSILON = {"epsilon": number(1e-3)}
_ONES = {"scales": ArrayAttr([number(1.0), number(-2.0), number(0.5)])}

CASES: dict[str, Case] = {
    **{f"eltwise-{alg}": _eltwise(alg) for alg in sorted(ELTWISE)},
    **{f"binary-{alg}": _binary(alg, 4, 3, 19) for alg in sorted(BINARY)},
    "binary-row": _binary("sub", 1, 1, 19),
    "binary-column": _binary("add", 4, 3, 1),
    "binary-number": _binary("mul", 1, 1, 1),
    "binary-comparison-row": _binary("lt", 1, 1, 19),
    "sum": Case(OneDnnSumOp, (sample(4, 23), sample(4, 23) * 2, sample(4, 23) - 1), _weighted, _ONES),
    **{f"softmax-{axis}": _softmax(axis, False) for axis in range(3)},
    "softmax-log": _softmax(2, True),
    "layer-norm": Case(OneDnnLayerNormOp, (sample(6, 33), sample(33), sample(33) + 1), _normal, _EPSILON),
    "layer-norm-3": Case(
        OneDnnLayerNormOp, (sample(2, 6, 33), sample(33), sample(33) + 1), _normal_with_statistics, _EPSILON
    ),
    "batch-norm": Case(OneDnnBatchNormOp, (sample(3, 5, 4, 7), *_channels(5)), _batch, _EPSILON),
    "batch-norm-2": Case(OneDnnBatchNormOp, (sample(9, 5), *_channels(5)), _batch, _EPSILON),
}


def outs_of(case: Case) -> list[Array]:
    want = case.want(*(a.astype(np.float64) for a in case.ins))
    return [w.astype(np.float32) for w in (want if isinstance(want, tuple) else (want,))]


def test_every_algorithm_has_a_case() -> None:
    assert set(ELTWISE_CASES) == set(ELTWISE) == set(_core.eltwise_algorithms())
    assert set(_UFUNCS) == set(BINARY) == set(_core.binary_algorithms())


@pytest.mark.parametrize("gap", [0, 5], ids=["dense", "strided"])
@pytest.mark.parametrize("name", CASES)
def test_in_place_gives_the_bits_of_out_of_place(name: str, gap: int) -> None:
    case = CASES[name]
    outs = outs_of(case)
    if case.op_class is OneDnnLayerNormOp and gap:
        with pytest.raises(VerifyException, match="wants dense memory"):
            run_step(case.op_class, case.ins, outs, case.attributes, None, gap)
        return
    with np.errstate(all="ignore"):
        plain = run_step(case.op_class, case.ins, outs, case.attributes, None, gap)
        over = run_step(case.op_class, case.ins, outs, case.attributes, 0, gap)
    for want, have, have_over in zip(outs, plain, over, strict=True):
        np.testing.assert_allclose(have, want, rtol=case.tolerance, atol=case.tolerance)
        assert have.tobytes() == have_over.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_column_major_source_is_right_or_rejected(name: str) -> None:
    case = CASES[name]
    outs = outs_of(case)
    with np.errstate(all="ignore"):
        if case.op_class in (OneDnnEltwiseOp, OneDnnBatchNormOp, OneDnnLayerNormOp):
            with pytest.raises(VerifyException, match=r"wants (one layout|dense memory)"):
                run_step(case.op_class, case.ins, outs, case.attributes, turned=True)
            return
        for over in (None, 0):
            have = run_step(case.op_class, case.ins, outs, case.attributes, over, turned=True)
            np.testing.assert_allclose(have[0], outs[0], rtol=case.tolerance, atol=case.tolerance)


def test_linear_keeps_the_sign_of_zero() -> None:
    """x + x and linear(2, 0) have the same bits, so add(x, x) may be lowered to linear."""
    x = np.array([[0.0, -0.0, 1.5, np.inf, -np.inf, np.nan, 3e38, 1e-44]], np.float32)
    given = {"alg": StringAttr("linear"), "alpha": number(2.0)}
    with np.errstate(all="ignore"):
        (have,) = run_step(OneDnnEltwiseOp, [x], [x], given, 0)
        np.testing.assert_array_equal(have, x + x)
        np.testing.assert_array_equal(np.signbit(have[:, :2]), np.signbit((x + x)[:, :2]))


@pytest.mark.parametrize("alg", sorted(COMPARISONS - {"ge", "gt"}))
@pytest.mark.parametrize("shape", [(5, 16), (1, 16), (5, 1), (1, 1)])
def test_comparisons_of_nan_and_infinities_are_bytes(alg: str, shape: tuple[int, int]) -> None:
    """oneDNN's ge and gt hold for NaN, so no op uses them."""
    special = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, 1.0], np.float32)
    draws = np.random.default_rng(0)
    a, b = draws.choice(special, (5, 16)), draws.choice(special, shape)
    b.flat[0] = np.nan
    for gap, turned in ((0, False), (3, False), (0, True)):
        outs = [np.ones((5, 16), np.bool_)]
        (have,) = run_step(OneDnnBinaryOp, [a, b], outs, {"alg": StringAttr(alg)}, None, gap, turned)
        np.testing.assert_array_equal(have.view(np.uint8), _UFUNCS[alg](a, b).view(np.uint8))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((4, 6), (6, 5)),
        ((1, 300), (300, 70)),
        ((65, 128), (128, 96)),
        ((3, 4, 6), (3, 6, 5)),
        ((2, 3, 4, 6), (1, 1, 6, 5)),
    ],
)
@pytest.mark.parametrize("gap", [0, 3], ids=["dense", "strided"])
def test_matmul_equals_that_of_numpy(a: tuple[int, ...], b: tuple[int, ...], gap: int) -> None:
    src, weights = sample(*a), sample(*b)
    want = np.matmul(src.astype(np.float64), weights).astype(np.float32)
    for turned in (False, True):
        (have,) = run_step(OneDnnMatmulOp, [src, weights], [want], {}, None, gap, turned)
        np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_matmul_adds_bias(alpha: float) -> None:
    src, weights, bias = sample(7, 12), sample(12, 9), sample(1, 9)
    want = (alpha * (src.astype(np.float64) @ weights + bias)).astype(np.float32)
    given = {"bias": BoolAttr.from_bool(True), "alpha": number(alpha)}
    (have,) = run_step(OneDnnMatmulOp, [src, weights, bias], [want], given)
    np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.0), (0.5, -2.0)])
def test_matmul_accumulates_into_its_result(alpha: float, beta: float) -> None:
    src, weights, c = sample(7, 12), sample(12, 9), sample(7, 9) + np.float32(1)
    want = (alpha * (src.astype(np.float64) @ weights) + beta * c).astype(np.float32)
    given = {"alpha": number(alpha), "beta": number(beta)}
    (have,) = run_step(OneDnnMatmulOp, [src, weights, c], [want], given, 2)
    np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", ["float16", "int32", "int8", "uint8"])
def test_reorder_converts_types(dtype: str) -> None:
    x = np.round(sample(5, 9, low=0.0))
    (have,) = run_step(OneDnnReorderOp, [x], [x.astype(dtype)], {}, None, 2)
    np.testing.assert_array_equal(have, x.astype(dtype))


@pytest.mark.parametrize(("dtype", "tolerance"), [("bfloat16", 2e-2)])
def test_narrow_types_are_right_or_rejected_by_name(dtype: str, tolerance: float) -> None:
    import ml_dtypes

    narrow = np.dtype(getattr(ml_dtypes, dtype))
    x = sample(5, 32).astype(narrow)
    try:
        (have,) = run_step(OneDnnEltwiseOp, [x], [x], {"alg": StringAttr("tanh")}, 0)
    except Exception as error:  # a machine without these numbers says so, by name
        assert "oneDNN has no eltwise tanh" in str(error)
        return
    np.testing.assert_allclose(have.astype(np.float32), np.tanh(x.astype(np.float32)), atol=tolerance)


@pytest.mark.parametrize(
    ("op_class", "ins", "attributes", "over"),
    [
        (OneDnnBinaryOp, (sample(4, 4), sample(4, 4) + 1), {"alg": StringAttr("add")}, 1),
        (OneDnnSumOp, (sample(4, 4), sample(4, 4) + 1, sample(4, 4)), _ONES, 1),
        (OneDnnMatmulOp, (sample(4, 4), sample(4, 4) + 1), {}, 0),
        (OneDnnMatmulOp, (sample(4, 4), sample(4, 4) + 1), {}, 1),
        (OneDnnReorderOp, (sample(4, 4),), {}, 0),
    ],
)
def test_undocumented_in_place_is_refused(
    op_class: type[DestinationStyleBase], ins: tuple[Array, ...], attributes: Attributes, over: int
) -> None:
    with pytest.raises(VerifyException, match="may not be written over in"):
        run_step(op_class, ins, [sample(4, 4)], attributes, over)


def test_a_primitive_is_prepared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What measuring its scratch prepares is what the program runs, and another program of the same sizes."""
    counts: list[str] = []
    prepare = _core.softmax

    def counted(axis: int, log: bool, src: _core.Desc, dst: _core.Desc, threads: int) -> _core.Primitive:
        counts.append("softmax")
        return prepare(axis, log, src, dst, threads)

    monkeypatch.setattr(_core, "softmax", counted)
    model = tmp_path / "model.mlir"
    model.write_text("""
        func.func @main(%x: tensor<23x29xf32>) -> tensor<23x29xf32> {
          %y = "dnn.softmax"(%x) {axis = 1 : i64, dnn.engine = "onednn"} : (tensor<23x29xf32>) -> tensor<23x29xf32>
          return %y : tensor<23x29xf32>
        }
    """)
    x = sample(23, 29)
    first, second = (lastuse.compile(model)(x) for _ in range(2))
    assert counts == ["softmax"]
    np.testing.assert_array_equal(first, second)
