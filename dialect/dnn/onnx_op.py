"""`dnn.onnx_op`: an op of ONNX that has no class of its own here, by ONNX's own definition of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def, var_operand_def, var_result_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, integer, integers
from lastuse.dialect.dnn.base import Array, DnnOp, UnknownShapeError
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import MAX_CONTENT, TensorInfo, dtype_name, name_of_dtype, numpy_dtype
from lastuse.dialect.storage.contract import CPU_ONLY, Contract

if TYPE_CHECKING:
    from onnx import ModelProto


@irdl_op_definition
class OnnxOp(DnnOp):
    """The ONNX op `op` of the domain `domain` in version `version` of its opset, computed by `onnx.reference`.

    `attrs`: the attributes of the node. `present`: for each input of the node 1, or 0 where an optional one is left
    out; without it all are operands. Results have fresh memory. Sizes that depend on the elements of an operand
    have to be known while compiling. `onnx` is imported when the op is first used.
    """

    name = "dnn.onnx_op"
    EXAMPLE: ClassVar = (
        '{attrs = {axis = -1 : i64}, op = "Hardmax", version = 13 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>'
    )
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    kind = attr_def(StringAttr, attr_name="op")
    domain = opt_attr_def(StringAttr)
    version = attr_def(INTEGER)
    attrs = opt_attr_def(DictionaryAttr)
    present = opt_attr_def(INTEGERS)

    def storage(self) -> Contract:
        return Contract(engines=CPU_ONLY)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        stated = tuple(self.result_type(k) for k in range(len(self.results)))
        if any(not isinstance(d, int) for info in operands for d in info.shape):
            return stated
        try:
            inferred = inferred_types(self.node(operands))
        except UnknownShapeError:
            return stated  # it depends on elements of an operand
        if [(len(t.shape), t.dtype) for t in inferred] != [(len(t.shape), t.dtype) for t in stated]:
            return inferred
        # A size that follows from elements is as stated.
        shapes = [
            tuple(s if d is None else d for d, s in zip(t.shape, u.shape, strict=True))
            for t, u in zip(inferred, stated, strict=True)
        ]
        return tuple(info._replace(shape=shape) for info, shape in zip(inferred, shapes, strict=True))

    def infer_with_contents(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        infos = inferred_types(self.node(operands))
        arrays = [info.numbers for info in operands]
        known = [array for array in arrays if array is not None]
        if len(known) == len(arrays) and any(None in info.shape for info in infos):
            return self._computed(known, infos)
        return tuple(
            info._replace(content=content) for info, content in zip(infos, self.contents(operands), strict=True)
        )

    def _computed(self, operands: Sequence[Array], infos: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        """The results on known operands, whose sizes depend on elements: of such ops shape inference knows no sizes."""
        try:
            results = self.reference(*operands)
        except LastuseError as error:
            raise ValueError(error.message) from error
        contents = [tuple(r.reshape(-1).tolist()) if r.size <= MAX_CONTENT else None for r in results]
        return tuple(
            TensorInfo(r.shape, info.dtype, content) for r, info, content in zip(results, infos, contents, strict=True)
        )

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        infos = [TensorInfo(array.shape, name_of_dtype(array.dtype)) for array in operands]
        names = [f"i{k}" for k in range(len(operands))]
        try:
            results = _evaluator(self.node(infos)).run(None, dict(zip(names, operands, strict=True)))
        except MemoryError:
            raise
        except Exception as error:  # it checks little: what does not fit ends in any exception of Python or numpy
            words = " ".join(str(error).split())
            raise LastuseError(f"onnx.reference cannot compute {self.kind.data}: {words}", self) from error
        wanted = [numpy_dtype(self.result_type(k).dtype) for k in range(len(self.results))]
        return tuple(np.asarray(r).astype(dtype, copy=False) for r, dtype in zip(results, wanted, strict=True))

    def node(self, operands: Sequence[TensorInfo]) -> OnnxNode:
        """The node that the op stands for, on operands of these types."""
        attributes = {} if self.attrs is None else dict(self.attrs.data)
        present = tuple(integers(self.present)) if self.present is not None else (1,) * len(operands)
        domain = "" if self.domain is None else self.domain.data
        key = tuple(sorted(attributes.items()))
        version = integer(self.version, 0)
        return OnnxNode(self.kind.data, domain, version, key, present, tuple(operands), len(self.results))


class OnnxNode:
    """A node on operands of known types, to ask `onnx` about; equal nodes are one key of a cache."""

    def __init__(
        self,
        kind: str,
        domain: str,
        version: int,
        attributes: tuple[tuple[str, Attribute], ...],
        present: tuple[int, ...],
        operands: tuple[TensorInfo, ...],
        results: int,
    ) -> None:
        self.key = kind, domain, version, attributes, present, operands, results

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OnnxNode) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def model(self) -> ModelProto:
        """The model of this node alone; operands whose numbers are known are initializers."""
        from onnx import helper, numpy_helper

        kind, domain, version, attributes, present, operands, results = self.key
        numbers = iter(range(len(operands)))
        inputs = [f"i{next(numbers)}" if there else "" for there in present]
        outputs = [f"o{k}" for k in range(results)]
        arguments = {name: value for name, attribute in attributes if (value := _python(attribute)) is not None}
        node = helper.make_node(kind, inputs, outputs, domain=domain, **arguments)
        values, initializers = [], []
        for index, info in enumerate(operands):
            element = helper.np_dtype_to_tensor_dtype(numpy_dtype(info.dtype))
            shape = [d if isinstance(d, int) else None if d is None else str(d) for d in info.shape]
            values.append(helper.make_tensor_value_info(f"i{index}", element, shape))
            if info.numbers is not None:
                initializers.append(numpy_helper.from_array(info.numbers, f"i{index}"))
        graph = helper.make_graph(
            [node], "node", values, [helper.make_empty_tensor_value_info(name) for name in outputs], initializers
        )
        imports = [helper.make_opsetid(domain, version)]
        return helper.make_model(graph, opset_imports=imports)


@lru_cache(maxsize=4096)
def inferred_types(node: OnnxNode) -> tuple[TensorInfo, ...]:
    """The types of the results, by `onnx.shape_inference`; a size that it does not tell is None.

    Raises:
        UnknownShapeError: it does not tell the rank of a result.
        ValueError: the operands do not fit, or a result is no tensor of a type that is supported.
    """
    from onnx import helper, shape_inference

    try:
        inferred = shape_inference.infer_shapes(node.model(), strict_mode=True, data_prop=True)
    except shape_inference.InferenceError as error:
        raise ValueError(" ".join(str(error).split())) from error
    infos: list[TensorInfo] = []
    for output in inferred.graph.output:
        tensor = output.type.tensor_type
        if not output.type.HasField("tensor_type") or not tensor.elem_type:
            raise ValueError(f"result {len(infos)} is no tensor of a known element type")
        if not tensor.HasField("shape"):
            raise UnknownShapeError(f"the rank of result {len(infos)} is not known while compiling")
        sizes = tuple(dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim)
        infos.append(TensorInfo(sizes, name_of_dtype(helper.tensor_dtype_to_np_dtype(tensor.elem_type))))
    return tuple(infos)


@lru_cache(maxsize=256)
def _evaluator(node: OnnxNode) -> Any:
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(node.model())


def _python(attribute: Attribute) -> Any:
    """The Python value that `onnx.helper` makes an attribute of."""
    from onnx import numpy_helper

    match attribute:
        case IntegerAttr():
            return attribute.value.data
        case FloatAttr():
            return attribute.value.data
        case StringAttr():
            return attribute.data
        case DenseArrayBase():
            whole = isinstance(attribute.elt_type, IntegerType)
            values = attribute.get_values()  # pyright: ignore[reportAttributeAccessIssue]
            return [int(n) if whole else float(n) for n in values]
        case ArrayAttr():
            return [_python(item) for item in attribute.data]
        case DenseIntOrFPElementsAttr():
            type_ = attribute.type
            dtype = numpy_dtype(dtype_name(type_.element_type))
            flat = np.frombuffer(attribute.data.data, dtype)
            shape = tuple(type_.get_shape())
            # A single element stands for all.
            return numpy_helper.from_array(np.full(shape, flat[0]) if flat.size == 1 else flat.reshape(shape))
        case _:
            raise ValueError(f"an attribute of type {attribute.name} is not supported")
