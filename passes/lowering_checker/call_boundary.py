"""Calls and returns: the values that cross the boundary of a function, and where the frames of functions lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import CallOp, ReturnOp

from lastuse.dialect.ir.flow_graphs import called_from, callee_of
from lastuse.passes.lowering_checker.cells import CellRegion, State
from lastuse.passes.lowering_checker.signature import Mismatch, Signature
from lastuse.passes.lowering_checker.steps import StepChecker


def check_frames(functions: Mapping[str, Signature]) -> None:
    """Functions that may be running together have frames that are apart.

    Raises:
        Refusal: they have not, or one may be called while it runs.
    """
    lowered = {name: signature.lowered for name, signature in functions.items()}
    for name, signature in functions.items():
        called = {callee_of(op) for op in signature.ops if type(op) is CallOp} & lowered.keys()
        below = {inner for callee in called for inner in called_from(lowered[callee], lowered)}
        if name in below:
            raise Mismatch(f"@{name} may be called while it runs")
        for callee in sorted(below):
            (low, high), (other_low, other_high) = signature.frame, functions[callee].frame
            if low < other_high and other_low < high:
                raise Mismatch(f"the frames of @{name} and of @{callee}, which it calls, overlap")


def call(
    source: CallOp,
    lowered: CallOp,
    state: State,
    steps: StepChecker,
    codes: Sequence[int | None],
    functions: Mapping[str, Signature],
) -> None:
    """A call: operands hold those of the source, results are written, what is given away holds nothing after.

    Raises:
        Refusal: an operand is another one, or memory that the callee writes is passed twice or may not be written.
    """
    name = source.callee.string_value()
    if lowered.callee.string_value() != name or name not in functions:
        raise Mismatch(f"its source calls @{name}")
    callee = functions[name]
    if len(callee.shapes) != len(lowered.operands):
        raise Mismatch(f"@{name} takes {len(callee.shapes)} operands")
    regions: list[CellRegion | None] = []
    for index, (shape, value) in enumerate(zip(callee.shapes, lowered.operands, strict=True)):
        region = None if shape is None else steps.region(value)
        regions.append(region)
        if region is not None:
            if (region.shape, region.dtype) != shape or not region.layout.is_dense:
                raise Mismatch(f"operand {index} does not lie as @{name} takes it")
            if index in callee.writable and not region.storage.written and region.nbytes:
                raise Mismatch(f"operand {index} is read-only, and @{name} may write it")
        if index < len(source.operands):
            operand = source.operands[index]
            if region is not None:
                steps.require(state, region, steps.values.tensors[operand].row, operand)
            elif codes[index] != steps.values.scalars[operand]:
                raise Mismatch(f"operand {index} is another scalar than in its source")
    for index in callee.writable:
        region = regions[index]
        if region is None:
            continue
        for other, met in enumerate(regions):
            if other != index and met is not None and region.overlaps(met):
                raise Mismatch(f"operands {index} and {other} overlap, and @{name} may write one of them")
        steps.memory.clear(state, region)
    for number, index in callee.results:
        region = regions[index]
        assert region is not None
        steps.memory.write(state, region, steps.values.tensors[source.results[number]].row)


def leave(source: ReturnOp, state: State, steps: StepChecker, codes: Sequence[int], function: Signature) -> None:
    """A return: each result is where the caller looks for it.

    Raises:
        Refusal: it holds something else.
    """
    for number, index in function.results:
        region = steps.region(function.lowered.body.blocks[0].args[index])
        value = source.operands[number]
        steps.require(state, region, steps.values.tensors[value].row, value)
    scalars = [steps.values.scalars[v] for v in source.operands if not isinstance(v.type, TensorType)]
    if scalars != list(codes):
        raise Mismatch("it returns other scalars than its source")
