"""`--quantized-weights-pass`: constants of small integers are read as they are, not widened in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.widening import TakesIntegers, Widening, WidensIntegers
from lastuse.dialect.ir.diagnostics import RemarkKind, op_name, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.transforms.constant_folding import constants_of, erase_with_operands


@dataclass(frozen=True)
class QuantizedWeightsPass(ModulePass):
    """Keep 8-bit constants that a model widens to f32.

    Requires: verified IR, before constants are folded and before anything is decided.
    Guarantees: ops that can read the integers do so: `dnn.matmul` becomes `dnn.dequantized_matmul`, and `dnn.gather`
        widens the elements that it takes. Results are the same but for rounding. What widened the constant is erased.
    Leaves alone: constants with a reader that needs them in f32, which a remark names: both forms would take more
        memory than one; values that depend on inputs.
    Example: `"dnn.matmul"(%x, %w)` of what `"dnn.mul"` makes of integers becomes
        `"dnn.dequantized_matmul"(%x, %q, %0)`.
    """

    name: ClassVar[str] = "quantized-weights-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            widened = [(inner, inner.widening()) for inner in func.walk() if isinstance(inner, WidensIntegers)]
            constants = [(inner, of) for inner, of in widened if of is not None and constants_of(of.integers)]
            sizes = infer_shapes(func) if constants else {}
            for inner, widening in constants:
                assert isinstance(inner, Operation)
                _keep_integers(ctx, inner, widening, sizes)
        drop_unreferenced(op)


def _keep_integers(ctx: Context, op: Operation, widening: Widening, sizes: Mapping[SSAValue, TensorInfo]) -> None:
    """Gives the readers of what the op widens the integers, if all of them take these."""
    uses = list(op.results[0].uses)
    wide = [use.operation for use in uses if not _takes(use, widening)]
    if wide:
        remark(ctx, RemarkKind.REFUSAL, op, f"widened in memory: {op_name(wide[0])} reads it as f32")
        return
    for use in uses:
        reader = use.operation
        assert isinstance(reader, TakesIntegers)
        remark(ctx, RemarkKind.DECISION, reader, f"reads {attrs.display_name(widening.integers)} as integers")
        builder = GradientBuilder(Builder(InsertPoint.before(reader)), reader, sizes)
        result = reader.with_integers(widening, builder)
        result.name_hint = reader.results[0].name_hint
        reader.results[0].replace_all_uses_with(result)
        reader.detach()
        reader.erase()
    erase_with_operands(op)


def _takes(use: Use, widening: Widening) -> bool:
    reader = use.operation
    return (
        isinstance(reader, TakesIntegers)
        and not attrs.is_decided(reader)
        and reader.takes_integers(use.index, widening)
    )
