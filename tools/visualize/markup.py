"""Text of XML and of axes: elements, attributes, numbers, words for bytes, scales."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

BAD = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, and control characters."""
UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def clean(text: str) -> str:
    """`text` without characters that no XML may have."""
    return BAD.sub("\N{REPLACEMENT CHARACTER}", text)


def tag(name: str, *children: str, **attributes: str | float | None) -> str:
    """An element. Children are markup, attributes are escaped: `class_` is class, `stroke_width` stroke-width."""
    head = name + "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(clean(value)) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def path(class_: str, d: str) -> str:
    """A path of lines."""
    return tag("path", class_=class_, d=d)


def words(text: str) -> str:
    """Text as markup."""
    return escape(clean(text), quote=False)


def number(value: float) -> str:
    """At most two digits behind the point."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def in_bytes(count: int) -> str:
    """`4,177,920 bytes (3.98 MiB)`."""
    exact = f"{count:,} byte{'' if count == 1 else 's'}"
    return exact if count < 1024 else f"{exact} ({rounded_bytes(count)})"


def rounded_bytes(count: float, digits: int = 3) -> str:
    """`3.98 MiB`."""
    power = 0
    while abs(count) >= 1024 and power < len(UNITS) - 1:
        count, power = count / 1024, power + 1
    return f"{count:.{digits}g} {UNITS[power]}" if count < 1000 else f"{count:.0f} {UNITS[power]}"


def byte_ticks(top: int, count: int) -> list[int]:
    """About `count` round numbers of bytes, powers of two apart, from 0 to `top`."""
    step = 1
    while top // step > count:
        step *= 2
    return list(range(0, top + 1, step))


def column_ticks(count: int, limit: int) -> list[int]:
    """At most `limit` of the numbers below `count`: 1, 2 or 5 times a power of ten apart."""
    step, turn = 1, 0
    while count > step * limit:
        step, turn = step * (5 if turn % 3 == 1 else 2) // (2 if turn % 3 == 1 else 1), turn + 1
    return list(range(0, count, step))


def width_of(text: str, size: float) -> float:
    """About how wide a text of that size in px is: letters of Chinese are twice as wide as others."""
    return size * sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.6 for c in text)


def join_parts(parts: Iterable[str], separator: str = "\n") -> str:
    """The parts that are not empty, a line each, or with another separator between them."""
    return separator.join(part for part in parts if part)


def shortened(text: str, most: int) -> str:
    """At most so many characters of a text."""
    return text if len(text) <= most else text[: most - 1] + "…"
