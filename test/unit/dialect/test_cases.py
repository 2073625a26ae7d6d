"""The programs of the case corpus parse, verify and say their contracts."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from types import ModuleType

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func, FuncOp
from xdsl.parser import Parser

from lastuse.dialect.dnn import Dnn
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage.contract import FOREIGN, contract_of
from lastuse.dialect.storage.shape_inference import infer_shapes
from support import shared

SYSTEMS = ("paddle_onednn_inplace", "nntrainer_inplace", "torch_fx_reinplace", "paddle_memory_liveness")


def writer() -> ModuleType:
    """The corpus's own runner, which writes the programs; the test is skipped where there is no corpus."""
    path = shared() / "cases" / "runner.py"
    if not path.is_file():
        pytest.skip("no cases in ../shared")
    spec = importlib.util.spec_from_file_location("cases_runner", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def programs(system: str) -> Iterator[tuple[str, str]]:
    """Name and text of every program of a system that has an IR form."""
    runner = writer()
    for case in json.loads((shared() / "cases" / f"{system}.json").read_text()):
        if runner.runnable(case):
            yield case["id"], runner.Function(case).text


@pytest.mark.parametrize("system", SYSTEMS)
def test_programs_parse_and_verify(system: str) -> None:
    wrong, count = list[str](), 0
    for name, text in programs(system):
        count += 1
        context = Context()
        for dialect in (Builtin, Func, Dnn):
            context.load_dialect(dialect)
        try:
            module = Parser(context, text).parse_module()
            module.verify()
            for op in module.walk():
                if isinstance(op, FuncOp):
                    infer_shapes(op)
                if isinstance(op, DnnOp):
                    assert contract_of(op) is not FOREIGN
                    op.primitive()
        except Exception as error:
            wrong.append(f"{name}: {error}")
    assert not wrong, "\n".join(wrong)
    assert count > 20
