"""`--memory-plan-pass`: where in one arena every storage lies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark, wants_remarks, warn
from lastuse.dialect.ir.flow_graphs import defined_functions, functions_of
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.decisions import Decisions, movers_to
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason, sentence
from lastuse.passes.inplace_analysis.ineffective_decisions import drop_void
from lastuse.passes.inplace_analysis.policies import optimal
from lastuse.passes.memory.allocation_problem import (
    AllocationProblem,
    allocation_problem,
    unknown_memory,
    why_unplanned,
)
from lastuse.passes.memory.given_plan import GivenPlan
from lastuse.passes.memory.limit import check_frames, limit_error, limit_of
from lastuse.passes.memory.per_unit import problem_per_unit
from lastuse.passes.memory.pool_liveness import FITS, pooled
from lastuse.passes.memory.scratch_sizes import Scratch, check_threads
from lastuse.passes.planning import planner

POOL = "pool"
EXACT_WORK = 500_000_000
"""Buffers times nodes of the search after which `exact` gives up: half a minute or so. Not a time: a plan depends on
the program alone."""
ORDERS = ("sound", "seed")
Known = Mapping[tuple[planner.Buffer, ...], planner.Plan]
"""Plans by what they are plans of."""


@dataclass(frozen=True)
class MemoryPlanPass(ModulePass):
    """Give storages without memory an offset in one arena.

    These are all but those of arguments, constants and results.

    Requires: verified IR with known sizes (`--specialize-pass`), or with one unknown size of which each unit takes a
        multiple of 64 bytes of every storage: then one plan serves all sizes, in bytes per unit, and `dnn.unit` names
        the size.
    Guarantees: `dnn.offset` on the op that opens a storage, `dnn.succ_offset` on ops that pass values to block
        arguments with their own memory, `dnn.scratch_offset` on ops with scratch, multiples of 64; storages live at one
        time share no byte. `dnn.arena_bytes` on the function is the size that a run takes. It includes the temporaries
        of cycles in parallel copies and of operands that a call gets as copies, and the scratch of primitives, which is
        measured and written as `dnn.scratch_bytes` (a larger number that is there already stays). The frames of called
        functions are added to it. Unknown memory is a remark, and with a limit an error: scratch without a runtime to
        measure it or with an unknown size, and the memory of results of foreign ops.
        Offsets in the IR are kept, and other storages are placed around them. If that is impossible, the rest is not
        planned, and a remark says why; a decision without effect is dropped with a remark.
    Leaves alone: a complete plan; with `pool`, any function with offsets. In-place results,
        views and parts (they follow their operand or result), and, with a warning, functions with other unknown sizes,
        with unreachable blocks, or that never return.
    Example: two values that are never live together get one offset.

    Options:
        algorithm: `best` (default), several orders and a short search, which stops at the lower bound; `exact`, a
            search until a proof that no arena is smaller; `greedy`, by size; `pool`, that of the memory
            transpiler: `dnn.reuse` numbers instead of offsets, for any blocks and sizes.
        limit: the most bytes (`65536`, `64KiB`, `1MiB`) that an arena may have, with the frames of called functions. A
            larger arena is an error at the op where most bytes are live, with the live values and what would help.
        threads: of the runs, because scratch may grow with them; 0 (default) for as many as a run gets.
        measure: true (default): query the scratch of oneDNN's primitives on this machine; false: the plan is the same
            on every machine, and scratch without `dnn.scratch_bytes` is outside the arena.
        level: of the pool: 0 (default) shares between equal shapes; 1 gives a value the memory of any that has at
            least as many elements of the same type.
        order: of the pool: `sound` (default) allocates an op's results before storages whose last use it is join the
            pool; `seed` is the reverse order, as the transpiler's document has it. It gives results the memory of
            operands that are still read, and `--verify-storage-pass` refuses it.
    """

    name: ClassVar[str] = "memory-plan-pass"

    algorithm: str = "best"
    limit: int | str | None = None
    level: int = 0
    order: str = "sound"
    threads: int = 0
    measure: bool = True

    def __post_init__(self) -> None:
        if self.algorithm not in (*planner.ALGORITHMS, POOL):
            algorithms = ", ".join((*planner.ALGORITHMS, POOL))
            raise LastuseError(f"no algorithm '{self.algorithm}'; there are {algorithms}")
        if self.level not in range(len(FITS)):
            raise LastuseError(f"no level {self.level}; there are 0 and 1")
        if self.order not in ORDERS:
            raise LastuseError(f"no order '{self.order}'; there are {', '.join(ORDERS)}")
        check_threads(self.threads)
        if self.limit is not None:
            limit_of(self.limit)
        if self.limit is not None and self.algorithm == POOL:
            raise LastuseError("limit= cannot be combined with algorithm=pool")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scratch = Scratch(ctx, op, self.threads, self.measure)
        if self.algorithm != POOL:
            scratch.measure()
        self.plan_module(ctx, op, scratch, {})

    @unchanged_ops()
    def plan_module(self, ctx: Context, op: ModuleOp, scratch: Scratch, known: Known) -> None:
        """What the pass does once scratch is measured; `known` are plans of its algorithm that were made before."""
        limit = None if self.limit is None else limit_of(self.limit)
        for func in defined_functions(op):
            drop_void(func, ctx)
            if self.algorithm != POOL:
                self._plan_function(ctx, func, limit, scratch, known)
            elif attrs.is_planned(func):
                text = "no storage is numbered: the plan of the arena that is there is kept"
                remark(ctx, RemarkKind.REFUSAL, func, text, reason=Reason.DECIDED)
            else:
                _number(ctx, func, pooled(func, self.level, fill_first=self.order == "seed"))
        if limit is not None:
            check_frames(functions_of(op), limit)

    def _plan_function(self, ctx: Context, func: FuncOp, limit: int | None, scratch: Scratch, known: Known) -> None:
        given_plan = GivenPlan.of(func) if attrs.is_planned(func) else None
        problem, unit = allocation_problem(func), None
        if problem is None and limit is None and (scaled := problem_per_unit(func)) is not None:
            unit, problem = scaled
        if problem is None:
            why = why_unplanned(func)
            if limit is not None:
                raise LastuseError(f"no limit can be kept: nothing is planned: {why}", func)
            warn(ctx, func, f"nothing is planned: {why}", reason="size")
            return
        for op, text in unknown_memory(func, scratch.is_known) if limit is not None or wants_remarks(ctx) else ():
            if limit is not None:
                raise LastuseError(f"no limit can be kept: {text}", op)
            remark(ctx, RemarkKind.REFUSAL, op, f"not in the arena: {text}", reason="size")
        per_unit = f" for each unit of {unit}" if unit is not None else ""
        nodes = EXACT_WORK // max(1, len(problem.buffers)) if self.algorithm == "exact" else 0
        if given_plan is None:
            placed = known.get(problem.buffers) or problem.placed(self.algorithm, nodes)
        elif given_plan.is_whole(problem) and (given_plan.arena_bytes or not problem.buffers):
            _keep(ctx, func, given_plan, limit)
            return
        elif given_plan.unit != unit or (placed := given_plan.around(problem, self.algorithm, nodes)) is None:
            text = "the rest is not planned around the offsets that are there: they share bytes, or are not in the"
            text += " same unit"
            if limit is not None:
                raise LastuseError(f"no limit can be kept: {text}", func)
            remark(ctx, RemarkKind.REFUSAL, func, text, reason=Reason.DECIDED)
            return
        if limit is not None and placed.peak > limit:
            op, error = limit_error(problem, placed, limit, self.algorithm, _inplace_advice)
            notes = [text for _, text in error.notes]
            remark(ctx, RemarkKind.REFUSAL, op, error.message, reason="limit", notes=notes)
            raise error
        if unit is not None:
            func.attributes[attrs.UNIT] = StringAttr(unit)
        put_plan(func, problem, placed)
        description = planner.describe(placed.peak, placed.bound, placed.proof)
        kept = "" if given_plan is None else ", around the offsets that were there"
        remark(ctx, RemarkKind.DECISION, func, f"the arena has {description}{per_unit}{kept}")


def _keep(ctx: Context, func: FuncOp, plan: GivenPlan, limit: int | None) -> None:
    """Every storage has an offset: nothing is left to plan."""
    if limit is not None and plan.arena_bytes > limit:
        text = f"the plan that @{func.sym_name.data} carries takes {plan.arena_bytes:,} bytes, the limit is {limit:,}"
        raise LastuseError(text, func)
    per_unit = f" for each unit of {plan.unit}" if plan.unit is not None else ""
    text = f"the arena has {plan.arena_bytes:,} bytes{per_unit}: the plan that is there is kept"
    remark(ctx, RemarkKind.DECISION, func, text)


def _inplace_advice(program: NumberedOps, op: Operation) -> Iterator[str]:
    """What `--inplace-pass` would write in place at an op, and why it would not write the rest in place."""
    better = optimal.decide(program, True)
    for result in op.results:
        k = better.inplace.get(result, -1)
        if k >= 0 and attrs.inplace(op)[result.index] < 0:
            names = attrs.display_name(result), attrs.display_name(op.operands[k])
            yield f"--inplace-pass before this pass writes {names[0]} over {names[1]}"
    yield from (sentence(op, refusal) for refusal in better.refused.get(op, ()))


def put_plan(func: FuncOp, problem: AllocationProblem, placed: planner.Plan) -> Decisions:
    """Writes the offsets of a function's buffers as attributes. Returns the decisions of the problem with them."""
    given = problem.model.program.decisions
    offsets = dict(given.offsets)
    for owner, offset in zip(problem.owners, placed.offsets, strict=True):
        if isinstance(owner, Operation):
            owner.attributes[attrs.SCRATCH_OFFSET] = IntegerAttr(offset, i64)
        for value in owner if isinstance(owner, tuple) else ():
            _put(value, offset)
            offsets[value] = offset
    func.attributes[attrs.ARENA_BYTES] = IntegerAttr(placed.peak, i64)
    return replace(given, offsets=offsets, arena_bytes=placed.peak)


def _put(value: OpResult | BlockArgument, offset: int) -> None:
    if isinstance(value, BlockArgument):
        for mover in movers_to(value.block):
            attrs.set_slot_entry(mover, attrs.SUCC_OFFSET, value, offset)
        return
    offsets = list(attrs.entries(value.op, attrs.OFFSET))
    offsets[value.index] = offset
    attrs.set_entries(value.op, attrs.OFFSET, offsets)


def _number(ctx: Context, func: FuncOp, donors: dict[SSAValue, SSAValue]) -> None:
    """Write the number of its donor's storage on each value that takes memory; a donor may need a new number."""
    fresh = max(attrs.numbers_in(func), default=-1) + 1
    for taker, donor in donors.items():
        number = attrs.number_of(donor)
        if number < 0:
            number, fresh = fresh, fresh + 1
            attrs.set_number(donor, number)
        attrs.set_number(taker, number)
        op = taker.owner if isinstance(taker.owner, Operation) else func
        remark(
            ctx, RemarkKind.DECISION, op, f"{attrs.display_name(taker)} takes the memory of {attrs.display_name(donor)}"
        )
