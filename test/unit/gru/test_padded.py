"""The padded form of a GRU equals the ragged one; a sequence that is too long is an error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_quantized import FORMS, OFFSETS, made

import lastuse
from lastuse.dialect.dnn.recurrent.padded import LodToTncOp
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.tools.run_tool import main as run_tool


@pytest.mark.parametrize("constant", [True, False], ids=["constants", "arguments"])
@pytest.mark.parametrize(("layers", "mode", "states", "marks"), FORMS)
def test_padded_model_computes_the_ragged_result(
    layers: int, mode: str | None, states: bool, marks: str, constant: bool
) -> None:
    model = made(layers, mode, states, constant, marks)
    ragged = lastuse.compile(model.module).run(model.inputs)["y"]
    for steps in (9, 12):
        program = lastuse.compile(model.module, padded=steps, poison=True)
        np.testing.assert_allclose(program.run(model.inputs)["y"], ragged, atol=1e-6)
        padded = [op for op in program.latest.module.walk() if isinstance(op, LodToTncOp)]
        assert len(padded) == layers * (1 if mode is None else 2)
        engines = program.latest.engines
        assert engines.get("onednn", 0) + engines.get("native", 0) >= len(padded)


def test_sequence_longer_than_the_padding_is_an_error() -> None:
    model = made()
    with pytest.raises(OffsetsError, match="sequence 0 has 9 rows, there is room for 8"):
        lastuse.compile(model.module, padded=8).run(model.inputs)
    assert OFFSETS[1] == 9


def test_run_tool_pads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = made(1, "sum")
    source, data = tmp_path / "model.mlir", tmp_path / "data.npz"
    source.write_text(str(model.module))
    np.savez(data, **model.inputs)  # pyright: ignore[reportArgumentType]
    assert run_tool([str(source), "--padded", "9", "--inputs", str(data), "--profile"]) == 0
    assert "dnn.lod_to_tnc" in capsys.readouterr().out
