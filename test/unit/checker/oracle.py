"""A byte-by-byte interpreter of plans, with poisoned memory: does a plan do what the program says?

It takes places from the place rules, as lowering does, and contracts from the ops, and nothing from the checker. A byte
is a number that stands for its history: two are equal only if they were computed in the same way from equal bytes. The
program runs twice at once, as values and in memory, down one random path; what an op reads from memory is compared with
what it should be. Where no contract permits an overlap the op runs unbuffered, in random order.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b

import numpy as np
from memory_image import Bytes, Image, Unsupported, Wrong, dense_of
from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, contract_of

__all__ = ["EFFORT", "Oracle", "Unsupported", "Wrong"]

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
"""How many times as many programs are tried as in `make check`."""
MOST_BLOCKS = 40
"""Blocks of one region that a run goes through before it stops; what it saw until then counts."""


class Stop(Exception):
    """The run is long enough."""


def digest(*parts: object) -> int:
    """A number for a history."""
    hashed = blake2b(digest_size=8)
    for part in parts:
        hashed.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return int.from_bytes(hashed.digest(), "little")


def spread(seed: int, size: int) -> Bytes:
    """Bytes of one history: no two are the same, and none is poison, which is negative."""
    steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    steps = (steps ^ (steps >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (steps >> np.uint64(2)).astype(np.int64)


class Oracle:
    """Runs one function as values and in memory.

    Raises:
        Unsupported: unknown sizes, much memory, calls with bodies, foreign ops with regions.
    """

    def __init__(self, function: FuncOp) -> None:
        self.func = function
        self.image = Image(function)
        self.numbers = {op: n for n, op in enumerate(function.walk())}
        self.has = self.image.address.__contains__
        for op in self.numbers:
            known = isinstance(op, (scf.ForOp, scf.IfOp, scf.WhileOp, FuncOp))
            if (op.regions and not known and contract_of(op).foreign) or isinstance(op, func.CallOp):
                raise Unsupported(op.name)

    def right(self, trials: int, seed: int = 0) -> bool:
        """Whether the plan is right in that many runs."""
        try:
            for trial in range(trials):
                self.run(random.Random(seed * 1000 + trial))
        except Wrong:
            return False
        return True

    def run(self, rng: random.Random) -> None:
        """One run; raises `Wrong`."""
        self.rng = rng
        self.image.poison(rng.getrandbits(32))
        self.values: dict[SSAValue, Bytes] = {}
        block = self.func.body.blocks.first
        assert block is not None
        held = [*block.args, *(r for op in self.numbers if op.results and contract_of(op).constant for r in op.results)]
        for number, value in enumerate(held):
            if self.has(value):
                self.values[value] = spread(digest("held", number), self.image.address[value].size)
                self.image.memory[self.image.address[value]] = self.values[value]
        self._ties()
        with suppress(Stop):
            self._region(self.func.body)

    def _ties(self) -> None:
        """What no run can show, and the rules say: a number stands for one argument, a tie for one result that fits."""
        arguments = self.func.body.blocks[0].args
        numbers = [n for a in arguments if (n := attrs.argument_reuse(a)) >= 0 and self.has(a)]
        if len(numbers) != len(set(numbers)):
            raise Wrong("two arguments in one storage")
        ends: set[int] = set()
        for index, type_ in enumerate(self.func.function_type.outputs.data):
            tied = attrs.tied_argument(self.func, index)
            if tied is None:
                continue
            if tied in ends or tied >= len(arguments) or arguments[tied].type != type_:
                raise Wrong("tied")
            ends.add(tied)

    # Control

    def _region(self, region: Region) -> Operation:
        """Runs a region down a random path; the op it ends with."""
        block: Block | None = region.blocks.first
        for _ in range(MOST_BLOCKS):
            assert block is not None
            last = block.last_op
            assert last is not None
            for op in block.ops:
                if op is not last:
                    self._op(op)
            if not last.successors:
                if isinstance(last, func.ReturnOp):
                    for value in last.operands:
                        self._expect(value)
                return last
            block, pairs = self.rng.choice(_branches(last))
            self._move(pairs)
        raise Stop

    def _op(self, op: Operation) -> None:
        match op:
            case scf.IfOp():
                arm = self.rng.choice(op.regions)
                if arm.blocks.first is not None:
                    self._move(list(zip(self._region(arm).operands, op.results, strict=True)))
            case scf.ForOp():
                self._move(list(zip(op.iter_args, op.results, strict=True)))
                for _ in range(self.rng.randint(0, 3)):
                    self._same(op.results, op.body.block.args[1:])
                    self._move(list(zip(self._region(op.body).operands, op.results, strict=True)))
            case scf.WhileOp():
                self._while(op)
            case _:
                self._step(op)

    def _while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block.args, op.after_region.block.args
        self._move(list(zip(op.arguments, before, strict=True)))
        for turn in range(4):
            passed = self._region(op.before_region).operands[1:]
            self._move(list(zip(passed, op.results, strict=True)))
            if turn == 3 or self.rng.random() < 0.4:
                return
            self._same(op.results, after)
            self._move(list(zip(self._region(op.after_region).operands, before, strict=True)))

    def _same(self, slots: Sequence[SSAValue], arguments: Sequence[SSAValue]) -> None:
        """Region arguments that are the slots themselves."""
        for slot, argument in zip(slots, arguments, strict=True):
            if self.has(slot):
                self.values[argument] = self.values[slot]

    def _move(self, pairs: Sequence[tuple[SSAValue, SSAValue]]) -> None:
        """A parallel move: all sources are read, then all destinations written; forwarded ones lie elsewhere."""
        pairs = [(s, t) for s, t in pairs if self.has(t)]
        made = {t: self.values[s] for s, t in pairs}
        bound = [(t, self.image.now(s)) for s, t in pairs if self.image.is_forwarded(t)]
        copied = [(s, t) for s, t in pairs if not self.image.is_forwarded(t)]
        read = [(t, self.image.load(s)) for s, t in copied if not self.image.together(s, t)]
        self.rng.shuffle(read)
        for target, found in read:
            self.image.store(self.image.address[target], found)
        for target, base in bound:
            self.image.bind(target, base)
        self.values.update(made)
        for _, target in pairs:
            self._expect(target)

    # Ops

    def _expect(self, value: SSAValue) -> None:
        if self.has(value) and not np.array_equal(self.image.load(value), self.values[value]):
            raise Wrong(f"{value}")

    def _step(self, op: Operation) -> None:
        contract = contract_of(op)
        if contract.constant or not any(map(self.has, (*op.operands, *op.results))):
            return
        if contract.foreign:
            self._foreign(op)
            return
        if any(self.image.is_forwarded(op.results[result]) for result, _ in contract.forwards):
            result, operand = self.rng.choice(contract.forwards)
            self._move([(op.operands[operand], op.results[result])])
            return
        moves = self.image.contributions(op, contract) if contract.views or contract.contributions else []
        if moves is None:
            self._kernel(op, contract._replace(over=()))
        elif moves:
            self._carry(op, contract, moves)
        else:
            self._kernel(op, contract)

    def _foreign(self, op: Operation) -> None:
        """Each result is fresh, or some bytes of the operands."""
        operands, results = [v for v in op.operands if self.has(v)], [r for r in op.results if self.has(r)]
        for value in operands:
            self._expect(value)
        values = [self.values[v] for v in operands]
        room = sum(v.size for v in values)
        hosts = [self.image.now(v) for v in operands]
        for result in results:
            if self.image.placed.of[result].storage.key is not result:
                raise Wrong("a foreign op does not know places")
            size = self.image.address[result].size
            if not room or not size or self.rng.random() < 0.3:
                self.values[result] = spread(digest(self.numbers[op], result.index, *values), size)
                self.image.lend(result, None)
                self.image.memory[self.image.address[result]] = self.values[result]
                continue
            start = self.rng.choice([0, max(room - size, 0), self.rng.randint(0, room - 1)])
            picked = (start + np.arange(size)) % room  # several times over, as a broadcast has them, if need be
            self.values[result] = np.concatenate(values)[picked]
            self.image.lend(result, np.concatenate(hosts)[picked])

    def _carry(
        self, op: Operation, contract: Contract, moves: Sequence[tuple[SSAValue, SSAValue, Bytes, Bytes]]
    ) -> None:
        """Views, where nothing runs but what was made a copy, and carriers."""
        image = self.image
        for result in op.results:
            self.values[result] = np.zeros(image.address[result].size, dtype=np.int64)
        sources: list[Bytes] = []
        targets: list[Bytes] = []
        whole: list[SSAValue] = list(op.results) if contract.contributions else []
        for operand, result, source, target in moves:
            self.values[result][target] = self.values[operand][source]
            here = np.array_equal(image.address[operand][source], image.address[result][target])
            if contract.views and not (here and not attrs.is_copy(op)):
                whole.append(result)
            if not here:
                sources.append(image.now(operand)[source])
                targets.append(image.address[result][target])
        filled = self._filled(op, contract, moves)
        image.copy(sources, targets, filled, self.rng)
        for result in whole:
            self._expect(result)

    def _filled(
        self, op: Operation, contract: Contract, moves: Sequence[tuple[SSAValue, SSAValue, Bytes, Bytes]]
    ) -> Bytes:
        """Addresses that the op fills itself."""
        if not contract.fill:
            return np.zeros(0, dtype=np.int64)
        rest = np.ones(self.image.address[op.results[0]].size, dtype=bool)
        for _, _, _, target in moves:
            rest[target] = False
        return self.image.address[op.results[0]][rest]

    def _kernel(self, op: Operation, contract: Contract) -> None:
        image = self.image
        read = [(k, v) for k, v in enumerate(op.operands) if k not in contract.metadata_only and self.has(v)]
        results = [r for r in op.results if self.has(r)]
        if not contract.strided and not all(image.is_dense(v) for v in (*results, *(v for _, v in read))):
            raise Wrong("strides")
        for _, value in read:
            self._expect(value)
        seen = [image.load(v) for _, v in read]
        made = self._made(op, seen)
        scratch = self._scratch(op, contract)
        loose = self._loose(op, contract, read, scratch)
        image.store(scratch, np.full(scratch.size, -self.rng.getrandbits(60), dtype=np.int64))
        if any(mask.any() for mask in loose):
            self._begin(made)
            again = [np.where(mask, image.load(v), was) for (_, v), mask, was in zip(read, loose, seen, strict=True)]
            made, self.values = self._made(op, again), self.values | made
        else:
            self.values |= made
        order = list(made)
        self.rng.shuffle(order)
        for result in order:
            image.store(image.address[result], made[result])
        image.store(scratch, np.full(scratch.size, -self.rng.getrandbits(60), dtype=np.int64))
        for result in results:  # results over each other, or over scratch, show even when no op reads them
            self._expect(result)

    def _made(self, op: Operation, operands: Sequence[Bytes]) -> dict[SSAValue, Bytes]:
        seen = digest(self.numbers[op], *operands)
        return {r: spread(digest(seen, r.index), self.image.address[r].size) for r in op.results if self.has(r)}

    def _begin(self, made: dict[SSAValue, Bytes]) -> None:
        """Some result bytes are written before the last operand byte is read."""
        for result, bytes_ in made.items():
            count = self.rng.randint(1, bytes_.size) if bytes_.size else 0
            some = np.array(self.rng.sample(range(bytes_.size), count), dtype=np.int64)
            self.image.store(self.image.address[result][some], bytes_[some])

    def _scratch(self, op: Operation, contract: Contract) -> Bytes:
        given = op.attributes.get(attrs.SCRATCH_OFFSET)
        if not contract.scratch or not isinstance(given, IntegerAttr) or given.value.data < 0:
            return np.zeros(0, dtype=np.int64)
        return self.image.arena(given.value.data, contract.scratch)

    def _loose(
        self, op: Operation, contract: Contract, read: Sequence[tuple[int, SSAValue]], scratch: Bytes
    ) -> list[Bytes]:
        """For each operand that is read, which bytes change under the kernel's hands: they lie on a result or on
        scratch, without permission."""
        image = self.image
        at = {k: image.now(v) for k, v in read}
        masks = {k: np.isin(a, scratch) for k, a in at.items()}
        for result in op.results:
            if not self.has(result):
                continue
            mine = image.address[result]
            meets = {k: mask for k, a in at.items() if (mask := np.isin(a, mine)).any()}
            allowed: set[int] = set()
            for over in contract.over:
                if over.result != result.index or over.operand not in meets:
                    continue
                exact = {k for k in meets if np.array_equal(at[k], mine)}
                types = [dense_of(image.placed, v).item for v in (op.operands[over.operand], result)]
                same = image.placed.sizes[op.operands[over.operand]].dtype == image.placed.sizes[result].dtype
                if over.operand in exact and same and types[0] == types[1]:
                    allowed = max(allowed, exact if over.allow_same_operand else {over.operand}, key=len)
            for k, mask in meets.items():
                if k not in allowed:
                    masks[k] |= mask
        return [masks[k] for k, _ in read]


def _branches(last: Operation) -> list[tuple[Block, list[tuple[SSAValue, SSAValue]]]]:
    """Where a branch may go, with what moves into the arguments there."""
    match last:
        case cf.BranchOp():
            ways = [(last.successor, last.arguments)]
        case cf.ConditionalBranchOp():
            ways = [(last.then_block, last.then_arguments), (last.else_block, last.else_arguments)]
        case cf.SwitchOp():
            cases = zip(last.case_blocks, last.case_operand, strict=True)
            ways = [(last.default_block, last.default_operands), *cases]
        case _:
            raise Unsupported(last.name)
    return [(block, list(zip(values, block.args, strict=True))) for block, values in ways]
