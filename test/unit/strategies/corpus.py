"""The cases of the systems, and the runner that writes them as IR and compares, both from the shared folder."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from support import opt_tool, shared


def runner() -> ModuleType:
    """The module `runner.py`, calling `opt-tool` in this process; the test is skipped where there is no corpus."""
    path = shared() / "cases" / "runner.py"
    if not path.is_file():
        pytest.skip("no cases in ../shared")
    spec = importlib.util.spec_from_file_location("cases_runner", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["subprocess"] = SimpleNamespace(run=_run)
    return module


def _run(command: list[str], **_: object) -> SimpleNamespace:
    done = opt_tool(*command[1:])
    return SimpleNamespace(returncode=done.status, stdout=done.out, stderr=done.err)


def cases(system: str) -> list[dict[str, Any]]:
    """Every case of a system."""
    return json.loads((shared() / "cases" / f"{system}.json").read_text())


def function(text: str) -> FuncOp:
    """The first function of a module."""
    module = parse(context(), text, "test.mlir")
    return next(op for op in module.walk() if isinstance(op, FuncOp))


def planned(strategy: str, text: str) -> InPlaceDecisions:
    """What a strategy decides for the first function of a module."""
    program = NumberedOps.of(function(text))
    assert program is not None
    return STRATEGIES[strategy](program, True)


def written_over(plan: InPlaceDecisions) -> dict[str, str]:
    """Names of the results that are in place, and of what they are written over."""
    return {
        attrs.display_name(result)[1:]: attrs.display_name(result.owner.operands[k])[1:]  # pyright: ignore
        for result, k in plan.inplace.items()
    }


def reasons(plan: InPlaceDecisions) -> dict[str, str]:
    """Names of the first results that are refused, and the reason."""
    return {attrs.display_name(op.results[0])[1:]: refused[0].reason.value for op, refused in plan.refused.items()}


def values(func: FuncOp) -> Iterator[tuple[str, SSAValue]]:
    """Arguments and results of a function by name."""
    for argument in func.args:
        yield attrs.display_name(argument)[1:], argument
    for op in func.body.walk():
        yield from ((attrs.display_name(r)[1:], r) for r in op.results)


def by_name(plan: InPlaceDecisions, name: str) -> Operation:
    """The op whose first result has a name."""
    return next(op for op in plan.order if op.results and attrs.display_name(op.results[0])[1:] == name)
