"""What `compile` takes and a program gives: examples of inputs, bytes, DLPack, arenas, contexts, threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from mmap import mmap
from typing import Any

import numpy as np
import onnx
import pytest

import lastuse
from lastuse.compiler.program import Program
from lastuse.passes.planning.planner import Proof

MIX = b"""
func.func @main(%x: tensor<?x4xf32> {dnn.name = "rows"}, %w: tensor<4xf32>) -> (tensor<?x4xf32> {dnn.name = "shares"}) {
  %a = "dnn.mul"(%x, %w) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %b = "dnn.relu"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = "dnn.softmax"(%b) {axis = -1 : i64} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = "dnn.mul"(%c, %b) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
"""
TALL = b"""
func.func @main(%x: tensor<?x?xf32> {dnn.name = "x"}, %k: i64 {dnn.name = "k"}) -> (tensor<?x?xf32>, i64) {
  %t = "dnn.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = "dnn.exp"(%t) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %y, %k : tensor<?x?xf32>, i64
}
"""
WEIGHTS = np.linspace(-1, 2, 4, dtype=np.float32)


def mix_of(x: np.ndarray) -> np.ndarray:
    b = np.maximum(x * WEIGHTS, 0)
    e = np.exp(b - b.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) * b


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(count).standard_normal((count, 4)).astype(np.float32)


class Tensor:
    """The tensor of another library: it only knows DLPack."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class DeviceTensor(Tensor):
    """One in memory that is not the CPU's."""

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("the data is on another device")

    def __dlpack_device__(self) -> Any:
        return (2, 0)


@pytest.mark.parametrize(
    "inputs",
    [{"rows": (8, 4)}, {"rows": [8, 4], "w": (4,)}, [(8, 4), (4,)], (rows(8), WEIGHTS), {"rows": Tensor(rows(8))}],
)
def test_examples_of_inputs_say_what_is_compiled(inputs: Any) -> None:
    program = lastuse.compile(MIX, inputs=inputs, threads=1)
    assert program.latest.sizes == {"rows": 8}
    runner = program.latest.runner
    np.testing.assert_allclose(program(rows(8), WEIGHTS), mix_of(rows(8)), rtol=1e-5)  # pyright: ignore
    assert program.latest.runner is runner


def test_the_only_input_needs_no_list() -> None:
    text = b"func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> { func.return %x : tensor<?x3xf32> }"
    for inputs in ((5, 3), [5, 3], [(5, 3)], np.zeros((5, 3), np.float32)):
        assert lastuse.compile(text, inputs=inputs).latest.sizes == {"x": 5}


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"rows": (8, 5)}, "input rows has size 4 on axis 1, not 5"),
        ({"rows": (8,)}, "input rows has 2 axes, not 1"),
        ({"w": (4,)}, "sizes are missing: rows"),
        ({"row": (8, 4)}, "no input is called 'row'; there are rows, w"),
        ([(8, 4)], "the program has 2 inputs"),
        ({"rows": (8, -4)}, "numbers from 0 on"),
        ({"rows": (8, 4.0)}, "numbers from 0 on"),
        ({"rows": DeviceTensor(rows(8))}, "cannot be read by DLPack: the data is on another device"),
    ],
)
def test_wrong_examples_are_errors(inputs: Any, message: str) -> None:
    with pytest.raises(lastuse.LastuseError, match=message):
        lastuse.compile(MIX, inputs=inputs)


def test_inputs_and_outputs_have_names_shapes_and_dtypes() -> None:
    program = lastuse.compile(TALL)
    x, k = program.inputs.values()
    assert (x.name, x.shape, x.dtype, str(x), x.nbytes) == ("x", ("x.0", "x.1"), np.float32, "tensor<?x?xf32>", None)
    assert (k.name, k.shape, k.dtype, str(k), k.is_scalar, k.nbytes) == ("k", (), np.int64, "i64", True, 8)
    y, same = program.outputs.values()
    assert (y.shape, y.dtype, same.shape, same.is_scalar) == (("x.1", "x.0"), np.float32, (), True)
    assert program.unknown_sizes == ("x.0", "x.1")
    results = program.run({"x": rows(3), "k": 7})  # pyright: ignore[reportArgumentType]
    assert [(name, array.shape) for name, array in results.items()] == [(y.name, (4, 3)), (same.name, ())]


@pytest.mark.parametrize("data", [b"\x08\x07\x12", b"\x00" * 99, b"%x = \x01"])
def test_bytes_that_are_no_model(data: bytes) -> None:
    with pytest.raises(lastuse.LastuseError, match="<bytes>:1:1: error: is no ONNX model"):
        lastuse.compile(data)


def test_model_of_another_kind() -> None:
    with pytest.raises(lastuse.LastuseError, match="<bytes>:1:1: error: no bytes: a model is wanted"):
        lastuse.compile(b"")
    model: Any = onnx.ModelProto()
    with pytest.raises(lastuse.LastuseError, match=r"not ModelProto; SerializeToString\(\) gives its bytes$"):
        lastuse.compile(model)
    nothing: Any = None
    with pytest.raises(lastuse.LastuseError, match=r"or a module, not NoneType$"):
        lastuse.compile(nothing)


def test_wrong_bytes_have_a_location() -> None:
    with pytest.raises(lastuse.LastuseError, match=r"<bytes>:6:"):
        lastuse.compile(MIX.replace(b"%c, %b) : ", b"%c, %missing) : "))


def test_tensors_of_other_libraries_go_in_and_out_without_a_copy() -> None:
    program = lastuse.compile(MIX, threads=1)
    x, out = rows(8), Tensor(np.zeros((8, 4), np.float32))
    results = program.run({"rows": Tensor(x), "w": Tensor(WEIGHTS)}, out={"shares": out})  # pyright: ignore
    assert results["shares"] is out
    np.testing.assert_allclose(out.array, mix_of(x), rtol=1e-5)
    result = program(x, WEIGHTS)
    assert isinstance(result, np.ndarray) and np.shares_memory(np.from_dlpack(result), result)


def test_written_tensor_of_another_library() -> None:
    text = b"""func.func @main(%s: tensor<4xf32> {dnn.name = "s"}) -> (tensor<4xf32> {dnn.tied = 0 : i32}) {
      %y = "dnn.exp"(%s) : (tensor<4xf32>) -> tensor<4xf32>
      func.return %y : tensor<4xf32>
    }"""
    state = Tensor(np.zeros(4, np.float32))
    lastuse.compile(text).run({"s": state})  # pyright: ignore[reportArgumentType]
    assert state.array.tolist() == [1, 1, 1, 1]


def test_tensors_that_are_not_the_cpu_s() -> None:
    program = lastuse.compile(MIX)
    with pytest.raises(lastuse.ArrayError, match="rows"):
        program.run({"rows": DeviceTensor(rows(8)), "w": WEIGHTS})  # pyright: ignore[reportArgumentType]
    with pytest.raises(lastuse.ArrayError, match="out: shares is no array"):
        program.run({"rows": rows(8), "w": WEIGHTS}, out={"shares": [0.0]})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "memory", [np.zeros(999, np.float32), bytearray(4096), mmap(-1, 4096), memoryview(bytearray(999))]
)
def test_program_runs_in_an_arena_of_the_caller(memory: Any) -> None:
    program = lastuse.compile(MIX, arena=memory, threads=1)
    for count in (8, 3, 16):
        np.testing.assert_allclose(program(rows(count), WEIGHTS), mix_of(rows(count)), rtol=1e-5)  # pyright: ignore
    used = np.frombuffer(memory, np.uint8)
    begin = -used.ctypes.data % 64
    assert used[begin : begin + 128].any() and not used[:begin].any() and not used[begin + 256 :].any()


def test_size_of_the_arena_is_a_limit() -> None:
    with pytest.raises(lastuse.LastuseError, match=r"<bytes>:4:8: error: the arena has 1,600 bytes, the limit is"):
        lastuse.compile(MIX, arena=bytearray(1000), inputs={"rows": (100, 4)})
    program = lastuse.compile(MIX, arena=bytearray(1000))
    with pytest.raises(lastuse.LastuseError, match="1,600 bytes"):
        program(rows(100), WEIGHTS)
    assert program.largest("rows", limit=900) >= 56


@pytest.mark.parametrize(
    ("arena", "message"),
    [(bytes(999), "read-only"), ("text", "not str"), (np.zeros((99, 99))[:, ::2], "not contiguous"), (7, "not int")],
)
def test_memory_that_is_no_arena(arena: Any, message: str) -> None:
    with pytest.raises(lastuse.LastuseError, match=message):
        lastuse.compile(MIX, arena=arena)
    with pytest.raises(lastuse.LastuseError, match=message):
        lastuse.compile(MIX).context(arena)


def test_context_serves_all_sizes_in_one_arena() -> None:
    program = lastuse.compile(MIX, threads=1, kept_sizes=2)
    context = program.context()
    assert context.arena_bytes == 0
    for count in (8, 100, 3, 8, 50, 100):
        want = program(rows(count), WEIGHTS)
        np.testing.assert_array_equal(context(rows(count), WEIGHTS), want)  # pyright: ignore
    assert context.arena_bytes == 1600
    small = program.context(bytearray(256))
    small(rows(8), WEIGHTS)
    with pytest.raises(lastuse.LastuseError, match="arena of this run has 1,600 bytes, the memory that is given has"):
        small(rows(100), WEIGHTS)
    small(rows(8), WEIGHTS)
    with pytest.raises(lastuse.ArrayError, match="takes 2 arrays"):
        small(rows(8))


def test_context_runs_a_rounded_batch() -> None:
    text = b"""func.func @main(%x: tensor<?x8xf32> {dnn.name = "x"}, %o: tensor<?xi64> {dnn.name = "o"})
        -> tensor<?x8xf32> {
      %y = "dnn.exp"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
      func.return %y : tensor<?x8xf32>
    }"""
    program = lastuse.compile(text, round_sizes=True)
    x, offsets = np.ones((37, 8), np.float32), np.array([0, 30, 37])
    np.testing.assert_array_equal(program.context()(x, offsets), program(x, offsets))  # pyright: ignore


@pytest.mark.parametrize("arena", [None, 1 << 16])
def test_threads_on_one_program_compute_what_one_does(arena: int | None) -> None:
    program = lastuse.compile(MIX, threads=1, arena=None if arena is None else bytearray(arena))
    batches = [rows(count) for count in (1, 8, 33, 64) * 50]
    alone = [program(x, WEIGHTS) for x in batches]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(program, batches, [WEIGHTS] * len(batches)))
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)  # pyright: ignore[reportArgumentType]


def test_profile_is_that_of_the_sizes_that_ran_last() -> None:
    program: Program = lastuse.compile(MIX, profile=True, threads=1)
    with pytest.raises(lastuse.LastuseError, match="sizes are not known yet"):
        program.profile()
    for _ in range(3):
        program(rows(8), WEIGHTS)
    steps = program.profile()
    assert [step.engine for step in steps] == ["native", "native", "onednn"] and {step.calls for step in steps} == {3}
    with pytest.raises(lastuse.LastuseError, match="profile=True"):
        lastuse.compile(MIX).profile()


def test_memory_has_peak_bound_proof_and_map() -> None:
    memory = lastuse.compile(MIX, inputs={"rows": (8, 4)}).memory
    assert (memory.peak_bytes, memory.bound_bytes, memory.proof) == (128, 128, Proof.REACHED)
    assert [map_.arena for map_ in memory.maps] == [128]
    unshared = lastuse.compile(MIX, inputs={"rows": (8, 4)}, fuse=False, plan=False, inplace=False).memory
    assert unshared.peak_bytes > unshared.bound_bytes and unshared.proof is Proof.NONE


def test_a_name_of_a_size_is_shown_at_every_input_that_has_it() -> None:
    """Sizes of the second input that the first one binds were all called "?", and so had to be equal."""
    text = """
    func.func @main(%a: tensor<?x?xf32> {dnn.name = "a", dnn.sizes = ["rows", "columns"]},
                    %b: tensor<?x?xf32> {dnn.name = "b", dnn.sizes = ["rows", "columns"]}) -> tensor<?x?xf32> {
      %c = "dnn.add"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      func.return %c : tensor<?x?xf32>
    }"""
    program = lastuse.compile(text.encode(), inputs={"a": (2, 3), "b": (2, 3)}, threads=1)
    assert program.inputs["b"].shape == ("rows", "columns")
    with pytest.raises(lastuse.LastuseError, match="input b has size 3 on axis 1, not 4"):
        lastuse.compile(text.encode(), inputs={"a": (2, 3), "b": (2, 4)}, threads=1)
