"""Sizes as people write them; what an error above a limit names."""

from __future__ import annotations

import pytest

from lastuse.passes.analysis.budget import MOST_SHOWN, bytes_of
from support import opt_tool


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (64, 64),
        ("64", 64),
        ("0", 0),
        ("64B", 64),
        ("1KiB", 1024),
        ("1kib", 1024),
        ("1.5KiB", 1536),
        ("1MiB", 1 << 20),
        ("2 GiB", 2 << 30),
        ("1kB", 1000),
        ("2MB", 2_000_000),
        ("0.000000001GB", 1),
        ("", None),
        ("-1", None),
        (-1, None),
        ("1e6", None),
        ("KiB", None),
        ("1.KiB", None),
        ("1TiB", None),
        ("١", None),
        (True, None),
    ],
)
def test_bytes_of(text: int | str, expected: int | None) -> None:
    assert bytes_of(text) == expected


def test_of_many_buffers_the_largest_are_named() -> None:
    count = MOST_SHOWN + 5
    made = [f'  %v{n} = "dnn.exp"(%x{n}) : (tensor<{n + 1}x16xf32>) -> tensor<{n + 1}x16xf32>' for n in range(count)]
    used = [
        f'  %u{n} = "dnn.opaque"(%v{n}) {{kind = "conv"}} : (tensor<{n + 1}x16xf32>) -> tensor<1xf32>'
        for n in range(count)
    ]
    results, types = ", ".join(f"%u{n}" for n in range(count)), ", ".join(["tensor<1xf32>"] * count)
    arguments = ", ".join(f"%x{n}: tensor<{n + 1}x16xf32>" for n in range(count))
    text = "\n".join(
        [f"func.func @main({arguments}) -> ({types}) {{", *made, *used, f"  func.return {results} : {types}", "}"]
    )
    done = opt_tool("--memory-plan-pass=limit=64", stdin=text)
    assert done.status == 1
    notes = [line for line in done.err.splitlines() if " note: " in line]
    assert sum(" bytes here, last needed by 'dnn.opaque'" in note for note in notes) == MOST_SHOWN
    assert f"%v{count - 1} has {64 * count:,} bytes here" in notes[0]
    assert "5 smaller ones have 960 bytes here" in notes[MOST_SHOWN]
    assert done.out == ""


def test_what_boundaries_put_aside_and_block_arguments_are_named() -> None:
    text = """func.func @main(%x: tensor<16xf32>, %y: tensor<16xf32>, %n: index) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%p = %x, %q = %y) -> (tensor<16xf32>, tensor<16xf32>) {
    scf.yield %q, %p : tensor<16xf32>, tensor<16xf32>
  }
  %a = "dnn.opaque"(%r#0) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%r#1) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %a, %b : tensor<16xf32>, tensor<16xf32>
}
"""
    done = opt_tool("--memory-plan-pass=limit=64", stdin=text)
    assert done.status == 1
    assert "what 'scf.yield' puts aside has 64 bytes here" in done.err
    branch = """func.func @main(%x: tensor<16xf32>) -> tensor<4xf32> {
  cf.br ^next(%x : tensor<16xf32>)
^next(%p: tensor<16xf32>):
  %a = "dnn.opaque"(%p) {kind = "conv"} : (tensor<16xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
"""
    done = opt_tool("--memory-plan-pass=limit=10", stdin=branch)
    assert done.status == 1
    assert "<stdin>:4:8: note: %p has 64 bytes here" in done.err, done.err


def test_a_limit_on_what_is_not_planned_is_an_error() -> None:
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}
"""
    assert opt_tool("--memory-plan-pass", stdin=text).status == 0
    done = opt_tool("--memory-plan-pass=limit=64", stdin=text)
    assert (done.status, "no limit can be kept" in done.err) == (1, True)
