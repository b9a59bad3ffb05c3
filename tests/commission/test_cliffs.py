"""Each cliff of a tariff is found, and nothing that is none (C-3, cases 38)."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import money
from tests.golden import table
from wagering.commission import rules, schedule
from wagering.commission.cliffs import cliffs
from wagering.commission.tariff import Tariff

GE = schedule.shipped_tariff("gammonempire")


def tariff(
    *single: tuple[str, str], currencies: str = '["USD"]', series: str = '[[series.tiers]]\nrate = "0.05"'
) -> Tariff:
    tiers = "\n".join(f'[[single.tiers]]\n{edges}\nrate = "{rate}"' for edges, rate in single)
    head = f'name = "trial"\nversion = 1\nvalid_from = 2026-01-01\ncurrencies = {currencies}\n'
    return schedule.load(head + tiers + "\n" + series, source="trial.toml")


@pytest.mark.parametrize("currency", ["USD", "PLAY"])
def test_the_published_cliffs_are_found_to_the_cent(currency: str) -> None:
    """C-3: 20.00: fee 1.96, net 18.04; 20.01: fee 1.56, net 18.45; and the same at 100."""
    found = [cliff for cliff in cliffs(GE) if cliff.kind == "single" and cliff.currency == currency]
    sides = [
        {
            name: {"sum": str(side.sum), "fee": str(side.fee), "net": str(side.net)}
            for name, side in (("below", cliff.below), ("above", cliff.above))
        }
        for cliff in found
    ]
    assert sides == table("domain_c")["cliffs"]
    assert {cliff.smaller for cliff in found} == {"fee"}


def test_a_cliff_reads_as_one_line() -> None:
    assert str(cliffs(GE)[0]) == "USD single: 20.00: fee 1.96, net 18.04; 20.01: fee 1.56, net 18.45: smaller fee"
    assert str(cliffs(GE)[12]) == (
        "USD series to 11..25: 19.99: fee 3.96, net 16.03; 20.00: fee 3.56, net 16.44: smaller fee"
    )


def test_series_have_cliffs_for_every_length_at_both_edges() -> None:
    found = [cliff for cliff in cliffs(GE) if cliff.kind == "series" and cliff.currency == "USD"]
    for below in "19.99", "99.99":
        lengths = [
            length
            for cliff in found
            if str(cliff.below.sum) == below and cliff.points
            for length in range(cliff.points[0], cliff.points[1] + 1)
        ]
        assert lengths == list(range(1, 26))


def test_a_flat_rate_has_no_cliff() -> None:
    assert cliffs(schedule.shipped_tariff("sgames")) == []


def test_a_rate_that_rises_at_an_edge_is_a_smaller_net() -> None:
    (cliff,) = cliffs(tariff(('under = "20"', "0.01"), ('from = "20"', "0.05")))
    assert str(cliff) == "USD single: 19.99: fee 0.40, net 19.59; 20.00: fee 2.00, net 18.00: smaller net"


@pytest.mark.parametrize(
    ("currency", "edge", "below", "above"),
    [("JPY", "2000", "2000", "2001"), ("KWD", "20", "20.000", "20.001"), ("USD", "20", "20.00", "20.01")],
)
def test_the_next_sum_is_one_true_minor_unit_more(currency: str, edge: str, below: str, above: str) -> None:
    found = cliffs(tariff((f'up_to = "{edge}"', "0.05"), (f'over = "{edge}"', "0.03"), currencies=f'["{currency}"]'))
    assert [(str(cliff.below.sum), str(cliff.above.sum)) for cliff in found] == [(below, above)]


def test_a_fall_too_small_for_the_minor_unit_is_no_cliff() -> None:
    assert cliffs(tariff(('up_to = "20"', "0.05"), ('over = "20"', "0.04999"))) == []


def test_a_cliff_that_only_an_adjustment_shows_is_named_with_it() -> None:
    """At 0.05 a player 0.1 % less is rounded away; at +200 % it is not."""
    series = """
    [[series.tiers]]
    under = "1"
    rate = "0.05"
    [[series.tiers]]
    from = "1"
    rate = "0.048"
    [series.ratings.either_under]
    rating = "1600"
    increase = "2.00"
    """
    (cliff,) = cliffs(tariff(("", "0.05"), series=series))
    assert str(cliff) == (
        "USD series to 1..25, ratings +200 %: 0.99: fee 0.30, net 0.69; 1.00: fee 0.29, net 0.71: smaller fee"
    )


rates = st.integers(min_value=0, max_value=999).map(lambda n: f"0.{n:03}")


@settings(max_examples=60)
@given(rates, rates, rates, st.booleans(), st.booleans())
def test_only_edges_are_cliffs_and_all_of_them_are_found(
    one: str, two: str, three: str, first_included: bool, second_included: bool
) -> None:
    """Every sum from 0.01 to 0.80 beside the next: the same cliffs as the check names."""
    ends = {True: ("up_to", "over"), False: ("under", "from")}
    trial = tariff(
        (f'{ends[first_included][0]} = "0.25"', one),
        (f'{ends[first_included][1]} = "0.25"\n{ends[second_included][0]} = "0.60"', two),
        (f'{ends[second_included][1]} = "0.60"', three),
    )
    unit = money.currency("USD").minor_unit
    sums = [unit * n for n in range(1, 82)]
    fees = [rules.charge_single(tariff=trial, currency="USD", won=won).commission for won in sums]
    seen = [
        sums[n] for n in range(len(sums) - 1) if fees[n + 1] < fees[n] or sums[n + 1] - fees[n + 1] < sums[n] - fees[n]
    ]
    assert [cliff.below.sum for cliff in cliffs(trial)] == seen
    assert all(Decimal(0) <= cliff.below.fee <= cliff.below.sum for cliff in cliffs(trial))
