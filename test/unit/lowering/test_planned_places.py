"""What `--bufferize-pass` hands on as decided is what the attributes say, and its places are those of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException

from bench.bufferize_scaling import Writer
from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.ir.remembered import changing_ops
from lastuse.dialect.storage.assignment import ARENA, Places, assign_places
from lastuse.dialect.storage.decisions import Decisions
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass
from support import ROOT

TEXTS = sorted((ROOT / "test/lit/bufferize-pass").glob("*.mlir"))


def planned_functions(module: ModuleOp, monkeypatch: pytest.MonkeyPatch) -> int:
    """Bufferizes a module, and compares in each trial what is known with what is read and derived anew. Returns how
    many plans gave places."""
    decide, found = BufferizePass.decide, 0

    def compared(
        self: BufferizePass, ctx: Context, module: ModuleOp, order: list[FuncOp], given: Decisions | None = None
    ) -> Mapping[FuncOp, Decisions]:
        nonlocal found
        for func in functions_of(module).values() if given is not None else ():
            assert Decisions.of(func) == given
        carried = decide(self, ctx, module, order, given)
        for func, decisions in carried.items():
            assert Decisions.of(func) == decisions
            assign_places(func, decisions.unplanned())
            places = assign_places(func, decisions)
            with changing_ops():
                same(places, assign_places(func, decisions))
            found += any(place.storage == ARENA for place in places.of.values())
        return carried

    with monkeypatch.context() as patch:
        patch.setattr(BufferizePass, "decide", compared)
        BufferizePass(arguments="writable").apply(context(), module)
    return found


def same(some: Places, others: Places) -> None:
    assert list(some.of.items()) == list(others.of.items())
    assert some.void == others.void
    assert list(some.rules.at.items()) == list(others.rules.at.items())
    assert (some.rules.parts, some.rules.rejected) == (others.rules.parts, others.rules.rejected)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_decisions_and_places_are_those_of_the_attributes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in path.read_text().split("// -----"):
        try:
            module = parse(context(), text, path.name)
            module.verify()
            planned_functions(module, monkeypatch)
        except DiagnosticException:
            continue  # the text is there for this error


@pytest.mark.parametrize("slices", [False, True])
def test_places_of_long_functions_are_those_of_the_attributes(slices: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert planned_functions(parse(context(), Writer(1, slices).text(400), "kernels.mlir"), monkeypatch) > 0
