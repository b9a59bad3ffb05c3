"""Open Sage (the package ``bgsage``) as our engine, at three plies. It comes with the extra ``analysis``.

It has nets for contact and races, a bear-off table and a match equity table (Kazaross-XG2), all inside the package, and
answers the same question the same way however many threads it uses. It plays by its own rules and checks no position:
it is asked only about checked ones, and chooses only among the plays our rules allow.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Final

from games.analysis.evaluator import NotCovered, checked, turned
from games.analysis.probabilities import PLACES, Probabilities, measured
from games.rules.board import OFF, Position
from games.rules.cube import NO_CUBE
from games.rules.ids import MatchState
from games.rules.plays import Play, legal_plays
from games.rules.scoring import win_of

AWAY_MAX: Final = 15
"""Points away up to which its match equity table is verified (A-4). Further away it answers all the same, wrongly."""

CLOSE_ENOUGH: Final = 0.08
CANDIDATES: Final = 5
"""Of the plays that one ply puts within so much of the best, at most so many are looked at three plies deep."""

THREADS: Final = 2

_OWNERS: Final = {1: "player", 0: "centered", -1: "opponent"}


def is_installed() -> bool:
    """Whether the package is there, without loading it."""
    return importlib.util.find_spec("bgsage") is not None


class Sage:
    """The engine. It loads on the first question (a third of a second); make it in the process that asks."""

    name: ClassVar[str] = "bgsage"
    level: ClassVar[str] = "3-ply"

    @cached_property
    def version(self) -> str:
        """The package's."""
        return importlib.metadata.version("bgsage")

    def covers(self, position: Position, state: MatchState) -> bool:
        """Every position; matches up to 15 points away (A-4), without a cube those of which the last game is played."""
        return max(_needs(state)) <= (1 if state.cube_limit == NO_CUBE else AWAY_MAX)

    def evaluate(self, position: Position) -> Probabilities:
        """The six probabilities of the side to roll, cubeless. Raises NotToBeAnalysed."""
        checked(position)
        found = self._deep.cube_action(_board(position), 1, "centered", jacoby=False, beaver=False).probs
        # It tells "gammon or better": one sort of win is what is left after the dearer ones.
        return measured(
            [
                found.win - found.gammon_win,
                found.gammon_win - found.backgammon_win,
                found.backgammon_win,
                1 - found.win - found.gammon_loss,
                found.gammon_loss - found.backgammon_loss,
                found.backgammon_loss,
            ]
        )

    def best_play(self, position: Position, dice: tuple[int, int], state: MatchState) -> Play | None:
        """The legal play after which the other side, its cube right included, has least; None if there is none.

        Of equals the one that is better without the cube, then the first in the order of the boards.
        Raises NotToBeAnalysed.
        """
        checked(position)
        plays = legal_plays(position, dice)
        for play in plays:
            if play.position.is_over:
                return play
        if len(plays) < 2:
            return plays[0] if plays else None
        context = {**_context(state), "jacoby": state.jacoby}
        quick = [(self._quick.post_move_analytics(_board(play.position), **context), play) for play in plays]
        worth = attrgetter("cubeless_equity" if state.cube_limit == NO_CUBE else "cubeful_equity")
        quick.sort(key=lambda found: (-worth(found[0]), -found[0].cubeless_equity, found[1].position.points))
        best = worth(quick[0][0])
        near = [play for found, play in quick if best - worth(found) < CLOSE_ENOUGH][:CANDIDATES]
        return near[0] if len(near) == 1 else min(near, key=lambda play: self._left_to_other(play, state))

    def match_chance(self, position: Position, state: MatchState) -> Decimal:
        """The chance of the side on roll to win the match, dice or an offered double included (A-4).

        Raises NotToBeAnalysed, NotCovered.
        """
        checked(position)
        if not self.covers(position, state):
            rule = f"its match equity table is of matches with a cube, verified to {AWAY_MAX} points away (A-4)"
            raise NotCovered(self.name, rule)
        if state.dice is None:
            return _chance(self._chance_to_roll(position, state))
        play = self.best_play(position, state.dice, state)
        if play is not None and play.position.is_over:
            points = win_of(play.position).factor * state.cube
            mine, theirs = _needs(state)
            return self.match_chance_between(
                mine - points, theirs, crawford_played=state.crawford or min(mine, theirs) == 1
            )
        after = (play.position if play else position).swapped()
        return 1 - self.match_chance(after, turned(state))

    def match_chance_between(self, mine: int, theirs: int, *, crawford_played: bool) -> Decimal:
        """The chance to win a match in which one side is ``mine`` and the other ``theirs`` away: the table alone (A-4).

        ``crawford_played`` matters where a side is one away. Raises NotCovered beyond 15 points away.
        """
        if max(mine, theirs) > AWAY_MAX:
            raise NotCovered(self.name, f"its match equity table is verified to {AWAY_MAX} points away (A-4)")
        assert mine > 0 or theirs > 0, "both sides have won"
        if mine <= 0 or theirs <= 0:
            return Decimal(mine <= 0)
        # Its third argument means "in the Crawford game", hence the table after it.
        return _chance(self._core.get_met(mine, theirs, crawford_played))

    def _chance_to_roll(self, position: Position, state: MatchState) -> float:
        found = self._deep.cube_action(_board(position), **_context(state))
        equity = min(found.equity_dt, found.equity_dp) if state.offer else found.optimal_equity
        mine, theirs = _needs(state)
        chance: float = self._core.eq2mwc(equity, mine, theirs, state.cube, state.crawford)
        return chance

    def _left_to_other(self, play: Play, state: MatchState) -> tuple[float, float, tuple[int, ...]]:
        other = turned(state)
        found = self._deep.cube_action(
            _board(play.position.swapped()), **_context(other), jacoby=other.jacoby, beaver=other.beavers
        )
        equity = found.cubeless_equity if state.cube_limit == NO_CUBE else found.optimal_equity
        return equity, found.cubeless_equity, play.position.points

    @cached_property
    def _deep(self) -> Any:
        from bgsage import BgBotAnalyzer

        return BgBotAnalyzer(eval_level="3ply", parallel_threads=THREADS)

    @cached_property
    def _quick(self) -> Any:
        from bgsage import BgBotAnalyzer

        return BgBotAnalyzer(eval_level="1ply")

    @cached_property
    def _core(self) -> Any:
        import bgbot_cpp

        return bgbot_cpp


def _board(position: Position) -> Sequence[int]:
    # Its board is ours, but for the opponent's bar, which it counts upwards.
    return [-position.points[OFF], *position.points[1:]]


def _needs(state: MatchState) -> tuple[int, int]:
    if not state.match_length:
        return 0, 0
    return state.match_length - state.score, state.match_length - state.opponent_score


def _context(state: MatchState) -> dict[str, Any]:
    mine, theirs = _needs(state)
    return {
        "cube_value": state.cube,
        "cube_owner": _OWNERS[state.cube_owner],
        "away1": mine,
        "away2": theirs,
        "is_crawford": state.crawford,
    }


def _chance(value: float) -> Decimal:
    return Decimal(min(max(value, 0.0), 1.0)).quantize(Decimal(1).scaleb(-PLACES))
