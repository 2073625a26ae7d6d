"""Which storages the ops of a block begin and read last, for the free list of the memory transpiler.

The values of one storage, by views and in-place decisions, are allocated and freed together. Each block has a free list
of its own, as in the memory transpiler; a storage is shared if all ops that write or read it stand in the block.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.cfg import ancestors
from lastuse.dialect.ir.symbolic_shape import Dim, Poly, TensorInfo
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Storage, assign_places
from lastuse.dialect.storage.contract import is_foreign, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.passes.analysis.liveness import captured
from lastuse.passes.planning.free_list import Pool, PoolStep, share


@dataclass
class StorageUse:
    """Where a storage is written and read.

    Attributes:
        opener: the value that owns it, or its first value; the type of this value tells which memory fits.
        block: where it is first written.
        maker: the op of that block that writes it first; None for arguments of the function.
        writer: the op of that block that computes the last of its values; None for arguments.
        shared: it may take memory from the free list, and give it back.
        reader: the op of that block that reads it last; None for none.
    """

    opener: SSAValue
    block: Block
    maker: Operation | None
    writer: Operation | None
    shared: bool
    reader: Operation | None = None


class StorageUses:
    """The uses of all storages of a function, inner blocks included."""

    def __init__(self, func: FuncOp) -> None:
        self.placed = assign_places(func, Decisions.of(func).unplanned())
        self.of: dict[Storage, StorageUse] = {}
        self.at = {op: time for time, op in enumerate(func.walk())}
        self.captured = captured(func.body)
        for value, place in self.placed.of.items():
            self._made(value, place.storage)
        for op in self.at:
            self._read(op)

    def _made(self, value: SSAValue, storage: Storage) -> None:
        maker = value.op if isinstance(value, OpResult) else None
        block = value.block if isinstance(value, BlockArgument) else value.op.parent_block()  # pyright: ignore
        assert isinstance(block, Block)
        life = self.of.get(storage)
        if life is None:
            self.of[storage] = StorageUse(value, block, maker, maker, _may_share(value, storage))
            return
        inner = _op_in(life.block, maker if maker is not None else block.parent_op())
        if inner is None:
            life.shared = False
            return
        if life.maker is not None and self.at[inner] < self.at[life.maker]:
            life.maker = inner
        if life.writer is None or self.at[inner] > self.at[life.writer]:
            life.writer = inner

    def _read(self, op: Operation) -> None:
        block = op.parent_block()
        last = block is not None and op is block.last_op
        foreign = is_foreign(op) and (bool(op.regions) or any(r in self.placed.of for r in op.results))
        for value in dict.fromkeys((*op.operands, *self.captured.get(op, ()))):
            place = self.placed.of.get(value)
            if place is None:
                continue
            life = self.of[place.storage]
            reader = _op_in(life.block, op)
            if reader is None or last and block is life.block or foreign:
                life.shared = False  # read in another block, handed on, or perhaps shared from now on
            elif life.reader is None or self.at[life.reader] < self.at[reader]:
                life.reader = reader

    def made_by(self) -> dict[Operation, list[Storage]]:
        """Storages that may take over memory, by the op that writes them first."""
        made: dict[Operation, list[Storage]] = {}
        for storage, life in self.of.items():
            if life.shared and life.maker is not None and storage.kind is PlaceKind.OWN:
                made.setdefault(life.maker, []).append(storage)
        return made

    def freed_by(self) -> dict[Operation, set[Storage]]:
        """Storages that may be taken over, by the op that reads them last; as in the seed, none that is written and
        never read."""
        freed: dict[Operation, set[Storage]] = {}
        for storage, life in self.of.items():
            read, written = life.reader, life.writer
            if life.shared and read is not None and (written is None or self.at[written] <= self.at[read]):
                freed.setdefault(read, set()).add(storage)
        return freed


def _may_share(value: SSAValue, storage: Storage) -> bool:
    """Storages of results, and of arguments that are donated, may be given away or taken."""
    if storage.kind is PlaceKind.ARGUMENT:
        return isinstance(value, BlockArgument) and attrs.is_donated(value)
    return storage.kind in (PlaceKind.OWN, PlaceKind.NUMBERED) and isinstance(value, OpResult)


def _op_in(block: Block, op: Operation | None) -> Operation | None:
    """`op`, or the op around it, that stands in `block`."""
    if op is None:
        return None
    return next((at for at in chain((op,), ancestors(op)) if at.parent_block() is block), None)


def pooled(func: FuncOp, level: int, fill_first: bool) -> dict[SSAValue, SSAValue]:
    """The donor of each storage that takes over memory, both as the values that open them, in the order of the ops.

    Args:
        level: 0, shapes must be equal; 1, the taker has no more elements than the donor.
        fill_first: the seed's literal order, which is unsound.
    """
    found = StorageUses(func)
    made, freed = found.made_by(), found.freed_by()
    donors: dict[Storage, Storage] = {}
    for op in found.at:
        for block in (b for region in op.regions for b in region.blocks):
            pool = Pool[Storage, TensorInfo](lambda s: found.placed.sizes[found.of[s].opener], FITS[level])
            steps = [
                PoolStep(tuple(made.get(o, ())), _dying(found, o, freed)) for o in block.ops if not is_region_op(o)
            ]
            donors |= share(steps, pool, fill_first)
    return {found.of[taker].opener: found.of[donor].opener for taker, donor in donors.items()}


def _dying(found: StorageUses, op: Operation, freed: dict[Operation, set[Storage]]) -> tuple[Storage, ...]:
    """The storages that `op` reads last, in the order of its operands."""
    dying = freed.get(op, frozenset[Storage]())
    order = dict.fromkeys(found.placed.of[v].storage for v in op.operands if v in found.placed.of)
    return tuple(s for s in order if s in dying)


def _equal(taker: TensorInfo, donor: TensorInfo) -> bool:
    return taker == donor


def _no_larger(taker: TensorInfo, donor: TensorInfo) -> bool:
    if taker.dtype != donor.dtype:
        return False
    few, many = taker.elements, donor.elements
    if isinstance(few, int) and isinstance(many, int):
        return few <= many
    return _is_unknown(few) and _is_unknown(many) and _at_most(few, many)


def _is_unknown(size: Dim) -> bool:
    return isinstance(size, Poly)


def _at_most(few: Dim, many: Dim) -> bool:
    """Whatever the symbols stand for, as no size is negative."""
    rest = many - few
    return rest >= 0 if isinstance(rest, int) else all(c >= 0 for _, c in rest.terms)


FITS = (_equal, _no_larger)
"""By level: whether a value of the first type may take the memory of one of the second."""
