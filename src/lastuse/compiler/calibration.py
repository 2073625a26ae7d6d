"""Scales of int8: what a model's GRUs multiply when it runs on data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, f32
from xdsl.ir import SSAValue

from lastuse.compiler.driver import compile, context, prepare, read
from lastuse.compiler.module_utils import clone
from lastuse.compiler.pipeline import Pipeline
from lastuse.dialect.dnn.recurrent.gru import GruBase
from lastuse.dialect.ir.diagnostics import LastuseError, ToolContext
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import verifier
from lastuse.dialect.storage.attrs import DATA_SCALE, DATA_SHIFT
from lastuse.passes.transforms.add_outputs import fetch_value
from lastuse.runtime.arrays import Arrays

STEPS = 255


def calibrate(model: str | Path | ModuleOp, inputs: Arrays, *, ctx: ToolContext | None = None) -> ModuleOp:
    """The model, its GRUs fused and their weights prepared, with what int8 needs to know of the data.

    The model runs in f32 on `inputs`. What the first layer of each GRU reads is between the least and the largest
    number found; states are between -1 and 1, unless one to start with is not; a later layer reads states, or sums of
    two. `dnn.data_scale` and `dnn.data_shift` of the GRU, two numbers for each layer, take the range of what it reads,
    and that of its states, to 0 to 255, and 0 to a whole number.

    Args:
        model: as of `compile`.
        inputs: as of `Program.run`.

    Raises:
        LastuseError: the model cannot be read or run, the data holds what is not finite, or a GRU is not on every path
            to a return.
    """
    used = ctx if ctx is not None else context()
    module = clone(model) if isinstance(model, ModuleOp) else read(used, model)
    verifier.verify(module)
    prepare(Pipeline(used), module)
    grus = list(_grus(module))
    trial = clone(module)
    for number, op in enumerate(_grus(trial)):
        for role, value in enumerate([op.operands[0], *_states(op)]):
            fetch_value(main_function(trial), value, _name(number, role))
    values = compile(trial, fuse=False).run(inputs)
    for number, op in enumerate(grus):
        ranges = [_range(op, values[_name(number, role)]) for role in range(1 + len(_states(op)))]
        _note(op, ranges[0], ranges[1:])
    return module


def _grus(module: ModuleOp) -> Iterator[GruBase]:
    """The GRUs of the main function whose weights are prepared."""
    for op in main_function(module).walk():
        if isinstance(op, GruBase) and op.primitive() is not None:
            yield op


def _name(number: int, role: int) -> str:
    return f"calibration of GRU {number}, operand {role}"


def _states(op: GruBase) -> list[SSAValue]:
    """The states to start with, those of the first layer's directions first."""
    cells = [cell for layer in op.weights(op.operands) for cell in layer]
    return [cell.h0 for cell in cells if cell.h0 is not None]


def _range(op: GruBase, array: np.ndarray) -> tuple[float, float]:
    if not np.isfinite(array).all():
        raise LastuseError("on the data for calibration this GRU reads what is not finite", op)
    return float(array.min(initial=0.0)), float(array.max(initial=0.0))


def _note(op: GruBase, x: tuple[float, float], states: list[tuple[float, float]]) -> None:
    """Writes scale and shift of each layer."""
    per_layer = len(states) // op.layers()
    ranges = list[tuple[float, float]]()
    for layer in range(op.layers()):
        own = states[per_layer * layer : per_layer * (layer + 1)]
        # A state is between itself before and a candidate, which is between -1 and 1.
        low, high = min(-1.0, *(s[0] for s in own), 0.0), max(1.0, *(s[1] for s in own), 0.0)
        ranges += [x, (low, high)]
        x = (2 * low, 2 * high) if op.is_sum() else (low, high)
    scales = [STEPS / (high - low) if high > low else 1.0 for low, high in ranges]
    shifts = [float(round(-low * scale)) for (low, _), scale in zip(ranges, scales, strict=True)]
    op.attributes[DATA_SCALE] = DenseArrayBase.from_list(f32, scales)
    op.attributes[DATA_SHIFT] = DenseArrayBase.from_list(f32, shifts)
