"""Ops from lines such as `relu(3xf32) -> 3xf32`, and the data to run them on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, Builtin, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import Func, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser

from lastuse.dialect.dnn import Dnn
from lastuse.dialect.dnn.attributes import integer, integers
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.example import operand_names
from lastuse.dialect.dnn.packed_columns import PACKED, StatesPackedBase
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.storage.attrs import NAME
from lastuse.dialect.storage.contract import ENGINE, contract_of

FLOATS = ("f32", "f64", "f16", "bf16")
NUMBERS = ("f32", "f64", "i64", "i32")
ANY = (*NUMBERS, "i1")


class Bad(NamedTuple):
    """A line that must be refused, and words of the reason."""

    line: str
    reason: str


def tensor(text: str) -> str:
    """`2x3xf32` as a tensor type."""
    return f"tensor<{text}>"


class _Spelling(NamedTuple):
    """The parts of a line."""

    op: type[Operation]
    operands: Sequence[Attribute]
    attributes: Mapping[str, Attribute]
    results: Sequence[Attribute]

    def on(self, operands: Sequence[SSAValue], **more: Attribute) -> Operation:
        """The op on operands, with more attributes."""
        attributes = {**self.attributes, **more}
        return self.op.create(operands=operands, result_types=self.results, attributes=attributes)


def _spelling(line: str) -> _Spelling:
    match = re.fullmatch(r"(\w+)\(([^)]*)\) *(\{.*\})? *-> *(.*)", line)
    assert match, line
    name, given, attributes, made = match.groups()
    operands, results = ([_type(t) for t in re.split(", *", part) if t] for part in (given, made))
    return _Spelling(_context().get_op(f"dnn.{name}"), operands, _attributes(attributes or "{}"), results)


@cache
def _type(text: str) -> Attribute:
    return Parser(_context(), tensor(text)).parse_type()


@cache
def _attributes(text: str) -> Mapping[str, Attribute]:
    return Parser(_context(), text).parse_optional_attr_dict()


@cache
def _context() -> Context:
    context = Context()
    for dialect in (Builtin, Func, Dnn):
        context.load_dialect(dialect)
    return context


def build(line: str, verify: bool = True) -> DnnOp:
    """The op of a line `name(2x3xf32, 3xf32) {axis = 0 : i64} -> 2x3xf32`, in a function of its own."""
    spelling = _spelling(line)
    block = Block(arg_types=spelling.operands)
    op = spelling.on(block.args)
    assert isinstance(op, DnnOp)
    block.add_ops([op, ReturnOp()])
    ModuleOp([FuncOp("f", (spelling.operands, []), Region(block), "private")])
    if verify:
        op.verify()
    return op


def module(lines: Sequence[str], engine: str) -> ModuleOp:
    """The ops of `lines` side by side in `main`, for one engine: operands are inputs `x0`, `x1` …, results `y0` …."""
    spellings = [_spelling(line) for line in lines]
    block = Block(arg_types=[type_ for spelling in spellings for type_ in spelling.operands])
    operands = iter(block.args)
    pinned = {ENGINE: StringAttr(engine)}
    ops = [spelling.on(list(islice(operands, len(spelling.operands))), **pinned) for spelling in spellings]
    results = [result for op in ops for result in op.results]
    block.add_ops([*ops, ReturnOp(*results)])
    types = [value.type for value in block.args], [result.type for result in results]
    names = [_numbered(letter, len(values)) for letter, values in zip("xy", types, strict=True)]
    return ModuleOp([FuncOp("main", types, Region(block), arg_attrs=names[0], res_attrs=names[1])])


def _numbered(letter: str, count: int) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr({NAME: StringAttr(f"{letter}{k}")}) for k in range(count)])


def named(line: str) -> str:
    """The name of a line's op."""
    return line.split("(")[0]


def with_dtype(line: str, dtype: str) -> str:
    """The line with `T` for an element type replaced."""
    return re.sub(r"\bT\b|(?<=x)T\b", dtype, line)


def operands_for(op: DnnOp, seed: int = 0) -> list[Array]:
    """Random arrays of the operands' types; indices stay within their axis, exponents and variances above 0,
    powers of decays below 1, factors of long products near 1."""
    rng = np.random.default_rng(seed)
    arrays, names = list[Array](), operand_names(op)
    for index in range(len(op.operands)):
        type_ = op.operand_type(index)
        shape = [d for d in type_.shape if isinstance(d, int)]
        dtype = numpy_dtype(type_.dtype)
        positive = (
            op.name in ("dnn.pow", "dnn.sqrt", "dnn.batch_norm", "dnn.reduce_log_sum") or names[index] == "variance"
        )
        positive |= names[index] in ("second_moment", "step")
        if dtype.kind == "b":
            array = rng.integers(0, 2, shape)
        elif isinstance(op, StatesPackedBase) and PACKED in op.attributes and index == op.weights_number():
            array = op.packed_weights(rng.integers(-9, 10, integers(op.attributes[PACKED])).astype(dtype))
        elif op.name == "dnn.max_unpool" and index == 1:
            array = rng.permutation(int(np.prod(shape))).reshape(shape)
        elif names[index] in ("indices", "write_indices") and op.name != "dnn.one_hot":
            size = _axis_size(op)
            array = rng.integers(-size if names[index] == "indices" else 0, size, shape)
        elif names[index] == "batch_indices":
            array = rng.integers(0, max(_axis_size(op), 1), shape)
        elif names[index] == "chosen":
            array = rng.integers(0, np.prod(integers(op.attributes["kernel_shape"])), shape)
        elif names[index] == "count":
            array = np.asarray(op.result_type().shape[0])
        elif names[index] == "labels" and dtype.kind in "iu":  # along the axis of the classes, the last one by default
            classes = [d for d in op.operand_type().shape if isinstance(d, int)]
            array = rng.integers(0, classes[integer(op.attributes.get("axis"), -1)], shape)
        elif names[index] == "sequence_lens":
            array = np.arange(shape[0]) if op.name == "dnn.reverse_sequence" else np.arange(1, shape[0] + 1) * 2
        elif names[index] == "offsets":
            ragged = op.result_type() if len(op.operand_type().shape) == 3 else op.operand_type()
            array = np.linspace(0, ragged.shape[0], shape[0]).astype(np.int64)
        elif names[index] in ("power1", "power2"):
            array = rng.uniform(0.1, 0.9, shape)
        elif dtype.kind in "iu":
            array = rng.integers(1 if positive else -9, 10, shape)
        else:
            normal = rng.normal(size=shape) * 3
            if op.name in ("dnn.reduce_prod", "dnn.cumprod"):  # many factors far from 1 overflow
                normal = np.copysign(1 + abs(normal) / 100, normal)
            array = abs(normal) + 0.1 if positive else normal
        arrays.append(np.asarray(array).astype(dtype))
    return arrays


def _axis_size(op: DnnOp) -> int:
    """The size that indices of the op stay below: of its axis, or of the smallest of several."""
    sizes = [d for d in op.operand_type().shape if isinstance(d, int)]
    if op.name in ("dnn.gather_nd", "dnn.scatter_nd"):
        return min(sizes)
    if op.name == "dnn.tensor_scatter":
        axis = integer(op.attributes.get("axis"), -2)
        return sizes[axis] - (op.operand_type(1).shape[axis] or 0) + 1
    return sizes[integer(op.attributes.get("axis"), 0)]


def empty(op: DnnOp) -> list[Array]:
    """Arrays for the results, full of ones: what an op does not write is seen."""
    types = [op.result_type(k) for k in range(len(op.results))]
    return [np.ones([d for d in t.shape if isinstance(d, int)], numpy_dtype(t.dtype)) for t in types]


def without_first(op: DnnOp) -> DnnOp:
    """The op without its first result, which may be left out."""
    types = [result.type for result in op.results[1:]]
    fewer = type(op).create(operands=op.operands, result_types=types, attributes=op.attributes)
    fewer.verify()
    return fewer


def run(op: DnnOp, operands: Sequence[Array], results: Sequence[Array]) -> None:
    """The op's kernel with scratch full of rubbish."""
    op.kernel(operands, results, np.full(contract_of(op).scratch, 0xA5, np.uint8))


def segments(*sizes: int, more: str = "") -> str:
    """Attributes of an op with optional operands."""
    return f"{{{more}operandSegmentSizes = array<i32: {', '.join(map(str, sizes))}>}}"


def halves(*layers: str) -> str:
    """The weights of layers, the same sizes in both directions."""
    return ", ".join(f"{layer}, {layer}" for layer in layers if layer)


def body(*ops: str) -> str:
    """The ops of a `dnn.map`, each as `add 0 1 f32`: its name, numbers of operands, and type; or `scale 0 f32 bias = 2
    : i64`, with attributes."""
    entries = list[str]()
    for op in ops:
        match = re.fullmatch(r"(\w+)((?: -?\d+)*) (\w+) ?(.*)", op)
        assert match, op
        more = f", {match[4]}" if match[4] else ""
        entries.append(
            f'{{op = "dnn.{match[1]}", operands = array<i64: {", ".join(match[2].split())}>, type = {match[3]}{more}}}'
        )
    return f"{{body = [{', '.join(entries)}]}}"


BF16 = "4x9xbf16, 3x3x3xbf16, 1x9xf32"
INT8 = "4x9xi8, 3x3x3xi8, 1x9xf32, 1x9xf32, 1x9xf32"
"""The weights of one direction of a quantized_gru."""


def data(layers: int) -> str:
    """`data_scale` and `data_shift` of so many layers."""
    scale, shift = (", ".join([text] * 2 * layers) for text in ("9.0", "128.0"))
    return f"data_scale = array<f32: {scale}>, data_shift = array<f32: {shift}>"
