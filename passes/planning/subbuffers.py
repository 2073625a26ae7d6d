"""Offsets for buffers of which some may lie in others, at given places: `planner.plan` with permissions.

What lies in another buffer shares its bytes. That other one is taken as long as anything lies in it, as a whole; how
its own life and theirs go together is the affair of who permits it. At offset 0 it is "may start where that one does".
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import NamedTuple

from lastuse.passes.planning.planner import Buffer, Error, Piece, Plan, Proof, Span, lower_bound, plan, union
from lastuse.passes.planning.subbuffers_in_order import Subbuffer

MOST = 2_000
"""Choices that are looked at at most; of more, all permissions that go together, and one after the other."""


class Inside(NamedTuple):
    """Which buffers lie in which, and the plan of all: offsets, and a bound and a proof for all choices."""

    parts: tuple[Subbuffer, ...]
    plan: Plan


def plan_inside(
    buffers: Sequence[Buffer],
    permitted: Sequence[Subbuffer],
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
    deadline = started + seconds if seconds else math.inf
    _check(buffers, permitted)
    buffers = [b._replace(alignment=math.lcm(b.alignment, alignment)) for b in buffers]
    usable = [p for p in dict.fromkeys(permitted) if buffers[p.part].fixed is None]
    choices = _choices(buffers, usable, started + (seconds / 4 or math.inf))
    is_whole = choices is not None
    choices = _few(buffers, usable, started + (seconds / 2 or math.inf)) if choices is None else choices
    # A search to the end takes all the time it gets: each choice has a quick look before one of them has that.
    looks = ("best", algorithm) if algorithm == "exact" and usable else (algorithm,)
    best: Inside | None = None
    movable = {p.part for p in usable}
    least = lower_bound([b for n, b in enumerate(buffers) if n not in movable])
    bounds = [0] * len(choices)
    for look in looks:
        for n, choice in enumerate(choices):
            if best is not None and (best.plan.peak <= least or time.perf_counter() >= deadline):
                break
            merged = _merged(buffers, choice)
            bounds[n] = max(bounds[n], lower_bound(merged))
            if best is not None and bounds[n] >= best.plan.peak:
                continue
            # What is left can be nothing, which would be no limit.
            left = max(1e-3, deadline - time.perf_counter()) if seconds else 0.0
            found = plan(merged, look, seconds=left, nodes=nodes)
            bounds[n] = max(bounds[n], found.bound)
            if best is None or found.peak < best.plan.peak:
                best = Inside(choice, found._replace(offsets=_offsets(found.offsets, choice)))
    if best is None:
        raise AssertionError("to put nothing into anything is a choice too")
    bound = min(best.plan.peak, max(least, min(bounds)) if is_whole else least)
    proof = best.plan.proof
    if usable:
        proof = Proof.NONE if bound < best.plan.peak else Proof.REACHED if least == bound else Proof.EXHAUSTED
    return best._replace(plan=best.plan._replace(bound=bound, proof=proof, seconds=time.perf_counter() - started))


def _check(buffers: Sequence[Buffer], permitted: Sequence[Subbuffer]) -> None:
    wholes: dict[int, set[int]] = {}
    for part, whole, offset in permitted:
        if not (0 <= part < len(buffers) and 0 <= whole < len(buffers)):
            raise Error(f"there is no buffer {part if not 0 <= part < len(buffers) else whole}")
        if offset < 0 or offset + _height(buffers[part]) > _height(buffers[whole]):
            raise Error(f"buffer {part} does not lie inside buffer {whole} at {offset}")
        wholes.setdefault(part, set()).add(whole)
    try:
        TopologicalSorter(wholes).prepare()
    except CycleError as error:
        raise Error(f"buffer {error.args[1][0]} may lie in itself") from None


def _height(buffer: Buffer) -> int:
    return max(piece.size for piece in buffer.pieces)


def _is_aligned(buffers: Sequence[Buffer], choice: Sequence[Subbuffer]) -> bool:
    """Each part is at a multiple of its alignment, where the outermost of its wholes is at one too, or is fixed."""
    at: dict[int, int] = {}
    for part, whole, offset in reversed(_outwards(choice)):
        at[part] = at.get(whole, buffers[whole].fixed or 0) + offset
    return all(place % buffers[part].alignment == 0 for part, place in at.items())


def _choices(
    buffers: Sequence[Buffer], usable: Sequence[Subbuffer], deadline: float
) -> list[tuple[Subbuffer, ...]] | None:
    """All choices, that of nothing first; None if there are too many, or no time to find them."""
    options: dict[int, list[tuple[Subbuffer, ...]]] = {}
    for permission in usable:
        options.setdefault(permission.part, [()]).append((permission,))
    # One buffer after the other: what meets stays so, whatever else is chosen. An alignment may come right later.
    found: list[tuple[Subbuffer, ...]] = [()]
    for each in options.values():
        more: list[tuple[Subbuffer, ...]] = []
        for choice in found:
            if time.perf_counter() >= deadline:
                return None
            more += [(*choice, *one) for one in each if not one or _is_apart(buffers, (*choice, *one))]
        if len(more) > MOST:
            return None
        found = more
    return [choice for choice in found if _is_aligned(buffers, choice)]


def _few(buffers: Sequence[Buffer], usable: Sequence[Subbuffer], deadline: float) -> list[tuple[Subbuffer, ...]]:
    """Nothing; all permissions that go together, the first first; and each of them alone, up to the limit."""
    together: tuple[Subbuffer, ...] = ()
    firsts = list({p.part: p for p in reversed(usable)}.values())[::-1]
    waiting: list[Sequence[Subbuffer]] = [firsts]
    while waiting and time.perf_counter() < deadline:
        some = waiting.pop()
        more = (*together, *some)
        if _is_aligned(buffers, more) and _is_apart(buffers, more):
            together = more
        elif len(some) > 1:  # most often only few of many do not go together: halves are asked before each alone
            waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
    return [(), together, *((p,) for p in usable[:MOST] if _is_aligned(buffers, (p,)))]


def _is_apart(buffers: Sequence[Buffer], choice: Sequence[Subbuffer]) -> bool:
    """Nothing lies on top of anything else in one whole at one time; nor where a whole is itself a part."""
    if len(choice) < 2:
        return True
    lives = _lives(buffers, choice)
    beside: dict[int, list[Subbuffer]] = {}
    for permission in choice:
        beside.setdefault(permission.whole, []).append(permission)
    for each in beside.values():
        each = sorted((p for p in each if _height(buffers[p.part])), key=lambda p: p.offset)
        for n, a in enumerate(each):
            end = a.offset + _height(buffers[a.part])
            for b in islice(each, n + 1, None):
                if b.offset >= end:
                    break
                if any(max(x[0], y[0]) < min(x[1], y[1]) for x in lives[a.part] for y in lives[b.part]):
                    return False
    return True


def _lives(buffers: Sequence[Buffer], choice: Sequence[Subbuffer]) -> Mapping[int, list[Span]]:
    """When each part and each whole is in use, with all that lies in it, and in that."""
    touched = dict.fromkeys(n for permission in choice for n in permission[:2])
    lives = {n: [(p.lower, p.upper) for p in buffers[n].pieces if p.lower < p.upper] for n in touched}
    for part, whole, _ in _outwards(choice):
        lives[whole] = union([*lives[whole], *lives[part]])
    return lives


def _outwards(choice: Sequence[Subbuffer]) -> list[Subbuffer]:
    """Each permission before that of the whole it leads into."""
    of = {p.part: p for p in choice}
    inwards = TopologicalSorter({p.part: (p.whole,) for p in choice}).static_order()
    return [of[n] for n in reversed([*inwards]) if n in of]


def _merged(buffers: Sequence[Buffer], choice: Sequence[Subbuffer]) -> list[Buffer]:
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
            spans = union(lives[n]) or [(0, 0)]  # a whole that is never in use has no time
            first, *others = [Piece(lower, upper, size) for lower, upper in spans]
            found.append(Buffer(size, first.lower, first.upper - 1, alignments[n], buffer.fixed, tuple(others)))
        else:
            found.append(buffer)
    return found


def _offsets(offsets: Sequence[int], choice: Sequence[Subbuffer]) -> tuple[int, ...]:
    found = list(offsets)
    for part, whole, offset in reversed(_outwards(choice)):
        found[part] = found[whole] + offset
    return tuple(found)
