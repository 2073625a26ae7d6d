"""The interpreter's formulas agree with the ops' references, and it finds the mistakes it is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import fuzz_check
import numpy as np
import pytest
from fuzz_check import Case
from fuzz_execute import Wrong
from good_ops import lines
from interpreter import MEANINGS, EndlessError, RightResults, difference, expected_results, interpret
from op_cases import build, operands_for
from op_lines import RUNNABLE, sizes_of
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.activations import ReluOp
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.normalization import SoftmaxBase
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.parallel_copy import SequentialCopies
from lastuse.passes.lowering import boundary_copies
from lastuse.passes.memory.copy_temporaries import ParallelMove
from lastuse.passes.verify_lowering import VerifyLoweringPass


def module_of(text: str) -> ModuleOp:
    return parse(context(), text, "test.mlir")


def test_every_op_has_a_formula() -> None:
    assert set(OPERATIONS) - {"dnn.opaque"} == set(MEANINGS)


VAGUE = {"dnn.cast", "dnn.onnx_gru"}
"""Casts of what a type cannot hold; states that softplus and elu grow until roundings decide them."""


@pytest.mark.parametrize("cls", RUNNABLE, ids=lambda cls: cls.name)
def test_formula_and_reference_of_an_op_agree(cls: type[DnnOp]) -> None:
    """The two descriptions of an op were written apart from each other."""
    for line in lines(cls):
        if max(sizes_of(line), default=0) >= 200:  # some of so many numbers overflow in f16
            continue
        op = build(line)
        operands = operands_for(op)
        for want, got in zip(expected_results(op, operands), op.reference(*operands), strict=True):
            assert difference(want, np.asarray(got)) is None, f"{line}: {difference(want, np.asarray(got))}"
            assert want.known.all() or cls.name in VAGUE, line


BRANCHES = """func.func @main(%x: tensor<2xf32>, %n: index, %c: i1) -> (tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a, %i = scf.while (%a = %x, %i = %c0) : (tensor<2xf32>, index) -> (tensor<2xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %a, %i : tensor<2xf32>, index
  } do {
  ^bb0(%a: tensor<2xf32>, %i: index):
    %b = "dnn.add"(%a, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %b, %j : tensor<2xf32>, index
  }
  %d = scf.if %c -> (tensor<2xf32>) {
    %e = "dnn.neg"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %e : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  %f = scf.for %k = %c1 to %c5 step %c1 iter_args(%g = %d) -> (tensor<2xf32>) {
    %h = func.call @double(%g) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %h : tensor<2xf32>
  }
  cf.switch %n : index, [
    default: ^stay(%f : tensor<2xf32>),
    2: ^leave(%x : tensor<2xf32>)
  ]
^stay(%s: tensor<2xf32>):
  func.return %s, %i : tensor<2xf32>, index
^leave(%l: tensor<2xf32>):
  func.return %l, %c5 : tensor<2xf32>, index
}
func.func private @double(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "dnn.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    ("n", "c", "times", "last"), [(0, True, -16, 0), (3, True, -64, 3), (3, False, 16, 3), (2, True, 1, 5)]
)
def test_control_flow_is_interpreted(n: int, c: bool, times: int, last: int) -> None:
    x = np.array([1.5, -2], "f")
    y, i = interpret(
        module_of(
            BRANCHES.replace("%n : index, [", "%m : i32, [").replace(
                "  cf.switch", "  %m = arith.index_cast %n : index to i32\n  cf.switch"
            )
        ),
        [x, np.array(n, np.int64), np.array(c)],
    )
    np.testing.assert_array_equal(y, times * x)
    assert i == last


def test_endless_program_is_an_error() -> None:
    module = module_of("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      cf.br ^again
    ^again:
      %y = "dnn.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
      cf.br ^again
    }""")
    with pytest.raises(EndlessError):
        interpret(module, [np.zeros(2, "f")])


SCALARS = [
    *(f"arith.{op}" for op in ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi")),
    *(f"arith.{op}" for op in ("divsi", "remsi", "floordivsi")),
    *(f"arith.cmpi {p}," for p in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")),
    *(f"arith.{op}" for op in ("addf", "subf", "mulf", "divf", "minimumf", "maximumf", "minnumf", "maxnumf")),
    *(f"arith.cmpf {a}{b}," for a in "ou" for b in ("eq", "gt", "ge", "lt", "le", "ne")),
    *(f"arith.cmpf {p}," for p in ("ord", "uno", "true", "false")),
]


@pytest.mark.parametrize("op", SCALARS)
def test_scalar_ops_agree_with_the_runtime(op: str) -> None:
    floats = op.partition(" ")[0].endswith("f")
    type_, made = ("f32" if floats else "i32"), ("i1" if "cmp" in op else "f32" if floats else "i32")
    text = (
        f"func.func @main(%a: {type_}, %b: {type_}) -> {made} {{ %c = {op} %a, %b : {type_} func.return %c : {made} }}"
    )
    module = module_of(text)
    program = lastuse.compile(module, threads=1)
    given = (
        [np.float32(v) for v in (1.5, -2, 0, np.nan, np.inf)] if floats else [np.int32(v) for v in (7, -7, 3, -(2**31))]
    )
    for a in given:
        for b in given:
            if op in ("arith.divsi", "arith.floordivsi", "arith.remsi") and (a, b) == (-(2**31), -7):
                continue
            want = RightResults(module, [np.asarray(a), np.asarray(b)])
            assert want.difference(0, np.asarray(program(a, b))) is None, (a, b)


def test_results_may_differ_by_rounding_only() -> None:
    module = module_of("""func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
      %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %b = "dnn.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %one = "dnn.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
      %c = "dnn.less"(%a, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
      func.return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
    }""")
    x = np.array([2, -0.0, np.nan, 1e-40], "f")
    exp, doubled, less = RightResults(module, [x]).expected
    right = np.exp(x)
    assert difference(exp, right) is None
    assert difference(exp, np.where(np.isnan(x), np.inf, right)) is None, "of NaN nothing is promised"
    assert difference(exp, right * np.float32(1 + 3e-7)) is None
    assert "element [0]" in str(difference(exp, right * np.float32(1 + 1e-4)))
    assert difference(doubled, x + x) is None, "denormals are kept"
    assert "element [1]" in str(difference(doubled, np.abs(x + x))), "the sign of 0 is known"
    assert "element [3]" in str(difference(doubled, np.where(x == np.float32(1e-40), np.float32(0), x + x)))
    assert list(less.known) == [True, False, False, False], "a rounding decides whether it is less than 1"
    assert difference(doubled, (x + x).astype("d")) == "is float64[4], expected float32[4]"


def test_roundings_that_cancel_in_a_few_runs_do_not_in_many() -> None:
    module = module_of("""func.func @main(%x: tensor<20000xf32>) -> tensor<20000xf32> {
      %a = "dnn.exp"(%x) : (tensor<20000xf32>) -> tensor<20000xf32>
      %n = "dnn.neg"(%x) : (tensor<20000xf32>) -> tensor<20000xf32>
      %b = "dnn.exp"(%n) : (tensor<20000xf32>) -> tensor<20000xf32>
      %c = "dnn.mul"(%a, %b) : (tensor<20000xf32>, tensor<20000xf32>) -> tensor<20000xf32>
      func.return %c : tensor<20000xf32>
    }""")
    want = RightResults(module, [np.linspace(-1, 1, 20000, dtype="f")])
    near, wrong = (np.full(20000, 1 + far, "f") for far in (2e-6, 2e-5))
    assert difference(want.expected[0], near) is not None, "in four runs they cancel somewhere"
    assert want.difference(0, near) is None
    assert "20000 of 20000 wrong" in str(want.difference(0, wrong))


def test_a_number_that_rounding_may_make_0_is_one_that_is_divided_by() -> None:
    module = module_of("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = "dnn.gelu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
      %b = "dnn.div"(%x, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      func.return %b : tensor<2xf32>
    }""")
    want = RightResults(module, [np.array([-5.875, 5.875], "f")])
    (right,) = (one.value for one in want.expected)
    assert want.difference(0, right) is None
    assert want.difference(0, np.array([np.inf, right[1]], "f")) is None, "gelu(-5.875) is -1.2e-8, or 0"
    assert "element [1]" in str(want.difference(0, np.array([right[0], np.inf], "f")))


def test_numbers_that_rounding_may_make_equal_may_be_equal() -> None:
    module = module_of("""func.func @main(%x: tensor<3xf32>) -> tensor<3xi1> {
      %a = "dnn.exp"(%x) : (tensor<3xf32>) -> tensor<3xf32>
      %n = "dnn.neg"(%x) : (tensor<3xf32>) -> tensor<3xf32>
      %b = "dnn.exp"(%n) : (tensor<3xf32>) -> tensor<3xf32>
      %c = "dnn.equal"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
      func.return %c : tensor<3xi1>
    }""")
    want = RightResults(module, [np.array([0, 1e-7, 1e-4], "f")])
    for first in (False, True):
        assert want.difference(0, np.array([first, True, False])) is None
    assert "element [2]" in str(want.difference(0, np.array([True, True, True])))


def test_of_two_undefined_elements_either_may_be_the_larger() -> None:
    module = module_of("""func.func @main(%x: tensor<4x2xf32>) -> tensor<4x1xi64> {
      %a = "dnn.softmax"(%x) {axis = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x2xf32>
      %b, %c = "dnn.top_k"(%a) {k = 1 : i64, axis = 1 : i64} : (tensor<4x2xf32>) -> (tensor<4x1xf32>, tensor<4x1xi64>)
      func.return %c : tensor<4x1xi64>
    }""")
    want = RightResults(module, [np.array([[np.nan, 1], [1, np.nan], [np.nan, np.nan], [1, 2]], "f")])
    for first in (0, 1):
        assert want.difference(0, np.array([[first], [first], [first], [1]])) is None
    assert "element [3, 0]" in str(want.difference(0, np.zeros((4, 1), np.int64)))


@pytest.mark.parametrize(
    ("line", "operands", "right", "other"),
    [
        (
            "batch_norm(1x2xf32, 2xf32, 2xf32, 2xf32, 2xf32) -> 1x2xf32",
            [[[-3e38, 1]], [0, 2], [0, 2], [3e38, 1], [1, 1]],
            [0, 2],
            np.nan,
        ),
        (
            "scale(2xf32) {scale = 0.001 : f32, bias = 5.0e37 : f32, bias_after_scale = false} -> 2xf32",
            [[3e38, 0]],
            [3.5e35, 5e34],
            np.inf,
        ),
        (
            "addcmul(2xf32, 2xf32, 2xf32) {value = 0.5 : f32} -> 2xf32",
            [[0, 0], [1e-45, 2], [3e38, 1e30]],
            [2.1019477e-07, 1e30],
            0,
        ),
        ("silu(2xf32) -> 2xf32", [[-88, -80]], [-5.328e-37, -1.4438783e-33], 0),
    ],
    ids=["batch_norm", "scale", "addcmul", "silu"],
)
def test_what_leaves_the_range_inside_an_op_is_not_brought_back(
    line: str, operands: list[object], right: list[float], other: float
) -> None:
    """A difference, sum or product of element 0 is infinite or 0 there; that of element 1 is not."""
    op = build(line)
    (want,) = expected_results(op, [np.array(operand, "f") for operand in operands])
    for first, second, allowed in ((right[0], right[1], True), (other, right[1], True), (right[0], other, False)):
        got = np.array([first, second], "f").reshape(want.value.shape)
        assert (difference(want, got) is None) == allowed, difference(want, got)


SWAPPED = """func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a, %b = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    scf.yield %b, %a : tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.return %a, %b : tensor<3x4xf32>, tensor<3x4xf32>
}"""
TEXT = """func.func @main(%x: tensor<3x4xf32>, %k: tensor<2x4xf32>) -> (tensor<5x4xf32>, tensor<3x4xf32>) {
  %a = "dnn.relu"(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %b = "dnn.softmax"(%a) {axis = 1 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %c = "dnn.concat"(%x, %k) {axis = 0 : i64} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  func.return %c, %b : tensor<5x4xf32>, tensor<3x4xf32>
}"""


def _relu_of_6(op: ReluOp, operands: list[np.ndarray], results: list[np.ndarray], scratch: np.ndarray) -> None:
    np.clip(operands[0], 0, 1, out=results[0])


def _axis_0(op: SoftmaxBase, rank: int) -> int:
    return 0


def _one_after_the_other(moves: Sequence[ParallelMove]) -> SequentialCopies:
    return SequentialCopies((), tuple(m.number for m in moves))


@pytest.mark.parametrize(
    ("text", "owner", "name", "wrong"),
    [
        (TEXT, ReluOp, "kernel", _relu_of_6),
        (TEXT, SoftmaxBase, "axis_index", _axis_0),
        (SWAPPED, boundary_copies, "sequential_copies", _one_after_the_other),
    ],
    ids=["kernel", "reference", "lowering"],
)
def test_mistake_shared_by_naive_and_decided_programs_is_found(
    text: str, owner: object, name: str, wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comparison with the naive program alone would miss it."""
    module = fuzz_check.module_of(text.replace('"dnn.relu"(%x) :', '"dnn.relu"(%x) {dnn.engine = "cpu"} :'))
    case = Case(0)
    fuzz_check.check_case(module, 1, case)
    monkeypatch.setattr(owner, name, wrong)
    monkeypatch.setattr(VerifyLoweringPass, "apply", lambda *_: None)  # which finds the one in lowering too
    with pytest.raises(Wrong, match="not what the interpreter says"):
        fuzz_check.check_case(module, 1, case)
