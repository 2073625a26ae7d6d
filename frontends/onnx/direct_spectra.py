"""
DFT and STFT of ONNX's own domain as products with a constant matrix: both are linear, so its rows are what
`onnx.reference` makes of the elements of a basis.

A row takes as many multiply-adds as the matrix has elements. Up to `MAX_ELEMENTS` that is less than what
`onnx.reference` takes to be called. Inverse transforms are left to it: ONNX's own test of one asks for its rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from onnx import TensorProto, helper
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.attributes import axis_of
from lastuse.frontends.onnx.attention import Steps
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import constant, finish

MAX_ELEMENTS = 1 << 23
"""Elements of a matrix: 32 MiB of f32."""
OPSET = 20
"""The opset whose DFT makes the rows."""


def _matrix(size: int, parts: int, length: int | None, onesided: int) -> np.ndarray:
    """What a DFT makes of each part, real or imaginary, of `size` numbers, f64 [size * parts, results, their parts]."""
    from onnx.reference import ReferenceEvaluator

    arrays = {"x": np.eye(size * parts).reshape(size * parts, size, parts), "axis": np.array(1)}
    if length is not None:
        arrays["length"] = np.array(length)
    inputs = ["x", "" if length is None else "length", "axis"]
    node = helper.make_node("DFT", inputs, ["y"], onesided=onesided)
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in arrays.items()
    ]
    graph = helper.make_graph([node], "dft", infos, [helper.make_tensor_value_info("y", TensorProto.DOUBLE, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    (rows,) = ReferenceEvaluator(model).run(None, arrays)
    return np.asarray(rows)


def _scalar(b: OnnxBuilder, value: SSAValue | None) -> int | None:
    """The number that a value holds, None where it is not known or not there."""
    numbers = None if value is None else b.numbers(value)
    return None if numbers is None or numbers.size != 1 else int(numbers.reshape(())[()])


def _dft(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue] | None:
    """The result of a node on f32 whose sizes are known; None for another one."""
    s, x, rank = Steps(b, node), node.input(0), b.rank(node.input(0))
    length, axis = (_scalar(b, node.optional(k)) for k in (1, 2))
    unknown = [k for k, number in ((1, length), (2, axis)) if node.optional(k) is not None and number is None]
    if b.dtype(x) != "f32" or rank < 2 or unknown or node.attributes["inverse"]:
        return None
    along = axis_of(node.attributes.get("axis", -2) if axis is None else axis, rank, "axis:")
    size, parts = s.shape(x)[along], s.shape(x)[-1]
    if along == rank - 1 or not isinstance(size, int) or not isinstance(parts, int) or size < 1 or parts not in (1, 2):
        return None
    if 4 * size * max(size, length or 0) > MAX_ELEMENTS:
        return None
    matrix = _matrix(size, parts, length, node.attributes["onesided"])
    order = [k for k in range(rank - 1) if k != along] + [along, rank - 1]
    if along != rank - 2:
        x = s.transpose(x, *order)
    rows = s.reshape(x, [*[0] * (rank - 2), size * parts])
    flat = constant(b, node, matrix.reshape(size * parts, -1).astype(np.float32), "matrix")
    product = s.op("MatMul", rows, flat)
    sizes = [*[0] * (rank - 2), *matrix.shape[1:]]
    if along == rank - 2:
        return [finish(b, node, "Reshape", product, s.integers(sizes), allowzero=0)]
    back = [order.index(k) for k in range(rank)]
    return [finish(b, node, "Transpose", s.reshape(product, sizes), perm=back)]


def _stft(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue] | None:
    """The result of a node on a real signal of f32 whose frames are known; None for another one."""
    s, signal, window = Steps(b, node), node.input(0), node.optional(2)
    step, length = _scalar(b, node.input(1)), _scalar(b, node.optional(3))
    if length is None and node.optional(3) is None and window is not None:
        (size,) = s.shape(window)
        length = size if isinstance(size, int) else None
    rank = b.rank(signal)
    is_real = rank == 2 or (rank == 3 and s.shape(signal)[2] == 1)
    if b.dtype(signal) != "f32" or not is_real or step is None or length is None or step < 1 or length < 1:
        return None
    if 2 * length * length > MAX_ELEMENTS or (window is not None and list(s.shape(window)) != [length]):
        return None
    matrix = _matrix(length, 1, None, node.attributes["onesided"])
    bins = matrix.shape[1]
    filters = constant(b, node, matrix.reshape(length, 2 * bins).T[:, None].astype(np.float32), "matrix")
    if window is not None:
        filters = s.op("Mul", filters, window)
    x = s.unsqueeze(signal, 1) if rank == 2 else s.transpose(signal, 0, 2, 1)
    frames = s.transpose(s.op("Conv", x, filters, strides=[step]), 0, 2, 1)
    return [finish(b, node, "Reshape", frames, s.integers([0, 0, bins, 2]), allowzero=0)]


DIRECT_SPECTRA: Mapping[str, Callable[[OnnxBuilder, GraphNode], Sequence[SSAValue] | None]] = {
    "DFT": _dft,
    "STFT": _stft,
}
"""Handlers of ops that `dnn.onnx_op` computes else: None where it has to."""
