"""The bytes of packed weights that a program will have, asked before anything is packed.

The same choices are made as when the program is built (`build.py`, `weights.py`), of layouts alone.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import functions_of, reverse_postorder
from lastuse.dialect.ir.tensor_types import item_bytes
from lastuse.dialect.onednn.buffers import ConstantBufferOp
from lastuse.dialect.onednn.memory import locate, memory_of
from lastuse.dialect.onednn.primitives.convolution import WeightedBase
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.dialect.storage.layout import aligned
from lastuse.runtime import _core
from lastuse.runtime.build import callees_first, writes_nothing
from lastuse.runtime.constant_arrays import elements, packed_source, plain_weights, view_of_constant
from lastuse.runtime.engines import own_width
from lastuse.runtime.primitive_preparation import layout_of, primitive_of, recipe_of
from lastuse.runtime.recurrent_layers import recurrent_key, shape_of_step
from lastuse.runtime.weights import PackedWeights, fitting, gru_key, identity

VECTOR_COLUMNS, PANEL_COLUMNS = 8, 24
"""Columns that the panels of weights (the second), and bias and scales (the first), are filled up to."""


def packed_bytes(module: ModuleOp, threads: int, weights: PackedWeights, function: str = "main") -> int:
    """Bytes of the packed weights that a program of `function` reads if it is built next; nothing is packed.

    Args:
        module: as `Program` takes it, as well as the other arguments.
        weights: what is packed already is chosen where building chooses it.

    Raises:
        LastuseError: oneDNN has no primitive for a step, or a constant has no array; with the op's place.
    """
    asked = _Packings(module, _core.StepProgram(0, threads).threads, weights)
    for func in callees_first(functions_of(module), function):
        for op in (op for block in reverse_postorder(func.body) for op in block.walk()):
            if not isinstance(op, OneDnnMatmulOp | WeightedBase | OneDnnGruOp | OneDnnRecurrentOp):
                continue
            if writes_nothing(op):
                continue
            try:
                if isinstance(op, OneDnnRecurrentOp):
                    asked.add_recurrent(op)
                elif not isinstance(op, OneDnnGruOp):
                    asked.add_weights(op)
                elif op.is_packed:
                    asked.add_gru(op)
            except (_core.Error, VerifyException) as error:
                raise LastuseError(f"{op.name}: {error}", op) from error
    return asked.nbytes


class _Packings:
    """The packings of the steps so far, each counted once."""

    def __init__(self, module: ModuleOp, threads: int, weights: PackedWeights) -> None:
        self._module, self._threads, self._weights = module, threads, weights
        self._layouts: dict[Hashable, list[_core.Desc]] = {}
        self._bytes: dict[Hashable, int] = {}

    @property
    def nbytes(self) -> int:
        return sum(self._bytes.values())

    def add_weights(self, step: OneDnnMatmulOp | WeightedBase) -> None:
        source = packed_source(step.ins[1])
        if source is None:
            return
        memory, key = memory_of(source.type), self._key(source)
        layouts = self._layouts.setdefault(key, self._weights.layouts_of(key))
        number, primitive = fitting(recipe_of(step, self._threads), primitive_of(step, self._threads), layouts)
        if number == len(layouts):
            layouts.append(primitive.ins[1])
        layout = layouts[number]
        self._bytes[key, number] = 0 if layout == layout_of(memory).make() else layout.nbytes

    def add_recurrent(self, step: OneDnnRecurrentOp) -> None:
        if not step.is_packed:
            return
        numbers = step.numbers.all_parameters
        arrays = tuple(None if k is None else self._key(plain_weights(step.ins[k])) for k in numbers)
        self._bytes[recurrent_key(step.cell.data, arrays)] = shape_of_step(step).packed_bytes

    def add_gru(self, step: OneDnnGruOp) -> None:
        own = own_width(step)
        for number, (row, (inputs, channels)) in enumerate(zip(step.weights(), step.sizes(), strict=True)):
            data = step.data()[2 * number : 2 * number + 2]
            for numbers in row:
                arrays = [self._key(plain_weights(step.ins[k])) for k in numbers]
                self._bytes[gru_key(arrays, data, own)] = gru_packed_bytes(inputs, channels, step.kind, own)

    def _key(self, value: SSAValue) -> Hashable:
        """The `identity` of the array that building takes."""
        located = locate(value)
        constant = located.root.owner
        assert isinstance(constant, ConstantBufferOp)
        array = elements(constant, self._module)
        if array.flags.c_contiguous and array.flags.aligned:
            return identity(view_of_constant(array, value))
        return (constant, located.layout, located.dtype)  # building copies it, and packs the copy


def gru_packed_bytes(inputs: int, channels: int, kind: str, own: int = -1) -> int:
    """What `packed_bytes` of `_core.GruWeights` is, of one direction of a layer.

    Args:
        kind: element type of the weights: f32, bf16 or i8.
        own: of f32, up to how many sequences a run is our own kernels'; -1 for what is best here.

    Raises:
        _core.Error: there is no such GRU.
    """
    width = own if own >= 0 and kind == "f32" else _core.gru_own_width(kind)
    widest = _core.gru_cut(channels)[2]
    return (_panels(inputs, channels, kind) if width > 0 else 0) + (
        _primitive_bytes(inputs, channels) if width < widest else 0
    )


def _panels(inputs: int, channels: int, kind: str) -> int:
    """Panels of three gates for x and for the state, each of whole cache lines, then bias and two scales, for our own
    kernels."""
    gates = aligned(_gate(inputs, channels, kind)) + aligned(_gate(channels, channels, kind))
    columns = 3 * _filled(channels, VECTOR_COLUMNS)
    return 3 * gates + 3 * columns * item_bytes("f32")


def _gate(rows: int, channels: int, kind: str) -> int:
    depth = _filled(rows, 2) if kind == "i8" else rows  # int8 is multiplied in pairs of rows
    return depth * _filled(channels, PANEL_COLUMNS) * item_bytes(kind)


def _filled(number: int, to: int) -> int:
    return -(-number // to) * to


@lru_cache(maxsize=256)
def _primitive_bytes(inputs: int, channels: int) -> int:
    """Bytes of one direction as oneDNN's GRU packs it. oneDNN tells only by packing: it is done once for each size,
    and freed."""
    layer, iter_ = (np.zeros((rows, 3 * channels), np.float32) for rows in (inputs, channels))
    bias = np.zeros((1, 3 * channels), np.float32)
    return _core.GruWeights(layer, iter_.reshape(channels, 3, channels), bias, 0).packed_bytes
