"""Small programs that are easy to get wrong: decisions, reasons and results."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context, read
from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.passes import checker
from lastuse.passes.inplace import InplacePass
from support import shared

CONTEXT = context()


def module_of(name: str) -> ModuleOp:
    return read(CONTEXT, shared() / "nasty" / f"{name}.mlir")


def decided(name: str) -> dict[str, tuple[tuple[int, ...], list[str]]]:
    """(in place, reasons) by result name; the checker accepts the whole."""
    module = clone(module_of(name))
    InplacePass(explain=True).apply(CONTEXT, module)
    func = main_function(module)
    assert not checker.check(func)
    found: dict[str, tuple[tuple[int, ...], list[str]]] = {}
    for op in func.body.block.ops:
        refused = op.attributes.get(attrs.REFUSED)
        reasons = [r.data for r in refused] if refused is not None else []  # pyright: ignore
        found |= {r.name_hint or "": (attrs.inplace(op), reasons) for r in op.results}
    return found


@pytest.mark.parametrize(
    ("name", "result", "inplace", "reasons"),
    [
        ("G1", "r", (-1,), ["overlapping-view"]),
        ("G2", "r", (-1,), ["overlapping-view"]),
        ("G4", "n", (-1,), ["returned"]),
        ("G6", "b", (-1,), ["operands-alias"]),
        ("G6", "y", (1,), []),
    ],
)
def test_decision_and_reason_are_those_of_the_case(
    name: str, result: str, inplace: tuple[int, ...], reasons: list[str]
) -> None:
    assert decided(name)[result] == (inplace, reasons)


@pytest.mark.parametrize(
    ("name", "inputs", "want"),
    [
        ("G1", [[-2, 1, 3, 4]], [[1, 0.5, 1.5, 2]]),
        ("G2", [[1, 2, 3, 4, 5, 6]], [[1, 2, 1, 2, 3, 4]]),
        ("G4", [[1, 2], [10, 20]], [[11, 22], [1, 2]]),
    ],
)
@pytest.mark.parametrize("inplace", [True, False])
def test_results_are_those_of_the_case(
    name: str, inputs: list[list[float]], want: list[list[float]], inplace: bool
) -> None:
    program = lastuse.compile(module_of(name), inplace=inplace, poison=True)
    arrays = [np.array(v, np.float32) for v in inputs]
    found = program(*arrays)
    for got, expected in zip(found if isinstance(found, tuple) else (found,), want, strict=True):
        np.testing.assert_array_equal(got, np.array(expected, np.float32))
    if name == "G4":  # the state is updated where it is
        np.testing.assert_array_equal(arrays[0], np.array(want[0], np.float32))
