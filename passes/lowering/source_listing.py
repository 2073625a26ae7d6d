"""What a lowered function says of the one it was made from: names that steps refer to, and the function as values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from lastuse.dialect.onednn.source import LABEL
from lastuse.dialect.storage import attrs


def name_ops(func: FuncOp) -> None:
    """Gives each op on tensors a name of its own: its first result's in the text, else its kind."""
    taken: dict[str, int] = {}
    for op in func.body.walk():
        values = (*op.results, *op.operands)
        if any(isinstance(v.type, TensorType) for v in values):
            op.attributes[LABEL] = StringAttr(_unique(_name(op), taken))


def _name(op: Operation) -> str:
    hint = op.results[0].name_hint if op.results else None
    return hint or op.name.rpartition(".")[2]


def _unique(name: str, taken: dict[str, int]) -> str:
    while name in taken:
        taken[name] += 1
        name = f"{name}_{taken[name]}"
    taken[name] = 0
    return name


def as_values(func: FuncOp, inputs: Sequence[str], results: Sequence[str]) -> None:
    """Takes the decisions from a function that was lowered, and writes down what its inputs and results are called."""
    attrs.forget_all(func)
    for op in func.body.walk():
        op.attributes.pop(attrs.SCRATCH_BYTES, None)
    argument_attributes = [attrs.argument_attributes(a) for a in func.body.blocks[0].args]
    result_attributes = [attrs.result_attributes(func, index) for index in range(len(results))]
    func.arg_attrs = _named(argument_attributes, inputs)
    func.res_attrs = _named(result_attributes, results)


def _named(attributes: list[dict[str, Attribute]], names: Sequence[str]) -> ArrayAttr[DictionaryAttr] | None:
    dictionaries = [{**entry, attrs.NAME: StringAttr(name)} for entry, name in zip(attributes, names, strict=True)]
    return ArrayAttr([DictionaryAttr(one) for one in dictionaries]) if dictionaries else None
