"""Elementwise ops on edge values, without elements and without axes, against ONNX's own reference implementation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import lastuse

FLOATS, SIGNED_INTEGERS, UNSIGNED = ("f32", "f64", "f16"), ("i64", "i32", "i16", "i8"), ("ui64", "ui32", "ui16", "ui8")
NUMBERS = (*FLOATS, *SIGNED_INTEGERS, *UNSIGNED)
DTYPES: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i1": np.bool_,
    **{f"i{8 * n}": np.dtype(f"i{n}").type for n in (1, 2, 4, 8)},
    **{f"ui{8 * n}": np.dtype(f"u{n}").type for n in (1, 2, 4, 8)},
}
LIMIT = {"f64": 1e-12, "f32": 2e-6, "f16": 2e-3}
NARROW = {"Erf", "HardSwish"}
"""The reference computes these in f32."""


class Case(NamedTuple):
    """One ONNX op and the element types it is tried in.

    Attributes:
        loses_nan: what oneDNN and this dialect make of NaN is open (`dnn.relu`, `dnn.clip`, `dnn.exp`).
    """

    op: str
    dtypes: tuple[str, ...]
    inputs: int = 1
    attributes: Mapping[str, Any] = {}
    loses_nan: bool = False


FLOATING = (
    "Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Floor Log Reciprocal Round Sin Sinh Softplus Softsign Sqrt Tan"
)
CASES = [
    *(Case(op, FLOATS) for op in FLOATING.split()),
    *(Case(op, FLOATS) for op in ("Sqrt", "Tan")),
    *(Case(op, FLOATS) for op in ["Tanh", "Sigmoid", "HardSwish", "Mish", "Erf", "IsNaN", "IsInf"]),
    Case("Exp", FLOATS, loses_nan=True),
    *(Case(op, (*FLOATS, *SIGNED_INTEGERS)) for op in ("Abs", "Neg", "Sign")),
    *(Case(op, UNSIGNED) for op in ("Abs", "Sign")),
    Case("Relu", (*FLOATS, *SIGNED_INTEGERS), loses_nan=True),
    *(
        Case(op, FLOATS, attributes={"alpha": 0.75})
        for op in ("Celu", "Elu", "LeakyRelu", "ThresholdedRelu", "HardSigmoid")
    ),
    Case("Celu", ("f32",)),
    Case("HardSigmoid", FLOATS, attributes={"alpha": 0.25, "beta": 0.625}),
    Case("Selu", FLOATS),
    Case("Selu", FLOATS, attributes={"alpha": 0.5, "gamma": 2.0}),
    Case("Shrink", FLOATS, attributes={"bias": 1.5, "lambd": 0.5}),
    # The reference computes the others in floating point.
    Case("Shrink", ("i32", "i16", "i8", "ui32", "ui16", "ui8"), attributes={"bias": 1.0, "lambd": 1.5}),
    Case("IsInf", FLOATS, attributes={"detect_negative": 0}),
    Case("IsInf", FLOATS, attributes={"detect_positive": 0}),
    *(Case(op, NUMBERS, 2) for op in ("Add", "Sub", "Mul", "Max", "Min")),
    Case("Div", FLOATS, 2),
    Case("Mod", (*SIGNED_INTEGERS, *UNSIGNED), 2),
    Case("Mod", FLOATS, 2),
    Case("Mod", NUMBERS, 2, {"fmod": 1}),
    Case("PRelu", (*FLOATS, "i64", "i32", "ui64", "ui32"), 2),
    *(Case(op, NUMBERS, 2) for op in ("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")),
    *(Case(op, ("i1",), 2) for op in ("And", "Or", "Xor", "Equal")),
    Case("Not", ("i1",)),
    Case("BitwiseNot", (*SIGNED_INTEGERS, *UNSIGNED)),
    *(Case(op, (*SIGNED_INTEGERS, *UNSIGNED), 2) for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")),
]


def cases() -> Iterator[tuple[Case, str]]:
    for case in CASES:
        for dtype in case.dtypes:
            yield case, dtype


def specials(dtype: str) -> np.ndarray:
    """Numbers where kernels differ: the ends of the range, both zeros, halves, infinities, NaN."""
    kind: Any = DTYPES[dtype]
    if dtype == "i1":
        return np.array([False, True])
    if dtype.startswith(("i", "u")):
        info = np.iinfo(kind)
        return np.array([info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 7], kind)
    info = np.finfo(kind)
    halves = [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.25, 1.0, -1.0, 3.0, -3.0, 0.7, 20.0, -20.0]
    ends = [info.max, -info.max, info.tiny, -info.tiny, np.inf, -np.inf, np.nan]
    return np.array([0.0, -0.0, *halves, *ends], kind)


def model(case: Case, inputs: list[np.ndarray]) -> onnx.ModelProto:
    names = [f"x{k}" for k in range(len(inputs))]
    node = helper.make_node(case.op, names, ["y"], **case.attributes)
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in zip(names, inputs, strict=True)
    ]
    graph = helper.make_graph([node], "g", infos, [onnx.ValueInfoProto(name="y")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", onnx.defs.onnx_opset_version())])


def expected(case: Case, inputs: list[np.ndarray]) -> np.ndarray:
    with np.errstate(all="ignore"):
        (value,) = ReferenceEvaluator(model(case, inputs)).run(None, {f"x{k}": x for k, x in enumerate(inputs)})
    return np.asarray(value)


def computed(case: Case, inputs: list[np.ndarray]) -> np.ndarray:
    program = lastuse.compile(model(case, inputs).SerializeToString())
    return next(iter(program.run({f"x{k}": x for k, x in enumerate(inputs)}).values()))


@pytest.mark.parametrize(("case", "dtype"), [*cases()], ids=lambda part: part if isinstance(part, str) else part.op)
def test_edge_values_are_those_of_the_reference(case: Case, dtype: str) -> None:
    values = specials(dtype)
    pairs = list(product(values, repeat=case.inputs))
    inputs = [np.array(column, values.dtype) for column in zip(*pairs, strict=True)]
    if case.op == "Mod" and dtype not in LIMIT:  # the remainder of a division by 0 is open
        kept = inputs[1] != 0
        inputs = [x[kept] for x in inputs]
    limit = 1e-7 if case.op in NARROW and dtype == "f64" else LIMIT.get(dtype, 0)
    for shaped in (inputs, [x[:1].reshape(()) for x in inputs], [x[:0].reshape(0, 3) for x in inputs]):
        if case.op == "Softsign" and not shaped[0].ndim:
            continue  # the reference fails without axes
        want, got = expected(case, shaped), computed(case, shaped)
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        if want.dtype.kind != "f":
            np.testing.assert_array_equal(got, want)
            continue
        open_ = np.isnan(shaped[0]) & np.array(case.loses_nan)
        want, got = np.where(open_, 0, want), np.where(open_, 0, got)
        np.testing.assert_allclose(got, want, rtol=limit, atol=0 if case.op in EXACT else limit)
        if case.op in SIGNED:
            numbers = ~np.isnan(want)
            np.testing.assert_array_equal(np.signbit(got)[numbers], np.signbit(want)[numbers])


EXACT = {"Add", "Sub", "Mul", "Div", "Max", "Min", "Ceil", "Floor", "Round", "Reciprocal", "Abs", "Neg", "Sqrt"}
SIGNED = EXACT - {"Max", "Min"}
"""Ops whose zeros have one sign; of +0 and -0 either is the larger."""
