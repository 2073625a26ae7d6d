"""A function's ops as the deciding passes see them: in order, with contracts, sizes and liveness looked up once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects import scf
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import (
    AS_THEY_STAND,
    Order,
    ancestors,
    block_ops,
    is_control,
    is_inside,
    operands_of,
    ops_of,
    reverse_postorder,
)
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, View, contracts_of, holds_nothing, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Layout
from lastuse.dialect.storage.place_rules import dense
from lastuse.dialect.storage.shape_inference import Sizes, infer_shapes
from lastuse.passes.analysis.liveness import liveness

LOOPS = (scf.ForOp, scf.WhileOp)
"""Region ops whose regions may run again."""


@dataclass(frozen=True)
class NumberedOps:
    """The ops of a function, those inside regions too, each region op before what stands in it, under decisions and in
    an order: those of the IR, or others that a search tries.

    The ops that compute the elements of a kernel, in a region of it, are not among them, nor are their blocks.

    Times are positions in `ops`. A block's operands of its terminator, and all that lives out of it, count as read at
    the terminator's time: uses in later blocks are not distinguished.

    Attributes:
        contracts: those of `ops`.
        entered: the region ops, whose blocks are among those of the program.
        empty: the values that hold nothing (`holds_nothing`), by their identities: values are hashed in Python.
        at: the times of `ops`.
        block_out: by block the values that are live at its end.
        captured: what the regions of ops read from outside, of those that read so.
    """

    func: FuncOp
    ops: tuple[Operation, ...]
    contracts: tuple[Contract, ...]
    entered: frozenset[Operation]
    empty: frozenset[int]
    sizes: Sizes
    at: Mapping[Operation, int]
    block_out: Mapping[Block, frozenset[SSAValue]]
    captured: Mapping[Operation, tuple[SSAValue, ...]]
    decisions: Decisions
    order: Order

    @staticmethod
    def of(func: FuncOp, decisions: Decisions | None = None) -> NumberedOps | None:
        """The program of a function; None for a declaration, and where a block cannot be reached.

        Args:
            decisions: those that the function carries, where they are known.
        """
        program = NumberedOps.undecided(func)
        return None if program is None else program.decided(decisions or Decisions.of(func))

    @staticmethod
    def reaches_all(func: FuncOp) -> bool:
        """The function has blocks, and each can be reached."""
        return bool(func.body.blocks) and len(reverse_postorder(func.body)) == len(func.body.blocks)

    @staticmethod
    @remembered
    def undecided(func: FuncOp) -> NumberedOps | None:
        """As `of`, without decisions."""
        if not NumberedOps.reaches_all(func):
            return None
        ops = tuple(_ordered(func.body, AS_THEY_STAND))
        declared = contracts_of(func)
        contracts = tuple([Contract() if op.regions and is_control(type(op)) else declared(op) for op in ops])
        entered = frozenset(op for op, contract in zip(ops, contracts, strict=True) if _is_entered(op, contract))
        made = [r for op, contract in zip(ops, contracts, strict=True) if contract.uninitialized for r in op.results]
        empty = frozenset(map(id, filter(holds_nothing, made)))
        at = {op: t for t, op in enumerate(ops)}
        live = liveness(func.body, entered=entered)
        sizes = infer_shapes(func)
        order = {block: block_ops(block) for block in live.block_out}
        return NumberedOps(
            func, ops, contracts, entered, empty, sizes, at, live.block_out, live.captured, Decisions(), order
        )

    def decided(self, decisions: Decisions) -> NumberedOps:
        """The same program under other decisions."""
        return replace(self, decisions=decisions)

    def reordered(self, order: Order) -> NumberedOps:
        """The program in another order of the ops of some blocks; all sizes are known."""
        order = {**self.order, **order}
        ops = tuple(_ordered(self.func.body, order))
        contracts = tuple(self.contracts[self.at[op]] for op in ops)
        live = liveness(self.func.body, order, self.entered)
        values = defined_values(reverse_postorder(self.func.body), order)
        sizes: Sizes = {value: self.sizes[value] for value in values if value in self.sizes}
        at = {op: t for t, op in enumerate(ops)}
        return replace(
            self,
            ops=ops,
            contracts=contracts,
            sizes=sizes,
            at=at,
            block_out=live.block_out,
            captured=live.captured,
            order=order,
        )

    def ops_of(self, block: Block) -> Sequence[Operation]:
        """The ops of a block, in order."""
        return self.order[block]

    def arguments_at(self, op: Operation) -> Sequence[BlockArgument]:
        """The tensors that begin with `op`: arguments of the block whose first op it is."""
        return self._arguments.get(op, ())

    @cached_property
    def _arguments(self) -> Mapping[Operation, Sequence[BlockArgument]]:
        return {ops[0]: [a for a in block.args if a in self.sizes] for block, ops in self.order.items() if ops}

    @cached_property
    def is_one_block(self) -> bool:
        """The function has one block, whose last op is the last of all."""
        return self.func.body.first_block is self.func.body.last_block and len(self.order) == 1

    @cached_property
    def has_known_sizes(self) -> bool:
        """The size of every tensor is a number."""
        return all(isinstance(size, int) for type_ in self.sizes.values() for size in type_.known)

    def is_return(self, time: int) -> bool:
        return isinstance(self.ops[time], ReturnOp)

    def time_of(self, value: SSAValue) -> int:
        """When a value is defined: arguments of the function at -1, of other blocks just before the block's
        first op."""
        if isinstance(value, OpResult):
            return self.at[value.op]
        assert isinstance(value, BlockArgument)
        ops = self.ops_of(value.block)
        return self.at[ops[0]] - 1 if ops else -1

    def region_end(self, op: Operation) -> int:
        """The time of the last op in the regions of `op`, however deep; its own time if it has none."""
        return self._region_ends[self.at[op]]

    @cached_property
    def _region_ends(self) -> Sequence[int]:
        ends = list(range(len(self.ops)))
        for time in reversed(range(len(self.ops))):
            around = self.ops[time].parent_op()
            if around is not None and around in self.at:
                ends[self.at[around]] = max(ends[self.at[around]], ends[time])
        return ends

    def read_by(self, op: Operation) -> list[SSAValue]:
        """Operands of `op` and what its regions capture from outside, each once."""
        return list(dict.fromkeys((*operands_of(op), *self.captured.get(op, ()))))

    def tensors(self, op: Operation) -> list[SSAValue]:
        """Tensors that `op` has to do with: operands and what its regions capture."""
        return [
            v for v in (self.read_by(op) if is_region_op(op) else operands_of(op)) if isinstance(v.type, TensorType)
        ]

    def foreign_parent(self, block: Block) -> Operation | None:
        """The foreign op whose block it is: what its arguments are is not known."""
        around = block.parent_op()
        return around if around is not None and around in self.at and self.contracts[self.at[around]].foreign else None

    def captures(self, op: Operation) -> list[SSAValue]:
        """Tensors from outside that the regions of `op` use, its operands left out unless they are used there too."""
        return [v for v in self.captured.get(op, ()) if isinstance(v.type, TensorType)]

    def loop_around(self, op: Operation, value: SSAValue) -> Operation | None:
        """The outermost loop around `op` that `value` is defined outside of."""
        loop: Operation | None = None
        for around in ancestors(op):
            if isinstance(around, LOOPS) and not is_inside(value, around):
                loop = around
        return loop

    def contract(self, op: Operation) -> Contract:
        """The contract of one of `ops`."""
        return self.contracts[self.at[op]]

    def typed(self, value: SSAValue) -> TensorInfo:
        return self.sizes[value]

    def dense(self, value: SSAValue) -> Layout:
        """The layout of a value in storage of its own."""
        return dense(self.sizes[value])

    def view(self, value: SSAValue) -> View | None:
        """The view that `value` is: declared, and not made a copy by a decision or by the place rules."""
        found = self._views.get(value)
        if found is None:
            found = self._views[value] = (self._view_of(value),)
        return found[0]

    @cached_property
    def _views(self) -> dict[SSAValue, tuple[View | None]]:
        """What `view` was asked for: decisions ask for every value many times."""
        return {}

    def _view_of(self, value: SSAValue) -> View | None:
        if not isinstance(value, OpResult):
            return None
        view = self.contracts[self.at[value.op]].view_of(value.index)
        if view is None or value in self.decisions.copies:
            return None
        number = self.decisions.number_of(value)
        if value in self.decisions.offsets:
            return None  # a plan has a place of its own for it
        if number < 0:
            return view
        # A number puts the value at the first byte of that storage: a copy, unless the operand is there too.
        return view if view.whole and self.decisions.number_of(operands_of(value.op)[view.operand]) == number else None

    @cached_property
    def writable(self) -> frozenset[int]:
        """Numbers of the arguments whose memory may be written."""
        return attrs.writable_arguments(self.func)

    def is_argument(self, value: SSAValue) -> bool:
        """An argument of the function."""
        # Of the two tests the first one is fast: for what is none, xDSL's classes run Python code.
        return not isinstance(value, OpResult) and value.owner is self.func.body.first_block


def loop_depth(op: Operation) -> int:
    """How many loops stand around an op."""
    return sum(isinstance(around, LOOPS) for around in ancestors(op))


def _is_entered(op: Operation, contract: Contract) -> bool:
    """As `is_region_op`, of an op whose contract is at hand: control flow has one that says nothing."""
    return bool(op.regions) and (contract.foreign or is_control(type(op)))


def _ordered(region: Region, order: Order) -> list[Operation]:
    found: list[Operation] = []
    for block in reverse_postorder(region):
        for op in ops_of(block, order):
            found.append(op)
            if op.regions and is_region_op(op):
                for inner in op.regions:
                    found += _ordered(inner, order)
    return found


def defined_values(blocks: Iterable[Block], order: Order = AS_THEY_STAND) -> Iterator[OpResult | BlockArgument]:
    """Every value, as shape inference comes to it."""
    for block in blocks:
        yield from block.args
        for op in ops_of(block, order):
            for region in op.regions:
                yield from defined_values(region.blocks, order)
            yield from op.results
