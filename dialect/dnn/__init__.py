"""The dnn dialect: operations on tensors as values. Each op's class says all about the op."""

from __future__ import annotations

from inspect import isabstract
from types import GenericAlias

from xdsl.ir import Dialect

from lastuse.dialect.dnn import (
    activations,
    arithmetic,
    comparison,
    constants,
    data_movement,
    elementwise,
    matmul,
    normalization,
    reductions,
    splits,
    views,
)
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent import crf, gru, gru_weights, multi_gru, onnx_rnn, padded, quantized_gru

_MODULES = (
    activations,
    elementwise,
    arithmetic,
    comparison,
    normalization,
    matmul,
    reductions,
    views,
    splits,
    data_movement,
    constants,
    gru,
    multi_gru,
    gru_weights,
    quantized_gru,
    padded,
    onnx_rnn,
    crf,
)


def _operations() -> list[type[DnnOp]]:
    """Every op class of the modules above, in the order they are written."""
    return [
        item
        for module in _MODULES
        for item in vars(module).values()
        if isinstance(item, type)
        and not isinstance(item, GenericAlias)  # Python 3.10 takes an alias like list[int] for a class
        and issubclass(item, DnnOp)
        and item.__module__ == module.__name__
        and "name" in vars(item)
        and not isabstract(item)
    ]


OPERATIONS: dict[str, type[DnnOp]] = {op.name: op for op in _operations()}
"""Op classes by their full name, `dnn.relu`."""

Dnn = Dialect("dnn", list(OPERATIONS.values()), [])
