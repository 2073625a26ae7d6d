"""New ops, made of parts that are complete: nothing is looked up, and no default is filled in.

`Operation.create` serves ops of all kinds, at the cost of several calls for each part that an op may have. What makes
an op for each op of a function sets the parts that there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.region_contents import read_by

OperationT = TypeVar("OperationT", bound=Operation)

_NONE: Mapping[str, Attribute] = MappingProxyType({})


def new_op(
    class_: type[OperationT],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = _NONE,
    attributes: Mapping[str, Attribute] = _NONE,
    regions: Iterable[Region] = (),
    location: LocationAttr = UNKNOWN_LOC,
) -> OperationT:
    """As `class_.create`, for an op without successors. `properties` are complete: those that have a default value are
    among them."""
    made = class_.__new__(class_)
    made.operands = operands
    if result_types:
        made.results = SSAValues([OpResult(type_, made, n) for n, type_ in enumerate(result_types)])
    made.properties = dict(properties)
    made.attributes = dict(attributes)
    made.location = location
    for region in regions:
        made.add_region(region)
    return made


def copy_ops(ops: Iterable[Operation], block: Block, known: dict[int, SSAValue]) -> None:
    """Adds copies of ops without successors to the end of a block.

    Args:
        known: by the identity of a value, what stands for it in the copies; the results of the ops are added.
    """
    for op in ops:
        results = op.results
        if op.regions:
            made = op.clone({v: known[id(v)] for v in read_by(op) if id(v) in known})
            known.update(zip(map(id, results), made.results, strict=True))
        else:
            operands = [known.get(id(v), v) for v in operands_of(op)]
            types = [result.type for result in results] if results else ()
            made = new_op(type(op), operands, types, op.properties, op.attributes, location=op.location)
            for old, new in zip(results, made.results, strict=True) if results else ():
                known[id(old)] = new
                take_name(new, old)
        block.add_op(made)


def block_like(values: Sequence[SSAValue]) -> Block:
    """A block whose arguments have the types and names of some values."""
    block = Block()
    for number, value in enumerate(values):
        take_name(block.insert_arg(value.type, number, UNKNOWN_LOC), value)
    return block


def take_name(new: SSAValue, old: SSAValue) -> None:
    """A new value is called as an old one, if that has a name."""
    if (name := old.name_hint) is not None:
        new.name_hint = name
