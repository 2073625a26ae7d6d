"""The pool of memory that is no longer live: Paddle's nonlive variable memory sharing (its memory transpiler).

Ops are walked in order. A result takes memory from the pool, first fit, oldest first; a variable that no later op needs
joins it. A variable that took over another's memory joins again when it dies itself.

The document's pseudo-code fills the pool before it serves, and so gives a result the memory of an operand which the
same op still reads. Here the order is the other way round; `fill_first` is the literal one, to study it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import count
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)
K = TypeVar("K", bound=Hashable)
Step = tuple[Iterable[V], Iterable[V]]
"""One op: the variables to serve, and those that are live before it and not after it, in the order of operands."""


class Pool(Generic[V, K]):
    """Variables whose memory is free, by kind (element type and shape, say), so that serving asks once a kind.

    Args:
        kind: what decides whether memory fits.
        fits: whether a variable of the first kind may take the memory of one of the second.
    """

    def __init__(self, kind: Callable[[V], K], fits: Callable[[K, K], bool]) -> None:
        self.kind, self.fits = kind, fits
        self.age = count()
        self.free: dict[K, dict[V, int]] = {}

    def fill(self, variables: Iterable[V]) -> None:
        """These are free from now on, in this order."""
        for variable in variables:
            self.free.setdefault(self.kind(variable), {})[variable] = next(self.age)

    def serve(self, taker: V) -> V | None:
        """Takes the memory that fits `taker` and has been free longest; None where there is none."""
        kind = self.kind(taker)
        fitting = [held for other, held in self.free.items() if held and self.fits(kind, other)]
        oldest = min(fitting, key=lambda held: next(iter(held.values())), default=None)
        if oldest is None:
            return None
        donor = next(iter(oldest))
        del oldest[donor]
        return donor


def share(steps: Iterable[Step[V]], pool: Pool[V, K], fill_first: bool = False) -> dict[V, V]:
    """The donor of each variable that takes over memory.

    Args:
        steps: the ops of one block, in order, without those that own a block: their results take no memory, and
            what dies at them does not join.
        pool: empty; holds what is free at the end.
        fill_first: the order of the document, which is unsound.
    """
    donors: dict[V, V] = {}
    for makes, frees in steps:
        pool.fill(frees if fill_first else ())
        served = {taker: pool.serve(taker) for taker in makes}
        donors |= {taker: donor for taker, donor in served.items() if donor is not None}
        pool.fill(() if fill_first else frees)
    return donors
