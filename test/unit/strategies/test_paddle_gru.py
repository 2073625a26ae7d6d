"""Sound fusions that Paddle's GRU passes refuse: each rule alone, with its reason."""

from __future__ import annotations

import pytest

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import RemarkKind, ToolContext
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.gru.paddle_rules import FC, MUL, MULTI, PASSES, SEQ
from lastuse.passes.gru_fusion import GruFusionPass

WORDS, GATES, HIDDEN, ROW = "tensor<5x2xf32>", "tensor<5x3xf32>", "tensor<5x1xf32>", "tensor<3xf32>"
INTO, BACK, OFFSETS = "tensor<2x3xf32>", "tensor<1x3xf32>", "tensor<3xi64>"


class Builder:
    """A program, op by op; what is not an argument of `main` is a constant unless an op makes it."""

    def __init__(self, *arguments: str) -> None:
        self.types = {"x": WORDS, "o": OFFSETS, "row": ROW}
        self.types |= dict.fromkeys(("wx", "vx"), INTO) | dict.fromkeys(("wh", "vh", "b", "c"), BACK)
        self.arguments = [name for name in self.types if name in (*arguments, "x", "o")]
        self.lines = [self.constant(name) for name in self.types if name not in self.arguments]

    def constant(self, name: str) -> str:
        return f'%{name} = "dnn.constant"() {{value = dense<0.5> : {self.types[name]}}} : () -> {self.types[name]}'

    def op(self, result: str, name: str, operands: str, type_: str, attributes: str = "") -> Builder:
        names = operands.split()
        types = ", ".join(self.types[n] for n in names)
        values = ", ".join(f"%{n}" for n in names)
        self.types[result] = type_
        self.lines.append(f'%{result} = "dnn.{name}"({values}) {{{attributes}}} : ({types}) -> {type_}')
        return self

    def gru(self, result: str, weights: str, bias: str = "b", attributes: str = "", row: str = "") -> Builder:
        """A product of the words, and a GRU of it: `weights` are those of the product and its own."""
        into, back = weights.split()
        gates = f"{result}_gates"
        self.op(gates, "matmul", f"x {into}", GATES)
        if row:
            self.op(f"{gates}_sum", "add", f"{gates} {row}", GATES)
            gates += "_sum"
        segments = f"operandSegmentSizes = array<i32: 1, 1, {int(bool(bias))}, 0, 1>"
        return self.op(result, "gru", f"{gates} {back} {bias} o", HIDDEN, f"{segments}{attributes}")

    def fused(self, result: str, weights: str, bias: str = "b", attributes: str = "") -> Builder:
        segments = f"operandSegmentSizes = array<i32: 1, 1, 1, {int(bool(bias))}, 0, 1>"
        return self.op(result, "fused_gru", f"x {weights} {bias} o", HIDDEN, f"{segments}{attributes}")

    def multi(self, result: str, words: str) -> Builder:
        return self.op(result, "multi_gru", f"{words} wx wh b vx vh c o", WORDS, 'mode = "concat"')

    def joined(self, mode: str = "concat") -> Builder:
        axis = "axis = -1 : i64" if mode == "concat" else ""
        return self.op("y", mode, "f r", WORDS if mode == "concat" else HIDDEN, axis)

    def text(self) -> str:
        last = list(self.types)[-1]
        arguments = ", ".join(f"%{name}: {self.types[name]}" for name in self.arguments)
        body = "\n".join([*self.lines, f"func.return %{last} : {self.types[last]}"])
        return f"func.func @main({arguments}) -> {self.types[last]} {{\n{body}\n}}"


REVERSE = ", is_reverse = true"


def said(program: Builder, passes: tuple[str, ...]) -> tuple[set[str], list[str]]:
    """Names of the GRUs that are left, and what was refused: the op, and in brackets what more there is to say."""
    module = parse(context(), program.text(), "test.mlir")
    ctx = ToolContext()
    GruFusionPass("paddle", passes).apply(ctx, module)
    refused = [r for r in ctx.remarks if r.kind is RemarkKind.REFUSAL]
    details = [f"{r.op.removeprefix('dnn.')}: {r.message.rpartition(' (')[2].rstrip(')')}" for r in refused]
    return {op.name.removeprefix("dnn.") for op in module.walk() if "gru" in op.name}, details


@pytest.mark.parametrize(
    ("program", "passes", "left"),
    [
        (Builder().gru("h", "wx wh"), (MUL,), "fused_gru"),
        (Builder().gru("h", "wx wh", row="row"), (FC,), "fused_gru"),
        (Builder().fused("f", "wx wh").fused("r", "vx vh", "c", REVERSE).joined(), (MULTI,), "multi_gru"),
        (Builder().multi("y", "x").multi("z", "y"), (SEQ,), "multi_gru"),
    ],
    ids=["a product", "a product and a row", "two directions", "two layers"],
)
def test_pass_fuses_its_pattern(program: Builder, passes: tuple[str, ...], left: str) -> None:
    assert said(program, passes) == ({left}, [])


@pytest.mark.parametrize(
    ("program", "missing", "why"),
    [
        (Builder().gru("h", "wx wh"), MUL, "gru: a pass that is not run"),
        (Builder().gru("h", "wx wh", row="row"), FC, "gru: a pass that is not run"),
        (Builder().gru("h", "wx wh", ""), "", "gru: no bias"),
        (Builder().gru("h", "wx wh", attributes=", origin_mode = true"), "", "gru: origin_mode"),
        (Builder("wx").gru("h", "wx wh"), "", "gru: %wx is no constant"),
        (
            Builder().fused("f", "wx wh").fused("r", "vx vh", "c", REVERSE).joined(),
            MULTI,
            "concat: a pass that is not run",
        ),
        (Builder().fused("f", "wx wh").fused("r", "vx vh", "c", REVERSE).joined("add"), "", "add: a sum"),
        (Builder().fused("f", "wx wh", "").fused("r", "vx vh", "c", REVERSE).joined(), "", "concat: no bias"),
        (Builder().fused("f", "wx wh").fused("r", "vx vh", "", REVERSE).joined(), "", "concat: no bias"),
        (Builder().gru("f", "wx wh").fused("r", "vx vh", "c", REVERSE).joined(), "", "concat: made by a pass before"),
        (Builder().fused("f", "wx wh").fused("r", "wx vh", "c", REVERSE).joined(), "", "concat: shared weights"),
        (Builder().fused("f", "wx wh").fused("r", "vx wh", "c", REVERSE).joined(), "", "concat: shared weights"),
        (Builder().fused("f", "wx wh").fused("r", "vx vh", "b", REVERSE).joined(), "", "concat: shared weights"),
        (Builder().multi("y", "x").multi("z", "y"), SEQ, "multi_gru: a pass that is not run"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_missing_pass_is_the_reason_of_a_refusal(program: Builder, missing: str, why: str) -> None:
    assert said(program, tuple(p for p in PASSES if p != missing))[1] == [why]


def test_gru_of_constant_rows_is_refused() -> None:
    program = Builder().gru("h", "wx wh")
    program.lines.insert(0, program.constant("x").replace("%x", "%k"))
    program.lines = [line.replace('"dnn.matmul"(%x', '"dnn.matmul"(%k') for line in program.lines]
    assert said(program, PASSES)[1] == ["gru: constant rows"]


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (Builder().gru("h", "wx wh").op("k", "relu", "h_gates", GATES), "gru: %h_gates"),
        (Builder().fused("f", "wx wh").fused("r", "vx vh", "c").joined(), "concat: forward"),
    ],
    ids=["a product that others read", "two of one direction"],
)
def test_pattern_that_no_pass_fuses_is_refused_with_a_reason(program: Builder, why: str) -> None:
    assert said(program, PASSES)[1] == [why]


def test_passes_have_the_names_of_paddle() -> None:
    assert PASSES == ("mul_gru_fuse_pass", "fc_gru_fuse_pass", "multi_gru_fuse_pass", "multi_gru_seq_fuse_pass")
