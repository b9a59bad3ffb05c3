"""The board refuses what no game can show, and both sides see the same one."""

import pytest
from hypothesis import given

from games.rules.board import OPENING, ImpossiblePosition, Position
from games.rules.drawing import draw
from tests.games.boards import board, positions


def test_the_opening_is_b1_for_both_sides() -> None:
    assert {point: count for point, count in enumerate(OPENING.points) if count > 0} == {24: 2, 13: 5, 8: 3, 6: 5}
    assert OPENING.swapped() == OPENING
    assert OPENING.pips == OPENING.opponent_pips == 167


def test_checkers_missing_from_the_board_are_borne_off() -> None:
    position = board(mine={6: 2, 25: 1}, theirs={24: 3, 0: 2})
    assert (position.borne_off, position.opponent_borne_off) == (12, 10)
    assert (position.bar, position.opponent_bar) == (1, 2)
    assert (position.pips, position.opponent_pips) == (37, 53)


@pytest.mark.parametrize(
    ("mine", "theirs", "over"), [({1: 1}, {24: 1}, False), ({}, {24: 1}, True), ({1: 1}, {}, True)]
)
def test_a_game_is_over_when_one_side_is_off(mine: dict[int, int], theirs: dict[int, int], over: bool) -> None:
    assert board(mine=mine, theirs=theirs).is_over is over


CLOSED = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}
THEIR_CLOSED = {25 - point: 2 for point in CLOSED}


@pytest.mark.parametrize(
    ("points", "field"),
    [
        ((0,) * 25, "points"),
        ((0,) * 26, "points"),
        ((0, 16, -1, *(0,) * 23), "mover"),
        ((0, -9, -7, 1, *(0,) * 22), "opponent"),
        ((0, 1, -1, *(0,) * 22, -1), "bar"),
        ((1, 1, -1, *(0,) * 23), "opponent's bar"),
        ((0, 1.0, -1, *(0,) * 23), "point 1"),
        ((0, True, -1, *(0,) * 23), "point 1"),
    ],
)
def test_an_impossible_board_is_refused_with_its_field(points: tuple[int, ...], field: str) -> None:
    with pytest.raises(ImpossiblePosition) as refusal:
        Position(points)
    assert refusal.value.field == field


def test_both_sides_on_the_bar_before_closed_boards_is_refused() -> None:
    assert board(mine=CLOSED | {25: 1}, theirs=THEIR_CLOSED).bar == 1
    with pytest.raises(ImpossiblePosition, match="closed boards"):
        board(mine=CLOSED | {25: 1}, theirs=THEIR_CLOSED | {0: 1})


@given(positions())
def test_swapped_twice_is_the_same_board(position: Position) -> None:
    other = position.swapped()
    assert other.swapped() == position
    assert (other.pips, other.bar, other.borne_off) == (
        position.opponent_pips,
        position.opponent_bar,
        position.opponent_borne_off,
    )


def test_the_drawing_shows_every_checker() -> None:
    drawn = draw(board(mine={25: 2, 6: 7, 13: 1}, theirs={0: 1, 20: 5}))
    assert drawn == (
        "+-13-14-15-16-17-18------19-20-21-22-23-24+\n"
        "| X                | O |    O             |  O: 50 pips, 9 off\n"
        "|                  |   |    O             |\n"
        "|                  |   |    O             |\n"
        "|                  |   |    O             |\n"
        "|                  |   |    O             |\n"
        "|                  |BAR|                  |\n"
        "|                  |   | 7                |\n"
        "|                  |   | X                |\n"
        "|                  |   | X                |\n"
        "|                  | X | X                |\n"
        "|                  | X | X                |  X: 105 pips, 5 off\n"
        "+-12-11-10-9--8--7-------6--5--4--3--2--1-+"
    )
