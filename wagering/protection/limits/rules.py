"""Limits over rolling windows: what counts, what it leaves, and when a request that is refused would pass.

A window is a duration that ends now: 24 hours are 86,400 seconds, whatever the clocks on the wall do at midnight or
when summer begins. What happened at an instant counts until exactly a window later, and no longer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final

COOLING_OFF: Final = timedelta(hours=24)
"""An increase or a removal holds only after so long, and a second word."""


class Kind(StrEnum):
    """What is limited."""

    DEPOSIT = "deposit"
    """What comes into the wallet by deposits, those under way counted in."""
    LOSS = "loss"
    """What was lost net of what was won, with all that is at risk."""
    STAKE = "stake"
    """What is set aside for contests, unless it came back before they began."""


class Window(StrEnum):
    """Over which time."""

    DAY = "24h"
    WEEK = "7d"
    MONTH = "30d"

    @property
    def lasts(self) -> timedelta:
        return {Window.DAY: timedelta(hours=24), Window.WEEK: timedelta(days=7), Window.MONTH: timedelta(days=30)}[self]


LONGEST: Final = max(window.lasts for window in Window)


@dataclass(frozen=True, slots=True)
class Moved:
    """What counts against a limit from ``at`` on; below zero, what makes room in it."""

    at: datetime
    amount: Decimal

    def leaves(self, window: Window) -> datetime:
        """The instant from which it counts no more; in UTC, since days of other zones are not all of 24 hours."""
        return self.at.astimezone(UTC) + window.lasts


@dataclass(frozen=True, slots=True)
class Bound:
    """One limit, and what counts against it: ``moved`` while it is in the window, and ``standing`` at any time."""

    kind: Kind
    window: Window
    limit: Decimal
    moved: Sequence[Moved] = ()
    standing: Decimal = Decimal(0)

    def used(self, *, at: datetime) -> Decimal:
        """How much of the limit is taken at ``at``."""
        now = at.astimezone(UTC)
        return self.standing + sum((each.amount for each in self.moved if each.leaves(self.window) > now), Decimal(0))

    def left(self, *, at: datetime) -> Decimal:
        """What may still be asked for."""
        return max(Decimal(0), self.limit - self.used(at=at))


@dataclass(frozen=True, slots=True)
class Reached:
    """A request is refused by ``bound``; ``frees_at`` is the first instant at which it would pass, None if never."""

    bound: Bound
    frees_at: datetime | None


def judge(
    *, limit: Decimal, window: Window, movements: Iterable[Moved], amount: Decimal, at: datetime, kind: Kind
) -> Reached | None:
    """Whether ``amount`` more passes under one limit; None if it does."""
    return judge_all([Bound(kind, window, limit, tuple(movements))], amount=amount, at=at)


def judge_all(bounds: Sequence[Bound], *, amount: Decimal, at: datetime) -> Reached | None:
    """Whether ``amount`` more passes under every one of ``bounds`` at ``at``; None if it does.

    Of those that refuse it, the one is told that refuses it longest. It frees when all of them let it pass.
    """
    refusing = [bound for bound in bounds if bound.used(at=at) + amount > bound.limit]
    if not refusing:
        return None
    never = datetime.max.replace(tzinfo=UTC)
    longest = max(refusing, key=lambda bound: _frees([bound], amount=amount, at=at) or never)
    return Reached(longest, _frees(bounds, amount=amount, at=at))


def _frees(bounds: Sequence[Bound], *, amount: Decimal, at: datetime) -> datetime | None:
    """The first instant after ``at`` at which all let it pass, if nothing else happens: only what leaves a window
    changes anything, so it is one of those instants.
    """
    used = [bound.used(at=at) for bound in bounds]
    leaving = sorted(
        (each.leaves(bound.window), number, each.amount)
        for number, bound in enumerate(bounds)
        for each in bound.moved
        if each.leaves(bound.window) > at.astimezone(UTC)
    )
    for place, (instant, number, gone) in enumerate(leaving):
        used[number] -= gone
        goes_on = place + 1 < len(leaving) and leaving[place + 1][0] == instant
        if not goes_on and all(taken + amount <= bound.limit for taken, bound in zip(used, bounds, strict=True)):
            return instant
    return None


def is_decrease(*, new: Decimal | None, old: Decimal | None) -> bool:
    """Whether ``new`` allows no more than ``old``; None is no limit."""
    return old is None or (new is not None and new <= old)
