"""Steps of training within a limit: ops run again, and every result and parameter stays the same bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastuse
from support import ROOT, swept

NETWORKS = ROOT / "examples" / "training" / "networks"
LAYERS = 6


def layers() -> str:
    """Products with batch normalisation and relu behind them: activations take most of the memory of its step."""
    arguments = ["%x: tensor<256x32xf32>", "%target: tensor<256x32xf32>"]
    ops: list[str] = []
    results: list[tuple[str, str]] = []
    value, types = "%x", "tensor<256x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>"
    for k in range(LAYERS):
        arguments += [f"%w{k}: tensor<32x32xf32> {{dnn.trainable}}"]
        arguments += [f"%{name}{k}: tensor<32xf32> {{dnn.trainable}}" for name in ("scale", "shift")]
        for name in ("mean", "variance"):
            results.append((f"%new_{name}{k}", f"tensor<32xf32> {{dnn.tied = {len(arguments)} : i32}}"))
            arguments.append(f"%{name}{k}: tensor<32xf32> {{dnn.donated}}")
        ops += [
            f'%p{k} = "dnn.matmul"({value}, %w{k}) : (tensor<256x32xf32>, tensor<32x32xf32>) -> tensor<256x32xf32>',
            f'%n{k}, %new_mean{k}, %new_variance{k} = "dnn.batch_norm"(%p{k}, %scale{k}, %shift{k}, %mean{k}, '
            f"%variance{k}) {{training_mode = true}} : ({types}) -> "
            "(tensor<256x32xf32>, tensor<32xf32>, tensor<32xf32>)",
            f'%r{k} = "dnn.relu"(%n{k}) : (tensor<256x32xf32>) -> tensor<256x32xf32>',
        ]
        value = f"%r{k}"
    ops.append(f'%loss = "dnn.mse"({value}, %target) : (tensor<256x32xf32>, tensor<256x32xf32>) -> tensor<f32>')
    names = ", ".join(["%loss", *(name for name, _ in results)])
    stated = ", ".join(['tensor<f32> {dnn.loss, dnn.name = "loss"}', *(type_ for _, type_ in results)])
    plain = ", ".join(["tensor<f32>", *("tensor<32xf32>" for _ in results)])
    body = "\n  ".join([*ops, f"func.return {names} : {plain}"])
    return f"func.func @main({', '.join(arguments)}) -> ({stated}) {{\n  {body}\n}}\n"


@pytest.mark.parametrize(("recompute", "share"), [("cheap", 0.75), ("all", 0.6)])
def test_steps_within_a_limit_have_the_same_bits(recompute: str, share: float, tmp_path: Path) -> None:
    (tmp_path / "layers.mlir").write_text(layers())
    options: dict[str, Any] = {"optimizer": "momentum", "threads": 1}
    kept = lastuse.compile(tmp_path / "layers.mlir", **options)
    limit = int(kept.memory.arena_bytes * share)
    again = lastuse.compile(tmp_path / "layers.mlir", **options, limit=limit, recompute=recompute, poison=True)
    assert again.memory.arena_bytes <= limit < kept.memory.arena_bytes
    rng = np.random.default_rng(0)
    given = {
        name: rng.uniform(0.1, 1, [size for size in spec.shape if isinstance(size, int)]).astype(spec.dtype)
        for name, spec in kept.inputs.items()
    }
    arrays = [{name: array.copy() for name, array in given.items()} for _ in range(2)]
    for _ in range(3):
        results = [program.run(inputs) for program, inputs in zip((kept, again), arrays, strict=True)]
        for key, array in results[0].items():
            assert np.asarray(array).tobytes() == np.asarray(results[1][key]).tobytes(), key
    for key, array in arrays[0].items():
        assert array.tobytes() == arrays[1][key].tobytes(), key


SECOND_RUN = """!X = tensor<{shape}x{type}>
!C = tensor<{channels}x{type}>
func.func @main(%x: !X, %s: !C, %b: !C, %m: !C, %v: !C) -> (!X, !X) {{
  %y, %rm, %rv, %sm, %sv = "dnn.batch_norm"(%x, %s, %b, %m, %v) {{training_mode = true}}
    : (!X, !C, !C, !C, !C) -> (!X, !C, !C, !C, !C)
  %z, %0, %1, %2, %3 = "dnn.batch_norm"(%x, %s, %b, %sm, %sv) {{training_mode = true}}
    : (!X, !C, !C, !C, !C) -> (!X, !C, !C, !C, !C)
  func.return %y, %z : !X, !X
}}
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(8, 64, 9, 9), (3, 5, 7, 9), (4, 16, 1, 1), (2, 12, 33), (5, 3)], ids=str)
def test_batch_norm_runs_again_with_what_it_saved(
    shape: tuple[int, ...], dtype: type[np.floating], threads: int, tmp_path: Path
) -> None:
    """The result depends on no running statistics, those that were saved stand in for them."""
    text = SECOND_RUN.format(
        shape="x".join(map(str, shape)), channels=shape[1], type="f32" if dtype is np.float32 else "f64"
    )
    (tmp_path / "norm.mlir").write_text(text)
    program = lastuse.compile(tmp_path / "norm.mlir", threads=threads)
    rng = np.random.default_rng(1)
    x = (rng.normal(size=shape) * 3 + 1).astype(dtype)
    first, second = program(x, *(rng.uniform(0.5, 2, shape[1]).astype(dtype) for _ in range(4)))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(
    ("network", "recompute", "share", "threads"),
    swept(
        [
            ("resnet18", "cheap", 0.8, 1),
            ("resnet18", "all", 0.65, 1),
            ("transformer", "all", 0.67, 1),
            ("transformer", "all", 0.65, 1),
            ("transformer", "all", 0.65, 2),
            ("lstm_cells", "cheap", 0.95, 2),
            ("lstm_cells", "all", 0.65, 1),
        ]
    ),
)
def test_a_network_fits_into_less(network: str, recompute: str, share: float, threads: int) -> None:
    options: dict[str, Any] = {"optimizer": "momentum", "threads": threads}
    path = NETWORKS / f"{network}.mlir"
    kept = lastuse.compile(path, **options).memory.arena_bytes
    limit = int(kept * share)
    assert lastuse.compile(path, **options, limit=limit, recompute=recompute).memory.arena_bytes <= limit
