"""Make intermediate values results too."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialect import decisions
from ..dialect.diagnostics import LastuseError


def fetch(func: FuncOp, name: str) -> None:
    """Return the value that the source model calls `name` as one more result of that name.

    Raises:
        LastuseError: there is no such value in the function's outermost block.
    """
    last = func.get_return_op()
    if last is None:
        raise LastuseError("the function does not return", func)
    value = _named(func, name)
    count = len(last.operands)
    attributes = [DictionaryAttr(decisions.result_attributes(func, r)) for r in range(count)]
    last.operands = [*last.operands, value]
    func.function_type = FunctionType.from_lists(
        list(func.function_type.inputs.data), [*func.function_type.outputs.data, value.type]
    )
    func.res_attrs = ArrayAttr([*attributes, DictionaryAttr({decisions.NAME: StringAttr(name)})])


def _named(func: FuncOp, name: str) -> SSAValue:
    block = func.body.block
    values = [*block.args, *(r for op in block.ops for r in op.results)]
    plain = name.removeprefix("%")
    for value in reversed(values):
        if decisions.source_name(value) == name or value.name_hint == plain:
            return value
    known = [n for v in values if (n := decisions.source_name(v) or v.name_hint)]
    raise LastuseError(
        f"no value is called '{name}'; there are {', '.join(known[:20])}{', …' * (len(known) > 20)}", func
    )
