"""`Program.save` and `lastuse.load`: the same bits, mapped, on other machines too."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packing import PACKS, needs_packing
from saved_net import NET, assert_same, batch, net, rewritten, save_net
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, ModuleOp

import lastuse
from lastuse.compiler import load as loading
from lastuse.compiler import saved_program
from lastuse.compiler.archive import HEADER, Archive
from lastuse.compiler.driver import context
from lastuse.compiler.module_records import decoded, encoded
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import Location, RemarkKind
from lastuse.dialect.storage import verifier
from lastuse.frontends.text import mlir_parser
from lastuse.runtime import _core

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


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_net(tmp_path_factory.mktemp("saved"))


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
            assert (loaded.memory.packed_bytes > 0) == PACKS and loaded.latest.engines == program.latest.engines
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


@needs_packing
def test_errors_and_remarks_of_a_loaded_program_name_the_source(saved: Path) -> None:
    loaded = lastuse.load(saved)
    loaded.run(batch(3))
    assert {remark.location.file for remark in loaded.remarks if remark.location} == {"net.mlir"}
    with pytest.raises(lastuse.ArrayError, match="x has 1 axes"):
        loaded.run({**batch(3), "x": np.zeros(3, np.float32)})
    with pytest.raises(lastuse.LastuseError, match=r"net.mlir:8:8: error: the arena has"):
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


@needs_packing
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


@needs_packing
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


@needs_packing
def test_layout_that_is_not_wanted_is_not_used(saved: Path, tmp_path: Path) -> None:
    """The text of the layout decides, not the array alone."""

    def edit(header: dict[str, Any], parts: dict[str, bytes]) -> None:
        (packed,) = header["packed"]
        packed["layout"] = packed["layout"].replace("f32", "s32")
        parts["packed/0"] = bytes(len(parts["packed/0"]))

    assert_same(lastuse.load(rewritten(saved, tmp_path, edit)), net(), 3)
