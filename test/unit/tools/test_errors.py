"""Wrong input is an error of one line that begins with the location, with exit status 1."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import opt_tool

HEAD = "func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
TYPE = " : (tensor<2x4xf32>) -> tensor<2x4xf32>\n"
TAIL = "  func.return %y : tensor<2x4xf32>\n}\n"


def body(line: str) -> str:
    return f"{HEAD}  {line}{TYPE}{TAIL}"


def constant(value: str) -> str:
    return '"a.b"() {x = ' + value + "} : () -> ()"


BAD: dict[str, tuple[str | bytes, str]] = {
    "unterminated string": (body('%y = "a.b"(%x) {a = "' + "a" * 5000), r"2:23: error: End of file reached"),
    "unterminated name": (body('%y = "a.b' + "b" * 60), r"2:8: error: End of file reached"),
    "undeclared attribute": (body('%y = "dnn.relu"(%x) {foo = 1 : i64}'), r"2:8: error: .*foo"),
    "operand count": (
        HEAD + '  %y = "dnn.relu"(%x, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>\n' + TAIL,
        r"2:8: error: 'dnn.relu' .*expected 1 operand",
    ),
    "use before definition": (
        HEAD + '  %y = "a.b"(%z)' + TYPE + '  %z = "a.b"(%x)' + TYPE + TAIL,
        r"2:8: error: operand 0 of 'a.b' \(%z\) is used before its definition",
    ),
    "never defined": (body('%y = "a.b"(%z)'), r"2:14: error: %z is used but never defined"),
    "used after its region": (
        '"a.r"() ({ %v = "a.b"() : () -> i32 }) : () -> ()\n"a.use"(%v) : (i32) -> ()',
        r"2:9: error: %v is used but never defined",
    ),
    "not dominated": (
        "func.func @f(%c: i1) {\n  cf.cond_br %c, ^a, ^b\n^a:\n"
        '  %v = "a.b"() : () -> i32\n  cf.br ^b\n^b:\n  "a.use"(%v) : (i32) -> ()\n  func.return\n}',
        r"7:3: error: operand 0 of 'a.use' \(%v\) is used before",
    ),
    "nested regions": ("module {" * 10000 + "}" * 10000, r"error: nested more than"),
    "nested foreign regions": ('"a.b"() ({' * 10000 + "})" * 10000, r"error: nested more than"),
    "nested arrays": (constant("[" * 10000 + "]" * 10000), r"error: nested more than"),
    "nested dictionaries": (constant("{a = " * 10000 + "}" * 10000), r"error: nested more than"),
    "nested types": (constant("tuple<" * 10000 + "i1" + ">" * 10000), r"error: nested more than"),
    "nested literal": (constant(f"dense<{'[' * 9999}1{']' * 9999}> : tensor<1xi32>"), r"error: nested more than"),
    "nested expression": (constant(f"affine_map<(d0) -> ({'(' * 9999}d0{')' * 9999})>"), r"error: nested too deeply"),
    "large splat": (constant("dense<1.0> : tensor<1048576x1048576xf32>"), r"error: a dense constant of 1099511627776"),
    "large hex splat": (constant('dense<"0x00000000"> : tensor<1099511627776xf32>'), r"error: a dense constant of"),
    "large arith splat": ("%c = arith.constant dense<0> : tensor<1099511627776xi8>", r"error: a dense constant of"),
    "wide integer": (constant("5 : i99999999999"), r"1:18: error: integer type wider than"),
    "long number": (constant("9" * 1000000), r"error: number of more than"),
    "shape not a number": (body('%y = "dnn.relu"(%x)').replace("(tensor<2x4", "(tensor<nan"), r"2:33: error: "),
    "binary": (bytes(range(256)) * 40, r"1:1: error: not a text file: a NUL byte"),
    "not UTF-8": (b"// a\n// \xff", r"2:4: error: not a text file: byte 0xff"),
    "not a module": ("}", r"1:1: error: "),
    "resource of another size": (
        constant("dense_resource<w> : tensor<3xf32>") + '\n{-# dialect_resources: {builtin: {w: "0x0400000000"}} #-}',
        r"1:1: error: dense_resource<w> has 1 bytes",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_text_is_an_error_with_location(name: str, tmp_path: Path) -> None:
    text, message = BAD[name]
    path = tmp_path / "bad.mlir"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    started = time.process_time()
    done = opt_tool(str(path), "-o", str(tmp_path / "out.mlir"))
    assert time.process_time() - started < 2
    first, *rest = done.err.split("\n")
    assert done.status == 1
    assert re.match(re.escape(f"{path}:") + (message if message[0].isdigit() else r"\d+:\d+: " + message), first)
    assert "Traceback" not in done.err
    assert not (tmp_path / "out.mlir").exists()
    if isinstance(text, str):
        assert rest[1].strip() == "^", "the source line and a caret follow"


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    done = opt_tool(str(tmp_path / "no.mlir"))
    assert (done.status, done.err) == (1, f"{tmp_path}/no.mlir:1:1: error: No such file or directory\n")


def test_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    done = opt_tool(str(tmp_path))
    assert done.status == 1
    assert re.match(re.escape(str(tmp_path)) + r"[^:]*:1:1: error: ", done.err)
    assert "Traceback" not in done.err


def test_file_of_an_unknown_kind_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"abc")
    done = opt_tool(str(tmp_path / "a.bin"))
    assert done.status == 1
    assert done.err.startswith(f"{tmp_path}/a.bin:1:1: error: not a model")


def test_caret_is_right_under_tabs_and_in_long_lines() -> None:
    done = opt_tool("-", stdin='\t\t%y = "a.b"(%z) : (i32) -> i32')
    assert (
        done.err
        == '<stdin>:1:14: error: %z is used but never defined\n\t\t%y = "a.b"(%z) : (i32) -> i32\n\t\t           ^\n'
    )
    done = opt_tool("-", stdin=constant('"' + "a" * 9999 + '"') + " oops oops")
    assert max(map(len, done.err.split("\n"))) < 200


def test_huge_constant_takes_little_memory_and_time(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(constant("dense<1.0> : tensor<1048576x1048576xf32>"))
    limit = 512 << 20
    done = subprocess.run(
        [sys.executable, "-m", "lastuse.tools.opt_tool", str(tmp_path / "a.mlir")],
        capture_output=True,
        text=True,
        check=False,
        env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"{tmp_path}/a.mlir:1:")


SEED = (
    HEAD
    + (
        '  %a = "dnn.relu"(%x) {dnn.inplace = array<i32: -1>}' + TYPE + '  %b = "foo.op"(%a) ({\n'
        "  ^bb0(%i: i32):\n    %k = arith.constant dense<[1, 2]> : tensor<2xi32>\n"
        '  }) {s = "a\\22b", m = #foo.attr<[1]>, l = [1, {k = 1.5e3 : f16}]}' + TYPE + '  %y = "dnn.add"(%a, %b) : '
        "(tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    )
    + TAIL
)
PIECES = [
    '"',
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "%",
    "^",
    "@",
    "#",
    "!",
    "-",
    "//",
    "\n",
    "\\",
    "é",
    "\0",
    "0x",
    "1e9",
    "x",
    "½",
    "loc(",
]


@settings(max_examples=60, deadline=2000, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    edits=st.lists(
        st.tuples(st.integers(0, len(SEED)), st.integers(0, 12), st.sampled_from(PIECES) | st.text(max_size=4)),
        min_size=1,
        max_size=3,
    )
)
def test_mutations_never_raise(edits: list[tuple[int, int, str]]) -> None:
    text = SEED
    for position, length, piece in edits:
        text = text[:position] + piece + text[position + length :]
    done = opt_tool("-", "--cse", stdin=text.encode("utf-8", "surrogatepass"))
    assert done.status in (0, 1)
    assert "Traceback" not in done.err
    assert "internal error" not in done.err
    if done.status:
        assert re.match(r"<stdin>:\d+:\d+: error: ", done.err)
