"""RotaryEmbedding of onnxruntime's own domain, as its schema defines it: pairs of elements turned by angles."""

from __future__ import annotations

from collections.abc import Mapping

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
    last, size, pairs = s.b.rank(x) - 1, s.shape(x)[-1], s.shape(cosines)[-1]
    if not isinstance(size, int) or not isinstance(pairs, int):
        raise ValueError("the sizes of heads and of angles must be known")
    if pairs * 2 > size:
        raise ValueError(f"there are angles for {pairs * 2} elements, heads have {size}")
    if interleaved:
        first, second = (s.slice(x, last, k, pairs * 2, 2) for k in (0, 1))
    else:
        first, second = s.slice(x, last, 0, pairs), s.slice(x, last, pairs, pairs * 2)
    turned = [
        s.op("Sub", s.op("Mul", first, cosines), s.op("Mul", second, sines)),
        s.op("Add", s.op("Mul", first, sines), s.op("Mul", second, cosines)),
    ]
    rest = [s.slice(x, last, pairs * 2)] if size > pairs * 2 else []
    if not interleaved:
        return s.concat([*turned, *rest], last)
    made = s.concat([s.unsqueeze(part, last + 1) for part in turned], last + 1)
    made = s.reshape(made, [*[0] * last, pairs * 2])
    return s.concat([made, *rest], last) if rest else made


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


ROTARY_OPS: Mapping[str, DeclaredOp] = {
    "RotaryEmbedding": DeclaredOp(
        _rotary,
        (4, 4),
        {"interleaved": 0, "is_packed_batching": 0, "num_heads": 0, "rotary_embedding_dim": 0, "scale": 1.0},
    )
}
