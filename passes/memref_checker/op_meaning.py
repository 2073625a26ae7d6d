"""What an op computes of each element, read off the op: the same for an op on tensors and for its memref form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DenseArrayBase, MemRefType, TensorType, UnrankedMemRefType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import IndexOp, PoolingNchwMaxOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.element_of_input import ElementOfInputOp
from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.linalg_loops import LinalgLoops, loops_of, maps_of, writes_each
from lastuse.dialect.ir.remembered import remembered
from lastuse.passes.memref_checker.memory_contents import NotModelled

Scalar = Callable[[SSAValue], int]
_ELEMENT_READS = (tensor.ExtractOp, memref.LoadOp)
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


type_of: Callable[[SSAValue], Attribute] = attrgetter("_type")
"""The type of a value, for what asks of all values: `SSAValue.type` is Python code."""


def is_shaped(value: SSAValue) -> bool:
    """The value has bytes."""
    return is_shaped_type(type(type_of(value)))


def has_bytes(values: Sequence[SSAValue]) -> bool:
    """One of several values has bytes."""
    return any(map(is_shaped_type, map(type, map(type_of, values))))


@cache
def is_shaped_type(type_class: type[Attribute]) -> bool:
    """Values of types of a class have bytes."""
    return issubclass(type_class, TensorType | MemRefType | UnrankedMemRefType)


@cache
def is_on_elements(op_class: type[Operation]) -> bool:
    """Ops of a class compute each element of their results from those at its place, as it computes scalars."""
    return op_class.dialect_name() in ("arith", "math")


def meaning_of(op: Operation, scalar: Scalar) -> Meaning:
    """What an op computes; `scalar` gives the term of a scalar from outside of its body.

    Raises:
        NotModelled: nothing is known of the op.
    """
    if isinstance(op, PoolingNchwMaxOp):
        return _by_name(op, None)
    if isinstance(op, LinalgStructuredOperation):
        return _structured(op, scalar)
    if is_on_elements(type(op)):
        return _on_elements(op)
    if isinstance(op, tensor.SplatOp):
        rank = len(op.result.type.get_shape())
        map_ = AffineMap.identity(rank)
        node = MeaningNode(("is",), (Leaf(operands_of(op)[0], AffineMap(rank, 0, ())),))
        return Meaning(_loops([str(IteratorType.PARALLEL.value)] * rank, [map_]), (node,), (op.result,), (map_,), True)
    if op_name(op).partition(".")[0] in ("linalg", "vector"):
        return _by_name(op, scalar)
    raise NotModelled(f"'{op_name(op)}' is not known")


def loop_maps(op: Operation) -> Sequence[AffineMap] | None:
    """The maps of the operands of a program's op that goes over them in loops; None where none are known."""
    if is_on_elements(type(op)):
        ranks = [len(v.type.get_shape()) if isinstance(v.type, TensorType) else 0 for v in operands_of(op)]
        return [AffineMap.identity(rank) for rank in ranks]
    return maps_of(op) if op_name(op).startswith("linalg.") else None


def axes_of(maps: Sequence[AffineMap]) -> tuple[tuple[int, ...], ...]:
    """Of each map, for each axis the number of the loop that is its index; -1 where its index is something else."""
    return tuple(tuple([e.position if isinstance(e, AffineDimExpr) else -1 for e in map_.results]) for map_ in maps)


def _loops(kinds: list[str], maps: list[AffineMap]) -> tuple[object, ...]:
    return ("loops", tuple(kinds), tuple(map(str, maps)))


@remembered
def _loops_key(loops: LinalgLoops) -> tuple[object, ...]:
    kinds, maps = (str(kind.value) for kind in loops.kinds), (str(map_) for map_ in loops.maps[loops.ins :])
    return "loops", tuple(kinds), tuple(maps)


def _structured(op: LinalgStructuredOperation, scalar: Scalar) -> Meaning:
    loops, block, operands = loops_of(op), op.regions[0].block, operands_of(op)
    maps, count, first = loops.maps, len(loops.maps), loops.ins
    arguments: dict[SSAValue, Leaf] = {
        a: Leaf(v, m) for a, v, m in zip(block.args, operands[:count], maps, strict=True)
    }
    outs, out_maps = operands[first:count], maps[first:]
    whole = writes_all(op, loops)
    given = [] if whole else [Leaf(v, m) for v, m in zip(outs, out_maps, strict=True)]
    results = tuple(MeaningNode(("is",), (r, *given)) for r in _yielded(block, arguments, scalar))
    return Meaning(_loops_key(loops), results, tuple(op.results) or outs, out_maps, whole)


def writes_all(op: Operation, loops: LinalgLoops) -> bool:
    """Each element of each result is written once: none keeps what the operand of the result had."""
    if not loops.parallel:
        return False
    for k in range(loops.ins, len(loops.maps)):
        if not loops.once[k] and not writes_each(loops.maps[k], operands_of(op)[k].type):
            return False
    return True


def _yielded(block: Block, arguments: dict[SSAValue, Leaf], scalar: Scalar) -> list[Leaf | MeaningNode]:
    """What the terminator of a body is given."""
    made: dict[SSAValue, Leaf | MeaningNode] = dict(arguments)

    def of(value: SSAValue) -> Leaf | MeaningNode:
        return made[value] if value in made else MeaningNode(("outside", scalar(value)), ())

    for op in block.ops:
        if op is block.last_op:
            return [of(v) for v in operands_of(op)]
        if op.regions:
            raise NotModelled(f"'{op_name(op)}' in a body is not known")
        key: tuple[object, ...] = (op_name(op), _attributes(op), *(_text(r.type) for r in op.results))
        if (table := _table(op, block)) is not None:
            indices = operands_of(op)[0 if isinstance(op, ElementOfInputOp) else 1 :]
            made[op.results[0]] = MeaningNode(("element of",), (Leaf(table, None), *map(of, indices)))
            continue
        if isinstance(op, IndexOp):
            key = ("number of the loop", op.dim.value.data)
        node = MeaningNode(key, tuple(of(v) for v in operands_of(op)))
        for n, result in enumerate(op.results):
            made[result] = MeaningNode(("result", n), (node,)) if n else node
    raise NotModelled("a body ends with no terminator")


def _table(op: Operation, block: Block) -> SSAValue | None:
    """What an op of a body reads an element of, at indices that the body computes."""
    if isinstance(op, _ELEMENT_READS):
        return operands_of(op)[0]
    if not isinstance(op, ElementOfInputOp):
        return None
    around = block.parent_op()
    assert around is not None
    return operands_of(around)[op.input.value.data]


def _on_elements(op: Operation) -> Meaning:
    rank = len(op.results[0].type.get_shape())  # pyright: ignore
    map_ = AffineMap.identity(rank)
    leaves = tuple(Leaf(v, map_) for v in operands_of(op))
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
    outs = [v for v in operands_of(op) if isinstance(v.type, MemRefType)]
    written: tuple[SSAValue, ...] = ()
    if count:
        written = tuple(v for v in op.results if isinstance(v.type, TensorType))
    elif name == "vector.transfer_write":
        written = tuple(outs[-1:])
    elif name not in ("vector.transfer_read", "vector.gather"):
        written = tuple(operands_of(op)[-_outputs(op) :])
    node = MeaningNode(("is",), (*(Leaf(v, None) for v in operands_of(op)), *bodies))
    return Meaning(key, (node,) * max(1, len(written)), written, (None,) * len(written), False)


def _outputs(op: Operation) -> int:
    """How many operands of a `linalg` op on memrefs are its results: as many as its body ends in, if it has one."""
    segments = op.properties.get("operandSegmentSizes", op.attributes.get("operandSegmentSizes"))
    if isinstance(segments, DenseArrayBase):
        return segments.get_values()[-1]
    last = op.regions[0].block.last_op if op.regions else None
    return len(operands_of(last)) if last is not None else 1


def _numbered(node: Leaf | MeaningNode) -> MeaningNode:
    """A body with its arguments by their numbers."""
    if isinstance(node, Leaf):
        if not isinstance(node.operand, BlockArgument):
            raise NotModelled("a body that reads tensors is not known")
        return MeaningNode(("argument", node.operand.index), ())
    return MeaningNode(node.key, tuple(_numbered(n) for n in node.inner))


def _attributes(op: Operation) -> tuple[object, ...]:
    """What an op says besides its operands, but for decisions."""
    if not op.attributes and not op.properties:
        return ()
    both = {**op.attributes, **op.properties}
    kept = {k: v for k, v in both.items() if k not in _NAMES and not k.startswith(("dnn.", "linalg.memoized"))}
    return tuple(sorted((k, _text(v)) for k, v in kept.items()))


@remembered
def _text(attribute: Attribute) -> str:
    """Kept by identity: `0.0` and `-0.0` are equal attributes of other texts."""
    return str(attribute)
