"""Forwarded values: which values they may lie in, and which type of memref carries them.

Loops, branches and blocks carry the memref of a forwarded value beside scalars; `arith.select` chooses one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.assignment import PlaceKind, Places, Storage
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import same_bytes
from lastuse.passes.bufferization.memref_types import memory_type
from lastuse.passes.bufferization.signatures import tensor_type


class ForwardedMemrefs:
    """The forwarded values of a function.

    Args:
        decisions: what the places follow from.
        owned: values that are carried in memory of their own (`owned_values.py`).
    """

    def __init__(self, func: FuncOp, places: Places, decisions: Decisions, owned: frozenset[SSAValue]) -> None:
        self.places, self.decisions, self.owned = places, decisions, owned
        direct: dict[Storage, dict[SSAValue, None]] = {}
        for op in func.walk() if decisions.forwarded else ():
            for passed in passed_by(op):
                if passed.source in places.of and self.is_forwarded(passed.target):
                    direct.setdefault(places.of[passed.target].storage, {})[passed.source] = None
        self._sources = {storage: self._closed(storage, direct) for storage in direct}

    def is_forwarded(self, value: SSAValue) -> bool:
        """The value lies where the operand that was passed on lies; its memref is carried."""
        if value not in self.places.of or self.places.of[value].storage.kind is not PlaceKind.FORWARDED:
            return False
        slot = self.decisions.slot_of(value) if isinstance(value, BlockArgument) else None
        return self.places.of[value].storage.key in (value, slot)

    def is_carried(self, value: SSAValue) -> bool:
        """Boundaries pass it on as a value: a scalar, or the memref of a tensor that is forwarded or owned."""
        return value not in self.places.of or value in self.owned or self.is_forwarded(value)

    def sources(self, storage: Storage) -> Sequence[SSAValue]:
        """The values in whose places a forwarded storage may be; none of them is in a forwarded one."""
        return self._sources.get(storage, ())

    def hosted(self, values: Iterable[SSAValue]) -> Iterator[SSAValue]:
        """The forwarded values that may be in the memory of one of `values`."""
        storages = {s for v in values for s in self.storages(self.places.of[v].storage)}
        for value in self.decisions.forwarded:
            if value in self.places.of and storages & self.storages(self.places.of[value].storage):
                yield value

    def storages(self, storage: Storage) -> set[Storage]:
        """The storages that a storage may be: itself, or those of the values that are passed on."""
        if storage.kind is not PlaceKind.FORWARDED:
            return {storage}
        return {self.places.of[source].storage for source in self.sources(storage)}

    def carried_type(self, value: SSAValue, argument_type: Callable[[int], Attribute]) -> Attribute:
        """The type of the memref of a forwarded value: row-major from the first byte on, where all that is passed on is
        that, else at any strides."""
        dense = memory_type(tensor_type(value), strided=False)
        for source in self.sources(self.places.of[value].storage):
            root = self.places.rules.at[source][0]
            place = self.places.of[source]
            whole = same_bytes(self.places.of[root].layout, place.layout)
            argument = place.storage.key if place.storage.kind is PlaceKind.ARGUMENT else None
            if not whole or _is_strided(root) or (isinstance(argument, int) and argument_type(argument) != dense):
                return memory_type(tensor_type(value), strided=True)
        return dense

    def is_dense(self, storage: Storage) -> bool:
        """The memory is row-major from its first byte on, as far as is known."""
        is_given = isinstance(storage.key, SSAValue) and _is_strided(storage.key)
        return storage.kind is not PlaceKind.BORROWED and not is_given

    def _closed(self, storage: Storage, direct: Mapping[Storage, Mapping[SSAValue, None]]) -> tuple[SSAValue, ...]:
        found: dict[SSAValue, None] = {}
        reached, waiting = {storage}, [storage]
        while waiting:
            for source in direct.get(waiting.pop(), ()):
                inner = self.places.of[source].storage
                if inner.kind is not PlaceKind.FORWARDED:
                    found[source] = None
                elif inner not in reached:
                    reached.add(inner)
                    waiting.append(inner)
        return tuple(found)


def _is_strided(root: SSAValue) -> bool:
    """The value is memory that its op is given, as a memref that need not be row-major from its first byte on."""
    if is_unranked(root):
        return True
    if not isinstance(root, OpResult) or not contract_of(root.op).given:
        return False
    types = [v.type for v in root.op.operands]
    return not all(isinstance(t, MemRefType) and isinstance(t.layout, NoneAttr) for t in types)
