"""What each value of the source holds, as codes.

A *code* names one byte that some op computes (`codes.py`): the results of a kernel, the arguments and the constants
have codes of their own, one after the other. A view, a data-movement op, or a slot whose sources agree, holds bytes of
other values: the same codes. So two bytes with one code are equal in every run. Scalars have codes too: one for each
expression.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.tensor_types import dtype_name, item_bytes
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, contract_of
from lastuse.dialect.storage.layout import LayoutMap, Strided
from lastuse.passes.lowering_checker.codes import UNKNOWN, Codes, Row
from lastuse.passes.lowering_checker.pieces import Pieces, gaps, overlay, pieces_of
from lastuse.passes.lowering_checker.signature import Mismatch


class Contents(NamedTuple):
    """A tensor of the source: what it holds, its sizes and element type."""

    row: Row
    shape: tuple[int, ...]
    dtype: str

    @property
    def item(self) -> int:
        return item_bytes(self.dtype)


class Values:
    """What the values of one function hold; slots change it as paths meet."""

    def __init__(self) -> None:
        self.tensors: dict[SSAValue, Contents] = {}
        self.scalars: dict[SSAValue, int] = {}
        self.codes = Codes()
        self.contract = cache(contract_of)
        self._fixed: set[Operation] = set()
        self._views: dict[SSAValue, tuple[Contents, Contents]] = {}
        self._computed: dict[tuple[Operation, tuple[int, ...]], int] = {}
        self._contents: dict[int, tuple[Attribute, Row]] = {}
        self._expressions: dict[Hashable, int] = {}
        self._types: dict[int, tuple[Attribute, tuple[int, ...], str, int]] = {}

    def type_of(self, value: SSAValue) -> tuple[tuple[int, ...], str, int]:
        """Sizes, element type and bytes of a tensor.

        Raises:
            Refusal: a size is not known.
        """
        type_ = value.type
        entry = self._types.get(id(type_))
        if entry is None:
            assert isinstance(type_, TensorType)
            shape, dtype = type_.get_shape(), dtype_name(type_.element_type)
            if min(shape, default=0) < 0:
                raise Mismatch(f"{attrs.display_name(value)} has a size that is not known")
            entry = self._types[id(type_)] = type_, shape, dtype, item_bytes(dtype) * prod(shape)
        return entry[1:]

    def contents_of(self, value: SSAValue, row: Row | None = None) -> Contents:
        """A value that holds `row`; without one, bytes of its own."""
        shape, dtype, nbytes = self.type_of(value)
        return Contents(self.codes.own((value, None), nbytes, value) if row is None else row, shape, dtype)

    def constant(self, content: Attribute, nbytes: int) -> Row:
        """What a constant holds: equal contents have the same codes."""
        known = self._contents.get(id(content))  # contents are large, and their hashes slow
        if known is None:
            known = self._contents[id(content)] = content, self.codes.own(content, nbytes, "a constant")
        return known[1]

    def scalar(self, key: Hashable) -> int:
        """The code of a scalar: the same for the same expression."""
        return self._expressions.setdefault(key, len(self._expressions))

    # Ops

    def op(self, op: Operation) -> None:
        """An op that is not control flow: what its results hold.

        Raises:
            Refusal: nothing is known of such an op.
        """
        if not op.results or op in self._fixed:
            return
        if isinstance(op, CallOp):
            self.slots(op.results)
        elif isinstance(op.results[0].type, TensorType):
            self._tensors(op)
        else:
            self.scalars.update(self._scalars(op))

    def slots(self, values: Iterable[SSAValue]) -> None:
        """Arguments of the function, or results of a call: their bytes, or scalars, are their own."""
        for value in values:
            if isinstance(value.type, TensorType):
                self.tensors[value] = self.contents_of(value)
            else:
                self.scalars[value] = self.scalar(value)

    def settle(self, slot: SSAValue, held: Row | int) -> None:
        """A slot holds what came into it."""
        if isinstance(held, Row):
            known = self.tensors.get(slot)
            if known is not None and known.row.same(held):
                return
            self.tensors[slot] = self.contents_of(slot, held)
        else:
            self.scalars[slot] = held

    def _tensors(self, op: Operation) -> None:
        contract = self.contract(op)
        if contract.constant:
            (result,) = op.results
            content = {**op.attributes, **op.properties}["value"]
            self.tensors[result] = self.contents_of(result, self.constant(content, self.type_of(result)[2]))
            self._fixed.add(op)
            return
        if not isinstance(op, DnnOp):
            raise Mismatch(f"nothing is known of what {op.name} computes")
        if contract.contributions and not contract.views:
            (result,) = op.results
            self.tensors[result] = self.contents_of(result, self._moved_bytes(op, contract))
            return
        for index, result in enumerate(op.results):
            view = contract.view_of(index)
            if view is None:
                self.tensors[result] = self.contents_of(result)
                continue
            source = self.tensors[op.operands[view.operand]]
            known = self._views.get(result)
            if known is None or known[0] is not source:
                known = self._views[result] = source, self.contents_of(result, self.view(source, view.map))
            self.tensors[result] = known[1]
        if not contract.views:
            self._fixed.add(op)

    def view(self, source: Contents, map_: LayoutMap) -> Row | None:
        """What a view of a value holds; None where the map gives no place even of a dense value.

        Raises:
            Mismatch: it is not within the value.
        """
        layout = map_(Strided.dense(source.shape, source.item, source.row.first))
        if layout is None:
            return None
        return Row(layout.nbytes, self.codes.strided(layout) if layout.nbytes else 0)

    def _moved_bytes(self, op: Operation, contract: Contract) -> Row | None:
        """What an op moves into its result; None where a contribution has no place there."""
        (result,) = op.results
        shape, dtype, nbytes = self.type_of(result)
        place = Strided.dense(shape, item_bytes(dtype))
        whole = pieces_of(Strided.dense((nbytes,), 1))
        base = [(whole, self.contents_of(result).row.first)] if contract.fill else []
        parts: list[tuple[Pieces, int]] = []
        for contribution in contract.contributions:
            source = self.tensors[op.operands[contribution.operand]]
            if contribution.complement:
                base.append((whole, source.row.first))
                continue
            into = contribution.into(place)
            if into is None or into.nbytes != source.row.nbytes:
                return None
            parts.append((pieces_of(into), source.row.first))
        if not nbytes:
            return Row(0, 0)
        pieces = overlay(nbytes, [*base, *parts])
        return None if pieces is None else Row(nbytes, self.codes.joined(pieces.starts, gaps(pieces.pos)))

    def _scalars(self, op: Operation) -> Mapping[SSAValue, int]:
        if op.name == "tensor.extract":
            return {op.results[0]: self.scalar(op.results[0])}
        if op.name == "tensor.dim":
            axis, shape = self._axis(op), self.type_of(op.operands[0])[0]
            return {op.results[0]: self.scalar(("arith.constant", IntegerAttr(shape[axis], IndexType())))}
        return self.compute(op, [self.scalars[v] for v in op.operands])

    def _axis(self, op: Operation) -> int:
        owner = op.operands[1].owner
        value = owner.properties.get("value") if isinstance(owner, Operation) else None
        if not isinstance(value, IntegerAttr):
            raise Mismatch("tensor.dim wants a constant")
        return value.value.data

    def compute(self, op: Operation, operands: Sequence[int]) -> Mapping[SSAValue, int]:
        """The codes of the results of an op of `arith` on operands of these codes."""
        if op.name == "arith.constant":
            return {op.results[0]: self.scalar(("arith.constant", op.properties.get("value")))}
        if UNKNOWN in operands:
            return dict.fromkeys(op.results, UNKNOWN)
        key = op, tuple(operands)
        first = self._computed.get(key)
        if first is None:
            stated = frozenset({**op.attributes, **op.properties}.items())
            first = self._computed[key] = self.scalar((op.name, stated, key[1], op.results[0].type))
        return {result: self.scalar((first, index)) if index else first for index, result in enumerate(op.results)}
