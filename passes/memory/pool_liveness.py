"""Which storages the ops of a block begin and read last, for the free list of the memory transpiler.

The values of one storage, by views and in-place decisions, are allocated and freed together. Each block has a free list
of its own, as in the memory transpiler; a storage is shared if all ops that write or read it stand in the block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import ancestors
from lastuse.dialect.ir.region_contents import captures_of
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Places, Storage, assign_places
from lastuse.dialect.storage.contract import is_foreign, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.passes.planning.free_list import Pool, share


@dataclass
class StorageUse:
    """Where a storage is written and read.

    Attributes:
        opener: the value that owns it, or its first value; the type of this value tells which memory fits.
        block: where it is first written.
        shared: it may take memory from the free list, and give it back.
        writes: times of the ops of that block that compute its values; an argument of the function has none.
        reads: times of the ops of that block that read it.
    """

    opener: SSAValue
    block: Block
    shared: bool
    writes: list[int] = field(default_factory=list[int])
    reads: list[int] = field(default_factory=list[int])


def storage_uses(func: FuncOp, places: Places, at: Mapping[Operation, int]) -> dict[Storage, StorageUse]:
    """The uses of all storages of a function, inner blocks included; `at` are the times of its ops."""
    uses: dict[Storage, StorageUse] = {}

    def note(times: list[int], use: StorageUse, op: Operation) -> None:
        # The op of the block, or the op of the block around it; what is used elsewhere is not shared.
        outer = next((o for o in (op, *ancestors(op)) if o.parent_block() is use.block), None)
        use.shared &= outer is not None
        times += [at[outer]] if outer is not None else []

    for value, (storage, _) in places.of.items():
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
        op = value.owner.parent_op() if isinstance(value.owner, Block) else value.owner
        assert block is not None and op is not None
        use = uses.setdefault(storage, StorageUse(value, block, _may_share(value, storage)))
        if use.opener is not value or op is value.owner:
            note(use.writes, use, op)
    captures = captures_of(func.body)
    for op in at:
        foreign = is_foreign(op) and (bool(op.regions) or any(r in places.of for r in op.results))
        for value in dict.fromkeys((*op.operands, *captures.get(op, ()))):
            if value in places.of:
                use = uses[places.of[value].storage]
                # The op hands it on, or may keep it.
                use.shared &= not foreign and op is not use.block.last_op
                note(use.reads, use, op)
    return uses


def _may_share(value: SSAValue, storage: Storage) -> bool:
    """Storages of results, and of arguments that are donated, may be given away or taken."""
    if storage.kind is PlaceKind.ARGUMENT:
        return isinstance(value, BlockArgument) and attrs.is_donated(value)
    return storage.kind in (PlaceKind.OWN, PlaceKind.NUMBERED) and isinstance(value, OpResult)


def pooled(func: FuncOp, level: int, fill_first: bool) -> dict[SSAValue, SSAValue]:
    """The donor of each storage that takes over memory, both as the values that open them, in the order of the ops.

    Args:
        level: 0, shapes must be equal; 1, the taker has no more elements than the donor.
        fill_first: the seed's literal order, which is unsound.
    """
    places = assign_places(func, Decisions.of(func).unplanned())
    at = {op: time for time, op in enumerate(func.walk())}
    uses = storage_uses(func, places, at)
    first_writes, freed = dict[int, list[Storage]](), dict[int, set[Storage]]()
    for storage, use in uses.items():
        if use.shared and storage.kind is PlaceKind.OWN:
            first_writes.setdefault(min(use.writes), []).append(storage)
        # As in the seed, what is written and never read joins no pool.
        if use.shared and use.reads and max(use.writes, default=-1) <= max(use.reads):
            freed.setdefault(max(use.reads), set()).add(storage)

    def step(op: Operation) -> tuple[list[Storage], list[Storage]]:
        read = dict.fromkeys(places.of[v].storage for v in op.operands if v in places.of)
        return first_writes.get(at[op], []), [s for s in read if s in freed.get(at[op], ())]

    donors: dict[Storage, Storage] = {}
    for block in (block for op in at for region in op.regions for block in region.blocks):
        pool = Pool[Storage, TensorInfo](lambda s: places.sizes[uses[s].opener], FITS[level])
        donors |= share([step(op) for op in block.ops if not is_region_op(op)], pool, fill_first)
    return {uses[taker].opener: uses[donor].opener for taker, donor in donors.items()}


def _no_larger(taker: TensorInfo, donor: TensorInfo) -> bool:
    """Whatever the symbols stand for, as no size is negative; known and unknown sizes are not compared."""
    if taker.dtype != donor.dtype or isinstance(taker.elements, int) != isinstance(donor.elements, int):
        return False
    rest = donor.elements - taker.elements
    return rest >= 0 if isinstance(rest, int) else all(c >= 0 for _, c in rest.terms)


FITS = (TensorInfo.__eq__, _no_larger)
"""By level: whether a value of the first type may take the memory of one of the second."""
