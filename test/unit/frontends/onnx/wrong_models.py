"""
Wrong ONNX models: small right ones, broken in one way each, and with flipped bits. The same ones each time.

`right_models` are the ones they are made from; `wrong_models` are broken on purpose, each with words of its error.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

F32 = TensorProto.FLOAT
DOMAIN = "my.functions"


def _value(name: str, *shape: int | str | None, dtype: int = F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def _array(name: str, *shape: int) -> TensorProto:
    return numpy_helper.from_array(np.random.default_rng(len(name)).standard_normal(shape).astype(np.float32), name)


def model(
    nodes: list[NodeProto],
    weights: list[TensorProto] | None = None,
    opset: int = 17,
    functions: list[FunctionProto] | None = None,
    inputs: list[str] | None = None,
) -> ModelProto:
    """A model of `x` (2x8) to `y`."""
    values = [_value(name, 2, 8) for name in inputs or ["x"]]
    graph = helper.make_graph(nodes, "g", values, [_value("y", 2, None)], weights or [])
    imports = [helper.make_opsetid("", opset), helper.make_opsetid(DOMAIN, 1)]
    return helper.make_model(graph, opset_imports=imports, functions=functions or [], ir_version=9)


def small() -> ModelProto:
    """x·w + b, then Relu, with weights in raw data, in typed fields and in a Constant."""
    bias = helper.make_tensor("b", F32, [16], [float(n) for n in range(16)])
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], name="product"),
        helper.make_node("Add", ["p", "b"], ["s"], name="sum"),
        helper.make_node("Constant", [], ["c"], value=helper.make_tensor("", F32, [], [0.5])),
        helper.make_node("Mul", ["s", "c"], ["h"]),
        helper.make_node("Relu", ["h"], ["y"], name="relu"),
    ]
    return model(nodes, [_array("w", 8, 16), bias])


def large() -> ModelProto:
    """A product with 64 KiB of weights, which do not pass through protobuf."""
    return model([helper.make_node("MatMul", ["x", "w"], ["y"], name="product")], [_array("w", 8, 2048)])


def old() -> ModelProto:
    """Forms of opset 9 that the newest one does not have."""
    nodes = [
        helper.make_node("Clip", ["x"], ["c"], min=-1.0, max=1.0),
        helper.make_node("Softmax", ["c"], ["s"]),
        helper.make_node("Unsqueeze", ["s"], ["u"], axes=[0]),
        helper.make_node("Slice", ["u"], ["t"], starts=[0], ends=[1], axes=[0]),
        helper.make_node("ReduceMean", ["t"], ["m"], axes=[0], keepdims=0),
        helper.make_node("Split", ["m"], ["a", "b"], axis=1),
        helper.make_node("Concat", ["b", "a"], ["y"], axis=1),
    ]
    return model(nodes, opset=9)


def nested(depth: int = 2, opset: int = 11) -> ModelProto:
    """An If in an If, with weights in the arms and values from around them."""

    def arm(name: str, level: int) -> GraphProto:
        own = [_array("k", 8)]
        if level == 0:
            return helper.make_graph([helper.make_node("Mul", ["x", "k"], ["r"])], name, [], [_value("r")], own)
        branch = helper.make_node(
            "If", ["flag"], ["q"], then_branch=arm("then", level - 1), else_branch=arm("else", level - 1)
        )
        return helper.make_graph([branch, helper.make_node("Add", ["q", "k"], ["r"])], name, [], [_value("r")], own)

    node = helper.make_node("If", ["flag"], ["y"], then_branch=arm("then", depth), else_branch=arm("else", 0))
    flag = numpy_helper.from_array(np.array(True), "flag")
    return model([node], [flag], opset)


def functions() -> ModelProto:
    """A function that calls another one."""
    imports = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    inner = helper.make_function(DOMAIN, "inner", ["a"], ["r"], [helper.make_node("Neg", ["a"], ["r"])], imports)
    calls = [helper.make_node("inner", ["a"], ["t"], domain=DOMAIN), helper.make_node("Abs", ["t"], ["r"])]
    outer = helper.make_function(DOMAIN, "outer", ["a"], ["r"], calls, imports)
    return model([helper.make_node("outer", ["x"], ["y"], domain=DOMAIN)], functions=[inner, outer])


def loop() -> ModelProto:
    """A Loop of three trips."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Add", ["v", "x"], ["w"])],
        "body",
        [_value("i", dtype=TensorProto.INT64), _value("go", dtype=TensorProto.BOOL), _value("v", 2, 8)],
        [_value("on", dtype=TensorProto.BOOL), _value("w", 2, 8)],
    )
    trips = numpy_helper.from_array(np.array(3), "n")
    return model([helper.make_node("Loop", ["n", "", "x"], ["y"], body=body)], [trips])


RIGHT: dict[str, Callable[[], ModelProto]] = {
    "small": small,
    "large": large,
    "old": old,
    "nested": nested,
    "functions": functions,
    "loop": loop,
}


def wrong_models() -> Iterator[tuple[str, bytes, str]]:
    """Models that are wrong in one way: what is wrong, the file, words of the error."""
    yield "empty", b"", "it has no graph"
    yield "text", b"This is a file of text, and no model at all.\n" * 40, "is no ONNX model"
    yield "zeros", bytes(4096), "is no ONNX model"
    yield "a zip archive", b"PK\x03\x04" + bytes(range(256)) * 8, "is no ONNX model"
    yield from _wrong_headers()
    yield from _wrong_graphs()
    yield from _wrong_nodes()
    yield from _wrong_weights()
    yield from _wrong_external_data()
    for name, make in RIGHT.items():
        data = make().SerializeToString()
        for part in range(1, 12):
            yield f"{name} cut at {part}/12", data[: len(data) * part // 12], ""


def _changed(make: Callable[[], ModelProto], change: Callable[[ModelProto], object]) -> bytes:
    proto = make()
    change(proto)
    return proto.SerializeToString()


def _wrong_headers() -> Iterator[tuple[str, bytes, str]]:
    def opsets(*versions: int) -> Callable[[ModelProto], object]:
        def change(proto: ModelProto) -> None:
            del proto.opset_import[:]
            proto.opset_import.extend(helper.make_opsetid("", version) for version in versions)

        return change

    yield "no opset", _changed(small, opsets()), "does not say its opset"
    for version in (-1, 0, 1, 6, 29, 2**31, 2**62):
        yield f"opset {version}", _changed(small, opsets(version)), f"opset {version} is not supported"
    yield "two opsets", _changed(small, opsets(17, 18)), "is there twice"
    for version in (-5, 0, 2, 99, 2**62):
        yield f"IR {version}", _changed(small, lambda m, v=version: setattr(m, "ir_version", v)), "IR version"
    yield "no graph", _changed(small, lambda m: m.ClearField("graph")), "it has no graph"


def _wrong_graphs() -> Iterator[tuple[str, bytes, str]]:
    def neg(a: str, b: str) -> NodeProto:
        return helper.make_node("Neg", [a], [b])

    yield "circle", model([neg("b", "a"), neg("a", "b"), neg("b", "y")]).SerializeToString(), "in a circle"
    yield "own input", model([neg("y", "y")]).SerializeToString(), "in a circle"
    yield "unknown name", model([neg("z", "y")]).SerializeToString(), "which nothing makes"
    yield "twice", model([neg("x", "y"), neg("x", "y")]).SerializeToString(), "is used twice"
    yield "input again", model([neg("x", "x"), neg("x", "y")]).SerializeToString(), "is used twice"
    yield "weight again", model([neg("x", "w"), neg("w", "y")], [_array("w", 2)]).SerializeToString(), "is used twice"
    yield "two weights", model([neg("w", "y")], [_array("w", 2), _array("w", 2)]).SerializeToString(), "is used twice"
    yield "two inputs", model([neg("x", "y")], inputs=["x", "x"]).SerializeToString(), "is used twice"
    yield "output of nothing", model([neg("x", "z")]).SerializeToString(), "nothing makes the output 'y'"
    yield "no outputs", _changed(small, lambda m: m.graph.ClearField("output")), "no outputs"
    yield "output twice", _changed(small, lambda m: m.graph.output.extend(list(m.graph.output))), "is there twice"
    yield "no op", _changed(small, lambda m: m.graph.node[1].ClearField("op_type")), "the node has no op"
    yield "nameless input", _changed(small, lambda m: m.graph.input.add()), "has no name"
    yield "nameless weight", _changed(small, lambda m: m.graph.initializer[0].ClearField("name")), "has no name"
    inner = nested(0)
    inner.graph.node[0].attribute[0].g.output[0].name = "elsewhere"
    yield "arm without result", inner.SerializeToString(), "nothing makes the output 'elsewhere'"
    leak = nested(0)
    leak.graph.node.append(neg("r", "leaked"))
    yield "value of an arm used outside", leak.SerializeToString(), "which nothing makes"
    size = model([neg("x", "y")])
    size.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -7
    yield "negative size of an input", size.SerializeToString(), "has a size of -7"
    text = small().SerializeToString().replace(b"product", b"\xff\xfe\xfdduct").replace(b"MatMul", b"Mat\xff\xfel")
    yield "op that is no text", text, "is not text"
    yield "name of two lines", small().SerializeToString().replace(b"\x01p", b"\x01\n"), "is not text"
    yield "10,000 nested Ifs", deep(10_000), "nested too deep"
    yield "200 nested Ifs", deep(200), "nested too deep"
    yield "200,000 nodes", _file(_field(1, _node(b"Neg")) * 200_000), "more than 100,000"


def _size(count: int) -> bytes:
    digits = bytearray()
    while count > 127:
        digits.append(count & 127 | 128)
        count >>= 7
    return bytes([*digits, count])


def _field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _size(len(data)) + data


def _node(op: bytes) -> bytes:
    return _field(1, b"x") + _field(2, b"y") + _field(4, op)


def _file(graph: bytes) -> bytes:
    return b"\x08\x09" + _field(8, b"\x10\x11") + _field(7, graph)


def deep(depth: int) -> bytes:
    """Ifs within each other, written without protobuf, which would not write so many."""
    output, node, kind = _field(12, _field(1, b"y")), _node(b"If"), b"\xa0\x01\x05"
    heads = [_field(1, _node(b"Neg")) + output]
    tail = kind + output
    length = len(heads[0])
    for _ in range(depth):
        head = _field(1, b"then_branch") + b"\x32" + _size(length)
        attribute = len(head) + length + len(kind)
        head = node + b"\x2a" + _size(attribute) + head
        head = b"\x0a" + _size(len(node) + 1 + len(_size(attribute)) + attribute) + head
        heads.append(head)
        length += len(head) + len(tail)
    return _file(b"".join(reversed(heads)) + tail * depth)


def _wrong_nodes() -> Iterator[tuple[str, bytes, str]]:
    def one(words: str, op: str, *inputs: str, **attributes: object) -> tuple[str, bytes, str]:
        node = helper.make_node(op, list(inputs) or ["x"], ["y"], **attributes)  # pyright: ignore
        return f"{op}: {words}", model([node]).SerializeToString(), words

    yield one("no attribute 'beta'", "Relu", beta=1.0)
    yield one("is of type FLOAT, not INT", "Softmax", axis=1.0)
    yield one("is of type STRING, not INT", "Softmax", axis="1")
    yield one("is of type INTS, not INT", "Softmax", axis=[1])
    yield one("is of type INT, not TENSOR", "ConstantOfShape", value=1)
    yield one("'to' is missing", "Cast")
    yield one("has 2 inputs, this node 1", "Add")
    yield one("has 1 inputs, this node 3", "Relu", "x", "x", "x")
    yield one("is of type INT, not GRAPH", "If", then_branch=1, else_branch=1)
    yield one("'else_branch' is missing", "If", then_branch=helper.make_graph([], "g", [], [_value("x")]))
    yield one("opset 17 has no Gelu", "Gelu")
    twice = helper.make_node("Softmax", ["x"], ["y"], axis=1)
    twice.attribute.add().CopyFrom(twice.attribute[0])
    yield "attribute twice", model([twice]).SerializeToString(), "is there twice"
    reference = helper.make_node("Softmax", ["x"], ["y"])
    reference.attribute.append(AttributeProto(name="axis", ref_attr_name="a", type=AttributeProto.INT))
    yield "attribute of no function", model([reference]).SerializeToString(), "the node is in none"
    untyped = helper.make_node("Softmax", ["x"], ["y"])
    untyped.attribute.append(AttributeProto(name="axis", i=1))
    yield "attribute without type", model([untyped]).SerializeToString(), "is of type UNDEFINED"
    hollow = helper.make_node("ConstantOfShape", ["x"], ["y"])
    hollow.attribute.append(AttributeProto(name="value", type=AttributeProto.TENSOR))
    yield "attribute without value", model([hollow]).SerializeToString(), "has no value"
    constant = helper.make_node("Constant", [], ["y"], value_int=1, value_float=1.0)
    yield "constant of two values", model([constant]).SerializeToString(), "has one value, this one has 2"
    yield "constant of none", model([helper.make_node("Constant", [], ["y"])]).SerializeToString(), "this one has 0"
    circle = functions()
    circle.functions[0].node.add().CopyFrom(helper.make_node("outer", ["a"], ["q"], domain=DOMAIN))
    yield "functions in a circle", circle.SerializeToString(), "calls itself"
    double = functions()
    double.functions.add().CopyFrom(double.functions[0])
    yield "function twice", double.SerializeToString(), "is there twice"


def _tensor(**fields: object) -> TensorProto:
    """A weight `w` of eight f32 numbers; with some fields changed."""
    tensor = _array("w", 8)
    for name, content in fields.items():
        tensor.ClearField(name)
        if isinstance(content, list):
            getattr(tensor, name).extend(content)
        elif content is not None:
            setattr(tensor, name, content)
    return tensor


def _with(tensor: TensorProto) -> bytes:
    return model([helper.make_node("Add", ["x", "w"], ["y"])], [tensor]).SerializeToString()


def _wrong_weights() -> Iterator[tuple[str, bytes, str]]:
    yield "2^40 elements", _with(_tensor(dims=[2**20, 2**20])), "need 4,398,046,511,104 bytes, 32 are there"
    yield "2^62 elements", _with(_tensor(dims=[2**62])), "bytes at most"
    yield "2^80 elements", _with(_tensor(dims=[2**40, 2**40])), "bytes at most"
    yield "2^62 elements and none", _with(_tensor(dims=[0, 2**62], raw_data=None)), "bytes at most"
    yield "negative size", _with(_tensor(dims=[-8])), "impossible sizes"
    yield "two negative sizes", _with(_tensor(dims=[-2, -4])), "impossible sizes"
    yield "40 axes", _with(_tensor(dims=[1] * 39 + [8])), "40 axes"
    yield "too little data", _with(_tensor(raw_data=bytes(31))), "need 32 bytes, 31 are there"
    yield "too much data", _with(_tensor(raw_data=bytes(33))), "need 32 bytes, 33 are there"
    yield "no data", _with(_tensor(raw_data=None)), "8 elements and no data"
    yield "data twice", _with(_tensor(float_data=[1.0] * 8)), "in more than one place"
    yield "too few numbers", _with(_tensor(raw_data=None, float_data=[1.0] * 7)), "8 elements, 7 are there"
    yield "numbers of another field", _with(_tensor(raw_data=None, int64_data=[1] * 8)), "does not hold elements"
    narrow = _tensor(raw_data=None, data_type=TensorProto.INT8, int32_data=[1, 2, 3, 4, 5, 6, 7, 128])
    yield "a number too large", _with(narrow), "does not fit type i8"
    large_fields = _tensor(raw_data=None, dims=[1024], float_data=[1.0] * 1024, data_type=TensorProto.INT32)
    yield "large data of another field", _with(large_fields), "does not hold elements"
    yield "large data too short", _with(_tensor(dims=[1025], raw_data=bytes(4096))), "need 4,100 bytes, 4,096"
    for kind in ("STRING", "COMPLEX64", "FLOAT8E4M3FN", "INT4", "UNDEFINED"):
        tensor = _tensor(data_type=getattr(TensorProto, kind))
        yield f"type {kind}", _with(tensor), f"'w': element type {kind} is not supported"
    yield "type 77", _with(_tensor(data_type=77)), "element type number 77"
    segment = _tensor()
    segment.segment.begin = 1
    yield "a segment", _with(segment), "segments"
    for words, dims, indices in (
        ("has an index outside", [4, 4], [[0, 0], [9, 1]]),
        ("do not fit", [4, 4], [[0, 0]]),
        ("ascending", [4, 4], [7, 3]),
        ("outside its sizes", [4, 4], [3, 16]),
        ("outside its sizes", [4, 4], [-3, 1]),
        ("when dense", [2**20, 2**12], [3, 4]),
        ("bytes at most", [2**40, 2**20], [3, 4]),
    ):
        values = numpy_helper.from_array(np.ones(2, np.float32), "w")
        sparse = helper.make_sparse_tensor(values, numpy_helper.from_array(np.array(indices), "i"), dims)
        proto = model([helper.make_node("Add", ["x", "w"], ["y"])])
        proto.graph.sparse_initializer.append(sparse)
        yield f"sparse {dims} {indices}", proto.SerializeToString(), words


def _external(**entries: str) -> bytes:
    tensor = _tensor(raw_data=None)
    tensor.data_location = TensorProto.EXTERNAL
    for key, content in entries.items():
        tensor.external_data.add(key=key, value=content)
    return _with(tensor)


def _wrong_external_data() -> Iterator[tuple[str, bytes, str]]:
    """Beside the files are those that `write_data` makes."""
    yield "external at /etc/passwd", _external(location="/etc/passwd"), "no path below the model's folder"
    yield "external above", _external(location="../data.bin"), "no path below the model's folder"
    yield "external above and back", _external(location="sub/../../data.bin"), "no path below the model's folder"
    yield "external nowhere", _external(), "no path below the model's folder"
    yield "external zero byte", _external(location="data\0.bin"), "is not text"
    yield "external link", _external(location="link"), "are outside the model's folder"
    yield "external link of a folder", _external(location="up/data.bin"), "are outside the model's folder"
    yield "external circle", _external(location="circle"), "cannot be read"
    yield "external folder", _external(location="sub"), "cannot be read"
    yield "external pipe", _external(location="pipe"), "cannot be read"
    yield "external missing", _external(location="missing.bin"), "cannot be read"
    yield "external long name", _external(location="a" * 5000), ""
    yield "external empty", _external(location="empty"), "past the end"
    yield "external past the end", _external(location="data.bin", offset="40"), "past the end"
    yield "external far past the end", _external(location="data.bin", offset="9" * 17), "past the end"
    yield "external beyond numbers", _external(location="data.bin", offset="9" * 30), "the offset of its external data"
    yield "external negative", _external(location="data.bin", offset="-4"), "the offset of its external data"
    yield "external NaN", _external(location="data.bin", offset="nan"), "the offset of its external data"
    yield "external hex", _external(location="data.bin", length="0x20"), "the length of its external data"
    yield "external short", _external(location="data.bin", length="31"), "need 32 bytes, 31"


def write_data(folder: Path) -> None:
    """The files that models with external data name, in `folder`, and one above it."""
    (folder / "sub").mkdir()
    (folder.parent / "data.bin").write_bytes(bytes(64))
    (folder / "data.bin").write_bytes(bytes(64))
    (folder / "empty").touch()
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "up").symlink_to("..")
    (folder / "circle").symlink_to("circle")
    os.mkfifo(folder / "pipe")


def flipped(seed: int) -> tuple[str, bytes]:
    """A right model with some bits flipped."""
    random_ = random.Random(seed)
    name = random_.choice(list(RIGHT))
    data = bytearray(RIGHT[name]().SerializeToString())
    # Most bytes of `large` are elements, where a flip is no fault.
    reach = min(len(data), 400) if random_.random() < 0.5 else len(data)
    for _ in range(random_.choice([1, 1, 2, 4, 16])):
        data[random_.randrange(reach)] ^= 1 << random_.randrange(8)
    if random_.random() < 0.1:
        del data[random_.randrange(len(data)) :]
    return f"{name} with flips of seed {seed}", bytes(data)
