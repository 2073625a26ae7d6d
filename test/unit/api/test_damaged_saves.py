"""Files of saved programs that are damaged, cut off, edited or none at all: one error, or the right results."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved_net import batch, net, rewritten, save_net

import lastuse
from lastuse.compiler import saved_program
from lastuse.compiler.archive import FORM, HEADER
from lastuse.dialect.ir.diagnostics import Location


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_net(tmp_path_factory.mktemp("saved"))


def runs_or_fails(path: Path, want: dict[str, np.ndarray], exact: bool = True, verify: bool = False) -> bool:
    """Whether a damaged file is an error of one line; else the results have to be right."""
    try:
        got = lastuse.load(path, verify=verify).run(batch(3))
    except lastuse.LastuseError as error:
        assert str(error).startswith(str(path)) or "error: " in str(error)
        assert "\n" not in str(error)
        return True
    assert not exact or all(np.array_equal(got[name], want[name]) for name in want)
    return False


def test_200_damaged_files_are_errors_or_right(saved: Path, tmp_path: Path) -> None:
    """A bit is flipped anywhere, with most flips where structure is: names, offsets, headers."""
    data, rng, want = saved.read_bytes(), np.random.default_rng(5), net().run(batch(3))
    directory = data.rindex(b"PK\1\2", 0, data.index(b"PK\5\6"))
    first = data.index(b"PK\1\2")
    assert first < directory
    places = [*rng.integers(0, len(data), 80), *rng.integers(first, len(data), 80), *rng.integers(0, 4096, 40)]
    failed = 0
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "d.lastuse").write_bytes(damaged)
        failed += runs_or_fails(tmp_path / "d.lastuse", want)
    assert failed > 120  # the rest is padding, dates and the like


@pytest.mark.parametrize("kept", [0, 1, 21, 22, 64, 500, 5000, -1, -22, -100])
def test_truncated_files_are_errors(saved: Path, tmp_path: Path, kept: int) -> None:
    (tmp_path / "t.lastuse").write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(lastuse.LastuseError, match=r"t.lastuse:1:1: error: is (no|damaged)"):
        lastuse.load(tmp_path / "t.lastuse")


def test_200_edited_files_do_not_crash(saved: Path, tmp_path: Path) -> None:
    """With hashes that fit, all that is checked is what a program means. Numbers in modules and header are changed."""
    rng, want = np.random.default_rng(11), net().run(batch(3))
    failed = 0
    for number in range(200):
        name = str(rng.choice([HEADER, "model.json", *["sizes/0/lowered.json"] * 4, "sizes/0/decided.json"]))

        def edit(header: dict[str, Any], parts: dict[str, bytes], name: str = name) -> None:
            tree = header if name == HEADER else json.loads(parts[name])
            mutate(tree, rng)
            if name != HEADER:
                parts[name] = json.dumps(tree).encode()

        # Another module is another program: its results are its own.
        failed += runs_or_fails(rewritten(saved, tmp_path, edit), want, exact=False, verify=bool(number % 2))
    assert failed > 60


def test_options_that_no_program_has_are_damage(saved: Path, tmp_path: Path) -> None:
    for name, value in (("threads", -1), ("strategy", "x")):

        def edit(header: dict[str, Any], _: dict[str, bytes], name: str = name, value: object = value) -> None:
            header["options"][name] = value

        path = rewritten(saved, tmp_path, edit)
        with pytest.raises(lastuse.LastuseError, match=rf"^{re.escape(str(path))}:1:1: error: is damaged: "):
            lastuse.load(path)


def mutate(tree: Any, rng: np.random.Generator) -> None:
    """Changes one leaf of JSON values, or drops an item."""
    while True:
        keys = list(tree) if isinstance(tree, dict) else range(len(tree))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        if isinstance(tree[key], dict | list) and tree[key] and rng.random() > 0.1:
            tree = tree[key]
            continue
        value = tree[key]
        choices: list[Any] = [None, -1, 0, 7, 1 << 40, "x", "memref<8x4xf32>", [], {}, True, 1.5]
        choices += [value + 1, value - 1, value * 64] if isinstance(value, int) else []
        tree[key] = choices[int(rng.integers(len(choices)))]
        return


def test_plan_that_shares_bytes_is_refused(tmp_path: Path) -> None:
    """Views of the arena that are moved: the steps no longer compute what they say."""
    text = b"""func.func @main(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %a = "dnn.softmax"(%x) {axis = -1 : i64} : (tensor<32x64xf32>) -> tensor<32x64xf32>
      %b = "dnn.softmax"(%a) {axis = 0 : i64, dnn.engine = "onednn"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
      %c = "dnn.add"(%a, %b) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
      %d = "dnn.softmax"(%c) {axis = -1 : i64} : (tensor<32x64xf32>) -> tensor<32x64xf32>
      %y = "dnn.add"(%c, %d) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
      func.return %y : tensor<32x64xf32>
    }"""
    lastuse.compile(text, threads=1).save(tmp_path / "p.lastuse")
    offsets = list[int]()

    def moved(form: str, to: int) -> Path:
        def edit(_: dict[str, Any], parts: dict[str, bytes]) -> None:
            tree = json.loads(parts[f"sizes/0/{form}.json"])
            for number, record in enumerate(tree["attributes"]):
                if isinstance(record, list) and record[0] in (8192, 16384):
                    offsets.append(number)
                    record[0] = to
            tree["attributes"] = [to if r == "array<i64: 8192>" else r for r in tree["attributes"]]
            tree["texts"] = [t.replace("8192", str(to)) for t in tree["texts"]]
            parts[f"sizes/0/{form}.json"] = json.dumps(tree).encode()

        return rewritten(tmp_path / "p.lastuse", tmp_path, edit)

    x = np.ones((32, 64), np.float32)
    for to in (0, 64, 4096, 1 << 40, -64):
        with pytest.raises(lastuse.LastuseError):
            lastuse.load(moved("lowered", to), verify=True)(x)
    assert offsets
    for to in (1 << 40, 32768, -64):  # beyond the arena
        with pytest.raises(lastuse.LastuseError):
            lastuse.load(moved("lowered", to))(x)
    loaded = lastuse.load(moved("decided", 0))
    loaded(x)  # what runs is the lowered module
    with pytest.raises(lastuse.LastuseError):
        _ = loaded.memory


def test_files_that_are_no_saved_program(tmp_path: Path, saved: Path) -> None:
    path = tmp_path / "p.lastuse"

    def message(data: bytes) -> str:
        path.write_bytes(data)
        with pytest.raises(lastuse.LastuseError) as caught:
            lastuse.load(path)
        assert caught.value.location == Location(str(path))
        return caught.value.message

    assert message(b"hello").startswith("is no whole file of a saved program")
    np.savez(tmp_path / "a.npz", np.zeros(3))
    assert message((tmp_path / "a.npz").read_bytes()) == "is no file of a saved program, or a damaged one"
    later = saved.read_bytes().replace(b"lastuse program %d " % FORM, b"lastuse program %d " % (FORM + 1))
    assert message(later) == f"was saved by a later lastuse, in form {FORM + 1}; this one reads forms up to {FORM}"
    with pytest.raises(lastuse.LastuseError, match="cannot be read: No such file"):
        lastuse.load(tmp_path / "none.lastuse")
    with pytest.raises(lastuse.LastuseError, match="cannot be read: Is a directory"):
        lastuse.load(tmp_path)
    with pytest.raises(lastuse.LastuseError, match=r"lastuse\.load reads it"):
        lastuse.compile(saved)


def test_overlapping_members_and_wrong_offsets(saved: Path, tmp_path: Path) -> None:
    """The directory may say that a member is anywhere."""
    data = bytearray(saved.read_bytes())
    at = data.index(b"PK\1\2")
    for offset in (0xFFFFFFFF, len(data) - 3, 7, 1 << 31):
        struct.pack_into("<L", data, at + 42, offset)
        (tmp_path / "o.lastuse").write_bytes(data)
        with pytest.raises(lastuse.LastuseError, match=r"damaged|no whole file"):
            lastuse.load(tmp_path / "o.lastuse")


def test_no_pickle() -> None:
    """What reads a file of a saved program never unpickles."""
    folder = Path(saved_program.__file__).parent
    for name in ("archive", "module_records", "saved_program", "load"):
        assert "pickle" not in (folder / f"{name}.py").read_text().replace("No pickle", "")
