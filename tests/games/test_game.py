"""The referee: who may do what and when, and what follows (B-2, B-5, B-9 to B-15, B-19)."""

from dataclasses import replace

import pytest

from games.rules.actions import (
    AcceptBeaver,
    AcceptResignation,
    Action,
    Beaver,
    Concession,
    DeclineResignation,
    Double,
    OfferResignation,
    OpeningThrow,
    Pass,
    PlayCheckers,
    RefuseBeaver,
    Roll,
    Take,
    TimeOut,
)
from games.rules.board import OPENING, Position
from games.rules.cube import NO_CUBE, BeaverAboveLimit, Cube, CubeAtLimit, CubeNotYours
from games.rules.endings import Ending, Outcome, Win
from games.rules.game import (
    AlreadyDeclined,
    AlreadyOpened,
    AnswerFirst,
    BeaversNotAgreed,
    ClockNotRunning,
    DiceLie,
    DoubleAfterRoll,
    DoubleOnOpeningTurn,
    Game,
    GameOver,
    NoCubeInCrawfordGame,
    NoCubeToOne,
    NoMatchToResign,
    NoRaccoon,
    NothingOffered,
    NotYoursToAnswer,
    NotYourTurn,
    OpeningFirst,
    Phase,
    ResignOnYourTurn,
    RollFirst,
    UnreachablePosition,
    act,
    conceded,
    dearest_loss,
    loss_is_open,
    new_game,
)
from games.rules.notation import find_play
from games.rules.plays import ImpossibleDice
from games.rules.refusals import RuleBroken
from games.rules.sides import Side
from games.rules.terms import ImpossibleTerms, MoneyPlayOnly, Terms
from tests.games.boards import board

ann: Side = 1
bob: Side = 2

CENTRED = Cube()
MONEY = Terms()
BEAVERS = Terms(beavers=True)
TO_5 = Terms(match_length=5, needs=(3, 4))


def after(terms: Terms, *actions: Action) -> Game:
    game = new_game(terms)
    for action in actions:
        game = act(game, action)
    return game


def play(game: Game, text: str) -> PlayCheckers:
    """The side on turn plays ``text``."""
    assert game.turn is not None
    assert game.dice is not None
    return PlayCheckers(game.turn, find_play(game.position, game.dice, text).position)


def opened(terms: Terms = MONEY) -> Game:
    """ann has opened with 8/5 6/5; it is bob's turn."""
    game = after(terms, OpeningThrow((3, 1)))
    return act(game, play(game, "8/5 6/5"))


def standing(position: Position, terms: Terms = MONEY, cube: Cube = CENTRED) -> Game:
    """bob to roll on ``position``, seen by bob."""
    return replace(opened(terms), position=position, cube=cube)


# --- Turns and dice ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "starter"), [((6, 1), ann), ((1, 6), bob)])
def test_the_higher_die_begins_and_plays_both_b_2(dice: tuple[int, int], starter: Side) -> None:
    game = after(MONEY, OpeningThrow(dice))
    assert (game.turn, game.phase, game.dice, game.awaits) == (starter, Phase.TO_PLAY, dice, starter)


def test_equal_dice_are_thrown_again_b_2() -> None:
    game = after(MONEY, OpeningThrow((4, 4)))
    assert (game.phase, game.turn, game.cube, game.awaits) == (Phase.OPENING_THROW, None, Cube(), None)


@pytest.mark.parametrize(("maximum", "throws", "value"), [(0, 3, 1), (1, 1, 2), (1, 3, 2), (3, 3, 8), (9, 9, 64)])
def test_equal_opening_throws_double_the_cube_when_agreed_b_13(maximum: int, throws: int, value: int) -> None:
    game = after(Terms(automatic_doubles=maximum), *[OpeningThrow((5, 5))] * throws)
    assert game.cube == Cube(value, owner=None)


def test_a_turn_is_a_throw_and_a_play_and_then_the_other_side_s() -> None:
    game = opened()
    assert (game.turn, game.phase, game.dice) == (bob, Phase.TO_ROLL, None)
    assert game.position.points[20] == -2  # ann's 5-point, seen by bob
    game = act(game, Roll(bob, (4, 2)))
    assert act(game, play(game, "8/4 6/4")).turn == ann


def test_a_side_that_cannot_move_passes_its_turn_b_5() -> None:
    closed_out = board(mine={25: 1, 6: 14}, theirs={24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2})
    game = act(standing(closed_out), Roll(bob, (6, 6)))
    assert (game.turn, game.phase) == (ann, Phase.TO_ROLL)


@pytest.mark.parametrize(
    ("game", "action", "refusal"),
    [
        (new_game(MONEY), Roll(ann, (3, 1)), OpeningFirst),
        (new_game(MONEY), Double(ann), OpeningFirst),
        (new_game(MONEY), OfferResignation(ann, Concession.SINGLE), OpeningFirst),
        (new_game(MONEY), TimeOut(ann), OpeningFirst),
        (new_game(MONEY), OpeningThrow((7, 1)), ImpossibleDice),
        (new_game(MONEY), OpeningThrow((0, 0)), ImpossibleDice),
        (opened(), OpeningThrow((3, 1)), AlreadyOpened),
        (opened(), Roll(ann, (3, 1)), NotYourTurn),
        (opened(), Roll(bob, (3, 7)), ImpossibleDice),
        (opened(), PlayCheckers(bob, OPENING), RollFirst),
        (act(opened(), Roll(bob, (4, 2))), Roll(bob, (6, 6)), DiceLie),
        (act(opened(), Roll(bob, (4, 2))), PlayCheckers(ann, OPENING), NotYourTurn),
        (act(opened(), Roll(bob, (4, 2))), PlayCheckers(bob, OPENING), UnreachablePosition),
        (act(opened(), Double(bob)), Roll(bob, (4, 2)), AnswerFirst),
    ],
)
def test_nobody_acts_out_of_turn_b_2_b_5(game: Game, action: Action, refusal: type[ValueError]) -> None:
    with pytest.raises(refusal):
        act(game, action)


def test_bearing_off_the_last_checker_ends_the_game_b_8() -> None:
    game = act(standing(board(mine={1: 2}, theirs={19: 15}), cube=Cube(2, owner=bob)), Roll(bob, (6, 5)))
    game = act(game, play(game, "1/off(2)"))
    assert game.outcome == Outcome(winner=bob, win=Win.GAMMON, cube=2, points=4, ending=Ending.BORNE_OFF)
    assert game.awaits is None
    for action in (Roll(ann, (1, 2)), Double(ann), TimeOut(ann), OpeningThrow((1, 2))):
        with pytest.raises(GameOver):
            act(game, action)


@pytest.mark.parametrize(("cube", "points"), [(Cube(), 1), (Cube(4), 4), (Cube(2, owner=ann), 4)])
def test_with_jacoby_a_gammon_counts_once_the_cube_was_turned_b_11(cube: Cube, points: int) -> None:
    game = standing(board(mine={1: 2}, theirs={19: 15}), Terms(jacoby=True, automatic_doubles=2), cube)
    game = act(game, Roll(bob, (6, 5)))
    game = act(game, play(game, "1/off(2)"))
    assert game.outcome is not None
    assert (game.outcome.win, game.outcome.points) == (Win.GAMMON, points)


# --- The cube ------------------------------------------------------------------------------------------------


def test_a_double_is_taken_and_the_taker_owns_the_cube_b_9() -> None:
    game = after_double = act(opened(), Double(bob))
    assert (game.awaits, game.phase, game.cube) == (ann, Phase.DOUBLED, Cube())
    game = act(after_double, Take(ann))
    assert (game.awaits, game.turn, game.cube) == (bob, bob, Cube(2, owner=ann))
    game = act(game, Roll(bob, (4, 2)))
    game = act(game, play(game, "8/4 6/4"))
    assert act(act(game, Double(ann)), Take(bob)).cube == Cube(4, owner=bob)


@pytest.mark.parametrize(("cube", "points"), [(Cube(), 1), (Cube(2), 2), (Cube(4, owner=bob), 4)])
def test_a_pass_loses_the_value_before_the_offer_b_9(cube: Cube, points: int) -> None:
    game = act(act(replace(opened(), cube=cube), Double(bob)), Pass(ann))
    assert game.outcome == Outcome(winner=bob, win=Win.SINGLE, cube=points, points=points, ending=Ending.DROPPED)


def test_a_closed_out_side_may_double_b_9() -> None:
    closed_out = board(mine={25: 1, 6: 14}, theirs={24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2})
    assert act(standing(closed_out), Double(bob)).phase is Phase.DOUBLED


CRAWFORD = Terms(match_length=5, needs=(1, 3), crawford_game=True)
TO_1 = Terms(match_length=1, needs=(1, 1))


@pytest.mark.parametrize(
    ("game", "action", "refusal", "rule"),
    [
        (after(MONEY, OpeningThrow((3, 1))), Double(ann), DoubleOnOpeningTurn, "B-9"),
        (act(opened(), Roll(bob, (4, 2))), Double(bob), DoubleAfterRoll, "B-9"),
        (opened(), Double(ann), NotYourTurn, "B-9"),
        (opened(TO_1), Double(bob), NoCubeToOne, "B-9"),
        (opened(CRAWFORD), Double(bob), NoCubeInCrawfordGame, "B-12"),
        (replace(opened(), cube=Cube(2, owner=ann)), Double(bob), CubeNotYours, "B-9"),
        (replace(opened(), cube=Cube(64, owner=bob)), Double(bob), CubeAtLimit, "B-9"),
        (opened(Terms(cube_limit=NO_CUBE)), Double(bob), CubeAtLimit, "B-9"),
        (act(opened(), Double(bob)), Double(bob), AnswerFirst, "B-9"),
        (act(opened(), Double(bob)), Take(bob), NotYoursToAnswer, "B-9"),
        (act(opened(), Double(bob)), Pass(bob), NotYoursToAnswer, "B-9"),
        (opened(), Take(ann), NothingOffered, "B-9"),
        (opened(), Pass(ann), NothingOffered, "B-9"),
    ],
)
def test_the_cube_is_refused_by_name_b_9_b_12(game: Game, action: Action, refusal: type[RuleBroken], rule: str) -> None:
    with pytest.raises(refusal, match=rule):
        act(game, action)


def test_after_the_crawford_game_the_cube_is_back_b_12() -> None:
    assert act(opened(Terms(match_length=5, needs=(1, 3))), Double(bob)).phase is Phase.DOUBLED


# --- Beavers -------------------------------------------------------------------------------------------------


def test_an_accepted_beaver_quadruples_the_cube_and_keeps_it_b_10() -> None:
    game = act(act(opened(BEAVERS), Double(bob)), Beaver(ann))
    assert (game.awaits, game.phase) == (bob, Phase.BEAVERED)
    game = act(game, AcceptBeaver(bob))
    assert (game.awaits, game.phase, game.cube) == (bob, Phase.TO_ROLL, Cube(4, owner=ann))


def test_a_refused_beaver_loses_the_doubled_value_b_10() -> None:
    game = act(act(act(opened(BEAVERS), Double(bob)), Beaver(ann)), RefuseBeaver(bob))
    assert game.outcome == Outcome(winner=ann, win=Win.SINGLE, cube=2, points=2, ending=Ending.DROPPED)


@pytest.mark.parametrize(
    ("game", "action", "refusal"),
    [
        (act(opened(MONEY), Double(bob)), Beaver(ann), BeaversNotAgreed),
        (act(opened(BEAVERS), Double(bob)), Beaver(bob), NotYoursToAnswer),
        (opened(BEAVERS), Beaver(ann), NothingOffered),
        (act(replace(opened(BEAVERS), cube=Cube(32, owner=bob)), Double(bob)), Beaver(ann), BeaverAboveLimit),
        (act(act(opened(BEAVERS), Double(bob)), Beaver(ann)), Double(bob), NoRaccoon),
        (act(act(opened(BEAVERS), Double(bob)), Beaver(ann)), Beaver(bob), NoRaccoon),
        (act(act(opened(BEAVERS), Double(bob)), Beaver(ann)), Take(bob), NothingOffered),
        (act(act(opened(BEAVERS), Double(bob)), Beaver(ann)), AcceptBeaver(ann), NotYoursToAnswer),
        (act(act(opened(BEAVERS), Double(bob)), Beaver(ann)), Roll(bob, (3, 1)), AnswerFirst),
        (act(opened(BEAVERS), Double(bob)), AcceptBeaver(bob), NothingOffered),
        (act(opened(BEAVERS), Double(bob)), RefuseBeaver(bob), NothingOffered),
    ],
)
def test_a_beaver_is_refused_by_name_b_10(game: Game, action: Action, refusal: type[RuleBroken]) -> None:
    with pytest.raises(refusal, match="B-"):
        act(game, action)


@pytest.mark.parametrize(
    "options", [{"jacoby": True}, {"beavers": True}, {"automatic_doubles": 1}], ids=["jacoby", "beavers", "automatic"]
)
def test_money_options_are_no_match_s_b_10_b_11_b_13(options: dict[str, bool]) -> None:
    with pytest.raises(MoneyPlayOnly, match="money play only"):
        Terms(match_length=5, needs=(5, 5), **options)


@pytest.mark.parametrize(
    "terms",
    [
        {"match_length": -1},
        {"match_length": 5, "needs": (0, 3)},
        {"match_length": 5, "needs": (6, 3)},
        {"needs": (1, 1)},
        {"crawford_game": True},
        {"automatic_doubles": -1},
        {"cube_limit": 0},
    ],
)
def test_terms_under_which_no_game_is_played_are_refused(terms: dict[str, object]) -> None:
    with pytest.raises(ImpossibleTerms):
        Terms(**terms)  # type: ignore[arg-type]


# --- Resignation ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rolled", [False, True], ids=["before the throw", "after the throw"])
def test_a_resignation_is_accepted_or_declined_b_19(rolled: bool) -> None:
    game = act(opened(), Roll(bob, (4, 2))) if rolled else opened()
    offered = act(game, OfferResignation(bob, Concession.GAMMON))
    assert (offered.awaits, offered.on_the_clock, offered.phase) == (ann, bob, game.phase)
    accepted = act(offered, AcceptResignation(ann))
    assert accepted.outcome == Outcome(winner=ann, win=Win.GAMMON, cube=1, points=2, ending=Ending.RESIGNED)
    declined = act(offered, DeclineResignation(ann))
    assert (declined.awaits, declined.phase, declined.dice) == (bob, game.phase, game.dice)


def test_a_declined_value_is_not_offered_again_in_the_same_turn_b_19() -> None:
    game = act(act(opened(), OfferResignation(bob, Concession.SINGLE)), DeclineResignation(ann))
    with pytest.raises(AlreadyDeclined, match=r"single.*B-19"):
        act(game, OfferResignation(bob, Concession.SINGLE))
    assert act(game, OfferResignation(bob, Concession.GAMMON)).concession is Concession.GAMMON
    game = act(game, Roll(bob, (4, 2)))
    game = act(game, play(game, "8/4 6/4"))
    assert act(game, OfferResignation(ann, Concession.SINGLE)).concession is Concession.SINGLE


SAFE_FROM_GAMMON = board(mine={6: 14}, theirs={19: 3})
GAMMON_POSSIBLE = board(mine={6: 15}, theirs={19: 3})


@pytest.mark.parametrize(
    ("game", "concession", "unasked"),
    [
        (opened(), Concession.SINGLE, False),
        (opened(), Concession.BACKGAMMON, True),
        (standing(SAFE_FROM_GAMMON), Concession.SINGLE, True),
        (standing(GAMMON_POSSIBLE), Concession.SINGLE, False),
        (standing(GAMMON_POSSIBLE), Concession.GAMMON, True),
        # Jacoby: with the cube in the middle no more than one point can be lost.
        (standing(GAMMON_POSSIBLE, Terms(jacoby=True)), Concession.SINGLE, True),
        (standing(GAMMON_POSSIBLE, Terms(jacoby=True), Cube(2, owner=ann)), Concession.SINGLE, False),
        # A match: no more than the other still needs.
        (standing(GAMMON_POSSIBLE, Terms(match_length=5, needs=(1, 5))), Concession.SINGLE, True),
        (standing(GAMMON_POSSIBLE, Terms(match_length=5, needs=(2, 5))), Concession.SINGLE, False),
        (standing(GAMMON_POSSIBLE, Terms(match_length=5, needs=(2, 5)), Cube(2, owner=ann)), Concession.SINGLE, True),
    ],
)
def test_a_resignation_is_accepted_unasked_only_if_no_larger_loss_is_possible_b_19(
    game: Game, concession: Concession, unasked: bool
) -> None:
    game = act(game, OfferResignation(bob, concession))
    assert (game.phase is Phase.OVER) is unasked
    assert (game.outcome is not None) is unasked


def test_the_whole_match_may_be_resigned_b_19() -> None:
    game = act(opened(TO_5), OfferResignation(bob, Concession.MATCH))
    assert game.outcome == Outcome(winner=ann, win=None, cube=1, points=3, ending=Ending.RESIGNED)


@pytest.mark.parametrize(
    ("game", "action", "refusal"),
    [
        (opened(), OfferResignation(ann, Concession.SINGLE), ResignOnYourTurn),
        (opened(), OfferResignation(bob, Concession.MATCH), NoMatchToResign),
        (act(opened(), Double(bob)), OfferResignation(bob, Concession.SINGLE), AnswerFirst),
        (act(opened(), Double(bob)), OfferResignation(ann, Concession.SINGLE), AnswerFirst),
        (
            act(opened(), OfferResignation(bob, Concession.SINGLE)),
            OfferResignation(bob, Concession.GAMMON),
            AnswerFirst,
        ),
        (act(opened(), OfferResignation(bob, Concession.SINGLE)), Roll(bob, (4, 2)), AnswerFirst),
        (act(opened(), OfferResignation(bob, Concession.SINGLE)), Double(bob), AnswerFirst),
        (act(opened(), OfferResignation(bob, Concession.SINGLE)), AcceptResignation(bob), NotYoursToAnswer),
        (act(opened(), OfferResignation(bob, Concession.SINGLE)), DeclineResignation(bob), NotYoursToAnswer),
        (opened(), AcceptResignation(ann), NothingOffered),
        (opened(), DeclineResignation(ann), NothingOffered),
    ],
)
def test_a_resignation_is_refused_by_name_b_19(game: Game, action: Action, refusal: type[RuleBroken]) -> None:
    with pytest.raises(refusal, match="B-19"):
        act(game, action)


def test_a_money_game_conceded_from_outside_has_no_match_either() -> None:
    with pytest.raises(NoMatchToResign):
        conceded(opened(), side=ann, concession=Concession.MATCH)


@pytest.mark.parametrize(
    ("game", "points"),
    [
        (opened(), 3),
        (opened(Terms(jacoby=True)), 1),
        (standing(SAFE_FROM_GAMMON, cube=Cube(8, owner=ann)), 8),
        (standing(OPENING, Terms(cube_limit=64), Cube(64, owner=ann)), 192),  # cases 50
        (opened(Terms(match_length=5, needs=(2, 5))), 2),
    ],
)
def test_the_dearest_loss_b_11_b_14(game: Game, points: int) -> None:
    assert dearest_loss(game) == points


# --- Time ----------------------------------------------------------------------------------------------------


TO_ROLL = opened()
TO_PLAY = act(opened(), Roll(bob, (4, 2)))
DOUBLED = act(opened(BEAVERS), Double(bob))
BEAVERED = act(DOUBLED, Beaver(ann))
RESIGNING = act(opened(), OfferResignation(bob, Concession.GAMMON))
LOST_GAMMON = standing(board(mine={18: 5, 6: 10}, theirs={24: 2}), cube=Cube(2, owner=ann))


@pytest.mark.parametrize(
    ("game", "action", "winner", "win", "points"),
    [
        (TO_ROLL, TimeOut(bob), ann, Win.SINGLE, 1),
        (TO_PLAY, TimeOut(bob), ann, Win.SINGLE, 1),
        (TO_PLAY, TimeOut(bob, win=Win.GAMMON), ann, Win.GAMMON, 2),  # an analysis gives the gammon
        (replace(TO_ROLL, cube=Cube(4, owner=ann)), TimeOut(bob), ann, Win.SINGLE, 4),
        (DOUBLED, TimeOut(ann), bob, Win.SINGLE, 1),  # an offer pending against the loser is a pass
        (BEAVERED, TimeOut(bob), ann, Win.SINGLE, 2),  # and a beaver is refused
        (RESIGNING, TimeOut(bob), ann, Win.SINGLE, 1),  # its own clock ran on (B-19)
        (LOST_GAMMON, TimeOut(bob), ann, Win.GAMMON, 4),  # what the position already makes certain
        (replace(LOST_GAMMON, terms=Terms(jacoby=True), cube=Cube()), TimeOut(bob), ann, Win.GAMMON, 1),
    ],
)
def test_at_zero_the_game_is_lost_b_15(game: Game, action: TimeOut, winner: Side, win: Win, points: int) -> None:
    outcome = act(game, action).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.win, outcome.points, outcome.ending) == (winner, win, points, Ending.TIMED_OUT)


MATCH = Terms(match_length=5, needs=(3, 2))
BEHIND = standing(board(mine={18: 5, 6: 10}, theirs={24: 5}))


@pytest.mark.parametrize(
    ("game", "is_open"),
    [
        (replace(TO_ROLL, terms=MATCH), True),
        (replace(TO_PLAY, terms=MATCH), True),
        (replace(RESIGNING, terms=MATCH), True),
        (replace(DOUBLED, terms=MATCH), False),  # passed
        (replace(BEAVERED, terms=MATCH), False),
        (new_game(MATCH), False),
        (replace(LOST_GAMMON, terms=MATCH), False),  # a gammon is certain, a backgammon is out of reach
        (standing(board(mine={6: 14}, theirs={24: 2}), terms=MATCH), False),  # a checker is off: a single game
        (replace(BEHIND, terms=MATCH), True),
        (replace(BEHIND, terms=MATCH, cube=Cube(2, owner=ann)), True),  # ann needs three, and a single game is two
        (replace(BEHIND, terms=MATCH, cube=Cube(4, owner=ann)), False),  # the match is lost by a single game (B-14)
        (replace(BEHIND, terms=Terms(match_length=1, needs=(1, 1))), False),
    ],
)
def test_a_loss_on_time_is_open_while_more_can_be_lost_than_is_certain_b_15(game: Game, is_open: bool) -> None:
    assert loss_is_open(game) is is_open


@pytest.mark.parametrize(("game", "side"), [(TO_ROLL, ann), (DOUBLED, bob), (BEAVERED, ann), (RESIGNING, ann)])
def test_only_the_side_whose_clock_runs_loses_on_time_b_15(game: Game, side: Side) -> None:
    with pytest.raises(ClockNotRunning, match="B-15"):
        act(game, TimeOut(side))
