"""Random programs with branches, loops, blocks and foreign ops, on top of the straight-line ones.

Regions see the values before them and hand on some of theirs; loops run zero to three times, by an argument or by a
counter of their own. Blocks are drawn as diamonds and loops between straight pieces.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from . import DRAWN, Generated, array_of
from .builder import Builder, Value

DEPTH = 2
"""Regions stand in at most so many others."""


class FlowBuilder(Builder):
    """Beside tensors: scalars that steer, regions, blocks, ops of a dialect nobody knows."""

    def __init__(self, number: Callable[[int, int], int], foreign: bool) -> None:
        super().__init__(number)
        self.foreign = foreign
        self.scalars: list[tuple[str, str]] = []
        """Scalar arguments: name and type."""
        self.depth = 0
        self.names = 0

    def fresh(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def scalar(self, type_: str) -> str:
        """A scalar argument of the function, perhaps one that is there already."""
        found = [name for name, have in self.scalars if have == type_]
        if found and not self.chance(3):
            return self.choose(found)
        name = self.fresh("c")
        self.scalars.append((name, type_))
        return name

    def draw(self, most: int) -> None:
        """One to `most` ops."""
        for _ in range(self.number(1, most)):
            _control(self) if self.chance(5) else self.choose(DRAWN)(self)

    @contextmanager
    def region(self) -> Iterator[list[str]]:
        """Lines drawn inside go to a list of their own, and values are out of sight afterwards. New arguments stay."""
        lines, values, views = self.lines, self.values, self.views
        self.lines, self.values, self.views = [], list(values), list(views)
        inside = self.lines
        self.depth += 1
        yield inside
        self.depth -= 1
        self.lines, self.views = lines, views
        self.values = [*values, *(v for v in self.arguments if v not in values)]

    def some(self, least: int, most: int) -> list[Value]:
        """Values, the recent ones first; fewer where there are none."""
        return [self.choose(self.values[-6:][::-1]) for _ in range(self.number(least, most)) if self.values]

    def next(self, slot: Value) -> Value:
        """What a loop carries on: some value of the slot's type, often made of the slot's own."""
        if slot.dtype == "i1" or 0 in slot.shape or self.chance(3):
            return self.like(slot)
        other = [self.like(slot)] * self.number(0, 1)
        op = self.choose(["add", "mul"] if other else ["neg", "abs"])
        return self.emit(op, [slot, *other], "", (slot.shape, slot.dtype))

    def define(self, like: Sequence[Value]) -> list[Value]:
        """Names for new values of these types, in sight from now on."""
        made = [Value(self.fresh("r"), v.shape, v.dtype) for v in like]
        self.values += made
        return made


def names(values: Sequence[Value]) -> str:
    return ", ".join(f"%{v.name}" for v in values)


def types(values: Sequence[Value]) -> str:
    return ", ".join(v.type for v in values)


def typed(values: Sequence[Value]) -> str:
    """Operands as branches write them: `(%a, %b : type, type)`."""
    return f"({names(values)} : {types(values)})" if values else ""


def block_head(label: str, values: Sequence[Value], indent: str = "") -> str:
    """A block's first line."""
    arguments = ", ".join(f"%{v.name}: {v.type}" for v in values)
    return f"{indent}^{label}({arguments}):" if values else f"{indent}^{label}:"


def _indented(lines: Sequence[str]) -> list[str]:
    return ["  " + line for line in lines]


def _if(b: FlowBuilder) -> None:
    condition = b.scalar("i1")
    with b.region() as first:
        b.draw(3)
        yielded = b.some(1, 2)
        first.append(f"  scf.yield {names(yielded)} : {types(yielded)}" if yielded else "  scf.yield")
    with b.region() as second:
        if b.chance(2):
            b.draw(3)
        other = [b.like(v) for v in yielded]
        second.append(f"  scf.yield {names(other)} : {types(other)}" if other else "  scf.yield")
    made = b.define(yielded)
    head = f"{names(made)} = scf.if %{condition} -> ({types(made)})" if made else f"scf.if %{condition}"
    b.lines += [f"  {head} {{", *_indented(first), "  } else {", *_indented(second), "  }"]


def _constants(b: FlowBuilder) -> tuple[str, str]:
    """Zero and one."""
    zero, one = b.fresh("k"), b.fresh("k")
    b.lines += [f"  %{zero} = arith.constant 0 : index", f"  %{one} = arith.constant 1 : index"]
    return zero, one


def _for(b: FlowBuilder) -> None:
    zero, one = _constants(b)
    count = b.scalar("index")
    inits = b.some(1, 2)
    with b.region() as body:
        slots = b.define(inits)
        b.draw(3)
        yielded = [b.next(v) for v in slots]
        body.append(f"  scf.yield {names(yielded)} : {types(yielded)}" if yielded else "  scf.yield")
    made = b.define(inits)
    carried = ", ".join(f"%{s.name} = %{v.name}" for s, v in zip(slots, inits, strict=True))
    head = f"scf.for %{b.fresh('i')} = %{zero} to %{count} step %{one}"
    if made:
        head = f"{names(made)} = {head} iter_args({carried}) -> ({types(made)})"
    b.lines += [f"  {head} {{", *_indented(body), "  }"]


def _onward(b: FlowBuilder, slot: Value, arrived: Sequence[Value]) -> Value:
    """What the loop starts the next round from: made of what has arrived, where that has the slot's type."""
    found = [v for v in arrived if v.type == slot.type]
    return b.next(b.choose(found)) if found else b.like(slot)


def _while(b: FlowBuilder) -> None:
    """Counts beside what it carries; what it hands on need not be what it starts from."""
    zero, one = _constants(b)
    count = b.scalar("index")
    inits = b.some(1, 2)
    before, more = b.fresh("i"), b.fresh("m")
    with b.region() as first:
        slots = b.define(inits)
        if b.chance(3):
            b.draw(2)
        passed = b.some(1, 2)
        first.append(f"  %{more} = arith.cmpi slt, %{before}, %{count} : index")
        first.append(f"  scf.condition(%{more}) %{before}{_more(passed)} : index{_more_types(passed)}")
    after, following = b.fresh("i"), b.fresh("i")
    with b.region() as second:
        arrived = b.define(passed)
        b.draw(2)
        yielded = [_onward(b, v, arrived) for v in slots]
        second.append(f"  %{following} = arith.addi %{after}, %{one} : index")
        second.append(f"  scf.yield %{following}{_more(yielded)} : index{_more_types(yielded)}")
    made = b.define(passed)
    carried = "".join(f", %{s.name} = %{v.name}" for s, v in zip(slots, inits, strict=True))
    arguments = "".join(f", %{v.name}: {v.type}" for v in arrived)
    b.lines += [
        f"  %{b.fresh('n')}{_more(made)} = scf.while (%{before} = %{zero}{carried}) : "
        f"(index{_more_types(inits)}) -> (index{_more_types(passed)}) {{",
        *_indented(first),
        "  } do {",
        f"  ^{b.fresh('bb')}(%{after}: index{arguments}):",
        *_indented(second),
        "  }",
    ]


def _more(values: Sequence[Value]) -> str:
    return "".join(f", %{v.name}" for v in values)


def _more_types(values: Sequence[Value]) -> str:
    return "".join(f", {v.type}" for v in values)


def _diamond(b: FlowBuilder) -> None:
    """Two blocks and the one where they meet again, which the program goes on in."""
    left, right, meet = b.fresh("bb"), b.fresh("bb"), b.fresh("bb")
    given = b.some(0, 2)
    head = f"  cf.cond_br %{b.scalar('i1')}, ^{left}{typed(given)}, ^{right}"
    with b.region() as first:
        arrived = b.define(given)
        b.draw(3)
        handed = b.some(1, 2)
        first.append(f"  cf.br ^{meet}{typed(handed)}")
    with b.region() as second:
        b.draw(2)
        other = [b.like(v) for v in handed]
        second.append(f"  cf.br ^{meet}{typed(other)}")
    b.lines += [head, block_head(left, arrived), *first, block_head(right, ()), *second]
    b.lines.append(block_head(meet, b.define(handed)))


def _cycle(b: FlowBuilder) -> None:
    """A loop of blocks: the head asks, the body goes back to it."""
    zero, one = _constants(b)
    count = b.scalar("index")
    head, body, rest = b.fresh("bb"), b.fresh("bb"), b.fresh("bb")
    i, following, more = b.fresh("i"), b.fresh("i"), b.fresh("m")
    inits = b.some(1, 2)
    b.lines.append(f"  cf.br ^{head}(%{zero}{_more(inits)} : index{_more_types(inits)})")
    slots = b.define(inits)
    b.lines.append(f"^{head}(%{i}: index{''.join(f', %{v.name}: {v.type}' for v in slots)}):")
    if b.chance(3):
        b.draw(2)
    b.lines.append(f"  %{more} = arith.cmpi slt, %{i}, %{count} : index")
    b.lines.append(f"  cf.cond_br %{more}, ^{body}, ^{rest}")
    with b.region() as inside:
        b.draw(3)
        yielded = [b.next(v) for v in slots]
        inside.append(f"  %{following} = arith.addi %{i}, %{one} : index")
        inside.append(f"  cf.br ^{head}(%{following}{_more(yielded)} : index{_more_types(yielded)})")
    b.lines += [block_head(body, ()), *inside, block_head(rest, ())]


def _foreign(b: FlowBuilder) -> None:
    """An op of which nothing is declared: its results may be any part of its operands."""
    operands = b.some(1, 2)
    made = b.define([b.choose(b.values[-4:]) for _ in range(b.number(1, 2)) if b.values])
    if made:
        b.lines.append(f'  {names(made)} = "strange.op"({names(operands)}) : ({types(operands)}) -> ({types(made)})')


def _opaque(b: FlowBuilder) -> None:
    """An op that reads its operands and makes a fresh result, and that no engine runs."""
    operands = b.some(1, 2)
    if operands:
        made = b.define(operands[:1])
        types_ = f"({types(operands)}) -> {types(made)}"
        b.lines.append(f'  {names(made)} = "dnn.opaque"({names(operands)}) {{kind = "some"}} : {types_}')


def _control(b: FlowBuilder) -> None:
    makers = [_if, _for, _while] if b.depth < DEPTH else []
    if not b.depth:
        makers += [_diamond, _cycle]
    if b.foreign:
        makers += [_foreign, _foreign, _opaque]
    if makers:
        b.choose(makers)(b)


def scalar_of(chance: np.random.Generator, type_: str) -> np.ndarray:
    """A condition, or how often a loop runs."""
    return np.array(chance.random() < 0.5) if type_ == "i1" else np.array(chance.integers(0, 4), np.int64)


def random_flow_program(seed: int) -> Generated:
    """One program of `build`: foreign ops in every fourth."""
    return build(random.Random(seed).randint, foreign=seed % 4 == 0)


def build(number: Callable[[int, int], int], foreign: bool) -> Generated:
    """A program of one to three pieces of control flow between straight lines; some arguments are donated, some results
    tied."""
    b = FlowBuilder(number, foreign)
    for _ in range(b.number(1, 3)):
        b.draw(3)
        _control(b)
    if b.chance(2):
        b.draw(3)
    results = b.some(1, 3) or [b.source((2, 3), "f32")]
    donated = {v.name for v in b.arguments if b.chance(3)}
    tied: dict[int, int] = {}
    for r, value in enumerate(results):
        free = [k for k, a in enumerate(b.arguments) if a.type == value.type and k not in tied.values()]
        if free and b.chance(4):
            tied[r] = b.choose(free)
    arguments = [f"%{v.name}: {v.type}" + " {dnn.donated}" * (v.name in donated) for v in b.arguments]
    arguments += [f"%{name}: {type_}" for name, type_ in b.scalars]
    out = [v.type + (f" {{dnn.tied = {tied[r]} : i32}}" if r in tied else "") for r, v in enumerate(results)]
    head = f"func.func @main({', '.join(arguments)}) -> ({', '.join(out)}) {{"
    last = f"  func.return {names(results)} : {types(results)}"
    text = "\n".join([head, *b.lines, last, "}", ""])
    chance = np.random.default_rng(number(0, 9))
    inputs = {v.name: array_of(chance, v) for v in b.arguments}
    inputs |= {name: scalar_of(chance, type_) for name, type_ in b.scalars}
    written = frozenset(donated | {b.arguments[k].name for k in tied.values()})
    return Generated(text, text, inputs, written)
