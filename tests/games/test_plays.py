"""All legal plays of a roll: B-3 to B-7, strictly, each position once."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice, permutations
from typing import Any

import pytest
from gvformat.legality import legal_plays as gvformat_plays
from hypothesis import given, settings

from games.rules.board import BAR, OFF, OPENING, Position
from games.rules.ids import MatchState, read_xgid, write_xgid
from games.rules.plays import ImpossibleDice, Play, legal_plays
from tests.games.boards import ALL_ROLLS, Dice, board, games, golden, positions, rolls, scattered, two_sided

EDGE_CASES = golden("edge_cases.json")

# How many positions each opening roll can reach, as known among players and programmers.
OPENING_COUNTS = {
    11: 42, 21: 15, 22: 75, 31: 16, 32: 17, 33: 73, 41: 14, 42: 18, 43: 17, 44: 52, 51: 8,
    52: 8, 53: 9, 54: 9, 55: 4, 61: 10, 62: 14, 63: 14, 64: 14, 65: 7, 66: 11,
}  # fmt: skip


def after(plays: Iterable[Play]) -> set[Position]:
    return {play.position for play in plays}


def written(position: Position, dice: Dice) -> set[str]:
    return {str(play) for play in legal_plays(position, dice)}


@pytest.mark.parametrize("case", EDGE_CASES, ids=lambda case: case["name"])
def test_an_edge_case_has_exactly_these_plays(case: dict[str, Any]) -> None:
    position = two_sided(case["me"], case["opp"])
    expected = {two_sided(*result) for result in case["results"]} - {position}
    for dice in permutations(case["dice"]):
        plays = legal_plays(position, (dice[0], dice[1]))
        assert after(plays) == expected
        assert len(plays) == len(expected)


@pytest.mark.parametrize(("roll", "count"), OPENING_COUNTS.items())
def test_an_opening_roll_reaches_as_many_positions_as_published(roll: int, count: int) -> None:
    assert len(legal_plays(OPENING, (roll // 10, roll % 10))) == count


def test_the_opening_rolls_reach_447_positions() -> None:
    assert sum(len(legal_plays(OPENING, roll)) for roll in ALL_ROLLS) == sum(OPENING_COUNTS.values()) == 447


def test_two_plies_have_as_many_paths_and_positions_as_published() -> None:
    paths = 0
    reached: set[tuple[int, ...]] = set()
    for roll in ALL_ROLLS:
        for play in legal_plays(OPENING, roll):
            other_side = play.position.swapped()
            for answer in ALL_ROLLS:
                plays = legal_plays(other_side, answer)
                paths += len(plays)
                reached.update(play.position.points for play in plays)
    assert (paths, len(reached)) == (202_782, 163_706)


def test_the_last_checker_must_hit_and_leave() -> None:
    """B-5: last checker on the 2-point, a blot on the 1-point, roll 3-1."""
    position = board(mine={2: 1}, theirs={1: 1, 24: 14})
    assert written(position, (3, 1)) == written(position, (1, 3)) == {"2/1*/off"}
    # With the blot's point made the 1 cannot be played at all, and the 3 bears off.
    assert written(board(mine={2: 1}, theirs={1: 2, 24: 13}), (3, 1)) == {"2/off"}


def test_a_double_may_bring_three_home_and_bear_off_with_the_fourth() -> None:
    """B-7 asks where the checkers are at that moment, not where they were at the roll."""
    position = board(mine={8: 3, 3: 1}, theirs={24: 2})
    assert written(position, (3, 3)) == {"8/5(3) 3/off", "8/2 8/5(2)", "8/2(2)"}


def test_a_checker_moved_twice_shows_what_it_hit_on_the_way() -> None:
    position = board(mine={24: 1}, theirs={20: 1, 19: 2, 1: 2})
    assert written(position, (4, 2)) == {"24/20*/18", "24/18"}
    assert len(legal_plays(position, (4, 2))) == 2


@pytest.mark.parametrize(
    ("mine", "theirs", "dice", "play"),
    [
        ({8: 2, 6: 2}, {24: 2}, (3, 1), "8/5 6/5"),
        ({13: 2}, {24: 2}, (3, 3), "13/7(2)"),
        ({13: 2}, {7: 1, 24: 2}, (3, 3), "13/7*(2)"),
        ({13: 2}, {10: 1, 24: 2}, (3, 3), "13/10*/7(2)"),
        ({25: 2, 6: 1}, {20: 1, 24: 2}, (5, 5), "bar/20*/15(2)"),
        ({25: 2, 6: 1}, {20: 1, 24: 2}, (5, 5), "bar/20*/10 bar/20"),
        ({25: 1, 6: 1}, {20: 1, 24: 2}, (5, 4), "bar/20*/16"),
        ({6: 2, 5: 1}, {24: 2}, (6, 6), "6/off(2) 5/off"),
        ({8: 1, 6: 1}, {24: 2}, (2, 6), "8/off"),
    ],
)
def test_a_play_is_written_as_players_write_it(
    mine: dict[int, int], theirs: dict[int, int], dice: Dice, play: str
) -> None:
    plays = written(board(mine=mine, theirs=theirs), dice)
    assert play in plays, plays


def test_a_game_that_is_over_has_no_plays() -> None:
    assert legal_plays(board(mine={1: 1}, theirs={24: 1}), (1, 2))
    assert not legal_plays(board(mine={1: 1}, theirs={}), (1, 2))
    assert not legal_plays(board(mine={}, theirs={1: 1}), (1, 2))


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (True, 1), (1.0, 1), (1,), (1, 1, 1), ("1", 1)])
def test_what_is_no_throw_is_refused(dice: Dice) -> None:
    with pytest.raises(ImpossibleDice, match="two dice"):
        legal_plays(OPENING, dice)


# Beside gvformat, an independent generator


def gvformat_after(position: Position, dice: Dice) -> set[tuple[int, ...]]:
    """The positions that gvformat's plays reach. It tells moves by single dice, and forgets hit checkers."""
    mine = [0, *(max(count, 0) for count in position.points[1:])]
    theirs = [0, *(max(-count, 0) for count in position.points[1:])]
    reached = set()
    for moves in gvformat_plays(mine, theirs, *dice)[0]:
        points = list(position.points)
        for hit in {target for _, target in moves if target and points[target] == -1}:
            points[hit] = 0
            points[OFF] -= 1
        for source, target in moves:
            points[source] -= 1
            if target:
                points[target] += 1
        reached.add(tuple(points))
    return reached


def test_twenty_thousand_random_positions_have_gvformats_plays() -> None:
    met = list(chain(islice(games(seed=15), 13_000), islice(scattered(seed=24), 7_000)))
    doubles = bars = bearing_off = passes = hits = 0
    for position, dice in met:
        plays = legal_plays(position, dice)
        reached = {play.position.points for play in plays}
        assert reached == gvformat_after(position, dice), (position, dice)
        assert len(reached) == len(plays), (position, dice)
        doubles += dice[0] == dice[1]
        bars += position.bar > 0
        bearing_off += any(move.target == OFF for play in plays for move in play.moves)
        passes += not plays
        hits += any(move.hit for play in plays for move in play.moves)
    assert len(met) == 20_000
    assert min(doubles, bars, bearing_off, hits) > 3_000, "the positions met are not varied enough"
    assert passes > 500


# Properties


def all_sequences(position: Position, dice: Dice) -> dict[tuple[int, ...], set[tuple[int, ...]]]:
    """By the dice used in order, the positions so reached: every order tried, nothing clever, the rules re-read."""
    reached: dict[tuple[int, ...], set[tuple[int, ...]]] = {(): {position.points}}
    orders = {(dice[0],) * 4} if dice[0] == dice[1] else set(permutations(dice))
    for order in orders:
        for made in range(len(order)):
            done, die = order[:made], order[made]
            for points in reached.get(done, set()):
                mine = [point for point in range(1, 26) if points[point] > 0]
                for source in mine:
                    target = max(source - die, 0)
                    if BAR in mine and source != BAR:
                        continue
                    if target == 0 and max(mine) > 6:
                        continue
                    if target == 0 and source != die and max(mine) != source:
                        continue
                    if target and points[target] < -1:
                        continue
                    then = list(points)
                    then[source] -= 1
                    if target and then[target] == -1:
                        then[target] = 0
                        then[0] -= 1
                    if target:
                        then[target] += 1
                    reached.setdefault((*done, die), set()).add(tuple(then))
    return reached


@settings(max_examples=400, deadline=None)
@given(positions(), rolls)
def test_no_longer_play_exists_and_none_is_missed(position: Position, dice: Dice) -> None:
    reached = all_sequences(position, dice)
    longest = max(map(len, reached))
    best = {used: those for used, those in reached.items() if len(used) == longest}
    if longest == 1 and (max(dice),) in best:
        best = {(max(dice),): best[max(dice),]}
    plays = legal_plays(position, dice)
    assert {play.position.points for play in plays} == (set().union(*best.values()) if longest else set())
    assert all(len(play.moves) == longest for play in plays)


@settings(max_examples=200, deadline=None)
@given(positions(), rolls)
def test_checkers_are_conserved_and_the_moves_lead_to_the_position(position: Position, dice: Dice) -> None:
    for play in legal_plays(position, dice):
        after = play.position
        Position(after.points)
        assert after.opponent_borne_off == position.opponent_borne_off
        assert after.borne_off - position.borne_off == sum(move.target == OFF for move in play.moves)
        assert after.opponent_bar - position.opponent_bar == sum(move.hit for move in play.moves)
        points = list(position.points)
        for source, target, hit in play.moves:
            assert points[source] > 0
            points[source] -= 1
            if target:
                assert (points[target] == -1) is hit
                points[target] = 1 if hit else points[target] + 1
            points[OFF] -= hit
        assert tuple(points) == after.points


@settings(max_examples=200, deadline=None)
@given(positions(), rolls)
def test_the_order_of_the_dice_does_not_matter(position: Position, dice: Dice) -> None:
    assert after(legal_plays(position, dice)) == after(legal_plays(position, dice[::-1]))


@settings(max_examples=200, deadline=None)
@given(positions(), rolls)
def test_the_mirror_image_has_the_same_plays(position: Position, dice: Dice) -> None:
    """The opponent, told on its own scale, has what the mover has on that same board: sides differ in nothing else."""
    state = MatchState(turn=1, dice=dice)
    seen_from_below, seen_from_above = write_xgid(position, state), write_xgid(position, replace(state, turn=-1))
    assert seen_from_above.split(":")[0].removeprefix("XGID=") == seen_from_below.split(":")[0][:4:-1].swapcase()
    mirrored, _ = read_xgid(seen_from_above)
    assert [str(play) for play in legal_plays(mirrored, dice)] == [str(play) for play in legal_plays(position, dice)]
