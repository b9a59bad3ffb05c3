"""What a game of a match costs the side whose time ran out: how many cubes, as an analysis finds it (B-15)."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final

from games.analysis import engines
from games.analysis.analysis import Analysis
from games.analysis.probabilities import NAMES, Probabilities
from games.rules import prospects
from games.rules.board import Position
from games.rules.cube import NO_CUBE
from games.rules.endings import Win
from games.rules.ids import MatchState, read_xgid, write_position_id, write_xgid

HALF: Final = Fraction(1, 2)


def lost(position: Position, chances: Probabilities | None = None) -> Win:
    """What the side that sees ``position`` loses, which is its turn: the dearest of the three losses that it suffers
    at least every second time by its ``chances``, and never less than is certain, which is all that counts without.
    """
    certain = prospects.at_least(position, to_move=True)
    if chances is None:
        return certain
    dearest_first = (Win.BACKGAMMON, Win.GAMMON, Win.SINGLE)
    at_least = accumulate(reversed(chances.shares[3:]))
    judged = next((win for win, chance in zip(dearest_first, at_least, strict=True) if chance >= HALF), Win.SINGLE)
    return max(certain, judged, key=lambda win: win.factor)


def analyse(*, position: Position, state: MatchState) -> dict[str, Any]:
    """Ask the engine at hand what the side to play has lost; the record of it, plain JSON, which ``again`` computes.

    The six are cubeless, so it is asked as of a game without a cube and a score. Takes up to some seconds: not inside a
    database transaction. Raises NotToBeAnalysed, NotCovered.
    """
    asked = MatchState(turn=state.turn, dice=state.dice, cube_limit=NO_CUBE)
    return record_of(engines.analyse(position=position, state=asked), state)


def record_of(found: Analysis, state: MatchState) -> dict[str, Any]:
    """The record of what was ``found`` about a game that stands as ``state`` says."""
    inputs = {
        "xgid": write_xgid(found.position, state),
        "engine": found.engine,
        "version": found.version,
        "level": found.level,
        "position_id": write_position_id(found.position),
        "play": found.play,
        "evaluated": write_position_id(found.evaluated),
        "swapped": found.swapped,
        "probabilities": None if found.probabilities is None else found.probabilities.as_dict(),
    }
    return {"rule": "B-15", "inputs": inputs, "win": _lost_by(inputs).value}


def again(record: Mapping[str, Any]) -> Win:
    """What ``record`` says was lost, computed from its inputs. Raises ValueError if it says otherwise."""
    win = _lost_by(record["inputs"])
    if win != record["win"]:
        raise ValueError(f"{record['win']} is told, a {win} follows")
    return win


def _lost_by(inputs: Mapping[str, Any]) -> Win:
    position, _ = read_xgid(inputs["xgid"])
    told = inputs["probabilities"]
    if told is None:
        return lost(position)
    six = Probabilities(*(Decimal(told[name]) for name in NAMES))
    # After a throw they are the other side's, which is on roll next.
    return lost(position, six.swapped() if inputs["swapped"] else six)
