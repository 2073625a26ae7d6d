"""The gradients of drawn programs against differences of their losses, in the interpreter, with 64 bits."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping

import numpy as np
from fuzz_execute import Wrong
from fuzz_inputs import Arrays, inputs_of
from generate.training import forward_and_step
from interpreter import interpret
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass
from lastuse.passes.memory.frame_layout import result_names

STEP = 1e-5
SMOOTH = 1e-3
"""Where the slopes on both sides differ by more, relatively, there is a kink, or the loss bends too much."""
NEAR = 2e-4
"""What a gradient may differ from the slope, relatively."""
_CONTEXT = context()


def compared_slopes(seed: int) -> int:
    """Holds the gradients of program `seed` against slopes of its loss, and returns how many were compared.

    Raises:
        Wrong: a gradient is no slope.
    """
    forward = _in_f64(forward_and_step(seed, BackwardPass())[0])
    if forward is None:
        return 0
    step = clone(forward)
    BackwardPass().apply(_CONTEXT, step)
    func = main_function(step)
    chance = np.random.default_rng(seed)
    inputs = {name: _apart(name, array, seed) for name, array in inputs_of(func, seed).items()}
    with np.errstate(all="ignore"):
        found = dict(zip(result_names(func), interpret(step, list(inputs.values())), strict=True))
        compared = 0
        for name, array in inputs.items():
            gradient = found.get(f"{name}.gradient")
            for direction in () if gradient is None else (_dense(chance, array), _single(chance, array)):
                compared += _compare(forward, inputs, name, direction, gradient)  # pyright: ignore
    return compared


def _in_f64(module: ModuleOp) -> ModuleOp | None:
    """The module with 64 bits instead of 32; None where an op does not take these."""
    text = re.sub(r'dense<"0x([0-9A-F]*)">( : tensor<[^>]*xf32>)', _widened, str(module))
    text = text.replace("xf32>", "xf64>").replace("tensor<f32>", "tensor<f64>")
    try:
        made = parse(_CONTEXT, text, "slopes.mlir")
        verifier.verify(made)
    except LastuseError:
        return None
    return made


def _widened(found: re.Match[str]) -> str:
    """The bytes of a constant, with 64 bits."""
    data = np.frombuffer(bytes.fromhex(found[1]), np.float32).astype(np.float64).tobytes()
    return f'dense<"0x{data.hex().upper()}">{found[2]}'


def _apart(name: str, array: np.ndarray, seed: int) -> np.ndarray:
    """Numbers of which no two are equal, none a multiple of another."""
    if array.dtype.kind != "f":
        return array
    chance = np.random.default_rng(zlib.crc32(f"{name} {seed} slopes".encode()))
    return np.asarray(array + chance.uniform(-0.06, 0.06, array.shape))


def _dense(chance: np.random.Generator, array: np.ndarray) -> np.ndarray:
    return np.asarray(chance.normal(size=array.shape))


def _single(chance: np.random.Generator, array: np.ndarray) -> np.ndarray:
    direction = np.zeros(array.shape)
    direction.reshape(-1)[chance.integers(max(array.size, 1)) : array.size][:1] = 1
    return direction


def _compare(forward: ModuleOp, inputs: Arrays, name: str, direction: np.ndarray, gradient: np.ndarray) -> bool:
    """Whether the loss has a slope in a direction; raises `Wrong` where the gradient has another one."""

    def loss(far: float) -> float:
        moved: Mapping[str, np.ndarray] = inputs | {name: inputs[name] + far * direction}
        return float(interpret(forward, list(moved.values()))[0])

    low, here, high, half, quarter = (loss(far) for far in (-STEP, 0.0, STEP, STEP / 2, -STEP / 2))
    slope, finer = (high - low) / (2 * STEP), (half - quarter) / STEP
    sides = (high - here) / STEP, (here - low) / STEP
    size = max(abs(slope), *map(abs, sides), float(np.abs(gradient * direction).sum()))
    noise = 1e-14 * abs(here) / STEP
    if not np.isfinite([slope, finer, *sides]).all() or not np.isfinite(gradient).all() or noise > SMOOTH * (size + 1):
        return False
    if max(abs(sides[0] - sides[1]), abs(slope - finer)) > SMOOTH * (abs(slope) + 1e-3) + noise:
        return False
    said = float((gradient * direction).sum())
    if abs(said - slope) > NEAR * size + 1e-6 + 100 * noise + abs(sides[0] - sides[1]):
        raise Wrong("a gradient is no slope", f"{name}: {said}, and the loss has {slope} ({sides[0]}, {sides[1]})")
    return True
