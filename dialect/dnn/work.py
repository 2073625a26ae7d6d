"""How long ops take, in elements that are read or written: what `DnnOp.work` is made of."""

from __future__ import annotations

import math
from math import prod

from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import static_shape

UNKNOWN_SIZE = 1024
"""What a size that is not known counts as."""


def element_count(value: SSAValue) -> int:
    """The elements of a value; a size that is not known counts as `UNKNOWN_SIZE`.

    Args:
        value: a ranked tensor.
    """
    return prod(UNKNOWN_SIZE if size is None else size for size in static_shape(value.type))


def work_of_product(a: SSAValue, b: SSAValue, product: SSAValue) -> int:
    """About how long a product of two values takes, as `DnnOp.work` counts: eight multiplications are an element. For
    matrices their number is the root of the product of all elements; for convolutions it is of that size.

    Args:
        a, b: the factors.
        product: the result.
    """
    return math.isqrt(prod(element_count(value) for value in (a, b, product))) // 8
