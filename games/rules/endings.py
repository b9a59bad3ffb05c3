"""How a game ends: what kind of win, by which road, and the outcome every ending becomes."""

from dataclasses import dataclass
from enum import StrEnum

from games.rules.sides import Side


class Win(StrEnum):
    """The kind of a win (B-8). ``factor`` is its worth in cubes."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"

    @property
    def factor(self) -> int:
        """How often the cube counts: 1, 2 or 3 (B-8)."""
        return {Win.SINGLE: 1, Win.GAMMON: 2, Win.BACKGAMMON: 3}[self]


class Ending(StrEnum):
    """The road by which a game came to its end."""

    BORNE_OFF = "borne_off"
    DROPPED = "dropped"
    RESIGNED = "resigned"
    TIMED_OUT = "timed_out"
    ABANDONED = "abandoned"
    VOIDED = "voided"


class InconsistentOutcome(ValueError):
    """An outcome that no game can have."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won a game, how, and what for.

    ``points`` is cube times value with Jacoby applied, not clipped to what a match still needs (B-14 does that,
    when the score is added up). ``cube`` is the value the loser pays: after a pass the one before the offer.
    ``winner`` is None only for a voided game; ``win`` is None for a voided game and for a match given up whole
    (B-19), whose ``points`` are what the winner still needed.
    """

    winner: Side | None
    win: Win | None
    cube: int
    points: int
    ending: Ending

    def __post_init__(self) -> None:
        voided = self.ending is Ending.VOIDED
        if voided and (self.winner is not None or self.win is not None or self.points != 0):
            raise InconsistentOutcome("a voided game has no winner, no win and no points")
        if not voided and (self.winner not in (1, 2) or self.points < 1):
            raise InconsistentOutcome("a game that counts has a winner and at least one point")
        if self.win is None and self.ending not in (Ending.VOIDED, Ending.RESIGNED):
            raise InconsistentOutcome(f"a game that ends as {self.ending} has a kind of win")
        if self.cube < 1:
            raise InconsistentOutcome("a cube shows at least 1")


def voided(*, cube: int = 1) -> Outcome:
    """The outcome of a game that does not count: nobody won, no points (A-8)."""
    return Outcome(winner=None, win=None, cube=cube, points=0, ending=Ending.VOIDED)
