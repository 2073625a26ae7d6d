"""
Writes the networks beside it, each with its loss and with what is trained as arguments:

    python examples/training/networks/write_networks.py [folder]

`lenet` LeCun et al. 1998 with ReLU and max pools, 28 x 28 pixels; `resnet18` He et al. 2015 for pictures of 32 x 32
(a stem of 3 x 3, no pool behind it); `transformer` an encoder block as in Vaswani et al. 2017, with GELU; `tagger_crf`
a GRU over ragged sentences in both directions under a linear-chain CRF; `lstm` a layer as one op, `lstm_cells` the same
step by step. Weights of linear layers are [out, in], those of convolutions [out, in, height, width].
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.compiler.driver import context
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.files import write_whole
from lastuse.dialect.ir.tensor_types import TensorInfo, tensor_type
from lastuse.dialect.storage import attrs
from lastuse.tools.printer import printed

FOLDER = Path(__file__).parent


class Network:
    """A function that grows: arguments, ops, and at the end its results."""

    def __init__(self) -> None:
        self.func = FuncOp("main", ([], []))
        self._block = self.func.body.block
        self._emit = GradientBuilder(Builder(InsertPoint.at_end(self._block)), self.func)
        self._arguments: list[DictionaryAttr] = []
        self._results: list[tuple[SSAValue, DictionaryAttr]] = []

    def argument(self, name: str, *shape: int, dtype: str = "f32", **marks: Attribute) -> BlockArgument:
        """One more argument; `marks` are further attributes, without `dnn.`."""
        argument = self._block.insert_arg(tensor_type(TensorInfo(shape, dtype)), len(self._block.args))
        argument.name_hint = name.replace(".", "_")
        named: Mapping[str, Attribute] = {attrs.NAME: StringAttr(name)}
        self._arguments.append(DictionaryAttr({**named, **{f"dnn.{mark}": value for mark, value in marks.items()}}))
        return argument

    def parameter(self, name: str, *shape: int) -> BlockArgument:
        """An argument that is trained."""
        return self.argument(name, *shape, trainable=UnitAttr())

    def op(self, kind: str, *operands: SSAValue, **attributes: Any) -> SSAValue:
        """`dnn.<kind>`, which has one result."""
        return self._emit.emit(kind, *operands, **attributes)

    def ops(self, kind: str, *operands: SSAValue, results: int, **attributes: Any) -> Sequence[SSAValue]:
        """`dnn.<kind>`."""
        return self._emit.emit_all(kind, *operands, results=results, **attributes)

    def result(self, value: SSAValue, name: str, **marks: Attribute) -> None:
        """One more result."""
        named: Mapping[str, Attribute] = {attrs.NAME: StringAttr(name)}
        self._results.append((value, DictionaryAttr({**named, **{f"dnn.{mark}": at for mark, at in marks.items()}})))

    def linear(self, x: SSAValue, name: str, inputs: int, outputs: int) -> SSAValue:
        """x @ weights + bias, for each row."""
        weights, bias = self.parameter(f"{name}.weight", outputs, inputs), self.parameter(f"{name}.bias", outputs)
        return self.named(self.op("gemm", x, weights, bias, transB=1), name)

    def relu(self, x: SSAValue, name: str) -> SSAValue:
        """max(x, 0), which is printed as `<name>_relu`."""
        return self.named(self.op("relu", x), f"{name}_relu")

    def named(self, value: SSAValue, name: str) -> SSAValue:
        """The value, which is printed with this name."""
        value.name_hint = name.replace(".", "_")
        return value

    def normalised(self, x: SSAValue, name: str, channels: int) -> SSAValue:
        """Batch normalisation, whose running statistics are updated in place."""
        scale, shift = (self.parameter(f"{name}.{part}", channels) for part in ("weight", "bias"))
        running = [self.argument(f"{name}.{part}", channels, donated=UnitAttr()) for part in ("mean", "variance")]
        y, *updated = self.ops("batch_norm", x, scale, shift, *running, results=3, training_mode=1)
        for old, new, part in zip(running, updated, ("mean", "variance"), strict=True):
            self.result(new, f"{name}.{part}", tied=IntegerAttr(old.index, i32))
        return self.named(y, name)

    def module(self, loss: SSAValue) -> ModuleOp:
        """The module, in which `loss` is marked."""
        self.result(loss, "loss", loss=UnitAttr())
        self._block.add_op(ReturnOp(*(value for value, _ in self._results)))
        self.func.update_function_type()
        self.func.arg_attrs = ArrayAttr(self._arguments)
        self.func.res_attrs = ArrayAttr([named for _, named in self._results])
        return ModuleOp([self.func])


def lenet(batch: int = 64, pixels: int = 28) -> ModuleOp:
    """Two convolutions of 5 x 5 with max pools, and three linear layers."""
    n = Network()
    x, labels = n.argument("x", batch, 1, pixels, pixels), n.argument("y", batch, dtype="i64")
    value: SSAValue = x
    for name, inputs, outputs, pad in (("conv1", 1, 6, 2), ("conv2", 6, 16, 0)):
        filters, bias = n.parameter(f"{name}.weight", outputs, inputs, 5, 5), n.parameter(f"{name}.bias", outputs)
        value = n.relu(n.named(n.op("conv", value, filters, bias, pads=[pad] * 4), name), name)
        value = n.op("max_pool", value, kernel_shape=[2, 2], strides=[2, 2])
    value = n.op("flatten", value, axis=1)
    width = 16 * ((pixels // 2 - 4) // 2) ** 2
    value = n.relu(n.linear(value, "fc1", width, 120), "fc1")
    value = n.relu(n.linear(value, "fc2", 120, 84), "fc2")
    return n.module(n.op("softmax_cross_entropy", n.linear(value, "fc3", 84, 10), labels))


def resnet18(batch: int = 8, pixels: int = 32, width: int = 64) -> ModuleOp:
    """Four stages of two blocks; `width` channels in the first, twice as many in each that follows."""
    n = Network()
    x, labels = n.argument("x", batch, 3, pixels, pixels), n.argument("y", batch, dtype="i64")

    def conv(value: SSAValue, name: str, inputs: int, outputs: int, size: int, stride: int = 1) -> SSAValue:
        filters = n.parameter(f"{name}.weight", outputs, inputs, size, size)
        convolved = n.op("conv", value, filters, pads=[size // 2] * 4, strides=[stride] * 2)
        return n.normalised(n.named(convolved, name), f"{name}.norm", outputs)

    value = n.relu(conv(x, "stem", 3, width, 3), "stem")
    inputs = width
    for stage in range(4):
        outputs = width << stage
        for block in range(2):
            name, stride = f"stage{stage + 1}.{block + 1}", 2 if stage and not block else 1
            inner = n.relu(conv(value, f"{name}.conv1", inputs, outputs, 3, stride), f"{name}.conv1")
            inner = conv(inner, f"{name}.conv2", outputs, outputs, 3)
            if inputs != outputs:
                value = conv(value, f"{name}.shortcut", inputs, outputs, 1, stride)
            value, inputs = n.relu(n.op("add", inner, value), name), outputs
    value = n.op("flatten", n.op("global_average_pool", value), axis=1)
    return n.module(n.op("softmax_cross_entropy", n.linear(value, "fc", inputs, 10), labels))


def transformer(batch: int = 1, words: int = 128, width: int = 768, heads: int = 12, hidden: int = 3072) -> ModuleOp:
    """Attention and a network of two layers, each with a residual connection and layer normalisation behind it, in the
    sizes of BERT (Devlin et al. 2019). The loss is the mean squared distance to a target."""
    n = Network()
    x, target = (n.argument(name, batch * words, width) for name in ("x", "target"))
    depth = width // heads

    def normed(value: SSAValue, name: str) -> SSAValue:
        return n.op("layer_norm", value, n.parameter(f"{name}.weight", width), n.parameter(f"{name}.bias", width))

    def apart(name: str) -> SSAValue:
        rows = n.op("reshape", n.linear(x, name, width, width), shape=[batch, words, heads, depth])
        return n.op("transpose", rows, perm=[0, 2, 1, 3])

    query, key, value = (apart(name) for name in ("query", "key", "value"))
    scores = n.op("matmul", query, n.op("transpose", key, perm=[0, 1, 3, 2]))
    weights = n.op("softmax", n.op("scale", scores, scale=depth**-0.5), axis=-1)
    mixed = n.op("transpose", n.op("matmul", weights, value), perm=[0, 2, 1, 3])
    mixed = n.op("reshape", mixed, shape=[batch * words, width])
    middle = normed(n.op("add", n.linear(mixed, "out", width, width), x), "norm1")
    wide = n.op("gelu", n.linear(middle, "up", width, hidden), approximate="none")
    y = normed(n.op("add", n.linear(wide, "down", hidden, width), middle), "norm2")
    return n.module(n.op("mse", y, target))


def tagger_crf(rows: int = 360, sentences: int = 16, words: int = 1000, width: int = 64, tags: int = 8) -> ModuleOp:
    """The GRUs of `tagger.mlir` under a linear-chain CRF, over `rows` words in all sentences together."""
    n = Network()
    tokens, labels = n.argument("words", rows, dtype="i64"), n.argument("tags", rows, dtype="i64")
    offsets = n.argument("offsets", sentences + 1, dtype="i64")
    x = n.op("gather", n.parameter("embedding", words, width), tokens, axis=0)
    segments = DenseArrayBase.from_list(i32, [1, 1, 1, 1, 0, 1])
    sides: list[SSAValue] = []
    for direction in ("forward", "backward"):
        shapes = {"input": (width, 3 * width), "state": (width, 3, width), "bias": (1, 3 * width)}
        weights = [n.parameter(f"{direction}.{part}", *shape) for part, shape in shapes.items()]
        backward = True if direction == "backward" else None
        sides.append(
            n.op("fused_gru", x, *weights, offsets, is_reverse=backward, origin_mode=True, operandSegmentSizes=segments)
        )
    emission = n.linear(n.op("concat", *sides, axis=1), "tag", 2 * width, tags)
    cost = n.op("linear_chain_crf", emission, n.parameter("transition", tags + 2, tags), labels, offsets)
    return n.module(n.op("reduce_mean", cost))


def lstm(steps: int = 8, batch: int = 32, inputs: int = 256, width: int = 256) -> ModuleOp:
    """One LSTM layer as one op. The loss is the mean squared distance of the last state to a target."""
    n = Network()
    x, target = n.argument("x", steps, batch, inputs), n.argument("target", 1, batch, width)
    weights = [n.parameter("w", 1, 4 * width, inputs), n.parameter("r", 1, 4 * width, width)]
    segments = DenseArrayBase.from_list(i32, [1, 1, 1, 1, 0, 0, 0, 0])
    operands = (x, *weights, n.parameter("b", 1, 8 * width))
    _, state, _ = n.ops("onnx_lstm", *operands, results=3, hidden_size=width, operandSegmentSizes=segments)
    return n.module(n.op("mse", state, target))


def lstm_cells(steps: int = 8, batch: int = 32, inputs: int = 256, width: int = 256) -> ModuleOp:
    """The same layer, each step as ops of its own; the bias is the sum of both of `lstm`."""
    n = Network()
    x, target = n.argument("x", steps, batch, inputs), n.argument("target", batch, width)
    w, r, bias = n.parameter("w", 4 * width, inputs), n.parameter("r", 4 * width, width), n.parameter("b", 4 * width)
    state: SSAValue | None = None
    cell: SSAValue | None = None
    for step in range(steps):
        gates = n.op("gemm", n.op("select", x, dim=0, index=step), w, bias, transB=1)
        if state is not None:
            gates = n.op("gemm", state, r, gates, transB=1)
        entry, shown, kept, new = n.ops("split", gates, results=4, axis=1, split_size=width)
        entered = n.op("mul", n.op("sigmoid", entry), n.op("tanh", new))
        cell = entered if cell is None else n.op("add", n.op("mul", n.op("sigmoid", kept), cell), entered)
        state = n.op("mul", n.op("sigmoid", shown), n.op("tanh", cell))
    assert state is not None
    return n.module(n.op("mse", state, target))


NETWORKS: Mapping[str, Callable[..., ModuleOp]] = {
    build.__name__: build for build in (lenet, resnet18, transformer, tagger_crf, lstm, lstm_cells)
}


def defaults(name: str) -> Mapping[str, int]:
    """The sizes of a network that its file has."""
    return {size: parameter.default for size, parameter in inspect.signature(NETWORKS[name]).parameters.items()}


def text(name: str) -> str:
    """What the file of a network holds; each of its arguments and results has a line."""
    build = NETWORKS[name]
    about = "\n".join(f"// {line}" for line in (inspect.getdoc(build) or "").splitlines())
    first, *ops = printed(build().body.block.ops.first, context()).splitlines()  # pyright: ignore[reportArgumentType]
    signature = first.replace("main(%", "main(\n    %").replace(", %", ",\n    %").replace("-> (", "\n  -> (\n    ")
    signature = signature.replace("}, tensor", "},\n    tensor")
    lines = "\n".join([about, signature, *ops]).split("\n")
    return "".join(f"{line.rstrip()}\n" for line in lines)


def main(folder: Path = FOLDER) -> None:
    """Writes each network to `<name>.mlir`."""
    for name in NETWORKS:
        write_whole(folder / f"{name}.mlir", lambda file, name=name: file.write(text(name).encode()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
