"""Violations that the checker reports: a kind, and the values in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, location_of, op_name
from lastuse.dialect.storage.assignment import PlaceKind as StorageKind
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.attrs import display_name


class ViolationKind(Enum):
    """Ways in which a plan is wrong. A value says what is wrong with `{value}`, `{bytes}` and `{destroyer}`."""

    OVERWRITTEN = "reads {value}, but {bytes} were overwritten by {destroyer}"
    UNWRITTEN = "reads {value}, but nothing has written {bytes}"
    OVERLAP = "writes {destroyer} over {bytes} while it reads them as {value}"
    RESULTS_OVERLAP = "writes {destroyer} and {value} over each other in {bytes}"
    SCRATCH_OVERLAP = "has its scratch on {bytes} of {value}"
    COPY_OVERLAP = "copies into {destroyer} over {bytes}, which it has yet to read of {value}"
    MOVES_OVERLAP = "moves two values into {bytes}: {value} and {destroyer}"
    READ_ONLY = "writes {value} over {bytes}, which is read-only"
    BORROWED = "has {value} in {bytes}, memory that another op may still own"
    NOT_INJECTIVE = "writes {value} where some byte is several elements"
    STRIDED = "does not take strides, but {value} lies at strides in {bytes}"
    MISALIGNED = "has {value} at an arena offset that is no multiple of 64: {bytes}"
    OUT_OF_BOUNDS = "has {value} in {bytes}, which do not fit there"
    SHARED_NUMBER = "has two arguments in one storage: {value}"
    TIED = "cannot end in the memory of the argument it is tied to: {value}"
    LENT = "cannot be returned in the memory of the arguments it is lent from: {value}"
    DONATED = "gives away {value}, but also passes {bytes} of it otherwise"
    FOREIGN_PLACED = "decides where {value} lies, but does not declare where it puts its results"
    RECURSION = "calls itself, and a frame has one place for each value"
    TOO_FINE = "has a storage that falls into too many pieces to be checked"
    FORWARDED = "forwards {value} from {bytes}: places of different sizes or strides"
    TOO_MANY_WAYS = "has more than 64 combinations of places that forwarded values may have here"
    UNSUPPORTED = "is a branch the checker does not know"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that may be dropped: attribute `attribute` of an op, for result, operand or successor `index`, or of
    a function's argument."""

    holder: Operation | BlockArgument
    attribute: str
    index: int = 0

    def __str__(self) -> str:
        holder = display_name(self.holder) if isinstance(self.holder, BlockArgument) else op_name(self.holder)
        return f"{self.attribute}[{self.index}] of {holder}"


@dataclass(frozen=True)
class Violation:
    """One way in which the plan of a function is wrong.

    Attributes:
        kind: what is wrong.
        reader: the op at which it goes wrong: the one that reads, or breaks a rule by what it writes.
        value: the value it needs or writes.
        storage: where the bytes are.
        bytes: half-open range in `storage`; None where sizes are unknown or no byte is concerned.
        destroyers: the ops that wrote the bytes last; several where paths meet.
        written: the value whose write destroyed them, where that is one.
        path: how control gets from the destroyer to the reader, "" in a straight line.
        decisions: decisions that made it so, the likeliest culprit first.
    """

    kind: ViolationKind
    reader: Operation
    value: SSAValue | None = None
    storage: Storage | None = None
    bytes: tuple[int, int] | None = None
    destroyers: tuple[Operation, ...] = ()
    written: SSAValue | None = None
    path: str = ""
    decisions: tuple[Decision, ...] = ()

    @property
    def message(self) -> str:
        """What is wrong, as the user reads it."""
        parts = {"value": self._shown(self.value), "bytes": self._bytes(), "destroyer": self._destroyer()}
        path = f" ({self.path})" if self.path else ""
        return f"{op_name(self.reader)} {self.kind.value.format(**parts)}{path}"

    def error(self) -> LastuseError:
        """The violation as an error at the reader, with the destroyers' locations in notes."""
        notes = [(op, "overwritten here") for op in self.destroyers if op is not self.reader]
        return LastuseError(self.message, self.reader, notes)

    @staticmethod
    def _shown(value: SSAValue | None) -> str:
        return display_name(value) if value is not None else "a value"

    def _bytes(self) -> str:
        if self.storage is None:
            return "it"
        where = storage_name(self.storage)
        return f"bytes [{self.bytes[0]}, {self.bytes[1]}) of {where}" if self.bytes is not None else f"bytes of {where}"

    def _destroyer(self) -> str:
        if self.written is not None:
            return display_name(self.written)
        return " or ".join(dict.fromkeys(_op(op) for op in self.destroyers)) or "another op"


def _op(op: Operation) -> str:
    location = location_of(op)
    names = ", ".join(display_name(r) for r in op.results)
    return op_name(op) + (f" ({names})" if names else "") + (f" at {location}" if location is not None else "")


def storage_name(storage: Storage) -> str:
    """How a storage is called in messages."""
    key = storage.key
    match storage.kind:
        case StorageKind.ARENA:
            return "the arena"
        case StorageKind.NUMBERED:
            return f"storage {key}"
        case StorageKind.ARGUMENT:
            return f"the memory of argument {key}"
        case StorageKind.FORWARDED:
            assert isinstance(key, SSAValue)
            return f"the place of {display_name(key)}"
        case kind:
            assert isinstance(key, SSAValue)
            return f"the {'constant' if kind is StorageKind.CONSTANT else 'memory of'} {display_name(key)}"
