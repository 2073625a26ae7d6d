"""Why a size, or the rank, is not known where memory is taken; and the tensor that says the rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.decisions import movers_to
from lastuse.dialect.storage.forwarding import passed_by


class UnknownMemoryError(LastuseError):
    """The size of the memory that `values` share is not known where that has to be there."""

    def __init__(self, message: str, values: Iterable[SSAValue], at: Location | Operation | None) -> None:
        super().__init__(message, at)
        self.values = frozenset(values)


def unknown_memory(values: Sequence[SSAValue]) -> UnknownMemoryError:
    """The error of memory that values of different sizes share."""
    owner = values[0].owner
    where = owner if isinstance(owner, Operation) else owner.parent_op()
    return UnknownMemoryError(f"the size of the memory of {display_name(values[0])} is not known", values, where)


def unknown_size(
    value: SSAValue, axis: int, sizes: Mapping[SSAValue, TensorInfo], at: Operation | None
) -> LastuseError:
    """The error of a size of `value` that is needed at `at`."""
    said = f"size {axis} of {display_name(value)} is not known where it is needed"
    sources = [source for source in _sources(value) if source in sizes]
    other = next((s for s in sources if sizes[s].known[axis] != sizes[sources[0]].known[axis]), None)
    if other is not None:
        both = f"{display_name(sources[0])} and {display_name(other)}"
        said += f": {both}, which become it, are not known to have one size"
    return UnknownMemoryError(said, [value], at)


def unknown_rank(value: SSAValue, at: Operation | None) -> LastuseError:
    """The error of memory for `value`, of unknown rank, that is needed at `at`."""
    said = f"{display_name(value)} needs memory of its own here, but its rank is not known: it cannot be copied"
    return UnknownMemoryError(said, [value], at)


def _sources(value: SSAValue) -> list[SSAValue]:
    """What becomes a value at a boundary."""
    movers = [value.op] if isinstance(value, OpResult) else movers_to(value.owner)  # pyright: ignore
    return list(dict.fromkeys(p.source for mover in movers for p in passed_by(mover) if p.target is value))


def of_known_rank(value: SSAValue) -> SSAValue:
    """The tensor of known rank that a tensor of unknown rank is all of, where its casts say it; else the value."""
    whole = value
    while is_unranked(whole) and isinstance(whole, OpResult):
        view = contract_of(whole.op).view_of(whole.index)
        if view is None or not view.whole:
            break
        whole = whole.op.operands[view.operand]
    return value if is_unranked(whole) else whole
