"""`--backward-pass`: from a function with a loss to one that computes gradients, or a step of training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.passes.differentiation.backward_part import BackwardPart, loss_results
from lastuse.passes.differentiation.updates import OPTIMIZERS, StepSignature, Updates


@dataclass(frozen=True)
class BackwardPass(ModulePass):
    """Add gradients, or the updates of a step of training.

    Requires: verified IR, before anything is decided. One result is the loss (`dnn.loss`); trainable arguments have
        `dnn.trainable`. Sizes along which operands may be broadcast are known.
    Guarantees: the results there are stay the same. Without an optimizer the gradient of the loss by each trainable
        argument is one more result, called `<name>.gradient`. With one, the updated argument is, tied to it; states of
        the optimizer are further arguments, with updated ones as results, and `lr` is the learning rate. A gradient
        reads no more of its op than the op's contract says, so what it does not read is dead once the forward part has
        used it. A trainable argument that the loss does not depend on, or only through ops without a slope (`ceil`),
        has no gradient: a warning names it.
        The gradient of an `scf.if` is an `scf.if`, that of an `scf.for` with constant bounds an `scf.for`;
        what these read of an arm or a body runs again, but for iteration arguments, which the loop keeps.
        An op without a gradient, between a trainable argument and the loss, is an error.
    Leaves alone: functions without a loss.
    Example: `%b = "dnn.relu"(%a)`, on the way from `%w: tensor<3xf32> {dnn.trainable}` to the loss, has the gradient
        `"dnn.relu_grad"(%b, %2)`, and one more result is `tensor<3xf32> {dnn.name = "w.gradient"}`.

    Options:
        optimizer: `none` (default), `sgd`, `momentum` or `adam`.
        clip: gradients of parameters are brought into [-clip, clip] before they are used (default 0: they are not).
        weight_decay: times the parameter is added to its gradient (default 0).
        momentum: of `momentum`: the part of the velocity that is kept (default 0.9).
        nesterov: of `momentum`: look ahead by the velocity (default false).
        beta1: of `adam`: the part of the first moment that is kept (default 0.9).
        beta2: of `adam`: the part of the second moment that is kept (default 0.999).
        epsilon: of `adam`: is added to the root of the second moment (default 1e-8).
        mirror: build the backward part as the mirror of the forward part, to compare memory with (default false): the
            gradient of each op keeps all that the op reads and computes, and updates come last. Results are the same.
        check: a loss that is not finite is an error at run time, before any parameter is updated (default false).
    """

    name: ClassVar[str] = "backward-pass"

    optimizer: str = "none"
    clip: float = 0.0
    weight_decay: float | None = None
    momentum: float | None = None
    nesterov: bool | None = None
    beta1: float | None = None
    beta2: float | None = None
    epsilon: float | None = None
    mirror: bool = False
    check: bool = False

    def __post_init__(self) -> None:
        choices = ("none", *OPTIMIZERS)
        if self.optimizer not in choices:
            raise LastuseError(f"optimizer is one of {', '.join(choices)}, not '{self.optimizer}'")
        allowed = OPTIMIZERS[self.optimizer].options if self.optimizer != "none" else ()
        for option in ("weight_decay", "momentum", "nesterov", "beta1", "beta2", "epsilon"):
            if getattr(self, option) is not None and option not in allowed:
                raise LastuseError(f"optimizer={self.optimizer} has no option '{option}'")
        if not self.clip >= 0:
            raise LastuseError(f"clip is a number from 0 on, not {self.clip}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [func for func in defined_functions(op) if loss_results(func)]
        if not functions:
            raise LastuseError(f"no result of a function is a loss ({attrs.LOSS})", op)
        for func in functions:
            self._differentiate(ctx, func)

    def _differentiate(self, ctx: Context, func: FuncOp) -> None:
        part, signature = BackwardPart(func, self.mirror), StepSignature(func)
        for op in part.slow:
            remark(ctx, RemarkKind.REFUSAL, op, "its gradient is computed in numpy", reason=op.training_refusal())
        updates = None
        if self.optimizer != "none":
            optimizer = OPTIMIZERS[self.optimizer]
            options = {option: getattr(self, option) for option in optimizer.options}
            updates = Updates(signature, part.builder, optimizer, options, part.loss if self.check else None)
        reached = set[str]()
        gradients = list(part.gradients()) if self.mirror else part.gradients()
        for parameter, gradient in gradients:
            reached.add(argument_name(parameter))
            if self.clip:
                gradient = part.builder.emit("clip", gradient, min=-self.clip, max=self.clip)
            if updates is None:
                signature.result(gradient, f"{argument_name(parameter)}.gradient")
            else:
                updates.update(parameter, gradient)
        if self.check and updates is None:
            part.require_finite_loss()
        signature.apply()
        part.erase_dead()
        for argument in func.body.block.args:
            if attrs.TRAINABLE in attrs.argument_attributes(argument) and argument_name(argument) not in reached:
                message = f"the loss does not depend on the trainable argument {argument_name(argument)}"
                remark(ctx, RemarkKind.WARNING, func, message)
