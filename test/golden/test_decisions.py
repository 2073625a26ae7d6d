"""What every strategy decides on programs that are kept here, to the letter: a change of decisions is seen in a diff.

Each file of `decided/` is a program and, below it, a line a strategy, some with decisions made before: what each op was
decided to be, or why not, and a digest of its remarks. `contracts.txt` has the same of random programs of ops that are
nothing but their contracts; `wrong.txt` has what the checker says of plans drawn without a thought.
After a change that is meant, `LASTUSE_GOLDEN=write pytest test/golden` writes the lines anew: read the diff.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
import test_flow
import test_plans
from fuzz_check import decide_at_random
from ir import both
from perturb import perturbations
from toy import generate
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir import verifier
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.memory_plan import MemoryPlanPass

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "decided").glob("*.mlir"))
WRITE = os.environ.get("LASTUSE_GOLDEN") == "write"
TOYS = 30
TOLD = (142,)
"""Ops that are contracts alone, in plans that once told a mistake in the checker from what is right."""
CHANGED = 3
"""So many changes of a plan are kept."""
NOTED = (
    attrs.INPLACE,
    attrs.PARTS,
    attrs.REUSE,
    attrs.COPY,
    attrs.SUCC_REUSE,
    "dnn.refused",
    "dnn.inplace_mode",
)


BEFORE = [("", strategy) for strategy in STRATEGIES]
BEFORE += [("pool", "optimal"), ("pool", "transpiler"), ("random", "nntrainer"), ("random", "transpiler")]
"""What decides first, and what then."""


def prepare(module: ModuleOp, before: str) -> None:
    """Decisions that are there already: none, the pool's, or random ones of which the wrong are taken back."""
    if before == "pool":
        MemoryPlanPass("pool").apply(context(), module)
    for func in module.walk() if before == "random" else ():
        if isinstance(func, FuncOp) and func.body.blocks:
            decide_at_random(func, random.Random(1))
            repair(func)


def decided(module: ModuleOp, strategy: str) -> tuple[str, list[str]]:
    """What a strategy decides, in one line, and its remarks."""
    ctx = context()
    ctx.wants_remarks = True
    InplacePass(strategy, explain=True).apply(ctx, module)
    said: list[str] = []
    for number, op in enumerate(module.walk()):
        noted = [f"{name[4:]}={_text(op.attributes[name])}" for name in NOTED if name in op.attributes]
        if noted and not isinstance(op, FuncOp):
            said.append(" ".join([f"{number}", *noted]))
    remarks = [str(remark).partition(" remark: ")[2] for remark in ctx.remarks]
    digest = hashlib.sha256("\n".join(remarks).encode()).hexdigest()[:12]
    return f"{strategy}: {'; '.join([*said, digest])}", remarks


def _text(attribute: Attribute) -> str:
    if isinstance(attribute, DenseArrayBase):
        return ",".join(map(str, attribute.get_values()))
    if isinstance(attribute, ArrayAttr):
        return "[" + " ".join(map(_text, attribute)) + "]"
    if isinstance(attribute, StringAttr):
        return attribute.data
    return "" if isinstance(attribute, UnitAttr) else str(attribute)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs(path: Path) -> None:
    text = path.read_text()
    program, _, kept = text.partition("\n// ")
    want = [line.removeprefix("// ") for line in f"// {kept}".splitlines()]
    have: list[str] = []
    parsed = parse(context(), program, path.name)
    verifier.verify(parsed)
    for before, strategy in BEFORE:
        module = clone(parsed)
        prepare(module, before)
        line, remarks = decided(module, strategy)
        line = f"{before}, {line}" if before else line
        assert WRITE or line in want, "\n".join([line, *remarks, str(module)])
        have.append(line)
    if WRITE:
        path.write_text("\n".join([program.rstrip(), *(f"// {line}" for line in have)]) + "\n")


def toys() -> Iterator[tuple[str, str]]:
    """Name and line of every program of contracts alone."""
    for seed in range(TOYS):
        for strategy in STRATEGIES:
            func = generate(seed, decided=seed % 2 > 0)
            repair(func)
            module = func.parent_op()
            assert isinstance(module, ModuleOp)
            line, remarks = decided(module, strategy)
            yield f"{seed} {line}", "\n".join([*remarks, str(module)])


def test_contracts_alone() -> None:
    path = HERE / "contracts.txt"
    found = dict(toys())
    if WRITE:
        path.write_text("".join(f"{line}\n" for line in found))
    want = set(path.read_text().splitlines())
    for line, why in found.items():
        assert line in want, f"{line}\n{why}"


def wrong_plans() -> Iterator[tuple[str, FuncOp]]:
    """Plans drawn without a thought, of ops that are contracts alone and of programs; and the plans that the checker is
    tested with, as they are there and with a decision changed."""
    for seed in (*range(4 * TOYS), *TOLD):
        yield f"{seed}", generate(seed)
    for plan in (*test_plans.PLANS, *test_flow.PLANS):
        _, broken = both(plan.text)
        yield plan.name, broken
        for number, what in enumerate(islice(perturbations(broken), 0, None, 4)):
            if number < CHANGED:
                yield f"{plan.name}, {what}", broken
    for path in PROGRAMS:
        parsed = parse(context(), path.read_text(), path.name)
        for roll in range(4):
            module = clone(parsed)
            for func in [op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks]:
                decide_at_random(func, random.Random(roll))
                yield f"{path.stem} {func.sym_name.data} {roll}", func


def test_the_checker_says_what_is_wrong() -> None:
    path = HERE / "wrong.txt"
    lines: list[str] = []
    for name, func in wrong_plans():
        wrong = check(func)
        words = [f"{v.message} {[str(d) for d in v.decisions]}" for v in wrong]
        digest = hashlib.sha256("\n".join(words).encode()).hexdigest()[:8]
        lines.append(f"{name}: {len(wrong)} {digest} {wrong[0].message if wrong else ''}".rstrip())
    if WRITE:
        path.write_text("".join(f"{line}\n" for line in lines))
    assert lines == path.read_text().splitlines()
