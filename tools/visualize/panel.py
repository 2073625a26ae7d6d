"""One memory map as a panel of an SVG: axes, boxes, lines for arena and bound, the peak; labels where they fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lastuse.tools.visualize.markup import (
    byte_ticks,
    column_ticks,
    in_bytes,
    lines,
    number,
    path,
    rounded,
    tag,
    width_of,
    words,
)
from lastuse.tools.visualize.memory import Box, BoxSpan, MemoryMap, Value

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
        given = (step.name if self.map.named else step.tick for step in self.map.steps)
        return [name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…" for name in given]

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
        boxes = list(self.map.boxes)
        if len(boxes) > self.most:
            largest = sorted(range(len(boxes)), key=lambda n: -boxes[n].size * (boxes[n].last - boxes[n].first + 1))
            boxes = [boxes[n] for n in sorted(largest[: self.most])]
        return boxes

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
        found = self.map
        named = found.title + ("" if found.planned else ", not planned: a place for each storage")
        yield _text(named, 0, 17, "h")
        reached = ", reached" if found.bound == found.arena else ""
        if found.planned and found.bound and not reached:
            reached = f", the arena is {found.arena / found.bound:.2f} of it"
        figures = [
            f"arena {in_bytes(found.arena)}",
            f"lower bound {rounded(found.bound)}{reached}",
            "" if found.naive is None else f"naive {rounded(found.naive)}",
            f"{len(found.boxes):,} {'box' if len(found.boxes) == 1 else 'boxes'}",
            f"the largest {self.most:,} are drawn" if len(found.boxes) > self.most else "",
        ]
        yield _text(" · ".join(f for f in figures if f), 0, 34, "s")

    def _bytes_axis(self) -> Iterator[str]:
        ticks = byte_ticks(self.top, max(2, int(self.height / 44)))
        marks = [_text(rounded(tick, 4), -8, HEAD + self.y(tick) + 3.5, "e") for tick in ticks]
        yield tag("g", *marks, class_="yl")
        middle = HEAD + self.height / 2
        yield _text("address, bytes", -LEFT + 14, middle, "m", f"rotate(-90 {number(-LEFT + 14)} {number(middle)})")

    def _time_axis(self) -> Iterator[str]:
        base, marks = HEAD + self.height + 13, list[str]()
        if self.has_names:
            for n, name in enumerate(self.names()):
                x = self.x(n + 0.5) + 3
                peak = "e p" if n == self.map.peak else "e"
                marks.append(_text(name, x, base - 2, peak, f"rotate(-45 {number(x)} {number(base - 2)})"))
        else:
            wanted = int(self.width / 60)
            marks += [
                _text(self.map.steps[n].tick, self.x(n + 0.5), base, "m") for n in column_ticks(self.columns, wanted)
            ]
        yield tag("g", *marks, class_="xl")
        below = HEAD + self.height + self.foot - 16 - self.depth * BAND
        bands: list[str] = []
        for band in self.map.bands:
            x, wide = self.x(band.first), self.x(band.last + 1) - self.x(band.first)
            if wide < 1:
                continue
            y = below + band.depth * BAND
            label = [_text(band.label, x + 4, y + 9.5, "a")] if width_of(band.label, LETTER) + 8 <= wide else []
            shape = tag("rect", class_="d", x=x, y=y, width=wide, height=BAND - 2, rx=2)
            bands.append(tag("g", tag("title", words(band.label)), shape, *label))
        yield tag("g", *bands, class_="bands")
        told = f"{self.map.time}: {len(self.map.steps):,}"
        yield _text(told, self.width, HEAD + self.height + self.foot - 4, "e axis")

    def _notes(self) -> Iterator[str]:
        """Where the peak is; above the plot, so that it covers nothing."""
        found = self.map
        if found.peak is None:
            yield _text("no memory is needed in the arena", self.width / 2, HEAD + self.height / 2, "m")
            return
        step, live = found.steps[found.peak], found.live[found.peak]
        x = self.x(found.peak + 0.5)
        side = "a" if x < self.width / 3 else "e" if x > self.width * 2 / 3 else "m"
        yield _text(f"▾ peak at {step.name}: {rounded(live)} in use", x, HEAD - 8, f"{side} p")

    # Inside the plot

    def _behind(self) -> Iterator[str]:
        for tick in byte_ticks(self.top, max(2, int(self.height / 44))):
            yield path("g", f"M0 {number(self.y(tick))}H{number(self.width)}")
        found = self.map
        if len(found.steps) <= MAX_COLUMNS:
            for n, step in enumerate(found.steps):
                use = f"{in_bytes(found.live[n])} in use"
                said = lines((f"{n}: {step.name}", step.detail, step.line, use, *step.copies))
                title = tag("title", words(said))
                yield tag("rect", title, class_="c", x=self.x(n), width=self.x(1), height=self.height)
        if found.peak is not None:
            yield tag("rect", class_="peak", x=self.x(found.peak), width=max(self.x(1), 1), height=self.height)

    def _boxes(self) -> Iterator[str]:
        yield '<g class="boxes">'
        for n, box in enumerate(self.drawn()):
            _, _, wide, high = self._place(box.first, box.last, box.offset, box.end)
            parts = [tag("title", words(describe(box))), self._shape(box)]
            if wide >= TINY and high >= TINY:
                parts += self._inside(box)
            kind = "run" if box.is_run else box.kind.value
            tiny = "" if wide >= TINY and high >= TINY else " t"
            yield "\n" + tag("g", *parts, class_=f"b {kind} n{n % TINTS}{tiny}")
        yield "</g>"
        for n, step in enumerate(self.map.steps if len(self.map.steps) <= MAX_COLUMNS else ()):
            if step.copies:
                yield tag("rect", class_="copy", x=self.x(n), width=self.x(1), height=self.height)

    def _place(self, first: int, last: int, begin: int, end: int) -> tuple[float, float, float, float]:
        """x, y, width and height; nothing is thinner than half a px."""
        x, y = self.x(first), self.y(end)
        return x, y, max(self.x(last + 1) - x, 0.5), max(self.y(begin) - y, 0.5)

    def _shape(self, box: Box) -> str:
        """A rectangle, or the outline of several, one beside the other."""
        places = [self._place(*piece) for piece in _joined(box)]
        if len(places) == 1:
            x, y, wide, high = places[0]
            return tag("rect", class_="r", x=x, y=y, width=wide, height=high)
        drawn = [f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in places]
        return path("r", "".join(drawn))

    def _inside(self, box: Box) -> Iterator[str]:
        """A mark at each op that writes over what is there; an outline of each value that is a part of the box."""
        before: dict[tuple[int, int], float] = {}
        for value in box.values:
            x, y, wide, high = self._place(value.first, value.last, value.begin, value.end)
            if (value.begin, value.end) != (box.offset, box.end) and min(wide, high) >= TINY:
                yield tag("rect", class_="o", x=x, y=y, width=wide, height=high)
            apart = x - before.get((value.begin, value.end), -WIDE)
            if value.over and apart >= TINY:
                before[value.begin, value.end] = x
                clear = min(apart, wide) >= WIDE
                yield path("k" if clear else "k f", f"M{number(x)} {number(y)}v{number(high)}")
                if clear and high >= WIDE / 2:
                    yield path("q", f"M{number(x)} {number(y + high / 2)}h0")

    def _lines(self) -> Iterator[str]:
        found = self.map
        if found.peak is None:
            return
        steps, before = [f"M0 {number(self.y(0))}"], 0
        every = max(1, round(CURVE / self.x(1)))
        for n in range(0, len(found.live), every):
            live = max(found.live[n : n + every])
            if live != before:
                steps.append(f"H{number(self.x(n))}V{number(self.y(live))}")
            before = live
        yield "\n" + tag("rect", class_="top", x=self.x(found.peak), width=self.x(1), height=self.height)
        yield path("live", "".join([*steps, f"H{number(self.width)}"]))
        for at, kind in ((found.arena, "arena"), (found.bound, "bound")):
            title = tag("title", f"{WORDS[kind]}: {in_bytes(at)}")
            yield tag("path", title, class_=kind, d=f"M0 {number(self.y(at))}H{number(self.width)}")

    def _labels(self) -> Iterator[str]:
        for box in self.drawn():
            for value, until in labelled(box):
                x, y, wide, high = self._place(value.first, until, value.begin, value.end)
                long = width_of(value.name, LETTER) + 6
                if long <= wide and high >= LETTER + 2:
                    two = high >= 2 * LETTER + 8 and width_of(rounded(value.nbytes), LETTER) + 6 <= wide
                    yield _text(value.name, x + wide / 2, y + high / 2 + (-2 if two else 3.5), "m")
                    if two:
                        yield _text(rounded(value.nbytes), x + wide / 2, y + high / 2 + LETTER, "m w")
                elif long <= high and wide >= LETTER + 2:
                    at = x + wide / 2 + 3.5, y + high / 2
                    yield _text(value.name, *at, "m", f"rotate(-90 {number(at[0])} {number(at[1])})")


WORDS = {"arena": "arena, all that is allocated", "bound": "lower bound: no plan of these buffers needs less"}


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
        return lines((f"{first.name}  {first.op}".rstrip(), at, steps, first.how, first.line))
    said = [f"{len(box.values)} values, {at}", steps]
    for value in box.values[:MAX_LINES]:
        parts = (value.name, value.op, value.how, f"from step {value.first}", f"{value.nbytes:,} bytes", value.line)
        said.append("  ".join(part for part in parts if part))
    if len(box.values) > MAX_LINES:
        said.append(f"and {len(box.values) - MAX_LINES:,} more")
    return lines(said)


def _joined(box: Box) -> list[BoxSpan]:
    """The pieces of a box; those of one size, one after the other, are one."""
    joined = [box.pieces[0]]
    for piece in box.pieces[1:]:
        before = joined[-1]
        if before.last + 1 == piece.first and before[2:] == piece[2:]:
            joined[-1] = before._replace(last=piece.last)
        else:
            joined.append(piece)
    return joined


def _text(text: str, x: float, y: float, class_: str, transform: str | None = None) -> str:
    return tag("text", words(text), class_=class_, x=x, y=y, transform=transform)
