"""Ops whose kernels the runtime has in C++, for all element types or some."""

from __future__ import annotations

import numpy as np

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.storage.contract import CPU_ONLY, Engine


class NativeBase(DnnOp):
    """An op that the runtime's kernel of its name computes (`runtime/cpp/native/table.cpp`) where that takes the types
    of its operands, and its own kernel where not. The contract's engines are `kernel_engines()`."""

    def takes_native(self) -> bool:
        """Whether the runtime's kernel takes operands of these types."""
        return True

    def native_name(self) -> str:
        """The runtime's kernel."""
        return self.name.removeprefix("dnn.")

    def native_kernel(self) -> str | None:
        return self.native_name() if self.takes_native() else None

    def engine(self) -> Engine | None:
        if self.primitive() is None and self.takes_native():
            return Engine.NATIVE
        return super().engine()

    def kernel_engines(self) -> frozenset[Engine]:
        """The engines that may run the op."""
        own = frozenset({Engine.NATIVE, Engine.CPU}) if self.takes_native() else CPU_ONLY
        return own if self.primitive() is None else own | {Engine.ONEDNN}


class NativeNumbersBase(NativeBase):
    """One whose runtime kernel takes f32, f64, i32 and i64."""

    def takes_native(self) -> bool:
        return self.operand_type().dtype in ("f32", "f64", "i32", "i64")


class NativeF32Base(NativeBase):
    """One whose runtime kernel takes f32 alone."""

    def takes_native(self) -> bool:
        return self.operand_type().dtype == "f32"


def element_words(value: float | int, dtype: str) -> list[float]:
    """The bits of one element as two numbers below 2^32, the lower ones first: no element type has others."""
    element = np.zeros(8, np.uint8)
    filled = np.zeros(1, numpy_dtype(dtype))
    filled.fill(value)
    element[: filled.nbytes] = filled.view(np.uint8)
    return [float(word) for word in element.view("<u4")]
