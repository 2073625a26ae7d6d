"""Sizes to learn from in place of sizes that a template does not cover, so that those to come are covered too.

A template covers what lies between sizes that were compiled. Of sizes at random each new largest or smallest one is
outside, and so are remainders that none of the first few had. To compile other sizes instead takes as long: these are
taken twice as large, or half as small, with the remainders that most numbers lack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Sizes = Mapping[str, int]

TIMES = 2
"""How many times as large or small as what is known the sizes on both sides are."""
STEPS = 8
"""Sizes that follow each other, of which one is taken: what is made of them has other remainders."""
LEAST = 2
"""The smallest size that is taken: a size of 1 makes other programs."""


def probes(known: Sequence[Sizes], wanted: Sizes) -> Iterator[Sizes]:
    """Sizes which may cover `wanted`, if they are known as well: larger than all, smaller than all, and between these.

    Those on the side on which a size of `wanted` is outside come alone. Only sizes that differ among all of these are
    changed."""
    columns = {name: [sizes[name] for sizes in (*known, wanted)] for name in wanted}
    lows, highs = ({name: end(column[:-1]) for name, column in columns.items()} for end in (min, max))
    varying = [name for name, column in columns.items() if len(set(column)) > 1]
    above = any(wanted[name] > highs[name] for name in varying)
    below = any(wanted[name] < lows[name] for name in varying)
    seen = [dict(sizes) for sizes in (*known, wanted)]
    for made in _made(wanted, varying, lows, highs, above=above, below=below):
        if made not in seen:
            seen.append(made)
            yield made


def _made(
    wanted: Sizes, varying: Sequence[str], lows: Sizes, highs: Sizes, *, above: bool, below: bool
) -> Iterator[dict[str, int]]:
    numbers = {name: number for number, name in enumerate(varying)}
    if above or not below:
        most = {name: max(highs[name], wanted[name]) for name in varying}
        for step in range(STEPS):
            yield {**wanted, **{name: TIMES * most[name] + step + n for name, n in numbers.items()}}
    if below or not above:
        least = {name: min(lows[name], wanted[name]) for name in varying}
        for step in range(STEPS):
            ends = {name: min(least[name], max(LEAST, least[name] // TIMES + step + n)) for name, n in numbers.items()}
            yield {**wanted, **ends}
    if not above and not below:
        for step in range(1, STEPS + 1):
            ways = {name: lows[name] + (highs[name] - lows[name]) * step // (STEPS + 1) for name in varying}
            yield {**wanted, **ways}
