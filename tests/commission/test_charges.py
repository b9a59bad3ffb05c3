"""What the house takes: every figure of C, from tests/golden/domain_c.toml."""

from dataclasses import replace
from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ledger import money
from ratings.rules import Standing
from tests.golden import table
from wagering.commission import rules, schedule
from wagering.commission.rules import Charge
from wagering.commission.tariff import RatingRules, Tariff

GOLDEN = table("domain_c")
GE = schedule.shipped_tariff("gammonempire")
SG = schedule.shipped_tariff("sgames")


def single(won: str, tariff: Tariff = GE, currency: str = "USD") -> Charge:
    return rules.charge_single(tariff=tariff, currency=currency, won=Decimal(won))


def series(
    stake: str,
    points: int,
    *ratings: str,
    tariff: Tariff = GE,
    currency: str = "USD",
    experience: tuple[int, int] = (0, 0),
) -> Charge:
    standings = None
    if ratings:
        ann, bob = (Standing(rating=Decimal(text), experience=n) for text, n in zip(ratings, experience, strict=True))
        standings = ann, bob
    return rules.charge_series(
        tariff=tariff, currency=currency, stake=Decimal(stake), points=points, standings=standings
    )


# --- the published tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("currency", ["USD", "PLAY"])
@pytest.mark.parametrize(
    ("won", "rate"), [(won, row["rate"]) for row in GOLDEN["ge_single_rates"] for won in row["sums"]]
)
def test_ge_single_takes_the_tiers_rate_of_the_whole_sum(won: str, rate: str, currency: str) -> None:
    """C, "GE single", on both sides of 20 and 100 (C-3); the same figures for PLAY (Z)."""
    charge = single(won, currency=currency)
    assert charge.rate == Decimal(rate)
    assert charge.exact == 2 * Decimal(won) * Decimal(rate)


@pytest.mark.parametrize("points", [1, 2, 3, 9, 10, 11, 12, 25])
@pytest.mark.parametrize(
    ("stake", "row"), [(stake, row) for row in GOLDEN["ge_series_rates"] for stake in row["stakes"]]
)
def test_ge_series_grows_with_each_point_up_to_its_limit(stake: str, row: dict[str, str], points: int) -> None:
    """C, "GE series": the rate for 1 point, each further point, at most; on both sides of 20 and 100."""
    grown = Decimal(row["one_point"]) + (points - 1) * Decimal(row["each_further"])
    assert series(stake, points, "1600", "1600").rate == min(grown, Decimal(row["at_most"]))


@pytest.mark.parametrize("row", GOLDEN["worked"], ids=lambda row: row["id"])
def test_worked_examples(row: dict[str, Any]) -> None:
    """C-0, C-1, C-2 and C-10: a player's exact commission and the pair's, rounded once (cases 37, 48, 49)."""
    tariff = schedule.shipped_tariff(row["tariff"])
    won = str(-Decimal(row["loser_net"]))
    charge = series(won, row["points"], tariff=tariff) if row["kind"] == "series" else single(won, tariff)
    assert charge.a_player == Decimal(row["a_player"])
    assert charge.commission == Decimal(row["commission"])
    assert str(Decimal(won) - charge.commission) == row["winner_net"]
    assert charge.rate == Decimal(row.get("rate", charge.rate))


def test_half_a_cent_is_rounded_once_for_the_pair() -> None:
    """C-0, cases 37: 0.2450 each is 0.49, not twice 0.24 or twice 0.25; the trace keeps the 0.2450."""
    charge = single("5")
    assert charge.commission == Decimal("0.49")
    assert [step.figure for step in charge.trace if step.step == "player"] == ["0.2450"]


@pytest.mark.parametrize("row", GOLDEN["cliffs"], ids=lambda row: row["above"]["sum"])
def test_both_sides_of_a_cliff(row: dict[str, dict[str, str]]) -> None:
    """C-3, cases 38."""
    for side in row["below"], row["above"]:
        charge = single(side["sum"])
        assert str(charge.commission) == side["fee"]
        assert str(charge.base - charge.commission) == side["net"]


@pytest.mark.parametrize("row", GOLDEN["rating_adjustments"], ids=lambda row: "-v-".join(row["ratings"]))
@pytest.mark.parametrize("swapped", [False, True])
def test_rating_adjustments_worked(row: dict[str, Any], swapped: bool) -> None:
    """C-4 to C-9: the table "worked", with the rules that speak; the order of the two players does not matter."""
    ratings = row["ratings"][::-1] if swapped else row["ratings"]
    charge = series(row.get("stake", "10"), row.get("points", 3), *ratings)
    assert str(charge.commission) == row["pair"]
    assert [step.rule for step in charge.adjustments] == row["rules"]


@pytest.mark.parametrize("row", GOLDEN["rating_edges"], ids=lambda row: f"{row['id']}-{'-v-'.join(row['ratings'])}")
def test_rating_edges_at_full_precision(row: dict[str, Any]) -> None:
    """C-4 to C-8, one millionth to either side. The stake is small enough for C-9 to stay out."""
    plain = series("10", 3).a_player
    assert series("10", 3, *row["ratings"]).a_player == plain * Decimal(row["factor"])


@pytest.mark.parametrize(
    ("ratings", "most"),
    [(("1650", "1680"), "59.00"), (("1650.000001", "1680"), "10.00"), (("1710", "1720"), "10.00")],
)
def test_at_most_5_00_a_player_with_both_over_1650(ratings: tuple[str, str], most: str) -> None:
    """C-9 comes after C-8: 29.50 - 50 % = 14.75 is limited too."""
    assert str(series("500", 5, *ratings).commission) == most


def test_c_8_comes_before_c_9() -> None:
    """7.00 - 50 % = 3.50 a player is under the limit; the other order would charge 2.50."""
    charge = series("100", 8, "1710", "1720")
    assert (charge.rate, charge.a_player) == (Decimal("0.074"), Decimal("3.7"))
    assert [step.rule for step in charge.adjustments] == ["C-7", "C-8"]


def test_the_tables_at_most_limits_the_percentage_before_the_adjustments() -> None:
    """11 points at 4.9 % + 10 x 0.5 % is 9.9 %; +200 % of that is 29.7 %, which "at most" does not touch."""
    assert series("10", 25, "1600", "1900").a_player == Decimal("2.97")


@pytest.mark.parametrize(
    ("experience", "pair", "with_limit"),
    [((400, 400), "0.59", "10.00"), ((400, 399), "1.18", "59.00"), ((399, 400), "1.18", "59.00")],
)
def test_the_experience_option_asks_both_sides(experience: tuple[int, int], pair: str, with_limit: str) -> None:
    """D under C: off by default; with it a new account at 1700 has neither C-8 nor C-9."""
    assert GE.ratings
    strict = replace(GE, ratings=replace(GE.ratings, experience=400))
    assert str(series("10", 3, "1710", "1800", tariff=strict, experience=experience).commission) == pair
    assert str(series("500", 5, "1660", "1680", tariff=strict, experience=experience).commission) == with_limit
    assert str(series("10", 3, "1710", "1800", experience=experience).commission) == "0.59"


@pytest.mark.parametrize("currency", ["USD", "PLAY", "JPY", "KWD"])
def test_sg_takes_5_percent_of_the_stake_in_any_currency(currency: str) -> None:
    """C, "SG": single or series, whatever the ratings."""
    for charge in (
        single("30", SG, currency),
        series("30", 7, tariff=SG, currency=currency),
        series("30", 7, "1380", "1900", tariff=SG, currency=currency),
    ):
        assert charge.commission == 3
        assert not charge.adjustments


def test_a_tariff_without_the_currency_refuses_the_table() -> None:
    with pytest.raises(rules.CurrencyNotInTariff, match="gammonempire has no EUR, only USD, PLAY"):
        single("5", currency="EUR")
    assert single("5", SG, "EUR").commission == Decimal("0.50")


@pytest.mark.parametrize("won", ["0.001", "NaN", "Infinity", "-5"])
def test_what_is_no_amount_is_not_charged(won: str) -> None:
    with pytest.raises(money.InvalidAmount):
        single(won)
    with pytest.raises(money.InvalidAmount):
        series(won, 3)


def test_a_float_is_not_charged() -> None:
    with pytest.raises(money.InvalidAmount, match="float"):
        rules.charge_single(tariff=GE, currency="USD", won=5.0)  # type: ignore[arg-type]


# --- the trace ------------------------------------------------------------------------------------------------------


def test_the_trace_tells_every_step() -> None:
    charge = series("10", 3, "1380", "1560")
    assert [(step.step, step.rule, step.figure) for step in charge.trace] == [
        ("tariff", "C", "1"),
        ("base", "S-2", "10.00"),
        ("tier", "C-3", "0.059"),
        ("player", "C-0", "0.5900"),
        ("adjustment", "C-4", "1400*"),
        ("adjustment", "C-5", "+0.15"),
        ("adjustment", "C-6", "+0.5"),
        ("player", "C-0", "0.9735"),
        ("pair", "C", "1.9470"),
        ("rounded", "C", "1.95"),
    ]
    assert [step.sentence for step in charge.trace] == [
        "Tariff gammonempire, version 1, valid from 2024-01-01, in USD.",
        "Base: the stake, 10.00 USD.",
        "Tier 1, under 20: 4.9 % + 2 x 0.5 % = 5.9 % a player.",
        "A player: 10.00 x 0.059 = 0.5900.",
        "A rating of 1380 is under 1400 and counts as 1400*.",
        "+15 %: 1400* and 1560 are under 1600.",
        "+50 %: the ratings differ by 160, in the bracket 100 to under 200.",
        "A player, adjusted: 0.5900 x 1.65 = 0.9735.",
        "The winner pays both: 0.9735 + 0.9735 = 1.9470.",
        "Rounded once, half-even, to 0.01: 1.95 USD.",
    ]
    assert charge.trace[4].as_dict()["cause"] == "1380 is under 1400"


def test_the_trace_says_what_fell_away_and_why() -> None:
    """C-7 drops what C-5 and C-6 had added; C-9 says whose ratings limited it."""
    sentences = [step.sentence for step in series("10", 3, "1540", "1400").adjustments]
    assert sentences == [
        "No increase: both ratings, 1540 and 1400, are under 1550; C-5's +15 % falls away; C-6's +50 % falls away."
    ]
    assert series("500", 5, "1660", "1680").adjustments[-1].sentence == (
        "At most 5.00 USD a player: both ratings, 1660 and 1680, are over 1650."
    )


def test_a_quote_without_ratings_says_that_nothing_was_adjusted() -> None:
    charge = series("10", 3)
    assert charge.commission == Decimal("1.18")
    assert "No ratings named: nothing is adjusted for them." in [step.sentence for step in charge.trace]


# --- always ---------------------------------------------------------------------------------------------------------

cents = st.integers(min_value=1, max_value=10**14 - 1).map(lambda n: Decimal(n).scaleb(-2))
small = st.integers(min_value=1, max_value=30_000).map(lambda n: Decimal(n).scaleb(-2))
ratings = st.decimals(min_value=0, max_value=3000, places=6)
points = st.integers(min_value=1, max_value=25)
greedy = schedule.load(
    """
    name = "greedy"
    version = 1
    valid_from = 2024-01-01
    currencies = ["USD"]
    [[single.tiers]]
    rate = "0.999999"
    [[series.tiers]]
    rate = "0.4"
    [series.ratings.either_under]
    rating = "3000"
    increase = "9.999999"
    """,
    source="greedy.toml",
)


@given(cents | small, st.sampled_from([GE, SG, greedy]))
def test_a_single_commission_is_half_even_of_the_exact_and_never_more_than_won(won: Decimal, tariff: Tariff) -> None:
    charge = rules.charge_single(tariff=tariff, currency="USD", won=won)
    assert 0 <= charge.commission <= won
    assert abs(charge.commission - charge.exact) <= Decimal("0.005")
    assert charge.exact <= 2 * charge.a_player


@given(cents | small, points, ratings, ratings, st.sampled_from([GE, SG, greedy]))
def test_a_series_commission_is_half_even_of_the_exact_and_never_more_than_won(
    stake: Decimal, length: int, one: Decimal, other: Decimal, tariff: Tariff
) -> None:
    standings = Standing(one), Standing(other)
    charge = rules.charge_series(tariff=tariff, currency="USD", stake=stake, points=length, standings=standings)
    assert 0 <= charge.commission <= stake
    assert abs(charge.commission - charge.exact) <= Decimal("0.005")
    swapped = standings[::-1]
    again = rules.charge_series(tariff=tariff, currency="USD", stake=stake, points=length, standings=swapped)
    assert again.commission == charge.commission


def test_never_more_than_was_won_is_told() -> None:
    charge = single("7", greedy)
    assert charge.commission == 7
    assert charge.trace[-2].sentence == "Never more than what was won: 7.0000."


@given(small, points, ratings, ratings)
def test_ge_series_follows_the_published_words(stake: Decimal, length: int, one: Decimal, other: Decimal) -> None:
    """C-4 to C-9 told a second time, straight from the published page, without the tariff file."""
    low, high = sorted(max(rating, Decimal(1400)) for rating in (one, other))
    first, most = ("4.9", "9.9") if stake < 20 else ("4.4", "8.9") if stake < 100 else ("3.9", "7.9")
    each = stake * min(Decimal(first) + (length - 1) * Decimal("0.5"), Decimal(most)) / 100
    increase = 0
    if not (low > 1650 or high < 1550):
        apart = high - low
        increase = 15 if low < 1600 else 0
        increase += 200 if apart >= 300 else 150 if apart >= 250 else 100 if apart >= 200 else 50 if apart >= 100 else 0
    each = each * (100 + increase) / 100
    if low > 1700:
        each = each / 2
    if low > 1650:
        each = min(each, Decimal(5))
    standings = Standing(one), Standing(other)
    charge = rules.charge_series(tariff=GE, currency="USD", stake=stake, points=length, standings=standings)
    assert charge.a_player == each


@given(cents)
def test_a_narrow_context_of_the_caller_changes_nothing(won: Decimal) -> None:
    assume(won < 10**9)
    wide = rules.charge_single(tariff=GE, currency="USD", won=won)
    with localcontext(prec=14):
        assert rules.charge_single(tariff=GE, currency="USD", won=won) == wide


def test_rating_rules_may_be_left_out_one_by_one() -> None:
    """Each part of the schedule is optional; an empty one adjusts nothing."""
    bare = replace(GE, ratings=RatingRules())
    assert series("10", 3, "1200", "1900", tariff=bare).commission == Decimal("1.18")
