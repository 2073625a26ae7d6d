"""Constant nodes in the bodies of ops. Those of a model are weights before it is read."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder

_DTYPES = {"value_float": np.float32, "value_floats": np.float32, "value_int": np.int64, "value_ints": np.int64}


def _constant(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    kinds = sorted(node.stated - {"doc_string"})
    if len(kinds) != 1 or kinds[0] not in ("value", *_DTYPES):
        raise ValueError(f"a Constant of {', '.join(kinds) or 'nothing'} is not supported")
    return b.constant(np.asarray(node.attributes[kinds[0]], _DTYPES.get(kinds[0])), node.outputs[0])


HANDLERS: dict[str, Handler] = {"Constant": _constant}
