"""The onednn dialect: storage is explicit, ops write where they are told, in place is visible.

One arena, views of it at byte offsets, constants, packed weights; steps with `ins`, `outs` and `scratch`. Results of
the function are arguments that carry `onednn.result = "name"`; inputs carry `dnn.name`. A program in this dialect is
all that the runtime needs: nothing in it depends on Python objects outside the IR but the bytes of `dense_resource`.

Control flow is `scf`, `cf` and `func.call` as everywhere. Values of memory are never yielded, returned or passed to a
block: what moves over a boundary are `onednn.copy` steps before it. Scalars (`index`, integers, floats) are values:
computed by `arith`, read from memory by `memref.load`, carried by regions and blocks, arguments and results of
functions; such a result carries `onednn.result` too.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from lastuse.dialect.onednn.buffers import ArenaOp, ConstantBufferOp, PackedType, PackOp, ViewOp, view_of
from lastuse.dialect.onednn.kernel_call import BufferCopyOp, KernelCallOp
from lastuse.dialect.onednn.memory import MemRefLayout, locate, memory_of, memref_type
from lastuse.dialect.onednn.primitives import (
    OneDnnBatchNormOp,
    OneDnnBinaryOp,
    OneDnnEltwiseOp,
    OneDnnLayerNormOp,
    OneDnnMatmulOp,
    OneDnnReorderOp,
    OneDnnSoftmaxOp,
    OneDnnSumOp,
)
from lastuse.dialect.onednn.recurrent import OneDnnGruOp
from lastuse.dialect.onednn.source import LABEL, SourceOp, source_of
from lastuse.dialect.onednn.step import DestinationStyleBase, PrimitiveBase

RESULT = "onednn.result"
"""Attribute of an argument: the caller gives memory for the result of this name; of a result that is a scalar."""

OneDNN = Dialect(
    "onednn",
    [
        ArenaOp,
        ViewOp,
        ConstantBufferOp,
        PackOp,
        OneDnnEltwiseOp,
        OneDnnBinaryOp,
        OneDnnSumOp,
        OneDnnSoftmaxOp,
        OneDnnLayerNormOp,
        OneDnnBatchNormOp,
        OneDnnMatmulOp,
        OneDnnReorderOp,
        OneDnnGruOp,
        BufferCopyOp,
        KernelCallOp,
        SourceOp,
    ],
    [PackedType],
)

__all__ = [
    "LABEL",
    "RESULT",
    "ArenaOp",
    "BufferCopyOp",
    "ConstantBufferOp",
    "DestinationStyleBase",
    "KernelCallOp",
    "MemRefLayout",
    "OneDNN",
    "OneDnnBatchNormOp",
    "OneDnnBinaryOp",
    "OneDnnEltwiseOp",
    "OneDnnGruOp",
    "OneDnnLayerNormOp",
    "OneDnnMatmulOp",
    "OneDnnReorderOp",
    "OneDnnSoftmaxOp",
    "OneDnnSumOp",
    "PackOp",
    "PackedType",
    "PrimitiveBase",
    "SourceOp",
    "ViewOp",
    "locate",
    "memory_of",
    "memref_type",
    "source_of",
    "view_of",
]
