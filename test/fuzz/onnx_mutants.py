"""Mutants of the models of ONNX's node tests: attributes, inputs, types, sizes and data changed, by number."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "conformance"))

import onnx_node_cases  # pyright: ignore[reportMissingImports]
from onnx_cases import Case

INTEGERS = (-(2**63), -(2**31), -9, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 16, 100, 2**31, 2**63 - 1)
FLOATS = (float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, 3.0)
TYPES = (
    *(TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.INT8, TensorProto.INT16),
    *(TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8, TensorProto.UINT16, TensorProto.BOOL),
)
LARGEST = 4096
"""Elements of an input."""
Mutation = Callable[[random.Random, ModelProto, dict[str, np.ndarray]], None]


@cache
def sources() -> list[str]:
    """Names of the node tests of tensors alone, whose op is not drawn at random."""
    names: list[str] = []
    for name, case in sorted(onnx_node_cases.cases().items()):
        arrays = (case.data_sets or [([], [])])[0][0]
        if all(isinstance(item, (TensorProto, np.ndarray)) for item in arrays) and len(case.model.graph.node) < 40:
            names.append(name)
    return names


@cache
def _strings() -> list[bytes]:
    cases = onnx_node_cases.cases().values()
    nodes = [node for case in cases for node in case.model.graph.node]
    return sorted({attribute.s for node in nodes for attribute in node.attribute if attribute.s})


@cache
def _op_types() -> dict[tuple[int, int], list[str]]:
    by_arity: dict[tuple[int, int], set[str]] = {}
    for case in onnx_node_cases.cases().values():
        for node in case.model.graph.node:
            if not node.domain:
                by_arity.setdefault((len(node.input), len(node.output)), set()).add(node.op_type)
    return {arity: sorted(types) for arity, types in by_arity.items()}


def mutant(seed: int) -> Case:
    """Mutant number `seed`: a node test with one to three mutations."""
    draw = random.Random(seed)
    name = draw.choice(sources())
    case = onnx_node_cases.cases()[name]
    model = ModelProto()
    model.CopyFrom(case.model)
    arrays = [np.asarray(onnx_node_cases._array(item)) for item in (case.data_sets or [([], [])])[0][0]]
    inputs = dict(zip([item.name for item in model.graph.input], arrays, strict=True))
    applied: list[str] = []
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        mutation = draw.choice(MUTATIONS)
        mutation(draw, model, inputs)
        applied.append(mutation.__name__.strip("_"))
    return Case(f"{name} {' '.join(applied)}", model, inputs)


def _node(draw: random.Random, model: ModelProto) -> NodeProto:
    return draw.choice(model.graph.node)


def _changed_attribute(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    attributes = [attribute for node in model.graph.node for attribute in node.attribute]
    if not attributes:
        return _changed_data(draw, model, inputs)
    attribute = draw.choice(attributes)
    match attribute.type:
        case AttributeProto.INT:
            attribute.i = draw.choice([draw.choice(INTEGERS), attribute.i ^ 1, min(-attribute.i, 2**63 - 1)])
        case AttributeProto.FLOAT:
            attribute.f = draw.choice([draw.choice(FLOATS), attribute.f * 2, -attribute.f])
        case AttributeProto.STRING:
            attribute.s = draw.choice([*_strings(), b"", b"none"])
        case AttributeProto.INTS:
            _changed_list(draw, attribute.ints, INTEGERS)
        case AttributeProto.FLOATS:
            _changed_list(draw, attribute.floats, FLOATS)
        case AttributeProto.STRINGS:
            _changed_list(draw, attribute.strings, _strings())
        case AttributeProto.TENSOR:
            array = numpy_helper.to_array(attribute.t)
            attribute.t.CopyFrom(numpy_helper.from_array(draw.choice([array.ravel(), array[None], array.ravel()[:0]])))
        case _:
            attribute.ClearField("g")


def _changed_list(draw: random.Random, items: Any, values: Sequence[Any]) -> None:
    kept = list(items)
    match draw.randrange(5):
        case 0:
            kept = kept[:-1]
        case 1:
            kept.append(draw.choice(values))
        case 2:
            draw.shuffle(kept)
        case 3:
            kept = []
        case _:
            if kept:
                kept[draw.randrange(len(kept))] = draw.choice(values)
    del items[:]
    items.extend(kept)


def _dropped_attribute(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    node = _node(draw, model)
    if not node.attribute:
        return _changed_data(draw, model, inputs)
    del node.attribute[draw.randrange(len(node.attribute))]


def _retyped_attribute(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    node = _node(draw, model)
    if not node.attribute:
        return _changed_data(draw, model, inputs)
    number = draw.randrange(len(node.attribute))
    value = draw.choice([1, 1.5, "text", [1, 2], [0.5], ["a"], numpy_helper.from_array(np.ones(2, "f"))])
    node.attribute[number].CopyFrom(helper.make_attribute(node.attribute[number].name, value))


def _foreign_attribute(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    other = onnx_node_cases.cases()[draw.choice(sources())].model.graph.node[0]
    if other.attribute:
        _node(draw, model).attribute.append(draw.choice(other.attribute))


def _swapped_inputs(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    node = _node(draw, model)
    names = list(node.input)
    draw.shuffle(names)
    node.input[:] = names


def _dropped_input(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    node = _node(draw, model)
    if not node.input:
        return
    if draw.random() < 0.5:
        node.input[draw.randrange(len(node.input))] = ""
    else:
        del node.input[-1]


def _added_input(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    names = [item.name for item in model.graph.input]
    if names:
        _node(draw, model).input.append(draw.choice([*names, ""]))


def _changed_outputs(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    node = _node(draw, model)
    if draw.random() < 0.5 and len(node.output) > 1:
        number = draw.randrange(len(node.output))
        name, node.output[number] = node.output[number], ""
        kept = [item for item in model.graph.output if item.name != name]
        if kept:
            del model.graph.output[:]
            model.graph.output.extend(kept)
    else:
        node.output.append("more")
        model.graph.output.append(helper.make_empty_tensor_value_info("more"))


def _changed_op(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    node = _node(draw, model)
    node.op_type = draw.choice(_op_types().get((len(node.input), len(node.output)), [node.op_type]))
    if draw.random() < 0.5:
        del node.attribute[:]


def _changed_opset(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    for imported in model.opset_import:
        imported.version = draw.randrange(7, 29)


def _resized_input(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    items = [item for item in model.graph.input if item.name in inputs]
    if not items:
        return
    item = draw.choice(items)
    array = inputs[item.name]
    shape = list(array.shape)
    match draw.randrange(4):
        case 0:
            shape.insert(draw.randint(0, len(shape)), draw.choice([1, 1, 2]))
        case 1 if shape:
            del shape[draw.randrange(len(shape))]
        case 2:
            draw.shuffle(shape)
        case _:
            if shape:
                shape[draw.randrange(len(shape))] = draw.choice([0, 1, 1, 2, 3, 5, 8, 17])
    size = int(np.prod(shape))
    if array.size == 0 or size > LARGEST:
        return
    inputs[item.name] = np.resize(array, shape)
    _state(item, array.dtype, shape)


def _state(item: ValueInfoProto, dtype: np.dtype, shape: list[int] | tuple[int, ...]) -> None:
    name = item.name
    stated = helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)
    item.CopyFrom(stated)


def _retyped_input(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    """One input or all of them get another element type."""
    items = [item for item in model.graph.input if item.name in inputs]
    if not items:
        return
    type_ = helper.tensor_dtype_to_np_dtype(draw.choice(TYPES))
    for item in items if draw.random() < 0.5 else [draw.choice(items)]:
        array = inputs[item.name]
        if array.dtype.kind in "biuf":
            with np.errstate(all="ignore"):
                inputs[item.name] = array.astype(type_)
            _state(item, type_, array.shape)


def _unknown_sizes(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    """Sizes become names, equal sizes the same name or another one."""
    for item in model.graph.input:
        tensor = item.type.tensor_type
        for size in tensor.shape.dim:
            if size.HasField("dim_value") and draw.random() < 0.6:
                size.dim_param = draw.choice([f"n{size.dim_value}", f"m{draw.randrange(1000)}"])
    for item in model.graph.output:
        if draw.random() < 0.7:
            item.type.tensor_type.ClearField("shape")


def _constant_input(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    items = [item for item in model.graph.input if item.name in inputs]
    if not items:
        return
    item = draw.choice(items)
    array = inputs.pop(item.name)
    model.graph.input.remove(item)
    model.graph.initializer.append(numpy_helper.from_array(array, item.name))


def _changed_data(draw: random.Random, model: ModelProto, inputs: dict[str, np.ndarray]) -> None:
    if not inputs:
        return
    name = draw.choice(sorted(inputs))
    array = inputs[name].copy()
    if not array.size or array.dtype.kind not in "iuf":
        return
    values = (
        FLOATS
        if array.dtype.kind == "f"
        else [n for n in INTEGERS if abs(n) < 128 and (n >= 0 or array.dtype.kind == "i")]
    )
    flat = array.reshape(-1)
    for _ in range(draw.choice([1, 1, 3])):
        flat[draw.randrange(flat.size)] = draw.choice(values)
    inputs[name] = array


MUTATIONS: list[Mutation] = [
    *(_changed_attribute, _changed_attribute, _dropped_attribute, _retyped_attribute, _foreign_attribute),
    *(_swapped_inputs, _dropped_input, _added_input, _changed_outputs, _changed_op, _changed_opset),
    *(_resized_input, _resized_input, _retyped_input, _unknown_sizes, _unknown_sizes, _constant_input, _constant_input),
    _changed_data,
]
