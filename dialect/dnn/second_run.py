"""How an op runs again, to give results that were not kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import inherit


class SecondRun(NamedTuple):
    """
    An op that computes results of an op once more, bit for bit.

    Attributes:
        cls: its class.
        operands: operands and results of the op.
        attributes: of the second run.
        results: the results of the op, by index, that the second run has.
    """

    cls: type[Operation]
    operands: Sequence[SSAValue]
    attributes: Mapping[str, Attribute]
    results: Sequence[int]

    def build(self, op: Operation) -> Operation:
        """The second run of `op`, not yet in a block."""
        types = [op.results[index].type for index in self.results]
        again = self.cls.create(operands=self.operands, result_types=types, attributes=self.attributes)
        inherit(again, op)
        for index, result in zip(self.results, again.results, strict=True):
            result.name_hint = op.results[index].name_hint
        return again
