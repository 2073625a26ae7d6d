"""Wrong ONNX models: nodes whose operands or attributes do not fit, graphs within nodes, functions, types of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from onnx import AttributeProto, FunctionProto, NodeProto, TensorProto, helper, numpy_helper
from wrong_models import DOMAIN, F32, model

Wrong = tuple[str, bytes, str]
BOOL, I64 = TensorProto.BOOL, TensorProto.INT64


def wrong_nodes() -> Iterator[Wrong]:
    """As `wrong_models`: what is wrong, the file, words of the error."""
    yield from _left_out()
    yield from _flags()
    yield from _element_types()
    yield from _attributes()
    yield from _operands()
    yield from _quantized()
    yield from _graphs_within()
    yield from _functions()
    yield from _values()


def _weight(name: str, content: object, dtype: object = np.float32) -> TensorProto:
    return numpy_helper.from_array(np.asarray(content, dtype), name)  # pyright: ignore


def _one(
    what: str,
    words: str,
    op: str,
    inputs: Sequence[str],
    weights: Sequence[TensorProto] = (),
    opset: int = 22,
    **attributes: Any,
) -> Wrong:
    node = helper.make_node(op, list(inputs), ["y"])
    for name, content in attributes.items():
        kind = AttributeProto.INTS if content == [] else None
        node.attribute.append(helper.make_attribute(name, content, attr_type=kind))
    return f"{op}: {what}", model([node], list(weights), opset).SerializeToString(), words


def _left_out() -> Iterator[Wrong]:
    for op, inputs in (
        *(("Relu", [""]), ("Add", ["x", ""]), ("MatMul", ["", "x"]), ("Concat", ["x", ""]), ("LSTM", ["", "x", "x"])),
        *(("Reshape", ["x", ""]), ("Where", ["x", "", "x"]), ("Max", [""]), ("LayerNormalization", ["x", ""])),
    ):
        attributes: dict[str, Any] = {"axis": 0} if op == "Concat" else {}
        yield _one(f"input {inputs.index('')} left out", "is not optional", op, inputs, (), **attributes)


def _flags() -> Iterator[Wrong]:
    axis = _weight("a", [1], np.int64)
    yield _one("keepdims of 5", "'keepdims' is 5, not 0 or 1", "ReduceSum", ["x", "a"], [axis], keepdims=5)
    yield _one("keepdims of -2^63", "not 0 or 1", "ReduceMax", ["x", "a"], [axis], keepdims=-(2**63))
    yield _one("fmod of -1", "'fmod' is -1, not 0 or 1", "Mod", ["x", "x"], fmod=-1)
    yield _one("transA of 2", "'transA' is 2, not 0 or 1", "Gemm", ["x", "x"], transA=2)
    yield _one("exclusive of 9", "'exclusive' is 9", "CumSum", ["x", "a"], [_weight("a", 1, np.int64)], exclusive=9)


def _element_types() -> Iterator[Wrong]:
    whole, wide = _weight("w", [1] * 8, np.int64), _weight("w", [1.0] * 8, np.float64)
    yield _one("mixed operands", "have element types f32 and i64", "Add", ["x", "w"], [whole])
    yield _one("mixed widths", "have element types f32 and f64", "Mul", ["x", "w"], [wide])
    yield _one("of integers", "element type i64, which the op does not take", "Exp", ["w"], [whole])
    yield _one("of numbers", "element type f32, which the op does not take", "Not", ["x"])
    yield _one("condition of numbers", "input 0 (condition) has element type f32", "Where", ["x", "x", "x"])
    yield _one("a shape of f32", "input 1 (shape) has element type f32", "Reshape", ["x", "w"], [_weight("w", [16])])
    yield _one("a shape of i32", "input 1 (shape)", "Expand", ["x", "w"], [_weight("w", [2, 8], np.int32)])
    yield _one("indices of f32", "input 1 (indices) has element type f32", "Gather", ["x", "x"])
    yield _one("axes of i8", "input 1 (axes)", "ReduceSum", ["x", "w"], [_weight("w", [1], np.int8)])
    yield _one("k of bool", "input 1 (k)", "Trilu", ["x", "w"], [_weight("w", True, np.bool_)])
    yield _one("mixed parts", "have element types f32 and i64", "Concat", ["x", "w"], [whole], axis=0)
    yield _one("of i8", "element type i8", "ReduceSumSquare", ["w"], [_weight("w", [1, 2], np.int8)])
    yield _one("kernel of f64", "element types f32 and f64", "Conv", ["x", "w"], [_weight("w", [[[1]]], np.float64)])
    yield _one("by truth values", "element type i1", "Add", ["w", "w"], [_weight("w", [True], np.bool_)])


def _attributes() -> Iterator[Wrong]:
    kernel, image = _weight("w", np.ones((8, 8, 1))), _weight("i", np.ones((1, 8, 5)))
    yield _one("axis outside", "axis 5 is outside", "Softmax", ["x"], axis=5)
    yield _one("axis far outside", "axis -9223372036854775808 is outside", "Softmax", ["x"], axis=-(2**63))
    yield _one("perm too short", "is no order of 2 axes", "Transpose", ["x"], perm=[0])
    yield _one("perm twice the same", "is no order of 2 axes", "Transpose", ["x"], perm=[1, 1])
    yield _one("perm outside", "axis 7 is outside", "Transpose", ["x"], perm=[0, 7])
    yield _one("cast to text", "STRING is not supported", "Cast", ["x"], to=TensorProto.STRING)
    yield _one("cast to nothing", "a cast to 77 is not supported", "Cast", ["x"], to=77)
    yield _one("unknown mode", "mode is 'mirror'", "Pad", ["x", "w"], [_weight("w", [0] * 4, np.int64)], mode="mirror")
    yield _one("unknown equation", "names an axis twice", "Einsum", ["x"], equation="ij->ik")
    yield _one("equation of nothing", "does not name the 2 axes", "Einsum", ["x"], equation="")
    yield _one("empty pads", "", "Conv", ["i", "w"], [image, kernel], pads=[])
    yield _one("huge pads", "", "MaxPool", ["i"], [image], kernel_shape=[2], pads=[2**62, 2**62])
    yield _one("strides of 0", "", "MaxPool", ["i"], [image], kernel_shape=[2], strides=[0])
    yield _one("no kernel", "", "MaxPool", ["i"], [image], kernel_shape=[])
    yield _one("group of 0", "", "Conv", ["i", "w"], [image, kernel], group=0)
    yield _one("group of -1", "", "Conv", ["i", "w"], [image, kernel], group=-1)
    yield _one("unknown auto_pad", "", "Conv", ["i", "w"], [image, kernel], auto_pad="SAME")
    yield _one("blocks of 0", "", "DepthToSpace", ["i"], [_weight("i", np.ones((1, 1, 1, 1)))], blocksize=0)
    yield _one("unknown activation", "", "RNN", ["i", "w", "w"], [image, kernel], hidden_size=8, activations=["Sine"])
    yield _one("direction that is none", "", "GRU", ["i", "w", "w"], [image, kernel], hidden_size=8, direction="up")
    yield _one("giant text", "…", "Pad", ["x", "w"], [_weight("w", [0] * 4, np.int64)], mode="m" * 5_000_000)
    yield _one("text that is none", "is malformed", "Einsum", ["x"], equation=b"\xff\xfe->\xff")


def _operands() -> Iterator[Wrong]:
    def numbers(*items: int) -> list[TensorProto]:
        return [_weight("w", items, np.int64)]

    yield _one(
        "shapes that do not fit", "sizes 2 and 3 do not broadcast", "Add", ["x", "w"], [_weight("w", np.ones((3, 8)))]
    )
    yield _one("inner sizes that differ", "sizes 8 and 7 differ", "MatMul", ["x", "w"], [_weight("w", np.ones((7, 2)))])
    signal = [_weight("s", np.ones((1, 1, 16, 1))), _weight("n", 4, np.int64)]
    yield _one("axes of a signal", "the signal has 4 axes, not 2 or 3", "STFT", ["s", "n", "", "n"], signal)
    yield _one("another count", "16 elements do not fill a shape of 15", "Reshape", ["x", "w"], numbers(3, 5))
    yield _one("two sizes left open", "-1 at most once", "Reshape", ["x", "w"], numbers(-1, -1))
    yield _one("negative size", "", "Reshape", ["x", "w"], numbers(-7))
    yield _one("a huge shape", "", "Expand", ["x", "w"], numbers(2**40, 2, 8))
    yield _one("a shape beyond memory", "a tensor has", "Expand", ["x", "w"], numbers(2**62, 2, 8))
    yield _one("huge repeats", "a tensor has", "Tile", ["x", "w"], numbers(2**40, 2**40))
    yield _one("negative repeats", "none negative", "Tile", ["x", "w"], numbers(-1, 1))
    yield _one("negative sizes", "has a negative size", "ConstantOfShape", ["w"], numbers(-1, 2))
    yield _one("a huge array", "a tensor has", "ConstantOfShape", ["w"], numbers(2**40, 2**40))
    yield _one("axis outside", "", "Squeeze", ["x", "w"], numbers(9))
    yield _one("a size that is not 1", "it must be 1", "Squeeze", ["x", "w"], numbers(1))
    yield _one("axis twice", "name one twice", "Unsqueeze", ["x", "w"], numbers(0, 0))
    yield _one("index outside", "index 99 is outside", "Gather", ["x", "w"], numbers(99))
    yield _one("too few pads", "pads must be 4 numbers", "Pad", ["x", "w"], numbers(1, 1))
    yield _one("more than there is", "has 2 results", "TopK", ["x", "w"], numbers(99))
    yield _one("parts that do not add up", "does not fit", "Split", ["x", "w"], numbers(1, 99))
    yield _one("step of 0", "", "Slice", ["x", "s", "s", "s", "w"], [*numbers(0), _weight("s", [0], np.int64)])
    yield _one("axes of rank 2", "axes has rank 2", "ReduceSum", ["x", "w"], [_weight("w", [[1]], np.int64)])
    yield _one("step of 0", "", "Range", ["w", "w", "w"], [_weight("w", 0, np.int64)])
    yield _one("bounds that are NaN", "must be finite", "Range", ["w", "w", "w"], [_weight("w", np.nan)])
    yield _one("scales that are NaN", "scales must be", "Resize", ["x", "", "w"], [_weight("w", [np.nan, np.nan])])
    yield _one("scales of 0", "scales must be", "Resize", ["x", "", "w"], [_weight("w", [0.0, 1.0])])
    yield _one("infinite scales", "scales must be", "Resize", ["x", "", "w"], [_weight("w", [np.inf, 1.0])])


def _quantized() -> Iterator[Wrong]:
    scale, zero = _weight("s", [1.0] * 3), _weight("z", [0] * 5, np.uint8)
    yield _one("scales that do not fit", "sizes 8 and 3 differ", "QuantizeLinear", ["x", "s"], [scale])
    yield _one(
        "zero points that do not fit", "0 and 1 axes", "QuantizeLinear", ["x", "s", "z"], [_weight("s", 1.0), zero]
    )
    yield _one("scales of rank 3", "one axis at most", "QuantizeLinear", ["x", "s"], [_weight("s", [[[1.0]]])])
    yield _one("f32", "element type f32", "MatMulInteger", ["x", "x"])
    whole = _weight("w", np.ones((8, 2)), np.uint8)
    yield _one("one operand alone", "element type f32", "MatMulInteger", ["x", "w"], [whole])


def _graphs_within() -> Iterator[Wrong]:
    def graph(outputs: int, inputs: int = 0, name: str = "g"):
        values = [helper.make_tensor_value_info(f"{name}i{k}", (I64, BOOL, F32)[min(k, 2)], []) for k in range(inputs)]
        nodes = [helper.make_node("Neg", ["x"], [f"{name}{k}"]) for k in range(outputs)]
        results = [helper.make_tensor_value_info(f"{name}{k}", F32, None) for k in range(outputs)]
        return helper.make_graph(nodes, name, values, results)

    flag, trips = _weight("f", True, np.bool_), _weight("t", 3, np.int64)

    def branches(first: int, second: int, condition: TensorProto = flag) -> bytes:
        arms = graph(first, name="a"), graph(second, name="b")
        node = helper.make_node("If", ["f"], ["y"], then_branch=arms[0], else_branch=arms[1])
        return model([node], [condition]).SerializeToString()

    yield "If: arms of no results", branches(0, 0), "the arms make 0 and 0 values"
    yield "If: arms of different counts", branches(1, 2), "the arms make 1 and 2 values"
    yield "If: more results than outputs", branches(2, 2), "the arms make 2 and 2 values"
    yield "If: a condition of numbers", branches(1, 1, _weight("f", 1.0)), "element type f32"
    for inputs, outputs in ((0, 0), (2, 1), (3, 0), (3, 1), (4, 2), (2, 3)):
        node = helper.make_node("Loop", ["t", "", "x"], ["y"], body=graph(outputs, inputs))
        yield f"Loop: a body of {inputs} to {outputs}", model([node], [trips]).SerializeToString(), "the body "
    node = helper.make_node("Loop", ["x", "", "x"], ["y"], body=graph(2, 3))
    yield "Loop: trips of f32", model([node]).SerializeToString(), "input 0 (M) has element type f32"
    node = helper.make_node("Loop", ["t", "", "x"], ["y", "z", "u"], body=graph(2, 3))
    yield "Loop: outputs that it has not", model([node], [trips]).SerializeToString(), "the loop makes 1"
    for count in (0, -1, 2, 2**40):
        node = helper.make_node("Scan", ["x"], ["y"], body=graph(1, 1), num_scan_inputs=count)
        yield f"Scan: {count} scanned inputs", model([node]).SerializeToString(), f"num_scan_inputs is {count}"
    node = helper.make_node("Scan", ["x"], ["y"], body=graph(1, 1), num_scan_inputs=1, scan_input_axes=[0, 1])
    yield "Scan: too many axes", model([node]).SerializeToString(), "scan_input_axes has 2 numbers, not 1"
    node = helper.make_node("Scan", ["x"], ["y"], body=graph(1, 1), num_scan_inputs=1, scan_input_axes=[7])
    yield "Scan: an axis outside", model([node]).SerializeToString(), "outside the 2 axes"
    inner = graph(1, name="a")
    inner.node[0].input[0] = "y"
    node = helper.make_node("If", ["f"], ["y"], then_branch=inner, else_branch=graph(1, name="b"))
    yield (
        "If: an arm that reads the result",
        model([node], [flag]).SerializeToString(),
        "Neg uses 'y', which nothing makes",
    )


def _functions() -> Iterator[Wrong]:
    imports = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]

    def function(name: str, *nodes: NodeProto, outputs: Sequence[str] = ("r",)) -> FunctionProto:
        return helper.make_function(DOMAIN, name, ["a"], list(outputs), list(nodes), imports)

    def call(name: str, source: str, target: str, domain: str = DOMAIN) -> NodeProto:
        return helper.make_node(name, [source], [target], domain=domain)

    def calling(*functions: FunctionProto, node: NodeProto | None = None) -> bytes:
        return model([node or call("f", "x", "y")], functions=list(functions)).SerializeToString()

    neg = helper.make_node("Neg", ["a"], ["r"])
    yield "function that calls itself", calling(function("f", call("f", "a", "r"))), "calls itself"
    two = [function("f", call("g", "a", "r")), function("g", call("f", "a", "r"))]
    yield "functions that call each other", calling(*two), "calls itself, or others that do so"
    arm = helper.make_graph([call("f", "a", "u")], "arm", [], [helper.make_tensor_value_info("u", F32, None)])
    chosen = helper.make_node("If", ["a"], ["r"], then_branch=arm, else_branch=arm)
    yield "function that calls itself in an arm", calling(function("f", chosen)), "calls itself"
    yield "function twice", calling(function("f", neg), function("f", neg)), "is there twice"
    yield (
        "function of ONNX's domain",
        calling(helper.make_function("", "f", ["a"], ["r"], [neg], imports)),
        "own domain",
    )
    yield "function that is not there", calling(), "unsupported ops: my.functions.f"
    yield "op of an unknown domain", calling(node=call("Neg", "x", "y", "com.example")), "com.example"
    yield (
        "function without its result",
        calling(function("f", neg, outputs=["elsewhere"])),
        "nothing makes the output 'y'",
    )
    yield (
        "function that reads nothing",
        calling(function("f", helper.make_node("Neg", ["b"], ["r"]))),
        "Neg uses 'b', which nothing makes",
    )
    many = helper.make_node("f", ["x", "x", "x"], ["y"], domain=DOMAIN)
    yield (
        "call with too many inputs",
        calling(function("f", neg), node=many),
        "the function 'f' has 1 inputs, a call of it 3",
    )
    results = helper.make_node("f", ["x"], ["y", "z"], domain=DOMAIN)
    yield (
        "call with too many outputs",
        calling(function("f", neg), node=results),
        "the function 'f' has 1 outputs, a call of it 2",
    )
    twice = function("f", neg, helper.make_node("Abs", ["a"], ["r"]))
    yield "function that makes a value twice", calling(twice), "is used twice"


def _values() -> Iterator[Wrong]:
    def typed(change: str) -> bytes:
        proto = model([helper.make_node("Neg", ["x"], ["y"])])
        item = proto.graph.input[0]
        if change == "none":
            item.ClearField("type")
        elif change == "sequence":
            item.CopyFrom(helper.make_tensor_sequence_value_info("x", F32, [2]))
        elif change == "sparse":
            item.CopyFrom(helper.make_sparse_tensor_value_info("x", F32, [2]))
        elif change == "text":
            item.type.tensor_type.elem_type = TensorProto.STRING
        elif change == "number":
            item.type.tensor_type.elem_type = 99
        elif change == "axes":
            item.type.tensor_type.shape.dim.extend([item.type.tensor_type.shape.dim[0]] * 40)
        elif change == "huge":
            item.type.tensor_type.shape.dim[0].dim_value = 2**62
        elif change == "huge by huge":
            for size in item.type.tensor_type.shape.dim:
                size.dim_value = 2**40
        elif change == "name":
            item.type.tensor_type.shape.dim[0].dim_param = "two\nlines"
        return proto.SerializeToString()

    for change in ("none", "sequence", "sparse", "text", "number", "axes", "huge", "huge by huge", "name"):
        yield f"an input whose type is {change}", typed(change), ""
