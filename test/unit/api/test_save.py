"""`Program.save` and `lastuse.load`: the same bits, mapped, on other machines too; damaged files are errors."""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, ModuleOp

import lastuse
from lastuse.compiler import load as loading
from lastuse.compiler import saved_program
from lastuse.compiler.archive import FORM, HEADER, Archive, write_archive
from lastuse.compiler.driver import context
from lastuse.compiler.module_records import decoded, encoded
from lastuse.compiler.program import Program
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import Location, RemarkKind
from lastuse.dialect.storage import verifier
from lastuse.frontends.text import mlir_parser
from lastuse.runtime import _core

NET = """
func.func @main(%x: tensor<?x64xf32> {dnn.name = "x"}, %s: tensor<1xf32> {dnn.donated, dnn.name = "s"})
    -> (tensor<?x48xf32> {dnn.name = "y"}, tensor<1xf32> {dnn.name = "next", dnn.tied = 1 : i32}) {
  %w = "dnn.constant"() {value = dense_resource<w> : tensor<64x48xf32>} : () -> tensor<64x48xf32>
  %b = "dnn.constant"() {value = dense<0.25> : tensor<48xf32>} : () -> tensor<48xf32>
  %m = "dnn.matmul"(%x, %w) : (tensor<?x64xf32>, tensor<64x48xf32>) -> tensor<?x48xf32>
  %a = "dnn.add"(%m, %b) : (tensor<?x48xf32>, tensor<48xf32>) -> tensor<?x48xf32>
  %r = "dnn.relu"(%a) : (tensor<?x48xf32>) -> tensor<?x48xf32>
  %y = "dnn.softmax"(%r) {axis = -1 : i64} : (tensor<?x48xf32>) -> tensor<?x48xf32>
  %n = "dnn.exp"(%s) : (tensor<1xf32>) -> tensor<1xf32>
  func.return %y, %n : tensor<?x48xf32>, tensor<1xf32>
}
"""
LOOP = """
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32> {dnn.name = "été \\"x\\""}, %n: index {dnn.name = "n"}) -> (tensor<4xf32>, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<4xf32>) {
    %h = "dnn.scale"(%a) {scale = 0.1 : f32, bias = -1.000000e+00 : f32} : (tensor<4xf32>) -> tensor<4xf32>
    %e = func.call @step(%h) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  func.return %y, %n : tensor<4xf32>, index
}
"""
BLOCKS = """
func.func @main(%x: tensor<4xf32> {dnn.name = "x"}, %c: i1 {dnn.name = "c"}) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^b:
  %t = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end(%t : tensor<4xf32>)
^end(%y: tensor<4xf32>):
  func.return %y : tensor<4xf32>
^a:
  %e = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end(%e : tensor<4xf32>)
}
"""


def net(**options: Any) -> Program:
    module = mlir_parser.parse(context(), NET, "net.mlir")
    rng = np.random.default_rng(7)
    resources.of(module)["w"] = rng.standard_normal((64, 48)).astype(np.float32)
    return lastuse.compile(module, threads=1, **options)


def batch(rows: int) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(rows).standard_normal((rows, 64)).astype(np.float32), "s": np.zeros(1, "f")}


def assert_same(program: Program, other: Program, rows: int) -> None:
    got, want = (p.run(batch(rows)) for p in (program, other))
    assert list(got) == list(want) == ["y", "next"]
    for name in want:
        np.testing.assert_array_equal(got[name], want[name])


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program of two sets of sizes."""
    path, program = tmp_path_factory.mktemp("saved") / "net.lastuse", net()
    for rows in (3, 33):
        program.run(batch(rows))
    program.save(path)
    return path


def unpacked(*_: object) -> None:
    pytest.fail("weights are packed anew")


@pytest.mark.parametrize("verify", [False, True])
def test_loaded_program_computes_the_same_bits(saved: Path, monkeypatch: pytest.MonkeyPatch, verify: bool) -> None:
    program, loaded = net(), lastuse.load(saved, verify=verify)
    program.run(batch(1))
    assert (dict(loaded.inputs), dict(loaded.outputs)) == (dict(program.inputs), dict(program.outputs))
    with monkeypatch.context() as patch:
        patch.setattr(_core, "pack", unpacked)
        for rows in (33, 3):
            assert_same(loaded, program, rows)
            assert loaded.memory == program.memory
            assert loaded.memory.packed_bytes > 0 and loaded.latest.engines == program.latest.engines
    for rows in (5, 100):  # sizes that the file does not have
        assert_same(loaded, program, rows)
    assert loaded.memory_for(x=7).arena_bytes == net().memory_for(x=7).arena_bytes
    assert loaded.largest("x", 10**5, of="total_bytes") == program.largest("x", 10**5, of="total_bytes")


def test_arrays_of_a_loaded_program_are_mapped(saved: Path) -> None:
    module = lastuse.load(saved).compile_for({"x": (3, 64)}).lowered
    array = resources.of(module)["w"]
    assert not array.flags.writeable and not array.flags.owndata and array.ctypes.data % 64 == 0
    maps = Path("/proc/self/maps").read_text().splitlines()
    ranges = [[int(n, 16) for n in line.split()[0].split("-")] for line in maps if str(saved) in line]
    assert any(begin <= array.ctypes.data < end for begin, end in ranges)


def test_members_are_stored_at_multiples_of_64_bytes(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        assert archive.testzip() is None
        header = json.loads(archive.read(HEADER))
        assert all(info.compress_type == zipfile.ZIP_STORED for info in archive.infolist())
        for name, digest in header["parts"].items():
            assert hashlib.sha256(archive.read(name)).hexdigest() == digest
    opened = Archive(saved)
    for name in [HEADER, *header["parts"]]:
        assert np.frombuffer(opened.member(name), np.uint8).ctypes.data % 64 == 0
    assert (header["lastuse"], header["onednn"]) == (lastuse.__version__, "3.2.0")


def test_errors_and_remarks_of_a_loaded_program_name_the_source(saved: Path) -> None:
    loaded = lastuse.load(saved)
    loaded.run(batch(3))
    assert {remark.location.file for remark in loaded.remarks if remark.location} == {"net.mlir"}
    with pytest.raises(lastuse.ArrayError, match="x has 1 axes"):
        loaded.run({**batch(3), "x": np.zeros(3, np.float32)})
    with pytest.raises(lastuse.LastuseError, match=r"net.mlir:6:8: error: the arena has"):
        lastuse.load(saved, limit=10).run(batch(3))


def test_loaded_program_saves_all_it_has(saved: Path, tmp_path: Path) -> None:
    loaded = lastuse.load(saved)
    loaded.run(batch(8))
    loaded.save(tmp_path / "more.lastuse")
    again = saved_program.SavedProgram(tmp_path / "more.lastuse")
    assert sorted(stored.sizes["x"] for stored in again.sizes) == [3, 8, 33]
    # Over the file that is mapped: the one that is there keeps its bytes.
    loaded.save(saved_copy := tmp_path / "copy.lastuse")
    mapped = lastuse.load(saved_copy)
    net().save(saved_copy)
    assert_same(mapped, net(), 8)


def test_options_go_with_the_program(tmp_path: Path) -> None:
    program = net(limit="1MiB", schedule=False, strategy="paddle", kept_sizes=3)
    program.run(batch(3))
    program.save(tmp_path / "net.lastuse")
    stored = saved_program.SavedProgram(tmp_path / "net.lastuse")
    options = stored.options
    assert (options.limit, options.schedule, options.strategy, options.threads, stored.kept) == (
        *(1 << 20, False, "paddle"),
        *(1, 3),
    )
    profiled = lastuse.load(tmp_path / "net.lastuse", profile=True, threads=2)
    assert_same(profiled, program, 3)
    assert profiled.profile() and profiled.latest.runner.threads <= 2


def test_loaded_program_runs_in_an_arena_of_the_caller(saved: Path) -> None:
    arena = np.zeros(20000, np.uint8)
    loaded = lastuse.load(saved, arena=arena)
    assert_same(loaded, net(), 33)
    assert arena.any()
    with pytest.raises(lastuse.LastuseError, match="limit"):
        lastuse.load(saved, arena=bytearray(100)).run(batch(33))


@pytest.mark.parametrize(("text", "inputs"), [(LOOP, (np.ones(4, "f"), 3)), (BLOCKS, (np.ones(4, "f"), True))])
def test_control_flow_is_saved(text: str, inputs: tuple[Any, ...], tmp_path: Path) -> None:
    program = lastuse.compile(text.encode(), threads=1)
    program.save(tmp_path / "p.lastuse")
    loaded = lastuse.load(tmp_path / "p.lastuse")
    for got, want in zip(loaded(*inputs), program(*inputs), strict=True):
        np.testing.assert_array_equal(got, want)
    assert loaded.memory == program.memory


@pytest.mark.parametrize("text", [NET, LOOP, BLOCKS])
def test_module_is_read_back_as_it_was(text: str) -> None:
    ctx = context()
    module = mlir_parser.parse(ctx, text, "m.mlir")
    again = decoded(context(), json.loads(json.dumps(encoded(module, ctx))), "m.json")
    verifier.verify(again)
    assert isinstance(again, ModuleOp) and module.is_structurally_equivalent(again)
    assert str(module) == str(again) or "cf." in text  # blocks have no names
    places = [[lastuse.dialect.ir.diagnostics.location_of(op) for op in m.walk()] for m in (module, again)]
    assert places[0] == places[1] and Location("m.mlir", 2, 1) in places[0]


def test_elements_and_numbers_are_saved_bit_for_bit() -> None:
    """0 equals -0, and elements that are equal are one element in text."""
    text = """func.func @main() -> tensor<2xf32> {
      %a = "dnn.constant"() {value = dense<[0.0, -0.0]> : tensor<2xf32>} : () -> tensor<2xf32>
      %b = "dnn.constant"() {value = dense<-0.0> : tensor<2xf32>} : () -> tensor<2xf32>
      %t = "dnn.constant"() {value = dense<[true, true]> : tensor<2xi1>} : () -> tensor<2xi1>
      %c = "dnn.scale"(%a) {scale = -0.0 : f32, bias = 0x7F800000 : f32} : (tensor<2xf32>) -> tensor<2xf32>
      func.return %c : tensor<2xf32>
    }"""
    ctx = context()
    module = mlir_parser.parse(ctx, text, "m.mlir")
    again = decoded(context(), json.loads(json.dumps(encoded(module, ctx))), "m.json")
    for op, other in zip(module.walk(), again.walk(), strict=True):
        for name, attribute in {**op.attributes, **op.properties}.items():
            same = {**other.attributes, **other.properties}[name]
            assert attribute == same and str(attribute) == str(same)
            if isinstance(attribute, DenseIntOrFPElementsAttr) and isinstance(same, DenseIntOrFPElementsAttr):
                assert attribute.data.data == same.data.data  # pyright: ignore[reportUnknownMemberType]
            if isinstance(attribute, FloatAttr) and isinstance(same, FloatAttr):
                assert attribute.value.data.hex() == same.value.data.hex()


RESHAPED = b"""
func.func @main(%x: tensor<?x4xf32> {dnn.name = "x"}, %s: tensor<2xi64> {dnn.name = "s"}) -> tensor<?x?xf32> {
  %e = "dnn.exp"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = "dnn.dynamic"(%e, %s) {op = "reshape", names = ["shape"]}
    : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
"""


def test_values_of_bound_inputs_are_saved(tmp_path: Path) -> None:
    program, x = lastuse.compile(RESHAPED, threads=1), np.ones((6, 4), np.float32)
    shapes = [np.array(shape) for shape in ([12, 2], [3, 8])]
    want = [program(x, shape) for shape in shapes]
    assert program.bound_inputs == ("s",)
    program.save(tmp_path / "p.lastuse")
    stored = saved_program.SavedProgram(tmp_path / "p.lastuse")
    assert [each.values["s"].tolist() for each in stored.sizes] == [[12, 2], [3, 8]]
    loaded = lastuse.load(tmp_path / "p.lastuse")
    assert loaded.bound_inputs == ("s",)
    for shape, result in zip(shapes, want, strict=True):
        np.testing.assert_array_equal(loaded(x, shape), result)  # pyright: ignore[reportArgumentType]
    assert np.shape(loaded(x, np.array([24, 1]))) == (24, 1)  # compiled now


def test_another_machine_packs_anew_and_says_so(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = saved_program.Machine(0x1, "9.9.9")
    monkeypatch.setattr(loading, "this_machine", lambda: other)
    ctx, packs = context(), list[int]()
    pack = _core.pack

    def counted(*arguments: Any) -> np.ndarray:
        packs.append(1)
        return pack(*arguments)

    monkeypatch.setattr(_core, "pack", counted)
    loaded = lastuse.load(saved, ctx=ctx)
    assert_same(loaded, net(), 3)
    (remark,) = [remark for remark in ctx.remarks if remark.kind is RemarkKind.REORDER]
    assert "weights are packed anew: they were packed by oneDNN 3.2.0" in str(remark) and "9.9.9" in str(remark)
    assert len(packs) == 2  # of the loaded program, and of the one it is compared with


def test_layout_that_is_not_wanted_is_not_used(saved: Path, tmp_path: Path) -> None:
    """The text of the layout decides, not the array alone."""

    def edit(header: dict[str, Any], parts: dict[str, bytes]) -> None:
        (packed,) = header["packed"]
        packed["layout"] = packed["layout"].replace("f32", "s32")
        parts["packed/0"] = bytes(len(parts["packed/0"]))

    assert_same(lastuse.load(rewritten(saved, tmp_path, edit)), net(), 3)


def rewritten(path: Path, folder: Path, edit: Callable[[dict[str, Any], dict[str, bytes]], object]) -> Path:
    """The file with an edit, and hashes that are right again: what damages on purpose can do."""
    opened = Archive(path)
    header = {k: v for k, v in opened.header.items() if k != "parts"}
    parts = {name: bytes(opened.member(name)) for name in opened.header["parts"]}
    header = json.loads(json.dumps(header))
    edit(header, parts)
    write_archive(folder / "edited.lastuse", header, parts)
    return folder / "edited.lastuse"


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
      %b = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<32x64xf32>) -> tensor<32x64xf32>
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
