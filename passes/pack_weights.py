"""`--pack-weights-pass`: constant weights of products in the order in which a kernel reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.packed_columns import PacksWeights
from lastuse.dialect.ir.diagnostics import RemarkKind, op_name, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import display_name
from lastuse.passes.transforms.constant_folding import (
    constant_elements,
    constants_of,
    erase_with_operands,
    insert_constant,
)


@dataclass(frozen=True)
class PackWeightsPass(ModulePass):
    """Pack constant weights of products.

    Requires: verified IR, before anything is decided, behind `--layout-pass`, because the order depends on where
        channels are, and behind `--post-op-fusion-pass`, whose post-ops the kernel takes along.
    Guarantees: ops whose kernel would pack constant integer weights, or a view of constants, in each run read packed
        ones, and have `packed`, the sizes that the weights had. So do products with dequantized weights, where packed
        weights have no more bytes than plain ones; results are the same, to the bit. Products of rows with f32 weights,
        and convolutions of one element whose channels are last, become `dnn.packed_matmul`, those of other windows
        `dnn.packed_conv`, and those with a group for each channel `dnn.depthwise_conv`, with their bias and post-ops;
        results are the same but for rounding. Weights of several such ops are packed once. The plain constant is gone
        once nothing reads it.
    Leaves alone: weights that another op reads as they are, which a remark names: both forms would take more memory
        than one; weights that are no constant; ops on the cpu engine; integer convolutions whose channels are not last,
        or are each a group of its own, or of whose weights the kernel makes others: for several places of few outputs
        in one row, or with lines of the window that are no whole quads of bytes; dequantized weights whose columns are
        no whole strips of 64; products and convolutions in f32 with fewer than 9 columns, with groups of several
        channels, with channels that are second, with a post-op that is neither a sum nor one of the functions of the
        kernel, or with a stated engine; windows of several elements, or with padding around one, along three axes, over
        fewer than 32 channels, or whose outputs leave half a panel of 32 empty, unless there are more than 128; but for
        windows of 32 elements at most, as of an image, where the width of x is not known.
    Example: `"dnn.matmul_integer"(%x, %w)` of a constant reads `tensor<128xi8>`, and has `packed = array<i64: 3, 4>`.
    """

    name: ClassVar[str] = "pack-weights-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        changed = False
        for func in defined_functions(op):
            weights = dict[SSAValue, None]()
            for inner in func.walk():
                if isinstance(inner, PacksWeights) and not attrs.is_decided(inner):
                    number = inner.packable_operand()
                    if number is not None and constants_of(inner.operands[number]) is not None:
                        weights[inner.operands[number]] = None
            for value in weights:
                changed = _pack(ctx, value) or changed
        if changed:
            drop_unreferenced(op)


def _pack(ctx: Context, weights: SSAValue) -> bool:
    """Gives all readers of a constant, or of a view of constants, the packed one; False where one of them reads it as
    it is."""
    source, uses = weights.owner, list(weights.uses)[::-1]
    array, packed = constant_elements(weights), list[Array]()
    assert array is not None and isinstance(source, DnnOp)
    for use in uses:
        reader = use.operation
        if not isinstance(reader, PacksWeights) or reader.packable_operand() != use.index:
            text = f"{display_name(weights)} is not packed: {op_name(reader)} reads it as it is"
            remark(ctx, RemarkKind.REFUSAL, source, text)
            return False
        packed.append(reader.packed_weights(array))
    first = packed[0]
    if any(other.shape != first.shape or other.tobytes() != first.tobytes() for other in packed[1:]):
        text = f"{display_name(weights)} is not packed: its readers read other orders"
        remark(ctx, RemarkKind.REFUSAL, source, text)
        return False
    made = insert_constant(source, first, weights)
    for use in uses:
        reader = use.operation
        assert isinstance(reader, PacksWeights)
        text = f"reads {display_name(weights)} packed, {first.nbytes} bytes"
        remark(ctx, RemarkKind.REORDER, reader, text)
        Rewriter.replace_op(reader, reader.with_packed_weights(made.y, array.shape))
    erase_with_operands(source)
    return True
