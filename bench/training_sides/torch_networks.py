"""The networks of `bench/training.py` in PyTorch. Each is made from our parameters and gives the loss of a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

Parameters = Mapping[str, np.ndarray]


class Digits(nn.Module):
    """`examples/training/digits.mlir`."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(64, 10)
        self.load_state_dict({name: torch.from_numpy(array) for name, array in parameters.items()})

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        for conv in (self.conv1, self.conv2):
            x = functional.max_pool2d(torch.relu(conv(x)), 2)
        return functional.cross_entropy(self.fc(x.flatten(1)), y)


class Tagger(nn.Module):
    """`examples/training/tagger.mlir` with PyTorch's own GRU over packed sequences. Its cell is another one (the reset
    gate is applied after the product), so its losses differ."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        words, width = parameters["embedding"].shape
        tags = len(parameters["tag.bias"])
        self.embedding = nn.Embedding(words, width)
        self.gru = nn.GRU(width, width, bidirectional=True)
        self.tag = nn.Linear(2 * width, tags)

    def forward(self, words: Tensor, offsets: Tensor, tags: Tensor) -> Tensor:
        lengths = (offsets[1:] - offsets[:-1]).tolist()
        packed = nn.utils.rnn.pack_sequence(list(self.embedding(words).split(lengths)), enforce_sorted=False)
        rows = nn.utils.rnn.unpack_sequence(self.gru(packed)[0])
        return functional.cross_entropy(self.tag(torch.cat(rows)), tags)


NETWORKS: dict[str, Callable[[Parameters], Any]] = {"digits": Digits, "tagger": Tagger}
"""By the name of the model's file."""
