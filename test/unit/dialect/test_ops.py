"""Every op: types it accepts, inferred sizes, kernel against reference, in place and at strides."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from bad_ops import BAD
from good_ops import lines
from op_cases import Bad, build, empty, operands_for, run
from op_lines import RUNNABLE
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.constants import OpaqueOp
from lastuse.dialect.dnn.example import example_of, example_text
from lastuse.dialect.dnn.gathers import IndicesError
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo, name_of_dtype, symbol
from lastuse.dialect.storage.contract import CPU_ONLY, Engine, contract_of
from lastuse.testing import check_contract, same_bits

CLASSES = list(OPERATIONS.values())
TOLERANCE = {"f64": 1e-11, "f32": 2e-5, "f16": 2e-2, "bf16": 2e-1}


def every(lines: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("line", lines)


def assert_close(got: Array, want: Array, what: str = "") -> None:
    """As far as the element type is exact; `what` is in the message."""
    assert got.shape == want.shape, what
    if got.dtype.kind in "iub":
        assert np.array_equal(got, want), what
        return
    tolerance = TOLERANCE[name_of_dtype(got.dtype)]
    finite = want.astype(np.float64)[np.isfinite(want.astype(np.float64))]
    scale = max(1.0, float(np.max(np.abs(finite), initial=0.0)))
    exact = want.astype(np.float64)
    np.testing.assert_allclose(got.astype(np.float64), exact, tolerance, tolerance * scale, err_msg=what)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.name)
class TestClass:
    def test_class_has_its_own_docstring(self, cls: type[DnnOp]) -> None:
        assert cls.__doc__ and cls.__doc__.split(".")[0].strip()
        assert "__doc__" in vars(cls), "the docstring must be its own"

    def test_example_verifies(self, cls: type[DnnOp]) -> None:
        op = example_of(cls)
        assert op.name == cls.name
        assert example_text(cls).startswith(f'"{cls.name}"(')
        op.verify()

    def test_undeclared_attribute_is_an_error(self, cls: type[DnnOp]) -> None:
        op = example_of(cls)
        op.attributes["undeclared"] = op.attributes["dnn.note"] = next(iter(example_of(OpaqueOp).attributes.values()))
        with pytest.raises(VerifyException, match="has no attribute 'undeclared'"):
            op.verify()
        del op.attributes["undeclared"]
        op.verify()

    def test_contract_is_consistent(self, cls: type[DnnOp]) -> None:
        op = example_of(cls)
        contract = contract_of(op)
        operands, results = range(len(op.operands)), range(len(op.results))
        assert contract.engines
        has_kernel = op.primitive() is not None or Engine.NATIVE in contract.engines
        assert contract.engines == CPU_ONLY or has_kernel or not contract.over or contract.contributions
        for over in contract.over:
            assert over.operand in operands
            assert over.result in results
            assert op.operand_type(over.operand).dtype == op.result_type(over.result).dtype
            assert not over.by_swapping or (cls.COMMUTES and over.operand == 1)
        assert len({(o.result, o.operand) for o in contract.over}) == len(contract.over)
        assert contract.metadata_only <= set(operands)
        assert {v.result for v in contract.views} in (set(), set(results))
        if contract.backward is not None:
            assert contract.backward.operands <= set(operands)
            assert contract.backward.results <= set(results)


@pytest.mark.parametrize("cls", RUNNABLE, ids=lambda cls: cls.name)
def test_infer_and_kernel_fit_the_reference_and_the_contract(cls: type[DnnOp]) -> None:
    for line in lines(cls):
        try:
            check_line(line)
        except AssertionError as error:
            raise AssertionError(f"{line}: {error}") from error


def check_line(line: str) -> None:
    op = build(line)
    operands = operands_for(op)
    infer_fits_the_reference(op, operands)
    kernel_fits_the_reference(op, operands)
    check_contract(op, op.kernel, operands)


def infer_fits_the_reference(op: DnnOp, operands: list[Array]) -> None:
    inferred = op.infer([TensorInfo(a.shape, name_of_dtype(a.dtype)) for a in operands])
    values = op.reference(*operands)
    assert [(v.shape, name_of_dtype(v.dtype)) for v in values] == [(t.shape, t.dtype) for t in inferred]
    assert all(op.result_type(k) == t for k, t in enumerate(inferred))


def kernel_fits_the_reference(op: DnnOp, operands: list[Array]) -> None:
    results, before = empty(op), [a.copy() for a in operands]
    run(op, operands, results)
    for got, want in zip(results, op.reference(*operands), strict=True):
        assert_close(got, want)
    assert all(same_bits(a, b) for a, b in zip(operands, before, strict=True)), "an operand was written"


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.line)
def test_wrong_op_is_rejected_with_its_reason(bad: Bad) -> None:
    with pytest.raises(VerifyException) as error:
        build(bad.line)
    assert bad.reason in str(error.value)


LARGE = [
    *(f"{name}(512x1024xf64) -> 512x1024xf64" for name in ("relu", "sigmoid", "gelu", "silu", "exp", "elu", "scale")),
    *(f"{name}(512x1024xf32) -> 512x1024xf32" for name in ("clip", "leaky_relu", "softmax", "log_softmax", "cumsum")),
    "add(512x1024xf32, 1024xf32) -> 512x1024xf32",
    "div(512x1024xi64, 512x1024xi64) -> 512x1024xi64",
    "sum(512x1024xf32, 512x1024xf32, 512x1024xf32) -> 512x1024xf32",
    "addcmul(512x1024xf32, 512x1024xf32, 1024xf32) -> 512x1024xf32",
    "where(512x1024xi1, 512x1024xf32, f32) -> 512x1024xf32",
    "masked_fill(512x1024xf32, 1024xi1) {value = 0 : i64} -> 512x1024xf32",
    "cast(512x1024xf32) -> 512x1024xi64",
    "layer_norm(512x1024xf32, 1024xf32, 1024xf32) -> 512x1024xf32",
    "batch_norm(64x16x32x16xf32, 16xf32, 16xf32, 16xf32, 16xf32) -> 64x16x32x16xf32",
    "gather(64x1024xf32, 512xi64) -> 512x1024xf32",
    "concat(512x512xf32, 512x512xf32) {axis = 1 : i64} -> 512x1024xf32",
    "pad(512x1023xf32) {pads = array<i64: 0, 0, 0, 1>} -> 512x1024xf32",
    "slice_scatter(512x1024xf32, 2x1024xf32) {end = 2 : i64} -> 512x1024xf32",
    "matmul(512x32xf32, 32x1024xf32) -> 512x1024xf32",
    "gemm(512x32xf32, 32x1024xf32, 512x1024xf32) {beta = 2 : i64} -> 512x1024xf32",
    "reduce_sum(512x1024xf32) {axes = array<i64: 0>} -> 1024xf32",
    *(
        f"reduce_{name}(512x1024xf32) {axes}"
        for name in ("mean", "prod", "max", "l1", "l2", "log_sum", "log_sum_exp", "sum_square")
        for axes in ("{axes = array<i64: 0>} -> 1024xf32", "-> f32")
    ),
    "top_k(512x1024xf32) {k = 3 : i64} -> 512x3xf32, 512x3xi64",
]


@every(LARGE)
def test_temporaries_of_kernels_are_small(line: str) -> None:
    op = build(line)
    operands, results = operands_for(op), empty(op)
    scratch = np.empty(contract_of(op).scratch, np.uint8)
    op.kernel(operands, results, scratch)
    tracemalloc.start()
    op.kernel(operands, results, scratch)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 600_000, "half a megabyte, where the operands have two or four"


def test_nan_and_signed_zero_of_exact_ops() -> None:
    x = np.array([np.nan, -0.0, 0.0, -1.0, 2.0, np.inf, -np.inf], np.float32)

    def of(line: str) -> Array:
        op, results = build(line), [np.empty(7, np.float32)]
        run(op, [x], results)
        assert same_bits(results[0], op.reference(x)[0])
        return results[0]

    assert same_bits(of("relu(7xf32) -> 7xf32"), np.array([0, 0, 0, 0, 2, np.inf, 0], np.float32))
    clipped = of("clip(7xf32) {max = 1.0 : f32, min = -1.0 : f32} -> 7xf32")
    assert same_bits(clipped, np.array([-1, -0.0, 0, -1, 1, 1, -1], np.float32))
    assert np.signbit(of("neg(7xf32) -> 7xf32")[2])
    greatest = build("maximum(2xf32, 2xf32) -> 2xf32").reference(x[:2], np.float32([1, np.nan]))[0]
    assert np.isnan(greatest).all()


def test_integers_divide_towards_zero() -> None:
    a, b = np.array([7, -7, 7, -7, 5]), np.array([2, 2, -2, -2, 0])
    assert build("div(5xi64, 5xi64) -> 5xi64").reference(a, b)[0].tolist() == [3, -3, -3, 3, 0]


def test_top_k_takes_the_lower_of_equal_indices() -> None:
    x = np.array([1, 3, 3, np.nan, 2, 3], np.float32)
    values, indices = build("top_k(6xf32) {k = 4 : i64} -> 4xf32, 4xi64").reference(x)
    assert indices.tolist() == [3, 1, 2, 5]
    assert values[1:].tolist() == [3, 3, 3]


@pytest.mark.parametrize(
    ("wrong", "attributes"), [(5, ""), (-6, ""), (-1, " {from_end = false}"), (5, " {from_end = false}")]
)
def test_gather_rejects_indices_outside_the_axis(wrong: int, attributes: str) -> None:
    op = build(f"gather(5x4xf32, 2xi64){attributes} -> 2x4xf32")
    with pytest.raises(IndicesError, match=f"index {wrong} is outside the axis of size 5"):
        run(op, [np.zeros((5, 4), np.float32), np.array([0, wrong])], empty(op))


def test_opaque_has_no_reference() -> None:
    op = example_of(OpaqueOp)
    with pytest.raises(LastuseError, match="opaque has no meaning"):
        op.reference(*operands_for(op))


def test_engine_is_part_of_the_contract() -> None:
    assert [o.operand for o in contract_of(build("sub(2xf32, 2xf32) -> 2xf32")).over] == [0]
    assert not contract_of(build("sub(2xf32, 2xf32) -> 2xf32")).over[0].allow_same_operand
    pinned = contract_of(build('sub(2xf32, 2xf32) {dnn.engine = "cpu"} -> 2xf32'))
    assert [(o.operand, o.allow_same_operand) for o in pinned.over] == [(0, True), (1, True)]
    assert pinned.engines == {Engine.CPU}
    assert not contract_of(build("tanh(2xf32) -> 2xf32")).strided
    assert contract_of(build('tanh(2xf32) {dnn.engine = "cpu"} -> 2xf32')).strided
    swapped = contract_of(build("add(2xf32, 2xf32) -> 2xf32")).over[1]
    assert swapped.by_swapping
    assert swapped.allow_same_operand


def test_inferred_sizes_are_polynomials_of_the_symbols() -> None:
    words = symbol("words")

    def shape(line: str, *shapes: tuple[object, ...]) -> list[str]:
        op = build(line)
        operands = [TensorInfo(s, op.operand_type(k).dtype) for k, s in enumerate(shapes)]  # pyright: ignore
        return [" ".join(str(d) for d in t.shape) for t in op.infer(operands)]

    assert shape("add(?x4xf32, 4xf32) -> ?x4xf32", (words, 4), (4,)) == ["words 4"]
    assert shape("matmul(?x4xf32, 4x5xf32) -> ?x5xf32", (words, 4), (4, 5)) == ["words 5"]
    assert shape("concat(?x4xf32, ?x4xf32) -> ?x4xf32", (words, 4), (words, 4)) == ["2*words 4"]
    assert shape("reshape(?x1xi64) -> ?xi64", (words, 1)) == ["words"]
    assert shape("reshape(?x4xf32) {shape = array<i64: 0, 2, -1>} -> ?x2x2xf32", (words, 4)) == ["words 2 2"]
    assert shape("flatten(?x4x2xf32) {axis = 2 : i64} -> ?x2xf32", (words, 4, 2)) == ["4*words 2"]
    assert shape("gather(9x4xf32, ?xi64) -> ?x4xf32", (9, 4), (words,)) == ["words 4"]
    assert shape("slice(?x4xf32) -> ?x4xf32", (words, 4)) == ["words 4"]
    assert shape("slice(?x4xf32) {start = 1 : i64} -> ?x4xf32", (words, 4)) == ["None 4"]
    assert shape("expand(?x1xf32) -> ?x4xf32", (words, 1)) == ["words 4"]
    assert shape("pad(?xf32) {pads = array<i64: 1, 2>} -> ?xf32", (words,)) == ["3+words"]
    assert shape("split(?xf32) {split_size = 2 : i64} -> 2xf32, ?xf32", (words,)) == ["2", "-2+words"]
    assert shape("stack(?xf32, ?xf32) -> 2x?xf32", (words,), (words,)) == ["2 words"]
    assert shape("transpose(?x4xf32) -> 4x?xf32", (words, 4)) == ["4 words"]


def test_ops_of_unknown_sizes_declare_no_contributions() -> None:
    for line in (
        "concat(?x4xf32, ?x4xf32) -> ?x4xf32",
        "copy(?xf32) -> ?xf32",
        "pad(?xf32) {pads = array<i64: 1, 2>} -> ?xf32",
    ):
        assert not contract_of(build(line)).contributions
