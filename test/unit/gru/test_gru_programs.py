"""Random programs of products, GRUs and joins: fused, prepared and placed in any order they compute the same."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, MultiGruOp
from lastuse.dialect.storage.verifier import verify
from lastuse.frontends.text import mlir_parser
from lastuse.passes.gru_fusion import GruFusionPass
from lastuse.passes.placement import PlacementPass
from lastuse.passes.weight_reorder import WeightReorderPass

PROGRAMS = 40
CONTEXT = context()
LENGTHS = (3, 0, 2, 1)
WORDS, SEQUENCES = sum(LENGTHS), len(LENGTHS)
WIDTHS = (2, 3)


class Writer:
    """A program being drawn. Weights are picked among those there are as often as they are new, so that ops share
    them; so are words and hidden states, so that values have several readers."""

    def __init__(self, seed: int) -> None:
        self.random, self.numbers = random.Random(seed), np.random.default_rng(seed)
        self.lines: list[str] = []
        self.types: dict[str, str] = {}
        self.arguments: list[str] = []
        self.matrices: list[tuple[str, int]] = []
        self.feed: dict[str, np.ndarray] = {}
        self.argument("o", np.cumsum([0, *LENGTHS]))
        self.matrices.append((self.argument("x", self.numbers.normal(size=(WORDS, 3))), 3))

    def argument(self, name: str, array: np.ndarray) -> str:
        kept = array if array.dtype.kind == "i" else array.astype(np.float32)
        self.feed[name] = kept
        self.types[name] = f"tensor<{'x'.join(map(str, array.shape))}x{'i64' if kept.dtype.kind == 'i' else 'f32'}>"
        self.arguments.append(name)
        return name

    def weight(self, *shape: int) -> str:
        """A constant, seldom an argument; often one there is."""
        type_ = f"tensor<{'x'.join(map(str, shape))}xf32>"
        there = [name for name, other in self.types.items() if other == type_ and name[0] in "wa"]
        if there and self.random.random() < 0.4:
            return self.random.choice(there)
        array = self.numbers.normal(size=shape) / 2
        if self.random.random() < 0.15:
            return self.argument(f"a{len(self.types)}", array)
        name = f"w{len(self.types)}"
        self.types[name] = type_
        value = f'dense<"0x{array.astype(np.float32).tobytes().hex().upper()}"> : {type_}'
        self.lines.append(f'  %{name} = "dnn.constant"() {{value = {value}}} : () -> {type_}')
        return name

    def emit(self, op: str, operands: Sequence[str], attributes: str, rows: int, columns: int) -> str:
        name = f"v{len(self.types)}"
        self.types[name] = f"tensor<{rows}x{columns}xf32>"
        types = ", ".join(self.types[o] for o in operands)
        names = ", ".join(f"%{o}" for o in operands)
        self.lines.append(f'  %{name} = "dnn.{op}"({names}) {{{attributes}}} : ({types}) -> {self.types[name]}')
        return name

    def flip(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def gru(self, x: str, inputs: int, channels: int, reverse: bool, origin: bool, activation: str) -> str:
        triple = 3 * channels
        weight_x, weight_h = self.weight(inputs, triple), self.weight(channels, triple)
        bias, h0 = self.flip(0.7), self.flip(0.2)
        rest = [self.weight(1, triple)] * bias + [self.weight(SEQUENCES, channels)] * h0
        marks = f"is_reverse = {str(reverse).lower()}, origin_mode = {str(origin).lower()}{activation}"
        if self.flip(0.2):
            segments = f"operandSegmentSizes = array<i32: 1, 1, 1, {bias:d}, {h0:d}, 1>"
            operands = [x, weight_x, weight_h, *rest, "o"]
            return self.emit("fused_gru", operands, f"{marks}, {segments}", WORDS, channels)
        engine = self.random.choice(["", "", "", 'dnn.engine = "cpu"', 'dnn.engine = "onednn"'])
        kind = self.random.choice(["matmul", "matmul", "add", "gemm"])
        if kind == "gemm":
            row = self.weight(*self.random.choice([(triple,), (1, triple)]))
            gates = self.emit("gemm", [x, weight_x, row], engine, WORDS, triple)
        else:
            gates = self.emit("matmul", [x, weight_x], engine, WORDS, triple)
        if kind == "add":
            row = self.weight(*self.random.choice([(triple,), (1, triple), (WORDS, triple), (1,)]))
            gates = self.emit("add", self.random.sample([gates, row], 2), "", WORDS, triple)
        if self.flip(0.1):
            self.matrices.append((gates, triple))
        segments = f"operandSegmentSizes = array<i32: 1, 1, {bias:d}, {h0:d}, 1>"
        return self.emit("gru", [gates, weight_h, *rest, "o"], f"{marks}, {segments}", WORDS, channels)

    def layer(self) -> None:
        """One or two directions, joined or not."""
        x, inputs = self.matrices[-1] if self.flip(0.7) else self.random.choice(self.matrices)
        channels, origin = self.random.choice(WIDTHS), self.flip()
        activation = self.random.choice(["", "", "", ', activation = "relu"', ', gate_activation = "tanh"'])
        first = self.flip()
        one = self.gru(x, inputs, channels, first, origin, activation)
        other_origin = origin if self.flip(0.9) else not origin
        other_width = channels if self.flip(0.9) else 5 - channels
        two = self.gru(x, inputs, other_width, not first if self.flip(0.9) else first, other_origin, activation)
        join = self.random.choice(["concat", "concat", "add", "sum", "none"])
        if join == "none" or (join != "concat" and other_width != channels):
            self.matrices += [(one, channels), (two, other_width)]
            return
        parts, width = [one, two], channels
        if join == "concat":
            width = channels + other_width
        joined = self.emit(join, parts, "axis = 1 : i64" if join == "concat" else "", WORDS, width)
        if self.flip(0.1):
            self.matrices.append((one, channels))
        self.matrices.append((joined, width))

    def text(self) -> str:
        results = [self.matrices[-1][0], *(name for name, _ in self.matrices[1:-1] if self.flip(0.2))]
        given = ", ".join(f"%{name}: {self.types[name]}" for name in self.arguments)
        types = ", ".join(self.types[name] for name in results)
        body, names = "\n".join(self.lines), ", ".join(f"%{name}" for name in results)
        return f"func.func @main({given}) -> ({types}) {{\n{body}\n  func.return {names} : {types}\n}}\n"


def program(seed: int) -> tuple[ModuleOp, dict[str, np.ndarray]]:
    writer = Writer(seed)
    for _ in range(writer.random.randint(1, 3)):
        writer.layer()
    module = mlir_parser.parse(CONTEXT, writer.text(), f"program {seed}")
    verify(module)
    return module, writer.feed


def after(module: ModuleOp, *passes: type) -> ModuleOp:
    done = clone(module)
    for each in passes:
        each().apply(CONTEXT, done)
    verify(done)
    return done


@pytest.mark.parametrize("piece", range(4))
def test_fused_program_computes_the_plain_result(piece: int) -> None:
    fused = joined = 0
    for seed in range(piece, PROGRAMS, 4):
        module, feed = program(seed)
        plain = lastuse.compile(module, fuse=False, inplace=False, plan=False, ctx=CONTEXT)
        want = plain.run({name: feed[name] for name in plain.inputs})
        compiled = lastuse.compile(module, poison=True, ctx=CONTEXT)
        got = compiled.run({name: feed[name] for name in compiled.inputs})
        for name, array in want.items():
            np.testing.assert_allclose(got[name], array, rtol=1e-4, atol=2e-5, err_msg=f"program {seed}")
        ops = list(compiled.latest.module.walk())
        fused += sum(isinstance(op, FusedGruOp) for op in ops)
        joined += sum(isinstance(op, MultiGruOp) for op in ops)
    assert fused > 2
    assert joined > 2


def test_passes_in_any_order_and_repeated_give_one_module() -> None:
    for seed in range(PROGRAMS):
        module, _ = program(seed)
        modules = {
            str(after(module, PlacementPass, GruFusionPass, WeightReorderPass)),
            str(after(module, GruFusionPass, PlacementPass, WeightReorderPass)),
            str(after(module, GruFusionPass, WeightReorderPass, PlacementPass)),
            str(after(module, PlacementPass, GruFusionPass, PlacementPass, WeightReorderPass, PlacementPass)),
            str(after(module, GruFusionPass, GruFusionPass, WeightReorderPass, WeightReorderPass, PlacementPass)),
        }
        assert len(modules) == 1, f"program {seed}"


def test_passes_do_not_change_the_constants_of_the_input() -> None:
    """The passes make new arrays."""
    for seed in range(0, PROGRAMS, 3):
        module, feed = program(seed)
        before = str(module)
        compiled = lastuse.compile(module, ctx=CONTEXT)
        compiled.run({name: feed[name] for name in compiled.inputs})
        assert str(module) == before
