"""The C++ core by itself: copies, bounds, what it refuses, contexts and threads."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastuse.runtime import _core

F32 = np.dtype(np.float32)
Array = np.ndarray


def strides_of(array: Array) -> list[int]:
    return [s // array.itemsize for s in array.strides]


def exp_program(size: int = 8, threads: int = 1) -> _core.StepProgram:
    """y = exp(exp(x)) by way of the arena."""
    program = _core.StepProgram(64 * size, threads)
    shape, steps = [size], [1]
    x = program.add_view(program.add_argument("x", F32, shape, False), 0, F32, shape, steps)
    y = program.add_view(program.add_argument("y", F32, shape, True), 0, F32, shape, steps)
    t = program.add_view(_core.StepProgram.ARENA, 64, F32, shape, steps)
    desc = _core.Desc(F32, shape, steps)
    exp = _core.eltwise("exp", 0.0, 0.0, desc, desc, threads)
    program.add_primitive("first", exp, [x], [t])
    program.add_primitive("second", exp, [t], [y])
    return program


@st.composite
def copies(draw: st.DrawFn) -> tuple[Array, Array]:
    """Two arrays of one shape and dtype at strides of their own, in separate memory."""
    dtype = np.dtype(draw(st.sampled_from(["uint8", "int16", "float32", "float64"])))
    shape = draw(st.lists(st.integers(0, 4), max_size=4))

    def laid_out(name: str) -> Array:
        order = draw(st.permutations(range(len(shape))), label=name)
        steps = [draw(st.integers(1, 2)) for _ in shape]
        room = np.zeros([shape[a] * steps[a] for a in order], dtype)
        spaced = room[(*(slice(None, None, steps[a]) for a in order), ...)]
        turned = spaced.transpose(np.argsort(order)) if shape else spaced
        flips = draw(st.lists(st.booleans(), min_size=len(shape), max_size=len(shape)))
        return turned[(*(slice(None, None, -1 if flip else 1) for flip in flips), ...)]

    source, target = laid_out("source"), laid_out("target")
    source[...] = np.arange(source.size).reshape(shape)
    return source, target


def _base(array: Array) -> Array:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _offset(array: Array, base: Array) -> int:
    return array.__array_interface__["data"][0] - base.__array_interface__["data"][0]


@settings(max_examples=200, deadline=None)
@given(copies())
def test_copy_equals_that_of_numpy(pair: tuple[Array, Array]) -> None:
    source, target = pair
    bases = [_base(a) for a in pair]
    program = _core.StepProgram(0)
    views: list[int] = []
    for name, array, base in zip("st", pair, bases, strict=True):
        buffer = program.add_argument(name, base.dtype, base.shape, name == "t")
        views.append(program.add_view(buffer, _offset(array, base), array.dtype, array.shape, strides_of(array)))
    program.add_copy("copy", *views)
    want = bases[1].copy()
    before = bases[0].copy()
    _core.Context(program).run(bases)
    np.testing.assert_array_equal(target, source)
    np.testing.assert_array_equal(bases[0], before)
    bases[1][...] = 0
    target[...] = source
    want_after = bases[1].copy()
    bases[1][...] = want
    _core.Context(program).run(bases)
    np.testing.assert_array_equal(bases[1], want_after)


def test_copy_repeats_an_element() -> None:
    program = _core.StepProgram(0)
    source = program.add_view(program.add_argument("s", F32, [3], False), 0, F32, [2, 3], [0, 1])
    target = program.add_view(program.add_argument("t", F32, [2, 3], True), 0, F32, [2, 3], [3, 1])
    program.add_copy("expand", source, target)
    t = np.zeros((2, 3), np.float32)
    _core.Context(program).run([np.arange(3, dtype=np.float32), t])
    np.testing.assert_array_equal(t, [[0, 1, 2], [0, 1, 2]])


def test_program_runs_its_steps_in_order() -> None:
    x, y = np.linspace(-1, 1, 8, dtype=np.float32), np.empty(8, np.float32)
    context = _core.Context(exp_program())
    assert context.arena_address % 64 == 0
    context.run([x, y])
    np.testing.assert_allclose(y, np.exp(np.exp(x)), rtol=1e-5)


def test_arena_may_belong_to_the_caller() -> None:
    program = exp_program()
    room = np.zeros(1024, np.uint8)
    shift = -room.__array_interface__["data"][0] % 64
    arena = room[shift : shift + program.arena_bytes]
    x, y = np.ones(8, np.float32), np.empty(8, np.float32)
    _core.Context(program, arena).run([x, y])
    np.testing.assert_allclose(arena[64:96].view(np.float32), np.exp(x), rtol=1e-5)
    for wrong in (arena[:-1], room[shift + 4 : shift + 4 + program.arena_bytes], arena[::2]):
        with pytest.raises(_core.Error, match="an arena is a contiguous"):
            _core.Context(program, wrong)
    with pytest.raises(_core.Error, match="'x' and 'the arena' overlap"):
        _core.Context(program, arena).run([arena[:32].view(np.float32), y])


def _good() -> tuple[Array, Array]:
    return np.ones(8, np.float32), np.empty(8, np.float32)


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


_BOTH = np.ones(12, np.float32)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ([_good()[0]], "the program has 2 arguments, 1 are given"),
        ([np.ones(7, np.float32), _good()[1]], r"'x' has shape \[7\], the program wants \[8\]"),
        ([np.ones(8), _good()[1]], "'x' has dtype float64, the program wants float32"),
        ([np.ones(16, np.float32)[::2], _good()[1]], "'x' is not C-contiguous"),
        ([np.zeros(33, np.uint8)[1:].view(np.float32), _good()[1]], "'x' does not start at a multiple"),
        ([_good()[0], _read_only(_good()[1])], "'y' is written to, but its array is read-only"),
        ([_BOTH[:8], _BOTH[4:]], "'x' and 'y' overlap, and one of them is written"),
    ],
)
def test_wrong_arrays_are_rejected(arrays: list[Array], message: str) -> None:
    with pytest.raises(_core.Error, match=message):
        _core.Context(exp_program()).run(arrays)


def test_read_arguments_may_overlap() -> None:
    program = _core.StepProgram(0)
    views = [program.add_view(program.add_argument(n, F32, [4], n == "y"), 0, F32, [4], [1]) for n in "aby"]
    desc = _core.Desc(F32, [4], [1])
    program.add_primitive("add", _core.binary("add", desc, desc, desc), views[:2], views[2:])
    both, y = np.arange(6, dtype=np.float32), np.empty(4, np.float32)
    _core.Context(program).run([both[:4], both[2:], y])
    np.testing.assert_array_equal(y, [2, 4, 6, 8])


def test_wrong_buffers_and_views_are_rejected() -> None:
    program = _core.StepProgram(64)
    with pytest.raises(_core.Error, match="a view of bytes 32 to 96 leaves its buffer of 64 bytes"):
        program.add_view(_core.StepProgram.ARENA, 32, F32, [16], [1])
    with pytest.raises(_core.Error, match="a view of bytes -4 to"):
        program.add_view(_core.StepProgram.ARENA, 0, F32, [2], [-1])
    with pytest.raises(_core.Error, match="a stride is too large"):
        program.add_view(_core.StepProgram.ARENA, 0, F32, [2, 2], [1 << 62, 1 << 62])
    with pytest.raises(_core.Error, match="a size is negative or too large"):
        program.add_view(_core.StepProgram.ARENA, 0, F32, [1 << 40, 1 << 40], [0, 0])
    with pytest.raises(_core.Error, match="there is no buffer 7"):
        program.add_view(7, 0, F32, [1], [1])
    with pytest.raises(_core.Error, match="an arena cannot have -1 bytes"):
        _core.StepProgram(-1)
    with pytest.raises(_core.Error, match="oneDNN has no eltwise algorithm 'sine'"):
        _core.eltwise("sine", 0.0, 0.0, _core.Desc(F32, [1], [1]), _core.Desc(F32, [1], [1]))
    with pytest.raises(_core.Error, match=r"oneDNN has no matmul of \(2x3xf32 strides 3 1\).*invalid"):
        wide = _core.Desc(F32, [2, 3], [3, 1])
        _core.matmul(wide, wide, None, _core.Desc(F32, [2, 2], [2, 1]))
    with pytest.raises(_core.Error, match="no element type 'float64'"):
        _core.Desc(np.dtype(np.float64), [1], [1])
    with pytest.raises(_core.Error, match="no layout of stride 0 over 2 elements"):
        _core.Desc(F32, [2], [0])


def test_wrong_steps_are_rejected() -> None:
    program = _core.StepProgram(64, 1)
    desc = _core.Desc(F32, [4], [1])
    exp = _core.eltwise("exp", 0.0, 0.0, desc, desc, 1)
    constant = program.add_view(program.add_constant(np.zeros(4, np.float32)), 0, F32, [4], [1])
    given = program.add_view(program.add_argument("x", F32, [4], False), 0, F32, [4], [1])
    arena = program.add_view(_core.StepProgram.ARENA, 0, F32, [4], [1])
    narrow = program.add_view(_core.StepProgram.ARENA, 0, F32, [2], [1])
    with pytest.raises(_core.Error, match=r"late: writes to read-only memory$"):
        program.add_primitive("late", exp, [arena], [constant])
    with pytest.raises(_core.Error, match="late: writes to read-only memory of x"):
        program.add_copy("late", arena, given)
    with pytest.raises(_core.Error, match="a copy changes neither sizes nor element type"):
        program.add_copy("late", narrow, arena)
    with pytest.raises(_core.Error, match="does not have the layout that the primitive was made for"):
        program.add_primitive("late", exp, [narrow], [arena])
    with pytest.raises(_core.Error, match="wrong number of operands"):
        program.add_primitive("late", exp, [arena, arena], [arena])
    with pytest.raises(_core.Error, match="made for 2 threads in a program of 1"):
        program.add_primitive("late", _core.eltwise("exp", 0.0, 0.0, desc, desc, 2), [arena], [arena])
    with pytest.raises(_core.Error, match="needs 65 bytes of scratch, has 8"):
        program.add_call("late", lambda ins, outs, scratch: None, [], [arena], narrow, 65)
    assert program.steps == []


def test_called_kernel_gets_views_and_scratch() -> None:
    seen: list[Any] = []

    def kernel(ins: list[Array], outs: list[Array], scratch: Array) -> None:
        seen.extend([[a.flags.writeable for a in (*ins, *outs)], scratch.shape, scratch.dtype, outs[0]])
        np.add(ins[0], ins[1], out=outs[0])

    program = _core.StepProgram(256)
    x = program.add_view(program.add_argument("x", F32, [2, 2], False), 0, F32, [2, 2], [1, 2])
    t = program.add_view(_core.StepProgram.ARENA, 64, F32, [2, 2], [8, 1])
    y = program.add_view(program.add_argument("y", F32, [2, 2], True), 0, F32, [2, 2], [2, 1])
    scratch = program.add_view(_core.StepProgram.ARENA, 192, np.dtype(np.int8), [64], [1])
    program.add_call("double", kernel, [x, x], [t], scratch, 10)
    program.add_copy("out", t, y)
    given, got = np.arange(4, dtype=np.float32).reshape(2, 2), np.empty((2, 2), np.float32)
    context = _core.Context(program)
    context.run([given, got])
    np.testing.assert_array_equal(got, 2 * given.T)
    assert seen[:3] == [[False, False, True], (10,), np.dtype(np.uint8)]
    # An array that a kernel kept does not outlive its memory, nor keep the caller's.
    del context
    gc.collect()
    np.testing.assert_array_equal(seen[3], 2 * given.T)


def test_error_of_a_kernel_is_raised() -> None:
    def kernel(ins: list[Array], outs: list[Array], scratch: Array) -> None:
        raise ZeroDivisionError("on purpose")

    program = _core.StepProgram(64)
    program.add_call("bad", kernel, [], [program.add_view(_core.StepProgram.ARENA, 0, F32, [1], [1])])
    context = _core.Context(program)
    for _ in range(2):  # and the context may be used again
        with pytest.raises(ZeroDivisionError, match="on purpose"):
            context.run([])


def test_poisoned_bytes_that_no_step_writes_are_nan() -> None:
    program = _core.StepProgram(64)
    arena = program.add_view(_core.StepProgram.ARENA, 0, F32, [4], [1])
    program.add_copy("read", arena, program.add_view(program.add_argument("y", F32, [4], True), 0, F32, [4], [1]))
    context, y = _core.Context(program), np.zeros(4, np.float32)
    context.poison()
    context.run([y])
    assert np.isnan(y).all()


def test_two_threads_run_two_contexts() -> None:
    size = 1 << 14
    program = exp_program(size, threads=1)
    wrong: list[str] = []

    def work(seed: int) -> None:
        context = _core.Context(program)
        rng = np.random.default_rng(seed)
        y = np.empty(size, np.float32)
        for _ in range(50):
            x = rng.uniform(-1, 1, size).astype(np.float32)
            context.run([x, y])
            if not np.allclose(y, np.exp(np.exp(x)), rtol=1e-5):
                wrong.append(f"thread {seed}")

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_context_refuses_a_second_run_at_once() -> None:
    context: _core.Context
    program = _core.StepProgram(64)

    def again(ins: list[Array], outs: list[Array], scratch: Array) -> None:
        context.run([])

    program.add_call("again", again, [], [program.add_view(_core.StepProgram.ARENA, 0, F32, [1], [1])])
    context = _core.Context(program)
    with pytest.raises(_core.Error, match="this context is running"):
        context.run([])


def test_primitive_states_and_uses_its_scratch() -> None:
    desc = _core.Desc(F32, [4, 5, 8], [40, 8, 1])
    softmax = _core.softmax(1, False, desc, desc, 1)
    assert softmax.scratch_bytes > 0
    program = _core.StepProgram(2048, 1)
    x = program.add_view(program.add_argument("x", F32, [4, 5, 8], False), 0, F32, [4, 5, 8], [40, 8, 1])
    y = program.add_view(program.add_argument("y", F32, [4, 5, 8], True), 0, F32, [4, 5, 8], [40, 8, 1])
    program.add_primitive("own", softmax, [x], [y])
    assert program.unplanned_scratch_bytes == softmax.scratch_bytes
    given, got = np.random.default_rng(0).random((4, 5, 8), np.float32), np.empty((4, 5, 8), np.float32)
    _core.Context(program).run([given, got])
    planned = _core.StepProgram(2048, 1)
    x = planned.add_view(planned.add_argument("x", F32, [4, 5, 8], False), 0, F32, [4, 5, 8], [40, 8, 1])
    y = planned.add_view(planned.add_argument("y", F32, [4, 5, 8], True), 0, F32, [4, 5, 8], [40, 8, 1])
    scratch = planned.add_view(_core.StepProgram.ARENA, 64, np.dtype(np.int8), [softmax.scratch_bytes], [1])
    planned.add_primitive("planned", softmax, [x], [y], scratch)
    assert planned.unplanned_scratch_bytes == 0
    again = np.empty_like(got)
    _core.Context(planned).run([given, again])
    assert got.tobytes() == again.tobytes()


def test_packed_weights_compute_the_same() -> None:
    a = np.random.default_rng(1).random((33, 64), np.float32)
    w = np.random.default_rng(2).random((64, 48), np.float32)
    src, dst = _core.Desc(F32, a.shape, strides_of(a)), _core.Desc(F32, [33, 48], [48, 1])
    matmul = _core.matmul(src, _core.Desc.any_layout(F32, w.shape), None, dst)
    program = _core.StepProgram(0)
    x = program.add_view(program.add_argument("x", F32, a.shape, False), 0, F32, a.shape, strides_of(a))
    y = program.add_view(program.add_argument("y", F32, [33, 48], True), 0, F32, [33, 48], [48, 1])
    # From a transposed array: any positive strides will do.
    turned = np.ascontiguousarray(w.T).T
    packed = program.add_packed(_core.pack(turned, matmul.ins[1]), matmul.ins[1])
    program.add_primitive("matmul", matmul, [x, packed], [y])
    got = np.empty((33, 48), np.float32)
    _core.Context(program).run([a, got])
    np.testing.assert_allclose(got, a @ w, rtol=1e-5)
    bytes_ = _core.pack(turned, matmul.ins[1])
    assert not bytes_.flags.writeable and bytes_.nbytes == matmul.ins[1].nbytes
    with pytest.raises(_core.Error, match="smaller than their layout"):
        program.add_packed(bytes_[:-64], matmul.ins[1])
    with pytest.raises(_core.Error, match="64-byte boundary"):
        program.add_packed(bytes_[1:], matmul.ins[1])
    with pytest.raises(TypeError):
        program.add_packed(object(), matmul.ins[1])  # pyright: ignore[reportArgumentType]


def test_text_of_a_layout_tells_layouts_apart() -> None:
    plain, turned = _core.Desc(F32, [64, 48], [48, 1]), _core.Desc(F32, [64, 48], [1, 64])
    chosen = _core.matmul(_core.Desc(F32, [33, 64], [64, 1]), _core.Desc.any_layout(F32, [64, 48]), None, plain_33())
    texts = {plain.text, turned.text, chosen.ins[1].text, _core.Desc(F32, [48, 64], [64, 1]).text}
    assert len(texts) == 4 or chosen.ins[1] == plain
    assert plain.text == _core.Desc(F32, [64, 48], [48, 1]).text
    # Not all layouts are disclosed: one that the primitive is to choose, and one with gaps.
    assert _core.Desc.any_layout(F32, [64, 48]).text == _core.Desc(F32, [64, 48], [96, 1]).text == ""


def plain_33() -> _core.Desc:
    return _core.Desc(F32, [33, 48], [48, 1])


@pytest.mark.parametrize(("channels", "first"), [(96, 0), (160, 1)])
def test_layouts_of_one_key_have_primitives_of_their_own(channels: int, first: int) -> None:
    """Strides of axes of one element are no part of the key of oneDNN's primitive cache, but implementations are chosen
    by them."""
    shape, last = [1, channels, 1, 1], [channels, 1, channels, channels]
    strides = [last, [channels, 1, 1, 1]]
    window, dst = _core.Window([1, 1], [1, 1], [0, 0], [0, 0]), _core.Desc(F32, [1, 1, 1, 1], [1, 1, 1, 1], exact=True)
    plain = _core.Desc(F32, shape, strides[1], exact=True)
    primitives: list[_core.Primitive] = []
    for number in (first, 1 - first):
        src = _core.Desc(F32, shape, strides[number], exact=True)
        weights = _core.Desc.any_layout(F32, shape)
        made = _core.convolution(src, weights, None, dst, window, threads=1)
        primitives.append(made.with_operand(1, plain))
    x, w = (np.random.default_rng(k).normal(size=channels).astype(np.float32) for k in (1, 2))
    for primitive, number in zip(primitives, (first, 1 - first), strict=True):
        program = _core.StepProgram(1 << 16, 1)
        ins = [program.add_argument(name, F32, [channels], False) for name in "xw"]
        views = [program.add_view(a, 0, F32, shape, s) for a, s in zip(ins, (strides[number], strides[1]), strict=True)]
        y = program.add_view(program.add_argument("y", F32, [1], True), 0, F32, [1, 1, 1, 1], [1, 1, 1, 1])
        scratch = program.add_view(program.ARENA, 0, np.dtype(np.uint8), [1 << 16], [1])
        program.add_primitive("conv", primitive, views, [y], scratch)
        result = np.empty(1, np.float32)
        _core.Context(program).run([x, w, result])
        np.testing.assert_allclose(result[0], x.astype(float) @ w, rtol=1e-4)
