"""What ops between tensors and memrefs mean on numpy: threads, regions, transfers of vectors, tensors in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects import bufferization, scf, vector
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
            return [np.array(given[0])]
        case vector.TransferReadOp():
            return [np.array(_window(op, given[0], given[1:2], op.results[0]))]
        case vector.TransferWriteOp():
            made = given[1] if isinstance(given[1], Buffer) else np.array(given[1])
            _window(op, made, given[2:3], op.operands[0])[...] = given[0]
            return [] if isinstance(made, Buffer) else [made]
        case _ if op_name(op) == "scf.forall":
            return _threads(op, values, region)
        case _:
            return None


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
