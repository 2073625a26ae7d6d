"""The graph of a block that the search for an order works on, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from unit.strategies.corpus import function

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import MemoryModel
from lastuse.passes.scheduling.schedule_graph import block_graph

TYPES = {
    "Q": "tensor<2xf32>",
    "S": "tensor<16xf32>",
    "B": "tensor<64xf32>",
    "W": "tensor<32xf32>",
    "C": "tensor<4x16xf32>",
}


def seen(text: str, block: int = 0) -> list[str]:
    """The graph of a block: an op a line, with what it reads, what it writes and in how many bytes, and what may be
    over what; then what else there is to say. Buffers have the names of the results they begin with, or are numbered.
    In the text types are letters, and `op` is one that may not be in place."""
    text = re.sub(r"= op\(([^)]*)\)", r'= "dnn.opaque"(\1) {kind = "conv"}', text)
    text = re.sub(r"= ([a-z_]+)\(", r'= "dnn.\1"(', text)
    func = function(re.sub(r"(?<![\w%\"])([QSBWC])\b", lambda m: TYPES[m[1]], text))
    program = NumberedOps.of(func)
    assert program is not None
    made = block_graph(MemoryModel(program), list(program.block_out)[block], lambda _: True)
    graph, outside = made.graph, made.outside

    def name(buffer: int) -> str:
        return made.results[buffer].name_hint or "" if buffer in made.results else f"#{buffer}"

    def names(buffers: Iterable[int]) -> str:
        return " ".join(name(b) for b in sorted(buffers))

    lines: list[str] = []
    for node, op in zip(made.nodes, graph.ops, strict=True):
        line = f"{op_name(node)}: {names(op.reads)} ->"
        line += "".join(f" {name(w)}={graph.sizes[w]}" for w in op.writes)
        line += "".join(f", {name(w)} over {name(r)}" for r, w in op.may_inplace)
        lines.append(line)
    said = {"kept": graph.kept, "lent": graph.not_overwritable, "ends": outside.ends, "begins": outside.begins}
    lines += [f"{what}: {names(buffers)}" for what, buffers in said.items() if buffers]
    lines += [f"{name(whole)} has {names(inside)}" for whole, inside in outside.parts.items()]
    lines += [f"first {op_name(made.nodes[a])} {a}, then {op_name(made.nodes[b])} {b}" for a, b in graph.edges]
    return lines


GRAPHS: dict[str, tuple[str, list[list[str]]]] = {
    "results and what the caller gives": (
        """func.func @main(%x: S, %d: S {dnn.donated}) -> (S, B) {
          %a = exp(%x) : (S) -> S
          %b = relu(%a) : (S) -> S
          %c = add(%b, %d) : (S, S) -> S
          %e = relu(%d) : (S) -> S
          %r = op(%c, %e) : (S, S) -> B
          func.return %b, %r : S, B
        }""",
        [
            [
                "dnn.exp: #0 -> a=64, a over #0",
                "dnn.relu: a -> b=0, b over a",
                "dnn.add: b #3 -> c=64, c over b, c over #3",
                "dnn.relu: #3 -> e=64, e over #3",
                "dnn.opaque: c e -> r=0",
                "kept: b r",
                "lent: #0 #3",
                "ends: b r",
                "begins: #3",
            ],
        ],
    ),
    "views go along; halves and constants": (
        """func.func @main(%x: B) -> (Q) {
          %k = zeros() : () -> S
          %w = "dnn.constant"() {value = dense<0.5> : S} : () -> S
          %a = exp(%x) : (B) -> B
          %v = reshape(%a) : (B) -> C
          %s = slice(%a) {dim = 0 : i64, start = 0 : i64, end = 16 : i64, step = 1 : i64} : (B) -> S
          %b = relu(%v) : (C) -> C
          %e = relu(%s) : (S) -> S
          %f = add(%e, %w) : (S, S) -> S
          %g = add(%f, %k) : (S, S) -> S
          %r = op(%b, %g) : (C, S) -> Q
          func.return %r : Q
        }""",
        [
            [
                "dnn.zeros:  -> k=64",
                "dnn.exp: #1 -> a=256, a over #1",
                "dnn.relu: a -> b=256, b over a",
                "dnn.relu: a -> e=64",
                "dnn.add: e -> f=64, f over e",
                "dnn.add: k f -> g=64, g over f, g over k",
                "dnn.opaque: b g -> r=0",
                "kept: r",
                "lent: #1",
                "ends: r",
            ],
        ],
    ),
    "what may be made in a concat, once": (
        """func.func @main(%x: S) -> (Q) {
          %a = exp(%x) : (S) -> S
          %b = relu(%x) : (S) -> S
          %k = zeros() : () -> S
          %c = concat(%a, %x, %b, %a) {axis = 0 : i64} : (S, S, S, S) -> B
          %r = op(%c) : (B) -> Q
          func.return %r : Q
        }""",
        [
            [
                "dnn.exp: #0 -> a=64, a over #0",
                "dnn.relu: #0 -> b=64, b over #0",
                "dnn.zeros:  -> k=64",
                "dnn.concat: #0 a b -> c=256",
                "dnn.opaque: c -> r=0",
                "kept: r",
                "lent: #0",
                "ends: r",
                "c has a b",
            ],
        ],
    ),
    "not made in a concat: what a loop makes, a part of something else": (
        """func.func @main(%x: S, %n: index) -> (Q) {
          %a = op(%x) : (S) -> B
          %s = slice(%a) {dim = 0 : i64, start = 0 : i64, end = 16 : i64, step = 1 : i64} : (B) -> S
          %k, %l = scf.for %i = %n to %n step %n iter_args(%j = %n, %p = %x) -> (index, S) {
            scf.yield %j, %p : index, S
          }
          %b = exp(%x) : (S) -> S
          %c = concat(%l, %s, %b, %x) {axis = 0 : i64} : (S, S, S, S) -> B
          %r = op(%c) : (B) -> Q
          func.return %r : Q
        }""",
        [
            [
                "dnn.opaque: #0 -> a=256",
                "scf.for: #0 -> l=64, l over #0",
                "dnn.exp: #0 -> b=64, b over #0",
                "dnn.concat: #0 a l b -> c=256",
                "dnn.opaque: c -> r=0",
                "kept: r",
                "lent: #0",
                "ends: r",
                "c has b",
            ],
        ],
    ),
    "unknown ops stay in order, and lend": (
        """func.func @main(%x: S) -> (S) {
          %a = exp(%x) : (S) -> S
          %f = "other.view"(%a) : (S) -> S
          %b = relu(%a) : (S) -> S
          %g = "other.view"(%f) : (S) -> S
          %e = relu(%g) : (S) -> S
          %h = "other.end"(%x) : (S) -> S
          %r = add(%b, %e) : (S, S) -> S
          func.return %r : S
        }""",
        [
            [
                "dnn.exp: #0 -> a=64, a over #0",
                "other.view: a -> f=0",
                "dnn.relu: a -> b=64, b over a",
                "other.view: a f -> g=0",
                "dnn.relu: a f g -> e=64",
                "other.end: #0 -> h=0",
                "dnn.add: b e -> r=0, r over b, r over e",
                "kept: r",
                "lent: #0 f g h",
                "ends: r",
                "first other.view 3, then other.end 5",
            ],
        ],
    ),
    "what is read twice": (
        """func.func @main(%x: S) -> (Q) {
          %a = exp(%x) : (S) -> S
          %b = mul(%a, %a) : (S, S) -> S
          %v = slice(%b) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (S) -> tensor<1xf32>
          %c = div(%b, %v) : (S, tensor<1xf32>) -> S
          %r = op(%c) : (S) -> Q
          func.return %r : Q
        }""",
        [
            [
                "dnn.exp: #0 -> a=64, a over #0",
                "dnn.mul: a -> b=64, b over a, b over a",
                "dnn.div: b -> c=64",
                "dnn.opaque: c -> r=0",
                "kept: r",
                "lent: #0",
                "ends: r",
            ],
        ],
    ),
    "scratch": (
        """func.func @main(%x: S) -> (Q) {
          %a = exp(%x) : (S) -> S
          %b = "dnn.opaque"(%a) {kind = "conv", dnn.scratch_bytes = 100 : i64} : (S) -> S
          %r = op(%b) : (S) -> Q
          func.return %r : Q
        }""",
        [
            [
                "dnn.exp: #0 -> a=64, a over #0",
                "dnn.opaque: a -> b=64 #3=128",
                "dnn.opaque: b -> r=0",
                "kept: r",
                "lent: #0",
                "ends: r",
            ],
        ],
    ),
    "what has regions: its frame, and its body": (
        """func.func @main(%x: S, %n: index) -> (Q) {
          %a = exp(%x) : (S) -> S
          %t = exp(%x) : (S) -> S
          %l = scf.for %i = %n to %n step %n iter_args(%p = %a) -> (S) {
            %b = op(%p) : (S) -> B
            %e = op(%b) : (B) -> B
            %f = op(%e, %t) : (B, S) -> S
            scf.yield %f : S
          }
          %u = exp(%x) : (S) -> S
          %r = op(%l, %u) : (S, S) -> Q
          func.return %r : Q
        }""",
        [
            [
                "dnn.exp: #0 -> a=64, a over #0",
                "dnn.exp: #0 -> t=64, t over #0",
                "scf.for: a t -> l=64 #4=512, l over a",
                "dnn.exp: #0 -> u=64, u over #0",
                "dnn.opaque: l u -> r=0",
                "kept: r",
                "lent: #0",
                "ends: r",
            ],
            [
                "dnn.opaque: #0 -> b=256",
                "dnn.opaque: b -> e=256",
                "dnn.opaque: e #3 -> f=64",
                "kept: #0 #3 f",
            ],
        ],
    ),
}


@pytest.mark.parametrize("what", GRAPHS)
def test_graph_has_the_ops_buffers_and_edges_of_each_block(what: str) -> None:
    text, blocks = GRAPHS[what]
    assert [seen(text, number) for number in range(len(blocks))] == blocks
