"""Where an op reads floating-point numbers as bits, kernels that compute them take no decision.

IEEE 754 leaves open which NaN arithmetic on two NaNs gives. Processors take the first operand's sign and payload, and
which operand is the first differs between the kernels of one op: oneDNN's operands are exchanged to write over the
second one, and numpy has other loops for strides, for the last elements of an array, and for one element in place. So a
kernel keeps its promise (docs/storage.md, 1) up to the sign and payload of NaN. No number shows them. An op that reads
bits does (`Contract.reads_bits`: `arith.bitcast`): in a module that has one, nothing that a kernel of ours computes is
in place or part of another value, so that it is computed where and how a program without decisions computes it.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.cfg import ancestors
from lastuse.dialect.ir.dtypes import is_integer
from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.storage.contract import Contract, contract_of


def bits_are_read(op: Operation) -> bool:
    """Some op of the module that `op` stands in, in whatever region, reads floating-point numbers as bits."""
    top = (op, *ancestors(op))[-1]
    return any(not isinstance(inner, InfersShapes) and contract_of(inner).reads_bits for inner in top.walk())


def without_choices(op: Operation, contract: Contract) -> Contract:
    """The contract where bits are read: a kernel of ours that computes floating-point numbers writes over no operand,
    and nothing of such an element type is produced in its part of another value. What others run is theirs."""
    if not contract.engines:
        return contract
    if contract.contributions:
        apart = (
            c._replace(may_be_produced_in_place=c.may_be_produced_in_place and not _is_float(op.operands[c.operand]))
            for c in contract.contributions
        )
        return contract._replace(contributions=tuple(apart))
    over = tuple(o for o in contract.over if not _is_float(op.results[o.result]))
    return contract._replace(over=over)


def contracts_of(func: Operation) -> Callable[[Operation], Contract]:
    """What the contracts of ops are in `func`, a function of a module."""
    if not bits_are_read(func):
        return contract_of
    return lambda op: without_choices(op, contract_of(op))


def _is_float(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and not is_integer(value.type.element_type)
