"""`--post-op-fusion-pass`: elementwise ops as post-ops of the op whose result they read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.post_ops import PostOpsBase
from lastuse.dialect.ir.diagnostics import RemarkKind, ToolContext, op_name, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import display_name
from lastuse.passes.transforms.post_op_chains import PostOpChains, Unfused
from lastuse.passes.transforms.simplify import erase_dead
from lastuse.passes.transforms.spelt_out_ops import replace_spelt_out


@dataclass(frozen=True)
class PostOpFusionPass(ModulePass):
    """Fuse elementwise ops into convolutions and products.

    Requires: verified IR, before anything is decided. Before `--backward-pass` with `only-activations` alone: ops with
        post-ops have no gradient.
    Guarantees: what is written as several ops and has an op of its own is one op: an activation, as hard_swish by add,
        clip, mul and div, a normalisation of the last axes (`dnn.layer_norm`, `dnn.rms_norm`), a rotary embedding
        (`dnn.rotary_embedding`), a product or convolution of bytes whose sums are scaled, shifted and bounded
        (`dnn.scaled_matmul_integer`, `dnn.scaled_conv_integer`), a line of constants behind it, as of `dnn.batch_norm`,
        included. A reader that scales and shifts each channel by constants, as `dnn.batch_norm` does, goes into
        constant weights and the bias, which are then constants of their own. Other elementwise readers become
        `post_ops`, in their order, where oneDNN has a fast implementation with them, or a kernel of the runtime: that
        of products of batches adds operands that broadcast along any axes. What is added is a `sum`, whose result may
        lie over it, where no other op reads it later; other operands as large as the result become post-ops where they
        are read later. Results are the same but for rounding; of elements that are no finite numbers the result may be
        another one that is none. Ops that nothing reads are erased. Every refusal is a remark with a reason.
    Leaves alone: results with other readers, or that are returned; weights that other ops read; ops whose sizes are not
        known to be alike; ops that oneDNN does not compute; element types other than f32; functions with a
        plan, or with parameters that they update (`dnn.initial`).
    Example: `"dnn.conv"(%x, %w)`, `"dnn.mul"(%y, %b)` by a constant, `"dnn.add"(%r, %m)` and `"dnn.relu"(%s)` become
        `"dnn.conv"(%x, %w, %r)` with other weights and
        `post_ops = [{op = "dnn.add", sum}, {op = "dnn.relu"}]`.

    Options:
        only_activations: make one op of each activation that is written as several, and nothing else.
    """

    name: ClassVar[str] = "post-op-fusion-pass"

    only_activations: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        erase_dead(ctx, op)
        is_fast = ctx.is_fast if isinstance(ctx, ToolContext) else None
        funcs = [func for func in defined_functions(op) if not _is_left_alone(func)]
        changed = [_replace_spelt_out(ctx, func, self.only_activations) for func in funcs]
        if not self.only_activations:
            changed += [_fuse(ctx, func, is_fast) for func in funcs]
        if any(changed):
            drop_unreferenced(op)


def _is_left_alone(func: FuncOp) -> bool:
    """It has a plan, or parameters that it updates."""
    initial = any(attrs.INITIAL in attrs.argument_attributes(argument) for argument in func.args)
    return initial or attrs.is_planned(func)


def _replace_spelt_out(ctx: Context, func: FuncOp, only_activations: bool) -> bool:
    """Whether any of several ops is one now."""
    changed = False
    for op, cls, reason in replace_spelt_out(func, only_activations):
        if reason is not None:
            text = f"not computed as one {cls}: {reason.words}"
            remark(ctx, RemarkKind.REFUSAL, op, text, reason=reason)
            continue
        remark(ctx, RemarkKind.DECISION, op, f"computed as one op; the model writes {cls} as several")
        changed = True
    return changed


def _fuse(ctx: Context, func: FuncOp, is_fast: Callable[[DnnOp], bool] | None) -> bool:
    """Whether anything in the function is another op now."""
    chains: PostOpChains | None = None
    changed = False
    for op in list(func.walk()):
        if not isinstance(op, PostOpsBase) or op.parent is None:
            continue
        chains = chains or PostOpChains(func, is_fast)
        fused = chains.fuse(op)
        for reader in fused.readers:
            remark(ctx, RemarkKind.DECISION, fused.op, f"{reader} is fused into {op_name(fused.op)}")
        if fused.refusal is not None:
            _say(ctx, fused.refusal)
        changed = changed or bool(fused.readers)
    return changed


def _say(ctx: Context, refusal: Unfused) -> None:
    text = f"not fused into {display_name(refusal.value)}: {refusal.reason.words}"
    remark(ctx, RemarkKind.REFUSAL, refusal.reader, text, reason=refusal.reason)
