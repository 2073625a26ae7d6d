"""Paddle 2.6.2: its fused GRU as it is, and with oneDNN; LAC by its predictor."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import paddle
import workload
from paddle.base import core
from side import Prepared


def prepare(of: workload.Workload, threads: int, variant: str) -> Prepared:
    """`variant`: "onednn" or nothing."""
    paddle.enable_static()
    core.set_num_threads(threads)
    channels = len(of.iter)
    # Paddle's memory order: u and r side by side, then c.
    iter_ = np.concatenate([of.iter[:, :2].reshape(-1), of.iter[:, 2].reshape(-1)]).reshape(channels, -1)
    block = paddle.static.default_main_program().global_block()
    scope, place, cpu = core.Scope(), core.Place(), core.CPUPlace()
    place.set_place(cpu)
    given = {"X": of.x, "WeightX": of.layer, "WeightH": iter_, "Bias": of.bias}
    for name, array in given.items():
        block.create_var(name=name, shape=array.shape, dtype="float32", persistable=True, lod_level=int(name == "X"))
        tensor = scope.var(name).get_tensor()
        tensor.set(np.ascontiguousarray(array), cpu)
        if name == "X":
            tensor.set_lod([of.offsets.tolist()])
    outputs = ("ReorderedH0", "XX", "BatchedInput", "BatchedOut", "Hidden")
    for name in outputs:
        block.create_var(name=name, shape=[-1, channels], dtype="float32", persistable=True, lod_level=1)
        scope.var(name).get_tensor()
    block.append_op(
        type="fusion_gru",
        inputs={name: [name] for name in given},
        outputs={name: [name] for name in outputs},
        attrs={
            "activation": "tanh",
            "gate_activation": "sigmoid",
            "is_reverse": False,
            "use_seq": True,
            "origin_mode": False,
            "use_mkldnn": variant == "onednn",
        },
    )
    executor = core.Executor(place)
    made = executor.prepare(paddle.static.default_main_program().desc, 0, [], False)

    def run() -> None:
        executor.run_prepared_ctx(made, scope, False, False, False)

    return Prepared(run, lambda: np.array(scope.find_var("Hidden").get_tensor()))


def prepare_lac(path: Path, threads: int, variant: str) -> Prepared:
    """`variant`: "plain" (no passes), "native" (its own fusions) or "onednn"."""
    from paddle import inference

    with np.load(path) as arrays:
        words, offsets, want = arrays["words"], arrays["offsets"], arrays["tags"] if "tags" in arrays.files else None
    folder = path.parent / "lac_model"
    config = inference.Config(str(folder))
    config.disable_gpu()
    config.set_cpu_math_library_num_threads(threads)
    config.switch_ir_optim(variant != "plain")
    if variant == "onednn":
        config.enable_mkldnn()
    config.disable_glog_info()
    predictor = inference.create_predictor(config)
    source = predictor.get_input_handle(predictor.get_input_names()[0])
    target = predictor.get_output_handle(predictor.get_output_names()[0])

    def run() -> np.ndarray:
        source.copy_from_cpu(words)
        source.set_lod([offsets.tolist()])
        predictor.run()
        return target.copy_to_cpu()

    tags = run()
    if want is not None and not np.array_equal(tags, want):
        sys.exit(f"paddle {variant}: other tags")
    return Prepared(run, lambda: tags)
