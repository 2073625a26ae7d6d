"""`--bufferize-pass`: from tensors to memrefs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from lastuse.dialect.ir.collection import paused_collection
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, clone_located, remark, wants_remarks
from lastuse.dialect.ir.flow_graphs import (
    ancestors,
    callee_of,
    calls_in,
    functions_of,
    functions_within,
    symbols_of,
    topological_order,
)
from lastuse.dialect.ir.kept_source import empty_inner_modules, inner_modules, keep_source, kept_source
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import Answers, unchanged_ops
from lastuse.dialect.ir.table_reads import extract_tables, read_tables
from lastuse.dialect.ir.unranked_layout import lay_out_unranked, restore_unranked
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.decisions import Decisions
from lastuse.passes.bufferization.call_results import CallResults
from lastuse.passes.bufferization.copy_count import CopyCount, copied_in
from lastuse.passes.bufferization.dead_ops import erase_dead
from lastuse.passes.bufferization.early_tensors import begin_early
from lastuse.passes.bufferization.filled_parts import fill_parts
from lastuse.passes.bufferization.function_form import FunctionBufferization
from lastuse.passes.bufferization.least_copies import least_copied_form
from lastuse.passes.bufferization.memref_calls import declared_signature
from lastuse.passes.bufferization.resource_contents import write_contents
from lastuse.passes.bufferization.returned_choices import without_choices
from lastuse.passes.bufferization.same_values import merge_same
from lastuse.passes.bufferization.sequential_regions import run_in_order
from lastuse.passes.bufferization.signatures import Boundary, ModuleConstants
from lastuse.passes.bufferization.simpler_ops import simplify_ops
from lastuse.passes.bufferization.slices_at_starts import load_starts
from lastuse.passes.bufferization.structured_blocks import structure_blocks
from lastuse.passes.bufferization.trial_changes import TrialChanges, replace_function
from lastuse.passes.bufferization.unknown_sizes import UnknownMemoryError
from lastuse.passes.bufferization.views_of_calls import view_in_callers
from lastuse.passes.bufferization.whole_slices import drop_whole_slices
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.call_interfaces import CallInterfaces
from lastuse.passes.lowering.copy_analysis import Expected
from lastuse.passes.lowering.copy_remarks import explained, say_copies
from lastuse.passes.memory.allocation_problem import AllocationProblem, BufferOwner, allocation_problem
from lastuse.passes.memory.per_unit import problem_per_unit
from lastuse.passes.memory_plan import put_plan
from lastuse.passes.memref_checker import check
from lastuse.passes.planning.planner import Buffer
from lastuse.passes.verify_storage import VerifyStoragePass

OPTIONS = {
    "arena": ("alloc", "argument", "none"),
    "results": ("return", "out"),
    "layouts": ("strided", "identity"),
    "arguments": ("declared", "writable"),
    "unproved": ("warning", "remark", "error"),
    "source": ("drop", "keep"),
}


@dataclass(frozen=True)
class BufferizePass(ModulePass):
    """Turn functions on tensors into functions on memrefs.

    Requires: ops with a memref form: `linalg`, `tensor`, `arith`, `math`, `scf`, `cf`, `func`, dynamic slices of `dnn`;
        any op on scalars. A function without decisions is decided first, as `--inplace-pass=forward=true` and
        `--memory-plan-pass` decide. Decisions that `--verify-storage-pass` refuses are an error; one that does not hold
        for the ops that the pass puts in the place of others is dropped, and so are all of the module with which memory
        has no size that is known where it is taken. No function is recursive. An `scf.execute_region` with several
        blocks stands in a block of a function.
    Guarantees: the same results, bit for bit but for which of two NaNs is kept; a checker compares each form with its
        function. A result in place reads and writes one memref; a view is a view of its operand's memref. Every copy is
        a `memref.copy` and has a remark with its reason. Results of calls are in memory of arguments where
        `--call-interface-pass` finds that, unless they are `out`. Loops, branches, blocks and `arith.select` carry the
        memrefs of forwarded values. Constants are `memref.global`. No memory of the caller is written unless it may be.
        An `scf.execute_region` is the ops in it; an `scf.forall` or `scf.parallel` a nest of `scf.for`, whose threads
        run one after the other. The checker compares with these, and with what `tensor.pad`, `generate`, `reshape` and
        `scf.index_switch` become. `dnn.dynamic_slice` and `dnn.dynamic_update_slice` are slices of `tensor` at clamped
        offsets; the checker compares with what they were. Before it decides, the pass leaves out what is not used or
        gives no more than a place, and slices of all of a tensor, fills of a filled tensor only the parts that are
        read, and, where fewer bytes are copied then, lets ops compute the slices that are used of their results, makes
        one slice of two of which one is chosen or computed over, makes insertions of what loops and branches compute in
        these, lets loops carry a spare tensor that they compute into, and offsets for slices, copies a tensor before
        its parts are taken, and replaces calls by the ops of what they call. A
        result that no op gives contents may be memory of another result. A returned result is computed over no part
        of other memory where the form copies less so. Tensors without contents of unknown sizes begin early.
    Leaves alone: functions without tensors, but for the arena that a function takes which they call.
    Example: `linalg.add` whose result lies over its operand `%y` reads and writes one memref.

    Options:
        arena: `alloc` (default): one allocation a function, and views of it at planned offsets; `argument`: the caller
            passes that memory as the last argument; `none`: an allocation for each storage, freed after its last use.
        results: `return` (default): memrefs are returned, which the caller frees unless they are memory of an
            argument, on the path taken; `out`: the caller passes memory for each result, behind the inputs.
        layouts: of arguments: `strided` (default): any strides and offset, but row-major where the function views
            several axes as one; `identity`: row-major.
        arguments: `declared` (default): an argument is written only if it has `dnn.donated`; `writable`: unless it has
            `bufferization.writable = false`.
        unproved: what becomes of a form that the checker does not prove to compute what its function does: `warning`
            (default), `remark` or `error`. A form that uses memory wrongly is always an error.
        source: `keep`: the functions on tensors stand beside the form, in `builtin.module @lastuse.source`, so that
            `--verify-lowering-pass` can prove the form again, after other passes or from text; `drop` (default).
    """

    name: ClassVar[str] = "bufferize-pass"

    arena: str = "alloc"
    results: str = "return"
    layouts: str = "strided"
    arguments: str = "declared"
    unproved: str = "warning"
    source: str = "drop"

    def __post_init__(self) -> None:
        for option, allowed in OPTIONS.items():
            value = getattr(self, option)
            if value not in allowed:
                raise LastuseError(f"{option} is {', '.join(allowed)}, not '{value}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.source == "keep" and (source := kept_source(op)) is not None:
            raise LastuseError("the functions have a kept source already", source)
        for module in inner_modules(op):
            self.apply(ctx, module)
        with empty_inner_modules(op), paused_collection():
            self._apply_alone(ctx, op)

    def _apply_alone(self, ctx: Context, op: ModuleOp) -> None:
        """Bufferizes the functions of a module; others in it are empty."""
        listing = OpListing(op)
        given = any(map(attrs.is_placed, listing.with_attributes)) and _is_decided(op)
        if given:
            is_laid_out = lay_out_unranked(listing)
            VerifyStoragePass().apply(Context(), op)
            if is_laid_out:
                restore_unranked(op)
                listing.changed()
        write_contents(listing)
        simplify_ops(listing)
        run_in_order(listing)
        self._bufferize(ctx, op, listing, given and _is_decided(op))

    def _bufferize(self, ctx: Context, op: ModuleOp, listing: OpListing, given: bool) -> None:
        if not given:
            structure_blocks(listing)
            view_in_callers(listing)
            drop_whole_slices(listing)
            fill_parts(listing)
            merge_same(listing)
            erase_dead(listing)
            begin_early(listing)
            read_tables(listing)
        with listing.unchanged():
            order = topological_order(functions_of(op))
        started = zip(order, load_starts(listing, order, given), strict=True)
        sources = {func.sym_name.data: source for func, source in started if source is not func}
        decided = not given and self._rewrite(ctx, listing, may_inline=not sources)
        functions = functions_of(op)
        symbols = symbols_of(op).values() if self.source == "keep" else ()
        others = [clone_located(symbol) for symbol in symbols if not isinstance(symbol, FuncOp | ModuleOp)]
        try:
            before, declared = self._proved_form(ctx, listing, functions, sources, given, decided)
        except UnknownMemoryError as unknown:
            if not given or sources:
                raise
            said = f"the decisions of the module are dropped: with them {unknown.message}"
            remark(ctx, RemarkKind.REPAIR, next(iter(functions.values())), said)
            for func in functions.values():
                attrs.forget_all(func)
            listing.changed()
            self._bufferize(ctx, op, listing, given=False)
            return
        if self.source == "keep" and (before or declared):
            for func in before:
                attrs.forget_all(func)
                extract_tables(func)
            for func in (*before, *declared):
                restore_unranked(func)
            keep_source(op, [*others, *(sources.get(name, func) for name, func in functions.items()), *declared])

    def _proved_form(
        self,
        ctx: Context,
        listing: OpListing,
        functions: dict[str, FuncOp],
        sources: Mapping[str, FuncOp],
        given: bool,
        decided: bool,
    ) -> tuple[list[FuncOp], list[FuncOp]]:
        """Decides and replaces the functions of a module, and proves their forms. Decisions that are given may be wrong
        for the ops that stand in the place of others: those are dropped. Returns the functions as they were, each
        before those that call it, by `sources` where ops of them were replaced; and those without a body."""
        op = listing.module
        with listing.unchanged():
            order = topological_order(functions)
            stated = given or decided or _is_stated(order, listing.with_attributes)
            carried = {} if given or decided else self.decide(ctx, op, order, None if stated else Decisions())
            if stated:
                VerifyStoragePass(repair=True).apply(ctx, op)
            declared = self._form(ctx, op, functions, order, {} if stated else carried)
            for name, source in sources.items():
                source.arg_attrs = functions[name].arg_attrs
            before = [sources.get(func.sym_name.data, func) for func in reversed(order)]
            with unchanged_ops(Answers()):  # the checkers ask the ops themselves
                self._prove(ctx, before, declared, op, [] if stated else order)
        return before, declared

    def _form(
        self,
        ctx: Context,
        op: ModuleOp,
        functions: dict[str, FuncOp],
        order: list[FuncOp],
        carried: Mapping[FuncOp, Decisions],
    ) -> list[FuncOp]:
        """Replaces the functions of a module, in `order`, by their memref forms. Returns the functions without a body,
        as they were. What was remembered of ops ends with it.

        Args:
            carried: the decisions that functions carry, where they are known.
        """
        boundary = self._boundary()
        declared = [f for f in op.ops if isinstance(f, FuncOp) and not f.body.blocks]
        signatures = {func.sym_name.data: declared_signature(func, boundary) for func in declared}
        constants = ModuleConstants(symbols_of(op))
        forms: list[tuple[FuncOp, FuncOp]] = []
        called = {callee_of(call) for func in order for call in calls_in(func)}
        made: dict[FuncOp, FunctionBufferization] = {}
        for func in reversed(order):
            name = func.sym_name.data
            made[func] = FunctionBufferization(
                func, boundary, name in called, signatures, constants, functions, carried=carried.get(func)
            )
            signatures[name] = made[func].signature()
        for func, bufferization in made.items():
            context = boundary, func.sym_name.data in called, signatures
            bufferization, form = least_copied_form(bufferization, context, constants, functions)
            forms.append((func, form))
            if wants_remarks(ctx):
                copies = [Expected(copy, copy.nbytes or None) for copy in bufferization.copies]
                say_copies(ctx, bufferization.func, copies, explained(bufferization.func))
        for func, new in forms:
            replace_function(func, new)
        for func in declared:
            signature = signatures[func.sym_name.data]
            new = FuncOp(
                func.sym_name.data,
                (list(signature.inputs), list(signature.outputs)),
                func.body.clone(),
                func.sym_visibility,
                arg_attrs=func.arg_attrs,
                res_attrs=func.res_attrs,
            )
            new.attributes.update(func.attributes)
            replace_function(func, new)
        first = op.body.block.first_op
        for constant in constants.made.values():
            if first is not None:
                op.body.block.insert_op_before(constant, first)
        return declared

    def _rewrite(self, ctx: Context, listing: OpListing, may_inline: bool) -> bool:
        """Changes functions of a module so that they copy less. Returns whether they carry decisions after it."""

        def decide(changed: ModuleOp) -> None:
            self.decide(Context(), changed, topological_order(functions_of(changed)))

        trials = TrialChanges(decide, self._copied, self.arguments == "writable")
        return trials.rewrite(listing, may_inline, wants_remarks(ctx))

    def _copied(self, module: ModuleOp) -> dict[str, CopyCount]:
        """What the memref forms of a module's functions copy; none where a form is missing. The module is used up."""
        functions = functions_of(module)
        order = topological_order(functions)
        try:
            with unchanged_ops():
                self._form(Context(), module, functions, order, self.decide(Context(), module, order))
        except LastuseError:
            return {}
        return {name: copied_in(func) for name, func in functions_of(module).items()}

    def _boundary(self) -> Boundary:
        return Boundary(self.arena, self.results, self.layouts == "strided")

    def _prove(
        self,
        ctx: Context,
        sources: list[FuncOp],
        declared: list[FuncOp],
        module: ModuleOp,
        decided: Sequence[FuncOp],
    ) -> None:
        """Proves the forms in a module. Where one is not proved, the decisions that the pass made for the functions
        `decided` have to be right.

        Raises:
            LastuseError: a form or a decision is wrong.
        """
        unproved = check(sources, module, declared)
        if unproved:
            _check_decisions(decided, declared)
        for func, at, reason in unproved:
            said = f"the memref form of @{func.sym_name.data} is not proved: {reason}"
            if self.unproved == "error":
                raise LastuseError(said, at)
            remark(ctx, RemarkKind.WARNING if self.unproved == "warning" else RemarkKind.REFUSAL, at, said)

    @unchanged_ops()
    def decide(
        self, ctx: Context, module: ModuleOp, order: list[FuncOp], given: Decisions | None = None
    ) -> Mapping[FuncOp, Decisions]:
        """Decides what the functions of a module, in `order`, do in place, and gives memory an offset. Returns the
        decisions that functions carry then, where they are known.

        Args:
            given: the decisions that each function carries before, where they are known.
        """
        strided = self.layouts == "strided"
        CallInterfaces(module, self.arguments == "writable", self.results == "return", False, strided).write()
        inplace = InplacePass(forward=True)
        decided = {func: inplace.decide(ctx, func, given) for func in functions_within(module)}
        carried = {func: decisions for func, decisions in decided.items() if decisions is not None}
        functions = functions_of(module)
        for func in order if self.arena != "none" else ():
            problem, unit = allocation_problem(func, carried.get(func)), None
            if problem is None and self.arena == "alloc" and (scaled := problem_per_unit(func)) is not None:
                unit, problem = scaled
            if problem is not None:
                if self.results == "return" and not problem.model.is_called:
                    problem = without_choices(func, problem)
                problem = _in_arena(func, CallResults(self._boundary(), functions, {}), problem)
                planned = put_plan(func, problem, problem.placed())
                if unit is None:
                    carried[func] = planned
            if unit is not None:
                func.attributes[attrs.UNIT] = StringAttr(unit)
                del carried[func]  # the problem is that of a copy
        return carried


def _is_decided(module: ModuleOp) -> bool:
    return any(map(attrs.has_decisions, functions_of(module).values()))


def _is_stated(functions: Sequence[FuncOp], with_attributes: Sequence[Operation]) -> bool:
    """One of the functions says something of its memory, or one of its ops does, besides which arguments are donated.

    Args:
        with_attributes: the ops of the module that have attributes.
    """
    inside = {*functions} if with_attributes else ()
    said = [op.attributes for op in with_attributes if op in inside or any(f in inside for f in ancestors(op))]
    for entries in [entries for func in functions for entries in (func.arg_attrs, func.res_attrs)]:
        said += [entry.data for entry in entries.data] if entries is not None else []
    names = {(name, value) for entry in said for name, value in entry.items() if name.startswith("dnn.")}
    return bool(names - {(attrs.DONATED, UnitAttr())})


def _check_decisions(functions: Sequence[FuncOp], declared: Sequence[FuncOp]) -> None:
    """Proves the decisions of functions that stand in no module, of which those in `declared` have no body.

    Raises:
        LastuseError: a decision is wrong.
    """
    together = ModuleOp([*functions, *declared])
    VerifyStoragePass().apply(Context(), together)
    for func in (*functions, *declared):
        func.detach()


def _in_arena(func: FuncOp, calls: CallResults, problem: AllocationProblem) -> AllocationProblem:
    """The problem without what forms have elsewhere: temporaries of calls and boundaries, which they allocate where
    they copy, and the memory that calls return."""
    made = frozenset(calls.made(func))
    kept: list[tuple[BufferOwner, Buffer]] = []
    for owner, buffer in zip(problem.owners, problem.buffers, strict=True):
        if made and isinstance(owner, tuple):
            owner = tuple(value for value in owner if value not in made)
        if owner:
            kept.append((owner, buffer))
    return replace(problem, owners=tuple(owner for owner, _ in kept), buffers=tuple(buffer for _, buffer in kept))
