"""What an op computes of each element, read off the op: the same for an op on tensors and for its memref form."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DenseArrayBase, MemRefType, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import IndexOp, PoolingNchwMaxOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.passes.memref_checker.memory_contents import NotModelled

Scalar = Callable[[SSAValue], int]
_NAMES = ("operandSegmentSizes", "indexing_maps", "iterator_types", "doc", "library_call")


class Leaf(NamedTuple):
    """An element of an operand, at the indices that `map` says; the whole operand without it."""

    operand: SSAValue
    map: AffineMap | None


class MeaningNode(NamedTuple):
    """An op on what others give, or a number of the loops; `key` says which."""

    key: tuple[object, ...]
    inner: tuple[Leaf | MeaningNode, ...]


class Meaning(NamedTuple):
    """What an op computes.

    Attributes:
        key: its loops, and where its results are written; by name and attributes for an op that is no loop.
        results: of what each result is made.
        written: where each result goes: an operand that is a memref, or the op's result itself.
        map: of each result; None for an op that is no loop.
        parallel: each element of a result is written once.
    """

    key: tuple[object, ...]
    results: tuple[MeaningNode, ...]
    written: tuple[SSAValue, ...]
    map: tuple[AffineMap | None, ...]
    parallel: bool


def is_shaped(value: SSAValue) -> bool:
    """The value has bytes."""
    return isinstance(value.type, TensorType | MemRefType)


def meaning_of(op: Operation, scalar: Scalar) -> Meaning:
    """What an op computes; `scalar` gives the term of a scalar from outside of its body.

    Raises:
        NotModelled: nothing is known of the op.
    """
    if isinstance(op, PoolingNchwMaxOp):
        return _by_name(op, None)
    if isinstance(op, LinalgStructuredOperation):
        return _structured(op, scalar)
    if op.dialect_name() in ("arith", "math"):
        return _on_elements(op)
    if isinstance(op, tensor.SplatOp):
        rank = len(op.result.type.get_shape())
        map_ = AffineMap.identity(rank)
        node = MeaningNode(("is",), (Leaf(op.operands[0], AffineMap(rank, 0, ())),))
        return Meaning(_loops([str(IteratorType.PARALLEL.value)] * rank, [map_]), (node,), (op.result,), (map_,), True)
    if op_name(op).partition(".")[0] in ("linalg", "vector"):
        return _by_name(op, scalar)
    raise NotModelled(f"'{op_name(op)}' is not known")


def _loops(kinds: list[str], maps: list[AffineMap]) -> tuple[object, ...]:
    return ("loops", tuple(kinds), tuple(map(str, maps)))


def _structured(op: LinalgStructuredOperation, scalar: Scalar) -> Meaning:
    maps = [m.data for m in op.get_indexing_maps().data]
    kinds = [k.data for k in op.get_iterator_types().data]
    count, first = len(maps), len(op.inputs)
    arguments: dict[SSAValue, Leaf] = {
        a: Leaf(v, m) for a, v, m in zip(op.body.block.args, op.operands[:count], maps, strict=True)
    }
    parallel = all(k is IteratorType.PARALLEL for k in kinds)
    outs, out_maps = op.operands[first:count], maps[first:]
    given = [] if parallel else [Leaf(v, m) for v, m in zip(outs, out_maps, strict=True)]
    results = tuple(MeaningNode(("is",), (r, *given)) for r in _yielded(op.body.block, arguments, scalar))
    written = tuple(op.results) if op.results else tuple(outs)
    once = parallel and all(_is_once(m) for m in out_maps)
    return Meaning(_loops([str(k.value) for k in kinds], out_maps), results, written, tuple(out_maps), once)


def _is_once(map_: AffineMap) -> bool:
    return len(map_.results) == map_.num_dims and len(map_.used_dims()) == map_.num_dims


def _yielded(block: Block, arguments: dict[SSAValue, Leaf], scalar: Scalar) -> list[Leaf | MeaningNode]:
    """What the terminator of a body is given."""
    made: dict[SSAValue, Leaf | MeaningNode] = dict(arguments)

    def of(value: SSAValue) -> Leaf | MeaningNode:
        return made[value] if value in made else MeaningNode(("outside", scalar(value)), ())

    for op in block.ops:
        if op is block.last_op:
            return [of(v) for v in op.operands]
        if op.regions:
            raise NotModelled(f"'{op_name(op)}' in a body is not known")
        if isinstance(op, tensor.ExtractOp | memref.LoadOp) and op.operands[0] not in made:
            leaf = Leaf(op.operands[0], None)
            made[op.results[0]] = MeaningNode(("element",), (leaf, *map(of, op.operands[1:])))
            continue
        key: tuple[object, ...] = (op_name(op), _attributes(op), *(str(r.type) for r in op.results))
        if isinstance(op, IndexOp):
            key = ("number of the loop", op.dim.value.data)
        node = MeaningNode(key, tuple(of(v) for v in op.operands))
        for n, result in enumerate(op.results):
            made[result] = MeaningNode(("result", n), (node,)) if n else node
    raise NotModelled("a body ends with no terminator")


def _on_elements(op: Operation) -> Meaning:
    rank = len(op.results[0].type.get_shape())  # pyright: ignore
    map_ = AffineMap.identity(rank)
    leaves = tuple(Leaf(v, map_) for v in op.operands)
    element = str(op.results[0].type.element_type)  # pyright: ignore
    node = MeaningNode(("is",), (MeaningNode((op_name(op), _attributes(op), element), leaves),))
    return Meaning(_loops([str(IteratorType.PARALLEL.value)] * rank, [map_]), (node,), tuple(op.results), (map_,), True)


def _by_name(op: Operation, scalar: Scalar | None) -> Meaning:
    """An op that is no loop to us: the same op on the same operands computes the same. Without `scalar` the name says
    all that its body does."""
    bodies: list[Leaf | MeaningNode] = []
    for region in op.regions if scalar is not None else ():
        assert scalar is not None
        block = region.blocks[0]
        arguments: dict[SSAValue, Leaf] = {a: Leaf(a, None) for a in block.args}
        for node in _yielded(block, arguments, scalar):
            bodies.append(_numbered(node))
    name = op_name(op)
    key = ("op", name, _attributes(op))
    count = sum(isinstance(v.type, TensorType) for v in op.results)
    outs = [v for v in op.operands if isinstance(v.type, MemRefType)]
    written: tuple[SSAValue, ...] = ()
    if count:
        written = tuple(v for v in op.results if isinstance(v.type, TensorType))
    elif name == "vector.transfer_write":
        written = tuple(outs[-1:])
    elif name != "vector.transfer_read":
        written = tuple(op.operands[-_outputs(op) :])
    node = MeaningNode(("is",), (*(Leaf(v, None) for v in op.operands), *bodies))
    return Meaning(key, (node,) * max(1, len(written)), written, (None,) * len(written), False)


def _outputs(op: Operation) -> int:
    """How many operands of a `linalg` op on memrefs are its results."""
    segments = op.properties.get("operandSegmentSizes", op.attributes.get("operandSegmentSizes"))
    return segments.get_values()[-1] if isinstance(segments, DenseArrayBase) else 1


def _numbered(node: Leaf | MeaningNode) -> MeaningNode:
    """A body with its arguments by their numbers."""
    if isinstance(node, Leaf):
        if not isinstance(node.operand, BlockArgument):
            raise NotModelled("a body that reads tensors is not known")
        return MeaningNode(("argument", node.operand.index), ())
    return MeaningNode(node.key, tuple(_numbered(n) for n in node.inner))


def _attributes(op: Operation) -> tuple[object, ...]:
    """What an op says besides its operands, but for decisions."""
    both = {**op.attributes, **op.properties}
    kept = {k: v for k, v in both.items() if k not in _NAMES and not k.startswith(("dnn.", "linalg.memoized"))}
    return tuple(sorted((k, str(v)) for k, v in kept.items()))
