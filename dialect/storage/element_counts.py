"""How many elements tensors of unknown rank have: what follows of the sizes that they are cast to, and back from."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.contract import contract_of


class ElementCounts:
    """Those of one function. Sizes that a tensor of unknown rank is cast to are symbols of that cast alone, if they are
    no numbers: what their product is equal to holds wherever they are."""

    def __init__(self) -> None:
        self._counts: dict[Dim, Dim] = {}

    def counted(self, op: Operation, sizes: Mapping[SSAValue, TensorInfo]) -> tuple[Dim, ...] | None:
        """The size of a result of unknown rank that is all of operand 0; None of any other result."""
        if not is_unranked(op.results[0]) or not _is_all(op):
            return None
        source = sizes[operands_of(op)[0]]
        return (self._counts.get(source.elements, source.elements),)

    def note(self, op: Operation, sizes: Mapping[SSAValue, TensorInfo]) -> None:
        """Notes how many elements a result has that is all of operand 0, of unknown rank."""
        if not _is_all(op) or is_unranked(op.results[0]):
            return
        source, result = sizes[operands_of(op)[0]], sizes[op.results[0]]
        if not isinstance(result.elements, int):
            (self._counts[result.elements],) = source.known


def _is_all(op: Operation) -> bool:
    views = contract_of(op).views
    return bool(views) and views[0].whole
