"""A byte-by-byte interpreter of straight-line plans, with poisoned memory: does a plan do what the program says?

It takes places from the place rules, as lowering does, and contracts from the ops, and nothing from the checker. Bytes
are numbers that stand for their history: two are equal only if they were computed in the same way from equal bytes.
Overlaps that no contract permits are run byte by byte, unbuffered, in random order.
"""

from __future__ import annotations

import random

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect import decisions
from lastuse.dialect.layout import Strided
from lastuse.dialect.place import ARENA, Kind, Places, Storage, places
from lastuse.dialect.storage import Carry, Contract, contract_of

Bytes = np.ndarray


class Wrong(Exception):
    """The plan does not do what the program says."""


def digest(*parts: object) -> int:
    return hash(parts) & 0x7FFFFFFFFFFFFFFF


def kernel_bytes(op: int, result: int, size: int, operands: list[Bytes]) -> Bytes:
    seen = digest(op, result, *(tuple(b.tolist()) for b in operands))
    return np.array([digest(seen, j) for j in range(size)], dtype=np.int64)


def indices(map_, type_: Strided) -> Bytes:
    """Bytes of a dense value that a map picks, in order."""
    picked = map_(type_)
    assert picked is not None
    return picked.bytes()


def dense_of(placed: Places, value: SSAValue) -> Strided:
    type_ = placed.sizes[value]
    return Strided.dense([d for d in type_.known if isinstance(d, int)], {"i8": 1, "i16": 2, "i64": 8}[type_.dtype])


def contributions(op: Operation, contract: Contract, placed: Places) -> list[tuple[int, int, Bytes, Bytes]]:
    """(operand, result, bytes of the operand, bytes of the result) of views and carriers."""
    found: list[tuple[int, int, Bytes, Bytes]] = []
    for view in contract.views:
        size = dense_of(placed, op.results[view.result]).nbytes
        picked = indices(view.map, dense_of(placed, op.operands[view.operand]))
        found.append((view.operand, view.result, picked, np.arange(size)))
    for carry in contract.carries:
        into = indices(carry.into, dense_of(placed, op.results[0]))
        found.append((carry.operand, 0, *_ends(carry, into, dense_of(placed, op.results[0]).nbytes)))
    return found


def _ends(carry: Carry, into: Bytes, size: int) -> tuple[Bytes, Bytes]:
    if carry.rest:
        rest = np.setdiff1d(np.arange(size), into)
        return rest, rest
    return np.arange(into.size), into


class Oracle:
    """Runs one function twice: as values, and in memory."""

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.placed = places(func)
        self.ops = list(func.body.block.ops)
        self.naive = self._naive({})
        self.addresses = {v: p.layout.bytes() for v, p in self.placed.of.items() if isinstance(p.layout, Strided)}
        arena = func.attributes.get(decisions.ARENA_BYTES)
        self.arena = arena.value.data if isinstance(arena, IntegerAttr) else 0
        self.writable = decisions.writable_arguments(func)
        self.foreign = [r for op in self.ops if contract_of(op).foreign for r in op.results]

    def _naive(self, borrowed: dict[SSAValue, int]) -> dict[SSAValue, Bytes]:
        """What every value is; `borrowed` has for results of foreign ops the byte of all operands they start at."""
        values: dict[SSAValue, Bytes] = {}
        for argument in self.func.body.block.args:
            size = dense_of(self.placed, argument).nbytes
            values[argument] = np.array([digest("arg", argument.index, j) for j in range(size)], dtype=np.int64)
        for number, op in enumerate(self.ops):
            contract = contract_of(op)
            for result in op.results:
                values[result] = np.zeros(dense_of(self.placed, result).nbytes, dtype=np.int64)
            if contract.views or contract.carries:
                for operand, result, source, target in contributions(op, contract, self.placed):
                    values[op.results[result]][target] = values[op.operands[operand]][source]
                continue
            read = [values[v] for k, v in enumerate(op.operands) if k not in contract.unread]
            for result in op.results:
                size, start = values[result].size, borrowed.get(result)
                fresh = kernel_bytes(number, result.index, size, read)
                values[result] = fresh if start is None else np.concatenate(read)[start : start + size]
        return values

    def right(self, trials: int, seed: int = 0) -> bool:
        """Whether the plan is right in that many runs."""
        try:
            for trial in range(trials):
                self.run(random.Random(seed * 1000 + trial))
        except Wrong:
            return False
        return True

    # One run

    def run(self, rng: random.Random) -> None:
        """One run; raises `Wrong`."""
        self.rng = rng
        self.memory: dict[tuple[Storage, int], int] = {}
        self.alias: dict[tuple[Storage, int], tuple[Storage, int]] = {}
        self.borrowed = {r: start for r in self.foreign if (start := self._start(r)) is not None}
        self.values = self._naive(self.borrowed) if self.foreign else self.naive
        for value in self.placed.of:
            held = isinstance(value, BlockArgument) or contract_of(value.owner).constant  # pyright: ignore
            if held:
                for at, byte in zip(self._at(value), self.naive[value].tolist(), strict=True):
                    self.memory[at] = byte
        for number, op in enumerate(self.ops):
            if isinstance(op, ReturnOp):
                self._return(op)
            else:
                self._run(number, op)

    def _at(self, value: SSAValue) -> list[tuple[Storage, int]]:
        storage = self.placed.of[value].storage
        return [(storage, int(a)) for a in self.addresses[value]]

    def _load(self, at: tuple[Storage, int]) -> int:
        at = self.alias.get(at, at)
        if at not in self.memory:
            self.memory[at] = -self.rng.getrandbits(60)
        return self.memory[at]

    def _store(self, at: tuple[Storage, int], byte: int, borrower: SSAValue | None = None) -> None:
        storage, address = at
        if storage.kind is Kind.CONSTANT or (storage.kind is Kind.ARGUMENT and storage.key not in self.writable):
            raise Wrong("read-only")
        if storage.key in self.foreign and storage.key is not borrower:
            raise Wrong("borrowed")
        if storage == ARENA and not 0 <= address < self.arena:
            raise Wrong("arena")
        if storage.kind is Kind.ARGUMENT:
            assert isinstance(storage.key, int)
            if address >= self.naive[self.func.body.block.args[storage.key]].size:
                raise Wrong("argument")
        self.memory[at] = byte

    def _bytes(self, value: SSAValue) -> Bytes:
        return np.array([self._load(a) for a in self._at(value)], dtype=np.int64)

    def _run(self, number: int, op: Operation) -> None:
        contract = contract_of(op)
        if contract.constant:
            return
        if contract.foreign:
            self._foreign(op)
        elif contract.views or contract.carries:
            self._carry(op, contract)
        else:
            self._kernel(op, number, contract)

    def _start(self, result: OpResult) -> int | None:
        """A result of a foreign op is fresh, or these bytes of its operands."""
        size, room = self.naive[result].size, sum(self.naive[v].size for v in result.op.operands)
        if room < size or self.rng.random() < 0.3:
            return None
        return self.rng.choice([0, room - size, self.rng.randint(0, room - size)])

    def _foreign(self, op: Operation) -> None:
        if any(self.placed.of[r].storage.key is not r for r in op.results):
            raise Wrong("a foreign op does not know places")
        for value in op.operands:
            self._expect(value)
        sources = [a for v in op.operands for a in self._at(v)]
        for result in op.results:
            start = self.borrowed.get(result)
            for j, at in enumerate(self._at(result)):
                if start is None:
                    self._store(at, int(self.values[result][j]), result)
                else:
                    self.alias[at] = self.alias.get(sources[start + j], sources[start + j])

    def _carry(self, op: Operation, contract: Contract) -> None:
        steps: list[tuple[tuple[Storage, int], tuple[Storage, int] | None]] = []
        covered: set[int] = set()
        for operand, result, source, target in contributions(op, contract, self.placed):
            froms, tos = self._at(op.operands[operand]), self._at(op.results[result])
            pairs = [(froms[s], tos[t]) for s, t in zip(source.tolist(), target.tolist(), strict=True)]
            covered.update(target.tolist())
            if contract.views and decisions.is_copy(op) and pairs and all(a == b for a, b in pairs):
                continue
            if any(a != b for a, b in pairs):
                steps += [(b, a) for a, b in pairs]
        if contract.fill:
            tos = self._at(op.results[0])
            steps += [(tos[j], None) for j in range(len(tos)) if j not in covered]
        self.rng.shuffle(steps)
        for to, source in steps:
            self._store(to, 0 if source is None else self._load(source))
        for result in op.results if contract.carries else ():
            self._expect(result)

    def _kernel(self, op: Operation, number: int, contract: Contract) -> None:
        read = [(k, v) for k, v in enumerate(op.operands) if k not in contract.unread]
        if not contract.strided and any(not self._dense(v) for v in (*op.results, *(v for _, v in read))):
            raise Wrong("strides")
        for _, value in read:
            self._expect(value)
        where = [(r, j, at) for r in op.results for j, at in enumerate(self._at(r))]
        scratch = self._scratch(op, contract)
        loose = self._loose(op, contract, read)
        fixed = {(k, j): self._load(a) for k, v in read for j, a in enumerate(self._at(v)) if (k, a) not in loose}
        for at in scratch:
            self._store(at, -self.rng.getrandbits(60))

        def operands() -> list[Bytes]:
            return [
                np.array([fixed.get((k, j)) or self._load(a) for j, a in enumerate(self._at(v))], dtype=np.int64)
                for k, v in read
            ]

        self.rng.shuffle(where)
        seen = operands()
        made = {r: kernel_bytes(number, r.index, self.naive[r].size, seen) for r in op.results}
        for result, j, at in where:
            if loose:
                made = {r: kernel_bytes(number, r.index, self.naive[r].size, operands()) for r in op.results}
            self._store(at, int(made[result][j]))
        for at in scratch:
            self._store(at, -self.rng.getrandbits(60))
        for result in op.results:  # results over each other, or over scratch, show even when nobody reads them
            self._expect(result)

    def _scratch(self, op: Operation, contract: Contract) -> list[tuple[Storage, int]]:
        given = op.attributes.get(decisions.SCRATCH_OFFSET)
        if not contract.scratch or not isinstance(given, IntegerAttr):
            return []
        return [(ARENA, given.value.data + j) for j in range(contract.scratch)]

    def _loose(
        self, op: Operation, contract: Contract, read: list[tuple[int, SSAValue]]
    ) -> set[tuple[int, tuple[Storage, int]]]:
        """Operand bytes that change under the kernel's hands: on a result or on scratch, without permission."""
        found: set[tuple[int, tuple[Storage, int]]] = set()
        for result in op.results:
            mine = self._at(result)
            taken = set(mine)
            meets = [k for k, v in read if taken & set(self._at(v))]
            allowed: set[int] = set()
            for over in contract.over:
                if over.result != result.index or over.operand not in meets:
                    continue
                exact = [k for k in meets if self._at(op.operands[k]) == mine]
                if over.operand in exact and op.operands[over.operand].type.element_type == result.type.element_type:  # pyright: ignore
                    better = set(exact) if over.repeats else {over.operand}
                    allowed = max(allowed, better, key=len)
            found |= {(k, a) for k in meets if k not in allowed for a in self._at(op.operands[k]) if a in taken}
        for k, v in read:
            found |= {(k, a) for a in self._scratch(op, contract) if a in set(self._at(v))}
        return found

    def _dense(self, value: SSAValue) -> bool:
        addresses = self.addresses[value]
        return bool((np.diff(addresses) == 1).all())

    def _expect(self, value: SSAValue) -> None:
        if not np.array_equal(self._bytes(value), self.values[value]):
            raise Wrong(f"{value}")

    def _return(self, op: ReturnOp) -> None:
        for value in op.operands:
            self._expect(value)
