"""What elementwise ops know of small tensors while compiling: numbers, and polynomials over unknown sizes."""

from __future__ import annotations

import pytest
from op_cases import build

from lastuse.dialect.ir.tensor_types import Content, TensorInfo, symbol

N, M = symbol("n"), symbol("m")


def content(line: str, *contents: Content | None) -> Content | None:
    """The content of the result of a line's op where its operands hold these."""
    op = build(line)
    infos = [op.operand_type(k)._replace(content=given) for k, given in enumerate(contents)]
    return op.contents([TensorInfo(*info) for info in infos])[0]


@pytest.mark.parametrize(
    ("line", "contents", "want"),
    [
        ("add(2xi64, 2xi64) -> 2xi64", [(N, 3), (1, M)], (N + 1, M + 3)),
        ("add(2xi64, i64) -> 2xi64", [(N, 3), (1,)], (N + 1, 4)),
        ("sub(2xi64, 2xi64) -> 2xi64", [(N, 3), (N, M)], (0, 3 - M)),
        ("mul(2xi64, 2xi64) -> 2xi64", [(N, -1), (N, M)], (N * N, M * -1)),
        ("div(3xi64, 3xi64) -> 3xi64", [(N * 6, -7, N), (2, 2, N)], (N * 3, -3, 1)),
        ("div(1xi64, 1xi64) -> 1xi64", [(N,), (2,)], None),
        ("neg(2xi64) -> 2xi64", [(N, 3)], (N * -1, -3)),
        ("cast(2xi64) -> 2xi32", [(N, 3)], (N, 3)),
        ("cast(2xi64) -> 2xf32", [(N, 3)], None),
        ("cast(2xi64) -> 2xi1", [(N, 3)], None),
        ("equal(4xi64, 4xi64) -> 4xi1", [(N, N, 3, N + 2), (N, -1, 3, 0)], (True, False, True, False)),
        ("equal(1xi64, 1xi64) -> 1xi1", [(N,), (3,)], None),
        ("equal(1xi64, 1xi64) -> 1xi1", [(N,), (0,)], None),
        ("equal(1xi64, 1xi64) -> 1xi1", [(N,), (M,)], None),
        ("where(2xi1, 2xi64, i64) -> 2xi64", [(True, False), (N, 3), (M,)], (N, M)),
        ("add(2xi64, 2xi64) -> 2xi64", [(N, 3), None], None),
        ("sub(2xi64, 2xi64) -> 2xi64", [(5, 3), (1, 9)], (4, -6)),
        ("maximum(1xi64, 1xi64) -> 1xi64", [(N,), (1,)], None),
        ("less(2xf32, 2xf32) -> 2xi1", [(1.0, float("nan")), (2.0, 1.0)], (True, False)),
    ],
)
def test_content_of_the_result(line: str, contents: list[Content | None], want: Content | None) -> None:
    assert content(line, *contents) == want


def test_content_that_is_too_large_is_not_followed() -> None:
    assert content("add(64xi64, 2x1xi64) -> 2x64xi64", tuple([N] * 64), (1, 2)) is None
