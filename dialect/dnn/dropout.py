"""Dropout, whose mask follows from a seed and a counter: none is kept for the gradient, and a step can be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, NUMBER, agreed_shape, integer, need_float, number
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.blocked_kernels import BLOCK
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract, InPlace

_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10
_WORD = 0xFFFFFFFF


def philox(counters: Sequence[Array], key: Sequence[int]) -> list[Array]:
    """Philox 4x32-10: four words of 32 random bits for each counter of four such words.

    Args:
        counters: four arrays of uint64 that hold words of 32 bits.
        key: two words of 32 bits.

    Source: Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).
    """
    words, (low, high) = list(counters), key
    mask, shift = np.uint64(_WORD), np.uint64(32)
    for step in range(_ROUNDS):
        first = words[0] * np.uint64(_MULTIPLIERS[0])
        second = words[2] * np.uint64(_MULTIPLIERS[1])
        keys = ((low + step * _KEY_STEPS[0]) & _WORD, (high + step * _KEY_STEPS[1]) & _WORD)
        words = [
            (second >> shift) ^ words[1] ^ np.uint64(keys[0]),
            second & mask,
            (first >> shift) ^ words[3] ^ np.uint64(keys[1]),
            first & mask,
        ]
    return words


@irdl_op_definition
class DropoutOp(NativeF32Base, KernelOnlyBase, DifferentiableBase):
    """x / (1 - rate) where a random number is `rate` or more, else 0.

    Operands: x, floating-point; seed and counter, i64, one element each. `rate`: from 0 to 1. `stream`: default 0; ops
    of one program take different ones. Element i has the random number of word i % 4 of Philox 4x32-10 for the counter
    (i / 4, stream, low and high word of `counter`) and the key `seed`, divided by 2^32. The gradient is the same op on
    dy: it reads seed and counter. PyTorch dropout in training, with another generator.
    """

    name = "dnn.dropout"
    EXAMPLE: ClassVar = "{rate = 0.5 : f32} : (tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3xf32>"
    CHEAP: ClassVar = True
    x = operand_def(TensorType)
    seed = operand_def(TensorType)
    counter = operand_def(TensorType)
    y = result_def(TensorType)
    rate = attr_def(NUMBER)
    stream = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        reads = Backward(operands=frozenset({1, 2}))
        return Contract((InPlace(0, 0),), backward=reads, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return [number(self.rate, 0), integer(self.stream, 0)]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, *words = operands
        need_float(x)
        for word in words:
            if word.dtype != "i64":
                raise ValueError(f"seed and counter must have element type i64, not {word.dtype}")
            agreed_shape("seed and counter and one element", word.shape, ())
        if not 0 <= number(self.rate, 0) <= 1:
            raise ValueError(f"rate must be from 0 to 1, not {number(self.rate, 0)}")
        if not 0 <= integer(self.stream, 0) <= _WORD:
            raise ValueError("stream must be a word of 32 bits, not negative")
        return (x,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, seed, counter), (y,) = operands, results
        rate = number(self.rate, 0)
        least = np.uint64(int(np.ceil(rate * 2.0**32)))  # a word below it is a number below the rate
        factor = x.dtype.type(1 / (1 - rate) if rate < 1 else 0)
        step, key = int(counter) & (1 << 64) - 1, int(seed) & (1 << 64) - 1
        flat = x.reshape(-1)
        for start in range(0, x.size, BLOCK):
            stop = min(start + BLOCK, x.size)
            index = np.arange(start // 4, -(-stop // 4), dtype=np.uint64)
            others = (integer(self.stream, 0), step & _WORD, step >> 32)
            rest = [np.full(index.shape, word, np.uint64) for word in others]
            words = np.stack(philox([index, *rest], (key & _WORD, key >> 32)), -1).reshape(-1)[: stop - start]
            kept = np.where(words >= least, flat[start:stop] * factor, x.dtype.type(0))
            if y.flags.c_contiguous:
                y.reshape(-1)[start:stop] = kept
            else:
                y.flat[start:stop] = kept

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        dx = builder.emit("dropout", dy, self.seed, self.counter, rate=self.rate, stream=self.stream)
        return dx, None, None
