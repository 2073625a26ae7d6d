"""How much scratch primitives take, noted on their ops before storage is planned."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.ir import Operation

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError, ToolContext
from lastuse.dialect.storage import attrs

MAX_THREADS = 4096
"""Threads of a run: with many more, OpenMP ends the process for want of memory."""


def check_threads(threads: int) -> None:
    """Raises LastuseError where no run has so many threads."""
    if not 0 <= threads <= MAX_THREADS:
        raise LastuseError(f"threads are 0 (as many as OpenMP gives) to {MAX_THREADS:,}, not {threads:,}")


class Scratch:
    """
    `dnn.scratch_bytes` of the ops of a module: what the text states, raised to what their primitives take.

    Only the runtime can measure that: passes ask it through their context. A context without one (stock `xdsl-opt`)
    leaves the text as it is, and `is_known` tells which ops have no answer.
    """

    def __init__(self, ctx: Context, module: Operation, threads: int = 0, measure: bool = True) -> None:
        """
        Args:
            threads: of the runs that the module is planned for; 0 for as many as a run gets.
            measure: whether to ask the runtime, where there is one.
        """
        self._measure = ctx.measure_scratch if measure and isinstance(ctx, ToolContext) else None
        self._module, self._threads = module, threads
        ops: list[Operation] = [op for op in module.walk() if isinstance(op, DnnOp) and op.may_take_scratch()]
        self._stated = {op: attrs.scratch_bytes(op) for op in ops}
        self._measured: Mapping[Operation, int] = {}

    def measure(self) -> None:
        """Notes what primitives take with operands where the decisions put them now.

        Raises:
            LastuseError: oneDNN has no primitive for an op it should run.
        """
        if self._measure is None or not self._stated:
            return
        self._measured = self._measure(self._module, self._threads)
        for op, stated in self._stated.items():
            attrs.set_scratch_bytes(op, max(stated, self._measured.get(op, 0)))

    def follow(self, again: Mapping[Operation, Operation]) -> None:
        """Second runs of ops have come into the module: each, and the op that it is the second run of."""
        for op, first in again.items():
            if isinstance(op, DnnOp) and op.may_take_scratch():
                self._stated[op] = self._stated.get(first, 0) if type(op) is type(first) else 0

    def is_known(self, op: Operation) -> bool:
        """The op's contract has all the scratch it takes."""
        return op not in self._stated or op in self._measured or self._stated[op] > 0
