"""Are decisions well-formed: of the right kind, an entry for each result, operands that are there.

What an attribute says may still be wrong: whether values may lie there is the checker's question. Here only that it can
be read. `wellformed.verify` asks for every operation; `--verify-storage-pass=repair=true` drops what is not, as a pass
that knows nothing of decisions may have taken operands or results away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    i32,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.dialects.scf import WhileOp
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import symbol_names
from lastuse.dialect.storage.contract import ENGINE, NO_ENGINE, Engine
from lastuse.dialect.storage.forwarding import passed_by

_Rule = Callable[[Operation, Attribute], str | None]
"""What is wrong with an attribute of an op; None where it is as it should be."""


class Malformed(NamedTuple):
    """An attribute that cannot be read as what it should be.

    Attributes:
        op: the operation that carries it, a function for its arguments and results.
        attribute: its name.
        message: what is wrong with it.
        argument: the number of the function's argument that carries it, -1 for none.
        is_interface: what a function promises to its callers, or which engine runs an op, is no decision: nothing may
            drop it.
    """

    op: Operation
    attribute: str
    message: str
    argument: int = -1
    is_interface: bool = False

    def error(self) -> LastuseError:
        """The error, at the operation."""
        return LastuseError(f"'{op_name(self.op)}': {self.attribute} {self.message}", self.op)


def verify_decisions(op: Operation) -> None:
    """
    Checks the decisions that an operation carries; those of operations inside are not looked at.

    Raises:
        LastuseError: at the operation, if one is malformed.
    """
    for problem in malformed(op):
        raise problem.error()


def malformed(op: Operation) -> Iterator[Malformed]:
    """Everything of the kind that `verify_decisions` refuses, in the order of the attributes."""
    for name, attribute in op.attributes.items():
        rule = _ON_OPS.get(name)
        if rule is not None and (message := rule(op, attribute)) is not None:
            yield Malformed(op, name, message, is_interface=name in _INTERFACE)
    if is_a(op, FuncOp):
        yield from _of_signature(op)


def _of_signature(func: FuncOp) -> Iterator[Malformed]:
    type_ = func.function_type
    for kind, rows, types, rules in (
        ("argument", func.arg_attrs, type_.inputs.data, _ON_ARGUMENTS),
        ("result", func.res_attrs, type_.outputs.data, _ON_RESULTS),
    ):
        is_result = kind == "result"
        for index, attributes in enumerate(rows.data if rows is not None else ()):
            for name, attribute in attributes.data.items():
                rule = rules.get(name)
                if rule is not None and (message := rule(func, attribute, types[index])) is not None:
                    where = f"of {kind} {index} {message}"
                    yield Malformed(func, name, where, -1 if is_result else index, is_result or name != attrs.REUSE)


# What attributes hold


def _numbers(attribute: Attribute, type_: IntegerType) -> tuple[int, ...] | None:
    if not isinstance(attribute, DenseArrayBase) or attribute.elt_type != type_:
        return None
    return tuple(int(n) for n in attribute.get_values())


def _number(attribute: Attribute, type_: IntegerType) -> int | None:
    if not isinstance(attribute, IntegerAttr) or attribute.type != type_:
        return None
    return attribute.value.data


def _is_memory(type_: Attribute) -> bool:
    return isinstance(type_, TensorType | MemRefType | UnrankedTensorType | UnrankedMemRefType)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun[:-1] + 'ies' if noun[-1] == 'y' else noun + 's'}"


def _entries(
    numbers: Sequence[int] | None, values: Sequence[SSAValue], type_: IntegerType, noun: str = "result"
) -> str | None:
    """An entry for each of `values`; -1 for none, and for what is no tensor."""
    if numbers is None:
        return f"is no array of {type_}"
    if len(numbers) != len(values):
        return f"has {_plural(len(numbers), 'entry')} for {_plural(len(values), noun)}"
    for index, (number, value) in enumerate(zip(numbers, values, strict=True)):
        if number < -1:
            return f"has {number} for {noun} {index}: a number from 0 on, or -1 for none"
        if number >= 0 and not _is_memory(value.type):
            return f"has {number} for {noun} {index}, which is no tensor"
    return None


def _operand(op: Operation, number: int) -> str | None:
    if not 0 <= number < len(operands_of(op)):
        return f"names operand {number} of {len(operands_of(op))}"
    if not _is_memory(operands_of(op)[number].type):
        return f"names operand {number}, which is no tensor"
    return None


def _operands(op: Operation, attribute: Attribute) -> str | None:
    """Numbers of operands, each once."""
    numbers = _numbers(attribute, i32)
    if numbers is None:
        return "is no array of i32"
    for index, number in enumerate(numbers):
        if (message := _operand(op, number)) is not None:
            return message
        if number in numbers[:index]:
            return f"names operand {number} twice"
    return None


# Rules of attributes on operations


def _inplace(op: Operation, attribute: Attribute) -> str | None:
    numbers = _numbers(attribute, i32)
    if (message := _entries(numbers, op.results, i32)) is not None or numbers is None:
        return message
    return next((m for k in numbers if k >= 0 and (m := _operand(op, k)) is not None), None)


def _per_result(type_: IntegerType) -> _Rule:
    return lambda op, attribute: _entries(_numbers(attribute, type_), op.results, type_)


def _per_block(type_: IntegerType) -> _Rule:
    def rule(op: Operation, attribute: Attribute) -> str | None:
        if not op.successors and not isinstance(op, WhileOp):
            return "is for branches and scf.while"
        if not isinstance(attribute, ArrayAttr):
            return f"is no list of arrays of {type_}"
        blocks = attrs.blocks_after(op)
        if len(attribute.data) != len(blocks):
            return f"has {_plural(len(attribute.data), 'array')} for {_plural(len(blocks), 'block')}"
        for block, row in zip(blocks, attribute.data, strict=True):
            if (message := _entries(_numbers(row, type_), block.args, type_, "argument")) is not None:
                return message
        return None

    return rule


def _forwards(op: Operation, attribute: Attribute) -> str | None:
    numbers = _numbers(attribute, i32)
    if (message := _entries(numbers, op.results, i32)) is not None or numbers is None:
        return message
    targets = {p.target for p in passed_by(op)}
    for result, number in zip(op.results, numbers, strict=True):
        if number >= 0 and (number != 1 or result not in targets):
            wrong = "1, or -1 for none" if number != 1 else "no operand is passed on to it"
            return f"has {number} for result {result.index}: {wrong}"
    return None


def _forwards_to_blocks(op: Operation, attribute: Attribute) -> str | None:
    message = _per_block(i32)(op, attribute)
    if message is not None or not isinstance(attribute, ArrayAttr):
        return message
    entries = [n for row in attribute.data for n in _numbers(row, i32) or ()]
    return next((f"has {n}: 1, or -1 for none" for n in entries if n not in (1, -1)), None)


def _bytes(op: Operation, attribute: Attribute) -> str | None:
    number = _number(attribute, i64)
    return "is no i64" if number is None else f"is {number}" if number < 0 else None


def _unit(op: Operation, attribute: Attribute) -> str | None:
    if not isinstance(attribute, StringAttr):
        return "is no string"
    entry = op.regions[0].blocks.first
    unknown = symbol_names(entry).values() if entry is not None else ()
    return None if attribute.data in unknown else f'names "{attribute.data}", which is no unknown size of an argument'


def _names(op: Operation, attribute: Attribute) -> str | None:
    if not isinstance(attribute, ArrayAttr) or not all(isinstance(n, StringAttr) for n in attribute.data):
        return "is no list of strings"
    count = len(attribute.data)
    if count == len(op.results):
        return None
    return f"has {_plural(count, 'entry')} for {_plural(len(op.results), 'result')}"


def _flag(op: Operation, attribute: Attribute) -> str | None:
    return None if isinstance(attribute, UnitAttr) else "takes no value"


def _engine(op: Operation, attribute: Attribute) -> str | None:
    engines = [engine.value for engine in Engine]
    return None if isinstance(attribute, StringAttr) and attribute.data in engines else NO_ENGINE


def _shares(op: Operation, attribute: Attribute) -> str | None:
    is_one = isinstance(attribute, StringAttr) and attribute.data in ("values", "gradients", "both")
    return None if is_one else 'must be "values", "gradients" or "both"'


def _only_on(kind: type[Operation], holders: str, rule: _Rule) -> _Rule:
    return lambda op, attribute: rule(op, attribute) if isinstance(op, kind) else f"is for {holders}"


def _refused(message: str) -> Callable[..., str]:
    """The rule of an attribute that stands on something else."""

    def rule(*_: object) -> str:
        return message

    return rule


_ON_OPS: dict[str, _Rule] = {
    attrs.INPLACE: _inplace,
    attrs.REUSE: _per_result(i32),
    attrs.PARTS: _operands,
    attrs.OFFSET: _per_result(i64),
    attrs.SUCC_REUSE: _per_block(i32),
    attrs.SUCC_OFFSET: _per_block(i64),
    attrs.FORWARD: _forwards,
    attrs.SUCC_FORWARD: _forwards_to_blocks,
    attrs.DONATE: _only_on(CallOp, "calls", _operands),
    attrs.SCRATCH_OFFSET: _bytes,
    attrs.SCRATCH_BYTES: _bytes,
    attrs.ARENA_BYTES: _only_on(FuncOp, "functions", _bytes),
    attrs.UNIT: _only_on(FuncOp, "functions", _unit),
    attrs.STRIDED: _only_on(FuncOp, "functions", _flag),
    attrs.COPY: _flag,
    attrs.UNREFINED: _only_on(ModuleOp, "modules", _flag),
    attrs.NAMES: _names,
    attrs.SHARES: _shares,
    ENGINE: _engine,
    attrs.DONATED: _refused("is for arguments of functions"),
    attrs.TIED: _refused("is for results of functions"),
    attrs.LENT: _refused("is for results of functions"),
    attrs.NAME: _refused("is for arguments and results of functions"),
    attrs.SIZES: _refused("is for arguments of functions"),
    attrs.VALUE: _refused("is for arguments of functions"),
    attrs.TRAINABLE: _refused("is for arguments of functions"),
    attrs.INITIAL: _refused("is for arguments of functions"),
    attrs.LOSS: _refused("is for results of functions"),
}
_INTERFACE = frozenset(
    {
        ENGINE,
        attrs.DONATED,
        attrs.TIED,
        attrs.LENT,
        attrs.NAME,
        attrs.SIZES,
        attrs.VALUE,
        attrs.TRAINABLE,
        attrs.INITIAL,
        attrs.LOSS,
        attrs.UNREFINED,
        attrs.SCRATCH_BYTES,
    }
)


# Rules of attributes on arguments and results of functions


def _unit_on_tensor(func: FuncOp, attribute: Attribute, type_: Attribute) -> str | None:
    return "is on no tensor" if not _is_memory(type_) else None if isinstance(attribute, UnitAttr) else "takes no value"


def _argument_number(func: FuncOp, attribute: Attribute, type_: Attribute) -> str | None:
    number = _number(attribute, i32)
    if number is None:
        return "is no i32"
    if not _is_memory(type_):
        return "is on no tensor"
    return f"is {number}: a number from 0 on, or -1 for none" if number < -1 else None


def _name(func: FuncOp, attribute: Attribute, type_: Attribute) -> str | None:
    return None if isinstance(attribute, StringAttr) else "is no string"


def _size_names(func: FuncOp, attribute: Attribute, type_: Attribute) -> str | None:
    if not isinstance(attribute, ArrayAttr) or not all(isinstance(n, StringAttr) for n in attribute.data):
        return "is no list of strings"
    if not isinstance(type_, TensorType):
        return "is on no tensor"
    count, axes = len(attribute.data), len(type_.get_shape())
    return None if count == axes else f"has {_plural(count, 'entry')} for {_plural(axes, 'axis')}"


def _value(func: FuncOp, attribute: Attribute, type_: Attribute) -> str | None:
    if not isinstance(attribute, DenseIntOrFPElementsAttr | DenseResourceAttr):
        return "is no constant"
    return None if attribute.type == type_ else f"has type {attribute.type} on an argument of type {type_}"


def _tied(func: FuncOp, attribute: Attribute, type_: Attribute) -> str | None:
    number, arguments = _number(attribute, i32), func.function_type.inputs.data
    if number is None:
        return "is no i32"
    if not 0 <= number < len(arguments):
        return f"names argument {number} of {len(arguments)}"
    return None if _is_memory(type_) and _is_memory(arguments[number]) else "ties what is no tensor"


def _lent(func: FuncOp, attribute: Attribute, type_: Attribute) -> str | None:
    arguments = func.function_type.inputs.data
    if not isinstance(attribute, DenseArrayBase) or attribute.elt_type != i32:
        return "is no array of i32"
    numbers = [int(n) for n in attribute.get_values()]
    wrong = [k for k in numbers if not (0 <= k < len(arguments) and _is_memory(arguments[k]))]
    if wrong:
        return f"names argument {wrong[0]}, which is no tensor"
    return None if _is_memory(type_) else "is on no tensor"


_ON_ARGUMENTS: dict[str, Callable[[FuncOp, Attribute, Attribute], str | None]] = {
    attrs.DONATED: _unit_on_tensor,
    attrs.REUSE: _argument_number,
    attrs.NAME: _name,
    attrs.SIZES: _size_names,
    attrs.VALUE: _value,
    attrs.TRAINABLE: _unit_on_tensor,
    attrs.INITIAL: _value,
    attrs.TIED: _refused("is for results"),
    attrs.LENT: _refused("is for results"),
    attrs.LOSS: _refused("is for results"),
}
_ON_RESULTS = {attrs.NAME: _name, attrs.TIED: _tied, attrs.LENT: _lent, attrs.LOSS: _unit_on_tensor} | dict.fromkeys(
    (attrs.DONATED, attrs.REUSE, attrs.SIZES, attrs.VALUE, attrs.TRAINABLE, attrs.INITIAL),
    _refused("is not for results"),
)
