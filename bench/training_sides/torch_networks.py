"""The networks of `bench/training_steps.py` in PyTorch: each is made from our parameters, and gives a batch's loss."""

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


class Functional(nn.Module):
    """A network of functions on parameters with our names."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        self._names = set(parameters)
        for name, array in parameters.items():
            trained = not name.endswith((".mean", ".variance"))
            value = nn.Parameter(torch.from_numpy(array), requires_grad=trained)
            self.register_parameter(name.replace(".", "_"), value)

    def value(self, name: str) -> Tensor:
        """A parameter by our name."""
        return self.get_parameter(name.replace(".", "_"))

    def linear(self, x: Tensor, name: str) -> Tensor:
        """x W^T + b."""
        return functional.linear(x, self.value(f"{name}.weight"), self.value(f"{name}.bias"))

    def layer_norm(self, x: Tensor, name: str) -> Tensor:
        """Normalised rows."""
        return functional.layer_norm(x, x.shape[-1:], self.value(f"{name}.weight"), self.value(f"{name}.bias"))


class LeNet(Functional):
    """`examples/training/networks/lenet.mlir`."""

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        for name, pad in (("conv1", 2), ("conv2", 0)):
            convolved = functional.conv2d(x, self.value(f"{name}.weight"), self.value(f"{name}.bias"), padding=pad)
            x = functional.max_pool2d(torch.relu(convolved), 2)
        x = torch.relu(self.linear(x.flatten(1), "fc1"))
        return functional.cross_entropy(self.linear(torch.relu(self.linear(x, "fc2")), "fc3"), y)


class ResNet18(Functional):
    """`examples/training/networks/resnet18.mlir`."""

    def conv(self, x: Tensor, name: str, stride: int = 1) -> Tensor:
        """A convolution and batch normalisation, which updates the running statistics."""
        weight = self.value(f"{name}.weight")
        x = functional.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)
        mean, variance, scale, bias = (self.value(f"{name}.norm.{n}") for n in ("mean", "variance", "weight", "bias"))
        return functional.batch_norm(x, mean, variance, scale, bias, training=True)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        x = torch.relu(self.conv(x, "stem"))
        for stage in range(1, 5):
            for block in range(1, 3):
                name, stride = f"stage{stage}.{block}", 2 if stage > 1 and block == 1 else 1
                inner = self.conv(torch.relu(self.conv(x, f"{name}.conv1", stride)), f"{name}.conv2")
                kept = self.conv(x, f"{name}.shortcut", stride) if f"{name}.shortcut.weight" in self._names else x
                x = torch.relu(inner + kept)
        return functional.cross_entropy(self.linear(x.mean((2, 3)), "fc"), y)


class Transformer(Functional):
    """`examples/training/networks/transformer.mlir`."""

    def forward(self, x: Tensor, target: Tensor, batch: int = 1, heads: int = 12) -> Tensor:
        query, key, value = (
            self.linear(x, name).reshape(batch, -1, heads, x.shape[1] // heads).transpose(1, 2)
            for name in ("query", "key", "value")
        )
        weights = torch.softmax(query @ key.transpose(2, 3) * query.shape[-1] ** -0.5, -1)
        mixed = (weights @ value).transpose(1, 2).reshape(x.shape)
        middle = self.layer_norm(self.linear(mixed, "out") + x, "norm1")
        wide = functional.gelu(self.linear(middle, "up"))
        return functional.mse_loss(self.layer_norm(self.linear(wide, "down") + middle, "norm2"), target)


NETWORKS: dict[str, Callable[[Parameters], Any]] = {
    "digits": Digits,
    "tagger": Tagger,
    "lenet": LeNet,
    "resnet18": ResNet18,
    "transformer": Transformer,
}
"""By the name of the model's file."""
