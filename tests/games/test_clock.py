"""The clock: time for a move, then the reserve, then the game is lost (B-15)."""

from datetime import UTC, datetime, timedelta

import pytest

from games.rules.clock import (
    Clock,
    ImpossibleClock,
    TimeIsUp,
    TimeRunsForwards,
    has_run_out,
    left,
    moved,
    new_clock,
    runs_out_at,
)
from games.rules.sides import Side

ann: Side = 1
bob: Side = 2


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@pytest.mark.parametrize(
    ("spent", "reserve_after"), [(0, 120), (11.5, 120), (12, 120), (12.001, 119.999), (30, 102), (131.999, 0.001)]
)
def test_the_move_time_goes_first_then_the_reserve_b_15(spent: float, reserve_after: float) -> None:
    clock = moved(new_clock(move_s=12, reserve_s=120), side=ann, spent=seconds(spent))
    assert clock.reserve == (seconds(reserve_after), seconds(120))


@pytest.mark.parametrize(("spent", "lost"), [(131.999, False), (132, True), (500, True)])
def test_at_exactly_zero_the_game_is_lost_b_15(spent: float, lost: bool) -> None:
    clock = new_clock(move_s=12, reserve_s=120)
    assert has_run_out(clock, side=bob, spent=seconds(spent)) is lost
    assert left(clock, side=bob, spent=seconds(spent)) == max(seconds(0), seconds(132 - spent))
    if lost:
        with pytest.raises(TimeIsUp, match="B-15"):
            moved(clock, side=bob, spent=seconds(spent))


def test_each_side_has_its_own_reserve_and_unused_move_time_is_not_saved_b_15() -> None:
    clock = new_clock(move_s=10, reserve_s=60)
    for side, spent in ((ann, 1), (bob, 40), (ann, 12), (bob, 10)):
        clock = moved(clock, side=side, spent=seconds(spent))
    assert clock == Clock(move=seconds(10), reserve=(seconds(58), seconds(30)))


def test_the_moment_of_loss_is_known_beforehand_b_15() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    clock = moved(new_clock(move_s=10, reserve_s=60), side=ann, spent=seconds(30))
    assert runs_out_at(clock, side=ann, since=noon) == noon + seconds(50)


def test_a_clock_without_time_is_refused_b_15() -> None:
    for move_s, reserve_s in ((0, 0), (-1, 60), (10, -1)):
        with pytest.raises(ImpossibleClock):
            new_clock(move_s=move_s, reserve_s=reserve_s)
    assert new_clock(move_s=0, reserve_s=60).reserve == (seconds(60), seconds(60))


def test_nobody_thinks_for_less_than_no_time() -> None:
    with pytest.raises(TimeRunsForwards):
        moved(new_clock(move_s=10, reserve_s=60), side=ann, spent=seconds(-1))
