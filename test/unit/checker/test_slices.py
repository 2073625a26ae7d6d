"""Slices at run-time offsets: what the checker proves apart, and plans that it has to refuse."""

from __future__ import annotations

import itertools

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.storage.assignment import PlaceKind, assign_places
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.index_arithmetic import SliceBounds, apart
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes import checker
from lastuse.passes.checker.apart import are_apart
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES

BASE, PART = "tensor<?xf32>", "tensor<4xf32>"
OVER, OVER_BASE = (f"{{dnn.inplace = array<i32: {operand}>}}" for operand in (0, 1))


def main(body: str, returned: str, types: str) -> FuncOp:
    constants = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 3, 4, 12, 64))
    text = f"""func.func @main(%x: {BASE} {{dnn.donated}}, %i: index, %j: index, %n: index) -> ({types}) {{
      {constants}{body}
      func.return {returned} : {types}
    }}"""
    module = parse(context(), text, "slices.mlir")
    assert isinstance(module, ModuleOp)
    return next(op for op in module.walk() if isinstance(op, FuncOp))


def slice_at(name: str, offset: str, base: str = "%x") -> str:
    return f"{name} = tensor.extract_slice {base}[{offset}] [4] [1] : {BASE} to {PART}\n"


PAIRS = [
    ("", "%i", "4", "%i", "4", False),
    ("", "%i", "4", "%j", "4", False),
    ("%k = arith.addi %i, %c4 : index", "%i", "4", "%k", "4", True),
    ("%k = arith.addi %i, %c3 : index", "%i", "4", "%k", "4", False),
    ("%k = arith.subi %i, %c4 : index", "%i", "4", "%k", "4", True),
    ("%m = arith.muli %i, %c4 : index %k = arith.addi %m, %c4 : index", "%m", "4", "%k", "4", True),
    ("%m = arith.muli %i, %c4 : index %k = arith.muli %j, %c4 : index", "%m", "4", "%k", "4", False),
    ("", "0", "%n", "%n", "4", True),
    ("", "0", "%n", "%j", "4", False),
    ("", "%n", "%n", "%j", "%j", False),
    ("%k = arith.addi %i, %n : index", "%i", "%n", "%k", "%j", True),
    ("%k = arith.addi %i, %n : index", "%i", "4", "%k", "4", False),
]


@pytest.mark.parametrize(("indices", "first", "count", "second", "other", "want"), PAIRS)
def test_both_proofs_of_disjointness_are_right(
    indices: str, first: str, count: str, second: str, other: str, want: bool
) -> None:
    text = f"""{indices}
      %s = tensor.extract_slice %x[{first}] [{count}] [1] : {BASE} to {BASE if "%" in count else PART}
      %t = tensor.extract_slice %x[{second}] [{other}] [1] : {BASE} to {BASE if "%" in other else PART}"""
    function = main(text, "%x", BASE)
    slices = [op for op in function.walk() if op.name == "tensor.extract_slice"]
    a, b = (contract_of(op).views[0].map.bounds for op in slices)  # pyright: ignore
    assert isinstance(a, SliceBounds) and isinstance(b, SliceBounds)
    assert (apart(a, b), apart(b, a), are_apart(a, b), are_apart(b, a)) == (want,) * 4


@pytest.mark.parametrize("steps", list(itertools.product((-2, -1, 0, 1, 2), repeat=2)), ids=str)
def test_slices_that_are_proved_apart_share_no_element(steps: tuple[int, int]) -> None:
    """Steps that go back, or stand still, and slices without elements too; all offsets and sizes of a small axis."""
    for numbers in itertools.product(range(5), range(4), range(5), range(4)):
        slices = [SliceBounds((numbers[k],), (numbers[k + 1],), (step,)) for k, step in zip((0, 2), steps, strict=True)]
        elements = [{at + step * n for n in range(size)} for ((at,), (size,), (step,)) in slices]
        if apart(slices[0], slices[1]) or are_apart(slices[0], slices[1]):
            assert not elements[0] & elements[1], numbers


def test_sums_that_may_leave_64_bits_prove_nothing() -> None:
    """%m + 4 is 0 in the second iteration: 4 * (2^62 - 1) + 4 = 2^64."""
    body = f"""%step = arith.constant {2**62 - 1} : index
      scf.for %c = %c0 to %n step %step {{
        %m = arith.muli %c, %c4 : index
        %k = arith.addi %m, %c4 : index
        {slice_at("%s", "0")}
        {slice_at("%t", "%k")}
      }}"""
    function = main(body, "%x", BASE)
    slices = [op for op in function.walk() if op.name == "tensor.extract_slice"]
    a, b = (contract_of(op).views[0].map.bounds for op in slices)  # pyright: ignore
    assert not apart(a, b) and not are_apart(a, b)


COUNTED = [
    ("%c0 to %c12", "12", True),
    ("%c0 to %c12", "11", False),
    ("%c4 to %c12", "0", True),
    ("%i to %c12", "0", False),
]


@pytest.mark.parametrize(("range_", "offset", "want"), COUNTED)
def test_counters_of_loops_have_bounds(range_: str, offset: str, want: bool) -> None:
    loop = f"""scf.for %c = {range_} step %c1 {{
        %s = tensor.extract_slice %x[%c] [1] [1] : {BASE} to tensor<1xf32>
        {slice_at("%t", offset)}
      }}"""
    function = main(loop, "%x", BASE)
    slices = [op for op in function.walk() if op.name == "tensor.extract_slice"]
    a, b = (contract_of(op).views[0].map.bounds for op in slices)  # pyright: ignore
    assert (apart(a, b), are_apart(b, a)) == (want, want)


PLANS = [
    # %t is read behind the write of %a to %s.
    ("%k = arith.addi %i, %c4 : index", "%k", True),
    ("%k = arith.addi %i, %c3 : index", "%k", False),
    ("", "%j", False),
    ("", "%i", False),
]


@pytest.mark.parametrize(("indices", "offset", "right"), PLANS)
def test_a_part_that_may_be_overwritten_is_not_read(indices: str, offset: str, right: bool) -> None:
    body = f"""{indices}
      {slice_at("%s", "%i")}{slice_at("%t", offset)}
      %a = arith.negf %s {OVER} : {PART}
      %b = arith.negf %t : {PART}
      %c = arith.addf %a, %b : {PART}"""
    assert (checker.check(main(body, "%c", PART)) == []) is right


def test_the_rest_of_a_value_is_gone_with_any_part_of_it() -> None:
    body = f"""{slice_at("%s", "%i")}
      %a = arith.negf %s {OVER} : {PART}
      %b = arith.negf %x : {BASE}"""
    assert checker.check(main(body, "%b", BASE))


@pytest.mark.parametrize(("source", "offset", "right"), [("%a", "%i", True), ("%a", "%j", False), ("%b", "%i", True)])
def test_a_slice_is_put_back_where_it_was(source: str, offset: str, right: bool) -> None:
    body = f"""{slice_at("%s", "%i")}
      %a = arith.negf %s {OVER} : {PART}
      %b = arith.negf %a : {PART}
      %y = tensor.insert_slice {source} into %x[{offset}] [4] [1] {OVER_BASE} : {PART} into {BASE}"""
    assert (checker.check(main(body, "%y", BASE)) == []) is right


@pytest.mark.parametrize(("over", "right"), [(OVER, False), ("", True)])
def test_a_part_in_the_next_iteration_is_another_one(over: str, right: bool) -> None:
    """What is apart in one iteration is what the next one reads."""
    body = f"""scf.for %c = %c0 to %c12 step %c4 {{
        %k = arith.addi %c, %c4 : index
        {slice_at("%s", "%c")}{slice_at("%t", "%k")}
        %b = arith.negf %s : {PART}
        %a = arith.negf %t {over} : {PART}
      }}"""
    assert (checker.check(main(body, "%n", "index")) == []) is right


@pytest.mark.parametrize(("over", "right"), [("{dnn.inplace = array<i32: 1>}", False), ("", True)])
def test_what_an_iteration_leaves_in_a_part_is_in_another_part_in_the_next(over: str, right: bool) -> None:
    """The part that is written at %k is not read in its iteration, but is the part at %c in the next one."""
    body = f"""%z = arith.constant 0.0 : f32
      scf.for %c = %c0 to %c12 step %c4 {{
        %k = arith.addi %c, %c4 : index
        {slice_at("%s", "%c")}{slice_at("%t", "%k")}
        %b = arith.negf %s : {PART}
        %a = linalg.fill {over} ins(%z : f32) outs(%t : {PART}) -> {PART}
      }}"""
    assert (checker.check(main(body, "%n", "index")) == []) is right


def test_a_part_of_a_part_is_put_back_in_a_loop() -> None:
    small = "tensor<1xf32>"
    body = f"""{slice_at("%s", "%i")}
      %r = scf.for %c = %c0 to %c4 step %c1 iter_args(%t = %s) -> ({PART}) {{
        %e = tensor.extract_slice %t[%c] [1] [1] : {PART} to {small}
        %f = arith.negf %e {OVER} : {small}
        %u = tensor.insert_slice %f into %t[%c] [1] [1] {{dnn.inplace = array<i32: 1>}} : {small} into {PART}
        scf.yield %u : {PART}
      }} {{dnn.inplace = array<i32: 3>}}
      %y = tensor.insert_slice %r into %x[%i] [4] [1] {{dnn.inplace = array<i32: 1>}} : {PART} into {BASE}"""
    assert checker.check(main(body, "%y", BASE)) == []
    assert checker.check(main(body.replace("into %t[%c]", "into %t[%j]"), "%y", BASE))


SOURCE = f"%z = arith.constant 0.0 : f32 %e = tensor.empty() : {PART}\n"
FILLED = f"%a = linalg.fill ins(%z : f32) outs(%e : {PART}) -> {PART}\n"
INTO = f"%y = tensor.insert_slice %a into %x[%k] [4] [1] {{{{dnn.inplace = array<i32: 1>{{}}}}}} : {PART} into {BASE}"
IN_PART = INTO.format(", dnn.parts = array<i32: 0>")
INDEX = "%k = arith.addi %i, %c4 : index\n"
SOURCES = [
    (INDEX + FILLED + IN_PART, True, True),
    # It is not known yet where %a would be.
    (FILLED + INDEX + IN_PART, True, False),
    # Without the insertion, %k may be outside of %x.
    (
        INDEX + FILLED + f"%c = arith.cmpi slt, %i, %j : index\n%r = scf.if %c -> ({BASE}) {{\n{IN_PART}\n"
        f"scf.yield %y : {BASE} }} else {{ scf.yield %x : {BASE} }}",
        True,
        False,
    ),
    # What is read behind the fill is apart from it, or is not.
    (INDEX + FILLED + slice_at("%s", "%i") + f"%b = arith.negf %s : {PART}\n" + IN_PART, True, True),
    (INDEX + FILLED + slice_at("%s", "%j") + f"%b = arith.negf %s : {PART}\n" + IN_PART, False, True),
    (INDEX + FILLED + f"%b = arith.negf %x : {BASE}\n" + IN_PART, False, True),
]


@pytest.mark.parametrize(("body", "right", "there"), SOURCES)
def test_a_source_is_computed_in_its_part_where_that_is_known_and_not_read(body: str, right: bool, there: bool) -> None:
    function = main(SOURCE + body, "%r" if "%r" in body else "%y", BASE)
    assert (checker.check(function) == []) is right
    placed = assign_places(function)
    filled = next(op.results[0] for op in function.walk() if op.name == "linalg.fill")
    assert (placed.of[filled].storage.kind is PlaceKind.ARGUMENT) is there
    assert bool(placed.void) is not there


def test_a_part_known_at_run_time_only_is_one_of_its_base_in_place() -> None:
    """Else the base would be copied around it, and where that is is not known."""
    function = main(SOURCE + INDEX + FILLED + IN_PART.replace("dnn.inplace = array<i32: 1>, ", ""), "%y", BASE)
    assert [v.attribute for v in assign_places(function).void] == ["dnn.parts"]
    assert checker.check(function) == []


@pytest.mark.parametrize(("body", "right", "there"), SOURCES)
def test_the_optimum_computes_sources_in_their_parts(body: str, right: bool, there: bool) -> None:
    undecided = body.replace("{dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>}", "")
    function = main(SOURCE + undecided, "%r" if "%r" in body else "%y", BASE)
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    InplacePass().apply(context(), module)
    assert checker.check(function) == []
    insert = next(op for op in function.walk() if op.name == "tensor.insert_slice")
    assert ("dnn.parts" in insert.attributes) is (right and there)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_strategy_writes_what_the_next_iteration_reads(strategy: str) -> None:
    """The slice at %k is apart from that at %c, but not from that of the iteration before."""
    body = f"""scf.for %c = %c1 to %c12 step %c1 {{
        %k = arith.subi %c, %c1 : index
        %s = tensor.extract_slice %x[%c] [1] [1] : {BASE} to tensor<1xf32>
        %t = tensor.extract_slice %x[%k] [1] [1] : {BASE} to tensor<1xf32>
        %a = arith.negf %s : tensor<1xf32>
        %b = arith.addf %a, %t : tensor<1xf32>
      }}"""
    function = main(body, "%n", "index")
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    InplacePass(strategy).apply(context(), module)
    assert checker.check(function) == []
