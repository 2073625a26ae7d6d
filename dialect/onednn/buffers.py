"""Where bytes come from: the arena, constants, packed weights, and views of them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntAttr,
    IntegerAttr,
    MemRefType,
    TensorType,
    i8,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AnyOf,
    IRDLOperation,
    attr_def,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, Pure
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import BufferView, MemRefT, locate, memory_of, memref_type
from lastuse.dialect.storage.layout import ALIGNMENT, Strided


@irdl_attr_definition
class PackedType(ParametrizedAttribute, TypeAttribute):
    """Weights of these sizes in a layout that the primitive which reads them chose: `!onednn.packed<128x768xf32>`."""

    name = "onednn.packed"

    shape: ArrayAttr[IntAttr]
    element_type: Attribute

    @staticmethod
    def of(shape: Sequence[int], element_type: Attribute) -> PackedType:
        return PackedType(ArrayAttr([IntAttr(size) for size in shape]), element_type)

    def get_shape(self) -> tuple[int, ...]:
        return tuple(size.data for size in self.shape.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            shape, element_type = parser.parse_ranked_shape()
        return [ArrayAttr([IntAttr(size) for size in shape]), element_type]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_dimension_list(self.get_shape())
            printer.print_string("x")
            printer.print_attribute(self.element_type)


@irdl_op_definition
class ArenaOp(IRDLOperation):
    """The row of bytes that all activations of a function live in, on a 64-byte boundary:
    `onednn.arena : memref<4096xi8>`.

    A program has one arena. A function that others call has its own frame in it, `offset` bytes behind the start, apart
    from the frames of all that may be running when it is called: `onednn.arena {offset = 4096 : i64} : memref<64xi8>`.
    """

    name = "onednn.arena"
    memory = result_def(MemRefType)
    offset = opt_attr_def(IntegerAttr)
    traits = traits_def(MemoryAllocEffect())
    assembly_format: ClassVar = "attr-dict `:` type($memory)"

    def __init__(self, nbytes: int) -> None:
        super().__init__(result_types=[MemRefType(i8, [nbytes])])

    @property
    def nbytes(self) -> int:
        return memory_of(self.memory.type).layout.nbytes

    @property
    def byte_offset(self) -> int:
        """Where the frame starts in the program's arena."""
        return 0 if self.offset is None else self.offset.value.data

    def verify_(self) -> None:
        memory = memory_of(self.memory.type)
        if len(memory.shape) != 1 or memory.dtype != "i8" or not memory.layout.is_dense:
            raise VerifyException(f"an arena is memref<Nxi8>, not {self.memory.type}")
        if self.byte_offset < 0 or self.byte_offset % ALIGNMENT:
            raise VerifyException(f"an arena starts at a multiple of {ALIGNMENT} bytes, not at {self.byte_offset}")
        func = self.parent_op()
        if isinstance(func, FuncOp):
            arenas = [op for op in func.body.walk() if isinstance(op, ArenaOp)]
            if arenas[0] is not self:
                raise VerifyException("a function has one arena")


@irdl_op_definition
class ViewOp(IRDLOperation):
    """Bytes of a buffer as a memref: the element with all indices 0 is `offset` bytes behind the source's first.

    `%y = onednn.view %arena {offset = 64 : i64} : memref<4096xi8> -> memref<2x8xf32>`
    """

    name = "onednn.view"
    source = operand_def(MemRefType)
    view = result_def(MemRefType)
    offset = attr_def(IntegerAttr)
    traits = traits_def(Pure(), BufferView())
    assembly_format: ClassVar = "$source attr-dict `:` type($source) `->` type($view)"

    def __init__(self, source: SSAValue, offset: int, type_: MemRefT) -> None:
        super().__init__(operands=[source], result_types=[type_], attributes={"offset": IntegerAttr(offset, i64)})

    @property
    def byte_offset(self) -> int:
        return self.offset.value.data

    def verify_(self) -> None:
        if not memory_of(self.source.type).layout.is_dense:
            raise VerifyException("the source of a view is a dense buffer")
        located = locate(self.view)
        low, high = located.layout.span
        room = memory_of(located.root.type).layout.nbytes
        if low < 0 or high > room:
            raise VerifyException(f"the view is bytes {low} to {high} of a buffer of {room} bytes")


@irdl_op_definition
class ConstantBufferOp(IRDLOperation):
    """Read-only bytes known when the program is built, dense: `dense<…>` here, `dense_resource<name>` beside the IR."""

    name = "onednn.constant"
    memory = result_def(MemRefType)
    value = attr_def(AnyOf((base(DenseIntOrFPElementsAttr), base(DenseResourceAttr))))
    traits = traits_def(Pure())
    assembly_format: ClassVar = "$value attr-dict `->` type($memory)"

    def __init__(self, value: DenseIntOrFPElementsAttr | DenseResourceAttr, type_: MemRefT | None = None) -> None:
        if type_ is None:
            value_type = value.type
            assert isinstance(value_type, TensorType)
            type_ = MemRefType(value_type.element_type, value_type.get_shape())
        super().__init__(result_types=[type_], attributes={"value": value})

    def verify_(self) -> None:
        value_type, memory = self.value.type, memory_of(self.memory.type)
        fits = isinstance(value_type, TensorType) and (value_type.get_shape(), str(value_type.element_type)) == (
            memory.shape,
            memory.dtype,
        )
        if not fits or not memory.layout.is_dense:
            raise VerifyException(f"a constant of {value_type} is a dense memref of that type, not {self.memory.type}")


@irdl_op_definition
class PackOp(IRDLOperation):
    """Constant weights in the layout that the primitive which reads them likes best, made once as the program is built.

    `%p = onednn.pack %w : memref<128x768xf32> -> !onednn.packed<128x768xf32>`
    """

    name = "onednn.pack"
    source = operand_def(MemRefType)
    packed = result_def(PackedType)
    traits = traits_def(Pure())
    assembly_format: ClassVar = "$source attr-dict `:` type($source) `->` type($packed)"

    def __init__(self, source: SSAValue) -> None:
        assert isinstance(source.type, MemRefType)
        super().__init__(
            operands=[source], result_types=[PackedType.of(source.type.get_shape(), source.type.element_type)]
        )

    def verify_(self) -> None:
        located = locate(self.source)
        if not isinstance(located.root.owner, ConstantBufferOp):
            raise VerifyException("only constants are packed")
        type_ = self.packed.type
        assert isinstance(type_, PackedType)
        if (type_.get_shape(), str(type_.element_type)) != (located.shape, located.dtype):
            raise VerifyException(f"{self.source.type} is packed to its own sizes and type, not to {type_}")


def view_of(buffer: SSAValue, layout: Strided, dtype: str) -> ViewOp:
    """A view of `layout` (bytes from the buffer's start) with elements of `dtype`."""
    return ViewOp(buffer, layout.offset, memref_type(layout, dtype))
