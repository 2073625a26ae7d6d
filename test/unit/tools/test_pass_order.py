"""A pass in the wrong place of a pipeline is a warning; a pass without effect has a remark."""

from __future__ import annotations

import pytest

from support import opt_tool

TEXT = """
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = "dnn.tanh"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = "dnn.mul"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %c : tensor<4x8xf32>
}
"""
WRONG = {
    "--memory-plan-pass --inplace-pass": "inplace-pass: the memory is planned, and what has a place keeps it",
    "--plan-pass --schedule-pass": "schedule-pass: the memory is planned, and what has a place keeps it",
    "--inplace-pass --schedule-pass": "schedule-pass: ops that have decisions keep their order",
    "--verify-storage-pass": "verify-storage-pass: no op has a decision, so there is nothing to verify",
    "--inplace-pass --lower-to-onednn-pass": "lower-to-onednn-pass: no memory is planned",
    "--plan-pass --lower-to-onednn-pass --inplace-pass": "inplace-pass: the program is lowered",
}
RIGHT = [
    "--plan-pass --verify-storage-pass --lower-to-onednn-pass",
    "--schedule-pass --inplace-pass --memory-plan-pass --verify-storage-pass --lower-to-onednn-pass",
    "--memory-plan-pass=algorithm=pool --inplace-pass --memory-plan-pass --verify-storage-pass",
    "--gru-fusion-pass --weight-reorder-pass --placement-pass --plan-pass",
    "--alias-pass --liveness-pass",
    "--canonicalize --cse --inplace-pass",
]


@pytest.mark.parametrize("passes", WRONG)
def test_wrong_order_of_passes_is_a_warning(passes: str) -> None:
    done = opt_tool(*passes.split(), stdin=TEXT)
    assert done.status == 0
    (line,) = done.err.splitlines()
    assert ": warning: " in line and line.startswith("<stdin>:")
    assert WRONG[passes] in line and line.endswith("[order]")


@pytest.mark.parametrize("passes", RIGHT)
def test_right_order_of_passes_gives_no_warning(passes: str) -> None:
    done = opt_tool(*passes.split(), stdin=TEXT)
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("plan", ["--memory-plan-pass", "--plan-pass"])
def test_unknown_sizes_are_a_warning(plan: str) -> None:
    text = TEXT.replace("4x8", "?x?")
    done = opt_tool(plan, stdin=text)
    assert done.status == 0
    (line,) = done.err.splitlines()
    assert line.startswith("<stdin>:2:1: warning: func.func: nothing is planned: sizes 'x.0', 'x.1' are not known; ")
    assert "--specialize-pass=x.0=N,x.1=N before this pass" in line
    assert opt_tool("--specialize-pass=x.0=2,x.1=3", plan, stdin=text).err == ""


def test_pass_without_effect_has_a_remark() -> None:
    said = "<stdin>:2:1: remark: func.func: gru-fusion-pass changed nothing [nothing]\n"
    assert said in opt_tool("--gru-fusion-pass", "--remarks", stdin=TEXT).err
    assert opt_tool("--gru-fusion-pass", stdin=TEXT).err == ""
    assert "changed nothing" not in opt_tool("--inplace-pass", "--remarks", stdin=TEXT).err
