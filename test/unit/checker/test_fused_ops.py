"""The storage checker refuses results of fused ops over operands that the contracts of these do not permit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.verify_storage import VerifyStoragePass

POST_OPS = 'post_ops = [{op = "dnn.add", sum}, {op = "dnn.mul"}]'
MAP = (
    'body = [{op = "dnn.add", operands = array<i64: 0, 1>, type = f32}, '
    '{op = "dnn.mul", operands = array<i64: 4, 2>, type = f32}, '
    '{op = "dnn.add", operands = array<i64: 5, 3>, type = f32}]'
)
OPS: dict[str, tuple[str, str, tuple[str, ...], str, tuple[int, ...]]] = {
    "conv": (
        "dnn.conv",
        f"channels_last = true, {POST_OPS}",
        ("1x5x4x8", "8x8x1x1", "8", "1x5x4x8", "1x5x4x8"),
        "1x5x4x8",
        (3,),
    ),
    "gemm": ("dnn.gemm", POST_OPS, ("8x8", "8x8", "8x8", "8x8"), "8x8", (2,)),
    "matmul": ("dnn.matmul", POST_OPS, ("3x8x8", "8x8", "3x8x8", "3x8x8"), "3x8x8", (2,)),
    "map": ("dnn.map", MAP, ("4x8", "4x8", "8", "4x1"), "4x8", (0, 1)),
}
"""An op, its attributes, the sizes of its operands and of its result, and operands that the result may be over."""


def text(kind: str, over: int, read_later: int | None = None, returned: int | None = None) -> str:
    """The op over one of its operands, by a plan where that has other sizes; each is made by an op of its own, and one
    may be read, or returned, behind it."""
    name, attributes, sizes, result, _ = OPS[kind]
    types = [f"tensor<{each}xf32>" for each in sizes]
    planned = sizes[over] != result
    place = "{dnn.offset = array<i64: 0>} "
    made = [
        f'  %o{n} = "dnn.tanh"(%a{n}) {place if planned and n == over else ""}: ({t}) -> {t}'
        for n, t in enumerate(types)
    ]
    operands = ", ".join(f"%o{n}" for n in range(len(types)))
    out = f"tensor<{result}xf32>"
    decision = "dnn.offset = array<i64: 0>" if planned else f"dnn.inplace = array<i32: {over}>"
    lines = [
        *made,
        f'  %v = "{name}"({operands}) {{{attributes}, {decision}}} : ({", ".join(types)}) -> {out}',
        f'  %w = "dnn.exp"(%v) : ({out}) -> {out}',
    ]
    results, ends = [out], ["%w"]
    if read_later is not None:
        lines.append(f'  %l = "dnn.exp"(%o{read_later}) : ({types[read_later]}) -> {types[read_later]}')
        results, ends = [*results, types[read_later]], [*ends, "%l"]
    if returned is not None:
        results, ends = [*results, types[returned]], [*ends, f"%o{returned}"]
    arguments = ", ".join(f"%a{n}: {t}" for n, t in enumerate(types))
    body = "\n".join(lines)
    plan = "attributes {dnn.arena_bytes = 4096 : i64} " if planned else ""
    return f"""func.func @main({arguments}) -> ({", ".join(results)}) {plan}{{
{body}
  func.return {", ".join(ends)} : {", ".join(results)}
}}
"""


def mutants() -> Iterator[tuple[str, int, int | None, int | None]]:
    """Over each operand that the contract leaves out, and over those it names where these are used behind the op."""
    for kind, (_, _, sizes, _, allowed) in OPS.items():
        for over in range(len(sizes)):
            if over not in allowed:
                yield kind, over, None, None
            yield kind, over, over, None
            yield kind, over, None, over
            yield from (
                (kind, over, other, None) for other in range(len(sizes)) if over not in allowed and other != over
            )


def verify(source: str) -> None:
    VerifyStoragePass().apply(context(), parse(context(), source, "fused.mlir"))


@pytest.mark.parametrize(("kind", "over"), [(kind, over) for kind, spec in OPS.items() for over in spec[4]])
def test_what_the_contract_permits_is_taken(kind: str, over: int) -> None:
    verify(text(kind, over))


def test_there_are_60_mutants() -> None:
    assert len(set(mutants())) >= 60


@pytest.mark.parametrize(("kind", "over", "read_later", "returned"), [*mutants()])
def test_mutants_are_refused(kind: str, over: int, read_later: int | None, returned: int | None) -> None:
    with pytest.raises(LastuseError, match=r"while it reads them as|were overwritten by"):
        verify(text(kind, over, read_later, returned))
