"""The storage contract: all that an op says about memory, as one NamedTuple from one method.

The law (docs/storage.md, 1 and 4). Operands count as being read until the last result byte is written. A result may lie
on an operand only where the op declares it (`InPlace`), and then on exactly the same bytes by the same index map, while
every other operand is elsewhere, or, with `allow_same_operand`, exactly there too. A view names bytes of its operand
and reads nothing. A data-movement op declares its `Contribution`s: one whose source already is its part of the result
is already in place and costs nothing.
Ops without a contract are *foreign*: their results may be any bytes of any operand.

`--verify-storage-pass` holds every decision against these declarations.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from itertools import takewhile
from typing import NamedTuple

from xdsl.dialects.builtin import StringAttr, TensorType, UnregisteredOp
from xdsl.ir import Operation, OpResult, SSAValue, Use

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.flow_graphs import ancestors, is_control, operands_of, ops_within, type_of
from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.ir.region_contents import contents_of
from lastuse.dialect.ir.remembered import is_class, of_listing, remembered
from lastuse.dialect.ir.tensor_types import is_integer
from lastuse.dialect.storage.attrs import SCRATCH_BYTES, scratch_bytes
from lastuse.dialect.storage.layout import Layout, LayoutMap, mapped


class Engine(enum.Enum):
    """What runs an op: a primitive of oneDNN, the op's kernel in numpy, or a kernel of the runtime."""

    ONEDNN = "onednn"
    CPU = "cpu"
    NATIVE = "native"


ALL_ENGINES = frozenset({Engine.ONEDNN, Engine.CPU})
"""Of most ops: native kernels are there for a few, which name them."""
ANY_ENGINE = frozenset(Engine)
CPU_ONLY = frozenset({Engine.CPU})
OWN_ENGINES = frozenset({Engine.CPU, Engine.NATIVE})
"""Of ops whose kernel in numpy the runtime has in C++ too."""


class InPlace(NamedTuple):
    """Result `result` may be written over operand `operand` by the kernels of `engines`.

    The kernel then makes the same bits as elsewhere, up to the sign and payload of NaN (`contracts_of`).
    `allow_same_operand`: other operands may be exactly the same bytes too. `by_swapping`: right because the kernel
    exchanges operand 0 and this one.
    """

    result: int
    operand: int
    allow_same_operand: bool = False
    by_swapping: bool = False
    engines: frozenset[Engine] = ANY_ENGINE


class View(NamedTuple):
    """Result `result` is bytes of operand `operand` under the index map `map` (None from the map: it has to be a copy).

    `whole`: every byte, in the same order of elements (reshape). Not `injective`: some byte is several elements
    (expand), so it is never written through.
    """

    result: int
    operand: int
    map: LayoutMap
    whole: bool = False
    injective: bool = True


class Contribution(NamedTuple):
    """Result 0 holds the bytes of operand `operand` in its part `into` (a map of the result's layout).

    `complement`: instead, the operand's bytes *outside* `into`, each at its own place (the base of a scatter).
    `may_be_produced_in_place`: the operand may be computed in its part of the result beforehand (`dnn.parts`).
    """

    operand: int
    into: LayoutMap
    complement: bool = False
    may_be_produced_in_place: bool = False

    def part(self, layout: Layout) -> Layout | None:
        """The part of a result that lies at `layout`; None where it is not known."""
        return mapped(self.into, layout)

    def place(self, layout: Layout) -> Layout | None:
        """Where the operand lies in a result at `layout` if nothing is to be copied: the base of a scatter has the same
        bytes. None where that is no strided map."""
        return layout if self.complement else self.part(layout)


class Backward(NamedTuple):
    """What the backward op reads of the forward op: operands and results by number."""

    operands: frozenset[int] = frozenset()
    results: frozenset[int] = frozenset()


class Contract(NamedTuple):
    """Everything an op says about memory; the default is opaque: reads its operands, makes fresh results.

    Attributes:
        over: in-place permissions.
        views: results that are views of operands.
        contributions: where the bytes come from, for ops that only move bytes; empty for kernels.
        fill: bytes of the result outside every contribution are written by the op itself (pad).
        forwards: (result, operand): the result is one of these operands as it is, chosen at run time.
        metadata_only: operands whose bytes are not read (they give a shape or a place only).
        foreign: results are fresh or any part of any operand, unknown which.
        constant: the result lies in read-only memory of the model.
        scratch: bytes the op needs while it runs, 64-aligned.
        strided: operands and results may lie at any strides.
        copies: operands that a foreign op copies into result 0, if they are not there already.
        same_shape: (result, operand): the result has the sizes of that operand, also where its type does not say them.
        sized_by: (result, axis, operand): the size of the result along that axis is the value of that index operand.
        joined_axes: for each axis of result 0 the axes of operand 0 that it joins, if the result is that reshape.
        given: result 0 is memory from outside of the function, row-major or at strides, that the function may write.
        uninitialized: the op only makes a place: nothing is written, and the results hold nothing yet.
        pure: the op does nothing but make its results, so without a use it may be erased.
        reads_bits: reads the bits of floating-point operands as something else: sign and payload of a NaN show
            (`contracts_of`).
        backward: what the backward op reads; None where there is no backward op.
        engines: the engines that may run it.
    """

    over: tuple[InPlace, ...] = ()
    views: tuple[View, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    fill: bool = False
    forwards: tuple[tuple[int, int], ...] = ()
    metadata_only: frozenset[int] = frozenset()
    foreign: bool = False
    constant: bool = False
    scratch: int = 0
    strided: bool = False
    copies: frozenset[int] = frozenset()
    same_shape: tuple[tuple[int, int], ...] = ()
    sized_by: tuple[tuple[int, int, int], ...] = ()
    joined_axes: tuple[tuple[int, ...], ...] = ()
    given: bool = False
    uninitialized: bool = False
    pure: bool = False
    reads_bits: bool = False
    backward: Backward | None = None
    engines: frozenset[Engine] = CPU_ONLY

    def view_of(self, result: int) -> View | None:
        """The view that `result` is, if it is one."""
        return next((v for v in self.views if v.result == result), None) if self.views else None

    @property
    def fans_out(self) -> bool:
        """Several results are all bytes of the operand each."""
        return len(self.views) > 1 and all(view.whole for view in self.views)


ENGINE = "dnn.engine"
"""The attribute that says which engine runs an op."""
NO_ENGINE = "must be " + " or ".join(f'"{engine.value}"' for engine in Engine)
"""What is wrong with a value of `dnn.engine` that names no engine."""

FOREIGN = Contract(foreign=True, engines=frozenset())


class HasStorage(ABC):
    """An op class that declares its contract."""

    @abstractmethod
    def storage(self) -> Contract:
        """The op's storage contract for the shapes and attributes it has."""


Declared = Callable[[Operation], Contract]
_registered: dict[type[Operation] | str, Declared] = {}
"""By the class of the op; by the name of an op that has no class, as the reader keeps it in generic form."""
_OURS = ("arith", "bufferization", "func", "linalg", "tensor", "tosa", "vector")
_SHIPPED = {name: name for name in _OURS} | {"math": "arith"}
"""Dialects whose contracts `foreign/` has, and in which module: imported when the first op of the dialect is met."""
_met: set[str] = set()


_bit_readers: set[type[Operation] | str] = set()
"""Of these contracts, those that may say `reads_bits`."""


def declare_contract(op_class: type[Operation], declared: Declared) -> None:
    """The contract of every op of the class, instead of one that was declared before; `registration.py` checks it."""
    _registered[op_class] = declared
    _bit_readers.add(op_class)


def supply_contract(
    op_class: type[Operation] | str, contract: Contract | Declared, may_read_bits: bool = False
) -> None:
    """Declare the contract of an op class, or of an op without a class by its name, unless one is registered already:
    for the contracts that come with us. `dialect.*` is that of all others without a class."""
    if op_class not in _registered:
        _registered[op_class] = contract if callable(contract) else lambda _: contract
        if may_read_bits:
            _bit_readers.add(op_class)


def _meet(dialect: str) -> bool:
    """Whether contracts of the dialect come with us; they are there then."""
    if dialect in _SHIPPED and dialect not in _met:
        _met.add(dialect)
        import_module(f"lastuse.dialect.foreign.{_SHIPPED[dialect]}")
    return dialect in _SHIPPED


def _shipped(op: Operation) -> Declared | None:
    name = op_name(op)
    dialect = name.partition(".")[0]
    if not _meet(dialect):
        return None
    if isinstance(op, UnregisteredOp):
        return _registered.get(name) or _registered.get(f"{dialect}.*")
    return _registered.get(type(op))


def is_foreign(op: Operation) -> bool:
    """Nothing is known of it: its results, and the arguments of its blocks, may be any bytes of what it is given, and
    its results any that its regions end in."""
    return contract_of(op).foreign and not is_control(type(op))


def is_scatter(contract: Contract) -> bool:
    """A data-movement op that puts its source into a part of its base."""
    return any(c.complement for c in contract.contributions)


def is_region_op(op: Operation) -> bool:
    """Passes look into its regions: control flow, and ops of which nothing is declared. What stands inside a declared
    op, scalars computing a linalg op's elements, is no program but the description of its kernel."""
    return bool(op.regions) and contract_of(op).foreign


@remembered
def holds_nothing(value: SSAValue) -> bool:
    """No op writes the value or reads its bytes: it is uninitialized, and used for its shape or place alone, or by ops
    that only move bytes, of which it has none worth moving. It takes no bytes until a result is written over it."""
    if not isinstance(value, OpResult):
        return False
    for operand in operands_of(value.op):  # asked first: nearly all ops have such operands, and it costs least
        if is_class(type(type_of(operand)), TensorType):
            return False
    if not contract_of(value.op).uninitialized:
        return False
    return all(_is_unread(u) and not _is_captured(value, u) for u in value.uses)


def _is_unread(use: Use) -> bool:
    contract = contract_of(use.operation)
    return use.index in contract.metadata_only or any(c.operand == use.index for c in contract.contributions)


def is_inserted_into(value: SSAValue) -> bool:
    """An op makes a tensor of the value and of what it puts into it."""
    uses = [(use.index, contract_of(use.operation).contributions) for use in value.uses]
    return any(c.complement and c.operand == index for index, contributions in uses for c in contributions)


@remembered
def is_undefined(value: SSAValue) -> bool:
    """No op gives the value contents: it is uninitialized, or a view of what is. A copy of it moves nothing."""
    while isinstance(value, OpResult):
        contract = contract_of(value.op)
        view = contract.view_of(value.index)
        if contract.uninitialized or view is None:
            return contract.uninitialized
        value = operands_of(value.op)[view.operand]
    return False


def _is_captured(value: OpResult, use: Use) -> bool:
    """The use stands in a region of an op of which nothing is known: what it is given may be any of these bytes."""
    if use.operation.parent is value.op.parent:
        return False
    outer = value.op.parent_op()
    return any(map(is_foreign, takewhile(lambda op: op is not outer, ancestors(use.operation))))


def engine_of(op: Operation) -> Engine | None:
    """The engine `dnn.engine` asks for; None: any the op may run on.

    Raises:
        LastuseError: the attribute names no engine.
    """
    attribute = op.attributes.get(ENGINE)
    if attribute is None or not isinstance(attribute, StringAttr):
        return None
    try:
        return Engine(attribute.data)
    except ValueError:
        raise LastuseError(f"'{op_name(op)}': {ENGINE} {NO_ENGINE}", op) from None


@remembered
def contract_of(op: Operation) -> Contract:
    """The contract that holds for `op` on the engine(s) that may run it; `FOREIGN` where nothing is declared.

    A scratch size measured for the primitive (`dnn.scratch_bytes`) raises the declared one.
    """
    declared = _registered.get(type(op))
    if declared is None and not is_class(type(op), HasStorage):
        declared = _shipped(op)
    if declared is not None:
        contract = FOREIGN if op.regions and contents_of(op).reads_tensors else declared(op)
    elif isinstance(op, HasStorage):
        contract = op.storage()
    else:
        return FOREIGN
    if contract.reads_bits and not is_class(type(op), InfersShapes):
        assert _may_read_bits(type(op)), f"the contract of {op_name(op)} is supplied as one that reads no bits"
    attributes = op.attributes
    if contract.foreign or not (contract.engines or ENGINE in attributes or SCRATCH_BYTES in attributes):
        return contract
    engine = engine_of(op)
    engines = contract.engines if engine is None else frozenset({engine})
    scratch = scratch_bytes(op)
    over = tuple(o for o in contract.over if engines <= o.engines)
    if engine is None and scratch <= contract.scratch and len(over) == len(contract.over):
        return contract
    return contract._replace(over=over, scratch=max(contract.scratch, scratch), engines=engines)


# Where an op reads floating-point numbers as bits, kernels that compute them take no decision.
#
# IEEE 754 leaves open which NaN arithmetic on two NaNs gives. Processors take the first operand's sign and payload,
# and which operand is the first differs between the kernels of one op: oneDNN's operands are exchanged to write over
# the second one, and numpy has other loops for strides, for the last elements of an array, and for one element in
# place. So a kernel keeps its promise (docs/storage.md, 1) up to the sign and payload of NaN. No number shows them. An
# op that reads bits does (`Contract.reads_bits`: `arith.bitcast`): in a module that has one, nothing that a kernel of
# ours computes is in place or part of another value, so that it is computed where and how a program without decisions
# computes it.


def bits_are_read(op: Operation) -> bool:
    """Some op of the module that `op` stands in, in whatever region, reads floating-point numbers as bits."""
    return _bits_are_read((op, *ancestors(op))[-1])


@of_listing
def _bits_are_read(top: Operation) -> bool:
    ops = ops_within(top)
    readers = {op_class for op_class in {type(op) for op in ops} if _may_read_bits(op_class)}
    return bool(readers) and any(type(op) in readers and contract_of(op).reads_bits for op in ops)


def _may_read_bits(op_class: type[Operation]) -> bool:
    if is_class(op_class, InfersShapes):
        return False
    _meet(op_class.name.partition(".")[0])
    return op_class in _bit_readers or is_class(op_class, HasStorage) and op_class not in _registered


def without_choices(op: Operation, contract: Contract) -> Contract:
    """The contract where bits are read: a kernel of ours that computes floating-point numbers writes over no operand,
    and nothing of such an element type is produced in its part of another value. What others run is theirs."""
    if not contract.engines:
        return contract
    if contract.contributions:
        apart = (
            c._replace(
                may_be_produced_in_place=c.may_be_produced_in_place and not _is_float(operands_of(op)[c.operand])
            )
            for c in contract.contributions
        )
        return contract._replace(contributions=tuple(apart))
    over = tuple(o for o in contract.over if not _is_float(op.results[o.result]))
    return contract._replace(over=over)


def contracts_of(func: Operation) -> Callable[[Operation], Contract]:
    """What the contracts of ops are in `func`, a function of a module."""
    if not bits_are_read(func):
        return contract_of
    return lambda op: without_choices(op, contract_of(op))


def _is_float(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and not is_integer(value.type.element_type)
