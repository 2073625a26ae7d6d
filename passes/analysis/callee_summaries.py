"""What the functions of a module do to their arguments: which they read, which they write, and where their results lie.

Reads follow values: an argument is read where an op reads bytes that are those of the argument's value, through views,
data movement, control flow and calls. Writes and results follow memory, under the decisions that a function carries, or
under others that a pass tries: an argument is written where an op, a copy at a boundary or a call writes memory that
may be the argument's, and a result lies in the memory of an argument if it does on some path.

Functions are looked at callees first, so that one walk is a fixed point. Of a function that may call itself, and of one
that is not in the module, the worst is assumed: each tensor is read and written, and each result may be in the memory
of each of them. The same holds of one without a body, but for what `bufferization.access` says of its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from lastuse.dialect.ir.flow_graphs import CONTROL, called_from, callee_of, calls_in, functions_of
from lastuse.dialect.ir.region_contents import read_by
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Places, Storage, assign_places
from lastuse.dialect.storage.call_interface import access_of, may_be_written, operands_under
from lastuse.dialect.storage.contract import contract_of, holds_nothing, is_foreign, is_region_op
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import same_bytes
from lastuse.dialect.storage.place_rules import Rule

Given = Mapping[CallOp, tuple[int, ...]]
"""The operands that calls are given themselves."""


class CalleeSummary(NamedTuple):
    """What a call of a function does to the memory that it passes.

    Attributes:
        reads: numbers of the arguments whose contents are read.
        writes: numbers of the arguments whose memory is written.
        returns: of each result, the arguments in whose memory it may be.
        fresh: of each result, that it may be in other memory.
        same: of each result, the argument that it is as a value, on every path; None for none.
    """

    reads: frozenset[int]
    writes: frozenset[int]
    returns: tuple[frozenset[int], ...]
    fresh: tuple[bool, ...]
    same: tuple[int | None, ...]


def callee_summaries(module: ModuleOp) -> Mapping[str, CalleeSummary]:
    """The summary of every function of a module, by name, under the decisions that they carry."""
    functions = functions_of(module)
    known: dict[str, CalleeSummary] = {}
    for op in module.ops:
        if isinstance(op, FuncOp) and not op.body.blocks:
            known[op.sym_name.data] = declared_summary(op)
    for func in callees_first(functions):
        name = func.sym_name.data
        known[name] = worst_summary(func) if is_recursive(func, functions) else summary_of(func, known)
    return known


def callees_first(functions: Mapping[str, FuncOp]) -> list[FuncOp]:
    """All functions, each behind those that it calls but for those that call it again."""
    order: dict[str, FuncOp] = {}
    for func in functions.values():
        waiting: list[tuple[FuncOp, Iterator[CallOp]]] = [(func, iter(calls_in(func)))]
        opened = {func.sym_name.data}
        while waiting:
            last, calls = waiting[-1]
            call = next(calls, None)
            if call is None:
                order.setdefault(last.sym_name.data, last)
                waiting.pop()
            elif (name := callee_of(call)) in functions and name not in opened and name not in order:
                opened.add(name)
                waiting.append((functions[name], iter(calls_in(functions[name]))))
    return list(order.values())


def is_recursive(func: FuncOp, functions: Mapping[str, FuncOp]) -> bool:
    """The function may be called while it runs."""
    name = func.sym_name.data
    inner = {callee_of(call) for call in calls_in(func)} & functions.keys()
    return any(name in called_from(functions[callee], functions) for callee in sorted(inner))


def worst_summary(func: FuncOp) -> CalleeSummary:
    """All that a function may do of which nothing is known."""
    tensors = frozenset(k for k, t in enumerate(func.function_type.inputs.data) if isinstance(t, TensorType))
    outputs = func.function_type.outputs.data
    returns = tuple(tensors if isinstance(t, TensorType) else frozenset[int]() for t in outputs)
    return CalleeSummary(tensors, tensors, returns, (True,) * len(outputs), (None,) * len(outputs))


def declared_summary(func: FuncOp) -> CalleeSummary:
    """What a function without a body says that it does. Its results may be memory of any argument."""
    worst = worst_summary(func)
    reads = frozenset(k for k in worst.reads if access_of(func, k) not in ("none", "write"))
    return worst._replace(reads=reads, writes=may_be_written(func))


def summary_of(
    func: FuncOp, callees: Mapping[str, CalleeSummary], places: Places | None = None, given: Given | None = None
) -> CalleeSummary:
    """The summary of a function with a body.

    Args:
        callees: of the functions that it calls; the worst is assumed of others.
        places: where its values are; by default, where the decisions that it carries put them.
        given: the operands that its calls are given themselves; by default, what `dnn.donate` says.
    """
    return _Summarizer(func, callees, places or assign_places(func), given).summary()


class _Summarizer:
    def __init__(self, func: FuncOp, callees: Mapping[str, CalleeSummary], places: Places, given: Given | None) -> None:
        self.func, self.callees, self.places = func, callees, places
        self.ops = [op for op in func.walk() if op is not func and not _is_kernel_of(op)]
        self.returns = [op for op in self.ops if isinstance(op, ReturnOp)]
        calls = [op for op in self.ops if isinstance(op, CallOp)]
        stated = {op: tuple(attrs.operands_given_away(op)) for op in calls}
        self.given = {**stated, **(given or {})}
        self._reached = self._storages_under()
        self.hosts = {storage: _arguments(reached) for storage, reached in self._reached.items()}

    def summary(self) -> CalleeSummary:
        """The summary of the function."""
        derived, same = self._derived(), self._same()
        count = len(self.func.function_type.outputs.data)
        ends = [[op.operands[r] for op in self.returns] for r in range(count)]
        reads = {k for v in self._read() for k in derived.get(v, ())}
        writes = {k for s in self._written() for k in self.hosts.get(s, ())}
        returns = tuple(frozenset(k for v in values for k in self._arguments_of(v)) for values in ends)
        named = tuple({same.get(v) for v in values} for values in ends)
        fresh = tuple(any(self._is_elsewhere(v) for v in values) for values in ends)
        same_all = tuple(next(iter(numbers)) if len(numbers) == 1 else None for numbers in named)
        return CalleeSummary(frozenset(reads), frozenset(writes), returns, fresh, same_all)

    # Memory

    def _arguments_of(self, value: SSAValue) -> Iterable[int]:
        """The arguments in whose memory a value may be."""
        return self.hosts.get(self.places.of[value].storage, ()) if value in self.places.of else ()

    def _is_elsewhere(self, value: SSAValue) -> bool:
        """A value may be in memory that is no argument's."""
        if value not in self.places.of:
            return False
        kinds = {s.kind for s in self._reached[self.places.of[value].storage]}
        return not kinds <= {PlaceKind.ARGUMENT, PlaceKind.FORWARDED}

    def _storages_under(self) -> Mapping[Storage, set[Storage]]:
        """By storage, itself and those that it may be in."""
        direct: dict[Storage, set[Storage]] = {}
        of = self.places.of
        for op in self.ops:
            for value, source in self._lendings(op):
                if value in of and source in of:
                    direct.setdefault(of[value].storage, set()).add(of[source].storage)
        found: dict[Storage, set[Storage]] = {}
        for storage in dict.fromkeys(place.storage for place in of.values()):
            reached, waiting = {storage}, [storage]
            while waiting:
                fresh = direct.get(waiting.pop(), set[Storage]()) - reached
                reached |= fresh
                waiting += fresh
            found[storage] = reached
        return found

    def _lendings(self, op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
        """Values that `op` makes, each with one in whose memory it may be."""
        for passed in passed_by(op):
            if passed.target in self.places.of and self.places.of[passed.target].storage.kind is PlaceKind.FORWARDED:
                yield passed.target, passed.source
        if isinstance(op, CallOp):
            yield from ((r, op.operands[k]) for r in op.results for k in operands_under(op, r.index))
        elif is_foreign(op):
            ends = [v for region in op.regions for b in region.blocks if b.last_op for v in b.last_op.operands]
            inside = [a for region in op.regions for b in region.blocks for a in b.args]
            yield from ((made, v) for made in (*op.results, *inside) for v in (*read_by(op), *ends))

    def _written(self) -> Iterator[Storage]:
        """The storages that something writes."""
        of = self.places.of
        for op in self.ops:
            for passed in passed_by(op):
                if passed.target in of and passed.source in of and not self._is_there(passed.source, passed.target):
                    yield of[passed.target].storage
            if isinstance(op, CallOp):
                yield from (of[op.operands[k]].storage for k in self._written_by(op) if op.operands[k] in of)
            elif not is_region_op(op):
                yield from (of[r].storage for r in op.results if r in of and self._is_made(r))
        for op in self.returns:
            for result, value in enumerate(op.operands):
                tied = attrs.tied_argument(self.func, result)
                if tied is not None and not self._is_there(value, self.func.args[tied]):
                    yield of[self.func.args[tied]].storage

    def _is_there(self, source: SSAValue, target: SSAValue) -> bool:
        """Nothing is moved: both are in one place, or the target is forwarded."""
        one, other = self.places.of[source], self.places.of[target]
        if other.storage.kind is PlaceKind.FORWARDED and one.storage != other.storage:
            return True
        return one.storage == other.storage and same_bytes(one.layout, other.layout)

    def _is_made(self, result: OpResult) -> bool:
        """An op writes the result: it is no view, and not what an op of which nothing is known hands on."""
        contract, decisions = contract_of(result.op), self.places.rules.decisions
        if result in decisions.forwarded:
            return False
        borrowed = self.places.of[result].storage.kind is PlaceKind.BORROWED
        view = self.places.rules.derived(result)[0] is Rule.VIEW
        return not (contract.constant or borrowed or view or holds_nothing(result))

    def _written_by(self, call: CallOp) -> Iterable[int]:
        """The operands that a call writes: those that are passed themselves, of those that the function writes."""
        over = {k for r in call.results if (k := self.places.rules.decisions.inplace.get(r, -1)) >= 0}
        writes = self._callee(call).writes
        return [k for k in sorted(over | set(self.given[call])) if k in writes and k < len(call.operands)]

    def _callee(self, call: CallOp) -> CalleeSummary:
        known = self.callees.get(callee_of(call))
        if known is not None:
            return known
        tensors = frozenset(k for k, v in enumerate(call.operands) if isinstance(v.type, TensorType))
        count = len(call.results)
        return CalleeSummary(tensors, tensors, (tensors,) * count, (True,) * count, (None,) * count)

    # Values

    def _derived(self) -> Mapping[SSAValue, frozenset[int]]:
        """By value, the arguments of whose contents it may have a byte."""
        found = dict[SSAValue, frozenset[int]]()
        found |= {a: frozenset([a.index]) for a in self.func.args if isinstance(a.type, TensorType)}
        edges = [(v, s) for op in self.ops for v, s in self._carried(op) if isinstance(s.type, TensorType)]
        changed = True
        while changed:
            changed = False
            for value, source in edges:
                before = found.get(value, frozenset[int]())
                if not before >= found.get(source, before):
                    found[value] = before | found[source]
                    changed = True
        return found

    def _carried(self, op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
        """Values that `op` makes, each with one of which it may have a byte."""
        yield from ((p.target, p.source) for p in passed_by(op))
        if isinstance(op, CallOp):
            yield from ((r, v) for r in op.results for v in op.operands)
        elif is_foreign(op):
            yield from self._lendings(op)
        elif not is_region_op(op):
            contract = contract_of(op)
            yield from ((op.results[view.result], op.operands[view.operand]) for view in contract.views)
            yield from ((op.results[0], op.operands[c.operand]) for c in contract.contributions)

    def _read(self) -> Iterator[SSAValue]:
        """The values whose bytes an op reads or returns."""
        for op in (op for op in self.ops if not _is_boundary(op)):
            if isinstance(op, CallOp):
                yield from (op.operands[k] for k in self._callee(op).reads if k < len(op.operands))
            elif isinstance(op, ReturnOp) or is_foreign(op):
                yield from read_by(op)
            elif not is_region_op(op):
                contract = contract_of(op)
                moved = {v.operand for v in contract.views} | {c.operand for c in contract.contributions}
                unread = moved | contract.metadata_only
                yield from (v for k, v in enumerate(op.operands) if k not in unread)

    def _same(self) -> Mapping[SSAValue, int]:
        """The values that are an argument as it is, on every path, with its number."""
        sources: dict[SSAValue, list[SSAValue]] = {}
        for op in self.ops:
            for passed in passed_by(op):
                sources.setdefault(passed.target, []).append(passed.source)
            if isinstance(op, CallOp):
                pairs = zip(op.results, self._callee(op).same, strict=False)
                sources |= {r: [op.operands[k]] for r, k in pairs if k is not None and k < len(op.operands)}
        found = dict[SSAValue, int | None]()
        found |= {a: a.index for a in self.func.args}
        changed = True
        while changed:  # what is not met yet may still be any argument; no value goes back to that
            changed = False
            for value, inner in sources.items():
                if isinstance(value, BlockArgument) and value.block is self.func.body.blocks.first:
                    continue
                numbers = {found.get(v) if v in found or v not in sources else -1 for v in inner} - {-1}
                now = next(iter(numbers)) if len(numbers) == 1 else None
                if numbers and found.get(value, -1) != now:
                    found[value] = now
                    changed = True
        return {value: number for value, number in found.items() if number is not None}


def _arguments(storages: Iterable[Storage]) -> frozenset[int]:
    return frozenset(s.key for s in storages if s.kind is PlaceKind.ARGUMENT and isinstance(s.key, int))


def _is_kernel_of(op: Operation) -> bool:
    """It stands in an op that describes its kernel by a region: it is no op of the program."""
    around = op.parent_op()
    return around is not None and not isinstance(around, FuncOp) and not is_region_op(around)


def _is_boundary(op: Operation) -> bool:
    """It passes values on, and reads none itself."""
    return bool(op.successors) or (isinstance(op.parent_op(), CONTROL) and op.has_trait(IsTerminator))
