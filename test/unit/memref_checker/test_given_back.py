"""`GivenBack` says of each earlier point what sets kept for each point say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lastuse.passes.memref_checker.given_back import GivenBack

PIECES = frozenset(range(5))
SOME = st.frozensets(st.sampled_from(sorted(PIECES)))


@given(st.lists(st.tuples(st.sampled_from(["add", "take_again", "go_to"]), SOME), max_size=12))
def test_points_are_as_sets_kept_for_each(steps: list[tuple[str, frozenset[int]]]) -> None:
    given_back, gone = GivenBack(), frozenset[int]()
    points = [(given_back.now, gone)]
    for step, pieces in steps:
        if step == "add":
            given_back.add(pieces)
            gone |= pieces
        elif step == "take_again":
            for piece in pieces:
                given_back.take_again(piece)
            gone -= pieces
        else:
            given_back.go_to(pieces)
            gone = pieces
        points.append((given_back.now, gone))
        assert given_back.all() == gone
        assert given_back & PIECES == gone
        assert bool(given_back) == bool(gone)
    for point, before in points:
        assert given_back.at(point, PIECES) == before
