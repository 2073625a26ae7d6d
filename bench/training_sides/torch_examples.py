"""
The losses of an example of `examples/training` in PyTorch, from the initial parameters and the batches it has written.

    python torch_examples.py NAME INIT.npz DATA.npz LOSSES.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_networks import Digits, Functional

Arrays = Mapping[str, np.ndarray]
RATE = 0.002
"""Of the tagger; the file of the digits has theirs."""


class Tagger(Functional):
    """`examples/training/tagger.mlir`, its GRUs step by step: h' = u * h + (1 - u) * tanh(x Wc + (r * h) Uc + b)."""

    def gru(self, sentences: list[Tensor], side: str) -> list[Tensor]:
        """The states over sentences [words, width] of any lengths; those that have ended keep their state."""
        state = self.value(f"{side}.state").flatten(1)
        size = state.shape[0]
        padded = nn.utils.rnn.pad_sequence(sentences)
        lengths = torch.tensor([len(words) for words in sentences])
        gates = padded @ self.value(f"{side}.input") + self.value(f"{side}.bias")
        h, states = torch.zeros(len(sentences), size), list[Tensor]()
        for time, row in enumerate(gates):
            u, r = torch.sigmoid(row[:, : 2 * size] + h @ state[:, : 2 * size]).split(size, 1)
            new = u * h + (1 - u) * torch.tanh(row[:, 2 * size :] + (r * h) @ state[:, 2 * size :])
            h = torch.where((time < lengths)[:, None], new, h)
            states.append(h)
        return [rows[:length] for rows, length in zip(torch.stack(states, 1), lengths.tolist(), strict=True)]

    def forward(self, words: Tensor, offsets: Tensor, tags: Tensor) -> Tensor:
        sentences = list(self.value("embedding")[words].split((offsets[1:] - offsets[:-1]).tolist()))
        first = torch.cat(self.gru(sentences, "forward"))
        last = torch.cat([rows.flip(0) for rows in self.gru([x.flip(0) for x in sentences], "backward")])
        states = torch.cat([first, last], 1)
        return functional.cross_entropy(states @ self.value("tag.weight") + self.value("tag.bias"), tags)


Run = tuple[nn.Module, torch.optim.Optimizer, Iterator[dict[str, Any]]]


def _digits(init: Arrays, data: Arrays) -> Run:
    network = Digits(init)
    rate, momentum = (float(data[name]) for name in ("lr", "momentum"))
    batches = ({"x": x, "y": y} for x, y in zip(data["x"], data["y"], strict=True))
    return network, torch.optim.SGD(network.parameters(), lr=rate, momentum=momentum), batches


def _tagger(init: Arrays, data: Arrays) -> Run:
    network = Tagger(init)
    names = ("words", "offsets", "tags")
    batches = ({name: data[f"{name}{k}"] for name in names} for k in range(len(data) // len(names)))
    return network, torch.optim.Adam(network.parameters(), lr=RATE), batches


EXAMPLES: dict[str, Callable[[Arrays, Arrays], Run]] = {"digits": _digits, "tagger": _tagger}


def main() -> None:
    name, init, data, losses = sys.argv[1:]
    torch.set_num_threads(1)
    with np.load(init) as first, np.load(data) as batches:
        network, optimizer, steps = EXAMPLES[name](dict(first), dict(batches))
    found: list[float] = []
    for batch in steps:
        optimizer.zero_grad(set_to_none=True)
        loss = network(**{key: torch.from_numpy(array) for key, array in batch.items()})
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    Path(losses).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
