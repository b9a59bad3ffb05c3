"""What a win is worth (B-8, B-11)."""

import pytest

from games.rules.board import OPENING, Position
from games.rules.endings import Ending, InconsistentOutcome, Outcome, Win, voided
from games.rules.scoring import NobodyHasWon, points_won, win_of


def finished(**loser: int) -> Position:
    """A board on which the mover has borne off everything; the loser's checkers as ``p3=2`` or ``bar=1``."""
    points = [0] * 26
    for name, count in loser.items():
        points[0 if name == "bar" else int(name[1:])] = -count
    return Position(tuple(points))


@pytest.mark.parametrize(
    ("loser", "win"),
    [
        ({"p20": 14}, Win.SINGLE),
        ({"p20": 15}, Win.GAMMON),
        ({"p7": 1, "p20": 14}, Win.GAMMON),
        ({"p6": 1, "p20": 14}, Win.BACKGAMMON),
        ({"p1": 1, "p20": 14}, Win.BACKGAMMON),
        ({"bar": 1, "p20": 14}, Win.BACKGAMMON),
        # A checker borne off never comes back: hit afterwards and left on the bar, it is still a single game.
        ({"bar": 1, "p20": 13}, Win.SINGLE),
    ],
)
def test_the_kind_of_a_win_is_read_from_the_board_b_8(loser: dict[str, int], win: Win) -> None:
    assert win_of(finished(**loser)) is win


def test_a_game_still_played_has_no_win_b_8() -> None:
    with pytest.raises(NobodyHasWon):
        win_of(OPENING)


@pytest.mark.parametrize(
    ("win", "cube", "turned", "jacoby", "points"),
    [
        (Win.SINGLE, 1, False, False, 1),
        (Win.GAMMON, 1, False, False, 2),  # cases 48: a gammon counts twice
        (Win.BACKGAMMON, 1, False, False, 3),
        (Win.GAMMON, 2, True, False, 4),  # cases 49: the gammon on a cube of 2
        (Win.BACKGAMMON, 64, True, False, 192),  # cases 50: the dearest game
        (Win.GAMMON, 1, False, True, 1),
        (Win.BACKGAMMON, 1, False, True, 1),
        (Win.GAMMON, 2, True, True, 4),
        (Win.GAMMON, 4, False, True, 4),  # two automatic doubles do not switch Jacoby off
    ],
)
def test_points_are_cube_times_value_b_8_b_11(win: Win, cube: int, turned: bool, jacoby: bool, points: int) -> None:
    assert points_won(win=win, cube=cube, cube_turned=turned, jacoby=jacoby) == points


def test_a_voided_game_has_no_winner_and_no_points() -> None:
    outcome = voided(cube=4)
    assert (outcome.winner, outcome.win, outcome.points, outcome.ending) == (None, None, 0, Ending.VOIDED)


@pytest.mark.parametrize(
    "outcome",
    [
        {"winner": None, "win": Win.SINGLE, "cube": 1, "points": 1, "ending": Ending.BORNE_OFF},
        {"winner": 1, "win": None, "cube": 1, "points": 1, "ending": Ending.BORNE_OFF},
        {"winner": 1, "win": Win.SINGLE, "cube": 1, "points": 0, "ending": Ending.DROPPED},
        {"winner": 1, "win": Win.SINGLE, "cube": 0, "points": 1, "ending": Ending.DROPPED},
        {"winner": 1, "win": None, "cube": 1, "points": 0, "ending": Ending.VOIDED},
        {"winner": 3, "win": Win.SINGLE, "cube": 1, "points": 1, "ending": Ending.DROPPED},
    ],
)
def test_an_outcome_that_no_game_has_is_refused(outcome: dict[str, object]) -> None:
    with pytest.raises(InconsistentOutcome):
        Outcome(**outcome)  # type: ignore[arg-type]
