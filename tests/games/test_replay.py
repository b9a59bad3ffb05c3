"""Records judged by the rules: each contradiction is refused with its line, each omission is filled in."""

from dataclasses import replace
from pathlib import Path

import pytest

from games.rules.actions import Double, OpeningThrow, PlayCheckers, Roll, Take
from games.rules.endings import Ending, Outcome, Win
from games.rules.record import MatchRecord
from games.rules.record_reading import read
from games.rules.replay import GameReplay, RecordRules, Refused, Replay, replay_match, replay_text
from games.rules.sides import Side, opponent_of
from games.rules.terms import Terms
from tests.games.scribe import Scribe

RECORDS = Path(__file__).parents[2] / "games" / "records"

MONEY = " 0 point match\n"


def one_game(body: str, *, head: str = MONEY, score: str = "0 0") -> str:
    """A record of one game; ``body`` begins in line 5 if ``head`` is one line."""
    first, second = score.split()
    return f"{head}\n Game 1\n ann : {first}                       bob : {second}\n{body}"


def replayed(text: str) -> GameReplay:
    (replay,) = replay_text(text)
    (game,) = replay.games
    assert isinstance(game, GameReplay), str(game)
    return game


def outcome(text: str) -> Outcome:
    result = replayed(text).outcome
    assert result is not None
    return result


def refused(text: str) -> Refused:
    (replay,) = replay_text(text)
    assert replay.series is None
    assert replay.winner is None
    (refusal,) = replay.refused
    return refusal


OPENING = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"

DOUBLED = OPENING + "  2)  Doubles => 2                Takes\n"

# bob bears off before ann has borne off anything; the cube was never turned. Its result is left out.
_GAMMON_LINES = (RECORDS / "money-gammon-undoubled.txt").read_text().splitlines()
GAMMON = "\n".join(line for line in _GAMMON_LINES if line[3:4] == ")") + "\n"


# --- Plays ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "plays"),
    [
        (OPENING, 2),
        # The higher die need not stand first, and either side may begin.
        ("  1) 13: 8/5 6/5                 24: 8/4 6/4\n", 2),
        ("  1)                             13: 8/5 6/5\n", 1),
        # One go or die by die, in any order; the bar and off by any name.
        ("  1) 64: 24/14\n", 1),
        ("  1) 64: 24/18 18/14\n", 1),
        ("  1) 64: 18/14 24/18\n", 1),
        ("  1)                             21: 13/11 6/5\n  2) 64: 24/20* 24/18            41: 25/21 24/23\n", 3),
        # A hit left unmarked is inferred: bob's blot on its 5-point is gone, so it has to enter.
        ("  1)                             21: 13/11 6/5\n  2) 64: 24/20 24/18             41: bar/21 24/23\n", 3),
    ],
)
def test_a_play_is_told_by_where_its_checkers_end(body: str, plays: int) -> None:
    game = replayed(one_game(body))
    assert (game.plays, game.outcome, game.recorded_points) == (plays, None, None)


# bob leaves blots on its 11-point and 5-point, ann's 14 and 20.
BLOTS = "  1)                             21: 13/11 6/5\n"
ONE_HIT, BOTH_HIT = "21: bar/23 6/5", "21: bar/23 bar/24"


@pytest.mark.parametrize(
    ("play", "answer", "refused_in"),
    [
        ("64: 24/14*", ONE_HIT, None),
        ("64: 24/14", ONE_HIT, None),  # none starred: no blot is hit on the way
        ("64: 24/18/14", ONE_HIT, None),
        ("64: 24/20*/14*", BOTH_HIT, None),
        ("64: 24/20*/14", BOTH_HIT, None),
        ("64: 24/20 20/14", BOTH_HIT, None),
        ("64: 24/14*", BOTH_HIT, 6),
        ("64: 24/20*/14*", ONE_HIT, 6),
        ("64: 24/18*/14", ONE_HIT, 6),
    ],
)
def test_the_way_of_a_checker_is_the_one_that_is_starred_b_6(play: str, answer: str, refused_in: int | None) -> None:
    text = one_game(BLOTS + f"  2) {play:<28} {answer}\n")
    if refused_in is None:
        assert replayed(text).plays == 3
    else:
        assert refused(text).line == refused_in


@pytest.mark.parametrize(
    ("third", "hit"),
    [
        ("63: 24/18* 18/15", False),
        ("64: 13/7 24/20", True),
    ],
)
def test_a_star_where_nothing_is_hit_is_refused_b_6(third: str, hit: bool) -> None:
    text = one_game(f"  1)                             21: 13/11 6/5\n  2) {third}\n")
    if hit:
        assert replayed(text).plays == 2
    else:
        refusal = refused(text)
        assert refusal.line == 6
        assert "hit" in refusal.reason


@pytest.mark.parametrize(
    ("body", "line", "rule"),
    [
        ("  1) 31: 8/5 8/7 6/5\n", 5, "B-3"),
        ("  1) 31: 8/5 6/4\n", 5, "B-3"),
        ("  1) 65: 24/13 13/8\n", 5, "B-3"),
        ("  1) 61: 13/7\n", 5, "B-5"),
        ("  1) 52: 24/19 24/22\n", 5, "B-3"),  # a made point in the way
        ("  1) 62: 6/off 24/22\n", 5, "B-7"),
        ("  1) 33: 8/5(2) 6/3(2)\n", 5, "B-2"),  # equal opening dice
        ("  1) 31: Cannot Move\n", 5, "B-5"),
        (OPENING + "  2) 64:                         31: 24/23 13/10\n", 6, "B-5"),
        (OPENING + "  2) 64: ????                    31: 24/23 13/10\n", 6, "B-5"),
        (OPENING + "  2)                             31: 24/23 13/10\n", 6, "B-2"),  # bob twice in a row
        (OPENING + "  2) 64: 24/14\n  3) 31: 24/23 13/10\n", 7, "B-2"),
    ],
)
def test_a_play_against_the_rules_is_refused_with_its_line(body: str, line: int, rule: str) -> None:
    refusal = refused(one_game(body))
    assert (refusal.game, refusal.line) == (1, line)
    assert rule in refusal.reason
    assert str(refusal).startswith("game 1: ")


def test_moves_for_a_roll_that_cannot_be_played_are_refused_b_5() -> None:
    # bob dances on ann's closed board.
    text = (
        "  1) 31: 8/5 6/5                 21: 13/11 6/5\n"
        "  2) 42: 8/4 6/4                 11: 11/10 10/9 9/8 6/5\n"
        "  3) 55: 13/8 13/8 13/8 13/8     11: 24/23 24/23 8/7 8/7\n"
    )
    assert replayed(one_game(text)).plays == 6
    assert refused(one_game(text + "  4) 11: 6/5 6/5 5/4 5/4         66: 24/18 24/18 13/7 13/7\n")).line == 8


# --- The cube ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "winner", "cube"),
    [
        (OPENING + "  2)  Doubles => 2                Drops\n      Wins 1 point\n", 1, 1),
        (OPENING + "  2)  Doubles                     Passes\n", 1, 1),
        ("  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                       Wins 1 point\n", 2, 1),
        (
            DOUBLED
            + "  3) 31: 24/23 13/10              Doubles => 4\n  4)  Drops                       Wins 2 points\n",
            2,
            2,
        ),
    ],
)
def test_a_pass_ends_the_game_at_the_value_before_b_9(body: str, winner: int, cube: int) -> None:
    result = outcome(one_game(body))
    assert (result.winner, result.cube, result.points, result.ending) == (winner, cube, cube, Ending.DROPPED)


def cube_fight(limit: int) -> MatchRecord:
    """Each side doubles at once whenever it owns the cube, until ``limit``; then the game is left unfinished."""
    scribe = Scribe(Terms(cube_limit=limit))
    scribe.do(OpeningThrow((2, 1)))
    while True:
        game = scribe.game
        assert game.turn is not None
        scribe.do(PlayCheckers(game.turn, game.plays[0].position))
        turn = scribe.game.turn
        assert turn is not None
        if scribe.game.cube.value == limit:
            return MatchRecord(length=0, games=(scribe.record(),))
        scribe.do(Double(turn))
        scribe.do(Take(opponent_of(turn)))
        scribe.do(Roll(turn, (2, 1)))


@pytest.mark.parametrize("limit", [2, 64, 1024])
def test_the_record_s_own_cube_limit_is_honoured_b_9(limit: int) -> None:
    record = cube_fight(limit)
    (game,) = replay_match(replace(record, headers=(("CubeLimit", str(limit)),))).games
    assert isinstance(game, GameReplay)
    assert game.cube == limit
    # Half the limit, and none named: our own.
    for headers in ((("CubeLimit", str(limit // 2)),), ()):
        (other,) = replay_match(replace(record, headers=headers)).games
        assert isinstance(other, Refused) is (limit > 64 or bool(headers))
        if isinstance(other, Refused):
            assert "at its limit" in other.reason


@pytest.mark.parametrize(
    ("body", "rule", "line"),
    [
        (OPENING + "  2)  Doubles => 4                Takes\n", "B-9", 6),
        (DOUBLED + "  3)  Doubles => 4                Takes\n", "B-9", 7),
        (OPENING + "  2) 31: 24/23 13/10              Takes\n", "B-9", 6),
        (OPENING + "  2)                              Doubles => 2\n", "B-9", 6),
        (OPENING + "  2)  Doubles => 2               31: 24/23 13/10\n", "B-9", 6),
        (OPENING + "  2)  Doubles => 2                Beavers => 8\n", "B-9", 6),
        (OPENING + "  2)  Doubles => 2                Beavers\n  3)  Raccoons\n", "B-10", 7),
        (OPENING + "  2)  Doubles => 2                Beavers\n  3)  Doubles => 8\n", "B-10", 7),
        (OPENING + "  2) 61:                          Drops\n", "B-5", 6),
    ],
)
def test_a_cube_action_against_the_rules_is_refused(body: str, rule: str, line: int) -> None:
    refusal = refused(one_game(body))
    assert refusal.line == line
    assert rule in refusal.reason


@pytest.mark.parametrize(
    ("rows", "points", "cube"),
    [
        ("  2)  Doubles => 2                Beavers\n  3) 31: 24/23 13/10\n      Wins 4 points\n", 4, 4),
        (
            "  2)  Doubles => 2                Beavers => 4\n  3)  Takes\n  4) 31: 24/23 13/10\n      Wins 4 points\n",
            4,
            4,
        ),
        (
            "  2)  Doubles => 2                Doubles => 4\n  3)  Takes\n  4) 31: 24/23 13/10\n      Wins 4 points\n",
            4,
            4,
        ),
        ("  2)  Doubles => 2                Beaver\n  3)  Drops                       Wins 2 points\n", 2, 2),
        ("  2)  Doubles => 2                Beaver\n                                  Wins 2 points\n", 2, 2),
    ],
)
def test_beavers_are_read_as_programs_write_them_b_10(rows: str, points: int, cube: int) -> None:
    result = outcome(one_game(OPENING + rows))
    assert (result.points, result.cube) == (points, cube)


def test_a_beaver_is_refused_where_the_record_excludes_it_and_in_matches_b_10() -> None:
    body = OPENING + "  2)  Doubles => 2                Beavers\n"
    for head in ('; [Beaver "Off"]\n 0 point match\n', "\n 5 point match\n"):
        refusal = refused(one_game(body, head=head))
        assert (refusal.line, "B-10" in refusal.reason) == (7, True)


def test_no_double_in_a_1_point_match_nor_in_the_crawford_game_b_9_b_12() -> None:
    body = OPENING + "  2)  Doubles => 2                Drops\n"
    assert "1-point" in refused(one_game(body, head=" 1 point match\n")).reason
    assert "B-12" in refused(one_game(body, head=" 5 point match\n", score="4 0")).reason
    assert replayed(one_game(body, head=" 5 point match\n", score="3 0")).outcome is not None
    assert replayed(one_game(body, head='; [Crawford "Off"]\n 5 point match\n', score="4 0")).outcome is not None


def test_automatic_doubles_are_told_by_our_own_dialect_b_13() -> None:
    body = '; [AutomaticDoubles "2"]\n' + OPENING + "  2)  Doubles => 8                Drops\n      Wins 4 points\n"
    assert outcome(one_game(body)).points == 4
    assert "B-13" in refused(one_game(body, head=" 5 point match\n")).reason


# --- Results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "winner"),
    [
        ("      Wins 1 point\n", 1),
        ("                                  Wins 1 point\n", 2),
        ("  2)  Losses 1 point                                               Wins 1 point\n", 2),
        ("  2)  Resigns\n                                  Wins 1 point\n", 2),
        ("  2)  Resigns\n", 2),
        # Resigned after rolling, by the roller and by the other.
        ("  2) 61:                          Wins 1 point\n", 2),
        ("  2) 61: ????                     Wins 1 point\n", 2),
        ("  2) 61:\n      Wins 1 point\n", 1),
    ],
)
def test_a_result_the_board_does_not_give_is_a_resignation(result: str, winner: Side) -> None:
    game = replayed(one_game(OPENING + result))
    assert game.outcome == Outcome(winner=winner, win=Win.SINGLE, cube=1, points=1, ending=Ending.RESIGNED)
    assert game.plays == 2


def test_a_game_resigned_before_the_first_roll_is_one() -> None:
    assert outcome(one_game("      Wins 1 point\n")).winner == 1


def test_a_loss_on_time_is_told_from_a_resignation_b_15() -> None:
    assert (
        outcome(one_game(OPENING + "  2)  Loses on time\n      " + " " * 28 + "Wins 1 point\n")).ending
        is Ending.TIMED_OUT
    )
    pending = one_game(
        "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Loses on time               Wins 1 point\n"
    )
    assert (outcome(pending).ending, outcome(pending).points) == (Ending.TIMED_OUT, 1)


@pytest.mark.parametrize(
    ("length", "score", "cube", "recorded", "win", "points"),
    [
        (7, "0 0", 2, 2, Win.SINGLE, 2),
        (7, "0 0", 2, 4, Win.GAMMON, 4),
        (7, "0 0", 2, 6, Win.BACKGAMMON, 6),
        (7, "0 0", 2, 7, None, 7),  # the match whole
        (7, "4 0", 2, 3, Win.GAMMON, 4),  # clipped to what is needed
        (3, "1 0", 2, 3, Win.GAMMON, 4),  # clipped to the length
        (5, "4 3", 1, 1, Win.SINGLE, 1),
    ],
)
def test_what_was_resigned_is_the_least_that_gives_the_points_b_19(
    length: int, score: str, cube: int, recorded: int, win: Win | None, points: int
) -> None:
    doubled = DOUBLED if cube == 2 else OPENING
    text = one_game(f"{doubled}      Wins {recorded} points\n", head=f" {length} point match\n", score=score)
    result = outcome(text)
    assert (result.win, result.points, replayed(text).recorded_points) == (win, points, recorded)


RIGHT = " " * 34


@pytest.mark.parametrize(
    ("result", "win", "points"),
    [
        ("  3)  Resigns gammon\n", Win.GAMMON, 4),
        ("  3)  Resigns a gammon\n", Win.GAMMON, 4),
        ("  3)  Resigned (backgammon)\n", Win.BACKGAMMON, 6),
        ("  3)  Resigns single\n", Win.SINGLE, 2),
        ("  3)  Resigns\n", Win.SINGLE, 2),
        (f"  3)  Resigns gammon\n{RIGHT}Wins 4 points\n", Win.GAMMON, 4),
        (f"{RIGHT}Wins 4 points (gammon)\n", Win.GAMMON, 4),
        (f"{RIGHT}Wins 2 points (no gammon)\n", Win.SINGLE, 2),
    ],
)
def test_the_word_for_what_was_resigned_counts_b_19(result: str, win: Win, points: int) -> None:
    for head in (MONEY, " 7 point match\n"):
        text = one_game(DOUBLED + result, head=head)
        assert outcome(text) == Outcome(winner=2, win=win, cube=2, points=points, ending=Ending.RESIGNED)


def test_a_word_tells_a_clipped_gammon_from_a_backgammon_b_14() -> None:
    body = f"{DOUBLED}  3)  Resigns backgammon and the match\n{RIGHT}Wins 3 points\n"
    result = outcome(one_game(body, head=" 7 point match\n", score="0 4"))
    assert (result.win, result.points) == (Win.BACKGAMMON, 6)


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        (f"{OPENING}  2)  Resigns gammon\n{RIGHT}Wins 1 point\n", 7, "gammon on a cube of 1 is worth 2"),
        (f"{DOUBLED}  3)  Resigns single\n{RIGHT}Wins 4 points\n", 8, "single on a cube of 2 is worth 2"),
        (f"{DOUBLED}  3)  Resigns single\n{RIGHT}Wins 4 points (gammon)\n", 8, "two kinds of win"),
        (OPENING + "  2)  Doubles => 2                Drops\n      Wins 1 point (gammon)\n", 7, "it was a single"),
        (OPENING + "  2)  Doubles => 2                Resigns gammon\n", 6, "it was a single"),
    ],
)
def test_a_word_against_the_points_or_the_game_is_refused(body: str, line: int, reason: str) -> None:
    refusal = refused(one_game(body, head=" 7 point match\n"))
    assert refusal.line == line
    assert reason in refusal.reason


def test_a_loss_on_time_is_worth_the_cube_or_what_is_certain_b_15() -> None:
    lost = "  3)  Loses on time               Wins 2 points\n"
    result = outcome(one_game(DOUBLED + lost))
    assert result == Outcome(winner=2, win=Win.SINGLE, cube=2, points=2, ending=Ending.TIMED_OUT)
    # Clipped to what the match needs; and not named at all.
    clipped = one_game(DOUBLED + lost.replace("2 points", "1 point"), head=" 7 point match\n", score="0 6")
    assert "B-12" in refused(clipped).reason  # no cube there: the clip needs the game behind the Crawford game
    clipped = clipped.replace(" 7 point", '; [Crawford "Off"]\n 7 point')
    assert outcome(clipped).points == 2
    assert outcome(one_game(DOUBLED + "  3)  Loses on time\n")).points == 2


@pytest.mark.parametrize(
    ("judged", "points", "reason"),
    [
        ({1: Win.GAMMON}, 4, None),
        ({1: Win.GAMMON}, 2, "the gammon lost on time is worth 4 points"),
        ({1: Win.SINGLE}, 4, "the single lost on time is worth 2 points"),
        ({2: Win.GAMMON}, 4, "the single lost on time is worth 2 points"),  # another game's
    ],
)
def test_an_analysis_made_here_says_what_a_loss_on_time_is_worth_b_15(
    judged: dict[int, Win], points: int, reason: str | None
) -> None:
    text = one_game(f"{DOUBLED}  3)  Loses on time\n{RIGHT}Wins {points} points\n", head=" 7 point match\n")
    agreed = RecordRules(length=7, crawford=True, jacoby=False, beavers=False)
    assert replay_text(text, judged=judged) == replay_text(text, agreed=agreed, judged=judged)
    (replay,) = replay_text(text, judged=judged)
    assert [each.reason[: len(reason or "")] for each in replay.refused] == ([reason] if reason else [])
    if not reason:
        assert replay.outcomes == (Outcome(winner=2, win=Win.GAMMON, cube=2, points=4, ending=Ending.TIMED_OUT),)


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        (f"{DOUBLED}  3)  Loses on time\n{RIGHT}Wins 4 points\n", 8, "B-15"),
        (f"{DOUBLED}  3)  Loses on time\n{RIGHT}Wins 1 point\n", 8, "B-15"),
        (f"{DOUBLED}  3)  Loses on time (gammon)\n", 7, "B-15"),
        # bob is not on the clock, neither here nor before the opening nor when all is over.
        (f"{DOUBLED}{RIGHT}Loses on time\n      Wins 2 points\n", 8, "clock is not running"),
        ("  1)  Loses on time\n", 5, "opening throw"),
        (GAMMON + f"{RIGHT}Wins 2 points\n      Loses on time\n", None, "over before the time"),
        (f"{DOUBLED}  3)  Loses on time and the match\n", 7, "not over at 0 : 2"),
    ],
)
def test_a_loss_on_time_that_the_referee_would_not_give_is_refused_b_15(
    body: str, line: int | None, reason: str
) -> None:
    refusal = refused(one_game(body, head=" 7 point match\n"))
    assert reason in refusal.reason
    assert refusal.line == line or line is None


@pytest.mark.parametrize(("recorded", "whole"), [(None, True), (3, True), (5, True), (1, False), (4, False)])
def test_a_match_given_up_is_worth_what_the_winner_needs_b_19(recorded: int | None, whole: bool) -> None:
    wins = f"{RIGHT}Wins {recorded} points\n" if recorded is not None else ""
    text = one_game(f"{OPENING}  2)  Resigns the match\n{wins}", head=" 5 point match\n", score="0 2")
    if whole:
        assert outcome(text) == Outcome(winner=2, win=None, cube=1, points=3, ending=Ending.RESIGNED)
    else:
        refusal = refused(text)
        assert (refusal.line, "B-19" in refusal.reason) == (7, True)


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        (OPENING + "  2)  Doubles => 2                Drops\n" + " " * 34 + "Wins 1 point\n", 7, "side 1 has won"),
        (OPENING + "  2)  Doubles => 2                Drops\n      Wins 2 points\n", 7, "worth 1 point"),
        (OPENING + "      Wins 5 points\n", 6, "5 points"),
        (OPENING + "      Wins 2 points and the match\n      Wins 1 point\n", 7, "two numbers"),
        (OPENING + "  2)  Losses 1 point\n      Wins 1 point\n", 7, "both sides"),
        (OPENING + "      Wins 1 point\n  2) 61: 13/7 8/7\n", 7, "goes on"),
        (OPENING + "  2)  Doubles => 2\n" + " " * 34 + "Wins 1 point\n", 7, "offer to answer"),
    ],
)
def test_a_result_that_contradicts_the_game_is_refused_with_its_line(body: str, line: int, reason: str) -> None:
    refusal = refused(one_game(body))
    assert refusal.line == line
    assert reason in refusal.reason


def test_and_the_match_has_to_be_true_b_14() -> None:
    body = OPENING + "  2)  Doubles => 2                Drops\n      Wins 1 point and the match\n"
    assert "not over at 3 : 0" in refused(one_game(body, head=" 5 point match\n", score="2 0")).reason


@pytest.mark.parametrize(
    ("head", "recorded", "jacoby", "points"),
    [
        (" 0 point match\n", 1, True, 1),
        (" 0 point match\n", 2, False, 2),  # paid in full, so it was played without
        ('; [Jacoby "On"]\n 0 point match\n', 1, True, 1),
        ('; [Jacoby "Off"]\n 0 point match\n', 2, False, 2),
        ('; [Site "BackgammonGalaxy"]\n16 point match\n', 1, True, 1),
    ],
)
def test_jacoby_is_the_header_s_or_what_the_results_tell_b_11(
    head: str, recorded: int, jacoby: bool, points: int
) -> None:
    game = replayed(one_game(GAMMON + f"{'':34}Wins {recorded} points\n", head=head))
    assert (game.match_length, game.jacoby) == (0, jacoby)
    assert game.outcome == Outcome(winner=2, win=Win.GAMMON, cube=1, points=points, ending=Ending.BORNE_OFF)


@pytest.mark.parametrize(
    ("head", "recorded"),
    [
        ('; [Jacoby "On"]\n 0 point match\n', 2),
        ('; [Jacoby "Off"]\n 0 point match\n', 1),
        ('; [Site "BackgammonGalaxy"]\n16 point match\n', 2),
    ],
)
def test_points_against_the_record_s_own_jacoby_are_refused_b_11(head: str, recorded: int) -> None:
    assert "B-11" in refused(one_game(GAMMON + f"{'':34}Wins {recorded} points\n", head=head)).reason


def test_16_points_elsewhere_or_in_several_games_is_a_match() -> None:
    assert replayed(one_game(OPENING, head="16 point match\n")).match_length == 16
    (replay,) = replay_text(
        one_game(OPENING + "      Wins 1 point\n", head='; [Site "BackgammonGalaxy"]\n16 point match\n')
        + "\n Game 2\n ann : 1                       bob : 0\n"
    )
    assert [game.match_length for game in replay.games if isinstance(game, GameReplay)] == [16, 16]


# --- From game to game ---------------------------------------------------------------------------------------


def two_games(first: str, second_score: str, second: str = OPENING, *, length: int = 5) -> Replay:
    one, two = second_score.split()
    text = one_game(first, head=f" {length} point match\n") + f"\n Game 2\n ann : {one}   bob : {two}\n{second}"
    (replay,) = replay_text(text)
    return replay


DROPPED = OPENING + "  2)  Doubles => 2                Drops\n"


def test_scores_add_up_from_game_to_game_b_14() -> None:
    replay = two_games(DROPPED + "      Wins 1 point\n", "1 0", DROPPED + "      Wins 1 point\n")
    assert replay.refused == ()
    assert [result.points for result in replay.outcomes] == [1, 1]
    assert replay.series is not None
    assert (replay.series.score, replay.winner) == ((2, 0), None)


def test_a_match_has_its_winner_b_14() -> None:
    replay = two_games(
        OPENING + "      Wins 1 point\n", "1 0", OPENING + "      Wins 1 point and the match\n", length=2
    )
    assert replay.winner == 1


def test_a_score_against_a_certain_result_refuses_the_game_it_heads_b_14() -> None:
    replay = two_games(DROPPED + "      Wins 1 point\n", "0 1")
    (refusal,) = replay.refused
    assert (refusal.game, refusal.line) == (2, 10)
    assert "1 : 0" in refusal.reason


def test_a_score_against_a_told_result_refuses_the_game_that_told_it_b_14() -> None:
    replay = two_games(OPENING + "      Wins 1 point\n", "0 1")
    (refusal,) = replay.refused
    assert (refusal.game, refusal.line) == (1, 6)
    assert isinstance(replay.games[1], GameReplay)


def test_a_result_that_only_the_next_score_tells_is_read_from_it() -> None:
    replay = two_games(OPENING, "0 2")
    (result,) = replay.outcomes
    assert (result.winner, result.win, result.ending) == (2, Win.GAMMON, Ending.RESIGNED)
    unfinished = two_games(OPENING, "0 0")
    assert (unfinished.outcomes, unfinished.refused) == ((), ())


def test_the_score_is_believed_behind_a_refused_game() -> None:
    replay = two_games("  1) 31: 8/2\n", "0 4")
    assert [isinstance(game, GameReplay) for game in replay.games] == [False, True]
    second = replay.games[1]
    assert isinstance(second, GameReplay)
    assert second.crawford_game


@pytest.mark.parametrize("first", ["  1) 31: 8/2\n", "  1) unreadable\n"])
def test_a_refused_crawford_game_was_the_only_one_b_12(first: str) -> None:
    text = one_game(first, head=" 5 point match\n", score="4 0")
    (replay,) = replay_text(text + f"\n Game 2\n ann : 4   bob : 1\n{DROPPED}")
    assert [refusal.game for refusal in replay.refused] == [1]
    second = replay.games[1]
    assert isinstance(second, GameReplay)
    assert not second.crawford_game


@pytest.mark.parametrize(
    ("second_score", "names", "reason"),
    [("5 0", "bob", "already won"), ("1 0", "carl", "other players"), ("7 6", "bob", "B-14")],
)
def test_a_second_game_that_cannot_be_is_refused_b_14(second_score: str, names: str, reason: str) -> None:
    one, two = second_score.split()
    first = "  1) 31: 8/2\n" if names == "bob" else DROPPED
    text = one_game(first, head=" 5 point match\n") + f"\n Game 2\n ann : {one}   {names} : {two}\n{OPENING}"
    (replay,) = replay_text(text)
    assert reason in replay.refused[-1].reason
    assert replay.refused[-1].game == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        ("hello", 1),
        (" 0 point match\n", 1),
        (one_game(OPENING, head='; [Variation "NackGammon"]\n 0 point match\n'), 2),
        (one_game(OPENING, head='; [CubeLimit "lots"]\n 0 point match\n'), 2),
    ],
)
def test_a_text_that_is_no_record_of_backgammon_is_refused_whole(text: str, line: int | None) -> None:
    refusal = refused(text)
    assert (refusal.game, refusal.line) == (None, line)


def test_the_games_before_and_behind_a_spoilt_match_are_judged() -> None:
    good = one_game(DROPPED)
    spoilt = one_game(DROPPED, head=MONEY + "  1) 31: 8/5 6/5\n")
    first, second, third = replay_text(good + spoilt + good)
    assert (len(first.outcomes), len(third.outcomes)) == (1, 1)
    (refusal,) = second.games
    assert isinstance(refusal, Refused)
    assert (refusal.game, refusal.line) == (None, good.count("\n") + 2)


@pytest.mark.parametrize("bad", [" 5 pont match", "x" * 2000])
def test_a_bad_line_behind_a_finished_game_leaves_that_game_and_refuses_the_rest_once(bad: str) -> None:
    game = one_game(DROPPED + "      Wins 1 point\n")
    rest = game.partition("\n\n")[2]
    first, second, third = replay_text(f"{game}{bad}\n{rest}\n{rest}\n{game}")
    assert [len(replay.outcomes) for replay in (first, second, third)] == [1, 0, 1]
    (refusal,) = second.refused
    assert (refusal.game, refusal.line) == (None, game.count("\n") + 1)


def test_an_unreadable_turn_behind_a_result_is_its_game_s_b_8() -> None:
    refusal = refused(one_game(DROPPED + "      Wins 1 point\n  3) 31: what\n"))
    assert (refusal.game, refusal.line) == (1, 8)


def test_a_match_read_elsewhere_is_judged_the_same() -> None:
    text = one_game(DROPPED)
    assert replay_match(read(text)[0]) == replay_text(text)[0]
