"""The files of `plan-tool`: buffers as CSV, graphs as JSON. What is wrong with them is said with line and column."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.passes.planning.graph import Graph, ScheduledOp
from lastuse.passes.planning.planner import Buffer
from lastuse.passes.planning.subbuffers import Subbuffer
from lastuse.tools.streams import read_bytes

MAX_BYTES = 256 << 20
"""Larger files are refused before they are read."""
MAX_NUMBER = 1 << 60
REQUIRED = ("id", "lower", "upper", "size")
ANSWERS = ("offset", "lies_in")
"""Columns of the output; what a file has in them is no question."""


def read(path: str) -> str:
    """The text of a file in UTF-8, `<stdin>` for standard input. Raises LastuseError."""
    data = read_bytes(path, MAX_BYTES + 1)
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
    rows: Sequence[_Row]
    names: tuple[str, ...]
    buffers: Sequence[Buffer]
    parts: tuple[Subbuffer, ...] | None = None

    def with_offsets(self, offsets: Sequence[int], parts: Sequence[Subbuffer] = ()) -> str:
        """
        The file again, with a column `offset` at its end (or in place of one that was there).

        Args:
            parts: what lies in what: the column `lies_in`, of tables that say what may.
        """
        answers = ANSWERS if self.parts is not None else ANSWERS[:1]
        kept = [name for name in self.header if name not in answers]
        wholes = {p.part: self.names[p.whole] for p in parts}
        lines: list[list[object]] = [[*kept, *answers]]
        for number, (row, offset) in enumerate(zip(self.rows, offsets, strict=True)):
            own = (offset, wholes.get(number, ""))[: len(answers)]
            lines.append([*(row.cells[name] for name in kept), *own])
        return csv_text(lines)


def csv_text(lines: Iterable[Iterable[object]]) -> str:
    """Lines of cells as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def table_of(text: str, path: str) -> Table:
    """
    The buffers of a CSV with the columns `id,lower,upper,size`; if wanted `alignment`, and `inside` with `at`.

    Raises:
        LastuseError: it is none; the message has the line and the column of the cell.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: dict[str, _Row] = {}
    buffers: list[Buffer] = []
    try:
        header = tuple(cell.strip() for cell in next(reader, []))
        if len(set(header)) != len(header):
            _wrong("a column stands twice", path, 1)
        missing = [name for name in REQUIRED if name not in header]
        if missing:
            _wrong(f"no column {', '.join(missing)}; a header like {','.join(REQUIRED)} is needed", path, 1)
        for cells in filter(None, reader):
            if len(cells) != len(header):
                _wrong(f"{len(cells)} cells, where the header has {len(header)}", path, reader.line_num)
            row = _Row(dict(zip(header, cells, strict=True)), path, reader.line_num)
            name = row.text("id")
            if name in rows:
                row.wrong("id", f"id {name!r} stands in line {rows[name].line} too")
            rows[name] = row
            lower, upper, size = (row.number(column) for column in ("lower", "upper", "size"))
            alignment = row.number("alignment", 1) if "alignment" in header else 1
            if upper < lower:
                row.wrong("upper", f"upper {upper} is below lower {lower}")
            buffers.append(Buffer(size, lower, upper - 1, alignment))
    except csv.Error as error:
        _wrong(f"is no CSV: {error}", path, max(1, reader.line_num))
    parts = _parts(rows, buffers) if "inside" in header else None
    return Table(header, list(rows.values()), tuple(rows), buffers, parts)


def _parts(rows: Mapping[str, _Row], buffers: Sequence[Buffer]) -> tuple[Subbuffer, ...]:
    """What the columns `inside` and `at` permit."""
    names = list(rows)
    number = {name: n for n, name in enumerate(names)}
    of: dict[int, Subbuffer] = {}
    for part, row in enumerate(rows.values()):
        whole = row.text("inside")
        offset = row.number("at") if row.text("at") else 0
        if not whole:
            if offset:
                row.wrong("at", f"at {offset}, where inside names no buffer")
            continue
        if whole not in number:
            row.wrong("inside", f"inside names {whole!r}, which there is not")
        size, room = buffers[part].size, buffers[number[whole]].size
        if offset + size > room:
            row.wrong("at" if offset else "inside", f"{size} bytes at {offset} of {whole!r}, which has {room}")
        of[part] = Subbuffer(part, number[whole], offset)
    clear: set[int] = set()
    for part in of:
        path: set[int] = set()
        while part in of and part not in clear:
            if part in path:
                rows[names[part]].wrong("inside", f"{names[part]!r} would lie inside itself")
            path.add(part)
            part = of[part].whole
        clear |= path
    return tuple(of.values())


class _Row(NamedTuple):
    """The cells of one line, by column."""

    cells: Mapping[str, str]
    path: str
    line: int

    def wrong(self, column: str, message: str) -> NoReturn:
        before = list(self.cells.values())[: list(self.cells).index(column)]
        quoted = any(set(cell) & set(',"\r\n') for cell in before)
        _wrong(message, self.path, self.line, 1 if quoted else 1 + sum(len(cell) + 1 for cell in before))

    def text(self, column: str) -> str:
        """Without the space around it; empty where there is no such column."""
        return self.cells.get(column, "").strip()

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


@dataclass(frozen=True)
class Source:
    """A graph as the planner takes it, the names of its buffers and ops, the order it gives, if it gives one, and which
    buffers may lie in which."""

    graph: Graph
    buffers: tuple[str, ...]
    ops: tuple[str, ...]
    order: tuple[int, ...] | None
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
        top = _Json(json.loads(text), "", path)
    except json.JSONDecodeError as error:
        _wrong(f"is no JSON: {error.msg}", path, error.lineno, error.colno)
    except ValueError:
        _wrong("has a number of thousands of digits", path)
    except RecursionError:
        _wrong("is nested too deeply", path)
    number: dict[str, int] = {}
    sizes: list[int] = []
    for buffer in top.member("buffers").items():
        buffer.member("id").define(number)
        sizes.append(buffer.member("bytes").bytes())
    ops: list[ScheduledOp] = []
    op_number: dict[str, int] = {}
    parts: list[Subbuffer] = []
    for item in top.member("ops").items():
        item.member("id").define(op_number)
        op = ScheduledOp(item.numbers("reads", number), item.numbers("writes", number))
        pairs: list[tuple[int, int]] = []
        for pair in item.member("may_inplace", []).items():
            form = "is no pair of a read and a write"
            pairs.append(pair.read_and_write(op, number, 2, form, f"{form} of the op"))
        for triple in item.member("may_part", []).items():
            form, misfit = (
                "is no triple of a read, a write and an offset",
                "does not begin with a read and a write of the op",
            )
            read, write = triple.read_and_write(op, number, 3, form, misfit)
            offset = triple.items()[2].bytes()
            if offset + sizes[read] > sizes[write]:
                _wrong(f"{triple.place}: the read does not lie inside the write there", path)
            parts.append(Subbuffer(read, write, offset))
        ops.append(op._replace(may_inplace=tuple(pairs)))
    inputs, outputs = (frozenset(top.numbers(key, number)) for key in ("inputs", "outputs"))
    order = top.numbers("naive_order", op_number) if "naive_order" in top.value else None
    return Source(
        Graph(tuple(sizes), outputs, inputs, tuple(ops)), tuple(number), tuple(op_number), order, tuple(parts)
    )


class _Json(NamedTuple):
    """A JSON value and its path in the object, which says what is wrong, JSON having no lines any more."""

    value: Any
    place: str
    path: str

    def wrong(self, message: str) -> NoReturn:
        _wrong(f"{self.place or 'the graph'} {message}", self.path)

    def member(self, key: str, default: Any = None) -> _Json:
        if not isinstance(self.value, dict):
            self.wrong("is no object")
        return _Json(self.value.get(key, default), f"{self.place}.{key}" if self.place else key, self.path)

    def items(self) -> list[_Json]:
        if not isinstance(self.value, list):
            self.wrong("is no list")
        return [_Json(item, f"{self.place}[{n}]", self.path) for n, item in enumerate(self.value)]

    def define(self, numbers: dict[str, int]) -> None:
        """Gives a name the next number."""
        if not isinstance(self.value, str):
            self.wrong("is no string")
        if any("\ud800" <= letter <= "\udfff" for letter in self.value):
            self.wrong("has half a character")
        if self.value in numbers:
            self.wrong(f"{self.value!r} is there twice")
        numbers[self.value] = len(numbers)

    def bytes(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not 0 <= self.value <= MAX_NUMBER:
            self.wrong("is no number of bytes")
        return self.value

    def known(self, numbers: Mapping[str, int]) -> int:
        if not isinstance(self.value, str) or self.value not in numbers:
            self.wrong(f"names {self.value!r}, which there is not")
        return numbers[self.value]

    def numbers(self, key: str, known: Mapping[str, int]) -> tuple[int, ...]:
        """The numbers of the names in the list `key`."""
        return tuple(item.known(known) for item in self.member(key, []).items())

    def read_and_write(
        self, op: ScheduledOp, numbers: Mapping[str, int], length: int, form: str, misfit: str
    ) -> tuple[int, int]:
        """What a list of so many items begins with: something that `op` reads, and something that it writes."""
        if not isinstance(self.value, list) or len(self.value) != length:
            self.wrong(form)
        read, write = (self._replace(value=name).known(numbers) for name in self.value[:2])
        if read not in op.reads or write not in op.writes:
            self.wrong(misfit)
        return read, write
