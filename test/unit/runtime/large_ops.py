"""
Every op at large sizes, all in one program, compared with what the ops mean: `python large_ops.py THREADS…`.

For a process of its own, because OpenMP reads its settings once. Results are filled with a pattern before each run, so
that an element that no thread writes is seen. Prints a line for each wrong result, and the number of right ones.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import numpy as np
from op_cases import build, named, operands_for, segments
from op_lines import RUNNABLE, example_line, large_line, types_of
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser

import lastuse
from lastuse.dialect.dnn import Dnn
from lastuse.dialect.dnn.base import Array

PATTERN = 0x5B
SQUARE = "300x300xf32"
_GATES = "300x900xf32, 300x900xf32, 1x900xf32"
_INT8 = "300x900xi8, 300x3x300xi8, 1x900xf32, 1x900xf32, 1x900xf32"
_GIVEN = [
    f"scale({SQUARE}) {{bias = 3.0 : f32, scale = 0.3 : f32}} -> {SQUARE}",
    f"sum({SQUARE}, {SQUARE}, {SQUARE}) -> {SQUARE}",
    f"addcmul({SQUARE}, {SQUARE}, {SQUARE}) -> {SQUARE}",
    f"cast({SQUARE}) -> 300x300xi64",
    f"where(300x300xi1, {SQUARE}, f32) -> {SQUARE}",
    f"masked_fill({SQUARE}, 300x300xi1) {{value = 1.0 : f32}} -> {SQUARE}",
    f"relu_grad({SQUARE}, {SQUARE}) -> {SQUARE}",
    *(
        f"{name}({SQUARE}) {{axis = {axis} : i64}} -> {SQUARE}"
        for name in ("softmax", "log_softmax")
        for axis in (0, 1)
    ),
    f"layer_norm({SQUARE}, 300xf32, 300xf32) -> {SQUARE}",
    f"layer_norm({SQUARE}, 300xf32, 300xf32) -> {SQUARE}, 300x1xf32, 300x1xf32",
    f"batch_norm({SQUARE}, 300xf32, 300xf32, 300xf32, 300xf32) -> {SQUARE}",
    "batch_norm(3x10x10x300xf32, 10xf32, 10xf32, 10xf32, 10xf32) -> 3x10x10x300xf32",
    f"matmul({SQUARE}, {SQUARE}) -> {SQUARE}",
    f"matmul({SQUARE}, 300xf32) -> 300xf32",
    "matmul(3x100x300xf32, 3x300x100xf32) -> 3x100x100xf32",
    f"gemm({SQUARE}, {SQUARE}, {SQUARE}) {{alpha = 0.5 : f32, beta = 2.0 : f32}} -> {SQUARE}",
    f"gemm({SQUARE}, {SQUARE}, 300xf32) {{transA = 1 : i64, transB = 1 : i64}} -> {SQUARE}",
    f"reduce_mean({SQUARE}) {{axes = array<i64: 1>}} -> 300xf32",
    f"reduce_sum({SQUARE}) {{axes = array<i64: 0>}} -> 300xf32",
    f"cumsum({SQUARE}) -> {SQUARE}",
    f"gather({SQUARE}, 300xi64) -> {SQUARE}",
    f"top_k({SQUARE}) {{k = 7 : i64}} -> 300x7xf32, 300x7xi64",
    f"reshape({SQUARE}) -> 90000xf32",
    "flatten(30x10x300xf32) -> 30x3000xf32",
    f"identity({SQUARE}) -> {SQUARE}",
    f"multiout({SQUARE}) -> {SQUARE}, {SQUARE}",
    f"expand(300x1xf32) -> {SQUARE}",
    f"transpose({SQUARE}) -> {SQUARE}",
    f"slice({SQUARE}) {{dim = 1 : i64, start = 1 : i64}} -> 300x299xf32",
    f"select({SQUARE}) {{dim = 1 : i64, index = 7 : i64}} -> 300xf32",
    f"diagonal({SQUARE}) -> 300xf32",
    f"as_strided({SQUARE}) {{size = array<i64: 299, 300>, storage_offset = 1 : i64, stride = array<i64: 300, 1>}} "
    "-> 299x300xf32",
    f"split({SQUARE}) {{split_size = 200 : i64}} -> 200x300xf32, 100x300xf32",
    "unbind(2x300x300xf32) -> 300x300xf32, 300x300xf32",
    f"slice_scatter({SQUARE}, 300x299xf32) {{dim = 1 : i64, start = 1 : i64}} -> {SQUARE}",
    f"select_scatter({SQUARE}, 300xf32) {{dim = 1 : i64, index = 7 : i64}} -> {SQUARE}",
    f"diagonal_scatter({SQUARE}, 300xf32) -> {SQUARE}",
    f"as_strided_scatter({SQUARE}, 300xf32) {{size = array<i64: 300>, stride = array<i64: 300>}} -> {SQUARE}",
    f"concat({SQUARE}, {SQUARE}) {{axis = 1 : i64}} -> 300x600xf32",
    f"stack({SQUARE}, {SQUARE}) -> 2x300x300xf32",
    f"pad({SQUARE}) {{pads = array<i64: 0, 1, 0, 2>, value = 1.0 : f32}} -> 300x303xf32",
    f"copy({SQUARE}) -> {SQUARE}",
    f"copy_into({SQUARE}, {SQUARE}) -> {SQUARE}",
    f"fill({SQUARE}) {{value = 1.0 : f32}} -> {SQUARE}",
    f"zeros() -> {SQUARE}",
    f"ones({SQUARE}) -> 90000xf32",
    f"constant() {{value = dense<1.5> : tensor<{SQUARE}>}} -> {SQUARE}",
    f"gru(300x900xf32, 300x900xf32, 11xi64) {segments(1, 1, 0, 0, 1)} -> {SQUARE}",
    f"fused_gru({SQUARE}, {_GATES}, 11xi64) {segments(1, 1, 1, 1, 0, 1)} -> {SQUARE}",
    f'multi_gru({SQUARE}, {_GATES}, {_GATES}, 11xi64) {{mode = "concat"}} -> 300x600xf32',
    f"quantized_gru({SQUARE}, {_INT8}, 11xi64) {{data_scale = array<f32: 9.0, 127.5>, "
    f"data_shift = array<f32: 128.0, 128.0>, reverse = [false]}} -> {SQUARE}",
    "gru_weight_h_to_gates(300x900xf32) -> 300x3x300xf32",
    'negate_gate(300x900xf32) {gate = "update"} -> 300x900xf32',
    "gru_weight_scale(300x900xf32) -> 1x900xf32",
    "quantize_weights(300x900xf32, 1x900xf32) -> 300x900xi8",
    "zero_bias() -> 1x900xf32",
    "lod_to_tnc(300x300xf32, 11xi64) -> 30x10x300xf32",
    "tnc_to_lod(30x10x300xf32, 11xi64) -> 300x300xf32",
    f"onnx_gru(10x30x300xf32, 1x900x300xf32, 1x900x300xf32) {segments(1, 1, 1, 0, 0, 0)} "
    "-> 10x1x30x300xf32, 1x30x300xf32",
    f"onnx_rnn(10x30x300xf32, 1x300x300xf32, 1x300x300xf32) {segments(1, 1, 1, 0, 0, 0)} "
    "-> 10x1x30x300xf32, 1x30x300xf32",
    f"onnx_lstm(10x30x300xf32, 1x1200x300xf32, 1x1200x300xf32) {segments(1, 1, 1, 0, 0, 0, 0, 0)} "
    "-> 10x1x30x300xf32, 1x30x300xf32, 1x30x300xf32",
    "crf_decoding(300x30xf32, 32x30xf32, 11xi64) -> 300x1xi64",
]
_OPAQUE = {f"onnx_{cell}_{kind}" for cell in ("gru", "lstm") for kind in ("training", "training_grad")}
"""Ops with a workspace, whose bytes mean nothing elsewhere; `test_onnx_training.py` runs pairs of them."""
LINES = [
    *_GIVEN,
    *(large_line(c) or example_line(c) for c in RUNNABLE if c.name[4:] not in {*map(named, _GIVEN), *_OPAQUE}),
]
"""The lines above, and the example, at large sizes, of every other op."""
RESULTS = sum(len(types_of(line)[1]) for line in LINES) + 1
"""The number of results of the program: those of the lines, and that of the product with constant weights."""
PACKED = SQUARE
"""Of a constant, whose layout the primitive chooses."""


def operands(line: str, seed: int) -> list[Array]:
    """Random operands. The weights of a recurrent op are so small that no rounding grows from step to step."""
    arrays, name = operands_for(build(line), seed), line.split("(")[0]
    if name == "quantized_gru":
        scales = [np.full_like(array, 300.0) for array in arrays[4:6]]
        return [*arrays[:4], *scales, *arrays[6:]]
    if name in ("gru", "fused_gru", "multi_gru", "onnx_gru", "onnx_lstm", "onnx_rnn"):
        return [array * np.float32(0.01) if array.dtype == np.float32 else array for array in arrays]
    return arrays


def module() -> ModuleOp:
    """`main` with every line's op on inputs of its own, and a product with constant weights."""
    arguments, body, returned = list[str](), list[str](), list[tuple[str, str]]()
    for number, line in enumerate(LINES):
        match = re.fullmatch(r"(\w+)\(([^)]*)\) *(\{.*\})? *-> *(.*)", line)
        assert match, line
        name, given, attributes, made = match.groups()
        ins, outs = ([f"tensor<{t}>" for t in re.split(", *", part) if t] for part in (given, made))
        values = [f"%x{number}_{k}" for k in range(len(ins))]
        arguments += [f'{v}: {t} {{dnn.name = "{v[1:]}"}}' for v, t in zip(values, ins, strict=True)]
        body.append(
            f'%y{number}:{len(outs)} = "dnn.{name}"({", ".join(values)}) {attributes or ""} '
            f": ({', '.join(ins)}) -> ({', '.join(outs)})"
        )
        returned += [(f"%y{number}#{k}", t) for k, t in enumerate(outs)]
    arguments.append(f'%p: tensor<{SQUARE}> {{dnn.name = "p"}}')
    body.append(f'%w = "dnn.constant"() {{value = dense<0.5> : tensor<{PACKED}>}} : () -> tensor<{PACKED}>')
    body.append(f'%q = "dnn.matmul"(%p, %w) : (tensor<{SQUARE}>, tensor<{PACKED}>) -> tensor<{SQUARE}>')
    returned.append(("%q", f"tensor<{SQUARE}>"))
    names = [f'{t} {{dnn.name = "{v[1:].replace("#", "_")}"}}' for v, t in returned]
    values, types = ", ".join(v for v, _ in returned), ", ".join(t for _, t in returned)
    text = (
        f"func.func @main({', '.join(arguments)}) -> ({', '.join(names)}) {{ {' '.join(body)} "
        f"func.return {values} : {types} }}"
    )
    context = Context()
    for dialect in (Builtin, Func, Dnn):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


class Case:
    """The program's inputs, and what its results are."""

    def __init__(self) -> None:
        self.inputs: dict[str, Array] = {}
        self.wanted: dict[str, tuple[str, Array]] = {}
        for number, line in enumerate(LINES):
            given = operands(line, number)
            self.inputs |= {f"x{number}_{k}": array for k, array in enumerate(given)}
            made = build(line).reference(*(a.copy() for a in given))
            self.wanted |= {f"y{number}_{k}": (line, array) for k, array in enumerate(made)}
        self.inputs["p"] = np.random.default_rng(7).normal(size=(300, 300)).astype(np.float32)
        wanted = self.inputs["p"] @ np.full((300, 300), 0.5, np.float32)
        self.wanted["q"] = ("matmul with constant weights", wanted)

    def compile(self, threads: int) -> lastuse.Program:
        """Without a plan, which takes seconds and changes no step."""
        return lastuse.compile(module(), threads=threads, inplace=False, plan=False, poison=True)

    def wrong(self, program: lastuse.Program) -> Iterator[str]:
        """A line for each result of a run that is not what it has to be."""
        out = {name: np.empty(array.shape, array.dtype) for name, (_, array) in self.wanted.items()}
        for array in out.values():
            array.reshape(-1).view(np.uint8).fill(PATTERN)
        inputs = {name: array.copy() for name, array in self.inputs.items()}
        results = program.run(inputs, out)
        for name, (line, array) in self.wanted.items():
            got, scale = results[name], max(1.0, float(np.abs(array.astype(np.float64)).max()))
            # A state that is rounded to int8 the other way moves the next one by a hundredth.
            near = 2e-2 if line.startswith("quantized_gru") else 1e-4
            if not np.allclose(got, array, rtol=near, atol=near * scale, equal_nan=True):
                yield f"{line}: {name} is wrong in {int((got != array).sum()):,} of {array.size:,} elements"


def main(counts: list[str]) -> int:
    case, failed = Case(), 0
    for threads in map(int, counts):
        program = case.compile(threads)
        for run in range(2):
            for line in case.wrong(program):
                failed += 1
                print(f"{threads} threads, run {run}: {line}")
        print(f"{threads} threads asked, {program.latest.runner.threads} used, {len(case.wanted)} results")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
