"""Bear-offs for the tests."""

from collections.abc import Iterable

from hypothesis import strategies as st

from games.rules.board import BAR, Position


def bear_off(mine: Iterable[int], theirs: Iterable[int]) -> Position:
    """A checker of mine on each point named, and of theirs on each of their own."""
    points = [0] * 26
    for point in mine:
        points[point] += 1
    for point in theirs:
        points[BAR - point] -= 1
    return Position(tuple(points))


def sides(*, most: int) -> st.SearchStrategy[list[int]]:
    """One side at home with up to so many checkers."""
    return st.lists(st.integers(1, 6), min_size=1, max_size=most)
