"""`--layout-pass`: which values have their channels last in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, op_name, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.dialect.ir.tensor_types import item_bytes, static_shape, symbol, typed
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.layouts import (
    LAYOUTS,
    ChannelLayouts,
    channel_layouts,
    channels_to_end,
    channels_to_second,
    has_rank,
    moves_elements,
    rank_of,
)
from lastuse.passes.transforms.constant_folding import erase_unread, fold_constants
from lastuse.passes.transforms.token_axes import transpose_beside_convolutions
from lastuse.passes.transforms.transpose_folding import fold_transposes, permuted_type
from lastuse.passes.transforms.unit_axis_sinking import sink_unit_axes


@dataclass(frozen=True)
class LayoutPass(ModulePass):
    """Decide which values have their channels last.

    Requires: verified IR, before anything is decided, and before `--backward-pass`: gradients then have their channels
        last too. Sizes may be unknown; each counts as 1,024.
    Guarantees: results are the same but for rounding; arguments and results of functions are as they were. The ops
        that have their channels last are those for which the fewest bytes are moved, by transposes and by convolutions
        that oneDNN computes slower with their channels second: a minimum cut. Where as many bytes are moved, a
        convolution of few outputs has its channels second. A value is transposed once for all its
        readers. Transposes of constants are computed now, pairs of them cancel, and one that moves no element is a
        reshape. Each that is left is a remark. A transpose goes where all of its readers can read what it reads, or
        the op before it can make its result so: products of batches of matrices, as those of attention. A view that
        drops axes of one element of a convolution or product is behind the ops that read it, where these compute the
        same with such axes and their other operands are constants, so that they can become post-ops; one that adds such
        axes is behind the transpose that alone reads it. A transpose of tokens and channels is where the tokens are
        spatial axes, if a convolution reads or makes these.
    Leaves alone: ops that have no form with channels last; ops that carry a decision; functions with a region of more
        than one block.
    Example: `"dnn.conv"(%x, %w)` becomes `"dnn.conv"(%0, %w) {channels_last = true}` of
        `"dnn.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>}`.

    Options:
        layout: `auto`, or `first` to leave channels and views where they are; transposes go into products with both.
    """

    name: ClassVar[str] = "layout-pass"

    layout: str = "auto"

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise LastuseError(f"no layout '{self.layout}'; there are {', '.join(LAYOUTS)}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            if self.layout == "auto":
                sink_unit_axes(ctx, func)
                transpose_beside_convolutions(ctx, func)
                layouts = channel_layouts(func)
                for turned in layouts.forms:
                    remark(ctx, RemarkKind.DECISION, turned, "computed with its channels last in memory")
                apply_layouts(ctx, func, layouts)
            fold_transposes(ctx, func)
        drop_unreferenced(op)


def apply_layouts(ctx: Context, func: FuncOp, layouts: ChannelLayouts) -> None:
    """Rewrites a function so that its ops have these layouts; a remark names each transpose that is left."""
    if layouts.forms:
        _LayoutChange(ctx, layouts).apply(list(func.walk()))


class _LayoutChange:
    """Rewrites a function so that its ops have these layouts."""

    def __init__(self, ctx: Context, layouts: ChannelLayouts) -> None:
        self._ctx, self._layouts = ctx, layouts
        self._last: dict[tuple[SSAValue, int], SSAValue] = {}
        """Values with their channels last, by the value as it is stated and the axes that it is broadcast to."""
        self._stated: dict[SSAValue, SSAValue] = {}
        self._unread: dict[Operation, None] = {}

    def apply(self, ops: Sequence[Operation]) -> None:
        for op in ops:
            if isinstance(op, DnnOp) and op in self._layouts.forms:
                self._turn(op)
            elif isinstance(op, DnnOp) and (perm := op.permutation()) is not None:
                self._compose(op, perm)
            else:
                for index, operand in enumerate(op.operands):
                    if self._layouts.turns(operand):
                        op.operands[index] = self._as_stated(operand, op)
        number = {op: n for n, op in enumerate(ops)}
        replaced = {**dict.fromkeys(self._layouts.forms), **self._unread}
        for op in sorted(replaced, key=lambda op: -number.get(op, len(ops))):
            erase_unread(op)

    def _turn(self, op: DnnOp) -> None:
        """The op with its channels last, behind the op."""
        form, rank = self._layouts.forms[op], rank_of(op)
        operands = [
            self._with_channels_last(value, rank, op)
            if k in form.operands
            else self._as_stated(value, op)
            if self._layouts.turns(value)
            else value
            for k, value in enumerate(op.operands)
        ]
        turned = [self._layouts.turns(result) for result in op.results]
        types = [
            permuted_type(result.type, channels_to_end(rank)) if last else result.type
            for result, last in zip(op.results, turned, strict=True)
        ]
        new = op.replacement(type(op), operands, form.attributes, types)
        Builder(InsertPoint.before(op)).insert(new)
        for old, result, last in zip(op.results, new.results, turned, strict=True):
            if last:
                self._last[old, rank] = result
            else:
                old.replace_all_uses_with(result)

    def _compose(self, op: DnnOp, perm: Sequence[int]) -> None:
        """A transpose of a value with channels last is one of that value, or the value itself."""
        operand, rank = op.operands[0], len(perm)
        if not self._layouts.turns(operand):
            if list(perm) == channels_to_end(rank):
                cached = self._last.setdefault((operand, rank), op.results[0])
                if cached is not op.results[0] and not _is_returned(op.results[0]):
                    op.results[0].replace_all_uses_with(cached)
                    self._unread[op] = None
            return
        last, order = self._last[operand, rank], channels_to_end(rank)
        left = [order.index(axis) for axis in perm]
        if left == sorted(left) and not (_is_returned(op.results[0]) and not self._take_name(last, op)):
            op.results[0].replace_all_uses_with(last)
            self._unread[op] = None
            return
        emit = GradientBuilder(Builder(InsertPoint.before(op)), op)
        new = emit.emit("transpose", last, perm=left)
        _take_names(new.owner, op)
        new.name_hint = op.results[0].name_hint
        op.results[0].replace_all_uses_with(new)
        self._unread[op] = None

    def _take_name(self, last: SSAValue, transpose: DnnOp) -> bool:
        """Gives a value the name of its transpose, which is a result of the function; unless the value is read as it is
        stated, and so needs its own."""
        if not isinstance(last, OpResult) or len(last.op.results) > 1:
            return False
        if any(value is last and stated in self._stated for (stated, _), value in self._last.items()):
            return False
        _take_names(last.op, transpose)
        last.name_hint = transpose.results[0].name_hint
        return True

    def _with_channels_last(self, value: SSAValue, rank: int, reader: DnnOp) -> SSAValue:
        if (value, rank) not in self._last:
            stated = self._as_stated(value, reader) if self._layouts.turns(value) else value
            if all(size == 1 for size in static_shape(stated.type)) and not has_rank(stated, rank):
                return stated
            why = f"{op_name(reader)} reads it with its channels last"
            self._last[value, rank] = self._transposed(stated, rank, channels_to_end(rank), reader, why)
        return self._last[value, rank]

    def _as_stated(self, value: SSAValue, reader: Operation) -> SSAValue:
        """The value that an op makes with its channels last, as it was."""
        if value not in self._stated:
            assert isinstance(value, OpResult)
            rank = len(static_shape(value.type))
            last = self._last[value, rank]
            why = f"{op_name(reader)} reads it with its channels second"
            back = self._transposed(last, rank, channels_to_second(rank), reader, why)
            last.name_hint = value.name_hint
            attrs.hand_name_on(last, back, "channels_last")
            self._stated[value] = back
        return self._stated[value]

    def _transposed(self, value: SSAValue, rank: int, perm: Sequence[int], reader: Operation, why: str) -> SSAValue:
        """The value, broadcast to so many axes, with its axes in this order: the same bytes under other sizes where
        that moves no element, a new constant of a constant."""
        owner = value.owner
        first = owner.permutation() if isinstance(owner, DnnOp) and has_rank(value, rank) else None
        if first is not None and [first[axis] for axis in perm] == list(range(rank)):
            self._unread[owner] = None  # pyright: ignore[reportArgumentType]
            return owner.operands[0]  # pyright: ignore
        origin = owner if isinstance(owner, DnnOp) else reader
        sizes = static_shape(value.type)
        info = typed(value.type, [symbol(f"?{axis}") for axis in range(len(sizes))])
        emit = GradientBuilder(Builder(_place(value, reader)), origin, {value: info})
        wide = [*(1 for _ in range(rank - len(sizes))), *sizes]
        moves, target = moves_elements(wide, perm), [wide[axis] for axis in perm]
        if not moves and target.count(None) < 2 and 0 not in target:
            result = emit.emit("reshape", value, shape=[-1 if size is None else size for size in target])
        else:
            if len(sizes) < rank:
                value = emit.emit("unsqueeze", value, axes=list(range(rank - len(sizes))))
            result = emit.emit("transpose", value, perm=list(perm))
        folded = self._folded(result)
        if folded is None and moves:
            self._remark_transpose(value, result, why)
        return result if folded is None else folded

    def _folded(self, value: SSAValue) -> SSAValue | None:
        """The constant that a new op of constants makes."""
        op = value.owner
        assert isinstance(op, DnnOp)
        sources = [operand.owner for operand in op.operands]
        constant = fold_constants(op)
        if constant is None:
            return None
        while sources:
            source = sources.pop()
            if isinstance(source, Operation):
                self._unread[source] = None
                sources += [operand.owner for operand in source.operands]
        return constant.y

    def _remark_transpose(self, value: SSAValue, result: SSAValue, why: str) -> None:
        known = None not in static_shape(value.type)
        nbytes = element_count(value) * item_bytes(typed(value.type).dtype) if known else None
        shown = "bytes that are not known yet" if nbytes is None else f"{nbytes:,} bytes"
        text = f"{attrs.display_name(value)} is transposed, {shown}: {why}"
        assert isinstance(result, OpResult)
        remark(self._ctx, RemarkKind.REORDER, result.op, text, nbytes=nbytes)


def _place(value: SSAValue, reader: Operation) -> InsertPoint:
    """Before the first op of the value's block that is the reader, or that the reader is in."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    op: Operation | None = reader
    while op is not None and op.parent is not block:
        op = op.parent_op()
    assert op is not None
    return InsertPoint.before(op)


def _is_returned(value: SSAValue) -> bool:
    return any(use.operation.has_trait(IsTerminator) for use in value.uses)


def _take_names(op: object, other: Operation) -> None:
    """Gives an op the names in the source model that another one has."""
    assert isinstance(op, Operation)
    if attrs.NAMES in other.attributes:
        op.attributes[attrs.NAMES] = other.attributes[attrs.NAMES]
