"""Who gets what of an abandoned contest, its commission by the code that prices every win, and a penalty (A-6)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.analysis.probabilities import exact
from games.rules.ids import MatchState
from games.rules.sides import Side
from ratings.rules import Standing
from tests.settlement.test_valuation import left, single
from wagering.commission import schedule
from wagering.commission.rules import CurrencyNotInTariff, charge_series, charge_single
from wagering.settlement.abandonment.rules.split import InvalidPenalty, Penalty, Split, split
from wagering.settlement.abandonment.rules.valuation import Valuation, value_game
from wagering.stakes import rules as stakes
from wagering.stakes.rules import Terms

D = Decimal
GE = schedule.shipped_tariff("gammonempire")
SG = schedule.shipped_tariff("sgames")


def match(stake: str = "10", length: int = 3, currency: str = "USD") -> Terms:
    return Terms(currency=currency, stake=D(stake), match_length=length)


def worth(terms: Terms, value: str | Fraction) -> Valuation:
    """A valuation of so much to the side on roll, in a match by its chance."""
    if terms.is_series:
        chance = (1 + Fraction(value) / Fraction(terms.stake)) / 2
        decimal = (D(chance.numerator) / D(chance.denominator)).quantize(D("1e-12"))
        state = MatchState(match_length=terms.match_length)
        return value_game(analysis=left(state, None, match_chance=decimal), terms=terms)
    # With the cube dead at the cap, p makes any value from -cap to the cap.
    assert terms.cap is not None
    p = (1 + Fraction(value) / Fraction(terms.cap)) / 2
    zero = Fraction(0)
    return value_game(
        analysis=left(MatchState(cube=64, cube_owner=1), exact([p, zero, zero, 1 - p, zero, zero])), terms=terms
    )


def standings(one: str, other: str) -> tuple[Standing, Standing]:
    return Standing(D(one)), Standing(D(other))


def test_a_single_game_is_charged_as_one_won_for_the_transfer() -> None:
    terms = single(stake="5", cap="15")
    found = split(valuation=worth(terms, "4.60"), on_roll=2, terms=terms, tariff=GE)
    charged = charge_single(tariff=GE, currency="USD", won=D("4.60"))
    assert (found.receiver, found.transfer, found.commission) == (2, D("4.60"), charged.commission)
    assert found.commission == D("0.45")
    assert (found.back_1, found.back_2) == (D("10.40"), D("19.15"))
    assert found.escrow == 30
    assert found.charge
    assert [(step.rule, step.cause) for step in found.charge.trace][1] == ("A-6", "transfer")


def test_the_tier_is_the_transfers_not_the_stakes() -> None:
    terms = single(stake="50", cap="500")
    rates = {
        transfer: split(valuation=worth(terms, transfer), on_roll=1, terms=terms, tariff=GE).commission
        for transfer in ("20.00", "20.01", "100.01")
    }
    assert rates == {"20.00": D("1.96"), "20.01": D("1.56"), "100.01": D("5.80")}


def test_the_other_side_receives_what_is_negative() -> None:
    terms = single(stake="5", cap="15")
    found = split(valuation=worth(terms, "-10"), on_roll=2, terms=terms, tariff=GE)
    assert (found.receiver, found.transfer, found.commission) == (1, D("10.00"), D("0.98"))
    assert (found.back_to(1), found.back_to(2)) == (D("24.02"), D("5.00"))


@pytest.mark.parametrize(
    ("ratings", "pair"),
    [(("1580", "1640"), "1.357"), (("1500", "1800"), "3.717"), (("1540", "1400"), "1.18"), (("1710", "1800"), "0.59")],
)
def test_a_match_pays_its_rate_and_adjustments_on_the_transfer(ratings: tuple[str, str], pair: str) -> None:
    """C's worked rows of a match to 3 for 10, of which a quarter moves."""
    terms = match()
    asked: dict[str, Any] = {"terms": terms, "tariff": GE, "standings": standings(*ratings)}
    found = split(valuation=worth(terms, "2.50"), on_roll=1, **asked)
    assert found.charge
    assert found.charge.exact == D(pair) / 4
    whole = split(valuation=worth(terms, "10"), on_roll=1, **asked)
    completed = charge_series(tariff=GE, currency="USD", stake=D(10), points=3, standings=asked["standings"])
    assert whole.commission == completed.commission
    assert whole.charge
    assert (whole.charge.rate, whole.charge.tier) == (completed.rate, completed.tier)


def test_the_tier_of_a_match_is_its_stakes_whatever_moves() -> None:
    """Stake 100, 1 point: 3.9 %; by a transfer of 10 it would be 4.9 %."""
    terms = match(stake="100", length=1)
    found = split(valuation=worth(terms, "10"), on_roll=1, terms=terms, tariff=GE)
    assert found.commission == D("0.78")
    assert found.charge
    assert "by the stake of 100.00" in found.charge.trace[2].sentence


def test_the_limit_of_c_9_stays_what_it_is() -> None:
    """29.50 a player is limited to 5.00; of a fifth of it 5.90 still is, of a tenth 2.95 is not."""
    terms = match(stake="500", length=5)
    asked: dict[str, Any] = {"on_roll": 1, "terms": terms, "tariff": GE, "standings": standings("1660", "1680")}
    for transfer, commission in (("500", "10.00"), ("100", "10.00"), ("50", "5.90")):
        assert split(valuation=worth(terms, transfer), **asked).commission == D(commission)


def test_nothing_is_charged_where_nothing_moves() -> None:
    for terms in (single(), match()):
        found = split(valuation=worth(terms, "0.001"), on_roll=1, terms=terms, tariff=GE)
        held = stakes.exposure(terms)
        assert (found.receiver, found.charge) == (None, None)
        assert (found.transfer, found.commission, found.back_1, found.back_2) == (D(0), D(0), held, held)


def test_a_penalty_goes_to_the_other_side_free_of_commission() -> None:
    terms = single(stake="5", cap="15")
    valuation = worth(terms, "-4.60")
    plain = split(valuation=valuation, on_roll=1, terms=terms, tariff=GE)
    left_behind = split(valuation=valuation, on_roll=1, terms=terms, tariff=GE, penalty=Penalty(D("0.10"), left=1))
    assert (left_behind.penalised, left_behind.penalty, left_behind.commission) == (1, D("0.50"), plain.commission)
    assert (left_behind.back_1, left_behind.back_2) == (plain.back_1 - D("0.50"), plain.back_2 + D("0.50"))
    # The one who left may be the one who receives the transfer.
    ahead = split(valuation=valuation, on_roll=1, terms=terms, tariff=GE, penalty=Penalty(D("0.10"), left=2))
    assert (ahead.receiver, ahead.penalised) == (2, 2)
    assert (ahead.back_1, ahead.back_2) == (plain.back_1 + D("0.50"), plain.back_2 - D("0.50"))


def test_a_penalty_stays_within_the_escrow() -> None:
    terms = match(stake="10")
    asked: dict[str, Any] = {"on_roll": 1, "terms": terms, "tariff": GE, "penalty": Penalty(D(1), left=1)}
    found = split(valuation=worth(terms, "-9.50"), **asked)
    assert (found.penalty, found.back_1) == (D("0.50"), D(0))
    found = split(valuation=worth(terms, "-10"), **asked)
    assert (found.penalty, found.penalised, found.back_1) == (D(0), None, D(0))
    nothing = split(valuation=worth(terms, "0"), **asked)
    assert (nothing.receiver, nothing.commission, nothing.penalty) == (None, D(0), D(10))


def test_a_penalty_is_rounded_half_even() -> None:
    terms = single(stake="0.50", cap="5")
    for share, due in (("0.01", "0.00"), ("0.03", "0.02"), ("0.05", "0.02")):
        found = split(valuation=worth(terms, "0"), on_roll=1, terms=terms, tariff=GE, penalty=Penalty(D(share), left=2))
        assert found.penalty == D(due)


@pytest.mark.parametrize("share", [D("-0.01"), D("1.01"), D("NaN"), D("10"), 0.1, "0.1"])
def test_a_penalty_that_is_no_share_of_the_stake_is_refused(share: Any) -> None:
    with pytest.raises(InvalidPenalty, match="penalty"):
        Penalty(share, left=1)


def test_a_tariff_without_the_currency_is_refused() -> None:
    terms = match(currency="EUR")
    with pytest.raises(CurrencyNotInTariff):
        split(valuation=worth(terms, "5"), on_roll=1, terms=terms, tariff=GE)
    assert split(valuation=worth(terms, "5"), on_roll=1, terms=terms, tariff=SG).commission == D("0.50")


@given(
    series=st.booleans(),
    stake=st.integers(1, 10**7),
    part=st.integers(-1000, 1000),
    penalty=st.integers(0, 100),
    left_side=st.sampled_from([1, 2]),
    on_roll=st.sampled_from([1, 2]),
    ratings=st.tuples(st.integers(1000, 2100), st.integers(1000, 2100)),
    tariff=st.sampled_from([GE, SG]),
)
@settings(max_examples=60, deadline=None)
def test_the_escrow_is_emptied_exactly_s_5(
    series: bool,
    stake: int,
    part: int,
    penalty: int,
    left_side: Side,
    on_roll: Side,
    ratings: tuple[int, int],
    tariff: Any,
) -> None:
    amount = D(stake).scaleb(-2)
    terms = match(stake=str(amount), length=5) if series else single(stake=str(amount), cap=str(amount * 3))
    most = stakes.exposure(terms)
    found: Split = split(
        valuation=worth(terms, Fraction(most) * part / 1000),
        on_roll=on_roll,
        terms=terms,
        tariff=tariff,
        standings=standings(*map(str, ratings)) if series else None,
        penalty=Penalty(D(penalty) / 100, left=left_side),
    )
    assert found.back_1 + found.back_2 + found.commission == 2 * most
    assert min(found.back_1, found.back_2, found.commission, found.penalty) >= 0
    assert found.commission <= found.transfer <= most
    assert found.penalty <= amount
