"""The ops that compute the gradients of a function's trainable arguments, behind its forward part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.region_contents import read_by
from lastuse.dialect.ir.tensor_types import dtype_name
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.analysis.gradient_needs import GradientNeeds, gradient_needs
from lastuse.passes.differentiation.block_gradients import BlockGradients, with_saved_results


class BackwardPart:
    """Builds the backward part of a function of one block.

    Attributes:
        needs: which values have a gradient.
        slow: the ops of the forward part with a gradient that is not the fast one, for what `training_refusal` says.
        builder: adds ops before the return.
    """

    def __init__(self, func: FuncOp, mirror: bool = False) -> None:
        """
        Args:
            mirror: keep what each op reads and computes until its gradients are there.

        Raises:
            LastuseError: the function has several blocks, no loss or several, or nothing that is trainable.
        """
        if len(func.body.blocks) != 1:
            raise LastuseError("a function of several blocks has no gradient: only structured control flow has", func)
        last = func.body.block.last_op
        assert isinstance(last, ReturnOp)
        self.func, self._mirror = func, mirror
        number, trainable = _loss_result(func), _trainable(func)
        needs = gradient_needs(func, last.operands[number], trainable)
        for op in list(func.body.block.ops):
            with_saved_results(op, needs.values)
        self.loss = last.operands[number]
        self.needs: GradientNeeds = gradient_needs(func, self.loss, trainable)
        self.builder = GradientBuilder(Builder(InsertPoint.before(last)), last, infer_shapes(func))
        self._gradients = BlockGradients(set(self.needs.values), self.builder)
        self._forward = [op for op in func.body.block.ops if op is not last]
        with_gradient = [op for op in self._forward if any(result in self.needs.values for result in op.results)]
        self.slow = [op for op in with_gradient if isinstance(op, DnnOp) and op.training_refusal() is not None]

    def gradients(self) -> Iterator[tuple[BlockArgument, SSAValue]]:
        """Adds the backward part. Each parameter is named with its gradient as soon as that is complete, so that what
        uses it may be added before the ops that follow. A parameter whose gradient is zero everywhere is left out.

        Raises:
            LastuseError: at an op that has no gradient.
        """
        if self.loss not in self.needs.values:
            return
        self._gradients.known[self.loss] = self.builder.emit("ones", like=self.loss)
        complete: dict[Operation | None, list[BlockArgument]] = {}
        for parameter in self.needs.trainable:
            uses = {self._ancestor(use.operation) for use in parameter.uses}
            complete.setdefault(next((op for op in self._forward if op in uses), None), []).append(parameter)
        for op in (None, *reversed(self._forward)):
            if op is not None:
                self._gradients.differentiate(op)
                if self._mirror:
                    self._keep(op)
            for parameter in complete.get(op, ()):
                if parameter in self._gradients.known:  # what lies between it and the loss may have no slope anywhere
                    yield parameter, self._gradients.known[parameter]

    def require_finite_loss(self) -> None:
        """Replaces the result that is the loss by one that is an error where it is not finite."""
        last, number = self.func.body.block.last_op, loss_results(self.func)[0]
        assert last is not None
        self.builder.origin = self.loss.op if isinstance(self.loss, OpResult) else last
        last.operands[number] = self.builder.emit("require_finite", self.loss, self.loss)

    def erase_dead(self) -> None:
        """Erases the ops of the backward part that compute what no op uses."""
        last = self.func.body.block.last_op
        forward = set(self._forward)
        for op in reversed(list(self.func.body.block.ops)):
            if op is not last and op not in forward and op.results and all(r.first_use is None for r in op.results):
                op.detach()
                op.erase()

    def _keep(self, op: Operation) -> None:
        """Keeps what an op reads and computes until the gradients that it gives are there."""
        known = self._gradients.known
        gradients = [known[value] for value in read_by(op) if value in known]
        if gradients and any(result in known for result in op.results):
            values = (value for value in (*read_by(op), *op.results) if isinstance(value.type, TensorType))
            kept = [value for value in values if isinstance(value, OpResult)]
            self.builder.emit_all("keep", *dict.fromkeys([*gradients, *kept]), results=0)

    def _ancestor(self, op: Operation) -> Operation:
        """The op of the function's block that an op stands in, or is."""
        while (around := op.parent_op()) is not self.func:
            assert around is not None
            op = around
        return op


def loss_results(func: FuncOp) -> list[int]:
    """The numbers of the results that are marked as the loss."""
    results = range(len(func.function_type.outputs.data))
    return [index for index in results if attrs.LOSS in attrs.result_attributes(func, index)]


def _loss_result(func: FuncOp) -> int:
    """The number of the result that is the loss.

    Raises:
        LastuseError: there is none, or several, or it is no single floating-point number.
    """
    types, marked = func.function_type.outputs.data, loss_results(func)
    if len(marked) != 1:
        raise LastuseError(f"one result must be the loss ({attrs.LOSS}), not {len(marked)}", func)
    type_ = types[marked[0]]
    assert isinstance(type_, TensorType)
    if any(size != 1 for size in type_.get_shape()) or not is_float(dtype_name(type_.element_type)):
        raise LastuseError(f"the loss must be one floating-point number, not {type_}", func)
    return marked[0]


def _trainable(func: FuncOp) -> Sequence[BlockArgument]:
    """The trainable arguments.

    Raises:
        LastuseError: there is none, or one holds no floating-point numbers.
    """
    marked = [a for a in func.body.block.args if attrs.TRAINABLE in attrs.argument_attributes(a)]
    if not marked:
        raise LastuseError(f"no argument is trainable ({attrs.TRAINABLE})", func)
    for argument in marked:
        assert isinstance(argument.type, TensorType)
        if not is_float(dtype_name(argument.type.element_type)):
            raise LastuseError(
                f"the trainable argument {argument_name(argument)} holds no floating-point numbers", func
            )
    return marked
