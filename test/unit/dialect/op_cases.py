"""Ops on given types, good and bad, as one line each; and the data to run them on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func
from xdsl.parser import Parser

from lastuse.dialect.base import Array, DnnOp
from lastuse.dialect.dnn import OPERATIONS, Dnn
from lastuse.dialect.dtypes import numpy_dtype
from lastuse.dialect.example import operand_names
from lastuse.dialect.storage import contract_of


def tensor(text: str) -> str:
    """`2x3xf32` as a tensor type."""
    return f"tensor<{text}>"


def build(line: str, verify: bool = True) -> DnnOp:
    """The op of a line `name(2x3xf32, 3xf32) {axis = 0 : i64} -> 2x3xf32`, in a function of its own."""
    match = re.fullmatch(r"(\w+)\(([^)]*)\) *(\{.*\})? *-> *(.*)", line)
    assert match, line
    name, given, attributes, made = match.groups()
    operands = [tensor(t) for t in re.split(", *", given) if t]
    results = [tensor(t) for t in re.split(", *", made) if t]
    arguments = ", ".join(f"%{k}: {t}" for k, t in enumerate(operands))
    used = ", ".join(f"%{k}" for k in range(len(operands)))
    text = (
        f'func.func private @f({arguments}) {{ "dnn.{name}"({used}) {attributes or ""} '
        f": ({', '.join(operands)}) -> ({', '.join(results)}) func.return }}"
    )
    module = Parser(_context(), text).parse_module()
    op = next(op for op in module.walk() if isinstance(op, DnnOp))
    if verify:
        op.verify()
    return op


@cache
def _context() -> Context:
    context = Context()
    for dialect in (Builtin, Func, Dnn):
        context.load_dialect(dialect)
    return context


def named(line: str) -> str:
    """The name of a line's op."""
    return line.split("(")[0]


_BF16 = "4x9xbf16, 3x3x3xbf16, 1x9xf32"
_INT8 = "4x9xi8, 3x3x3xi8, 1x9xf32, 1x9xf32, 1x9xf32"
"""The weights of one direction of a quantized_gru."""


def _data(layers: int) -> str:
    """`data_scale` and `data_shift` of so many layers."""
    scale, shift = (", ".join([text] * 2 * layers) for text in ("9.0", "128.0"))
    return f"data_scale = array<f32: {scale}>, data_shift = array<f32: {shift}>"


def with_dtype(line: str, dtype: str) -> str:
    """The line with `T` for an element type replaced."""
    return re.sub(r"\bT\b|(?<=x)T\b", dtype, line)


def operands_for(op: DnnOp, seed: int = 0) -> list[Array]:
    """Random arrays of the operands' types; indices stay within their axis, exponents and variances above 0."""
    rng = np.random.default_rng(seed)
    arrays, names = list[Array](), operand_names(op)
    for index in range(len(op.operands)):
        type_ = op.operand_type(index)
        shape = [d for d in type_.shape if isinstance(d, int)]
        dtype = numpy_dtype(type_.dtype)
        positive = op.name in ("dnn.pow", "dnn.sqrt", "dnn.batch_norm")
        if dtype.kind == "b":
            array = rng.integers(0, 2, shape)
        elif op.name == "dnn.gather" and index == 1:
            size = op.operand_type(0).shape[_axis(op)]
            array = rng.integers(-size, size, shape)
        elif names[index] == "sequence_lens":
            array = np.arange(1, shape[0] + 1) * 2
        elif names[index] == "offsets":
            ragged = op.result_type() if len(op.operand_type().shape) == 3 else op.operand_type()
            array = np.linspace(0, ragged.shape[0], shape[0]).astype(np.int64)
        elif dtype.kind in "iu":
            array = rng.integers(0 if positive else -9, 10, shape)
        else:
            normal = rng.normal(size=shape) * 3
            array = abs(normal) + 0.1 if positive else normal
        arrays.append(np.asarray(array).astype(dtype))
    return arrays


def _axis(op: DnnOp) -> int:
    axis = op.attributes.get("axis")
    return int(str(axis).split()[0]) if axis is not None else 0


def empty(op: DnnOp) -> list[Array]:
    """Arrays for the results, full of ones: what an op does not write is seen."""
    types = [op.result_type(k) for k in range(len(op.results))]
    return [np.ones([d for d in t.shape if isinstance(d, int)], numpy_dtype(t.dtype)) for t in types]


def run(op: DnnOp, operands: Sequence[Array], results: Sequence[Array]) -> None:
    """The op's kernel with scratch full of rubbish."""
    op.kernel(operands, results, np.full(contract_of(op).scratch, 0xA5, np.uint8))


def strided(array: Array) -> Array:
    """The same values at every third place of a larger array."""
    large = np.full([3 * n + 1 for n in array.shape], 1, array.dtype)
    view = large[(*(slice(1, 1 + 3 * n, 3) for n in array.shape), ...)]
    view[...] = array
    return view


def same_bits(a: Array, b: Array) -> bool:
    """Equal shapes and equal bytes: -0 is not 0, NaN is NaN."""
    return a.shape == b.shape and np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


class Bad(NamedTuple):
    """A line that must be refused, and words of the reason."""

    line: str
    reason: str


FLOATS = ("f32", "f64", "f16", "bf16")
NUMBERS = ("f32", "f64", "i64", "i32")
ANY = (*NUMBERS, "i1")

_ELEMENTWISE = ("2x3xT", "T", "0x3xT", "17x700xT")
_PAIRS = ("3x4xT, 3x4xT", "3x4xT, 4xT", "3x1xT, 4xT", "1x4xT, 4xT", "70x300xT, 70x300xT", "0x4xT, 4xT")
_PAIR_RESULTS = ("3x4x", "3x4x", "3x4x", "1x4x", "70x300x", "0x4x")


def _unary(*names: str) -> list[str]:
    return [f"{name}({shape}) -> {shape}" for name in names for shape in _ELEMENTWISE]


def _binary(result: str, *names: str) -> list[str]:
    pairs = list(zip(_PAIRS, _PAIR_RESULTS, strict=True))
    return [f"{name}({pair}) -> {made}{result}" for name in names for pair, made in pairs]


def _segments(*sizes: int, more: str = "") -> str:
    """Attributes of an op with optional operands."""
    return f"{{{more}operandSegmentSizes = array<i32: {', '.join(map(str, sizes))}>}}"


def _halves(*layers: str) -> str:
    """The weights of layers, the same sizes in both directions."""
    return ", ".join(f"{layer}, {layer}" for layer in layers if layer)


GOOD: list[tuple[tuple[str, ...], list[str]]] = [
    (FLOATS, _unary("sigmoid", "tanh", "gelu", "silu", "exp", "sqrt", "leaky_relu", "elu")),
    (
        FLOATS,
        [
            'gelu(2x3xT) {approximate = "none"} -> 2x3xT',
            'gelu(2x3xT) {approximate = "tanh"} -> 2x3xT',
            "leaky_relu(2x3xT) {alpha = 0.3 : f32} -> 2x3xT",
            "elu(2x3xT) {alpha = 2 : i64} -> 2x3xT",
            "softmax(3x5xT) -> 3x5xT",
            *(f"softmax(2x300x7xT) {{axis = {a} : i64}} -> 2x300x7xT" for a in (-1, 0, 1)),
            *(f"log_softmax(2x300x7xT) {{axis = {a} : i64}} -> 2x300x7xT" for a in (-1, 0, 1)),
            "softmax(0x3xT) -> 0x3xT",
            "softmax(9000x2xT) {axis = 0 : i64} -> 9000x2xT",
            "log_softmax(5xT) -> 5xT",
            "layer_norm(3x5xT, 5xT, 5xT) -> 3x5xT",
            "layer_norm(3x5xT, 5xT) {epsilon = 1.0e-3 : f32} -> 3x5xT",
            "layer_norm(2x3x4xT, 3x4xT, 3x4xT) {axis = 1 : i64} -> 2x3x4xT, 2x1x1xT, 2x1x1xT",
            "layer_norm(600x64xT, 64xT, 64xT) -> 600x64xT, 600x1xT, 600x1xT",
            "batch_norm(4x3xT, 3xT, 3xT, 3xT, 3xT) -> 4x3xT",
            "batch_norm(2x3x5x7xT, 3xT, 3xT, 3xT, 3xT) {epsilon = 1.0e-3 : f32} -> 2x3x5x7xT",
            "reduce_mean(3x4x5xT) {axes = array<i64: 1>} -> 3x5xT",
            "reduce_mean(3x4x5xT) -> T",
            "gru_weight_h_to_gates(3x9xT) -> 3x3x3xT",
            "gru_weight_scale(4x9xT) -> 1x9xf32",
            "gru_weight_scale(3x3x3xT) -> 1x9xf32",
            "gru_weight_scale(0x9xT) -> 1x9xf32",
            "quantize_weights(4x9xT, 1x9xf32) -> 4x9xi8",
            "quantize_weights(3x3x3xT, 1x9xf32) -> 3x3x3xi8",
            "gru_weight_h_to_gates(0x0xT) -> 0x3x0xT",
            'negate_gate(4x9xT) {gate = "update"} -> 4x9xT',
            'negate_gate(4x3x5xT) {gate = "reset"} -> 4x3x5xT',
            'negate_gate(1x9xT) {gate = "candidate"} -> 1x9xT',
            "reduce_mean(3x4x5xT) {keepdims = 1 : i64} -> 1x1x1xT",
        ],
    ),
    (NUMBERS, _unary("relu", "abs", "neg", "clip", "scale")),
    (ANY, _binary("T", "less", "less_or_equal", "greater", "greater_or_equal", "equal")),
    (NUMBERS, _binary("T", "add", "sub", "mul", "div", "pow", "maximum", "minimum")),
    (ANY, _binary("i1", "less", "less_or_equal", "greater", "greater_or_equal", "equal")),
    (
        NUMBERS,
        [
            "clip(2x3xT) {min = 0 : i64} -> 2x3xT",
            "clip(2x3xT) {max = 1 : i64, min = -1 : i64} -> 2x3xT",
            "scale(2x3xT) {bias = 3 : i64, bias_after_scale = false, scale = 2.0 : f32} -> 2x3xT",
            "scale(2x3xT) {bias = 3 : i64, scale = 2.0 : f32} -> 2x3xT",
            *(f"sum({', '.join(['3x4xT'] * n)}) -> 3x4xT" for n in (1, 2, 3, 5)),
            "addcmul(3x4xT, 4xT, 3x1xT) {value = 2 : i64} -> 3x4xT",
            "addcmul(70x300xT, 70x300xT, 70x300xT) -> 70x300xT",
            "relu_grad(3x4xT, 3x4xT) -> 3x4xT",
            "matmul(3x4xT, 4x5xT) -> 3x5xT",
            "matmul(2x1x3x4xT, 6x4x5xT) -> 2x6x3x5xT",
            "matmul(4xT, 4x5xT) -> 5xT",
            "matmul(3x4xT, 4xT) -> 3xT",
            "matmul(4xT, 4xT) -> T",
            "matmul(3x0xT, 0x5xT) -> 3x5xT",
            "gemm(3x4xT, 4x5xT) -> 3x5xT",
            "gemm(3x4xT, 4x5xT, 3x5xT) {alpha = 2 : i64, beta = 3 : i64} -> 3x5xT",
            "gemm(4x3xT, 5x4xT, 5xT) {transA = 1 : i64, transB = 1 : i64} -> 3x5xT",
            "gemm(900x4xT, 4x50xT, 900x50xT) -> 900x50xT",
            "reduce_sum(3x4x5xT) {axes = array<i64: -2>} -> 3x5xT",
            "reduce_sum(3x4x5xT) {axes = array<i64: 0, 2>, keepdims = true} -> 1x4x1xT",
            *(
                f"cumsum(3x4x5xT) {{axis = {a} : i64, exclusive = {e} : i64, reverse = {r} : i64}} -> 3x4x5xT"
                for a in (0, 1, -1)
                for e in (0, 1)
                for r in (0, 1)
            ),
            "cumsum(7xT) -> 7xT",
            "top_k(3x5xT) {k = 2 : i64} -> 3x2xT, 3x2xi64",
            "top_k(3x5xT) {axis = 0 : i64, k = 2 : i64, largest = 0 : i64} -> 2x5xT, 2x5xi64",
        ],
    ),
    (
        ANY,
        [
            "where(3x4xi1, 3x4xT, 3x4xT) -> 3x4xT",
            "where(4xi1, 3x1xT, T) -> 3x4xT",
            "masked_fill(3x4xT, 4xi1) {value = 1 : i64} -> 3x4xT",
            "fill(3x4xT) {value = 1 : i64} -> 3x4xT",
            "zeros() -> 3x4xT",
            "ones(3x4xT) -> 12xT",
            *(f"cast(3x4xT) -> 3x4x{to}" for to in ANY),
            "gather(5x4xT, 2x3xi64) -> 2x3x4xT",
            "gather(4x5xT, 2x3xi32) {axis = -1 : i64} -> 4x2x3xT",
            "gather(5x4xT, i64) -> 4xT",
            "reshape(2x3xT) -> 6xT",
            "reshape(2x3x4xT) {shape = array<i64: 0, -1>} -> 2x12xT",
            "reshape(T) -> 1x1xT",
            "reshape(0x3xT) -> 3x0xT",
            *(f"flatten(2x3x4xT) {{axis = {a} : i64}} -> {s}xT" for a, s in ((0, "1x24"), (-1, "6x4"), (3, "24x1"))),
            "identity(2x3xT) -> 2x3xT",
            "multiout(2x3xT) -> 2x3xT, 2x3xT, 2x3xT",
            "expand(3x1xT) -> 2x3x4xT",
            "expand(1x4xT) -> 1x4xT",
            "transpose(2x3x4xT) -> 4x3x2xT",
            "transpose(2x3x4xT) {perm = array<i64: 0, 2, 1>} -> 2x4x3xT",
            "slice(3x5xT) {dim = 1 : i64, end = 9223372036854775807 : i64, start = -2 : i64} -> 3x2xT",
            "slice(3x5xT) {dim = -1 : i64, end = -1 : i64, step = 2 : i64} -> 3x2xT",
            "slice(3x5xT) {end = -100 : i64, start = 2 : i64} -> 0x5xT",
            "select(3x5xT) {index = -1 : i64} -> 5xT",
            "diagonal(3x5xT) -> 3xT",
            "diagonal(3x5xT) {offset = -2 : i64} -> 1xT",
            "diagonal(3x5xT) {offset = 9 : i64} -> 0xT",
            "diagonal(3x2x5xT) {dim1 = -1 : i64, dim2 = 0 : i64} -> 2x3xT",
            "as_strided(4x4xT) {size = array<i64: 2, 2>, storage_offset = 2 : i64, stride = array<i64: 4, 1>} -> 2x2xT",
            "split(5x2xT) {split_size = 2 : i64} -> 2x2xT, 2x2xT, 1x2xT",
            "split(2x5xT) {axis = -1 : i64, split = array<i64: 4, 1>} -> 2x4xT, 2x1xT",
            "split(5x2xT) {num_outputs = 2 : i64} -> 3x2xT, 2x2xT",
            "unbind(2x3xT) {axis = 1 : i64} -> 2xT, 2xT, 2xT",
            "slice_scatter(3x5xT, 3x2xT) {dim = 1 : i64, end = 4 : i64, step = 2 : i64} -> 3x5xT",
            "select_scatter(3x5xT, 3xT) {dim = 1 : i64, index = 2 : i64} -> 3x5xT",
            "diagonal_scatter(3x5xT, 2xT) {offset = 3 : i64} -> 3x5xT",
            "as_strided_scatter(4x4xT, 2x2xT) {size = array<i64: 2, 2>, stride = array<i64: 5, 1>} -> 4x4xT",
            "concat(2x3xT, 2x1xT, 2x0xT) {axis = -1 : i64} -> 2x4xT",
            "stack(2x3xT, 2x3xT) {axis = -1 : i64} -> 2x3x2xT",
            "pad(2x3xT) {pads = array<i64: 1, 0, 0, 3>, value = 1 : i64} -> 3x6xT",
            *(
                f'lod_to_tnc(7x2xT, 4xi64) {{is_reverse = {reverse}, layout = "{layout}"}} -> {shape}x2xT'
                for reverse in ("false", "true")
                for layout, shape in (("tnc", "4x3"), ("ntc", "3x4"))
            ),
            *(
                f'tnc_to_lod({shape}x2xT, 4xi64) {{is_reverse = {reverse}, layout = "{layout}"}} -> 7x2xT'
                for reverse in ("false", "true")
                for layout, shape in (("tnc", "4x3"), ("ntc", "3x4"))
            ),
            "tnc_to_lod(4x3x2xT, 4xi64, 7x1xi64) -> 7x2xT",
            "copy(2x3xT) -> 2x3xT",
            "copy_into(2x3xT, 2x3xT) -> 2x3xT",
        ],
    ),
    (
        ("f32", "f64"),
        [
            f"gru(7x9xT, 3x9xT, 4xi64) {_segments(1, 1, 0, 0, 1)} -> 7x3xT",
            f"fused_gru(7x4xT, 4x9xT, 3x9xT, 4xi64) {_segments(1, 1, 1, 0, 0, 1)} -> 7x3xT",
            f"fused_gru(7x4xT, 4x9xT, 3x3x3xT, 1x9xT, 3x3xT, 4xi64) {_segments(1, 1, 1, 1, 1, 1)} -> 7x3xT",
            f"fused_gru(0x4xT, 4x9xT, 3x3x3xT, 1xi64) {_segments(1, 1, 1, 0, 0, 1)} -> 0x3xT",
            *(
                f"multi_gru(7x4xT, {_halves('4x9xT, 3x9xT, 1x9xT', again)}, 4xi64) "
                f'{{layers = {layers} : i64, mode = "{mode}", origin_mode = {origin}}} -> 7x{width}xT'
                for mode, width, again, layers, origin in (
                    ("concat", 6, "", 1, "false"),
                    ("sum", 3, "", 1, "true"),
                    ("concat", 4, "6x6xT, 2x3x2xT, 1x6xT", 2, "false"),
                    ("sum", 5, "3x15xT, 5x15xT, 1x15xT", 2, "false"),
                )
            ),
            "multi_gru(7x4xT, 4x9xT, 3x3x3xT, 1x9xT, 4x9xT, 3x9xT, 1x9xT, 3x3xT, 3x3xT, 4xi64) "
            '{mode = "concat"} -> 7x6xT',
            "crf_decoding(7x3xT, 5x3xT, 4xi64) -> 7x1xi64",
            f"onnx_gru(5x2x4xT, 1x9x4xT, 1x9x3xT) {_segments(1, 1, 1, 0, 0, 0)} -> 5x1x2x3xT, 1x2x3xT",
            *(
                f"onnx_gru({x}x4xT, 2x9x4xT, 2x9x3xT, 2x18xT, 2xi32, {h}xT) "
                f"{_segments(1, 1, 1, 1, 1, 1, more=more)} -> {y}xT, {h}xT"
                for x, y, h, more in (
                    ("5x2", "5x2x2x3", "2x2x3", 'direction = "bidirectional", linear_before_reset = 1 : i64, '),
                    ("2x5", "2x5x2x3", "2x2x3", 'direction = "bidirectional", layout = 1 : i64, clip = 0.5 : f32, '),
                )
            ),
            f"onnx_lstm(5x2x4xT, 1x12x4xT, 1x12x3xT) {_segments(1, 1, 1, 0, 0, 0, 0, 0)} "
            "-> 5x1x2x3xT, 1x2x3xT, 1x2x3xT",
            f"onnx_lstm(2x5x4xT, 1x12x4xT, 1x12x3xT, 1x24xT, 2xi64, 2x1x3xT, 2x1x3xT, 1x9xT) "
            f"{_segments(1, 1, 1, 1, 1, 1, 1, 1, more='layout = 1 : i64, input_forget = 1 : i64, ')} "
            "-> 2x5x1x3xT, 2x1x3xT, 2x1x3xT",
        ],
    ),
    (
        ("f32",),
        [
            "div(4xi64, i64) -> 4xf32",
            "zero_bias() -> 1x9xf32",
            f"quantized_gru(7x4xf32, {_INT8}, 4xi64) {{{_data(1)}, reverse = [true]}} -> 7x3xf32",
            f"quantized_gru(7x4xf32, {_BF16}, {_BF16}, 3x3xf32, 3x3xf32, 4xi64) "
            '{mode = "sum", reverse = [false, true]} -> 7x3xf32',
            f"quantized_gru(7x4xf32, {_INT8}, {_INT8}, {_INT8.replace('4x9', '6x9')}, {_INT8.replace('4x9', '6x9')}, "
            f'4xi64) {{{_data(2)}, layers = 2 : i64, mode = "concat", reverse = [true, false]}} -> 7x6xf32',
            "pow(4xf32, 4xi64) -> 4xf32",
            "constant() {value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>} -> 1x2xf32",
            "constant() {value = dense<[true, false]> : tensor<2xi1>} -> 2xi1",
            "constant() {value = dense<1.5> : tensor<2xbf16>} -> 2xbf16",
        ],
    ),
]

LINES = [with_dtype(line, dtype) for dtypes, lines in GOOD for line in lines for dtype in dtypes]

BAD = [
    Bad("relu(3xf32) -> 4xf32", "its operands make it tensor<3xf32>"),
    Bad("relu(3xf32) {alpha = 1 : i64} -> 3xf32", "has no attribute 'alpha'"),
    Bad("relu(3xi1) -> 3xi1", "must be numbers"),
    Bad('relu(3xf32) {dnn.engine = "gpu"} -> 3xf32', "dnn.engine must be"),
    Bad('neg(3xf32) {dnn.engine = "onednn"} -> 3xf32', "does not run on engine onednn"),
    Bad("exp(3xi64) -> 3xi64", "floating-point"),
    Bad('gelu(3xf32) {approximate = "fast"} -> 3xf32', "approximate must be"),
    Bad("clip(3xi32) {min = 0.5 : f32} -> 3xi32", "0.5 is no value of element type i32"),
    Bad("clip(3xi32) {min = 4294967296 : i64} -> 3xi32", "no value of element type i32"),
    Bad("scale(3xi32) {scale = 0.5 : f32} -> 3xi32", "0.5 is no value"),
    Bad("add(3xf32, 4xf32) -> 3xf32", "sizes 3 and 4 do not broadcast"),
    Bad("add(3xf32, 3xf64) -> 3xf32", "element types f32 and f64"),
    Bad("less(3xf32, 3xf32) -> 3xi64", "make it tensor<3xi1>"),
    Bad("sum(3xf32, 1xf32) -> 3xf32", "sizes 3 and 1 differ"),
    Bad("sum() -> 3xf32", "at least one operand"),
    Bad("where(3xf32, 3xf32, 3xf32) -> 3xf32", "must have element type i1"),
    Bad("masked_fill(3xf32, 2x3xi1) {value = 0 : i64} -> 2x3xf32", "more axes than x"),
    Bad("masked_fill(1x3xf32, 2x3xi1) {value = 0 : i64} -> 2x3xf32", "sizes 1 and 2 differ"),
    Bad("fill(3xi64) {value = 1.5 : f32} -> 3xi64", "1.5 is no value"),
    Bad("constant() {value = dense<1.0> : tensor<3xf32>} -> 2xf32", "the value has type"),
    Bad("softmax(3xf32) {axis = 1 : i64} -> 3xf32", "axis 1 is outside"),
    Bad("layer_norm(2x3xf32, 2xf32, 3xf32) -> 2x3xf32", "x and scale: sizes 3 and 2 differ"),
    Bad("layer_norm(2x3xf32, 3xf32, 3xf32) -> 2x3xf32, 2x1xf32", "one result or three"),
    Bad("batch_norm(2x3xf32, 2xf32, 3xf32, 3xf32, 3xf32) -> 2x3xf32", "channels of x and scale"),
    Bad("batch_norm(2xf32, 2xf32, 2xf32, 2xf32, 2xf32) -> 2xf32", "2 axes or more"),
    Bad("matmul(2x3xf32, 4x3xf32) -> 2x3xf32", "the summed axes: sizes 3 and 4 differ"),
    Bad("matmul(f32, 3xf32) -> 3xf32", "one axis or more"),
    Bad("gemm(2x3xf32, 3x4xf32, 3x4xf32) -> 2x4xf32", "C and the product"),
    Bad("gemm(2x3xf32, 3xf32) -> 2xf32", "must have 2 axes"),
    Bad("reduce_sum(2x3xf32) {axes = array<i64: 0, -2>} -> 3xf32", "name one twice"),
    Bad("reduce_sum(2x3xf32) {axes = array<f32: 0.0>} -> 3xf32", "array of integers"),
    Bad("gather(2x3xf32, 2xf32) -> 2x3xf32", "indices must have element type"),
    Bad("top_k(3xf32) {k = 4 : i64} -> 4xf32, 4xi64", "k = 4 does not fit"),
    Bad("reshape(6xf32) -> 4xf32", "6 elements do not fill"),
    Bad("reshape(6xf32) {shape = array<i64: -1, -1>} -> 6x1xf32", "-1 at most once"),
    Bad("reshape(6xf32) {shape = array<i64: 4, -1>} -> 4x1xf32", "cannot be cut"),
    Bad("expand(3xf32) -> 4xf32", "size 3 does not expand to 4"),
    Bad("expand(2x3xf32) -> 3xf32", "2 axes do not expand to 1"),
    Bad("transpose(2x3xf32) {perm = array<i64: 0, 0>} -> 2x2xf32", "is no order of 2 axes"),
    Bad("slice(3xf32) {step = 0 : i64} -> 3xf32", "step must be 1 or more"),
    Bad("select(3xf32) {index = 3 : i64} -> f32", "index 3 is outside"),
    Bad("diagonal(3xf32) -> f32", "dim2 1 is outside"),
    Bad("diagonal(3x3xf32) {dim2 = 0 : i64} -> 3xf32", "both axis 0"),
    Bad("as_strided(3xf32) {size = array<i64: 4>, stride = array<i64: 1>} -> 4xf32", "element 3 is outside"),
    Bad("as_strided(3xf32) {size = array<i64: 2>, stride = array<i64: -1>} -> 2xf32", "must not be negative"),
    Bad("as_strided(3xf32) {size = array<i64: 2>, stride = array<i64>} -> 2xf32", "size has 1 numbers"),
    Bad("as_strided_scatter(3xf32, 4xf32) {size = array<i64: 4>, stride = array<i64: 0>} -> 3xf32", "overlap"),
    Bad("split(5xf32) {split_size = 2 : i64} -> 2xf32, 2xf32", "does not make 2 results"),
    Bad("split(5xf32) -> 5xf32", "needs one of"),
    Bad("split(5xf32) {split = array<i64: 2, 2>} -> 2xf32, 2xf32", "does not fill"),
    Bad("unbind(3xf32) -> f32, f32", "does not make 2 results"),
    Bad("multiout(3xf32) -> ", "at least one result"),
    Bad("concat(2x3xf32, 2xf32) -> 2x4xf32", "different numbers of axes"),
    Bad("concat(2x3xf32, 2x4xf32) -> 4x3xf32", "axis 1: sizes 3 and 4 differ"),
    Bad("stack(3xf32, 4xf32) -> 2x3xf32", "sizes 3 and 4 differ"),
    Bad("pad(3xf32) {pads = array<i64: 1>} -> 4xf32", "pads must be 2 numbers"),
    Bad("pad(3xf32) {pads = array<i64: 1, -1>} -> 3xf32", "none negative"),
    Bad("copy_into(3xf32, 4xf32) -> 3xf32", "dst and src: sizes 3 and 4 differ"),
    Bad("select_scatter(3xf32, 3xf32) {index = 0 : i64} -> 3xf32", "0 and 1 axes"),
    Bad("relu_grad(3xf32, 4xf32) -> 3xf32", "sizes 3 and 4 differ"),
    Bad("gru_weight_h_to_gates(3x8xf32) -> 3x3x3xf32", "last axis of weight_h is 8, it must be 9"),
    Bad("gru_weight_h_to_gates(3x3x3xf32) -> 3x3x3xf32", "weight_h has 3 axes"),
    Bad("gru_weight_h_to_gates(3x9xi64) -> 3x3x3xi64", "floating-point"),
    Bad("gru_weight_scale(3x2x3xf32) -> 1x9xf32", "middle axis of x is 2, it must be 3"),
    Bad("gru_weight_scale(9xf32) -> 1x9xf32", "x has 1 axes"),
    Bad("gru_weight_scale(3x9xi8) -> 1x9xf32", "floating-point"),
    Bad("quantize_weights(3x9xf32, 1x6xf32) -> 3x9xi8", "last axis of scale is 6, it must be 9"),
    Bad("quantize_weights(3x9xf32, 2x9xf32) -> 3x9xi8", "first axis of scale is 2"),
    Bad("quantize_weights(3x9xf32, 1x9xf64) -> 3x9xi8", "scale has element type f64"),
    *(
        Bad(f"quantized_gru({types}, 4xi64) {{{more}}} -> 7x3xf32", reason)
        for types, more, reason in (
            (f"7x4xf32, {_INT8}", "reverse = [true]", "must have 2 numbers, two a layer of i8"),
            (f"7x4xf32, {_BF16}", f"{_data(1)}, reverse = [true]", "must have 0 numbers"),
            (f"7x4xf32, {_INT8}", f"{_data(1).replace('9.0', '0.0')}, reverse = [true]", "data_scale must be above 0"),
            (f"7x4xf32, {_BF16}", "reverse = []", "1 layers of 0 directions take"),
            (f"7x4xf32, {_BF16}", "reverse = [true, false]", "1 layers of 2 directions take 6 weights"),
            (f"7x4xf32, {_BF16}", 'mode = "mean", reverse = [true]', "mode is 'mean'"),
            (f"7x4xf64, {_BF16}", "reverse = [true]", "x has element type f64"),
            ("7x4xf32, 4x9xf32, 3x3x3xf32, 1x9xf32", "reverse = [true]", "weights must be bf16 or i8"),
            ("7x4xf32, 4x9xbf16, 3x3x3xi8, 1x9xf32", "reverse = [true]", "type i8, it must be bf16"),
            ("7x4xf32, 4x9xbf16, 3x9xbf16, 1x9xf32", "reverse = [true]", "weight_h of layer 0 has 2 axes"),
            ("7x4xf32, 5x9xbf16, 3x3x3xbf16, 1x9xf32", "reverse = [true]", "first axis of weight_x of layer 0 is 5"),
            ("7x4xf32, 4x9xbf16, 3x3x3xbf16, 1x9xbf16", "reverse = [true]", "bias of layer 0 has element type bf16"),
            (f"7x4xf32, {_INT8[:-5]}6xf32", f"{_data(1)}, reverse = [true]", "a scale of layer 0 is 6"),
        )
    ),
    Bad('negate_gate(3x9xf32) {gate = "output"} -> 3x9xf32', "gate is 'output', it must be one of update, reset"),
    Bad('negate_gate(3x8xf32) {gate = "reset"} -> 3x8xf32', "must hold three gates"),
    Bad('negate_gate(3x4x5xf32) {gate = "reset"} -> 3x4x5xf32', "middle axis of x is 4, it must be 3"),
    Bad('negate_gate(9xf32) {gate = "reset"} -> 9xf32', "x has 1 axes"),
    Bad("zero_bias() -> 9xf32", "the bias has 1 axes"),
    Bad("zero_bias() -> 2x9xf32", "first axis of the bias is 2"),
    Bad("zero_bias() -> 1x8xf32", "must hold three gates"),
    Bad("zero_bias() -> 1x9xbf16", "element type bf16, it must be f32"),
    Bad('lod_to_tnc(7x2xf32, 4xi64) {layout = "cnt"} -> 4x3x2xf32', "layout is 'cnt'"),
    Bad("lod_to_tnc(7x2xf32, 4xi64) -> 4x4x2xf32", "its operands make it tensor<4x3x2xf32>"),
    Bad("lod_to_tnc(7x2xf32, 4xi32) -> 4x3x2xf32", "offsets have element type i32"),
    Bad("lod_to_tnc(7xf32, 4xi64) -> 4x3xf32", "x has 1 axes"),
    Bad("tnc_to_lod(4x3x2xf32, 5xi64) -> 7x2xf32", "axis of sequences of x is 3, it must be 4"),
    Bad("tnc_to_lod(4x3x2xf32, 4xi64, 6x2xf32) -> 7x2xf32", "its operands make it tensor<6x2xf32>"),
    Bad("tnc_to_lod(4x3x2xf32, 4xi64, f32) -> 7x2xf32", "rows has no axes"),
    *(
        Bad(f"onnx_gru(5x2x4xf32, {types}) {_segments(1, 1, 1, *there, more=more)} -> 5x1x2x3xf32, 1x2x3xf32", reason)
        for types, there, more, reason in (
            ("1x9x5xf32, 1x9x3xf32", (0, 0, 0), "", "axis 2 of w is 5, it must be 4"),
            ("1x8x4xf32, 1x9x3xf32", (0, 0, 0), "", "axis 1 of w is 8, it must be 9"),
            ("1x9x4xf32, 2x9x3xf32", (0, 0, 0), "", "axis 0 of r is 2, it must be 1"),
            ("1x9x4xf32, 1x9x3xf32, 1x9xf32", (1, 0, 0), "", "axis 1 of b is 9, it must be 18"),
            ("1x9x4xf32, 1x9x3xf32, 3xi32", (0, 1, 0), "", "axis 0 of sequence_lens is 3, it must be 2"),
            ("1x9x4xf32, 1x9x3xf32, 2xf32", (0, 1, 0), "", "sequence_lens has element type f32"),
            ("1x9x4xf32, 1x9x3xf32, 2x1x3xf32", (0, 0, 1), "", "axis 0 of initial_h is 2, it must be 1"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), 'direction = "both", ', "direction is 'both'"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), "layout = 2 : i64, ", "layout is 2"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), "hidden_size = 4 : i64, ", "hidden_size is 4, it must be 3"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), 'activations = ["Sigmoid"], ', "1 activations, 2 are needed"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), 'activations = ["Elu", "Tanh"], ', "activation 'Elu' is not known"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), "activation_alpha = 1 : i64, ", "has no attribute 'activation_alpha'"),
        )
    ),
    *(
        Bad(f'multi_gru({types}, 3xi64) {{mode = "{mode}"}} -> 7x6xf32', reason)
        for types, mode, reason in (
            (
                "7x4xf32, 4x9xf32, 3x9xf32, 1x9xf32",
                "concat",
                "1 layers take 6 weights, or with",
            ),
            (f"7x4xf32, {_halves('4x9xf32, 3x9xf32, 1x9xf32')}", "mean", "mode is 'mean'"),
            (
                f"7x4xf32, {_halves('5x9xf32, 3x9xf32, 1x9xf32')}",
                "sum",
                "weight_x of layer 0 forward is 5",
            ),
            (f"7x4xf32, {_halves('4x9xf32, 3x9xf32, 1x6xf32')}", "sum", "last axis of bias of layer 0 forward is 6"),
            (f"7x4xf32, {_halves('4x9xf32, 3x9xf32, 1x9xf32')}, 2x3xf32, 3x3xf32", "sum", "h0 of layer 0 reverse is 3"),
            (
                "7x4xf32, 4x9xf32, 3x9xf32, 1x9xf32, 4x6xf32, 2x6xf32, 1x6xf32",
                "concat",
                "the directions of layer 0 have 3 and 2 channels",
            ),
        )
    ),
    *(
        Bad(f"fused_gru({types}, 3xi64) {_segments(1, 1, 1, *optional, 1)} -> 7x3xf32", reason)
        for types, optional, reason in (
            ("7x4xf32, 5x9xf32, 3x9xf32", (0, 0), "first axis of weight_x is 5, it must be 4"),
            ("7x4xf32, 4x6xf32, 3x9xf32", (0, 0), "last axis of weight_x is 6, it must be 9"),
            ("7x4xf32, 4x9xf64, 3x9xf32", (0, 0), "weight_x has element type f64"),
            ("7xf32, 4x9xf32, 3x9xf32", (0, 0), "x has 1 axes"),
            ("7x4xi64, 4x9xf32, 3x9xf32", (0, 0), "x has element type i64"),
            ("7x4xf32, 4x9xf32, 3x2x3xf32", (0, 0), "middle axis of weight_h is 2, it must be 3"),
            ("7x4xf32, 4x9xf32, 3x3x4xf32", (0, 0), "last axis of weight_h is 4, it must be 3"),
            ("7x4xf32, 4x9xf32, 9xf32", (0, 0), "weight_h has 1 axes"),
            ("7x4xf32, 4x9xf32, 3x9xf32, 1x6xf32", (1, 0), "last axis of bias is 6"),
            ("7x4xf32, 4x9xf32, 3x9xf32, 5x3xf32", (0, 1), "first axis of h0 is 5, it must be 2"),
        )
    ),
]

NAMES = sorted(name.removeprefix("dnn.") for name in OPERATIONS)
