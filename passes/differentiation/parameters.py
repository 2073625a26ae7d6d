"""Constants become parameters: arguments that training changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from xdsl.dialects.builtin import DenseResourceAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import typed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_names
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.differentiation.updates import StepSignature

ALL = "all"
"""Instead of names: every constant that may be trained."""


def make_trainable(func: FuncOp, names: Collection[str] | str) -> dict[str, np.ndarray]:
    """Marks arguments as trainable, and replaces constants by trainable arguments.

    Args:
        names: of arguments and constants; or `all`, the constants of floating-point numbers with one axis or more, and
            no further argument.

    Returns:
        A copy of each constant that is an argument now, by name.

    Raises:
        LastuseError: there is no argument or constant of a name, or its elements are no floating-point numbers.
    """
    constants = dict(_constants(func))
    arguments = dict(zip(argument_names(func.body.blocks[0]), func.args, strict=True))
    if isinstance(names, str):
        if names != ALL:
            raise LastuseError(f"trainable is a list of names or '{ALL}', not '{names}'", func)
        chosen = [name for name, op in constants.items() if _may_train(op.results[0]) and op.result_type().shape]
    else:
        chosen = list(names)
    values: dict[str, np.ndarray] = {}
    signature = StepSignature(func)
    for name in chosen:
        constant = None if name in arguments else constants.get(name)
        value = arguments.get(name) if constant is None else constant.results[0]
        if value is None:
            known = [*arguments, *(other for other, op in constants.items() if _may_train(op.results[0]))]
            raise LastuseError(f"no argument and no constant is called '{name}'; there are {', '.join(known)}", func)
        if not _may_train(value):
            raise LastuseError(f"{name} cannot be trained: it has no floating-point elements", func)
        if constant is not None:
            values[name] = np.array(constant.reference()[0])
            argument = signature.argument(name, constant.results[0].type)
            constant.results[0].replace_all_uses_with(argument)
            constant.detach()
            constant.erase()
            value = argument
        signature.annotate(value, attrs.TRAINABLE, UnitAttr())
    signature.apply()
    return values


def _constants(func: FuncOp) -> Iterator[tuple[str, DnnOp]]:
    """The constants of a function by name: that of the source model, of the text or of the resource, or a number."""
    taken = set(argument_names(func.body.blocks[0]))
    ops = (op for op in func.body.block.ops if isinstance(op, DnnOp) and contract_of(op).constant)
    for number, op in enumerate(ops):
        name = attrs.source_name(op.results[0]) or op.results[0].name_hint
        if name is None and isinstance(value := op.attributes.get("value"), DenseResourceAttr):
            name = value.resource_handle.data
        name = name or f"constant{number}"
        while name in taken:
            name = f"{name}.{number}"
        taken.add(name)
        yield name, op


def _may_train(value: SSAValue) -> bool:
    return is_float(typed(value.type).dtype)
