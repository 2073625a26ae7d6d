"""Which memory fits at level 1 of the pool, for sizes known and unknown."""

from __future__ import annotations

import pytest

from lastuse.dialect.ir.tensor_types import Shape, TensorInfo, symbol
from lastuse.passes.memory.pool_liveness import FITS

N, M = symbol("n"), symbol("m")


@pytest.mark.parametrize(
    ("taker", "donor", "fits"),
    [
        ((4,), (5,), True),
        ((2, 4), (8,), True),
        ((9,), (2, 4), False),
        ((4,), (N, 8), False),
        ((N,), (8,), False),
        ((N, 2, 4), (N, 8), True),
        ((N, 4), (N, 8), True),
        ((N, 8), (N, 4), False),
        ((N + 1,), (N + 3,), True),
        ((N + 3,), (N + 1,), False),
        ((N,), (M,), False),
        ((N,), (N + M,), True),
        ((N + M,), (N,), False),
    ],
)
def test_at_most_as_many_elements_for_all_symbol_values(taker: Shape, donor: Shape, fits: bool) -> None:
    """Sizes that only one side knows are not compared; no unknown size is negative."""
    assert FITS[1](TensorInfo(taker, "f32"), TensorInfo(donor, "f32")) is fits
    assert FITS[1](TensorInfo(taker, "i32"), TensorInfo(donor, "f32")) is False
