"""EmbedLayerNormalization and QEmbedLayerNormalization of onnxruntime's own domain: sums of embeddings, normalised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.frontends.onnx.attention import Steps
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import finish
from lastuse.frontends.onnx.declared_ops import DeclaredOp


def _embedded(
    s: Steps,
    tables: Sequence[SSAValue | None],
    ids: Sequence[SSAValue | None],
    rows: Sequence[SSAValue],
    mask: SSAValue | None,
) -> Sequence[SSAValue]:
    """
    The results of a node: the normalised sum, how many words of the mask there are, and the sum.

    Args:
        tables, ids: of words, positions and segments; positions count from 0 if they have no ids.
        rows: what scales and shifts.
    """
    words, positions, segments = tables
    assert words is not None and ids[0] is not None
    s.check_rank(ids[0], 2, "the ids of words")
    total = s.op("Gather", words, ids[0], axis=0)
    if positions is not None:
        length = s.op("Shape", ids[0], start=1, end=2)
        at = ids[1]
        placed = s.slice(positions, 0, 0, length) if at is None else s.op("Gather", positions, at, axis=0)
        total = s.op("Add", total, placed)
    if segments is not None:
        if ids[2] is None:
            raise ValueError("the ids of segments are missing")
        total = s.op("Add", total, s.op("Gather", segments, ids[2], axis=0))
    attributes = {"axis": -1, "epsilon": s.node.attributes["epsilon"], "stash_type": 1}
    results = [finish(s.b, s.node, "LayerNormalization", total, *rows, **attributes)]
    if s.node.wants(1) or s.node.wants(2):
        results.append(_counted(s, ids[0], mask))
    return [*results, total][: len(s.node.outputs)] if len(results) > 1 else results


def _counted(s: Steps, ids: SSAValue, mask: SSAValue | None) -> SSAValue:
    """[batch], i32: how often the mask has 1 in each sequence; 0 without a mask."""
    if mask is None:
        return s.op("Cast", s.op("Expand", s.index(0), s.op("Shape", ids, start=0, end=1)), to=TensorProto.INT32)
    ones = s.op("Cast", s.op("Equal", mask, s.number(1, mask)), to=TensorProto.INT32)
    return s.op("ReduceSum", ones, s.integers([1]), keepdims=0, noop_with_empty_axes=0)


def _embed(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    tables = [node.input(2), node.input(3), node.optional(4)]
    ids = [node.input(0), node.optional(8), node.optional(1)]
    return _embedded(Steps(b, node), tables, ids, [node.input(5), node.input(6)], node.optional(7))


def _quantized_embed(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """The tables and rows are integers, inputs 2 to 6, whose scales and zero points are 8 to 12 and 13 to 17."""

    def floats(number: int) -> SSAValue | None:
        if node.optional(number) is None:
            return None
        operands = [node.input(number), node.input(number + 6), node.input(number + 11)]
        return b.op("dequantize_linear", operands, node, step=f"input {number}")

    tables, rows = [floats(number) for number in (2, 3, 4)], [floats(number) for number in (5, 6)]
    kept = [row for row in rows if row is not None]
    if tables[0] is None or tables[1] is None or len(kept) < 2:
        raise ValueError("a table of words or positions, or what scales or shifts, is missing")
    return _embedded(Steps(b, node), tables, [node.input(0), None, node.optional(1)], kept, node.optional(7))


EMBEDDING_NORMS: Mapping[str, DeclaredOp] = {
    "EmbedLayerNormalization": DeclaredOp(_embed, (7, 9), {"epsilon": 1e-12, "mask_index_type": 0}),
    "QEmbedLayerNormalization": DeclaredOp(_quantized_embed, (18, 18), {"epsilon": 1e-12}),
}
