"""
MatMulNBits and GatherBlockQuantized of onnxruntime's own domain: weights of few bits, whose blocks have scales.

Weights are packed for `dnn.blockwise_matmul` when the model is read, and have no form of more bits after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.blockwise_weights import packed_strips
from lastuse.dialect.dnn.quantized_weights import strips_of
from lastuse.frontends.onnx.attention import Steps
from lastuse.frontends.onnx.attention_ops import refuse
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import constant, finish, with_bias
from lastuse.frontends.onnx.declared_ops import REQUIRED, DeclaredOp

BITS = (2, 4, 8)
"""Bits that a weight may have. Those of 2 are kept in 4."""
LEAST_BLOCK = 16


def unpacked(packed: np.ndarray, bits: int) -> np.ndarray:
    """[..., bytes] as [..., numbers], each byte with 8 / bits numbers, the first one in its lowest bits."""
    parts = [packed >> shift & (1 << bits) - 1 for shift in range(0, 8, bits)]
    return np.stack(parts, -1).reshape(*packed.shape[:-1], -1)


def _check_blocks(node: GraphNode) -> tuple[int, int]:
    """The bits of a weight, and how many are in a block."""
    bits, block = node.attributes["bits"], node.attributes["block_size"]
    if bits not in BITS:
        raise ValueError(f"weights of {bits} bits are not supported")
    if block < LEAST_BLOCK or block & block - 1:
        raise ValueError(f"block_size is {block}, it must be a power of two, {LEAST_BLOCK} or more")
    return bits, block


def _numbers(b: OnnxBuilder, value: SSAValue, what: str, *shape: int) -> np.ndarray:
    """A constant under a shape; raises ValueError where it is none, or of another size."""
    array = b.array(value)
    if array is None:
        raise ValueError(f"{what} that the model computes are not supported")
    if array.size != prod(shape):
        raise ValueError(f"{what} have {array.size} elements, not {prod(shape)}")
    return array.reshape(shape)


def _matmul(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """x @ ((weights - zeros) * scales)^T + bias; the weights are [columns, blocks, bytes of a block]."""
    refuse(node, {4: "g_idx"}, {"weight_prepacked": "weights that are packed for another processor"})
    bits, block = _check_blocks(node)
    depth, columns = node.attributes["K"], node.attributes["N"]
    if depth < 1 or columns < 1:
        raise ValueError(f"weights of {depth} rows and {columns} columns are not supported")
    s, x, blocks = Steps(b, node), node.input(0), -(-depth // block)
    if b.dtype(node.input(1)) != "ui8":
        raise ValueError(f"weights have element type {b.dtype(node.input(1))}, not ui8")
    packed = _numbers(b, node.input(1), "weights", columns, blocks, block * bits // 8)
    scales = _numbers(b, node.input(2), "scales", columns, blocks)
    zeros = _zeros(b, node, bits, (columns, blocks))
    kept = max(bits, 4)
    weights = packed_strips(unpacked(packed.reshape(columns, -1), bits)[:, :depth].T, kept)
    operands = [
        s.floats(x),
        constant(b, node, weights, "weights"),
        constant(b, node, strips_of(scales.T.astype(np.float32)), "scales"),
        None if zeros is None else constant(b, node, strips_of(zeros.T), "zero points"),
    ]
    attributes = {"bits": kept, "block_size": block, "columns": columns}
    bias = node.optional(5)
    if b.dtype(x) == "f32" and bias is None:
        return b.op("blockwise_matmul", operands, node, attributes)
    made = b.op("blockwise_matmul", operands, node, attributes, step="product")
    if b.dtype(x) == "f32":
        return finish(b, node, "Add", made, bias)
    return with_bias(b, node, s.op("CastLike", made, x), bias)


def _zeros(b: OnnxBuilder, node: GraphNode, bits: int, shape: tuple[int, int]) -> np.ndarray | None:
    """Zero points [columns, blocks], ui8 or f32; None where they are those of `dnn.blockwise_matmul`."""
    columns, blocks = shape
    value = node.optional(3)
    if value is None:
        return None if bits >= 4 else np.full(shape, 1 << bits - 1, np.uint8)
    if b.dtype(value) != "ui8":
        return _numbers(b, value, "zero points", *shape).astype(np.float32)
    packed = _numbers(b, value, "zero points", columns, -(-blocks * bits // 8))
    return unpacked(packed, bits)[:, :blocks]


def _gather(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """Rows of a table [rows, bytes], and what their bits say times the scales [rows, blocks]."""
    bits, block = _check_blocks(node)
    data, indices, scales = (node.input(k) for k in range(3))
    if b.dtype(data) != "ui8":
        raise ValueError(f"a table of element type {b.dtype(data)} is not supported")
    s = Steps(b, node)
    s.check_rank(data, 2, "the table")
    if node.attributes["gather_axis"] not in (0, -2) or node.attributes["quantize_axis"] not in (1, -1):
        raise ValueError("only rows are gathered, whose blocks are within a row")
    width, blocks = s.shape(data)[1], s.shape(scales)[-1]
    if not isinstance(width, int) or not isinstance(blocks, int) or width * (8 // bits) != blocks * block:
        raise ValueError(f"rows of {width} bytes are not {blocks} blocks of {block}")

    def rows(table: SSAValue, count: int) -> SSAValue:
        """The first numbers of rows of bytes, f32, with an axis behind them."""
        taken = s.op("Gather", table, indices, axis=0)
        if bits < 8:
            ones, rank = s.number((1 << bits) - 1, taken), b.rank(taken)
            shifted = [
                s.op("BitShift", taken, s.number(shift, taken), direction="RIGHT") if shift else taken
                for shift in range(0, 8, bits)
            ]
            parts = [s.unsqueeze(s.op("BitwiseAnd", part, ones), rank) for part in shifted]
            taken = s.reshape(s.concat(parts, rank), [*[0] * (rank - 1), -1])
            taken = s.slice(taken, rank - 1, 0, count)
        return s.op("Cast", taken, to=TensorProto.FLOAT)

    rank = b.rank(indices)
    numbers = s.reshape(rows(data, blocks * block), [*[0] * rank, blocks, block])
    zeros = node.optional(3)
    behind = rank + 1
    zero = s.number(1 << bits - 1, numbers) if zeros is None else s.unsqueeze(rows(zeros, blocks), behind)
    factors = s.unsqueeze(s.floats(s.op("Gather", scales, indices, axis=0)), behind)
    made = s.op("Mul", s.op("Sub", numbers, zero), factors)
    sizes = s.integers([*[0] * rank, -1])
    if b.dtype(scales) == "f32":
        return finish(b, node, "Reshape", made, sizes, allowzero=0)
    return finish(b, node, "CastLike", s.op("Reshape", made, sizes, allowzero=0), scales)


_BLOCKS = {"bits": 4, "block_size": REQUIRED}
FEW_BITS_OPS: Mapping[str, DeclaredOp] = {
    "GatherBlockQuantized": DeclaredOp(
        _gather, (3, 4), {"bits": 4, "block_size": 128, "gather_axis": 0, "quantize_axis": 1}
    ),
    "MatMulNBits": DeclaredOp(
        _matmul, (3, 6), {**_BLOCKS, "K": REQUIRED, "N": REQUIRED, "accuracy_level": 0, "weight_prepacked": 0}
    ),
}
