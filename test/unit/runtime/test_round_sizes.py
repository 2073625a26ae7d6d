"""`round_sizes`: errors and results are those of a run without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lastuse
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.dialect.ir.diagnostics import LastuseError

Array = np.ndarray
MODEL = """
func.func @main(%x: tensor<?x3xf32> {dnn.name = "x"}, %s: tensor<3xf32> {dnn.name = "s"},
    %o: tensor<?xi64> {dnn.name = "o"})
    -> (tensor<?x1xf32> {dnn.name = "h"}, tensor<?x3xf32> {dnn.name = "y"TIED}) {
  %wx = "dnn.constant"() {value = dense<0.5> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
  %wh = "dnn.constant"() {value = dense<0.25> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %p = "dnn.matmul"(%x, %wx) : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  %h = "dnn.gru"(%p, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}
    : (tensor<?x3xf32>, tensor<1x3xf32>, tensor<?xi64>) -> tensor<?x1xf32>
  %t = "dnn.add"(%x, %s) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %y = "dnn.mul"(%t, %h) : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
  func.return %h, %y : tensor<?x1xf32>, tensor<?x3xf32>
}
"""
LENGTHS = (3, 0, 2, 6)
ROWS = sum(LENGTHS)

Change = Callable[[Array], Any]
INPUTS: dict[str, Change] = {
    "as it is": lambda a: a,
    "list": lambda a: a.tolist(),
    "other byte order": lambda a: a.astype(a.dtype.newbyteorder()),
    "wide": lambda a: a.astype(np.float64),
    "objects": lambda a: a.astype(object),
    "complex": lambda a: a.astype(complex),
    "text": lambda a: a.astype(str),
    "none": lambda a: None,
    "ragged lists": lambda a: [[1.0], [1.0, 2.0]],
    "short": lambda a: a[1:],
    "another axis": lambda a: a[..., None],
    "no axes": lambda a: a.dtype.type(0),
    "strided": lambda a: np.repeat(a, 2, axis=0)[::2],
    "backwards": lambda a: a[::-1].copy()[::-1],
    "Fortran": np.asfortranarray,
    "read-only": lambda a: _read_only(a.copy()),
    "unaligned": lambda a: _unaligned(a),
}
RESULTS: dict[str, Change] = {
    **{name: INPUTS[name] for name in ("as it is", "other byte order", "wide", "objects", "complex", "none", "list")},
    **{name: INPUTS[name] for name in ("short", "strided", "Fortran", "read-only", "unaligned", "another axis")},
    "number": lambda a: 3.0,
    "larger": lambda a: np.concatenate([a, a]),
}
OFFSETS: dict[str, list[int]] = {
    "right": [0, 3, 3, 5, ROWS],
    "one sequence": [0, ROWS],
    "descending": [0, 5, 3, ROWS],
    "late": [1, ROWS],
    "long": [0, ROWS + 1],
    "short": [0, ROWS - 1],
    "descending and long": [0, 5, 3, ROWS + 1],
    "none": [],
    "zero": [0],
}


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _unaligned(array: Array) -> Array:
    room = np.zeros(array.nbytes + 1, np.uint8)
    found = room[1:].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


@pytest.fixture(scope="module", params=["", ", dnn.tied = 0 : i32"], ids=["free", "tied"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """The program without and with rounding."""
    path: Path = tmp_path_factory.mktemp("model") / "model.mlir"
    path.write_text(MODEL.replace("TIED", request.param))
    plain, rounded = (lastuse.compile(path, round_sizes=flag, kept_sizes=64) for flag in (False, True))
    return plain, rounded


def arrays(offsets: str = "right") -> dict[str, Any]:
    rng = np.random.default_rng(0)
    x, s = rng.normal(size=(ROWS, 3)).astype(np.float32), rng.normal(size=3).astype(np.float32)
    return {"x": x, "s": s, "o": np.array(OFFSETS[offsets], np.int64)}


def outcome(program: Any, inputs: Any, out: Any) -> tuple[str, list[Any]]:
    """The error, if one is raised; else every result, and what the caller's arrays hold afterwards."""
    try:
        results = program.run(inputs, out)
    except LastuseError as error:
        return f"{type(error).__name__}: {error}", []
    own = [(name, array is (out or {}).get(name), array is inputs.get(name)) for name, array in results.items()]
    held = [np.array(a) for a in (*inputs.values(), *(out or {}).values())]
    return "", [own, *results.values(), *held]


def same(both: tuple[Any, Any], make: Callable[[], tuple[Any, Any]]) -> str:
    """Runs both programs on arrays of their own, compares, and returns what they said."""
    (said, plain), (other, rounded) = (outcome(program, *make()) for program in both)
    assert said == other
    for a, b in zip(plain, rounded, strict=True):
        if isinstance(a, np.ndarray):
            np.testing.assert_allclose(a, b, atol=1e-6)
        else:
            assert a == b
    return said


def test_sizes_are_rounded_up(both: tuple[Any, Any]) -> None:
    for program, rows in zip(both, (ROWS, 16), strict=True):
        program.run(arrays())
        assert program.latest.runner.results["h"].shape == (rows, 1)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_results_are_those_without_rounding(both: tuple[Any, Any], data: st.DataObject) -> None:
    offsets = data.draw(st.sampled_from(list(OFFSETS)))
    few = st.one_of(st.just("as it is"), st.sampled_from(list(INPUTS)))
    changes = {name: data.draw(few) for name in ("x", "s", "o")}
    left_out = data.draw(st.sampled_from(["", "", "", "", "x", "s", "o"]))
    more = data.draw(st.sampled_from([{}, {}, {}, {"z": np.zeros(1)}, {1: None}]))
    outs = data.draw(st.dictionaries(st.sampled_from(["h", "y", "z"]), st.sampled_from(list(RESULTS)), max_size=2))
    alias = data.draw(st.sampled_from(["", "", "", "x", "s", "h"]))

    def make() -> tuple[dict[Any, Any], dict[str, Any] | None]:
        given = arrays(offsets)
        inputs = {name: INPUTS[changes[name]](a) for name, a in given.items() if name != left_out} | more
        shapes = {"h": (ROWS, 1), "y": (ROWS, 3), "z": (2,)}
        out = {name: RESULTS[kind](np.full(shapes[name], 7, np.float32)) for name, kind in outs.items()}
        if alias and "y" in out:
            room = inputs.get(alias, out.get(alias))
            if isinstance(room, np.ndarray) and room.dtype == np.float32 and room.size:
                flat = room.reshape(-1).view()
                inputs["s"] = flat[:3]
                out["y"] = room if room.shape == (ROWS, 3) else out["y"]
        return inputs, out or None

    same(both, make)


@pytest.mark.parametrize("name", OFFSETS)
def test_wrong_offsets_give_the_error_without_rounding(both: tuple[Any, Any], name: str) -> None:
    said = same(both, lambda: (arrays(name), None))
    assert bool(said) == (name not in ("right", "one sequence")), said


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("name", ["x", "s", "o"])
def test_odd_inputs_give_the_outcome_without_rounding(both: tuple[Any, Any], name: str, kind: str) -> None:
    def make() -> tuple[dict[str, Any], None]:
        inputs = arrays()
        return inputs | {name: INPUTS[kind](inputs[name])}, None

    said = same(both, make)
    assert kind != "as it is" or not said
    assert kind not in ("other byte order", "none", "objects", "ragged lists", "complex") or f"{name}" in said


@pytest.mark.parametrize("kind", RESULTS)
def test_odd_results_give_the_outcome_without_rounding(both: tuple[Any, Any], kind: str) -> None:
    said = same(both, lambda: (arrays(), {"h": RESULTS[kind](np.full((ROWS, 1), 7, np.float32))}))
    # A column of one element a row is in C order whatever its strides are called.
    assert bool(said) == (kind not in ("as it is", "Fortran")), said


@pytest.mark.parametrize(
    "make",
    [
        lambda: (lambda a: (a, {"h": a["x"].reshape(-1)[:ROWS].reshape(ROWS, 1)}))(arrays()),
        lambda: (lambda a: (a, {"h": np.lib.stride_tricks.as_strided(a["s"], (ROWS, 1), (0, 4))}))(arrays()),
    ],
    ids=["a result over an input", "a result that overlaps itself"],
)
def test_overlapping_arrays_are_rejected(both: tuple[Any, Any], make: Callable[[], tuple[Any, Any]]) -> None:
    assert same(both, make).startswith("ArrayError: '")


@pytest.mark.parametrize("what", [None, [], 3, "x", np.zeros(3)], ids=repr)
def test_arrays_without_names_are_an_error(both: tuple[Any, Any], what: Any) -> None:
    for program in both:
        with pytest.raises(LastuseError, match="inputs: arrays by name are wanted, not "):
            program.run(what)
        if what is not None:
            with pytest.raises(LastuseError, match="out: arrays by name are wanted, not "):
                program.run(arrays(), what)


def test_a_tied_argument_holds_the_result(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL.replace("TIED", ", dnn.tied = 0 : i32"))
    program = lastuse.compile(path, round_sizes=True)
    inputs = arrays()
    want = lastuse.compile(path).run({n: a.copy() for n, a in inputs.items()})
    found = program.run(inputs)
    assert found["y"] is inputs["x"]
    np.testing.assert_allclose(found["y"], want["y"], atol=1e-6)
    _read_only(inputs["x"])
    with pytest.raises(LastuseError, match="'x' is written to, but its array is read-only"):
        program.run(inputs)


def test_error_of_wrong_offsets_is_at_the_op(both: tuple[Any, Any]) -> None:
    for program in both:
        with pytest.raises(OffsetsError, match=r"model\.mlir:8:8: error: the last offset is 12, but"):
            program.run(arrays("long"))
