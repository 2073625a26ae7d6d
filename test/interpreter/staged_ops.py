"""What ops between tensors and memrefs mean on numpy: threads, regions, transfers of vectors, tensors in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects import bufferization, scf, tensor, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, VectorType
from xdsl.ir import Operation, Region, SSAValue

from lastuse.dialect.ir.diagnostics import op_name

from .buffers import Buffer, OutOfBounds, part_of
from .ir_values import Array

Values = dict[SSAValue, Array]
RunRegion = Callable[[Region, Sequence[Array], Values], Sequence[Array]]


def staged(op: Operation, values: Values, region: RunRegion) -> Sequence[Array | Buffer] | None:
    """The results of such an op; None for any other."""
    given = [values[v] for v in op.operands]
    match op:
        case scf.ExecuteRegionOp() if len(op.region.blocks) == 1:
            return region(op.region, [], values)
        case bufferization.AllocTensorOp() if op.copy is not None:
            return [np.array(values[op.copy])]
        case bufferization.MaterializeInDestinationOp():
            if given[0].shape != given[1].shape:
                raise OutOfBounds
            return [np.array(given[0])]
        case vector.TransferReadOp():
            return [np.array(_window(op, given[0], given[1:2], op.results[0]))]
        case vector.TransferWriteOp():
            made = given[1] if isinstance(given[1], Buffer) else np.array(given[1])
            _window(op, made, given[2:3], op.operands[0])[...] = given[0]
            return [] if isinstance(made, Buffer) else [made]
        case tensor.PadOp():
            return [_padded(op, values, region)]
        case scf.IndexSwitchOp():
            cases = [*op.cases.get_values()]
            number = int(values[op.arg])
            taken = op.case_regions[cases.index(number)] if number in cases else op.default_region
            return region(taken, [], values)
        case _ if op_name(op) == "tensor.generate":
            shape = _sizes(op.results[0].type.get_shape(), given)  # pyright: ignore
            return [_elements(np.empty(shape, np.int64), op.regions[0], values, region)]
        case _ if op_name(op) == "scf.forall":
            return _threads(op, values, region)
        case _:
            return None


def _sizes(static: Sequence[int], dynamic: Sequence[Array]) -> list[int]:
    """Numbers of which the unknown ones are given."""
    sizes = iter(dynamic)
    found = [int(next(sizes)) if n == DYNAMIC_INDEX else int(n) for n in static]
    if min(found, default=0) < 0:
        raise OutOfBounds
    return found


def _elements(made: Array, body: Region, values: Values, region: RunRegion) -> Array:
    """Each element is what a region makes of its indices."""
    for at in np.ndindex(made.shape):
        (made[at],) = region(body, [np.array(n, np.int64) for n in at], values)
    return made


def _padded(op: tensor.PadOp, values: Values, region: RunRegion) -> Array:
    """The source inside of elements that the region makes."""
    source = values[op.source]
    low, high = (
        _sizes(static.get_values(), [values[v] for v in dynamic])
        for static, dynamic in ((op.static_low, op.low), (op.static_high, op.high))
    )
    shape = [a + n + b for a, n, b in zip(low, source.shape, high, strict=True)]
    if any(n not in (DYNAMIC_INDEX, have) for n, have in zip(op.result.type.get_shape(), shape, strict=True)):
        raise OutOfBounds
    made = _elements(np.empty(shape, source.dtype), op.region, values, region)
    made[tuple(slice(a, a + n) for a, n in zip(low, source.shape, strict=True))] = source
    return made


def _window(op: Operation, source: Array | Buffer, at: Sequence[Array], shown: SSAValue) -> Array:
    assert isinstance(shown.type, VectorType)
    (size,) = shown.type.get_shape()
    if isinstance(source, Buffer):
        array = source.read() if isinstance(op, vector.TransferReadOp) else source.written()
    else:
        array = source
    return part_of(array, [int(at[0])], [size], [1])


def _threads(op: Operation, values: Values, region: RunRegion) -> Sequence[Array]:
    """Threads of one counter with known bounds: all see what was there before, and then insert one after the other."""
    said = {**op.properties, **op.attributes}
    bounds = [said[f"static{name}"] for name in ("LowerBound", "UpperBound", "Step")]
    lower, upper, step = (int(b.get_values()[0]) for b in bounds if isinstance(b, DenseArrayBase))
    shared = [values[v] for v in op.operands]
    block = op.regions[0].blocks[0]
    made = [np.array(s) for s in shared]
    outputs: Values = dict(zip(block.args[1:], made, strict=True))
    for turn in range(lower, upper, step):
        inner = dict(values)
        region(op.regions[0], [np.array(turn, np.int64), *shared], inner)
        end = block.last_op
        assert end is not None
        for insert in end.regions[0].blocks[0].ops:
            source, into, *offsets = insert.operands
            static = {**insert.properties, **insert.attributes}
            lists = [static[f"static_{name}"] for name in ("offsets", "sizes", "strides")]
            numbers = [list(entry.get_values()) for entry in lists if isinstance(entry, DenseArrayBase)]
            start = iter(offsets)
            numbers[0] = [int(inner[next(start)]) if n == DYNAMIC_INDEX else n for n in numbers[0]]
            part = part_of(outputs[into], *numbers)
            if part.size != inner[source].size:
                raise OutOfBounds
            part[...] = inner[source].reshape(part.shape)
    return made
