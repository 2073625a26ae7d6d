"""`lastuse.testing.check_contract` accepts a kernel that keeps its contract and rejects one that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contract_ops import PairOp, pair
from xdsl.dialects.builtin import DYNAMIC_INDEX

from lastuse import Contract, Contribution, InPlace, LastuseError, View, register_contract
from lastuse.dialect.storage.layout import Strided, sliced
from lastuse.testing import check_contract, random_operands

Arrays = list[np.ndarray[Any, Any]]


pytestmark = pytest.mark.usefixtures("registered_contracts")


def contracted(contract: Contract, x: list[int], y: list[int], z: list[int]) -> PairOp:
    register_contract(PairOp, contract)
    return pair(x, y, z)


def add(operands: Arrays, results: Arrays) -> None:
    np.add(operands[0], operands[1], out=results[0])


def clear_first(operands: Arrays, results: Arrays) -> None:
    results[0][...] = 0
    results[0][...] += operands[0]
    results[0][...] += operands[1]


def second_late(operands: Arrays, results: Arrays) -> None:
    results[0][...] = operands[0] * 2
    results[0][...] += operands[1]


def half(operands: Arrays, results: Arrays) -> None:
    results[0][:2] = operands[0][:2]


def spoils(operands: Arrays, results: Arrays) -> None:
    add(operands, results)
    operands[1][0] = 7


def take_first_half(operands: Arrays, results: Arrays) -> None:
    results[0][...] = operands[0][: results[0].shape[0]]


def join(operands: Arrays, results: Arrays) -> None:
    np.concatenate(operands, out=results[0])


def backwards(operands: Arrays, results: Arrays) -> None:
    results[0][...] = operands[0][::-1]


OVER = Contract(over=(InPlace(0, 0),))
BOTH = Contract(over=(InPlace(0, 0, True), InPlace(0, 1, True)), strided=True)
VIEW = Contract(views=(View(0, 0, sliced(0, 0, 2, 1)),), metadata_only=frozenset({1}))
JOIN = Contract(contributions=(Contribution(0, sliced(0, 0, 4, 1)), Contribution(1, sliced(0, 4, 4, 1))))
GOOD: list[tuple[Contract, tuple[list[int], list[int], list[int]], Callable[..., None]]] = [
    (Contract(), ([4], [4], [4]), clear_first),
    (OVER, ([4], [4], [4]), add),
    (BOTH, ([4], [4], [4]), add),
    (OVER, ([4], [4], [4]), second_late),
    (OVER, ([1], [4], [4]), add),
    (VIEW, ([4], [4], [2]), take_first_half),
    (JOIN, ([4], [4], [8]), join),
    (Contract(scratch=16), ([4], [4], [4]), lambda o, r, s: (s.fill(1), add(o, r))[1]),
    (OVER, ([0], [0], [0]), add),
]
BROKEN: list[tuple[Contract, tuple[list[int], list[int], list[int]], Callable[..., None], str]] = [
    (OVER, ([4], [4], [4]), clear_first, "with result 0 over operand 0, result 0 has other bits"),
    (Contract(over=(InPlace(0, 1),)), ([4], [4], [4]), second_late, "with result 0 over operand 1"),
    (Contract(over=(InPlace(0, 0, True),)), ([4], [4], [4]), second_late, "over operand 0, which is 2 operands"),
    (Contract(), ([4], [4], [4]), half, "a byte is not written"),
    (Contract(), ([4], [4], [4]), spoils, "operand 1 was written"),
    (Contract(metadata_only=frozenset({1})), ([4], [4], [4]), add, "other bytes in operand 1, which is metadata_only"),
    (VIEW, ([4], [4], [2]), lambda o, r: r[0].__setitem__(..., o[0][2:]), "has other bits than the kernel"),
    (Contract(views=(View(0, 0, sliced(0, 0, 4, 1), whole=True),)), ([4], [4], [4]), backwards, "other bits"),
    (JOIN, ([4], [4], [8]), lambda o, r: join(o[::-1], r), "make up another result than the kernel"),
    (Contract(contributions=JOIN.contributions[:1]), ([4], [4], [8]), join, "comes from no operand"),
    (
        Contract(contributions=(Contribution(0, sliced(0, 0, 4, 1)), Contribution(1, sliced(0, 2, 4, 1)))),
        ([4], [4], [6]),
        lambda o, r: r[0].__setitem__(..., 0),
        "comes from two operands",
    ),
    (Contract(scratch=16), ([4], [4], [4]), add, "the kernel takes none"),
    (Contract(scratch=16), ([4], [4], [4]), lambda o, r, s: (s.base.fill(1), add(o, r))[1], "behind its scratch"),
    (Contract(foreign=True, engines=frozenset()), ([4], [4], [4]), add, "has no contract"),
]


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_kernel_that_keeps_its_contract_passes(number: int) -> None:
    contract, shapes, kernel = GOOD[number]
    check_contract(contracted(contract, *shapes), kernel)


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_kernel_that_breaks_its_contract_fails(number: int) -> None:
    contract, shapes, kernel, message = BROKEN[number]
    with pytest.raises(AssertionError) as error:
        check_contract(contracted(contract, *shapes), kernel)
    assert str(error.value).startswith("registered.pair: ") and message in str(error.value)


def test_dense_only_kernel_fails_where_the_contract_says_strided() -> None:
    def dense_only(operands: Arrays, results: Arrays) -> None:
        whole = np.lib.stride_tricks.as_strided(results[0], strides=(4,))
        whole[...] = operands[0] + operands[1]

    check_contract(contracted(Contract(), [4], [4], [4]), dense_only)
    with pytest.raises(AssertionError, match="at strides"):
        check_contract(contracted(Contract(strided=True), [4], [4], [4]), dense_only)


def test_given_operands_are_not_changed() -> None:
    op = contracted(OVER, [3], [3], [3])
    operands = [np.array([np.nan, -0.0, np.inf], np.float32), np.array([1, -0.0, -np.inf], np.float32)]
    before = [a.copy() for a in operands]
    check_contract(op, add, operands)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(operands, before, strict=True))
    assert [a.shape for a in random_operands(op)] == [(3,), (3,)]
    assert random_operands(op, 1)[0].tobytes() != random_operands(op, 2)[0].tobytes()


def test_unknown_sizes_are_an_error() -> None:
    with pytest.raises(LastuseError, match="a tensor of known sizes is needed"):
        check_contract(contracted(OVER, [DYNAMIC_INDEX], [4], [4]), add)


def test_view_with_negative_strides_passes() -> None:
    view = View(0, 0, lambda m: Strided(m.offset + 3 * m.strides[0], (4,), (-m.strides[0],), 4))
    check_contract(contracted(Contract(views=(view,), metadata_only=frozenset({1})), [4], [4], [4]), backwards)


def test_kernel_may_return_either_of_two_nans() -> None:
    """In place over its second operand this kernel exchanges its operands; other numbers must not differ."""
    op = contracted(Contract((InPlace(0, 0), InPlace(0, 1, by_swapping=True))), [2, 3], [2, 3], [2, 3])
    a, b = (np.full((2, 3), bits, np.uint32).view(np.float32) for bits in (0x7FC00001, 0xFFC00002))
    a[0], b[0] = 1.5, -0.5

    def exchanged(operands: Arrays, results: Arrays) -> None:
        first, second = operands[::-1] if np.shares_memory(results[0], operands[1]) else operands
        results[0][...] = np.where(np.isnan(first), first, np.where(np.isnan(second), second, first + second))

    check_contract(op, exchanged, [a, b])

    def other_number(operands: Arrays, results: Arrays) -> None:
        late = np.shares_memory(results[0], operands[1])
        exchanged(operands, results)
        results[0][0] += late

    with pytest.raises(AssertionError, match="has other bits"):
        check_contract(op, other_number, [a, b])
