"""The cube's value, owner and limit (B-9, B-10, B-13)."""

import pytest

from games.rules.cube import (
    BeaverAboveLimit,
    Cube,
    CubeAtLimit,
    CubeNotYours,
    beavered,
    doubled_automatically,
    offered,
    taken,
)


def test_either_side_may_turn_a_centred_cube_and_only_its_owner_another_b_9() -> None:
    assert offered(Cube(), by=1) == offered(Cube(), by=2) == 2
    assert offered(Cube(2, owner=2), by=2) == 4
    with pytest.raises(CubeNotYours, match="B-9"):
        offered(Cube(2, owner=2), by=1)


def test_the_taker_owns_the_cube_b_9() -> None:
    assert taken(Cube(), by=2) == Cube(2, owner=2)
    assert not Cube(8).turned
    assert taken(Cube(), by=2).turned


@pytest.mark.parametrize(
    ("value", "limit", "allowed"), [(32, 64, True), (64, 64, False), (64, 1024, True), (1, 1, False)]
)
def test_the_cube_stops_at_its_limit_b_9(value: int, limit: int, allowed: bool) -> None:
    if allowed:
        assert offered(Cube(value), by=1, limit=limit) == value * 2
    else:
        with pytest.raises(CubeAtLimit, match=f"{value} of {limit}"):
            offered(Cube(value), by=1, limit=limit)


@pytest.mark.parametrize(("value", "allowed"), [(1, True), (16, True), (32, False)])
def test_a_beaver_quadruples_and_stays_within_64_b_10(value: int, allowed: bool) -> None:
    if allowed:
        assert beavered(Cube(value, owner=1), by=2) == Cube(value * 4, owner=2)
    else:
        with pytest.raises(BeaverAboveLimit, match="B-10"):
            beavered(Cube(value, owner=1), by=2)


@pytest.mark.parametrize(
    ("value", "so_far", "maximum", "after"),
    [(1, 0, 0, 1), (1, 0, 1, 2), (2, 1, 1, 2), (2, 1, 3, 4), (64, 6, 9, 64)],
)
def test_automatic_doubles_stay_centred_and_within_their_number_b_13(
    value: int, so_far: int, maximum: int, after: int
) -> None:
    assert doubled_automatically(Cube(value), so_far=so_far, maximum=maximum) == Cube(after, owner=None)
