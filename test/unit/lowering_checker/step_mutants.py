"""Small changes of a lowered module, each of which may make it compute something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    StringAttr,
    f32,
    i1,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.ir.tensor_types import item_bytes
from lastuse.dialect.onednn.buffers import ArenaOp, ConstantBufferOp, ViewOp
from lastuse.dialect.onednn.memory import memory_of
from lastuse.dialect.onednn.source import RESULT
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage import attrs

Ops = Sequence[Operation]
MOST = 8
"""Other orders, or views, that one view is changed to."""
FLOATS = ("alpha", "beta", "epsilon")
_POOLS = ("max", "avg_include_padding", "avg_exclude_padding")
_ALGORITHMS = {
    "onednn.binary": ("add", "mul", "sub", "max", "lt", "gt"),
    "onednn.pooling": _POOLS,
    "onednn.pooling_backward": _POOLS,
}
"""What `alg` may be besides the functions of one number."""


class Mutant(NamedTuple):
    """One change: of which kind, of what, and what makes it on the ops of a copy."""

    kind: str
    of: str
    change: Callable[[Ops], None]


def ops_of(module: ModuleOp) -> list[Operation]:
    """The ops of the lowered functions, the functions among them; of copies in the same order."""
    return [op for func in functions_of(module).values() for op in func.walk()]


def mutated(module: ModuleOp, mutant: Mutant) -> ModuleOp:
    """A copy with the change."""
    made = clone(module)
    mutant.change(ops_of(made))
    return made


def mutants(module: ModuleOp) -> Iterator[Mutant]:
    """All changes that are made here."""
    ops = ops_of(module)
    for number, op in enumerate(ops):
        shown = f"{number}: {op.name}"
        for kind, change in _changes(number, op, ops):
            yield Mutant(kind, shown, change)


def _changes(number: int, op: Operation, ops: Ops) -> Iterator[tuple[str, Callable[[Ops], None]]]:
    match op:
        case ViewOp():
            yield from _views(number, op, ops)
        case DestinationStyleBase():
            yield from _steps(number, op, ops)
        case ArenaOp() if op.byte_offset:
            yield "offset", lambda ops: ops[number].attributes.__setitem__("offset", IntegerAttr(0, i64))
        case ConstantBufferOp():
            others = [o.value for o in ops if isinstance(o, ConstantBufferOp) and o.memory.type == op.memory.type]
            for value in dict.fromkeys(v for v in others if v != op.value):
                yield "constant", _attribute(number, "value", value)
        case CallOp() | scf.ForOp() | scf.IfOp() | scf.WhileOp() | cf.BranchOp() | cf.SwitchOp():
            yield from _operands("branch operand", number, op, ops)
        case scf.YieldOp() | scf.ConditionOp() | ReturnOp():
            yield from _operands("branch operand", number, op, ops)
        case cf.ConditionalBranchOp():
            yield from _operands("branch operand", number, op, ops)
            yield "branch operand", lambda ops: _exchange_blocks(ops[number])
        case FuncOp():
            yield from _names(number, op)
        case _ if isinstance(op, (arith.AddiOp, arith.SubiOp, arith.CmpiOp, arith.CmpfOp)) or op.name == "memref.load":
            yield from _operands("branch operand", number, op, ops)
        case _:
            pass


def _views(number: int, op: ViewOp, ops: Ops) -> Iterator[tuple[str, Callable[[Ops], None]]]:
    others = {o.byte_offset for o in ops if isinstance(o, ViewOp) and o.source is op.source}
    near = {op.byte_offset + step for step in (-64, -4, 4, 64)}
    for offset in sorted((others | near) - {op.byte_offset}):
        if offset >= 0:
            yield "offset", _attribute(number, "offset", IntegerAttr(offset, i64))
    yield from _orders(number, op, ops)


def _orders(number: int, op: ViewOp, ops: Ops) -> Iterator[tuple[str, Callable[[Ops], None]]]:
    """The axes of a view exchange their strides; the view becomes another one of its sizes. A dense view that all steps
    share would be right in any order, up to rounding: it stays."""
    memory = memory_of(op.view.type)
    if memory.layout.is_dense:
        return
    step, strides = item_bytes(memory.dtype), memory.layout.strides
    exchanged = [tuple(order) for order in permutations(strides) if tuple(order) != strides]
    for order in list(dict.fromkeys(exchanged))[:MOST]:
        yield "axes", _retype(number, order, step)
    others = [o for o in ops if isinstance(o, ViewOp) and o.source is op.source and o is not op]
    alike = [o for o in others if memory_of(o.view.type).layout.sizes == memory.layout.sizes]
    for other in alike[:MOST]:
        if other.view.type != op.view.type:
            yield "alias", _alias(number, ops.index(other))


def _steps(number: int, op: DestinationStyleBase, ops: Ops) -> Iterator[tuple[str, Callable[[Ops], None]]]:
    yield "dropped step", lambda ops: _erase(ops[number])
    if isinstance(op.next_op, DestinationStyleBase):
        yield "order", lambda ops: _exchange(ops[number])
    count = len(op.ins)
    for a, b in combinations(range(count), 2):
        if op.operands[a].type == op.operands[b].type:
            yield "swapped operands", _swap(number, a, b)
    yield from _operands("view", number, op, ops)
    if op.scratch is not None:
        for other, view in enumerate(ops):
            if isinstance(view, ViewOp) and isinstance(view.source.owner, ArenaOp) and view.view is not op.scratch:
                yield "scratch", _scratch(number, other)
    for name, value in op.attributes.items():
        for changed in _values(op, name, value):
            yield "attribute", _attribute(number, name, changed)
    for name in FLOATS:
        if name in type(op).get_irdl_definition().attributes and name not in op.attributes and name != "beta":
            yield "attribute", _attribute(number, name, FloatAttr(0.25, f32))


def _values(op: Operation, name: str, value: Attribute) -> Iterator[Attribute]:
    match value:
        case StringAttr() if name == "alg":
            for alg in _ALGORITHMS.get(op.name, ("relu", "tanh", "exp", "square", "linear", "abs")):
                if alg != value.data:
                    yield StringAttr(alg)
        case StringAttr() if name == "mode":
            yield StringAttr("sum" if value.data == "concat" else "concat")
        case StringAttr() if name == "statistic":
            yield StringAttr("mean" if value.data == "variance" else "variance")
        case StringAttr() if name == "callee":
            for callee in ("dnn.relu", "dnn.exp", "dnn.add", "dnn.mul", "dnn.tanh_grad", "dnn.sgd", "dnn.momentum"):
                if callee != value.data:
                    yield StringAttr(callee)
        case FloatAttr():
            yield FloatAttr(value.value.data + 0.5, value.type)
        case IntegerAttr() if name == "axis":
            yield IntegerAttr(value.value.data - 1 if value.value.data else 1, value.type)
        case IntegerAttr():
            is_flag = value.type == i1
            yield BoolAttr.from_bool(not value.value.data) if is_flag else IntegerAttr(2, value.type)
        case DenseArrayBase():
            yield from _numbers(value)
        case ArrayAttr() if name == "reverse":
            flags = [bool(flag.value.data) for flag in value.data]  # pyright: ignore
            yield ArrayAttr([BoolAttr.from_bool(not flag) for flag in flags])
            yield ArrayAttr([BoolAttr.from_bool(flag) for flag in flags[::-1]])
        case ArrayAttr() if name == "scales":
            yield ArrayAttr([FloatAttr(2.0, f32), *value.data[1:]])
        case DictionaryAttr() if name == "attrs":
            for key, inner in value.data.items():
                if isinstance(inner, IntegerAttr) and inner.type == i1:
                    yield DictionaryAttr({**value.data, key: BoolAttr.from_bool(not inner.value.data)})
                elif isinstance(inner, IntegerAttr):
                    other = 1 - inner.value.data if inner.value.data in (0, 1) else inner.value.data - 1
                    yield DictionaryAttr({**value.data, key: IntegerAttr(other, inner.type)})
                elif isinstance(inner, FloatAttr | DenseArrayBase):
                    yield from (DictionaryAttr({**value.data, key: other}) for other in _values(op, key, inner))
        case _:
            pass


def _numbers(array: DenseArrayBase) -> Iterator[Attribute]:
    """Each whole number of an array is another one; the numbers in the opposite order."""
    numbers = [int(number) for number in array.get_values()]
    for index, number in enumerate(numbers):
        for other in (number + 1, number - 1):
            yield DenseArrayBase.from_list(i64, [*numbers[:index], other, *numbers[index + 1 :]])
    if numbers != numbers[::-1]:
        yield DenseArrayBase.from_list(i64, numbers[::-1])


def _operands(kind: str, number: int, op: Operation, ops: Ops) -> Iterator[tuple[str, Callable[[Ops], None]]]:
    """Each operand replaced by other values of its type that are there."""
    for index, operand in enumerate(op.operands):
        if isinstance(op, DestinationStyleBase) and index >= len(op.ins) + len(op.outs):
            continue
        for other in _others(operand, op, ops)[:4]:
            yield kind, _replace(number, index, _where(other, ops))


def _others(value: SSAValue, op: Operation, ops: Ops) -> list[SSAValue]:
    """Values of the same type defined before `op` in its block or in the function's first."""
    func = op
    while not isinstance(func, FuncOp):
        parent = func.parent_op()
        assert parent is not None
        func = parent
    found: list[SSAValue] = list(func.args)
    blocks = {func.body.blocks[0], op.parent}
    if op.parent is not None and op.parent is not func.body.blocks[0]:
        found += op.parent.args
    for other in ops:
        if other is op:
            break
        if other.parent in blocks:
            found += other.results
    return [v for v in dict.fromkeys(found) if v is not value and v.type == value.type]


Where = tuple[int, int, bool]
"""An op by number and its result, or an argument of a block: of the op's first block, or of the block it is in."""


def _where(value: SSAValue, ops: Ops) -> Where:
    for number, op in enumerate(ops):
        for index, result in enumerate(op.results):
            if result is value:
                return number, index, True
    for op in ops:
        for region in op.regions:
            for block in region.blocks:
                for index, argument in enumerate(block.args):
                    if argument is value and block.first_op is not None:
                        return ops.index(block.first_op), index, False
    raise AssertionError("the value is in the functions")


def _value(where: Where, ops: Ops) -> SSAValue:
    number, index, is_result = where
    if is_result:
        return ops[number].results[index]
    block = ops[number].parent
    assert block is not None
    return block.args[index]


# The changes.


def _retype(number: int, strides: Sequence[int], step: int) -> Callable[[Ops], None]:
    """The view has these strides, in bytes."""

    def change(ops: Ops) -> None:
        op = ops[number]
        assert isinstance(op, ViewOp) and isinstance(op.view.type, MemRefType)
        layout = StridedLayoutAttr([stride // step for stride in strides])
        type_ = MemRefType(op.view.type.element_type, op.view.type.get_shape(), layout)
        Rewriter.replace_value_with_new_type(op.view, type_)

    return change


def _alias(number: int, other: int) -> Callable[[Ops], None]:
    """The view is the same bytes, in the same order, as another one."""

    def change(ops: Ops) -> None:
        op, model = ops[number], ops[other]
        assert isinstance(op, ViewOp) and isinstance(model, ViewOp)
        op.attributes["offset"] = model.offset
        Rewriter.replace_value_with_new_type(op.view, model.view.type)

    return change


def _attribute(number: int, name: str, value: Attribute) -> Callable[[Ops], None]:
    return lambda ops: ops[number].attributes.__setitem__(name, value)


def _replace(number: int, index: int, where: Where) -> Callable[[Ops], None]:
    def change(ops: Ops) -> None:
        ops[number].operands[index] = _value(where, ops)

    return change


def _swap(number: int, a: int, b: int) -> Callable[[Ops], None]:
    def change(ops: Ops) -> None:
        op = ops[number]
        op.operands[a], op.operands[b] = op.operands[b], op.operands[a]

    return change


def _scratch(number: int, other: int) -> Callable[[Ops], None]:
    """The scratch of a step starts where another view does."""

    def change(ops: Ops) -> None:
        step, view = ops[number], ops[other]
        assert isinstance(step, DestinationStyleBase) and isinstance(view, ViewOp) and step.scratch is not None
        owner = step.scratch.owner
        assert isinstance(owner, ViewOp)
        owner.attributes["offset"] = view.offset

    return change


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _exchange(op: Operation) -> None:
    block, after = op.parent, op.next_op
    assert block is not None and after is not None
    after.detach()
    block.insert_op_before(after, op)


def _exchange_blocks(op: Operation) -> None:
    op.successors = [op.successors[1], op.successors[0]]


def _names(number: int, func: FuncOp) -> Iterator[tuple[str, Callable[[Ops], None]]]:
    """Two arguments, or results, exchange their names."""
    for name in (RESULT, attrs.NAME):
        given = [a for a in func.args if name in attrs.argument_attributes(a)]
        for a, b in combinations(given, 2):
            if isinstance(a.type, MemRefType) and a.type == b.type:
                yield "name", _exchange_names(number, name, a.index, b.index)


def _exchange_names(number: int, name: str, a: int, b: int) -> Callable[[Ops], None]:
    def change(ops: Ops) -> None:
        func = ops[number]
        assert isinstance(func, FuncOp)
        one, other = (attrs.argument_attributes(func.args[k])[name] for k in (a, b))
        attrs.set_argument_attribute(func, a, name, other)
        attrs.set_argument_attribute(func, b, name, one)

    return change
