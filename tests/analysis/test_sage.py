"""The engine behind our interface: against our own solver where they meet, by published figures, and by our rules."""

import random
from decimal import Decimal

import pytest

pytest.importorskip("bgsage", reason="the extra 'analysis' has no wheel for this machine")

from games.analysis.bearoff import BearoffSolver, home_of, pips_of
from games.analysis.engines import analyse, chance_between_games, engine_for
from games.analysis.evaluator import NotCovered, NotToBeAnalysed
from games.analysis.sage import AWAY_MAX, Sage
from games.rules.board import OPENING, Position
from games.rules.endings import Win
from games.rules.ids import MatchState
from games.rules.plays import legal_plays
from tests.analysis.homes import bear_off
from tests.games.boards import board, scattered

D = Decimal
SAGE = Sage()
SOLVER = BearoffSolver()
CLOSE = D("0.0001")


def test_it_agrees_with_our_solver_where_they_meet() -> None:
    chance = random.Random(20261130)
    for _ in range(12):
        mine, theirs = ([chance.randint(1, 6) for _ in range(chance.randint(1, 7))] for _ in range(2))
        position = bear_off(mine, theirs)
        ours, its = SOLVER.evaluate(position), SAGE.evaluate(position)
        assert all(abs(one - other) < CLOSE for one, other in zip(ours.six, its.six, strict=True)), (mine, theirs)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ([1] * 3 + [2] * 6 + [3] * 6, [1] * 3),
        ([1] * 2, [1] * 5 + [2] * 10),
        ([6] * 4 + [5] * 4 + [4] * 4 + [3] * 3, [2, 2]),
        ([5, 4], [6] * 4 + [5] * 4 + [4] * 4 + [3] * 3),
    ],
)
def test_it_agrees_about_gammons(mine: list[int], theirs: list[int]) -> None:
    position = bear_off(mine, theirs)
    ours, its = SOLVER.evaluate(position), SAGE.evaluate(position)
    assert all(abs(one - other) < CLOSE for one, other in zip(ours.six, its.six, strict=True)), its


def test_it_forgets_to_save_a_gammon_where_our_solver_does_not() -> None:
    """The one place where they do not meet, and the rules' own plays say who is right.

    Eleven on the 6-point and four on the 5-point, the other off next turn: 28 of 36 rolls bear one off if that is
    played for. The engine takes the play that is fastest on average, and calls it a gammon 13 times in 36.
    """
    position = bear_off([6] * 11 + [5] * 4, [1])
    assert abs(SOLVER.evaluate(position).lose_gammon - D(36 - 28) / 36) < CLOSE
    assert abs(SAGE.evaluate(position).lose_gammon - D(13) / 36) < CLOSE


def test_the_same_question_gets_the_same_answer_whoever_asked_before() -> None:
    positions = [position for position, _ in zip(scattered(seed=4), range(3), strict=False)]
    boards = [OPENING, *(position for position, _ in positions)]
    first = [SAGE.evaluate(position) for position in boards]
    again = [Sage().evaluate(position) for position in reversed(boards)]
    assert first == again[::-1]


def test_the_opening_is_a_little_better_for_the_side_on_roll() -> None:
    found = SAGE.evaluate(OPENING)
    assert sum(found.six) == 1
    assert D("0.51") < found.win_single + found.win_gammon + found.win_backgammon < D("0.54")
    assert D("0.12") < found.win_gammon < D("0.16")
    assert D("0.003") < found.lose_backgammon < D("0.010")


def test_the_checker_on_the_other_bar_is_seen() -> None:
    """Before five made points; were it not seen, it would count as borne off, and there could be no gammon."""
    mine = {2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3, 10: 2}
    theirs = {0: 1, 1: 2, 13: 5, 17: 4, 19: 3}
    found = SAGE.evaluate(board(mine=mine, theirs=theirs))
    assert found.win_gammon > D("0.4")
    back = SAGE.evaluate(board(mine=mine, theirs=theirs).swapped())
    assert back.lose_gammon > D("0.2")


def test_it_plays_what_our_rules_allow_b_5() -> None:
    """2/1* 1/off is compulsory with 3-1; and of the opening's plays the known best is found."""
    assert str(SAGE.best_play(Position((0, -1, 1, *[0] * 23)), (3, 1), MatchState())) == "2/1*/off"
    assert str(SAGE.best_play(OPENING, (3, 1), MatchState())) == "8/5 6/5"
    dances = board(mine={25: 1, 6: 2}, theirs=dict.fromkeys(range(19, 25), 2))
    assert SAGE.best_play(dances, (6, 5), MatchState()) is None
    for (position, _), dice in zip(scattered(seed=9), [(6, 4), (2, 2)], strict=False):
        plays = legal_plays(position, dice)
        best = SAGE.best_play(position, dice, MatchState())
        assert best in plays if plays else best is None


# 1 away, 2 away and so on against an opponent: the Kazaross-XG2 table as it is published, in percent.
PUBLISHED = [
    (1, 2, False, "67.7"),
    (1, 3, False, "75.1"),
    (1, 4, False, "81.4"),
    (1, 5, False, "84.2"),
    (2, 2, False, "50.0"),
    (2, 3, False, "59.9"),
    (1, 2, True, "51.2"),  # after the Crawford game the trailer doubles at once
]


@pytest.mark.parametrize(("mine", "theirs", "played", "percent"), PUBLISHED)
def test_between_games_it_is_the_published_table_a_4(mine: int, theirs: int, played: bool, percent: str) -> None:
    chance, engine = chance_between_games(mine=mine, theirs=theirs, crawford_played=played)
    assert engine.name == "bgsage"
    assert round(chance * 100, 1) == D(percent)
    other, _ = chance_between_games(mine=theirs, theirs=mine, crawford_played=played)
    assert abs(chance + other - 1) < D("0.0000001")


def test_a_match_further_than_fifteen_points_away_waits_for_an_operator_a_4() -> None:
    """The table answers for any distance, always with the last it has: it must not be asked."""
    assert chance_between_games(mine=15, theirs=15, crawford_played=False)[0] == D("0.5")
    for mine, theirs in ((16, 3), (3, 16), (25, 25)):
        with pytest.raises(NotCovered, match="15 points away"):
            chance_between_games(mine=mine, theirs=theirs, crawford_played=False)
    far = MatchState(match_length=AWAY_MAX + 1)
    with pytest.raises(NotCovered, match="15 points away"):
        engine_for(OPENING, far)
    with pytest.raises(NotCovered, match="15 points away"):
        SAGE.match_chance(OPENING, far)
    assert engine_for(OPENING, MatchState(match_length=25, score=10, opponent_score=12)).name == "bgsage"


def test_the_chance_in_a_match_counts_the_cube_and_the_score() -> None:
    even = SAGE.match_chance(OPENING, MatchState(match_length=5))
    assert D("0.50") < even < D("0.53")
    ahead = SAGE.match_chance(OPENING, MatchState(match_length=5, score=3))
    behind = SAGE.match_chance(OPENING, MatchState(match_length=5, opponent_score=3))
    assert behind < even < ahead
    crawford = SAGE.match_chance(OPENING, MatchState(match_length=5, score=4, opponent_score=2, crawford=True))
    after = SAGE.match_chance(OPENING, MatchState(match_length=5, score=4, opponent_score=2))
    assert after < crawford


def test_a_double_on_offer_in_a_match_is_passed_if_that_is_better() -> None:
    """{4} against {1} wins 34 of 36: the pass leaves 1 point; no pass at 1 away for the doubler's last point."""
    state = MatchState(match_length=5, offer="double")
    passed, _ = chance_between_games(mine=4, theirs=5, crawford_played=False)
    assert abs(SAGE.match_chance(bear_off([4], [1]), state) - passed) < CLOSE


def test_dice_thrown_in_a_match_are_played_first() -> None:
    won = MatchState(match_length=5, score=2, dice=(6, 1))
    found = analyse(position=bear_off([6], [1]), state=won)
    expected, _ = chance_between_games(mine=2, theirs=5, crawford_played=False)
    assert (found.play, found.won) == ("6/off", Win.SINGLE)
    assert found.match_chance == expected
    lost = analyse(position=bear_off([6], [1]), state=MatchState(match_length=5, dice=(3, 2)))
    expected, _ = chance_between_games(mine=5, theirs=4, crawford_played=False)
    assert lost.swapped
    assert lost.match_chance is not None
    assert abs(lost.match_chance - expected) < CLOSE
    last = analyse(position=bear_off([6], [1]), state=MatchState(match_length=5, score=4, dice=(6, 6)))
    assert last.match_chance == 1


def test_dice_thrown_in_a_money_game_leave_the_other_side_to_roll_a_3() -> None:
    found = analyse(position=OPENING, state=MatchState(dice=(3, 1)))
    assert (found.play, found.swapped, found.won) == ("8/5 6/5", True, None)
    after = next(play.position for play in legal_plays(OPENING, (3, 1)) if str(play) == "8/5 6/5")
    assert found.evaluated == after.swapped()
    assert found.probabilities == SAGE.evaluate(after.swapped())


def test_our_solver_comes_first_where_it_can_say() -> None:
    assert engine_for(bear_off([6] * 5, [1] * 5), MatchState()).name == "bearoff"
    assert engine_for(bear_off([6] * 5, [1] * 5), MatchState(match_length=3)).name == "bgsage"
    assert pips_of(home_of(bear_off([6] * 5, [1]))) == 30


def test_a_game_that_is_over_is_not_asked_about() -> None:
    for ask in (
        lambda: SAGE.evaluate(bear_off([1], [])),
        lambda: SAGE.best_play(bear_off([1], []), (2, 1), MatchState()),
        lambda: SAGE.match_chance(bear_off([1], []), MatchState(match_length=3)),
    ):
        with pytest.raises(NotToBeAnalysed, match="is over"):
            ask()
