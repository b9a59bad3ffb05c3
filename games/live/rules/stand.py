"""How a live contest stands at one moment, and what becomes of it when nobody does anything."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from games.live.rules.pace import ABSENCE_MAX, Pace
from games.rules import cube as cubes
from games.rules.clock import ZERO, Clock
from games.rules.endings import Outcome
from games.rules.game import Game, Phase, new_game
from games.rules.series import Series
from games.rules.sides import SIDES, Side
from games.rules.terms import CubeNeeded, Terms


class Status(StrEnum):
    """What the contest is at."""

    SEEDS = "seeds"
    """Both sides give the hashes of their seeds, then the seeds (F)."""
    PLAYING = "playing"
    PRICING = "pricing"
    """A game of a match was lost by the clock, and an analysis is to say what that costs (B-15). No time runs."""
    OVER = "over"
    ABANDONED = "abandoned"
    VOIDED = "voided"

    @property
    def is_final(self) -> bool:
        """Nothing more happens."""
        return self in (Status.OVER, Status.ABANDONED, Status.VOIDED)

    @property
    def has_time(self) -> bool:
        """Whether time counts: for seeds, for a move, for coming back."""
        return self in (Status.SEEDS, Status.PLAYING)


@dataclass(frozen=True, slots=True)
class Agreed:
    """What is played at the table. ``match_length`` 0 is a single game. Raises MoneyPlayOnly, CubeNeeded."""

    match_length: int = 0
    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0
    cube: bool = True

    def __post_init__(self) -> None:
        if not self.cube:
            for name, wanted in {"a beaver": self.beavers, "an automatic double": self.automatic_doubles}.items():
                if wanted:
                    raise CubeNeeded(name)
        self.terms(Series(length=self.match_length, crawford=self.crawford))

    def terms(self, series: Series) -> Terms:
        """What holds for the game that is played at this score."""
        return Terms(
            match_length=self.match_length,
            needs=(series.needs(1), series.needs(2)),
            crawford_game=series.is_crawford_game,
            jacoby=self.jacoby,
            beavers=self.beavers,
            automatic_doubles=self.automatic_doubles,
            cube_limit=cubes.limit(cube=self.cube),
        )


@dataclass(frozen=True, slots=True)
class Stand:
    """A live contest at one moment.

    ``series`` is the score, the last finished game included, and ``games`` are the outcomes of the finished ones.
    The side on the clock has thought for ``thought`` and, unless its clock stands still, ever since ``since``; while
    seeds are given that is the time they have taken. ``away_since`` and ``away_used`` are each side's absence, now
    and before in this game (A-1); ``absent`` the sides that were away when it was abandoned. ``thrown`` is the
    counter of the next throw. Hashes and seeds are hexadecimal, empty until they are given.
    """

    agreed: Agreed
    pace: Pace
    status: Status
    number: int
    series: Series
    game: Game
    clock: Clock
    games: tuple[Outcome, ...] = ()
    thought: timedelta = ZERO
    since: datetime | None = None
    away_since: tuple[datetime | None, datetime | None] = (None, None)
    away_used: tuple[timedelta, timedelta] = (ZERO, ZERO)
    absent: tuple[Side, ...] = ()
    commitment: str = ""
    hashes: tuple[str, str] = ("", "")
    seeds: tuple[str, str] = ("", "")
    server_seed: str = ""
    thrown: int = 0

    @property
    def to_act(self) -> Side | None:
        """The side whose action is awaited; None while both give seeds, and when the contest has ended."""
        return self.game.awaits if self.status is Status.PLAYING else None

    @property
    def outcome(self) -> Outcome | None:
        """What came of a contest that was played to its end; of a match, the outcome of the game that decided it."""
        return self.games[-1] if self.status is Status.OVER else None

    def is_away(self, side: Side) -> bool:
        """Whether ``side`` is away now."""
        return self.away_since[side - 1] is not None


def opened(agreed: Agreed, pace: Pace) -> Stand:
    """A contest before anything has happened in it."""
    series = Series(length=agreed.match_length, crawford=agreed.crawford)
    return Stand(
        agreed=agreed,
        pace=pace,
        status=Status.SEEDS,
        number=1,
        series=series,
        game=new_game(agreed.terms(series)),
        clock=pace.new_clock(),
    )


class Lapse(StrEnum):
    """What time brings about by itself."""

    TIME_OUT = "time_out"
    ABSENCE = "absence"
    NOTHING_THROWN = "nothing_thrown"


@dataclass(frozen=True, slots=True)
class Due:
    """``lapse`` comes at ``at`` unless something is done; by ``side``, or by neither in particular."""

    at: datetime
    lapse: Lapse
    side: Side | None


def due(stand: Stand) -> Due | None:
    """What comes first if nobody does anything: a clock that runs out (B-15), an absence used up (A-1), or seeds that
    are not given in time (A-8). None when the contest has ended and while a game is priced. A clock comes before an
    absence of the same instant.
    """
    if not stand.status.has_time:
        return None
    comes: list[Due] = []
    if stand.status is Status.SEEDS and stand.since is not None:
        comes.append(Due(stand.since + stand.pace.seeds_max - stand.thought, Lapse.NOTHING_THROWN, None))
    thinking = stand.game.on_the_clock
    if stand.status is Status.PLAYING and thinking is not None and stand.since is not None:
        total = stand.clock.move + stand.clock.reserve[thinking - 1]
        comes.append(Due(stand.since + total - stand.thought, Lapse.TIME_OUT, thinking))
    for side in SIDES:
        away_since = stand.away_since[side - 1]
        if away_since is not None:
            lapse = Lapse.ABSENCE if stand.thrown else Lapse.NOTHING_THROWN
            comes.append(Due(away_since + ABSENCE_MAX - stand.away_used[side - 1], lapse, side))
    return min(comes, key=lambda each: each.at, default=None)


def spent(stand: Stand, *, at: datetime) -> timedelta:
    """How long the side on the clock has thought about this move by ``at``."""
    return stand.thought if stand.since is None else stand.thought + max(ZERO, at - stand.since)


def away_for(stand: Stand, side: Side, *, at: datetime) -> timedelta:
    """How long ``side`` has been away in this game by ``at``, all absences together (A-1)."""
    since, used = stand.away_since[side - 1], stand.away_used[side - 1]
    return used if since is None or stand.status is Status.PRICING else used + max(ZERO, at - since)


def is_closed_out(game: Game) -> bool:
    """Whether the side on turn cannot move whatever it throws: it waits on the bar before a closed board (B-6)."""
    return game.phase is Phase.TO_ROLL and game.position.bar > 0 and max(game.position.points[19:25]) <= -2
