"""Business days of TARGET and cut-offs by the bank's clock, over holidays and both changes of the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wagering.cashier.bank.rules.calendar import Hours, day_of, is_business_day, last_cut_off, next_cut_off

BERLIN = Hours("Europe/Berlin", time(15))


@pytest.mark.parametrize(
    ("day", "opens"),
    [
        ("2026-11-30", True),  # a Monday
        ("2026-12-05", False),  # a Saturday
        ("2026-12-25", False),
        ("2026-12-26", False),
        ("2027-01-01", False),
        ("2026-04-03", False),  # Good Friday
        ("2026-04-06", False),  # Easter Monday
        ("2026-05-01", False),
        ("2026-10-03", False),  # a Saturday
        ("2025-10-03", True),  # closed in Germany, not in TARGET
        ("2026-12-24", True),
    ],
)
def test_target_days(day: str, opens: bool) -> None:
    assert is_business_day(date.fromisoformat(day)) == opens


@pytest.mark.parametrize(
    ("at", "last", "following"),
    [
        ("2026-11-30T13:59:59", "2026-11-27T14:00:00", "2026-11-30T14:00:00"),  # Monday, before 15:00 in Berlin
        ("2026-11-30T14:00:00", "2026-11-30T14:00:00", "2026-11-30T14:00:00"),  # on the second
        ("2026-11-30T14:00:01", "2026-11-30T14:00:00", "2026-12-01T14:00:00"),
        ("2026-12-05T12:00:00", "2026-12-04T14:00:00", "2026-12-07T14:00:00"),  # over a weekend
        ("2026-12-25T12:00:00", "2026-12-24T14:00:00", "2026-12-28T14:00:00"),  # Christmas, then a weekend
        ("2026-04-04T12:00:00", "2026-04-02T13:00:00", "2026-04-07T13:00:00"),  # Easter
        ("2026-03-29T12:00:00", "2026-03-27T14:00:00", "2026-03-30T13:00:00"),  # the clock goes forward
        ("2026-10-25T12:00:00", "2026-10-23T13:00:00", "2026-10-26T14:00:00"),  # and back
        ("2026-11-30T23:30:00", "2026-11-30T14:00:00", "2026-12-01T14:00:00"),  # tomorrow already in Berlin
    ],
)
def test_cut_offs(at: str, last: str, following: str) -> None:
    now = datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert last_cut_off(BERLIN, at=now) == datetime.fromisoformat(last).replace(tzinfo=UTC)
    assert next_cut_off(BERLIN, at=now) == datetime.fromisoformat(following).replace(tzinfo=UTC)


BEGINS, ENDS = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (2020, 2035))


@settings(deadline=None)  # the first asks for all holidays of a year
@given(st.integers(BEGINS, ENDS), st.times(), st.sampled_from(["Europe/Berlin", "UTC"]))
def test_a_cut_off_is_on_a_business_day_and_none_lies_between(at: int, cut_off: time, zone: str) -> None:
    hours, now = Hours(zone, cut_off.replace(microsecond=0)), datetime.fromtimestamp(at, UTC)
    last, following = last_cut_off(hours, at=now), next_cut_off(hours, at=now)
    assert last <= now <= following
    assert is_business_day(day_of(hours, at=last))
    assert next_cut_off(hours, at=last) == last
    assert last_cut_off(hours, at=following) == following
    assert last == following or next_cut_off(hours, at=last) == last < now < following


def test_a_bank_that_never_closes() -> None:
    at = datetime(2026, 12, 25, 23, 30, tzinfo=UTC)
    always = Hours("Europe/Berlin", None)
    assert last_cut_off(always, at=at) == next_cut_off(always, at=at) == at
    assert day_of(always, at=at) == date(2026, 12, 26)
