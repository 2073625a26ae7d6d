"""`lastuse.analysis`: permissions to write over an operand, aliases, live values, places."""

from __future__ import annotations

import pytest
from generate import random_program
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse import LastuseError, analysis
from lastuse.analysis import PlaceKind, Reason, aliases, live_before, may_write_over, place_of
from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.verify_storage import VerifyStoragePass

T = "tensor<8xf32>"


def module(*lines: str, arguments: str = f"%x: {T}", results: str = T) -> ModuleOp:
    """A function of these lines, in which `T` is a type."""
    body = "\n".join(lines).replace("T", T)
    return parse(context(), f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}", "a.mlir")


def named(top: Operation, name: str) -> SSAValue:
    """The value of this name."""
    for op in top.walk():
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            if value.name_hint == name:
                return value
    raise AssertionError(name)


def maker(top: Operation, name: str) -> Operation:
    owner = named(top, name).owner
    assert isinstance(owner, Operation)
    return owner


EXP = '%a = "dnn.exp"(%x) : (T) -> T'
WHY: dict[str, tuple[ModuleOp, str, int, Reason | None]] = {
    "free": (module(EXP, '%b = "dnn.relu"(%a) : (T) -> T', "return %b : T"), "b", 0, None),
    "input": (module(EXP, "return %a : T"), "a", 0, Reason.PROGRAM_INPUT),
    "donated": (module(EXP, "return %a : T", arguments=f"%x: {T} {{dnn.donated}}"), "a", 0, None),
    "read later": (
        module(EXP, '%b = "dnn.relu"(%a) : (T) -> T', '%c = "dnn.add"(%a, %b) : (T, T) -> T', "return %c : T"),
        "b",
        0,
        Reason.USED_LATER,
    ),
    "returned": (
        module(EXP, '%b = "dnn.relu"(%a) : (T) -> T', "return %a, %b : T, T", results=f"{T}, {T}"),
        "b",
        0,
        Reason.RETURNED,
    ),
    "no kernel": (
        module(EXP, '%c = "foo.op"(%a) : (T) -> T', "return %c : T"),
        "c",
        0,
        Reason.KERNEL,
    ),
    "a foreign op may have kept it": (
        module(
            EXP,
            '%b = "foo.op"(%a) : (T) -> T',
            '%c = "dnn.relu"(%a) : (T) -> T',
            '%d = "dnn.add"(%b, %c) : (T, T) -> T',
            "return %d : T",
        ),
        "c",
        0,
        Reason.OPERANDS_ALIAS,
    ),
    "a loop reads it again": (
        module(
            EXP,
            "%i0 = arith.constant 0 : index",
            "%i1 = arith.constant 1 : index",
            "%r = scf.for %i = %i0 to %n step %i1 iter_args(%s = %x) -> (T) {",
            '%b = "dnn.relu"(%a) : (T) -> T',
            '%t = "dnn.add"(%s, %b) : (T, T) -> T',
            "scf.yield %t : T",
            "}",
            "return %r : T",
            arguments=f"%x: {T}, %n: index",
        ),
        "b",
        0,
        Reason.CONTROL_FLOW,
    ),
    "an iteration argument": (
        module(
            EXP,
            "%i0 = arith.constant 0 : index",
            "%i1 = arith.constant 1 : index",
            "%r = scf.for %i = %i0 to %n step %i1 iter_args(%s = %a) -> (T) {",
            '%t = "dnn.relu"(%s) : (T) -> T',
            "scf.yield %t : T",
            "}",
            "return %r : T",
            arguments=f"%x: {T}, %n: index",
        ),
        "r",
        3,
        None,
    ),
    "a cast, which no kernel does in place": (
        module(EXP, '%b = "dnn.cast"(%a) : (T) -> tensor<8xi32>', "return %b : tensor<8xi32>", results="tensor<8xi32>"),
        "b",
        0,
        Reason.KERNEL,
    ),
    "broadcast": (
        module(
            '%a = "dnn.exp"(%x) : (tensor<1xf32>) -> tensor<1xf32>',
            '%b = "dnn.add"(%a, %y) : (tensor<1xf32>, T) -> T',
            "return %b : T",
            arguments=f"%x: tensor<1xf32>, %y: {T}",
        ),
        "b",
        0,
        Reason.BROADCAST,
    ),
    "a scalar": (
        module("%a = arith.addi %x, %x : i32", "return %a : i32", arguments="%x: i32", results="i32"),
        "a",
        0,
        Reason.KERNEL,
    ),
    "a constant": (
        module(
            '%c = "dnn.constant"() {value = dense<1.0> : T} : () -> T',
            '%b = "dnn.relu"(%c) : (T) -> T',
            "return %b : T",
        ),
        "b",
        0,
        Reason.CONSTANT,
    ),
    "a view is no write": (
        module(EXP, '%b = "dnn.reshape"(%a) : (T) -> T', "return %b : T"),
        "b",
        0,
        Reason.KERNEL,
    ),
    "a decision that is there": (
        module(
            EXP,
            '%b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (T) -> T',
            '%c = "dnn.tanh"(%b) : (T) -> T',
            "return %c : T",
        ),
        "b",
        0,
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WHY)
def test_may_write_over_returns_the_reason_against(name: str) -> None:
    top, result, operand, reason = WHY[name]
    before = str(top)
    op = maker(top, result)
    assert may_write_over(op, operand) is reason
    assert may_write_over(op, op.operands[operand]) is reason
    assert str(top) == before


@pytest.mark.parametrize("seed", range(40))
def test_every_decision_is_permitted_and_every_permission_accepted(seed: int) -> None:
    """`may_write_over` permits every decision of the pass, and the checker accepts every decision it permits."""
    ctx = context()
    top = parse(ctx, random_program(seed).text, f"{seed}.mlir")
    top.verify()
    asked = 0
    for op in list(top.walk()):
        over = attrs.inplace(op) if op.parent_op() is not None and op.results else ()
        for k in range(len(op.operands)) if op.results else ():
            if not isinstance(op.parent_op(), FuncOp) or may_write_over(op, k) is not None:
                continue
            copy = top.clone()
            same = dict(zip(top.walk(), copy.walk(), strict=True))[op]
            attrs.set_entries(same, attrs.INPLACE, [k, *over[1:]])
            VerifyStoragePass().apply(ctx, copy)
            asked += 1
    InplacePass().apply(ctx, top)
    MemoryPlanPass().apply(ctx, top)
    for op in top.walk():
        for result, k in enumerate(attrs.inplace(op) if op.results else ()):
            assert k < 0 or may_write_over(op, k, result) is None, f"seed {seed}: {op}"


def test_wrong_arguments_of_the_analyses_are_errors() -> None:
    top = module(EXP, '%b = "dnn.relu"(%a) : (T) -> T', "return %b : T")
    relu = maker(top, "b")
    for call, message in (
        (lambda: may_write_over(relu, 1), "'dnn.relu' has 1 operands, none with number 1"),
        (lambda: may_write_over(relu, -1), "'dnn.relu' has 1 operands, none with number -1"),
        (lambda: may_write_over(relu, named(top, "x")), "this value is none of them"),
        (lambda: may_write_over(relu, 0, 1), "'dnn.relu' has 1 results, none with number 1"),
        (lambda: live_before(top), "stands in no function"),
        (lambda: may_write_over(next(iter(top.body.ops)), 0), "stands in no function"),
        (lambda: place_of(relu.clone().results[0]), "stands in no function"),
    ):
        with pytest.raises(LastuseError, match=message):
            call()


def test_aliases_are_all_values_of_one_storage() -> None:
    top = module(
        EXP,
        '%b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (T) -> T',
        '%v = "dnn.reshape"(%b) : (T) -> tensor<2x4xf32>',
        '%l, %r = "dnn.split"(%v) {axis = 0 : i64, num_outputs = 2 : i64} : (tensor<2x4xf32>) '
        "-> (tensor<1x4xf32>, tensor<1x4xf32>)",
        '%f = "foo.op"(%l) : (tensor<1x4xf32>) -> tensor<1x4xf32>',
        '%o = "dnn.exp"(%f) : (tensor<1x4xf32>) -> tensor<1x4xf32>',
        "%n = arith.constant 1 : index",
        "return %o, %r : tensor<1x4xf32>, tensor<1x4xf32>",
        results="tensor<1x4xf32>, tensor<1x4xf32>",
    )

    def of(name: str) -> list[str | None]:
        return [v.name_hint for v in aliases(named(top, name))]

    assert of("x") == []
    assert of("a") == ["b", "v", "l", "r", "f"]
    assert of("l") == ["a", "b", "v", "f"]
    assert of("o") == [] and of("n") == []
    assert set(of("f")) >= {"a", "b", "v", "l"}
    chain = ('%b = "dnn.exp"(%a) : (T) -> T', '%c = "dnn.exp"(%b) : (T) -> T', '%d = "dnn.exp"(%c) : (T) -> T')
    planned = module(EXP, *chain, "return %d : T")
    MemoryPlanPass().apply(context(), planned)
    assert [v.name_hint for v in aliases(named(planned, "a"))] == ["c"], "one range of the arena, at other times"


def test_live_before_names_the_values_live_at_an_op() -> None:
    top = module(
        EXP,
        "%i0 = arith.constant 0 : index",
        "%i1 = arith.constant 1 : index",
        "%r = scf.for %i = %i0 to %n step %i1 iter_args(%s = %x) -> (T) {",
        '%t = "dnn.add"(%s, %a) : (T, T) -> T',
        "scf.yield %t : T",
        "}",
        "return %r : T",
        arguments=f"%x: {T}, %n: index",
    )

    def before(name: str) -> list[str | None]:
        return [v.name_hint for v in live_before(maker(top, name))]

    assert before("a") == ["x", "n"]
    assert before("r") == ["x", "n", "a", "i0", "i1"]
    assert before("t") == ["a", "s"], "the next iteration reads %a too"
    assert [v.name_hint for v in live_before(next(op for op in top.walk() if op.name == "func.return"))] == ["r"]


def test_place_of_gives_storage_and_bytes() -> None:
    top = module(EXP, '%b = "foo.op"(%a) : (T) -> T', "%n = arith.constant 1 : index", "return %b : T")
    place = place_of(named(top, "x"))
    assert place is not None and (place.storage.kind, place.storage.key) == (PlaceKind.ARGUMENT, 0)
    place = place_of(named(top, "b"))
    assert place is not None and place.storage.kind is PlaceKind.BORROWED
    assert place_of(named(top, "n")) is None
    MemoryPlanPass().apply(context(), top)
    place = place_of(named(top, "a"))
    assert place is not None and place.storage.kind in (PlaceKind.ARENA, PlaceKind.OWN)
    assert set(analysis.__all__) >= {"aliases", "live_before", "may_write_over", "place_of"}
