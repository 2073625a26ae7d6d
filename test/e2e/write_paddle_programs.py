"""
Runs in an environment with paddlepaddle 2.6.2: `python write_paddle_programs.py FOLDER`.

Writes a folder with a loop and branches for inference (`loops`): inputs and results of some runs are in `runs.npz`; and
a folder for each training program: the program as it is trained, its parameters before the first step as
`save_vars` writes them, the batches of the steps and the losses that Paddle computes on them (`run.npz`), and the
parameters after the last step (`after.npz`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F
from paddle.static import nn

STEPS, ROWS, CLASSES = 10, 8, 10
Network = Callable[[Any, Any], Any]
"""The loss from rows and labels."""


def mlp(x: Any, y: Any) -> Any:
    hidden = nn.fc(x, 32, activation="relu")
    return paddle.mean(F.softmax_with_cross_entropy(nn.fc(hidden, CLASSES), y))


def lenet(x: Any, y: Any) -> Any:
    h = nn.batch_norm(nn.conv2d(x, 6, 3, padding=1), act="relu")
    h = F.max_pool2d(h, 2, 2)
    h = F.relu(nn.batch_norm(nn.conv2d(h, 16, 5)))
    h = F.avg_pool2d(h, 2, 2)
    h = nn.fc(paddle.flatten(h, 1), 32, activation="relu")
    return paddle.mean(F.softmax_with_cross_entropy(nn.fc(h, CLASSES), y))


def pointwise(x: Any, y: Any) -> Any:
    """Activations and arithmetic, some values read twice, rows broadcast."""
    h = nn.fc(x, 24)
    row = paddle.static.create_parameter([24], "float32", name="row")
    parts = [F.sigmoid(h) * h, paddle.tanh(h - row), F.leaky_relu(h, 0.1), F.gelu(h), F.silu(h) / (paddle.exp(row) + 2)]
    parts += [paddle.maximum(h, row), paddle.minimum(h, row * 2), paddle.square(h), paddle.abs(h), F.relu6(h)]
    parts += [paddle.clip(h, -0.5, 0.5), paddle.sqrt(paddle.square(h) + 1), paddle.pow(h, 3.0), h * h]
    total = paddle.concat(parts, axis=1)
    return paddle.mean(F.softmax_with_cross_entropy(nn.fc(total, CLASSES), y))


def attention(x: Any, y: Any) -> Any:
    """Products of matrices with turned operands, views, layer normalisation, softmax, and one on probabilities."""
    tokens = nn.layer_norm(paddle.reshape(nn.fc(x, 48), [ROWS, 4, 12]), begin_norm_axis=2)
    scores = F.softmax(paddle.matmul(tokens, tokens, transpose_y=True) * 0.3)
    mixed = paddle.transpose(paddle.matmul(scores, tokens), [0, 2, 1])
    flat = paddle.squeeze(paddle.unsqueeze(paddle.reshape(mixed, [0, -1]), 1), 1)
    parts = nn.fc(flat, CLASSES, activation="softmax")
    return paddle.mean(F.cross_entropy(parts, y, use_softmax=False))


def words(x: Any, y: Any) -> Any:
    """An embedding, rows whose label does not count, and a sum instead of a mean."""
    ids = paddle.cast(paddle.clip(paddle.abs(x) * 4, 0, 6), "int64")
    rows = paddle.reshape(nn.embedding(ids, [7, 5]), [ROWS, -1])
    losses = F.softmax_with_cross_entropy(nn.fc(rows, CLASSES), y, ignore_index=3)
    return paddle.sum(losses) / ROWS


def distributions(x: Any, y: Any) -> Any:
    """Labels that are distributions, over images whose channels are last."""
    image = paddle.reshape(x, [ROWS, 4, 4, 1])
    h = F.relu(nn.conv2d(image, 6, 3, padding="SAME", data_format="NHWC"))
    h = F.max_pool2d(h, 2, 2, data_format="NHWC")
    soft = F.softmax(nn.fc(x, CLASSES))
    soft.stop_gradient = True
    return paddle.mean(F.softmax_with_cross_entropy(nn.fc(paddle.flatten(h, 1), CLASSES), soft, soft_label=True))


ROWS_OF_16, IMAGES = [ROWS, 16], [-1, 1, 28, 28]
OPTIMIZERS: dict[str, Callable[[], Any]] = {
    "sgd": lambda: paddle.optimizer.SGD(0.1),
    "momentum": lambda: paddle.optimizer.Momentum(0.05, 0.9, use_nesterov=True, weight_decay=1e-4),
    "adam": lambda: paddle.optimizer.Adam(0.01),
    "clipped": lambda: paddle.optimizer.SGD(
        0.1, weight_decay=paddle.regularizer.L2Decay(1e-3), grad_clip=paddle.nn.ClipGradByGlobalNorm(0.5)
    ),
}
PROGRAMS: dict[str, tuple[Network, list[int], str]] = {
    "mlp-sgd": (mlp, ROWS_OF_16, "sgd"),
    "mlp-momentum": (mlp, ROWS_OF_16, "momentum"),
    "mlp-adam": (mlp, ROWS_OF_16, "adam"),
    "mlp-clipped": (mlp, ROWS_OF_16, "clipped"),
    "lenet-momentum": (lenet, IMAGES, "momentum"),
    "lenet-adam": (lenet, IMAGES, "adam"),
    "pointwise": (pointwise, ROWS_OF_16, "sgd"),
    "attention": (attention, ROWS_OF_16, "momentum"),
    "words": (words, ROWS_OF_16, "sgd"),
    "distributions": (distributions, ROWS_OF_16, "sgd"),
}


def write(folder: Path, network: Network, shape: list[int], optimizer: str) -> None:
    folder.mkdir()
    paddle.seed(3)
    main, start = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, start), paddle.utils.unique_name.guard():
        x = paddle.static.data("x", shape, "float32")
        y = paddle.static.data("y", [shape[0], 1], "int64")
        loss = network(x, y)
        OPTIMIZERS[optimizer]().minimize(loss)
    scope, executor = paddle.static.Scope(), paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(scope):
        executor.run(start)
        states = save(folder, main, executor)
        rng = np.random.default_rng(1)
        rows = rng.normal(size=(STEPS, ROWS, *shape[1:])).astype(np.float32)
        labels = rng.integers(0, CLASSES, (STEPS, ROWS, 1))
        steps = [executor.run(main, {"x": a, "y": b}, [loss])[0] for a, b in zip(rows, labels, strict=True)]
        np.savez(folder / "run.npz", x=rows, y=labels, losses=np.array(steps, np.float64).reshape(-1))
        np.savez(folder / "after.npz", **{name: np.array(scope.find_var(name).get_tensor()) for name in states})


def save(folder: Path, main: Any, executor: Any) -> list[str]:
    """Writes a program and its variables that outlive a step; their names."""
    (folder / "__model__").write_bytes(main.desc.serialize_to_string())
    kept = [v for v in main.list_vars() if v.persistable and v.type == paddle.base.core.VarDesc.VarType.LOD_TENSOR]
    paddle.static.io.save_vars(executor, str(folder), main, vars=kept)
    return [v.name for v in kept]


def write_loops(folder: Path) -> None:
    """A loop of as many iterations as an input says, with a branch in it; then a branch with two values."""
    folder.mkdir()
    paddle.seed(3)
    main, start = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, start), paddle.utils.unique_name.guard():
        x = paddle.static.data("x", [4, 3], "float32")
        n = paddle.static.data("n", [1], "int64")

        def body(number: Any, h: Any) -> list[Any]:
            moved = paddle.tanh(nn.fc(h, 3) + x)
            h = nn.cond(paddle.mean(moved) > 0, lambda: moved * 0.5, lambda: moved - x)
            return [number + 1, h]

        number, h = nn.while_loop(lambda i, _: i < n, body, [paddle.zeros([1], "int64"), nn.fc(x, 3)])
        larger, smaller = nn.cond(paddle.sum(h) > 1, lambda: (h * 2, h), lambda: (h, paddle.exp(h)))
    scope, executor = paddle.static.Scope(), paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(scope):
        executor.run(start)
        outputs = [larger, smaller, number]
        paddle.static.save_inference_model(str(folder / "net"), [x, n], outputs, executor, program=main)
        rng = np.random.default_rng(2)
        rows = rng.normal(size=(4, 4, 3)).astype(np.float32)
        counts = np.array([[0], [1], [3], [6]])
        runs = [executor.run(main, {"x": a, "n": c}, outputs) for a, c in zip(rows, counts, strict=True)]
        results = {f"result{k}": np.array([run[k] for run in runs]) for k in range(len(outputs))}
        np.savez(folder / "runs.npz", x=rows, n=counts, **results)


if __name__ == "__main__":
    paddle.enable_static()
    write_loops(Path(sys.argv[1]) / "loops")
    for name, program in PROGRAMS.items():
        write(Path(sys.argv[1]) / name, *program)
