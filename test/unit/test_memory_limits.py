"""`arena_bytes` and `limit=` are the memory of a run, in a pass, in `lastuse.compile` and in `run-tool`."""

from __future__ import annotations

from pathlib import Path

import pytest
from generate import random_program
from generate.flow import random_flow_program
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, ToolContext
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import aligned
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory.frame_layout import planned_bytes
from lastuse.passes.memory.stats import memory_stats
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass
from lastuse.tools.run_tool import main as run_tool
from support import opt_tool

SEEDS = st.integers(0, 10_000)

MATMUL = """
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = "dnn.matmul"(%a, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %c = "dnn.matmul"(%b, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  func.return %c : tensor<8x16xf32>
}
"""
STRIDED = """
func.func @main(%x: tensor<40x40xf32>, %w: tensor<40x64xf32>) -> tensor<40x24xf32> {
  %a = "dnn.exp"(%w) : (tensor<40x64xf32>) -> tensor<40x64xf32>
  %s = "dnn.slice"(%a) {dim = 1 : i64, start = 3 : i64, end = 27 : i64} : (tensor<40x64xf32>) -> tensor<40x24xf32>
  %t = "dnn.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<40x40xf32>) -> tensor<40x40xf32>
  %b = "dnn.matmul"(%t, %s) : (tensor<40x40xf32>, tensor<40x24xf32>) -> tensor<40x24xf32>
  func.return %b : tensor<40x24xf32>
}
"""
"""Its second factor has rows of 64 elements where it reads 24."""
SOFTMAX = """
func.func @main(%x: tensor<1x4x50x8xf32>) -> tensor<1x4x50x8xf32> {
  %a = "dnn.exp"(%x) : (tensor<1x4x50x8xf32>) -> tensor<1x4x50x8xf32>
  %y = "dnn.softmax"(%a) {axis = 2 : i64, dnn.engine = "onednn"} : (tensor<1x4x50x8xf32>) -> tensor<1x4x50x8xf32>
  func.return %y : tensor<1x4x50x8xf32>
}
"""
"""On oneDNN over an axis that is not the last one: it takes scratch for that on every machine."""
TEXTS = pytest.mark.parametrize("text", [MATMUL, STRIDED, SOFTMAX], ids=["matmul", "strided", "softmax"])


def module_of(text: str) -> ModuleOp:
    return parse(context(), text, "given.mlir")


def written(folder: Path, text: str) -> Path:
    path = folder / "given.mlir"
    path.write_text(text)
    return path


@settings(deadline=None, max_examples=60)
@given(SEEDS, st.sampled_from([{}, {"inplace": False}, {"plan": False}, {"inplace": False, "plan": False}]))
def test_arena_is_the_memory_of_a_run(seed: int, how: dict[str, bool]) -> None:
    """The figure is what the runtime allocates; with a plan, it includes all scratch."""
    program = lastuse.compile(random_program(seed).module, **how)
    compiled = program.specialized(dict.fromkeys(program.unknown_sizes, 3))
    taken = compiled.runner.memory
    if how.get("plan", True):
        assert taken.scratch == 0
        assert compiled.memory.arena_bytes == taken.arena
    # Without a plan nothing rounds the last byte up.
    assert compiled.memory.arena_bytes == aligned(taken.arena) + aligned(taken.scratch)


@settings(deadline=None, max_examples=60)
@given(SEEDS, st.sampled_from([random_program, random_flow_program]), st.sampled_from(["best", "greedy", None]))
def test_live_peak_is_at_most_the_arena_and_the_arena_at_most_naive(
    seed: int, make: object, algorithm: str | None
) -> None:
    """For every decision. Offsets that a function carries already may need more than that: they are kept."""
    for decide in (False, True):
        module = module_of(make(seed).text)  # pyright: ignore
        if decide:
            InplacePass().apply(context(), module)
        if algorithm is not None:
            MemoryPlanPass(algorithm).apply(context(), module)
        functions = functions_of(module)
        for func in functions.values():
            found = memory_stats(func, functions)
            if found is not None:
                assert found.live_peak_bytes <= found.arena_bytes <= found.naive_bytes
                assert found.scratch_bytes <= found.arena_bytes


@TEXTS
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("plan", ["--plan-pass={}", "--inplace-pass --memory-plan-pass={}"])
def test_smallest_accepted_limit_is_the_arena_of_a_run(tmp_path: Path, text: str, threads: int, plan: str) -> None:
    """With the scratch for the given number of threads."""
    path, planned = written(tmp_path, text), tmp_path / "planned.mlir"
    assert opt_tool(*plan.format(f"threads={threads}").split(), str(path), "-o", str(planned)).status == 0
    memory = lastuse.compile(planned, threads=threads).memory  # keeps the plan
    least = memory.arena_bytes
    assert least >= memory.scratch_bytes
    options = f"threads={threads},limit="
    assert opt_tool(*plan.format(f"{options}{least}").split(), str(path)).status == 0
    refused = opt_tool(*plan.format(f"{options}{least - 1}").split(), str(path))
    assert refused.status == 1
    assert f"the arena has {least:,} bytes, the limit is {least - 1:,}; most is live at" in refused.err


def test_scratch_is_that_of_the_primitive_for_the_operands_strides() -> None:
    """A slice of rows is no dense matrix, so oneDNN chooses another primitive, with other scratch."""
    for text in (STRIDED, MATMUL, SOFTMAX):
        program = lastuse.compile(module_of(text), threads=1)
        assert program.latest.runner.memory.scratch == 0
        assert program.memory.arena_bytes == program.latest.runner.memory.arena


@TEXTS
def test_limit_is_an_option_of_all_tools_with_one_error(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, text)
    least = lastuse.compile(path, threads=1).memory.arena_bytes
    assert lastuse.compile(path, threads=1, limit=least).memory.arena_bytes == least
    assert lastuse.compile(path, threads=1, limit=f"{least}B").memory.arena_bytes == least
    with pytest.raises(LastuseError) as caught:
        lastuse.compile(path, threads=1, limit=least - 1)
    said = opt_tool(f"--plan-pass=threads=1,limit={least - 1}", str(path)).err
    assert run_tool([str(path), "--threads", "1", "--limit", str(least - 1)]) == 1
    assert capsys.readouterr().err == said
    assert str(caught.value) == said.splitlines()[0]
    assert any("has" in note and "bytes here" in note for _, note in caught.value.notes)
    assert run_tool([str(path), "--threads", "1", "--limit", str(least)]) == 0


@pytest.mark.parametrize("limit", ["1 MiB of memory", "-1", "MiB", "1.5.2KiB"])
def test_limit_that_is_no_number_of_bytes_is_an_error(
    tmp_path: Path, limit: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, said = written(tmp_path, SOFTMAX), f"limit '{limit}' is no number of bytes, such as 65536 or 64KiB"
    with pytest.raises(LastuseError, match="is no number of bytes"):
        lastuse.compile(path, limit=limit)
    assert run_tool([str(path), f"--limit={limit}"]) == 2
    assert said in capsys.readouterr().err
    refused = opt_tool(f"--memory-plan-pass=limit={limit}", str(path))
    assert refused.status == 2
    assert said in refused.err


def test_limit_holds_for_every_set_of_sizes(tmp_path: Path) -> None:
    """Whatever was decided for other sizes."""
    type_ = "tensor<1x4x50x8xf32>"
    more = f'  %z = "dnn.sub"(%a, %y) : ({type_}, {type_}) -> {type_}\n  func.return %z'
    text = SOFTMAX.replace("  func.return %y", more).replace("tensor<1x4x", "tensor<1x?x")
    program = lastuse.compile(written(tmp_path, text), threads=1, limit="64KiB")
    for rows in (2, 5, 9):
        assert program.specialized({"x": rows}).memory.arena_bytes <= 1 << 16
    with pytest.raises(LastuseError, match=r"the arena has .* bytes, the limit is 65,536; most is live at"):
        program.specialized({"x": 1000})
    assert program.specialized({"x": 3}).memory.arena_bytes <= 1 << 16


def test_limit_without_a_plan_is_an_error() -> None:
    with pytest.raises(LastuseError, match=r"the arena has [\d,]+ bytes, the limit is 100: a plan shares memory"):
        lastuse.compile(module_of(SOFTMAX), plan=False, limit=100)


def test_stated_scratch_is_kept_and_raised() -> None:
    """A file may state more than a primitive needs, never less."""
    least = lastuse.compile(module_of(SOFTMAX), threads=1).memory.scratch_bytes
    assert least > 64
    for stated, kept in ((64, least), (10 * least, 10 * least)):
        text = SOFTMAX.replace("axis = 2 : i64", f"axis = 2 : i64, dnn.scratch_bytes = {stated} : i64")
        module = module_of(text)
        PlanPass(threads=1).apply(context(), module)
        (op,) = (op for op in module.walk() if op.name == "dnn.softmax")
        assert aligned(attrs.scratch_bytes(op)) == kept
        assert lastuse.compile(module_of(text), threads=1).memory.arena_bytes == planned_bytes(main_function(module))


@pytest.mark.parametrize("make", [MemoryPlanPass, PlanPass])
def test_scratch_is_not_known_without_the_runtime(make: type[MemoryPlanPass | PlanPass]) -> None:
    """A plan says so, and a limit is an error; elementwise ops take no scratch on any machine."""
    ctx = ToolContext(allow_unregistered=True)
    module = module_of(SOFTMAX)
    make().apply(ctx, module)
    (said,) = (remark for remark in ctx.remarks if remark.kind is RemarkKind.REFUSAL and "scratch" in remark.message)
    assert said.op == "dnn.softmax" and said.message.startswith("not in the arena: the scratch of dnn.softmax is not")
    for stock in (ctx, Context()):
        with pytest.raises(LastuseError, match=r"no limit can be kept: the scratch of dnn\.softmax is not known"):
            make(limit="1GiB").apply(stock, module_of(SOFTMAX))
    stated = SOFTMAX.replace("axis = 2 : i64", "axis = 2 : i64, dnn.scratch_bytes = 64 : i64")
    make(limit="1GiB").apply(Context(), module_of(stated))
    simple = SOFTMAX.replace("softmax", "relu").replace("axis = 2 : i64, ", "")
    make(limit="1GiB").apply(Context(), module_of(simple))


def test_the_memory_of_a_foreign_result_is_not_known() -> None:
    text = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = "other.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%f) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}
"""
    refused = opt_tool("--memory-plan-pass=limit=1GiB", stdin=text)
    assert refused.status == 1
    assert refused.err.startswith(
        "<stdin>:3:8: error: no limit can be kept: the memory of %f, a result of other.op, is not known here: "
    )
    planned = opt_tool("--memory-plan-pass", "--remarks", stdin=text)
    assert planned.status == 0
    assert "<stdin>:3:8: remark: other.op (f): not in the arena: the memory of %f, a result of other.op" in planned.err


def test_scratch_of_an_unknown_size_is_asked_when_it_is_bound() -> None:
    """The plan is per unit of the size; scratch is measured when the size is bound."""
    text = """
func.func @main(%x: tensor<?x16xf32> {dnn.name = "rows"}, %w: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = "dnn.matmul"(%a, %w) : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  func.return %b : tensor<?x16xf32>
}
"""
    planned = opt_tool("--memory-plan-pass", "--remarks", stdin=text)
    assert 'dnn.unit = "rows"' in planned.out
    assert "not in the arena: the scratch of dnn.matmul is not known here" in planned.err
