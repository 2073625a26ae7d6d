"""
Trains a small convolutional network on scikit-learn's pictures of digits. A step, forward, backward and momentum's
updates, is one compiled program.

    python examples/training/digits.py --steps 300 --pictures pictures

Options `--init`, `--data` and `--losses` write what the training starts from, what it is given and what comes of it, so
that it can be repeated elsewhere: weights of convolutions are [out, in, height, width], those of the last layer
[out, in], over rows whose elements are in the order channel, height, width.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from training_loop import exit_on_error, options, save_arrays, train

import lastuse

MODEL = Path(__file__).with_name("digits.mlir")
BATCH, RATE, MOMENTUM = 32, 0.05, 0.9
SHAPES = {
    "conv1.weight": (8, 1, 3, 3),
    "conv1.bias": (8,),
    "conv2.weight": (16, 8, 3, 3),
    "conv2.bias": (16,),
    "fc.weight": (10, 64),
    "fc.bias": (10,),
}


def initial(seed: int = 0) -> dict[str, np.ndarray]:
    """Random weights, as wide as He et al. 2015 make them (equation 10); biases of 0."""
    rng = np.random.default_rng(seed)

    def values(shape: tuple[int, ...]) -> np.ndarray:
        return rng.normal(0, np.sqrt(2 / np.prod(shape[1:])), shape) if len(shape) > 1 else np.zeros(shape)

    return {name: values(shape).astype(np.float32) for name, shape in SHAPES.items()}


def pictures(steps: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Batches of pictures, f32 [steps, batch, 1, 8, 8] from 0 to 1, and of what they show, i64 [steps, batch]."""
    rows, digits = (np.asarray(array) for array in load_digits(return_X_y=True))
    chosen = np.random.default_rng(seed).integers(0, len(rows), (steps, BATCH))
    images = rows[chosen].reshape(steps, BATCH, 1, 8, 8) / 16
    return images.astype(np.float32), digits[chosen].astype(np.int64)


def main() -> None:
    """Trains, and prints the loss and the memory of a step."""
    chosen = options("train a network on pictures of digits", steps=300)
    x, y = pictures(chosen.steps)
    parameters = initial()
    save_arrays(chosen.init, parameters)
    save_arrays(chosen.data, {"x": x, "y": y, "lr": np.array(RATE), "momentum": np.array(MOMENTUM)})
    optimizer = {"optimizer": "momentum", "momentum": MOMENTUM}
    program = lastuse.compile(
        MODEL, optimizer=optimizer, inputs={"x": x[0], "y": y[0]}, threads=chosen.threads, limit=chosen.limit
    )
    rate = np.array(RATE, np.float32)
    train(program, parameters, [{"x": x[k], "y": y[k], "lr": rate} for k in range(chosen.steps)], chosen)


if __name__ == "__main__":
    exit_on_error(main)
