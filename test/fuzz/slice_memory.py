"""Runs a program on tensors twice at once: as values, and in memory under its plan, with poisoned bytes.

Places are those of the place rules; everything else is plain numpy. What an op reads of memory has to be what it reads
as a value, and so do results at the return. Slices out of bounds end a run: what they do is not defined.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Storage, assign_places
from lastuse.dialect.storage.layout import Layout, Strided, Whole
from lastuse.dialect.storage.runtime_slices import RuntimeSlice

ITEM = 8
ROOM = 64
"""Elements of a storage: more than any value has."""


class OutOfBounds(Exception):
    """The program slices outside of a tensor."""


class WrongPlan(Exception):
    """Memory does not hold what the program says."""


class SliceMemory:
    """One run of a function."""

    def __init__(self, function: FuncOp, rng: random.Random, indices: Sequence[int], count: int) -> None:
        self.func, self.rng = function, rng
        self.places = assign_places(function)
        self.values: dict[SSAValue, np.ndarray] = {}
        self.scalars: dict[SSAValue, int] = {}
        self.memory: dict[Storage, np.ndarray] = {}
        self.bound: dict[Storage, tuple[Storage, np.ndarray]] = {}
        """Of a forwarded storage, where its elements are on the path taken."""
        given = iter(indices)
        for argument in function.args:
            if isinstance(argument.type, TensorType):
                size = argument.type.get_shape()[0]
                self.values[argument] = self.fresh(count if size < 0 else size)
                self.put(argument, self.values[argument])
            else:
                self.scalars[argument] = next(given)
        self.before = {a: self.taken(a).copy() for a in function.args if a in self.values}

    def fresh(self, size: int) -> np.ndarray:
        """Numbers that are nowhere else."""
        return np.array([self.rng.getrandbits(60) for _ in range(size)], dtype=np.int64)

    def run(self) -> None:
        """Raises `WrongPlan` or `OutOfBounds`."""
        returned = self.block(self.func.body.blocks[0])
        for value in returned:
            if value in self.values:
                self.read(value)
        kept = [a for a in self.before if a.index not in attrs.writable_arguments(self.func)]
        for argument in kept:
            if not np.array_equal(self.taken(argument), self.before[argument]):
                raise WrongPlan(f"argument {argument.index} was written")

    # Memory

    def elements(self, layout: Layout, value: SSAValue) -> np.ndarray:
        """Numbers of the elements of a storage that a value at `layout` has."""
        match layout:
            case Strided():
                at = np.array([layout.offset // ITEM])
                for size, stride in zip(layout.sizes, layout.strides, strict=True):
                    at = (at[:, None] + np.arange(size) * (stride // ITEM)).reshape(-1)
                return at
            case Whole():
                assert layout.offset == 0
                return np.arange(self.size_of(layout, value))
            case RuntimeSlice():
                (offset,), (size,), (step,) = layout.bounds
                room = self.elements(layout.room, value)
                first, count = self.number(offset), self.number(size)
                if first < 0 or first + count > len(room):
                    raise WrongPlan("a part is outside of its base, and the program slices nothing there")
                return room[first : first + count * step : step]
            case _:
                raise AssertionError(layout)

    def size_of(self, layout: Whole, value: SSAValue) -> int:
        """Elements of a dense value of unknown size: those of any value that has that layout."""
        if value in self.values and self.places.of[value].layout == layout:
            return len(self.values[value])
        storage = self.places.of[value].storage
        same = (v for v, p in self.places.of.items() if p == (storage, layout) and v in self.values)
        return len(self.values[next(same)])

    def where(self, value: SSAValue) -> tuple[Storage, np.ndarray]:
        """Where the elements of a value are in memory."""
        storage, layout = self.places.of[value]
        at = self.elements(layout, value)
        while storage in self.bound:
            storage, base = self.bound[storage]
            at = base[at]
        if storage not in self.memory:
            self.memory[storage] = self.fresh(ROOM)
        return storage, at

    def taken(self, value: SSAValue) -> np.ndarray:
        storage, at = self.where(value)
        return self.memory[storage][at]

    def put(self, value: SSAValue, numbers: np.ndarray, where: slice | np.ndarray | None = None) -> None:
        """Writes a value to its place, or the elements `where` of it."""
        storage, at = self.where(value)
        if storage.kind is PlaceKind.CONSTANT:
            raise WrongPlan("a constant is written")
        self.memory[storage][at if where is None else at[where]] = numbers

    def read(self, value: SSAValue, where: np.ndarray | None = None) -> np.ndarray:
        """What memory holds of a value that an op reads: the elements `where` of it."""
        have, want = self.taken(value), self.values[value]
        if where is not None:
            have, want = have[where], want[where]
        if not np.array_equal(have, want):
            raise WrongPlan(f"{value.name_hint} is gone")
        return have

    def is_at(self, value: SSAValue, other: SSAValue, where: np.ndarray | None = None) -> bool:
        """`value` has the bytes of `other`, or of its elements `where`."""
        (storage, one), (home, two) = self.where(value), self.where(other)
        return storage == home and np.array_equal(one, two if where is None else two[where])

    # Ops

    def number(self, index: int | SSAValue) -> int:
        return index if isinstance(index, int) else self.scalars[index]

    def block(self, block: Block) -> Sequence[SSAValue]:
        """Runs a block; what its last op is given."""
        for op in block.ops:
            if isinstance(op, func.ReturnOp | scf.YieldOp):
                return op.operands
            self.op(op)
        return ()

    def op(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp():
                assert isinstance(op.value, IntegerAttr)
                self.scalars[op.result] = op.value.value.data
            case arith.CmpiOp():
                self.scalars[op.result] = self.scalars[op.lhs] < self.scalars[op.rhs]
            case arith.AddiOp() | arith.SubiOp() | arith.MuliOp():
                self.compute(op)
            case tensor.ExtractSliceOp():
                at = self.slice(op, op.source)
                self.values[op.result] = self.values[op.source][at]
                if not self.is_at(op.result, op.source, at):
                    self.put(op.result, self.read(op.source, at))
            case tensor.InsertSliceOp():
                self.insert(op)
            case scf.ForOp():
                self.loop(op)
            case scf.IfOp():
                self.branch(op)
            case _:
                raise AssertionError(op.name)

    def compute(self, op: arith.AddiOp | arith.SubiOp | arith.MuliOp) -> None:
        calculate = {"arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply}[op.name]
        if op.result not in self.places.of:
            self.scalars[op.result] = int(calculate(self.scalars[op.lhs], self.scalars[op.rhs]))
            return
        one, other = self.values[op.lhs], self.values[op.rhs]
        self.values[op.result] = calculate(one, other) + 1
        for operand in op.operands:
            self.read(operand)
        # Element by element, in any order: what it is written over has to be read at the same index.
        for at in self.rng.sample(range(len(one)), len(one)):
            self.put(op.result, calculate(self.taken(op.lhs)[at], self.taken(op.rhs)[at]) + 1, np.array([at]))
        self.read(op.result)

    def slice(self, op: tensor.ExtractSliceOp | tensor.InsertSliceOp, base: SSAValue) -> np.ndarray:
        """The numbers of the elements of `base`."""
        (offset,), (size,) = op.static_offsets.get_values(), op.static_sizes.get_values()
        first = self.scalars[op.offsets[0]] if offset == DYNAMIC_INDEX else offset
        count = self.scalars[op.sizes[0]] if size == DYNAMIC_INDEX else size
        if first < 0 or first + count > len(self.values[base]):
            raise OutOfBounds
        return np.arange(first, first + count)

    def insert(self, op: tensor.InsertSliceOp) -> None:
        at = self.slice(op, op.dest)
        value = self.values[op.dest].copy()
        value[at] = self.values[op.source]
        self.values[op.result] = value
        outside = np.setdiff1d(np.arange(len(value)), at)
        moves: list[tuple[np.ndarray, SSAValue, np.ndarray | None, np.ndarray]] = []
        if not self.is_at(op.dest, op.result):
            moves.append((self.read(op.dest, outside).copy(), op.dest, outside, outside))
        if not self.is_at(op.source, op.result, at):
            moves.append((self.read(op.source).copy(), op.source, None, at))
        self.rng.shuffle(moves)
        for numbers, source, part, where in moves:
            if not np.array_equal(self.taken(source) if part is None else self.taken(source)[part], numbers):
                raise WrongPlan("a copy landed on what was still to be copied")
            self.put(op.result, numbers, where)
        self.read(op.result)

    def loop(self, op: scf.ForOp) -> None:
        arguments = op.body.block.args
        self.move(op.iter_args, op.results)
        for number in range(self.scalars[op.lb], self.scalars[op.ub], self.scalars[op.step]):
            self.scalars[arguments[0]] = number
            for argument, result in zip(arguments[1:], op.results, strict=True):
                self.values[argument] = self.values[result]
            self.move(self.block(op.body.block), op.results)

    def branch(self, op: scf.IfOp) -> None:
        region = op.true_region if self.scalars[op.cond] else op.false_region
        self.move(self.block(region.blocks[0]), op.results)

    def move(self, sources: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        held = [self.read(source).copy() for source in sources]
        there = [(self.values[source], self.where(source)) for source in sources]
        for target, (value, place) in zip(targets, there, strict=True):
            self.values[target] = value
            storage = self.places.of[target].storage
            if storage.kind is PlaceKind.FORWARDED:
                self.bound[storage] = place
        for target, numbers, (_, (storage, at)) in zip(targets, held, there, strict=True):
            home, to = self.where(target)
            if storage != home or not np.array_equal(at, to):
                self.put(target, numbers)
        for target in targets:
            self.read(target)
