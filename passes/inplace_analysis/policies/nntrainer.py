"""nntrainer's in-place modes (its commit "Add modes to inplace layer execution"), on sound analyses.

Layers are walked in order, first come first served. Each gets a mode, which follows from its own kind and from the
modes of the layers before it alone:

* `none`: out of place. It puts no restriction on the layers behind it.
* `restricting`: in place, and what it leaves in that memory is needed (its backward reads its result, or several
  readers share it): a layer right behind it must not overwrite that.
* `non_restricting`: in place, and the layers behind it need not care.

A restriction holds for memory, so every view passes it on, also one that is no layer of nntrainer's.

A value with several readers counts as having the multiout layer in between that nntrainer inserts there. nntrainer
trains; here the forward part is a function of its own, so whatever reads memory later is seen by the analysis, which
refuses what the modes alone would get wrong (the user's own tensor behind an input layer).
"""

from __future__ import annotations

import enum

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from lastuse.dialect.dnn import activations, batch_norm, views
from lastuse.dialect.dnn.base import DnnOp
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis, InPlaceDecisions

LAYERS = frozenset(
    {
        activations.ReluOp,
        activations.SigmoidOp,
        activations.TanhOp,
        activations.GeluOp,
        activations.SiluOp,
        activations.LeakyReluOp,
        activations.EluOp,
        batch_norm.BatchNormOp,
        views.FlattenOp,
        views.IdentityOp,
        views.MultioutOp,
        views.ReshapeOp,
    }
)
"""Layers that support in-place. A layer of another dialect supports it where its contract says so."""

UNRULED = frozenset({views.ReshapeOp})
"""Supports in-place, and none of the rules accepts it."""

IO_INDEPENDENT = frozenset({batch_norm.BatchNormOp})
"""Layers whose backward reads neither their input nor their output, as nntrainer's table has it. That of a batch
normalisation does read its input, in training or for the gradient of the scale: the op's contract says so. Where an op
of a backward part reads the input, the layer is refused with the reason `backward-needs`; elsewhere the table holds."""


class Mode(enum.Enum):
    """How a layer executes."""

    NONE = "none"
    RESTRICTING = "restricting"
    NON_RESTRICTING = "non_restricting"


class NntrainerPolicy:
    """The mode of each layer, from the modes of those before it.

    `plan` is what the walk has written so far: a layer that the analysis refuses has mode `none`, and restricts no
    other.
    """

    def __init__(self, program: NumberedOps) -> None:
        self.program, self.plan = program, InPlaceDecisions()
        self.modes: dict[Operation, Mode] = {}

    def rejects(self, program: NumberedOps, op: Operation, result: int, operand: int) -> Reason | None:
        if not self._supports(op) or operand != 0 and isinstance(op, DnnOp):
            return Reason.NOT_LISTED
        self.advance(program.at[op])
        if type(op) in IO_INDEPENDENT and self._backward_reads(op, operand):
            return Reason.BACKWARD_NEEDS
        return Reason.RESTRICTING_INPUT if self._wanted(op) is Mode.NONE else None

    def _backward_reads(self, op: Operation, operand: int) -> bool:
        """Whether an op behind reads the operand for the gradient of `op`, whose contract says so: an op that has no
        gradient of its own computes one."""
        backward = self.program.contract(op).backward
        if backward is None or operand not in backward.operands:
            return False
        later = (use.operation for use in op.operands[operand].uses if self._is_behind(use.operation, op))
        return any(isinstance(reader, DnnOp) and self.program.contract(reader).backward is None for reader in later)

    def _is_behind(self, reader: Operation, op: Operation) -> bool:
        return self.program.at.get(reader, -1) > self.program.at[op]

    def advance(self, until: int) -> None:
        """Note the modes of the ops before time `until`, all of which are decided by then."""
        for op in self.program.ops[len(self.modes) : until]:
            self.modes[op] = self._wanted(op) if self._is_in_place(op) else Mode.NONE

    def _wanted(self, op: Operation) -> Mode:
        """The mode that the rules give a layer; whether its memory allows that, the analysis says."""
        contract = self.program.contract(op)
        if not self._supports(op) or type(op) in UNRULED:
            return Mode.NONE
        # What comes from the layers before: operand 0; the other operands of a dnn layer are its weights.
        restricted = any(map(self._restricts, op.operands[:1] if isinstance(op, DnnOp) else op.operands))
        if contract.fans_out:
            return Mode.RESTRICTING
        if contract.views or contract.backward is None:
            return Mode.RESTRICTING if restricted else Mode.NON_RESTRICTING
        if restricted:
            return Mode.NONE
        io_independent = (
            type(op) in IO_INDEPENDENT or not contract.backward.results and 0 not in contract.backward.operands
        )
        return Mode.NON_RESTRICTING if io_independent else Mode.RESTRICTING

    def _supports(self, op: Operation) -> bool:
        return type(op) in LAYERS or not isinstance(op, DnnOp) and bool(self.program.contract(op).over)

    def _restricts(self, value: SSAValue) -> bool:
        """What is in the memory of `value` must not be overwritten. A view of any kind, in the list or not, is bytes of
        its operand: it is restricted as that is."""
        while True:
            readers = sum(1 for use in value.uses if not use.operation.has_trait(IsTerminator))
            if readers > 1 or isinstance(value, OpResult) and self.modes.get(value.op) is Mode.RESTRICTING:
                return True
            view = self.program.view(value) if value not in self.plan.copies else None
            if view is None or not isinstance(value, OpResult):
                return False
            value = value.op.operands[view.operand]

    def _is_in_place(self, op: Operation) -> bool:
        if self.program.contract(op).views:
            return all(self.program.view(r) is not None and r not in self.plan.copies for r in op.results)
        return self.plan.is_in_place(op)


def decide(program: NumberedOps, parts: bool) -> InPlaceDecisions:
    """The modes and what follows from them for a function; nntrainer knows no scatters and no parts."""
    policy = NntrainerPolicy(program)
    decider = GreedyAnalysis(program, policy.rejects)
    policy.plan = decider.plan
    plan = decider.run()
    policy.advance(len(program.ops))
    layers = (op for op in program.ops if any(r in program.sizes for r in op.results))
    plan.modes = {op: policy.modes[op].value for op in layers if not program.contract(op).constant}
    return plan
