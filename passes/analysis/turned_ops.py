"""Which ops of a function are computed with their channels last in memory, and what is transposed for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue, Use

from lastuse.dialect.dnn.base import DnnOp, TransposedForm
from lastuse.dialect.storage import attrs

GAIN = 4
"""An op that prefers its channels last takes this part of its time less so (oneDNN 3.2: convolutions, 1.7 to 2.4 times
as fast with AVX-512)."""


@dataclass(frozen=True)
class TurnedOps:
    """
    Attributes:
        forms: how each op is stated with its channels last, in program order.
        turned: values whose axes are in that order: results of these ops, and what enters them.
        entering: values that are transposed before such an op reads them.
        leaving: results of such ops that others read: they are transposed back.
        gain: of all that, as `DnnOp.work` counts; below 0 it takes longer.
    """

    forms: Mapping[DnnOp, TransposedForm]
    turned: frozenset[SSAValue]
    entering: tuple[SSAValue, ...]
    leaving: tuple[SSAValue, ...]
    gain: int


def order(rank: int) -> list[int]:
    """The axes of [N, C, spatial…] in the order [N, spatial…, C]."""
    return [0, *range(2, rank), 1]


def shape_of(value: SSAValue) -> tuple[int, ...] | None:
    """The shape of a tensor whose sizes are all known."""
    if not isinstance(value.type, TensorType) or any(size < 0 for size in value.type.get_shape()):
        return None
    return tuple(value.type.get_shape())


def rank_of(op: DnnOp) -> int:
    """The most axes of an operand."""
    return max((len(shape_of(operand) or ()) for operand in op.operands), default=0)


def turned_ops(func: FuncOp) -> TurnedOps:
    """From each op that prefers its channels last on, all that can be computed so without further transposes. Bodies of
    loops and branches are not looked at, nor functions of more than one block."""
    search = _TurnSearch()
    if len(func.body.blocks) == 1:
        search.follow(func)
    return search.result()


class _TurnSearch:
    def __init__(self) -> None:
        self.forms: dict[DnnOp, TransposedForm] = {}
        self.turned: set[SSAValue] = set()
        self.entering: dict[SSAValue, None] = {}

    def follow(self, func: FuncOp) -> None:
        for op in func.body.block.ops:
            if isinstance(op, DnnOp) and not attrs.is_decided(op) and all(map(self._is_known, op.operands)):
                self._visit(op)

    @staticmethod
    def _is_known(value: SSAValue) -> bool:
        return shape_of(value) is not None

    def _visit(self, op: DnnOp) -> None:
        rank = rank_of(op)
        prefers = op.prefers_channels_last()
        if rank < 3 or not (prefers or any(operand in self.turned for operand in op.operands)):
            return
        form = op.channels_last_form(order(rank))
        if form is None:
            return
        missing = [op.operands[k] for k in sorted(form.operands) if not self._is_ready(op.operands[k], rank)]
        if missing and not prefers:
            return
        self.forms[op] = form
        self.entering.update(dict.fromkeys(missing))
        self.turned.update(missing)
        self.turned.update(turned_results(op, form))

    def _is_ready(self, value: SSAValue, rank: int) -> bool:
        """No element is moved for the value with its channels last."""
        shape = shape_of(value) or ()
        if value in self.turned:
            return len(shape) == rank
        whole = (1,) * (rank - len(shape)) + shape
        return prod(whole) == whole[1]

    def result(self) -> TurnedOps:
        leaving = [
            result
            for op, form in self.forms.items()
            for result in turned_results(op, form)
            if any(not reads_turned(self.forms, use) for use in result.uses)
        ]
        moved = 0
        for value in (*self.entering, *leaving):
            shape = shape_of(value) or ()
            moved += 2 * prod(shape) * moves_elements(value, order(len(shape)))
        gain = sum(op.work() // GAIN for op in self.forms if op.prefers_channels_last()) - moved
        return TurnedOps(self.forms, frozenset(self.turned), tuple(self.entering), tuple(leaving), gain)


def reads_turned(forms: Mapping[DnnOp, TransposedForm], use: Use) -> bool:
    """Whether this op reads this operand with its axes in the other order."""
    op = use.operation
    return isinstance(op, DnnOp) and op in forms and use.index in forms[op].operands


def turned_results(op: DnnOp, form: TransposedForm) -> list[SSAValue]:
    """Results whose axes are in the other order: those with as many axes as what is turned."""
    rank = rank_of(op)
    return [result for result in op.results if form.results_too and len(shape_of(result) or ()) == rank]


def moves_elements(value: SSAValue, perm: Sequence[int]) -> bool:
    """Whether a transpose moves elements: not where only axes of one element change places with others."""
    shape = shape_of(value) or ()
    kept = [axis for axis in perm if shape[axis] > 1]
    return kept != sorted(kept)
