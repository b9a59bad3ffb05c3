"""What can be done in a game. An action is a value: who does what, with which dice; ``game`` says whether it may be."""

from dataclasses import dataclass
from enum import StrEnum

from games.rules.board import Position
from games.rules.endings import Win
from games.rules.sides import Side


class Concession(StrEnum):
    """What a side resigns: the game as one of the three wins, or the match whole (B-19)."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class OpeningThrow:
    """Each side's one die (B-2): side 1's, side 2's."""

    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Roll:
    """``side`` declines to double and throws ``dice``."""

    side: Side
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlayCheckers:
    """``side`` leaves the board as ``position``, seen by itself. A side that cannot move has nothing to do."""

    side: Side
    position: Position


@dataclass(frozen=True, slots=True)
class Double:
    side: Side


@dataclass(frozen=True, slots=True)
class Take:
    side: Side


@dataclass(frozen=True, slots=True)
class Pass:
    side: Side


@dataclass(frozen=True, slots=True)
class Beaver:
    side: Side


@dataclass(frozen=True, slots=True)
class AcceptBeaver:
    side: Side


@dataclass(frozen=True, slots=True)
class RefuseBeaver:
    side: Side


@dataclass(frozen=True, slots=True)
class OfferResignation:
    side: Side
    concession: Concession


@dataclass(frozen=True, slots=True)
class AcceptResignation:
    side: Side


@dataclass(frozen=True, slots=True)
class DeclineResignation:
    side: Side


@dataclass(frozen=True, slots=True)
class TimeOut:
    """``side`` has run out of time (B-15). ``win`` is the loss an analysis gives at least ½, where there is one."""

    side: Side
    win: Win = Win.SINGLE


Action = (
    OpeningThrow
    | Roll
    | PlayCheckers
    | Double
    | Take
    | Pass
    | Beaver
    | AcceptBeaver
    | RefuseBeaver
    | OfferResignation
    | AcceptResignation
    | DeclineResignation
    | TimeOut
)
