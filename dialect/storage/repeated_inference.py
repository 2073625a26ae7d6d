"""Inference of one function for some sizes after others: what follows from none of the sizes is inferred once."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.ir.remembered import Answers, unchanged_ops
from lastuse.dialect.ir.tensor_types import TensorInfo, static_shape
from lastuse.dialect.storage.shape_inference import (
    Inference,
    InferenceRound,
    InferredCalls,
    StatedType,
    bound_argument,
    infer_with_sizes,
)

FIRST_WALKS = 2
"""Walks whose answers are kept: the first one is of all ops, the second one as all others are. Ops that become others
in each walk, as `dnn.dynamic` does, leave answers that none asks for again."""


class RepeatedInference:
    """
    Inference of a function that does not change from call to call.

    A value is *settled* where it is the same for all sizes: in a function of one block, arguments of known sizes, and
    the results of ops that tell their shapes and have settled operands alone. Later walks leave these ops out.
    """

    def __init__(self, func: FuncOp) -> None:
        self._func, self._types = func, dict[int, StatedType]()
        self._answers, self._walks, self._counts = Answers(), 0, dict[object, int]()
        self._settled: dict[SSAValue, TensorInfo] | None = None
        self._arguments: list[BlockArgument] = []
        self._ops: list[Operation] = []

    def with_sizes(self, bound: Mapping[str, int]) -> Inference:
        """As `infer_with_sizes`, without the values that are settled.

        Raises:
            LastuseError: at the first op that the sizes of its operands do not fit.
        """
        with unchanged_ops(self._answers):
            found = self._inferred(bound)
        self._walks += 1
        if self._walks <= FIRST_WALKS:
            self._counts = {compute: len(kept) for compute, kept in self._answers.items()}
            return found
        for compute, kept in self._answers.items():
            for _ in range(len(kept) - self._counts.get(compute, 0)):
                kept.popitem()  # the latest one
        return found

    def _inferred(self, bound: Mapping[str, int]) -> Inference:
        if self._settled is None:
            self._settled = self._settle(infer_with_sizes(self._func, bound))
        if not self._settled:
            return infer_with_sizes(self._func, bound)
        walk = InferenceRound(set(), InferredCalls(self._func), reachable=True, stated_types=self._types)
        walk.sizes.update(self._settled)
        for argument in self._arguments:
            info = bound_argument(argument, bound)
            assert info is not None, "a tensor"
            walk.sizes[argument] = info
        for op in self._ops:
            walk.op(op)
        found = infer_with_sizes(self._func, bound) if walk.wrong else Inference(walk.sizes, walk.regions)
        return found._replace(sizes={v: info for v, info in found.sizes.items() if v not in self._settled})

    def _settle(self, inference: Inference) -> dict[SSAValue, TensorInfo]:
        """The settled values; notes the arguments and ops that are not. Nothing where there are several blocks."""
        blocks = list(self._func.body.blocks)
        if len(blocks) != 1:
            return {}
        tensors = [argument for argument in blocks[0].args if isinstance(argument.type, TensorType)]
        settled: dict[SSAValue, TensorInfo] = {
            argument: inference.sizes[argument] for argument in tensors if None not in static_shape(argument.type)
        }
        self._arguments = [argument for argument in tensors if argument not in settled]
        for op in blocks[0].ops:
            tells = isinstance(op, InfersShapes) and not op.regions
            if tells and all(operand in settled for operand in operands_of(op)):
                settled |= {r: inference.sizes[r] for r in op.results if r in inference.sizes}
            else:
                self._ops.append(op)
        return settled
