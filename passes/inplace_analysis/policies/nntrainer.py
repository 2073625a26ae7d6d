"""nntrainer's in-place modes (its commit "Add modes to inplace layer execution"), on sound analyses.

Layers are walked in order, first come first served. Each gets a mode, which follows from its own kind and from the
modes of the layers before it alone:

* `none`: out of place. It puts no restriction on the layers behind it.
* `restricting`: in place, and what it leaves in that memory is needed (its backward reads its result, or several
  readers share it): a layer right behind it must not overwrite that.
* `non_restricting`: in place, and the layers behind it need not care.

A restriction holds for memory, so every view passes it on, also one that is no layer of nntrainer's.

A value with several readers counts as having the multiout layer in between that nntrainer inserts there.

nntrainer trains. In a step of training, whose loss is marked, layers are the ops that the loss depends on, and readers
are layers; the other ops are the backward part. There a result may be written over the gradient that it is made from if
the layer whose gradient it is executes in place: such a layer shares both. Without a marked loss all ops are layers.
Whatever reads memory later is seen by the analysis, which refuses what the modes alone would get wrong (the user's own
tensor behind an input layer).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from lastuse.dialect.dnn import activations, batch_norm, views
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.flow_graphs import ancestors
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions

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
of a backward part reads the input of a layer, the layer is refused with the reason `backward-needs`; elsewhere the
table holds."""


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
        self._layers = loss_ancestors(program.func)

    def rejects(self, program: NumberedOps, op: Operation, result: int, operand: int) -> Reason | None:
        self.advance(program.at[op])
        if not self._is_layer(op):
            layer = None if self._is_layer(op.operands[operand].owner) else self._layer_of(op)
            mode = Mode.NONE if layer is None else self.modes.get(layer, Mode.NONE)
            return Reason.NOT_LISTED if mode is Mode.NONE else None
        if not self._supports(op) or operand != 0 and isinstance(op, DnnOp):
            return Reason.NOT_LISTED
        needed = self._backward_reads(op, operand)
        if self._wanted(op) is Mode.NONE and not (needed and self._layers is None):  # what reads it may be no fan-out
            return Reason.RESTRICTING_INPUT
        return Reason.BACKWARD_NEEDS if needed else None

    def _is_layer(self, owner: Operation | Block) -> bool:
        """No op of a backward part; arguments come from before."""
        return isinstance(owner, Block) or self._layers is None or top_level(owner) in self._layers

    def _layer_of(self, op: Operation) -> Operation | None:
        """The layer whose gradient an op of the backward part computes: besides gradients it reads what the layer's
        contract says that its gradient reads."""
        read = {value for value in op.operands if self._is_layer(value.owner)}
        near = [value.op for value in read if isinstance(value, OpResult)]
        near += [use.operation for value in read for use in value.uses if self._is_layer(use.operation)]
        for layer in near:
            backward = self.program.contract(layer).backward
            if backward is not None and read == {
                *(layer.operands[k] for k in backward.operands),
                *(layer.results[k] for k in backward.results),
            }:
                return layer
        return None

    def _backward_reads(self, op: Operation, operand: int) -> bool:
        """Whether an op of the backward part reads the operand, or what it is a view of. Where it is not known which
        ops these are, one that has no gradient of its own is, if the contract says that the gradient of `op` reads the
        operand."""
        value = op.operands[operand]
        if self._layers is not None:
            return any(not self._is_layer(use.operation) for v in self._viewed(value) for use in v.uses)
        backward = self.program.contract(op).backward
        if backward is None or operand not in backward.operands:
            return False
        later = (use.operation for use in value.uses if self._is_behind(use.operation, op))
        return any(isinstance(reader, DnnOp) and self.program.contract(reader).backward is None for reader in later)

    def _viewed(self, value: SSAValue) -> Iterator[SSAValue]:
        """A value, what it is a view of, what that is a view of, …"""
        while True:
            yield value
            view = self.program.view(value) if value not in self.plan.copies else None
            if view is None or not isinstance(value, OpResult):
                return
            value = value.op.operands[view.operand]

    def _is_behind(self, reader: Operation, op: Operation) -> bool:
        return self.program.at.get(reader, -1) > self.program.at[op]

    def advance(self, until: int) -> None:
        """Note the modes of the ops before time `until`, all of which are decided by then."""
        for op in self.program.ops[len(self.modes) : until]:
            mode = self._wanted(op) if self._is_layer(op) else Mode.NON_RESTRICTING
            self.modes[op] = mode if self._is_in_place(op) else Mode.NONE

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
        return any(map(self._is_restricted, self._viewed(value)))

    def _is_restricted(self, value: SSAValue) -> bool:
        uses = (use.operation for use in value.uses)
        readers = sum(1 for reader in uses if self._is_layer(reader) and not reader.has_trait(IsTerminator))
        return readers > 1 or isinstance(value, OpResult) and self.modes.get(value.op) is Mode.RESTRICTING

    def _is_in_place(self, op: Operation) -> bool:
        if self.program.contract(op).views:
            return all(self.program.view(r) is not None and r not in self.plan.copies for r in op.results)
        return self.plan.is_in_place(op)


def loss_ancestors(func: FuncOp) -> frozenset[Operation] | None:
    """The ops of a function's first block that its loss depends on; None where no result is marked as the loss."""
    last = func.body.blocks[0].last_op
    marked = [k for k in range(len(func.function_type.outputs.data)) if attrs.LOSS in attrs.result_attributes(func, k)]
    if not marked or not isinstance(last, ReturnOp):
        return None
    found, open_values = set[Operation](), [last.operands[k] for k in marked]
    while open_values:
        owner = open_values.pop().owner
        if isinstance(owner, Operation) and (op := top_level(owner)) not in found:
            found.add(op)
            open_values += (operand for inner in op.walk() for operand in inner.operands)
    return frozenset(found)


def top_level(op: Operation) -> Operation:
    """The op of the function's own block that an op stands in, or is."""
    return next((around for around in (op, *ancestors(op)) if isinstance(around.parent_op(), FuncOp)), op)


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
