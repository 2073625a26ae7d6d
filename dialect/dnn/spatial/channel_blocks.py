"""Blocks of a plane as channels, and back: every byte of the result is one of the operand's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, base, irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, integer, word
from lastuse.dialect.dnn.axis_moves import BLOCKS, MovedBlock, blocks
from lastuse.dialect.dnn.base import Array, OneOperandBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, quotient, static_shape
from lastuse.dialect.storage.contract import Contract


class ChannelBlockBase(NativeBase, OneOperandBase, DifferentiableBase):
    """x [N, C, H, W] of any element type; `blocksize` is the height and width of a block."""

    blocksize = attr_def(INTEGER)

    INVERSE: ClassVar[str]
    """The op that undoes this one."""

    def storage(self) -> Contract:
        return Contract(strided=True, backward=READS_NOTHING, engines=self.kernel_engines())

    def native_name(self) -> str:
        return BLOCKS

    def to_space(self, deep: SSAValue, mode: str) -> list[MovedBlock]:
        """The elements of a value with the blocks as channels, to where they are in the plane."""
        b = self.block
        n, channels, h, w = (size or 0 for size in static_shape(deep.type))
        c = channels // b**2
        rows, columns, rest = (b * c, c, 1) if mode == "DCR" else (b, 1, b**2)
        inside = [MovedBlock(b, 1, rows, 2, 1), MovedBlock(b, 1, columns, 3, 1), MovedBlock(c, 1, rest, 1, 1)]
        return [MovedBlock(n, 0, 1, 0, 1), *inside, MovedBlock(h, 2, 1, 2, b), MovedBlock(w, 3, 1, 3, b)]

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit(self.INVERSE, dy, blocksize=self.blocksize, mode=self.attributes.get("mode")),)

    @property
    def block(self) -> int:
        """Height and width of a block; raises ValueError where it is none."""
        size = integer(self.blocksize, 0)
        if size < 1:
            raise ValueError(f"blocksize must be 1 or more, not {size}")
        return size

    @abstractmethod
    def sizes(self, shape: Sequence[Dim]) -> tuple[Dim | None, ...]:
        """The shape of the result; None where a size cannot be cut into blocks."""

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        if len(x.shape) != 4:
            raise ValueError(f"x must have 4 axes, not {len(x.shape)}")
        sizes = self.sizes(x.known)
        if None in sizes and all(isinstance(d, int) for d in x.shape):
            raise ValueError(f"sizes {list(x.shape)} cannot be cut into blocks of {self.block}")
        return (TensorInfo(sizes, x.dtype),)


@irdl_op_definition
class DepthToSpaceOp(ChannelBlockBase):
    """Channels as blocks of a larger plane: [N, C, H, W] becomes [N, C / b², H * b, W * b].

    `blocksize`: b. `mode`: DCR (the default), the first part of the channel counts rows and columns of the block; or
    CRD, the last. Any element type. ONNX DepthToSpace.
    """

    name = "dnn.depth_to_space"
    INVERSE: ClassVar = "space_to_depth"
    EXAMPLE: ClassVar = "{blocksize = 2 : i64} : (tensor<2x8x3x5xf32>) -> tensor<2x2x6x10xf32>"
    mode = opt_attr_def(base(StringAttr))

    def sizes(self, shape: Sequence[Dim]) -> tuple[Dim | None, ...]:
        if word(self.mode, "DCR") not in ("DCR", "CRD"):
            raise ValueError(f"mode must be DCR or CRD, not {word(self.mode, 'DCR')}")
        n, c, h, w = shape
        return n, quotient(c, self.block**2), h * self.block, w * self.block

    def native_numbers(self) -> Sequence[float]:
        return blocks([0] * 4, self.to_space(self.x, word(self.mode, "DCR")))

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        (x,), b = operands, self.block
        n, c, h, w = x.shape
        if word(self.mode, "DCR") == "DCR":
            turned = x.reshape(n, b, b, c // b**2, h, w).transpose(0, 3, 4, 1, 5, 2)
        else:
            turned = x.reshape(n, c // b**2, b, b, h, w).transpose(0, 1, 4, 2, 5, 3)
        return (np.ascontiguousarray(turned).reshape(n, c // b**2, h * b, w * b),)


@irdl_op_definition
class SpaceToDepthOp(ChannelBlockBase):
    """Blocks of a plane as channels: [N, C, H, W] becomes [N, C * b², H / b, W / b].

    `blocksize`: b. `mode`: DCR (the default), the first part of the new channel counts rows and columns of the block;
    or CRD, the last. Any element type. ONNX SpaceToDepth.
    """

    name = "dnn.space_to_depth"
    INVERSE: ClassVar = "depth_to_space"
    EXAMPLE: ClassVar = "{blocksize = 2 : i64} : (tensor<2x3x4x6xf32>) -> tensor<2x12x2x3xf32>"
    mode = opt_attr_def(base(StringAttr))

    def sizes(self, shape: Sequence[Dim]) -> tuple[Dim | None, ...]:
        if word(self.mode, "DCR") not in ("DCR", "CRD"):
            raise ValueError(f"mode must be DCR or CRD, not {word(self.mode, 'DCR')}")
        n, c, h, w = shape
        return n, c * self.block**2, quotient(h, self.block), quotient(w, self.block)

    def native_numbers(self) -> Sequence[float]:
        return blocks([0] * 4, [block.inverse() for block in self.to_space(self.y, word(self.mode, "DCR"))])

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        (x,), b = operands, self.block
        n, c, h, w = x.shape
        cut = x.reshape(n, c, h // b, b, w // b, b)
        order = (0, 3, 5, 1, 2, 4) if word(self.mode, "DCR") == "DCR" else (0, 1, 3, 5, 2, 4)
        return (np.ascontiguousarray(cut.transpose(order)).reshape(n, c * b * b, h // b, w // b),)
