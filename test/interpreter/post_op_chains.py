"""Ops that other ops are named in: elementwise ops to whom the result is handed before it is written (`post_ops`), and
the ops of a map (`body`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation

from lastuse.dialect.ir.tensor_types import element_type, name_of_dtype
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


def mapped(meanings: Mapping[str, Meaning]) -> Meaning:
    """What a map makes of its operands: op by op, each on whole arrays."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        values = list(operands)
        body = op.attributes["body"]
        assert isinstance(body, ArrayAttr)
        for entry in body.data:
            assert isinstance(entry, DictionaryAttr)
            values += _of_entry(entry, values, r, meanings)
        return values[-1:]

    return meaning


def _of_entry(
    entry: DictionaryAttr, values: Sequence[Array], r: Rounding, meanings: Mapping[str, Meaning]
) -> Sequence[Array]:
    name, numbers = entry.data["op"], entry.data["operands"]
    assert isinstance(name, StringAttr) and isinstance(numbers, DenseArrayBase)
    read = [values[int(number)] for number in numbers.get_values()]
    types = [TensorType(element_type(name_of_dtype(array.dtype)), array.shape) for array in read]
    shape = np.broadcast_shapes(*(array.shape for array in read))
    op = CALLEES[name.data].create(
        operands=Block(arg_types=types).args,
        result_types=[TensorType(entry.data["type"], shape)],
        attributes={key: value for key, value in entry.data.items() if key not in ("op", "operands", "type")},
    )
    return meanings[op.name](op, read, r)


def _post_op(op: Operation, entry: Attribute) -> Operation:
    """The op of an entry, on operands like the result."""
    assert isinstance(entry, DictionaryAttr)
    attributes = {name: value for name, value in entry.data.items() if name not in ("op", "sum")}
    name = entry.data["op"]
    assert isinstance(name, StringAttr)
    cls, type_ = CALLEES[name.data], op.results[0].type
    count = len(cls.get_irdl_definition().operands)
    return cls.create(operands=Block(arg_types=[type_] * count).args, result_types=[type_], attributes=attributes)
