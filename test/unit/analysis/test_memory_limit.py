"""Sizes with units, and what the error above a limit names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastuse.passes.memory.limit import MOST_SHOWN, bytes_of
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
        (1.5, None),
        (np.int64(64), 64),
    ],
)
def test_limits_are_read_in_bytes_and_units(text: Any, expected: int | None) -> None:
    assert bytes_of(text) == expected


def test_largest_of_many_buffers_are_named() -> None:
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


def test_temporaries_of_boundaries_and_block_arguments_are_named() -> None:
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


def test_limit_on_a_function_of_unknown_sizes_is_an_error() -> None:
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}
"""
    assert opt_tool("--memory-plan-pass", stdin=text).status == 0
    done = opt_tool("--memory-plan-pass=limit=64", stdin=text)
    assert (done.status, "no limit can be kept" in done.err) == (1, True)


def told(steps: str, options: str) -> tuple[str, list[str]]:
    """The error of a plan above its limit, and its notes.

    Args:
        steps: `a2` makes a value of 2 times 64 bytes, `-a` reads it for the last time; all are named by their lines.
        options: of the pass.
    """
    sizes: dict[str, int] = {}
    lines: list[str] = []
    for step in steps.split():
        name = step.lstrip("-").rstrip("0123456789")
        size = sizes.setdefault(name, int(step[len(name) :] or 0)) if step[0] != "-" else sizes[name]
        shapes = ("1x16", f"{size}x16")[:: -1 if step[0] == "-" else 1]
        operand, result = ("%x", f"%{name}") if step[0] != "-" else (f"%{name}", f"%_{name}")
        types = "(tensor<{}xf32>) -> tensor<{}xf32>".format(*shapes)
        lines.append(f'  {result} = "dnn.opaque"({operand}) {{kind = "conv"}} : {types}')
    results, types = ", ".join(f"%_{name}" for name in sizes), ", ".join(["tensor<1x16xf32>"] * len(sizes))
    text = [f"func.func @main(%x: tensor<1x16xf32>) -> ({types}) {{", *lines, f"  func.return {results} : {types}", "}"]
    return told_of("\n".join(text), f"memory-plan-pass{{{options}}}")


def told_of(text: str, *passes: str) -> tuple[str, list[str]]:
    done = opt_tool("-p", ",".join(passes), stdin=text)
    assert done.status == 1
    (error,) = [line for line in done.err.splitlines() if " error: " in line]
    return error, [line.partition(" note: ")[2] for line in done.err.splitlines() if " note: " in line]


def test_error_is_at_the_op_with_most_live_bytes() -> None:
    """Dead values are not counted, neither at the first op nor after their last use."""
    error, notes = told("a3 -a b2 -b", "limit=64")
    assert error.startswith("<stdin>:2:8:")
    assert error.endswith("the arena has 192 bytes, the limit is 64; most is live at 'dnn.opaque' (a): 192 bytes")
    assert notes[:1] == ["%a has 192 bytes here, last needed by 'dnn.opaque'"]
    error, _ = told("a1 -a b2 -b c3 -c", "limit=64")
    assert error.startswith("<stdin>:6:8:")


FULL_OF_HOLES = "a3 b3 -a c2 -b d3 -d -c"
"""384 bytes are live at once; placed greedily they take 512."""


def test_better_algorithm_is_named_if_it_may_fit() -> None:
    _, notes = told(FULL_OF_HOLES, "algorithm=greedy limit=384")
    assert "algorithm=exact may fit: 384 bytes are live at once" in notes
    assert notes[-1] == "a limit of 512 fits"
    _, notes = told(FULL_OF_HOLES, "algorithm=greedy limit=383")
    assert not any("algorithm=exact" in note for note in notes)
    assert notes[-1] == "this order needs 1 bytes less to fit, or a limit of 384"


@pytest.mark.parametrize("more", [0, 1])
def test_number_of_named_buffers_is_bounded(more: int) -> None:
    """Holds for all live buffers and for those held for later ops; one of them is the op's own result."""
    names = [chr(ord("a") + n) for n in range(MOST_SHOWN + more)]
    _, notes = told(" ".join(f"{name}1" for name in (*names, "z")) + " -z -" + " -".join(names), "limit=64")
    held = ", ".join(f"%{name}" for name in names[:MOST_SHOWN]) + (", …" if more else "")
    wanted = f"held over this op for later ones: {held}, {64 * len(names):,} bytes; an order that uses them first"
    assert wanted in notes
    _, notes = told(" ".join(f"{name}1" for name in names) + " -" + " -".join(names), "limit=64")
    assert any("smaller ones have" in note for note in notes) == bool(more)


def test_largest_call_is_named() -> None:
    step = """func.func @{0}(%x: tensor<{1}xf32>) -> tensor<{1}xf32> {{
  %a = "dnn.exp"(%x) : (tensor<{1}xf32>) -> tensor<{1}xf32>
  %b = "dnn.opaque"(%a) {{kind = "conv"}} : (tensor<{1}xf32>) -> tensor<{1}xf32>
  func.return %b : tensor<{1}xf32>
}}
"""
    call = """func.func @main(%x: tensor<16xf32>, %y: tensor<32xf32>) -> (tensor<32xf32>, tensor<16xf32>) {{
  {}
  %b = func.call @large(%y) : (tensor<32xf32>) -> tensor<32xf32>
  %c = func.call @small({}) : (tensor<16xf32>) -> tensor<16xf32>
  func.return %b, %c : tensor<32xf32>, tensor<16xf32>
}}
"""
    functions = step.format("small", 16) + step.format("large", 32)
    assert opt_tool("--memory-plan-pass=limit=128", stdin=functions + call.format("", "%x")).status == 0
    own = call.format('%a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>', "%a")
    error, _ = told_of(functions + own, "memory-plan-pass{limit=128}")
    found = "the arenas have 192 bytes, the limit is 128: 64 of @main and 128 of what it calls here"
    assert error == f"<stdin>:13:8: error: {found}"


@pytest.mark.parametrize(
    ("passes", "read_later", "told_so"),
    [(("inplace-pass",), False, False), ((), False, True), ((), True, False)],
    ids=["it is", "it is not", "it cannot be"],
)
def test_in_place_pass_is_named_if_it_would_fit(passes: tuple[str, ...], read_later: bool, told_so: bool) -> None:
    text = f"""func.func @main(%x: tensor<1x16xf32>) -> (tensor<1x16xf32>, tensor<1x16xf32>) {{
  %a = "dnn.exp"(%x) : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %b = "dnn.softmax"(%a) {{axis = 1 : i64, dnn.scratch_bytes = 64 : i64}} : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %c = "dnn.opaque"(%b) {{kind = "conv"}} : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %d = "dnn.opaque"({"%a" if read_later else "%x"}) {{kind = "conv"}} : (tensor<1x16xf32>) -> tensor<1x16xf32>
  func.return %c, %d : tensor<1x16xf32>, tensor<1x16xf32>
}}
"""
    error, notes = told_of(text, *passes, "memory-plan-pass{limit=64}")
    assert error.startswith("<stdin>:3:8:")
    assert ("--inplace-pass before this pass writes %b over %a" in notes) == told_so
    assert sum("--inplace-pass" in note for note in notes) == told_so
