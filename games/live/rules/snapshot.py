"""A stand as JSON and back, equal: what is kept so that nobody has to replay a contest to go on with it.

Times are ISO texts, durations whole microseconds, a board its 26 points. What was agreed and the pace are the table's
and not in it.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from games.live.rules.pace import Pace
from games.live.rules.stand import Agreed, Stand, Status
from games.rules.actions import Concession
from games.rules.board import Position
from games.rules.clock import Clock
from games.rules.cube import Cube
from games.rules.endings import Ending, Outcome, Win
from games.rules.game import Game, Phase
from games.rules.plays import legal_plays
from games.rules.series import Series

_MICROSECOND: Final = timedelta(microseconds=1)


def to_json(stand: Stand) -> dict[str, Any]:
    """``stand`` as an object of JSON."""
    return {
        "status": stand.status.value,
        "number": stand.number,
        "needs": list(stand.game.terms.needs),
        "crawford_game": stand.game.terms.crawford_game,
        "score": list(stand.series.score),
        "crawford_played": stand.series.crawford_played,
        "game": _game_to_json(stand.game),
        "games": [outcome_to_json(outcome) for outcome in stand.games],
        "reserve": [_to_us(reserve) for reserve in stand.clock.reserve],
        "thought": _to_us(stand.thought),
        "since": _to_text(stand.since),
        "away_since": [_to_text(since) for since in stand.away_since],
        "away_used": [_to_us(used) for used in stand.away_used],
        "absent": list(stand.absent),
        "commitment": stand.commitment,
        "hashes": list(stand.hashes),
        "seeds": list(stand.seeds),
        "server_seed": stand.server_seed,
        "thrown": stand.thrown,
    }


def from_json(value: Mapping[str, Any], *, agreed: Agreed, pace: Pace) -> Stand:
    """The stand that ``value`` tells, at a table where this was agreed."""
    series = Series(
        length=agreed.match_length,
        score=_pair(value["score"]),
        crawford=agreed.crawford,
        crawford_played=value["crawford_played"],
    )
    first, second = (_from_us(us) for us in value["reserve"])
    return Stand(
        agreed=agreed,
        pace=pace,
        status=Status(value["status"]),
        number=value["number"],
        series=series,
        game=_game_from_json(value, agreed=agreed),
        clock=Clock(move=pace.new_clock().move, reserve=(first, second)),
        games=tuple(outcome_from_json(outcome) for outcome in value["games"]),
        thought=_from_us(value["thought"]),
        since=_from_text(value["since"]),
        away_since=_pair([_from_text(text) for text in value["away_since"]]),
        away_used=_pair([_from_us(us) for us in value["away_used"]]),
        absent=tuple(value["absent"]),
        commitment=value["commitment"],
        hashes=_pair(value["hashes"]),
        seeds=_pair(value["seeds"]),
        server_seed=value["server_seed"],
        thrown=value["thrown"],
    )


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as an object of JSON; ``win`` is null for a match given up whole."""
    return {
        "winner": outcome.winner,
        "win": outcome.win,
        "cube": outcome.cube,
        "points": outcome.points,
        "ending": outcome.ending.value,
    }


def outcome_from_json(value: Mapping[str, Any]) -> Outcome:
    """The outcome that ``value`` tells."""
    win = value["win"]
    return Outcome(
        winner=value["winner"],
        win=None if win is None else Win(win),
        cube=value["cube"],
        points=value["points"],
        ending=Ending(value["ending"]),
    )


def _game_to_json(game: Game) -> dict[str, Any]:
    return {
        "phase": game.phase.value,
        "turn": game.turn,
        "points": list(game.position.points),
        "cube": game.cube.value,
        "owner": game.cube.owner,
        "dice": None if game.dice is None else list(game.dice),
        "opening_turn": game.opening_turn,
        "automatic_doubles": game.automatic_doubles,
        "concession": game.concession,
        "declined": sorted(game.declined),
        "outcome": None if game.outcome is None else outcome_to_json(game.outcome),
    }


def _game_from_json(whole: Mapping[str, Any], *, agreed: Agreed) -> Game:
    value = whole["game"]
    # The terms of the game are those of the score before it, which the score after it no longer tells.
    before = Series(
        length=agreed.match_length,
        score=_pair([agreed.match_length - needs if agreed.match_length else 0 for needs in whole["needs"]]),
        crawford=agreed.crawford,
        crawford_played=not whole["crawford_game"],
    )
    position, dice = Position(tuple(value["points"])), value["dice"]
    phase = Phase(value["phase"])
    thrown = None if dice is None else _pair(dice)
    return Game(
        terms=agreed.terms(before),
        phase=phase,
        turn=value["turn"],
        position=position,
        cube=Cube(value=value["cube"], owner=value["owner"]),
        dice=thrown,
        opening_turn=value["opening_turn"],
        automatic_doubles=value["automatic_doubles"],
        concession=None if value["concession"] is None else Concession(value["concession"]),
        declined=frozenset(Concession(each) for each in value["declined"]),
        outcome=None if value["outcome"] is None else outcome_from_json(value["outcome"]),
        plays=tuple(legal_plays(position, thrown)) if phase is Phase.TO_PLAY and thrown is not None else (),
    )


def _to_us(duration: timedelta) -> int:
    return duration // _MICROSECOND


def _from_us(us: int) -> timedelta:
    return timedelta(microseconds=us)


def _to_text(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def _from_text(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _pair(values: Any) -> tuple[Any, Any]:
    first, second = values
    return first, second
