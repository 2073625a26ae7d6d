"""Ops whose kernels the runtime has in C++ where their elements are f32."""

from __future__ import annotations

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage.contract import CPU_ONLY, Engine


class NativeF32Base(DnnOp):
    """An op that the runtime's kernel of its name computes in f32 (`runtime/cpp/native/table.cpp`), and its own kernel
    in other types. The contract's engines are `kernel_engines()`."""

    def takes_native(self) -> bool:
        """Whether the runtime's kernel takes operands of these types."""
        return self.operand_type().dtype == "f32"

    def native_kernel(self) -> str | None:
        return self.name.removeprefix("dnn.") if self.takes_native() else None

    def engine(self) -> Engine:
        return Engine.NATIVE if self.takes_native() else Engine.CPU

    def kernel_engines(self) -> frozenset[Engine]:
        """The engines that may run the op."""
        return frozenset({Engine.NATIVE, Engine.CPU}) if self.takes_native() else CPU_ONLY
