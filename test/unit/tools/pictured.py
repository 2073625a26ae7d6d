"""Programs and buffers for the tests of pictures, and what is drawn of them."""

from __future__ import annotations

import random
from itertools import accumulate
from xml.etree import ElementTree

from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.frontends.text import mlir_parser
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.tools.visualize.memory import Box, MemoryMap
from lastuse.tools.visualize.plans import map_of_buffers
from lastuse.tools.visualize.read import memory_maps

SVG = "{http://www.w3.org/2000/svg}"


def decided(text: str, plan: bool = True) -> ModuleOp:
    """A module, in place and planned, or as it stands."""
    ctx = context()
    module = mlir_parser.parse(ctx, text, "given.mlir")
    if plan:
        InplacePass().apply(ctx, module)
        MemoryPlanPass().apply(ctx, module)
    return module


def maps_of(text: str, plan: bool = True) -> tuple[MemoryMap, ...]:
    """The maps of a program."""
    return memory_maps(decided(text, plan))


def many_ops(count: int, seed: int = 1) -> str:
    """A program of so many ops, each on results of some of the ops before it."""
    rng, type_ = random.Random(seed), "tensor<8x64xf32>"
    lines, values = [f"func.func @main(%x: {type_}) -> {type_} {{"], ["%x"]
    for n in range(count):
        kind, one, other = rng.random(), rng.choice(values[-12:]), rng.choice(values[-40:])
        if kind < 0.25:
            lines.append(f'  %v{n} = "dnn.add"({one}, {other}) : ({type_}, {type_}) -> {type_}')
        elif kind < 0.6:
            lines.append(f'  %v{n} = "dnn.relu"({one}) : ({type_}) -> {type_}')
        else:
            lines.append(f'  %v{n} = "dnn.softmax"({one}) {{axis = -1 : i64}} : ({type_}) -> {type_}')
        values.append(f"%v{n}")
    return "\n".join([*lines, f"  func.return {values[-1]} : {type_}", "}", ""])


def tabled(count: int = 80) -> MemoryMap:
    """Buffers one above the other, with names that have to be escaped."""
    rng = random.Random(7)
    lives = [(at := rng.randrange(90), at + rng.randrange(1, 12)) for _ in range(count)]
    sizes = [rng.randrange(1, 1 << 20) for _ in lives]
    names = [f'</script>&"\x00<b>内存{n}' for n in range(count)]
    return map_of_buffers("]]> <!-- & \x07", lives, names, sizes, [0, *accumulate(sizes)][:-1], 1 << 20)


def meet(box: Box, other: Box) -> bool:
    """At some step both have some byte."""
    return any(
        a.first <= b.last and b.first <= a.last and a.begin < b.end and b.begin < a.end
        for a in box.pieces
        for b in other.pieces
    )


def meeting(found: MemoryMap) -> list[tuple[Box, Box]]:
    """Boxes on top of each other."""
    return [(a, b) for n, a in enumerate(found.boxes) for b in found.boxes[n + 1 :] if meet(a, b)]


def drawn_boxes(text: str) -> list[ElementTree.Element]:
    """The groups of a picture that are boxes."""
    return [g for g in ElementTree.fromstring(text).iter(f"{SVG}g") if g.get("class", "").startswith("b ")]
