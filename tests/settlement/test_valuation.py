"""An abandoned contest valued from its analysis, recorded, and computed again from the record (A-3, A-4, A-7)."""

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.analysis.analysis import Analysis
from games.analysis.endgame import Owner
from games.analysis.engines import analyse
from games.analysis.probabilities import Probabilities, exact
from games.rules.board import OPENING, Position
from games.rules.ids import MatchState
from games.rules.plays import legal_plays
from tests.analysis.homes import bear_off
from tests.golden import table
from wagering.settlement.abandonment.rules.money_value import MoneyGame, Payments
from wagering.settlement.abandonment.rules.valuation import (
    TermsDiffer,
    Valuation,
    again,
    shown,
    value_between_games,
    value_game,
)
from wagering.stakes.rules import Terms

D = Decimal
SIX = Probabilities(*map(D, ("0.40", "0.19", "0.01", "0.30", "0.095", "0.005")))


def single(stake: str = "5", cap: str = "30", currency: str = "USD") -> Terms:
    return Terms(currency=currency, stake=D(stake), match_length=0, cap=D(cap))


def left(state: MatchState, six: Probabilities | None = SIX, position: Position = OPENING, **changed: Any) -> Analysis:
    """A game that was left, and what some engine said of it."""
    found = Analysis(
        position=position, state=state, engine="some", version="1", level="3-ply", evaluated=position, probabilities=six
    )
    return replace(found, **changed)


def value(state: MatchState, six: Probabilities | None = SIX, terms: Terms | None = None, **changed: Any) -> Valuation:
    return value_game(analysis=left(state, six, **changed), terms=terms or single())


@pytest.mark.parametrize("row", table("domain_a")["worked"], ids=lambda row: row["id"])
def test_worked_figures_a_5(row: dict[str, Any]) -> None:
    owner: Owner = row["owner"]
    state = MatchState(cube=row["cube"], cube_owner=owner)
    found = value(state, Probabilities(*map(D, row["six"])), single(row["stake"], row["cap"]))
    assert (found.rule, str(found.transfer), found.receiver) == ("A-3", row["transfer"], "on roll")
    figures = {line.name: line.figure for line in found.lines}
    assert D(figures[f"Dead({row['cube']})"]) == D(row["dead"])


def test_the_last_roll_is_played_out_a_5() -> None:
    """{6} against {1}, centred cube, to roll: 3/4 to win, worth the whole stake."""
    found = value_game(analysis=analyse(position=bear_off([6], [1]), state=MatchState()), terms=single())
    assert (found.transfer, found.receiver, found.value) == (D("5.00"), "on roll", Fraction(5))
    assert found.inputs["probabilities"]["win_single"] == "0.750000000000"
    # With a cube at 2 that the other side owns it is half of twice the stake.
    other = value_game(
        analysis=analyse(position=bear_off([6], [1]), state=MatchState(cube=2, cube_owner=-1)), terms=single()
    )
    assert other.value == 5
    pending = value_game(
        analysis=analyse(position=bear_off([6], [1]), state=MatchState(offer="double")), terms=single()
    )
    assert pending.value == 5


def test_dice_in_the_endgame_are_part_of_the_recursion() -> None:
    dice: list[tuple[tuple[int, int], int]] = [((6, 1), 5), ((3, 2), -5), ((2, 1), -5)]
    for thrown, worth in dice:
        found = value_game(analysis=analyse(position=bear_off([6], [1]), state=MatchState(dice=thrown)), terms=single())
        assert found.value == worth


def test_dice_that_lead_into_the_endgame_are_followed_by_it() -> None:
    """Five checkers before the roll, three after it: minus what the other side has, its cube right included."""
    position = bear_off([6, 3, 2, 2, 2], [6, 5, 1])
    state = MatchState(cube=2, cube_owner=-1, dice=(6, 3))
    found = value_game(analysis=analyse(position=position, state=state), terms=single(cap="960"))
    after = analyse(position=bear_off([6, 5, 1], [2, 2, 2]), state=MatchState(cube=2, cube_owner=1))
    assert after.engine == "endgame"
    assert found.value == -value_game(analysis=after, terms=single(cap="960")).value
    assert again(json.loads(json.dumps(found.as_dict()))) == found


def test_with_dice_thrown_it_is_the_other_sides_value_with_the_other_sign() -> None:
    play = legal_plays(OPENING, (3, 1))[0]
    state = MatchState(cube=2, cube_owner=-1, dice=(3, 1))
    found = value(state, SIX, evaluated=play.position.swapped(), swapped=True, play=str(play))
    other = value(MatchState(cube=2, cube_owner=1, turn=-1), SIX)
    assert found.value == -other.value
    assert (found.receiver, other.receiver) == ("other", "on roll")
    assert found.transfer == other.transfer
    mine = value(replace(state, cube_owner=1), SIX, evaluated=play.position.swapped(), swapped=True, play=str(play))
    assert mine.value > found.value


def test_a_play_that_ends_the_game_is_worth_what_it_wins() -> None:
    position = bear_off([1, 1], [6] * 15)
    for state, worth in (
        (MatchState(dice=(2, 1)), 10),
        (MatchState(dice=(2, 1), jacoby=True), 5),
        (MatchState(dice=(2, 1), jacoby=True, cube=2, cube_owner=-1), 20),
        (MatchState(dice=(2, 1), jacoby=True, cube=2), 10),
        (MatchState(dice=(2, 1), cube=4, cube_owner=1), 30),
    ):
        found = value_game(analysis=analyse(position=position, state=state), terms=single())
        assert found.value == worth
        assert again(json.loads(json.dumps(found.as_dict()))) == found


@pytest.mark.parametrize("beavers", [False, True])
def test_offers_are_valued_as_the_formula_says(beavers: bool) -> None:
    game = MoneyGame(payments=Payments(D(5), D(30), jacoby=True, limit=64), chances=SIX, beavers=beavers)
    state = MatchState(jacoby=True, beavers=beavers)
    assert value(state).value == game.to_roll(1, 0)
    assert value(replace(state, offer="double")).value == game.doubled(1)
    assert value(replace(state, offer="beaver")).value == game.beavered(1)
    assert value(replace(state, offer="double", cube=4, cube_owner=1)).value == game.doubled(4)


def test_a_match_is_worth_the_stake_by_the_chance_to_win_it_a_4() -> None:
    terms = Terms(currency="USD", stake=D(20), match_length=5)
    state = MatchState(match_length=5, score=2, opponent_score=4, crawford=True)
    found = value(state, None, terms, match_chance=D("0.331299990416"))
    assert (found.rule, found.transfer, found.receiver) == ("A-4", D("6.75"), "other")
    assert found.value == 20 * (2 * Fraction("0.331299990416") - 1)
    assert value(state, None, terms, match_chance=D("0.75")).transfer == D("10.00")
    even = value(state, None, terms, match_chance=D("0.5"))
    assert (even.transfer, even.receiver) == (D(0), None)
    assert value(state, None, terms, match_chance=D(1)).transfer == D("20.00")


def test_between_games_the_table_alone_says_a_4() -> None:
    terms = Terms(currency="USD", stake=D(20), match_length=5)
    found = value_between_games(chance=D("0.677359998226"), engine="some", version="1", terms=terms)
    assert (found.transfer, found.receiver) == (D("7.09"), "on roll")
    assert again(json.loads(json.dumps(found.as_dict()))) == found
    with pytest.raises(TermsDiffer, match="single game"):
        value_between_games(chance=D("0.5"), engine="some", version="1", terms=single())


def test_terms_of_another_contest_are_refused() -> None:
    with pytest.raises(TermsDiffer, match="match_length: 5 is not the 0"):
        value(MatchState(), terms=Terms(currency="USD", stake=D(5), match_length=5))
    with pytest.raises(TermsDiffer, match="match_length: 0 is not the 5"):
        value(MatchState(match_length=5), None, match_chance=D("0.5"))


@pytest.mark.parametrize(
    ("chance", "currency", "transfer"),
    [
        ("0.5005", "USD", "0.00"),  # 0.005 is halfway, and 0 is even
        ("0.5015", "USD", "0.02"),  # 0.015, and 2 is even
        ("0.4985", "USD", "0.02"),
        ("0.50050000001", "USD", "0.01"),
        ("0.55", "JPY", "0"),  # half a yen
        ("0.65", "JPY", "2"),
        ("0.5005", "KWD", "0.005"),
    ],
)
def test_the_transfer_is_rounded_once_half_even_a_6(chance: str, currency: str, transfer: str) -> None:
    terms = Terms(currency=currency, stake=D(5), match_length=5)
    found = value(MatchState(match_length=5), None, terms, match_chance=D(chance))
    assert str(found.transfer) == transfer
    assert (found.receiver is None) == (found.transfer == 0)


STATES = [
    MatchState(),
    MatchState(jacoby=True, beavers=True, offer="double"),
    MatchState(jacoby=True, beavers=True, offer="beaver", cube=2, cube_owner=1),
    MatchState(turn=-1, cube=8, cube_owner=-1),
    MatchState(cube=4, cube_owner=1, cube_limit=8),
]


@pytest.mark.parametrize("state", STATES)
def test_the_record_is_plain_json_and_anyone_computes_it_again_a_7(state: MatchState) -> None:
    found = value(state, terms=single(stake="7.31", cap="99.99"))
    record = json.loads(json.dumps(found.as_dict()))
    assert again(record) == found
    for changed in ({"stake": "7.32"}, {"cap": "50"}, {"probabilities": SIX.swapped().as_dict()}):
        assert again(record | {"inputs": record["inputs"] | changed}).value != found.value
    told = {"engine", "version", "level", "xgid", "position_id", "evaluated", "probabilities", "stake", "cap"}
    assert told <= record["inputs"].keys()
    assert set(record["inputs"]["probabilities"]) == set(SIX.as_dict())


def test_a_record_with_dice_and_a_match_is_computed_again_too() -> None:
    play = legal_plays(OPENING, (3, 1))[0]
    money = value(MatchState(dice=(3, 1)), evaluated=play.position.swapped(), swapped=True, play=str(play))
    assert again(money.as_dict()) == money
    terms = Terms(currency="PLAY", stake=D(20), match_length=7)
    match = value(MatchState(match_length=7, dice=(3, 1)), None, terms, match_chance=D("0.4711"), play=str(play))
    assert again(match.as_dict()) == match
    ended = value_game(
        analysis=analyse(position=bear_off([6, 1], [6, 5]), state=MatchState(offer="double")), terms=single()
    )
    assert again(ended.as_dict()) == ended


def test_every_line_names_its_rule_and_its_figure() -> None:
    found = value(MatchState())
    figures = {line.name: line.figure for line in found.lines}
    assert figures["p"] == "0.60"
    assert figures["pay(1)"] == "5.00, 10.00, 15.00"
    assert (figures["W(1)"], figures["L(1)"], figures["Dead(1)"]) == ("6.75", "6.3125", "1.525")
    assert (figures["V(1)"], figures["V(2)"]) == ("2.0757495183", "1.6886753247")
    assert (figures["value"], figures["transfer"]) == ("2.0757495183", "2.08")
    assert {line.rule for line in found.lines} == {"A-2", "A-3", "A-6"}
    assert found.lines[-1].sentence == "Rounded once, half-even, to 0.01: 2.08 USD"


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (Fraction(5), "5.00"),
        (Fraction(-11, 2), "-5.50"),
        (Fraction(1, 3), "0.3333333333"),
        (Fraction(0), "0.00"),
        (Fraction(-1, 10**12), "0.00"),
        (Fraction(10**11), "100000000000.00"),
    ],
)
def test_a_fraction_is_shown_at_ten_digits(fraction: Fraction, text: str) -> None:
    assert shown(fraction) == text


@given(
    st.lists(st.integers(0, 100), min_size=6, max_size=6).filter(any),
    st.sampled_from(STATES),
    st.integers(100, 19200),
)
@settings(max_examples=60, deadline=None)
def test_nothing_moves_beyond_the_cap(weights: list[int], state: MatchState, percent: int) -> None:
    six = exact([Fraction(weight, sum(weights)) for weight in weights])
    terms = single(stake="3.37", cap=str((D("3.37") * percent / 100).quantize(D("0.01"))))
    found = value(state, six, terms)
    assert terms.cap is not None
    assert 0 <= found.transfer <= terms.cap
    assert found.receiver == (None if not found.transfer else "on roll" if found.value > 0 else "other")
