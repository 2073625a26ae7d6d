"""Whatever is decided, programs compute the same bits as with nothing decided, and what numpy says they mean.

`LASTUSE_PROGRAMS=10000 pytest test/unit/test_equivalence.py` tries more programs than `make check` does.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from generate import MAKERS, Generated, programs, random_program
from hypothesis import HealthCheck, given, settings
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import SSAValue

import lastuse
from lastuse.compiler import clone, context, main_function
from lastuse.dialect import wellformed
from lastuse.dialect.base import DnnOp
from lastuse.dialect.diagnostics import RemarkKind
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dtypes import dtype_name, numpy_dtype
from lastuse.frontends.mlir import parse
from lastuse.passes import checker
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.strategies import STRATEGIES

PROGRAMS = int(os.environ.get("LASTUSE_PROGRAMS", "150"))
CONTEXT = context()
Arrays = list[np.ndarray]


def module_of(text: str) -> ModuleOp:
    module = parse(CONTEXT, text, "generated.mlir")
    wellformed.verify(module)
    return module


def copies(program: Generated) -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in program.inputs.items()}


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit for bit, any NaN equal to any other."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    nan = np.isnan(a) & np.isnan(b) if a.dtype.kind == "f" else np.zeros(a.shape, np.bool_)
    as_bits = np.dtype(f"u{a.itemsize}")
    bits = [np.frombuffer(array.tobytes(), as_bits).reshape(a.shape) for array in (a, b)]
    return bool(np.all(nan | (bits[0] == bits[1])))


def run(program: Generated, module: ModuleOp, **options: object) -> Arrays:
    """Run twice on fresh arrays: results of the second run, the same as the first's, no array written but those given
    away."""
    ctx = context()
    ctx.wants_remarks = True
    compiled = lastuse.compile(module, ctx=ctx, threads=1, poison=True, **options)  # pyright: ignore
    wrong = [str(r) for r in ctx.remarks if r.kind is RemarkKind.REPAIR]
    assert not wrong, f"decided wrongly with {options}: {wrong}\n{compiled.latest.module}"
    found: list[Arrays] = []
    for _ in range(2):
        given_ = copies(program)
        found.append(list(compiled.run(given_).values()))
        for name, array in given_.items():
            assert name in program.written or same_bits(array, program.inputs[name]), f"{name} was written"
    for one, other in zip(*found, strict=True):
        assert same_bits(one, other), "the second run gives other bits"
    return found[0]


PIPELINES: list[list[InplacePass | MemoryPlanPass]] = [
    *([InplacePass(strategy), MemoryPlanPass("greedy")] for strategy in STRATEGIES),
    [InplacePass()],
    [InplacePass(parts=False), MemoryPlanPass()],
    [MemoryPlanPass("pool"), InplacePass(), MemoryPlanPass()],
    [MemoryPlanPass("pool", level=1), InplacePass(), MemoryPlanPass()],
    [MemoryPlanPass("pool", level=1), InplacePass("paddle")],
    [InplacePass(), MemoryPlanPass("pool", level=1)],
    [InplacePass("paddle"), InplacePass()],
]
"""What decides, in which order."""


def decided(module: ModuleOp, passes: list[InplacePass | MemoryPlanPass]) -> ModuleOp:
    """The module after the passes; the checker accepts it after each."""
    module = clone(module)
    for number, item in enumerate(passes):
        item.apply(CONTEXT, module)
        wrong = checker.check(main_function(module))
        assert not wrong, f"after {passes[: number + 1]}: {wrong[0].message}\n{module}"
    return module


def check(program: Generated, every: bool = PROGRAMS > 150) -> None:
    """Whatever decides (one pipeline, or `every`), the checker accepts it, and the planned bits are the naive ones."""
    module = program.module
    want = run(program, module, inplace=False, plan=False)
    compare(want, run(program, module), "compiled as usual")
    number = len(program.text) % len(PIPELINES)
    modules = [decided(module, passes) for n, passes in enumerate(PIPELINES) if every or n == number]
    number = number if every else 0
    compare(want, run(program, modules[number], inplace=False, plan=False), str(modules[number]))


def compare(want: Arrays, got: Arrays, what: str) -> None:
    for index, (one, other) in enumerate(zip(want, got, strict=True)):
        assert same_bits(one, other), f"result {index} is {other}, not {one}: {what}"


@settings(max_examples=PROGRAMS, deadline=None, derandomize=PROGRAMS == 150, suppress_health_check=list(HealthCheck))
@given(programs())
def test_decisions_change_no_bit(program: Generated) -> None:
    check(program)


@settings(
    max_examples=PROGRAMS // 2, deadline=None, derandomize=PROGRAMS == 150, suppress_health_check=list(HealthCheck)
)
@given(programs())
def test_each_op_means_its_reference(program: Generated) -> None:
    """Every value is a result here, so that each op is held against numpy on the very operands it had."""
    module = program.open_module()
    wellformed.verify(module)
    results = run(program, module, inplace=False, plan=False)
    func = main_function(module)
    last = func.get_return_op()
    assert last is not None
    values: dict[SSAValue, np.ndarray] = dict(zip(last.operands, results, strict=True))
    for op in func.body.block.ops:
        if isinstance(op, DnnOp):
            operands = [values[v] for v in op.operands]
            for result, array in zip(op.results, op.reference(*operands), strict=True):
                assert_close(op, operands, values[result], array)


def assert_close(op: DnnOp, operands: Arrays, got: np.ndarray, want: np.ndarray) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    if got.dtype.kind != "f":
        np.testing.assert_array_equal(got, want, str(op))
        return
    if not all(np.isfinite(v).all() for v in operands):
        return  # engines differ on NaN and infinity where ONNX leaves them open; the ops' own tests have them
    scale = max([1.0, *(float(np.abs(v).max()) for v in operands if v.size and v.dtype.kind == "f")])
    finite = np.isfinite(want)
    np.testing.assert_allclose(got[finite], want[finite], rtol=1e-4, atol=1e-5 * scale, err_msg=str(op))


def test_every_op_is_drawn() -> None:
    assert set(OPERATIONS) - set(MAKERS) == {"dnn.opaque"}
    assert set(MAKERS) <= set(OPERATIONS)


def test_drawn_programs_verify_and_have_every_op() -> None:
    seen: set[str] = set()
    for seed in range(600):
        module = random_program(seed).module
        wellformed.verify(module)
        seen |= {op.name for op in module.walk()}
    assert set(MAKERS) <= seen


FOUND = {
    "scatter over an expanded base": """
        func.func @main(%x0: tensor<2x1xf32> {dnn.donated}) -> (tensor<2x3xf32>) {
          %a = "dnn.expand"(%x0) : (tensor<2x1xf32>) -> tensor<2x3xf32>
          %b = "dnn.select"(%a) {dim = 0 : i64, index = 1 : i64} : (tensor<2x3xf32>) -> tensor<3xf32>
          %c = "dnn.select_scatter"(%a, %b) {index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
          func.return %c : tensor<2x3xf32>
        }""",
    "a part of a concat that is a strided part itself": """
        func.func @main(%x0: tensor<3x3xf64>) -> (tensor<6x6xf64>) {
          %a = "dnn.softmax"(%x0) {axis = 1 : i64} : (tensor<3x3xf64>) -> tensor<3x3xf64>
          %b = "dnn.concat"(%a, %x0) {axis = 0 : i64} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<6x3xf64>
          %c = "dnn.concat"(%b, %b) {axis = 1 : i64} : (tensor<6x3xf64>, tensor<6x3xf64>) -> tensor<6x6xf64>
          func.return %c : tensor<6x6xf64>
        }""",
    "a view that the pool gives a number": """
        func.func @main(%x0: tensor<3x3xf32> {dnn.donated}, %x1: tensor<3xf32>) -> (tensor<3xf32>) {
          %a = "dnn.clip"(%x0) {min = -1.0 : f32, max = 1.0 : f32} : (tensor<3x3xf32>) -> tensor<3x3xf32>
          %b = "dnn.abs"(%x0) : (tensor<3x3xf32>) -> tensor<3x3xf32>
          %u, %v, %w = "dnn.unbind"(%a) {axis = 1 : i64}
            : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
          %c = "dnn.softmax"(%w) : (tensor<3xf32>) -> tensor<3xf32>
          %d = "dnn.diagonal_scatter"(%b, %x1) : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
          func.return %u : tensor<3xf32>
        }""",
    "neg at a stride of 16 bytes": """
        func.func @main(%x0: tensor<3x4xf32>) -> (tensor<3xf32>) {
          %a = "dnn.neg"(%x0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
          %b = "dnn.select"(%a) {dim = 1 : i64, index = 3 : i64} : (tensor<3x4xf32>) -> tensor<3xf32>
          %c = "dnn.neg"(%b) : (tensor<3xf32>) -> tensor<3xf32>
          func.return %c : tensor<3xf32>
        }""",
    "relu of -0 at strides": """
        func.func @main(%x0: tensor<3x2xf32> {dnn.donated}) -> (tensor<2xf32>) {
          %a = "dnn.cast"(%x0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
          %b = "dnn.diagonal"(%a) {dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<3x2xf32>) -> tensor<2xf32>
          %c = "dnn.relu"(%b) : (tensor<2xf32>) -> tensor<2xf32>
          func.return %c : tensor<2xf32>
        }""",
    "a result in the memory of a donated argument, returned second": """
        func.func @main(%x0: tensor<2xf32> {dnn.donated}) -> (tensor<2xf32>, tensor<2xf32>) {
          %a = "dnn.zeros"() : () -> tensor<2xf32>
          %b = "dnn.abs"(%x0) : (tensor<2xf32>) -> tensor<2xf32>
          func.return %a, %b : tensor<2xf32>, tensor<2xf32>
        }""",
}
"""Programs, drawn once and made smaller, that were decided or run wrongly."""


@pytest.mark.parametrize("name", FOUND)
def test_found_programs(name: str) -> None:
    text = FOUND[name]
    given_: dict[str, np.ndarray] = {}
    for argument in main_function(module_of(text)).args:
        assert argument.name_hint is not None and isinstance(argument.type, TensorType)
        given_[argument.name_hint] = (
            np.where(np.arange(64) % 3, np.arange(64) - 2.5, -0.0)[: argument.type.element_count()]
            .reshape(argument.type.get_shape())
            .astype(numpy_dtype(dtype_name(argument.type.element_type)))
        )
    check(Generated(module_of(text), given_, frozenset(given_)), every=True)
