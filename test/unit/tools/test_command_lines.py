"""Options of all tools: `--version`, `--help`, `python -m lastuse`, and `--import` of `opt-tool`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import lastuse
from lastuse.__main__ import main
from lastuse.universe import UNIVERSE
from support import ROOT, call, opt_tool

TOOLS = ("opt-tool", "run-tool", "plan-tool")


@pytest.mark.parametrize("tool", TOOLS)
def test_version_of_a_tool_is_printed(tool: str) -> None:
    done = call([tool, "--version"])
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0].startswith(f"{tool} (lastuse) {lastuse.__version__}")


def test_versions_of_xdsl_and_onednn_are_printed() -> None:
    assert re.search(r", xDSL \d+\.\d+", opt_tool("-v").out)
    assert re.search(r", oneDNN 3\.2\.\d+, xDSL \d+\.\d+", call(["run-tool", "--version"]).out)


@pytest.mark.parametrize("tool", TOOLS)
def test_help_of_a_tool_is_printed(tool: str) -> None:
    done = call([tool, "--help"])
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"usage: {tool} ")


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_help_of_opt_tool_is_one_screen_and_has_our_passes(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = opt_tool("--help").out.splitlines()
    assert len(lines) <= 50 and max(map(len, lines)) <= max(columns, 102)
    flags = [line.split()[0] for line in lines if line.startswith("  --")]
    assert flags[: len(UNIVERSE.all_passes)] == [f"--{name}" for name in UNIVERSE.all_passes]
    for name in UNIVERSE.all_passes:
        (line,) = (line for line in lines if line.startswith(f"  --{name} "))
        assert len(line.split()) > 3, "a sentence follows"
    assert "--cse" not in flags


def test_help_all_has_every_option_and_xdsls_passes() -> None:
    text = opt_tool("--help-all").out
    for word in ("canonicalize", "cse", "--print-op-generic", "--inplace-pass", "--import MODULE"):
        assert word in text


def test_python_m_lastuse_runs_the_tools(capsys: pytest.CaptureFixture[str]) -> None:
    for word, tool in [(t.removesuffix("-tool"), t) for t in TOOLS] + [(t, t) for t in TOOLS]:
        assert main([word, "--version"]) == 0
        assert capsys.readouterr().out.startswith(f"{tool} (lastuse) ")
    for words in ([], ["--help"], ["-h"]):
        assert main(words) == 0
        assert all(f"  {tool.removesuffix('-tool')} " in (text := capsys.readouterr().out) for tool in TOOLS[:1]), text
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"lastuse {lastuse.__version__}\n"
    assert main(["paint"]) == 2
    assert (
        capsys.readouterr().err
        == "lastuse: error: no tool 'paint'; there are opt, run, plan (see python -m lastuse --help)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "lastuse", "plan", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"plan-tool (lastuse) {lastuse.__version__}\n"


@pytest.mark.parametrize(
    "line",
    [
        "opt-tool --no-such-pass -",
        "opt-tool --inplace-pass=strategy=none -",
        "opt-tool --inplace-pass=no_such_option=1 -",
        "opt-tool -p no-such-pass -",
        "opt-tool --pipeline=none -",
        "opt-tool --pipeline none -",
        "opt-tool --pipeline",
        "opt-tool -t none -",
        "opt-tool --shape x -",
        "opt-tool one.mlir two.mlir",
        "run-tool",
        "run-tool --no-such-flag -",
        "run-tool one.mlir two.mlir",
        "run-tool --repeat 0 -",
        "run-tool --limit some -",
        "run-tool -o out.mlir -",
        "plan-tool",
        "plan-tool --no-such-flag -",
        "plan-tool --capacity=-1 -",
        "plan-tool --time-limit nan -",
        "plan-tool -t none -",
        "plan-tool one.csv two.csv",
    ],
)
def test_mistake_in_the_command_line_is_one_line_and_status_2(line: str) -> None:
    done = call(line.split())
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"{line.split()[0]}: error: ")


@pytest.mark.parametrize("tool", TOOLS)
def test_missing_input_is_one_line_and_status_1(tool: str) -> None:
    done = call([tool, "missing.mlir"])
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("missing.mlir:1:1: error: ")


def test_pipeline_has_its_name_behind_it_or_after_a_sign() -> None:
    program = "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n  func.return %x : tensor<8xf32>\n}\n"
    assert opt_tool("--pipeline", "plan", "-", stdin=program) == opt_tool("--pipeline=plan", "-", stdin=program)


TOY = """
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.passes import ModulePass
from lastuse import Contract, InPlace, register_contract

@irdl_op_definition
class ScaleOp(IRDLOperation):
    name = "NAME.scale"
    x = operand_def(TensorType)
    y = result_def(TensorType)

class MarkPass(ModulePass):
    \"\"\"Mark the module.\"\"\"
    name = "NAME-pass"
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes["marked"] = StringAttr("yes")

register_contract(ScaleOp, Contract(over=(InPlace(result=0, operand=0),)))
Toy = Dialect("NAME", [ScaleOp])
"""
PROGRAM = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "dnn.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %y = "NAME.scale"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
"""


class TestImport:
    def test_import_of_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "ext.py").write_text(TOY.replace("NAME", "toyfile"))
        program = PROGRAM.replace("NAME", "toyfile")
        words = ("--import", str(tmp_path / "ext.py"), "--inplace-pass", "--verify-storage-pass", "--toyfile-pass")
        done = opt_tool(*words, "-", stdin=program)
        assert done.status == 0, done.err
        assert '"toyfile.scale"(%a) {dnn.inplace = array<i32: 0>}' in done.out
        assert 'marked = "yes"' in done.out
        assert "  --toyfile-pass " in opt_tool(*words[:2], "--help").out
        foreign = opt_tool("--inplace-pass", "-", stdin=program.replace("toyfile", "unheard"))
        assert "dnn.inplace" not in foreign.out

    def test_import_of_a_module_by_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "toy_by_name.py").write_text(TOY.replace("NAME", "toyname"))
        monkeypatch.chdir(tmp_path)
        done = opt_tool("--import=toy_by_name", "--inplace-pass", "-", stdin=PROGRAM.replace("NAME", "toyname"))
        assert done.status == 0, done.err
        assert "dnn.inplace = array<i32: 0>" in done.out

    def test_import_of_the_example(self) -> None:
        program = PROGRAM.replace("NAME", "toy")
        done = opt_tool("--import", str(ROOT / "examples/own-op/scale.py"), "--inplace-pass", "-", stdin=program)
        assert done.status == 0, done.err
        assert '"toy.scale"(%a) {dnn.inplace = array<i32: 0>}' in done.out

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--import"], "--import needs a module"),
            (["--import", "nowhere.py"], "--import nowhere.py: no such file"),
            (["--import=no_such_module_at_all"], "--import no_such_module_at_all: no such module"),
            (["--import=lastuse.nothing"], "--import lastuse.nothing: no such module"),
            (["--import", ""], "no such module"),
        ],
    )
    def test_import_of_a_missing_module_is_an_error(self, words: list[str], message: str) -> None:
        done = opt_tool(*words)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert message in done.err

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("x = 1\nraise KeyError('a')\n", 2, "KeyError: 'a'"),
            ("def f(:\n", 1, "SyntaxError: "),
            ("import no_such_module_at_all\n", 1, "ModuleNotFoundError: "),
            ("import lastuse\n\nraise lastuse.LastuseError('not like this')\n", 3, "not like this"),
        ],
    )
    def test_import_of_a_failing_module_is_an_error_with_location(
        self, tmp_path: Path, text: str, place: int, message: str
    ) -> None:
        path = tmp_path / "broken.py"
        path.write_text(text)
        done = opt_tool("--import", str(path), "-", stdin="")
        assert done.status == 1
        assert re.match(rf"{re.escape(str(path))}:{place}:\d+: error: {re.escape(message)}", done.err)
        assert "Traceback" not in done.err

    def test_import_by_name_of_a_failing_module_is_an_error_with_location(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "failing_by_name.py").write_text("x = 1\nraise ValueError('not this')\n")
        monkeypatch.chdir(tmp_path)
        done = opt_tool("--import=failing_by_name", "-", stdin="")
        assert (done.status, done.err.count("\n")) == (1, 1)
        assert "failing_by_name.py:2:1: error: ValueError: not this" in done.err

    def test_import_of_an_existing_name_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "again.py"
        path.write_text("from xdsl.ir import Dialect\nTwin = Dialect('arith', [])\n")
        done = opt_tool("--import", str(path))
        assert (done.status, "there is a dialect 'arith' already" in done.err) == (2, True)
        path.write_text(TOY.replace("NAME-pass", "cse").replace("NAME", "twin"))
        done = opt_tool("--import", str(path))
        assert (done.status, "there is a pass 'cse' already" in done.err) == (2, True)
