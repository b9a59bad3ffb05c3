"""Plays are read as players write them, and each way to be illegal is refused by name."""

from itertools import islice

import pytest
from hypothesis import given, settings

from games.rules import notation
from games.rules.board import OPENING, Position
from games.rules.notation import Path, UnreadablePlay, find_play, parse_play
from games.rules.plays import legal_plays
from games.rules.refusals import RuleBroken
from tests.games.boards import Dice, board, games, positions, rolls


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("8/5 6/5", [(8, 5), (6, 5)]),
        ("13/7(2)", [(13, 7), (13, 7)]),
        ("13/7 (2), 6/4", [(13, 7), (13, 7), (6, 4)]),
        ("bar/20/16", [(25, 20, 16)]),
        ("Bar/20 25/21", [(25, 20), (25, 21)]),
        ("6/off 5/OFF 4/0", [(6, 0), (5, 0), (4, 0)]),
        ("  ", []),
    ],
)
def test_the_usual_notations_are_read(text: str, paths: list[tuple[int, ...]]) -> None:
    assert [path.points for path in parse_play(text)] == paths


@pytest.mark.parametrize("text", ["bar/20*/16 8/5*", "25/20*/16 8/5*", "BAR/20*/16,8/5(1)*"])
def test_stars_mark_hits(text: str) -> None:
    assert parse_play(text) == (Path((25, 20, 16), frozenset({20})), Path((8, 5), frozenset({5})))
    assert " ".join(map(str, parse_play(text))) == "bar/20*/16 8/5*"


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "8",
        "8/",
        "8/5/",
        "5/8",
        "8/8",
        "26/20",
        "0/5",
        "off/5",
        "8/bar",
        "8*/5",
        "6/off*",
        "8/5(0)",
        "8/5(5)",
        "8/5()",
        "8-5",
        "８/5",
        "8/5,6",
        "8/5**",
        "8//5",
        "bar/25",
        "/5",
        "6/off/3",
        "100/5",
        "-8/5",
        "8/5(2",
        "(2)",
    ],
)
def test_what_is_no_play_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadablePlay, match="play: "):
        parse_play(text)


@settings(max_examples=200, deadline=None)
@given(positions(), rolls)
def test_every_play_is_found_by_its_own_text(position: Position, dice: Dice) -> None:
    for play in legal_plays(position, dice)[:20]:
        assert find_play(position, dice, str(play)) == play


def test_a_play_is_found_however_its_moves_are_written() -> None:
    for position, dice in islice(games(seed=3), 300):
        for play in legal_plays(position, dice)[::5]:
            one_by_one = " ".join(f"{source}/{target}" for source, target, _ in reversed(play.moves))
            assert find_play(position, dice, one_by_one) == play, (position, dice, one_by_one)


TWO_WAYS = board(mine={24: 2}, theirs={20: 1, 18: 2, 5: 2})
TWO_BLOTS = board(mine={24: 2}, theirs={20: 1, 18: 1, 5: 2})
FREE_OR_BLOT = board(mine={24: 2}, theirs={20: 1, 5: 2})


@pytest.mark.parametrize(
    ("position", "text", "play"),
    [
        (FREE_OR_BLOT, "24/14", "24/14"),
        (FREE_OR_BLOT, "24/20/14", "24/20*/14"),
        (FREE_OR_BLOT, "24/20*/14", "24/20*/14"),
        (FREE_OR_BLOT, "24/18/14", "24/14"),
        (FREE_OR_BLOT, "24/20 24/18", "24/18 24/20*"),
        (FREE_OR_BLOT, "24/20 20/14", "24/20*/14"),
        (TWO_WAYS, "24/14", "24/20*/14"),
        (TWO_BLOTS, "24/18*/14", "24/18*/14"),
        (TWO_BLOTS, "24/20/14", "24/20*/14"),
        (board(mine={2: 1}, theirs={1: 1, 24: 2}), "2/off", "2/1*/off"),
    ],
)
def test_a_hit_left_unmarked_is_inferred(position: Position, text: str, play: str) -> None:
    dice = (3, 1) if text == "2/off" else (6, 4)
    assert str(find_play(position, dice, text)) == play


@pytest.mark.parametrize(
    ("refusal", "position", "dice", "text", "words"),
    [
        (notation.AmbiguousPlay, TWO_BLOTS, (6, 4), "24/14", "24/20*/14 or 24/18*/14"),
        (notation.HitsNothing, FREE_OR_BLOT, (6, 4), "24/18*/14", "nothing is hit on 18"),
        (notation.HitsNothing, OPENING, (3, 1), "8/5* 6/5", "nothing is hit on 5"),
        (notation.NoChecker, OPENING, (3, 1), "7/4 6/5", "no checker on the 7-point"),
        (notation.NoChecker, OPENING, (3, 1), "bar/22 6/5", "no checker on the bar"),
        (notation.NoChecker, OPENING, (1, 1), "24/23(3) 6/5", "no checker on the 24-point"),
        (notation.PointMade, OPENING, (5, 5), "24/19", "24/19 lands on a point the opponent has made"),
        (notation.PointMade, TWO_WAYS, (6, 4), "24/18/14", "24/18 lands on a point"),
        (notation.PointMade, board(mine={24: 2}, theirs={20: 2, 18: 2}), (6, 4), "24/14", "has no way"),
        (notation.NoSuchDie, OPENING, (3, 1), "13/8 6/5", "13/8"),
        (notation.NoSuchDie, OPENING, (3, 1), "8/5 6/5 6/5", "no die left"),
        (notation.BarFirst, board(mine={25: 1, 8: 1}, theirs={1: 2}), (3, 1), "8/5 8/7", "must enter before 8/7"),
        (notation.NotAllHome, board(mine={7: 2, 6: 1}, theirs={24: 2}), (6, 1), "7/6 6/off", "in the home board"),
        (notation.CheckerBehind, board(mine={6: 1, 3: 2}, theirs={24: 2}), (5, 4), "3/off 3/off", "behind it"),
        (notation.MoreToPlay, OPENING, (3, 1), "8/5", "1 of the dice played where 2 can be"),
        (notation.MoreToPlay, OPENING, (3, 1), "", "can be played"),
        (notation.MoreToPlay, board(mine={2: 1}, theirs={1: 1, 24: 14}), (3, 1), "2/1*", "2/1*/off"),
        (notation.MoreToPlay, OPENING, (1, 1), "8/7(2) 6/5", "3 of the dice played where 4 can be"),
        (notation.HigherDieFirst, board(mine={13: 1}, theirs={2: 2}), (6, 5), "13/8", "the 6 can be played: 13/7"),
        (notation.NoChecker, board(mine={13: 1}, theirs={2: 2}), (6, 5), "13/8 13/7", "no checker on the 13-point"),
    ],
)
def test_an_illegal_play_is_refused_by_name(
    refusal: type[notation.IllegalPlay], position: Position, dice: Dice, text: str, words: str
) -> None:
    with pytest.raises(refusal) as refused:
        find_play(position, dice, text)
    assert isinstance(refused.value, RuleBroken)
    said = str(refused.value)
    assert words in said
    assert said.startswith((text or "no play") + f" with {dice[0]}-{dice[1]}: ")
    assert said.endswith(f"({refusal.rule})")


def test_no_play_is_the_play_of_a_side_that_cannot_move() -> None:
    shut_out = board(mine={25: 1, 1: 2}, theirs={19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2})
    play = find_play(shut_out, (6, 6), "")
    assert (play.moves, play.position, str(play)) == ((), shut_out, "")
