"""The example op that every op class states of itself: for the docs, and so that no op is without tests."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from lastuse.dialect.dnn.base import DnnOp


def example_text(cls: type[DnnOp]) -> str:
    """The example in MLIR's generic form, without names of results: `"dnn.relu"(%x) : (…) -> …`."""
    operands = ", ".join(f"%{name}" for name in operand_names(example_of(cls)))
    return f'"{cls.name}"({operands}) {cls.EXAMPLE}'


def operand_names(op: DnnOp) -> list[str]:
    """What the class calls each operand; those of a variadic one are numbered."""
    names = list[str]()
    for name, _ in op.get_irdl_definition().operands:
        value: SSAValue | Sequence[SSAValue] | None = getattr(op, name)
        if isinstance(value, SSAValue):
            names.append(name)
        elif value is not None:
            names += [f"{name}_{k}" for k in range(len(value))]
    return names


def _operand_types(cls: type[DnnOp]) -> list[str]:
    """The operand types of the example, as text."""
    inside = cls.EXAMPLE.rsplit(": (", 1)[1].split(") -> ")[0]
    return [part for part in inside.split(", ") if part]


def example_of(cls: type[DnnOp]) -> DnnOp:
    """The example op, verified, in a function of a module of its own whose arguments are its operands."""
    types = _operand_types(cls)
    arguments = ", ".join(f"%{k}: {type_}" for k, type_ in enumerate(types))
    operands = ", ".join(f"%{k}" for k in range(len(types)))
    text = f'func.func private @f({arguments}) {{ "{cls.name}"({operands}) {cls.EXAMPLE} func.return }}'
    context = Context()
    for dialect in (Builtin, Func):
        context.load_dialect(dialect)
    context.load_op(cls)
    module = Parser(context, text).parse_module()
    assert isinstance(module, ModuleOp)
    module.verify()
    return next(op for op in module.walk() if isinstance(op, cls))
