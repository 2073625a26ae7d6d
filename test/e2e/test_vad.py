"""The example of a stream through Silero VAD: the state in one array, the probabilities of onnxruntime."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support import ROOT

FOLDER = ROOT / "examples" / "vad"


def example(name: str) -> ModuleType:
    """A file of the example as a module."""
    spec = importlib.util.spec_from_file_location(f"vad_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def model() -> Path:
    fetch = example("fetch")
    try:
        return fetch.fetch()
    except fetch.FetchError as error:
        pytest.skip(str(error))


def test_a_stream_has_the_probabilities_of_onnxruntime(model: Path) -> None:
    ort = pytest.importorskip("onnxruntime")
    session, vad = ort.InferenceSession(str(model), providers=["CPUExecutionProvider"]), example("stream")
    stream = vad.Stream(vad.program(model))
    memory, address = stream.model.memory, stream.state.ctypes.data
    sound, state = np.zeros((1, vad.PAST + vad.CHUNK), np.float32), np.zeros((2, 1, 128), np.float32)
    probabilities: list[float] = []
    for chunk in vad.chunks(vad.signal(1.5)):
        sound = np.concatenate([sound[:, vad.CHUNK :], chunk[None]], axis=1)
        want, state = session.run(None, {"input": sound, "state": state, "sr": np.array(vad.RATE)})
        probabilities.append(stream(chunk))
        assert abs(probabilities[-1] - want[0, 0]) < 1e-4
        np.testing.assert_allclose(stream.state, state, rtol=0, atol=1e-4)
    assert max(probabilities) > 0.5 > 0.1 > min(probabilities)
    assert stream.state.ctypes.data == address
    assert memory == stream.model.memory
