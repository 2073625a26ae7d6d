"""Parts of a function that have nothing to do with each other are decided as if each were alone, and as fast."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import FrameType

import pytest
from counted_calls import calls
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferization.copy_count import CopyCount, copied_in
from lastuse.passes.bufferize import BufferizePass
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass

T = "tensor<8xf32>"
FORWARDING = {"forwarding_choice", "forwarding_search", "forwarding_trials", "path_interference", "storage_components"}
"""Files that decide what is forwarded."""

WRITTEN_SELECT = """
%w{k} = tensor.insert %zero into %x{k}[%at] : T
%r{k} = arith.select %c, %x{k}, %y{k} : T
%s{k} = tensor.insert %zero into %w{k}[%at] : T"""
"""A value that is one of two, of which one is written."""
BRANCH = """
%r{k} = scf.if %c -> (T) {{
%w{k} = linalg.exp ins(%x{k} : T) outs(%y{k} : T) -> T
scf.yield %w{k} : T
}} else {{
scf.yield %x{k} : T
}}
%s{k} = linalg.exp ins(%r{k} : T) outs(%r{k} : T) -> T"""
"""An op of which one arm computes something, and a kernel that overwrites its result."""
TURNED_LOOP = """
%r{k}, %s{k} = scf.for %i{k} = %at to %n step %one iter_args(%a{k} = %x{k}, %b{k} = %y{k}) -> (T, T) {{
%w{k} = linalg.exp ins(%a{k} : T) outs(%b{k} : T) -> T
scf.yield %w{k}, %a{k} : T, T
}}"""
"""A loop that swaps what it carries."""
PARTS = {"select": WRITTEN_SELECT, "branch": BRANCH, "loop": TURNED_LOOP}


def module(part: str, count: int) -> ModuleOp:
    """A function of so many parts, each with arguments of its own; what all compute is needed at the end."""
    arguments = ", ".join(f"%x{k}: T {{dnn.donated}}, %y{k}: T {{dnn.donated}}" for k in range(count))
    results = ", ".join(f"%r{k}, %s{k}" for k in range(count))
    types = ", ".join(["T, T"] * count)
    lines = [
        f"func.func @main({arguments}, %c: i1, %n: index) -> ({types}) {{",
        "%zero = arith.constant 0.0 : f32",
        "%at = arith.constant 0 : index",
        "%one = arith.constant 1 : index",
        *(PARTS[part].format(k=k) for k in range(count)),
        f"func.return {results} : {types}",
        "}",
    ]
    return parse(context(), "\n".join(lines).replace("T", T), f"{part}.mlir")


def copied(part: str, count: int) -> CopyCount:
    """What the form of a function of so many parts copies; it is proved."""
    made = module(part, count)
    BufferizePass(unproved="error").apply(context(), made)
    return copied_in(functions_of(made)["main"])


@pytest.mark.parametrize("count", [9, 40])
@pytest.mark.parametrize("part", PARTS)
def test_parts_copy_as_often_as_one_alone(part: str, count: int) -> None:
    one, many = copied(part, 1), copied(part, count)
    assert (many.times, many.nbytes) == (count * one.times, count * one.nbytes)


@pytest.mark.parametrize("part", PARTS)
def test_plan_of_many_parts_is_accepted(part: str) -> None:
    many = module(part, 30)
    InplacePass(forward=True).apply(context(), many)
    assert check(functions_of(many)["main"]) == []


def work(part: str, count: int) -> Counter[str]:
    """How often functions of the files in which values are forwarded are called, by file."""

    def of(frame: FrameType) -> str | None:
        name = Path(frame.f_code.co_filename).stem
        return name if name in FORWARDING else None

    return calls(module(part, count), of, InplacePass(forward=True))


@pytest.mark.parametrize("part", PARTS)
def test_work_of_forwarding_grows_with_the_number_of_parts(part: str) -> None:
    few, many = work(part, 20), work(part, 60)
    assert few.total() > 0
    assert many.total() < 3.3 * few.total()
