"""GRUs as ops of a program: on oneDNN where the op is prepared, the same bits planned and naive, packed once."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastuse
from lastuse.compiler.compiled import Compiled
from lastuse.compiler.driver import read
from lastuse.compiler.program import Program
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp

Array = np.ndarray
CHANNELS, INPUTS = 12, 7
LONG = int(os.environ.get("LASTUSE_GRU_STREAM", "150"))
"""Batches of a stream whose memory is watched: 100,000 in a long test."""


def _text(shape: Sequence[int], dtype: str = "f32") -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


class Model:
    """A module of one GRU op, with its weights, in every form the ops have."""

    def __init__(
        self,
        *,
        layers: int = 1,
        both: bool = False,
        mode: str = "concat",
        reverse_first: bool = False,
        reverse: bool = False,
        with_h0: bool = False,
        constant: bool = True,
        prepared: bool = True,
        head: str = "",
        sequences: str = "?",
    ) -> None:
        rng = np.random.default_rng(7)
        self.inputs, self.arrays = INPUTS, dict[str, Array]()
        directions, columns, count = (2 if both else 1), INPUTS, layers * (2 if both else 1)
        wide = CHANNELS * (2 if both and mode == "concat" else 1)
        operands, types, lines, arguments = ["%x"], [f"tensor<?x{INPUTS}xf32>"], list[str](), list[str]()
        for number in range(count):
            shapes = {
                f"wx{number}": (columns if number < directions else wide, 3 * CHANNELS),
                f"wh{number}": (CHANNELS, 3, CHANNELS),
                f"b{number}": (1, 3 * CHANNELS),
            }
            for name, shape in shapes.items():
                self.arrays[name] = rng.uniform(-0.4, 0.4, shape).astype(np.float32)
                operands.append(f"%{name}")
                types.append(_text(shape))
                if constant:
                    lines.append(
                        f'%{name} = "dnn.constant"() {{value = dense_resource<{name}> : {_text(shape)}}} '
                        f": () -> {_text(shape)}"
                    )
                else:
                    arguments.append(f"%{name}: {_text(shape)}")
        for number in range(count if with_h0 else 0):
            operands.append(f"%h{number}")
            types.append(f"tensor<?x{CHANNELS}xf32>")
            arguments.append(f"%h{number}: tensor<?x{CHANNELS}xf32>")
        operands.append("%o")
        types.append(f"tensor<{sequences}xi64>")
        self.columns = wide
        given = {"origin_mode": str(prepared).lower()}
        if both:
            name = "multi_gru"
            given |= {"mode": f'"{mode}"', "layers": str(layers), "reverse_first": str(reverse_first).lower()}
        else:
            name = "fused_gru"
            given["is_reverse"] = str(reverse).lower()
            given["operandSegmentSizes"] = f"array<i32: 1, 1, 1, 1, {int(with_h0)}, 1>"
        attributes = ", ".join(f"{key} = {value}" for key, value in given.items())
        result = f"tensor<?x{wide}xf32>"
        first = ", ".join(["%x: " + types[0], *arguments, f"%o: {types[-1]}"])
        body = "\n".join(
            [
                *lines,
                f'%y = "dnn.{name}"({", ".join(operands)}) {{{attributes}}} : ({", ".join(types)}) -> {result}',
                head or f'%z = "dnn.relu"(%y) : ({result}) -> {result}',
                f"return %z : {result}",
            ]
        )
        self.text = f"func.func @main({first}) -> {result} {{\n{body}\n}}\n"
        self.constant = constant

    def compile(self, tmp_path: Path, **options: Any) -> Program:
        path = tmp_path / "gru.mlir"
        path.write_text(self.text)
        ctx = lastuse.compiler.context()
        module = read(ctx, path)
        if self.constant:
            resources.of(module).update(self.arrays)
        return lastuse.compile(module, ctx=ctx, **options)

    def inputs_of(self, lengths: Sequence[int], states: int = 0, seed: int = 3) -> dict[str, Array]:
        rng = np.random.default_rng(seed)
        found = {"x": rng.normal(size=(sum(lengths), self.inputs)), "o": np.cumsum([0, *lengths])}
        found |= {f"h{number}": rng.normal(size=(len(lengths), CHANNELS)) for number in range(states)}
        typed = {name: a.astype(np.int64 if name == "o" else np.float32) for name, a in found.items()}
        return typed if self.constant else typed | self.arrays


FORMS: dict[str, dict[str, Any]] = {
    "forward": {},
    "reverse": {"reverse": True},
    "h0": {"with_h0": True},
    "concat": {"both": True},
    "reverse first": {"both": True, "reverse_first": True},
    "sum": {"both": True, "mode": "sum"},
    "layers": {"both": True, "layers": 3, "with_h0": True},
    "sums": {"both": True, "layers": 2, "mode": "sum"},
    "layers, reverse first": {"both": True, "layers": 2, "reverse_first": True, "with_h0": True},
}
LENGTHS = [5, 0, 9, 1, 5, 3]


def steps(compiled: Compiled) -> tuple[int, int]:
    """How many GRUs oneDNN runs, and how many kernels of the cpu engine there are."""
    ops = list(compiled.lowered.walk())
    return sum(isinstance(op, OneDnnGruOp) for op in ops), sum(isinstance(op, KernelCallOp) for op in ops)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("threads", [1, 2])
def test_every_form_of_gru_equals_the_kernel(form: dict[str, Any], threads: int, tmp_path: Path) -> None:
    model = Model(**form)
    inputs = model.inputs_of(LENGTHS, model.text.count("%h0:") and model.text.split("{", 1)[0].count("%h"))
    planned = model.compile(tmp_path, threads=threads, poison=True)
    (got,) = planned.run(inputs).values()
    assert steps(planned.latest) == (1, 0)
    naive = model.compile(tmp_path, threads=threads, inplace=False, plan=False)
    (plain,) = naive.run(inputs).values()
    np.testing.assert_array_equal(got, plain)
    other = Model(**{**form, "constant": False})
    (want,) = other.compile(tmp_path).run(other.inputs_of(LENGTHS) | inputs | other.arrays).values()
    np.testing.assert_allclose(got, want, atol=1e-5)


def test_unprepared_gru_runs_on_the_cpu_engine(tmp_path: Path) -> None:
    model = Model(prepared=False)
    program = model.compile(tmp_path, poison=True, fuse=False)
    program.run(model.inputs_of(LENGTHS))
    assert steps(program.latest)[0] == 0


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("mode", ["concat", "sum"])
def test_weights_given_as_arguments_are_packed_in_each_run(layers: int, mode: str, tmp_path: Path) -> None:
    """The bits of constant weights, and other results for other weights."""
    free, fixed = (Model(layers=layers, both=True, mode=mode, constant=constant) for constant in (False, True))
    inputs = free.inputs_of(LENGTHS)
    program = free.compile(tmp_path, poison=True, threads=2)
    (want,) = fixed.compile(tmp_path, threads=2).run(fixed.inputs_of(LENGTHS)).values()
    np.testing.assert_array_equal(*program.run(inputs).values(), want)
    assert steps(program.latest) == (1, 0)
    (other,) = program.run({**inputs, "wx0": 2 * inputs["wx0"]}).values()
    assert not np.array_equal(other, want)
    np.testing.assert_array_equal(*program.run(inputs).values(), want)


def test_compile_prepares_the_other_formula(tmp_path: Path) -> None:
    model = Model(prepared=False)
    inputs = model.inputs_of(LENGTHS)
    prepared, plain = model.compile(tmp_path), model.compile(tmp_path, fuse=False)
    np.testing.assert_allclose(*prepared.run(inputs).values(), *plain.run(inputs).values(), atol=1e-6)
    assert steps(prepared.latest) == (1, 0)


def test_scratch_is_in_the_arena(tmp_path: Path) -> None:
    model = Model()
    program = model.compile(tmp_path, threads=2)
    program.run(model.inputs_of(LENGTHS))
    memory = program.latest.runner.memory
    assert memory.scratch == 0 and program.memory.scratch_bytes > 0
    assert memory.arena == program.memory.arena_bytes
    assert memory.packed > 0


def test_new_lengths_pack_nothing_and_the_same_words_compile_nothing(tmp_path: Path) -> None:
    model = Model(both=True)
    program = model.compile(tmp_path)
    first = program.run(model.inputs_of(LENGTHS))
    packed, compiled = program.weights.nbytes, program.latest
    program.run(model.inputs_of([23, 0, 0, 0, 0, 0]))
    assert program.latest is compiled, "lengths are data"
    program.run(model.inputs_of([40, 2]))
    assert program.latest is not compiled
    assert program.weights.nbytes == packed
    again = program.run(model.inputs_of(LENGTHS))
    np.testing.assert_array_equal(*first.values(), *again.values())


def test_grus_that_share_one_weight_are_two_grus(tmp_path: Path) -> None:
    """Two ops with the same WeightH and different WeightX."""
    model = Model()
    op = model.text.split("%y = ")[1].split("\n")[0]
    text = f"%w = {op}\n%v = {op.replace('%wx0', '%wx9')}\n"
    add = '%z = "dnn.sub"(%w, %v) : (tensor<?x12xf32>, tensor<?x12xf32>) -> tensor<?x12xf32>'
    constant = next(line for line in model.text.split("\n") if line.startswith("%wx0"))
    model.text = model.text.replace(constant, constant + "\n" + constant.replace("wx0", "wx9"))
    model.text = model.text.replace('%z = "dnn.relu"(%y) : (tensor<?x12xf32>) -> tensor<?x12xf32>', text + add)
    model.arrays["wx9"] = model.arrays["wx0"] + np.float32(0.25)
    inputs = model.inputs_of(LENGTHS)
    (got,) = model.compile(tmp_path).run(inputs).values()
    single, moved = Model(), Model()
    moved.arrays["wx0"] = model.arrays["wx9"]
    for one in (single, moved):
        one.text = one.text.replace("return %z", "return %y")
    (a,), (b,) = (tuple(one.compile(tmp_path).run(inputs).values()) for one in (single, moved))
    np.testing.assert_array_equal(got, a - b)
    assert np.abs(got).max() > 0.01


def test_result_at_strides_has_the_same_bits(tmp_path: Path) -> None:
    """Columns of a concat, and transposed rows."""
    result = "tensor<?x12xf32>"
    join = '%z0 = "dnn.concat"(%y, %y) {axis = 1 : i64} : (tensor<?x12xf32>, tensor<?x12xf32>) -> tensor<?x24xf32>\n'
    take = '%z = "dnn.slice"(%z0) {dim = 1 : i64, start = 12 : i64, end = 24 : i64, step = 1 : i64} '
    model = Model(head=join + take + f": (tensor<?x24xf32>) -> {result}")
    inputs = model.inputs_of(LENGTHS)
    (got,) = model.compile(tmp_path, poison=True).run(inputs).values()
    (plain,) = model.compile(tmp_path, inplace=False, plan=False).run(inputs).values()
    np.testing.assert_array_equal(got, plain)


def test_batches_of_many_sizes_share_programs(tmp_path: Path) -> None:
    """Each batch runs as part of a somewhat larger one; its rows equal those of an exact run up to rounding."""
    model = Model(both=True)
    exact, many = model.compile(tmp_path), model.compile(tmp_path, round_sizes=True)
    rng, seen = np.random.default_rng(1), set[int]()
    batches = [model.inputs_of(rng.integers(0, 9, 10 + k % 3).tolist(), seed=k) for k in range(20)]
    first: list[Array] = []
    for inputs in batches:
        (got,) = many.run(inputs).values()
        (want,) = exact.run(inputs).values()
        np.testing.assert_allclose(got, want, atol=1e-6)
        first.append(got)
        seen.add(id(many.latest))
    assert len(seen) < 8, "20 batches, 18 numbers of words"
    for inputs, before in reversed(list(zip(batches, first, strict=True))):
        np.testing.assert_array_equal(*many.run(inputs).values(), before)
    out = np.empty_like(first[0])
    (name,) = many.latest.results
    assert many.run(batches[0], {name: out})[name] is out
    np.testing.assert_array_equal(out, first[0])
    with pytest.raises(LastuseError, match=r"the program wants \[\d+, 24\]"):
        many.run(batches[0], {name: out[1:]})
    with pytest.raises(OffsetsError, match="the last offset is"):
        many.run({**batches[0], "x": batches[0]["x"][1:]})


def test_wrong_offsets_are_an_error(tmp_path: Path) -> None:
    model = Model()
    program = model.compile(tmp_path)
    inputs = model.inputs_of([3, 4])
    for wrong in ([0, 3, 8], [0, 8, 7], [1, 3, 7]):
        with pytest.raises(OffsetsError):
            program.run({**inputs, "o": np.array(wrong, np.int64)})
    assert isinstance(OffsetsError("x"), LastuseError)


def test_batch_without_rows_gives_no_rows(tmp_path: Path) -> None:
    model = Model()
    program = model.compile(tmp_path)
    (got,) = program.run(model.inputs_of([0, 0])).values()
    assert got.shape == (0, CHANNELS)


def test_arena_may_belong_to_the_caller(tmp_path: Path) -> None:
    model = Model()
    program = model.compile(tmp_path)
    inputs = model.inputs_of(LENGTHS)
    want = program.run(inputs)
    runner = program.latest.runner
    room = np.zeros(runner.memory.arena + 64, np.uint8)
    arena = room[-room.__array_interface__["data"][0] % 64 :][: runner.memory.arena]
    got = runner.context(arena).run(inputs)
    np.testing.assert_array_equal(*want.values(), *got.values())
    assert arena.any(), "it was used"
    with pytest.raises(LastuseError, match="an arena is a contiguous"):
        runner.context(arena[:-1])


def test_profile_has_engine_calls_and_time_of_each_step(tmp_path: Path) -> None:
    model = Model()
    program = model.compile(tmp_path, profile=True, gru="native")
    inputs = model.inputs_of(LENGTHS)
    for _ in range(3):
        program.run(inputs)
    program.latest.runner.context().run(inputs)
    gru, relu = program.latest.runner.profile()
    assert (gru.engine, gru.calls, relu.engine, relu.calls) == ("native", 4, "onednn", 4)
    assert gru.kernel == "" and relu.kernel.startswith("jit:")
    assert "onednn.gru" in gru.name and "onednn.eltwise" in relu.name
    words, weights = sum(LENGTHS), 3 * CHANNELS * (INPUTS + CHANNELS + 1)
    assert gru.nbytes == 4 * (words * (INPUTS + CHANNELS) + weights) + 8 * (len(LENGTHS) + 1)
    assert gru.seconds > 0 and relu.nbytes == 8 * words * CHANNELS
    silent = model.compile(tmp_path)
    silent.run(inputs)
    assert silent.latest.runner.profile() == []


def test_memory_is_flat_over_many_calls(tmp_path: Path) -> None:
    """Batches of one size with new lengths, over and over: primitives are evicted, memory does not grow."""
    model = Model(both=True)
    program = model.compile(tmp_path, threads=2)
    rng = np.random.default_rng(0)
    inputs = model.inputs_of([10] * 20)

    def run(calls: int) -> None:
        for _ in range(calls):
            inputs["o"][1:-1] = np.sort(rng.integers(0, 201, 19))
            program.run(inputs)

    run(LONG)
    gc.collect()
    before = _resident()
    run(LONG)
    gc.collect()
    assert _resident() - before < 4_000_000


def _resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("fuse", [True, False], ids=["onednn", "cpu"])
def test_error_of_wrong_offsets_is_at_the_op(fuse: bool, tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(
        'func.func @main(%x: tensor<?x3xf32> {dnn.name = "x"}, %o: tensor<?xi64> {dnn.name = "o"}) '
        "-> tensor<?x1xf32> {\n"
        '  %wx = "dnn.constant"() {value = dense<0.5> : tensor<3x3xf32>} : () -> tensor<3x3xf32>\n'
        '  %wh = "dnn.constant"() {value = dense<0.5> : tensor<1x3xf32>} : () -> tensor<1x3xf32>\n'
        '  %p = "dnn.matmul"(%x, %wx) : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>\n'
        '  %h = "dnn.gru"(%p, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} '
        ": (tensor<?x3xf32>, tensor<1x3xf32>, tensor<?xi64>) -> tensor<?x1xf32>\n"
        "  func.return %h : tensor<?x1xf32>\n}\n"
    )
    program = lastuse.compile(path, fuse=fuse)
    with pytest.raises(OffsetsError) as error:
        program.run({"x": np.ones((4, 3), np.float32), "o": np.array([0, 3, 2, 4])})
    assert str(error.value) == f"{path}:5:8: error: offset 2 is 2, less than the 3 before it"
