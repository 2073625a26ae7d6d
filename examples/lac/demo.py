"""
A Chinese sentence cut into words by a real model, with as little memory touched as possible.

    python examples/lac/demo.py ['a sentence' …]

Fetches LAC's model once, imports it from Paddle's own format, decides what is written over what, plans one arena, lets
the checker prove the plan (and refuse one broken on purpose), runs on oneDNN and numpy, and prints the words.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from fetch import FetchError, fetch
from rich.console import Console
from rich.table import Table
from text import Batch, Dictionary
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

import lastuse
from lastuse.compiler.compiled import Compiled
from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import Remark, RemarkKind
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import typed
from lastuse.dialect.storage import attrs
from lastuse.passes.inplace import InplacePass
from lastuse.passes.verify_storage import VerifyStoragePass

DEFAULT = "今天的天气很好，我们一起去公园散步吧。"
TAGS = "save_infer_model/scale_0"
"""The model's output: a tag for each id."""
BATCH = {"words": 1244, "words.lod": 65}
"""Sizes of a batch to compare memory with: 64 sentences, 1,244 ids."""

console = Console(markup=False, highlight=False, soft_wrap=True)


def main(sentences: Sequence[str]) -> int:
    """The demo. Returns its exit status."""
    # A word of any script can be printed, in a terminal that cannot show it as a question mark.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    given = [s.encode("utf-8", "replace").decode() for s in sentences] or [DEFAULT]
    try:
        demonstrate(fetch() / "lac_model", given)
    except (FetchError, lastuse.LastuseError) as error:
        print(f"error: {error}" if isinstance(error, FetchError) else error, file=sys.stderr)
        return 1
    return 0


def demonstrate(folder: Path, sentences: Sequence[str]) -> None:
    """Every step from the model's files to the words of `sentences`."""
    title("Import", f"{folder / 'model'}")
    started = time.perf_counter()
    program, plain = lastuse.compile(folder / "model"), lastuse.compile(folder / "model", fuse=False)
    batch = Dictionary(folder / "conf").encode(sentences)
    sizes = {"words": len(batch.ids), "words.lod": len(batch.lod)}
    compiled = program.specialized(sizes)
    seconds = time.perf_counter() - started
    weights, before = resources.of(compiled.module), resources.of(plain.specialized(sizes).module)
    console.print(f"{len(computed(plain.specialized(sizes)))} ops and {len(before)} parameters, fused to ", end="")
    console.print(f"{len(computed(compiled))} and {len(weights)}; planned and prepared in {seconds:.1f} s")

    title("In place", "without fusion: what is written over what, and why not the others")
    show_decisions(plain.specialized(sizes))
    title("Memory", "bytes beside inputs, results and weights")
    naive = [plain.specialized(each).memory.naive_bytes for each in (sizes, BATCH)]
    show_memory(compiled, program.specialized(BATCH), naive, sum(a.nbytes for a in weights.values()))
    title("Proof", "the checker knows the rules and nothing of the passes that decided")
    show_checks(compiled)
    title("Run", ", ".join(f"{count} steps on {engine}" for engine, count in compiled.engines.items()))
    show_words(program, batch, folder)


def computed(compiled: Compiled) -> list[Operation]:
    """The ops of a program that compute."""
    ops = main_function(compiled.module).walk()
    return [op for op in ops if op.name.startswith("dnn.") and not isinstance(op, ConstantOp)]


def title(step: str, text: str) -> None:
    """A heading."""
    console.print(f"\n{step}", style="bold cyan", end="  ")
    console.print(text, style="dim")


def show_decisions(compiled: Compiled) -> None:
    """The decisions, refusals by reason, and one op before and after lowering."""
    remarks = remarks_of(compiled)
    decided = [r for r in remarks if r.kind is RemarkKind.DECISION]
    refused: dict[str, list[Remark]] = {}
    for remark in remarks:
        if remark.kind is RemarkKind.REFUSAL and remark.reason is not None:
            refused.setdefault(remark.reason, []).append(remark)
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row(str(len(decided)), "in place", ", ".join(name for r in decided for name in r.names))
    for reason, those in refused.items():
        table.add_row(str(len(those)), f"not: {reason}", f"such as: {those[0].message}")
    if copies := [r for r in remarks if r.kind is RemarkKind.COPY]:
        table.add_row(str(len(copies)), "copies", f"such as: {copies[0].message}")
    console.print(table)
    console.print("the first one, decided and lowered:")
    for module, chosen in ((compiled.module, is_in_place), (compiled.lowered, written_over)):
        block = main_function(module).body.block
        first = next((number for number, op in enumerate(block.ops) if chosen(op)), None)
        if first is not None:  # an op a line, after those of the module and the function
            console.print(f"  {str(module).splitlines()[2 + first].strip()}", style="green")


def remarks_of(compiled: Compiled) -> list[Remark]:
    """The remarks of the in-place pass on the plan: it keeps the decisions in it, and gives reasons for the rest."""
    ctx = context()
    ctx.wants_remarks = True
    InplacePass(parts=False).apply(ctx, clone(compiled.module))
    return ctx.remarks


def is_in_place(op: Operation) -> bool:
    """An op that is to be written over an operand."""
    return any(k >= 0 for k in attrs.inplace(op))


def written_over(op: Operation) -> bool:
    """A step of the lowered program whose result is one of its inputs: the same view stands on both sides."""
    return op.name.startswith("onednn.") and len(op.operands) != len(set(op.operands))


def show_memory(compiled: Compiled, batch: Compiled, naive: Sequence[int], weights: int) -> None:
    """The figures of the sentences given and of a larger batch, beside those without sharing."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in ("this text", f"{BATCH['words.lod'] - 1} sentences", "of naive"):
        table.add_column(heading, justify="right")
    large = batch.memory
    rows = (
        ("naive: a place for every value", naive[0], naive[1]),
        ("live peak: most alive at one op", compiled.memory.live_peak_bytes, large.live_peak_bytes),
        ("arena: what is allocated", compiled.memory.arena_bytes, large.arena_bytes),
    )
    for name, small, big in rows:
        table.add_row(name, f"{small:,}", f"{big:,}", f"{big / naive[1]:.0%}")
    table.add_row("weights, read only", f"{weights:,}", f"{weights:,}", "")
    console.print(table)


def show_checks(compiled: Compiled) -> None:
    """The checker on the plan, and on the same plan with one value moved over another that is still needed."""
    VerifyStoragePass().apply(context(), clone(compiled.module))
    console.print("accepted: every op reads the bytes it would read if nothing shared memory", style="green")
    broken = clone(compiled.module)
    moved = break_plan(main_function(broken))
    if moved is None:
        return
    try:
        VerifyStoragePass().apply(context(), broken)
    except lastuse.LastuseError as error:
        console.print(f"with {moved}, refused: {error.message}", style="yellow")


def break_plan(func: FuncOp) -> str | None:
    """Places a result over an operand that the op itself still reads; says which, None if there is no such op."""
    for op in func.body.block.ops:
        if len(op.results) != 1 or attrs.entries(op, attrs.OFFSET)[0] < 0 or max(attrs.inplace(op)) >= 0:
            continue
        for operand in op.operands:
            owner = operand.owner
            if not isinstance(owner, Operation) or len(owner.results) > 1 or attrs.entries(owner, attrs.OFFSET)[0] < 0:
                continue
            if room(op.results[0]) <= room(operand):
                attrs.set_entries(op, attrs.OFFSET, attrs.entries(owner, attrs.OFFSET))
                return f"{attrs.display_name(op.results[0])} moved over {attrs.display_name(operand)}"
    return None


def room(value: SSAValue) -> int:
    """Bytes of a value, whose sizes are all known."""
    size = typed(value.type).bytes
    assert isinstance(size, int)
    return size


def show_words(program: lastuse.Program, batch: Batch, folder: Path) -> None:
    """Runs the model and prints each sentence's words with their tags."""
    inputs = {"words": batch.ids, "words.lod": batch.lod}
    program.run(inputs)
    started = time.perf_counter()
    tags = program.run(inputs)[TAGS]
    seconds = time.perf_counter() - started
    console.print(f"{len(batch.ids)} ids in {1000 * seconds:.1f} ms\n")
    for words in Dictionary(folder / "conf").decode(batch, tags):
        console.print("  ".join(f"{word}/{tag}" for word, tag in words), style="bold")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
