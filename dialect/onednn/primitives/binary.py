"""oneDNN's binary: one function of two elements, with broadcasting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import alike
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive
from lastuse.dialect.onednn.step import DestinationStyleBase, OverFirstBase
from lastuse.dialect.storage.layout import Strided

COMPARISONS = frozenset({"ge", "gt", "le", "lt", "eq", "ne"})
BINARY = frozenset({"add", "sub", "mul", "div", "max", "min"}) | COMPARISONS
"""As oneDNN names them; the core's table has the same (test/unit/runtime/test_primitives.py)."""


@irdl_op_definition
class OneDnnBinaryOp(OverFirstBase):
    """dst = src0 alg src1. All have one rank; a size of 1 in a source is repeated. In place over src0.

    A comparison of f32 gives 1 and 0, in f32 or in bytes (i1).
    """

    name = "onednn.binary"
    alg = attr_def(StringAttr)
    assembly_format: ClassVar = "$alg " + DestinationStyleBase.assembly_format

    def verify_primitive(self) -> None:
        if self.alg.data not in BINARY:
            raise VerifyException(f"binary has no algorithm '{self.alg.data}'; it has {', '.join(sorted(BINARY))}")
        self.expect(2, 1)
        (dst,) = self.out_memories
        truth = self.alg.data in COMPARISONS and dst.dtype == "i1"
        for src in self.in_memories:
            fits = len(src.shape) == len(dst.shape) and all(
                a in (1, b) for a, b in zip(src.shape, dst.shape, strict=True)
            )
            if not fits or src.dtype != ("f32" if truth else dst.dtype):
                raise VerifyException(f"{src} does not broadcast to {dst}")


@dataclass(frozen=True)
class BinaryPrimitive(Primitive):
    """dst = src0 alg src1 with numpy broadcasting.

    `repeated`: the eltwise with the same bits for src0 = src1. `mirror`: the algorithm that gives the same bits for
    exchanged operands, but for which of two NaNs it is. Either of the two algorithms may be None.
    """

    alg: str | None
    repeated: EltwisePrimitive | None = None
    mirror: str | None = None

    TAKES_SCRATCH: ClassVar = False

    def emit(self, steps: StepBuilder) -> bool:
        (a, b), (dst,) = steps.ins, steps.outs
        if a.is_at(b) and a.shape == dst.shape:
            if self.repeated is not None and alike(a.layout, dst.layout):
                self.repeated.emit_at(steps, a, dst)
                return True
            if a.clashes(dst):
                return False  # oneDNN documents nowhere that one memory may be all three
        steps_of = {_steps(v.layout) for v in (a, b, dst) if v.shape == dst.shape}
        if len(steps_of) > 1 or _has_gaps(dst.layout):
            return False  # oneDNN has its reference alone, some hundred times slower than numpy
        for alg, first, second in ((self.alg, a, b), (self.mirror, b, a)):
            # oneDNN broadcasts its first source too, but slower than numpy does.
            if alg is not None and first.shape == dst.shape and not second.clashes(dst):
                rank = max(len(dst.shape), 1)
                ins = [first.padded(rank), second.padded(rank)]
                steps.step(OneDnnBinaryOp, ins, [dst.padded(rank)], {"alg": StringAttr(alg)})
                return True
        return False


def _steps(layout: Strided) -> tuple[int, ...]:
    """How many elements are from one to the next along each axis that has several."""
    return tuple(stride // layout.item for n, stride in zip(layout.sizes, layout.strides, strict=True) if n > 1)


def _has_gaps(layout: Strided) -> bool:
    """Whether some bytes between the elements belong to none of them; the axes may have any order."""
    reach = 1
    for step, size in sorted(zip(_steps(layout), (n for n in layout.sizes if n > 1), strict=True)):
        if step != reach:
            return True
        reach *= size
    return False
