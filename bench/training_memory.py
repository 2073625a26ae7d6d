"""
Bytes of activations and gradients of a step of training, planned in several ways: the networks of
`examples/training/networks`. Scratch of ops is left out; parameters and states of optimizers are the caller's.

    python bench/training_memory.py [--networks lenet,resnet18] [--optimizer sgd]

`framework` forward, backward, updates last; no value over another, offsets by what is live
`nntrainer` the same order, in place by nntrainer's rules
`pool`      the same order, the pool of Paddle's memory transpiler, then its in-place rules
`mirrored`  the mirrored graph, by --plan-pass
`planned`   the explicit graph, by --plan-pass
`compiled`  as lastuse.compile plans it: with --bubble-up-pass and --accumulate-pass
`bound`     the largest sum of what is live at one op in the order of `compiled`: no offsets need less
"""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from lastuse.compiler.driver import context
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import ToolContext
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs, contract
from lastuse.passes.accumulate import AccumulatePass
from lastuse.passes.backward import BackwardPass
from lastuse.passes.bubble_up import BubbleUpPass
from lastuse.passes.fold_producer import FoldProducerPass
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory.allocation_problem import allocation_problem
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.placement import PlacementPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.planning.planner import Buffer, live_peak, plan
from lastuse.passes.transforms.simplify import erase_dead

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "training" / "networks"
NETWORKS = ("lenet", "resnet18", "tagger_crf", "transformer", "lstm_cells")


class Sizes(NamedTuple):
    """Bytes of activations and gradients of a step; see the head of the file."""

    framework: int
    nntrainer: int
    pool: int
    mirrored: int
    planned: int
    compiled: int
    bound: int


class Step:
    """A step of a network, with an engine for each op, before anything is decided."""

    def __init__(self, network: str, optimizer: str, mirror: bool = False, compiled: bool = False) -> None:
        self.ctx: ToolContext = context()
        self.module: ModuleOp = Parser(self.ctx, (FOLDER / f"{network}.mlir").read_text()).parse_module()
        backward = BackwardPass(optimizer, mirror=mirror)
        passes = [BubbleUpPass(), backward, AccumulatePass()] if compiled else [backward]
        for pass_ in [*passes, PlacementPass(), FoldProducerPass()]:
            pass_.apply(self.ctx, self.module)
        erase_dead(self.ctx, self.module)
        self.func: FuncOp = main_function(self.module)

    def in_framework_order(self) -> Step:
        """The step with its updates at the end, in place: the ops that make nothing but the new values of arguments."""
        block, last = self.func.body.block, self.func.body.block.last_op
        assert last is not None
        rows = [attrs.result_attributes(self.func, number) for number in range(len(last.operands))]
        places = {v: row.get(attrs.TIED) for v, row in zip(last.operands, rows, strict=True) if attrs.TIED in row}
        for op in list(block.ops):
            if not op.results or not all(r in places and r.has_one_use() for r in op.results):
                continue
            op.detach()
            block.insert_op_before(op, last)
            tied = [cast(IntegerAttr, places[result]).value.data for result in op.results]
            over = [list(op.operands).index(block.args[number]) for number in tied]
            attrs.set_entries(op, attrs.INPLACE, over)
        return self

    def applied(self, *passes: InplacePass | MemoryPlanPass | PlanPass) -> Step:
        """The step behind these passes."""
        for pass_ in passes:
            pass_.apply(self.ctx, self.module)
        return self

    def buffers(self) -> list[Buffer]:
        """What needs memory."""
        problem = allocation_problem(self.func)
        assert problem is not None
        return list(problem.buffers)

    def bytes(self) -> int:
        """The smallest arena that is found for the order and the decisions there are."""
        return plan(self.buffers(), "best").peak


@contextmanager
def without_scratch() -> Generator[None]:
    """Ops need no scratch, so that plans are those of values alone."""
    before = dict(contract._registered)  # pyright: ignore[reportPrivateUsage]
    for cls in OPERATIONS.values():
        contract.declare_contract(cls, lambda op: cast(DnnOp, op).storage()._replace(scratch=0))
    try:
        yield
    finally:
        contract._registered.clear()  # pyright: ignore[reportPrivateUsage]
        contract._registered.update(before)  # pyright: ignore[reportPrivateUsage]


def sizes(network: str, optimizer: str = "momentum") -> Sizes:
    """What a step of a network takes."""
    with without_scratch():
        return _sizes(network, optimizer)


def _sizes(network: str, optimizer: str) -> Sizes:
    framework = Step(network, optimizer).in_framework_order()
    unshared = framework.bytes()
    nntrainer = Step(network, optimizer).in_framework_order().applied(InplacePass("nntrainer"))
    pooled = framework.applied(MemoryPlanPass("pool", level=1), InplacePass("transpiler"))
    whole = PlanPass(measure=False)
    mirrored = Step(network, optimizer, mirror=True).applied(whole)
    planned = Step(network, optimizer).applied(whole)
    compiled = Step(network, optimizer, compiled=True).applied(whole)
    return Sizes(
        unshared,
        nntrainer.bytes(),
        sum(buffer.size for buffer in pooled.buffers()),
        mirrored.bytes(),
        planned.bytes(),
        compiled.bytes(),
        live_peak(compiled.buffers()),
    )


def main() -> None:
    """Prints a line for each network."""
    parser = argparse.ArgumentParser(description="bytes of activations and gradients of a step of training")
    parser.add_argument("--networks", default=",".join(NETWORKS), help="names with commas")
    parser.add_argument("--optimizer", default="momentum")
    options = parser.parse_args()
    print(f"{'':>12}" + "".join(f"{name:>14}" for name in Sizes._fields) + f"{'of framework':>14}")
    for network in options.networks.split(","):
        found = sizes(network, options.optimizer)
        numbers = "".join(f"{number:>14,}" for number in found)
        print(f"{network:>12}{numbers}{found.compiled / found.framework:>14.2f}", flush=True)


if __name__ == "__main__":
    main()
