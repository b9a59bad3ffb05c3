"""The FIBS formula, R."""

from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import rules
from ratings.rules import FIRST, Standing
from tests.golden import table

CHANGES = table("domain_r")["changes"]


@pytest.mark.parametrize("row", CHANGES, ids=lambda row: f"R-{row['winner']}-{row['loser']}-{row['length']}")
def test_a_win_moves_both_ratings_as_published(row: dict[str, Any]) -> None:
    winner = Standing(rating=Decimal(row["winner"]), experience=row["experience"][0])
    loser = Standing(rating=Decimal(row["loser"]), experience=row["experience"][1])
    gain, loss = rules.changes(winner=winner, loser=loser, length=row["length"])
    assert [f"{gain:+.4f}", f"{loss:+.4f}"] == row["change"]
    after = rules.rated(winner=winner, loser=loser, length=row["length"])
    assert [standing.rating for standing in after] == [winner.rating + gain, loser.rating + loss]
    assert [standing.experience for standing in after] == [count + row["length"] for count in row["experience"]]


def test_everybody_starts_at_1500_without_experience() -> None:
    assert Standing(rating=Decimal("1500.000000"), experience=0) == FIRST


def test_a_new_account_reaches_1700_in_22_one_point_wins() -> None:
    """Domain C: the reason for the experience option. Each time against a fresh account."""
    climber, wins = FIRST, 0
    while climber.rating <= 1700:
        climber, _ = rules.rated(winner=climber, loser=FIRST, length=1)
        wins += 1
    assert wins == climber.experience == 22


@pytest.mark.parametrize(("experience", "gain"), [(0, "10"), (1, "9.98"), (399, "2.02"), (400, "2"), (401, "2")])
def test_the_pace_falls_from_five_to_one_at_an_experience_of_400(experience: int, gain: str) -> None:
    level = Standing(rating=Decimal(1500), experience=experience)
    assert rules.changes(winner=level, loser=level, length=1)[0] == Decimal(gain)


def test_ratings_are_stored_to_six_decimals_half_even_and_shown_to_two() -> None:
    assert rules.stored(Decimal("1500.0000005")) == Decimal("1500.000000")
    assert rules.stored(Decimal("1500.0000015")) == Decimal("1500.000002")
    assert rules.shown(Decimal("1500.125000")) == "1500.12"
    assert rules.shown(Decimal("1399.999999")) == "1400.00"


ratings = st.decimals(min_value=-500, max_value=4000, places=6)
experiences = st.integers(min_value=0, max_value=2000)
lengths = st.integers(min_value=1, max_value=25)


@given(ratings, ratings, experiences, experiences, lengths)
def test_the_winner_gains_the_loser_loses_and_the_upset_moves_more(
    one: Decimal, other: Decimal, played: int, played_by_other: int, length: int
) -> None:
    ann, bob = Standing(rating=one, experience=played), Standing(rating=other, experience=played_by_other)
    gain, loss = rules.changes(winner=ann, loser=bob, length=length)
    assert loss <= 0 <= gain
    if played == played_by_other:
        assert gain == -loss
    back, _ = rules.changes(winner=Standing(other, played), loser=Standing(one, played_by_other), length=length)
    assert (gain >= back) == (one <= other) or gain == back


@given(ratings, ratings, lengths)
def test_a_narrow_context_of_the_caller_changes_nothing(one: Decimal, other: Decimal, length: int) -> None:
    ann, bob = Standing(rating=one), Standing(rating=other)
    wide = rules.changes(winner=ann, loser=bob, length=length)
    with localcontext(prec=12):
        assert rules.changes(winner=ann, loser=bob, length=length) == wide


def test_a_float_is_no_rating() -> None:
    with pytest.raises(AssertionError):
        Standing(rating=1500.0)  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        Standing(rating=Decimal("NaN"))
