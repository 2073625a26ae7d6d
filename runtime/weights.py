"""Packed weights, kept once for all programs that read them.

Two keys: primitives by sizes, packed weights by the identity of the weights. New sequence lengths need new
primitives but no packing, as long as the new primitives accept the layout of the packed weights.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from lastuse.dialect.ir.locks import ForkLock
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.onednn.memory import MemRefLayout
from lastuse.dialect.onednn.step import PrimitiveBase
from lastuse.runtime import _core
from lastuse.runtime.primitive_preparation import layout_of, primitive_of, recipe_of
from lastuse.runtime.primitive_recipes import Layout, Recipe, primitive_from
from lastuse.runtime.recurrent_layers import RecurrentArrays, recurrent_key
from lastuse.runtime.stage_timer import Stages

GRU_PRIMITIVES = 1024
"""GRU primitives that are kept. A layer of one size has 160 at most: widths up to 32, steps powers of two up to 16."""
BF16 = numpy_dtype("bf16")
Scaling = tuple[float, float]
"""Scale and shift."""
PACKING = "packing"
"""The stage."""


class Packing(NamedTuple):
    """One layout of some weights. `memory` has the bytes; None where it is the array's own layout."""

    layout: _core.Desc
    memory: np.ndarray | None

    @property
    def nbytes(self) -> int:
        """Bytes beside the array."""
        return 0 if self.memory is None else self.layout.nbytes


class PackedBytes(NamedTuple):
    """Bytes of some weights in the layout that `text` tells: of oneDNN (`_core.Desc.text`), or of our own kernels
    (`_core.RecurrentShape.layout`)."""

    text: str
    memory: np.ndarray


class PackedLayer(NamedTuple):
    """What the weights of a recurrent layer are packed to."""

    cell: str
    arrays: RecurrentArrays
    packed: PackedBytes


class CacheFigures(NamedTuple):
    """How a cache of primitives does: a miss makes one, an entry is one that is kept."""

    hits: int
    misses: int
    entries: int
    capacity: int


class PackedWeights:
    """Packings by the identity of the array they were made from: address, sizes, strides, dtype. Keeps those arrays.

    Attributes:
        gru_cache: primitives of ragged GRUs by the run they do, for all programs of these weights.

    Several threads may build programs with one of these.
    """

    def __init__(self, stages: Stages | None = None) -> None:
        """`stages` notes the time that packing takes."""
        self._stages = stages if stages is not None else Stages()
        self.gru_cache = _core.GruCache(GRU_PRIMITIVES)
        self._kept: dict[Hashable, tuple[np.ndarray, list[Packing]]] = {}
        self._saved: dict[Hashable, list[PackedBytes]] = {}
        self._grus: dict[Hashable, _core.GruWeights] = {}
        self._recurrent: dict[Hashable, PackedLayer] = {}
        self._saved_layers: dict[Hashable, PackedBytes] = {}
        self._lock = ForkLock()

    @property
    def nbytes(self) -> int:
        """Bytes of all packings."""
        packings = sum(packing.nbytes for _, kept in self._kept.values() for packing in kept)
        layers = sum(layer.packed.memory.nbytes for layer in self._recurrent.values())
        return packings + layers + self.gru_nbytes

    @property
    def gru_nbytes(self) -> int:
        """Bytes of the packings of GRU weights."""
        return sum(weights.packed_bytes for weights in self._grus.values())

    @property
    def gru_primitives(self) -> CacheFigures:
        """How the cache of GRU primitives does."""
        return CacheFigures(*self.gru_cache.statistics)

    @property
    def packings(self) -> list[tuple[np.ndarray, PackedBytes]]:
        """Every array that is packed, with each of its packings that can be told."""
        with self._lock:
            kept = [(array, list(packings)) for array, packings in self._kept.values()]
        return [(array, packed) for array, packings in kept for packed in map(_told, packings) if packed is not None]

    @property
    def layers(self) -> list[PackedLayer]:
        """Every recurrent layer whose weights are packed."""
        with self._lock:
            return list(self._recurrent.values())

    def add_saved_layer(self, layer: PackedLayer) -> None:
        """Notes bytes that a layer's weights were packed to: they are used where just this layout is wanted."""
        self._saved_layers[_layer_key(layer.cell, layer.arrays)] = layer.packed

    def add_saved(self, array: np.ndarray, packed: PackedBytes) -> None:
        """Notes bytes that the array was packed to, by the same version of oneDNN: they are used where just this layout
        is wanted."""
        self._saved.setdefault(identity(array), []).append(packed)

    def _pack(self, array: np.ndarray, layout: _core.Desc) -> np.ndarray:
        """The array in this layout, as it was saved or packed now."""
        for packed in self._saved.get(identity(array), ()):
            if _is_packed_to(packed, layout):
                return packed.memory
        with self._stages.stage(PACKING):
            return _core.pack(array, layout)

    def layouts_of(self, key: Hashable) -> list[_core.Desc]:
        """The layouts in which the array of this `identity` is kept."""
        with self._lock:
            return [packing.layout for packing in self._kept.get(key, (None, []))[1]]

    def for_step(
        self, array: np.ndarray, memory: MemRefLayout, step: PrimitiveBase, threads: int
    ) -> tuple[_core.Primitive, Packing]:
        """The primitive of `step` and its weights in the layout it wants, packed now if no kept packing will do.

        Args:
            array: the weights, of the sizes, strides and element type that `memory` says.

        Raises:
            LastuseError: oneDNN has no such primitive; with the step's place.
        """
        primitive_of(step, threads)  # an error of it has the step's place
        return self.for_recipe(array, layout_of(memory), recipe_of(step, threads))

    def for_recipe(
        self, array: np.ndarray, plain: Layout, recipe: Recipe, chosen: _core.Primitive | None = None
    ) -> tuple[_core.Primitive, Packing]:
        """As `for_step`, of a recipe that leaves the layout of the weights free.

        Args:
            plain: the layout of the array.
            chosen: what the recipe makes, if it is made already.

        Raises:
            _core.Error: there is no such primitive.
        """
        if chosen is None:
            chosen = primitive_from(recipe)
        key = identity(array)
        with self._lock:
            _, packings = self._kept.setdefault(key, (array, []))
            number, primitive = fitting(recipe, chosen, [packing.layout for packing in packings])
            if number == len(packings):
                layout = chosen.ins[1]
                packings.append(Packing(layout, None if layout == plain.make() else self._pack(array, layout)))
            return primitive, packings[number]

    def for_recurrent(self, cell: str, arrays: RecurrentArrays) -> np.ndarray:
        """The bytes that the weights of a recurrent layer are packed to, now if they are not yet."""
        key = _layer_key(cell, arrays)
        with self._lock:
            if key not in self._recurrent:
                layout = arrays.shape_of(cell).layout
                self._recurrent[key] = PackedLayer(cell, arrays, self._pack_layer(key, cell, arrays, layout))
            return self._recurrent[key].packed.memory

    def _pack_layer(self, key: Hashable, cell: str, arrays: RecurrentArrays, layout: str) -> PackedBytes:
        """The weights of a layer in this layout, as they were saved or packed now."""
        saved = self._saved_layers.get(key)
        if saved is not None and saved.text == layout and saved.memory.nbytes == arrays.shape_of(cell).packed_bytes:
            return saved
        with self._stages.stage(PACKING):
            return PackedBytes(layout, arrays.packed(cell))

    def for_gru(self, arrays: Sequence[np.ndarray], data: Sequence[Scaling], own: int) -> _core.GruWeights:
        """The weights of one direction of a GRU, packed now if they are not yet: all arrays they are made of are the
        key, as each of them may be shared with another one.

        Args:
            arrays: layer [inputs, 3 * channels], iter [channels, 3, channels], bias f32 [1, 3 * channels], all
                C-contiguous, the first two f32, bf16 or int8; of int8 then their scales, f32 [1, 3 * channels] each.
            data: of int8 scale and shift of what is multiplied with layer, and with iter.
            own: of f32, up to how many sequences a run is our own kernels'; -1 for what is best here.
        """
        key = gru_key([identity(a) for a in arrays], data, own)
        with self._lock:
            if key not in self._grus:
                # The core knows no bf16 but by its bits; a view keeps its array.
                arguments: list[Any] = [a.view(np.uint16) if a.dtype == BF16 else a for a in arrays]
                arguments += [own] if arrays[0].dtype == np.float32 else data
                with self._stages.stage(PACKING):
                    self._grus[key] = _core.GruWeights(*arguments)
            return self._grus[key]


def identity(array: np.ndarray) -> Hashable:
    """What tells arrays that are kept alive apart."""
    return (array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.str)


def _told(packing: Packing) -> PackedBytes | None:
    """The bytes of a packing whose layout can be told."""
    if packing.memory is None or not packing.layout.text:
        return None
    return PackedBytes(packing.layout.text, packing.memory)


def _is_packed_to(packed: PackedBytes, layout: _core.Desc) -> bool:
    return bool(packed.text) and packed.text == layout.text and packed.memory.nbytes == layout.nbytes


def _layer_key(cell: str, arrays: RecurrentArrays) -> Hashable:
    return recurrent_key(cell, tuple(None if array is None else identity(array) for array in arrays))


def gru_key(arrays: Sequence[Hashable], data: Sequence[Hashable], own: int) -> Hashable:
    """What tells the weights of GRUs apart: the identities of all arrays, and the arguments of `for_gru`."""
    return (*arrays, *data, own)


def fitting(recipe: Recipe, chosen: _core.Primitive, layouts: Sequence[_core.Desc]) -> tuple[int, _core.Primitive]:
    """The number of the first of these layouts of its weights that serves a step as well as its own choice, with the
    primitive; the number of the layouts and `chosen` where there is none. Its own choice needs no other primitive."""
    if chosen.ins[1] in layouts:
        return layouts.index(chosen.ins[1]), chosen
    for number, layout in enumerate(layouts):
        try:
            same = recipe.with_weights(layout).make()
        except _core.Error:
            continue
        # The plan has room for the scratch of the chosen one.
        if same.implementation == chosen.implementation and same.scratch_bytes <= chosen.scratch_bytes:
            return number, same
    return len(layouts), chosen
