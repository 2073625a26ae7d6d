"""Right plans, each broken in one way: the checker accepts the first and explains the second."""

from __future__ import annotations

import gc

import plans_of_parts
import plans_of_storage
import pytest
import toy
from ir import Broken, both, label, main, named, parse, part
from xdsl.dialects.builtin import IndexType, StringAttr, TensorType, f16, i16
from xdsl.ir import OpResult

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.storage.assignment import PlaceKind as StorageKind
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.contract import ALL_ENGINES, CPU_ONLY, Contract, InPlace
from lastuse.passes.checker import ViolationKind, check, runs
from lastuse.passes.checker.violation import storage_name

PLANS = plans_of_storage.PLANS + plans_of_parts.PLANS


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_wrong_plan_is_rejected_and_the_right_one_accepted(plan: Broken) -> None:
    right, broken = both(plan.text)
    assert [v.message for v in check(right)] == []
    found = check(broken)
    assert found, "accepted"
    first = found[0]
    destroyer = first.destroyers[0] if first.destroyers else None
    seen = (
        first.kind,
        label(first.reader),
        named(first.value),
        first.bytes,
        destroyer and label(destroyer),
        first.path,
    )
    assert seen == (plan.kind, plan.reader, plan.value, plan.bytes, plan.destroyer, plan.path)
    assert first.message


RIGHT: list[tuple[str, str]] = [
    ("what is not read need hold nothing", """func.func @main(%x: T) -> (T, T) {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %b = neg(%a) {reuse[0], inplace[0]} : (T) -> T
          %c = fill(%a) {value = 1.0 : f32} : (T) -> T
          func.return %b, %c : T, T
        }"""),
    ("an unread view of overwritten bytes", """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %b = neg(%a) {inplace[0]} : (T) -> T
          %v = slice(%a) """ + part(0, 8) + """} : (T) -> H
          func.return %b : T
        }"""),
    ("a scatter heals what it covers", """func.func @main(%x: T, %y: H) -> T {
          %a = exp(%x) : (T) -> T
          %v = slice(%a) """ + part(0, 8) + """} : (T) -> H
          %b = neg(%v) {inplace[0]} : (H) -> H
          %r = slice_scatter(%a, %b) """ + part(0, 8) + """, inplace[0]} : (T, H) -> T
          func.return %r : T
        }"""),
    ("storages of their own", """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %b = neg(%x) : (T) -> T
          %c = add(%a, %b) : (T, T) -> T
          func.return %c : T
        }"""),
    ("tied memory may be written", """func.func @main(%s: T, %x: T) -> (T {dnn.tied = 0 : i32}) {
          %n = add(%s, %x) {inplace[0]} : (T, T) -> T
          func.return %n : T
        }"""),
    ("pieces already in place are not copied", """func.func @main(%x: H) -> T {
          %a = exp(%x) : (H) -> H
          %b = neg(%a) : (H) -> H
          %c = concat(%a, %b) {axis = 0 : i64, parts[0, 1]} : (H, H) -> T
          %d = relu(%c) {inplace[0]} : (T) -> T
          func.return %d : T
        }"""),
    ("a piece without bytes", """func.func @main(%x: T, %z: Z) -> T {
          %a = exp(%x) : (T) -> T
          %c = concat(%z, %a) {axis = 0 : i64, parts[1]} : (Z, T) -> T
          func.return %c : T
        }"""),
    ("a result without bytes at an odd place", """func.func @main(%x: Z) -> Z attributes {dnn.arena_bytes = 64 : i64} {
          %a = exp(%x) {offset[3]} : (Z) -> Z
          func.return %a : Z
        }"""),
    ("only one result has a place in the arena",
        """func.func @main(%x: M, %k: T) -> M attributes {dnn.arena_bytes = 128 : i64} {
          %a, %m, %d = "dnn.layer_norm"(%x, %k, %k) {axis = -1 : i64, offset[0, -1, -1]} : (M, T, T) -> (M, C, C)
          func.return %a : M
        }"""),
    ("a pad of unknown size", """func.func @main(%x: U) -> tensor<?x17xf32> {
          %a = exp(%x) : (U) -> U
          %c = pad(%a) {pads = array<i64: 0, 1, 0, 0>} : (U) -> tensor<?x17xf32>
          func.return %c : tensor<?x17xf32>
        }"""),
]  # fmt: skip


@pytest.mark.parametrize("text", [text for _, text in RIGHT], ids=[name for name, _ in RIGHT])
def test_right_plan_is_accepted(text: str) -> None:
    assert [v.message for v in check(main(parse(text)))] == []


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collector_is_left_as_it_was(enabled: bool) -> None:
    """It is paused while the checker runs."""
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        check(main(parse(RIGHT[0][1])))
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_every_kind_of_violation_has_a_plan() -> None:
    elsewhere = {
        ViolationKind.MOVES_OVERLAP,
        ViolationKind.DONATED,
        ViolationKind.LENT,
        ViolationKind.RECURSION,
        ViolationKind.TOO_FINE,
        ViolationKind.UNSUPPORTED,
        ViolationKind.FORWARDED,
        ViolationKind.TOO_MANY_WAYS,
    }
    assert {p.kind for p in PLANS} == set(ViolationKind) - elsewhere


def test_plan_of_empty_tensors_is_accepted() -> None:
    module = parse("""func.func @main(%x: Z) -> Z attributes {dnn.arena_bytes = 0 : i64} {
      %a = exp(%x) {offset[8]} : (Z) -> Z
      %b = neg(%x) {offset[8]} : (Z) -> Z
      %c = sum(%a, %b) {inplace[1]} : (Z, Z) -> Z
      func.return %c : Z
    }""")
    assert check(main(module)) == []


def test_declaration_is_accepted() -> None:
    assert check(main(parse("func.func private @main(T) -> T"))) == []


def test_message_names_reader_value_bytes_and_destroyer() -> None:
    _, broken = both(PLANS[0].text)
    first = check(broken)[0]
    text = "dnn.add reads %a, but bytes [0, 64) of the memory of %a were overwritten by dnn.relu (%b) at plan.mlir:4:1"
    assert first.message == text
    error = first.error()
    assert str(error) == f"plan.mlir:5:1: error: {text}"
    assert [str(where) for where, _ in error.notes] == ["plan.mlir:4:1"]


def test_messages_name_storages() -> None:
    _, broken = both(PLANS[0].text)
    value = next(iter(broken.body.block.ops)).results[0]
    names = {
        Storage(StorageKind.ARENA): "the arena",
        Storage(StorageKind.NUMBERED, 3): "storage 3",
        Storage(StorageKind.ARGUMENT, 2): "the memory of argument 2",
        Storage(StorageKind.CONSTANT, value): "the constant %a",
        Storage(StorageKind.BORROWED, value): "the memory of %a",
        Storage(StorageKind.OWN, value): "the memory of %a",
    }
    assert {storage: storage_name(storage) for storage in names} == names


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_message_has_locations_decisions_and_notes(plan: Broken) -> None:
    _, broken = both(plan.text)
    first = check(broken)[0]
    assert first.message.startswith(op_name(first.reader) + " ")
    if "{value}" in first.kind.value and plan.value is not None:
        assert f"%{plan.value}" in first.message
    if "{bytes}" in first.kind.value:
        assert first.storage is not None
        where = "bytes" if plan.bytes is None else "bytes [{}, {})".format(*plan.bytes)
        assert f"{where} of {storage_name(first.storage)}" in first.message
    if "{destroyer}" in first.kind.value and first.destroyers:
        assert any(f"%{r.name_hint}" in first.message for op in first.destroyers for r in op.results)
    if plan.path:
        assert first.message.endswith(f" ({plan.path})")


def test_permission_of_one_engine_holds_only_on_that_engine() -> None:
    """Without an engine on the op, only permissions that hold on every engine apply."""
    contract = Contract(over=(InPlace(0, 0, engines=CPU_ONLY),), engines=ALL_ENGINES)
    for engine, allowed in ((None, False), ("cpu", True), ("onednn", False)):
        program = toy.Program(toy.tensor(4))
        program.give(0)
        (made,) = program.op(contract, program.arguments, toy.tensor(4), inplace=0)
        assert isinstance(made, OpResult)
        if engine is not None:
            made.op.attributes["dnn.engine"] = StringAttr(engine)
        assert [v.kind for v in check(program.done(made))] == ([] if allowed else [ViolationKind.OVERLAP])


def test_write_over_another_element_type_is_rejected() -> None:
    """The kernel may be in place and the sizes agree, but the element types differ."""
    for type_ in (i16, f16):
        program = toy.Program(toy.tensor(4, item=2))
        program.give(0)
        (made,) = program.op(toy.unary(), program.arguments, TensorType(type_, [4]), inplace=0)
        assert [v.kind for v in check(program.done(made))] == ([] if type_ is i16 else [ViolationKind.OVERLAP])


def test_decisions_on_scalars_are_ignored() -> None:
    program = toy.Program(toy.tensor(4))
    made = program.op(toy.OPAQUE, program.arguments, IndexType(), offset=3, reuse=0)  # pyright: ignore
    assert check(program.done(*made)) == []


def test_strided_plan_of_a_large_matrix_is_checked_quickly() -> None:
    """Columns of a large matrix, written one by one; the check is exact."""
    size = 1 << 18
    lines = [f"func.func @main(%x: tensor<{size}x4xf32>) -> tensor<{size}x4xf32> {{", "%a = exp(%x) : (A) -> A"]
    for k in range(4):
        where = f"dim = 1 : i64, start = {k} : i64, end = {k + 1} : i64, step = 1 : i64"
        lines.append(f"%v{k} = slice(%a) {{{where}}} : (A) -> B")
        lines.append(f"%b{k} = relu(%v{k}) {{inplace[0]}} : (B) -> B")
    lines += ["%c = concat(%b0, %b1, %b2, %b3) {axis = 1 : i64} : (B, B, B, B) -> A", "func.return %c : A", "}"]
    text = "\n".join(lines).replace("(A)", f"(tensor<{size}x4xf32>)").replace("-> A", f"-> tensor<{size}x4xf32>")
    text = text.replace(" : A", f" : tensor<{size}x4xf32>").replace("-> B", f"-> tensor<{size}x1xf32>")
    text = text.replace("(B)", f"(tensor<{size}x1xf32>)").replace(
        "B, B, B, B", ", ".join([f"tensor<{size}x1xf32>"] * 4)
    )
    assert check(main(parse(text))) == []
    wrong = check(main(parse(text.replace("start = 3 : i64, end = 4", "start = 2 : i64, end = 3"))))
    assert [(v.kind, label(v.reader), v.bytes) for v in wrong][:1] == [(ViolationKind.OVERWRITTEN, "b3", (8, 12))]


def test_too_many_pieces_are_rejected_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MAX_RUNS", 8)
    _, broken = both(next(p.text for p in PLANS if p.name == "columns of one value"))
    assert [v.kind for v in check(broken)] != [ViolationKind.TOO_FINE]
    text = """func.func @main(%x: P) -> Q {
      %a = exp(%x) : (P) -> P
      %v = slice(%a) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (P) -> Q
      %b = relu(%v) {inplace[0]} : (Q) -> Q
      func.return %b : Q
    }"""
    wide = parse(text.replace("P", "tensor<16x2xf32>").replace("Q", "tensor<16x1xf32>"))
    assert [v.kind for v in check(main(wide))] == [ViolationKind.TOO_FINE]
