"""A graph that grows node by node: what the draws of ops add to, and what they draw operands and numbers with."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from onnx import NodeProto, ValueInfoProto, defs, helper
from onnx.reference import ReferenceEvaluator
from onnx_cases import Case, by_onnxruntime, differences

F32, F64, I32, I64, I8, U8, BOOL = np.float32, np.float64, np.int32, np.int64, np.int8, np.uint8, np.bool_
LARGEST = 20_000
"""Elements of a value."""
MAGNITUDE = 1e4
"""Values whose elements are larger are no operands: what is computed of them depends on roundings."""


class Refused(Exception):
    """The drawn node does not fit."""


class Graph:
    """
    Nodes so far, and the elements of every value, which `onnx.reference` computes. onnxruntime computes the same for
    each node whose op it has.

    Attributes:
        arrays: all values by name.
        inputs, constants: those that no node makes.
        results: names of those that nodes make.
        has_shape_inputs: whether parameters such as shapes and axes may be inputs.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.count = 0
        self.nodes: list[NodeProto] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.inputs: dict[str, np.ndarray] = {}
        self.constants: dict[str, np.ndarray] = {}
        self.results: list[str] = []
        self.opset = self.random.randrange(13, 24)
        self.has_shape_inputs = self.random.random() < 0.3

    def attempt(self, draw: Callable[[Graph], object]) -> bool:
        """Draws, and returns whether it fits; where it does not, the graph is as it was before."""
        state = dict(self.arrays), dict(self.inputs), dict(self.constants), list(self.results)
        nodes = len(self.nodes)
        try:
            draw(self)
        except Refused:
            self.arrays, self.inputs, self.constants, self.results = state
            del self.nodes[nodes:]
            return False
        return True

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def fresh(self, array: np.ndarray, constant: float = 0.3) -> str:
        is_constant = self.random.random() < constant
        name = self.new("w" if is_constant else "x")
        (self.constants if is_constant else self.inputs)[name] = self.arrays[name] = array
        return name

    def parameter(self, values: Sequence[int] | np.ndarray, dtype: Any = np.int64) -> str:
        array = np.asarray(values, dtype)
        chance = self.random.random()
        if self.has_shape_inputs and chance < 0.5:
            return self.fresh(array, 0)
        name = self.fresh(array, 1)
        if chance < 0.7 or array.dtype != np.int64 or array.ndim > 1:
            return name
        if chance < 0.85:  # a value that another node computes
            other = self.fresh(np.ones_like(array), 1)
            return self.add("Mul", [name, other])[0]
        return self.add("Cast", [self.add("Cast", [name], to=6)[0]], to=7)[0]

    def candidates(self, accepts: Callable[[np.ndarray], bool]) -> list[str]:
        return [name for name in self.arrays if accepts(self.arrays[name]) and _is_tame(self.arrays[name])]

    def add(self, op_type: str, operands: Sequence[str], outputs: int = 1, **attributes: Any) -> list[str]:
        if not _has(op_type, self.opset):
            raise Refused
        results = [self.new("v") for _ in range(outputs)]
        stated = {name: value for name, value in attributes.items() if value is not None and value != []}
        node = helper.make_node(op_type, list(operands), results, **stated)
        values = self._computed(node)
        self.nodes.append(node)
        self.results += results
        self.arrays.update(zip(results, values, strict=True))
        return results

    def _computed(self, node: NodeProto) -> list[np.ndarray]:
        names = list(dict.fromkeys(name for name in node.input if name))
        infos = [typed_input(name, self.arrays[name]) for name in names]
        results = [helper.make_empty_tensor_value_info(name) for name in node.output]
        graph = helper.make_graph([node], "node", infos, results)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=9)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                values = ReferenceEvaluator(model).run(None, {name: self.arrays[name] for name in names})
        except Exception as error:  # the reference checks little: what does not fit ends in any exception
            raise Refused from error
        arrays = [np.asarray(value) for value in values]
        if any(array.size > LARGEST for array in arrays):
            raise Refused
        others = by_onnxruntime(Case(node.op_type, model, {name: self.arrays[name] for name in names}))
        if others is not None and differences(arrays, others):
            raise Refused
        return arrays

    def pick(self, *items: Any) -> Any:
        return self.random.choice(items)

    def maybe(self, value: Any, chance: float = 0.5) -> Any:
        """The value, or None: the attribute is left out."""
        return value if self.random.random() < chance else None

    def shape(self, low: int = 0, high: int = 4, largest: int = 5) -> tuple[int, ...]:
        sizes = [self.random.choice([1, 2, 3, 4, largest, 8]) for _ in range(self.random.randint(low, high))]
        if sizes and self.random.random() < 0.02:
            sizes[0] = 0
        return tuple(sizes)

    def array(self, shape: Sequence[int], dtype: Any = F32) -> np.ndarray:
        kind = np.dtype(dtype).kind
        if kind == "f":
            array = self.numbers.standard_normal(shape) * self.pick(1, 1, 3)
            if self.random.random() < 0.1:
                array = np.round(array)  # ties, zeros
            return np.asarray(array, dtype)
        if kind == "b":
            return np.asarray(self.numbers.integers(0, 2, shape), dtype)
        low = 0 if kind == "u" else -9
        if np.dtype(dtype).itemsize == 1 and self.random.random() < 0.4:
            return np.asarray(self.numbers.integers(np.iinfo(dtype).min, int(np.iinfo(dtype).max) + 1, shape), dtype)
        return np.asarray(self.numbers.integers(low, 10, shape), dtype)

    def operand(
        self, low: int = 0, high: int = 4, dtypes: Sequence[Any] = (F32, F32, F32, F64), fresh: float = 0.3
    ) -> str:
        """A value of so many axes: one that is there, or a new one."""
        names = self.candidates(lambda a: low <= a.ndim <= high and a.dtype.type in dtypes)
        if names and self.random.random() > fresh:
            return self.random.choice(names)
        return self.fresh(self.array(self.shape(low, high), self.random.choice(dtypes)), 0.2)

    def like(self, name: str, fresh: float = 0.4) -> str:
        """A value of the same type whose shape broadcasts with that of another one."""
        one = self.arrays[name]

        def fits(a: np.ndarray) -> bool:
            pairs = zip(a.shape[::-1], one.shape[::-1], strict=False)
            return a.dtype == one.dtype and all(p == q or 1 in (p, q) for p, q in pairs)

        names = self.candidates(fits)
        if names and self.random.random() > fresh:
            return self.random.choice(names)
        shape = [1 if self.random.random() < 0.3 else n for n in one.shape]
        shape = shape[self.random.choice([0, 0, 0, 1, len(shape)]) :]
        if self.random.random() < 0.1:
            shape = [2, *shape]
        return self.fresh(self.array(shape, one.dtype.type), 0.4)

    def axis(self, rank: int) -> int:
        if not rank:
            raise Refused
        return self.random.randrange(-rank, rank)

    def axes(self, rank: int, least: int = 0) -> list[int]:
        chosen = self.random.sample(range(rank), self.random.randint(min(least, rank), rank))
        return [a - rank if self.random.random() < 0.3 else a for a in chosen]


def _has(op_type: str, opset: int) -> bool:
    try:
        return bool(defs.get_schema(op_type, opset))
    except defs.SchemaError:
        return False


def typed_input(name: str, array: np.ndarray, shape: Sequence[int | str] | None = None) -> ValueInfoProto:
    return helper.make_tensor_value_info(
        name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape if shape is None else shape
    )


def _is_tame(array: np.ndarray) -> bool:
    if array.dtype.kind == "b" or not array.size:
        return True
    return bool(np.isfinite(array.astype(np.float64)).all() and np.abs(array.astype(np.float64)).max() < MAGNITUDE)
