"""The scratch that primitives take, asked before storage is planned.

A plan can give a primitive's scratchpad a place in the arena only if it knows its size, and only oneDNN knows that. So
`measured` prepares the primitive of each op as lowering will, on operands that lie where the decisions so far put them,
and says the bytes. Passes ask for them through their context (`ToolContext.measure_scratch`) and note them in
`dnn.scratch_bytes`, which the op's contract then states.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import DenseResourceAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.gru import GRU
from lastuse.dialect.dnn.scratch import may_take_scratch
from lastuse.dialect.ir.dtypes import element_type
from lastuse.dialect.ir.locks import ForkLock
from lastuse.dialect.ir.symbolic_shape import typed
from lastuse.dialect.onednn import ConstantBufferOp, KernelCallOp, OneDnnGruOp, PrimitiveBase, memref_type
from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage, places
from lastuse.dialect.storage.contract import ENGINE, contract_of
from lastuse.dialect.storage.layout import Strided
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.lowering.emit import Emitter, Operand
from lastuse.passes.lowering.select import select
from lastuse.runtime import _core
from lastuse.runtime.primitives import gru_scratch, primitive_of

KEPT = 4096
"""Answers that are kept, those asked for last."""


class _Wanted(NamedTuple):
    """All that the steps of an op depend on: ops that agree here take the same scratch.

    Attributes:
        values: of each operand and result its layout, its element type, and which storage it is in; of one in a
            constant the sizes of that.
    """

    name: str
    attributes: frozenset[tuple[str, Attribute]]
    values: tuple[tuple[Strided, str, int, tuple[int, ...] | None], ...]
    operands: int
    threads: int


class _Answers:
    """What oneDNN said, for all programs of the process."""

    def __init__(self) -> None:
        self._known: OrderedDict[_Wanted, int] = OrderedDict()
        self._lock = ForkLock()

    def of(self, wanted: _Wanted, op: DnnOp) -> int:
        with self._lock:
            found = self._known.get(wanted)
            if found is not None:
                self._known.move_to_end(wanted)
                return found
        found = _scratch_bytes(op, wanted)
        with self._lock:
            self._known[wanted] = found
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return found


_answers = _Answers()


def measured(module: Operation, threads: int = 0) -> dict[Operation, int]:
    """How many bytes of scratch each op takes whose steps are a primitive's, with so many threads (0: OpenMP's number).

    Operands and results lie where the decisions on the ops put them. Ops with unknown sizes are left out. An op that
    oneDNN does not take on such places has the scratch of its own kernel.

    Raises:
        LastuseError: oneDNN has no primitive for a step that was chosen, or sizes do not fit.
    """
    used = threads or _core.get_threads()
    found: dict[Operation, int] = {}
    for func in module.walk():
        if not isinstance(func, FuncOp) or not func.body.blocks:
            continue
        ops = [op for op in func.walk() if isinstance(op, DnnOp) and may_take_scratch(op)]
        if not ops:
            continue
        sizes = infer_shapes(func)
        placed = places(func, sizes, planned=False)
        for op in ops:
            wanted = _wanted(op, placed.of, used)
            if wanted is not None:
                found[op] = _answers.of(wanted, op)
    return found


def _wanted(op: DnnOp, placed: Mapping[SSAValue, Place], threads: int) -> _Wanted | None:
    """What to ask for; None where a size is not known."""
    values: list[tuple[Strided, str, int, tuple[int, ...] | None]] = []
    numbers: dict[Storage, int] = {}
    for value in (*op.operands, *op.results):
        place = placed.get(value)
        if place is None or not isinstance(place.layout, Strided):
            return None
        storage, dtype = place.storage, typed(value.type).dtype
        constant = storage.key if storage.kind is PlaceKind.CONSTANT else None
        whole = placed[constant].layout if isinstance(constant, SSAValue) else None
        sizes = whole.sizes if isinstance(whole, Strided) else None
        values.append((place.layout, dtype, numbers.setdefault(storage, len(numbers)), sizes))
    given = {k: v for k, v in {**op.properties, **op.attributes}.items() if "." not in k or k in (ENGINE, GRU)}
    return _Wanted(op.name, frozenset(given.items()), tuple(values), len(op.operands), threads)


def _scratch_bytes(op: DnnOp, wanted: _Wanted) -> int:
    """The most scratch that a step of `op` takes; none where nothing is to be written."""
    if all(0 in layout.sizes for layout, *_ in wanted.values[wanted.operands :]):
        return 0
    emit = Emitter(Block())
    roots: dict[int, SSAValue] = {}
    extents: dict[int, int] = {}
    for layout, _, number, _ in wanted.values:
        extents[number] = max(extents.get(number, 0), layout.span[1])
    found: list[Operand] = []
    for layout, dtype, number, constant in wanted.values:
        if number not in roots:
            roots[number] = _argument(emit, extents[number]) if constant is None else _constant(emit, constant, dtype)
        found.append(Operand(roots[number], layout, dtype))
    select(op, found[: wanted.operands], found[wanted.operands :], None, emit)
    return max((_needed(step, wanted.threads) for step in emit.block.ops), default=0)


def _needed(step: Operation, threads: int) -> int:
    match step:
        case PrimitiveBase():
            return primitive_of(step, threads).scratch_bytes
        case OneDnnGruOp():
            return gru_scratch(step, threads).nbytes
        case KernelCallOp():
            return contract_of(step.op()).scratch
        case _:
            return 0


def _argument(emit: Emitter, nbytes: int) -> SSAValue:
    return emit.block.insert_arg(memref_type(Strided.dense((nbytes,), 1), "i8"), len(emit.block.args))


def _constant(emit: Emitter, sizes: tuple[int, ...], dtype: str) -> SSAValue:
    """A constant of which only the type matters: nothing here asks for its bytes."""
    constant = ConstantBufferOp(DenseResourceAttr.from_params("unknown", TensorType(element_type(dtype), sizes)))
    emit.add(constant)
    return constant.memory
