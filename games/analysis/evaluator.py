"""What the product asks an engine, whichever it is, and what it refuses to ask (A-2).

An engine is never trusted with a position that the rules do not know: some crash on one, the others answer.
"""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, Protocol

from games.analysis.probabilities import Probabilities
from games.rules.board import ImpossiblePosition, Position, check
from games.rules.cube import LIMIT
from games.rules.ids import MatchState
from games.rules.plays import Play, checked_dice


class NotToBeAnalysed(ValueError):
    """No engine is asked about this. ``field``, ``value`` and ``rule`` say what is wrong with it."""

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field}: {value} {rule}")
        self.field, self.value, self.rule = field, value, rule


class NotCovered(LookupError):
    """The engine named cannot say; another may, else an operator decides (A-7). ``reason`` says why."""

    def __init__(self, engine: str, reason: str) -> None:
        super().__init__(f"engine: {engine} does not cover this position: {reason}")
        self.engine, self.reason = engine, reason


class Evaluator(Protocol):
    """An engine. ``name``, ``version`` and ``level`` go into the record, so that anyone can ask it again (A-7).

    The same question always gets the same answer. What it is asked has been checked by ``checked`` and
    ``checked_state``; an implementation checks the position again, since it is the last to see it.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def level(self) -> str: ...

    def covers(self, position: Position, state: MatchState) -> bool:
        """Whether it can answer for this position."""
        ...

    def evaluate(self, position: Position) -> Probabilities:
        """The six probabilities for the side to roll, as if there were no cube. Raises NotToBeAnalysed, NotCovered."""
        ...

    def best_play(self, position: Position, dice: tuple[int, int], state: MatchState) -> Play | None:
        """The best of the plays our rules allow, None if there is none. Raises NotToBeAnalysed, NotCovered."""
        ...

    def match_chance(self, position: Position, state: MatchState) -> Decimal:
        """The chance of the side on roll to win the match, cube included, dice or an offer too if ``state`` has them.

        Raises NotToBeAnalysed, NotCovered (A-4).
        """
        ...


def checked(position: Position) -> Position:
    """The same position, if it is one of a game in progress. Raises NotToBeAnalysed."""
    if not isinstance(position, Position):
        raise NotToBeAnalysed(field="position", value=position, rule="is no board")
    try:
        check(position.points)
    except ImpossiblePosition as impossible:
        rule = f"{impossible.rule} (B-1)"
        raise NotToBeAnalysed(field=impossible.field, value=impossible.value, rule=rule) from None
    if position.is_over:
        raise NotToBeAnalysed(
            field="position",
            value=f"{position.borne_off} and {position.opponent_borne_off} borne off",
            rule="is over: one side has borne off all fifteen (B-8)",
        )
    return position


CUBES: Final = tuple(1 << power for power in range(LIMIT.bit_length()))
"""What a cube can show at our tables: 1 to 64."""


def checked_state(state: MatchState) -> MatchState:
    """The same state, if it is one of a game in progress at one of our tables. Raises NotToBeAnalysed."""
    if state.cube not in CUBES:
        raise NotToBeAnalysed(field="cube", value=state.cube, rule=f"is none of {', '.join(map(str, CUBES))} (B-9)")
    if state.cube_owner not in (-1, 0, 1) or (state.cube == 1 and state.cube_owner):
        rule = f"owns a cube at {state.cube} (B-9)"
        raise NotToBeAnalysed(field="cube owner", value=state.cube_owner, rule=rule)
    if state.stage != "playing" or state.resigning:
        rule = "is no game in progress; an offered resignation is withdrawn first (B-19)"
        raise NotToBeAnalysed(field="stage", value=state.stage, rule=rule)
    if state.dice is not None:
        checked_dice(state.dice)
    if state.offer is not None:
        _check_offer(state)
    if state.match_length:
        _check_match(state)
    return state


def _check_offer(state: MatchState) -> None:
    def refuse(rule: str) -> NotToBeAnalysed:
        return NotToBeAnalysed(field="offer", value=state.offer, rule=rule)

    if state.offer not in ("double", "beaver"):
        raise refuse("is no offer of the cube (B-9)")
    if state.dice is not None:
        raise refuse("comes before the dice are thrown, not after (B-9)")
    if state.cube_owner == -1:
        raise refuse("is not open to the side that does not own the cube (B-9)")
    if state.match_length == 1 or state.crawford:
        raise refuse("is not open in a game without a cube (B-9, B-12)")
    if state.offer == "beaver" and state.match_length:
        raise refuse("is open in money play only (B-10)")
    if state.cube * (2 if state.offer == "double" else 4) > limit_of(state):
        raise refuse(f"would carry the cube at {state.cube} past {limit_of(state)} (B-9, B-10)")


def _check_match(state: MatchState) -> None:
    score = f"{state.score}-{state.opponent_score}"
    if state.jacoby or state.beavers:
        rule = "is no money play, so there is no Jacoby and no beaver (B-10, B-11)"
        raise NotToBeAnalysed(field="match length", value=state.match_length, rule=rule)
    if min(state.score, state.opponent_score) < 0 or max(state.score, state.opponent_score) >= state.match_length:
        raise NotToBeAnalysed(field="score", value=score, rule=f"is none of a match to {state.match_length} (B-14)")
    if state.crawford and max(state.score, state.opponent_score) != state.match_length - 1:
        raise NotToBeAnalysed(field="score", value=score, rule="is not a point from the match: no Crawford game (B-12)")


def limit_of(state: MatchState) -> int:
    """How far the cube goes: the table's limit, and never beyond 64 (B-9)."""
    return min(LIMIT, state.cube_limit)


def turned(state: MatchState) -> MatchState:
    """``state`` as the other side sees it, on roll next with its dice still to be thrown."""
    return replace(
        state,
        turn=-1 if state.turn == 1 else 1,
        cube_owner=0 if state.cube_owner == 0 else -1 if state.cube_owner == 1 else 1,
        dice=None,
        offer=None,
        score=state.opponent_score,
        opponent_score=state.score,
    )


def money_equity(chances: Probabilities) -> Fraction:
    """Points a cube at 1 wins on average, without cube and cap: what plays are compared by."""
    one, two, three, minus_one, minus_two, minus_three = chances.shares
    return one + 2 * two + 3 * three - minus_one - 2 * minus_two - 3 * minus_three
