"""Random programs on tensors with slices at starts that tensors hold: inside of their base, before it or behind it."""

from __future__ import annotations

import random

from tensor_programs import TYPES, TensorProgram, Value

I64 = "tensor<i64>"
_ROWS = {"A": 1, "N": 1, "M": 2}


class StartProgram(TensorProgram):
    """A `TensorProgram` in which `dnn.dynamic_slice` and `dnn.dynamic_update_slice` are most slices and insertions."""

    def __init__(self, rng: random.Random, ops: int = 16) -> None:
        self.parts: dict[str, tuple[str, str]] = {}
        """The base and the starts of the slices that values are computed over."""
        super().__init__(rng, ops)

    def followed(self, result: str, *operands: Value) -> None:
        super().followed(result, *operands)
        for operand in operands:
            if operand.name in self.parts:
                self.parts[result] = self.parts[operand.name]

    def slice(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        if self.rng.random() < 0.2:
            super().slice(tensors, indices, scalars, depth)
            return
        base, kind, result = self.pick(tensors, "AN"), "4", self.name()
        starts = self.starts(base, indices, scalars, depth)
        self.parts[result] = (base.name, starts)
        types = f"({TYPES[base.kind]}{f', {I64}' * _ROWS[base.kind]}) -> {TYPES[kind]}"
        given = "{slice_sizes = array<i64: 4>}"
        self.say(depth, f'{result} = "dnn.dynamic_slice"({base.name}, {starts}) {given} : {types}')
        tensors.append(Value(result, kind))

    def insert(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        if self.rng.random() < 0.2:
            super().insert(tensors, indices, scalars, depth)
            return
        kinds = "AN" if self.rng.random() < 0.8 else "M"
        part, base = self.pick(tensors, "4" if kinds == "AN" else "M"), self.pick(tensors, kinds)
        starts = self.starts(base, indices, scalars, depth)
        known = self.parts.get(part.name)
        if known is not None and self.rng.random() < 0.8:  # back where it was
            held = next((t for t in tensors if t.name == known[0]), base)
            if _ROWS[held.kind] == _ROWS[base.kind]:
                base, starts = held if self.rng.random() < 0.6 else self.pick(tensors, held.kind), known[1]
        self.update(part, base, starts, tensors, depth)

    def row(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        base, flat, result = self.pick(tensors, "M"), self.name(), self.name()
        starts = self.starts(base, indices, scalars, depth)
        given, types = "{slice_sizes = array<i64: 1, 4>}", f"({TYPES['M']}, {I64}, {I64}) -> tensor<1x4xi64>"
        self.say(depth, f'{flat} = "dnn.dynamic_slice"({base.name}, {starts}) {given} : {types}')
        self.say(depth, f"{result} = tensor.collapse_shape {flat} [[0, 1]] : tensor<1x4xi64> into {TYPES['4']}")
        self.parts[result] = (base.name, starts)
        tensors.append(Value(result, "4"))

    def put_row(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        part, base, wide, result = self.pick(tensors, "4"), self.pick(tensors, "M"), self.name(), self.name()
        starts = self.starts(base, indices, scalars, depth)
        known = self.parts.get(part.name)
        if known is not None and known[1].count("%") == 2 and self.rng.random() < 0.8:
            starts = known[1]
            base = next((t for t in tensors if t.name == known[0] and t.kind == "M"), base)
        shape = "output_shape [1, 4]"
        self.say(
            depth, f"{wide} = tensor.expand_shape {part.name} [[0, 1]] {shape} : {TYPES['4']} into tensor<1x4xi64>"
        )
        types = f"({TYPES['M']}, tensor<1x4xi64>, {I64}, {I64}) -> {TYPES['M']}"
        self.say(depth, f'{result} = "dnn.dynamic_update_slice"({base.name}, {wide}, {starts}) : {types}')
        tensors.append(Value(result, "M"))

    def update(self, part: Value, base: Value, starts: str, tensors: list[Value], depth: int) -> None:
        """What is written over a part of the base, which is as large as `part`."""
        result = self.name()
        types = f"({TYPES[base.kind]}, {TYPES[part.kind]}{f', {I64}' * _ROWS[base.kind]}) -> {TYPES[base.kind]}"
        self.say(depth, f'{result} = "dnn.dynamic_update_slice"({base.name}, {part.name}, {starts}) : {types}')
        tensors.append(Value(result, base.kind))

    def starts(self, base: Value, indices: list[str], scalars: list[str], depth: int) -> str:
        """A start for each axis of a value."""
        return ", ".join(self.start(indices, scalars, depth) for _ in range(_ROWS[base.kind]))

    def start(self, indices: list[str], scalars: list[str], depth: int) -> str:
        """An index, any number, a constant, or the sum of two: a tensor without axes."""
        name, draw = self.name(), self.rng.random()
        if draw < 0.2:
            content = self.rng.choice([-1, 0, 2, 4, 8, 1 << 40])
            self.say(depth, f"{name} = arith.constant dense<{content}> : {I64}")
            return name
        scalar = self.rng.choice(scalars)
        if draw < 0.8:
            scalar = self.name()
            self.say(depth, f"{scalar} = arith.index_cast {self.rng.choice(indices)} : index to i64")
        self.say(depth, f"{name} = tensor.from_elements {scalar} : {I64}")
        if draw < 0.6:
            return name
        other, total = self.rng.choice([name, self.start(indices, scalars, depth)]), self.name()
        self.say(depth, f"{total} = arith.{self.rng.choice(['addi', 'subi'])} {name}, {other} : {I64}")
        return total
