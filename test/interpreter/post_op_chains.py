"""Ops whose result is handed to elementwise ops before it is written (`post_ops`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation

from lastuse.dialect.onednn.kernel_call import CALLEES

from .elementwise_ops import Meaning
from .rounding import Array, Rounding


def handed_on(op: Operation, operands: list[Array], r: Rounding, meanings: Mapping[str, Meaning]) -> Sequence[Array]:
    """What the op computes, and then what each of its post-ops makes of that and of its own operand."""
    stated = op.attributes.get("post_ops")
    if not isinstance(stated, ArrayAttr):
        return meanings[op.name](op, operands, r)
    chain = [_post_op(op, entry) for entry in stated.data]
    further = sum(len(after.operands) - 1 for after in chain)
    (value,) = meanings[op.name](op, operands[: len(operands) - further], r)
    left = operands[len(operands) - further :]
    for after in chain:
        taken, left = left[: len(after.operands) - 1], left[len(after.operands) - 1 :]
        (value,) = meanings[after.name](after, [value, *taken], r)
    return [value]


def _post_op(op: Operation, entry: Attribute) -> Operation:
    """The op of an entry, on operands like the result."""
    assert isinstance(entry, DictionaryAttr)
    attributes = {name: value for name, value in entry.data.items() if name not in ("op", "sum")}
    name = entry.data["op"]
    assert isinstance(name, StringAttr)
    cls, type_ = CALLEES[name.data], op.results[0].type
    count = len(cls.get_irdl_definition().operands)
    return cls.create(operands=Block(arg_types=[type_] * count).args, result_types=[type_], attributes=attributes)
