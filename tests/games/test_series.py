"""Matches: score, Crawford, end (B-12, B-14)."""

import pytest

from games.rules.endings import Ending, Outcome, Win, voided
from games.rules.series import ImpossibleLength, ImpossibleScore, Series, SeriesOver, after, match_to
from games.rules.sides import Side


def won(winner: Side, points: int = 1) -> Outcome:
    return Outcome(winner=winner, win=Win.SINGLE, cube=points, points=points, ending=Ending.DROPPED)


@pytest.mark.parametrize("length", [1, 3, 25])
def test_matches_go_from_1_to_25_points_b_14(length: int) -> None:
    assert match_to(length).needs(1) == length


@pytest.mark.parametrize("length", [0, -1, 26])
def test_other_lengths_are_refused_b_14(length: int) -> None:
    with pytest.raises(ImpossibleLength, match="B-14"):
        match_to(length)


def test_first_to_the_length_wins_and_points_beyond_do_not_count_b_14() -> None:
    series = after(after(match_to(3), won(1)), won(2, points=8))
    assert series.score == (1, 3)
    assert series.winner == 2
    with pytest.raises(SeriesOver):
        after(series, won(1))


def test_a_voided_game_leaves_the_match_as_it_was() -> None:
    assert after(match_to(3), voided()) == match_to(3)


@pytest.mark.parametrize("score", [(3, 3), (-1, 0), (5, 4)])
def test_a_score_that_no_match_shows_is_refused_b_14(score: tuple[int, int]) -> None:
    with pytest.raises(ImpossibleScore):
        Series(length=3, score=score)


# B-12: the first game after either side comes within one point, and only that one.
@pytest.mark.parametrize(
    ("length", "games", "crawford_games"),
    [
        (3, [won(1, 2), won(2), won(2), won(1)], [2]),
        (3, [won(1), won(2), won(1), won(2), won(1)], [4]),
        (2, [won(1), won(2)], [2]),
        (5, [won(1, 4), won(2, 4), won(2)], [2]),
        (3, [won(1, 4)], []),
        (1, [won(1)], []),
    ],
)
def test_one_game_is_played_without_a_cube_b_12(length: int, games: list[Outcome], crawford_games: list[int]) -> None:
    series, found = match_to(length), []
    for number, game in enumerate(games, start=1):
        if series.is_crawford_game:
            found.append(number)
        series = after(series, game)
    assert found == crawford_games


def test_without_the_option_no_game_is_a_crawford_game_b_12() -> None:
    assert not after(match_to(3, crawford=False), won(1, 2)).is_crawford_game


def test_a_money_session_adds_up_and_is_never_won() -> None:
    session = after(after(Series(length=0), won(1, 64)), won(2, 4))
    assert (session.score, session.winner, session.is_crawford_game) == ((64, 4), None, False)
