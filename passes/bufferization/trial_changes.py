"""Changes of functions on tensors that are kept where their memref forms copy less."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial

from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.scf import ForOp, IfOp, WhileOp
from xdsl.dialects.tensor import ExtractSliceOp
from xdsl.ir import Operation

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import clone_located, inherit
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_of, listed_ops, ops_within
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.bufferization.carried_slices import carry_offsets, has_carried_slices
from lastuse.passes.bufferization.chosen_slices import choose_offsets, has_choices
from lastuse.passes.bufferization.copy_count import CopyCount
from lastuse.passes.bufferization.early_copies import copy_early, copy_part, has_updates, parts_of, updates_of
from lastuse.passes.bufferization.function_segments import declared, outlined, segments_of
from lastuse.passes.bufferization.inlined_calls import functions_to_inline, inline_where_less, mentioned_in
from lastuse.passes.bufferization.insertions_in_regions import has_insertions, move_insertions
from lastuse.passes.bufferization.least_copies import MOST_OPS
from lastuse.passes.bufferization.sliced_kernels import has_sliced_kernels, slice_kernels, takes_of_sliced
from lastuse.passes.bufferization.spare_tensors import has_blocks, has_spares, swap_in_blocks, swap_spares

PARTS_CHANGED = (has_insertions, has_choices, has_carried_slices, has_spares, has_sliced_kernels)
"""Whether a part of a long function has what may be changed so that it copies less."""
CHANGES = (*PARTS_CHANGED, has_updates, has_blocks)
"""Whether a function has."""
ROUNDS = 3
"""Tensors of one function that are copied early."""


class TrialChanges:
    """
    Tries changes on copies of a module.

    Args:
        decide: decides what the functions of a module do in place, and where their memory is.
        copied: what the memref forms of a module's functions copy; none where a form is missing. The module is used up.
        writable: functions may write their arguments, unless these say otherwise.
    """

    def __init__(
        self,
        decide: Callable[[ModuleOp], None],
        copied: Callable[[ModuleOp], Mapping[str, CopyCount]],
        writable: bool,
    ) -> None:
        self._decide, self._copied, self._writable = decide, copied, writable

    def rewrite(self, listing: OpListing, may_inline: bool, with_remarks: bool) -> bool:
        """Makes insertions where their sources are computed, and copies of tensors before their parts are taken, in the
        functions of a module that copy less then, and inlines calls. Returns whether the functions carry decisions
        after it, which are without remarks."""
        module = listing.module
        with listing.unchanged():
            groups = _calling_each_other(module)
            sizes = [sum(len(ops_within(func)) for func in group) for group in groups]
        if len(groups) == 1 and len(listing.ops) <= MOST_OPS:
            listing.changed()
            return self._improve_all(module, may_inline, keep=not with_remarks)
        users = _users_of_symbols(module) if may_inline and any(len(group) > 1 for group in groups) else {}
        for group, size in zip(groups, sizes, strict=True):
            inlined = may_inline and len(group) > 1
            if size <= MOST_OPS and (inlined or any(has(func) for has in CHANGES for func in group)):
                listing.changed()
                names = (func.sym_name.data for func in group)
                kept = frozenset(name for name in names if not users.get(name, set()).issubset(group))
                self._improve_alone(module, group, inlined, kept)
        if listing.of(_has_parts):
            listing.changed()
            self._improve_segments(module, [f for g, n in zip(groups, sizes, strict=True) if n > MOST_OPS for f in g])
        return False

    def _improve_alone(self, module: ModuleOp, group: Sequence[FuncOp], may_inline: bool, kept: Set[str]) -> None:
        """Changes functions that call no others, and that no others call, as in a module of their own. Those that are
        `kept` others mention."""
        block, after = module.body.block, group[-1].next_op
        called = declared([op for func in group for op in ops_within(func)], module, but=group)
        for func in group:
            func.detach()
        alone = ModuleOp([*called, *group])
        resources.share(alone, module)
        self._improve_all(alone, may_inline, kept=kept)
        for func in functions_of(alone).values():
            func.detach()
            if after is not None:
                block.insert_op_before(func, after)
            else:
                block.add_op(func)

    def _improve_segments(self, module: ModuleOp, functions: Sequence[FuncOp]) -> None:
        """Changes long functions in segments, where all of a function copies less then."""
        originals: dict[str, FuncOp] = {}
        before: Mapping[str, CopyCount] = {}
        for func in functions:
            for divided in segments_of(func, MOST_OPS):
                if not _may_be_changed([inner for op in divided.ops for inner in listed_ops(op)]):
                    continue
                segment = outlined(divided, module, self._writable)
                if not any(has(segment.func) for has in PARTS_CHANGED) or not self._change(segment.module):
                    continue
                before = before or self._copied(clone_with_arrays(module))
                originals.setdefault(func.sym_name.data, clone_located(func))
                segment.put_back()
        after = self._copied(clone_with_arrays(module)) if before else {}
        for name, original in originals.items():
            if name not in before or name not in after or not after[name].is_less(before[name]):
                replace_function(functions_of(module)[name], original)

    def _improve_all(
        self, module: ModuleOp, may_inline: bool, keep: bool = False, kept: Set[str] = frozenset()
    ) -> bool:
        """Changes the functions of a module, and inlines calls where it copies less then; with `keep` as `_improve`."""
        names = functions_to_inline(module) if may_inline else []
        decided = self._improve(module, keep and not names)
        if names:
            inline_where_less(module, names, self._improve, self._copied, clone_with_arrays, kept)
        return decided

    def _improve(self, module: ModuleOp, keep: bool = False) -> bool:
        """What `rewrite` does, with all functions of a module at once; with `keep` they may carry decisions after it.
        Returns whether they do."""
        self._change(module)
        functions = functions_of(module)
        for _ in range(ROUNDS):
            if not any(has_updates(func) for func in functions.values()):
                return False
            decided = clone_with_arrays(module)
            with unchanged_ops():
                self._decide(decided)
            if self._copy_early(module, decided):
                continue
            for name, func in functions_of(decided).items() if keep else ():
                func.detach()
                replace_function(functions[name], func)
            return keep
        return False

    def _change(self, module: ModuleOp) -> bool:
        """Changes the functions of a module that copy less then, but for copies that are made early; whether there are
        such functions."""
        functions, is_better = functions_of(module), False
        for has, change in (
            (has_choices, choose_offsets),
            (has_carried_slices, carry_offsets),
            (has_sliced_kernels, slice_kernels),
            (has_insertions, move_insertions),
        ):
            changed = [name for name, func in functions.items() if has(func)]
            if changed:
                changes = dict.fromkeys(changed, change)
                is_better |= self._choose(module, changes, self._copied(clone_with_arrays(module)))
        for copied in (False, True):
            for has, swap in ((has_spares, swap_spares), (has_blocks, swap_in_blocks)):
                named = [name for name, func in functions.items() if has(func)]
                if named:
                    changes = dict.fromkeys(named, partial(swap, copied=copied))
                    is_better |= self._choose(module, changes, self._copied(clone_with_arrays(module)))
        return is_better

    def _copy_early(self, module: ModuleOp, decided: ModuleOp) -> bool:
        """Copies tensors before their parts are taken, one in each function that copies less then; whether there are
        such functions. `decided` is the module with decisions."""
        changed, before = False, dict[str, CopyCount]()
        for name, func in functions_of(decided).items():
            with unchanged_ops():
                changes = [partial(copy_early, update=update) for update in updates_of(func)]
                changes += [partial(copy_part, number=number) for number in parts_of(func)]
            for change in changes:
                before = before or self._copied(clone_with_arrays(module))
                if self._choose(module, {name: change}, before):
                    changed, before = True, {}
                    break
        return changed

    def _choose(
        self,
        module: ModuleOp,
        changes: Mapping[str, Callable[[FuncOp], object]],
        before: Mapping[str, CopyCount],
    ) -> bool:
        """Makes a change in each of the functions that copy less after it than `before`, neither more often nor more
        bytes."""
        changed = clone_with_arrays(module)
        for name, change in changes.items():
            change(functions_of(changed)[name])
        after = self._copied(changed)
        better = [name for name in changes if name in before and name in after and after[name].is_less(before[name])]
        for name in better:
            changes[name](functions_of(module)[name])
        return bool(better)


def _has_parts(op_class: type[Operation]) -> bool:
    """Whether ops of a class are among what `PARTS_CHANGED` looks for."""
    return issubclass(op_class, IfOp | ForOp | WhileOp | SelectOp | ExtractSliceOp)


def _may_be_changed(ops: Sequence[Operation]) -> bool:
    """Whether a part of a function that has these ops may have what `PARTS_CHANGED` looks for: slices alone are slices
    of what is computed."""
    wanted = {op_class for op_class in set(map(type, ops)) if _has_parts(op_class)}
    if all(issubclass(op_class, ExtractSliceOp) for op_class in wanted):
        return any(type(op) in wanted and takes_of_sliced(op) for op in ops)
    return True


def _users_of_symbols(module: ModuleOp) -> dict[str, set[Operation]]:
    """By symbol the ops of a module that mention it, or have ops that do."""
    users: dict[str, set[Operation]] = {}
    for op in module.body.block.ops:
        for name in mentioned_in(op):
            users.setdefault(name, set()).add(op)
    return users


def _calling_each_other(module: ModuleOp) -> list[list[FuncOp]]:
    """The functions of a module, those together that call each other."""
    functions, sets = functions_of(module), DisjointSets[str]()
    for name, func in functions.items():
        for call in calls_in(func):
            sets.union(callee_of(call), name)
    groups: dict[str, list[FuncOp]] = {}
    for name, func in functions.items():
        groups.setdefault(sets.find(name), []).append(func)
    return list(groups.values())


def clone_with_arrays(module: ModuleOp) -> ModuleOp:
    """A copy of a module, which has the same arrays."""
    copy = clone_located(module)
    resources.share(copy, module)
    return copy


def replace_function(old: FuncOp, new: FuncOp) -> None:
    """Puts a function in the place of another one."""
    inherit(new, old)
    block = old.parent
    assert block is not None
    block.insert_op_before(new, old)
    old.detach()
