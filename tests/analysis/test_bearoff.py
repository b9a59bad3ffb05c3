"""Bear-offs by our own table: against books, against plain recursion over the rules' own plays, and by reason."""

from decimal import Decimal
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings

from games.analysis.bearoff import BearoffSolver, Turns, covers, ends_of, home_of
from games.analysis.evaluator import NotCovered, NotToBeAnalysed
from games.rules.board import OPENING, Position
from games.rules.ids import MatchState
from games.rules.plays import legal_plays
from tests.analysis.homes import bear_off, sides
from tests.games.boards import ALL_ROLLS, board
from tests.golden import table

SOLVER = BearoffSolver()
TURNS = Turns()


@pytest.mark.parametrize(("points", "rolls"), table("bear_offs_in_one_roll")["rolls"].items())
def test_the_last_roll_is_as_in_every_book(points: str, rolls: int) -> None:
    position = bear_off(map(int, points.split()), [1])
    assert TURNS.distribution(home_of(position))[1] == Fraction(rolls, 36)
    assert SOLVER.evaluate(position).win_single == round(Decimal(rolls) / 36, 12)


@given(sides(most=15))
@settings(max_examples=40, deadline=None)
def test_a_roll_leads_where_the_rules_say_b_7(mine: list[int]) -> None:
    position = bear_off(mine, [1])
    for high, low in ALL_ROLLS:
        by_rules = {home_of(play.position) for play in legal_plays(position, (high, low))}
        assert ends_of(home_of(position), high, low) == by_rules


def mean_of(home: int) -> Fraction:
    return sum((turn * chance for turn, chance in enumerate(TURNS.distribution(home))), Fraction(0))


@cache
def _plainly(position: Position) -> tuple[Fraction, tuple[Fraction, ...]]:
    """Mean turns and their distribution by recursion over the rules' plays, without the table's bookkeeping."""
    if position.borne_off == 15:
        return Fraction(0), (Fraction(1),)
    mean, chances = Fraction(1), [Fraction(0)] * 40
    for high, low in ALL_ROLLS:
        weight = Fraction(1 if high == low else 2, 36)
        best = min((_plainly(play.position) for play in legal_plays(position, (high, low))), key=lambda found: found[0])
        mean += weight * best[0]
        for turns, chance in enumerate(best[1]):
            chances[turns + 1] += weight * chance
    while not chances[-1]:
        chances.pop()
    return mean, tuple(chances)


@pytest.mark.parametrize("mine", [[6, 6], [6, 4, 1], [5, 5, 3], [6, 5, 4, 1], [4, 3, 3, 1, 1], [6, 6, 6, 6]])
def test_the_table_is_the_plain_recursion(mine: list[int]) -> None:
    home = home_of(bear_off(mine, [1]))
    mean, chances = _plainly(bear_off(mine, [1]))
    assert TURNS.distribution(home) == list(chances)
    assert mean_of(home) == mean


@given(sides(most=9))
@settings(max_examples=40, deadline=None)
def test_turns_are_certain_to_end_and_none_is_sooner_than_four_checkers_a_turn(mine: list[int]) -> None:
    home = home_of(bear_off(mine, [1]))
    chances = TURNS.distribution(home)
    assert sum(chances) == 1
    assert len(chances) - 1 >= -(-len(mine) // 4)
    assert all(chance == 0 for chance in chances[: -(-len(mine) // 4)])


@given(sides(most=8), sides(most=8))
@settings(max_examples=40, deadline=None)
def test_one_of_the_two_wins_and_to_roll_is_better(mine: list[int], theirs: list[int]) -> None:
    found = SOLVER.evaluate(bear_off(mine, theirs))
    assert sum(found.six) == 1
    assert found.win_gammon == found.win_backgammon == found.lose_gammon == found.lose_backgammon == 0
    second = SOLVER.evaluate(bear_off(theirs, mine)).lose_single
    assert found.win_single >= second


@pytest.mark.parametrize(
    ("mine", "theirs", "win"),
    [
        ([2, 2], [1] * 4, Fraction(26, 36) + Fraction(10, 36) * Fraction(30, 36)),  # they need a double at once
        ([2, 2], [1] * 5, Fraction(1)),
        ([1] * 4, [2, 2], Fraction(6, 36) + Fraction(30, 36) * Fraction(10, 36)),
        ([1] * 5, [2], Fraction(0)),
        # Five need two turns if one of them is a double; between the two they miss in 10 of 36.
        ([1] * 5, [2, 2], (1 - Fraction(30, 36) ** 2) * Fraction(10, 36)),
    ],
)
def test_who_cannot_be_off_in_time_loses_and_who_just_can_may_win(
    mine: list[int], theirs: list[int], win: Fraction
) -> None:
    expected = round(Decimal(win.numerator) / Decimal(win.denominator), 12)
    assert SOLVER.evaluate(bear_off(mine, theirs)).win_single == expected


FIFTEEN = [6] * 11 + [5] * 4


def rolls_that_bear_one_off(position: Position) -> int:
    return sum(
        1 if high == low else 2
        for high, low in ALL_ROLLS
        if any(play.position.borne_off for play in legal_plays(position, (high, low)))
    )


def test_a_gammon_is_lost_if_no_checker_is_off_before_the_other_side_is_b_8() -> None:
    """They are off in their next turn for sure. A 6, a 5, 3-3, 2-2, 4-2, 4-1 and 3-2 bear one off first: 28 of 36."""
    position = bear_off(FIFTEEN, [1])
    found = SOLVER.evaluate(position)
    assert rolls_that_bear_one_off(position) == 28
    assert found.win_single == found.win_gammon == 0
    assert found.lose_gammon == round(Decimal(36 - 28) / 36, 12)
    assert found.lose_single + found.lose_gammon == 1


def test_a_gammon_is_won_if_they_have_no_turn_to_save_it() -> None:
    assert SOLVER.evaluate(bear_off([1], FIFTEEN)).win_gammon == 1
    # Two on the 2-point: off at once in 26 of 36, else next time; between the two they save it in 28 of 36.
    found = SOLVER.evaluate(bear_off([2, 2], FIFTEEN))
    chance = Fraction(26, 36) + Fraction(10, 36) * Fraction(36 - 28, 36)
    assert found.win_gammon == round(Decimal(chance.numerator) / Decimal(chance.denominator), 12)


def test_who_can_save_the_gammon_does_so_even_where_that_is_not_the_fastest_way_home() -> None:
    """Every roll bears one off here if that is played for; the play that is fastest on average does not always."""
    mine = [1] * 3 + [4] * 2 + [5] * 3 + [6] * 7
    assert SOLVER.evaluate(bear_off(mine, [1, 4])).lose_gammon == 0


def test_the_best_play_ends_the_game_or_leaves_the_other_least() -> None:
    play = SOLVER.best_play(bear_off([3, 2], [1]), (3, 1), MatchState())
    assert str(play) == "3/off 2/1"
    assert str(SOLVER.best_play(bear_off([3, 1], [1]), (3, 1), MatchState())) == "3/off 1/off"


@pytest.mark.parametrize(
    "position",
    [
        OPENING,
        board(mine={7: 1, 1: 2}, theirs={24: 2}),
        board(mine={1: 2}, theirs={18: 1, 24: 2}),
        board(mine={25: 1, 1: 2}, theirs={24: 2}),
        board(mine={1: 2}, theirs={0: 1, 24: 2}),
        board(mine={5: 2}, theirs={3: 1, 24: 2}),
    ],
)
def test_it_covers_both_sides_home_and_nothing_else(position: Position) -> None:
    assert not covers(position)
    assert not SOLVER.covers(position, MatchState())
    for ask in (lambda: SOLVER.evaluate(position), lambda: SOLVER.best_play(position, (2, 1), MatchState())):
        with pytest.raises(NotCovered):
            ask()


def test_a_match_is_not_its_to_value_and_a_game_that_is_over_nobodys() -> None:
    assert covers(bear_off([1], [1]))
    assert not SOLVER.covers(bear_off([1], [1]), MatchState(match_length=3))
    with pytest.raises(NotCovered):
        SOLVER.match_chance(bear_off([1], [1]), MatchState(match_length=3))
    with pytest.raises(NotToBeAnalysed, match="is over"):
        SOLVER.evaluate(bear_off([], [1]))
