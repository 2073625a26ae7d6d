"""Random chains behind convolutions and products: the fused program computes what the ops do, one after the other,
and planned what it computes naive, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ArrayAttr, ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn.activations import ReluOp
from lastuse.dialect.dnn.post_ops import PostOpsBase
from lastuse.dialect.dnn.spatial.convolution import ConvOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.onednn.primitives.post_ops import PostOp, PostOpStepBase
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering_checker import check
from lastuse.passes.plan import PlanPass
from lastuse.passes.post_op_fusion import PostOpFusionPass

UNARY = ("relu", "tanh", "sigmoid", "hard_swish", "silu", "gelu", "elu", "abs", "hard_sigmoid", "neg")
BINARY = ("add", "sub", "mul", "max", "reversed_sub", "reversed_add")
PRODUCTS = {
    "conv": ("1x5x4x6", "{channels_last = true, pads = array<i64: 1, 1, 1, 1>}", "8x6x3x3", "1x5x4x8"),
    "pointwise": ("2x5x4x6", "{channels_last = true}", "8x6x1x1", "2x5x4x8"),
    "depthwise": ("1x5x4x8", "{channels_last = true, group = 8 : i64}", "8x1x3x3", "1x3x2x8"),
    "conv_first": ("1x6x5x4", "{pads = array<i64: 1, 1, 1, 1>}", "8x6x3x3", "1x8x5x4"),
    "conv_transpose": ("1x3x2x6", "{channels_last = true, strides = array<i64: 2, 2>}", "6x8x2x2", "1x6x4x8"),
    "matmul": ("3x5x6", "", "6x8", "3x5x8"),
    "gemm": ("5x6", "{transB = 1 : i64, alpha = 0.5 : f32}", "8x6", "5x8"),
}
OPS = {"pointwise": "conv", "depthwise": "conv", "conv_first": "conv"}


@st.composite
def programs(draw: st.DrawFn) -> str:
    """One product, and a chain of up to six elementwise ops behind it; operands are constants, arguments, or values of
    the result's sizes, which may be read later."""
    kind = draw(st.sampled_from(sorted(PRODUCTS)))
    x, attributes, w, y = PRODUCTS[kind]
    channels = "8x1x1" if kind == "conv_first" else "8"
    lines = [
        f'%w = "dnn.constant"() {{value = {_dense(draw, w)} : tensor<{w}xf32>}} : () -> tensor<{w}xf32>',
        f'%row = "dnn.constant"() {{value = {_dense(draw, channels)} : tensor<{channels}xf32>}} '
        f": () -> tensor<{channels}xf32>",
        '%one = "dnn.constant"() {value = dense<0.75> : tensor<f32>} : () -> tensor<f32>',
        f'%t = "dnn.tanh"(%r) : (tensor<{y}xf32>) -> tensor<{y}xf32>',
        f'%v0 = "dnn.{OPS.get(kind, kind)}"(%x, %w) {attributes} : (tensor<{x}xf32>, tensor<{w}xf32>) '
        f"-> tensor<{y}xf32>",
    ]
    types = {"%row": channels + "x", "%one": "", "%t": y + "x", "%r": y + "x", "%row_in": channels + "x"}
    count = draw(st.integers(1, 6))
    for number in range(count):
        value, made = f"%v{number}", f"%v{number + 1}"
        if draw(st.booleans()):
            lines.append(
                f'{made} = "dnn.{draw(st.sampled_from(UNARY))}"({value}) : (tensor<{y}xf32>) -> tensor<{y}xf32>'
            )
            continue
        name, other = draw(st.sampled_from(BINARY)), draw(st.sampled_from(sorted(types)))
        operands = [(value, y + "x"), (other, types[other])]
        operands = operands[::-1] if name.startswith("reversed") else operands
        (a, a_type), (b, b_type) = operands
        op = {"max": "maximum"}.get(name, name.removeprefix("reversed_"))
        lines.append(f'{made} = "dnn.{op}"({a}, {b}) : (tensor<{a_type}f32>, tensor<{b_type}f32>) -> tensor<{y}xf32>')
    results = [f"%v{count}", *(["%t"] if draw(st.booleans()) else [])]
    kinds = ", ".join([f"tensor<{y}xf32>"] * len(results))
    head = f"%x: tensor<{x}xf32>, %r: tensor<{y}xf32>, %row_in: tensor<{channels}xf32>"
    body = "\n  ".join(lines)
    return f"func.func @main({head}) -> ({kinds}) {{\n  {body}\n  func.return {', '.join(results)} : {kinds}\n}}\n"


def _dense(draw: st.DrawFn, shape: str) -> str:
    """Elements that are all different."""
    sizes = tuple(map(int, shape.split("x")))
    array = np.random.default_rng(draw(st.integers(0, 9))).uniform(-1, 1, sizes)
    return f"dense<{np.round(array, 3).tolist()}>"


def arrays(module: lastuse.Program) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    shapes = [[size for size in spec.shape if isinstance(size, int)] for spec in module.inputs.values()]
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def results(program: lastuse.Program) -> list[np.ndarray]:
    found = program(*arrays(program))
    return list(found) if isinstance(found, tuple) else [found]


@settings(max_examples=40, deadline=None)
@given(programs())
def test_fused_chains_compute_what_the_ops_do(text: str) -> None:
    model = parse(context(), text, "chain.mlir")
    plain = results(lastuse.compile(model, threads=1, post_ops=False))
    PostOpFusionPass().apply(context(), model)
    fused = results(lastuse.compile(model, threads=1))
    naive = results(lastuse.compile(model, threads=1, inplace=False, plan=False))
    assert sum(isinstance(op, PostOpsBase) for op in model.walk()) == 1
    for a, b, c in zip(fused, plain, naive, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
        assert a.tobytes() == c.tobytes()


CHAIN = """
func.func @main(%x: tensor<1x5x4x6xf32>, %r: tensor<1x5x4x8xf32>, %w: tensor<8x6x3x3xf32>, %m: tensor<8xf32>,
    %n: tensor<8xf32>) -> (tensor<1x5x4x8xf32>, tensor<1x5x4x8xf32>) {
  %t = "dnn.tanh"(%r) : (tensor<1x5x4x8xf32>) -> tensor<1x5x4x8xf32>
  %v = "dnn.conv"(%x, %w, %t, %m, %n) {channels_last = true, pads = array<i64: 1, 1, 1, 1>, post_ops = [
    {op = "dnn.add", sum}, {op = "dnn.relu"}, {op = "dnn.mul"}, {op = "dnn.add"}]}
    : (tensor<1x5x4x6xf32>, tensor<8x6x3x3xf32>, tensor<1x5x4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    -> tensor<1x5x4x8xf32>
  %u = "dnn.sigmoid"(LATER) : (tensor<1x5x4x8xf32>) -> tensor<1x5x4x8xf32>
  func.return %v, %u : tensor<1x5x4x8xf32>, tensor<1x5x4x8xf32>
}
"""


def lowered(later: str, plan: bool = True) -> ModuleOp:
    module = parse(context(), CHAIN.replace("LATER", later), "chain.mlir")
    verifier.verify(module)
    if plan:
        PlanPass().apply(context(), module)
    LowerToOnednnPass().apply(context(), module)
    verifier.verify(module)
    return module


def step_of(module: ModuleOp) -> PostOpStepBase:
    return next(op for op in module.walk() if isinstance(op, PostOpStepBase) and op.post_ops is not None)


def test_checker_takes_the_right_step() -> None:
    for later in ("%r", "%t"):
        check(lowered(later))


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 1, 3, 2), (0, 1, 2), (0, 1, 2, 3, 1)])
def test_checker_refuses_other_post_ops(order: tuple[int, ...]) -> None:
    module = lowered("%r")
    step = step_of(module)
    assert step.post_ops is not None
    step.post_ops = ArrayAttr([step.post_ops.data[k] for k in order])
    with pytest.raises(LastuseError, match=r"post-ops|operands"):
        check(module)


def test_checker_refuses_exchanged_rows() -> None:
    module = lowered("%r")
    step = step_of(module)
    m, n = step.ins[3:5]
    step.operands[3], step.operands[4] = n, m
    with pytest.raises(LastuseError):
        check(module)


def test_checker_refuses_a_sum_over_a_residual_that_is_read_later() -> None:
    """The copy of the residual is gone, and the sum writes where the later op reads."""
    module = lowered("%t", plan=False)
    step = step_of(module)
    copy = step.prev_op
    while copy is not None and copy.name != "onednn.copy":
        copy = copy.prev_op
    assert copy is not None
    residual = copy.operands[0]
    target = copy.operands[1]
    copy.detach()
    copy.erase()
    for op in list(module.walk()):
        if op.name == "onednn.view" and op.operands[0] is target:
            op.operands[0] = residual
    with pytest.raises(LastuseError):
        check(module)


def test_a_pass_of_training_is_not_given_post_ops() -> None:
    """Ops with post-ops have no gradient."""
    module = parse(context(), CHAIN.replace("LATER", "%r"), "chain.mlir")
    op = next(op for op in module.walk() if isinstance(op, PostOpsBase))
    assert op.storage().backward is None


def test_what_gemm_adds_stands_before_operands_of_post_ops() -> None:
    """C of one row is a sum too, and the row behind it is another operand."""
    text = """
func.func @main(%x: tensor<1x6xf32>, %w: tensor<6x8xf32>, %c: tensor<1x8xf32>, %r: tensor<8xf32>) -> tensor<1x8xf32> {
  %y = "dnn.gemm"(%x, %w, %c) : (tensor<1x6xf32>, tensor<6x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  %v = "dnn.mul"(%y, %r) : (tensor<1x8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
  func.return %v : tensor<1x8xf32>
}
"""
    program = lastuse.compile(parse(context(), text, "gemm.mlir"), inputs=[(1, 6), (6, 8), (1, 8), (8,)], threads=1)
    assert step_of(program.latest.lowered).own_count == 3
    x, w, c, r = arrays(program)
    np.testing.assert_allclose(program(x, w, c, r), (x @ w + c) * r, rtol=1e-5, atol=1e-5)


def test_post_ops_are_of_programs_that_are_not_trained() -> None:
    text = """
func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x1xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %y = "dnn.matmul"(%x, %w) : (tensor<4x6xf32>, tensor<6x1xf32>) -> tensor<4x1xf32>
  %v = "dnn.tanh"(%y) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %l = "dnn.reduce_mean"(%v) {keepdims = 0 : i64} : (tensor<4x1xf32>) -> tensor<f32>
  func.return %l : tensor<f32>
}
"""
    module = parse(context(), text, "loss.mlir")
    options: dict[str, Any]
    for options, fused in (({}, 1), ({"post_ops": False}, 0), ({"fuse": False}, 0), ({"optimizer": "sgd"}, 0)):
        program = lastuse.compile(module, threads=1, **options)
        program.compile_for({name: tuple(spec.shape) for name, spec in program.inputs.items()})
        steps = [op for op in program.latest.lowered.walk() if isinstance(op, PostOpStepBase)]
        assert sum(step.post_ops is not None for step in steps) == fused


def test_a_second_run_changes_nothing() -> None:
    module = parse(context(), CHAIN.replace("LATER", "%r"), "chain.mlir")
    PostOpFusionPass().apply(context(), module)
    text = str(module)
    PostOpFusionPass().apply(context(), module)
    assert str(module) == text


def _row_of_convolutions(count: int) -> str:
    image, weights = "tensor<1x8x9x9xf32>", "tensor<8x8x3x3xf32>"
    lines = [f'%w = "dnn.constant"() {{value = dense<0.5> : {weights}}} : () -> {weights}']
    for n in range(count):
        lines.append(
            f'%c{n} = "dnn.conv"(%x{n}, %w) {{pads = array<i64: 1, 1, 1, 1>}} : ({image}, {weights}) -> {image}'
        )
        lines.append(f'%x{n + 1} = "dnn.relu"(%c{n}) : ({image}) -> {image}')
    body = "\n".join(lines)
    return f"func.func @main(%x0: {image}) -> {image} {{\n{body}\nfunc.return %x{count} : {image}\n}}"


def test_fused_ops_are_asked_for_their_primitives_a_few_times_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses ask an op for its contract dozens of times: its primitive is made once for each of them, and ops that
    have the same post-ops share these."""
    count = 6
    asked, created = 0, list[object]()
    own, create = ConvOp.own_primitive, ReluOp.create.__func__

    def primitive(self: ConvOp, post_ops: tuple[PostOp, ...]) -> object:
        nonlocal asked
        asked += 1
        return own(self, post_ops)

    def made(cls: type[ReluOp], **options: Any) -> ReluOp:
        created.append(options)
        return create(cls, **options)

    monkeypatch.setattr(ConvOp, "own_primitive", primitive)
    monkeypatch.setattr(ReluOp, "create", classmethod(made))
    program = lastuse.compile(_row_of_convolutions(count).encode())
    assert program.latest.engines == {"onednn": count}
    assert asked <= 18 * count
    assert len(created) <= 2 * count + 1  # as the module is read and copied, and one for all post-ops


REFUSED = """
func.func @main(%x: tensor<2x5x4x6xf32>, %m: tensor<3x6xf32>, %r: tensor<3x8xf32>, %b: tensor<8xf32>)
    -> (tensor<2x8x6x6xf32>, tensor<3x8xf32>) {
  %k = "dnn.constant"() {value = dense<0.5> : tensor<8x5x1x1xf32>} : () -> tensor<8x5x1x1xf32>
  %p = "dnn.pad"(%x) {pads = array<i64: 0, 0, 1, 0, 0, 0, 1, 0>} : (tensor<2x5x4x6xf32>) -> tensor<2x5x6x6xf32>
  %c = "dnn.conv"(%p, %k) : (tensor<2x5x6x6xf32>, tensor<8x5x1x1xf32>) -> tensor<2x8x6x6xf32>
  %w = "dnn.constant"() {value = dense<0.5> : tensor<6x8xf32>} : () -> tensor<6x8xf32>
  %y = "dnn.matmul"(%m, %w) : (tensor<3x6xf32>, tensor<6x8xf32>) -> tensor<3x8xf32>
  %s = "dnn.add"(%y, %b) : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %t = "dnn.tanh"(%r) : (tensor<3x8xf32>) -> tensor<3x8xf32>
  %z = "dnn.add"(%s, %t) : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  func.return %c, %z : tensor<2x8x6x6xf32>, tensor<3x8xf32>
}
"""


def test_what_was_tried_and_refused_reads_nothing_any_more() -> None:
    module = parse(context(), REFUSED, "refused.mlir")
    PostOpFusionPass().apply(context(), module)
    assert [op.name for op in module.walk()].count("dnn.add") == 1  # a sum behind another post-op is refused
    uses = [use.operation for op in module.walk() for result in op.results for use in result.uses]
    assert uses and all(user.parent is not None for user in uses)


def test_a_size_that_no_shape_function_tells_takes_a_row_of_channels() -> None:
    """A window with steps has (rows - 2) // 3 + 1 places, which is no polynomial; what a post-op adds is broadcast."""
    text = """
func.func @main(%x: tensor<1x4x?x5xf32>) -> tensor<1x2x?x2xf32> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<2x4x2x3xf32>} : () -> tensor<2x4x2x3xf32>
  %row = "dnn.constant"() {value = dense<[[[[3.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %v = "dnn.conv"(%x, %w) {strides = array<i64: 3, 2>}
    : (tensor<1x4x?x5xf32>, tensor<2x4x2x3xf32>) -> tensor<1x2x?x2xf32>
  %s = "dnn.silu"(%v) : (tensor<1x2x?x2xf32>) -> tensor<1x2x?x2xf32>
  %y = "dnn.mul"(%s, %row) : (tensor<1x2x?x2xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x?x2xf32>
  func.return %y : tensor<1x2x?x2xf32>
}
"""
    module = parse(context(), text, "steps.mlir")
    fused = module.clone()
    PostOpFusionPass().apply(context(), fused)
    verifier.verify(fused)
    assert [len(op.entries) for op in fused.walk() if isinstance(op, PostOpsBase)] == [2]
    x = np.random.default_rng(0).standard_normal((1, 4, 11, 5)).astype(np.float32)
    want = lastuse.compile(module, fuse=False)(x)
    np.testing.assert_allclose(lastuse.compile(module)(x), want, rtol=1e-5, atol=1e-6)
