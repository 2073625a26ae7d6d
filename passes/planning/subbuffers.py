"""Offsets for buffers of which some may lie in others, at given offsets: `planner.plan` with permissions.

A buffer that lies in another one shares the other one's bytes. The other one is live, as a whole, for as long as
anything lies in it. The caller guarantees that the two may share bytes while both are live.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import islice
from typing import NamedTuple

from lastuse.passes.planning.planner import (
    Buffer,
    LiveRange,
    Plan,
    Proof,
    Span,
    TimeLimit,
    buffer_of,
    lower_bound,
    plan,
    union,
)

MOST = 2_000
"""Choices that are looked at at most; of more, all permissions that go together, and one after the other."""


class Subbuffer(NamedTuple):
    """The buffer `part` may lie in the buffer `whole`, `offset` bytes from its start."""

    part: int
    whole: int
    offset: int


Choice = tuple[Subbuffer, ...]
"""What lies in what, each buffer in one other at most."""


class SubbufferPlan(NamedTuple):
    """Which buffers lie in which, and the plan of all: offsets, and a bound and a proof for all choices."""

    parts: Choice
    plan: Plan


def plan_subbuffers(
    buffers: Sequence[Buffer], permitted: Sequence[Subbuffer], algorithm: str = "best", *, seconds: float = 0.0
) -> SubbufferPlan:
    """
    Offsets for `buffers`, each of its own or in one that it is permitted in; two that lie in one and are live at one
    time share no byte there.

    Args:
        buffers, algorithm: as of `plan`.
        permitted: parts inside of their wholes; no buffer may lie in itself, through others or not.
        seconds: for all choices together; 0 is no limit.

    Raises:
        Error: as `plan`.
    """
    limit = TimeLimit(seconds)
    usable = [p for p in dict.fromkeys(permitted) if buffers[p.part].fixed is None]
    choices = all_choices(usable, lambda c: are_apart(buffers, c), MOST, lambda: limit.is_over(1 / 4))
    is_whole = choices is not None
    # An alignment may come right with a later permission: only whole choices are asked for it.
    choices = [c for c in choices or _few(buffers, usable, limit) if _is_aligned(buffers, c)]
    # A search to the end takes all the time it gets: each choice has a quick look before one of them has that.
    looks = ("best", algorithm) if algorithm == "exact" and usable else (algorithm,)
    best: SubbufferPlan | None = None
    movable = {p.part for p in usable}
    least = lower_bound([b for n, b in enumerate(buffers) if n not in movable])
    bounds = [0] * len(choices)
    for look in looks:
        for n, choice in enumerate(choices):
            if best is not None and (best.plan.peak <= least or limit.is_over()):
                break
            merged = _merged(buffers, choice)
            bounds[n] = max(bounds[n], lower_bound(merged))
            if best is None or bounds[n] < best.plan.peak:
                result = plan(merged, look, seconds=limit.left)
                bounds[n] = max(bounds[n], result.bound)
                if best is None or result.peak < best.plan.peak:
                    best = SubbufferPlan(choice, result._replace(offsets=_offsets(result.offsets, choice)))
    assert best is not None, "the empty choice is always feasible"
    bound = min(best.plan.peak, max(least, min(bounds)) if is_whole else least)
    proof = proof_of(best.plan.peak, bound, least) if usable else best.plan.proof
    return best._replace(plan=best.plan._replace(bound=bound, proof=proof, seconds=limit.spent))


def proof_of(peak: int, bound: int, least: int) -> Proof:
    """What proves the smallest peak of all choices; `least` is a bound without looking at them."""
    return Proof.NONE if bound < peak else Proof.REACHED if least == peak else Proof.EXHAUSTED


def all_choices(
    permitted: Sequence[Subbuffer],
    is_feasible: Callable[[Choice], bool],
    most: int,
    is_over: Callable[[], bool] = lambda: False,
) -> list[Choice] | None:
    """All feasible choices, the empty one first; None if they are more than `most`, or the time is over first.

    `is_feasible` holds of no choice that contains one it does not hold of.
    """
    options: dict[int, list[Choice]] = {}
    for permission in permitted:
        options.setdefault(permission.part, [()]).append((permission,))
    choices: list[Choice] = [()]
    for alternatives in options.values():
        longer: list[Choice] = []
        for choice in choices:
            if is_over():
                return None
            longer += [(*choice, *one) for one in alternatives if not one or is_feasible((*choice, *one))]
        if len(longer) > most:
            return None
        choices = longer
    return choices


def _few(buffers: Sequence[Buffer], usable: Sequence[Subbuffer], limit: TimeLimit) -> list[Choice]:
    """The empty choice; all permissions that go together, the first first; and each of them alone, up to a limit."""
    together: Choice = ()
    waiting: list[Sequence[Subbuffer]] = [list({p.part: p for p in reversed(usable)}.values())[::-1]]
    while waiting and not limit.is_over(1 / 2):
        some = waiting.pop()
        more = (*together, *some)
        if _is_aligned(buffers, more) and are_apart(buffers, more):
            together = more
        elif len(some) > 1:  # most often only few of many do not go together: halves are asked before each alone
            waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
    return [(), together, *((p,) for p in usable[:MOST])]


def _height(buffer: Buffer) -> int:
    return max(piece.size for piece in buffer.live_ranges)


def _is_aligned(buffers: Sequence[Buffer], choice: Choice) -> bool:
    """Each part is at a multiple of its alignment, where the outermost of its wholes is at one too, or is fixed."""
    offsets = _offsets([buffer.fixed or 0 for buffer in buffers], choice)
    return all(offsets[part] % buffers[part].alignment == 0 for part, _, _ in choice)


def are_apart(buffers: Sequence[Buffer], choice: Choice) -> bool:
    """No two parts share bytes of one whole while both are live; nor where a whole is itself a part."""
    if len(choice) < 2:
        return True
    lives = _lives(buffers, choice)
    beside: dict[int, list[Subbuffer]] = {}
    for permission in sorted((p for p in choice if _height(buffers[p.part])), key=lambda p: p.offset):
        beside.setdefault(permission.whole, []).append(permission)
    for parts in beside.values():
        for n, a in enumerate(parts):
            end = a.offset + _height(buffers[a.part])
            for b in islice(parts, n + 1, None):
                if b.offset >= end:
                    break
                if any(max(x[0], y[0]) < min(x[1], y[1]) for x in lives[a.part] for y in lives[b.part]):
                    return False
    return True


def _lives(buffers: Sequence[Buffer], choice: Choice) -> Mapping[int, list[Span]]:
    """When each part and each whole is live, with all that lies in it, and in that."""
    touched = dict.fromkeys(n for permission in choice for n in permission[:2])
    lives = {n: [(p.lower, p.upper) for p in buffers[n].live_ranges if p.lower < p.upper] for n in touched}
    for part, whole, _ in _outwards(choice):
        lives[whole] = union([*lives[whole], *lives[part]])
    return lives


def _outwards(choice: Choice) -> Choice:
    """Each permission before that of the whole it leads into."""
    of = {p.part: p for p in choice}
    inwards = TopologicalSorter({p.part: (p.whole,) for p in choice}).static_order()
    return tuple(of[n] for n in reversed([*inwards]) if n in of)


def _merged(buffers: Sequence[Buffer], choice: Choice) -> list[Buffer]:
    """The buffers in which parts have no bytes, and wholes are live for as long as what lies in them."""
    lives = _lives(buffers, choice)
    merged = list(buffers)
    alignments = [b.alignment for b in buffers]
    for part, whole, _ in _outwards(choice):
        alignments[whole] = math.lcm(alignments[whole], alignments[part])
        spans = union(lives[whole]) or [(0, 0)]  # a whole that is never live has no time
        pieces = [LiveRange(*span, _height(buffers[whole])) for span in spans]
        merged[whole] = buffer_of(pieces, alignments[whole], buffers[whole].fixed)
    for permission in choice:
        merged[permission.part] = Buffer(0, 0, -1)
    return merged


def _offsets(offsets: Sequence[int], choice: Choice) -> tuple[int, ...]:
    result = list(offsets)
    for part, whole, offset in reversed(_outwards(choice)):
        result[part] = result[whole] + offset
    return tuple(result)
