"""Bugs reported against forty projects, each as a small program named after its id.

What a program of `bugs/` says in comments, a line each:

* `DECIDE: %b over %a`, `%b not over %a: reason`, `%a, %b in %c` (parts), `%b apart from %a` (no byte in common once
  planned): what `optimal` decides. Several are separated by `;`.
* `WRONG: %t {attributes}, … => text`: the plan the bug stands for. The checker refuses it, and says `text`.
* `RIGHT: %t {attributes}, …`: a plan that must be accepted: refusing it was the bug, or would be one.
* `GIVES: {"x": […]} => [[…], …]`: the results, computed naive and decided. Those of several lines are looked at when
  all have run. Lines that say the same with another value of a condition show the other path.
* `DIFFERS: …`: where the corpus says otherwise, and why.

A name that is no value's is an op's: `func.return {…}`, `func.func {…}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.parser import Parser

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs, verifier
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.dialect.storage.assignment import assign_places
from lastuse.dialect.storage.layout import may_overlap
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes import checker
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from support import shared

FOLDER = Path(__file__).parent / "bugs"
FILES = sorted(FOLDER.glob("*.mlir"))
CONTEXT = context()
SETTING = re.compile(r"(%?[\w.]+) (\{[^{}]*\})")

NOT_WRITTEN = {
    "how a program is run, not what it is: test/unit/runtime has threads, bound arrays and packed weights": [
        "cached-handle-02",
        "cached-handle-03",
        "cached-handle-04",
        "cached-handle-06",
        "threading-01",
        "threading-03",
        "threading-05",
        "threading-08",
        "constant-overwritten-05",
        "alignment-02",
        "weights-shared-01",
        "weights-shared-03",
        "weights-shared-04",
        "donation-07",
        "input-overwritten-07",
        "dynamic-shape-03",
        "dynamic-shape-05",
        "dynamic-shape-06",
        "dynamic-shape-07",
        "size-mismatch-07",
    ],
    "values have neither layouts, containers nor packed forms": [
        "dtype-or-layout-change-02",
        "dtype-or-layout-change-03",
        "dtype-or-layout-change-08",
        "dtype-or-layout-change-09",
        "dtype-or-layout-change-10",
        "dtype-or-layout-change-13",
        "dtype-or-layout-change-16",
        "size-mismatch-06",
    ],
    "mutation, ownership, handles and names are none of a value's": [
        "dead-result-01",
        "dead-result-04",
        "donation-06",
        "multi-use-05",
        "other-01",
        "renamed-one-use-only-04",
        "repeated-operand-03",
        "scheduling-after-planning-04",
        "loop-carried-01",
    ],
    "no tensor in it": ["repeated-operand-08"],
    "scratch is declared by kernels and never shared with operands: test/unit/checker": [
        "scratchpad-01",
        "scratchpad-02",
        "scratchpad-03",
    ],
    "a matter of the equation, not of memory: test/unit/dialect/test_recurrent.py": [
        *(f"gru-gate-order-0{n}" for n in (1, 2, 3, 5, 6)),
        *(f"gru-reverse-padding-0{n}" for n in (1, 4, 6, 7)),
    ],
}


def said(text: str, word: str) -> list[str]:
    """What the comments `// WORD: …` say."""
    return re.findall(rf"^// {word}: (.*)$", text, re.MULTILINE)


def module_of(text: str) -> ModuleOp:
    module = parse(CONTEXT, text, "bug.mlir")
    verifier.verify(module)
    return module


def values_of(func: FuncOp) -> Mapping[str, SSAValue]:
    found: dict[str, SSAValue] = {}
    for op in func.walk():
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            found[value.name_hint or ""] = value
    return found


def planned(func: FuncOp, text: str) -> None:
    """Write the decisions that a plan's text sets."""
    for name, attributes in SETTING.findall(text):
        given = Parser(CONTEXT, attributes).parse_optional_attr_dict()
        value = values_of(func).get(name[1:]) if name[0] == "%" else None
        if isinstance(value, BlockArgument):
            for key, attribute in given.items():
                attrs.set_argument_attribute(func, value.index, key, attribute)
        else:
            holder = value.op if isinstance(value, OpResult) else next(o for o in func.walk() if o.name == name)
            holder.attributes.update(given)


def refusals(op: Operation) -> Iterator[str]:
    for reason in op.attributes.get(attrs.REFUSED, ()):  # pyright: ignore
        assert isinstance(reason, StringAttr)
        yield reason.data


def assert_decided(func: FuncOp, planned_: FuncOp, claim: str) -> None:
    """One claim of a `DECIDE` line."""
    values = values_of(func)
    names = re.findall(r"%(\w+)", claim)
    first, last = values[names[0]], values[names[-1]]
    if " apart from " in claim:
        of = assign_places(planned_).of
        one, other = (of[values_of(planned_)[n]] for n in names)
        assert one.storage != other.storage or not may_overlap(one.layout, other.layout), claim
    elif " in %" in claim:
        assert isinstance(last, OpResult)
        parts = [last.op.operands[k] for k in attrs.part_operands(last.op)]
        assert parts == [values[n] for n in names[:-1]], claim
    else:
        assert isinstance(first, OpResult)
        k = attrs.inplace(first.op)[first.index]
        over = first.op.operands[k] if k >= 0 else None
        assert (over is last) == (" not over " not in claim), claim
        if ":" in claim:
            assert claim.rsplit(": ", 1)[1] in list(refusals(first.op)), claim


def assert_gives(text: str, lines: list[str], inplace: bool) -> None:
    """Every `GIVES` line of a program, run one after the other; results are looked at last."""
    module = module_of(text)
    program = lastuse.compile(module, inplace=inplace, plan=inplace, poison=True, threads=1)
    func = main_function(module)
    writable = {argument_name(func.args[k]) for k in attrs.writable_arguments(func)}
    found: list[tuple[list[np.ndarray], list[object]]] = []
    for line in lines:
        given, wanted = (json.loads(part) for part in line.split(" => "))
        arrays = {name: np.array(given[name], spec.dtype) for name, spec in program.inputs.items()}
        before = {name: value.copy() for name, value in arrays.items()}
        found.append((list(program.run(arrays).values()), wanted))
        for name, value in arrays.items():
            assert name in writable or np.array_equal(value, before[name]), f"{name} is written"
    for results, wanted in found:
        assert len(results) == len(wanted)
        for got, want in zip(results, wanted, strict=True):
            np.testing.assert_allclose(got, np.array(want, got.dtype), rtol=1e-5)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_compiled_program_of_a_bug_computes_the_right_result(path: Path) -> None:
    text = path.read_text()
    module = module_of(text)
    assert not checker.check(main_function(module))
    decided = clone(module)
    InplacePass(explain=True).apply(CONTEXT, decided)
    plan = clone(decided)
    MemoryPlanPass().apply(CONTEXT, plan)
    for each in (decided, plan):
        assert not checker.check(main_function(each)), each
    claims = [claim.strip() for line in said(text, "DECIDE") for claim in line.split(";")]
    for claim in claims:
        assert_decided(main_function(decided), main_function(plan), claim)
    wrong, right = said(text, "WRONG"), said(text, "RIGHT")
    assert wrong or claims or right, "nothing is said of memory"
    for line in wrong:
        settings, words = line.split(" => ")
        broken = clone(module)
        planned(main_function(broken), settings)
        messages = [v.message for v in checker.check(main_function(broken))]
        assert any(words in m for m in messages), f"{messages}\n{broken}"
    for line in right:
        fine = clone(module)
        planned(main_function(fine), line)
        assert not checker.check(main_function(fine))
        assert not assign_places(main_function(fine)).void, "the plan has no effect"
    for inplace in (False, True) if said(text, "GIVES") else ():
        assert_gives(text, said(text, "GIVES"), inplace)


def test_every_bug_has_a_program_or_a_reason_for_none() -> None:
    entries = json.loads((shared() / "bugs" / "bugs.json").read_text())
    entries = entries if isinstance(entries, list) else entries["bugs"]
    written = {path.stem for path in FILES}
    left_out = {name for names in NOT_WRITTEN.values() for name in names}
    assert not written & left_out
    assert {entry["id"] for entry in entries} == written | left_out
