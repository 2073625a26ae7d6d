"""The scratch that primitives take, measured before storage is planned.

A plan can give a primitive's scratchpad an offset in the arena only if it knows its size, and only oneDNN knows that.
So `measured` prepares the primitive of each op as lowering will, on operands at the layouts that decisions give them,
and returns the bytes. Passes ask for them through their context (`ToolContext.measure_scratch`) and note them in
`dnn.scratch_bytes`, which the op's contract then states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.gru import GRU
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.ir.tensor_types import typed
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.base import PlacedValue
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.dialect.onednn.step import PrimitiveBase
from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage, assign_places
from lastuse.dialect.storage.contract import ENGINE
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Strided
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.runtime import _core
from lastuse.runtime.primitive_preparation import gru_scratch, native_scratch, primitive_of
from lastuse.runtime.recurrent_layers import recurrent_scratch

StepsOf = Callable[[DnnOp, Sequence[PlacedValue]], Iterable[Operation]]
"""The steps that compute an op whose operands, then results, lie there."""

KEPT = 1024
"""Answers that are kept, those asked for last."""


class _Query(NamedTuple):
    """All that the steps of an op depend on: ops that agree here take the same scratch. The first `operands` values are
    the op's operands, the others its results."""

    name: str
    attributes: frozenset[tuple[str, Attribute]]
    values: tuple[PlacedValue, ...]
    operands: int
    threads: int


@lru_cache(maxsize=KEPT)
def _kept(query: _Query) -> list[int]:
    """Where the answer is kept once it is measured; two threads may measure it at the same time."""
    return []


@unchanged_ops()
def measured(module: Operation, threads: int, steps: StepsOf) -> dict[Operation, int]:
    """How many bytes of scratch each op takes whose steps are a primitive's, with so many threads (0: OpenMP's number).

    `steps` are those that lowering chooses for an op, whose operands and results are where the decisions on the ops put
    them. Ops with unknown sizes are left out. An op that oneDNN does not take on such layouts has the scratch of its
    kernel.

    Raises:
        LastuseError: oneDNN has no primitive for a step that was chosen, or sizes do not fit.
    """
    used = threads or _core.get_threads()
    scratch: dict[Operation, int] = {}
    for func in module.walk():
        if not isinstance(func, FuncOp) or not func.body.blocks:
            continue
        ops = [op for op in func.walk() if isinstance(op, DnnOp) and op.may_take_scratch()]
        if not ops:
            continue
        sizes = infer_shapes(func)
        placed = assign_places(func, Decisions.of(func).unplanned(), sizes)
        for op in ops:
            query = _query(op, placed.of, used)
            if query is not None:
                kept = _kept(query)
                if not kept:
                    kept.append(_most(op, query, steps))
                scratch[op] = kept[0]
    return scratch


def _most(op: DnnOp, query: _Query, steps: StepsOf) -> int:
    """The most scratch that a step of the op takes; none where nothing is to be written."""
    if all(0 in value.layout.sizes for value in query.values[query.operands :]):
        return 0
    return max((_needed(step, query.threads) for step in steps(op, query.values)), default=0)


def _query(op: DnnOp, placed: Mapping[SSAValue, Place], threads: int) -> _Query | None:
    """What to ask for; None where a size is not known."""
    values: list[PlacedValue] = []
    numbers: dict[Storage, int] = {}
    for value in (*op.operands, *op.results):
        place = placed.get(value)
        if place is None or not isinstance(place.layout, Strided):
            return None
        storage, dtype = place.storage, typed(value.type).dtype
        constant = storage.key if storage.kind is PlaceKind.CONSTANT else None
        whole = placed[constant].layout if isinstance(constant, SSAValue) else None
        sizes = whole.sizes if isinstance(whole, Strided) else None
        values.append(PlacedValue(place.layout, dtype, numbers.setdefault(storage, len(numbers)), sizes))
    attributes = {k: v for k, v in {**op.properties, **op.attributes}.items() if "." not in k or k in (ENGINE, GRU)}
    return _Query(op.name, frozenset(attributes.items()), tuple(values), len(op.operands), threads)


def _needed(step: Operation, threads: int) -> int:
    match step:
        case OneDnnRecurrentOp():
            return recurrent_scratch(step, threads)
        case PrimitiveBase():
            return primitive_of(step, threads).scratch_bytes
        case OneDnnGruOp():
            return gru_scratch(step, threads).nbytes
        case KernelCallOp():
            return native_scratch(step, threads)
        case _:
            return 0
