"""The memory of one function as the oracle sees it: every byte of every storage, in one array."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.ir.tensor_types import item_bytes
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import ARENA, PlaceKind, Places, Storage, assign_places
from lastuse.dialect.storage.contract import Contract, contract_of
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import LayoutMap, Strided

Bytes = np.ndarray
MOST_BYTES = 1 << 18


class Wrong(Exception):
    """The plan does not do what the program says."""


class Unsupported(Exception):
    """Not a program for the oracle."""


def dense_of(placed: Places, value: SSAValue) -> Strided:
    """The value as dense bytes from 0."""
    type_ = placed.sizes[value]
    shape = [d for d in type_.known if isinstance(d, int)]
    if len(shape) != len(type_.known):
        raise Unsupported("unknown sizes")
    return Strided.dense(shape, item_bytes(type_.dtype))


def picked(map_: LayoutMap, type_: Strided) -> Bytes | None:
    """Bytes of a dense value that a map picks, in order; None where it cannot say."""
    found = map_(type_)
    return found.bytes() if found is not None else None


class Image:
    """Addresses in one array: `address[v]` has those of a value's bytes, in order."""

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.placed = assign_places(func)
        self.base: dict[Storage, int] = {}
        self._moves: dict[Operation, list[tuple[SSAValue, SSAValue, Bytes, Bytes]] | None] = {}
        inside: dict[SSAValue, Bytes] = {}
        spans: dict[Storage, list[int]] = {ARENA: [0, self._arena_end()]}
        if sum(dense_of(self.placed, v).nbytes for v in self.placed.of) > MOST_BYTES:
            raise Unsupported("much memory")
        for value, (storage, layout) in self.placed.of.items():
            if not isinstance(layout, Strided):
                raise Unsupported("unknown sizes")
            inside[value] = layout.bytes()
            if inside[value].size:
                low, high = spans.setdefault(storage, [0, 0])
                spans[storage] = [min(low, int(inside[value].min())), max(high, int(inside[value].max()) + 1)]
        self.size = 0
        for storage, (low, high) in spans.items():
            self.base[storage] = self.size - low
            self.size += high - low
        self.address = {v: at + self.base.get(self.placed.of[v].storage, 0) for v, at in inside.items()}
        self.closed = self._closed(spans)
        self.forwarded = {v: inside[v] for v, p in self.placed.of.items() if p.storage.kind is PlaceKind.FORWARDED}

    def is_forwarded(self, value: SSAValue) -> bool:
        """It lies where an operand lies, and is no value that lies there too."""
        if value not in self.forwarded:
            return False
        opener = self.placed.of[value].storage.key
        slot = Decisions().slot_of(value) if isinstance(value, BlockArgument) else None
        return opener in (value, slot)

    def bind(self, value: SSAValue, base: Bytes) -> None:
        """All that lies in the storage of a forwarded value is in the bytes `base` from now on."""
        for other, inside in self.forwarded.items():
            if self.placed.of[other].storage == self.placed.of[value].storage:
                if inside.size and inside.max() >= base.size:
                    raise Wrong("not of one size")
                self.address[other] = base[inside]

    def is_dense(self, value: SSAValue) -> bool:
        return bool((np.diff(self.address[value]) == 1).all())

    def _arena_end(self) -> int:
        """Beyond the last byte of the arena, of anything planned there."""
        ends = [0]
        for op in self.func.walk():
            given = op.attributes.get(attrs.SCRATCH_OFFSET)
            if isinstance(given, IntegerAttr):
                ends.append(given.value.data + contract_of(op).scratch)
        arena = self.func.attributes.get(attrs.ARENA_BYTES)
        return max(ends) if not isinstance(arena, IntegerAttr) else max(*ends, arena.value.data)

    def _closed(self, spans: dict[Storage, list[int]]) -> Bytes:
        """Whether a byte must not be written: read-only, borrowed, or not there."""
        closed = np.zeros(self.size, dtype=bool)
        writable = attrs.writable_arguments(self.func)
        arguments = self.func.body.blocks[0].args
        given = self.func.attributes.get(attrs.ARENA_BYTES)
        arena = given.value.data if isinstance(given, IntegerAttr) else 0
        foreign = {r for op in self.func.walk() if contract_of(op).foreign and not op.regions for r in op.results}
        for storage, (low, high) in spans.items():
            at = slice(self.base[storage] + low, self.base[storage] + high)
            match storage.kind:
                case PlaceKind.CONSTANT:
                    closed[at] = True
                case PlaceKind.ARENA:
                    closed[self.base[storage] + arena : at.stop] = True
                case PlaceKind.ARGUMENT:
                    assert isinstance(storage.key, int)
                    size = dense_of(self.placed, arguments[storage.key]).nbytes
                    closed[at if storage.key not in writable else slice(self.base[storage] + size, at.stop)] = True
                case _:
                    closed[at] = storage.key in foreign
        return closed

    # One run

    def poison(self, seed: int) -> None:
        """Every byte holds an undefined value."""
        self.memory = -np.random.default_rng(seed).integers(1, 1 << 60, self.size)
        self.lent: dict[Storage, Bytes] = {}
        for value, inside in self.forwarded.items():
            self.address[value] = inside + self.base.get(self.placed.of[value].storage, 0)

    def lend(self, value: SSAValue, host: Bytes | None) -> None:
        """A value in storage of its own is the bytes `host`, or its own again."""
        storage = self.placed.of[value].storage
        self.lent.pop(storage, None)
        if host is not None:
            self.lent[storage] = host

    def now(self, value: SSAValue) -> Bytes:
        """Where a value's bytes are in this run: elsewhere than its address says where they are borrowed."""
        storage = self.placed.of[value].storage
        if storage in self.lent:
            return self.lent[storage][self.address[value] - self.base[storage]]
        return self.address[value]

    def together(self, a: SSAValue, b: SSAValue) -> bool:
        return np.array_equal(self.address[a], self.address[b])

    def load(self, value: SSAValue) -> Bytes:
        return self.memory[self.now(value)]

    def store(self, at: Bytes, bytes_: Bytes) -> None:
        """Write bytes at addresses; raises `Wrong` for bytes that may not be written."""
        if self.closed[at].any():
            raise Wrong("read-only, borrowed, or not there")
        self.memory[at] = bytes_

    def arena(self, start: int, size: int) -> Bytes:
        """Addresses of a range of the arena."""
        return np.arange(start, start + size) + self.base[ARENA]

    def copy(self, sources: Sequence[Bytes], targets: Sequence[Bytes], filled: Bytes, rng: random.Random) -> None:
        """Copy byte by byte in random order, unbuffered; `filled` gets zeros."""
        if not sources and not filled.size:
            return
        froms = np.concatenate([*sources, np.full(filled.size, -1)])
        tos = np.concatenate([*targets, filled])
        if self.closed[tos].any():
            raise Wrong("read-only, borrowed, or not there")
        order = np.array(rng.sample(range(tos.size), tos.size), dtype=np.int64)
        froms, tos = froms[order], tos[order]
        if np.intersect1d(froms, tos).size:
            for source, to in zip(froms.tolist(), tos.tolist(), strict=True):
                self.memory[to] = self.memory[source] if source >= 0 else 0
        else:
            self.memory[tos] = np.where(froms >= 0, self.memory[froms], 0)

    # What ops carry

    def contributions(self, op: Operation, contract: Contract) -> list[tuple[SSAValue, SSAValue, Bytes, Bytes]] | None:
        """(operand, result, bytes of the operand, bytes of the result) of views and carriers; None where a map cannot
        be followed, or where two elements are one byte: the op is a kernel then."""
        if op not in self._moves:
            self._moves[op] = self._contributions(op, contract)
        return self._moves[op]

    def _contributions(self, op: Operation, contract: Contract) -> list[tuple[SSAValue, SSAValue, Bytes, Bytes]] | None:
        found: list[tuple[SSAValue, SSAValue, Bytes, Bytes]] = []
        for view in contract.views:
            operand, result = op.operands[view.operand], op.results[view.result]
            source = picked(view.map, dense_of(self.placed, operand))
            if source is None:
                return None
            found.append((operand, result, source, np.arange(dense_of(self.placed, result).nbytes)))
        for carry in contract.contributions:
            operand, result = op.operands[carry.operand], op.results[0]
            whole = dense_of(self.placed, result)
            into = picked(carry.into, whole)
            if into is None or np.unique(into).size != into.size:
                return None
            if carry.complement:
                rest = np.setdiff1d(np.arange(whole.nbytes), into)
                found.append((operand, result, rest, rest))
            else:
                found.append((operand, result, np.arange(into.size), into))
        return found
