"""`--layout-pass` on random functions: no other layouts move fewer bytes, and results stay the same."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp, TensorType

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.layouts import ChannelLayouts, channel_layouts, moves_elements
from lastuse.passes.layout import LayoutPass, apply_layouts
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.verify_lowering import VerifyLoweringPass

X = "tensor<1x8x6x6xf32>"
KINDS = {
    "conv": f'"dnn.conv"(A, %w) {{pads = array<i64: 1, 1, 1, 1>}} : ({X}, tensor<8x8x3x3xf32>) -> {X}',
    "wide": f'"dnn.conv"(A, %v) {{pads = array<i64: 0, 1, 0, 1>}} : ({X}, tensor<8x8x1x3xf32>) -> {X}',
    "relu": f'"dnn.relu"(A) : ({X}) -> {X}',
    "add": f'"dnn.add"(A, B) : ({X}, {X}) -> {X}',
    "bias": f'"dnn.add"(A, %b) : ({X}, tensor<8x1x1xf32>) -> {X}',
    "softmax": f'"dnn.softmax"(A) {{axis = 1 : i64}} : ({X}) -> {X}',
    "pool": f'"dnn.max_pool"(A) {{kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}} : ({X}) -> {X}',
    "scan": f'"dnn.cumsum"(A) {{axis = 2 : i64}} : ({X}) -> {X}',
}
STEPS = st.lists(st.tuples(st.sampled_from(list(KINDS)), st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=6)
Step = tuple[str, int, int]


def module_of(steps: list[Step]) -> ModuleOp:
    """A chain of these ops; each reads results of two of those before it, the last two are returned."""
    values, lines = ["%x"], list[str]()
    for number, (kind, a, b) in enumerate(steps):
        operands = {"A": values[-1 - a % min(2, len(values))], "B": values[b % len(values)]}
        line = re.sub(r"\b[AB]\b", lambda match, operands=operands: operands[match[0]], KINDS[kind])
        lines.append(f"  %r{number} = {line}")
        values.append(f"%r{number}")
    last = values[-2:]
    parameters = "%w: tensor<8x8x3x3xf32>, %v: tensor<8x8x1x3xf32>, %b: tensor<8x1x1xf32>"
    head = f"func.func @main(%x: {X}, {parameters}) -> ({', '.join(X for _ in last)}) {{"
    tail = f"  func.return {', '.join(last)} : {', '.join(X for _ in last)}\n}}"
    body = "\n".join(lines)
    module = parse(context(), f"{head}\n{body}\n{tail}", "drawn.mlir")
    verifier.verify(module)
    return module


def cost(module: ModuleOp) -> int:
    """Bytes that transposes read and write, and those that a convolution with its channels second is slower by."""
    total = 0
    for op in module.walk():
        if not isinstance(op, DnnOp):
            continue
        perm = op.permutation()
        if perm is not None and isinstance(type_ := op.operands[0].type, TensorType):
            total += 8 * element_count(op.operands[0]) * moves_elements(type_.get_shape(), perm)
        total += 4 * op.channels_last_gain() * op.prefers_channels_last()
    return total


def with_layouts(module: ModuleOp, chosen: set[int]) -> ModuleOp:
    """A copy in which the ops of these numbers have their channels last."""
    copy = clone(module)
    func = main_function(copy)
    forms = {
        op: form
        for number, op in enumerate(func.walk())
        if number in chosen and isinstance(op, DnnOp) and (form := op.transposed_form([0, 2, 3, 1])) is not None
    }
    apply_layouts(context(), func, ChannelLayouts(forms))
    verifier.verify(copy)
    return copy


@settings(deadline=None, max_examples=12)
@given(STEPS)
def test_no_other_layouts_move_fewer_bytes(steps: list[Step]) -> None:
    module = module_of(steps)
    ops = list(main_function(module).walk())
    free = [n for n, op in enumerate(ops) if isinstance(op, DnnOp) and op.transposed_form([0, 2, 3, 1]) is not None]
    forms = channel_layouts(main_function(module)).forms
    found = cost(with_layouts(module, {n for n in free if ops[n] in forms}))
    sides = product((False, True), repeat=len(free))
    least = min(cost(with_layouts(module, {n for n, side in zip(free, s, strict=True) if side})) for s in sides)
    assert found == least


@settings(deadline=None, max_examples=6)
@given(STEPS)
def test_results_are_the_same_in_any_layout_and_plan(steps: list[Step]) -> None:
    module = module_of(steps)
    rng = np.random.default_rng(3)
    shapes = {"x": (1, 8, 6, 6), "w": (8, 8, 3, 3), "v": (8, 8, 1, 3), "b": (8, 1, 1)}
    inputs = {name: (rng.standard_normal(shape) / 4).astype(np.float32) for name, shape in shapes.items()}
    auto = lastuse.compile(module, threads=1, poison=True).run(inputs)
    naive = lastuse.compile(module, threads=1, inplace=False, plan=False, schedule=False).run(inputs)
    first = lastuse.compile(module, threads=1, layout="first").run(inputs)
    for name, result in auto.items():
        assert result.tobytes() == naive[name].tobytes()
        np.testing.assert_allclose(result, first[name], rtol=1e-4, atol=1e-4 * float(np.abs(first[name]).max()))


@pytest.mark.parametrize("wrong", ["0, 1, 2, 3", "0, 3, 2, 1", "0, 2, 1, 3", "0, 3, 1, 2"])
def test_a_wrong_order_of_axes_is_refused(wrong: str) -> None:
    """Sizes are equal, so that types do not tell the orders apart."""
    cube = "tensor<6x6x6x6xf32>"
    convs = "".join(
        f'%{to} = "dnn.conv"(%{of}, %w) {{pads = array<i64: 2, 2, 2, 2>}} : ({cube}, tensor<6x6x5x5xf32>) -> {cube}\n'
        for of, to in ("xa", "ab", "bc")
    )
    text = f"func.func @main(%x: {cube}, %w: tensor<6x6x5x5xf32>) -> {cube} {{\n{convs}func.return %c : {cube}\n}}"
    ctx = context()
    module = parse(ctx, text, "model.mlir")
    for pass_ in (LayoutPass(), LowerToOnednnPass()):
        pass_.apply(ctx, module)
    right = str(module)
    VerifyLoweringPass().apply(ctx, parse(ctx, right, "right.mlir"))
    source = "perm = array<i64: 0, 2, 3, 1>"
    assert right.count(source) == 1
    changed = parse(ctx, right.replace(source, f"perm = array<i64: {wrong}>"), "wrong.mlir")
    with pytest.raises(LastuseError):
        VerifyLoweringPass().apply(ctx, changed)
