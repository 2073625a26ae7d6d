"""Constants of an onednn module as arrays, and the weights among them that are packed."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr, ModuleOp, TensorType
from xdsl.ir import OpResult, SSAValue

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.tensor_types import dtype_name, numpy_dtype
from lastuse.dialect.onednn.buffers import ConstantBufferOp, PackOp
from lastuse.dialect.onednn.memory import locate


def constant_array(op: ConstantBufferOp, module: ModuleOp) -> np.ndarray:
    """The constant's elements, read-only, C-contiguous, of the sizes and element type it states.

    Raises:
        LastuseError: the module has no array for it.
    """
    return np.require(elements(op, module), requirements=["C", "A"])


def elements(op: ConstantBufferOp, module: ModuleOp) -> np.ndarray:
    """The constant's elements without a copy: one element that all places share has strides of 0.

    Raises:
        LastuseError: the module has no array for it.
    """
    value = op.value
    if isinstance(value, DenseResourceAttr):
        return resources.array_of(value, module, op)
    assert isinstance(value, DenseIntOrFPElementsAttr) and isinstance(value.type, TensorType)
    shape, dtype = value.type.get_shape(), numpy_dtype(dtype_name(value.type.element_type))
    raw = value.data.data
    # xDSL keeps i1 as bytes 0 and 255.
    array = np.frombuffer(raw, np.uint8) != 0 if dtype == np.bool_ else np.frombuffer(raw, dtype)
    return array.reshape(shape) if array.size != 1 else np.broadcast_to(array.reshape(()), shape)


def view_of_constant(array: np.ndarray, value: SSAValue) -> np.ndarray:
    """The elements of `value`, a view of the constant whose elements are `array`, C-contiguous; without a copy."""
    located = locate(value)
    flat = array.reshape(-1).view(np.uint8)
    return np.ndarray(
        located.shape, numpy_dtype(located.dtype), flat.data, located.layout.offset, located.layout.strides
    )


def plain_weights(value: SSAValue) -> SSAValue:
    """The weights themselves, where `value` may be a packing of them."""
    source = packed_source(value)
    return value if source is None else source


def packed_source(value: SSAValue) -> SSAValue | None:
    """The plain weights that `value` packs; None where it is plain itself."""
    return value.op.source if isinstance(value, OpResult) and isinstance(value.op, PackOp) else None
