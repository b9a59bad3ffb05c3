"""What no engine is asked, and what happens without one (A-2, A-7)."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from games.analysis import engines
from games.analysis.engines import analyse, chance_between_games, given
from games.analysis.evaluator import NotCovered, NotToBeAnalysed, checked, checked_state, turned
from games.analysis.probabilities import Probabilities
from games.analysis.sage import Sage
from games.rules.board import OPENING, Position
from games.rules.cube import NO_CUBE
from games.rules.ids import MatchState
from tests.analysis.homes import bear_off

SIX = Probabilities(*map(Decimal, ("0.4", "0.3", "0", "0.3", "0", "0")))
MATCH = MatchState(match_length=5, score=2, opponent_score=4)


def test_a_position_is_checked_again_wherever_it_came_from() -> None:
    assert checked(OPENING) is OPENING
    crowded = Position.trusted((0, *[2] * 10, *[0] * 14, 0))
    with pytest.raises(NotToBeAnalysed, match="over 15 checkers"):
        checked(crowded)
    with pytest.raises(NotToBeAnalysed, match="is over"):
        checked(bear_off([1], []))
    with pytest.raises(NotToBeAnalysed, match="no board"):
        checked(OPENING.points)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "field"),
    [
        (MatchState(cube=128, cube_owner=1), "cube"),
        (MatchState(cube=3), "cube"),
        (MatchState(cube=1, cube_owner=1), "cube owner"),
        (MatchState(resigning=1), "stage"),
        (MatchState(stage="over"), "stage"),
        (MatchState(cube=2, cube_owner=-1, offer="double"), "offer"),
        (MatchState(dice=(3, 1), offer="double"), "offer"),
        (MatchState(cube=64, cube_owner=1, offer="double"), "offer"),
        (MatchState(cube=32, cube_owner=1, offer="beaver"), "offer"),
        (MatchState(cube=4, cube_owner=1, cube_limit=4, offer="double"), "offer"),
        (replace(MATCH, crawford=True, offer="double"), "offer"),
        (MatchState(match_length=1, offer="double"), "offer"),
        (replace(MATCH, offer="beaver"), "offer"),
        (replace(MATCH, jacoby=True), "match length"),
        (replace(MATCH, score=5), "score"),
        (replace(MATCH, score=-1), "score"),
        (MatchState(match_length=5, score=2, crawford=True), "score"),
    ],
)
def test_a_state_that_no_table_knows_is_refused_by_name(state: MatchState, field: str) -> None:
    with pytest.raises(NotToBeAnalysed) as refused:
        checked_state(state)
    assert refused.value.field == field
    with pytest.raises(NotToBeAnalysed):
        analyse(position=bear_off([1], [1]), state=state)


def test_a_match_without_a_cube_is_not_the_engines_but_for_its_last_game() -> None:
    """A-4: its match equity table is of matches with a cube."""
    engine = Sage()
    assert not engine.covers(OPENING, replace(MATCH, cube_limit=NO_CUBE))
    assert engine.covers(OPENING, replace(MATCH, score=4, cube_limit=NO_CUBE))
    assert engine.covers(OPENING, MatchState(cube_limit=NO_CUBE))


def test_a_state_is_turned_with_the_board() -> None:
    state = replace(MATCH, cube=2, cube_owner=1, dice=(3, 1))
    assert turned(state) == replace(state, turn=-1, cube_owner=-1, dice=None, score=4, opponent_score=2)
    assert replace(turned(turned(state)), dice=(3, 1)) == state


@pytest.mark.parametrize(
    ("position", "state", "field"),
    [
        (OPENING, MATCH, "match length"),
        (OPENING, MatchState(dice=(3, 1)), "dice"),
        (bear_off([6], [1]), MatchState(), "position"),
    ],
)
def test_given_probabilities_are_refused_where_they_are_not_what_is_asked(
    position: Position, state: MatchState, field: str
) -> None:
    assert given(position=OPENING, state=MatchState(), probabilities=SIX).probabilities == SIX
    with pytest.raises(NotToBeAnalysed) as refused:
        given(position=position, state=state, probabilities=SIX)
    assert refused.value.field == field


@pytest.fixture
def _no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "is_installed", lambda: False)


@pytest.mark.usefixtures("_no_engine")
def test_without_an_engine_our_solver_says_what_it_can_and_the_rest_waits_a_7() -> None:
    found = analyse(position=bear_off([6] * 5, [1] * 5), state=MatchState())
    assert (found.engine, found.level) == ("bearoff", "exact, one-sided")
    assert analyse(position=bear_off([6], [1]), state=MatchState()).engine == "endgame"
    questions: list[dict[str, Any]] = [
        {"position": OPENING, "state": MatchState()},
        {"position": bear_off([6], [1]), "state": MATCH},
    ]
    for question in questions:
        with pytest.raises(NotCovered, match="not installed"):
            analyse(**question)
    with pytest.raises(NotCovered, match="not installed"):
        chance_between_games(mine=3, theirs=3, crawford_played=False)


def test_dice_of_a_long_bear_off_are_played_by_the_solver() -> None:
    found = analyse(position=bear_off([6, 3, 2, 1, 1], [1] * 5), state=MatchState(dice=(6, 3)))
    assert (found.play, found.swapped) == ("6/off 3/off", True)
    assert found.evaluated == bear_off([1] * 5, [2, 1, 1])
    ended = analyse(position=bear_off([1] * 4, [1] * 5), state=MatchState(dice=(3, 3)))
    assert (ended.won, ended.probabilities) == ("single", None)
