"""Base of destination-style ops (`ins`, `outs`, `scratch`), and of those that one oneDNN primitive computes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyOf,
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    opt_operand_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.tensor_types import dtype_name, item_bytes
from lastuse.dialect.onednn.buffers import PackedType
from lastuse.dialect.onednn.memory import MemRefLayout, Operand, alike, locate, memory_of
from lastuse.dialect.storage.layout import LayoutMap, Strided

SUPPORTED = frozenset({"f32", "bf16", "f16", "i32", "i8", "ui8", "i1"})
"""Element types that oneDNN's primitives know; i1 is a byte, 0 or 1."""

MAX_RANK = 12
"""oneDNN's DNNL_MAX_NDIMS."""


class OverlapRules(NamedTuple):
    """What the verifier asks a step.

    Attributes:
        over: (out, in) pairs that may be exactly the same bytes.
        repeats: those of them where other ins may be exactly there too.
        metadata_only: ins whose bytes are not read; outs may overlap them.
        parts: (out, in, map) where the in may be the part of the out that the map gives: the kernel leaves it there.
    """

    over: frozenset[tuple[int, int]] = frozenset()
    repeats: frozenset[tuple[int, int]] = frozenset()
    metadata_only: frozenset[int] = frozenset()
    parts: tuple[tuple[int, int, LayoutMap], ...] = ()


class DestinationStyleBase(IRDLOperation, ABC):
    """Reads `ins`, writes `outs`; `scratch` holds nothing before and nothing after. In place is visible: the same bytes
    stand in ins and outs, and the verifier knows where oneDNN documents that."""

    ins = var_operand_def(AnyOf((base(MemRefType), base(PackedType))))
    outs = var_operand_def(MemRefType)
    scratch = opt_operand_def(MemRefType)
    irdl_options = (AttrSizedOperandSegments(),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format: ClassVar[str] = (  # pyright: ignore[reportIncompatibleVariableOverride]
        "`ins` `(` ($ins^ `:` type($ins))? `)` `outs` `(` $outs `:` type($outs) `)`"
        " (`scratch` `(` $scratch^ `:` type($scratch) `)`)? attr-dict"
    )

    def __init__(
        self,
        ins: Sequence[SSAValue],
        outs: Sequence[SSAValue],
        scratch: SSAValue | None = None,
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            operands=[list(ins), list(outs), [] if scratch is None else [scratch]], attributes=attributes or {}
        )

    def operand_groups(self) -> tuple[Sequence[SSAValue], Sequence[SSAValue], SSAValue | None]:
        """Ins, outs and scratch; the segment sizes are read once."""
        sizes = self.attributes["operandSegmentSizes"]
        assert isinstance(sizes, DenseArrayBase)
        ins, outs, _ = sizes.get_values()
        operands = self.operands
        first = ins + outs
        return operands[:ins], operands[ins:first], operands[first] if first < len(operands) else None

    def rules(self) -> OverlapRules:
        """Which ins the outs may overlap: none, unless the op says so. Raises VerifyException where the op is not one
        that runs."""
        return OverlapRules()

    @property
    def in_memories(self) -> tuple[MemRefLayout, ...]:
        """What the ins' types say; packed weights are shown dense."""
        return tuple(_memory(value.type) for value in self.ins)

    @property
    def out_memories(self) -> tuple[MemRefLayout, ...]:
        return tuple(memory_of(value.type) for value in self.outs)

    def verify_(self) -> None:
        for value in (*self.ins, *self.outs):
            _memory(value.type)
        rules = self.rules()
        read = [
            k for k, v in enumerate(self.ins) if k not in rules.metadata_only and not isinstance(v.type, PackedType)
        ]
        ins = {k: locate(self.ins[k]) for k in read}
        scratch = None
        if self.scratch is not None:
            memory = memory_of(self.scratch.type)
            if len(memory.shape) != 1 or memory.dtype != "i8" or not memory.layout.is_dense:
                raise VerifyException(f"scratch is memref<Nxi8>, not {self.scratch.type}")
            scratch = locate(self.scratch)
        outs = [locate(v) for v in self.outs]
        _check_overlap(ins, outs, scratch, rules)
        self.verify_step()

    @abstractmethod
    def verify_step(self) -> None:
        """Sizes and element types of the op's own."""


def _check_overlap(
    ins: Mapping[int, Operand], outs: Sequence[Operand], scratch: Operand | None, rules: OverlapRules
) -> None:
    """The law of one step: an out lies apart from everything, or exactly on an in that allows it.

    Args:
        ins: what is read, by number.

    Raises:
        VerifyException: naming the operands by number.
    """
    for number, out in enumerate(outs):
        if not out.layout.injective:
            raise VerifyException(f"out {number} has elements that share bytes")
        for other in range(number):
            if out.clashes(outs[other]):
                raise VerifyException(f"outs {other} and {number} overlap")
        hits = [k for k, in_ in ins.items() if out.clashes(in_) and not _in_part(number, out, k, in_, rules)]
        if any(not out.is_at(ins[k]) for k in hits):
            k = next(k for k in hits if not out.is_at(ins[k]))
            raise VerifyException(f"out {number} overlaps in {k} without being the same bytes")
        over = [k for k in hits if (number, k) in rules.over]
        if hits and not over:
            raise VerifyException(f"out {number} may not be written over in {hits[0]}")
        if len(hits) > 1 and not any((number, k) in rules.repeats for k in over):
            raise VerifyException(f"out {number} is written over in {over[0]}, but ins {hits} are the same bytes")
    if scratch is not None:
        for kind, located in (("in", ins), ("out", dict(enumerate(outs)))):
            for number, operand in located.items():
                if scratch.clashes(operand):
                    raise VerifyException(f"scratch overlaps {kind} {number}")


def _in_part(number: int, out: Operand, k: int, in_: Operand, rules: OverlapRules) -> bool:
    """In `k` is the part of the out that it may be."""
    maps = [map_ for out_number, in_number, map_ in rules.parts if (out_number, in_number) == (number, k)]
    places = [map_(out.layout) for map_ in maps]
    return any(place is not None and out.at(place).is_at(in_) for place in places)


class Work(NamedTuple):
    """What a primitive does: `elements` of each operand and result that it reads or writes, and multiplications."""

    elements: tuple[int, ...]
    multiplications: int

    @property
    def total(self) -> int:
        """In elements; eight multiplications are one."""
        return sum(self.elements) + self.multiplications // 8


class PrimitiveBase(DestinationStyleBase, ABC):
    """A step that one oneDNN primitive does; not in place unless it says so."""

    def verify_step(self) -> None:
        for memory in (*self.in_memories, *self.out_memories):
            if memory.dtype not in SUPPORTED:
                raise VerifyException(f"oneDNN does not know elements of {memory.dtype}")
            if len(memory.shape) > MAX_RANK:
                raise VerifyException(f"oneDNN takes at most {MAX_RANK} dimensions, not {len(memory.shape)}")
            if any(s < 0 for s in memory.layout.strides) or not memory.layout.injective:
                raise VerifyException(f"oneDNN has no layout for {memory}")
        self.verify_primitive()

    def work(self) -> Work:
        """About how long the primitive takes on one thread."""
        elements = tuple(prod(memory.shape) for memory in (*self.in_memories, *self.out_memories))
        return Work(elements, self.multiplications())

    def multiplications(self) -> int:
        """Those of a product."""
        return 0

    @abstractmethod
    def verify_primitive(self) -> None:
        """Sizes and element types of the primitive's own."""

    def expect(self, ins: int | None, outs: int) -> None:
        """Raises VerifyException unless there are so many operands; None: at least one."""
        if len(self.outs) != outs or (not self.ins if ins is None else len(self.ins) != ins):
            count = "some" if ins is None else str(ins)
            raise VerifyException(
                f"{self.name} has {count} ins and {outs} outs, {len(self.ins)} and {len(self.outs)} are given"
            )

    def expect_same(self, *memories: MemRefLayout, dtype: bool = True) -> None:
        """Raises VerifyException unless all have one shape, and one element type if `dtype`."""
        first = memories[0]
        for memory in memories[1:]:
            if memory.shape != first.shape or (dtype and memory.dtype != first.dtype):
                raise VerifyException(f"{self.name} of {first} and {memory}: they must have the same sizes and type")

    def expect_alike(self, src: MemRefLayout, dst: MemRefLayout) -> None:
        """Raises VerifyException unless both have one shape, element type and strides: oneDNN's kernel walks them as
        one."""
        self.expect_same(src, dst)
        if not alike(src.layout, dst.layout):
            raise VerifyException(f"{self.name} wants one layout, not {src} and {dst}")

    def expect_channel(self, size: int, *memories: MemRefLayout) -> None:
        """Raises VerifyException unless all are dense f32 rows of `size` elements."""
        for memory in memories:
            if memory.shape != (size,) or memory.dtype != "f32" or not memory.layout.is_dense:
                raise VerifyException(f"{self.name} wants memref<{size}xf32>, not {memory}")


class OverFirstBase(PrimitiveBase, ABC):
    """A primitive that oneDNN documents as in place over its first source, and that was right at every ISA tried."""

    def rules(self) -> OverlapRules:
        return OverlapRules(over=frozenset({(0, 0)}))


def _memory(type_: Attribute) -> MemRefLayout:
    if isinstance(type_, PackedType):
        dtype = dtype_name(type_.element_type)
        return MemRefLayout(Strided.dense(type_.get_shape(), item_bytes(dtype)), dtype)
    return memory_of(type_)
