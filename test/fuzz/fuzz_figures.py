"""What programs have in them, and what was tried on them, counted; and the table of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fuzz_check import PIPELINES, Case
from fuzz_sized import Crossing
from rich.console import Console
from rich.table import Table
from xdsl.dialects import cf, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation

from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.row_independence import ragged_rows

GROUPS = ("programs", "have", "tried", "inputs", "compared")
"""Groups of rows, in order; a figure is counted as `group: what`."""


def features(module: ModuleOp) -> Iterator[str]:
    """What a program has, each once."""
    func = main_function(module)
    ops = list(module.walk())
    results = len(func.function_type.outputs.data)
    kinds = {
        "scf.for": scf.ForOp,
        "scf.if": scf.IfOp,
        "scf.while": scf.WhileOp,
        "blocks": cf.ConditionalBranchOp,
        "conditions or counts read from tensors": tensor.ExtractOp,
        "sizes as counts": tensor.DimOp,
        "calls": CallOp,
    }
    yield from (f"have: {name}" for name, kind in kinds.items() if any(isinstance(op, kind) for op in ops))
    if results > 1:
        yield "have: several results"
    if sum(isinstance(op, ReturnOp) for op in func.walk()) > 1:
        yield "have: several returns"
    if any(_has_control_flow(op) for op in ops if isinstance(op, FuncOp) and op is not func):
        yield "have: callees with control flow"
    if any(attrs.is_donated(a) for a in func.args):
        yield "have: donated arguments"
    if any(attrs.tied_argument(func, r) is not None for r in range(results)):
        yield "have: tied results"


def _has_control_flow(func: FuncOp) -> bool:
    return any(isinstance(op, scf.ForOp | scf.IfOp | scf.WhileOp | cf.ConditionalBranchOp) for op in func.walk())


def tried(case: Case) -> Iterator[str]:
    """What was tried on a program of known sizes."""
    if not case.execute:
        yield "programs: decided and checked alone"
        return
    yield "programs: run and held against the interpreter"
    yield f"tried: {case.threads} threads" if case.threads > 1 else "tried: 1 thread"
    if case.pipeline is None:
        yield "tried: compile"
    else:
        yield "tried: " + " then ".join(sorted({type(p).__name__ for p in PIPELINES[case.pipeline]}))
    if case.earlier:
        yield "tried: decisions made before"
    if case.extreme:
        yield "inputs: NaN, infinity, denormals"


def crossed(module: ModuleOp, family: str, crossing: Crossing) -> Iterator[str]:
    """What was tried on a program of unknown sizes or large values, in all its runs."""
    options = crossing.options
    yield "programs: run and held against the interpreter"
    yield f"programs: {family}, options crossed"
    threads = options["threads"]
    yield f"tried: {threads} threads" if threads != 1 else "tried: 1 thread"
    if crossing.pipeline is not None:
        yield "tried: passes decide at unknown sizes"
        return
    yield "tried: compile with options"
    yield f"tried: strategy = {options['strategy']}"
    yield f"tried: types = {options['types']}"
    yield f"tried: kept_sizes = {options['kept_sizes']}"
    yield from (f"tried: no {name}" for name in ("inplace", "plan", "schedule", "fuse") if not options[name])
    if options["round_sizes"]:
        yield "tried: round_sizes"
        if ragged_rows(main_function(module)) is not None:
            yield "tried: round_sizes, rows are added"
    if crossing.text:
        yield "tried: by way of text"
    if crossing.extreme:
        yield "inputs: NaN, infinity, denormals"
    sizes = {n for one in crossing.sizes for n in one.values()}
    for name, holds in {
        "a size of 0": 0 in sizes,
        "a size of 1": 1 in sizes,
        "an odd size": any(n % 2 and n > 1 for n in sizes),
        "a size of 64 or more": any(n >= 64 for n in sizes),
    }.items():
        if holds:
            yield f"inputs: {name}"


def operations(module: ModuleOp) -> set[str]:
    """Names of the ops of the dnn dialect in a program."""

    def is_ours(op: Operation) -> bool:
        return op.dialect_name() == "dnn"

    return {op.name for op in module.walk() if is_ours(op)}


def show(figures: Counter[str], ops: set[str], console: Console) -> None:
    """Print the table."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("", "", "count"):
        table.add_column(title, justify="right" if title == "count" else "left")
    rest = {name: n for name, n in figures.items() if ": " not in name}
    for group in GROUPS:
        rows = {name.partition(": ")[2]: n for name, n in figures.items() if name.startswith(f"{group}: ")}
        rows |= rest if group == GROUPS[-1] else {}
        rows |= {"ops of the dialect": len(ops)} if group == "have" else {}
        for number, (name, n) in enumerate(sorted(rows.items())):
            table.add_row(group if number == 0 else "", name, f"{n:,}")
    console.print(table)
