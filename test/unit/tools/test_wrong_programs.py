"""Wrong control flow and wrong inputs: an error of one line with the location."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support import Done, call, opt_tool

T = "tensor<4xf32>"
DECODE = f"""func.func @main(%x: {T}, %n: index, %c: i1, %f: f32) -> {T} {{
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %r = scf.for %i = %z to %n step %o iter_args(%s = %x) -> ({T}) {{
    %t = "dnn.tanh"(%s) : ({T}) -> {T}
    scf.yield %t : {T}
  }}
  func.return %r : {T}
}}
"""


def run(folder: Path, text: str, inputs: dict[str, object]) -> Done:
    """`run-tool` on a program and arrays."""
    (folder / "wrong.mlir").write_text(text)
    np.savez(folder / "in.npz", **{name: np.asarray(value) for name, value in inputs.items()})
    model, given, out = (str(folder / name) for name in ("wrong.mlir", "in.npz", "out.npz"))
    return call(["run-tool", model, "--inputs", given, "--outputs", out])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        # of the wrong dtype, or no number of that dtype
        ({"n": 2.5}, "'n' is one number of dtype int64; 2.5 is none"),
        ({"n": np.uint64(2**63)}, "'n' is one number of dtype int64; 9223372036854775808 is none"),
        ({"n": np.float32("nan")}, "'n' is one number of dtype int64; nan is none"),
        ({"n": "3"}, "'n' is one number of dtype int64, not <U1[]"),
        ({"f": np.complex64(1)}, "'f' is one number of dtype float32, not complex64[]"),
        ({"c": 2}, "'c' is one number of dtype bool; 2 is none"),
        ({"c": np.float32("nan")}, "'c' is one number of dtype bool; nan is none"),
        # with axes where there are none, and the other way round
        ({"n": np.array([3])}, "'n' is one number of dtype int64, not int64[1]"),
        ({"c": np.zeros((1, 1), bool)}, "'c' is one number of dtype bool, not bool[1, 1]"),
        ({"x": np.float32(1)}, "'x' has shape [], the program wants [4]"),
        # missing, or not asked for
        ({"c": None}, "inputs: missing c; the program has x, n, c, f"),
        ({"c": None, "n": None}, "inputs: missing n, c; the program has x, n, c, f"),
        ({"c": None, "d": True}, "inputs: missing c; unknown d; the program has x, n, c, f"),
    ],
)
def test_wrong_scalar_inputs_are_errors(changed: dict[str, object], message: str, tmp_path: Path) -> None:
    right = {"x": np.ones(4, np.float32), "n": np.int64(2), "c": np.True_, "f": np.float32(1)}
    inputs = {name: value for name, value in {**right, **changed}.items() if value is not None}
    done = run(tmp_path, DECODE, inputs)
    first = done.err.splitlines()[0]
    assert done.status == 1 and first.endswith(f"in.npz:1:1: error: {message}")
    assert "Traceback" not in done.err and not (tmp_path / "out.npz").exists()


@pytest.mark.parametrize("trips", [-1, -5, np.iinfo(np.int64).min])
def test_loop_with_a_negative_trip_count_runs_never(trips: int, tmp_path: Path) -> None:
    """scf.for runs while the index is below the bound; the result is the init."""
    x = np.arange(4, dtype=np.float32)
    done = run(tmp_path, DECODE, {"x": x, "n": np.int64(trips), "c": False, "f": np.float32(1)})
    assert done.status == 0, done.err
    with np.load(tmp_path / "out.npz") as found:
        np.testing.assert_array_equal(found["out0"], x)


STEPS = {name: DECODE.replace("%o = arith.constant 1", f"%o = arith.constant {name}") for name in ("0", "-1", "-7")}


@pytest.mark.parametrize("step", STEPS)
def test_step_that_is_not_positive_is_an_error(step: str, tmp_path: Path) -> None:
    done = run(tmp_path, STEPS[step], {"x": np.ones(4, np.float32), "n": 3, "c": True, "f": np.float32(1)})
    assert done.status == 1 and "Traceback" not in done.err
    assert f"wrong.mlir:4:8: scf.for: the step is {step}" in done.err.splitlines()[0]


CALL = f"  %r = func.call @%s(%x) : ({T}) -> {T}\n  func.return %r : {T}\n}}\n"


def caller(name: str, callee: str) -> str:
    return f"func.func @{name}(%x: {T}) -> {T} {{\n" + CALL.replace("%s", callee)


PROGRAMS: dict[str, tuple[str, str]] = {
    "calls itself": (caller("main", "main"), "2:8: error: @main may be called while it runs: recursion"),
    "in a circle": (
        caller("main", "a") + caller("a", "b") + caller("b", "a"),
        "6:8: error: @b may be called while it runs: recursion",
    ),
    "in an arm, of unknown size": (
        "func.func @main(%x: tensor<?xf32>, %c: i1) -> tensor<?xf32> {\n  %r = scf.if %c -> (tensor<?xf32>) {\n"
        "    %a = func.call @main(%x, %c) : (tensor<?xf32>, i1) -> tensor<?xf32>\n    scf.yield %a : tensor<?xf32>\n"
        "  } else {\n    scf.yield %x : tensor<?xf32>\n  }\n  func.return %r : tensor<?xf32>\n}\n",
        "3:10: error: @main may be called while it runs: recursion",
    ),
    "undefined": (caller("main", "missing"), "2:8: error: 'func.call' op '@missing' could not be found"),
    "declared": (
        f"func.func private @missing({T}) -> {T}\n" + caller("main", "missing"),
        "3:8: error: nothing here can run @missing: the module has no body for it",
    ),
    "declared, of a scalar": (
        "func.func private @count() -> index\nfunc.func @main() -> index {\n"
        "  %r = func.call @count() : () -> index\n  func.return %r : index\n}\n",
        "3:8: error: nothing here can run @count: the module has no body for it",
    ),
    "undefined, of no result": (
        f"func.func @main(%x: {T}) -> {T} {{\n  func.call @missing(%x) : ({T}) -> ()\n  func.return %x : {T}\n}}\n",
        "2:3: error: 'func.call' op '@missing' could not be found",
    ),
    "no terminator": (
        f'func.func @main(%x: {T}) -> {T} {{\n  %r = "dnn.relu"(%x) : ({T}) -> {T}\n}}\n',
        "2:8: error: 'dnn.relu' ends its block but is not a terminator",
    ),
    "never returns": (
        f"func.func @main(%x: {T}) -> {T} {{\n  cf.br ^a\n^a:\n  cf.br ^a\n}}\n",
        "1:1: error: the function never returns",
    ),
    "never returns, of unknown size": (
        "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  cf.br ^a(%x : tensor<?xf32>)\n"
        "^a(%p: tensor<?xf32>):\n  cf.br ^a(%p : tensor<?xf32>)\n}\n",
        "1:1: error: the function never returns",
    ),
    "callee never returns": (
        caller("main", "f") + f"func.func @f(%x: {T}) -> {T} {{\n  cf.br ^a\n^a:\n  cf.br ^a\n}}\n",
        "5:1: error: the function never returns",
    ),
    "returns nothing": (f"func.func @main(%x: {T}) -> {T} {{\n  func.return\n}}\n", "2:3: error: 'func.return' op"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_that_cannot_run_is_an_error(name: str, tmp_path: Path) -> None:
    text, message = PROGRAMS[name]
    done = run(tmp_path, text, {"x": np.ones(4, np.float32), "c": True} if "%c" in text else {"x": np.ones(4, "f4")})
    first = done.err.splitlines()[0]
    assert done.status == 1 and f"wrong.mlir:{message}" in first and "Traceback" not in done.err
    lowered = opt_tool("--lower-to-onednn-pass", str(tmp_path / "wrong.mlir"))
    assert lowered.status == 1 and "Traceback" not in lowered.err and ": error: " in lowered.err.splitlines()[0]


def test_unreachable_block_is_named_as_the_cause(tmp_path: Path) -> None:
    text = f"func.func @main(%x: {T}) -> {T} {{\n  cf.br ^b\n^a:\n  cf.br ^b\n^b:\n  func.return %x : {T}\n}}\n"
    done = run(tmp_path, text, {"x": np.ones(4, np.float32)})
    assert done.status == 1
    assert "wrong.mlir:1:1: error: @main cannot run: control does not reach one of its blocks" in done.err


PASSES = (
    "alias",
    "liveness",
    "inplace",
    "memory-plan",
    "memory-plan-pass=algorithm=pool",
    "verify-storage",
    "specialize",
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_passes_ignore_or_reject_programs_that_cannot_run(name: str) -> None:
    for pass_ in PASSES:
        flag = f"--{pass_}" if "=" in pass_ else f"--{pass_}-pass"
        done = opt_tool(flag, "--remarks", stdin=PROGRAMS[name][0])
        assert "Traceback" not in done.err and (done.status == 0 or ": error: " in done.err.splitlines()[0]), flag
