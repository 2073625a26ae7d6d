"""One step as a whole program: its operands brought into the arena, the step, its results brought out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region

from lastuse.dialect.ir.tensor_types import name_of_dtype
from lastuse.dialect.onednn.buffers import ArenaOp
from lastuse.dialect.onednn.memory import Operand, memref_type
from lastuse.dialect.onednn.primitives.base import Emitter
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage.layout import Strided
from lastuse.runtime.program import Executable

Shape = tuple[int, ...]


def step_module(
    op_class: type[DestinationStyleBase],
    ins: Sequence[np.ndarray],
    outs: Sequence[np.ndarray],
    attributes: Mapping[str, Attribute],
    over: int | None = None,
    gap: int = 0,
    turned: bool = False,
) -> ModuleOp:
    """The module `main(in0, in1, …) -> out0, out1, …` of one step.

    Args:
        ins, outs: arrays of the shapes and dtypes of the operands; only those count.
        over: out 0 is written over this in; None: every out has a place of its own.
        gap: elements between rows: operands are then no dense layouts.
        turned: in 0 lies column-major.
    """
    arrays = [*ins, *outs]
    dtypes = [name_of_dtype(a.dtype) for a in arrays]
    dense = [Strided.dense(a.shape, a.itemsize) for a in arrays]
    block = Block(arg_types=[memref_type(m, dtype) for m, dtype in zip(dense, dtypes, strict=True)])
    layouts, end = list[Strided](), 0
    for number, array in enumerate(arrays):
        layout = _column_major(array, end) if turned and not number else _spread(array, gap, end)
        layouts.append(layout)
        end = (layout.span[1] + 63) // 64 * 64
    arena = ArenaOp(end)
    emit = Emitter(block)
    emit.add(arena)
    places = [Operand(arena.memory, m, dtype) for m, dtype in zip(layouts, dtypes, strict=True)]
    sources, targets = places[: len(ins)], places[len(ins) :]
    if over is not None:
        targets[0] = sources[over]
    given = [Operand(a, m, dtype) for a, m, dtype in zip(block.args, dense, dtypes, strict=True)]
    for outside, inside in zip(given, sources, strict=False):
        emit.add(BufferCopyOp([emit.value(outside)], [emit.value(inside)]))
    emit.add(op_class([emit.value(v) for v in sources], [emit.value(v) for v in targets], None, dict(attributes)))
    for inside, outside in zip(targets, given[len(ins) :], strict=True):
        emit.add(BufferCopyOp([emit.value(inside)], [emit.value(outside)]))
    emit.add(ReturnOp())
    names: list[dict[str, Attribute]] = [{"dnn.name": StringAttr(f"in{k}")} for k in range(len(ins))]
    for k in range(len(outs)):
        names.append({"onednn.result": StringAttr(f"out{k}")})
    func = FuncOp(
        "main",
        FunctionType.from_lists([a.type for a in block.args], []),
        Region(block),
        arg_attrs=ArrayAttr([DictionaryAttr(n) for n in names]),
    )
    return ModuleOp([func])


def _spread(array: np.ndarray, gap: int, offset: int) -> Strided:
    """The array's layout with `gap` elements after each row of its last axis."""
    if not gap or array.ndim < 2:
        return Strided.dense(array.shape, array.itemsize, offset)
    wide = Strided.dense((*array.shape[:-1], array.shape[-1] + gap), array.itemsize, offset)
    return wide._replace(sizes=array.shape)


def _column_major(array: np.ndarray, offset: int) -> Strided:
    backwards = Strided.dense(array.shape[::-1], array.itemsize, offset)
    return backwards._replace(sizes=array.shape, strides=backwards.strides[::-1])


def run_step(
    op_class: type[DestinationStyleBase],
    ins: Sequence[np.ndarray],
    outs: Sequence[np.ndarray],
    attributes: Mapping[str, Attribute],
    over: int | None = None,
    gap: int = 0,
    turned: bool = False,
) -> list[np.ndarray]:
    """The results of that module on `ins`; the arena holds NaNs before."""
    module = step_module(op_class, ins, outs, attributes, over, gap, turned)
    module.verify()
    program = Executable(module, poison=True)
    results = program.run({f"in{k}": a for k, a in enumerate(ins)})
    return [results[f"out{k}"] for k in range(len(outs))]
