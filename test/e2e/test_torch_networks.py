"""The networks of `examples/training/networks` in their full size against PyTorch: losses and all gradients."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from test_training_networks import arrays, networks, trained

import lastuse
from support import ROOT

Array = np.ndarray
BLOCKS = [f"stage{stage}.{block}" for stage in range(1, 5) for block in (1, 2)]
RELUS = ["stem", *(f"{block}{part}" for block in BLOCKS for part in (".conv1", ""))]
"""The relus of ResNet-18, in their order."""


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch", reason="PyTorch is not installed")


def peer(name: str, parameters: Mapping[str, Array]) -> Any:
    """The network in PyTorch and in float64, which is what results are to be near to."""
    spec = importlib.util.spec_from_file_location(
        "torch_networks", ROOT / "bench" / "training_sides" / "torch_networks.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.NETWORKS[name](parameters).double()


def tensors(torch: Any, batch: Mapping[str, Array]) -> dict[str, Any]:
    made = {name: torch.tensor(array) for name, array in batch.items()}
    return {name: tensor.double() if tensor.is_floating_point() else tensor for name, tensor in made.items()}


def assert_gradients(results: Mapping[str, Array], model: Any, names: Sequence[str]) -> None:
    """Within 1e-3 of a gradient's largest element; one that is 0, as of the keys' bias, has roundings alone."""
    wanted = {name: model.value(name).grad.numpy() for name in names}
    least = 1e-4 * max(np.abs(want).max() for want in wanted.values())
    for name, want in wanted.items():
        far = np.abs(results[f"{name}.gradient"] - want).max() / max(np.abs(want).max(), least)
        assert far <= 1e-3, f"{name}: {far}"


@pytest.mark.parametrize("name", ["lenet", "transformer"])
def test_gradients_of_a_network(name: str, torch: Any) -> None:
    module = networks.NETWORKS[name]()
    given, names = arrays(module), trained(module)
    results = lastuse.compile(module, loss="loss").run(given)
    model = peer(name, {key: given[key] for key in names})
    loss = model(**tensors(torch, {key: array for key, array in given.items() if key not in names}))
    loss.backward()
    np.testing.assert_allclose(results["loss"], loss.item(), rtol=1e-5)
    assert_gradients(results, model, names)


def test_gradients_of_an_lstm(torch: Any) -> None:
    module = networks.NETWORKS["lstm"]()
    given = arrays(module)
    results = lastuse.compile(module, loss="loss").run(given)

    def ordered(array: Array) -> Any:
        """Gates i, o, f, c as PyTorch has them: i, f, c, o."""
        i, o, f, c = np.split(array.astype(np.float64), 4)
        return torch.tensor(np.concatenate([i, f, c, o]), requires_grad=True)

    weights = [ordered(given["w"][0]), ordered(given["r"][0]), *map(ordered, np.split(given["b"][0], 2))]
    wide = tensors(torch, {name: given[name] for name in ("x", "target")})
    start = torch.zeros_like(wide["target"])
    _, state, _ = torch.lstm(wide["x"], (start, start), weights, True, 1, 0.0, True, False, False)
    loss = torch.nn.functional.mse_loss(state, wide["target"])
    loss.backward()
    np.testing.assert_allclose(results["loss"], loss.item(), rtol=1e-5)
    found = [results["w.gradient"][0], results["r.gradient"][0], *np.split(results["b.gradient"][0], 2)]
    for one, other in zip(found, weights, strict=True):
        want = other.grad.numpy()
        np.testing.assert_allclose(ordered(one).detach().numpy(), want, rtol=0, atol=1e-3 * np.abs(want).max())


def test_five_steps_of_a_residual_network(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gradient of relu jumps at 0, so roundings that move an element of millions past 0 change gradients by
    percents, those of PyTorch in float32 too. Here both networks have each element on the same side; losses are held
    against those of a network with sides of its own too, which the last bits of a convolution bring apart by 1e-3 in
    the fifth step."""
    module = networks.NETWORKS["resnet18"]()
    names, rate = trained(module), 0.01
    shown = [f"{name}_relu".replace(".", "_") for name in RELUS]
    program = lastuse.compile(module, loss="loss", fetch_names=shown)
    own = _first_parameters(arrays(module))
    parameters = {name: array.copy() for name, array in own.items() if name not in ("x", "y")}
    models = [peer("resnet18", parameters) for _ in range(2)]
    relu = torch.relu
    for batch in _batches(own["x"], 5):
        own |= batch
        results = program.run(own)
        signs = iter([torch.tensor(np.asarray(results[name]) > 0).double() for name in shown])
        for number, model in enumerate(models):
            near = 3e-3 if number else 1e-5
            monkeypatch.setattr(torch, "relu", relu if number else partial(_on_sides, signs))
            model.zero_grad()
            loss = model(**tensors(torch, batch))
            loss.backward()
            assert abs(results["loss"] - loss.item()) <= near * loss.item()
        assert_gradients(results, models[0], names)
        for name in names:
            own[name] = own[name] - np.float32(rate) * results[f"{name}.gradient"]
            for model in models:
                model.value(name).data -= rate * model.value(name).grad


def _on_sides(signs: Iterator[Any], value: Any) -> Any:
    """What `relu` gives where its operand is on the next of these sides of 0."""
    return value * next(signs)


def _first_parameters(given: dict[str, Array]) -> dict[str, Array]:
    """Weights as He et al. 2015 draw them, and normalisations that leave values as they are."""
    rng = np.random.default_rng(3)
    for name, array in given.items():
        if name.endswith("weight") and array.ndim == 4:
            given[name] = rng.normal(0, np.sqrt(2 / np.prod(array.shape[1:])), array.shape).astype(np.float32)
        elif name.endswith(("norm.weight", "norm.variance")):
            given[name] = np.ones_like(array)
        elif name.endswith(("bias", "norm.mean")):
            given[name] = np.zeros_like(array)
    return given


def _batches(like: Array, count: int) -> Iterator[dict[str, Array]]:
    rng = np.random.default_rng(4)
    for _ in range(count):
        yield {"x": rng.normal(size=like.shape).astype(np.float32), "y": rng.integers(0, 10, len(like))}
