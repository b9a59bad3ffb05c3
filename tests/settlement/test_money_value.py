"""The value of a money game in progress, by worked figures and by what must hold (A-3, A-5)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.analysis.endgame import Owner
from games.analysis.probabilities import Probabilities, exact
from tests.golden import table
from wagering.settlement.abandonment.rules.money_value import MoneyGame, Payments

OWNERS: tuple[Owner, ...] = (1, 0, -1)


def game(
    *six: str, stake: str = "5", cap: str = "960", jacoby: bool = False, limit: int = 64, beavers: bool = False
) -> MoneyGame:
    payments = Payments(stake=Decimal(stake), cap=Decimal(cap), jacoby=jacoby, limit=limit)
    return MoneyGame(payments=payments, chances=Probabilities(*map(Decimal, six)), beavers=beavers)


@pytest.mark.parametrize("row", table("domain_a")["worked"], ids=lambda row: row["id"])
def test_worked_figures_a_5(row: dict[str, Any]) -> None:
    asked = game(*row["six"], stake=row["stake"], cap=row["cap"])
    assert asked.dead(row["cube"], row["owner"]) == Fraction(row["dead"])
    assert round(asked.to_roll(row["cube"], row["owner"]), 2) == Fraction(row["transfer"])


def test_the_cap_counts_and_equity_times_stake_does_not_cases_52() -> None:
    """Dead 5.50 where equity x stake says 7.00; live 10 x 22.142857 x .64 less, V 4.596571…"""
    asked = game("0.4", "0.3", "0", "0.3", "0", "0", cap="15")
    at = asked.at(2, -1)
    equity = Fraction("0.4") + 2 * Fraction("0.3") - Fraction("0.3")
    assert 5 * 2 * equity == 7
    assert [*at.pays, at.losing, at.dead] == [10, 15, 15, 10, Fraction("5.5")]
    assert at.winning == Fraction("8.5") / Fraction("0.7")
    # A take at 4 is worth a loss of 15 or a win of 15: the other side doubles out at p = 1/6.
    ten = Fraction(10)
    assert at.line == ((Fraction(0), -ten), (Fraction(1, 6), -ten), (Fraction(1), at.winning))
    assert at.live == Fraction(146, 35)
    assert at.value == Fraction(32, 100) * Fraction("5.5") + Fraction(68, 100) * Fraction(146, 35)
    assert round(at.value, 6) == Fraction("4.596571")


def test_without_gammons_and_cap_the_take_point_nears_a_fifth() -> None:
    """Known to every player: 25 % for a dead cube, 20 % for a live one that can go on for ever."""
    asked = game("0.5", "0", "0", "0.5", "0", "0", cap="960")
    assert asked.line(32, 0)[1] == (Fraction(1, 4), Fraction(-160))
    low, high = asked.line(1, 0)[1:3]
    assert abs(low[0] - Fraction(1, 5)) < Fraction(1, 1000)
    assert high == (1 - low[0], Fraction(5))
    assert asked.value(1, 0) == 0
    assert asked.value(1, 0) < asked.value(2, 1) == -asked.value(2, -1)


def test_jacoby_counts_singles_until_the_cube_is_turned_b_11() -> None:
    six = "0.2", "0.4", "0.1", "0.2", "0.1", "0"
    with_it, without = game(*six, jacoby=True), game(*six)
    assert with_it.winning(1, 0) == with_it.losing(1, 0) == 5
    assert with_it.dead(1, 0) == 5 * (Fraction("0.7") - Fraction("0.3"))
    assert with_it.value(2, -1) == without.value(2, -1)
    # An automatic double leaves the cube in the centre, at 2, and Jacoby on.
    assert with_it.winning(2, 0) == 10
    assert with_it.winning(2, 1) > 10


@pytest.mark.parametrize(("cube", "cap"), [(64, "960"), (4, "20"), (4, "19.99"), (1, "5")])
def test_at_the_limit_or_the_cap_only_the_dead_cube_counts(cube: int, cap: str) -> None:
    asked = game("0.4", "0.3", "0", "0.2", "0.1", "0", cap=cap)
    for owner in OWNERS if cube > 1 else (0,):
        at = asked.at(cube, owner)
        assert (at.line, at.live) == (None, None)
        assert at.value == at.dead == asked.to_roll(cube, owner)
        assert not asked.may_double(cube, owner)


def test_one_cent_under_the_cap_the_cube_lives() -> None:
    assert game("0.5", "0", "0", "0.5", "0", "0", cap="20.01").may_double(4, 1)


def test_a_table_may_stop_the_cube_sooner() -> None:
    assert game("0.5", "0", "0", "0.5", "0", "0", limit=8).at(8, 1).line is None
    assert game("0.5", "0", "0", "0.5", "0", "0", limit=8).at(4, 1).line is not None


def test_to_roll_one_doubles_only_if_that_is_better_and_only_with_access() -> None:
    strong = game("0.9", "0", "0", "0.1", "0", "0")
    assert strong.to_roll(2, 1) == strong.payments.pay(2, 1) == 10
    assert strong.to_roll(2, -1) == strong.value(2, -1) < 10
    weak = game("0.3", "0", "0", "0.7", "0", "0")
    assert weak.to_roll(2, 1) == weak.value(2, 1) > weak.doubled(2)
    window = game("0.75", "0", "0", "0.25", "0", "0")
    assert window.to_roll(1, 0) == max(window.value(1, 0), window.value(2, -1)) <= 5


def test_a_pending_double_is_taken_passed_or_beavered_as_costs_least_b_10() -> None:
    strong, even = game("0.9", "0", "0", "0.1", "0", "0"), game("0.6", "0", "0", "0.4", "0", "0")
    assert strong.doubled(2) == 10
    assert even.doubled(2) == even.value(4, -1) < 10
    weak = "0.2", "0", "0", "0.8", "0", "0"
    without, with_beavers = game(*weak), game(*weak, beavers=True)
    assert with_beavers.doubled(1) == max(with_beavers.value(4, -1), -with_beavers.payments.pay(2, 1))
    assert with_beavers.doubled(1) < without.doubled(1) == without.value(2, -1)
    # The doubler refuses the beaver, and loses the doubled value, rather than go on at four times.
    assert with_beavers.beavered(1) == -10 > with_beavers.value(4, -1)
    assert not game(*weak, beavers=True).may_beaver(32)
    assert game(*weak, beavers=True).may_beaver(16)


def test_what_cannot_happen_has_no_weight() -> None:
    won = game("0.6", "0.4", "0", "0", "0", "0")
    assert won.losing(1, 0) == 5
    assert won.p == 1
    assert won.value(1, 0) == won.winning(1, 0) == 7
    lost = game("0", "0", "0", "0.6", "0.4", "0")
    assert lost.value(1, 0) == -7


# --- what must hold, for any game ------------------------------------------------------------------------------------

chances = st.lists(st.integers(0, 1000), min_size=6, max_size=6).filter(any)


@st.composite
def games(draw: st.DrawFn, *, jacoby: bool | None = None) -> tuple[MoneyGame, int]:
    weights = draw(chances)
    stake = Decimal(draw(st.integers(1, 10**6))).scaleb(-2)
    cap = stake * draw(st.integers(100, 19200)) / 100
    asked = MoneyGame(
        payments=Payments(stake=stake, cap=cap, jacoby=draw(st.booleans()) if jacoby is None else jacoby, limit=64),
        chances=exact([Fraction(weight, sum(weights)) for weight in weights]),
        beavers=draw(st.booleans()),
    )
    return asked, draw(st.sampled_from([1, 2, 4, 8, 16, 32, 64]))


@given(games())
@settings(max_examples=60, deadline=None)
def test_the_value_lies_between_the_losses_and_the_wins(asked_at: tuple[MoneyGame, int]) -> None:
    asked, cube = asked_at
    cap = Fraction(asked.payments.cap)
    for owner in OWNERS:
        assert -asked.losing(cube, owner) <= asked.value(cube, owner) <= asked.winning(cube, owner)
        assert -cap <= asked.value(cube, owner) <= asked.to_roll(cube, owner) <= cap
        line = asked.line(cube, owner)
        assert [p for p, _ in line] == sorted(p for p, _ in line)
        assert [value for _, value in line] == sorted(value for _, value in line)
    if cube <= 32:
        assert asked.doubled(cube) <= asked.payments.pay(cube, 1)


@given(games())
@settings(max_examples=60, deadline=None)
def test_seen_from_the_other_side_it_is_the_same_with_the_other_sign(asked_at: tuple[MoneyGame, int]) -> None:
    asked, cube = asked_at
    other = MoneyGame(payments=asked.payments, chances=asked.chances.swapped(), beavers=asked.beavers)
    assert asked.value(cube, 1) == -other.value(cube, -1)
    assert asked.value(cube, 0) == -other.value(cube, 0)


@given(games(jacoby=False))
@settings(max_examples=60, deadline=None)
def test_a_better_place_of_the_cube_is_worth_no_less(asked_at: tuple[MoneyGame, int]) -> None:
    """Gammons left out: by the lines of A-3 a side that can be doubled out is spared those that it would lose.

    With enough of them a cube in the middle is worth more to it than one of its own.
    """
    gammonish, cube = asked_at
    shares = gammonish.chances.shares
    win, lose = sum(shares[:3], Fraction(0)), sum(shares[3:], Fraction(0))
    plain = exact([win, Fraction(0), Fraction(0), lose, Fraction(0), Fraction(0)])
    asked = MoneyGame(payments=gammonish.payments, chances=plain, beavers=gammonish.beavers)
    assert asked.value(cube, 1) >= asked.value(cube, 0) >= asked.value(cube, -1)


@given(games(), st.fractions(0, 1), st.fractions(0, 1))
@settings(max_examples=60, deadline=None)
def test_more_chances_to_win_are_worth_no_less(asked_at: tuple[MoneyGame, int], one: Fraction, other: Fraction) -> None:
    """With the same shares of gammons among the wins and among the losses."""
    asked, cube = asked_at
    shares = asked.chances.shares
    win, lose = sum(shares[:3]), sum(shares[3:])
    if not win or not lose:
        return
    values = []
    for p in sorted((one, other)):
        six = [share / win * p for share in shares[:3]] + [share / lose * (1 - p) for share in shares[3:]]
        moved = MoneyGame(payments=asked.payments, chances=exact(six), beavers=asked.beavers)
        values.append([moved.value(cube, owner) for owner in OWNERS])
    rounding = Fraction(asked.payments.cap) / 10**9
    assert all(low <= high + rounding for low, high in zip(*values, strict=True))
