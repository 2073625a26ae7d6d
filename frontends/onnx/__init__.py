"""
ONNX models to modules of dnn ops.

`read` takes a file, or the bytes of one. What comes out is `func.func @main`:

* an argument per input of the graph, named by `dnn.name`; `dnn.sizes` names its unknown sizes, and those of one name
  are equal; an input that is bound to a value keeps it as `dnn.value`;
* initializers as `dnn.constant`, their arrays beside the module (`lastuse.dialect.ir.resources`);
* results named by `dnn.name`; on every op `dnn.names`, what the model calls its results.

Locations name the file; the line is the node's number in the main graph, counted from 1.
"""

from __future__ import annotations

from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.frontends.bindings import Bindings
from lastuse.frontends.onnx.model import load_model
from lastuse.frontends.onnx.reader import build_module

__all__ = ["READS_BINDINGS", "read", "read_bytes"]

READS_BINDINGS = True
"""Sizes and values of inputs may be needed to read a model."""


def read(ctx: Context, path: str | Path, bindings: Bindings | None = None) -> ModuleOp:
    """
    The model in the file `path` as a module. It needs nothing of the context.

    Raises:
        NeedsValuesError: sizes or inputs that decide a rank are not bound.
        LastuseError: names the file, the node and what is wrong with it, or all ops that are not supported at once.
    """
    return build_module(load_model(path), bindings or Bindings())


def read_bytes(ctx: Context, data: bytes, name: str, bindings: Bindings | None = None) -> ModuleOp:
    """As `read`, for the bytes of a file, which errors call `name`; external data is refused."""
    return build_module(load_model(data, name), bindings or Bindings())
