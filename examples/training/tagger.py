"""
Trains a tagger of words on generated sentences of different lengths, with Adam. The GRUs run over the words of a batch
as they lie, row behind row; no sentence is padded. A step is one compiled program for each number of words.

    python examples/training/tagger.py --steps 100 --pictures pictures

`--init`, `--data` and `--losses` write what the training starts from, what it is given and what comes of it: of each
batch the words, the tags and the offsets of its sentences. Weights of a GRU have its gates u, r, c side by side, and
its cell is h' = u * h + (1 - u) * tanh(x Wc + (r * h) Uc).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from training_loop import exit_on_error, options, save_arrays, train

import lastuse

MODEL = Path(__file__).with_name("tagger.mlir")
WORDS, WIDTH, TAGS, SENTENCES, RATE = 1000, 64, 8, 16, 0.002
LENGTHS = (5, 40)
Batch = dict[str, np.ndarray]


def initial(seed: int = 0) -> Batch:
    """Random weights, as wide as Glorot and Bengio 2010 make them (equation 16); biases of 0."""
    rng = np.random.default_rng(seed)
    directions = ("forward", "backward")
    shapes = {"embedding": (WORDS, WIDTH)}
    for direction in directions:
        shapes |= {f"{direction}.input": (WIDTH, 3 * WIDTH), f"{direction}.state": (WIDTH, 3, WIDTH)}
        shapes |= {f"{direction}.bias": (1, 3 * WIDTH)}
    shapes |= {"tag.weight": (2 * WIDTH, TAGS), "tag.bias": (TAGS,)}

    def values(name: str, shape: tuple[int, ...]) -> np.ndarray:
        bound = 0 if name.endswith("bias") else np.sqrt(6 / (shape[0] + np.prod(shape[1:])))
        return rng.uniform(-bound, bound, shape).astype(np.float32)

    return {name: values(name, shape) for name, shape in shapes.items()}


def sentences(steps: int, seed: int = 1) -> list[Batch]:
    """Batches of words and their tags. A word's tag depends on it and on the word before."""
    rng = np.random.default_rng(seed)
    batches: list[Batch] = []
    for _ in range(steps):
        lengths = rng.integers(LENGTHS[0], LENGTHS[1] + 1, SENTENCES)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        words = rng.integers(0, WORDS, offsets[-1])
        before = np.concatenate([[0], words[:-1]])
        before[offsets[:-1]] = 0
        tags = (words // 125 + before // 500) % TAGS
        batches.append({"words": words, "offsets": offsets, "tags": tags})
    return batches


def main() -> None:
    """Trains, and prints the loss and the memory of the last step."""
    chosen = options("train a tagger of words", steps=100)
    batches, parameters = sentences(chosen.steps), initial()
    save_arrays(chosen.init, parameters)
    save_arrays(chosen.data, {f"{name}{k}": array for k, batch in enumerate(batches) for name, array in batch.items()})
    program = lastuse.compile(MODEL, optimizer="adam", threads=chosen.threads, limit=chosen.limit)
    rate = np.array(RATE, np.float32)
    train(program, parameters, [{**batch, "lr": rate} for batch in batches], chosen)


if __name__ == "__main__":
    exit_on_error(main)
