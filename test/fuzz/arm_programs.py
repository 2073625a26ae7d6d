"""Random programs on tensors whose branches compute over slices of one tensor, or over all of it, that take slices of
slices which may be all of them, and that make what only gives a place to other ops."""

from __future__ import annotations

import random

from tensor_programs import SIZE, TYPES, TensorProgram, Value


class ArmProgram(TensorProgram):
    """One program, as a `TensorProgram`."""

    def __init__(self, rng: random.Random, ops: int = 12) -> None:
        super().__init__(rng, ops)

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An index, or one of the ops that other programs do not have."""
        draws = [super().index, self.arms, self.arms, self.arms, self.again, self.again, self.place, self.place]
        self.rng.choice(draws)(tensors, indices, scalars, depth)

    def slice(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        draw = self.index if self.rng.random() < 0.6 else super().slice
        draw(tensors, indices, scalars, depth)

    def again(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A slice of what may be a slice, from its first element on."""
        if not any(t.kind == "K" for t in tensors):
            return self.arms(tensors, indices, scalars, depth)
        base, result = self.pick(tensors, "KKN"), self.name()
        size = self.rng.choice([SIZE["K"], SIZE["K"], SIZE["K"], *indices[:2]])
        bounds = f"[{self.rng.choice(['0', '0', '%c0'])}] [{size}] [1]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {TYPES[base.kind]} to {TYPES['K']}")
        self.followed(result, base)
        tensors.append(Value(result, "K"))
        return None

    def place(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """What an op makes, and a fill that needs the place of it alone."""
        self.rng.choice([self.put_element, self.generic, self.fresh])(tensors, indices, scalars, depth)
        one, result = tensors[-1], self.name()
        type_ = TYPES[one.kind]
        if self.rng.random() < 0.8:  # else it may be read as well
            tensors.pop()
        value = self.rng.choice(scalars)
        self.say(depth, f"{result} = linalg.fill ins({value} : i64) outs({one.name} : {type_}) -> {type_}")
        tensors.append(Value(result, one.kind))

    def arms(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A branch whose arms pass on slices of a tensor, or all of it, or what they compute over these."""
        base, kind, result = self.pick(tensors, "ANN"), self.rng.choice("4KKK"), self.name()
        other = base if self.rng.random() < 0.8 else self.pick(tensors, base.kind)
        second, flag = self.rng.random() < 0.3, self.flag(indices, depth)
        before = self.part(base, kind, indices, depth) if self.rng.random() < 0.4 else None
        types = f"({TYPES[kind]}, index)" if second else f"({TYPES[kind]})"
        self.say(depth, f"{result}{':2' if second else ''} = scf.if {flag} -> {types} {{")
        for arm in range(2):
            part = before if before is not None and self.rng.random() < 0.5 else None
            if part is None:
                part = self.part((base, other)[arm], kind, indices, depth + 1)
            inner = [*tensors, part]
            for _ in range(self.rng.choice([0, 1, 1, 2])):
                self.over(inner, indices, scalars, depth + 1)
            number = f", {self.rng.choice(indices)}" if second else ""
            self.say(depth + 1, f"scf.yield {inner[-1].name}{number} : {types[1:-1]}")
            self.say(depth, "} else {" if not arm else "}")
        made = Value(f"{result}#0" if second else result, kind)
        if second:
            indices.append(f"{result}#1")
        if self.rng.random() < 0.5:
            self.slices[made.name] = (base.name, f"[{self.rng.choice(indices)}] [{SIZE[kind]}] [1]")
        tensors.append(made)

    def part(self, base: Value, kind: str, indices: list[str], depth: int) -> Value:
        """A slice of a tensor; or all of it, if its type may be that of a slice."""
        if kind == "K" and base.kind == "N" and self.rng.random() < 0.35:
            return Value(base.name, "K")
        result, at = self.name(), self.rng.choice([*indices, "0", "4"])
        size = self.rng.choice([SIZE[kind], SIZE[kind], self.rng.choice(indices)]) if kind == "K" else SIZE[kind]
        bounds = f"[{at}] [{size}] [{self.rng.choice('1112')}]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {TYPES[base.kind]} to {TYPES[kind]}")
        return Value(result, kind)

    def over(self, inner: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An op that may compute over the last tensor."""
        one, result, value = inner[-1], self.name(), self.rng.choice(scalars)
        type_ = TYPES[one.kind]
        match self.rng.randrange(3):
            case 0:
                self.say(depth, f"{result} = tensor.insert {value} into {one.name}[%c0] : {type_}")
            case 1:
                self.say(depth, f"{result} = linalg.fill ins({value} : i64) outs({one.name} : {type_}) -> {type_}")
            case _:
                self.say(depth, f"{result} = arith.addi {one.name}, {one.name} : {type_}")
        inner.append(Value(result, one.kind))
