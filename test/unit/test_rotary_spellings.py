"""Rotary embeddings that models spell out, by halves and by a turned copy, are one op that computes what they say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse

HALVES = [
    "%a = slice(%x) {dim = 3 : i64, end = 4 : i64}",
    "%b = slice(%x) {dim = 3 : i64, start = 4 : i64, end = 8 : i64}",
    "%p = mul(%a, %c)",
    "%q = mul(%s, %b)",
    "%u = sub(%p, %q)",
    "%r = mul(%b, %c)",
    "%t = mul(%a, %s)",
    "%v = add(%t, %r)",
    "%y = concat(%u, %v) {axis = -1 : i64}",
]
KEPT = [*HALVES[:-1], "%k = slice(%x) {dim = 3 : i64, start = 8 : i64}", "%y = concat(%u, %v, %k) {axis = 3 : i64}"]
COPY = [
    "%a = slice(%x) {dim = 3 : i64, end = 4 : i64}",
    "%b = slice(%x) {starts = array<i64: -4>, ends = array<i64: 99>, axes = array<i64: -1>}",
    "%n = neg(%b)",
    "%m = concat(%n, %a) {axis = 3 : i64}",
    "%p = mul(%x, %c)",
    "%q = mul(%m, %s)",
    "%y = add(%q, %p)",
]
SPLIT = ["%a, %b = split(%x) {axis = 3 : i64, num_outputs = 2 : i64}", *COPY[2:]]


def program(lines: Sequence[str], x: str, table: str, result: str) -> lastuse.Program:
    """The lines as ops of dnn whose results have the sizes that they have to have."""
    sizes = {"x": x, "c": table, "s": table}
    text: list[str] = []
    for line in lines:
        names, call = line.split(" = ", 1)
        kind, rest = call.split("(", 1)
        operands, attributes = rest.split(")", 1)
        given = [name.strip().lstrip("%") for name in operands.split(",")]
        lead, last = result.rsplit("x", 1)
        part = kind in ("slice", "split", "neg")
        size = "4" if kind != "concat" and not (kind in ("mul", "add") and table.endswith("8")) else last
        size = str(int(last) - 8) if names == "%k" else size
        made = f"{(x.rsplit('x', 1)[0] if part or names == '%m' else lead)}x{size}"
        for name in names.split(", "):
            sizes[name.lstrip("%")] = made
        types = ", ".join(f"tensor<{sizes[name]}xf32>" for name in given)
        results = ", ".join(f"tensor<{made}xf32>" for _ in names.split(", "))
        text.append(f'{names} = "dnn.{kind}"({operands}){attributes} : ({types}) -> ({results})')
    head = f"func.func @main(%x: tensor<{x}xf32>, %c: tensor<{table}xf32>, %s: tensor<{table}xf32>)"
    body = "\n  ".join([*text, f"func.return %y : tensor<{result}xf32>"])
    return lastuse.compile(parse(context(), f"{head} -> tensor<{result}xf32> {{\n  {body}\n}}\n", "rotary.mlir"))


def arrays(*shapes: Sequence[int]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {n: rng.normal(size=shape).astype(np.float32) for n, shape in zip("xcs", shapes, strict=True)}


def kinds(program: lastuse.Program) -> list[str]:
    return [op.name for op in program.latest.module.walk() if op.name.startswith("dnn.")]


@pytest.mark.parametrize("rows", ["2x3x5", "?x3x?"])
@pytest.mark.parametrize("kept", [False, True])
def test_halves_that_are_turned_and_joined(kept: bool, rows: str) -> None:
    last = 11 if kept else 8
    table = "?x1x?x4" if "?" in rows else "2x1x5x4"
    made = program(KEPT if kept else HALVES, f"{rows}x{last}", table, f"{rows}x{last}")
    feeds = arrays((2, 3, 5, last), (2, 1, 5, 4), (2, 1, 5, 4))
    (y,) = made.run(feeds).values()
    assert kinds(made) == ["dnn.rotary_embedding"]
    x, c, s = feeds.values()
    a, b = x[..., :4], x[..., 4:8]
    np.testing.assert_allclose(y, np.concatenate([a * c - b * s, b * c + a * s, x[..., 8:]], -1), rtol=0, atol=1e-6)


@pytest.mark.parametrize("rows", ["2x3x5", "?x3x?"])
@pytest.mark.parametrize("lines", [COPY, SPLIT], ids=["slices", "split"])
def test_a_copy_that_is_turned_and_added(lines: Sequence[str], rows: str) -> None:
    table = "?x8" if "?" in rows else "5x8"
    made = program(lines, f"{rows}x8", table, f"{rows}x8")
    feeds = arrays((2, 3, 5, 8), (5, 8), (5, 8))
    (y,) = made.run(feeds).values()
    assert kinds(made) == ["dnn.rotary_embedding"]
    x, c, s = feeds.values()
    turned = np.concatenate([-x[..., 4:], x[..., :4]], -1)
    np.testing.assert_allclose(y, x * c + turned * s, rtol=0, atol=1e-6)


WRONG = {
    "the second half is negated": [*COPY[:2], "%n = neg(%a)", "%m = concat(%b, %n) {axis = 3 : i64}", *COPY[4:]],
    "nothing is negated": [*COPY[:2], "%n = abs(%b)", *COPY[3:]],
    "halves of other sizes": [COPY[0], COPY[1].replace("-4", "-5").replace("99", "-1"), *COPY[2:]],
    "cosines of the other product": [*HALVES[:5], "%r = mul(%b, %s)", "%t = mul(%a, %c)", *HALVES[7:]],
    "sums of both": [*HALVES[:4], "%u = add(%p, %q)", *HALVES[5:]],
}


@pytest.mark.parametrize("why", WRONG)
def test_what_is_no_rotation_stays(why: str) -> None:
    last = "8" if WRONG[why][0] == COPY[0] and "concat" in WRONG[why][3] else "4"
    made = program(WRONG[why], "2x3x5x8", f"5x{last}", "2x3x5x8")
    made.run(arrays((2, 3, 5, 8), (5, int(last)), (5, int(last))))
    assert "dnn.rotary_embedding" not in kinds(made)
