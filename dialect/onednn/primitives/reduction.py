"""oneDNN's reduction of axes to one element."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.step import DestinationStyleBase, PrimitiveBase

REDUCTIONS = frozenset({"sum", "mean", "mul"})
"""As oneDNN names them; the core's table has the same. Its `max` and `min` start from the largest finite numbers, not
from infinities, and drop NaN, so nothing here uses them."""

FEW_ELEMENTS = 256
"""So many elements oneDNN's reference implementation, 12 to 18 ns an element, reduces faster than a call of numpy."""


@irdl_op_definition
class OneDnnReductionOp(PrimitiveBase):
    """dst = src reduced by `alg` along the axes that dst has with size 1, and src with another one."""

    name = "onednn.reduction"
    alg = attr_def(StringAttr)
    assembly_format: ClassVar = "$alg " + DestinationStyleBase.assembly_format

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        if self.alg.data not in REDUCTIONS:
            raise VerifyException(f"alg must be one of {', '.join(sorted(REDUCTIONS))}, not '{self.alg.data}'")
        (src,), (dst,) = self.in_memories, self.out_memories
        sizes = list(zip(src.shape, dst.shape, strict=False))
        if len(src.shape) != len(dst.shape) or any(d not in (1, s) for s, d in sizes) or src.dtype != dst.dtype:
            raise VerifyException(f"no reduction makes {dst} of {src}")
        if src.shape == dst.shape:
            raise VerifyException(f"nothing is reduced from {src} to {dst}")


@dataclass(frozen=True)
class ReductionPrimitive(Primitive):
    """dst = src with `axes` (ascending, not negative) reduced; dst has them with size 1 or not at all."""

    alg: str
    axes: tuple[int, ...]

    TAKES_SCRATCH: ClassVar = False

    def emit(self, steps: StepBuilder) -> bool:
        (src,), (dst,) = steps.ins, steps.outs
        if not (src.layout.is_dense and dst.layout.is_dense):
            return False
        sizes, first = src.shape, next((a for a, n in enumerate(src.shape) if a in self.axes and n > 1), None)
        if first is None:
            return False
        if all(n == 1 or a in self.axes for a, n in enumerate(sizes) if a > first):
            sizes = (prod(sizes[:first]), prod(sizes[first:]))  # rows: what oneDNN generates code for
            reduced: tuple[int, ...] = (sizes[0], 1)
        elif src.layout.elements > FEW_ELEMENTS:
            return False
        else:
            reduced = tuple(1 if a in self.axes else n for a, n in enumerate(sizes))
        wide, narrow = src.reshaped(sizes), dst.reshaped(reduced)
        if wide is None or narrow is None:
            return False
        steps.step(OneDnnReductionOp, [wide], [narrow], {"alg": StringAttr(self.alg)})
        return True
