"""`--gru-fusion-pass`: the product before a GRU into the GRU, two directions and layers of them into one op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, FloatAttr, ModuleOp, StringAttr, TensorType, f32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.arithmetic import AddOp
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.constants import FillOp
from lastuse.dialect.dnn.recurrent.base import DirectionWeights
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, GruOp, MultiGruOp
from lastuse.dialect.dnn.recurrent.gru_weights import zero_bias
from lastuse.dialect.dnn.views import ReshapeOp
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, inherit, remark, wants_remarks
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import display_name
from lastuse.passes.gru.paddle_rules import PASSES, PaddleRules
from lastuse.passes.gru.patterns import FusionRefusal, FusionRules
from lastuse.passes.transforms.engine import inherit_engine, keep_kernels
from lastuse.passes.transforms.shared_ops import SharedOps


@dataclass(frozen=True)
class GruFusionPass(ModulePass):
    """Fuse products, and both directions of GRUs, into one op.

    Requires: verified IR.
    Guarantees: a `dnn.gru` whose gates are a product of rows and weights, or that plus one row on either side, with no
        other reader, is a `dnn.fused_gru`; the biases are added to a new constant, h0 and `origin_mode` stay.
        Two `dnn.fused_gru` over the same rows, one of them reverse, concatenated by their columns in either order or
        added, are a `dnn.multi_gru`, and two of those in a row are one with the layers of both. A direction without
        bias or h0 gets zeros, where the other has one. Every refusal is a remark with a reason. The op that replaces an
        op with an engine (`--placement-pass`) has one. The pass run again changes nothing.
    Leaves alone: constants with other readers, and ops with decisions about storage (`decided`). Without an added row,
        GRUs with activations other than tanh and sigmoid: the cpu engine runs them, faster with the product apart; with
        one, other than those, relu and identity.
    Example: `%g = "dnn.matmul"(%x, %wx)`, `%h = "dnn.gru"(%g, %wh, %b, %offsets)` become
        `%h = "dnn.fused_gru"(%x, %wx, %wh, %b, %offsets)`.

    Options:
        strategy: `optimal` (default), or `paddle`: what Paddle's passes fuse and no more, as far as it is right.
        passes: with `paddle`, which of its passes.
    """

    name: ClassVar[str] = "gru-fusion-pass"

    strategy: str = "optimal"
    passes: tuple[str, ...] = PASSES

    def __post_init__(self) -> None:
        if self.strategy not in ("optimal", "paddle"):
            raise LastuseError(f"no strategy '{self.strategy}'; there are optimal, paddle")
        if unknown := [name for name in self.passes if name not in PASSES]:
            raise LastuseError(f"Paddle has no pass '{unknown[0]}' here; there are {', '.join(PASSES)}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rules = FusionRules() if self.strategy == "optimal" else PaddleRules(self.passes, op)
        shared = SharedOps(fold_now=True)
        kinds = (FuseProduct, JoinDirections, StackLayers)
        patterns: list[RewritePattern] = [kind(ctx, rules, shared) for kind in kinds]
        PatternRewriteWalker(GreedyRewritePatternApplier(patterns, dce_enabled=False)).rewrite_module(op)
        shared.erase_unread(op)
        if wants_remarks(ctx):
            for inner in op.walk():
                _emit_refusal(ctx, rules, inner)


def _emit_refusal(ctx: Context, rules: FusionRules, op: Operation) -> None:
    """Emits a remark for an op that could be fused and is not."""
    if isinstance(op, GruOp):
        result, subject = rules.projection(op), "the product before it is not fused with it"
    elif isinstance(op, MultiGruOp):
        result, subject = rules.inner_layers(op), "its layers and those before it stay apart"
    else:
        result, subject = rules.direction_pair(op), "the GRUs it joins stay apart"
    if isinstance(result, FusionRefusal):
        detail = f" ({result.detail})" if result.detail else ""
        text = f"{subject}: {result.reason.words}{detail}"
        remark(ctx, RemarkKind.REFUSAL, op, text, reason=result.reason)


@dataclass(frozen=True)
class _Pattern(RewritePattern):
    """A pattern that emits a remark for what it does."""

    ctx: Context
    rules: FusionRules
    shared: SharedOps

    def replace(
        self, op: Operation, fused: DnnOp, erased: Sequence[Operation], text: str, rewriter: PatternRewriter
    ) -> None:
        """Replaces `op` by `fused`, and erases ops whose results then have no reader."""
        remark(self.ctx, RemarkKind.DECISION, op, text)
        if attrs.NAMES in op.attributes:
            fused.attributes[attrs.NAMES] = op.attributes[attrs.NAMES]
        fused.results[0].name_hint = op.results[0].name_hint
        inherit(fused, op)
        self.shared.note(op, *erased)
        rewriter.replace(op, fused)
        for producer in erased:
            rewriter.erase(producer)


class FuseProduct(_Pattern):
    """gru(x @ weight_x + row, weight_h, …) is fused_gru(x, weight_x, weight_h, …)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GruOp, rewriter: PatternRewriter) -> None:
        match = self.rules.projection(op)
        if isinstance(match, FusionRefusal):
            return
        producers = [step for step in (op.gates.owner, match.product) if isinstance(step, Operation)]
        bias = op.bias if match.added is None else self._sum(op, match.added, match.product, rewriter.insertion_point)
        weights = DirectionWeights(match.weight_x, op.weight_h, bias, op.h0)
        fused = FusedGruOp.of(match.x, [[weights]], op.offsets, op.hidden.type, _declared(op))
        keep_kernels(fused, op)
        inherit_engine(fused, match.product)
        product = match.product
        text = f"fused with the {product.name.split('.')[1]} that produces {display_name(product.results[0])}"
        self.replace(op, fused, list(dict.fromkeys(producers)), text, rewriter)

    def _sum(self, op: GruOp, row: SSAValue, near: DnnOp, point: InsertPoint) -> SSAValue:
        """The GRU's bias and a row [3*OC] or [1, 3*OC], added: a new constant where both are constants."""
        assert isinstance(op.gates.type, TensorType) and isinstance(row.type, TensorType)
        type_ = TensorType(op.gates.type.element_type, [1, op.gates.type.get_shape()[1]])
        if row.type != type_:
            row = self.shared.insert(ReshapeOp.create(operands=[row], result_types=[type_]), point, near)
        if op.bias is None:
            return row
        return self.shared.insert(AddOp.create(operands=[op.bias, row], result_types=[type_]), point, near)


class JoinDirections(_Pattern):
    """concat(fused_gru(x, …), fused_gru(x, …) {is_reverse}) is multi_gru(x, …), and so is their sum."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        match = self.rules.direction_pair(op)
        if match is None or isinstance(match, FusionRefusal):
            return
        grus = (match.forward, match.reverse)
        biases = [self._bias(gru, rewriter.insertion_point) for gru in grus]
        state = match.forward.h0 or match.reverse.h0
        states = [state and (gru.h0 or self._zeros(state, gru, rewriter.insertion_point)) for gru in grus]
        own = zip(grus, biases, states, strict=True)
        layer = [DirectionWeights(gru.weight_x, gru.weight_h, bias, h0) for gru, bias, h0 in own]
        attributes = {**_declared(match.forward), "mode": StringAttr(match.mode)}
        if match.reverse_first:
            attributes["reverse_first"] = BoolAttr.from_bool(True)
        attributes.pop("is_reverse", None)
        fused = MultiGruOp.of(match.forward.x, [layer], match.forward.offsets, op.results[0].type, attributes)
        keep_kernels(fused, *grus)
        inherit_engine(fused, *grus)
        names = f"{display_name(match.forward.hidden)} and {display_name(match.reverse.hidden)}"
        self.replace(op, fused, grus, f"the directions {names} are fused into one op", rewriter)

    def _bias(self, gru: FusedGruOp, point: InsertPoint) -> SSAValue:
        if gru.bias is not None:
            return gru.bias
        return self.shared.insert(zero_bias(gru.weight_x, static_shape(gru.weight_h.type)[0]), point, gru)

    def _zeros(self, like: SSAValue, gru: FusedGruOp, point: InsertPoint) -> SSAValue:
        zeros = FillOp.create(operands=[like], result_types=[like.type], attributes={"value": FloatAttr(0.0, f32)})
        return self.shared.insert(zeros, point, gru)


class StackLayers(_Pattern):
    """multi_gru(multi_gru(x, …), …) is multi_gru(x, …, …)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiGruOp, rewriter: PatternRewriter) -> None:
        inner = self.rules.inner_layers(op)
        if inner is None or isinstance(inner, FusionRefusal):
            return
        layers = inner.weights(inner.operands) + op.weights(op.operands)
        fused = MultiGruOp.of(inner.x, layers, op.offsets, op.hidden.type, _declared(op))
        keep_kernels(fused, inner, op)
        inherit_engine(fused, inner, op)
        self.replace(op, fused, (inner,), f"fused with the layers that produce {display_name(inner.hidden)}", rewriter)


def _declared(op: DnnOp) -> dict[str, Attribute]:
    """The op's own attributes: decisions about storage fall away with the op they were made for."""
    return {name: value for name, value in op.attributes.items() if "." not in name and name != "operandSegmentSizes"}
