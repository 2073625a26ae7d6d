"""Nodes on narrow floating-point numbers whose ops are computed in wider ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.ir import SSAValue

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.ir.tensor_types import TensorInfo, item_bytes
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder


def cast(b: OnnxBuilder, value: SSAValue, dtype: str, name: str) -> SSAValue:
    """The value with elements of `dtype`."""
    if b.dtype(value) == dtype:
        return value
    return b.emit("cast", [value], name=name, stated=TensorInfo(b.shape(value), dtype))


def wide_ops(
    b: OnnxBuilder,
    kind: str,
    node: GraphNode,
    operands: Sequence[SSAValue | None],
    attributes: Mapping[str, Any],
    dtypes: Sequence[str],
) -> Sequence[SSAValue]:
    """`dnn.<kind>` computed in the widest of its operands' floating-point types, f32 at least; result k is brought to
    `dtypes[k]`. Operands of other types are read as they are."""
    narrow = [None if value is None or not is_float(b.dtype(value)) else b.dtype(value) for value in operands]
    names, wide = b.names_of(node, len(dtypes)), max(["f32", *filter(None, narrow)], key=item_bytes)
    ready = [
        value if value is None or dtype is None else cast(b, value, wide, f"{names[0]}/operand {index}")
        for index, (value, dtype) in enumerate(zip(operands, narrow, strict=True))
    ]
    steps = [name if dtype == wide else f"{name}/wide" for name, dtype in zip(names, dtypes, strict=True)]
    results = b.ops(kind, ready, steps, attributes)
    return [cast(b, value, dtype, name) for value, dtype, name in zip(results, dtypes, names, strict=True)]
