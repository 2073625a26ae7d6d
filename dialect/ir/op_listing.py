"""The ops of a module that passes change step by step: listed, and asked for what passes look for, once between two
changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir.flow_graphs import (
    attributes_of,
    classes_within,
    nth,
    operands_of,
    ops_within,
    results_of,
    type_of,
)
from lastuse.dialect.ir.remembered import Answers, unchanged_ops


class _Scan(NamedTuple):
    """What is asked of all ops of a listing; see there."""

    with_attributes: list[Operation]
    making_tensors: list[Operation]
    sized: list[Operation]
    unused: list[Operation]
    types: set[type[Attribute]]


_AT_ONCE = 1024
"""Ops that are looked at for one answer before they are for the next: as many as caches of a processor hold."""


def _scanned(ops: Sequence[Operation]) -> _Scan:
    scan = _Scan([], [], [], [], set())
    for begin in range(0, len(ops), _AT_ONCE):
        some = ops[begin : begin + _AT_ONCE]
        scan.with_attributes.extend(filter(attributes_of, some))
        scan.types.update(map(type, map(type_of, chain.from_iterable(map(results_of, some)))))
        making = [op for op in some if TensorType in map(type, map(type_of, op.results))]
        scan.making_tensors.extend(making)
        given = [(op, nth(operands_of(op), -1)) for op in making if operands_of(op)]
        scan.sized.extend([op for op, last in given if type(type_of(last)) is not TensorType])
        scan.unused.extend([op for op in making if nth(op.results, 0).first_use is None])
    return scan


class OpListing:
    """The ops of a module that is changed step by step: they are listed once for all that looks at them between two
    changes. Whatever changes an op, but for its decisions, says so (`changed`)."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self._answers = Answers()
        self._known: _Scan | None = None

    def unchanged(self) -> AbstractContextManager[None]:
        """As `unchanged_ops`: what is remembered inside is there in the next such block too, until ops change."""
        return unchanged_ops(self._answers)

    @property
    def ops(self) -> Sequence[Operation]:
        """As `ops_within`."""
        with self.unchanged():
            return ops_within(self.module)

    @property
    def classes(self) -> frozenset[type[Operation]]:
        """The classes that the ops have."""
        with self.unchanged():
            return classes_within(self.module)

    @property
    def _scan(self) -> _Scan:
        if self._known is None:
            self._known = _scanned(self.ops)
        return self._known

    @property
    def with_attributes(self) -> Sequence[Operation]:
        """The ops that have attributes; those that were decided since they were first asked for may be left out."""
        return self._scan.with_attributes

    @property
    def making_tensors(self) -> Sequence[Operation]:
        """The ops that have a tensor among their results; none of those in the bodies of most kernels."""
        return self._scan.making_tensors

    @property
    def sized(self) -> Sequence[Operation]:
        """The ops of `making_tensors` whose last operand is no tensor: few ops on tensors are given something else
        last, as those are that take sizes of run time."""
        return self._scan.sized

    @property
    def unused(self) -> Sequence[Operation]:
        """The ops of `making_tensors` whose first result is not used."""
        return self._scan.unused

    def of(self, is_wanted: Callable[[type[Operation]], object]) -> list[Operation]:
        """The ops of some classes, in order. Most modules have none of those that a pass looks for."""
        wanted = frozenset([op_class for op_class in self.classes if is_wanted(op_class)])
        return [op for op in self.ops if type(op) in wanted] if wanted else []

    def makes_type(self, type_class: type[Attribute]) -> bool:
        """Whether a result of an op has a type of just this class."""
        return type_class in self._scan.types

    def changed(self) -> None:
        """Ops were added, erased or changed."""
        self._answers, self._known = Answers(), None
