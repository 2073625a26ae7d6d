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

from lastuse.dialect.ir.interfaces import operations_below
from lastuse.dialect.onednn.buffers import PackedType

OneDNN = Dialect("onednn", operations_below(__name__, __path__), [PackedType])
