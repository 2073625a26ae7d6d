"""A function's ops as the deciding passes see them: in order, with contracts and sizes looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialect import decisions
from ...dialect.layout import Layout
from ...dialect.place import dense
from ...dialect.shape import Typed
from ...dialect.sizes import Sizes, infer_sizes
from ...dialect.storage import Contract, View, contract_of
from .liveness import read_by


@dataclass(frozen=True)
class Program:
    """A straight-line function: one block. Times are positions of ops in it; the return is the last.

    Ops with regions are kernels here that read their operands and captures and make fresh results; what stands inside
    them is left alone.
    """

    func: FuncOp
    ops: tuple[Operation, ...]
    contracts: tuple[Contract, ...]
    sizes: Sizes
    at: Mapping[Operation, int]

    @staticmethod
    def of(func: FuncOp) -> Program | None:
        """The program of a function with one block; None for declarations and for several blocks."""
        if len(func.body.blocks) != 1:
            return None
        ops = tuple(func.body.block.ops)
        contracts = tuple(Contract() if op.regions else contract_of(op) for op in ops)
        return Program(func, ops, contracts, infer_sizes(func), {op: t for t, op in enumerate(ops)})

    @property
    def end(self) -> int:
        """The time of the return."""
        return len(self.ops) - 1

    def time_of(self, value: SSAValue) -> int:
        """When a value is defined; arguments at -1."""
        return self.at[value.op] if isinstance(value, OpResult) else -1

    def tensors(self, op: Operation) -> list[SSAValue]:
        """Tensors that `op` has to do with: operands and what its regions capture."""
        return [v for v in (read_by(op) if op.regions else op.operands) if isinstance(v.type, TensorType)]

    def typed(self, value: SSAValue) -> Typed:
        return self.sizes[value]

    def dense(self, value: SSAValue) -> Layout:
        """The layout of a value in storage of its own."""
        return dense(self.sizes[value])

    def view(self, value: SSAValue) -> View | None:
        """The view that `value` is: declared, and not made a copy by a decision or by the place rules."""
        if not isinstance(value, OpResult) or decisions.is_copy(value.op):
            return None
        return self.contracts[self.at[value.op]].view_of(value.index)

    @cached_property
    def writable(self) -> frozenset[int]:
        """Numbers of the arguments whose memory may be written."""
        return decisions.writable_arguments(self.func)

    @cached_property
    def returned(self) -> tuple[SSAValue, ...]:
        """Operands of the return."""
        return tuple(self.ops[-1].operands)

    def is_argument(self, value: SSAValue) -> bool:
        return isinstance(value, BlockArgument)

    def is_constant(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and self.contracts[self.at[value.op]].constant

    def is_foreign(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and self.contracts[self.at[value.op]].foreign
