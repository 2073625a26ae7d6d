"""Programs with control flow: as written and planned give the same bits, and those of numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lastuse.compiler import compile, context
from lastuse.dialect.diagnostics import LastuseError, RemarkKind
from lastuse.dialect.onednn import CopyOp, Step
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.verify_storage import VerifyStoragePass
from support import call, shared

Array = np.ndarray
Arrays = dict[str, Array]
T, F = "tensor<4xf32>", np.float32


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def binary(name: str, a: str, b: str) -> str:
    return f'"dnn.{name}"(%{a}, %{b}) : ({T}, {T}) -> {T}'


def unary(name: str, a: str) -> str:
    return f'"dnn.{name}"(%{a}) : ({T}) -> {T}'


@dataclass
class Case:
    """A module, what it computes in numpy, and inputs to try (`x` and `u` are given unless they are here)."""

    text: str
    meaning: Callable[..., dict[str, object]]
    tries: list[dict[str, object]] = field(default_factory=lambda: [{"n": n} for n in (0, 1, 2, 5)])


CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index"""


def decode(x: Array, u: Array, n: int) -> dict[str, object]:
    state, count = u.copy(), 0
    for _ in range(n):
        state = np.tanh(state + np.exp(x))
        count += 1
    return {"y": state, "count": count}


DECODE = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "y"}}, index {{dnn.name = "count"}}) {{{CONSTANTS}
  %e = {unary("exp", "x")}
  %r, %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %u, %m = %c0) -> ({T}, index) {{
    %t = {binary("add", "s", "e")}
    %h = {unary("tanh", "t")}
    %m1 = arith.addi %m, %c1 : index
    scf.yield %h, %m1 : {T}, index
  }}
  func.return %r, %k : {T}, index
}}""",
    decode,
)


def rnn(x: Array, u: Array, n: int) -> dict[str, object]:
    weights, state = np.full((4, 4), 0.125, F), u
    for _ in range(n):
        state = np.tanh(state @ weights + x)
    return {"h": state}


# Two products an iteration need room; the state is updated in place.
RNN = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "h"}}) {{{CONSTANTS}
  %w = "dnn.constant"() {{value = dense<0.125> : tensor<4x4xf32>}} : () -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %u) -> ({T}) {{
    %p = "dnn.matmul"(%h, %w) : ({T}, tensor<4x4xf32>) -> {T}
    %s = {binary("add", "p", "x")}
    %t = {unary("tanh", "s")}
    scf.yield %t : {T}
  }}
  func.return %r : {T}
}}""",
    rnn,
)


def doubling(x: Array, u: Array, limit: float) -> dict[str, object]:
    value, count = np.abs(x), 0
    while value.sum() < limit:
        value, count = value + value, count + 1
    return {"y": value, "count": count}


# The condition depends on what the loop computed.
WHILE = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %limit: f32) -> ({T} {{dnn.name = "y"}}, index {{dnn.name = "count"}}) {{{CONSTANTS}
  %a = {unary("abs", "x")}
  %r, %k = "scf.while"(%a, %c0) ({{
  ^bb0(%p: {T}, %i: index):
    %s = "dnn.reduce_sum"(%p) {{axes = array<i64: 0>, keepdims = 0 : i64}} : ({T}) -> tensor<f32>
    %v = tensor.extract %s[] : tensor<f32>
    %c = arith.cmpf olt, %v, %limit : f32
    "scf.condition"(%c, %p, %i) : (i1, {T}, index) -> ()
  }}, {{
  ^bb0(%p: {T}, %i: index):
    %q = {binary("add", "p", "p")}
    %j = arith.addi %i, %c1 : index
    "scf.yield"(%q, %j) : ({T}, index) -> ()
  }}) : ({T}, index) -> ({T}, index)
  func.return %r, %k : {T}, index
}}""",
    doubling,
    [{"limit": limit} for limit in (0.0, 20.0, 500.0)],
)


def fibonacci(x: Array, u: Array, n: int) -> dict[str, object]:
    a, b = x, u
    for _ in range(n):
        a, b = b, a + b
    return {"a": a, "b": b}


# A while whose results come in another order than its arguments, and whose slots meet at every boundary.
CROSSED = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: i32) -> ({T} {{dnn.name = "a"}}, {T} {{dnn.name = "b"}}) {{
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:3 = "scf.while"(%z, %x, %u) ({{
  ^bb0(%i: i32, %p: {T}, %q: {T}):
    %c = arith.cmpi slt, %i, %n : i32
    "scf.condition"(%c, %q, %i, %p) : (i1, {T}, i32, {T}) -> ()
  }}, {{
  ^bb0(%q: {T}, %i: i32, %p: {T}):
    %s = {binary("add", "p", "q")}
    %j = arith.addi %i, %one : i32
    "scf.yield"(%j, %q, %s) : (i32, {T}, {T}) -> ()
  }}) : (i32, {T}, {T}) -> ({T}, i32, {T})
  func.return %r#2, %r#0 : {T}, {T}
}}""",
    fibonacci,
)


def swapped(x: Array, u: Array, n: int) -> dict[str, object]:
    a, b = np.maximum(x, 0), np.exp(u)
    return {"a": b if n % 2 else a, "b": a if n % 2 else b}


SWAP = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "a"}}, {T} {{dnn.name = "b"}}) {{{CONSTANTS}
  %a = {unary("relu", "x")}
  %b = {unary("exp", "u")}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> ({T}, {T}) {{
    scf.yield %q, %p : {T}, {T}
  }}
  func.return %r#0, %r#1 : {T}, {T}
}}""",
    swapped,
)


def nested(x: Array, u: Array, n: int, m: int) -> dict[str, object]:
    outer = x
    for _ in range(n):
        inner = np.tanh(outer)
        for _ in range(m):
            inner = inner + outer
        outer = np.maximum(inner, u)
    return {"y": outer}


NESTED = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index, %m: index) -> ({T} {{dnn.name = "y"}}) {{{CONSTANTS}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> ({T}) {{
    %e = {unary("tanh", "p")}
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%q = %e) -> ({T}) {{
      %t = {binary("add", "q", "p")}
      scf.yield %t : {T}
    }}
    %w = {binary("maximum", "s", "u")}
    scf.yield %w : {T}
  }}
  func.return %r : {T}
}}""",
    nested,
    [{"n": n, "m": m} for n in (0, 1, 3) for m in (0, 2)],
)


def branches(x: Array, u: Array, c: bool) -> dict[str, object]:
    a, b = np.exp(x), -x
    return {"y": np.sqrt(a + np.abs(b) if c else np.maximum(b, 0))}


# The two edges of one branch move different values into slots.
DIAMOND = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %c: i1) -> ({T} {{dnn.name = "y"}}) {{
  %a = {unary("exp", "x")}
  %b = {unary("neg", "x")}
  cf.cond_br %c, ^one(%a, %b : {T}, {T}), ^two(%b : {T})
^one(%p: {T}, %q: {T}):
  %m = {unary("abs", "q")}
  %s = {binary("add", "p", "m")}
  cf.br ^join(%s : {T})
^two(%t: {T}):
  %v = {unary("relu", "t")}
  cf.br ^join(%v : {T})
^join(%r: {T}):
  %y = {unary("sqrt", "r")}
  func.return %y : {T}
}}""",
    branches,
    [{"c": c} for c in (True, False)],
)

BLOCKS = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: i32) -> ({T} {{dnn.name = "a"}}, {T} {{dnn.name = "b"}}) {{
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%x, %u, %z : {T}, {T}, i32)
^head(%p: {T}, %q: {T}, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %s = {binary("add", "p", "q")}
  %j = arith.addi %i, %one : i32
  cf.br ^head(%q, %s, %j : {T}, {T}, i32)
^exit:
  func.return %p, %q : {T}, {T}
}}""",
    fibonacci,
)


def chosen(x: Array, u: Array, n: int) -> dict[str, object]:
    return {"y": {0: np.exp(x), 7: x + u}.get(n, -x)}


SWITCH = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: i32) -> ({T} {{dnn.name = "y"}}) {{
  cf.switch %n : i32, [
    default: ^other(%x : {T}),
    0: ^zero,
    7: ^both(%x, %u : {T}, {T})
  ]
^other(%p: {T}):
  %a = {unary("neg", "p")}
  func.return %a : {T}
^zero:
  %b = {unary("exp", "x")}
  func.return %b : {T}
^both(%q: {T}, %r: {T}):
  %c = {binary("add", "q", "r")}
  func.return %c : {T}
}}""",
    chosen,
    [{"n": n} for n in (0, 7, -3)],
)


def either(x: Array, u: Array, c: bool) -> dict[str, object]:
    a, b = np.exp(x), -x
    return {"first": a if c else b, "second": b if c else a}


# Two returns with the same values the other way round: one of them has to swap what lies in the results' memory.
RETURNS = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %c: i1) -> ({T} {{dnn.name = "first"}}, {T} {{dnn.name = "second"}}) {{
  %a = {unary("exp", "x")}
  %b = {unary("neg", "x")}
  cf.cond_br %c, ^one, ^two
^one:
  func.return %a, %b : {T}, {T}
^two:
  func.return %b, %a : {T}, {T}
}}""",
    either,
    [{"c": c} for c in (True, False)],
)

STEP = f"""
func.func @step(%h: {T}, %x: {T}, %k: index) -> ({T} {{dnn.tied = 0 : i32}}, index) {{
  %one = arith.constant 1 : index
  %e = {unary("exp", "x")}
  %s = {binary("add", "h", "e")}
  %t = {unary("tanh", "s")}
  %j = arith.addi %k, %one : index
  func.return %t, %j : {T}, index
}}
func.func @twice(%x: {T} {{dnn.donated}}) -> {T} {{
  %s = {binary("add", "x", "x")}
  func.return %s : {T}
}}"""


def calling(x: Array, u: Array, n: int) -> dict[str, object]:
    state = u
    for _ in range(n):
        after = np.tanh(state + np.exp(x))
        state = after + after
    return {"y": (state + state) + state, "k": n}


def calls(attributes: str = "", donate: str = "") -> str:
    return f"""{STEP}
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "y"}}, index {{dnn.name = "k"}}) {{{CONSTANTS}
  %r, %k = scf.for %i = %c0 to %n step %c1 iter_args(%h = %u, %m = %c0) -> ({T}, index) {{
    %a, %m1 = func.call @step(%h, %x, %m) {attributes} : ({T}, {T}, index) -> ({T}, index)
    %b = func.call @twice(%a) {donate} : ({T}) -> {T}
    scf.yield %b, %m1 : {T}, index
  }}
  %z = func.call @twice(%r) : ({T}) -> {T}
  %y = {binary("add", "z", "r")}
  func.return %y, %k : {T}, index
}}"""


CASES = {
    "decode": DECODE,
    "rnn": RNN,
    "while": WHILE,
    "crossed": CROSSED,
    "swap": SWAP,
    "nested": NESTED,
    "diamond": DIAMOND,
    "blocks": BLOCKS,
    "switch": SWITCH,
    "returns": RETURNS,
    "calls": Case(calls(), calling),
    "calls-given": Case(calls("{dnn.inplace = array<i32: 0, -1>}", "{dnn.donate = array<i32: 0>}"), calling),
}
"""The last one gives the loop's state to the callee, which updates it where it lies."""


def arrays(case: Case, given: dict[str, object]) -> dict[str, object]:
    rng = np.random.default_rng(3)
    drawn = {name: rng.uniform(-1, 1, 4).astype(F) for name in ("x", "u")}
    return {**drawn, **given}


def run_twice(program: object, given: dict[str, object]) -> Arrays:
    """The results of a run, which a second run gives again; inputs stay what they are."""
    kept = {name: np.array(value) for name, value in given.items()}
    first = program.run(given)  # pyright: ignore
    second = program.run(given)  # pyright: ignore
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])
    for name, value in kept.items():
        np.testing.assert_array_equal(given[name], value)
    return first


@pytest.mark.parametrize("name", CASES)
def test_planned_is_naive_is_numpy(name: str) -> None:
    case = CASES[name]
    module = parse(case.text)
    kinds = [(inplace, plan) for inplace in (False, True) for plan in (False, True)]
    programs = [compile(module, inplace=inplace, plan=plan, threads=1, poison=True) for inplace, plan in kinds]
    naive, planned = programs[0].specialized({}), programs[-1].specialized({})
    assert planned.memory.arena_bytes == planned.runner.memory.arena <= naive.memory.arena_bytes
    for given in case.tries:
        feed = arrays(case, given)
        expected = case.meaning(**feed)
        results = [run_twice(program, feed) for program in programs]
        for result in results:
            assert list(result) == list(expected)
            for key, want in expected.items():
                np.testing.assert_allclose(result[key], want, rtol=1e-5, atol=1e-6)  # pyright: ignore
                np.testing.assert_array_equal(result[key], results[0][key])


@pytest.mark.parametrize("name", CASES)
def test_lowered_is_text_alone(name: str) -> None:
    """What is printed parses to the same, verifies, and has steps in its regions."""
    lowered = compile(parse(CASES[name].text)).specialized({}).lowered
    again = Parser(context(), str(lowered)).parse_module()
    again.verify()
    assert str(again) == str(lowered)
    assert any(isinstance(op, Step) for op in again.walk())


def copies(module: ModuleOp) -> int:
    return sum(isinstance(op, CopyOp) for op in module.walk())


def test_pairs_in_position_move_nothing() -> None:
    """The decode loop: its state enters once, and is updated in place ever after."""
    lowered = compile(parse(DECODE.text)).specialized({}).lowered
    assert copies(lowered) == 1
    given = compile(parse(CASES["calls-given"].text)).specialized({})
    assert copies(given.lowered) < copies(compile(parse(CASES["calls"].text)).specialized({}).lowered)


def test_a_circle_takes_one_temporary() -> None:
    lowered = compile(parse(SWAP.text)).specialized({})
    assert copies(lowered.lowered) == 3
    assert lowered.runner.memory.arena == 64


ROOM = f"""
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T}, {T}) {{{CONSTANTS}
  %e = {unary("exp", "x")}
  %big = "dnn.concat"(%e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e) {{axis = 0 : i64}}
    : ({", ".join([T] * 16)}) -> tensor<64xf32>
  %s = "dnn.reduce_sum"(%big) {{axes = array<i64: 0>, keepdims = 1 : i64}} : (tensor<64xf32>) -> tensor<1xf32>
  %a = "dnn.add"(%x, %s) : ({T}, tensor<1xf32>) -> {T}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %u) -> ({T}, {T}) {{
    scf.yield %q, %p : {T}, {T}
  }}
  %t = {binary("add", "r#0", "u")}
  func.return %t, %r#1 : {T}, {T}
}}"""


def test_a_temporary_lies_where_nothing_else_is_in_use() -> None:
    """What a loop swaps is put aside in bytes that a large value had before: the arena does not grow."""
    found = compile(parse(ROOM), threads=1, poison=True)
    assert found.memory.arena_bytes == found.memory.live_peak_bytes == found.latest.runner.memory.arena
    x, u = np.arange(4, dtype=F), np.ones(4, F)
    a = x + np.exp(x).sum() * 16
    for n in range(3):
        t, q = run_twice(found, {"x": x, "u": u, "n": n}).values()
        np.testing.assert_allclose(t, (u if n % 2 else a) + u, rtol=1e-5)
        np.testing.assert_allclose(q, a if n % 2 else u, rtol=1e-5)


@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_the_planned_arena_is_what_a_run_takes(name: str, inplace: bool) -> None:
    """Slots of block arguments and what moves need aside included: nothing lies behind the plan."""
    found = compile(parse(CASES[name].text), inplace=inplace).specialized({})
    lowered = {f.sym_name.data: f for f in found.lowered.body.block.ops}  # pyright: ignore
    for func in found.module.body.block.ops:
        (arena,) = (op for op in lowered[func.sym_name.data].walk() if op.name == "onednn.arena")  # pyright: ignore
        assert func.attributes["dnn.arena_bytes"].value.data == arena.nbytes  # pyright: ignore
    assert found.memory.arena_bytes == found.runner.memory.arena


def test_every_copy_is_a_remark() -> None:
    for name, case in CASES.items():
        ctx = context()
        ctx.wants_remarks = True
        module = parse(case.text)
        InplacePass().apply(context(), module)
        MemoryPlanPass().apply(context(), module)
        VerifyStoragePass().apply(context(), module)
        LowerToOnednnPass().apply(ctx, module)
        said = [r for r in ctx.remarks if r.kind is RemarkKind.COPY]
        assert len(said) == copies(module), name


def test_frames_of_callees_lie_behind_their_callers() -> None:
    module = compile(parse(CASES["calls"].text)).specialized({}).lowered
    arenas = {f.sym_name.data: f for f in module.body.block.ops}  # pyright: ignore
    spans = {}
    for name, func in arenas.items():
        arena = next(op for op in func.walk() if op.name == "onednn.arena")
        spans[name] = (arena.byte_offset, arena.byte_offset + arena.nbytes)
    assert spans["main"][0] == 0
    assert spans["step"][0] >= spans["main"][1] and spans["twice"][0] >= spans["main"][1]
    assert spans["step"][0] % 64 == 0


def nasty(name: str, feed: dict[str, object]) -> Arrays:
    path = shared() / "nasty" / name
    found = [compile(path, inplace=kind, plan=kind, threads=1, poison=True) for kind in (False, True)]
    results = [run_twice(program, feed) for program in found]
    for key in results[0]:
        np.testing.assert_array_equal(results[0][key], results[1][key])
    return results[1]


@pytest.mark.parametrize(("n", "want"), [(0, [0, 2, 0]), (2, [1, 7.436564, 14.778111])])
def test_g3_a_value_from_outside_read_in_a_loop(n: int, want: list[float]) -> None:
    feed = {"x": np.array([-1, 2, 0], F), "w": np.array([0, 1, 2], F), "n": n}
    (result,) = nasty("G3.mlir", feed).values()
    np.testing.assert_allclose(result, want, rtol=1e-6)


@pytest.mark.parametrize("c", [True, False])
def test_g5_arms_and_a_part_read_after_the_join(c: bool) -> None:
    x = np.array([0, 1, 2, 3], F)
    (result,) = nasty("G5.mlir", {"x": x, "c": c}).values()
    a = np.exp(x)
    want = -(np.sqrt(a) if c else a)
    want[:2] = a[2:]
    np.testing.assert_allclose(result, want, rtol=1e-6)


def test_run_tool_takes_scalars_as_arrays_without_axes(tmp_path: Path) -> None:
    model, given, out = (tmp_path / name for name in ("decode.mlir", "in.npz", "out.npz"))
    model.write_text(DECODE.text)
    feed = arrays(DECODE, {"n": np.int64(3)})
    np.savez(given, **feed)  # pyright: ignore
    done = call(["run-tool", str(model), "--inputs", str(given), "--outputs", str(out)])
    assert done.status == 0, done.err
    with np.load(out) as found:
        want = decode(**feed)  # pyright: ignore
        assert found["count"].shape == () and found["count"] == 3
        np.testing.assert_allclose(found["y"], want["y"], rtol=1e-5)  # pyright: ignore


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%q = arith.divsi %n, %c0 : index", "arith.divsi: division by zero"),
        ("%q = scf.for %i = %c0 to %n step %c0 iter_args(%k = %n) -> (index) { scf.yield %k : index }", "step is 0"),
        (f"%t = tensor.extract %x[%n] : {T}\n  %q = arith.fptosi %t : f32 to i32", "index 9 of an axis of 4 elements"),
    ],
)
def test_what_goes_wrong_in_a_run_names_its_op(body: str, message: str) -> None:
    type_ = "i32" if "fptosi" in body else "index"
    text = f"func.func @main(%x: {T}, %n: index) -> {type_} {{{CONSTANTS}\n  {body}\n  func.return %q : {type_}\n}}"
    program = compile(parse(text), threads=1)
    with pytest.raises(LastuseError, match=message):
        program.run({"x": np.zeros(4, F), "n": 9})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros(2, np.int64), r"'n' is one number of dtype int64, not int64\[2\]"),
        (1.5, "'n' is one number of dtype int64; 1.5 is none"),
        (2.0**70, "is none"),
        ("three", "'n' is one number"),
    ],
)
def test_scalars_are_numbers_of_their_type(given: object, message: str) -> None:
    program = compile(parse(DECODE.text), threads=1)
    with pytest.raises(LastuseError, match=message):
        program.run({"x": np.zeros(4, F), "u": np.zeros(4, F), "n": given})  # pyright: ignore
    assert program.run({"x": np.zeros(4, F), "u": np.zeros(4, F), "n": np.float32(2)})["count"] == 2


S = "tensor<?xf32>"


def of_any_size(case: Case) -> Case:
    """The same program on vectors whose size the inputs bind."""
    return Case(case.text.replace(T, S).replace("tensor<4x4xf32>", "tensor<?x?xf32>"), case.meaning, case.tries)


ANY_SIZE = ("decode", "while", "crossed", "swap", "nested", "diamond", "blocks", "switch", "returns", "calls")


@pytest.mark.parametrize("name", ANY_SIZE)
def test_sizes_that_the_inputs_bind_flow_everywhere(name: str) -> None:
    case = of_any_size(CASES[name])
    naive, planned = (compile(parse(case.text), inplace=k, plan=k, threads=1, poison=True) for k in (False, True))
    assert planned.unknown_sizes == ("x", "u")
    rng = np.random.default_rng(5)
    for size in (7, 1, 33):
        drawn = {name: rng.uniform(-1, 1, size).astype(F) for name in ("x", "u")}
        for given in case.tries:
            feed = {**drawn, **given}
            want = case.meaning(**feed)
            found, other = run_twice(planned, feed), run_twice(naive, feed)
            for key in want:
                np.testing.assert_allclose(found[key], want[key], rtol=1e-5, atol=1e-6)  # pyright: ignore
                np.testing.assert_array_equal(found[key], other[key])
        assert planned.memory.arena_bytes == planned.latest.runner.memory.arena


STEPS = f"""
func.func @unused(%h: {S}) -> {S} {{
  func.return %h : {S}
}}
func.func @norm(%h: {S}) -> {S} {{
  %s = "dnn.reduce_sum"(%h) {{axes = array<i64: 0>, keepdims = 1 : i64}} : ({S}) -> tensor<1xf32>
  %d = "dnn.div"(%h, %s) : ({S}, tensor<1xf32>) -> {S}
  func.return %d : {S}
}}
func.func @main(%a: {S}, %b: {S}) -> ({S} {{dnn.name = "r"}}) {{{CONSTANTS}
  %n = tensor.dim %a, %c0 : {S}
  %p = func.call @norm(%a) : ({S}) -> {S}
  %q = func.call @norm(%b) : ({S}) -> {S}
  %j = "dnn.concat"(%p, %q) {{axis = 0 : i64}} : ({S}, {S}) -> {S}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %j) -> ({S}) {{
    %t = func.call @norm(%h) : ({S}) -> {S}
    %u = "dnn.exp"(%t) : ({S}) -> {S}
    scf.yield %u : {S}
  }}
  func.return %r : {S}
}}"""


def test_a_function_called_with_three_sizes() -> None:
    """Each size has a copy; how often the loop runs is a size too; who is never called needs no size."""
    program = compile(parse(STEPS), threads=1, poison=True)
    rng = np.random.default_rng(6)
    for first, second in ((3, 5), (2, 2), (0, 4)):
        a, b = (rng.uniform(1, 2, n).astype(F) for n in (first, second))
        want = np.concatenate([a / a.sum() if first else a, b / b.sum()])
        for _ in range(first):
            want = np.exp(want / want.sum())
        np.testing.assert_allclose(run_twice(program, {"a": a, "b": b})["r"], want, rtol=1e-5)
        kinds = {first, second, first + second}
        assert len(list(program.latest.module.body.block.ops)) == 1 + len(kinds)
