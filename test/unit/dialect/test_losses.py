"""Losses and dropout: what their formulas do not say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pytest
from op_cases import build

from lastuse.dialect.dnn.dropout import philox
from lastuse.dialect.dnn.gathers import IndicesError


@pytest.mark.parametrize("op", ["softmax_cross_entropy", "nll"])
@pytest.mark.parametrize("label", [-1, 3])
def test_a_label_that_is_no_class_is_an_error(op: str, label: int) -> None:
    x, labels = np.zeros((2, 3), np.float32), np.array([0, label])
    with pytest.raises(IndicesError, match=f"index {label} is outside the axis of size 3"):
        build(f"{op}(2x3xf32, 2xi64) -> f32").reference(x, labels)
    with pytest.raises(IndicesError, match=f"index {label} is outside the axis of size 3"):
        build(f"{op}_grad(2x3xf32, 2xi64, f32) -> 2x3xf32").reference(x, labels, np.array(1, np.float32))


@pytest.mark.parametrize("op", ["softmax_cross_entropy", "nll"])
def test_rows_that_do_not_count_may_have_any_label(op: str) -> None:
    x = np.array([[1, 2, 4], [3, -1, 0]], np.float32)
    attributes = "{ignore_index = -100 : i64}"
    (loss,) = build(f"{op}(2x3xf32, 2xi64) {attributes} -> f32").reference(x, np.array([-100, 1]))
    (alone,) = build(f"{op}(1x3xf32, 1xi64) -> f32").reference(x[1:], np.array([1]))
    assert loss == alone
    (dx,) = build(f"{op}_grad(2x3xf32, 2xi64, f32) {attributes} -> 2x3xf32").reference(
        x, np.array([-100, 1]), np.array(2, np.float32)
    )
    assert not dx[0].any()
    assert dx[1].any()
    (none,) = build(f"{op}(2x3xf32, 2xi64) {attributes} -> f32").reference(x, np.array([-100, -100]))
    assert np.isnan(none)


def test_cross_entropy_does_not_overflow() -> None:
    x = np.array([[1e4, -1e4, 0]], np.float32)
    (loss,) = build("softmax_cross_entropy(1x3xf32, 1xi64) -> f32").reference(x, np.array([1]))
    assert loss == 2e4
    (dx,) = build("softmax_cross_entropy_grad(1x3xf32, 1xi64, f32) -> 1x3xf32").reference(
        x, np.array([1]), np.array(1, np.float32)
    )
    assert dx.tolist() == [[1, -1, 0]]


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_philox_makes_the_known_answers_of_its_authors(counter: str, key: str, words: str) -> None:
    counters = [np.array([int(word, 16)], np.uint64) for word in counter.split()]
    made = philox(counters, [int(word, 16) for word in key.split()])
    assert [f"{int(word[0]):08x}" for word in made] == words.split()


def test_dropout_drops_as_many_as_it_says_and_repeats_itself() -> None:
    op = build("dropout(100000xf32, i64, i64) {rate = 0.3 : f32} -> 100000xf32")
    x = np.ones(100_000, np.float32)
    (first,) = op.reference(x, np.array(7), np.array(0))
    (again,) = op.reference(x, np.array(7), np.array(0))
    (other,) = op.reference(x, np.array(7), np.array(1))
    assert np.array_equal(first, again)
    assert abs(np.mean(first == 0) - 0.3) < 0.01
    assert set(np.unique(first).tolist()) == {0.0, float(np.float32(1 / 0.7))}
    assert 0.3 < np.mean((first == 0) != (other == 0)) < 0.54


def test_streams_are_not_alike() -> None:
    x = np.ones(4096, np.float32)
    masks = [
        build(f"dropout(4096xf32, i64, i64) {{rate = 0.5 : f32, stream = {k} : i64}} -> 4096xf32").reference(
            x, np.array(1), np.array(1)
        )[0]
        for k in range(2)
    ]
    assert 0.4 < np.mean(masks[0] != masks[1]) < 0.6


def test_the_cost_of_a_chain_is_that_of_all_paths_counted() -> None:
    """Also of one with an empty sequence; every path of 3 tags through 4 rows is scored by itself."""
    rng = np.random.default_rng(0)
    emission, transition = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    labels, offsets = np.array([0, 2, 1, 1, 2]), np.array([0, 4, 4, 5])
    (cost,) = build("linear_chain_crf(5x3xf64, 5x3xf64, 5xi64, 4xi64) -> 3x1xf64").reference(
        emission, transition, labels, offsets
    )

    def score(rows: slice, path: Sequence[int]) -> float:
        steps = sum(transition[2 + a, b] for a, b in pairwise(path))
        return transition[0, path[0]] + transition[1, path[-1]] + steps + emission[rows][range(len(path)), path].sum()

    for place, rows in ((0, slice(0, 4)), (2, slice(4, 5))):
        scores = [score(rows, path) for path in product(range(3), repeat=rows.stop - rows.start)]
        right = np.log(np.exp(scores).sum()) - score(rows, labels[rows].tolist())
        assert cost[place, 0] == pytest.approx(right, rel=1e-12)
    assert cost[1, 0] == 0


def test_a_label_that_is_no_tag_is_an_error() -> None:
    op = build("linear_chain_crf(2x3xf32, 5x3xf32, 2xi64, 2xi64) -> 1x1xf32")
    emission, transition = np.zeros((2, 3), np.float32), np.zeros((5, 3), np.float32)
    with pytest.raises(IndicesError, match="index 3 is outside"):
        op.reference(emission, transition, np.array([0, 3]), np.array([0, 2]))
