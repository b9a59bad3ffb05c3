"""How the machine plays (B-17): which of the legal plays, when to double, what to answer. Named strengths.

Open Sage compares plays at one ply in a millisecond; a strength looks deeper, or errs by a noise. Without the engine a
plain way of our own is taken: it races, makes points, and leaves few blots within reach.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, Protocol

from games.analysis.evaluator import turned
from games.analysis.sage import AWAY_MAX, CANDIDATES, CLOSE_ENOUGH, is_installed
from games.rules.board import BAR, OFF, Position
from games.rules.ids import MatchState
from games.rules.plays import Play

Level = Literal["1ply", "2ply"]


@dataclass(frozen=True, slots=True)
class Strength:
    """``level`` is how deep it looks, ``noise`` the standard deviation of its error in points a cube at 1."""

    name: str
    level: Level
    noise: float


STRENGTHS: Final = {
    strength.name: strength
    for strength in (
        Strength("novice", "1ply", 0.25),
        Strength("club", "1ply", 0.08),
        Strength("expert", "1ply", 0.0),
        Strength("master", "2ply", 0.0),
    )
}


class Judge(Protocol):
    """Figures that decisions are taken by: points that the side seeing the position wins, a cube at 1."""

    def after(self, play: Play, state: MatchState, *, level: Level) -> float:
        """What the mover has after ``play``."""
        ...

    def cube(self, position: Position, state: MatchState) -> tuple[float, float, float]:
        """Without a double, with one that is taken, with one that is passed."""
        ...


def choose_play(plays: Sequence[Play], state: MatchState, strength: Strength, chance: random.Random) -> Play:
    """One of ``plays``, which are not none; ``state`` is as the mover sees it."""
    for play in plays:
        if play.position.is_over:
            return play
    judge = _judge()
    found = [(judge.after(play, state, level="1ply") + chance.gauss(0, strength.noise), play) for play in plays]
    found.sort(key=lambda pair: (-pair[0], pair[1].position.points))
    if strength.level == "1ply" or len(found) == 1:
        return found[0][1]
    near = [play for value, play in found if found[0][0] - value < CLOSE_ENOUGH][:CANDIDATES]
    return max(near, key=lambda play: judge.after(play, state, level=strength.level))


def doubles(position: Position, state: MatchState, strength: Strength, chance: random.Random) -> bool:
    """Whether the side to roll, which may double, does."""
    undoubled, taken, passed = _judge().cube(position, state)
    return min(taken, passed) + chance.gauss(0, strength.noise / 3) > undoubled


def takes(position: Position, state: MatchState, strength: Strength, chance: random.Random) -> bool:
    """Whether the other side takes the double of the side to roll, which ``position`` is seen by."""
    _, taken, passed = _judge().cube(position, state)
    return taken + chance.gauss(0, strength.noise / 3) <= passed


def beavers(position: Position, state: MatchState) -> bool:
    """Whether the other side, which may, beavers: it would rather have the cube at four times."""
    _, taken, _ = _judge().cube(position, state)
    return taken < 0


def accepts_resignation(position: Position, state: MatchState, *, factor: int) -> bool:
    """Whether the other side is content with ``factor`` cubes from the side to roll."""
    undoubled, _, _ = _judge().cube(position, state)
    return -undoubled <= factor


@cache
def _judge() -> Judge:
    return _Sage() if is_installed() else _Plain()


class _Sage:
    """By the engine."""

    def after(self, play: Play, state: MatchState, *, level: Level) -> float:
        context = _context(state)
        if level == "1ply":
            quick = _analyzer("1ply").post_move_analytics(_board(play.position), **context, jacoby=state.jacoby)
            return float(quick.cubeful_equity)
        other = turned(state)
        found = _analyzer(level).cube_action(
            _board(play.position.swapped()), **_context(other), jacoby=other.jacoby, beaver=other.beavers
        )
        return -float(found.optimal_equity)

    def cube(self, position: Position, state: MatchState) -> tuple[float, float, float]:
        found = _analyzer("2ply").cube_action(
            _board(position), **_context(state), jacoby=state.jacoby, beaver=state.beavers
        )
        return float(found.equity_nd), float(found.equity_dt), float(found.equity_dp)


class _Plain:
    """By pips, points and blots, no engine: weak, and never stuck."""

    def after(self, play: Play, state: MatchState, *, level: Level) -> float:
        return _standing(play.position)

    def cube(self, position: Position, state: MatchState) -> tuple[float, float, float]:
        # Some chance of gammons aside, a lead of eight per cent in pips is a double, of twelve a pass.
        lead = (position.opponent_pips - position.pips) / max(position.pips, 1)
        undoubled = max(-1.0, min(1.0, lead * 6))
        return undoubled, undoubled + (lead - 0.08) * 6, 1.0


def _standing(position: Position) -> float:
    """How well the mover stands after its play, in some hundredths of a pip race."""
    mine = position.points
    value = (position.opponent_pips - position.pips) / 100 + position.borne_off / 10
    for point in range(1, BAR):
        count = mine[point]
        if count >= 2:
            value += 0.12 if 4 <= point <= 8 or 18 <= point <= 22 else 0.03
        elif count == 1:
            shots = sum(1 for away in range(1, 12) if point - away >= OFF and mine[point - away] < 0)
            value -= 0.05 * shots * (25 - point) / 12
    return value + 0.2 * position.opponent_bar


@cache
def _analyzer(level: Level) -> Any:
    from bgsage import BgBotAnalyzer

    return BgBotAnalyzer(eval_level=level, parallel_threads=1)


def _board(position: Position) -> list[int]:
    return [-position.points[OFF], *position.points[1:]]


def _context(state: MatchState) -> dict[str, Any]:
    mine, theirs = state.match_length - state.score, state.match_length - state.opponent_score
    if max(mine, theirs) > AWAY_MAX:
        mine = theirs = 0  # so far away a match is played as money is
    return {
        "cube_value": state.cube,
        "cube_owner": {1: "player", 0: "centered", -1: "opponent"}[state.cube_owner],
        "away1": mine,
        "away2": theirs,
        "is_crawford": state.crawford and bool(mine),
    }
