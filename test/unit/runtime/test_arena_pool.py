"""Arenas that programs share: as large as the largest of them needs, one for each run at a time."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field

import numpy as np

import lastuse
from lastuse.runtime.arena_pool import ArenaPool

CHAIN = """
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %a = "dnn.relu"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %c = "dnn.add"(%a, %b) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %c : tensor<?x8xf32>
}
"""


@dataclass(eq=False)
class User:
    arena_bytes: int
    forgotten: list[int] = field(default_factory=list[int])

    def forget_arena(self, arena: np.ndarray) -> None:
        self.forgotten.append(arena.nbytes)


def pool_of(*users: User) -> ArenaPool:
    pool = ArenaPool(lambda nbytes: np.zeros(nbytes, np.uint8))
    for user in users:
        pool.add(user)
    return pool


def test_arena_is_as_large_as_the_largest_needs_and_taken_again() -> None:
    users = User(64), User(256), User(128)
    pool = pool_of(*users)
    first, second = pool.take(), pool.take()
    assert first is not second and first.nbytes == second.nbytes == 256
    pool.give(first)
    assert pool.take() is first


def test_arenas_grow_and_all_users_forget_the_small_ones() -> None:
    small, large = User(64), User(256)
    pool = pool_of(small)
    free, taken = pool.take(), pool.take()
    pool.give(free)
    pool.add(large)
    assert small.forgotten == large.forgotten == [64]
    pool.give(taken)
    assert small.forgotten == [64, 64] and pool.take().nbytes == 256


def test_arenas_shrink_when_the_large_user_is_gone() -> None:
    small, large = User(64), User(256)
    pool = pool_of(small, large)
    pool.give(pool.take())
    del large
    gc.collect()
    others = User(100), User(128)
    pool.add(others[0])
    assert pool.take().nbytes == 100 and small.forgotten == [256]
    pool.add(others[1])
    assert pool.take().nbytes == 128


def test_runs_of_all_sizes_are_right_in_arenas_that_grow() -> None:
    program = lastuse.compile(CHAIN.encode(), threads=1, poison=True)
    rng = np.random.default_rng(0)
    for rows in (4, 64, 8, 300, 64, 4, 300, 1):
        x = rng.standard_normal((rows, 8)).astype(np.float32)
        a = np.maximum(x, 0)
        e = np.exp(a - a.max(0))
        assert np.allclose(program(x), a + e / e.sum(0), rtol=1e-5, atol=1e-6)


def test_sizes_run_in_one_arena() -> None:
    program = lastuse.compile(CHAIN.encode(), threads=1)
    addresses = set[int]()
    for rows in (300, 4, 64):
        program(np.ones((rows, 8), np.float32))
        (context,) = program.latest.runner._in_pool.values()  # pyright: ignore[reportPrivateUsage]
        addresses.add(context.arena_address)
    assert len(addresses) == 1
