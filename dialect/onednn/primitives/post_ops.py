"""Post-ops: what oneDNN makes of each element of a result before it writes it."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FloatAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.irdl import opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import MemRefLayout, locate
from lastuse.dialect.onednn.primitives.base import StepBuilder, f32_attribute
from lastuse.dialect.onednn.primitives.binary import BINARY, COMPARISONS
from lastuse.dialect.onednn.primitives.eltwise import ELTWISE, EltwisePrimitive
from lastuse.dialect.onednn.step import OverlapRules, PrimitiveBase

SUM = "sum"


class PostOp(NamedTuple):
    """One operation on each element.

    Attributes:
        kind: `eltwise`, a function of the element; `binary`, a function of the element and one of a further operand, of
            which a size of 1 is repeated; `sum`, which adds the element that the result's memory held before.
        alg: the function, as oneDNN names it; empty for `sum`.
        alpha, beta: numbers of an eltwise.
    """

    kind: str
    alg: str = ""
    alpha: float = 0.0
    beta: float = 0.0

    @property
    def takes_operand(self) -> bool:
        """Whether a further operand of the op belongs to it."""
        return self.kind != "eltwise"


def eltwise_post_op(function: EltwisePrimitive) -> PostOp:
    """The function as a post-op."""
    return PostOp("eltwise", function.alg, function.alpha, function.beta)


def operands_of(post_ops: Sequence[PostOp]) -> int:
    """How many further operands they take."""
    return sum(post_op.takes_operand for post_op in post_ops)


def fits_onednn(post_ops: Sequence[PostOp]) -> bool:
    """Whether oneDNN's fast implementations take them in this order: a sum is the first one. Behind others, several
    have only the reference, some hundred times slower (oneDNN 3.2)."""
    return all(post_op.kind != SUM for post_op in post_ops[1:])


def post_ops_attribute(post_ops: Sequence[PostOp]) -> dict[str, Attribute]:
    """What a step with post-ops says of them; nothing where there are none."""
    if not post_ops:
        return {}
    return {"post_ops": ArrayAttr([_entry(post_op) for post_op in post_ops])}


def _entry(post_op: PostOp) -> DictionaryAttr:
    entry: dict[str, Attribute] = {"kind": StringAttr(post_op.kind)}
    if post_op.alg:
        entry["alg"] = StringAttr(post_op.alg)
    for name in ("alpha", "beta"):
        if getattr(post_op, name):
            entry[name] = f32_attribute(getattr(post_op, name))
    return DictionaryAttr(entry)


def _post_op(entry: Attribute) -> PostOp:
    """Raises VerifyException where the entry is no post-op."""
    fields = dict(entry.data) if isinstance(entry, DictionaryAttr) else {}
    kind, alg = (fields.pop(name, StringAttr("")) for name in ("kind", "alg"))
    numbers = [fields.pop(name, f32_attribute(0.0)) for name in ("alpha", "beta")]
    known = {"eltwise": ELTWISE, "binary": BINARY - COMPARISONS, SUM: {""}}
    if not isinstance(kind, StringAttr) or not isinstance(alg, StringAttr) or fields or kind.data not in known:
        raise VerifyException(f"{entry} is no post-op")
    if alg.data not in known[kind.data] or not all(isinstance(number, FloatAttr) for number in numbers):
        raise VerifyException(f"a post-op has no {kind.data} '{alg.data}' with such numbers")
    alpha, beta = (number.value.data for number in numbers if isinstance(number, FloatAttr))
    return PostOp(kind.data, alg.data, alpha, beta)


class PostOpStepBase(PrimitiveBase, ABC):
    """A step with post-ops, applied in their order. The last ins are their operands, in that order too: a `binary`'s
    broadcasts to dst, a `sum`'s is dst itself."""

    post_ops = opt_attr_def(ArrayAttr)

    @property
    def stated_post_ops(self) -> tuple[PostOp, ...]:
        """Raises VerifyException where one of them is none."""
        return () if self.post_ops is None else tuple(map(_post_op, self.post_ops.data))

    @property
    def own_count(self) -> int:
        """How many ins are no operands of post-ops."""
        return len(self.ins) - operands_of(self.stated_post_ops)

    def post_op_ins(self) -> list[tuple[PostOp, int | None]]:
        """The post-ops, each with the number of its in, if it has one."""
        number, rows = self.own_count, list[tuple[PostOp, int | None]]()
        for post_op in self.stated_post_ops:
            rows.append((post_op, number if post_op.takes_operand else None))
            number += post_op.takes_operand
        return rows

    def rules(self) -> OverlapRules:
        sums = (number for post_op, number in self.post_op_ins() if post_op.kind == SUM and number is not None)
        return OverlapRules(over=frozenset((0, number) for number in sums))

    def passed(self) -> list[int]:
        """Numbers of the ins that the primitive takes as arguments: dst is not given to a sum once more."""
        sums = {number for post_op, number in self.post_op_ins() if post_op.kind == SUM}
        return [k for k in range(len(self.ins)) if k not in sums]

    def verify_post_ops(self, dst: MemRefLayout) -> None:
        """Raises VerifyException where oneDNN does not take the post-ops on a result like `dst`."""
        if self.own_count < 2:
            raise VerifyException(f"{self.name} has post-ops of more operands than there are")
        if not fits_onednn(self.stated_post_ops):
            raise VerifyException("a sum is the first post-op")
        for post_op, number in self.post_op_ins():
            if number is None:
                continue
            memory = self.in_memories[number]
            if post_op.kind == SUM:
                self.expect_same(memory, dst)
                if not locate(self.ins[number]).is_at(locate(self.outs[0])):
                    raise VerifyException(f"a sum adds what is in dst: in {number} must be dst itself")
            elif len(memory.shape) != len(dst.shape) or memory.dtype != dst.dtype or not _spreads(memory, dst):
                raise VerifyException(f"in {number}, {memory}, does not broadcast to {dst}")


def _spreads(memory: MemRefLayout, dst: MemRefLayout) -> bool:
    return all(a in (1, b) for a, b in zip(memory.shape, dst.shape, strict=True))


def copy_summed(steps: StepBuilder, post_ops: Sequence[PostOp]) -> None:
    """Copies what a sum adds to the op's result, unless it is there: what is added is what dst holds. Out of place too,
    so that a result has the same bits wherever it is."""
    number = len(steps.ins) - operands_of(post_ops)
    for post_op in post_ops:
        if post_op.kind == SUM:
            steps.copy(number, steps.ins[number], steps.outs[0])
        number += post_op.takes_operand
