"""When the bank takes orders: on the days of TARGET, up to a time of day where the bank is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import holidays


@dataclass(frozen=True, slots=True)
class Hours:
    """Orders that are there at ``cut_off``, by the clock of ``zone``, go out that day. None: at any time, any day."""

    zone: str
    cut_off: time | None


def is_business_day(day: date) -> bool:
    """Whether TARGET is open."""
    return day.weekday() < 5 and day not in _closed(day.year)


def last_cut_off(hours: Hours, *, at: datetime) -> datetime:
    """The latest cut-off that is not after ``at``."""
    if hours.cut_off is None:
        return at
    day = at.astimezone(ZoneInfo(hours.zone)).date()
    while not is_business_day(day) or _instant(hours, day) > at:
        day -= timedelta(days=1)
    return _instant(hours, day)


def next_cut_off(hours: Hours, *, at: datetime) -> datetime:
    """The first cut-off that is not before ``at``: what is approved by then goes out with it."""
    if hours.cut_off is None:
        return at
    day = at.astimezone(ZoneInfo(hours.zone)).date()
    while not is_business_day(day) or _instant(hours, day) < at:
        day += timedelta(days=1)
    return _instant(hours, day)


def day_of(hours: Hours, *, at: datetime) -> date:
    """The date at the bank."""
    return at.astimezone(ZoneInfo(hours.zone)).date()


def _instant(hours: Hours, day: date) -> datetime:
    """The cut-off of ``day``: by the wall clock, so another instant in summer than in winter."""
    assert hours.cut_off is not None
    return datetime.combine(day, hours.cut_off, ZoneInfo(hours.zone)).astimezone(UTC)


@cache
def _closed(year: int) -> frozenset[date]:
    return frozenset(holidays.financial_holidays("ECB", years=year))
