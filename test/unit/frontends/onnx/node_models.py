"""Models of one node of onnxruntime's own domain, run planned, naive and in onnxruntime."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from onnx import ValueInfoProto, helper, numpy_helper

import lastuse

Array = np.ndarray
Arrays = Mapping[str, Array | None]


class NodeModel(NamedTuple):
    """A node: its inputs by name, None where one is left out; those that are `constants` are no inputs of the model."""

    op_type: str
    inputs: Arrays
    attributes: Mapping[str, Any]
    outputs: Sequence[str] = ("y",)
    constants: Collection[str] = ()

    def given(self) -> dict[str, Array]:
        """What a run is passed."""
        return {n: a for n, a in self.inputs.items() if a is not None and n not in self.constants}

    def serialized(self, unknown: Mapping[str, Collection[int]] = {}) -> bytes:
        """The model; the sizes of the axes `unknown` of its inputs, by name, are symbols."""
        names = [name if array is not None else "" for name, array in self.inputs.items()]
        node = helper.make_node(
            self.op_type, names, self.outputs, name="node", domain="com.microsoft", **self.attributes
        )

        def info(name: str, array: Array) -> Any:
            free = unknown.get(name, ())
            sizes = [f"{name}{axis}" if axis in free else size for axis, size in enumerate(array.shape)]
            return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), sizes)

        weights = [numpy_helper.from_array(np.asarray(self.inputs[name]), name) for name in self.constants]
        graph = helper.make_graph(
            [node],
            "g",
            [info(name, array) for name, array in self.given().items()],
            [ValueInfoProto(name=name) for name in self.outputs if name],
            weights,
        )
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()

    def results(self, **options: Any) -> dict[str, Array]:
        return lastuse.compile(self.serialized(), threads=1, **options).run(self.given())

    def results_of_onnxruntime(self) -> dict[str, Array]:
        """Raises whatever onnxruntime raises for what it does not compute."""
        import onnxruntime

        session = onnxruntime.InferenceSession(self.serialized(), providers=["CPUExecutionProvider"])
        return dict(zip([n for n in self.outputs if n], session.run(None, self.given()), strict=True))


def check(model: NodeModel, *wanted: Mapping[str, Array], atol: float = 2e-6) -> None:
    """Results are all those wanted, and the plan changes none of their bits."""
    got = model.results()
    naive = model.results(inplace=False, plan=False)
    for name in got:
        np.testing.assert_array_equal(got[name], naive[name], err_msg=name)
    for name, want in ((name, want) for results in wanted for name, want in results.items()):
        assert got[name].shape == want.shape
        np.testing.assert_allclose(got[name], want, rtol=1e-5, atol=atol, err_msg=name)
