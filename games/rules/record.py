"""What a match record says: a header, and under each game's score line two columns of cells.

Nothing here is judged. ``record_reading`` fills these from text, ``record_writing`` turns them into text again, and
``replay`` asks the rules whether they are true.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from games.rules.endings import Win
from games.rules.notation import Path
from games.rules.sides import Side

AUTOMATIC_DOUBLES: Final = "AutomaticDoubles"
"""The key of the comment in which our own dialect tells a game's automatic doubles."""


class Said(StrEnum):
    """What a cell says."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    WINS = "wins"
    LOSES = "loses"
    RESIGNS = "resigns"
    LOSES_ON_TIME = "loses_on_time"


class After(StrEnum):
    """What stands behind a roll."""

    PLAY = "play"
    NOTHING = "nothing"
    """A dance or, when a result follows, a resignation after rolling."""
    CANNOT_MOVE = "cannot_move"
    NOT_RECORDED = "not_recorded"


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing ``side`` did, or one result in its column.

    ``number`` is the cube named by a double, or the points named by a result; None when none is named.
    ``win`` is the kind of win a result names, as in "Resigns gammon" or "Wins 4 points (gammon)".
    ``match`` tells that a result adds "and the match". ``line`` and ``text`` say where it stands; they do not
    count when records are compared.
    """

    side: Side
    said: Said
    dice: tuple[int, int] | None = None
    after: After | None = None
    paths: tuple[Path, ...] = ()
    number: int | None = None
    win: Win | None = None
    match: bool = False
    line: int = field(default=0, compare=False)
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first line of a game, or before a match's first game, that cannot be read."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game as recorded.

    ``score`` is the score before it, None when the score line is missing; ``automatic_doubles`` how often the
    opening throw doubled the cube (B-13), which only our own dialect tells. ``line`` is where the game begins,
    ``score_line`` where its score stands.
    """

    number: int
    names: tuple[str, str]
    score: tuple[int, int] | None
    cells: tuple[Cell, ...] = ()
    automatic_doubles: int = 0
    line: int = field(default=0, compare=False)
    score_line: int = field(default=0, compare=False)
    flaw: Flaw | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match or money session as recorded. ``length`` is the number before "point match", whatever it means;
    ``headers`` are the pairs of ``; [Key "Value"]``, in order. With a ``flaw`` nothing of the match counts."""

    length: int
    headers: tuple[tuple[str, str], ...] = ()
    games: tuple[GameRecord, ...] = ()
    line: int = field(default=0, compare=False)
    flaw: Flaw | None = field(default=None, compare=False)

    def header(self, key: str) -> str | None:
        """The first value of ``key``, however it is capitalised; None when the record does not say."""
        return next((value for name, value in self.headers if name.lower() == key.lower()), None)
