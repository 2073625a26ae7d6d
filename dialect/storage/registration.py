"""Contracts that users register: what cannot be right is refused, when it is registered or when an op first asks.

Numbers of operands and results are held against the op class where its definition fixes them, else against the op;
shapes of views and parts against the types of the op.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptionalDef, VariadicDef
from xdsl.utils.exceptions import PyRDLOpDefinitionError

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.tensor_types import dtype_name, item_bytes, static_shape
from lastuse.dialect.storage.contract import (
    Backward,
    Contract,
    Contribution,
    Declared,
    Engine,
    InPlace,
    View,
    declare_contract,
)
from lastuse.dialect.storage.layout import LayoutMap, Strided


def register_contract(op_class: type[Operation], contract: Contract | Declared) -> None:
    """Declare the contract of another dialect's op class.

    `contract` is one for all ops of the class, or a function of the op. The last registration counts. Regions of such
    an op describe its kernel as long as they hold scalars alone: with tensors there, the op is foreign.

    Raises:
        LastuseError: the contract cannot be right: `op_class` is no class of ops, a field has a wrong type, or an
            operand or result is named that the class does not have. What only an op can tell, a contract of a
            function and the shapes of views, is refused at the op when it is first asked for.
    """
    check_class(op_class)
    where = f"register_contract: {op_class.name}"
    if not callable(contract):
        check_numbers(check_contract(contract, where), where, *fixed_counts(op_class))
    declare_contract(op_class, lambda op: check_for(op, contract(op) if callable(contract) else contract))


def check_class(op_class: object) -> None:
    """Raises LastuseError unless it is a class of ops."""
    if not isinstance(op_class, type) or not issubclass(op_class, Operation) or op_class is Operation:
        raise LastuseError(f"register_contract: {_shown(op_class)} is no class of operations")


def check_contract(contract: object, where: str, op: Operation | None = None) -> Contract:
    """A contract whose fields have the types that they should.

    Args:
        where: what the contract is of, for errors.
        op: the op that asked.

    Raises:
        LastuseError: it is no contract, or a field is of another type.
    """
    if not isinstance(contract, Contract):
        raise LastuseError(f"{where}: {_shown(contract)} is no Contract", op)
    for problem in _wrong_fields(contract):
        raise LastuseError(f"{where}: {problem}", op)
    return contract


def check_numbers(
    contract: Contract, where: str, operands: int | None, results: int | None, op: Operation | None = None
) -> None:
    """Raises LastuseError where the contract names an operand or result that there is not. None: any number may be."""
    for kind, number in _numbers(contract):
        count = operands if kind == "operand" else results
        if count is not None and number >= count:
            raise LastuseError(f"{where}: the contract names {kind} {number}, of {count}", op)


def fixed_counts(op_class: type[Operation]) -> tuple[int | None, int | None]:
    """How many operands and results every op of a class has; None where that differs."""
    if not issubclass(op_class, IRDLOperation):
        return None, None
    try:
        definition = op_class.get_irdl_definition()
    except (PyRDLOpDefinitionError, NotImplementedError, AttributeError):
        return None, None

    def count(defined: Iterable[tuple[str, object]]) -> int | None:
        definitions = [d for _, d in defined]
        return None if any(isinstance(d, VariadicDef | OptionalDef) for d in definitions) else len(definitions)

    return count(definition.operands), count(definition.results)


def check_for(op: Operation, contract: object) -> Contract:
    """The contract that a registration gives an op.

    Raises:
        LastuseError: it cannot be right for this op.
    """
    where = f"the contract of '{op_name(op)}'"
    declaration = check_contract(contract, where, op)
    check_numbers(declaration, where, len(op.operands), len(op.results), op)
    for view in declaration.views:
        for problem in _wrong_view(view, op.operands[view.operand], op.results[view.result]):
            raise LastuseError(f"{where}: result {view.result} as a view of operand {view.operand} {problem}", op)
    for carried in declaration.contributions:
        for problem in _wrong_part(carried, op.operands[carried.operand], op.results[0]):
            raise LastuseError(f"{where}: operand {carried.operand} in its part of result 0 {problem}", op)
    return declaration


def _wrong_fields(contract: Contract) -> Iterator[str]:
    """What is wrong; after the first problem nothing more is asked for."""
    for name, kind in (("over", InPlace), ("views", View), ("contributions", Contribution)):
        items: Any = getattr(contract, name)
        if not isinstance(items, tuple):
            yield f"{name} is a tuple of {kind.__name__}, not {_shown(items)}"
        for item in items:  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(item, kind):
                yield f"{name} holds {_shown(item)}, which is no {kind.__name__}"
    if contract.backward is not None and not isinstance(contract.backward, Backward):  # pyright: ignore
        yield f"backward is {_shown(contract.backward)}, which is no Backward"
    for name, engines in [("engines", contract.engines), *(("InPlace.engines", o.engines) for o in contract.over)]:
        if not isinstance(engines, frozenset) or not all(isinstance(e, Engine) for e in engines):  # pyright: ignore
            yield f"{name} is a frozenset of Engine, not {_shown(engines)}"
    if not isinstance(contract.metadata_only, frozenset):  # pyright: ignore[reportUnnecessaryIsInstance]
        yield f"metadata_only is a frozenset of operands, not {_shown(contract.metadata_only)}"
    if not _is_number(contract.scratch):
        yield f"scratch is a number of bytes, not {_shown(contract.scratch)}"
    for kind, number in _numbers(contract):
        if not _is_number(number):
            yield f"an {kind} is a number from 0 on, not {_shown(number)}"
    maps: list[LayoutMap] = [*(v.map for v in contract.views), *(c.into for c in contract.contributions)]
    if not all(map(callable, maps)):
        yield "the map of a view or a contribution is a function from a layout to a layout"
    if len({o[:2] for o in contract.over}) < len(contract.over):
        yield "over has a result over one operand twice"
    if len({v.result for v in contract.views}) < len(contract.views):
        yield "views has one result twice"
    if contract.foreign and (contract.over or contract.views or contract.contributions):
        yield "what is foreign declares nothing in place, no views and no contributions"


def _numbers(contract: Contract) -> Iterator[tuple[str, int]]:
    """Every operand and result that a contract names."""
    pairs = [(item.operand, item.result) for item in (*contract.over, *contract.views)]
    pairs += [(carried.operand, 0) for carried in contract.contributions]
    pairs += [(operand, result) for result, operand in contract.same_shape]
    pairs += [(operand, result) for result, _, operand in contract.sized_by]
    backward = contract.backward or Backward()
    for operand in (*(operand for operand, _ in pairs), *contract.metadata_only, *backward.operands):
        yield "operand", operand
    for result in (*(result for _, result in pairs), *backward.results):
        yield "result", result
    for _, axis, _ in contract.sized_by:
        yield "axis", axis


def _is_number(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _dense(value: SSAValue) -> Strided | None:
    """The layout of a value in memory of its own; None of one without bytes or of unknown size."""
    sizes = static_shape(value.type) if hasattr(value.type, "get_shape") else None
    known = [d for d in sizes or () if d is not None]
    if sizes is None or len(known) < len(sizes):
        return None
    return Strided.dense(known, item_bytes(dtype_name(value.type.element_type)))  # pyright: ignore


def _wrong_view(view: View, operand: SSAValue, result: SSAValue) -> Iterator[str]:
    have, want = _dense(operand), _dense(result)
    if have is None or want is None:
        return
    seen = view.map(have)
    if seen is None:
        return  # it is a copy, then
    yield from _unfit(seen, want, have)
    if view.injective and not seen.injective:
        yield "has some byte as several elements, and says injective"
    if view.whole and seen.canonical() != have.canonical():
        yield "says whole, but is not all bytes of it in the same order"


def _wrong_part(carried: Contribution, operand: SSAValue, result: SSAValue) -> Iterator[str]:
    have, want = _dense(operand), _dense(result)
    if have is None or want is None:
        return
    part = carried.into(want)
    if part is None:
        return
    if carried.complement:
        if have != want:
            yield "has other sizes than the result, whose bytes outside the part it gives"
        return
    yield from _unfit(part, have, want)


def _unfit(seen: object, value: Strided, memory: Strided) -> Iterator[str]:
    """What is wrong with `value` at `seen` of `memory`."""
    if not isinstance(seen, Strided):
        yield f"has {_shown(seen)} for a layout"
        return
    if seen.sizes != value.sizes or seen.item != value.item:
        yield f"has the shape {_shape(seen)}, its type {_shape(value)}"
        return
    low, high = seen.span
    if low < 0 or high > memory.nbytes:
        yield f"has bytes {low} to {high}, of {memory.nbytes}"


def _shape(layout: Strided) -> str:
    return f"{'x'.join(map(str, layout.sizes)) or 'scalar'} of {layout.item} bytes"


def _shown(thing: object) -> str:
    text = getattr(thing, "__qualname__", None) or repr(thing)
    return text if len(text) <= 80 else f"{text[:77]}…"
