"""Parts of long functions, as functions of their own.

What saves copies is tried on copies of a function, and each trial decides all of it once more. So a long function is
changed in segments: ops one behind the other, with the ops in their regions. A segment is a function that is given what
its ops need, and returns what others need of them. Tensors that the rest of the function needs no more it may write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import BoolAttr, ModuleOp, TensorType, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import clone_located, inherit
from lastuse.dialect.ir.flow_graphs import around_in, callee_of, listed_block, listed_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.call_interface import WRITABLE, is_kept
from lastuse.dialect.storage.contract import contract_of

NAME = "segment"
SHORTEST = 3
"""A segment ends where the fewest tensors go on, in the last two of so many parts of its ops."""


class FunctionSegment(NamedTuple):
    """Ops of one block, one behind the other, as the function `func` of a module of its own.

    Attributes:
        given: what the arguments of the function stand for.
        needed: what its results stand for.
        copied: by op of the function that is a copy of one outside of the segment the value of that one.
    """

    ops: Sequence[Operation]
    module: ModuleOp
    given: Sequence[SSAValue]
    needed: Sequence[SSAValue]
    copied: Mapping[Operation, SSAValue]

    @property
    def func(self) -> FuncOp:
        """The function, which may be replaced in its module."""
        return next(op for op in self.module.ops if isinstance(op, FuncOp) and op.sym_name.data == NAME)

    def put_back(self) -> None:
        """Puts the ops of the function, as they are now, in the place of those that it was made of."""
        body, block = self.func.body.block, self.ops[0].parent
        assert block is not None
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, self.given, strict=True))
        for op in listed_block(body):
            if isinstance(op, ReturnOp):
                results = [values.get(v, v) for v in op.operands]
                op.detach()
                op.erase()
                for old, new in zip(self.needed, results, strict=True):
                    old.replace_all_uses_with(new)
            elif (original := self.copied.get(op)) is not None:
                values[op.results[0]] = original
            else:
                op.detach()
                for inner in listed_ops(op):
                    inner.operands = [values.get(v, v) for v in inner.operands]
                block.insert_op_before(op, self.ops[0])
        for op in reversed(self.ops):
            op.detach()
            op.erase()


class BlockOrder:
    """The order of the ops of a block, as it was when it was divided. An op without a number stands in the place of an
    earlier segment.

    Attributes:
        number: by op where it stands.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.number = {op: n for n, op in enumerate(listed_block(block))}
        self._last: dict[SSAValue, float] = {}

    def last_use(self, value: SSAValue) -> float:
        """Where the last op stands that uses a value; behind the block, if one that is not in it does. Segments that
        are put back later use no other values."""
        found = self._last.get(value)
        if found is None:
            users = (around_in(use.operation, self.block) for use in value.uses)
            places = (self.number.get(user, -1) if user is not None else inf for user in users)
            found = self._last[value] = max(places, default=-1)
        return found


class BlockSegment(NamedTuple):
    """Ops that follow each other in a block."""

    ops: Sequence[Operation]
    order: BlockOrder


def segments_of(func: FuncOp, most: int) -> Iterator[BlockSegment]:
    """The ops of a function without those that end its blocks, in segments of so many ops at most, with all that is in
    their regions; of an op with more in its regions the segments of these."""
    waiting = [*func.body.blocks]
    while waiting:
        block = waiting.pop(0)
        order = BlockOrder(block)
        ops = [*order.number][:-1]
        sizes = [len(listed_ops(op)) for op in ops]
        first = 0
        while first < len(ops):
            if sizes[first] > most:
                waiting += [inner for region in ops[first].regions for inner in region.blocks if inner.last_op]
                first += 1
                continue
            end, total = first, 0
            while end < len(ops) and total + sizes[end] <= most:
                total += sizes[end]
                end += 1
            if end < len(ops) and sizes[end] <= most:
                end = _best_end(ops, sizes, first, end, order)
            yield BlockSegment(ops[first:end], order)
            first = end


def outlined(segment: BlockSegment, module: ModuleOp, writable: bool) -> FunctionSegment:
    """A segment of a function of `module`.

    Args:
        segment: the segments before it may have been put back.
        writable: the function may write its arguments, unless these say otherwise.
    """
    ops, order = segment
    inside = {inner: op for op in ops for inner in listed_ops(op)}
    free = dict.fromkeys(v for inner in inside for v in inner.operands if _owner(v) not in inside)
    known = {v: v.owner for v in free if isinstance(v.owner, Operation) and _may_be_copied(v.owner)}
    given = [v for v in free if v not in known]
    needed = [v for op in ops for v in op.results if any(use.operation not in inside for use in v.uses)]
    func = FuncOp(NAME, ([v.type for v in given], [v.type for v in needed]))
    body = func.body.block
    values: dict[SSAValue, SSAValue] = dict(zip(given, body.args, strict=True))
    copies: dict[Operation, SSAValue] = {}
    for op in (*known.values(), *ops):
        made = op.clone(values)
        for new, old in zip(listed_ops(made), listed_ops(op), strict=True):
            inherit(new, old)
        body.add_op(made)
        if op not in inside:
            copies[made] = op.results[0]
    body.add_op(ReturnOp(*[values[v] for v in needed]))
    last = order.number[ops[-1]]
    tensors = {n: value for n, value in enumerate(given) if isinstance(value.type, TensorType)}
    done = {n for n, value in tensors.items() if _is_done(value, order, last, writable)}
    attrs.set_argument_attributes(func, attrs.DONATED, dict.fromkeys(done, UnitAttr()))
    attrs.set_argument_attributes(func, WRITABLE, dict.fromkeys(tensors.keys() - done, BoolAttr.from_bool(False)))
    alone = ModuleOp([*declared(inside, module), func])
    resources.share(alone, module)
    return FunctionSegment(ops, alone, given, needed, copies)


def _may_be_copied(op: Operation) -> bool:
    """What the op makes is known of its copy too, and a copy of it takes no memory."""
    if isinstance(op, arith.ConstantOp):
        return not isinstance(op.result.type, TensorType)
    return contract_of(op).uninitialized and len(op.results) == 1 and not op.operands


def _best_end(ops: Sequence[Operation], sizes: Sequence[int], first: int, end: int, order: BlockOrder) -> int:
    """Where the fewest tensors go on to later ops, behind a third of the ops from `first` to `end`; the last of such
    places."""
    goes_on = [0] * (end + 1)
    for n in range(first, end):
        for value in ops[n].results:
            if isinstance(value.type, TensorType):
                for place in range(n + 1, int(min(order.last_use(value), end)) + 1):
                    goes_on[place] += 1
    enough, total, places = sum(sizes[first:end]) // SHORTEST, 0, list[int]()
    for n in range(first, end):
        total += sizes[n]
        if total >= enough:
            places.append(n + 1)
    return min(reversed(places), key=goes_on.__getitem__)


def _owner(value: SSAValue) -> Operation | None:
    return value.owner.parent_op() if isinstance(value.owner, Block) else value.owner


def _is_done(value: SSAValue, order: BlockOrder, last: int, writable: bool) -> bool:
    """No op behind the segment needs the bytes of a value, and the function may write them."""
    while True:
        if order.last_use(value) > last:
            return False
        if not isinstance(value, OpResult):
            assert isinstance(value, BlockArgument)
            may_write = attrs.is_donated(value) or writable and not is_kept(value)
            return value.block is order.block and (may_write or not isinstance(value.block.parent_op(), FuncOp))
        contract = contract_of(value.op)
        if value.op.parent is not order.block or contract.constant:
            return False
        view = contract.view_of(value.index)
        if view is None:
            return True
        value = value.op.operands[view.operand]


def declared(ops: Iterable[Operation], module: ModuleOp, but: Sequence[FuncOp] = ()) -> list[FuncOp]:
    """The functions of a module that some ops call, without their bodies."""
    names = {callee_of(op) for op in ops if isinstance(op, CallOp)}.difference(func.sym_name.data for func in but)
    found: list[FuncOp] = []
    for func in module.ops if names else ():
        if isinstance(func, FuncOp) and func.sym_name.data in names:
            copy = clone_located(func)
            for block in list(copy.body.blocks):
                copy.body.detach_block(block)
            found.append(copy)
    return found
