"""
Which ops of a function compute with their channels last, so that the fewest bytes are moved: a minimum cut.

A value is [N, C, spatial…] as the function states it, or [N, spatial…, C]: the layout is the type of a tensor, and
`dnn.transpose` makes one of the other. Each op that can be stated on operands in the other order is a node: on the
side of the source it has its channels last. What the cut pays is

* for an op that is computed faster with its channels last, what it takes longer otherwise;
* for an op that is computed faster with its channels second, less than a byte;
* for a value that is there in one order and read in the other, the bytes of a transpose, once for all its readers.

A value whose readers have several orders needs a node for each order: the node "read with channels last" is on the
source's side if one such reader is, "read as stated" on the sink's side if one such reader is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.dnn.base import DnnOp, TransposedForm
from lastuse.dialect.dnn.spatial.windowed import SpatialBase
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.ir.tensor_types import item_bytes, static_shape, typed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.planning.minimum_cut import SINK, SOURCE, FlowGraph

LAYOUTS = ("auto", "first")
"""Channels are last where that pays, or where the model has them."""
SCALE = 1 << 32
"""The capacity of a byte. A transpose counts one more, and so does an op that prefers its channels second and has them
last: of cuts of equal bytes one with the fewest of both is found."""


def channels_to_end(rank: int) -> list[int]:
    """The axes of [N, C, spatial…] in the order [N, spatial…, C]."""
    return [0, *range(2, rank), 1]


def channels_to_second(rank: int) -> list[int]:
    """The axes of [N, spatial…, C] in the order [N, C, spatial…]."""
    return [0, rank - 1, *range(1, rank - 1)]


def rank_of(op: DnnOp) -> int:
    """The most axes of an operand."""
    ranks = (len(v.type.get_shape()) for v in op.operands if isinstance(v.type, TensorType))
    return max(ranks, default=0)


def has_rank(value: SSAValue, rank: int) -> bool:
    """Whether the value is a tensor of so many axes."""
    return isinstance(value.type, TensorType) and len(value.type.get_shape()) == rank


def moved_bytes(value: SSAValue, rank: int) -> int:
    """The bytes that are read and written for the value, broadcast to so many axes, with its channels last; sizes that
    are not known count as `element_count` counts them."""
    sizes = static_shape(value.type)
    sizes = (*(1 for _ in range(rank - len(sizes))), *sizes)
    moves = moves_elements(sizes, channels_to_end(rank))
    return 2 * element_count(value) * item_bytes(typed(value.type).dtype) if moves else 0


def moves_elements(sizes: Sequence[int | None], perm: Sequence[int]) -> bool:
    """Whether a transpose moves elements: not where only axes of one element change places with others."""
    kept = [axis for axis in perm if sizes[axis] != 1]
    return kept != sorted(kept)


def is_constant(value: SSAValue) -> bool:
    """Whether the value is a constant, or a view of constants: a transpose of it takes nothing at run time."""
    op = value.owner
    if not isinstance(op, DnnOp):
        return False
    contract = contract_of(op)
    if contract.constant:
        return True
    return bool(op.operands) and contract.view_of(0) is not None and all(map(is_constant, op.operands))


@dataclass(frozen=True)
class ChannelLayouts:
    """
    Attributes:
        forms: how each op is stated that has its channels last, in the order of the text.
    """

    forms: Mapping[DnnOp, TransposedForm]

    def turns(self, value: SSAValue) -> bool:
        """Whether the op of the value makes it with its channels last."""
        op = value.owner
        if not isinstance(op, DnnOp) or op not in self.forms:
            return False
        return self.forms[op].results_too and has_rank(value, rank_of(op))


@unchanged_ops()
def channel_layouts(func: FuncOp) -> ChannelLayouts:
    """The layouts for which the fewest bytes are moved; of several such, the one with the most ops whose channels are
    last. A function with a region of more than one block is left as it is."""
    ops = list(func.walk())
    if any(len(region.blocks) > 1 for op in ops for region in op.regions):
        return ChannelLayouts({})
    forms = {op: form for op in ops if isinstance(op, DnnOp) and (form := _form(op)) is not None}
    if not any(op.prefers_channels_last() for op in forms):
        return ChannelLayouts({})
    return ChannelLayouts(_LayoutCut(forms).chosen(ops))


def _form(op: DnnOp) -> TransposedForm | None:
    rank = rank_of(op)
    return None if rank < 3 or attrs.is_decided(op) else op.transposed_form(channels_to_end(rank))


class _LayoutCut:
    def __init__(self, forms: Mapping[DnnOp, TransposedForm]) -> None:
        self._forms = forms
        self._graph = FlowGraph()
        self._nodes = {op: self._graph.node() for op in forms}

    def chosen(self, ops: Sequence[Operation]) -> dict[DnnOp, TransposedForm]:
        """Of these ops those with a form whose channels are last."""
        for op, node in self._nodes.items():
            if op.prefers_channels_last():
                size = item_bytes(typed(op.results[0].type).dtype)
                self._graph.edge(SOURCE, node, SCALE * op.channels_last_gain() * size)
            elif isinstance(op, SpatialBase) and op.prefers_channels_second():
                self._graph.edge(node, SINK, 1)
        for op in ops:
            for value in (*op.results, *(argument for region in op.regions for argument in _arguments(region.blocks))):
                if isinstance(value.type, TensorType) and not is_constant(value):
                    self._add(value)
        _, cut = self._graph.largest_minimum_cut()
        return {op: form for op, form in self._forms.items() if self._nodes[op] in cut}

    def _add(self, value: SSAValue) -> None:
        """Adds what transposes of the value cost."""
        rank = len(static_shape(value.type))
        whole: set[int] = set()
        broadcast: dict[int, set[int]] = {}
        for use in value.uses:
            op = use.operation
            if use.index in contract_of(op).metadata_only:
                continue
            if op not in self._nodes or use.index not in self._forms[op].operands:  # pyright: ignore[reportArgumentType]
                whole.update(_order_read(op, value, rank))
            elif rank_of(op) == rank:  # pyright: ignore[reportArgumentType]
                whole.add(self._nodes[op])  # pyright: ignore[reportArgumentType]
            else:
                broadcast.setdefault(rank_of(op), set()).add(self._nodes[op])  # pyright: ignore[reportArgumentType]
        for wide, readers in broadcast.items():
            self._graph.edge_from_any(readers, SINK, SCALE * moved_bytes(value, wide) + 1)
        if rank > 2:
            cost, made = SCALE * moved_bytes(value, rank) + 1, self._order_made(value)
            self._graph.edge_from_any(whole - {SINK}, made, cost)
            self._graph.edge_to_any(made, whole - {SOURCE}, cost)

    def _order_made(self, value: SSAValue) -> int:
        """The node that decides in which order the value is made."""
        op = value.owner
        if not isinstance(op, DnnOp):
            return SINK
        rank = len(static_shape(value.type))
        if op in self._nodes:
            return self._nodes[op] if self._forms[op].results_too and rank_of(op) == rank else SINK
        perm = op.permutation()
        return SOURCE if perm is not None and list(perm) == channels_to_second(rank) and not _ends(op) else SINK


def _order_read(op: Operation, value: SSAValue, rank: int) -> Iterator[int]:
    """In which order an op that stays reads the value: the source for channels last. A transpose reads it as it comes,
    and reads one of the two orders for nothing."""
    perm = op.permutation() if isinstance(op, DnnOp) and rank > 2 else None
    if perm is None or list(perm) == channels_to_second(rank) and not _ends(op):
        yield SINK
    elif list(perm) == channels_to_end(rank):
        yield SOURCE


def _ends(transpose: Operation) -> bool:
    """Whether a transpose brings channels to the end, where it may as well bring them from there: of three axes, one
    order is the other. It is behind what may have its channels last, rather than before."""
    operand = transpose.operands[0]
    if len(static_shape(operand.type)) > 3:
        return False
    op = operand.owner
    return isinstance(op, DnnOp) and _form(op) is not None


def _arguments(blocks: object) -> Iterator[BlockArgument]:
    for block in blocks:  # pyright: ignore
        yield from block.args
