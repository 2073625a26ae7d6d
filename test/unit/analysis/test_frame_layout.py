"""The frame of a lowered function: names, the memory of results, offsets of storages, temporaries."""

from __future__ import annotations

import pytest
from ir import main, parse, part
from xdsl.dialects.func import CallOp, FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.decisions import Decisions
from lastuse.frontends.text.mlir_parser import parse as parse_mlir
from lastuse.passes.memory.copy_temporaries import Passed, passed, stacked, temporaries
from lastuse.passes.memory.frame_layout import FrameLayout, frame_of

MANY = f"""func.func @main(%x: T {{dnn.name = "in"}}, %y: T {{dnn.donated}}, %s: T,
                           %z: T {{dnn.donated, dnn.name = "in"}}, %n: index)
    -> (T, T, T, index, T {{dnn.tied = 2 : i32}}, H {{dnn.name = "out0"}}, T {{dnn.name = "b"}})
    attributes {{dnn.arena_bytes = 192 : i64}} {{
  %k = constant() {{value = dense<1.0> : T}} : () -> T
  %a = exp(%x) {{offset[64]}} : (T) -> T
  %b = neg(%a) : (T) -> T
  %c = relu(%b) {{inplace[0]}} : (T) -> T
  %d = exp(%y) {{inplace[0]}} : (T) -> T
  %e = neg(%s) : (T) -> T
  %h = slice(%e) {part(8, 16)}}} : (T) -> H
  %w = exp(%h) : (H) -> H
  %u = exp(%w) : (H) -> H
  %o = add(%k, %z) : (T, T) -> T
  func.return %c, %d, %d, %n, %e, %h, %o : T, T, T, index, T, H, T
}}"""
"""%d is all of a donated argument, and returned twice; %e is tied, and %h a part of it."""


def framed(text: str, is_called: bool = False, planned: bool = True) -> tuple[FrameLayout, dict[str, str]]:
    """The frame of `main`; and where every tensor is by name: `argument:byte`, the argument empty in the arena."""
    func = main(parse(text))
    given = Decisions.of(func)
    frame = frame_of(func, is_called, given if planned else given.unplanned())
    spots = {display_name(v).strip("%"): frame.location(v) for v in frame.places}
    return frame, {
        n: f"{'constant' if not isinstance(s.root, int | None) else '' if s.root is None else s.root}:{s.layout.offset}"
        for n, s in spots.items()
    }


@pytest.mark.parametrize("is_called", [False, True])
def test_first_result_that_is_a_whole_donated_argument_is_returned_in_it(is_called: bool) -> None:
    """The second such result, and results of a called function, get memory of the caller."""
    frame, where = framed(MANY, is_called)
    assert frame.inputs == ("in", "y", "s", "in.1", "n")
    assert [(r.number, r.name, r.argument, r.tied) for r in frame.results] == [
        (0, "out0", 5, False),
        (1, "out1", *((6, False) if is_called else (1, True))),
        (2, "out2", 6 + is_called, False),
        (4, "out4", 2, True),
        (5, "out0.1", 7 + is_called, False),
        (6, "b", 8 + is_called, False),
    ]
    assert [r.value.name_hint for r in frame.results] == ["c", "d", "d", "e", "h", "o"]
    assert frame.scalars == ((3, "out3"),)
    assert frame.arena_bytes == 320 + 32
    assert {name: where[name] for name in "kabcdehwuo"} == {
        "k": "constant:0",
        "a": ":64",
        "b": "5:0",
        "c": "5:0",
        "d": "1:0",
        "e": ":192",
        "h": ":224",
        "w": ":256",
        "u": ":320",
        "o": f"{8 + is_called}:0",
    }
    values = {display_name(v): v for v in frame.places}
    assert {info.dtype for info in frame.sizes.values()} == {"f32"}
    assert frame.own(values["%h"]).offset == 0
    assert frame.own(values["%h"]).sizes == (8,)


def test_without_a_plan_values_are_stacked() -> None:
    frame, where = framed(MANY, planned=False)
    assert frame.arena_bytes == 192 + 32
    assert [where[name] for name in "aewu"] == [":0", ":64", ":128", ":192"]


BRANCHES = """func.func @main(%c: i1, %x: T, %y: T {dnn.donated}) -> T {
  %a = exp(%x) : (T) -> T
  "cf.cond_br"(%c)[^one, ^two] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
^one:
  func.return %RESULT : T
^two:
  %b = exp(%a) : (T) -> T
  func.return %b : T
}"""


@pytest.mark.parametrize(("returned", "b"), [("a", ":0"), ("y", "3:0"), ("x", "3:0")])
def test_first_return_that_fits_shares_the_memory_of_the_result(returned: str, b: str) -> None:
    """A value that is an argument's memory in one return but not in the other is copied."""
    frame, where = framed(BRANCHES.replace("RESULT", returned))
    assert [(r.argument, r.tied) for r in frame.results] == [(3, False)]
    assert (where["a"], where["b"]) == ("3:0" if returned == "a" else ":0", b)


@pytest.mark.parametrize(
    ("given", "result", "tied"),
    [
        ("T {dnn.donated}", "T", True),
        ("T", "T", False),
        ("W {dnn.donated}", "T", False),
        ("R {dnn.donated}", "T", False),
    ],
)
def test_whole_donated_argument_of_the_results_type_is_returned_in_place(given: str, result: str, tied: bool) -> None:
    view = {"W": f"slice(%y) {part(0, 16)}}} : (W) -> T", "R": "reshape(%y) : (R) -> T"}
    made = view.get(given[0], "relu(%y) {inplace[0]} : (T) -> T")
    text = f"func.func @main(%y: {given}) -> {result} {{\n  %a = {made}\n  func.return %a : T\n}}"
    frame, _ = framed(text)
    assert [(r.argument, r.tied) for r in frame.results] == [(0, True) if tied else (1, False)]


def test_sizes_have_to_be_known() -> None:
    text = 'func.func @main(%x: U {dnn.name = "words"}) -> U {\n  %a = exp(%x) : (U) -> U\n  func.return %a : U\n}'
    with pytest.raises(LastuseError, match="--specialize-pass=words=…"):
        framed(text)
    with pytest.raises(LastuseError, match="never returns"):
        framed('func.func @main() {\n  "cf.br"()[^a] : () -> ()\n^a:\n  "cf.br"()[^a] : () -> ()\n}')


CALLED = """func.func @give(%p: T {dnn.donated}, %q: T, %s: T, %n: index)
    -> (T {dnn.tied = 2 : i32}, T, index) {
  func.return %s, %p, %n : T, T, index
}
func.func @main(%x: T, %m: M, %n: index) -> (T, T) {
  %a = exp(%x) : (T) -> T
  %b = exp(%x) : (T) -> T
  %v = slice(%m) {dim = 1 : i64, start = 0 : i64, end = 8 : i64, step = 1 : i64} : (M) -> tensor<2x8xf32>
  %r, %t, %i = "func.call"(%a, %a, %b, %n) {callee = @give, HOW} : (T, T, T, index) -> (T, T, index)
  func.return %r, %t : T, T
}"""
WRITES = "the call may write it, and it is not given away"


@pytest.mark.parametrize(
    ("how", "want", "aside"),
    [
        ("a = 1", [Passed(None, WRITES, True), Passed(None, "", False), Passed(0, WRITES, False)], 64),
        ("donate[0]", [Passed(None, "", False), Passed(None, "", False), Passed(0, WRITES, False)], 0),
        ("inplace[2, -1, -1]", [Passed(None, WRITES, True), Passed(None, "", False), Passed(0, "", False)], 64),
        ("donate[0, 2]", [Passed(None, "", False), Passed(None, "", False), Passed(0, "", False)], 0),
    ],
)
def test_call_passes_a_copy_of_what_the_callee_writes(how: str, want: list[Passed], aside: int) -> None:
    """The copy is in the memory of the tied result, if there is one."""
    module = parse(CALLED.replace("HOW", how))
    functions = {op.sym_name.data: op for op in module.walk() if isinstance(op, FuncOp)}
    func = functions["main"]
    frame = frame_of(func)
    (call,) = [op for op in func.walk() if isinstance(op, CallOp)]
    assert list(passed(call, functions["give"], frame).values()) == want
    assert temporaries(func, frame, functions).get(call, 0) == aside
    assert temporaries(func, frame, {}).get(call, 0) == 0


def test_largest_cycle_of_a_terminator_takes_a_temporary() -> None:
    """A terminator without cycles takes none."""
    text = """func.func @main(%n: index, %x: T, %y: T) -> (T, T) {
      %r, %s = scf.for %i = %n to %n step %n iter_args(%a = %x, %b = %y) -> (T, T) {
        scf.yield %b, %a : T, T
      }
      func.return %r, %s : T, T
    }"""
    func = main(parse(text))
    needs = temporaries(func, frame_of(func), {})
    assert {op.name: nbytes for op, nbytes in needs.items()} == {"scf.yield": 64}


def test_temporaries_are_stacked_aligned() -> None:
    assert [stacked(sizes) for sizes in ((), (4,), (4, 4), (64, 4), (4, 64, 4))] == [0, 4, 68, 68, 132]


def test_storage_of_a_slice_at_a_run_time_start_has_its_own_bytes() -> None:
    """Not those of another slice, which is looked at before it and lies in more bytes."""
    text = """func.func @main(%x: tensor<4x8xf32>, %y: tensor<64x64xf32>, %i: index)
    -> (tensor<2x8xf32>, tensor<2x64xf32>) {
  %a = "dnn.relu"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = "dnn.relu"(%y) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = tensor.extract_slice %b[%i, 0] [2, 64] [1, 1] : tensor<64x64xf32> to tensor<2x64xf32>
  %q = tensor.extract_slice %a[%i, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %r = "dnn.relu"(%p) : (tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = "dnn.relu"(%q) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %s, %r : tensor<2x8xf32>, tensor<2x64xf32>
}"""
    frame = frame_of(main(parse_mlir(context(), text, "slices.mlir")))
    sizes = {display_name(v): frame.extents[place.storage] for v, place in frame.places.items()}
    assert (sizes["%a"], sizes["%q"], sizes["%b"]) == (128, 128, 16384)
