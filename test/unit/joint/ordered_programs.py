"""Random straight lines whose order matters: values of many sizes, results, memory given away, parts, views."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.policies import optimal
from lastuse.passes.scheduling.joint_planning import arena_of

SIZES = (16, 32, 48, 64, 80, 128)


def program(seed: int, most: int = 9) -> str:
    """A module of one function of four to `most` ops, and often one that is the only reader of a value."""
    chance = random.Random(seed)
    values = [("x", 16)]
    if chance.random() < 0.5:
        values.append(("g", chance.choice((16, 32, 64))))
    arguments = ", ".join(f"%{name}: {_type(n)}{' {dnn.donated}' if name == 'g' else ''}" for name, n in values)
    lines: list[str] = []
    read: set[str] = set()
    for number in range(chance.randint(4, most)):
        line, size, operands = _op(chance, values)
        read.update(operands)
        values.append((f"v{number}", size))
        lines.append(f"  %v{number} = {line}")
    ends = [v for v in values if v[0] not in read and v[0].startswith("v")] or [values[-1]]
    if chance.random() < 0.7:
        lines.append(f"  %end = {_line('opaque', ends, 16)}")
        ends = [("end", 16)]
    types = ", ".join(_type(size) for _, size in ends)
    names = ", ".join(f"%{name}" for name, _ in ends)
    body = "\n".join(lines)
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  func.return {names} : {types}\n}}\n"


def _type(size: int) -> str:
    return f"tensor<{size}xf32>"


_ATTRIBUTES = {"opaque": ' {kind = "conv"}', "concat": " {axis = 0 : i64}"}


def _line(name: str, operands: Sequence[tuple[str, int]], size: int, attributes: str = "") -> str:
    attributes = attributes or _ATTRIBUTES.get(name, "")
    names, types = ", ".join(f"%{v}" for v, _ in operands), ", ".join(_type(n) for _, n in operands)
    return f'"dnn.{name}"({names}){attributes} : ({types}) -> {_type(size)}'


def _op(chance: random.Random, values: Sequence[tuple[str, int]]) -> tuple[str, int, list[str]]:
    """An op in text, the size of its result, and what it reads."""
    one = chance.choice(values[-4:] if chance.random() < 0.8 else values)
    kind = chance.random()
    if kind < 0.35:
        return _line("tanh", [one], one[1]), one[1], [one[0]]
    if kind < 0.55:
        other = chance.choice([v for v in values if v[1] == one[1]])
        return _line("add", [one, other], one[1]), one[1], [one[0], other[0]]
    other = chance.choice(values)
    if kind < 0.65:
        size = one[1] + other[1]
        return _line("concat", [one, other], size), size, [one[0], other[0]]
    if kind < 0.72:
        size = one[1] // 2
        part = f" {{dim = 0 : i64, start = 0 : i64, end = {size} : i64}}"
        return _line("slice", [one], size, part), size, [one[0]]
    size = chance.choice(SIZES)
    return _line("opaque", [one, other], size), size, [one[0], other[0]]


def orders(ops: Sequence[Operation]) -> Iterator[list[Operation]]:
    """Every order in which ops come behind those whose results they read."""
    needed = [{n for n, other in enumerate(ops) if any(v.owner is other for v in op.operands)} for op in ops]

    def rest(done: frozenset[int], order: list[Operation]) -> Iterator[list[Operation]]:
        if len(order) == len(ops):
            yield order
        for number, op in enumerate(ops):
            if number not in done and needed[number] <= done:
                yield from rest(done | {number}, [*order, op])

    yield from rest(frozenset(), [])


def best_of_all(func: FuncOp, limit: int, parts: Sequence[bool] = (True, False)) -> int | None:
    """The smallest arena over all orders, with parts in position and without; None where there are too many orders."""
    block = func.body.block
    *ops, last = block.ops
    every = list(islice(orders(ops), limit + 1))
    if len(every) > limit:
        return None
    program = NumberedOps.of(func)
    assert program is not None and last is not None
    reordered = [program.reordered({block: (*order, last)}) for order in every]
    return min(arena_decided(one, with_parts) for one in reordered for with_parts in parts)


def arena_decided(program: NumberedOps, parts: bool) -> int:
    """Bytes of the arena under the optimal decisions, with parts in position or without."""
    plan = optimal.decide(program, parts)
    return arena_of(program.decided(plan.added_to(program.decisions)))
