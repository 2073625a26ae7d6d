"""Small random programs of loops, as text: around and behind each other, with several values that they carry, swap,
overwrite, insert into, or leave as they are, and branches that yield one of two values."""

from __future__ import annotations

import random

WHOLE, HALF = "tensor<8xf32>", "tensor<4xf32>"
BOUNDS = ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index"]


def swaps(count: int) -> str:
    """Loops that swap two values, one behind the other."""
    lines = [f"func.func @main(%v0: {WHOLE}, %w0: {WHOLE}, %n: index) -> ({WHOLE}, {WHOLE}) {{", *BOUNDS]
    for k in range(count):
        head = f"%v{k + 1}, %w{k + 1} = scf.for %i{k} = %zero to %n step %one iter_args(%a{k} = %v{k}, %b{k} = %w{k})"
        lines += [f"{head} -> ({WHOLE}, {WHOLE}) {{", f"scf.yield %b{k}, %a{k} : {WHOLE}, {WHOLE}", "}"]
    return "\n".join([*lines, f"func.return %v{count}, %w{count} : {WHOLE}, {WHOLE}", "}"])


def nest(depth: int) -> str:
    """Loops around each other, that carry one value."""
    lines = [f"func.func @main(%v: {WHOLE}, %n: index) -> {WHOLE} {{", *BOUNDS]
    for k in range(depth):
        init = f"%a{k - 1}" if k else "%v"
        lines.append(f"%r{k} = scf.for %i{k} = %zero to %n step %one iter_args(%a{k} = {init}) -> ({WHOLE}) {{")
    lines.append(f"%e = tensor.empty() : {WHOLE}")
    lines.append(f"%w = linalg.exp ins(%a{depth - 1} : {WHOLE}) outs(%e : {WHOLE}) -> {WHOLE}")
    yielded = ["%w", *[f"%r{k}" for k in range(depth - 1, 0, -1)]]
    lines += [line for value in yielded for line in (f"scf.yield {value} : {WHOLE}", "}")]
    return "\n".join([*lines, f"func.return %r0 : {WHOLE}", "}"])


def sequence(count: int) -> str:
    """Loops behind each other, that carry one value."""
    lines = [f"func.func @main(%v0: {WHOLE}, %n: index) -> {WHOLE} {{", *BOUNDS]
    for k in range(count):
        lines += [
            f"%v{k + 1} = scf.for %i{k} = %zero to %n step %one iter_args(%a{k} = %v{k}) -> ({WHOLE}) {{",
            f"%e{k} = tensor.empty() : {WHOLE}",
            f"%w{k} = linalg.exp ins(%a{k} : {WHOLE}) outs(%e{k} : {WHOLE}) -> {WHOLE}",
            f"scf.yield %w{k} : {WHOLE}",
            "}",
        ]
    return "\n".join([*lines, f"func.return %v{count} : {WHOLE}", "}"])


class _Writer:
    """Draws one program."""

    def __init__(self, seed: int, sliced: bool) -> None:
        self.draw, self.sliced = random.Random(seed), sliced
        self.lines: list[str] = []
        self.names = 0

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def pick(self, values: list[str]) -> str:
        return self.draw.choice(values[-4:])

    def some(self, count: int, values: list[str], depth: int) -> None:
        """Adds ops that read `values`, and their results to these."""
        for _ in range(count):
            kinds = [self.kernel, self.kernel]
            if self.sliced:
                kinds.append(self.insertion)
            if depth > 0:
                kinds += [self.loop, self.loop, self.branch]
            self.draw.choice(kinds)(values, depth)

    def kernel(self, values: list[str], depth: int) -> None:
        made, out = self.name(), self.pick(values)
        if self.draw.random() < 0.5:
            out = self.name()
            self.lines.append(f"{out} = tensor.empty() : {WHOLE}")
        if self.draw.random() < 0.6:
            ins, types, op = self.pick(values), WHOLE, "exp"
        else:
            ins, types, op = f"{self.pick(values)}, {self.pick(values)}", f"{WHOLE}, {WHOLE}", "add"
        self.lines.append(f"{made} = linalg.{op} ins({ins} : {types}) outs({out} : {WHOLE}) -> {WHOLE}")
        values.append(made)

    def insertion(self, values: list[str], depth: int) -> None:
        part, out, half, made = (self.name() for _ in range(4))
        at = self.draw.choice((0, 4))
        other = at if self.draw.random() < 0.6 else 4 - at
        self.lines += [
            f"{part} = tensor.extract_slice {self.pick(values)}[{at}] [4] [1] : {WHOLE} to {HALF}",
            f"{out} = tensor.empty() : {HALF}",
            f"{half} = linalg.exp ins({part} : {HALF}) outs({out} : {HALF}) -> {HALF}",
            f"{made} = tensor.insert_slice {half} into {self.pick(values)}[{other}] [4] [1] : {HALF} into {WHOLE}",
        ]
        values.append(made)

    def loop(self, values: list[str], depth: int) -> None:
        count = self.draw.choice((1, 1, 2))
        inits = [self.pick(values) for _ in range(count)]
        made, carried, step = ([self.name() for _ in range(n)] for n in (count, count, 1))
        types = ", ".join([WHOLE] * count)
        pairs = ", ".join(f"{a} = {v}" for a, v in zip(carried, inits, strict=True))
        self.lines.append(
            f"{', '.join(made)} = scf.for {step[0]} = %zero to %n step %one iter_args({pairs}) -> ({types}) {{"
        )
        inner = [*values[-2:], *carried]
        self.some(self.draw.choice((0, 1, 1, 2)), inner, depth - 1)
        given = [inner[-1], *(self.draw.choice(inner[-3:]) for _ in range(count - 1))]
        self.lines += [f"scf.yield {', '.join(given)} : {types}", "}"]
        values += made

    def branch(self, values: list[str], depth: int) -> None:
        made = self.name()
        self.lines.append(f"{made} = scf.if %c -> ({WHOLE}) {{")
        for end in ("} else {", "}"):
            inner = [*values]
            self.some(self.draw.choice((0, 1)), inner, 0)
            self.lines += [f"scf.yield {inner[-1]} : {WHOLE}", end]
        values.append(made)

    def text(self, count: int) -> str:
        values = ["%p", "%q"]
        given = ", ".join(f"{v}: {WHOLE}{' {dnn.donated}' * (self.draw.random() < 0.5)}" for v in values)
        self.some(count, values, 2)
        last = values[2:][-1:] * self.draw.choice((1, 1, 2)) if self.draw.random() < 0.1 else values[2:][-2:]
        types = ", ".join([WHOLE] * len(last))
        head = f"func.func @main({given}, %n: index, %c: i1) -> ({types}) {{"
        return "\n".join([head, *BOUNDS, *self.lines, f"func.return {', '.join(last)} : {types}", "}"])


def loops(seed: int, count: int = 3, sliced: bool = False) -> str:
    """The text of a program; the same for the same seed. `sliced`: with slices, and insertions of slices."""
    return _Writer(seed, sliced).text(count)
