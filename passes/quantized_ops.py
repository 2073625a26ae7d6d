"""`--quantized-ops-pass`: what is computed between dequantize_linear and quantize_linear is computed in integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lastuse.dialect.dnn.integer_forms import WAYS
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.passes.transforms.dequantized_values import dequantize
from lastuse.passes.transforms.quantized_values import IntegerRewriter


@dataclass(frozen=True)
class QuantizedOpsPass(ModulePass):
    """Compute quantised models in integers.

    Requires: verified IR, before constants are folded, before `--quantized-weights-pass` and before anything is
        decided.
    Guarantees: products and convolutions of dequantised values whose results are quantised become one op on the
        integers, with the activation between them, if it is a bound. What elementwise ops make of one dequantised value
        and of single numbers, until it is quantised, is a table of 256 results (`dnn.byte_table`), also where it is
        quantised in between; with constants of each channel, as of `dnn.batch_norm`, it is a table for each channel,
        where these have 64 elements or more and are not last. Ops that only move elements take the integers, which a
        table brings to the scale of the result; pools of largest elements do so between equal scales and zero points.
        Sums of two dequantised values that are quantised are one op, too. A result is the same but for one step of its
        scale, where a sum or a function in f32 is rounded otherwise.
    Leaves alone: products whose result has another reader than the op that quantises it, scales for each summed
        element, and other ops of dequantised values, which a remark names if they are products.
    Example: `"dnn.matmul"(%a, %w)` of dequantised values, and the `"dnn.quantize_linear"(%r, %s, %z)` behind it, become
        `"dnn.qlinear_matmul"(%x, %s, %z, %q, %t, %n, %s, %z)`.

    Options:
        quantized: `integers`, or `model` to leave all as the model says, or `dequantize`: dequantised constants are
            f32, and values that are quantised and dequantised are only brought between the bounds that this gives
            them; a result is then off by up to half a step of each scale.
    """

    name: ClassVar[str] = "quantized-ops-pass"

    quantized: str = "integers"

    def __post_init__(self) -> None:
        if self.quantized not in WAYS:
            raise LastuseError(f"no way '{self.quantized}' to compute what is quantised; there are {', '.join(WAYS)}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.quantized == "model":
            return
        for func in defined_functions(op):
            if self.quantized == "dequantize":
                dequantize(ctx, func)
            else:
                IntegerRewriter(ctx, func).apply()
        drop_unreferenced(op)
