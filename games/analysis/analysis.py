"""What was asked of an engine about an abandoned game, and what it said: all that its price is computed from (A-7)."""

from dataclasses import dataclass
from decimal import Decimal

from games.analysis.probabilities import Probabilities
from games.rules.board import Position
from games.rules.endings import Win
from games.rules.ids import MatchState


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game as it was left, and an engine's word on it.

    ``position`` and ``state`` are as the side on roll sees them. If dice were thrown, ``play`` is the best play of
    them and ``evaluated`` the board after it as the other side sees it, on roll next; ``probabilities`` are then the
    other side's, and ``swapped`` is true. If that play ended the game, ``won`` is its win and nothing was left to ask.
    ``probabilities`` are a money game's, ``match_chance`` is that of the side on roll to win the match (A-4). A money
    game of the last few checkers may have neither: it is played out when it is priced (A-3).
    """

    position: Position
    state: MatchState
    engine: str
    version: str
    level: str
    evaluated: Position
    swapped: bool = False
    play: str | None = None
    won: Win | None = None
    probabilities: Probabilities | None = None
    match_chance: Decimal | None = None
