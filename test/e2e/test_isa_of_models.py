"""ONNX models of packages on instructions that every processor has: results are those of the machine's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from packaged_models import fetched, model_table

import lastuse
from support import swept

NAMES = ("akiki-vad", "dfn3-erb_dec", "dfn3-df_dec", "silero-vad-half")
"""`ONEDNN_MAX_CPU_ISA` is read once in a process: so many models are run in one."""
RUN = """
import sys
import numpy as np
import lastuse
for path, folder in zip(sys.argv[1::2], sys.argv[2::2]):
    inputs = dict(np.load(folder + "/inputs.npz"))
    np.savez(folder + "/results.npz", **lastuse.compile(path, inputs=inputs, threads=1).run(inputs))
"""


@pytest.mark.parametrize("isa", swept(["SSE41", "AVX2"]))
def test_results_are_those_of_the_machines_own_instructions(isa: str, tmp_path: Path) -> None:
    models = [model for model in model_table.MODELS if model.name in NAMES]
    arguments: list[str] = []
    for model in models:
        folder = tmp_path / model.name
        folder.mkdir()
        np.savez(folder / "inputs.npz", **model.inputs(model.sizes))  # pyright: ignore[reportArgumentType]
        arguments += [str(fetched(model)), str(folder)]
    environment = os.environ | {"ONEDNN_MAX_CPU_ISA": isa}
    subprocess.run([sys.executable, "-c", RUN, *arguments], check=True, env=environment)
    for model in models:
        inputs = model.inputs(model.sizes)
        own = lastuse.compile(fetched(model), inputs=inputs, threads=1).run(inputs)
        with np.load(tmp_path / model.name / "results.npz") as found:
            for name, result in own.items():
                error = np.abs(found[name].astype(np.float64) - result).max() / np.abs(result).max()
                assert error <= model.tolerance, f"{model.name}: {name} differs by {error:.1e}"
