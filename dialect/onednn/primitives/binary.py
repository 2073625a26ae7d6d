"""oneDNN's binary: one function of two elements, with broadcasting."""

from __future__ import annotations

from collections.abc import Sequence
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

    `repeated`: the eltwise with the same bits for src0 = src1, which oneDNN generates for elements without gaps between
    them. `mirror`: the algorithm that gives the same bits for exchanged operands, but for which of two NaNs it is.
    Either of the two algorithms may be None.
    """

    alg: str | None
    repeated: EltwisePrimitive | None = None
    mirror: str | None = None

    TAKES_SCRATCH: ClassVar = False

    def emit(self, steps: StepBuilder) -> bool:
        (a, b), (dst,) = steps.ins, steps.outs
        if a.is_at(b) and a.shape == dst.shape:
            if self.repeated is not None and alike(a.layout, dst.layout) and not _has_gaps(dst.layout):
                self.repeated.emit_at(steps, a, dst)
                return True
            if a.clashes(dst):
                return False  # oneDNN documents nowhere that one memory may be all three
        for alg, first, second in ((self.alg, a, b), (self.mirror, b, a)):
            # oneDNN broadcasts its first source too, but slower than numpy does.
            if alg is None or first.shape != dst.shape or second.clashes(dst):
                continue
            rank = max(len(dst.shape), 1)
            first, second, result = (v.padded(rank) for v in (first, second, dst))
            if is_generated(first.layout, second.layout, result.layout):
                steps.step(OneDnnBinaryOp, [first, second], [result], {"alg": StringAttr(alg)})
                return True
        return False


def is_generated(first: Strided, second: Strided, dst: Strided) -> bool:
    """Whether oneDNN has generated code for such layouts of one rank, `first` and `dst` of the same sizes. Else it has
    its reference alone, some hundred times slower than a kernel of the runtime.

    Elements have no gaps between them. Where a size of 1 is repeated, axes lie in their order or channels (axis 1)
    last, and `second` has several elements along certain axes alone (`binary_injector_utils.cpp`).
    test_binary_implementations.py compares this with what oneDNN 3.2 chooses.
    """
    if len({_steps(layout) for layout in (first, dst)}) > 1 or _has_gaps(dst):
        return False
    if second.sizes == dst.sizes:
        return _steps(second) == _steps(dst)
    if _has_gaps(second):
        return False
    rank = len(dst.sizes)
    taken = [axis for axis, size in enumerate(second.sizes) if size > 1]
    row_major, channels_last = list(range(rank)), [0, *range(2, rank), 1][:rank]
    if _lies_in(dst, row_major):
        return _lies_in(second, row_major) and _is_repeated(taken, rank, row_major=True)
    if 1 in dst.sizes or not _lies_in(dst, channels_last):
        return False  # an axis of one element has its place in the row-major order
    return _lies_in(second, channels_last) and _is_repeated(taken, rank, row_major=False)


def _is_repeated(taken: Sequence[int], rank: int, row_major: bool) -> bool:
    """Whether oneDNN's generated code repeats an operand that has several elements along the axes `taken` alone: the
    last ones or the channels, with the first axis or without."""
    inner = [axis for axis in taken if axis > 0]
    if rank < 3 or inner == [1]:
        return True
    if not inner:
        return not taken
    return inner == list(range(inner[0], rank)) and (inner[0] > 1 or row_major)


def _lies_in(layout: Strided, order: Sequence[int]) -> bool:
    """Whether the axes of several elements follow each other in this order, from the outermost on."""
    strides = [layout.strides[axis] for axis in order if layout.sizes[axis] > 1]
    return strides == sorted(strides, reverse=True)


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
