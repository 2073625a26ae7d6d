"""One case of a GRU fusion system as IR of ours, with arrays for what it leaves open.

The cases name operands by their role in Paddle's ops and may leave roles out; sizes that are -1 are unknown, and a
size of the letter C is any. Constants without values get random ones, and so do the arguments of a run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Case = dict[str, Any]

LENGTHS = (3, 0, 4, 1)
"""Of the sequences where a case gives none."""
CHANNELS = 2
"""What the letter C stands for."""
ROLES = {
    "gru": ("Input", "Weight", "Bias", "H0"),
    "fused_gru": ("X", "WeightX", "WeightH", "Bias", "H0"),
}
"""In the order of our operands; offsets come after them, and operandSegmentSizes says which are there."""
DECLARED = ("is_reverse", "origin_mode", "activation", "gate_activation", "axis", "layers", "layout")


class Text:
    """A case as the text of a function.

    Attributes:
        text: the function; its results are the case's outputs.
        feed: an array for every argument.
    """

    def __init__(self, case: Case, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self.case, self.arrays = case, dict(arrays or {})
        self.rng = np.random.default_rng(int(case["id"][1:]))
        program = case["program"]
        self.lengths: Sequence[int] = next((i["lod_lengths"] for i in program["inputs"] if "lod_lengths" in i), LENGTHS)
        self.types = {"offsets": f"tensor<{len(self.lengths) + 1}xi64>"}
        self.feed: dict[str, np.ndarray] = {"offsets": np.cumsum([0, *self.lengths])}
        self.lines: list[str] = []
        self.given: list[str] = []
        for value in program["inputs"]:
            self._input(value)
        for op in program["ops"]:
            self._op(op)
        self.given.append(f"%offsets: {self.types['offsets']}")
        outputs = program["outputs"]
        types = ", ".join(self.types[name] for name in outputs)
        results = ", ".join(f"%{name}" for name in outputs)
        body = "\n".join(self.lines)
        head = f"func.func @main({', '.join(self.given)}) -> ({types})"
        self.text = f"{head} {{\n{body}\n  func.return {results} : {types}\n}}\n"

    def _input(self, value: Case) -> None:
        name = value["name"]
        if value.get("constant"):
            given = np.asarray(value["values"]) if "values" in value else self._array(name, value["shape"])
            self._constant(name, given)
            return
        rows = sum(self.lengths) if value.get("lod") or "lod_lengths" in value else len(self.lengths)
        shape = [rows if size == -1 else CHANNELS if size == "C" else size for size in value["shape"]]
        self.feed[name] = self._array(name, shape).astype(np.float32)
        self.types[name] = _tensor(shape)
        self.given.append(f"%{name}: {self.types[name]}")

    def _array(self, name: str, shape: Sequence[int]) -> np.ndarray:
        return self.arrays[name] if name in self.arrays else self.rng.normal(size=shape)

    def _constant(self, name: str, array: np.ndarray) -> None:
        self.types[name] = _tensor(array.shape)
        numbers = np.asarray(array, np.float32).reshape(-1).tobytes().hex().upper()
        value = f'dense<"0x{numbers}"> : {self.types[name]}'
        self.lines.append(f'  %{name} = "dnn.constant"() {{value = {value}}} : () -> {self.types[name]}')

    def _op(self, op: Case) -> None:
        for name in op["operands"]:  # weights that the case names and has arrays for are constants
            if name not in self.types:
                self._constant(name, self.arrays[name])
        kind, operands, attributes = op["kind"], list(op["operands"]), dict(op["attrs"])
        made = op["results"][0]
        shape = [self._size(size) for size in made["shape"]]
        for result in op["results"]:
            if result.get("role") == "Hidden":
                made, shape = result, [sum(self.lengths), result["shape"][-1]]
        given = {key: attributes[key] for key in DECLARED if key in attributes}
        if kind in ROLES:
            by_role = dict(zip(attributes.get("operand_roles", ROLES[kind]), operands, strict=False))
            order = [by_role.get(role) for role in ROLES[kind]]
            operands = [name for name in order if name is not None]
            operands[0] = self._matrix(operands[0])
            given["operandSegmentSizes"] = [int(name is not None) for name in (*order, "offsets")]
            operands.append("offsets")
        elif kind in ("multi_gru", "bidirectional_gru"):
            kind, given["mode"] = "multi_gru", attributes.get("combine", "concat")
            given["layers"] = attributes.get("layers", 1)
            given.pop("axis", None)
            operands.append("offsets")
        elif kind == "matmul":
            given, shape = {}, [*self._shape(operands[0])[:-1], self._shape(operands[1])[-1]]
        elif kind != "concat":
            given.pop("axis", None)
        if kind not in (*ROLES, "multi_gru", "matmul", "concat"):
            shape = list(np.broadcast_shapes(*(self._shape(name) for name in operands)))
        if kind == "concat":
            first, axis = self._shape(operands[0]), given["axis"]
            shape = [sum(self._shape(n)[a] for n in operands) if a == axis else d for a, d in enumerate(first)]
        engine = attributes.get("onednn", attributes.get("use_mkldnn"))
        self._emit(kind, operands, given, made["name"], shape, engine)

    def _emit(
        self, kind: str, operands: Sequence[str], given: Mapping[str, Any], name: str, shape: Sequence[int], engine: Any
    ) -> None:
        self.types[name] = _tensor(shape)
        texts = [f"{key} = {_literal(value)}" for key, value in given.items()]
        texts += ['dnn.engine = "onednn"'] * bool(engine)
        types = ", ".join(self.types[o] for o in operands)
        names = ", ".join(f"%{o}" for o in operands)
        self.lines.append(f'  %{name} = "dnn.{kind}"({names}) {{{", ".join(texts)}}} : ({types}) -> {self.types[name]}')

    def _matrix(self, name: str) -> str:
        """A value of rows by columns; one of more axes is reshaped."""
        shape = self._shape(name)
        if len(shape) == 2:
            return name
        self._emit("reshape", [name], {}, f"{name}_rows", [math.prod(shape[:-1]), shape[-1]], None)
        return f"{name}_rows"

    def _shape(self, name: str) -> list[int]:
        return [int(n) for n in self.types[name][7:-1].split("x")[:-1]]

    def _size(self, size: int | str) -> int:
        return sum(self.lengths) if size == -1 else CHANNELS if isinstance(size, str) else size


def _tensor(shape: Sequence[int]) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"array<i32: {', '.join(map(str, value))}>"
    return f"{value} : i64" if isinstance(value, int) else f'"{value}"'
