"""Flags, weights, remarks and output of `opt-tool`, and its parts."""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import PassFailedException

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark
from lastuse.tools.opt_tool import OptTool
from lastuse.tools.output import write_text
from lastuse.tools.pass_flags import UsageError, build_passes, extract_pipeline, parse_options
from support import opt_tool

FUNCTION = 'func.func @f(%x: i32) -> i32 {\n  %y = "a.b"(%x) : (i32) -> i32\n  func.return %y : i32\n}\n'


@dataclass(frozen=True)
class NotingPass(ModulePass):
    """Notes on the module that it ran, and remarks on every foreign op."""

    name: ClassVar[str] = "noting-pass"
    word: str = "ran"
    fail: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        before = op.attributes.get("ran")
        op.attributes["ran"] = StringAttr(f"{before.data if isinstance(before, StringAttr) else ''}{self.word};")
        for inner in op.walk():
            if inner.name == "builtin.unregistered":
                remark(ctx, RemarkKind.REFUSAL, inner, "not in place", reason="used-later", notes=["by %y"])
                if self.fail == "user":
                    raise LastuseError("no good", inner, [(inner.parent_op(), "in here")])
                if self.fail == "pass":
                    raise PassFailedException("gave up")
                if self.fail == "bug":
                    raise KeyError("oops")
                if self.fail == "cycle":
                    inner.operands[0] = inner.results[0]


@pytest.fixture(autouse=True)
def noting(monkeypatch: pytest.MonkeyPatch) -> None:
    original = OptTool.register_all

    def register(self: OptTool) -> None:
        original(self)
        self.register_pass("noting-pass", lambda: NotingPass)

    monkeypatch.setattr(OptTool, "register_all", register)


def test_flags_and_pipelines_keep_their_order() -> None:
    done = opt_tool(
        "--noting-pass=word=a", "-p", "noting-pass{word=b},noting-pass{word=c}", "-", "--noting-pass", stdin=FUNCTION
    )
    assert done.status == 0
    assert 'ran = "a;b;c;ran;"' in done.out


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}),
        ("strategy=paddle", {"strategy": ("paddle",)}),
        ("strategy=paddle,explain=true", {"strategy": ("paddle",), "explain": (True,)}),
        ("axes=1,-2,keep=false", {"axes": (1, -2), "keep": (False,)}),
        ("explain", {"explain": ()}),
        ("explain,level=1", {"explain": (), "level": (1,)}),
        ("words.lod=5,x:0=7", {"words.lod": (5,), "x:0": (7,)}),
        ("path=a=b/c d", {"path": ("a=b/c d",)}),
        ("f=1.5e3,v=1.5.2", {"f": (1500.0,), "v": ("1.5.2",)}),
    ],
)
def test_options_are_parsed(text: str, options: dict[str, tuple[object, ...]]) -> None:
    assert parse_options(text) == options


def test_pipeline_leaves_the_rest_to_argparse() -> None:
    specs, rest = extract_pipeline(["--cse", "in.mlir", "-pa,b", "--passes=c", "-o", "x", "--", "--cse"], {"cse"})
    assert specs == [ArgSpec(name, {}) for name in ("cse", "a", "b", "c")]
    assert rest == ["in.mlir", "-o", "x", "--", "--cse"]
    with pytest.raises(UsageError, match="-p needs a pipeline"):
        extract_pipeline(["-p"], ())
    with pytest.raises(UsageError, match="no pass 'x'"):
        build_passes([ArgSpec("x", {})], {})


@pytest.mark.parametrize(
    "arguments",
    [["--nothing"], ["--noting-pass=x=1"], ["-p", "x"], ["-p", "{"], ["-t", "x"], ["a", "b"], ["--remarks=x"]],
)
def test_usage_errors_are_one_line(arguments: list[str]) -> None:
    done = opt_tool(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("opt-tool: error: ")


@pytest.mark.parametrize(
    "option",
    [
        "--inplace-pass=strategy=none",
        "--plan-pass=strategy=none",
        "--plan-pass=algorithm=none",
        "--plan-pass=nodes=0",
        "--schedule-pass=nodes=0",
        "--memory-plan-pass=algorithm=none",
        "--memory-plan-pass=level=2",
        "--memory-plan-pass=order=none",
        "--memory-plan-pass=limit=64x",
        "--memory-plan-pass=algorithm=pool,limit=64",
        "--gru-fusion-pass=strategy=none",
        "--gru-fusion-pass=strategy=paddle,passes=none",
        "--quantize-pass=type=f8",
        "--pad-gru-pass=steps=0",
        "--specialize-pass=rows=-1",
    ],
)
def test_wrong_value_of_a_pass_option_is_a_usage_error(option: str) -> None:
    """Exit status 2, before the input is read."""
    done = opt_tool(option, "missing.mlir")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"opt-tool: error: {option[2:].partition('=')[0]}: ")


def test_remarks_are_printed_as_text_or_json() -> None:
    line = "<stdin>:2:8: remark: a.b (y): not in place [used-later]; by %y\n"
    assert opt_tool("--remarks", "--noting-pass", "-", stdin=FUNCTION).err == line
    assert opt_tool("--noting-pass", "-", stdin=FUNCTION).err == ""
    found = json.loads(opt_tool("-", "--remarks=json", "--noting-pass", stdin=FUNCTION).err)
    assert found["kind"] == "refusal"
    assert (found["file"], found["line"], found["col"], found["names"]) == ("<stdin>", 2, 8, ["y"])


def test_errors_of_passes_have_locations_and_notes() -> None:
    done = opt_tool("-", "--noting-pass=fail=user", stdin=FUNCTION)
    assert done.err.startswith('<stdin>:2:8: error: no good\n  %y = "a.b"(%x) : (i32) -> i32\n       ^\n')
    assert "<stdin>:1:1: note: in here\n" in done.err
    assert opt_tool("-", "--noting-pass=fail=pass", stdin=FUNCTION).err.startswith(
        "<stdin>:1:1: error: noting-pass: gave up\n"
    )
    done = opt_tool("-", "--noting-pass=fail=bug", stdin=FUNCTION)
    assert done.err.startswith("<stdin>:1:1: error: 'noting-pass' failed: KeyError: 'oops' (an internal error")
    assert done.status == 1
    with pytest.raises(KeyError):
        opt_tool("-", "--debug", "--noting-pass=fail=bug", stdin=FUNCTION)


def test_output_of_a_pass_is_verified() -> None:
    done = opt_tool("-", "--noting-pass=fail=cycle", stdin=FUNCTION)
    assert done.err.startswith("<stdin>:2:8: error: operand 0 of 'a.b' (%y) is used before its definition")
    assert opt_tool("-", "--noting-pass=fail=cycle", "--disable-verify", stdin=FUNCTION).status == 0
    each = opt_tool("-", "--verify-each", "--noting-pass=fail=cycle", "--noting-pass=fail=bug", stdin=FUNCTION)
    assert "used before its definition" in each.err


def test_verify_diagnostics_makes_errors_the_output() -> None:
    done = opt_tool("-", "--verify-diagnostics", "--noting-pass=fail=user", stdin=FUNCTION)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("<stdin>:2:8: error: no good\n")


def test_output_is_printed_as_by_xdsl() -> None:
    done = opt_tool("-", "--print-op-generic", stdin=FUNCTION)
    assert '"a.b"(%x) : (i32) -> i32' in done.out
    assert opt_tool("-", stdin=opt_tool("-", stdin=FUNCTION).out).out == opt_tool("-", stdin=FUNCTION).out


def test_weights_go_beside_the_text(tmp_path: Path) -> None:
    text = (
        '%c = "a.constant"() {value = dense_resource<w> : tensor<2xf32>} : () -> tensor<2xf32>\n'
        '{-# dialect_resources: {builtin: {w: "0x040000000000803f00000040"}} #-}\n'
    )
    first, second = tmp_path / "a.mlir", tmp_path / "b.mlir"
    assert opt_tool("-", "-o", str(first), stdin=text) == opt_tool("-", "-o", str(first), stdin=text)
    assert 'dnn.weights = "a.npz"' in first.read_text()
    assert opt_tool(str(first), "-o", str(second)).status == 0
    with np.load(tmp_path / "b.npz") as arrays:
        np.testing.assert_array_equal(arrays["w"], np.array([1, 2], np.float32))
    (tmp_path / "a.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:-30])
    done = opt_tool(str(first))
    assert done.status == 1
    assert re.match(re.escape(str(first)) + r":1:1: error: weights '.*a\.npz'", done.err)
    both = f"{text.splitlines()[0]}\n// -----\n{text.splitlines()[0]}\n"
    assert opt_tool("-", "--split-input-file", "-o", str(tmp_path / "c.mlir"), stdin=both).status == 0


def test_output_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target, link = tmp_path / "real.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_text(link, "new")
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode), link.is_symlink()) == ("new", 0o640, True)
    with pytest.raises(LastuseError, match="cannot be written"):
        write_text(tmp_path / "none" / "x", "new")
    with pytest.raises(UnicodeEncodeError):
        write_text(target, "\ud800")
    assert target.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["link.txt", "real.txt"]


def test_split_input_continues_after_an_error(tmp_path: Path) -> None:
    text = FUNCTION + "// -----\n}\n// -----\n" + FUNCTION
    done = opt_tool("-", "--split-input-file", stdin=text)
    assert done.status == 1
    assert done.err.startswith("<stdin>:6:1: error: ")
    assert [part.count("func.func") for part in done.out.split("// -----\n")] == [1, 0, 1]
    assert opt_tool("-", "--split-input-file", "-o", str(tmp_path / "x.mlir"), stdin=text).status == 1
    assert not (tmp_path / "x.mlir").exists()
