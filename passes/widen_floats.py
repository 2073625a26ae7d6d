"""`--widen-floats-pass`: what a model computes in f16 is computed in f32."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.wider_floats import HALVES, ChangesTypeAlone, has_dtype
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, op_name, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.dialect.ir.tensor_types import item_bytes, static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.analysis.float_widths import float_widths
from lastuse.passes.transforms.constant_folding import erase_with_operands, fold_constants
from lastuse.passes.transforms.engine import inherit_engine
from lastuse.passes.transforms.spelt_out_ops import replace_spelt_out

NARROW, WIDE = "f16", "f32"


@dataclass(frozen=True)
class WidenFloatsPass(ModulePass):
    """Compute in f32 what a model states in f16.

    Requires: verified IR, behind `--refine-pass`, before `--layout-pass` and before anything is decided.
    Guarantees: ops that compute numbers of f16 compute them in f32. What lies between them stays in f32, and constants
        are cast once; what the function is passed and returns, and what other dialects, calls, loops and branches read,
        stays f16. Ops that only move elements do so in the type in which the fewest bytes are cast. Activations that
        are written as several ops are one, though their numbers are rounded to f16. Results are the same but for
        rounding: f32 rounds less often. A remark names each cast that is left.
    Leaves alone: f16 that is only moved; ops that compute something else in f32, or that have decisions, which a remark
        names; bf16.
    Example: `"dnn.exp"(%x)` of f16 is one of f32, on `"dnn.cast"(%x)`.

    Options:
        halves: `f32`, or `model` to leave all as the model states it.
    """

    name: ClassVar[str] = "widen-floats-pass"

    halves: str = "f32"

    def __post_init__(self) -> None:
        if self.halves not in HALVES:
            raise LastuseError(f"no way '{self.halves}' to compute f16; there are {', '.join(HALVES)}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        changed = False
        for func in defined_functions(op) if self.halves == WIDE else ():
            for inner, spelt, reason in replace_spelt_out(func, only_activations=True, dtype=NARROW):
                if reason is None:
                    remark(ctx, RemarkKind.DECISION, inner, f"computed as one op; the model writes {spelt} as several")
                    changed = True
            widths = float_widths(func, NARROW, WIDE)
            for inner, reason in widths.refused.items():
                remark(ctx, RemarkKind.REFUSAL, inner, f"computed in {NARROW}: {reason}")
            if widths.wide:
                _Widening(ctx, widths.wide).apply(func)
                changed = True
        if changed:
            drop_unreferenced(op)


class _Widening:
    """Rewrites a function so that these ops are wide."""

    def __init__(self, ctx: Context, forms: Mapping[Operation, Sequence[Attribute]]) -> None:
        self._ctx, self._forms = ctx, forms
        self._wide: dict[SSAValue, SSAValue] = {}
        """What stands in f32 for a value."""
        self._narrow: dict[SSAValue, SSAValue] = {}
        """Values of ops that are wide, cast to the type that they had."""

    def apply(self, func: FuncOp) -> None:
        ops = list(func.walk())
        for op in ops:
            if op in self._forms:
                assert isinstance(op, DnnOp)
                self._widen(op, self._forms[op])
            else:
                self._restate_operands(op)
        for op in reversed(ops):
            if op in self._forms and op.parent is not None:
                erase_with_operands(op)  # pyright: ignore[reportArgumentType]

    def _widen(self, op: DnnOp, types: Sequence[Attribute]) -> None:
        operands = [self._as_wide(v, op) if has_dtype(v, NARROW) else v for v in op.operands]
        if isinstance(op, ChangesTypeAlone) and operands[0].type == types[0]:
            results: Sequence[SSAValue] = operands
        else:
            made = op.replacement(type(op), operands, op.attributes, types)
            inherit_engine(made, op)
            Builder(InsertPoint.before(op)).insert(made)
            remark(self._ctx, RemarkKind.DECISION, made, f"computed in {WIDE}")
            results = made.results
        for old, new in zip(op.results, results, strict=True):
            if has_dtype(old, NARROW):
                self._wide[old] = new
            else:
                old.replace_all_uses_with(new)

    def _restate_operands(self, op: Operation) -> None:
        """An op that stays reads values of wide ops in the type that they had; it may read their sizes as they are."""
        sizes_alone = contract_of(op).metadata_only
        for index, value in enumerate(op.operands):
            if isinstance(value.owner, Operation) and value.owner in self._forms and value in self._wide:
                op.operands[index] = self._wide[value] if index in sizes_alone else self._as_narrow(value, op)

    def _as_wide(self, value: SSAValue, reader: Operation) -> SSAValue:
        if value not in self._wide:
            self._wide[value] = self._cast(value, value, WIDE, reader)
        return self._wide[value]

    def _as_narrow(self, value: SSAValue, reader: Operation) -> SSAValue:
        if value not in self._narrow:
            wide = self._wide[value]
            self._narrow[value] = narrow = self._cast(wide, value, NARROW, reader)
            if isinstance(wide, OpResult) and len(wide.op.results) == 1:
                attrs.hand_name_on(wide, narrow, WIDE)
        return self._narrow[value]

    def _cast(self, value: SSAValue, stated: SSAValue, dtype: str, reader: Operation) -> SSAValue:
        """The value in another type, behind what makes it: a constant of a constant."""
        owner = value.owner
        place = InsertPoint.after(owner) if isinstance(owner, Operation) else InsertPoint.at_start(owner)
        origin = owner if isinstance(owner, DnnOp) else reader
        result = GradientBuilder(Builder(place), origin).emit("cast", value, dtype=dtype)
        assert isinstance(result.owner, DnnOp)
        constant = fold_constants(result.owner)
        if constant is not None:
            return constant.y
        self._remark_cast(result, stated, reader)
        return result

    def _remark_cast(self, cast: SSAValue, stated: SSAValue, reader: Operation) -> None:
        known = None not in static_shape(cast.type)
        nbytes = element_count(cast) * (item_bytes(NARROW) + item_bytes(WIDE))
        shown = f"{nbytes:,} bytes" if known else "bytes that are not known yet"
        text = f"{attrs.display_name(stated)} is cast, {shown}: {op_name(reader)} reads it in another type"
        assert isinstance(cast.owner, Operation)
        remark(self._ctx, RemarkKind.REORDER, cast.owner, text)
