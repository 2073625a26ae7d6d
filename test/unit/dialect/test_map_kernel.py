"""The runtime's `map` kernel, and the programs that are traced from functions on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import methodcaller
from typing import Any

import numpy as np
import pytest
from good_ops import lines
from hypothesis import given, settings
from hypothesis import strategies as st
from native_kernels import native_kernel
from op_cases import build, empty, operands_for
from op_lines import RUNNABLE, large_line

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.map_program import INSTRUCTIONS, MapProgram, Register, Step
from lastuse.dialect.dnn.map_tracing import NotTraceable, traced
from lastuse.runtime import _core

ELEMENTWISE = [cls for cls in RUNNABLE if issubclass(cls, ElementwiseBase)]
NO_SCRATCH = np.empty(0, np.uint8)
CODES = ("?", "b", "h", "i", "q", "B", "H", "I", "Q", "f", "d")
UNORDERED = ("maximum", "minimum", "fmax", "fmin")
"""Where 0 and -0 are compared, the processor decides which one the numpy function gives."""
ODD = {
    "?": [False, True],
    "f": [0.0, -0.0, 1, -1, 0.5, -2.5, 3.5, 1e-40, -1e-40, 1e-30, 88.5, -88, 100, -104, 1e30, np.inf, -np.inf, np.nan],
    "i": [0, 1, -1, 2, 3, -3, 7, 31, 100, -100],
    "u": [0, 1, 2, 3, 7, 31, 100, 200],
}


def run(program: MapProgram, operands: Sequence[Array], out: Array, threads: int = 1) -> Array:
    _core.call_native("map", "map", program.numbers(), list(operands), [out], NO_SCRATCH, threads)
    return out


def odd_numbers(dtype: np.dtype) -> Array:
    numbers = ODD[dtype.char if dtype.kind == "b" else dtype.kind]
    if dtype.kind in "iu":
        return np.array([*numbers, np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)
    with np.errstate(over="ignore"):
        return np.array(numbers, dtype)


def pairs(dtype: np.dtype) -> list[Array]:
    """All pairs of odd numbers."""
    numbers = odd_numbers(dtype)
    return [a.ravel() for a in np.meshgrid(numbers, numbers)]


def near(got: Array, want: Array, units: int = 6, signs: bool = True) -> None:
    """The same numbers within so many units in the last place; zeros have the same sign where `signs` holds."""
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want)
        return
    info = np.finfo(want.dtype)
    np.testing.assert_allclose(got, want, rtol=units * info.eps, atol=float(info.tiny))
    zero = (want == 0) & signs
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


def test_the_runtime_has_the_same_instructions() -> None:
    assert _core.map_instructions() == list(INSTRUCTIONS)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", [name for name in INSTRUCTIONS if hasattr(np, name) and name != "where"])
def test_instructions_mean_what_the_numpy_function_means(name: str, code: str) -> None:
    dtype, function = np.dtype(code), getattr(np, name)
    if dtype.kind not in INSTRUCTIONS[name] or (name, code) == ("positive", "?"):  # numpy has no such function
        return
    operands = pairs(dtype)[: function.nin]
    if name == "power" and dtype.kind == "i":  # numpy refuses negative exponents
        operands[1] = np.maximum(operands[1], 0)
    with np.errstate(all="ignore"):
        want = function(*operands)
        if name == "power" and dtype.kind != "f":
            want = want.astype(dtype)
    program = traced(function, [dtype] * function.nin, want.dtype)
    near(run(program, operands, np.empty_like(want)), want, signs=name not in UNORDERED)


@pytest.mark.parametrize("code", CODES[1:])
@pytest.mark.parametrize(
    ("compare", "name"),
    [
        *((np.less, "where_less"), (np.greater, "where_less"), (np.equal, "where_equal")),
        *((np.less_equal, "where_less_equal"), (np.greater_equal, "where_less_equal")),
    ],
)
def test_a_comparison_is_part_of_where(compare: np.ufunc, name: str, code: str) -> None:
    """In place over each operand too."""
    a, b = pairs(np.dtype(code))
    x, y = np.arange(a.size).astype(code), np.arange(a.size)[::-1].astype(code)

    def chosen(a: Any, b: Any, x: Any, y: Any) -> Any:
        return np.where(compare(a, b), x, y)

    program = traced(chosen, [a.dtype] * 4, a.dtype)
    assert [step.name for step in program.steps] == [name]
    want = chosen(a, b, x, y)
    np.testing.assert_array_equal(run(program, [a, b, x, y], np.empty_like(want)), want)
    for k in range(4):
        operands = [array.copy() for array in (a, b, x, y)]
        np.testing.assert_array_equal(run(program, operands, operands[k]), want)


def test_where_on_other_types_than_those_compared_reads_a_truth() -> None:
    kinds = [np.dtype("f"), np.dtype("q"), np.dtype("q")]
    program = traced(lambda a, x, y: np.where(a > 0, x, y), kinds, kinds[1])
    assert [step.name for step in program.steps] == ["greater", "where"]
    a, x, y = np.array([np.nan, 1, -1, 0], "f"), np.arange(4), -np.arange(4)
    np.testing.assert_array_equal(run(program, [a, x, y], np.empty_like(x)), np.where(a > 0, x, y))


@pytest.mark.parametrize("to", CODES)
@pytest.mark.parametrize("code", CODES)
def test_casts_are_those_of_numpy(code: str, to: str) -> None:
    source, target = np.dtype(code), np.dtype(to)
    x = odd_numbers(source)
    if source.kind == "f" and target.kind in "iu":  # numpy leaves the others open
        with np.errstate(invalid="ignore"):
            x = x[(np.abs(x) < 100) & ((x >= 0) | (target.kind == "i"))]
    with np.errstate(all="ignore"):
        want = x.astype(target)
    near(run(traced(same, [source], target), [x], np.empty_like(want)), want, 0)


def test_numbers_beyond_integers_are_cast_alike_everywhere() -> None:
    x = np.resize(np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, 3e9], np.float32), 1003)
    for code in "bhiqBHIQ":
        program = traced(same, [x.dtype], np.dtype(code))
        whole = run(program, [x], np.empty(x.shape, code))
        single = [run(program, [x[k : k + 1]], np.empty(1, code))[0] for k in range(6)]
        np.testing.assert_array_equal(whole, np.resize(np.array(single), 1003))


@pytest.mark.parametrize("cls", ELEMENTWISE, ids=lambda cls: cls.name)
def test_elementwise_ops_are_programs(cls: type[ElementwiseBase]) -> None:
    """The numbers are those of the op's kernel in numpy."""
    for line in sorted({*lines(cls), *filter(None, [large_line(cls)])}):
        op = build(line)
        assert isinstance(op, ElementwiseBase)
        if op.native_kernel() != "map":
            assert "bf16" in line or ("xui" in line and cls.name == "dnn.shrink") or op.native_kernel() is not None, (
                line
            )
            continue
        operands, want = operands_for(op), empty(op)
        with np.errstate(all="ignore"):
            op.kernel(operands, want, NO_SCRATCH)
        got = empty(op)
        native_kernel(op, 2)(operands, got, NO_SCRATCH)
        if want[0].dtype.kind == "f":
            largest = float(np.fmax.reduce(np.abs(want[0]), None, initial=0.1))
            unit = 1e-3 if want[0].dtype == np.float16 else 2e-6
            np.testing.assert_allclose(got[0], want[0], rtol=unit, atol=unit * min(largest, 1e30), err_msg=line)
        else:
            np.testing.assert_array_equal(got[0], want[0], err_msg=line)


def same(x: Any) -> Any:
    return x


def mixed(a: Any, b: Any, c: Any) -> Any:
    """A function with registers of three element types."""
    return np.where(a > b, np.exp(b) * c.astype(np.float32), (a.astype(np.float64) - 1).astype(np.float32))


MIXED = [np.dtype(np.float32), np.dtype(np.float32), np.dtype(np.int64)]


@st.composite
def broadcast_arrays(draw: st.DrawFn) -> tuple[list[Array], Array]:
    """Operands of `mixed` at any strides, which broadcast, and a place for the result at any strides."""
    shape = tuple(draw(st.lists(st.sampled_from([0, 1, 2, 3, 5, 70, 700, 2100]), max_size=4)))
    if np.prod(shape, dtype=np.int64) > 200_000:
        shape = shape[-2:]
    rng = np.random.default_rng(draw(st.integers(0, 99)))

    def strided(sizes: Sequence[int], dtype: np.dtype) -> Array:
        order = draw(st.permutations(range(len(sizes))))
        steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in sizes]
        base = np.zeros([sizes[k] * abs(steps[k]) for k in order], dtype).transpose(np.argsort(order))
        array = base[(..., *(slice(None, None, step) for step in steps))]
        array[...] = rng.integers(-9, 9, sizes)
        return array

    operands = []
    for dtype in MIXED:
        sizes = [draw(st.sampled_from([n, n, 1])) for n in shape]
        operands.append(strided(sizes[draw(st.integers(0, len(sizes))) if all(n == 1 for n in sizes) else 0 :], dtype))
    return operands, strided(shape, np.dtype(np.float32))


@given(broadcast_arrays())
@settings(max_examples=150, deadline=None)
def test_strides_broadcasting_and_threads_change_no_bit(case: tuple[list[Array], Array]) -> None:
    operands, out = case
    program = traced(mixed, MIXED, np.dtype(np.float32))
    dense = [np.ascontiguousarray(np.broadcast_to(a, out.shape)) for a in operands]
    want = run(program, dense, np.empty(out.shape, np.float32))
    np.testing.assert_allclose(want, mixed(*dense), rtol=1e-6, atol=1e-6)
    assert run(program, operands, out, 3).tobytes() == want.tobytes()
    if operands[0].shape == out.shape:
        assert run(program, operands, operands[0]).tobytes() == want.tobytes()


@pytest.mark.parametrize("code", "bhfd")
@pytest.mark.parametrize("columns", [1, 3, 4, 15, 16, 17, 31, 64, 129, 530, 1100])
def test_rows_of_every_item_and_length(code: str, columns: int) -> None:
    """Rows are gathered in vectors, repeated in vectors and transposed in tiles; what lies beside them stays."""
    rng = np.random.default_rng(columns)
    program = traced(lambda a, b, c: a + b - c, [np.dtype(code)] * 3, np.dtype(code))
    strided = rng.integers(-9, 9, (3, 21, 2, columns)).astype(code)[:, :, 1]
    repeated = rng.integers(-9, 9, (3, 21, 1)).astype(code)
    turned = rng.integers(-9, 9, (3, columns, 21)).astype(code).transpose(0, 2, 1)
    memory = np.full((3, 21, columns + 5), 77, code)
    run(program, [strided, repeated, turned], memory[..., 2 : columns + 2], 2)
    np.testing.assert_array_equal(memory[..., 2 : columns + 2], strided + repeated - turned)
    assert (memory[..., :2] == 77).all() and (memory[..., columns + 2 :] == 77).all()


def test_constants_are_exact() -> None:
    for dtype, number in (("q", -(2**62) - 1), ("Q", 2**64 - 1), ("b", -128), ("f", np.float32(0.1)), ("d", 0.1)):
        x = np.zeros(5, dtype)

        def put(x: Any, number: Any = number) -> Any:
            return np.where(x == 0, x.dtype.type(number), x)

        program = traced(put, [x.dtype], x.dtype)
        np.testing.assert_array_equal(run(program, [x], np.empty_like(x)), np.full(5, number, dtype))

    def ones(x: Any) -> Any:
        return np.copysign(x, 0.0 * x) + np.copysign(x, -0.0)

    zeros = traced(ones, [np.dtype("f")], np.dtype("f"))
    assert run(zeros, [np.ones(1, "f")], np.empty(1, "f"))[0] == 0


def branches(x: Any) -> Any:
    return x if x > 0 else -x


UNTRACEABLE: list[tuple[Callable[[Any], Any], str]] = [
    (branches, "asks for elements"),
    (methodcaller("reshape", -1), "asks for reshape"),
    (methodcaller("astype", np.complex64), "no register has elements"),
    (np.cumsum, "no instructions"),
    (np.add.reduce, "another way"),
    (partial(np.add, np.ones(3, "f")), "several elements"),
    (partial(np.logaddexp, np.float32(1)), "no instruction is logaddexp"),
    (partial(np.bitwise_and, 1), "bitwise_and"),
    (np.size, "asks for|no instructions"),
]


@pytest.mark.parametrize("function, reason", UNTRACEABLE)
def test_what_is_no_program_is_not_traceable(function: Callable[[Any], Any], reason: str) -> None:
    with pytest.raises(NotTraceable, match=reason):
        traced(function, [np.dtype("f")], np.dtype("f"))


def test_the_kernel_refuses_malformed_programs() -> None:
    x, y = np.zeros(3, "f"), np.zeros(3, "f")
    operand = Register(x.dtype, operand=0)
    good = MapProgram((x.dtype,), (Step("exp", (operand,), x.dtype),)).numbers()
    shift = MapProgram((x.dtype,), (Step("left_shift", (operand, operand), x.dtype),)).numbers()
    for numbers, ins, message in (
        (good[:-1], [x], "ends too early"),
        ([*good, 1], [x], "has no end"),
        (good, [x, x], "other operands"),
        (good, [np.zeros(2, "f")], "does not broadcast"),
        (good, [np.zeros((1, 3), "f")], "more axes"),
        (good, [x.astype("d")], "of other types"),
        (shift, [x], "no such instruction"),
        ([*good[:-1], 7], [x], "malformed"),
    ):
        with pytest.raises(_core.Error, match=message):
            _core.call_native("map", "dnn.map", numbers, ins, [y], NO_SCRATCH, 1)


def test_every_half_is_cast() -> None:
    """To f32 and back, and each of f32 next to the middle of two of them: as numpy rounds, ties to even."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    wide = run(
        traced(lambda x: x.astype(np.float32), [halves.dtype], np.dtype("f")), [halves], np.empty(halves.shape, "f")
    )
    np.testing.assert_array_equal(wide, halves.astype(np.float32))
    assert (np.signbit(wide) == np.signbit(halves)).all()
    finite = wide[np.isfinite(wide)]
    middles = np.unique(np.concatenate([finite, (finite[:-1] + finite[1:]) / 2]))
    floats = np.concatenate(
        [middles, np.nextafter(middles, np.float32(np.inf)), np.nextafter(middles, np.float32(-np.inf))]
    )
    floats = np.concatenate([floats, odd_numbers(np.dtype("f")), np.array([65519, 65520, -65520, 1e38], "f")])
    narrow = run(
        traced(lambda x: x.astype(np.float16), [floats.dtype], np.dtype("e")), [floats], np.empty(floats.shape, "e")
    )
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(narrow, floats.astype(np.float16))
    assert (np.signbit(narrow) == np.signbit(floats)).all()


@pytest.mark.parametrize(
    "function",
    [
        np.add,
        np.subtract,
        np.multiply,
        np.divide,
        np.maximum,
        np.less,
        np.where,
        np.sqrt,
        np.negative,
        np.floor,
        np.tanh,
    ],
    ids=lambda function: function.__name__,
)
def test_functions_of_halves_are_numpys(function: Callable[..., Array]) -> None:
    """Computed in f32 and rounded once, as numpy does."""
    numbers = np.array([0, -0.0, 1, -1, 0.1, 3.3, 1e-7, 6e-5, 2048, 2049, 60000, -60000, np.inf, np.nan], np.float16)
    count = {np.where: 3}.get(function, getattr(function, "nin", 1))
    grids = [a.ravel() for a in np.meshgrid(*[numbers] * count)]
    if function is np.where:
        grids[0] = grids[0] > 0
    with np.errstate(all="ignore"):
        want = function(*grids)
    got = run(traced(function, [a.dtype for a in grids], want.dtype), grids, np.empty_like(want))
    if function is np.tanh:
        np.testing.assert_allclose(got.astype("f"), want.astype("f"), rtol=2**-10)
    else:
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("code", CODES)
def test_halves_are_cast_from_and_to_other_types(code: str) -> None:
    dtype = np.dtype(code)
    numbers = odd_numbers(dtype)
    if code == "d":
        with pytest.raises(NotTraceable):  # by way of f32 it would be rounded twice
            traced(lambda x: x.astype(np.float16), [dtype], np.dtype("e"))
    else:
        with np.errstate(over="ignore"):
            want = numbers.astype(np.float16)
        program = traced(lambda x: x.astype(np.float16), [dtype], np.dtype("e"))
        np.testing.assert_array_equal(run(program, [numbers], np.empty_like(want)), want)
    halves = np.array([0, 1, 2.75, 100], np.float16)
    program = traced(lambda x: x.astype(dtype), [halves.dtype], dtype)
    np.testing.assert_array_equal(run(program, [halves], np.empty(4, dtype)), halves.astype(dtype))
