"""Programs with control flow: naive and planned ones give the same bits, and the results of numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from control_programs import CASES, CONSTANTS, DECODE, SWAP, Case, F, T, binary, decode, unary
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lastuse.compiler.driver import compile, context
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.verify_storage import VerifyStoragePass
from support import call, shared

Arrays = dict[str, np.ndarray]


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


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
def test_planned_and_naive_programs_compute_the_result_of_numpy(name: str) -> None:
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
def test_lowered_module_survives_printing_and_parsing(name: str) -> None:
    """It verifies, and has steps in its regions."""
    lowered = compile(parse(CASES[name].text)).specialized({}).lowered
    again = Parser(context(), str(lowered)).parse_module()
    again.verify()
    assert str(again) == str(lowered)
    assert any(isinstance(op, DestinationStyleBase) for op in again.walk())


def copies(module: ModuleOp) -> int:
    return sum(isinstance(op, BufferCopyOp) for op in module.walk())


def test_values_already_in_place_are_not_copied() -> None:
    """The state of the decode loop is copied once, at the entry, and then updated in place."""
    lowered = compile(parse(DECODE.text)).specialized({}).lowered
    assert copies(lowered) == 1
    given = compile(parse(CASES["calls-given"].text)).specialized({})
    assert copies(given.lowered) < copies(compile(parse(CASES["calls"].text)).specialized({}).lowered)


def test_cycle_of_moves_takes_one_temporary() -> None:
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


def test_temporary_of_a_swap_reuses_free_bytes() -> None:
    """A dead large value has left its bytes, so the arena does not grow."""
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
def test_arena_of_a_run_is_the_planned_one(name: str, inplace: bool) -> None:
    """Including slots of block arguments and temporaries of moves."""
    found = compile(parse(CASES[name].text), inplace=inplace).specialized({})
    lowered = functions_of(found.lowered)
    for func in found.module.body.block.ops:
        (arena,) = (op for op in lowered[func.sym_name.data].walk() if op.name == "onednn.arena")  # pyright: ignore
        assert func.attributes["dnn.arena_bytes"].value.data == arena.nbytes  # pyright: ignore
    assert found.memory.arena_bytes == found.runner.memory.arena


def test_every_copy_has_a_remark() -> None:
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


def test_frames_of_callees_are_behind_their_callers() -> None:
    module = compile(parse(CASES["calls"].text)).specialized({}).lowered
    arenas = functions_of(module)
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
def test_error_in_a_run_names_its_op(body: str, message: str) -> None:
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
def test_sizes_bound_by_inputs_reach_callees_and_loops(name: str) -> None:
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


def test_function_called_with_three_sizes_has_three_copies() -> None:
    """Trip counts are sizes too; a function that is never called needs none."""
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
