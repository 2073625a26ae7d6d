"""How a lowered function takes what its source takes and returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import MemRefType, StringAttr, TensorType, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir.tensor_types import dtype_name
from lastuse.dialect.onednn.buffers import ArenaOp
from lastuse.dialect.onednn.memory import memory_of
from lastuse.dialect.onednn.source import RESULT
from lastuse.dialect.storage import attrs


class Mismatch(Exception):
    """Why a lowered module is not accepted; the caller that catches it knows the step."""


class Signature(NamedTuple):
    """How a lowered function takes what its source takes and returns.

    Attributes:
        written: numbers of the arguments that it may write, besides those of results.
        results: for each result of the source that is a tensor, its number and the argument that it ends in.
        frame: bytes of the program's arena that are its own.
        shapes: of each argument that is memory, sizes and element type; None for a scalar.
        ops: all ops of the lowered function, however deep.
    """

    source: FuncOp
    lowered: FuncOp
    written: frozenset[int]
    results: tuple[tuple[int, int], ...]
    frame: tuple[int, int]
    shapes: tuple[tuple[tuple[int, ...], str] | None, ...]
    ops: Sequence[Operation]

    @property
    def writable(self) -> frozenset[int]:
        """Numbers of all arguments that it may write."""
        return self.written | {argument for _, argument in self.results}


def signature_of(source: FuncOp, lowered: FuncOp) -> Signature:
    """How the arguments and results of a lowered function stand for those of its source.

    Raises:
        Refusal: they do not.
    """
    name, inputs, outputs = source.sym_name.data, source.args, source.function_type.outputs.data
    arguments = list(lowered.args)
    attributes_of = [attrs.argument_attributes(a) for a in arguments]
    ends = {label: index for index, a in enumerate(attributes_of) if (label := _text(a.get(RESULT))) is not None}
    results: list[tuple[int, int]] = []
    for number, type_ in enumerate(outputs):
        if isinstance(type_, TensorType):
            end = _end(source, number, ends)
            if _shape(arguments[end].type) != _shape(type_):
                raise Mismatch(f"argument {end} of @{name} is not memory for result {number} of its source")
            results.append((number, end))
    taken = {end for _, end in results}
    if (
        len(results) != len(taken)
        or taken != set(ends.values())
        or not taken >= set(range(len(inputs), len(attributes_of)))
    ):
        raise Mismatch(f"the arguments of @{name} are not the inputs and results of its source")
    donated = frozenset(a.index for a in inputs if attrs.is_donated(a))
    for argument in inputs:
        stated, attributes = attributes_of[argument.index], attrs.argument_attributes(argument)
        names = _text(stated.get(attrs.NAME)), _text(attributes.get(attrs.NAME))
        if names[0] != names[1] or _shape(arguments[argument.index].type) != _shape(argument.type):
            raise Mismatch(f"argument {argument.index} of @{name} is not that of its source")
        if isinstance(stated.get(attrs.DONATED), UnitAttr) != (argument.index in donated):
            raise Mismatch(
                f"argument {argument.index} of @{name} is donated here and not in its source, or there alone"
            )
    _check_scalars(source, lowered)
    arena = next((op for op in lowered.body.blocks[0].ops if isinstance(op, ArenaOp)), None)
    frame = (0, 0) if arena is None else (arena.byte_offset, arena.byte_offset + arena.nbytes)
    shapes = tuple(_shape(a.type) if isinstance(a.type, MemRefType) else None for a in arguments)
    return Signature(source, lowered, donated, tuple(results), frame, shapes, list(lowered.body.walk()))


def _end(source: FuncOp, number: int, ends: dict[str, int]) -> int:
    """The argument of the lowered function that a result of the source ends in."""
    label = _text(attrs.result_attributes(source, number).get(attrs.NAME))
    end = None if label is None else ends.get(label)
    if end is None:
        raise Mismatch(f"@{source.sym_name.data} has no memory for result {number} of its source")
    tied = attrs.tied_argument(source, number)
    inside = end < len(source.args)
    if end != tied if tied is not None else inside and not attrs.is_donated(source.args[end]):
        raise Mismatch(f"result {number} of @{source.sym_name.data} ends in argument {end}, which is not its memory")
    return end


def _check_scalars(source: FuncOp, lowered: FuncOp) -> None:
    """The scalars that are returned have the types and names of the source's."""
    outputs, scalars = source.function_type.outputs.data, lowered.function_type.outputs.data
    expected = [
        (type_, _text(attrs.result_attributes(source, number).get(attrs.NAME)))
        for number, type_ in enumerate(outputs)
        if not isinstance(type_, TensorType)
    ]
    if expected != [(t, _text(attrs.result_attributes(lowered, n).get(RESULT))) for n, t in enumerate(scalars)]:
        raise Mismatch(f"@{source.sym_name.data} returns other scalars than its source")


def _text(attribute: Attribute | None) -> str | None:
    return attribute.data if isinstance(attribute, StringAttr) else None


def _shape(type_: Attribute) -> tuple[tuple[int, ...], str]:
    """Sizes and element type; of a scalar none and its type."""
    if isinstance(type_, MemRefType):
        memory = memory_of(type_)
        return memory.shape, memory.dtype
    if isinstance(type_, TensorType):
        return type_.get_shape(), dtype_name(type_.element_type)
    return (-1,), dtype_name(type_)
