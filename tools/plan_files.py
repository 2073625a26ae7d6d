"""The files of `plan-tool`: buffers as CSV, graphs as JSON. What is wrong with them is said with line and column."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.passes.planning.graph import Graph, ScheduledOp
from lastuse.passes.planning.planner import Buffer
from lastuse.passes.planning.subbuffers import Subbuffer
from lastuse.tools.streams import STDIN, read_stdin

MAX_BYTES = 256 << 20
"""Larger files are refused before they are read."""
MAX_NUMBER = 1 << 60
REQUIRED = ("id", "lower", "upper", "size")
ANSWERS = ("offset", "lies_in")
"""Columns of the output; what a file has in them is no question."""


def read(path: str) -> str:
    """The text of a file in UTF-8, `<stdin>` for standard input. Raises LastuseError."""
    try:
        if path == STDIN:
            data = read_stdin(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise LastuseError(f"cannot be read: {error.strerror or error}", Location(path)) from None
    if len(data) > MAX_BYTES:
        raise LastuseError(f"has more than {MAX_BYTES >> 20} MB", Location(path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LastuseError("is no text in UTF-8", Location(path, line)) from None


@dataclass(frozen=True)
class Table:
    """
    A CSV of buffers.

    Attributes:
        header: the columns, in the order of the file.
        rows: the cells as they stood.
        names: the column `id`.
        buffers: what the planner is asked.
        parts: which of them may lie in which; None where no column says so.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    buffers: tuple[Buffer, ...]
    parts: tuple[Subbuffer, ...] | None = None

    def with_offsets(self, offsets: Sequence[int], parts: Sequence[Subbuffer] = ()) -> str:
        """
        The file again, with a column `offset` at its end (or in place of one that was there).

        Args:
            parts: what lies in what: the column `lies_in`, of tables that say what may.
        """
        kept = [n for n, name in enumerate(self.header) if name not in self._answers()]
        wholes = {p.part: self.names[p.whole] for p in parts}
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*(self.header[n] for n in kept), *self._answers()])
        for number, (row, offset) in enumerate(zip(self.rows, offsets, strict=True)):
            answers = (offset, wholes.get(number, ""))[: len(self._answers())]
            writer.writerow([*(row[n] for n in kept), *answers])
        return text.getvalue()

    def _answers(self) -> Sequence[str]:
        return ANSWERS if self.parts is not None else ANSWERS[:1]


def table_of(text: str, path: str) -> Table:
    """
    The buffers of a CSV with the columns `id,lower,upper,size`; if wanted `alignment`, and `inside` with `at`.

    Raises:
        LastuseError: it is none; the message has the line and the column of the cell.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[str, ...]] = []
    buffers: list[Buffer] = []
    seen: dict[str, int] = {}
    told: list[_Row] = []
    try:
        header = tuple(cell.strip() for cell in next(reader, []))
        columns = _columns(header, path)
        for row in reader:
            if not row:
                continue
            line = reader.line_num
            if len(row) != len(header):
                _wrong(f"{len(row)} cells, where the header has {len(header)}", path, line)
            cells = _Row(row, columns, path, line)
            name = cells.text("id")
            if name in seen:
                cells.wrong("id", f"id {name!r} stands in line {seen[name]} too")
            seen[name] = line
            lower, upper, size = (cells.number(column) for column in ("lower", "upper", "size"))
            alignment = cells.number("alignment", 1) if "alignment" in columns else 1
            if upper < lower:
                cells.wrong("upper", f"upper {upper} is below lower {lower}")
            rows.append(tuple(row))
            told.append(cells)
            buffers.append(Buffer(size, lower, upper - 1, alignment))
    except csv.Error as error:
        _wrong(f"is no CSV: {error}", path, max(1, reader.line_num))
    parts = _parts(told, buffers, list(seen)) if "inside" in columns else None
    return Table(header, tuple(rows), tuple(seen), tuple(buffers), parts)


def _parts(told: Sequence[_Row], buffers: Sequence[Buffer], names: Sequence[str]) -> tuple[Subbuffer, ...]:
    """What the columns `inside` and `at` permit."""
    number = {name: n for n, name in enumerate(names)}
    of: dict[int, Subbuffer] = {}
    for part, cells in enumerate(told):
        whole = cells.text("inside")
        offset = cells.number("at") if cells.text("at") else 0
        if not whole:
            if offset:
                cells.wrong("at", f"at {offset}, where inside names no buffer")
            continue
        if whole not in number:
            cells.wrong("inside", f"inside names {whole!r}, which there is not")
        if offset + buffers[part].size > buffers[number[whole]].size:
            size, room = buffers[part].size, buffers[number[whole]].size
            cells.wrong("at" if offset else "inside", f"{size} bytes at {offset} of {whole!r}, which has {room}")
        of[part] = Subbuffer(part, number[whole], offset)
    clear: set[int] = set()
    for part in of:
        path: dict[int, None] = {}
        while part in of and part not in clear:
            if part in path:
                told[part].wrong("inside", f"{names[part]!r} would lie inside itself")
            path[part] = None
            part = of[part].whole
        clear.update(path)
    return tuple(of.values())


def _columns(header: Sequence[str], path: str) -> dict[str, int]:
    at = {name: n for n, name in enumerate(header)}
    if len(at) != len(header):
        _wrong("a column stands twice", path, 1)
    missing = [name for name in REQUIRED if name not in at]
    if missing:
        _wrong(f"no column {', '.join(missing)}; a header like {','.join(REQUIRED)} is needed", path, 1)
    return at


class _Row:
    """The cells of one line."""

    def __init__(self, row: Sequence[str], columns: Mapping[str, int], path: str, line: int) -> None:
        self.row, self.columns, self.path, self.line = row, columns, path, line

    def wrong(self, column: str, message: str) -> NoReturn:
        before = self.row[: self.columns[column]]
        quoted = any(set(cell) & set(',"\r\n') for cell in before)
        _wrong(message, self.path, self.line, 1 if quoted else 1 + sum(len(cell) + 1 for cell in before))

    def text(self, column: str) -> str:
        """Without the space around it; empty where there is no such column."""
        return self.row[self.columns[column]].strip() if column in self.columns else ""

    def number(self, column: str, least: int = 0) -> int:
        cell = self.text(column)
        if re.fullmatch(r"[+-]?[0-9]+", cell) is None:
            self.wrong(column, f"{column} {cell[:40]!r} is no whole number")
        number = int(cell) if len(cell) < 40 else MAX_NUMBER + 1
        if number < least:
            self.wrong(column, f"{column} {number} is below {least}")
        if number > MAX_NUMBER:
            self.wrong(column, f"{column} is beyond 2^60")
        return number


def _wrong(message: str, path: str, line: int = 1, col: int = 1) -> NoReturn:
    raise LastuseError(message, Location(path, line, col))


def offsets_csv(offsets: Mapping[str, int]) -> str:
    """The columns `id,offset`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "offset"])
    writer.writerows(offsets.items())
    return text.getvalue()


@dataclass(frozen=True)
class Source:
    """A graph as the planner takes it, the names of its buffers and ops, the order it gives, if it gives one, and which
    buffers may lie in which."""

    graph: Graph
    buffers: tuple[str, ...]
    ops: tuple[str, ...]
    given: tuple[int, ...] | None
    parts: tuple[Subbuffer, ...] = ()


def graph_of(text: str, path: str) -> Source:
    """
    The graph of a JSON object: `buffers` [{id, bytes}], `ops` [{id, reads, writes, may_inplace: [[read, write], …],
    may_part: [[read, write, offset], …]}], and, if wanted, `inputs` (never written over), `outputs` (live to the end),
    `naive_order` (an order of ops).

    Raises:
        LastuseError: it is none; the message names the place in the object.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        _wrong(f"is no JSON: {error.msg}", path, error.lineno, error.colno)
    except ValueError:
        _wrong("has a number of thousands of digits", path)
    except RecursionError:
        _wrong("is nested too deeply", path)
    reader = _PlanReader(path)
    top = reader.object(data, "the graph")
    number: dict[str, int] = {}
    sizes: list[int] = []
    for place, item in reader.items(top, "buffers"):
        buffer = reader.object(item, place)
        reader.new(number, reader.name(buffer.get("id"), f"{place}.id"), f"{place}.id")
        sizes.append(reader.bytes(buffer.get("bytes"), f"{place}.bytes"))
    ops: list[ScheduledOp] = []
    op_number: dict[str, int] = {}
    parts: list[Subbuffer] = []
    for place, item in reader.items(top, "ops"):
        op = reader.object(item, place)
        reader.new(op_number, reader.name(op.get("id"), f"{place}.id"), f"{place}.id")
        reads = reader.numbers(op, "reads", place, number)
        writes = reader.numbers(op, "writes", place, number)
        pairs: list[tuple[int, int]] = []
        for where, pair in reader.items(op, "may_inplace", f"{place}.", optional=True):
            if not isinstance(pair, list) or len(pair) != 2:
                reader.wrong(f"{where} is no pair of a read and a write")
            read, write = (reader.known(one, where, number) for one in pair)
            if read not in reads or write not in writes:
                reader.wrong(f"{where} is no pair of a read and a write of the op")
            pairs.append((read, write))
        for where, triple in reader.items(op, "may_part", f"{place}.", optional=True):
            if not isinstance(triple, list) or len(triple) != 3:
                reader.wrong(f"{where} is no triple of a read, a write and an offset")
            read, write = (reader.known(one, where, number) for one in triple[:2])
            if read not in reads or write not in writes:
                reader.wrong(f"{where} does not begin with a read and a write of the op")
            offset = reader.bytes(triple[2], f"{where}[2]")
            if offset + sizes[read] > sizes[write]:
                reader.wrong(f"{where}: the read does not lie inside the write there")
            parts.append(Subbuffer(read, write, offset))
        ops.append(ScheduledOp(reads, writes, tuple(pairs)))
    inputs = reader.numbers(top, "inputs", "", number)
    kept = reader.numbers(top, "outputs", "", number)
    given = reader.numbers(top, "naive_order", "", op_number) if "naive_order" in top else None
    graph = Graph(tuple(sizes), frozenset(kept), frozenset(inputs), tuple(ops))
    return Source(graph, tuple(number), tuple(op_number), given, tuple(parts))


class _PlanReader:
    """Takes a JSON value apart; what is wrong is said with its path in the object, JSON having no lines any more."""

    def __init__(self, path: str) -> None:
        self.path = path

    def wrong(self, message: str) -> NoReturn:
        _wrong(message, self.path)

    def object(self, value: Any, place: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.wrong(f"{place} is no object")
        return value

    def items(self, owner: Mapping[str, Any], key: str, prefix: str = "", optional: bool = False) -> Iterable[Any]:
        """(place, item) of the list `key`."""
        value = owner.get(key, [] if optional else None)
        if not isinstance(value, list):
            self.wrong(f"{prefix}{key} is no list")
        return [(f"{prefix}{key}[{n}]", item) for n, item in enumerate(value)]

    def name(self, value: Any, place: str) -> str:
        if not isinstance(value, str):
            self.wrong(f"{place} is no string")
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            self.wrong(f"{place} has half a character")
        return value

    def new(self, numbers: dict[str, int], name: str, place: str) -> None:
        if name in numbers:
            self.wrong(f"{place} {name!r} is there twice")
        numbers[name] = len(numbers)

    def bytes(self, value: Any, place: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_NUMBER:
            self.wrong(f"{place} is no number of bytes")
        return value

    def known(self, value: Any, place: str, numbers: Mapping[str, int]) -> int:
        if not isinstance(value, str) or value not in numbers:
            self.wrong(f"{place} names {value!r}, which there is not")
        return numbers[value]

    def numbers(self, owner: Mapping[str, Any], key: str, place: str, known: Mapping[str, int]) -> tuple[int, ...]:
        prefix = f"{place}." if place else ""
        found = [self.known(value, where, known) for where, value in self.items(owner, key, prefix, optional=True)]
        return tuple(found)
