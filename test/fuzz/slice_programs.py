"""Random programs on tensors with slices at run-time offsets and of run-time sizes, in loops and branches."""

from __future__ import annotations

import random
from typing import NamedTuple

BASES = {"24": "tensor<24xi64>", "n": "tensor<?xi64>", "4": "tensor<4xi64>", "k": "tensor<?xi64>"}
"""Types by what says the size: a number, or an index argument that the program gets."""
SIZES = {"4": "4", "k": "%k"}


class Drawn(NamedTuple):
    """A tensor that may be used: its name, and what says its size."""

    name: str
    size: str


class SliceProgram:
    """One program as text: `text`. Its arguments are tensors of 24 and of n elements, and the indices i, j, k."""

    def __init__(self, rng: random.Random, ops: int = 14) -> None:
        self.rng, self.count, self.left = rng, 0, ops
        self.lines: list[str] = []
        bases = [Drawn("%a", "24"), Drawn("%b", "24"), Drawn("%u", "n")]
        given = {base: rng.random() < 0.8 for base in bases}
        self.slices: dict[str, tuple[str, str, str]] = {}
        """Of a tensor in position: the base that it is a slice of, its offset, what says its size."""
        tensors = self.block(list(bases), ["%i", "%j"], depth=1)
        returned = rng.sample(tensors, min(2, len(tensors)))
        arguments = ", ".join(f"{b.name}: {BASES[b.size]}{' {dnn.donated}' * given[b]}" for b in bases)
        types = ", ".join(BASES[t.size] for t in returned)
        constants = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 4, 12))
        self.text = (
            f"func.func @main({arguments}, %i: index, %j: index, %k: index) -> ({types}) {{\n{constants}"
            + "\n".join(self.lines)
            + f"\n  func.return {', '.join(t.name for t in returned)} : {types}\n}}\n"
        )

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def say(self, depth: int, line: str) -> None:
        self.lines.append("  " * depth + line)

    def block(self, tensors: list[Drawn], indices: list[str], depth: int) -> list[Drawn]:
        """Ops of one block; all tensors that its last op may use, the newest last."""
        for _ in range(self.rng.randint(2, 6)):
            if self.left <= 0:
                break
            self.left -= 1
            draw = self.rng.random()
            if draw < 0.2:
                indices.append(self.index(indices, depth))
            elif draw < 0.45:
                self.slice(tensors, indices, depth)
            elif draw < 0.7:
                self.compute(tensors, depth)
            elif draw < 0.9 or depth > 2:
                self.insert(tensors, indices, depth)
            elif draw < 0.96:
                self.loop(tensors, indices, depth)
            else:
                self.branch(tensors, indices, depth)
        return tensors

    def index(self, indices: list[str], depth: int) -> str:
        """An index in 0 to 20 where those that it is made of are in 0 to 8; in loops a few are larger."""
        name, source = self.name(), self.rng.choice(indices[:2] if depth < 2 else indices[:3])
        op, constant = self.rng.choice(
            [("addi", "%c4"), ("addi", "%c0"), ("muli", "%c2"), ("addi", "%k"), ("addi", "%c12")]
        )
        self.say(depth, f"{name} = arith.{op} {source}, {constant} : index")
        return name

    def pick(self, tensors: list[Drawn], sizes: str) -> Drawn | None:
        found = [t for t in tensors if t.size in sizes]
        return self.rng.choice(found[-4:]) if found else None

    def slice(self, tensors: list[Drawn], indices: list[str], depth: int) -> None:
        base = self.pick(tensors, "24n")
        if base is None:
            return
        size, result = self.rng.choice("4k"), self.name()
        offset = self.rng.choice([*indices, "0", "4", "20"])
        bounds = f"[{offset}] [{SIZES[size]}] [1]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {BASES[base.size]} to {BASES[size]}")
        self.slices[result] = (base.name, offset, size)
        tensors.append(Drawn(result, size))

    def compute(self, tensors: list[Drawn], depth: int) -> None:
        one, result = self.rng.choice(tensors[-5:]), self.name()
        other = self.rng.choice([t for t in tensors if t.size == one.size])
        op = self.rng.choice(["addi", "subi", "muli"])
        self.say(depth, f"{result} = arith.{op} {one.name}, {other.name} : {BASES[one.size]}")
        for operand in (one, other):
            if operand.name in self.slices:
                self.slices[result] = self.slices[operand.name]
        tensors.append(Drawn(result, one.size))

    def insert(self, tensors: list[Drawn], indices: list[str], depth: int) -> None:
        if self.rng.random() < 0.5:  # a source that may be computed where it goes
            self.slice(tensors, indices, depth)
            self.compute(tensors[-1:], depth)
            tensors.append(Drawn(f"%v{self.count}", tensors[-1].size))
        part, base = self.pick(tensors, "4k"), self.pick(tensors, "24n")
        if part is None or base is None:
            return
        offset, result = self.rng.choice([*indices, "0", "4"]), self.name()
        if part.name in self.slices and self.rng.random() < 0.8:  # back where it was
            known = {t.name: t for t in tensors}
            base, offset = known.get(self.slices[part.name][0], base), self.slices[part.name][1]
            newer = [t for t in tensors if t.size == base.size]
            base = self.rng.choice([base, newer[-1]])
        bounds = f"[{offset}] [{SIZES[part.size]}] [1]"
        types = f"{BASES[part.size]} into {BASES[base.size]}"
        self.say(depth, f"{result} = tensor.insert_slice {part.name} into {base.name}{bounds} : {types}")
        tensors.append(Drawn(result, base.size))

    def loop(self, tensors: list[Drawn], indices: list[str], depth: int) -> None:
        init, result, slot, counter = self.pick(tensors, "24n"), self.name(), self.name(), self.name()
        assert init is not None
        type_ = BASES[init.size]
        head = f"{result} = scf.for {counter} = %c0 to %c12 step %c4 iter_args({slot} = {init.name}) -> ({type_}) {{"
        self.say(depth, head)
        inner = self.block([*tensors, Drawn(slot, init.size)], [*indices[:2], counter, *indices[2:]], depth + 1)
        yielded = [t for t in inner if t.size == init.size][-1]
        self.say(depth + 1, f"scf.yield {yielded.name} : {type_}")
        self.say(depth, "}")
        tensors.append(Drawn(result, init.size))

    def branch(self, tensors: list[Drawn], indices: list[str], depth: int) -> None:
        size = self.rng.choice([t.size for t in tensors])
        flag, result, type_ = self.name(), self.name(), BASES[size]
        self.say(depth, f"{flag} = arith.cmpi slt, {self.rng.choice(indices)}, %j : index")
        self.say(depth, f"{result} = scf.if {flag} -> ({type_}) {{")
        for arm in range(2):
            inner = self.block(list(tensors), list(indices), depth + 1)
            yielded = [t for t in inner if t.size == size][-1]
            self.say(depth + 1, f"scf.yield {yielded.name} : {type_}")
            self.say(depth, "}" if arm else "} else {")
        tensors.append(Drawn(result, size))
