"""The pool: which value reuses which memory, by itself and as storage numbers."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.storage import attrs
from lastuse.passes.checker import check
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.planning.free_list import Pool, share

from .corpus import cases, function, values

Kind = tuple[str, tuple[int, ...]]


def held(pool: Pool[str, Any]) -> list[str]:
    """What is free, longest first."""
    return [name for _, name in sorted((age, name) for names in pool.free.values() for name, age in names.items())]


def sharing(case: dict[str, Any], fill_first: bool) -> tuple[dict[str, str], list[str]]:
    """(donors, what is free at the end) of a case, from the live sets it states."""
    program, level = case["program"], case["options"]["level"]
    kinds: dict[str, Kind] = {}
    for value in [*program["inputs"], *(r for op in program["ops"] for r in op["results"])]:
        kinds[value["name"]] = (value["dtype"], tuple(value["shape"]))
    fixed = {i["name"] for i in program["inputs"] if i.get("constant")} | set(program["outputs"])

    def fits(taker: Kind, donor: Kind) -> bool:
        if level == 0 or taker[0] != donor[0]:
            return taker == donor
        sizes = [1, 1]
        for n, kind in enumerate((taker, donor)):
            for size in kind[1]:
                sizes[n] *= size
        return (sizes[0] < 0) == (sizes[1] < 0) and abs(sizes[0]) <= abs(sizes[1])

    steps: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for op in program["ops"]:
        if op["kind"] in ("while", "if"):
            continue
        live = case["expect"]["live"][op["id"]]
        made = [r["name"] for r in op["results"]]
        makes = tuple(n for n in made if n not in fixed and n not in op["operands"])
        frees = tuple(n for n in dict.fromkeys(op["operands"]) if n not in live["out"] and n not in fixed)
        steps.append((makes, frees))
    pool = Pool[str, Kind](lambda name: kinds[name], fits)
    donors = share(steps, pool, fill_first)
    return donors, held(pool)


def storage_of(donors: dict[str, str], name: str) -> str:
    """The variable at the end of the chain of donors."""
    while name in donors:
        name = donors[name]
    return name


def test_sharing_equals_the_cases() -> None:
    seen = 0
    for case in cases("paddle_memory_liveness"):
        if "share" not in case["expect"]:
            continue
        seen += 1
        donors, free = sharing(case, fill_first=False)
        want = dict(case["expect"]["share"]["pairs"])
        assert donors.keys() == want.keys(), case["id"]
        for taker, donor in want.items():
            assert storage_of(donors, taker) == storage_of(want, donor), case["id"]
        after = case["expect"]["share"].get("pool_after")
        if after:
            assert [storage_of(donors, n) for n in free] == [storage_of(want, n) for n in after[-1][1]], case["id"]
    assert seen > 10


def test_sharing_in_the_seeds_order_equals_the_cases() -> None:
    for case in cases("paddle_memory_liveness"):
        want = case["expect"].get("seed_pseudocode_order")
        if want and not any(op["kind"] in ("while", "if") for op in case["program"]["ops"]):
            assert sharing(case, fill_first=True)[0] == dict(want["pairs"]), case["id"]


def test_first_fit_takes_the_memory_that_is_free_longest() -> None:
    pool = Pool[str, int](len, lambda taker, donor: taker <= donor)
    pool.fill(["aaa", "bb", "cc"])
    assert pool.serve("x") == "aaa"
    assert pool.serve("yy") == "bb"
    assert pool.serve("zzz") is None
    assert held(pool) == ["cc"]


def test_age_counts_across_kinds() -> None:
    """Donors are ordered by when they joined, not by the first of their kind."""
    pool = Pool[str, int](len, lambda taker, donor: taker <= donor)
    pool.fill(["aaa", "bb", "ccc"])
    assert held(pool) == ["aaa", "bb", "ccc"]
    assert [pool.serve("x") for _ in range(4)] == ["aaa", "bb", "ccc", None]


def test_op_does_not_take_memory_that_it_reads() -> None:
    steps = [(("b",), ("a",)), (("c",), ("b",))]
    assert share(steps, Pool[str, int](len, int.__eq__)) == {"c": "a"}


CONV = '"dnn.opaque"({}) {{kind = "conv"}} : ({}) -> {}'


def chain(shapes: list[str], donated: bool = False, returned: str | None = None) -> str:
    """Opaque ops, each reading the one before: %a, %b, … of these types."""
    names = [chr(ord("a") + n) for n in range(len(shapes))]
    lines = [
        f"  %{y} = {CONV.format('%' + x, given, made)}"
        for x, y, given, made in zip(names, names[1:], shapes, shapes[1:], strict=False)
    ]
    last = returned if returned is not None else names[-1]
    result = shapes[names.index(last)]
    head = f"func.func @main(%a: {shapes[0]}{' {dnn.donated}' if donated else ''}) -> {result} {{"
    return "\n".join([head, *lines, f"  func.return %{last} : {result}", "}"])


def numbers(text: str, **options: Any) -> tuple[FuncOp, dict[str, int]]:
    """The function with the pool's decisions, and the storage number of every value that has one."""
    func = function(text)
    module = func.parent_op()
    assert module is not None
    MemoryPlanPass(algorithm="pool", **options).apply(context(), module)  # pyright: ignore
    return func, {name: n for name, value in values(func) if (n := attrs.number_of(value)) >= 0}


def test_pool_writes_storage_numbers() -> None:
    func, found = numbers(chain(["tensor<2x4xf32>"] * 6))
    assert found == {"b": 0, "d": 0, "c": 1, "e": 1}
    assert check(func) == []


def test_a_donated_argument_gives_its_memory() -> None:
    func, found = numbers(chain(["tensor<2x4xf32>"] * 4, donated=True))
    assert found == {"a": 0, "c": 0}
    assert check(func) == []


def test_argument_that_is_not_donated_keeps_its_memory() -> None:
    assert numbers(chain(["tensor<2x4xf32>"] * 4))[1] == {}


def test_returned_values_are_left_out() -> None:
    assert "b" in numbers(chain(["tensor<2x4xf32>"] * 5))[1]
    assert "b" not in numbers(chain(["tensor<2x4xf32>"] * 5, returned="b"))[1]


def test_level_0_requires_equal_shapes_and_types() -> None:
    shapes = ["tensor<4xf32>", "tensor<8xf32>", "tensor<4xf32>", "tensor<4xf32>", "tensor<1xf32>"]
    assert numbers(chain(shapes))[1] == {}
    same_bytes = ["tensor<4xf32>", "tensor<4xf32>", "tensor<4xi32>", "tensor<4xi32>", "tensor<1xf32>"]
    assert numbers(chain(same_bytes))[1] == {}


def test_level_1_gives_larger_memory_to_smaller_values() -> None:
    down = ["tensor<4xf32>", "tensor<8xf32>", "tensor<3xf32>", "tensor<2x2xf32>", "tensor<1xf32>"]
    func, found = numbers(chain(down), level=1)
    assert found == {"b": 0, "d": 0}
    assert check(func) == []
    up = ["tensor<4xf32>", "tensor<2x2xf32>", "tensor<3xf32>", "tensor<8xf32>", "tensor<1xf32>"]
    assert numbers(chain(up), level=1)[1] == {}


def test_level_1_does_not_guess_unknown_sizes() -> None:
    shapes = ["tensor<4xf32>", "tensor<?x8xf32>", "tensor<4xf32>", "tensor<1xf32>", "tensor<9xf32>"]
    assert numbers(chain(shapes), level=1)[1] == {}


def test_unknown_sizes_that_are_one_symbol_share() -> None:
    text = """
    func.func @main(%a: tensor<?x8xf32>) -> tensor<f32> {
      %b = "dnn.softmax"(%a) : (tensor<?x8xf32>) -> tensor<?x8xf32>
      %c = "dnn.softmax"(%b) : (tensor<?x8xf32>) -> tensor<?x8xf32>
      %d = "dnn.slice"(%c) {dim = 1, start = 0, end = 4} : (tensor<?x8xf32>) -> tensor<?x4xf32>
      %e = "dnn.softmax"(%c) : (tensor<?x8xf32>) -> tensor<?x8xf32>
      %f = "dnn.opaque"(%e) {kind = "conv"} : (tensor<?x8xf32>) -> tensor<f32>
      func.return %f : tensor<f32>
    }"""
    func, found = numbers(text)
    assert found == {"b": 0, "e": 0}
    assert check(func) == []
    assert numbers(text, level=1)[1] == {"b": 0, "d": 0}  # %d is copied: parts of unknown sizes have no place in %c


def test_memory_of_unread_results_is_not_reused() -> None:
    text = """
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %u = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      func.return %e : tensor<4xf32>
    }"""
    assert numbers(text)[1] == {"b": 0, "d": 0}


def test_views_keep_memory_alive() -> None:
    text = """
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %v = "dnn.reshape"(%b) : (tensor<4xf32>) -> tensor<2x2xf32>
      %c = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %d = "dnn.opaque"(%v, %c) {kind = "conv"} : (tensor<2x2xf32>, tensor<4xf32>) -> tensor<4xf32>
      %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %f = "dnn.opaque"(%e) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      func.return %f : tensor<4xf32>
    }"""
    func, found = numbers(text)
    assert found == {"b": 0, "e": 0}
    assert check(func) == []


def test_operands_of_foreign_ops_are_left_out() -> None:
    text = """
    func.func @main(%a: tensor<4xf32>, %i: index) -> tensor<4xf32> {
      %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %w = "tensor.cast"(%b) : (tensor<4xf32>) -> tensor<?xf32>
      %c = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %d = "dnn.opaque"(%w, %c) {kind = "conv"} : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %d : tensor<4xf32>
    }"""
    func, found = numbers(text)
    assert found == {}
    assert check(func) == []


def test_scalar_operand_does_not_hide_tensor_operands() -> None:
    """The foreign op reads %b behind a scalar operand, and its result may alias %b."""
    text = """
    func.func @main(%a: tensor<4xf32>, %i: index) -> tensor<4xf32> {
      %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %w, %j = "other.op"(%i, %b) : (index, tensor<4xf32>) -> (tensor<4xf32>, index)
      %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %e = "dnn.opaque"(%d, %w) {kind = "conv"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %e : tensor<4xf32>
    }"""
    func, found = numbers(text)
    assert found == {}
    assert check(func) == []


ARMS = """
func.func @main(%p: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %x = scf.if %p -> (tensor<4xf32>) {
    %t = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
    %u = "dnn.opaque"(%t) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
    %v = "dnn.opaque"(%u) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
    %w = "dnn.opaque"(%v) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  %c = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %e : tensor<4xf32>
}"""


def test_block_arguments_are_left_out() -> None:
    """%q may be other memory on each path."""
    text = """
    func.func @main(%p: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
      cf.cond_br %p, ^end(%a : tensor<4xf32>), ^other
    ^other:
      %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      cf.br ^end(%b : tensor<4xf32>)
    ^end(%q: tensor<4xf32>):
      %c = "dnn.opaque"(%q) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %f = "dnn.opaque"(%e) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      func.return %f : tensor<4xf32>
    }"""
    func, found = numbers(text)
    assert found == {"c": 0, "e": 0}
    assert check(func) == []


def test_each_block_has_a_pool_of_its_own() -> None:
    """%b dies at the op that owns the blocks and never joins; %x joins and is not used."""
    func, found = numbers(ARMS)
    assert found["x"] == found["d"]
    assert found["t"] == found["v"]
    assert found["x"] != found["t"]
    assert found.keys() == {"x", "d", "t", "v"}
    assert check(func) == []


def test_given_storage_numbers_are_kept() -> None:
    text = chain(["tensor<4xf32>"] * 6).replace("{kind", "{dnn.reuse = array<i32: 7>, kind", 1)
    func, found = numbers(text)
    assert found["b"] == found["d"] == 7
    assert check(func) == []


def test_memory_of_a_concat_is_live_from_its_first_part() -> None:
    """%a and %b are computed in %c. %y, of the size of %c, dies between them, which is too late."""
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
      %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %y = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4xf32>) -> tensor<8xf32>
      %z = "dnn.opaque"(%y) {kind = "conv"} : (tensor<8xf32>) -> tensor<2xf32>
      %b = "dnn.opaque"(%z) {kind = "conv"} : (tensor<2xf32>) -> tensor<4xf32>
      %c = "dnn.concat"(%a, %b) {dnn.parts = array<i32: 0, 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
      %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<8xf32>) -> tensor<4xf32>
      %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<4xf32>) -> tensor<8xf32>
      %f = "dnn.opaque"(%e) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
      func.return %f : tensor<8xf32>
    }"""
    func, found = numbers(text)
    assert found == {"y": 0, "e": 0}
    assert check(func) == []


def test_memory_shared_by_two_arms_is_left_out() -> None:
    """%t and %s, one in each arm, have one number: the memory is not reused, though no op reads %s."""
    text = ARMS.replace('%t = "dnn.opaque"(%b) {', '%t = "dnn.opaque"(%b) {dnn.reuse = array<i32: 7>, ')
    other = """
    %s = "dnn.opaque"(%b) {dnn.reuse = array<i32: 7>, kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
    %o = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %o"""
    func, found = numbers(text.replace("scf.yield %b", other))
    assert {name for name, number in found.items() if number == 7} == {"t", "s"}
    assert check(func) == []


def test_memory_written_again_is_not_free_in_between() -> None:
    """%c has the number of %a and is not read; %d, defined between them, may not use that memory."""
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 7>} : (tensor<4xf32>) -> tensor<4xf32>
      %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %d = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      %c = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 7>} : (tensor<4xf32>) -> tensor<4xf32>
      %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
      func.return %e : tensor<4xf32>
    }"""
    func, found = numbers(text)
    assert found == {"a": 7, "c": 7}
    assert check(func) == []


def test_checker_rejects_the_seeds_order() -> None:
    func, found = numbers(chain(["tensor<4xf32>"] * 4), order="seed")
    assert found == {"b": 0, "c": 0}
    assert check(func)


@pytest.mark.parametrize("options", [{"level": 2}, {"order": "best"}, {"algorithm": "none"}])
def test_wrong_options_are_errors(options: dict[str, Any]) -> None:
    func = function(chain(["tensor<4xf32>"] * 2))
    module = func.parent_op()
    assert module is not None
    with pytest.raises(LastuseError, match=f"no {next(iter(options))} "):
        MemoryPlanPass(**({"algorithm": "pool"} | options)).apply(context(), module)  # pyright: ignore
