"""Who is out, how long, and when an exclusion may end."""

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

HOURS_MAX: Final = 6 * 7 * 24
"""A time-out is for six weeks at most; whoever wants longer excludes themselves."""
MONTHS_MIN: Final = 6
MONTHS_MAX: Final = 60
COOLING_OFF: Final = timedelta(hours=24)
"""Between the request to play again and the first seat."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An exclusion or a time-out: by whose word, from when, for which term, and when it ends by request.

    ``released_at``, since when it is known to be of somebody else.
    """

    kind: Literal["time_out", "exclusion"]
    by: str
    source: str
    begins_at: datetime
    ends_at: datetime | None
    lifts_at: datetime | None
    released_at: datetime | None = None

    def holds(self, *, at: datetime) -> bool:
        """Whether the person is out at ``at``: a time-out to its end, anything else until it is lifted.

        A register's word holds as long as the register's term.
        """
        if at < self.begins_at or (self.released_at is not None and at >= self.released_at):
            return False
        if self.kind == "time_out":
            assert self.ends_at is not None
            return at < self.ends_at
        return self.lifts_at is None or at < self.lifts_at

    def may_be_lifted(self, *, at: datetime) -> bool:
        """Whether its term is over, so that the player may ask to play again."""
        return self.kind == "exclusion" and self.ends_at is not None and at >= self.ends_at


def longest(standing: Iterable[Standing], *, at: datetime) -> Standing | None:
    """Of those that hold at ``at`` the one that holds longest; None if nobody is kept out."""
    for_ever = datetime.max.replace(tzinfo=UTC)
    holding = [each for each in standing if each.holds(at=at)]
    return max(
        holding, key=lambda each: (each.kind == "exclusion", each.ends_at or for_ever, each.lifts_at or for_ever),
        default=None,
    )  # fmt: skip


def months_later(at: datetime, months: int) -> datetime:
    """The same day of the month, or its last, at the same time in UTC."""
    at = at.astimezone(UTC)
    years, month = divmod(at.month - 1 + months, 12)
    year = at.year + years
    return at.replace(year=year, month=month + 1, day=min(at.day, calendar.monthrange(year, month + 1)[1]))
