"""If: the arm that runs where the condition is known, else a branch of `scf`."""

from __future__ import annotations

from collections.abc import Sequence

from onnx import GraphProto
from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, NeedsValuesError
from lastuse.frontends.builder import one_of_two
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder


def _if(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    condition = node.input(0)
    counts = [len(node.attributes[name].output) for name in ("then_branch", "else_branch")]
    if counts != [len(node.outputs)] * 2:
        raise ValueError(f"the arms make {counts[0]} and {counts[1]} values, the node has {len(node.outputs)} outputs")
    known = b.numbers(condition)
    if known is not None:
        return inline(b, node.attributes["then_branch" if known.all() else "else_branch"])
    arms: list[tuple[Block, Sequence[SSAValue]]] = []
    for name in ("then_branch", "else_branch"):
        block = Block()
        try:
            with b.appending_to(block):
                values = _as_stated(b, node.attributes[name])
        except NeedsValuesError:
            raise
        except LastuseError as error:
            # An arm that does not fit may be one that never runs.
            b.need([condition], f"the {name} cannot be read ({error.message}), and the condition is not known")
        arms.append((block, values))
    for ours, theirs in zip(arms[0][1], arms[1][1], strict=True):
        if ours.type != theirs.type:
            b.need([condition], f"an If makes {ours.type} in one arm and {theirs.type} in the other")
    for block, values in arms:
        block.add_op(scf.YieldOp(*values))
    types = [value.type for value in arms[0][1]]
    choice = scf.IfOp(b.scalar(condition), types, Region(arms[0][0]), Region(arms[1][0]))
    pairs = zip(arms[0][1], arms[1][1], strict=True)
    infos = [one_of_two(b.sizes[ours], b.sizes[theirs]) for ours, theirs in pairs]
    return b.add_op(choice, b.names_of(node, len(types)), infos)


def inline(b: OnnxBuilder, graph: GraphProto) -> list[SSAValue]:
    """Adds the nodes of a graph without inputs; its results."""
    b.convert(graph.node)
    return [b.value(output.name) for output in graph.output]


def _as_stated(b: OnnxBuilder, graph: GraphProto) -> list[SSAValue]:
    """`inline`, where results of one element have as many axes as the graph states: exporters that take a number for a
    tensor of one element, and the other way round, state one type for what arms compute with several."""
    results = inline(b, graph)
    for number, (value, output) in enumerate(zip(results, graph.output, strict=True)):
        if output.type.tensor_type.HasField("shape"):
            sizes = [d.dim_value for d in output.type.tensor_type.shape.dim]
            results[number] = reshaped_one(b, value, sizes, f"{output.name}/as stated")
    return results


def reshaped_one(b: OnnxBuilder, value: SSAValue, sizes: Sequence[int], name: str) -> SSAValue:
    """A value of one element under other axes, if these have one element too; else the value."""
    own = b.shape(value)
    if len(own) == len(sizes) or any(size != 1 for size in (*own, *sizes)):
        return value
    return b.reshape(value, tuple(sizes), name)


HANDLERS: dict[str, Handler] = {"If": _if}
