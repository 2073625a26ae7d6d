"""Groups of elementwise ops that one map computes: trees, whose inner values nothing else reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.map_op import LARGEST_MAP, joins_maps, map_of
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of, engine_of
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.analysis.reasons import Reason


class Apart(NamedTuple):
    """Why an op that could be part of a map is not part of that of its reader."""

    op: ElementwiseBase
    reason: Reason


class Group(NamedTuple):
    """The ops of a map, in the order of the block, and what is left out of it."""

    ops: Sequence[ElementwiseBase]
    apart: Sequence[Apart]


class MapGroups:
    """The groups of one function.

    Args:
        func: sizes of its values are inferred once.
    """

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._sizes: dict[SSAValue, TensorInfo] = dict(infer_shapes(func))

    def groups(self) -> Iterator[Group]:
        """Groups of one op or more. No op is in two; a group may be fused before the next one is asked for."""
        for block in [block for op in self._func.walk() for region in op.regions for block in region.blocks]:
            taken, places = set[Operation](), {op: place for place, op in enumerate(block.ops)}
            for op in reversed(places):
                if op not in taken and isinstance(op, ElementwiseBase) and self._refused(op) is None and joins_maps(op):
                    group = self._group(op, places)
                    taken.update(group.ops)
                    yield group

    def fuse(self, group: Group) -> ElementwiseBase:
        """Puts the map in the place of the group's last op."""
        made = map_of(group.ops, _read(group.ops))
        last = group.ops[-1]
        self._sizes[made.results[0]] = self._sizes[last.results[0]]
        Rewriter.insert_op(made, InsertPoint.before(last))
        last.results[0].replace_all_uses_with(made.results[0])
        for op in reversed(group.ops):
            op.detach()
            op.erase()
        return made

    def _group(self, last: ElementwiseBase, places: Mapping[Operation, int]) -> Group:
        """The group that ends with `last`, of ops of the block whose ops have these places."""
        inside: dict[Operation, None] = {last: None}
        grown, apart = True, dict[Operation, Apart]()
        while grown:
            grown, apart = False, {}
            for reader in [op for op in inside if isinstance(op, ElementwiseBase)]:
                for value in reader.operands:
                    op = value.owner
                    if op in inside or not isinstance(op, ElementwiseBase) or op not in places:
                        continue
                    if not joins_maps(op):
                        continue
                    reason = self._refused(op) or self._stays_apart(op, last, inside)
                    if reason is None:
                        inside[op], grown = None, True
                    else:
                        apart[op] = Apart(op, reason)
        ops = sorted((op for op in inside if isinstance(op, ElementwiseBase)), key=lambda op: places[op])
        return Group(ops, [each for op, each in apart.items() if op not in inside])

    def _refused(self, op: ElementwiseBase) -> Reason | None:
        """Why the op is part of no group."""
        if attrs.is_decided(op):
            return Reason.DECIDED
        if engine_of(op) is not None:
            return Reason.ASKED_ENGINE
        info = self._sizes.get(op.results[0])
        if info is None or any(op.operands[k] not in self._sizes for k in range(len(op.operands))):
            return Reason.SIZE
        if info.content is not None:
            return Reason.KNOWN
        return Reason.FASTER_ALONE if op.is_faster_alone(info.elements) else None

    def _stays_apart(self, op: ElementwiseBase, last: Operation, inside: dict[Operation, None]) -> Reason | None:
        """Why the op is not part of this group."""
        if any(use.operation not in inside for use in op.results[0].uses):
            return Reason.USED_ELSEWHERE
        if self._sizes[op.results[0]].shape != self._sizes[last.results[0]].shape:
            return Reason.SIZE
        if len(inside) >= LARGEST_MAP:
            return Reason.LARGEST_MAP
        return None if self._keeps_no_more(op, last, inside) else Reason.KEPT_LONGER

    def _keeps_no_more(self, op: ElementwiseBase, last: Operation, inside: dict[Operation, None]) -> bool:
        """Its operands, which are live up to the last op of the group then, take no more bytes than its result, which
        is not there; or no op that needs memory stands between."""
        between, at = True, op.next_op
        while at is not None and at is not last and between:
            between = at in inside or _takes_no_memory(at)
            at = at.next_op
        if between:
            return True
        made = self._sizes[op.results[0]].bytes
        kept: Dim = 0
        for value in dict.fromkeys(op.operands):
            if isinstance(value, OpResult) and not contract_of(value.op).constant:
                kept = kept + self._sizes[value].bytes
        return kept == made or (isinstance(kept, int) and isinstance(made, int) and kept < made)


def _read(ops: Sequence[ElementwiseBase]) -> list[SSAValue]:
    """What the ops read that none of them makes, each value once."""
    made = {op.results[0] for op in ops}
    return list(dict.fromkeys(value for op in ops for value in op.operands if value not in made))


def _takes_no_memory(op: Operation) -> bool:
    return isinstance(op, DnnOp) and (contract_of(op).constant or op.work() == 0)
