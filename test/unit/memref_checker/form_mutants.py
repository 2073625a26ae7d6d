"""Memref forms with one mistake, made in every place where it can be made: the ways in which a pass goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerAttr, MemRefType, ModuleOp, i64
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

Mutation = Callable[[Operation], None]
MOST = 3
"""So many other operands, or places, are tried in each place."""


def mutants(form: ModuleOp) -> Iterator[tuple[str, ModuleOp]]:
    """Copies of a form with one mistake each, and what it is."""
    return mutated(form, _mutations)


def mutated(
    form: ModuleOp, mutations: Callable[[Operation], Iterator[tuple[str, Mutation]]]
) -> Iterator[tuple[str, ModuleOp]]:
    """Copies of a form with one of the `mutations` of one op each, and what it is."""
    for number, op in enumerate(form.walk()):
        for what, change in mutations(op):
            copy = form.clone()
            change(next(o for n, o in enumerate(copy.walk()) if n == number))
            yield f"{op.name}: {what}", copy


def _mutations(op: Operation) -> Iterator[tuple[str, Mutation]]:
    if isinstance(op, ModuleOp | FuncOp):
        return
    yield from _operands(op)
    match op:
        case arith.ConstantOp() if isinstance(op.result.type, IndexType):
            for step in (-64, -8, -1, 1, 8, 64):
                yield f"{step} added", lambda o, by=step: _add(o, by)
        case memref.SubviewOp():
            for axis, offset in enumerate(op.static_offsets.get_values()):
                if offset != DYNAMIC_INDEX:
                    yield f"offset {axis} moved", lambda o, a=axis: _move(o, "static_offsets", a)
            for axis, stride in enumerate(op.static_strides.get_values()):
                if stride != DYNAMIC_INDEX:
                    yield f"stride {axis} larger", lambda o, a=axis: _move(o, "static_strides", a)
        case memref.CopyOp():
            yield "direction turned", lambda o: _swap(o, 0, 1)
        case scf.IfOp() if op.results:
            yield "arms exchanged", _exchange_arms
        case _:
            pass
    if not op.results and op.next_op is not None and not op.regions:
        yield "left out", lambda o: o.detach()
    yield from _places(op)


# Operands


def _operands(op: Operation) -> Iterator[tuple[str, Mutation]]:
    for k, value in enumerate(op.operands):
        for j in range(k):
            if op.operands[j].type == value.type and op.operands[j] is not value:
                yield f"operands {j} and {k} swapped", lambda o, j=j, k=k: _swap(o, j, k)
        if isinstance(op, arith.ConstantOp | memref.AllocOp) or isinstance(value.type, IndexType) and op.results == ():
            continue
        for n, _ in enumerate(_others(op, k)[-MOST:]):
            yield f"operand {k} is another value", lambda o, k=k, n=n: _replace(o, k, n)


def _others(op: Operation, k: int) -> list[SSAValue]:
    """Values of the type of an operand that are there before."""
    return [v for v in _before(op) if v.type == op.operands[k].type and v is not op.operands[k]]


def _before(op: Operation) -> list[SSAValue]:
    found: list[SSAValue] = []
    current: Operation | None = op
    while current is not None and (block := current.parent) is not None:
        region = block.parent
        entry = region.blocks[0] if region is not None else block
        for dominating in [entry, *([block] if block is not entry else [])]:
            found += dominating.args
            for earlier in dominating.ops:
                if earlier is current:
                    break
                found += earlier.results
        current = block.parent_op()
        if isinstance(current, FuncOp):
            break
    return found


def _replace(op: Operation, k: int, number: int) -> None:
    op.operands[k] = _others(op, k)[-MOST:][number]


def _swap(op: Operation, j: int, k: int) -> None:
    op.operands[j], op.operands[k] = op.operands[k], op.operands[j]


# Numbers


def _add(op: Operation, by: int) -> None:
    assert isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr)
    op.properties["value"] = IntegerAttr(op.value.value.data + by, op.value.type)


def _move(op: Operation, name: str, axis: int) -> None:
    assert isinstance(op, memref.SubviewOp)
    numbers = list(getattr(op, name).get_values())
    numbers[axis] += 1
    op.properties[name] = DenseArrayBase.from_list(i64, numbers)


# Places


def _places(op: Operation) -> Iterator[tuple[str, Mutation]]:
    """An op that reads or writes memory, or gives it back, stands earlier or later."""
    block = op.parent
    if block is None or op.next_op is None or op.results and not isinstance(op, memref.LoadOp | CallOp):
        return
    if not any(isinstance(v.type, MemRefType) for v in op.operands):
        return
    ops = list(block.ops)
    at = ops.index(op)
    for later in range(at + 1, min(at + 1 + MOST, len(ops) - 1)):
        if any(v in op.results for v in _used(ops[later])):
            break
        yield f"moved behind {later - at} ops", lambda o, by=later - at: _shift(o, by)
    for earlier in range(at - 1, max(at - 1 - MOST, -1), -1):
        if any(v in ops[earlier].results for v in _used(op)):
            break
        yield f"moved before {at - earlier} ops", lambda o, by=earlier - at: _shift(o, by)


def _used(op: Operation) -> Sequence[SSAValue]:
    return [v for inner in op.walk() for v in inner.operands]


def _shift(op: Operation, by: int) -> None:
    block = op.parent
    assert isinstance(block, Block)
    ops = list(block.ops)
    other = ops[ops.index(op) + by]
    op.detach()
    (block.insert_op_after if by > 0 else block.insert_op_before)(op, other)


def _exchange_arms(op: Operation) -> None:
    one, two = (op.detach_region(r) for r in list(op.regions))
    op.add_region(two)
    op.add_region(one)
