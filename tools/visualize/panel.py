"""One memory map as a panel of an SVG: axes, boxes, lines for arena and bound, the peak; labels where they fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nlargest

from lastuse.tools.visualize.markup import (
    byte_ticks,
    column_ticks,
    in_bytes,
    join_parts,
    number,
    path,
    rounded_bytes,
    shortened,
    tag,
    width_of,
    words,
)
from lastuse.tools.visualize.memory import Box, BoxSpan, Column, MemoryMap, Value

LEFT, RIGHT = 84.0, 20.0
HEAD = 66.0
"""Room above the plot: title, figures, the name of the peak."""
LETTER = 10.0
"""Size of labels in px."""
NAMED_COLUMN = 13.0
"""The narrowest column, in px, that has its op's name beneath it."""
LONGEST_NAME = 16
BAND = 13.0
WIDE = 12.0
"""Marks that are nearer to each other, in px, are thin, and have no dot."""
CURVE = 3.0
"""The curve of bytes in use has one step for as many px at least: the highest in them."""
TINY = 3.0
"""A box with a side below this, in px, has no border."""
MAX_BOXES = 8000
"""Most boxes that are drawn in one picture; of more, the largest."""
MAX_COLUMNS = 400
"""Of more steps no single one answers the pointer."""
MAX_LINES = 24
TINTS = 3
ARENA, BOUND = "arena, all that is allocated", "lower bound: no plan of these buffers needs less"
"""What the pointer is told of the lines."""
Place = tuple[float, float, float, float]
"""x, y, width and height, in px."""


@dataclass(frozen=True)
class Panel:
    """
    A map, and where its plot stands.

    Attributes:
        width, height: of the plot alone, in px.
        most: boxes that are drawn; of more, the largest.
    """

    map: MemoryMap
    width: float
    height: float
    most: int = MAX_BOXES

    @property
    def top(self) -> int:
        """Bytes at the upper edge."""
        return max(self.map.arena, self.map.bound, 1)

    @property
    def columns(self) -> int:
        return max(len(self.map.steps), 1)

    @property
    def has_names(self) -> bool:
        return self.width / self.columns >= NAMED_COLUMN

    @property
    def foot(self) -> float:
        """Room below the plot: names of ops, bands of regions, the name of the axis."""
        longest = max(map(len, self.names()), default=0) if self.has_names else 0
        return 14 + (longest * LETTER * 0.46 + 4 if longest else 8) + self.depth * BAND + 16

    def names(self) -> list[str]:
        """What stands below the steps, if there is room."""
        return [shortened(step.name if self.map.named else step.tick, LONGEST_NAME) for step in self.map.steps]

    @property
    def depth(self) -> int:
        return max((band.depth + 1 for band in self.map.bands), default=0)

    @property
    def total(self) -> float:
        """Height of all of it."""
        return HEAD + self.height + self.foot

    def x(self, column: float) -> float:
        return column * self.width / self.columns

    def y(self, nbytes: float) -> float:
        return self.height - nbytes * self.height / self.top

    def drawn(self) -> list[Box]:
        """The boxes of the picture, in order: all, or the largest."""
        largest = nlargest(
            self.most, enumerate(self.map.boxes), key=lambda item: item[1].size * (item[1].last - item[1].first + 1)
        )
        return [box for _, box in sorted(largest, key=lambda item: item[0])]

    def render(self, at: float) -> str:
        """The panel as a group, its upper edge at `at`."""
        plot = tag(
            "svg",
            tag("rect", class_="bg", width=self.width, height=self.height),
            tag("g", *self._behind(), *self._boxes(), *self._lines(), class_="z"),
            tag("g", *self._labels(), class_="l"),
            class_="plot",
            y=HEAD,
            width=self.width,
            height=self.height,
        )
        parts = (*self._title(), *self._bytes_axis(), plot, *self._notes(), *self._time_axis())
        return "\n" + tag("g", *parts, class_="panel", transform=f"translate({number(LEFT)} {number(at)})")

    # Around the plot

    def _title(self) -> Iterator[str]:
        map_ = self.map
        yield _text(map_.title + ("" if map_.planned else ", not planned: a place for each storage"), 0, 17, "h")
        reached = ", reached" if map_.bound == map_.arena else ""
        if map_.planned and map_.bound and not reached:
            reached = f", the arena is {map_.arena / map_.bound:.2f} of it"
        figures = (
            f"arena {in_bytes(map_.arena)}",
            f"lower bound {rounded_bytes(map_.bound)}{reached}",
            "" if map_.naive is None else f"naive {rounded_bytes(map_.naive)}",
            f"{len(map_.boxes):,} {'box' if len(map_.boxes) == 1 else 'boxes'}",
            f"the largest {self.most:,} are drawn" if len(map_.boxes) > self.most else "",
        )
        yield _text(join_parts(figures, " · "), 0, 34, "s")

    def _ticks(self) -> list[int]:
        return byte_ticks(self.top, max(2, int(self.height / 44)))

    def _bytes_axis(self) -> Iterator[str]:
        marks = [_text(rounded_bytes(tick, 4), -8, HEAD + self.y(tick) + 3.5, "e") for tick in self._ticks()]
        yield tag("g", *marks, class_="yl")
        yield _text("address, bytes", -LEFT + 14, HEAD + self.height / 2, "m", turn=-90)

    def _time_axis(self) -> Iterator[str]:
        top = HEAD + self.height
        if self.has_names:
            marks = [
                _text(name, self.x(n + 0.5) + 3, top + 11, "e p" if n == self.map.peak else "e", turn=-45)
                for n, name in enumerate(self.names())
            ]
        else:
            ticks = column_ticks(self.columns, int(self.width / 60))
            marks = [_text(self.map.steps[n].tick, self.x(n + 0.5), top + 13, "m") for n in ticks]
        yield tag("g", *marks, class_="xl")
        bands: list[str] = []
        for band in self.map.bands:
            x, wide = self.x(band.first), self.x(band.last + 1) - self.x(band.first)
            if wide < 1:
                continue
            y = top + self.foot - 16 - (self.depth - band.depth) * BAND
            label = [_text(band.label, x + 4, y + 9.5, "a")] if width_of(band.label, LETTER) + 8 <= wide else []
            shape = _rect("d", (x, y, wide, BAND - 2), rx=2)
            bands.append(tag("g", tag("title", words(band.label)), shape, *label))
        yield tag("g", *bands, class_="bands")
        yield _text(f"{self.map.time}: {len(self.map.steps):,}", self.width, top + self.foot - 4, "e axis")

    def _notes(self) -> Iterator[str]:
        """Where the peak is; above the plot, so that it covers nothing."""
        peak = self.map.peak
        if peak is None:
            yield _text("no memory is needed in the arena", self.width / 2, HEAD + self.height / 2, "m")
            return
        x = self.x(peak + 0.5)
        side = "a" if x < self.width / 3 else "e" if x > self.width * 2 / 3 else "m"
        live = rounded_bytes(self.map.live[peak])
        yield _text(f"▾ peak at {self.map.steps[peak].name}: {live} in use", x, HEAD - 8, f"{side} p")

    # Inside the plot

    def _behind(self) -> Iterator[str]:
        for tick in self._ticks():
            yield path("g", f"M0 {number(self.y(tick))}H{number(self.width)}")
        for n, step in self._single_steps():
            use = f"{in_bytes(self.map.live[n])} in use"
            said = join_parts((f"{n}: {step.name}", step.detail, step.line, use, *step.copies))
            yield self._column("c", n, tag("title", words(said)))
        if self.map.peak is not None:
            yield tag("rect", class_="peak", x=self.x(self.map.peak), width=max(self.x(1), 1), height=self.height)

    def _boxes(self) -> Iterator[str]:
        yield '<g class="boxes">'
        for n, box in enumerate(self.drawn()):
            _, _, wide, high = self._place(box.first, box.last, box.offset, box.end)
            tiny = min(wide, high) < TINY
            parts = [tag("title", words(describe(box))), self._shape(box), *(() if tiny else self._inside(box))]
            kind = "run" if box.is_run else box.kind.value
            yield "\n" + tag("g", *parts, class_=f"b {kind} n{n % TINTS}{' t' if tiny else ''}")
        yield "</g>"
        yield from (self._column("copy", n) for n, step in self._single_steps() if step.copies)

    def _single_steps(self) -> Iterable[tuple[int, Column]]:
        """The steps with their numbers; none where there are too many to show a single one."""
        return enumerate(self.map.steps if len(self.map.steps) <= MAX_COLUMNS else ())

    def _column(self, class_: str, step: int, *children: str) -> str:
        """A step over the whole height of the plot."""
        return tag("rect", *children, class_=class_, x=self.x(step), width=self.x(1), height=self.height)

    def _place(self, first: int, last: int, begin: int, end: int) -> Place:
        """x, y, width and height; nothing is thinner than half a px."""
        x, y = self.x(first), self.y(end)
        return x, y, max(self.x(last + 1) - x, 0.5), max(self.y(begin) - y, 0.5)

    def _shape(self, box: Box) -> str:
        """A rectangle, or the outline of several, one beside the other."""
        places = [self._place(*piece) for piece in _merged(box)]
        if len(places) == 1:
            return _rect("r", places[0])
        drawn = [f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in places]
        return path("r", "".join(drawn))

    def _inside(self, box: Box) -> Iterator[str]:
        """A mark at each op that writes over what is there; an outline of each value that is a part of the box."""
        before: dict[tuple[int, int], float] = {}
        for value in box.values:
            span = value.begin, value.end
            x, y, wide, high = place = self._place(value.first, value.last, *span)
            if span != (box.offset, box.end) and min(wide, high) >= TINY:
                yield _rect("o", place)
            apart = x - before.get(span, -WIDE)
            if value.over and apart >= TINY:
                before[span] = x
                clear = min(apart, wide) >= WIDE
                yield path("k" if clear else "k f", f"M{number(x)} {number(y)}v{number(high)}")
                if clear and high >= WIDE / 2:
                    yield path("q", f"M{number(x)} {number(y + high / 2)}h0")

    def _lines(self) -> Iterator[str]:
        if self.map.peak is None:
            return
        steps, before = [f"M0 {number(self.y(0))}"], 0
        every = max(1, round(CURVE / self.x(1)))
        for n in range(0, len(self.map.live), every):
            live = max(self.map.live[n : n + every])
            if live != before:
                steps.append(f"H{number(self.x(n))}V{number(self.y(live))}")
            before = live
        yield "\n" + self._column("top", self.map.peak)
        yield path("live", "".join([*steps, f"H{number(self.width)}"]))
        for kind, at, text in (("arena", self.map.arena, ARENA), ("bound", self.map.bound, BOUND)):
            title = tag("title", f"{text}: {in_bytes(at)}")
            yield tag("path", title, class_=kind, d=f"M0 {number(self.y(at))}H{number(self.width)}")

    def _labels(self) -> Iterator[str]:
        for value, until in (item for box in self.drawn() for item in labelled(box)):
            x, y, wide, high = self._place(value.first, until, value.begin, value.end)
            middle, centre, size = x + wide / 2, y + high / 2, rounded_bytes(value.nbytes)
            long = width_of(value.name, LETTER) + 6
            if long <= wide and high >= LETTER + 2:
                two = high >= 2 * LETTER + 8 and width_of(size, LETTER) + 6 <= wide
                yield _text(value.name, middle, centre + (-2 if two else 3.5), "m")
                if two:
                    yield _text(size, middle, centre + LETTER, "m w")
            elif long <= high and wide >= LETTER + 2:
                yield _text(value.name, middle + 3.5, centre, "m", turn=-90)


def labelled(box: Box) -> Iterator[tuple[Value, int]]:
    """Values that may have a label, and the last step that is theirs alone: views are where their operand is."""
    named = [v for v in box.values if v.over or not v.how or v.how.startswith("part")] or list(box.values[:1])
    for n, value in enumerate(named):
        after = (named[m] for m in range(n + 1, len(named)))
        later = (v.first - 1 for v in after if v.begin < value.end and value.begin < v.end)
        until = min(next(later, value.last), value.last)
        if until >= value.first:
            yield value, until


def describe(box: Box) -> str:
    """What the pointer is told."""
    at = f"{in_bytes(box.size)} at {box.offset:,}"
    steps = f"steps {box.first} to {box.last}" if box.last > box.first else f"step {box.first}"
    first = box.values[0]
    if len(box.values) == 1:
        return join_parts((f"{first.name}  {first.op}".rstrip(), at, steps, first.how, first.line))
    said = [f"{len(box.values)} values, {at}", steps]
    for value in box.values[:MAX_LINES]:
        parts = (value.name, value.op, value.how, f"from step {value.first}", f"{value.nbytes:,} bytes", value.line)
        said.append(join_parts(parts, "  "))
    if len(box.values) > MAX_LINES:
        said.append(f"and {len(box.values) - MAX_LINES:,} more")
    return join_parts(said)


def _merged(box: Box) -> list[BoxSpan]:
    """The pieces of a box; those of one size, one after the other, are one."""
    merged = [box.pieces[0]]
    for piece in box.pieces[1:]:
        before = merged[-1]
        if before.last + 1 == piece.first and before[2:] == piece[2:]:
            merged[-1] = before._replace(last=piece.last)
        else:
            merged.append(piece)
    return merged


def _rect(class_: str, place: Place, **attributes: float) -> str:
    x, y, wide, high = place
    return tag("rect", class_=class_, x=x, y=y, width=wide, height=high, **attributes)


def _text(text: str, x: float, y: float, class_: str, turn: int = 0) -> str:
    """Text at a point, turned around it by so many degrees."""
    transform = f"rotate({turn} {number(x)} {number(y)})" if turn else None
    return tag("text", words(text), class_=class_, x=x, y=y, transform=transform)
