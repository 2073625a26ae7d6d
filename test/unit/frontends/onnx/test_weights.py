"""Tensors of ONNX files as arrays: every field and type, external data, sparse ones; and the memory that this takes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from test_load import model, value

from lastuse.frontends.onnx.model import load_model
from lastuse.frontends.onnx.weights import dtype_of
from lastuse.frontends.onnx.wire import LARGE, take_out
from support import shared

RANDOM = np.random.default_rng(9)
TYPES = ["FLOAT", "DOUBLE", "FLOAT16", "BFLOAT16", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32",
         "UINT64", "BOOL"]  # fmt: skip


def elements(kind: str, *shape: int) -> np.ndarray:
    """Random bits as elements of a type, extremes among them."""
    dtype = dtype_of(getattr(TensorProto, kind))
    if kind == "BOOL":
        return RANDOM.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return RANDOM.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    return RANDOM.standard_normal(shape).astype(dtype)


def reading(*weights: TensorProto, constants: bool = False) -> ModelProto:
    """A model that reads all weights; as initializers, or as constants."""
    names = [weight.name for weight in weights]
    nodes = [helper.make_node("Identity", [name], [f"{name}.out"]) for name in names]
    if constants:
        nodes = [helper.make_node("Constant", [], [w.name], value=w) for w in weights] + nodes
    graph = helper.make_graph(nodes, "g", [], [value(f"{name}.out") for name in names], [] if constants else weights)
    return model(graph)


def read(proto: ModelProto, tmp_path: Path) -> dict[str, np.ndarray]:
    (tmp_path / "m.onnx").write_bytes(proto.SerializeToString())
    return dict(load_model(tmp_path / "m.onnx").weights)


@pytest.mark.parametrize("constants", [False, True], ids=["initializers", "constants"])
@pytest.mark.parametrize("count", [3, 5000], ids=["small", "large"])
@pytest.mark.parametrize("kind", TYPES)
def test_raw_and_typed_elements_are_read(kind: str, count: int, constants: bool, tmp_path: Path) -> None:
    array = elements(kind, count)
    raw = numpy_helper.from_array(array, "raw")
    bits = array.view(np.uint16) if kind in ("FLOAT16", "BFLOAT16") else array * 1
    field = {"FLOAT": "float_data", "DOUBLE": "double_data", "INT64": "int64_data"}.get(kind, "int32_data")
    field = "uint64_data" if kind in ("UINT32", "UINT64") else field
    typed = TensorProto(name="typed", dims=[count], data_type=getattr(TensorProto, kind))
    getattr(typed, field).extend(bits.tolist())
    for weights in (read(reading(raw, typed, constants=constants), tmp_path),):
        assert list(weights) == ["raw", "typed"]
        for weight in weights.values():
            assert weight.dtype == array.dtype and weight.flags.aligned and not weight.flags.writeable
            np.testing.assert_array_equal(weight.view(np.uint8), array.view(np.uint8))


def test_large_elements_are_in_the_file_not_in_memory(tmp_path: Path) -> None:
    """Elements at any offset; those that are aligned in the file are not copied."""
    arrays = {"pad" * shift: RANDOM.standard_normal((40, 50)).astype(np.float32) for shift in range(1, 9)}
    weights = read(reading(*(numpy_helper.from_array(a, n) for n, a in arrays.items())), tmp_path)
    mapped = 0
    for name, array in arrays.items():
        np.testing.assert_array_equal(weights[name], array)
        base = weights[name]
        while isinstance(base, np.ndarray):
            owner, base = base, base.base
        mapped += not owner.flags.owndata  # pyright: ignore
    assert 0 < mapped < len(arrays)


def test_a_message_without_its_elements_is_the_message() -> None:
    """What is taken out is the elements of large tensors, wherever they are."""
    big, small = (numpy_helper.from_array(RANDOM.standard_normal(n), f"w{n}") for n in (LARGE, 4))
    inner = helper.make_graph([helper.make_node("Identity", ["w4"], ["r"])], "arm", [], [value("r")], [small, big])
    nodes = [
        helper.make_node("Constant", [], ["c"], value=big),
        helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner),
    ]
    proto = model(helper.make_graph(nodes, "g", [], [value("y")], [big, small]))
    proto.graph.doc_string = "x" * 5000
    data = memoryview(proto.SerializeToString())
    shorter, payloads = take_out(data)
    assert len(shorter) < len(data) - 31 * LARGE
    parsed = ModelProto.FromString(shorter)
    arms = [attribute.g for attribute in parsed.graph.node[1].attribute]
    tensors = [parsed.graph.initializer[0], parsed.graph.node[0].attribute[0].t, *(arm.initializer[1] for arm in arms)]
    for tensor in tensors:
        payload = payloads.get(tensor.raw_data)
        assert payload is not None and payload.is_raw
        assert bytes(data[payload.offset : payload.offset + payload.length]) == big.raw_data
        tensor.raw_data = big.raw_data
    assert parsed == proto


def test_a_large_tensor_of_another_op_keeps_its_elements(tmp_path: Path) -> None:
    node = helper.make_node("Other", ["x"], ["y"], domain="foo", table=elements("FLOAT", 700).tolist())
    node.attribute.append(helper.make_attribute("t", numpy_helper.from_array(elements("FLOAT", 700), "t")))
    proto = model(helper.make_graph([node], "g", [value("x", [1])], [value("y")]))
    assert load_model(proto.SerializeToString()).graph.node[0] == node


@pytest.mark.parametrize("dims", [[], [0], [2, 0, 3], [1]])
def test_scalars_and_empty_tensors(dims: list[int], tmp_path: Path) -> None:
    array = np.full(dims, 7, np.int64)
    weights = read(reading(numpy_helper.from_array(array, "w")), tmp_path)
    np.testing.assert_array_equal(weights["w"], array)
    assert weights["w"].shape == array.shape


def test_a_boolean_is_0_or_1(tmp_path: Path) -> None:
    tensor = TensorProto(name="w", dims=[4], data_type=TensorProto.BOOL, raw_data=bytes([0, 1, 2, 255]))
    assert read(reading(tensor), tmp_path)["w"].view(np.uint8).tolist() == [0, 1, 1, 1]


def test_external_data_are_mapped(tmp_path: Path) -> None:
    first, second = elements("FLOAT", 30, 40), elements("BFLOAT16", 7).astype(ml_dtypes.bfloat16)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "data.bin").write_bytes(b"12345678" + first.tobytes() + second.tobytes())
    (tmp_path / "link").symlink_to("sub")
    tensors: list[TensorProto] = []
    for name, array, entries in (
        ("a", first, {"location": "sub/data.bin", "offset": "8", "length": str(first.nbytes)}),
        ("b", second, {"location": "link/data.bin", "offset": str(8 + first.nbytes), "checksum": "0"}),
        ("c", first, {"location": "./sub/data.bin", "offset": "8"}),
    ):
        tensor = numpy_helper.from_array(array, name)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, content in entries.items():
            tensor.external_data.add(key=key, value=content)
        tensors.append(tensor)
    weights = read(reading(*tensors), tmp_path)
    np.testing.assert_array_equal(weights["a"], first)
    np.testing.assert_array_equal(weights["b"].view(np.uint16), second.view(np.uint16))
    assert weights["a"].ctypes.data == weights["c"].ctypes.data
    assert not weights["a"].flags.writeable and not weights["a"].flags.owndata


def test_sparse_weights_are_written_out(tmp_path: Path) -> None:
    values = numpy_helper.from_array(np.array([5, 6, 7], np.float32), "w")
    expected = np.zeros((3, 4), np.float32)
    expected[[0, 1, 2], [1, 0, 3]] = [5, 6, 7]
    for indices in ([[0, 1], [1, 0], [2, 3]], [1, 4, 11]):
        proto = reading(values)
        sparse = helper.make_sparse_tensor(values, numpy_helper.from_array(np.array(indices), ""), [3, 4])
        del proto.graph.initializer[:]
        proto.graph.sparse_initializer.append(sparse)
        np.testing.assert_array_equal(read(proto, tmp_path)["w"], expected)


def test_a_weight_that_nothing_reads_is_not_looked_at(tmp_path: Path) -> None:
    proto = reading(numpy_helper.from_array(np.ones(3, np.float32), "w"))
    proto.graph.initializer.append(TensorProto(name="text", data_type=TensorProto.STRING, dims=[-5]))
    assert list(read(proto, tmp_path)) == ["w"]


def test_an_input_with_a_default_is_a_constant(tmp_path: Path) -> None:
    proto = reading(numpy_helper.from_array(np.ones(3, np.float32), "w"))
    proto.graph.input.append(value("w", [3]))
    (tmp_path / "m.onnx").write_bytes(proto.SerializeToString())
    loaded = load_model(tmp_path / "m.onnx")
    assert list(loaded.weights) == ["w"] and not loaded.graph.input


RULED = """
import ctypes, os, sys
from lastuse.frontends.onnx.model import load_model

ruler = ctypes.CDLL(None)
ruler.memruler_peak.restype = ctypes.c_long
load_model(sys.argv[1])
ruler.memruler_mark()
loaded = load_model(sys.argv[2])
print(ruler.memruler_peak() / os.path.getsize(sys.argv[2]))
"""


def test_loading_takes_no_more_memory_than_the_file(tmp_path: Path) -> None:
    """Measured from outside, with a wrapper around malloc, in the worst case: no element is aligned in the file."""
    folder = tmp_path / "memruler"
    shutil.copytree(shared() / "tools", folder)
    subprocess.run(["sh", "build.sh"], cwd=folder, check=True, capture_output=True)
    files: list[str] = []
    for count in (1, 8):
        odd = [numpy_helper.from_array(np.ones(1 << 20, np.float32), "w" * n) for n in range(1, 1 + count)]
        nodes = [helper.make_node("Clip", [w.name], [f"{w.name}.out"], max=0.5) for w in odd]
        graph = helper.make_graph(nodes, "g", [], [value(f"{w.name}.out") for w in odd], odd)
        files.append(str(tmp_path / f"{count}.onnx"))
        onnx.save(model(graph, opset=9), files[-1])
    done = subprocess.run(
        [sys.executable, "-c", RULED, *files],
        env={**os.environ, "LD_PRELOAD": str(folder / "libmemruler.so")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert float(done.stdout) < 1.1
