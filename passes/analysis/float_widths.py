"""
Which ops of a function compute numbers of a narrow floating-point type in a wider one, so that the fewest bytes are
cast: a minimum cut.

An op that computes is wide: the runtime has no kernels for the narrow type. An op that only moves elements is on the
side where casts take fewer bytes. What the cut pays is

* for a value that is made in one type and read in the other, the bytes of a cast, once for all its readers;
* for an op that moves elements in the wide type, the bytes that this is more.

What the function is passed, what it returns, and what other ops than those of `dnn` read, keeps its type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.wider_floats import has_dtype, in_wider_floats
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.tensor_types import item_bytes
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.analysis.layouts import is_constant
from lastuse.passes.planning.minimum_cut import SINK, SOURCE, UNBOUNDED, FlowGraph


@dataclass(frozen=True)
class FloatWidths:
    """
    Attributes:
        wide: the ops that compute tensors of the narrow type in the wide one, in the order of the text, and the types
            of their results.
        refused: the other ops that compute such tensors, and why, in words.
    """

    wide: Mapping[Operation, Sequence[Attribute]]
    refused: Mapping[Operation, str]


def float_widths(func: FuncOp, narrow: str, wide: str) -> FloatWidths:
    """The widths in which a function computes tensors of `narrow` so that the fewest bytes are cast."""
    forms: dict[Operation, Sequence[Attribute]] = {}
    refused: dict[Operation, str] = {}
    for op in func.walk():
        if not isinstance(op, DnnOp) or not any(has_dtype(value, narrow) for value in (*op.operands, *op.results)):
            continue
        form = "the op has decisions" if attrs.is_decided(op) else in_wider_floats(op, narrow, wide)
        if not isinstance(form, str):
            forms[op] = form
        elif op.operands and not _only_moves(op):
            refused[op] = form
    if all(map(_only_moves, forms)):
        return FloatWidths({}, refused)
    return FloatWidths(_WidthCut(forms, narrow, wide).chosen(func), refused)


def _is_view(op: Operation) -> bool:
    return contract_of(op).view_of(0) is not None


def _only_moves(op: Operation) -> bool:
    """Whether the results hold elements of operands."""
    return isinstance(op, MovesElementsBase) or _is_view(op)


class _WidthCut:
    """The graph of a function: wide ops are on the side of the source."""

    def __init__(self, forms: Mapping[Operation, Sequence[Attribute]], narrow: str, wide: str) -> None:
        self._forms, self._narrow = forms, narrow
        self._graph = FlowGraph()
        self._nodes = {op: self._graph.node() for op in forms}
        self._narrow_bytes, self._wide_bytes = item_bytes(narrow), item_bytes(wide)

    def chosen(self, func: FuncOp) -> Mapping[Operation, Sequence[Attribute]]:
        for op, node in self._nodes.items():
            if _only_moves(op):
                self._graph.edge(node, SINK, 1 if _is_view(op) else self._more_bytes(op))
            else:
                self._graph.edge(SOURCE, node, UNBOUNDED)
        for op in func.walk():
            for value in (*op.results, *(argument for block in _blocks(op) for argument in block.args)):
                if has_dtype(value, self._narrow) and not is_constant(value):
                    self._add(value)
        _, cut = self._graph.largest_minimum_cut()
        return {op: types for op, types in self._forms.items() if self._nodes[op] in cut}

    def _more_bytes(self, op: Operation) -> int:
        """By how many bytes an op reads and writes more if it is wide."""
        moved = sum(element_count(value) for value in op.results if has_dtype(value, self._narrow))
        return 2 * moved * (self._wide_bytes - self._narrow_bytes) + 1

    def _add(self, value: SSAValue) -> None:
        """Adds what casts of the value cost: it is made on one side of the cut and read on the other."""
        made = self._nodes.get(value.owner, SINK) if isinstance(value.owner, Operation) else SINK
        readers = {
            self._nodes.get(use.operation, SINK)
            for use in value.uses
            if use.index not in contract_of(use.operation).metadata_only
        }
        cost = element_count(value) * (self._wide_bytes + self._narrow_bytes) + 1
        self._graph.edge_from_any(readers - {SINK}, made, cost)
        self._graph.edge_to_any(made, readers, cost)


def _blocks(op: Operation) -> Iterator[Block]:
    return (block for region in op.regions for block in region.blocks)
