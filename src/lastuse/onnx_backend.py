"""`lastuse.onnx_backend`: the interface by which `onnx` runs models, and its own tests of every op.

`onnx.backend.test.BackendTest(lastuse.onnx_backend, __name__)` makes the tests.
"""

from __future__ import annotations

import unittest
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, defs, helper, shape_inference
from onnx.backend.base import Backend, BackendRep, namedtupledict

from lastuse.compiler.driver import compile
from lastuse.compiler.program import Program
from lastuse.dialect.ir.diagnostics import LastuseError, UnsupportedError


class LastuseRep(BackendRep):
    """A compiled model."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The outputs of the model, in order.

        Args:
            inputs: an array per input in order, or arrays by name.

        Raises:
            SkipTest: the model has an op or a type that is not supported.
            LastuseError: the inputs do not fit.
        """
        names = list(self.program.inputs)
        arrays = inputs if isinstance(inputs, Mapping) else dict(zip(names, inputs, strict=True))
        try:
            results = self.program.run({name: np.asarray(arrays[name]) for name in names})
        except UnsupportedError as error:
            raise unittest.SkipTest(error.message) from error
        return namedtupledict("Outputs", list(results))(*results.values())


class LastuseBackend(Backend):
    """Compiles ONNX models and runs them on the CPU."""

    @classmethod
    def is_compatible(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether the model can be read."""
        try:
            cls.prepare(model, device, **kwargs)
        except (LastuseError, unittest.SkipTest):
            return False
        return True

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> LastuseRep:
        """The compiled model.

        Raises:
            SkipTest: it has an op or a type that is not supported.
            LastuseError: it is wrong.
        """
        super().prepare(model, device, **kwargs)
        try:
            return LastuseRep(compile(model.SerializeToString(), **kwargs))
        except UnsupportedError as error:
            raise unittest.SkipTest(error.message) from error

    @classmethod
    def run_node(
        cls,
        node: NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[np.dtype, tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """Runs one node of the newest opset, or of that of `opset_version`; raises as `prepare` and `run` do."""
        super().run_node(node, inputs, device, outputs_info, **kwargs)
        names = [name for name in node.input if name]
        arrays = inputs if isinstance(inputs, Mapping) else dict(zip(names, inputs, strict=True))
        types = {name: helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype) for name, array in arrays.items()}
        graph = helper.make_graph(
            [node],
            node.name or node.op_type,
            [helper.make_tensor_value_info(name, types[name], np.shape(arrays[name])) for name in names],
            [helper.make_empty_tensor_value_info(name) for name in node.output if name],
        )
        opset = helper.make_opsetid(node.domain, kwargs.pop("opset_version", defs.onnx_opset_version()))
        model = shape_inference.infer_shapes(helper.make_model(graph, opset_imports=[opset]))
        return cls.run_model(model, arrays, device, **kwargs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """`CPU` alone."""
        return device.partition(":")[0] == "CPU"


prepare, run_model, run_node = LastuseBackend.prepare, LastuseBackend.run_model, LastuseBackend.run_node
supports_device, is_compatible = LastuseBackend.supports_device, LastuseBackend.is_compatible
