"""The examples of training, end to end: their losses are those of the same network in float64 numpy."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from support import ROOT

Array = np.ndarray
Arrays = Mapping[str, Array]
EXAMPLES = ROOT / "examples" / "training"


def run(name: str, folder: Path, *options: str) -> tuple[list[float], Arrays, Arrays]:
    """The losses, the initial parameters and the data of an example."""
    files = ["--losses", "losses.json", "--init", "init.npz", "--data", "data.npz"]
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *files, *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    losses: list[float] = json.loads((folder / "losses.json").read_text())
    with np.load(folder / "init.npz") as init, np.load(folder / "data.npz") as data:
        return losses, dict(init), dict(data)


def assert_losses(losses: list[float], expected: list[float]) -> None:
    for loss, other in zip(losses, expected, strict=True):
        assert abs(loss - other) <= 1e-4 * max(other, 1e-3)


def cross_entropy(logits: Array, labels: Array) -> tuple[float, Array]:
    """The mean loss, and its gradient."""
    shifted = logits - logits.max(1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    rows = np.arange(len(labels))
    gradient = np.exp(logs)
    gradient[rows, labels] -= 1
    return float(-logs[rows, labels].mean()), gradient / len(labels)


def patches(x: Array) -> Array:
    """[N, C, H, W] padded by 1, as [N, C, 3, 3, H, W]."""
    wide = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    height, width = x.shape[2:]
    rows = [[wide[:, :, i : i + height, j : j + width] for j in range(3)] for i in range(3)]
    return np.stack([np.stack(row, 2) for row in rows], 2)


def conv(x: Array, w: Array, b: Array) -> Array:
    return np.einsum("ncijhw,ocij->nohw", patches(x), w) + b[:, None, None]


def conv_gradients(x: Array, w: Array, dy: Array) -> tuple[Array, Array, Array]:
    dx = np.einsum("noijhw,ocij->nchw", patches(dy), w[:, :, ::-1, ::-1])
    return dx, np.einsum("ncijhw,nohw->ocij", patches(x), dy), dy.sum((0, 2, 3))


def pool(x: Array) -> tuple[Array, Array]:
    """The largest of each 2 x 2, and where it is: 1 there, the first of several."""
    n, c, h, w = x.shape
    blocks = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
    chosen = np.eye(4)[blocks.argmax(-1)]
    mask = chosen.reshape(n, c, h // 2, w // 2, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(x.shape)
    return blocks.max(-1), mask


def spread(dy: Array) -> Array:
    return dy.repeat(2, 2).repeat(2, 3)


def digits_step(p: Arrays, x: Array, labels: Array) -> tuple[float, dict[str, Array]]:
    """The loss and the gradient of each parameter."""
    c1 = conv(x, p["conv1.weight"], p["conv1.bias"])
    p1, mask1 = pool(np.maximum(c1, 0))
    c2 = conv(p1, p["conv2.weight"], p["conv2.bias"])
    p2, mask2 = pool(np.maximum(c2, 0))
    rows = p2.reshape(len(x), -1)
    loss, dy = cross_entropy(rows @ p["fc.weight"].T + p["fc.bias"], labels)
    gradients = {"fc.weight": dy.T @ rows, "fc.bias": dy.sum(0)}
    d2 = spread((dy @ p["fc.weight"]).reshape(p2.shape)) * mask2 * (c2 > 0)
    dp1, gradients["conv2.weight"], gradients["conv2.bias"] = conv_gradients(p1, p["conv2.weight"], d2)
    d1 = spread(dp1) * mask1 * (c1 > 0)
    _, gradients["conv1.weight"], gradients["conv1.bias"] = conv_gradients(x, p["conv1.weight"], d1)
    return loss, gradients


def test_digits(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed (lastuse[examples])")
    losses, init, data = run("digits", tmp_path, "--steps", "40", "--threads", "1", "--pictures", "pictures")
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {"loss.svg", "memory.svg"}
    parameters = {name: array.astype(np.float64) for name, array in init.items()}
    velocity = {name: np.zeros_like(array) for name, array in parameters.items()}
    expected: list[float] = []
    for x, y in zip(data["x"].astype(np.float64), data["y"], strict=True):
        loss, gradients = digits_step(parameters, x, y)
        expected.append(loss)
        for name, gradient in gradients.items():
            velocity[name] = float(data["momentum"]) * velocity[name] + gradient
            parameters[name] = parameters[name] - float(data["lr"]) * velocity[name]
    assert_losses(losses, expected)
    assert expected[-1] < expected[0] / 2


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def gru(x: Array, wx: Array, wh: Array, b: Array) -> tuple[Array, list[tuple[Array, ...]]]:
    """The states of a sequence, and what each step was computed from."""
    size = wh.shape[0]
    wh = wh.reshape(size, -1)
    h, states, kept = np.zeros(size), [], []
    for row in x @ wx + b[0]:
        u, r = sigmoid(row[:size] + h @ wh[:, :size]), sigmoid(row[size : 2 * size] + h @ wh[:, size : 2 * size])
        c = np.tanh(row[2 * size :] + (r * h) @ wh[:, 2 * size :])
        kept.append((h, u, r, c))
        h = u * h + (1 - u) * c
        states.append(h)
    return np.array(states), kept


def gru_gradients(
    x: Array, wx: Array, wh: Array, kept: list[tuple[Array, ...]], dy: Array
) -> tuple[Array, Array, Array, Array]:
    """The gradients of x, wx, wh and the bias."""
    size, shape = wh.shape[0], wh.shape
    wh = wh.reshape(size, -1)
    gates, dwh, dh = np.zeros((len(x), 3 * size)), np.zeros_like(wh), np.zeros(size)
    for t in reversed(range(len(x))):
        h, u, r, c = kept[t]
        dh = dh + dy[t]
        dc = dh * (1 - u) * (1 - c * c)
        drh = wh[:, 2 * size :] @ dc
        du, dr = dh * (h - c) * u * (1 - u), drh * h * r * (1 - r)
        gates[t] = np.concatenate([du, dr, dc])
        dwh += np.concatenate([np.outer(h, du), np.outer(h, dr), np.outer(r * h, dc)], 1)
        dh = dh * u + drh * r + wh[:, :size] @ du + wh[:, size : 2 * size] @ dr
    return gates @ wx.T, x.T @ gates, dwh.reshape(shape), gates.sum(0, keepdims=True)


def tagger_step(p: Arrays, words: Array, offsets: Array, tags: Array) -> tuple[float, dict[str, Array]]:
    """The loss and the gradient of each parameter."""
    gradients = {name: np.zeros_like(array) for name, array in p.items()}
    x, states, kept = p["embedding"][words], np.zeros((len(words), 0)), {}
    for direction, step in (("forward", 1), ("backward", -1)):
        weights = [p[f"{direction}.{part}"] for part in ("input", "state", "bias")]
        side = np.zeros((len(words), weights[1].shape[0]))
        for first, end in pairwise(offsets):
            result, kept[direction, first] = gru(x[first:end][::step], *weights)
            side[first:end] = result[::step]
        states = np.concatenate([states, side], 1)
    loss, dy = cross_entropy(states @ p["tag.weight"] + p["tag.bias"], tags)
    gradients["tag.weight"], gradients["tag.bias"] = states.T @ dy, dy.sum(0)
    dx, sides = np.zeros_like(x), np.split(dy @ p["tag.weight"].T, 2, 1)
    for (direction, step), side in zip((("forward", 1), ("backward", -1)), sides, strict=True):
        for first, end in pairwise(offsets):
            part, names = slice(first, end), [f"{direction}.{name}" for name in ("input", "state", "bias")]
            results = gru_gradients(
                x[part][::step], p[names[0]], p[names[1]], kept[direction, first], side[part][::step]
            )
            dx[part] += results[0][::step]
            for name, gradient in zip(names, results[1:], strict=True):
                gradients[name] += gradient
    np.add.at(gradients["embedding"], words, dx)
    return loss, gradients


def test_tagger(tmp_path: Path) -> None:
    losses, init, data = run("tagger", tmp_path, "--steps", "5", "--threads", "1")
    parameters = {name: array.astype(np.float64) for name, array in init.items()}
    first = {name: np.zeros_like(array) for name, array in parameters.items()}
    second = {name: np.zeros_like(array) for name, array in parameters.items()}
    expected: list[float] = []
    for k in range(len(losses)):
        loss, gradients = tagger_step(parameters, data[f"words{k}"], data[f"offsets{k}"], data[f"tags{k}"])
        expected.append(loss)
        for name, gradient in gradients.items():
            first[name] = 0.9 * first[name] + 0.1 * gradient
            second[name] = 0.999 * second[name] + 0.001 * gradient**2
            root = np.sqrt(second[name] / (1 - 0.999 ** (k + 1))) + 1e-8
            parameters[name] = parameters[name] - 0.002 * first[name] / (1 - 0.9 ** (k + 1)) / root
    assert_losses(losses, expected)


WRONG = [["--steps", "0"], ["--steps", "1", "--losses", "missing/losses.json"], ["--steps", "1", "--limit", "1KiB"]]


@pytest.mark.parametrize("options", WRONG, ids=" ".join)
def test_wrong_options_are_errors(options: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "tagger.py"), *options], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode and "error: " in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr
