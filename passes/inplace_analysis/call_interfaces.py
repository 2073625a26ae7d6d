"""What functions promise to those that call them: which arguments they may write, and where their results lie.

Functions are looked at callees first. Each is decided on trial (`policies/optimal.py`, with forwarded values), with all
arguments writable that may be; nothing of that is written. What the trial writes of the arguments is donated, a
result that lies on all of such an argument is tied to it, one in the memory of arguments that are not written is lent,
and any other is in new memory. A result that is an argument as it is, is replaced by the operand in callers.

An argument that is written only because it may be costs each call a copy that still needs the operand. It is not
donated if the function without that copies less, counted over all calls, ten times as much for each loop around.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, SymbolRefAttr, TensorType, UnitAttr, i32
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, function_around, functions_of, ops_within
from lastuse.dialect.ir.remembered import changing_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Places, assign_places
from lastuse.dialect.storage.call_interface import is_kept
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import LayoutMap, same_bytes
from lastuse.passes.analysis.callee_summaries import (
    CalleeSummary,
    callees_first,
    declared_summary,
    is_recursive,
    summary_of,
    worst_summary,
)
from lastuse.passes.analysis.liveness import liveness
from lastuse.passes.analysis.op_numbering import NumberedOps, loop_depth
from lastuse.passes.inplace_analysis.donations import is_last_use, operands_copied, operands_to_give
from lastuse.passes.inplace_analysis.forwarding_choice import forwarded_besides
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.inplace_analysis.region_ops import moves_values


class Promise(NamedTuple):
    """What a function says of result `result`: it is in the memory of `arguments`, of which it is `tied` to one."""

    func: FuncOp
    result: int
    arguments: tuple[int, ...]
    tied: bool


class _Trial(NamedTuple):
    """A function decided on trial. `cost`: what it copies."""

    summary: CalleeSummary
    places: Places
    cost: int


class CallInterfaces:
    """The promises of the functions of a module.

    Args:
        writable: arguments may be written unless `bufferization.writable` is false; else only those of private
            functions, which nothing but calls mentions, and those that are donated.
        returned: results may be returned in the memory of arguments.
        uncalled: functions that no call of the module leads to have a summary too. It needs a trial of each.
        strided: a function takes its arguments at any strides (`dnn.strided`), unless it views axes of a tensor as one.

    Attributes:
        summaries: of each function that has one, by name, under its promises.
        promises: those that were written, in the order of the functions.
    """

    def __init__(
        self,
        module: ModuleOp,
        writable: bool = False,
        returned: bool = True,
        uncalled: bool = True,
        strided: bool = False,
    ) -> None:
        self.module, self.writable, self.returned, self.uncalled = module, writable, returned, uncalled
        self.strided = strided
        self.functions = functions_of(module)
        self.sites: dict[str, list[CallOp]] = {}
        for func in self.functions.values():
            for call in calls_in(func):
                self.sites.setdefault(callee_of(call), []).append(call)
        self.summaries: dict[str, CalleeSummary] = {}
        self.promises: list[Promise] = []
        self._live: dict[FuncOp, Mapping[Block, frozenset[SSAValue]]] = {}

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """Names of functions that stand in other attributes than those of calls."""
        return frozenset(_mentioned(self.module))

    def write(self) -> None:
        """Writes the promises of every function without decisions, and replaces results that are operands."""
        for op in self.module.ops:
            if isinstance(op, FuncOp) and not op.body.blocks:
                self.summaries[op.sym_name.data] = declared_summary(op)
        order = callees_first(self.functions)
        marked = {func: self._mark(func) for func in order}
        for func in order:
            name = func.sym_name.data
            if not self.uncalled and name not in self.sites:
                if not NumberedOps.reaches_all(func):
                    self._unmark(func, marked[func])
                continue
            if is_recursive(func, self.functions):
                self._unmark(func, marked[func])
                self.summaries[name] = worst_summary(func)
            elif attrs.has_decisions_inside(func):
                self.summaries[name] = summary_of(func, self.summaries)
            else:
                self.summaries[name] = self._settle(func, marked[func])
            self._replace_same(name)

    def _mark(self, func: FuncOp) -> set[int]:
        """Donates what may be written. Returns the arguments that were not donated before."""
        if attrs.has_decisions_inside(func) or not (self.writable or self._is_private(func)):
            return set()
        tensors = [argument for argument in func.args if isinstance(argument.type, TensorType)]
        fresh = {a.index for a in tensors if not is_kept(a) and not attrs.is_donated(a)}
        attrs.set_argument_attributes(func, attrs.DONATED, dict.fromkeys(fresh, UnitAttr()))
        return fresh

    @staticmethod
    def _unmark(func: FuncOp, marked: set[int]) -> None:
        attrs.set_argument_attributes(func, attrs.DONATED, dict.fromkeys(marked))

    def _is_private(self, func: FuncOp) -> bool:
        """Only calls of this module lead to the function."""
        name, visibility = func.sym_name.data, func.sym_visibility
        private = visibility is not None and visibility.data == "private"
        return private and name in self.sites and name not in self._mentioned

    def _replace_same(self, name: str) -> None:
        """A result that is an argument as it is, is the operand."""
        for call in self.sites.get(name, ()):
            for result, k in zip(call.results, self.summaries[name].same, strict=True):
                if k is not None and call.operands[k].type == result.type and any(True for _ in result.uses):
                    with changing_ops(listing=False):
                        result.replace_all_uses_with(call.operands[k])
        self._live.clear()

    # One function

    def _settle(self, func: FuncOp, marked: set[int]) -> CalleeSummary:
        trial = self._try(func)
        if trial is None:
            self._unmark(func, marked)
            return worst_summary(func)
        sites = self.sites.get(func.sym_name.data, [])
        if not sites:
            return trial.summary
        self._replace_by(func, trial.summary)
        for k in sorted(marked & trial.summary.writes):
            trial = self._without(func, k, trial, sites) or trial
        self._unmark(func, marked - trial.summary.writes)
        if self.returned:
            with changing_ops(listing=False):  # the contracts of its calls
                self._promise(func, trial)
        return trial.summary

    def _replace_by(self, func: FuncOp, summary: CalleeSummary) -> None:
        self.summaries[func.sym_name.data] = summary
        self._replace_same(func.sym_name.data)

    def _try(self, func: FuncOp) -> _Trial | None:
        program = NumberedOps.of(func)
        if program is None:
            return None
        given = program.decisions
        plan = STRATEGIES["optimal"](program, True)
        program = program.decided(plan.added_to(given))
        program = program.decided(forwarded_besides(program, given))
        places = assign_places(func, program.decisions, program.sizes)
        summary = summary_of(func, self.summaries, places, operands_to_give(program, places))
        moved = (op for op, copies in plan.copied.items() for _ in copies if not _moves(op))
        crossing = (op for op, _ in _crossing(program, places))
        called = (op for op, _ in operands_copied(program, places))
        filled = (op for op in program.ops if _fills_copy(op, program))
        cost = sum(10 ** min(loop_depth(op), 6) for ops in (moved, crossing, called, filled) for op in ops)
        return _Trial(summary, places, cost + sum(1 for _ in self._copied_results(func, summary, places)))

    def _copied_results(self, func: FuncOp, summary: CalleeSummary, places: Places) -> Iterator[int]:
        """The results that are copied when the function returns."""
        taken: set[int] = set()
        for result in range(len(summary.returns)):
            tied = self._tied(func, result, places)
            if (
                summary.returns[result]
                and not self._is_lent(func, result, summary, True)
                and (tied is None or tied in taken)
            ):
                yield result
            taken |= {tied} if tied is not None else set()

    def _without(self, func: FuncOp, k: int, trial: _Trial, sites: list[CallOp]) -> _Trial | None:
        """The function without argument `k` donated, where less is copied then."""
        weights = [(call, 10 ** min(loop_depth(call), 6)) for call in sites]
        copying = sum(weight for call, weight in weights if not self._ends_at(call, k))
        if not copying:
            return None
        attrs.set_argument_attribute(func, k, attrs.DONATED, None)
        other = self._try(func)
        runs = sum(weight for _, weight in weights)
        if other is not None and other.cost * runs < trial.cost * runs + copying:
            return other
        attrs.set_argument_attribute(func, k, attrs.DONATED, UnitAttr())
        return None

    def _ends_at(self, call: CallOp, k: int) -> bool:
        """Nothing needs operand `k` of a call later, and its memory is one that the caller may write."""
        value, func = call.operands[k], function_around(call)
        assert func is not None
        spared: LayoutMap | None = None
        while True:
            if not is_last_use(value, call, k, lambda: self._live_out(func), spared):
                return False
            if isinstance(value, BlockArgument):
                return value.block is not func.body.blocks.first or value.index in attrs.writable_arguments(func)
            assert isinstance(value, OpResult)
            contract = contract_of(value.op)
            view = contract.view_of(value.index)
            if view is None:
                return not contract.constant
            value, spared = value.op.operands[view.operand], None if spared or view.whole else view.map

    def _live_out(self, func: FuncOp) -> Mapping[Block, frozenset[SSAValue]]:
        """What is live at the end of each block of a function."""
        if func not in self._live:
            self._live[func] = liveness(func.body).block_out
        return self._live[func]

    # Promises

    def _promise(self, func: FuncOp, trial: _Trial) -> None:
        if self.strided and not any(contract_of(op).joined_axes for op in ops_within(func)):
            func.attributes[attrs.STRIDED] = UnitAttr()
        taken: set[int] = set()
        for result, type_ in enumerate(func.function_type.outputs.data):
            if not isinstance(type_, TensorType) or attrs.tied_argument(func, result) is not None:
                continue
            tied = self._tied(func, result, trial.places)
            if tied is not None and tied not in taken:
                taken.add(tied)
                attrs.set_result_attribute(func, result, attrs.TIED, IntegerAttr(tied, i32))
                self.promises.append(Promise(func, result, (tied,), True))
                continue
            lent = sorted(trial.summary.returns[result]) if self._is_lent(func, result, trial.summary) else []
            attrs.set_result_attribute(func, result, attrs.LENT, DenseArrayBase.from_list(i32, lent))
            self.promises.append(Promise(func, result, tuple(lent), False))

    def _tied(self, func: FuncOp, result: int, places: Places) -> int | None:
        """The argument on all of whose memory, which the function may write, a result lies at every return."""
        ends = {places.of[op.operands[result]] for op in _returns(func) if op.operands[result] in places.of}
        storage, layout = next(iter(ends), (None, None))
        if len(ends) != 1 or storage is None or storage.kind is not PlaceKind.ARGUMENT or layout is None:
            return None
        argument = func.args[int(storage.key)]  # pyright: ignore
        if argument.index not in attrs.writable_arguments(func) or self._is_user_tied(func, argument.index):
            return None
        whole = argument.type == func.function_type.outputs.data[result]
        return argument.index if whole and same_bytes(layout, places.of[argument].layout) else None

    def _is_user_tied(self, func: FuncOp, argument: int) -> bool:
        return any(attrs.tied_argument(func, r) == argument for r in range(len(func.function_type.outputs.data)))

    def _is_lent(self, func: FuncOp, result: int, summary: CalleeSummary, trial: bool = False) -> bool:
        """A result is memory of arguments, on every path, that the function does not write."""
        if not summary.returns[result] or summary.fresh[result]:
            return False
        return not summary.returns[result] & (summary.writes if trial else attrs.writable_arguments(func))


def _returns(func: FuncOp) -> list[ReturnOp]:
    return [b.last_op for b in func.body.blocks if isinstance(b.last_op, ReturnOp)]


def _moves(op: Operation) -> bool:
    """The op passes values on to a region, a block or a result."""
    around = op.parent_op()
    return moves_values(op) or (around is not None and moves_values(around) and op.next_op is None)


def _fills_copy(op: Operation, program: NumberedOps) -> bool:
    """A kernel that changes some of an operand, and is not written over it: it starts from a copy."""
    contract = program.contract(op)
    over = [o for o in contract.over if not o.allow_same_operand and o.operand not in contract.metadata_only]
    apart = [o for o in over if o.result < len(op.results) and op.results[o.result] not in program.decisions.inplace]
    return bool(apart) and not contract.contributions


def _crossing(program: NumberedOps, places: Places) -> Iterator[tuple[Operation, SSAValue]]:
    """What is copied at boundaries: the op that passes it on, and the value that it becomes."""
    for op in program.ops:
        for mover, source, target in passed_by(op):
            if source not in places.of or target not in places.of:
                continue
            one, other = places.of[source], places.of[target]
            there = one.storage == other.storage and same_bytes(one.layout, other.layout)
            if not there and other.storage.kind is not PlaceKind.FORWARDED:
                yield mover, target


def _mentioned(module: ModuleOp) -> Iterator[str]:
    """Names of symbols that stand in other attributes than those of calls."""
    for op in module.walk():
        for attribute in () if isinstance(op, CallOp) else (*op.properties.values(), *op.attributes.values()):
            if isinstance(attribute, SymbolRefAttr):
                yield attribute.string_value()
