"""Results of calls, and memory that is given otherwise: whose it is, and what is decided of it under that."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, ops_within
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import assign_places
from lastuse.dialect.storage.contract import contract_of, is_foreign
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.place_rules import Part, PlaceRules, Rule
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.bufferization.signatures import Boundary, MemrefSignature
from lastuse.passes.bufferization.unknown_sizes import of_known_rank


def tied_argument_of(func: FuncOp, result: int) -> int | None:
    """The argument in whose memory a called function returns a result, whatever it computes; it is of its type."""
    tied, types = attrs.tied_argument(func, result), func.function_type
    return tied if tied is not None and types.inputs.data[tied] == types.outputs.data[result] else None


class CallResults:
    """The results of the calls of a function.

    Args:
        functions: those that have a body, by name.
        callees: the signatures of those that are called, by name.
        owned: values that loops and branches carry in memory of their own (`owned_values.py`), whatever is decided of
            them.
        carried: the decisions that the function carries, where they are known.
    """

    def __init__(
        self,
        boundary: Boundary,
        functions: Mapping[str, FuncOp],
        callees: Mapping[str, MemrefSignature],
        owned: frozenset[SSAValue] = frozenset(),
        carried: Decisions | None = None,
    ) -> None:
        self.boundary, self.functions, self.callees, self.owned = boundary, functions, callees, owned
        self._carried = carried

    def operand_of(self, result: OpResult) -> int | None:
        """The operand in whose memory the call leaves a result: one that it is tied to. The memory is the caller's."""
        func = self._function(result)
        return None if func is None or self.boundary.results == "out" else tied_argument_of(func, result.index)

    def sized_as(self, value: SSAValue) -> SSAValue:
        """A tensor of known rank that has the sizes of a tensor of unknown rank: what the operand is that a result of a
        call is tied to. The value itself where there is none."""
        if not isinstance(value, OpResult) or not isinstance(value.op, CallOp):
            return value
        operand = self.operand_of(value)
        return value if operand is None else of_known_rank(value.op.operands[operand])

    def is_made(self, result: OpResult) -> bool:
        """The call makes the memref."""
        if self._function(result) is None:
            return True
        return self.boundary.results == "return" and self.operand_of(result) is None

    def is_new(self, result: OpResult) -> bool:
        """The call returns new memory, which the caller gives back."""
        return self.is_made(result) and self._function(result) is not None and not self._is_lent(result)

    def lenders(self, call: CallOp) -> frozenset[int]:
        """The operands in whose memory a result that the call makes may be."""
        func = self.functions.get(callee_of(call))
        if func is None:
            return frozenset(range(len(call.operands)))
        return frozenset(k for n in self.callees[callee_of(call)].lent for k in attrs.lent_arguments(func, n) or ())

    def _is_lent(self, result: OpResult) -> bool:
        return result.index in self.callees[self._name(result)].lent

    def _function(self, result: OpResult) -> FuncOp | None:
        return self.functions.get(self._name(result))

    @staticmethod
    def _name(result: OpResult) -> str:
        assert isinstance(result.op, CallOp)
        return callee_of(result.op)

    def decisions(self, func: FuncOp) -> Decisions:
        """The decisions that hold: without an arena no offsets, and none for the memory that a call returns. What
        is computed before memory comes with a value is in no part of it. An arena of unknown size is no argument: the
        caller does not compute that size."""
        decisions = self._carried or Decisions.of(func)
        if self.owned:
            decisions = replace(
                decisions,
                offsets={v: o for v, o in decisions.offsets.items() if v not in self.owned},
                numbers={v: n for v, n in decisions.numbers.items() if v not in self.owned},
                inplace={v: k for v, k in decisions.inplace.items() if v not in self.owned},
                forwarded={v for v in decisions.forwarded if v not in self.owned},
            )
        if self.boundary.arena == "none" or self.boundary.arena == "argument" and decisions.unit is not None:
            decisions = decisions.unplanned()
        made = dict.fromkeys(self.made(func))
        if made:
            decisions = replace(
                decisions,
                offsets={v: o for v, o in decisions.offsets.items() if v not in made},
                numbers={v: n for v, n in decisions.numbers.items() if v not in made},
            )
        if decisions.parts and (made or self.owned):
            return replace(decisions, parts=dict(_without_parts(func, decisions, made, self.owned)))
        return decisions

    def made(self, func: FuncOp) -> Iterator[OpResult]:
        """The results that lie in memory that a call returns, or that an op is given."""
        if self.boundary.results == "return":
            yield from (r for op in calls_in(func) for r in op.results if self.is_made(r) or is_unranked(r))
        yield from other_memory(func).given


class OtherMemory(NamedTuple):
    """What lies in memory that is not the function's own, besides the results of calls.

    Attributes:
        given: results that lie in memory that their op is given.
        foreign: ops of which nothing is known, so that their results may lie in their operands.
    """

    given: tuple[OpResult, ...]
    foreign: tuple[Operation, ...]


@remembered
def other_memory(func: FuncOp) -> OtherMemory:
    """What lies in memory that is not the function's own, of its tensors."""
    given, foreign = list[OpResult](), list[Operation]()
    sizes, program = infer_shapes(func), NumberedOps.undecided(func)
    ops = program.ops if program is not None else ops_within(func)
    contracts = program.contracts if program is not None else map(contract_of, ops)
    for op, contract in zip(ops, contracts, strict=True):
        if contract.given and op.results[0] in sizes:
            given.append(op.results[0])
        if contract.foreign and is_foreign(op) and any(r in sizes for r in op.results):
            foreign.append(op)
    return OtherMemory(tuple(given), tuple(foreign))


def _without_parts(
    func: FuncOp, decisions: Decisions, made: Collection[SSAValue], owned: Collection[SSAValue]
) -> Iterator[tuple[Operation, tuple[int, ...]]]:
    """The operands that are computed in their parts, but for those that are in memory that a call returns, and those
    that are computed before the memory of their part comes with a value."""
    rules, come = assign_places(func, decisions).rules, {*made, *owned}
    dropped = {(rules.parts[v].op, rules.parts[v].operand) for v in made if v in rules.parts}
    for value, (root, _) in rules.at.items():
        if root in come and isinstance(value, OpResult) and not contract_of(value.op).uninitialized:
            dropped.update(_early_part(value, rules, come))
    for op, operands in decisions.parts.items():
        yield op, tuple(k for k in operands if (op, k) not in dropped)


def _early_part(value: OpResult, rules: PlaceRules, come: Collection[SSAValue]) -> Sequence[tuple[Operation, int]]:
    """The operand in whose part a value lies, if its op runs before each of the values `come` that the place of the
    value follows from."""
    part: Part | None = None
    below: SSAValue | None = value
    while below is not None:
        if below in come and (below is value or rules.is_defined_before(below, value.op)):
            return ()
        rule, source = rules.derived(below)
        part = rules.parts[below] if rule is Rule.PART else part
        below = source
    return [] if part is None else [(part.op, part.operand)]
