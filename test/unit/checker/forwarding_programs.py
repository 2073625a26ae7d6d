"""Random programs whose control flow passes values on, each with random decisions, forwarded values among them."""

from __future__ import annotations

import random

from ir import main, parse
from xdsl.dialects.func import FuncOp

KERNELS = ("relu", "exp", "neg")


class Generator:
    """One program. `eager`: how often a decision is taken; most of these plans are wrong. `foreign`: some ops declare
    nothing."""

    def __init__(self, rng: random.Random, eager: float = 0.5, foreign: bool = False) -> None:
        self.rng, self.eager, self.foreign = rng, eager, foreign
        self.lines: list[str] = []
        self.count = 0

    def make(self) -> FuncOp:
        """The function: four tensors, two of which may be written, and statements on them."""
        given = [" {dnn.donated}" if self.rng.random() < 0.7 else "" for _ in range(3)]
        head = ", ".join(f"%x{k}: T{mark}" for k, mark in enumerate(given))
        values = self._block(["%x0", "%x1", "%x2"], self.rng.randint(2, 5), 2)
        returned = [self.rng.choice(values) for _ in range(self.rng.randint(1, 2))]
        types = ", ".join("T" for _ in returned)
        text = "\n".join(self.lines)
        ending = f"func.return {', '.join(returned)} : {types}"
        return main(parse(f"func.func @main({head}, %c: i1, %n: index) -> ({types}) {{\n{text}\n{ending}\n}}"))

    def _new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def _decides(self) -> bool:
        return self.rng.random() < self.eager

    def _block(self, values: list[str], length: int, depth: int) -> list[str]:
        values = list(values)
        for _ in range(length):
            regions = (self._if, self._for, self._while) * depth
            lent = (self._lent, self._lent) * self.foreign
            kinds = (self._kernel, self._kernel, self._sum, self._select, self._view, *regions, *lent)
            make = self.rng.choice(kinds)
            values += make(values, depth)
        return values

    def _kernel(self, values: list[str], depth: int) -> list[str]:
        result, operand = self._new(), self._recent(values)
        decided = "inplace[0]" if self._decides() else f"reuse[{self.rng.randint(0, 2)}]" if self._decides() else ""
        self.lines.append(f"{result} = {self.rng.choice(KERNELS)}({operand}) {{{decided}}} : (T) -> T")
        return [result]

    def _view(self, values: list[str], depth: int) -> list[str]:
        result = self._new()
        self.lines.append(f"{result} = reshape({self._recent(values)}) : (T) -> T")
        return [result]

    def _lent(self, values: list[str], depth: int) -> list[str]:
        result = self._new()
        self.lines.append(f'{result} = "strange.op"({self._recent(values)}) : (T) -> T')
        return [result]

    def _sum(self, values: list[str], depth: int) -> list[str]:
        result = self._new()
        a, b = self._recent(values), self._recent(values)
        decided = f"inplace[{self.rng.randint(0, 1)}]" if self._decides() else ""
        self.lines.append(f"{result} = add({a}, {b}) {{{decided}}} : (T, T) -> T")
        return [result]

    def _select(self, values: list[str], depth: int) -> list[str]:
        result = self._new()
        a, b = self._recent(values), self._recent(values)
        self.lines.append(f'{result} = "arith.select"(%c, {a}, {b}) {{{self._forward(1)}}} : (i1, T, T) -> T')
        return [result]

    def _forward(self, count: int) -> str:
        entries = [1 if self._decides() or self._decides() else -1 for _ in range(count)]
        return f"forward[{', '.join(map(str, entries))}]" if 1 in entries else ""

    def _recent(self, values: list[str]) -> str:
        return self.rng.choice(values[-3:] if self.rng.random() < 0.7 else values)

    def _if(self, values: list[str], depth: int) -> list[str]:
        results = [self._new() for _ in range(self.rng.randint(1, 2))]
        types = ", ".join("T" for _ in results)
        self.lines.append(f'{", ".join(results)} = "scf.if"(%c) ({{')
        for arm in range(2):
            inner = self._block(values, self.rng.randint(0, 2), depth - 1)
            self.lines.append(f'"scf.yield"({", ".join(self._recent(inner) for _ in results)}) : ({types}) -> ()')
            self.lines.append("}, {" if arm == 0 else f"}}) {{{self._forward(len(results))}}} : (i1) -> ({types})")
        return results

    def _for(self, values: list[str], depth: int) -> list[str]:
        count = self.rng.randint(1, 3)
        inits, results, slots = (
            [f() for _ in range(count)] for f in (lambda: self._recent(values), self._new, self._new)
        )
        types = ", ".join("T" for _ in results)
        self.lines.append(f'{", ".join(results)} = "scf.for"(%n, %n, %n, {", ".join(inits)}) ({{')
        self.lines.append(f"^bb0({self._new()}: index, {', '.join(f'{s}: T' for s in slots)}):")
        inner = self._block([*values, *slots], self.rng.randint(0, 3), depth - 1)
        self.lines.append(f'"scf.yield"({self._passed(slots, inner)}) : ({types}) -> ()')
        self.lines.append(f"}}) {{{self._forward(count)}}} : (index, index, index, {types}) -> ({types})")
        return results

    def _passed(self, slots: list[str], inner: list[str]) -> str:
        """What a loop passes on: its slots in another order, or values computed from them."""
        passed = [s if self.rng.random() < 0.4 else self._recent(inner) for s in slots]
        self.rng.shuffle(passed)
        return ", ".join(passed)

    def _while(self, values: list[str], depth: int) -> list[str]:
        count = self.rng.randint(1, 2)
        inits = [self._recent(values) for _ in range(count)]
        results, before, after = ([self._new() for _ in range(count)] for _ in range(3))
        types = ", ".join("T" for _ in results)
        entries = ", ".join("1" if self._decides() else "-1" for _ in before)
        decided = ", ".join(d for d in (self._forward(count), f"dnn.succ_forward = [array<i32: {entries}>]") if d)
        self.lines.append(f'{", ".join(results)} = "scf.while"({", ".join(inits)}) ({{')
        self.lines.append(f"^bb0({', '.join(f'{s}: T' for s in before)}):")
        inner = self._block([*values, *before], self.rng.randint(0, 1), depth - 1)
        self.lines.append(f'"scf.condition"(%c, {self._passed(before, inner)}) : (i1, {types}) -> ()')
        self.lines.append(f"}}, {{\n^bb0({', '.join(f'{s}: T' for s in after)}):")
        inner = self._block([*values, *after], self.rng.randint(0, 2), depth - 1)
        self.lines.append(f'"scf.yield"({self._passed(after, inner)}) : ({types}) -> ()')
        self.lines.append(f"}}) {{{decided}}} : ({types}) -> ({types})")
        return results
