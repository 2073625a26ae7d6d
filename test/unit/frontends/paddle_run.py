"""Modules read from Paddle models, run op by op."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage import attrs

RNG = np.random.default_rng(5)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def main_function(module: ModuleOp) -> FuncOp:
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    return func


def evaluate(module: ModuleOp, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The function's results by name, each op by its own reference."""
    func = main_function(module)
    values: dict[SSAValue, np.ndarray] = {a: inputs[attrs.source_name(a) or ""] for a in func.args}
    for op in func.body.block.ops:
        if isinstance(op, DnnOp):
            results = op.reference(*(values[o] for o in op.operands))
            for value, array in zip(op.results, results, strict=True):
                stated = op.result_type(value.index)
                assert all(d in (None, n) for d, n in zip(stated.shape, array.shape, strict=True))
                values[value] = array
        elif isinstance(op, ReturnOp):
            names = [attrs.result_attributes(func, i)["dnn.name"] for i in range(len(op.operands))]
            return {name.data: values[v] for name, v in zip(names, op.operands, strict=True)}  # pyright: ignore
    raise AssertionError("no return")


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))
