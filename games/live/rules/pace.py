"""How fast a table is played: by a clock, or by days a move (B-15, B-18)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from games.rules.clock import Clock, ImpossibleClock

ABSENCE_MAX: Final = timedelta(minutes=5)
"""How long a side may be away in a game, all its absences together (A-1)."""

SEEDS_MAX: Final = timedelta(minutes=2)
"""How long the two sides have to give their seeds before a live game. After that nothing has been played (A-8)."""

DAYS_MAX: Final = 30
SECONDS_MAX: Final = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Pace:
    """Either ``move_s`` seconds for each move and a reserve of ``reserve_s`` a game (B-15), or ``days`` a move (B-18).

    Raises ImpossibleClock for both, neither, or one that gives nobody any time.
    """

    move_s: int = 0
    reserve_s: int = 0
    days: int | None = None

    def __post_init__(self) -> None:
        if self.days is not None:
            if self.move_s or self.reserve_s or not 1 <= self.days <= DAYS_MAX:
                raise ImpossibleClock
        elif min(self.move_s, self.reserve_s) < 0 or not 1 <= self.move_s + self.reserve_s <= SECONDS_MAX:
            raise ImpossibleClock

    @property
    def is_live(self) -> bool:
        """Whether both have to be there. Turn-based tables know no absence (B-18)."""
        return self.days is None

    @property
    def seeds_max(self) -> timedelta:
        """How long the sides have to give their seeds."""
        return SEEDS_MAX if self.days is None else timedelta(days=self.days)

    def new_clock(self) -> Clock:
        """The clock at the start of a game: reserves restart each game (B-15)."""
        move = timedelta(seconds=self.move_s) if self.days is None else timedelta(days=self.days)
        reserve = timedelta(seconds=self.reserve_s)
        return Clock(move=move, reserve=(reserve, reserve))
