"""Pools over channels that are last, by a kernel of the runtime for all sizes (runtime/cpp/kernels/pooling.hpp)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from lastuse.dialect.dnn.attributes import all_f32
from lastuse.dialect.dnn.spatial.windowed import SpatialBase, known
from lastuse.dialect.onednn.primitives.pooling import ALGORITHMS, PoolingPrimitive
from lastuse.dialect.storage.contract import Engine

MOST_SPATIAL_AXES = 2
"""Spatial axes that the kernel takes."""
MOST_TAPS = 32
"""Elements of a window that moves, at most, for which it is preferred: where windows share more, oneDNN's kernel reads
some channels of all of them while these are in the first cache."""
LEAST_POOLED_CHANNELS = 8
"""Channels, at least, for which it is preferred: fewer do not fill a vector."""


class RowPoolBase(SpatialBase):
    """A pool in f32 that the runtime's kernel computes where its channels are last and it is about as fast as oneDNN's
    primitive, which is made for each size."""

    def engine(self) -> Engine | None:
        return Engine.NATIVE if self._prefers_native() else super().engine()

    def native_kernel(self) -> str | None:
        return None if self._row_pool() is None else "pool"

    def native_numbers(self) -> Sequence[float]:
        pool, sizes = self._row_pool(), known(self.parted(self.operand_type().shape)[2])
        assert pool is not None and sizes is not None
        return [ALGORITHMS.index(pool.alg), *(number for entry in pool.window(sizes) for number in entry)]

    def _prefers_native(self) -> bool:
        pool, channels = self._row_pool(), self.parted(self.operand_type().shape)[1]
        is_small = pool is not None and (pool.rule is None or prod(pool.rule.kernel) <= MOST_TAPS)
        return is_small and not (isinstance(channels, int) and channels < LEAST_POOLED_CHANNELS)

    def _row_pool(self) -> PoolingPrimitive | None:
        """What oneDNN is told, where the kernel computes it."""
        pool, rank = self.primitive(), len(self.operand_type().shape) - 2
        fits = self.is_channels_last and rank <= MOST_SPATIAL_AXES and all_f32(self)
        return pool if fits and isinstance(pool, PoolingPrimitive) else None
