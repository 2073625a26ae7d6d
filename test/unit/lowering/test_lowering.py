"""Lowered programs against the ops' references: naive, planned, in place; boxes and parallel moves."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser

from lastuse.dialect.dnn import Dnn
from lastuse.dialect.onednn import OneDNN
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering.box_difference import boxed, boxes_outside
from lastuse.passes.memory.copy_temporaries import ParallelMove, sequential_copies
from lastuse.passes.memory.frame_layout import FrameLocation
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.verify_storage import VerifyStoragePass
from lastuse.runtime.program import Executable

Array = np.ndarray


def parse(text: str) -> tuple[Context, ModuleOp]:
    context = Context()
    for dialect in (Builtin, Func, Dnn, OneDNN):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return context, module


def program(text: str, planned: bool) -> tuple[Executable, ModuleOp]:
    context, module = parse(text)
    if planned:
        InplacePass().apply(context, module)
        MemoryPlanPass().apply(context, module)
        VerifyStoragePass().apply(context, module)
    LowerToOnednnPass().apply(context, module)
    module.verify()
    return Executable(module, poison=True), module


def function(lines: list[str], arguments: str, result: str, type_: str) -> str:
    body = "\n  ".join(lines)
    return f"func.func @main({arguments}) -> {type_} {{\n  {body}\n  func.return {result} : {type_}\n}}"


T, S, V = "tensor<4x6xf32>", "tensor<6x4xf32>", "tensor<6xf32>"
ARGUMENTS = f"%x: {T}, %u: {T}, %w: {S}, %v: {V}, %p: {V}"
# `%a` and `%b` are computed values that die at the op: both may be written over.
OPS = {
    "relu": f'"dnn.relu"(%a) : ({T}) -> {T}',
    "tanh": f'"dnn.tanh"(%a) : ({T}) -> {T}',
    "gelu": f'"dnn.gelu"(%a) : ({T}) -> {T}',
    "clip": f'"dnn.clip"(%a) {{min = -0.5 : f32, max = 0.5 : f32}} : ({T}) -> {T}',
    "add": f'"dnn.add"(%a, %b) : ({T}, {T}) -> {T}',
    "add-row": f'"dnn.add"(%v, %a) : ({V}, {T}) -> {T}',
    "add-self": f'"dnn.add"(%a, %a) : ({T}, {T}) -> {T}',
    "mul-self": f'"dnn.mul"(%a, %a) : ({T}, {T}) -> {T}',
    "sub-self": f'"dnn.sub"(%a, %a) : ({T}, {T}) -> {T}',
    "sub": f'"dnn.sub"(%a, %b) : ({T}, {T}) -> {T}',
    "sub-row": f'"dnn.sub"(%v, %a) : ({V}, {T}) -> {T}',
    "div": f'"dnn.div"(%a, %u) : ({T}, {T}) -> {T}',
    "sum": f'"dnn.sum"(%x, %a, %b) : ({T}, {T}, {T}) -> {T}',
    "sum-self": f'"dnn.sum"(%a, %a, %a) : ({T}, {T}, {T}) -> {T}',
    "softmax": f'"dnn.softmax"(%a) : ({T}) -> {T}',
    "softmax-0": f'"dnn.softmax"(%a) {{axis = 0 : i64}} : ({T}) -> {T}',
    "log-softmax": f'"dnn.log_softmax"(%a) : ({T}) -> {T}',
    "layer-norm": f'"dnn.layer_norm"(%a, %v, %p) : ({T}, {V}, {V}) -> {T}',
    "batch-norm": f'"dnn.batch_norm"(%a, %v, %v, %v, %p) : ({T}, {V}, {V}, {V}, {V}) -> {T}',
    "matmul": f'"dnn.matmul"(%a, %w) : ({T}, {S}) -> tensor<4x4xf32>',
    "matvec": f'"dnn.matmul"(%a, %v) : ({T}, {V}) -> tensor<4xf32>',
    "vecmat": f'"dnn.matmul"(%v, %w) : ({V}, {S}) -> tensor<4xf32>',
    "gemm": f'"dnn.gemm"(%x, %w, %c) {{alpha = 0.5 : f32}} : ({T}, {S}, tensor<4x4xf32>) -> tensor<4x4xf32>',
    "gemm-row": f'"dnn.gemm"(%w, %a, %v) : ({S}, {T}, {V}) -> tensor<6x6xf32>',
    "gemm-turned": f'"dnn.gemm"(%a, %b) {{transA = 1 : i64}} : ({T}, {T}) -> tensor<6x6xf32>',
    "cumsum": f'"dnn.cumsum"(%a) {{axis = 1 : i64}} : ({T}) -> {T}',
    "transpose": f'"dnn.transpose"(%a) {{perm = array<i64: 1, 0>}} : ({T}) -> {S}',
    "concat": f'"dnn.concat"(%a, %b) {{axis = 1 : i64}} : ({T}, {T}) -> tensor<4x12xf32>',
    "scatter": f'"dnn.select_scatter"(%a, %v) {{dim = 0 : i64, index = 2 : i64}} : ({T}, {V}) -> {T}',
}
NATIVE = ("add-row", "softmax", "softmax-0", "log-softmax", "layer-norm")
"""Ops that a kernel of the runtime computes unless oneDNN is asked for."""


def on_onednn(op: str) -> str:
    asked = 'dnn.engine = "onednn"'
    return op.replace("{", f"{{{asked}, ", 1) if "{" in op else op.replace(") :", f") {{{asked}}} :", 1)


OPS |= {f"{name} on onednn": on_onednn(OPS[name]) for name in NATIVE}


def _sources() -> list[str]:
    return [
        f'%a = "dnn.sigmoid"(%x) : ({T}) -> {T}',
        f'%b = "dnn.exp"(%u) : ({T}) -> {T}',
        f'%c = "dnn.matmul"(%u, %w) : ({T}, {S}) -> tensor<4x4xf32>',
    ]


def _arrays() -> dict[str, Array]:
    rng = np.random.default_rng(7)
    shapes = {"x": (4, 6), "u": (4, 6), "w": (6, 4), "v": (6,), "p": (6,)}
    return {name: rng.uniform(0.5, 2.0, shape).astype(np.float32) for name, shape in shapes.items()}


def reference(text: str, arrays: dict[str, Array]) -> Array:
    """What the ops' numpy references make of the module."""
    _, module = parse(text)
    func = next(op for op in module.body.block.ops)
    block = func.regions[0].block
    known = {a: arrays[str(a.name_hint)] for a in block.args}
    for op in block.ops:
        if op.name == "func.return":
            return known[op.operands[0]]  # pyright: ignore
        for result, value in zip(op.results, op.reference(*(known[v] for v in op.operands)), strict=True):  # pyright: ignore
            known[result] = value  # pyright: ignore
    raise AssertionError("no return")


@pytest.mark.parametrize("returned", [True, False], ids=["returned", "inner"])
@pytest.mark.parametrize("name", OPS)
def test_planned_and_naive_programs_compute_the_reference(name: str, returned: bool) -> None:
    op = OPS[name]
    type_ = op.rsplit("-> ", 1)[1]
    lines = [*_sources(), f"%y = {op}"]
    result = "%y"
    if not returned:
        lines.append(f'%z = "dnn.scale"(%y) {{scale = 2.0 : f32}} : ({type_}) -> {type_}')
        result = "%z"
    text, arrays = function(lines, ARGUMENTS, result, type_), _arrays()
    (naive,) = program(text, planned=False)[0].run(arrays).values()
    (planned,) = program(text, planned=True)[0].run(arrays).values()
    np.testing.assert_allclose(naive, reference(text, arrays), rtol=2e-4, atol=1e-5)
    assert naive.tobytes() == planned.tobytes()


def _steps(text: str, planned: bool) -> list[str]:
    return [op.name for op in program(text, planned)[1].walk() if isinstance(op, DestinationStyleBase)]


ON_CPU = ("sub-row", "sub-self", "cumsum", "transpose", "matvec", "vecmat")


@pytest.mark.parametrize("name", [n for n in OPS if n not in (*ON_CPU, *NATIVE)])
def test_ops_with_a_primitive_run_on_onednn(name: str) -> None:
    """Planned or not, such an op does not run on an engine of ours."""
    op = OPS[name]
    text = function([*_sources(), f"%y = {op}"], ARGUMENTS, "%y", op.rsplit("-> ", 1)[1])
    for planned in (False, True):
        assert "onednn.call" not in _steps(text, planned)


def test_layer_norm_statistics_are_computed() -> None:
    lines = [f'%y, %m, %d = "dnn.layer_norm"(%x, %v, %p) : ({T}, {V}, {V}) -> ({T}, tensor<4x1xf32>, tensor<4x1xf32>)']
    for result, type_ in (("%y", T), ("%m", "tensor<4x1xf32>"), ("%d", "tensor<4x1xf32>")):
        text, arrays = function(lines, ARGUMENTS, result, type_), _arrays()
        (have,) = program(text, planned=False)[0].run(arrays).values()
        _, module = parse(text)
        op = next(op for op in module.walk() if op.name == "dnn.layer_norm")
        want = op.reference(arrays["x"], arrays["v"], arrays["p"])[["%y", "%m", "%d"].index(result)]  # pyright: ignore
        np.testing.assert_allclose(have, want, rtol=2e-4, atol=1e-5)


def test_scatter_of_a_part_already_in_place_copies_only_the_rest() -> None:
    """The base is elsewhere; only its bytes outside the part are copied."""
    text = """
    func.func @main(%x: tensor<5x6xf32>, %v: tensor<2x3xf32>) -> tensor<5x6xf32> {
      %e = "dnn.exp"(%v) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %r = "dnn.slice"(%x) {dim = 0 : i64, start = 1 : i64, end = 3 : i64} : (tensor<5x6xf32>) -> tensor<2x6xf32>
      %i = "dnn.slice_scatter"(%r, %e)
        {dim = 1 : i64, start = 0 : i64, end = 6 : i64, step = 2 : i64, dnn.parts = array<i32: 1>} :
        (tensor<2x6xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
      %s = "dnn.slice_scatter"(%x, %i) {dim = 0 : i64, start = 1 : i64, end = 3 : i64, dnn.parts = array<i32: 1>} :
        (tensor<5x6xf32>, tensor<2x6xf32>) -> tensor<5x6xf32>
      func.return %s : tensor<5x6xf32>
    }"""
    context, module = parse(text)
    VerifyStoragePass().apply(context, module)
    LowerToOnednnPass().apply(context, module)
    module.verify()
    rng = np.random.default_rng(0)
    arrays = {"x": rng.random((5, 6), np.float32), "v": rng.random((2, 3), np.float32)}
    (have,) = Executable(module, poison=True).run(arrays).values()
    want = arrays["x"].copy()
    want[1:3, ::2] = np.exp(arrays["v"])
    np.testing.assert_allclose(have, want, rtol=1e-5)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_box_difference_covers_the_rest_once(data: st.DataObject) -> None:
    sizes = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3), label="sizes"))
    count = int(np.prod(sizes))
    chosen = data.draw(st.lists(st.integers(0, count - 1), max_size=count), label="part")
    step = data.draw(st.integers(1, 4), label="step")
    start = min(chosen, default=0)
    part = Strided(start, (-(-(count - start) // step),), (step,), 1)
    seen = np.zeros(count, np.int64)
    for box in boxes_outside(sizes, part):
        seen[boxed(Strided.dense(sizes, 1), box).bytes()] += 1
    seen[part.bytes()] += 1
    assert (seen == 1).all()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=6, unique_by=lambda pair: pair[1]))
def test_sequentialized_moves_equal_parallel_ones(pairs: list[tuple[int, int]]) -> None:
    """After the moves in the given order, every target has the initial contents of its source."""
    cells = [FrameLocation(None, Strided.dense((1,), 4, 4 * k)) for k in range(6)]
    order = sequential_copies([ParallelMove(n, cells[s], cells[t]) for n, (s, t) in enumerate(pairs)])
    memory = list(range(6))
    aside = {n: memory[pairs[n][0]] for n in order.first}
    for number in order.then:
        source, target = pairs[number]
        memory[target] = aside.get(number, memory[source])
    assert all(memory[t] == s for s, t in pairs)
    untouched = set(range(6)) - {t for _, t in pairs}
    assert all(memory[k] == k for k in untouched)
    assert len(order.first) <= len(list(itertools.filterfalse(lambda p: p[0] == p[1], pairs)))
