"""A match: the score, who needs what, which game is the Crawford game, and when it is won (B-12, B-14)."""

from dataclasses import dataclass, field, replace
from typing import Final

from games.rules.endings import Outcome
from games.rules.refusals import RuleBroken
from games.rules.sides import SIDES, Side

LENGTH_MAX: Final = 25
"""The longest match at our tables (B-14). Records of other rooms may be longer."""


class ImpossibleLength(RuleBroken):
    """No such match is played here."""

    rule = "B-14"
    reason = "a match goes to 1 to 25 points ({detail})"


class ImpossibleScore(RuleBroken):
    """A score that a running match cannot show."""

    rule = "B-14"
    reason = "no running match has this score ({detail})"


class SeriesOver(RuleBroken):
    """The match has been won; no further game counts."""

    rule = "B-14"
    reason = "the match is already won"


@dataclass(frozen=True, slots=True)
class Series:
    """A match to ``length`` points: the score and whether its Crawford game has been played.

    ``length`` 0 is a money session: the score is added up and nobody ever wins it. ``crawford`` is the option of
    B-12, ``crawford_played`` tells that the one game without a cube is over.
    """

    length: int
    score: tuple[int, int] = (0, 0)
    crawford: bool = True
    crawford_played: bool = field(default=False)

    def __post_init__(self) -> None:
        if self.length < 0:
            raise ImpossibleLength(str(self.length))
        if min(self.score) < 0 or (self.length and min(self.score) >= self.length):
            raise ImpossibleScore(f"{self.score[0]} : {self.score[1]} to {self.length}")

    @property
    def winner(self) -> Side | None:
        """The side that has reached the length; None while nobody has, and always in money play."""
        reached = [side for side in SIDES if self.length and self.score[side - 1] >= self.length]
        return reached[0] if reached else None

    # B-14: First to the length wins; points beyond it do not count.
    def needs(self, side: Side) -> int:
        """Points ``side`` is still short of the length; 0 when it has them, and in money play (B-14)."""
        return max(0, self.length - self.score[side - 1]) if self.length else 0

    # B-12: Crawford (matches): the first game after either side comes within one point of the match is played
    # with no cube; after it the cube is back.
    @property
    def is_crawford_game(self) -> bool:
        """Whether the game about to be played is the one without a cube (B-12)."""
        one_away = any(self.needs(side) == 1 for side in SIDES)
        return self.crawford and self.length > 1 and one_away and not self.crawford_played and self.winner is None


def match_to(length: int, *, crawford: bool = True) -> Series:
    """A new match at our tables, nil all. Raises ImpossibleLength outside 1 to 25 (B-14)."""
    if not 1 <= length <= LENGTH_MAX:
        raise ImpossibleLength(str(length))
    return Series(length=length, crawford=crawford)


def after(series: Series, outcome: Outcome) -> Series:
    """The match after a game. Points beyond the length do not count (B-14); a voided game changes nothing.

    Raises SeriesOver when the match had been won before.
    """
    if series.winner is not None:
        raise SeriesOver
    if outcome.winner is None:
        return series
    won = outcome.points if not series.length else min(outcome.points, series.needs(outcome.winner))
    first, second = series.score
    score = (first + won, second) if outcome.winner == 1 else (first, second + won)
    played = series.crawford_played or series.is_crawford_game
    return replace(series, score=score, crawford_played=played)
