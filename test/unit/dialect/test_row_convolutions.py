"""Convolutions of few outputs by the runtime's kernel: sums over windows, post-ops, and instruction sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from native_kernels import computed_by, native_kernel, on_instructions, scratch_of
from numpy.lib.stride_tricks import sliding_window_view
from op_cases import build
from row_sums import LEAST, PLAIN_POST_OPS, stages

import lastuse
from lastuse.dialect.dnn.spatial.convolution import ConvOp
from lastuse.dialect.storage.attrs import INPLACE
from lastuse.dialect.storage.contract import Engine, InPlace, contract_of, engine_of

Array = np.ndarray[Any, np.dtype[Any]]


class Case(NamedTuple):
    """Sizes of x and of the weights, and how the window moves along one or two axes; the stride along the last is 1."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    groups: int = 1
    stride: int = 1
    dilations: tuple[int, ...] = (1, 1)
    pads: tuple[int, ...] = (0, 0, 0, 0)
    bias: bool = True

    @property
    def strides(self) -> tuple[int, ...]:
        return (self.stride, 1)[-len(self.dilations) :]

    @property
    def y(self) -> tuple[int, ...]:
        rank = len(self.dilations)
        sizes = zip(self.x[2:], self.w[2:], self.dilations, self.strides, self.pads, self.pads[rank:], strict=False)
        places = [(n + begin + end - (k - 1) * d - 1) // s + 1 for n, k, d, s, begin, end in sizes]
        return (self.x[0], self.w[0], *places)

    @property
    def has_last(self) -> bool:
        """Whether the kernel computes the convolution with its channels last too."""
        return self.groups == 1 and len(self.dilations) == 2

    def line(self, post_ops: str = "", operands: int = 0, last: bool = False) -> str:
        """The op as text, with further operands like y."""
        x, y = (tuple(np.moveaxis(np.empty(s), 1, -1).shape) if last else s for s in (self.x, self.y))
        shapes = [x, self.w, *([self.w[:1]] if self.bias else []), *[y] * operands]
        ins = ", ".join("x".join(map(str, shape)) + "xf32" for shape in shapes)
        names = {"strides": self.strides, "dilations": self.dilations, "pads": self.pads}
        movement = ", ".join(f"{name} = array<i64: {', '.join(map(str, v))}>" for name, v in names.items())
        more = (f", post_ops = [{post_ops}]" if post_ops else "") + (", channels_last = true" if last else "")
        result = "x".join(map(str, y)) + "xf32"
        return f'conv({ins}) {{group = {self.groups}, {movement}{more}, dnn.engine = "native"}} -> {result}'

    def operands(self) -> list[Array]:
        rng = np.random.default_rng(7)
        shapes = [self.x, self.w, *([self.w[:1]] if self.bias else [])]
        return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def cases() -> list[Case]:
    """Drawn sizes, and those at which a vector, a block of outputs or a row ends."""
    rng = np.random.default_rng(5)
    found = [
        Case((1, 3, 9, 33), (outputs, 3, 2, 3), pads=(1, 2, 0, 2))
        for outputs in (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 25)
    ]
    found += [Case((1, 2, 1, width), (3, 2, 1, 5), pads=(0, 2, 0, 2)) for width in (1, 7, 8, 15, 16, 17, 96, 97, 113)]
    found += [
        Case((2, 12, 40, 62), (12, 12, 7, 1), dilations=(17, 1), pads=(51, 0, 51, 0)),  # rows are joined
        Case((1, 5, 6, 7), (4, 5, 3, 1), pads=(2, 0, 0, 0), bias=False),
        Case((1, 5, 6, 7), (4, 5, 3, 1), stride=2, pads=(1, 0, 1, 0)),
        Case((3, 4, 5, 9), (2, 4, 1, 1)),
        Case((1, 1, 3, 4), (1, 1, 3, 40), pads=(1, 40, 1, 40), dilations=(1, 2)),  # taps that read nothing but zeros
        Case((2, 6, 50), (4, 6, 9), dilations=(3,), pads=(20, 4)),
        Case((2, 6, 50), (4, 3, 1), groups=2, dilations=(1,), pads=(0, 0)),
        Case((0, 4, 3, 50), (2, 4, 1, 1)),
    ]
    while len(found) < 90:
        groups = int(rng.choice([1, 1, 2, 3]))
        channels, outputs = (groups * int(rng.integers(1, n)) for n in (6, 15))
        sizes, kernel = (int(rng.integers(1, 13)), int(rng.integers(1, 70))), tuple(map(int, rng.integers(1, 5, 2)))
        dilations, pads = tuple(map(int, rng.integers(1, 4, 2))), tuple(map(int, rng.integers(0, 5, 4)))
        x, w = (int(rng.integers(1, 3)), channels, *sizes), (outputs, channels // groups, *kernel)
        case = Case(x, w, groups, int(rng.integers(1, 4)), dilations, pads, bool(rng.integers(2)))
        if min(case.y) > 0:
            found.append(case)
    return found


CASES = cases()


def sums_over_windows(case: Case, x: Array, w: Array, bias: Array | None) -> Array:
    """The convolution in f64."""
    rank = len(case.dilations)
    edges = list(zip(case.pads[:rank], case.pads[rank:], strict=True))
    wide = np.pad(x.astype(np.float64), [(0, 0), (0, 0), *edges])
    reach = [(k - 1) * d + 1 for k, d in zip(case.w[2:], case.dilations, strict=True)]
    axes = tuple(range(2, 2 + rank))
    under = sliding_window_view(wide, reach, axes)
    places = tuple(slice(None, None, s) for s in case.strides)
    taps = tuple(slice(None, None, d) for d in case.dilations)
    under = under[(slice(None), slice(None), *places, *taps)]
    count = case.x[1] // case.groups
    parts = []
    for group in range(case.groups):
        own = w[group * case.w[0] // case.groups : (group + 1) * case.w[0] // case.groups].astype(np.float64)
        read = under[:, group * count : (group + 1) * count]
        last = tuple(range(2 + rank, 2 + 2 * rank))
        product = np.tensordot(read, own, axes=((1, *last), tuple(range(1, 2 + rank))))
        parts.append(np.moveaxis(product, -1, 1))
    y = np.concatenate(parts, 1)
    return y if bias is None else y + bias.reshape(-1, *(1,) * rank)


def last_of(x: Array) -> Array:
    """x with its channels last."""
    return np.ascontiguousarray(np.moveaxis(x, 1, -1))


def error(case: Case) -> float:
    """The largest difference of the kernel from the sums, of the largest sum, in either order of axes."""
    x, w, *bias = case.operands()
    want = sums_over_windows(case, x, w, bias[0] if bias else None)
    made = [computed_by(case.line(), [x, w, *bias], case.y)]
    if case.has_last:
        shape = last_of(want).shape
        made += [
            np.moveaxis(computed_by(case.line(last=True), [last_of(x), w, *bias], shape, n), -1, 1) for n in (1, 3)
        ]
    errors = [np.max(np.abs(got - want), initial=0) / np.max(np.abs(want), initial=1) for got in made]
    return float(max(errors))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_kernel_computes_the_sums_over_windows(case: Case) -> None:
    assert error(case) < 2e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_do_too(isa: str) -> None:
    errors = on_instructions(isa, "test_row_convolutions", "[t.error(case) for case in t.CASES]")
    assert len(errors) == len(CASES) and max(errors) < 2e-6


GROUPED = next(case for case in CASES if case.groups == 3)
JOINED = next(case for case in CASES if case.w[2:] == (7, 1))


@pytest.mark.parametrize("name", PLAIN_POST_OPS)
@pytest.mark.parametrize(
    "case, last", [(CASES[6], False), (CASES[6], True), (GROUPED, False), (JOINED, False), (JOINED, True)], ids=str
)
@pytest.mark.parametrize("sums", [False, True])
def test_post_ops_are_functions_of_the_sums(name: str, case: Case, last: bool, sums: bool) -> None:
    x, w, *bias = case.operands()
    added = np.random.default_rng(8).standard_normal(case.y).astype(np.float32)
    want = sums_over_windows(case, x, w, bias[0] if bias else None) + (added if sums else 0)
    want = np.maximum(PLAIN_POST_OPS[name](want), LEAST)
    if last:
        x, added, want = last_of(x), last_of(added), last_of(want)
    line = case.line(stages(name, sums), int(sums), last)
    got = computed_by(line, [x, w, *bias, *([added] if sums else [])], want.shape)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
    if sums:
        op = build(line)
        assert InPlace(0, len(op.operands) - 1) in contract_of(op).over
        native_kernel(op, 2)([x, w, *bias, added], [added], scratch_of(op, 2))
        np.testing.assert_array_equal(added, got)


def test_relu_and_clip_of_nan_are_those_of_the_ops() -> None:
    case = Case((1, 1, 1, 20), (1, 1, 1, 1), bias=False)
    x, w = np.full(case.x, np.nan, np.float32), np.ones(case.w, np.float32)
    for stage, want in (('{op = "dnn.relu"}', 0.0), ('{op = "dnn.clip", min = 2.0 : f32, max = 3.0 : f32}', 2.0)):
        op = build(case.line(stage))
        assert np.all(computed_by(case.line(stage), [x, w], case.y) == want)
        assert np.all(op.reference(x, w)[0] == want)


def test_all_thread_counts_and_orders_of_axes_have_the_same_bits() -> None:
    case = Case((2, 9, 40, 70), (10, 9, 3, 3), pads=(1, 1, 1, 1))
    x, *rest = case.operands()
    once = computed_by(case.line(), [x, *rest], case.y)
    for threads in (1, 2, 3, 7):
        np.testing.assert_array_equal(computed_by(case.line(), [x, *rest], case.y, threads), once)
        last = computed_by(case.line(last=True), [last_of(x), *rest], last_of(once).shape, threads)
        np.testing.assert_array_equal(last, last_of(once))


PADS = "pads = array<i64: 1, 1, 1, 1>"
LAST = "channels_last = true"
IN_BLOCKS, LAST_AS_IT_IS = (Engine.NATIVE, False), (Engine.ONEDNN, False)
TURNS, STAYS, ONEDNN = (Engine.NATIVE, True), (Engine.NATIVE, False), (Engine.ONEDNN, True)
"""The engine of the op as it stands, and whether the op prefers its channels last."""


@pytest.mark.parametrize(
    "line, wanted",
    [
        (f"conv(1x12x62x62xf32, 12x12x3x3xf32) {{{PADS}}} -> 1x12x62x62xf32", STAYS),
        (f"conv(1x12x62x62xf32, 1x12x3x3xf32) {{{PADS}}} -> 1x1x62x62xf32", STAYS),
        (f"conv(1x3x62x62xf32, 12x3x3x3xf32) {{{PADS}}} -> 1x12x62x62xf32", STAYS),
        (f"conv(1x12x62x62xf32, 13x12x3x3xf32) {{{PADS}}} -> 1x13x62x62xf32", TURNS),  # vectors of outputs are full
        (f"conv(1x3x62x62xf32, 13x3x3x3xf32) {{{PADS}}} -> 1x13x62x62xf32", ONEDNN),
        (f"conv(1x12x62x18xf32, 12x12x3x3xf32) {{{PADS}}} -> 1x12x62x18xf32", TURNS),  # vectors of rows are not
        ("conv(1x12x62x18xf32, 12x12x1x1xf32) -> 1x12x62x18xf32", STAYS),  # rows are joined
        ("conv(1x12x62x62xf32, 24x12x1x1xf32) -> 1x24x62x62xf32", ONEDNN),
        (f"conv(1x128x62x62xf32, 128x128x3x3xf32) {{{PADS}}} -> 1x128x62x62xf32", ONEDNN),
        (f"conv(1x12x62x15xf32, 2x12x3x3xf32) {{{PADS}}} -> 1x2x62x15xf32", ONEDNN),
        (f"conv(1x12x62x62xf32, 12x1x3x3xf32) {{{PADS}, group = 12}} -> 1x12x62x62xf32", ONEDNN),
        (f"conv(1x24x62x62xf32, 4x12x3x3xf32) {{{PADS}, group = 2}} -> 1x4x62x62xf32", STAYS),
        (f"conv(1x12x?x?xf32, 12x12x3x3xf32) {{{PADS}}} -> 1x12x?x?xf32", STAYS),
        (f"conv(1x12x62x62xf32, 4x12x3x3xf32) {{{PADS}, strides = array<i64: 2, 2>}} -> 1x4x31x31xf32", ONEDNN),
        (f"conv(1x62x62x12xf32, 4x12x3x3xf32) {{{PADS}, {LAST}}} -> 1x62x62x4xf32", IN_BLOCKS),
        (f"conv(?x62x62x12xf32, 4x12x3x3xf32) {{{PADS}, {LAST}}} -> ?x62x62x4xf32", IN_BLOCKS),
        (f"conv(1x62x62x12xf32, 12x12x3x3xf32) {{{PADS}, {LAST}}} -> 1x62x62x12xf32", LAST_AS_IT_IS),  # moves too much
        (f"conv(1x62x62x12xf32, 4x12x1x1xf32) {{{LAST}}} -> 1x62x62x4xf32", LAST_AS_IT_IS),
        (f"conv(1x62x?x12xf32, 4x12x3x3xf32) {{{PADS}, {LAST}}} -> 1x62x?x4xf32", LAST_AS_IT_IS),
        (f"conv(1x900x900x12xf32, 4x12x3x3xf32) {{{PADS}, {LAST}}} -> 1x900x900x4xf32", LAST_AS_IT_IS),  # large blocks
        (f'conv(1x12x62x62xf32, 4x12x3x3xf32) {{{PADS}, post_ops = [{{op = "dnn.relu"}}]}} -> 1x4x62x62xf32', STAYS),
        (f'conv(1x12x62x62xf32, 4x12x3x3xf32) {{{PADS}, post_ops = [{{op = "dnn.tanh"}}]}} -> 1x4x62x62xf32', ONEDNN),
    ],
)
def test_the_kernel_is_preferred_where_its_vectors_are_fuller(line: str, wanted: tuple[Engine, bool]) -> None:
    op = build(line)
    assert isinstance(op, ConvOp)
    assert (op.engine(), op.prefers_channels_last()) == wanted
    assert op.prefers_channels_second() == (wanted == STAYS and op.groups == 1 and not op.is_channels_last)


PROGRAM = """
func.func @main(%x: tensor<1x4x20x40xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x20x40xf32> {
  %a = "dnn.conv"(%x, %w, %b) {pads = array<i64: 1, 1, 1, 1>SECOND}
    : (tensor<1x4x20x40xf32>, tensor<4x4x3x3xf32>, tensor<4xf32>) -> tensor<1x4x20x40xf32>
  %r = "dnn.relu"(%a) : (tensor<1x4x20x40xf32>) -> tensor<1x4x20x40xf32>
  %d = "dnn.conv"(%r, %w) {pads = array<i64: 1, 1, 1, 1>SECOND}
    : (tensor<1x4x20x40xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x20x40xf32>
  %c = "dnn.conv"(%d, %w, %b) {pads = array<i64: 1, 1, 1, 1>SECOND}
    : (tensor<1x4x20x40xf32>, tensor<4x4x3x3xf32>, tensor<4xf32>) -> tensor<1x4x20x40xf32>
  %s = "dnn.add"(%c, %r) : (tensor<1x4x20x40xf32>, tensor<1x4x20x40xf32>) -> tensor<1x4x20x40xf32>
  %y = "dnn.relu"(%s) : (tensor<1x4x20x40xf32>) -> tensor<1x4x20x40xf32>
  func.return %y : tensor<1x4x20x40xf32>
}
"""


@pytest.mark.parametrize("last", [False, True])
def test_a_sum_is_written_over_what_it_adds_in_a_program(tmp_path: Path, last: bool) -> None:
    """The residual is not read later, so the last convolution writes over it, with the bits of the naive plan."""
    order = ", channels_last = true" if last else ""
    text = PROGRAM.replace("SECOND", order)
    if last:
        text = text.replace("tensor<1x4x20x40xf32>", "tensor<1x20x40x4xf32>")
    path = tmp_path / "residual.mlir"
    path.write_text(text)
    case = Case((1, 4, 20, 40), (4, 4, 3, 3), pads=(1, 1, 1, 1))
    x, w, b = case.operands()
    first = np.maximum(sums_over_windows(case, x, w, b), 0)
    second = sums_over_windows(case, first.astype(np.float32), w, None)
    want = np.maximum(sums_over_windows(case, second.astype(np.float32), w, b) + first, 0)
    inputs = (last_of(x) if last else x, w, b)
    program = lastuse.compile(path, threads=2)
    y = program(*inputs)
    steps = [op for op in program.latest.module.walk() if isinstance(op, ConvOp)]
    assert [engine_of(op) for op in steps] == [Engine.NATIVE] * 3
    assert [INPLACE in op.attributes for op in steps] == [False, False, True]
    np.testing.assert_allclose(y, last_of(want) if last else want, rtol=1e-4, atol=1e-4)
    naive = lastuse.compile(path, threads=2, inplace=False, plan=False)
    np.testing.assert_array_equal(naive(*inputs), y)
    program.save(tmp_path / "residual.lastuse")
    np.testing.assert_array_equal(lastuse.load(tmp_path / "residual.lastuse")(*inputs), y)
