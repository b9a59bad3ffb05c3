"""What a position still allows, and what it makes certain (B-15, B-19)."""

import pytest

from games.rules.board import OPENING, Position
from games.rules.endings import Win
from games.rules.prospects import at_least, at_most


def board(mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """``mine`` by my points, ``theirs`` by theirs; 25 is the bar."""
    points = [0] * 26
    for point, count in mine.items():
        points[point] += count
    for point, count in theirs.items():
        points[25 - point] -= count
    return Position(tuple(points))


@pytest.mark.parametrize(
    ("mine", "theirs", "dearest"),
    [
        ({6: 14}, {25: 1, 1: 3}, Win.SINGLE),  # one is off: hit or not, no gammon any more
        ({7: 1, 6: 14}, {1: 3}, Win.GAMMON),
        ({19: 1, 6: 14}, {1: 3}, Win.BACKGAMMON),  # in the other's home, though nobody can hit it
        ({18: 1, 6: 14}, {1: 3}, Win.GAMMON),  # past it
        ({18: 1, 6: 14}, {8: 1, 1: 3}, Win.BACKGAMMON),  # it can be hit and brought back
        ({6: 15}, {25: 1, 1: 3}, Win.BACKGAMMON),
    ],
)
def test_the_dearest_loss_is_read_from_the_board_b_19(
    mine: dict[int, int], theirs: dict[int, int], dearest: Win
) -> None:
    assert at_most(board(mine, theirs)) is dearest


def test_anything_can_still_happen_at_the_opening() -> None:
    assert at_most(OPENING) is Win.BACKGAMMON
    assert at_least(OPENING, to_move=True) is Win.SINGLE


@pytest.mark.parametrize(
    ("mine", "theirs", "to_move", "certain"),
    [
        # The other needs one more turn; I cannot bring five checkers home and bear one off in this one.
        ({18: 5, 6: 10}, {1: 2}, True, Win.GAMMON),
        # 24 pips bring the last four home, but none of them off.
        ({12: 4, 6: 11}, {1: 2}, True, Win.GAMMON),
        ({11: 4, 6: 11}, {1: 2}, True, Win.SINGLE),
        # Not my turn: the other has finished before I move.
        ({11: 4, 6: 11}, {1: 2}, False, Win.GAMMON),
        ({6: 15}, {1: 2}, False, Win.GAMMON),
        ({6: 14}, {1: 2}, False, Win.SINGLE),
        # 3-1 would do for two checkers on 3 and 1, 2-1 would not: two turns.
        ({6: 15}, {3: 1, 1: 1}, False, Win.SINGLE),
        # Five checkers deep in the other's home cannot all leave it in one turn (25 pips); four can.
        ({23: 5, 6: 10}, {1: 2}, True, Win.BACKGAMMON),
        ({23: 4, 6: 11}, {1: 2}, True, Win.GAMMON),
        ({23: 4, 6: 11}, {1: 2}, False, Win.BACKGAMMON),
    ],
)
def test_what_is_certain_counts_the_turns_that_are_left_b_15(
    mine: dict[int, int], theirs: dict[int, int], to_move: bool, certain: Win
) -> None:
    assert at_least(board(mine, theirs), to_move=to_move) is certain
