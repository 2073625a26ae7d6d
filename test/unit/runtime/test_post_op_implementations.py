"""A post-op never leaves a convolution or product to oneDNN's reference, whatever the sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from lastuse.compiler.driver import context
from lastuse.dialect.onednn.primitives.post_ops import PostOpStepBase
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.post_op_fusion import PostOpFusionPass
from lastuse.runtime.primitive_preparation import primitive_of

CHAINS = (("relu",), ("row",), ("dies", "relu"), ("lives",), ("relu", "row"), ("dies", "relu", "row", "one"))
"""`row`, `one`: times a row of channels, a number; `dies`, `lives`: plus a value that is not read later, or is."""


def products() -> Iterator[tuple[str, str, str, str, str]]:
    """An op, the shapes of x, w, y and of a row, at sizes of 1 too."""
    for n, h, c, o in product((1, 2), (1, 5), (1, 8), (1, 16)):
        last, pads = "channels_last = true", "pads = array<i64: 1, 1, 1, 1>"
        x, y = f"{n}x{h}x{h}x{c}", f"{n}x{h}x{h}x{o}"
        yield f'"dnn.conv"(%x, %w) {{{last}, {pads}}}', x, f"{o}x{c}x3x3", y, str(o)
        yield f'"dnn.conv"(%x, %w) {{{last}}}', x, f"{o}x{c}x1x1", y, str(o)
        first = f"{n}x{c}x{h}x{h}", f"{o}x{c}x3x3", f"{n}x{o}x{h}x{h}", f"{o}x1x1"
        yield f'"dnn.conv"(%x, %w) {{{pads}}}', *first
        yield '"dnn.matmul"(%x, %w)', f"{n}x{h}x{c}", f"{c}x{o}", f"{n}x{h}x{o}", str(o)
        yield '"dnn.gemm"(%x, %w)', f"{h}x{c}", f"{c}x{o}", f"{h}x{o}", str(o)


def program(op: str, x: str, w: str, y: str, row: str, chain: tuple[str, ...]) -> str:
    operands = {"row": ("mul", "%row", f"{row}x"), "one": ("mul", "%one", ""), "dies": ("add", "%t", f"{y}x")}
    operands["lives"] = ("add", "%r", f"{y}x")
    type_ = f"tensor<{y}xf32>"
    lines = [f'%t = "dnn.tanh"(%r) : ({type_}) -> {type_}']
    lines.append(f"%v0 = {op} : (tensor<{x}xf32>, tensor<{w}xf32>) -> {type_}")
    for number, link in enumerate(chain):
        name, operand, sizes = operands.get(link, (link, "", ""))
        ins, types = (
            (f"%v{number}", type_) if not operand else (f"%v{number}, {operand}", f"{type_}, tensor<{sizes}f32>")
        )
        lines.append(f'%v{number + 1} = "dnn.{name}"({ins}) : ({types}) -> {type_}')
    lines.append(f"func.return %v{len(chain)} : {type_}")
    arguments = {"x": f"{x}x", "w": f"{w}x", "r": f"{y}x", "row": f"{row}x", "one": ""}
    head = ", ".join(f"%{name}: tensor<{sizes}f32>" for name, sizes in arguments.items())
    return f"func.func @main({head}) -> {type_} {{\n  " + "\n  ".join(lines) + "\n}\n"


def implementation(text: str) -> str:
    ctx = context()
    module = parse(ctx, text, "chain.mlir")
    PostOpFusionPass().apply(ctx, module)
    LowerToOnednnPass().apply(ctx, module)
    (step,) = (op for op in module.walk() if isinstance(op, PostOpStepBase))
    return primitive_of(step, 1).implementation


@pytest.mark.parametrize("chain", CHAINS, ids="-".join)
def test_no_chain_is_left_to_the_reference(chain: tuple[str, ...]) -> None:
    for row in products():
        found = implementation(program(*row, chain))
        assert not found.startswith("ref") or implementation(program(*row, ())).startswith("ref"), (row, found)
