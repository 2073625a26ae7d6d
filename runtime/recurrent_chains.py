"""Recurrent layers as chains of primitives, each of which computes a few steps.

The scratch of oneDNN's recurrent layers grows with their steps and is most of what such a layer takes: 1.7 MB for 32
steps of one sequence at 600 channels, 0.48 MB for 8. So a layer of more steps than `STEPS` is cut. A primitive takes
the state from the last output of the one before it, and the cells of an lstm from a place that the two exchange:
oneDNN does not say that its results may be its operands.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import item_bytes, numpy_dtype
from lastuse.dialect.onednn.memory import MemRefLayout, Operand, locate
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.dialect.storage.layout import Strided, aligned
from lastuse.runtime import _core
from lastuse.runtime.engines import AVX2

STEPS = 8
"""The most steps of one primitive of a chain."""
CHAINS = 256
"""Chains that are kept, those asked for last."""


class RecurrentChain(NamedTuple):
    """The primitives of one layer, in the order in which they run.

    Attributes:
        steps: how many steps each computes.
        primitives: of the same weights in the same layouts.
        cells: the sizes of the cells that are handed on in scratch; none for a single primitive, or no lstm.
    """

    steps: tuple[int, ...]
    primitives: tuple[_core.Primitive, ...]
    cells: tuple[int, ...]

    @property
    def primitive_scratch(self) -> int:
        """Bytes of the scratch of the primitive that takes most."""
        return max(primitive.scratch_bytes for primitive in self.primitives)

    @property
    def scratch_bytes(self) -> int:
        """Bytes of scratch; cells lie behind that of primitives."""
        if not self.cells:
            return self.primitive_scratch
        return aligned(self.primitive_scratch) + int(np.prod(self.cells)) * item_bytes("f32")

    @property
    def implementations(self) -> list[str]:
        return [primitive.implementation for primitive in self.primitives]


class ChainLink(NamedTuple):
    """One primitive of a chain, and where its operands are: x, the states before it; y, the states after it."""

    primitive: _core.Primitive
    ins: list[Operand]
    outs: list[Operand]


def chain_of_step(step: OneDnnRecurrentOp, threads: int, cut: bool = True) -> RecurrentChain:
    """The chain of `step` for so many threads, weights in the layouts that its first primitive chooses.

    Args:
        cut: whether it may have more than one primitive.

    Raises:
        LastuseError: oneDNN has no such layer; with the step's place.
    """
    attributes = frozenset((name, value) for name, value in step.attributes.items() if "." not in name)
    types = tuple(value.type for value in (*step.ins, *step.outs))
    steps = _steps(step) if cut else _whole(step)
    kept = _kept((attributes, types, threads, steps))
    if not kept:
        numbers = step.numbers
        rows = [(1, 1, step.in_memories[k].shape[1], step.gates, step.hidden) for k in (numbers.w, numbers.r)]
        layer, iter_ = (_core.Desc.any_layout(np.dtype(np.float32), shape) for shape in rows)
        try:
            kept.append(chain_of(step, layer, iter_, threads, steps))
        except _core.Error as error:
            raise LastuseError(f"{step.name}: {error}", step) from error
    return kept[0]


@lru_cache(maxsize=CHAINS)
def _kept(key: Hashable) -> list[RecurrentChain]:
    """Where the chain of this key is kept once it is prepared; two threads may prepare it at the same time."""
    return []


def chain_of(
    step: OneDnnRecurrentOp, layer: _core.Desc, iter_: _core.Desc, threads: int, steps: tuple[int, ...]
) -> RecurrentChain:
    """The chain of `step` of so many steps each, with both weights in those layouts, or where they are any, in those
    that the first primitive chooses. Raises `_core.Error` where there is none."""
    if _core.isa() < AVX2:
        raise _core.Error('oneDNN\'s recurrent layers corrupt memory without AVX2; dnn.engine = "cpu" runs the op')
    first = _primitive(step, layer, iter_, threads, steps[0], is_first=True)
    layer, iter_, *_ = parameter_layouts(step, first)
    others = {count: _primitive(step, layer, iter_, threads, count, is_first=False) for count in set(steps[1:])}
    hands_on_cells = step.cell.data == "lstm" and len(steps) > 1
    cells = (1, 1, step.in_memories[0].shape[1], step.hidden) if hands_on_cells else ()
    return RecurrentChain(steps, (first, *(others[count] for count in steps[1:])), cells)


def _whole(step: OneDnnRecurrentOp) -> tuple[int, ...]:
    return (step.in_memories[0].shape[0],)


def _steps(step: OneDnnRecurrentOp) -> tuple[int, ...]:
    """Into how many steps each the layer is cut. It stays whole where a state is not dense, in y or by itself: only
    dense ones are known to be handed on without a copy."""
    (whole,) = _whole(step)
    states = [memory.layout for memory in step.out_memories]
    count = -(-whole // STEPS) if all(_has_dense_rows(layout) for layout in states) else 1
    return tuple(whole // count + (k < whole % count) for k in range(count))


def _has_dense_rows(layout: Strided) -> bool:
    """The last two axes are dense."""
    *_, rows, row = layout.sizes
    *_, stride, item = layout.strides
    return (item == layout.item or row == 1) and (stride == row * layout.item or rows == 1)


def _primitive(
    step: OneDnnRecurrentOp, layer: _core.Desc, iter_: _core.Desc, threads: int, steps: int, is_first: bool
) -> _core.Primitive:
    """So many steps of the layer, the first ones in the order of its direction or later ones."""
    numbers, cell = step.numbers, step.cell.data
    ins, (y, last_h, *last_c) = step.in_memories, step.out_memories
    if is_first:
        h, c = (None if k is None else _desc(ins[k]) for k in (numbers.h, numbers.c))
    else:
        h, c = _desc_of(_state_at(y.layout, 0), y.dtype), _desc(last_c[0]) if last_c else None
    peephole = None if numbers.peephole is None else _rows(3, step.hidden)
    bias = _rows(4 if cell == "lbr_gru" else step.gates, step.hidden)
    x, y = (_desc_of(_at_steps(memory.layout, 0, steps), memory.dtype) for memory in (ins[numbers.x], y))
    end_h, end_c = _desc(last_h), _desc(last_c[0]) if last_c else None
    return _core.recurrent(cell, step.is_reverse, x, layer, iter_, bias, y, h, c, peephole, end_h, end_c, threads)


def chain_links(step: OneDnnRecurrentOp, chain: RecurrentChain, scratch: Operand | None) -> Iterator[ChainLink]:
    """Each primitive of the chain with its operands.

    Args:
        scratch: where the scratch of the step is; a chain that hands on cells needs it.
    """
    numbers, whole = step.numbers, step.in_memories[0].shape[0]
    x, (y, *ends) = locate(step.ins[numbers.x]), (locate(value) for value in step.outs)
    states = [locate(step.ins[k]) for k in (numbers.h, numbers.c) if k is not None]
    done = 0
    for left, count, primitive in zip(reversed(range(len(chain.steps))), chain.steps, chain.primitives, strict=True):
        begin = whole - done - count if step.is_reverse else done
        outs = [y.at(_at_steps(y.layout, begin, count)), *ends]
        if left % 2 and chain.cells:
            assert scratch is not None
            room = scratch.layout.offset + aligned(chain.primitive_scratch)
            outs[2] = Operand(scratch.root, Strided.dense(chain.cells, item_bytes("f32")).shifted(room), "f32")
        yield ChainLink(primitive, [x.at(_at_steps(x.layout, begin, count)), *states], outs)
        last = begin if step.is_reverse else begin + count - 1
        states = [y.at(_state_at(y.layout, last)), *outs[2:]]
        done += count


def parameter_layouts(step: OneDnnRecurrentOp, primitive: _core.Primitive) -> list[_core.Desc]:
    """The layouts of what is packed, in the order of oneDNN's arguments."""
    numbers = step.numbers
    first = 1 + sum(k is not None for k in (numbers.h, numbers.c))
    return primitive.ins[first:]


def _at_steps(layout: Strided, begin: int, count: int) -> Strided:
    """So many steps of [T, N, H] from `begin` on."""
    return Strided(layout.offset + begin * layout.strides[0], (count, *layout.sizes[1:]), layout.strides, layout.item)


def _state_at(layout: Strided, step: int) -> Strided:
    """One step of [T, N, H] as the state [1, 1, N, H]."""
    (_, batch, hidden), (stride, rows, item) = layout.sizes, layout.strides
    offset = layout.offset + step * stride
    return Strided(offset, (1, 1, batch, hidden), (batch * rows, batch * rows, rows, item), layout.item)


def _desc(memory: MemRefLayout) -> _core.Desc:
    return _desc_of(memory.layout, memory.dtype)


def _desc_of(layout: Strided, dtype: str) -> _core.Desc:
    return _core.Desc(numpy_dtype(dtype), layout.sizes, [stride // layout.item for stride in layout.strides])


def _rows(gates: int, hidden: int) -> _core.Desc:
    """The layout of a bias or of a peephole."""
    shape = (1, 1, gates, hidden)
    return _core.Desc(np.dtype(np.float32), shape, Strided.dense(shape, 1).strides)
