"""Changes of functions on tensors that are kept where their memref forms copy less."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import clone_located, inherit
from lastuse.dialect.ir.flow_graphs import OpListing, callee_of, calls_in, functions_of, ops_within
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.passes.bufferization.carried_slices import carry_offsets, has_carried_slices
from lastuse.passes.bufferization.chosen_slices import choose_offsets, has_choices
from lastuse.passes.bufferization.copy_count import CopyCount
from lastuse.passes.bufferization.early_copies import copy_early, copy_part, has_updates, parts_of, updates_of
from lastuse.passes.bufferization.inlined_calls import functions_to_inline, inline_where_less
from lastuse.passes.bufferization.insertions_in_regions import has_insertions, move_insertions
from lastuse.passes.bufferization.least_copies import MOST_OPS
from lastuse.passes.bufferization.sliced_kernels import has_sliced_kernels, slice_kernels
from lastuse.passes.bufferization.spare_tensors import has_blocks, has_spares, swap_in_blocks, swap_spares

CHANGES = (
    has_insertions,
    has_updates,
    has_choices,
    has_carried_slices,
    has_spares,
    has_blocks,
    has_sliced_kernels,
)
"""Whether a function has what may be changed so that it copies less."""
ROUNDS = 3
"""Tensors of one function that are copied early."""


class TrialChanges:
    """
    Tries changes on copies of a module.

    Args:
        decide: decides what the functions of a module do in place, and where their memory is.
        copied: what the memref forms of a module's functions copy; none where a form is missing. The module is used up.
    """

    def __init__(
        self, decide: Callable[[ModuleOp], None], copied: Callable[[ModuleOp], Mapping[str, CopyCount]]
    ) -> None:
        self._decide, self._copied = decide, copied

    def rewrite(self, listing: OpListing, may_inline: bool, with_remarks: bool) -> bool:
        """Makes insertions where their sources are computed, and copies of tensors before their parts are taken, in the
        functions of a module that copy less then, and inlines calls. Returns whether the functions carry decisions
        after it, which are without remarks."""
        module = listing.module
        if len(listing.ops) <= MOST_OPS:
            listing.changed()
            names = functions_to_inline(module) if may_inline else []
            decided = self._improve(module, keep=not names and not with_remarks)
            if names:
                inline_where_less(module, names, self._improve, self._copied, clone_with_arrays)
            return decided
        functions = functions_of(module)
        with listing.unchanged():
            called = {callee_of(call) for func in functions.values() for call in calls_in(func)}
            apart = [func for name, func in functions.items() if name not in called and not calls_in(func)]
            small = [func for func in apart if len(ops_within(func)) <= MOST_OPS]
        for func in small:
            if any(has(func) for has in CHANGES):
                listing.changed()
                self._improve_alone(module, func)
        return False

    def _improve_alone(self, module: ModuleOp, func: FuncOp) -> None:
        """Changes a function that calls none and is not called as in a module of its own."""
        block, after = module.body.block, func.next_op
        func.detach()
        alone = ModuleOp([func])
        resources.share(alone, module)
        self._improve(alone)
        func.detach()
        if after is not None:
            block.insert_op_before(func, after)
        else:
            block.add_op(func)

    def _improve(self, module: ModuleOp, keep: bool = False) -> bool:
        """What `rewrite` does, with all functions of a module at once; with `keep` they may carry decisions after it.
        Returns whether they do."""
        functions = functions_of(module)
        for has, change in (
            (has_choices, choose_offsets),
            (has_carried_slices, carry_offsets),
            (has_sliced_kernels, slice_kernels),
            (has_insertions, move_insertions),
        ):
            changed = [name for name, func in functions.items() if has(func)]
            if changed:
                self._choose(module, dict.fromkeys(changed, change), self._copied(clone_with_arrays(module)))
        for copied in (False, True):
            for has, swap in ((has_spares, swap_spares), (has_blocks, swap_in_blocks)):
                named = [name for name, func in functions.items() if has(func)]
                if named:
                    changes = dict.fromkeys(named, partial(swap, copied=copied))
                    self._choose(module, changes, self._copied(clone_with_arrays(module)))
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

    def _copy_early(self, module: ModuleOp, decided: ModuleOp) -> bool:
        """Copies tensors before their parts are taken, one in each function that copies less then; whether there are
        such functions. `decided` is the module with decisions."""
        changed, before = False, dict[str, CopyCount]()
        for name, func in functions_of(decided).items():
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
