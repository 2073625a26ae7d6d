"""The table of docs/inplace.md is what each strategy decides on its ten programs."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import StringAttr

from lastuse.compiler.driver import context
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import Engine, contract_of
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from support import ROOT

from .corpus import function

PAGE = (ROOT / "docs" / "inplace.md").read_text()
NAMES, *ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith(("| program |", "| ["))
]
STRATEGY = [name.strip("`") for name in NAMES[1:]]
ROW_NAMES = [row[0].partition("]")[0][1:] for row in ROWS]
FENCES = dict(re.findall(r"^```mlir\n// ([\w-]+)\.mlir\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
PROGRAMS = {name: FENCES[name] for name in ROW_NAMES}
CELLS = [(row[0].partition("]")[0][1:], s, cell) for row in ROWS for s, cell in zip(STRATEGY, row[1:], strict=True)]


def test_the_table_is_complete() -> None:
    assert len(PROGRAMS) == len(ROWS) == 10
    assert set(STRATEGY) == set(STRATEGIES)


@pytest.mark.parametrize(("program", "strategy", "cell"), CELLS)
def test_cell_of_the_table_is_the_decision_of_the_strategy(program: str, strategy: str, cell: str) -> None:
    func = function(PROGRAMS[program])
    if strategy == "paddle":
        for op in func.body.walk():
            if Engine.ONEDNN in contract_of(op).engines:
                op.attributes["dnn.engine"] = StringAttr("onednn")
    looked_at = NumberedOps.of(func)
    assert looked_at is not None
    plan = STRATEGIES[strategy](looked_at, True)
    found: list[str] = []
    for op in plan.order:
        for result in op.results:
            k = plan.inplace.get(result, -1)
            if k >= 0:
                found.append(f"{display_name(result)[1:]} → {display_name(op.operands[k])[1:]}")
        if op in plan.parts:
            names = ", ".join(display_name(op.operands[k])[1:] for k in plan.parts[op])
            found.append(f"{names} in {display_name(op.results[0])[1:]}")
    assert ", ".join(found) == cell
    module = func.parent_op()
    assert module is not None
    InplacePass(strategy=strategy).apply(context(), module)  # pyright: ignore
    assert check(func) == []
