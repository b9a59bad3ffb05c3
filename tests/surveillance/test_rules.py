"""The patterns, each just at its threshold and just below."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from games.rules.endings import Ending, Win
from wagering.surveillance import rules, thresholds
from wagering.surveillance.rules import Account, Contest, Deposit, Played

ANN, BOB, EVE = (UUID(int=number) for number in (1, 2, 3))
TEN = datetime(2026, 11, 30, 10, tzinfo=UTC)
BY = thresholds.shipped()


def contest(
    moved: str = "48.00",
    *,
    minutes: float = 0,
    plays: int = 2,
    ending: Ending = Ending.RESIGNED,
    win: Win = Win.SINGLE,
    loser: UUID = ANN,
    winner: UUID = BOB,
) -> Contest:
    at = TEN + timedelta(minutes=minutes)
    return Contest(uuid4(), loser, winner, "USD", Decimal(moved), at, [Played(loser, ending, win, plays)])


def account(*deposits: str, since: datetime | None = TEN - timedelta(days=1), hours_before: int = 1) -> Account:
    at = TEN - timedelta(hours=hours_before)
    return Account(ANN, since, [Deposit(f"deposit:{each}", at, Decimal(each)) for each in deposits])


def many(number: int, *, apart: float = 5, **each: Any) -> list[Contest]:
    return [contest(minutes=apart * place, **each) for place in range(number)]


NOTHING: Sequence[Contest] = ()


def test_ten_games_given_away_within_an_hour_are_chip_dumping() -> None:  # case 30
    found = rules.chip_dumping(many(10), NOTHING, account("500"), BY)
    assert found is not None
    assert (found.kind, found.loser, found.winner, found.score) == ("chip_dumping", ANN, BOB, 100)
    assert (found.evidence["moved"], found.evidence["paid_in"], found.evidence["plays"]) == ("480.00", "500", "20")
    assert len(found.evidence["stakes"]) == 10


@pytest.mark.parametrize(
    ("contests", "deposits", "is_found"),
    [
        (many(5), (), True),
        (many(4), (), False),
        (many(5, apart=15), (), True),  # the last an hour after the first
        (many(5, apart=16), (), False),
        (many(5, plays=6), (), True),
        (many(5, plays=7), (), False),  # played
        (many(5, ending=Ending.BORNE_OFF), (), False),
        (many(5, ending=Ending.DROPPED), (), True),
        (many(5, ending=Ending.TIMED_OUT), (), True),
        (many(5, moved="9.99"), (), False),  # 49.95
        (many(5, moved="10.00"), (), True),
        (many(2), ("192",), True),  # half of what was paid in
        (many(2), ("193",), False),
        (many(1), ("48",), False),
    ],
)
def test_chip_dumping_has_its_thresholds(contests: list[Contest], deposits: Sequence[str], is_found: bool) -> None:
    assert (rules.chip_dumping(contests, NOTHING, account(*deposits), BY) is not None) is is_found


@pytest.mark.parametrize(
    ("contests", "deposits", "is_found"),
    [
        ([contest("200.00")], (), True),
        ([contest("199.99")], (), False),
        ([contest("199.99")], ("399.98",), True),  # half of what was paid in, whenever that was
        ([contest("199.99")], ("399.99",), False),
        ([contest("49.99")], ("49.99",), False),  # little is nobody's business
        ([contest("500.00", ending=Ending.DROPPED, plays=3)], ("2500",), True),
        ([contest("500.00", ending=Ending.TIMED_OUT, plays=0)], ("2500",), True),
        ([contest("500.00", plays=7)], ("2500",), False),  # played
        ([contest("500.00", ending=Ending.BORNE_OFF)], ("500",), False),
    ],
)
def test_one_contest_that_is_given_away_is_enough(
    contests: list[Contest], deposits: Sequence[str], is_found: bool
) -> None:
    found = rules.given_away(contests, NOTHING, account(*deposits, hours_before=200), BY)
    assert (found is not None) is is_found
    if found:
        assert (found.kind, found.loser, found.winner) == ("given_away", ANN, BOB)
        assert found.evidence["stakes"] == [str(contests[0].stake)]


def test_what_was_paid_in_days_ago_is_not_what_is_dumped() -> None:
    assert rules.chip_dumping(many(2), NOTHING, account("96", hours_before=25), BY) is None


@pytest.mark.parametrize(
    ("there", "back", "is_found"),
    [
        (12, 0, True),
        (11, 0, False),
        (19, 1, True),  # exactly nine tenths
        (18, 1, False),
        (6, 6, False),
    ],
)
def test_money_that_goes_one_way_for_weeks_is_a_flow(there: int, back: int, is_found: bool) -> None:
    lost = many(there, apart=1440, ending=Ending.BORNE_OFF, plays=60)
    won = many(back, apart=1440, ending=Ending.BORNE_OFF, plays=60, loser=BOB, winner=ANN)
    found = rules.one_way_flow(lost, won, account(), BY)
    assert (found is not None) is is_found


@pytest.mark.parametrize(
    ("contests", "is_found"),
    [
        (many(6, apart=1440), True),
        (many(5, apart=1440), False),
        (many(6, win=Win.GAMMON, plays=20), True),
        (many(6, win=Win.GAMMON, plays=21), False),
        (many(6, win=Win.SINGLE, plays=7), False),
        (many(6) + many(6, ending=Ending.BORNE_OFF, plays=60), True),
        (many(6) + many(7, ending=Ending.BORNE_OFF, plays=60), False),  # under half of what was lost
    ],
)
def test_resigning_what_was_not_lost_is_told_by_its_number(contests: list[Contest], is_found: bool) -> None:
    assert (rules.resign_depth(contests, NOTHING, account(), BY) is not None) is is_found


@pytest.mark.parametrize(
    ("moved", "paid_in", "since", "is_found"),
    [
        ("80.00", ("100",), TEN - timedelta(days=1), True),
        ("79.99", ("100",), TEN - timedelta(days=1), False),
        ("80.00", ("100",), TEN - timedelta(days=7), True),
        ("80.00", ("100",), TEN - timedelta(days=7, seconds=1), False),
        ("80.00", (), TEN - timedelta(days=1), False),
        ("80.00", ("100",), None, False),  # no log-in: brought in by a record
    ],
)
def test_a_new_account_that_loses_to_one_what_it_paid_in(
    moved: str, paid_in: Sequence[str], since: datetime | None, is_found: bool
) -> None:
    lost = [contest(moved, ending=Ending.BORNE_OFF, plays=60)]
    assert (rules.cash_out_path(lost, NOTHING, account(*paid_in, since=since), BY) is not None) is is_found


def test_what_came_back_is_not_lost() -> None:
    lost, won = [contest("90.00")], [contest("20.00", loser=BOB, winner=ANN)]
    assert rules.cash_out_path(lost, won, account("100"), BY) is None


@pytest.mark.parametrize(
    ("lost", "won", "is_found"),
    [
        ([contest("40.00"), contest("40.00", minutes=60, winner=EVE)], [], True),
        ([contest("40.00"), contest("40.00", minutes=61, winner=EVE)], [], False),
        ([contest("40.00"), contest("40.00", minutes=60)], [contest("1.00", minutes=30, loser=EVE, winner=ANN)], False),
        ([contest("79.99")], [], False),
    ],
)
def test_what_was_paid_in_is_lost_too_fast(lost: list[Contest], won: list[Contest], is_found: bool) -> None:
    found = rules.loss_speed(lost, won, account("100"), BY)
    assert (found is not None) is is_found
    if found:
        assert (found.loser, found.winner) == (ANN, None)


def test_of_a_currency_that_is_not_named_any_amount_is_looked_at() -> None:
    assert BY.least("SEK") == 0


@pytest.mark.parametrize(
    ("wrong", "right", "told"),
    [
        ('minutes = "60"', 'minutes = "0"', "chip_dumping.minutes"),
        ('minutes = "60"', 'minutes = "-1"', "chip_dumping.minutes"),
        ('share = "0.5"', 'share = "1.5"', "given_away.share"),
        ('share = "0.5"', 'share = "0"', "given_away.share"),
        ('share = "0.5"', "share = 0.5", "given_away.share"),
        ('games = "5"', "", "chip_dumping.games"),
        ('games = "5"', 'games = "5"\ngamse = "5"', "chip_dumping.gamse"),
        ('look_back_days = "30"', "look_back_days", "line 3"),
    ],
)
def test_thresholds_that_are_wrong_are_refused(wrong: str, right: str, told: str) -> None:
    text = thresholds.FILE.read_text(encoding="utf-8").replace(wrong, right, 1)
    with pytest.raises(thresholds.InvalidThresholds, match=told):
        thresholds.read(text)
