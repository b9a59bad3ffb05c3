"""The last checkers, played out: against a plain recursion over the rules' plays, and by what must hold (A-3)."""

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.analysis.bearoff import BearoffSolver
from games.analysis.endgame import Endgame, Owner, is_endgame
from games.rules.board import OPENING, Position
from games.rules.plays import legal_plays
from tests.analysis.homes import bear_off, sides
from tests.games.boards import ALL_ROLLS

Pay = Callable[[int], Fraction]


def capped(stake: int, cap: int) -> Pay:
    return lambda cube: Fraction(min(stake * cube, cap))


UNCAPPED = capped(5, 5 * 192)


class Plainly:
    """The same question answered slowly: positions, fractions, and the rules' own plays."""

    def __init__(self, *, pay: Pay, limit: int, beavers: bool) -> None:
        self.pay, self.limit, self.beavers = pay, limit, beavers
        self.known: dict[tuple[Position, int, int], Fraction] = {}

    def may_double(self, position: Position, cube: int, owner: int) -> Fraction:
        key = position, cube, owner
        if key not in self.known:
            here = self.before_roll(position, cube, owner)
            if owner >= 0 and cube * 2 <= self.limit and self.pay(cube * 2) > self.pay(cube):
                answers = [self.before_roll(position, cube * 2, -1), self.pay(cube)]
                if self.beavers and cube * 4 <= self.limit:
                    answers.append(max(self.before_roll(position, cube * 4, -1), -self.pay(cube * 2)))
                here = max(here, min(answers))
            self.known[key] = here
        return self.known[key]

    def before_roll(self, position: Position, cube: int, owner: int) -> Fraction:
        total = Fraction(0)
        for high, low in ALL_ROLLS:
            plays = legal_plays(position, (high, low))
            best = max(self.after(play.position, cube, owner) for play in plays)
            total += Fraction(1 if high == low else 2, 36) * best
        return total

    def after(self, position: Position, cube: int, owner: int) -> Fraction:
        return self.pay(cube) if position.is_over else -self.may_double(position.swapped(), cube, -owner)


@pytest.mark.parametrize("pay", [UNCAPPED, capped(5, 15), capped(5, 5)], ids=["uncapped", "cap 15", "cap 5"])
@pytest.mark.parametrize("beavers", [False, True])
@pytest.mark.parametrize(("mine", "theirs"), [([6], [1]), ([6], [6]), ([5, 2], [4, 3]), ([3, 2, 1], [2, 2])])
def test_it_is_the_plain_recursion(mine: list[int], theirs: list[int], beavers: bool, pay: Pay) -> None:
    position = bear_off(mine, theirs)
    game = Endgame(cube=1, pay=pay, limit=8, beavers=beavers)
    plain = Plainly(pay=pay, limit=8, beavers=beavers)
    places: list[tuple[int, Owner]] = [(1, 0), (2, 1), (2, -1), (4, -1), (8, 1)]
    for cube, owner in places:
        assert game.before_roll(position, cube=cube, owner=owner) == plain.before_roll(position, cube, owner)
        assert game.may_double(position, cube=cube, owner=owner) == plain.may_double(position, cube, owner)
    for dice in ALL_ROLLS:
        best = max(plain.after(play.position, 2, 1) for play in legal_plays(position, dice))
        assert game.after_roll(position, dice, cube=2, owner=1) == best


def test_the_last_roll_with_the_cube_is_worth_the_whole_stake_a_5() -> None:
    """{6} against {1}: 27 of 36 win. Doubled, a take costs 2 x (3/4 - 1/4) = 1 stake, and so does a pass."""
    game = Endgame(cube=1, pay=UNCAPPED, limit=64)
    position = bear_off([6], [1])
    assert game.before_roll(position, cube=1, owner=0) == Fraction(5, 2)
    assert game.may_double(position, cube=1, owner=0) == 5
    assert game.before_roll(position, cube=2, owner=-1) == 5
    assert game.may_double(position, cube=2, owner=-1) == 5


def test_a_double_that_is_a_pass_and_one_that_is_a_take() -> None:
    """{5, 2} against {1}: 19 of 36, so 2 x 2/36 is taken. {4} against {1}: 34 of 36 is passed."""
    game = Endgame(cube=1, pay=UNCAPPED, limit=64)
    assert game.may_double(bear_off([5, 2], [1]), cube=1, owner=0) == Fraction(10 * 2, 36)
    assert game.may_double(bear_off([4], [1]), cube=1, owner=0) == 5
    assert game.before_roll(bear_off([4], [1]), cube=1, owner=0) == Fraction(5 * 32, 36)


def test_a_cap_makes_the_cube_useless() -> None:
    game = Endgame(cube=4, pay=capped(5, 15), limit=64)
    position = bear_off([6, 5], [2, 2, 1])
    assert game.may_double(position, cube=4, owner=1) == game.before_roll(position, cube=4, owner=1)
    assert game.before_roll(position, cube=4, owner=1) == game.before_roll(position, cube=4, owner=-1)


@given(sides(most=3), sides(most=3), st.sampled_from([1, 2, 16, 64]), st.sampled_from([5, 15, 47, 960]), st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_better_place_of_the_cube_is_worth_more(
    mine: list[int], theirs: list[int], cube: int, cap: int, beavers: bool
) -> None:
    position = bear_off(mine, theirs)
    game = Endgame(cube=cube, pay=capped(5, cap), limit=64, beavers=beavers)
    own, centred, others = (game.before_roll(position, cube=cube, owner=owner) for owner in (1, 0, -1))
    assert own >= centred >= others
    most = min(5 * cube, cap)
    assert -cap <= others
    for owner in (1, 0, -1):
        rolled = game.before_roll(position, cube=cube, owner=owner)
        assert game.may_double(position, cube=cube, owner=owner) >= rolled
        assert rolled <= most


def test_without_a_cube_it_is_hardly_better_than_playing_for_the_fewest_turns() -> None:
    """The one-sided table does not look at the other side. The two differ by half a percent at most."""
    game = Endgame(cube=64, pay=lambda cube: Fraction(1), limit=64)
    chance = random.Random(3)
    for _ in range(60):
        mine, theirs = ([chance.randint(1, 6) for _ in range(chance.randint(1, 4))] for _ in range(2))
        position = bear_off(mine, theirs)
        played_out = game.before_roll(position, cube=64, owner=0)
        one_sided = 2 * Fraction(BearoffSolver().evaluate(position).win_single) - 1
        assert abs(played_out - one_sided) < Fraction(1, 100), (mine, theirs)


def test_only_the_last_four_of_each_side_are_an_endgame() -> None:
    assert is_endgame(bear_off([6] * 4, [6] * 4))
    assert not is_endgame(bear_off([1] * 5, [1]))
    assert not is_endgame(bear_off([1], [1] * 5))
    assert not is_endgame(bear_off([7], [1]))
    assert not is_endgame(OPENING)
