"""What can be lost, and terms under which nobody plays (S)."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import money
from wagering.stakes import rules
from wagering.stakes.rules import Terms


def single(stake: str = "5", cap: str | None = "15", currency: str = "USD") -> Terms:
    return Terms(currency=currency, stake=Decimal(stake), match_length=0, cap=None if cap is None else Decimal(cap))


def series(stake: str = "5", length: int = 3) -> Terms:
    return Terms(currency="USD", stake=Decimal(stake), match_length=length)


@pytest.mark.parametrize(
    ("cube", "value", "lost"),
    [(1, 1, "5.00"), (1, 2, "10.00"), (1, 3, "15.00"), (2, 1, "10.00"), (2, 2, "15.00"), (64, 3, "15.00")],
)
def test_a_single_game_loses_stake_times_cube_times_value_to_the_cap(cube: int, value: int, lost: str) -> None:
    """S-2; with stake 5 and cap 15 a gammon with the cube on 2 is 20, capped to 15 (S-3, cases 49)."""
    assert str(rules.amount_lost(single(), points=cube * value)) == lost


def test_a_match_loses_its_stake_whatever_the_score() -> None:
    """S-2."""
    assert [rules.amount_lost(series(), points=points) for points in (1, 3, 12)] == [Decimal("5.00")] * 3


def test_each_side_is_exposed_to_the_cap_or_the_matchs_stake() -> None:
    """S-4."""
    assert rules.exposure(single()) == Decimal("15.00")
    assert rules.exposure(series()) == Decimal("5.00")


def test_an_uncapped_table_is_a_cap_of_192_stakes() -> None:
    """S-1, cases 50: stake 1.00, cube 64, backgammon."""
    terms = single("1", "192")
    assert rules.uncapped(stake=Decimal("1.00")) == rules.exposure(terms) == Decimal("192.00")
    assert rules.amount_lost(terms, points=64 * 3) == Decimal("192.00")


def test_a_cap_beyond_192_stakes_holds_nothing_that_cannot_be_lost() -> None:
    assert rules.exposure(single("1", "500")) == Decimal("192.00")


def test_without_a_cube_the_uncapped_table_is_a_cap_of_three_stakes() -> None:
    """S-1, B-8: a backgammon is the most there is to lose."""
    for cap, exposed in (("3", "3.00"), ("500", "3.00"), ("2.50", "2.50"), ("192", "3.00")):
        terms = replace(single("1", cap), cube=False)
        assert rules.exposure(terms) == Decimal(exposed)
    assert rules.uncapped(stake=Decimal("1.00"), cube=False) == Decimal("3.00")
    with pytest.raises(rules.CapMissing, match=r"\b3\.00\b"):
        Terms(currency="USD", stake=Decimal("1.00"), match_length=0, cube=False)


def test_a_cap_that_is_no_multiple_of_the_stake_is_legal() -> None:
    """S-6."""
    assert rules.amount_lost(single("5", "12.34"), points=4) == Decimal("12.34")


def test_a_cap_of_exactly_the_stake_is_legal_and_a_cent_less_is_refused() -> None:
    """S-6."""
    assert rules.exposure(single("5", "5")) == Decimal("5.00")
    with pytest.raises(rules.CapBelowStake, match=r"cap: 4\.99 is below the stake of 5\.00"):
        single("5", "4.99")


def test_a_single_game_without_a_cap_is_refused_and_told_what_it_could_cost() -> None:
    """S-1, cases 50."""
    with pytest.raises(rules.CapMissing, match=r"cap: .*192\.00"):
        single("1", None)


def test_a_series_has_no_cap() -> None:
    with pytest.raises(rules.CapForSeries, match="cap"):
        Terms(currency="USD", stake=Decimal(5), match_length=3, cap=Decimal(15))


def test_a_stake_of_nothing_is_refused() -> None:
    with pytest.raises(rules.StakeNotPositive, match="stake"):
        single("0")
    with pytest.raises(rules.StakeNotPositive, match="stake"):
        series("0.00")


@pytest.mark.parametrize("length", [-1, 26, 100])
def test_a_match_is_to_1_to_25_points(length: int) -> None:
    """B-14."""
    assert series(length=1).is_series
    assert series(length=25).is_series
    assert not single().is_series
    with pytest.raises(rules.MatchLengthOutOfRange, match="match_length"):
        series(length=length)


@pytest.mark.parametrize("stake", ["0.999", "5.005", "NaN", "Infinity", "-5", "1e12"])
def test_a_stake_that_is_no_amount_is_refused(stake: str) -> None:
    """Cases 41 and 42."""
    with pytest.raises(money.InvalidAmount, match="stake"):
        single(stake, "1000")


@pytest.mark.parametrize("cap", ["15.005", "NaN", "Infinity", "-15"])
def test_a_cap_that_is_no_amount_is_refused(cap: str) -> None:
    with pytest.raises(money.InvalidAmount, match="cap"):
        single("5", cap)


def test_floats_and_unknown_currencies_are_refused() -> None:
    with pytest.raises(money.InvalidAmount, match="float"):
        Terms(currency="USD", stake=5.0, match_length=0, cap=Decimal(15))  # type: ignore[arg-type]
    with pytest.raises(money.InvalidAmount, match="float"):
        Terms(currency="USD", stake=Decimal(5), match_length=0, cap=15.0)  # type: ignore[arg-type]
    with pytest.raises(money.UnknownCurrency):
        single(currency="XXX")


def test_a_loss_beyond_any_amount_is_refused() -> None:
    stake = Decimal("999999999999.99")
    huge = Terms(currency="USD", stake=stake, match_length=0, cap=rules.uncapped(stake=stake))
    assert rules.amount_lost(huge, points=1) == stake
    with pytest.raises(money.InvalidAmount, match="stake"):
        rules.amount_lost(huge, points=2)


@given(
    stake=st.integers(1, 10**9),
    extra=st.integers(0, 10**11),
    points=st.sampled_from([cube * value for cube in (1, 2, 4, 8, 16, 32, 64) for value in (1, 2, 3)]),
)
def test_nobody_loses_more_than_was_held(stake: int, extra: int, points: int) -> None:
    terms = single(str(Decimal(stake).scaleb(-2)), str(Decimal(stake + extra).scaleb(-2)))
    assert 0 < rules.amount_lost(terms, points=points) <= rules.exposure(terms)
