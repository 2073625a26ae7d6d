"""Transposes of channels go to where an axis of tokens is several spatial axes: convolutions read and make their
channels last there, and need no transpose."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.tensor_types import static_shape, symbol, typed
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.layouts import channels_to_end, channels_to_second
from lastuse.passes.transforms.constant_folding import erase_with_operands
from lastuse.passes.transforms.transpose_folding import reshapes


def transpose_beside_convolutions(ctx: Context, func: FuncOp) -> None:
    """Exchanges a transpose of [N, tokens, C] with the view that splits its tokens into spatial axes, and one of
    [N, C, tokens] with the view that merged them, where an op on the other side has a form with its channels last. The
    same elements are moved; transformers with convolutions between products are written so."""
    for op in list(func.walk()):
        if not isinstance(op, DnnOp) or op.parent is None or len(op.operands) != 1 or attrs.is_decided(op):
            continue
        before = op.operands[0].owner
        if not isinstance(before, DnnOp) or attrs.is_decided(before) or not op.operands[0].has_one_use():
            continue
        if reshapes(op) and _swaps_tokens(before):
            sizes = _spatial_sizes(before.results[0], op.results[0])
            if sizes is not None and any(_has_channels_last(use.operation) for use in op.results[0].uses):
                orders = channels_to_second(len(sizes))
                _replace(ctx, op, before.operands[0], ((0, *sizes[2:], sizes[1]), orders), is_split=True)
        elif _swaps_tokens(op) and reshapes(before):
            sizes = _spatial_sizes(before.results[0], before.operands[0])
            if sizes is not None and _has_channels_last(before.operands[0].owner):
                tokens, channels = static_shape(op.results[0].type)[1:]
                assert tokens is not None and channels is not None
                orders = channels_to_end(len(sizes))
                _replace(ctx, op, before.operands[0], ((0, tokens, channels), orders), is_split=False)


def _swaps_tokens(op: DnnOp) -> bool:
    """It is a transpose of the last two of three axes."""
    perm = op.permutation()
    return perm is not None and list(perm) == [0, 2, 1]


def _spatial_sizes(tokens: SSAValue, split: SSAValue) -> tuple[int, ...] | None:
    """The sizes of [N, C, spatial…], 0 for N, where another value has its elements as [N, C, tokens]; else None."""
    merged, sizes = static_shape(tokens.type), static_shape(split.type)
    known = [size for size in sizes[1:] if size]
    if len(sizes) < 4 or len(known) < len(sizes) - 1 or merged[0] != sizes[0] or merged[1] != sizes[1] or not merged[2]:
        return None
    return (0, *known)


def _has_channels_last(op: object) -> bool:
    """It computes windows or planes of spatial axes, in any order of the axes."""
    rank = len(static_shape(op.results[0].type)) if isinstance(op, DnnOp) and len(op.results) == 1 else 0
    if not isinstance(op, DnnOp) or rank < 4:
        return False
    form = op.transposed_form(channels_to_end(rank))
    return form is not None and "channels_last" in form.attributes


def _replace(
    ctx: Context, op: DnnOp, source: SSAValue, steps: tuple[Sequence[int], Sequence[int]], is_split: bool
) -> None:
    """Computes what `op` does of `source` by a view of this shape and a transpose of this order, the view first where
    it splits the tokens."""
    shape, perm = map(list, steps)
    info = typed(source.type, [symbol(f"?{axis}") for axis in range(len(static_shape(source.type)))])
    builder = GradientBuilder(Builder(InsertPoint.before(op)), op, {source: info})
    if is_split:
        made = builder.emit("transpose", builder.emit("reshape", source, shape=shape), perm=perm)
    else:
        made = builder.emit("reshape", builder.emit("transpose", source, perm=perm), shape=shape)
    assert made.type == op.results[0].type and isinstance(made.owner, DnnOp)
    attrs.hand_name_on(op.results[0], made, "tokens")
    op.results[0].replace_all_uses_with(made)
    place = "behind the view that splits" if is_split else "in front of the view that merges"
    remark(ctx, RemarkKind.DECISION, made.owner, f"channels are transposed {place} spatial axes")
    erase_with_operands(op)
