"""A decoder step in a loop, with its caches in arrays of the caller:  python examples/kv-cache/generate.py

The same step is compiled for caches of more and more rows. What a step allocates, and what it reads and writes of the
caches, is the same for all of them.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import lastuse

STEP = Path(__file__).with_name("step.mlir")
WIDTH, WINDOW, STEPS = 64, 32, 100


def weights(seed: int = 0) -> list[np.ndarray]:
    """wq, wk, wv and wo."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(WIDTH, WIDTH)).astype(np.float32) / 8 for _ in range(4)]


def generate(program: lastuse.Program, rows: int, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Each step reads what the step before made.

    Returns:
        what each step made, of shape (steps, 64), the caches of keys and values, and CPU seconds of the loop.
    """
    given = weights()
    keys, values = np.zeros((rows, WIDTH), np.float32), np.zeros((rows, WIDTH), np.float32)
    x, made = np.ones((1, WIDTH), np.float32), np.empty((steps, WIDTH), np.float32)
    program(x, np.array(0), keys, values, *given)  # compiles for these sizes
    began = time.process_time()
    for position in range(steps):
        y, new_keys, new_values = program(x, np.array(position), keys, values, *given)
        assert np.shares_memory(new_keys, keys) and np.shares_memory(new_values, values)
        made[position] = x = y
    return made, keys, values, time.process_time() - began


def expected(steps: int) -> np.ndarray:
    """What each step makes, in numpy."""
    wq, wk, wv, wo = weights()
    keys, values, made = list[np.ndarray](), list[np.ndarray](), list[np.ndarray]()
    x = np.ones(WIDTH, np.float32)
    for _ in range(steps):
        keys.append(x @ wk)
        values.append(x @ wv)
        scores = np.stack(keys[-WINDOW:]) @ (x @ wq) / 8
        shares = np.exp(scores - scores.max())
        x = shares / shares.sum() @ np.stack(values[-WINDOW:]) @ wo
        made.append(x)
    return np.stack(made)


def main() -> None:
    """Prints a line for each length of the caches."""
    program = lastuse.compile(STEP, threads=1)
    for rows in (128, 1024, 8192, 65536):
        made, keys, _, seconds = generate(program, rows, STEPS)
        np.testing.assert_allclose(made, expected(STEPS), rtol=1e-3, atol=1e-5)
        arena = program.memory.arena_bytes
        step = seconds / STEPS * 1e6
        print(f"{rows} rows, {keys.nbytes} bytes a cache: arena {arena} bytes, {step:.0f} microseconds a step")


if __name__ == "__main__":
    main()
