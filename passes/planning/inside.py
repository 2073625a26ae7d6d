"""Offsets for buffers of which some may lie in others, at given places: `planner.plan` with permissions.

What lies in another buffer shares its bytes. That other one is taken as long as anything lies in it, as a whole; how
its own life and theirs go together is the affair of who permits it. At offset 0 it is "may start where that one does".
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import NamedTuple

from .parts import Part
from .planner import Buffer, Error, Piece, Plan, Proof, lower_bound, plan
from .spans import Span, joined

MOST = 2_000
"""Choices that are looked at at most; of more, one permission after the other."""


class Inside(NamedTuple):
    """Which buffers lie in which, and the plan of all: offsets, and a bound and a proof for all choices."""

    parts: tuple[Part, ...]
    plan: Plan


def plan_inside(
    buffers: Sequence[Buffer],
    permitted: Sequence[Part],
    algorithm: str = "best",
    *,
    alignment: int = 1,
    seconds: float = 0.0,
    nodes: int = 0,
) -> Inside:
    """
    Places for `buffers`, each of its own or in one that it is permitted in; two that lie in one and are in use at one
    time share no byte there.

    The options are those of `plan`, for each choice; `seconds` for all together.

    Raises:
        Error: as `plan`; a part does not lie inside its whole; or buffers may lie in each other in a circle.
    """
    started = time.perf_counter()
    _check(buffers, permitted)
    buffers = [b._replace(alignment=math.lcm(b.alignment, alignment)) for b in buffers]
    usable = [p for p in dict.fromkeys(permitted) if buffers[p.part].fixed is None]
    choices = list(islice(_choices(buffers, usable), MOST + 1))
    is_whole = len(choices) <= MOST
    best = Inside((), plan(buffers, algorithm, seconds=seconds, nodes=nodes))
    bounds = [best.plan.bound]
    for choice in choices if is_whole else _few(buffers, usable):
        left = seconds - (time.perf_counter() - started)
        if seconds and left <= 0:
            is_whole = False
            break
        merged = _merged(buffers, choice)
        if lower_bound(merged) >= best.plan.peak:
            bounds.append(best.plan.peak)
            continue
        found = plan(merged, algorithm, seconds=max(0.0, left) if seconds else 0.0, nodes=nodes)
        bounds.append(found.bound)
        if found.peak < best.plan.peak:
            best = Inside(choice, found._replace(offsets=_offsets(found.offsets, choice)))
    whole = {p.part for p in usable}
    least = lower_bound([b for n, b in enumerate(buffers) if n not in whole])
    bound = min(best.plan.peak, max(least, min(bounds)) if is_whole else least)
    proof = best.plan.proof
    if usable:
        proof = Proof.NONE if bound < best.plan.peak else Proof.REACHED if least == bound else Proof.EXHAUSTED
    return best._replace(plan=best.plan._replace(bound=bound, proof=proof, seconds=time.perf_counter() - started))


def _check(buffers: Sequence[Buffer], permitted: Sequence[Part]) -> None:
    wholes: dict[int, set[int]] = {}
    for part, whole, offset in permitted:
        if not (0 <= part < len(buffers) and 0 <= whole < len(buffers)):
            raise Error(f"there is no buffer {part if not 0 <= part < len(buffers) else whole}")
        if offset < 0 or offset + _height(buffers[part]) > _height(buffers[whole]):
            raise Error(f"buffer {part} does not lie inside buffer {whole} at {offset}")
        wholes.setdefault(part, set()).add(whole)
    for part in wholes:
        waiting, met = [part], set[int]()
        while waiting:
            for whole in wholes.get(waiting.pop(), ()):
                if whole == part:
                    raise Error(f"buffer {part} may lie in itself")
                if whole not in met:
                    met.add(whole)
                    waiting.append(whole)


def _height(buffer: Buffer) -> int:
    return max(piece.size for piece in buffer.pieces)


def _is_aligned(buffers: Sequence[Buffer], choice: Sequence[Part]) -> bool:
    """Each part is at a multiple of its alignment, where the outermost of its wholes is at one too, or is fixed."""
    of = {p.part: p for p in choice}
    for part in of:
        at, whole = 0, part
        while whole in of:
            at, whole = at + of[whole].offset, of[whole].whole
        if (at + (buffers[whole].fixed or 0)) % buffers[part].alignment:
            return False
    return True


def _choices(buffers: Sequence[Buffer], usable: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """All choices that put anything into anything."""
    options: dict[int, list[Part | None]] = {}
    for permission in usable:
        options.setdefault(permission.part, [None]).append(permission)
    for picked in product(*options.values()):
        choice = tuple(p for p in picked if p is not None)
        if choice and _is_aligned(buffers, choice) and _is_apart(buffers, choice):
            yield choice


def _few(buffers: Sequence[Buffer], usable: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """All permissions that go together, the first first; and each of them alone."""
    together: tuple[Part, ...] = ()
    for permission in usable:
        more = (*together, permission)
        is_first = all(p.part != permission.part for p in together)
        if is_first and _is_aligned(buffers, more) and _is_apart(buffers, more):
            together = more
    yield together
    yield from ((p,) for p in islice(usable, MOST) if _is_aligned(buffers, (p,)))


def _is_apart(buffers: Sequence[Buffer], choice: Sequence[Part]) -> bool:
    """Nothing lies on top of anything else in one whole at one time; nor where a whole is itself a part."""
    of = {p.part: p for p in choice}
    lives = _lives(buffers, choice)
    for a, b in combinations(of, 2):
        if of[a].whole != of[b].whole:
            continue
        low, high = max(of[a].offset, of[b].offset), min(p.offset + _height(buffers[p.part]) for p in (of[a], of[b]))
        if low < high and any(max(x[0], y[0]) < min(x[1], y[1]) for x in lives[a] for y in lives[b]):
            return False
    return True


def _lives(buffers: Sequence[Buffer], choice: Sequence[Part]) -> Mapping[int, list[Span]]:
    """When each buffer is in use, with all that lies in it, and in that."""
    lives = {n: [(p.lower, p.upper) for p in b.pieces if p.lower < p.upper] for n, b in enumerate(buffers)}
    for part, whole, _ in _outwards(choice):
        lives[whole] = lives[whole] + lives[part]
    return lives


def _outwards(choice: Sequence[Part]) -> list[Part]:
    """Each permission before that of the whole it leads into."""
    of = {p.part: p for p in choice}

    def depth(permission: Part | None) -> int:
        return 0 if permission is None else 1 + depth(of.get(permission.whole))

    return sorted(choice, key=depth, reverse=True)


def _merged(buffers: Sequence[Buffer], choice: Sequence[Part]) -> list[Buffer]:
    """The buffers in which those that lie in others have no life of their own, and these others all of theirs."""
    lives = _lives(buffers, choice)
    found: list[Buffer] = []
    inside = {p.part for p in choice}
    wholes = {p.whole for p in choice}
    alignments = [b.alignment for b in buffers]
    for part, whole, _ in _outwards(choice):
        alignments[whole] = math.lcm(alignments[whole], alignments[part])
    for n, buffer in enumerate(buffers):
        if n in inside:
            found.append(Buffer(0, 0, -1))
        elif n in wholes:
            size = _height(buffer)
            spans = joined(lives[n]) or [(0, 0)]  # a whole that is never in use has no time
            first, *others = [Piece(lower, upper, size) for lower, upper in spans]
            found.append(Buffer(size, first.lower, first.upper - 1, alignments[n], buffer.fixed, tuple(others)))
        else:
            found.append(buffer)
    return found


def _offsets(offsets: Sequence[int], choice: Sequence[Part]) -> tuple[int, ...]:
    found = list(offsets)
    for part, whole, offset in reversed(_outwards(choice)):
        found[part] = found[whole] + offset
    return tuple(found)
