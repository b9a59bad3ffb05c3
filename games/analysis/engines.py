"""Which engine is asked, and what (A-2, A-7)."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Final

from games.analysis import endgame
from games.analysis.analysis import Analysis
from games.analysis.bearoff import BearoffSolver
from games.analysis.endgame import is_endgame
from games.analysis.evaluator import Evaluator, NotCovered, NotToBeAnalysed, checked, checked_state, turned
from games.analysis.probabilities import Probabilities
from games.analysis.sage import Sage, is_installed
from games.rules.board import Position
from games.rules.ids import MatchState, write_position_id
from games.rules.scoring import win_of

ATTEMPTS_MAX: Final = 3
"""So often an engine is asked about a game that does not answer, and takes its worker with it."""
PATIENCE: Final = timedelta(minutes=2)
"""Who has not answered for so long is gone, and the engine is asked again."""

_SOLVER: Final = BearoffSolver()
_SAGE: Final = Sage()


def engine_for(position: Position, state: MatchState) -> Evaluator:
    """Our own exact solver where it covers the position, else the engine that is installed.

    Raises NotCovered where neither can say: that game waits for an operator, and is never split 50 : 50 (A-7).
    """
    if _SOLVER.covers(position, state):
        return _SOLVER
    if not is_installed():
        raise NotCovered("none", "the extra 'analysis' is not installed, and it is no bear-off (A-7)")
    if not _SAGE.covers(position, state):
        raise NotCovered(_SAGE.name, "a side is over 15 points away from the match (A-4)")
    return _SAGE


def analyse(*, position: Position, state: MatchState, engine: Evaluator | None = None) -> Analysis:
    """Ask ``engine``, or the one at hand, about a game that was left in ``position`` (A-2).

    Takes up to some seconds: not inside a database transaction. Raises NotToBeAnalysed, NotCovered.
    """
    checked(position)
    checked_state(state)
    if is_endgame(position) and not state.match_length:
        return _endgame(position, state)
    engine = engine or engine_for(position, state)
    asked = Analysis(
        position=position,
        state=state,
        engine=engine.name,
        version=engine.version,
        level=engine.level,
        evaluated=position,
    )
    if state.dice is None:
        return _with_figures(asked, engine, position, state)
    play = engine.best_play(position, state.dice, state)
    if play is not None and play.position.is_over:
        over = replace(asked, evaluated=play.position, play=str(play), won=win_of(play.position))
        return replace(over, match_chance=engine.match_chance(position, state)) if state.match_length else over
    after = (play.position if play else position).swapped()
    found = _with_figures(asked, engine, after, turned(state))
    # The chance in a match is told of the side on roll; the six of a money game stay the other side's.
    chance = None if found.match_chance is None else 1 - found.match_chance
    return replace(found, evaluated=after, swapped=True, play=str(play) if play else None, match_chance=chance)


def _with_figures(asked: Analysis, engine: Evaluator, position: Position, state: MatchState) -> Analysis:
    if state.match_length:
        return replace(asked, match_chance=engine.match_chance(position, state))
    return replace(asked, probabilities=engine.evaluate(position))


def _endgame(position: Position, state: MatchState) -> Analysis:
    """Nobody is asked: it is played out when it is priced. Before the dice the record shows its probabilities too."""
    return Analysis(
        position=position,
        state=state,
        engine=endgame.NAME,
        version=endgame.VERSION,
        level=endgame.LEVEL,
        evaluated=position,
        probabilities=None if state.dice else _SOLVER.evaluate(position),
    )


def given(*, position: Position, state: MatchState, probabilities: Probabilities) -> Analysis:
    """An analysis of a money game with probabilities that somebody names, of the side on roll, no dice thrown.

    Raises NotToBeAnalysed, also where nobody's probabilities are asked: an endgame is played out (A-3).
    """
    checked(position)
    checked_state(state)
    for field, value, rule in (
        ("match length", state.match_length, "is a match: its value is a chance to win it, not six (A-4)"),
        ("dice", state.dice, "are thrown: the six belong to the position after the best play of them (A-3)"),
        (
            "position",
            write_position_id(position) if is_endgame(position) else "",
            "has at most four checkers a side: it is played out exactly (A-3)",
        ),
    ):
        if value:
            raise NotToBeAnalysed(field=field, value=value, rule=rule)
    return Analysis(
        position=position,
        state=state,
        engine="given",
        version="",
        level="",
        evaluated=position,
        probabilities=probabilities,
    )


def chance_between_games(*, mine: int, theirs: int, crawford_played: bool) -> tuple[Decimal, Evaluator]:
    """The chance to win a match that was left between two games, and whose match equity table says so (A-4).

    ``mine`` and ``theirs`` are points away. Raises NotCovered without an engine, and beyond 15 points away.
    """
    if not is_installed():
        raise NotCovered("none", "the extra 'analysis' with its match equity table is not installed (A-7)")
    return _SAGE.match_chance_between(mine, theirs, crawford_played=crawford_played), _SAGE
