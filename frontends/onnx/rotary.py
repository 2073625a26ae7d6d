"""RotaryEmbedding, as the schemas of onnxruntime's own domain and of ONNX define it: pairs turned by angles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.attention import Steps, counted
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import finish
from lastuse.frontends.onnx.declared_ops import DeclaredOp


def angles_at(s: Steps, table: SSAValue, positions: SSAValue, axis: int) -> SSAValue:
    """The rows [batch, length, pairs] of a table of cosines or sines at positions, with an axis for heads."""
    s.check_rank(table, 2, "a table of angles")
    return s.b.once(
        ("angles", table, positions, axis), lambda: s.unsqueeze(s.op("Gather", table, positions, axis=0), axis)
    )


def rotated(s: Steps, x: SSAValue, cosines: SSAValue, sines: SSAValue, *, interleaved: bool) -> SSAValue:
    """
    The first elements of the last axis, turned in pairs, and the others behind them.

    Args:
        x: [..., size].
        cosines, sines: [..., pairs], broadcast to x but for the last axis.
        interleaved: pairs are neighbours; else each has an element of the first half and one of the second.

    Raises:
        ValueError: x has fewer elements than the pairs.
    """
    size, pairs = s.shape(x)[-1], s.shape(cosines)[-1]
    if not isinstance(size, int) or not isinstance(pairs, int):
        raise ValueError("the sizes of heads and of angles must be known")
    if pairs * 2 > size:
        raise ValueError(f"there are angles for {pairs * 2} elements, heads have {size}")
    (name,) = s.b.names_of(s.node, 1)
    flags = {"interleaved": True} if interleaved else {}
    return s.b.ops("rotary_embedding", [x, cosines, sines], [f"{name}/rotated"], flags)[0]


def _rotary(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    x, positions, cosines, sines = (node.input(k) for k in range(4))
    heads, width = node.attributes["num_heads"], node.attributes["rotary_embedding_dim"]
    if node.attributes["is_packed_batching"]:
        raise ValueError("ragged batches are not supported")
    s = Steps(b, node)
    s.check_rank(cosines, 2, "the table of cosines")
    pairs, rank = s.shape(cosines)[1], b.rank(x)
    if rank not in (3, 4) or not isinstance(pairs, int) or pairs < 1:
        raise ValueError("the input has 3 or 4 axes, and the table of cosines columns whose number is known")
    if width and heads < 1:
        raise ValueError("rotary_embedding_dim needs num_heads")
    if width and width != pairs * 2:
        raise ValueError(f"rotary_embedding_dim is {width}, the table has angles for {pairs * 2} elements")
    size = s.shape(x)[2]
    if rank == 3 and (not isinstance(size, int) or size % (heads if width else pairs * 2)):
        raise ValueError(f"{size} elements are not heads that the angles are for")
    given = x if rank == 4 else s.reshape(x, [0, 0, heads, -1] if width else [0, 0, -1, pairs * 2])
    if b.rank(positions) == 1:
        steps = counted(s, x, 1 if rank == 3 else 2)
        positions = s.unsqueeze(s.op("Add", s.wide(positions), s.wide(steps)), 0)
    axis = 2 if rank == 3 else 1
    angles = (angles_at(s, table, positions, axis) for table in (cosines, sines))
    made = rotated(s, given, *angles, interleaved=bool(node.attributes["interleaved"]))
    if rank == 4:
        return finish(b, node, "Identity", made)
    return finish(b, node, "Reshape", made, s.integers([0, 0, -1]), allowzero=0)


def _standard(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue] | None:
    """A node of ONNX's own domain; None for one that needs its body."""
    s, x, positions, rank = Steps(b, node), node.input(0), node.optional(3), b.rank(node.input(0))
    heads, tables = node.attributes.get("num_heads", 0), (node.input(1), node.input(2))
    if rank not in (3, 4) or (rank == 3 and heads < 1):
        return None
    axis = 2 if rank == 3 else 1
    if positions is None:
        cosines, sines = (s.unsqueeze(table, axis) for table in tables)
    else:
        cosines, sines = (angles_at(s, table, positions, axis) for table in tables)
    size, pairs = s.shape(x)[-1], s.shape(cosines)[-1]
    width = size // heads if rank == 3 and isinstance(size, int) else size
    turned = node.attributes.get("rotary_embedding_dim") or width
    if not isinstance(width, int) or not isinstance(pairs, int) or pairs * 2 != turned or pairs * 2 > width:
        return None
    given = x if rank == 4 else s.reshape(x, [0, 0, heads, -1])
    made = rotated(s, given, cosines, sines, interleaved=bool(node.attributes.get("interleaved")))
    if rank == 4:
        return [finish(b, node, "Identity", made)]
    return [finish(b, node, "Reshape", made, s.integers([0, 0, -1]), allowzero=0)]


DIRECT_ROTARY: Mapping[str, Callable[[OnnxBuilder, GraphNode], Sequence[SSAValue] | None]] = {
    "RotaryEmbedding": _standard
}
ROTARY_OPS: Mapping[str, DeclaredOp] = {
    "RotaryEmbedding": DeclaredOp(
        _rotary,
        (4, 4),
        {"interleaved": 0, "is_packed_batching": 0, "num_heads": 0, "rotary_embedding_dim": 0, "scale": 1.0},
    )
}
