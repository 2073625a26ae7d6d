"""Reductions along axes, which ONNX has as an operand and keeps with size 1 where nothing is said."""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder

NO_AXES = DenseArrayBase.from_list(i64, [])


def _reduce(kind: str, b: OnnxBuilder, node: GraphNode) -> SSAValue:
    x, axes = node.input(0), node.optional(1)
    attributes: dict[str, object] = {"keepdims": bool(node.attributes["keepdims"])}
    if axes is not None and b.rank(axes) != 1:
        raise ValueError(f"axes has rank {b.rank(axes)}, not 1")
    if axes is not None and not isinstance(b.shape(axes)[0], int):
        b.need([axes], f"what {node.op_type} reduces depends on how many axes there are")
    if axes is None or b.shape(axes)[0] == 0:  # all axes, or none of them: then each element is reduced by itself
        attributes["axes"] = NO_AXES if node.attributes["noop_with_empty_axes"] else None
        return b.op(kind, [x], node, attributes)
    return b.op(kind, [x], node, attributes, {"axes": axes})


_KINDS = {
    "ReduceL1": "reduce_l1",
    "ReduceL2": "reduce_l2",
    "ReduceLogSum": "reduce_log_sum",
    "ReduceLogSumExp": "reduce_log_sum_exp",
    "ReduceMax": "reduce_max",
    "ReduceMean": "reduce_mean",
    "ReduceMin": "reduce_min",
    "ReduceProd": "reduce_prod",
    "ReduceSum": "reduce_sum",
    "ReduceSumSquare": "reduce_sum_square",
}

HANDLERS: dict[str, Handler] = {op_type: partial(_reduce, kind) for op_type, kind in _KINDS.items()}
