"""Every copy of the lowered module has one remark, with its bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from generate import Generated, random_program
from generate.flow import has_foreign, random_flow_program
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.diagnostics import Remark, RemarkKind
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering.copy_remarks import IN_PART
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.verify_storage import VerifyStoragePass

SEEDS = range(40)
DECIDED: dict[str, Sequence[ModulePass]] = {
    "naive": (),
    "in place": (InplacePass(),),
    "reinplace, planned": (InplacePass("reinplace"), MemoryPlanPass()),
    "pooled": (MemoryPlanPass("pool"), InplacePass()),
    "planned": (PlanPass(),),
}


def copies(remarks: Sequence[Remark]) -> Counter[tuple[str | None, int | None]]:
    """Function and bytes of each copy that a remark tells of."""
    return Counter((r.function, r.nbytes) for r in remarks if r.kind is RemarkKind.COPY)


def emitted(module: ModuleOp) -> Counter[tuple[str | None, int | None]]:
    """Function and bytes of each copy in a lowered module."""
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    made = [(f.sym_name.data, op) for f in functions for op in f.walk() if isinstance(op, BufferCopyOp)]
    return Counter((name, op.out_memories[0].layout.nbytes) for name, op in made)


@pytest.mark.parametrize("decided", DECIDED)
@pytest.mark.parametrize("make", [random_program, random_flow_program], ids=["straight", "flow"])
def test_each_copy_has_one_remark(make: Callable[[int], Generated], decided: str) -> None:
    found = 0
    for seed in SEEDS:
        if make is random_flow_program and has_foreign(seed):
            continue
        program = make(seed).module
        verifier.verify(program)
        module, ctx = clone(program), context()
        ctx.wants_remarks = True
        for pass_ in (*DECIDED[decided], VerifyStoragePass(repair=True)):
            pass_.apply(ctx, module)
        LowerToOnednnPass().apply(ctx, module)
        assert copies(ctx.remarks) == emitted(module), f"{seed}\n{program}"
        for remark in ctx.remarks:
            if remark.kind is RemarkKind.COPY:
                found += 1
                assert remark.reason is not None
                reason, (said,) = Reason(remark.reason), remark.notes
                said_of_part = reason in IN_PART and said == IN_PART[reason][1]
                words, help_ = IN_PART[reason] if said_of_part else (reason.words, reason.help)
                assert said == help_
                assert f" {remark.nbytes:,} bytes: {words}" in remark.message
    assert found > 10


@pytest.mark.parametrize("make", [random_program, random_flow_program], ids=["straight", "flow"])
def test_remarks_of_the_inplace_pass_are_the_copies_of_lowering(make: Callable[[int], Generated]) -> None:
    for seed in SEEDS:
        module, ctx = make(seed).module, context()
        ctx.wants_remarks = True
        verifier.verify(module)
        InplacePass().apply(ctx, module)
        told = [str(r) for r in ctx.remarks if r.kind is RemarkKind.COPY]
        if make is random_flow_program and has_foreign(seed):
            continue
        LowerToOnednnPass().apply(ctx, module)
        assert sorted(told) == sorted(str(r) for r in ctx.remarks if r.kind is RemarkKind.COPY), f"{seed}\n{module}"


def told(text: str, *passes: ModulePass) -> list[str]:
    """The copies that remarks tell of, in words."""
    module, ctx = parse(context(), text, "given.mlir"), context()
    ctx.wants_remarks = True
    verifier.verify(module)
    for pass_ in passes:
        pass_.apply(ctx, module)
    return [str(r).split(": remark: ")[1] for r in ctx.remarks if r.kind is RemarkKind.COPY]


INSERT = """
  func.func @main(%x: tensor<8xf32>, %s: tensor<2xf32>, %step: index) -> tensor<8xf32> {
    %a = "dnn.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %t = "dnn.exp"(%s) : (tensor<2xf32>) -> tensor<2xf32>
    %c = tensor.insert_slice %t into %a[4] [2] [STEP] : tensor<2xf32> into tensor<8xf32>
    func.return %c : tensor<8xf32>
  }"""


def test_insert_with_steps_of_run_time_copies_nothing() -> None:
    assert told(INSERT.replace("STEP", "%step"), InplacePass()) == []


def test_insert_with_steps_back_has_remarks_for_both_copies() -> None:
    source, base = told(INSERT.replace("STEP", "-1"), InplacePass())
    assert source.startswith("tensor.insert_slice (c): %t is copied into %c, 8 bytes: which part")
    assert base.startswith("tensor.insert_slice (c): %a is copied into %c, 32 bytes: which part")
    assert all("[unknown-offset]; give offsets" in copy for copy in (source, base))


def test_copy_of_a_call_argument_has_one_remark() -> None:
    text = """
      func.func @g(%p: tensor<?xf32> {dnn.donated}) -> tensor<?xf32> {
        %a = "dnn.exp"(%p) : (tensor<?xf32>) -> tensor<?xf32>
        func.return %a : tensor<?xf32>
      }
      func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
        %a = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
        %b = func.call @g(%a) : (tensor<?xf32>) -> tensor<?xf32>
        func.return %a, %b : tensor<?xf32>, tensor<?xf32>
      }"""
    (copy,) = [c for c in told(text, InplacePass()) if c.startswith("func.call")]
    assert copy.startswith("func.call (b): %a is copied for the call, 4*x bytes: the call may write the parameter")
    assert ", by func.func at line 2 [callee-writes]; " in copy
