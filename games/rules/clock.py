"""The clock: a time for each move, then a reserve; at zero the game is lost (B-15).

Pure: nobody here asks what time it is. The caller says how long a side has been thinking, or since when; time in
which a side was disconnected is not thinking and is left out by the caller (A-1).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from games.rules.refusals import RuleBroken
from games.rules.sides import Side

ZERO: Final = timedelta(0)


class ImpossibleClock(RuleBroken):
    """A clock that gives nobody any time, or takes it back."""

    rule = "B-15"
    reason = "a clock has time for a move or a reserve, neither below zero"


class TimeRunsForwards(RuleBroken):
    """A thinking time below zero."""

    rule = "B-15"
    reason = "nobody thinks for less than no time ({detail})"


class TimeIsUp(RuleBroken):
    """The side has used its move time and its reserve: it has lost and can act no more."""

    rule = "B-15"
    reason = "the time is up"


@dataclass(frozen=True, slots=True)
class Clock:
    """Free time for each move, and what is left of each side's reserve in this game."""

    move: timedelta
    reserve: tuple[timedelta, timedelta]

    def __post_init__(self) -> None:
        if self.move < ZERO or min(self.reserve) < ZERO or self.move + min(self.reserve) <= ZERO:
            # A reserve used up to its last bit is fine as long as each move brings new time.
            raise ImpossibleClock


def new_clock(*, move_s: int, reserve_s: int) -> Clock:
    """The clock at the start of a game, in seconds. Reserves restart each game (B-15)."""
    reserve = timedelta(seconds=reserve_s)
    return Clock(move=timedelta(seconds=move_s), reserve=(reserve, reserve))


# B-15: Clock: a time for each move, then a reserve; at zero the game is lost.
def left(clock: Clock, *, side: Side, spent: timedelta) -> timedelta:
    """What ``side`` has left in all after thinking for ``spent``: never below zero; at zero it has lost (B-15)."""
    if spent < ZERO:
        raise TimeRunsForwards(str(spent))
    return max(ZERO, clock.move + clock.reserve[side - 1] - spent)


def has_run_out(clock: Clock, *, side: Side, spent: timedelta) -> bool:
    """Whether ``side`` has lost on time after thinking for ``spent``: at exactly zero it has (B-15)."""
    return left(clock, side=side, spent=spent) == ZERO


def runs_out_at(clock: Clock, *, side: Side, since: datetime) -> datetime:
    """The moment at which ``side``, thinking since ``since`` without a break, loses on time."""
    return since + clock.move + clock.reserve[side - 1]


def moved(clock: Clock, *, side: Side, spent: timedelta) -> Clock:
    """The clock after ``side`` acted, having thought for ``spent``: what the move time did not cover is gone from
    its reserve; unused move time is not saved (B-15). Raises TimeIsUp when nothing was left.
    """
    if has_run_out(clock, side=side, spent=spent):
        raise TimeIsUp
    used = max(ZERO, spent - clock.move)
    first, second = clock.reserve
    return replace(clock, reserve=(first - used, second) if side == 1 else (first, second - used))
