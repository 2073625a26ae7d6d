"""GRUs with weights in bf16 and int8 compute their reference; calibration gives int8 its ranges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser

import lastuse
from lastuse.compiler.driver import context, prepare
from lastuse.compiler.pipeline import Pipeline
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, MultiGruOp
from lastuse.dialect.dnn.recurrent.quantized_gru import QuantizedGruOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.storage import attrs
from lastuse.tools.run_tool import main as run_tool

OFFSETS = np.array([0, 9, 9, 10, 17], np.int64)
WORDS, INPUTS, CHANNELS = 17, 6, 5
TOLERANCE = {"bf16": 3e-3, "int8": 1e-2}
"""Of two runs of the same roundings: a sum that differs in its last bit may be rounded to the other neighbour."""
COARSE = {"bf16": 2e-2, "int8": 5e-2}
"""Of the type and f32."""


class Made(NamedTuple):
    """A module with a GRU in f32, its weights constants or arguments, and arrays for its inputs."""

    module: ModuleOp
    inputs: dict[str, Array]


def made(
    layers: int = 1,
    mode: str | None = None,
    states: bool = False,
    constant: bool = True,
    marks: str = "",
    scale: float = 1.0,
) -> Made:
    """`mode`: of a multi_gru; None for one direction, backwards."""
    rng = np.random.default_rng(layers)
    given = {"x": scale * rng.normal(size=(WORDS, INPUTS)).astype(np.float32), "o": OFFSETS}
    types = {"x": f"tensor<{WORDS}x{INPUTS}xf32>", "o": "tensor<5xi64>"}
    lines, used, columns = list[str](), list[str](), INPUTS
    directions = 1 if mode is None else 2
    for layer in range(layers):
        for direction in range(directions):
            for what, shape in (
                ("wx", (columns, 3 * CHANNELS)),
                ("wh", (CHANNELS, 3 * CHANNELS)),
                ("b", (1, 3 * CHANNELS)),
            ):
                name = f"{what}{layer}{direction}"
                array = rng.uniform(-0.6, 0.6, shape).astype(np.float32)
                types[name] = f"tensor<{shape[0]}x{shape[1]}xf32>"
                used.append(name)
                if constant:
                    value = f'dense<"0x{array.tobytes().hex().upper()}"> : {types[name]}'
                    lines.append(f'%{name} = "dnn.constant"() {{value = {value}}} : () -> {types[name]}')
                else:
                    given[name] = array
        columns = CHANNELS * (2 if mode == "concat" else 1)
    for k in range(layers * directions if states else 0):
        given[f"s{k}"] = 2 * rng.normal(size=(4, CHANNELS)).astype(np.float32)
        types[f"s{k}"] = f"tensor<4x{CHANNELS}xf32>"
        used.append(f"s{k}")
    operands = ["x", *used, "o"]
    if mode is None:
        segments = f"array<i32: 1, 1, 1, 1, {states:d}, 1>"
        op, attributes = "fused_gru", f"is_reverse = true, operandSegmentSizes = {segments}"
    else:
        op, attributes = "multi_gru", f'mode = "{mode}", layers = {layers} : i64'
    result = f"tensor<{WORDS}x{columns}xf32>"
    arguments = ", ".join(f'%{k}: {types[k]} {{dnn.name = "{k}"}}' for k in given)
    text = (
        f'func.func @main({arguments}) -> ({result} {{dnn.name = "y"}}) {{ {" ".join(lines)} '
        f'%y = "dnn.{op}"({", ".join(f"%{k}" for k in operands)}) {{{attributes}{marks}}} '
        f": ({', '.join(types[k] for k in operands)}) -> {result} func.return %y : {result} }}"
    )
    return Made(Parser(context(), text).parse_module(), given)


def only(module: ModuleOp, *kinds: type) -> FusedGruOp | MultiGruOp | QuantizedGruOp:
    (op,) = (op for op in module.walk() if isinstance(op, kinds))
    return op  # pyright: ignore[reportReturnType]


FORMS: Sequence[tuple[int, str | None, bool, str]] = [
    (1, None, False, ""),
    (1, None, True, ", origin_mode = true"),
    (1, "sum", True, ""),
    (2, "concat", False, ", reverse_first = true"),
    (2, "sum", True, ", origin_mode = true"),
    (3, "concat", True, ""),
]


@pytest.mark.parametrize("types", TOLERANCE)
@pytest.mark.parametrize(("layers", "mode", "states", "marks"), FORMS)
def test_quantized_program_computes_the_reference(
    types: str, layers: int, mode: str | None, states: bool, marks: str
) -> None:
    model = made(layers, mode, states, marks=marks)
    module = lastuse.calibrate(model.module, model.inputs)
    exact = lastuse.compile(model.module).run(model.inputs)["y"]
    for threads in (1, 2):
        program = lastuse.compile(module, types=types, threads=threads, poison=True)
        got = program.run(model.inputs)["y"]
        assert program.latest.engines == {"native": 1}
        op = only(program.latest.module, QuantizedGruOp)
        assert isinstance(op, QuantizedGruOp)
        weights = [v.owner.array() for v in op.operands[1:-1] if hasattr(v.owner, "array")]  # pyright: ignore
        h0 = [model.inputs[f"s{k}"] for k in range(len(op.operands) - 2 - len(weights))]
        if mode is not None and "reverse_first" in marks:
            assert op.directions() == (True, False)
        (want,) = op.reference(model.inputs["x"], *weights, *h0, OFFSETS)
        np.testing.assert_allclose(got, want, atol=TOLERANCE[types])
        np.testing.assert_allclose(got, exact, atol=COARSE[types])
    assert not np.array_equal(got, exact)


@pytest.mark.parametrize("types", TOLERANCE)
def test_weights_given_as_arguments_are_quantized_in_each_run(types: str) -> None:
    """The results have the bits of those with constant weights."""
    fixed, free = made(1, "concat"), made(1, "concat", constant=False)
    want = lastuse.compile(lastuse.calibrate(fixed.module, fixed.inputs), types=types).run(fixed.inputs)["y"]
    program = lastuse.compile(lastuse.calibrate(free.module, free.inputs), types=types)
    np.testing.assert_array_equal(program.run(free.inputs)["y"], want)
    assert program.latest.engines["native"] == 1


@pytest.mark.parametrize("types", TOLERANCE)
def test_quantized_gru_runs_on_the_cpu_engine(types: str) -> None:
    model = made(2, "sum", True)
    module = lastuse.calibrate(model.module, model.inputs)
    want = lastuse.compile(module, types=types).run(model.inputs)["y"]
    prepare(Pipeline(context()), module, types=types)
    only(module, QuantizedGruOp).attributes["dnn.engine"] = StringAttr("cpu")
    program = lastuse.compile(module)
    np.testing.assert_allclose(program.run(model.inputs)["y"], want, atol=TOLERANCE[types])
    assert program.latest.engines == {"cpu": 1}


def ranges(op: FusedGruOp | MultiGruOp | QuantizedGruOp) -> list[tuple[float, float]]:
    scales, shifts = (attrs.floats(op.attributes.get(name)) for name in (attrs.DATA_SCALE, attrs.DATA_SHIFT))
    return [(-shift / scale, (255 - shift) / scale) for scale, shift in zip(scales, shifts, strict=True)]


def test_calibrated_ranges_cover_the_observed_values() -> None:
    model = made(2, "sum", True, scale=3.0)
    op = only(lastuse.calibrate(model.module, model.inputs), MultiGruOp)
    x, first, second, last = ranges(op)
    step = 1 / min(attrs.floats(op.attributes[attrs.DATA_SCALE]))
    assert x[0] == pytest.approx(model.inputs["x"].min(), abs=step)
    assert x[1] == pytest.approx(model.inputs["x"].max(), abs=step)
    states = [np.concatenate([model.inputs[f"s{k}"] for k in pair]) for pair in ((0, 1), (2, 3))]
    for found, array in ((first, states[0]), (last, states[1])):
        assert found[0] == pytest.approx(min(-1, array.min()), abs=step)
        assert found[1] == pytest.approx(max(1, array.max()), abs=step)
    assert second[0] == pytest.approx(2 * first[0], abs=2 * step), "a sum of two states"
    assert not any(attrs.DATA_SCALE in op.attributes for op in model.module.walk()), "the model is copied"


def test_calibration_on_zeros_gives_usable_scales() -> None:
    model = made()
    zeros = {**model.inputs, "x": np.zeros_like(model.inputs["x"])}
    module = lastuse.calibrate(model.module, zeros)
    assert attrs.floats(only(module, FusedGruOp).attributes[attrs.DATA_SCALE]) == (1.0, 127.5)
    assert np.isfinite(lastuse.compile(module, types="int8").run(zeros)["y"]).all()


def test_calibration_on_nan_is_an_error() -> None:
    model = made()
    model.inputs["x"][3, 1] = np.nan
    with pytest.raises(LastuseError, match="reads what is not finite"):
        lastuse.calibrate(model.module, model.inputs)


def test_int8_without_calibration_and_unknown_types_are_errors() -> None:
    model = made()
    with pytest.raises(LastuseError, match="calibrate it first"):
        lastuse.compile(model.module, types="int8")
    with pytest.raises(LastuseError, match="no types 'int4' of weights; there are f32, bf16, int8"):
        lastuse.compile(model.module, types="int4")


def test_other_grus_stay_f32() -> None:
    model = made(marks=', activation = "relu"')
    module = lastuse.calibrate(model.module, model.inputs)
    same = [lastuse.compile(module, types=types).run(model.inputs)["y"] for types in ("f32", "bf16", "int8")]
    np.testing.assert_array_equal(same[0], same[1])
    np.testing.assert_array_equal(same[0], same[2])


def test_run_tool_calibrates_and_quantizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = made(2, "concat")
    source, data, out = tmp_path / "model.mlir", tmp_path / "data.npz", tmp_path / "calibrated.mlir"
    source.write_text(str(model.module))
    np.savez(data, **model.inputs)  # pyright: ignore[reportArgumentType]
    assert run_tool([str(source), "--calibrate", str(data), "-o", str(out)]) == 0
    assert not capsys.readouterr().out
    runs = {}
    for types, path, more in (
        ("int8", out, []),
        ("int8", source, ["--calibrate", str(data)]),
        ("bf16", source, []),
        ("f32", out, []),
        ("f32", source, []),
    ):
        saved = tmp_path / "out.npz"
        given = [str(path), "--types", types, *more, "--inputs", str(data), "--outputs", str(saved), "--json"]
        assert run_tool(given) == 0
        runs[types, path, bool(more)] = np.load(saved)["y"]
        assert '"weight_bytes": ' in capsys.readouterr().out
    np.testing.assert_array_equal(runs["int8", out, False], runs["int8", source, True])
    np.testing.assert_array_equal(runs["f32", out, False], runs["f32", source, False])
    np.testing.assert_allclose(runs["bf16", source, False], runs["f32", source, False], atol=COARSE["bf16"])
    for words, message in (
        (["--types", "int8"], "calibrate it first"),
        (["-o", str(out)], "it needs --calibrate"),
        (["--types", "bf16", "--no-fuse"], "not with --no-fuse"),
        (["--types", "int4"], "invalid choice: 'int4'"),
        (["--calibrate", str(tmp_path / "no.npz")], "cannot be read"),
        (["--calibrate", str(data), "-o", str(tmp_path / "no" / "o.mlir")], "cannot be written"),
    ):
        assert run_tool([str(source), *words]) != 0
        assert message in capsys.readouterr().err, words
