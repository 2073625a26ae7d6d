"""`--refine-pass`: what small tensors hold decides shapes, attributes and branches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.passes.transforms.refinement import refine
from lastuse.passes.transforms.transpose_folding import fold_transposes


@dataclass(frozen=True)
class RefinePass(ModulePass):
    """Use what small tensors hold: sizes, axes, branches.

    Requires: verified IR, before anything is decided.
    Guarantees: results are the same, but for the rounding of a convolution with other `pads` and finite weights. An op
        `dnn.dynamic` whose operands hold known numbers is the op with attributes; a branch whose condition is known is
        the region that runs, and nothing is inferred in the other one; an op of constants, or whose small results are
        known, is a constant for each result, as is what an op makes of sizes alone where its readers take it as a
        parameter, as weights: nothing is computed over it, nor is it a part of a result; a scatter to constant places
        that are a box is a `dnn.slice_scatter`, a gather of a whole axis in order a `dnn.reshape`; readers of a view
        that is all of its operand, in the same order and shape, read the operand; zeros that a `dnn.pad` adds for
        convolutions alone are their own `pads`; transposes go into products as `--layout-pass` says; ops that nothing
        reads are gone.
        The module has no `dnn.unrefined` any more, unless elements depend on sizes that are not known: once these are
        bound, the pass has more to do.
        In a function without unknown sizes, a result whose size is still not known is an error that names the data it
        depends on, unless a number that the function counts decides it (`dnn.leading_rows`).
    Leaves alone: ops that carry a decision; constants' arrays.
    Example: `"dnn.dynamic"(%x, %shape) {op = "reshape", names = ["shape"]}` with a constant %shape becomes
        `"dnn.reshape"(%x) {shape = array<i64: 4, -1>}`.

    Options:
        views: a dense part of a constant, as consecutive rows that a gather takes, is a view and no constant of its
            own: so it is for all sizes of a model, of which each has another part.
    """

    name: ClassVar[str] = "refine-pass"

    views: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refine(ctx, op, self.views)
        for func in defined_functions(op):
            fold_transposes(ctx, func)
        drop_unreferenced(op)
