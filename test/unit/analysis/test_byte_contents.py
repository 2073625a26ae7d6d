"""Which bytes hold what, asked of `ValueContents` itself: slices of values, reads of roots, and what is read later.

Tables say bytes as `low-high`, of a storage that one value has written.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import toy
from ir import main, parse, part
from toy import COPY_INTO, pad, scatter
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.tensor_types import symbol
from lastuse.dialect.storage import layout
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import Contract, is_region_op
from lastuse.dialect.storage.layout import Layout, Strided, Whole
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.read_after_write import Edge, RootSlice, ValueContents, meet, overlap


def bytes_of(layout: Layout | None) -> str:
    """The bytes of a layout in order: `0-16+32-48`."""
    if not isinstance(layout, Strided):
        return "?" if layout is None else "all"
    found = layout.bytes()
    cuts = np.flatnonzero(np.diff(found) != 1) + 1
    return "+".join(f"{run[0]}-{run[-1] + 1}" for run in np.split(found, cuts) if run.size)


def said(slice_: RootSlice) -> str:
    """A slice_ in words: `root bytes` and, where it says more, `but` bytes that it is without; `at` its bytes in the
    value; `perhaps`; `by` the scatter whose source it is."""
    words = [f"{display_name(slice_.root)[1:]} {bytes_of(slice_.layout)}"]
    words += [f"but {bytes_of(gone)}" for gone in slice_.minus]
    if slice_.where != slice_.layout:
        words.append(f"at {bytes_of(slice_.where)}")
    words += ["perhaps"] * slice_.may
    if slice_.via is not None:
        words.append(f"by {display_name(slice_.via.results[0])[1:]}")
    return " ".join(words)


class Case:
    """A program, its values by name, and where their bytes are; `carried`: contributions in position, `op k`."""

    def __init__(self, text: str, carried: Sequence[str] = ()) -> None:
        program = NumberedOps.of(main(parse(text)))
        assert program is not None
        self.values: dict[str, SSAValue] = {display_name(v)[1:]: v for v in program.sizes}
        self.ops: dict[str, Operation] = {display_name(op.results[0])[1:]: op for op in program.ops if op.results}
        edges = [Edge(self.ops[name], int(k)) for name, k in (edge.split() for edge in carried)]
        self.contents = ValueContents(program, frozenset(edges))

    def slices(self, name: str) -> list[str]:
        return [said(p) for p in self.contents.slices[self.values[name]]]

    def reads(self, root: str) -> list[str]:
        """The reads of bytes of `root`: op, value and slice_."""
        found = [r for (_, value), some in self.contents.reads.items() if value is self.values[root] for r in some]
        return [f"{_label(r.op)}: {display_name(r.value)[1:]} = {said(r.slice_)}" for r in found]


def _label(op: Operation) -> str:
    return display_name(op.results[0])[1:] if op.results and not is_region_op(op) else op.name.partition(".")[2]


CPU = 'dnn.engine = "cpu"'
VIEWS = f"""func.func @main(%x: T, %m: M, %u: U) -> H {{
  %v = slice(%x) {part(4, 12)}}} : (T) -> H
  %w = slice(%v) {part(2, 6)}}} : (H) -> tensor<4xf32>
  %a = exp(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %c = slice(%m) {{dim = 1 : i64, start = 0 : i64, end = 8 : i64, step = 1 : i64}} : (M) -> tensor<2x8xf32>
  %k = relu(%c) {{{CPU}}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %flat = reshape(%c) : (tensor<2x8xf32>) -> T
  %square = reshape(%flat) : (T) -> tensor<4x4xf32>
  %g = "other.op"(%m) : (M) -> M
  %e = slice(%g) {{dim = 1 : i64, start = 0 : i64, end = 8 : i64, step = 1 : i64}} : (M) -> tensor<2x8xf32>
  %oe = opaque(%e) {{kind = "conv"}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %d = slice(%m) {{dim = 1 : i64, start = 0 : i64, end = 8 : i64, step = 1 : i64}} : (M) -> tensor<2x8xf32>
  %o = opaque(%d) {{kind = "conv"}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %all = reshape(%u) : (U) -> tensor<?x4x4xf32>
  %some = slice(%u) {{dim = 1 : i64, start = 0 : i64, end = 8 : i64, step = 1 : i64}} : (U) -> tensor<?x8xf32>
  func.return %v : H
}}"""


def test_view_is_bytes_of_its_root_while_the_map_is_strided() -> None:
    """A strided view read by an op that takes no strides is a copy."""
    case = Case(VIEWS)
    assert {name: case.slices(name) for name in case.values} == {
        "x": ["x 0-64"],
        "m": ["m 0-128"],
        "u": ["u all"],
        "v": ["x 16-48 at 0-32"],
        "w": ["x 24-40 at 0-16"],
        "a": ["a 0-16"],
        "c": ["m 0-32+64-96 at 0-64"],
        "k": ["k 0-64"],
        "flat": ["flat 0-64"],
        "square": ["flat 0-64"],
        "g": ["g 0-128", "m 0-128 at ? perhaps"],
        "e": ["e 0-64"],
        "oe": ["oe 0-64"],
        "d": ["d 0-64"],
        "o": ["o 0-64"],
        "all": ["u all at all"],
        "some": ["some all"],
    }
    assert case.reads("x") == ["a: w = x 24-40 at 0-16", "return: v = x 16-48 at 0-32"]
    assert case.reads("m") == [
        "k: c = m 0-32+64-96 at 0-64",
        "flat: c = m 0-32+64-96 at 0-64",
        "g: m = m 0-128",
        "e: g = m 0-128 at ? perhaps",
        "d: m = m 0-128",
    ]
    assert case.reads("u") == ["some: u = u all"]
    assert case.reads("d") == ["o: d = d 0-64"]


UNKNOWN_SIZE = toy.tensor(DYNAMIC_INDEX)
SCATTERS = f"""func.func @main(%a: T, %b: H, %b2: H) -> T {{
  %first = exp(%b2) : (H) -> H
  %r = slice_scatter(%a, %b) {part(0, 8)}}} : (T, H) -> T
  %plain = exp(%b) : (H) -> H
  %low = slice(%r) {part(0, 8)}}} : (T) -> H
  %high = slice(%r) {part(8, 16)}}} : (T) -> H
  %mid = slice(%r) {part(4, 12)}}} : (T) -> H
  %some = slice(%low) {part(2, 6)}}} : (H) -> tensor<4xf32>
  %half = reshape(%low) : (H) -> tensor<2x4xf32>
  %turned = transpose(%half) {{perm = array<i64: 1, 0>}} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %used = exp(%turned) {{{CPU}}} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %r2 = slice_scatter(%r, %b2) {part(8, 16)}}} : (T, H) -> T
  %r3 = slice_scatter(%r, %b2) {part(0, 8)}}} : (T, H) -> T
  %r4 = slice_scatter(%r, %b2) {part(4, 12)}}} : (T, H) -> T
  %e = exp(%r2) : (T) -> T
  func.return %e : T
}}"""
TURNED = "0-4+16-20+4-8+20-24+8-12+24-28+12-16+28-32"


@pytest.mark.parametrize(
    ("carried", "slices"),
    [
        ([], {"r": ["r 0-64"], "high": ["r 32-64 at 0-32"], "r2": ["r2 0-64"], "r4": ["r4 0-64"]}),
        (
            ["r 0", "r2 0", "r3 0", "r4 0"],
            {
                "r": ["a 0-64 but 0-32", "r 0-32", "b 0-32 by r"],
                "low": ["a 0-32 but 0-32", "r 0-32", "b 0-32 by r"],
                "high": ["a 32-64 but 0-32 at 0-32"],
                "mid": ["a 16-48 but 0-32 at 0-32", "r 16-48 at 0-32", "b 16-48 at 0-32 by r"],
                "some": ["a 8-24 but 0-32 at 0-16", "r 8-24 at 0-16", "b 8-24 at 0-16 by r"],
                "turned": [
                    f"a {TURNED} but 0-32 at 0-32",
                    f"r {TURNED} at 0-32",
                    f"b {TURNED} at 0-32 by r",
                ],
                "r2": ["a 0-64 but 0-32 but 32-64", "r 0-32", "b 0-32 by r", "r2 32-64", "b2 0-32 at 32-64 by r2"],
                "r3": ["a 0-64 but 0-32 but 0-32", "r3 0-32", "b2 0-32 by r3"],
                "r4": [
                    "a 0-64 but 0-32 but 16-48",
                    "r 0-32 but 16-48",
                    "b 0-32 but 16-48 by r",
                    "r4 16-48",
                    "b2 0-32 at 16-48 by r4",
                ],
            },
        ),
        (["r2 1"], {"r2": ["r2 0-64", "b2 0-32 at 32-64"]}),
    ],
    ids=["apart", "over their bases", "source in its part"],
)
def test_scatter_contributes_its_bytes_to_the_result(carried: list[str], slices: dict[str, list[str]]) -> None:
    case = Case(SCATTERS, carried)
    assert {name: case.slices(name) for name in slices} == slices


def test_scatter_reads_the_bytes_of_its_base_outside_the_part() -> None:
    """If the base is itself a scatter, only the bytes that both leave are read."""
    apart = Case(SCATTERS)
    assert apart.reads("a") == ["r: a = a 0-64 but 0-32"]
    assert apart.reads("b") == ["r: b = b 0-32", "plain: b = b 0-32"]
    assert apart.reads("r")[1:] == [
        "r2: r = r 0-64 but 32-64",
        "r3: r = r 0-64 but 0-32",
        "r4: r = r 0-64 but 16-48",
    ]
    over = Case(SCATTERS, ["r 0"])
    assert over.reads("b") == [
        "r: b = b 0-32",
        "plain: b = b 0-32",
        f"used: turned = b {TURNED} at 0-32 by r",
        "r2: r = b 0-32 by r",
        "r4: r = b 0-32 but 16-48 by r",
    ]
    assert over.reads("r") == [f"used: turned = r {TURNED} at 0-32", "r2: r = r 0-32", "r4: r = r 0-32 but 16-48"]


def test_source_of_a_scatter_already_in_place_is_read_there() -> None:
    """This is known from the scatter on; before it, the source is assumed to be in place."""
    case = Case(SCATTERS, ["r 0"])
    contents, ops = case.contents, case.ops
    (whole,) = contents.slices[case.values["b"]]
    head = whole._replace(layout=Strided.dense((8,), 1))

    def reader(after: str, slice_: RootSlice, itself: bool = False, *elided: str) -> str:
        read = contents.conflicting_read(slice_, ops[after], {ops[name] for name in elided}, itself)
        return _label(read.op) if read is not None else ""

    assert reader("first", whole) == "r"
    assert reader("r", whole) == "plain"
    assert reader("r", whole, True) == "r"
    assert reader("plain", whole) == ""
    assert reader("plain", whole, False, "r") == "used"
    assert reader("used", whole, False, "r") == "r2"
    assert reader("r2", whole, False, "r") == "r4"
    assert reader("r2", head, False, "r") == "r4"
    assert reader("r2", head._replace(layout=head.layout.shifted(24)), False, "r") == ""  # pyright: ignore
    assert reader("r4", whole, False, "r") == ""
    assert reader("r4", whole, True, "r") == "r4"


CARRIERS = f"""func.func @main(%a: H, %b: H, %p: H, %u: tensor<2x?xf32>) -> T {{
  %c = concat(%a, %b) {{axis = 0 : i64}} : (H, H) -> T
  %low = slice(%c) {part(0, 8)}}} : (T) -> H
  %high = slice(%c) {part(8, 16)}}} : (T) -> H
  %end = slice(%c) {part(12, 16)}}} : (T) -> tensor<4xf32>
  %twice = concat(%c, %c) {{axis = 0 : i64}} : (T, T) -> W
  %f = pad(%p) {{pads = array<i64: 4, 4>}} : (H) -> T
  %inner = slice(%f) {part(4, 12)}}} : (T) -> H
  %n = concat(%u, %u) {{axis = 0 : i64}} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<4x?xf32>
  %copied = copy(%c) : (T) -> T
  %there = copy(%c) {{inplace[0]}} : (T) -> T
  %into = copy_into(%copied, %f) : (T, T) -> T
  func.return %into : T
}}"""


@pytest.mark.parametrize(
    ("carried", "slices"),
    [
        (
            [],
            {"c": ["c 0-64"], "twice": ["twice 0-128"], "there": ["there 0-64", "c 0-64 at ?"], "into": ["into 0-64"]},
        ),
        (
            ["c 1", "twice 0", "f 0", "n 0", "copied 0", "into 1"],
            {
                "c": ["c 0-32", "b 0-32 at 32-64"],
                "low": ["c 0-32"],
                "high": ["b 0-32"],
                "end": ["b 16-32 at 0-16"],
                "twice": ["c 0-32", "b 0-32 at 32-64", "twice 64-128"],
                "f": ["p 0-32 at 16-48", "f 0-64"],
                "inner": ["p 0-32", "f 16-48 at 0-32"],
                "n": ["n all"],
                "copied": ["c 0-32", "b 0-32 at 32-64"],
                "there": ["there 0-64", "c 0-32 at ?", "b 0-32 at ?"],
                "into": ["p 0-32 at 16-48", "f 0-64"],
            },
        ),
    ],
    ids=["apart", "in their parts"],
)
def test_concat_pad_and_copies_contribute_bytes(carried: list[str], slices: dict[str, list[str]]) -> None:
    case = Case(CARRIERS, carried)
    assert {name: case.slices(name) for name in slices} == slices


@pytest.mark.parametrize(
    ("contract", "carried", "slices"),
    [
        (scatter(layout.identical), (), ["r all"]),
        (scatter(layout.identical), (0,), ["a all", "r all", "b all at all by r"]),
        (scatter(layout.identical), (0, 1), ["a all", "b all at all"]),
        (COPY_INTO, (1,), ["b all at all"]),
        (pad(0, 1), (0,), ["a all at ?", "r all"]),
    ],
    ids=["apart", "over its base", "in position", "copy_into", "pad"],
)
def test_position_of_a_contribution_of_unknown_size_is_known_where_it_is_all(
    contract: Contract, carried: Sequence[int], slices: list[str]
) -> None:
    """Ops of other dialects may contribute operands of unknown size: all of the result, or a part of it."""
    built = toy.Program(UNKNOWN_SIZE, UNKNOWN_SIZE)
    (r,) = built.op(contract, built.arguments, UNKNOWN_SIZE, name="r")
    for value, name in zip(built.arguments, "ab", strict=True):
        value.name_hint = name
    program = NumberedOps.of(built.done(r))
    assert program is not None
    assert isinstance(r, OpResult)
    contents = ValueContents(program, frozenset(Edge(r.op, k) for k in carried))
    assert [said(p) for p in contents.slices[r]] == slices


def test_operand_that_is_only_a_destination_is_not_read() -> None:
    case = Case(CARRIERS)
    assert case.reads("copied") == []
    assert case.reads("f") == ["into: f = f 0-64"]


FOREIGN = f"""func.func @main(%a: T, %b: H) -> T {{
  %v = slice(%a) {part(8, 16)}}} : (T) -> H
  %f = "other.op"(%v, %b) : (H, H) -> H
  %s = slice(%f) {part(0, 4)}}} : (H) -> tensor<4xf32>
  %g = "other.op"(%s) ({{
  ^bb0(%q: T):
    %t = exp(%q) : (T) -> T
    %z = add(%t, %a) : (T, T) -> T
    "other.end"(%z) : (T) -> ()
  }}) : (tensor<4xf32>) -> T
  %r = slice_scatter(%g, %f) {part(0, 8)}}} : (T, H) -> T
  func.return %r : T
}}"""


def test_foreign_result_may_be_bytes_of_any_operand() -> None:
    """The same holds for block arguments of a foreign op and for views of its results."""
    case = Case(FOREIGN)
    lent = ["f 0-16 at ? perhaps", "a 32-64 at ? perhaps", "b 0-32 at ? perhaps", "a 0-64 at ? perhaps"]
    assert case.slices("f") == ["f 0-32", "a 32-64 at ? perhaps", "b 0-32 at ? perhaps"]
    assert case.slices("s") == ["f 0-16", "a 32-64 at ? perhaps", "b 0-32 at ? perhaps"]
    assert case.slices("q") == ["q 0-64", *lent]
    assert case.slices("g") == ["g 0-64", *lent]
    assert case.reads("g") == ["r: g = g 0-64 but 0-32"]
    over = Case(FOREIGN, ["r 0"])
    by = ["f 0-32 by r", "a 32-64 at ? perhaps by r", "b 0-32 at ? perhaps by r"]
    assert over.slices("r") == ["g 0-64 but 0-32", *lent, "r 0-32", *by]


def slice_(layout: Layout, where: Layout | None, *minus: Strided) -> RootSlice:
    value = main(parse("func.func @main(%x: T) -> T { func.return %x : T }")).args[0]
    return RootSlice(value, layout, where, minus)


LOW, HIGH, ALL = Strided.dense((4,), 4), Strided.dense((4,), 4, 16), Strided.dense((8,), 4)
EVEN = Strided(0, (4,), (8,), 4)
UNKNOWN = Whole((symbol("n"),), 4)


@pytest.mark.parametrize(
    ("layout", "where", "shift"),
    [
        (HIGH, LOW, -16),
        (LOW, HIGH, 16),
        (LOW, LOW, 0),
        (EVEN, LOW, None),
        (LOW, ALL, None),
        (LOW, Strided.dense((2,), 8), None),
        (LOW, None, None),
        (UNKNOWN, LOW, None),
        (LOW, UNKNOWN, None),
    ],
)
def test_bytes_of_a_value_map_to_bytes_of_its_root(layout: Layout, where: Layout | None, shift: int | None) -> None:
    assert slice_(layout, where).shift == (None if shift is None else -shift)


@pytest.mark.parametrize(
    ("a", "b", "minus", "met"),
    [
        (LOW, HIGH, [], False),
        (LOW, ALL, [], True),
        (ALL, EVEN, [LOW], True),
        (ALL, EVEN, [LOW, HIGH], False),
        (ALL, EVEN, [EVEN], False),
        (ALL, HIGH, [LOW], True),
        (ALL, ALL, [LOW, Strided.dense((3,), 4, 16)], True),
        (UNKNOWN, LOW, [LOW], False),
        (LOW, UNKNOWN, [LOW], False),
        (UNKNOWN, LOW, [HIGH], True),
    ],
)
def test_shared_bytes_of_two_values(a: Layout, b: Layout, minus: list[Strided], met: bool) -> None:
    assert meet(a, b, minus) is met
    assert meet(b, a, minus) is met
    for cut in range(len(minus) + 1):
        assert overlap(slice_(a, a, *minus[:cut]), slice_(b, b, *minus[cut:])) is met
