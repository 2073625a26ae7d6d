"""Which oneDNN primitive computes an op, as the op declares it; lowering turns it into an `onednn` op.

Algorithms are named as oneDNN names them, in lower case without the prefix of the kind.
"""

from __future__ import annotations

from typing import NamedTuple


class EltwisePrimitive(NamedTuple):
    """dst = alg(src; alpha, beta)."""

    alg: str
    alpha: float = 0.0
    beta: float = 0.0


class BinaryPrimitive(NamedTuple):
    """dst = src0 alg src1 with numpy broadcasting; `repeated` is the eltwise with the same bits for src0 = src1."""

    alg: str
    repeated: EltwisePrimitive | None = None


class SumPrimitive(NamedTuple):
    """dst = src0 + src1 + …, in this order."""


class SoftmaxPrimitive(NamedTuple):
    """dst = softmax(src) along `axis` (not negative), its logarithm if `log`."""

    axis: int
    log: bool = False


class LayerNormPrimitive(NamedTuple):
    """Normalises the last axis: operands src, scale, shift; results dst and, where there are three, mean and inverse
    standard deviation."""

    epsilon: float


class BatchNormPrimitive(NamedTuple):
    """Inference: operands src, scale, shift, mean, variance; axis 1 is the channel."""

    epsilon: float


class MatmulPrimitive(NamedTuple):
    """dst = src @ weights with leading batch axes; a third operand, if any, is added (bias, broadcast).

    `transpose_src`, `transpose_weights`: the last two axes of that operand are exchanged. `alpha`, `beta`: ONNX Gemm's.
    """

    transpose_src: bool = False
    transpose_weights: bool = False
    alpha: float = 1.0
    beta: float = 1.0


class ReorderPrimitive(NamedTuple):
    """dst = src in another element type."""


class GruPrimitive(NamedTuple):
    """h' = u * h + (1 - u) * c over ragged rows, gates sigmoid, candidate tanh, f32 but for the weights.

    Operands: x; weight_x, weight_h [OC, 3, OC], bias and, of int8, the scales of both of each direction of each layer
    (`each` is how many that are); h0 of each, or of none; offsets. `reverse`: the directions of a layer. Their results
    stand side by side, the last direction's first if `last_first`, or, if `sum`, are added up: the next layer's x.
    `data`: of int8, scale and shift of what each layer reads and of its states.
    """

    reverse: tuple[bool, ...] = (False,)
    sum: bool = False
    layers: int = 1
    last_first: bool = False
    data: tuple[tuple[float, float], ...] = ()
    each: int = 3


Primitive = (
    EltwisePrimitive
    | BinaryPrimitive
    | SumPrimitive
    | SoftmaxPrimitive
    | LayerNormPrimitive
    | BatchNormPrimitive
    | MatmulPrimitive
    | ReorderPrimitive
    | GruPrimitive
)
