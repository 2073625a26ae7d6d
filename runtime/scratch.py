"""The scratch that oneDNN's primitives need, asked before storage is planned.

A plan can give a primitive's scratchpad a place in the arena only if it knows its size, and only oneDNN knows that. So
`measure` prepares the primitive of each op once on dense operands and notes the bytes in `dnn.scratch_bytes`, which the
op's contract then states.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import DenseResourceAttr, IntegerAttr, ModuleOp, TensorType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lastuse.dialect import decisions
from lastuse.dialect.base import DnnOp
from lastuse.dialect.dnn.sources import Constant
from lastuse.dialect.dtypes import element_type
from lastuse.dialect.layout import Strided
from lastuse.dialect.onednn import CallOp, ConstantOp, GruOp, PrimitiveStep, memref_type
from lastuse.dialect.onednn.emit import Emitter, Operand
from lastuse.dialect.onednn.selection import select
from lastuse.dialect.place import dense
from lastuse.dialect.shape import Typed
from lastuse.dialect.sizes import Sizes, infer_sizes
from lastuse.dialect.storage import ENGINE, contract_of

from .describe import gru_room, primitive_of


class _Wanted(NamedTuple):
    """All that a primitive depends on: ops that agree here need the same scratch."""

    name: str
    attributes: frozenset[tuple[str, Attribute]]
    types: tuple[tuple[Typed, bool], ...]

    @staticmethod
    def of(op: DnnOp, sizes: Sizes) -> _Wanted:
        attributes = {k: v for k, v in op.attributes.items() if "." not in k or k == ENGINE}
        types = tuple((sizes[v], isinstance(v.owner, Constant)) for v in (*op.operands, *op.results))
        return _Wanted(op.name, frozenset(attributes.items()), types)


def measure(module: ModuleOp, threads: int = 0) -> None:
    """Notes on every op that a primitive computes how much scratch it needs with so many threads (0: OpenMP's number).

    Ops with unknown sizes, and ops whose primitive needs none, get no note; a note of an earlier measurement goes.
    """
    known: dict[_Wanted, int] = {}
    for func in module.walk():
        if not isinstance(func, FuncOp) or not func.body.blocks:
            continue
        sizes = infer_sizes(func)
        for op in func.walk():
            if not isinstance(op, DnnOp):
                continue
            op.attributes.pop(decisions.SCRATCH_BYTES, None)
            if op.primitive() is None or not all(v in sizes for v in (*op.operands, *op.results)):
                continue
            wanted = _Wanted.of(op, sizes)
            if wanted not in known:
                known[wanted] = scratch_bytes(op, sizes, threads)
            if known[wanted]:
                op.attributes[decisions.SCRATCH_BYTES] = IntegerAttr(known[wanted], i64)


def scratch_bytes(op: DnnOp, sizes: Sizes, threads: int = 0) -> int:
    """Bytes of scratch that the steps of `op` need on dense operands.

    0 where a size is unknown. Where the op's own kernel has to run it, the scratch of that.

    Raises:
        LastuseError: oneDNN has no primitive for a step that was chosen.
    """
    emit = Emitter(Block())
    places: list[Operand] = []
    for value in (*op.operands, *op.results):
        layout, dtype = dense(sizes[value]), sizes[value].dtype
        if not isinstance(layout, Strided):
            return 0
        # Constants may be packed, and a primitive with packed weights is another one.
        constant = isinstance(value.owner, Constant)
        root = _constant(emit, layout, dtype) if constant else _argument(emit, layout, dtype)
        places.append(Operand(root, layout, dtype))
    select(op, places[: len(op.operands)], places[len(op.operands) :], None, emit)
    return max((_needed(step, threads) for step in emit.block.ops), default=0)


def _needed(step: Operation, threads: int) -> int:
    match step:
        case PrimitiveStep():
            return primitive_of(step, threads).scratch_bytes
        case GruOp():
            return gru_room(step, threads).nbytes
        case CallOp():
            return contract_of(step.op()).scratch
        case _:
            return 0


def _argument(emit: Emitter, layout: Strided, dtype: str) -> SSAValue:
    return emit.block.insert_arg(memref_type(layout, dtype), len(emit.block.args))


def _constant(emit: Emitter, layout: Strided, dtype: str) -> SSAValue:
    """A constant of which only the type matters: nothing here asks for its bytes."""
    type_ = TensorType(element_type(dtype), layout.sizes)
    constant = ConstantOp(DenseResourceAttr.from_params("unknown", type_))
    emit.add(constant)
    return constant.memory
