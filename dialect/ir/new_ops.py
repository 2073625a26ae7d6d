"""New ops, made of parts that are complete: nothing is looked up, and no default is filled in.

`Operation.create` serves ops of all kinds, at the cost of several calls for each part that an op may have. What makes
an op for each op of a function sets the parts that there are. A new part has no old uses and stands nowhere: it is
linked here as xDSL links it, in the private fields, without the calls that look for what is there already.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, SSAValues, Use

from lastuse.dialect.ir.region_contents import read_by

OperationT = TypeVar("OperationT", bound=Operation)

_NONE: Mapping[str, Attribute] = MappingProxyType({})


def new_op(
    class_: type[OperationT],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = _NONE,
    attributes: Mapping[str, Attribute] = _NONE,
    regions: Sequence[Region] = (),
    location: LocationAttr = UNKNOWN_LOC,
) -> OperationT:
    """As `class_.create`, for an op without successors. `properties` are complete: those that have a default value are
    among them. `regions` are new ones."""
    made = class_.__new__(class_)
    uses: list[Use] = []
    for number, operand in enumerate(operands):
        use = Use(made, number)
        if (first := operand.first_use) is not None:
            use._next_use = first
            first._prev_use = use
        operand.first_use = use
        uses.append(use)
    made._operands = SSAValues(operands)
    made._operand_uses = tuple(uses)
    if result_types:
        made.results = SSAValues([OpResult(type_, made, number) for number, type_ in enumerate(result_types)])
    made.properties = {**properties}
    made.attributes = {**attributes}
    made.location = location
    if regions:
        made.regions = tuple(regions)
        for region in regions:
            region.parent = made
    return made


def add_last(op: Operation, block: Block) -> None:
    """As `block.add_op`, for an op that stands nowhere and that the block is not in."""
    last = block._last_op
    op.parent = block
    op._prev_op = last
    if last is None:
        block._first_op = op
    else:
        last._next_op = op
    block._last_op = op


def copy_block(old: Block, arguments: Sequence[SSAValue], known: dict[int, SSAValue]) -> Block:
    """A copy of a block of ops without successors, whose arguments have the types and names of `arguments`.

    Args:
        known: by the identity of a value, what stands for it in the copy. The arguments are added, of a value that is
            there twice the first one, and the results of the ops.
    """
    block = Block.__new__(Block)
    block._first_op = block._last_op = None
    made: list[BlockArgument] = []
    for number, value in enumerate(arguments):
        argument = BlockArgument(value._type, block, number, UNKNOWN_LOC)
        if value._name is not None:
            take_name(argument, value)
        known.setdefault(id(value), argument)
        made.append(argument)
    block._args = tuple(made)
    op = old._first_op
    while op is not None:
        add_last(_copied(op, known), block)
        op = op._next_op
    return block


def _copied(op: Operation, known: dict[int, SSAValue]) -> Operation:
    results = op.results
    if op.regions:
        made = op.clone({v: known[id(v)] for v in read_by(op) if id(v) in known})
        known.update(zip(map(id, results), made.results, strict=True))
        return made
    operands = [known.get(id(v), v) for v in op._operands]
    types = [result._type for result in results] if results else ()
    made = new_op(type(op), operands, types, op.properties, op.attributes, (), op.location)
    for old, new in zip(results, made.results, strict=True) if results else ():
        known[id(old)] = new
        if old._name is not None:
            take_name(new, old)
    return made


def region_of(block: Block) -> Region:
    """A region of one block that stands nowhere."""
    region = Region.__new__(Region)
    region._first_block = region._last_block = block
    block.parent = region
    return region


def take_name(new: SSAValue, old: SSAValue) -> None:
    """A new value is called as an old one, if that has a name."""
    name = old._name
    if name is None:
        return
    if "_" in name:
        new.name_hint = name  # xDSL cuts a number behind "_" off
    else:
        new._name = name  # xDSL has checked it where `old` was named
