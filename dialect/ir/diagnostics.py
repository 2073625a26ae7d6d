"""
Where things are in the source, and what is said about them: locations, errors, remarks.

* `locations` says which `Location` an operation was read from. The parser of the tools and the front ends fill it,
  passes carry it along with `inherit`.
* `LastuseError` is the one exception for mistakes of the user. It carries a location, and the tools print it as
  `file:line:col: error: message`, the source line and a caret.
* `remark` says what a pass decided, refused or had to copy, and why. Remarks are collected by a `ToolContext`;
  with a plain xDSL `Context` they are dropped, so that every pass runs under stock `xdsl-opt` too.
* `warn` says that a pass could not do what it was asked for: collected likewise, also where no remarks are wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute
from xdsl.utils.exceptions import DiagnosticException

from lastuse.dialect.ir.remembered import is_a

OperationT = TypeVar("OperationT", bound=Operation)


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file. Lines and columns count from 1; `name` is the source model's own name for it, if any."""

    file: str
    line: int = 1
    col: int = 1
    name: str | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}"


class OpLocations:
    """By operation the place that it was read from, or that it inherited. Each is kept in an attribute of the Python
    object of the operation, so that it goes with it; a clone has none."""

    _ATTRIBUTE = "_lastuse_location"

    def get(self, op: Operation) -> Location | None:
        return getattr(op, self._ATTRIBUTE, None)

    def __getitem__(self, op: Operation) -> Location:
        location = self.get(op)
        if location is None:
            raise KeyError(op)
        return location

    def __setitem__(self, op: Operation, location: Location) -> None:
        setattr(op, self._ATTRIBUTE, location)

    def setdefault(self, op: Operation, location: Location) -> None:
        if self.get(op) is None:
            self[op] = location


locations = OpLocations()


def location_of(op: Operation | None) -> Location | None:
    """The location of `op`, else of the nearest operation around it that has one, else None."""
    while op is not None:
        if (location := locations.get(op)) is not None:
            return location
        op = op.parent_op()
    return None


def inherit(new: Operation | Iterable[Operation], old: Operation) -> None:
    """Gives the operation or operations that replace `old` its location, unless they have one of their own."""
    location = locations.get(old)
    if location is None:
        return
    for op in (new,) if isinstance(new, Operation) else new:
        locations.setdefault(op, location)


def clone_located(op: OperationT) -> OperationT:
    """A copy of an op and all that is in it, each op where the one that it is a copy of is."""
    copy = op.clone()
    for new, old in zip(copy.walk(), op.walk(), strict=True):
        inherit(new, old)
    return copy


def op_name(op: Operation) -> str:
    """The operation's name as the user wrote it, also for an unregistered operation."""
    if is_a(op, UnregisteredOp):
        return op.op_name.data
    return op.name


def source_names(op: Operation) -> tuple[str, ...]:
    """What the source model calls the results of `op` (`dnn.names`), else the name hints of its results."""
    names = op.attributes.get("dnn.names")
    if isinstance(names, ArrayAttr):
        return tuple(name.data for name in names.data if isinstance(name, StringAttr))
    return tuple(result.name_hint for result in op.results if result.name_hint is not None)


class LastuseError(DiagnosticException):
    """
    A mistake of the user: in the program, in a model, in the use of a function.

    `location` is where, given as a `Location` or as the operation that is wrong; None if no place can be named.
    `notes` are further (location, text) lines that follow the error, such as where a value was first defined.
    """

    message: str
    location: Location | None
    notes: tuple[tuple[Location | None, str], ...]

    def __init__(
        self,
        message: str,
        location: Location | Operation | None = None,
        notes: Sequence[tuple[Location | Operation | None, str]] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.location = _resolve(location)
        self.notes = tuple((_resolve(where), text) for where, text in notes)

    def __str__(self) -> str:
        return self.message if self.location is None else f"{self.location}: error: {self.message}"


class UnsupportedError(LastuseError):
    """A model is right, and has something that is not supported."""


class NeedsValuesError(LastuseError):
    """A model cannot be read or compiled before some sizes or inputs are known: a rank, a shape, or which arm of a
    branch fits its operands, depends on them.

    Attributes:
        sizes: names of the unknown sizes.
        inputs: names of the inputs whose elements are needed.
        signature: where the model cannot be read, a module whose function has its arguments, and nothing else.
        outputs: names of the model's outputs then.
    """

    def __init__(
        self,
        message: str,
        location: Location | Operation | None,
        sizes: Sequence[str],
        inputs: Sequence[str],
        signature: ModuleOp | None = None,
        outputs: Sequence[str] = (),
    ) -> None:
        super().__init__(message, location)
        self.sizes, self.inputs, self.signature, self.outputs = tuple(sizes), tuple(inputs), signature, tuple(outputs)


class ArrayError(LastuseError):
    """An array that a program was given is wrong, or several do not go together. `location` is the op that cannot work
    with it, None where no op was reached: which file the array came from, the caller knows."""


def _resolve(where: Location | Operation | None) -> Location | None:
    return location_of(where) if isinstance(where, Operation) else where


class RemarkKind(str, Enum):
    """What a remark reports."""

    DECISION = "decision"
    """A pass decided something: in place, a shared storage, an offset."""
    REFUSAL = "refusal"
    """A pass looked at a possibility and refused it; the remark's reason says why."""
    COPY = "copy"
    """A copy had to be inserted."""
    REORDER = "reorder"
    """A change of memory layout had to be inserted."""
    REPAIR = "repair"
    """A decision was found stale and dropped."""
    WARNING = "warning"
    """A pass did not do what it was asked for, or has nothing to do where it stands among the others."""


@dataclass(frozen=True, slots=True)
class Remark:
    """
    One thing a pass did or refused to do.

    `op` is the operation's name and `names` its results' names in the source; both are text, because a later pass may
    erase the operation. `reason` is the value of a refusal's enum (`used-later`, …) or None. `nbytes`: of a copy, if
    known. `function`: of a copy, the name of the function that it is made in.
    """

    kind: RemarkKind
    message: str
    op: str
    names: tuple[str, ...] = ()
    reason: str | None = None
    location: Location | None = None
    notes: tuple[str, ...] = ()
    nbytes: int | None = None
    function: str | None = None

    def __str__(self) -> str:
        """The remark as one line: `file:line:col: remark: dnn.relu (%y): in place over operand 0 [reason]`."""
        head = "warning" if self.kind is RemarkKind.WARNING else "remark"
        where = "<unknown>:1:1" if self.location is None else str(self.location)
        names = f" ({', '.join(self.names)})" if self.names else ""
        reason = f" [{self.reason}]" if self.reason else ""
        notes = "".join(f"; {note}" for note in self.notes)
        return f"{where}: {head}: {self.op}{names}: {self.message}{reason}{notes}".replace("\n", " ")

    def to_json(self) -> dict[str, Any]:
        """The remark as an object of plain JSON values: the fields of the class, the location as file, line, col."""
        at = self.location
        return {
            "kind": self.kind.value,
            "op": self.op,
            "names": list(self.names),
            "message": self.message,
            "reason": self.reason,
            "bytes": self.nbytes,
            "file": None if at is None else at.file,
            "line": None if at is None else at.line,
            "col": None if at is None else at.col,
            "notes": list(self.notes),
        }


@dataclass
class ToolContext(Context):
    """
    The context of the tools: collects remarks, and knows which dialects are complete.

    Operations of unregistered dialects may pass when `allow_unregistered` is set (a foreign operation gets the
    worst-case contract). In a *closed* dialect, one of our own, an unknown operation is a misspelling and an error.
    """

    remarks: list[Remark] = field(default_factory=list[Remark])
    wants_remarks: bool = True
    """False: remarks are dropped. Passes ask `wants_remarks(ctx)` before computing an expensive one."""
    closed_dialects: frozenset[str] = frozenset()
    measure_scratch: Callable[[Operation, int], Mapping[Operation, int]] | None = None
    """Of a module, how many bytes of scratch each op takes that a primitive computes with so many threads (0: as many
    as a run gets). None where there is no runtime to ask: passes then say what they do not know."""
    is_fast: Callable[[Any], bool] | None = None
    """Whether primitives compute an op of known sizes, and none of them is oneDNN's reference. None as above."""

    def clone(self) -> ToolContext:
        """A context of its own for registrations; the list of remarks stays the same one."""
        registered = {f.name: getattr(self, f.name).copy() for f in fields(Context) if f.name.startswith("_")}
        return replace(self, **registered)

    def get_optional_op(self, name: str, *, dialect_stack: Sequence[str] = ()) -> type[Operation] | None:
        with self._closed(name):
            return super().get_optional_op(name, dialect_stack=dialect_stack)

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        with self._closed(name):
            return super().get_optional_attr(name)

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        with self._closed(name):
            return super().get_optional_type(name)

    @contextmanager
    def _closed(self, name: str) -> Generator[None]:
        """While a name of a closed dialect is looked up, what is not registered is an error."""
        allowed = self.allow_unregistered
        if "." in name and Dialect.split_name(name)[0] in self.closed_dialects:
            self.allow_unregistered = False
        try:
            yield
        finally:
            self.allow_unregistered = allowed


def wants_remarks(ctx: Context) -> bool:
    """True if a remark given now would be kept."""
    return isinstance(ctx, ToolContext) and ctx.wants_remarks


def remark(
    ctx: Context,
    kind: RemarkKind,
    op: Operation,
    message: str,
    *,
    reason: str | Enum | None = None,
    notes: Sequence[str] = (),
    nbytes: int | None = None,
    function: str | None = None,
) -> None:
    """
    Says that a pass did `kind` to `op`. Dropped unless `ctx` is a `ToolContext` that wants remarks, or
    gets a warning.

    `reason` is a member of an enum whose values are text, or the text itself.
    """
    if not isinstance(ctx, ToolContext) or not (ctx.wants_remarks or kind is RemarkKind.WARNING):
        return
    why = str(reason.value) if isinstance(reason, Enum) else reason
    names, where = source_names(op), location_of(op)
    ctx.remarks.append(Remark(kind, message, op_name(op), names, why, where, tuple(notes), nbytes, function))


def warn(ctx: Context, op: Operation, message: str, *, reason: str | Enum | None = None) -> None:
    """
    Says that a pass could not do what it was asked for: a line on stderr of the tools, whether or not remarks are
    wanted. Dropped unless `ctx` is a `ToolContext`.
    """
    remark(ctx, RemarkKind.WARNING, op, message, reason=reason)
