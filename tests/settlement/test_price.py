"""Who gets what, for every ending; the escrow always empties (S-5, C)."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.endings import Ending, Outcome, Win, voided
from games.rules.sides import Side
from ledger import money
from ratings.rules import Standing
from tests.golden import table
from wagering.commission import rules as commission
from wagering.commission import schedule
from wagering.settlement.rules import Shares, price
from wagering.stakes import rules as stakes
from wagering.stakes.rules import Terms

GE = schedule.shipped_tariff("gammonempire")
SG = schedule.shipped_tariff("sgames")
LEVEL = Standing(Decimal(1500)), Standing(Decimal(1500))
ROADS = [ending for ending in Ending if ending is not Ending.VOIDED]


def won(win: Win = Win.SINGLE, *, cube: int = 1, winner: Side = 1, ending: Ending = Ending.BORNE_OFF) -> Outcome:
    return Outcome(winner=winner, win=win, cube=cube, points=cube * win.factor, ending=ending)


def single(stake: str, cap: str, currency: str = "USD") -> Terms:
    return Terms(currency=currency, stake=Decimal(stake), match_length=0, cap=Decimal(cap))


def series(stake: str, points: int) -> Terms:
    return Terms(currency="USD", stake=Decimal(stake), match_length=points)


@pytest.mark.parametrize("row", table("domain_c")["worked"], ids=lambda row: row["id"])
def test_worked_examples(row: dict[str, Any]) -> None:
    """C-0, C-1, C-2, C-10 (S-3, cases 48 and 49): winner and loser to the cent."""
    if row["kind"] == "series":
        terms, outcome = series(row["stake"], row["points"]), won()
    else:
        most = row.get("cap") or str(stakes.uncapped(stake=Decimal(row["stake"])))
        terms, outcome = single(row["stake"], most), won(Win(row["win"]), cube=row.get("cube", 1))
    shares = price(outcome=outcome, terms=terms, tariff=schedule.shipped_tariff(row["tariff"]), standings=LEVEL)
    assert str(shares.winner_net) == row["winner_net"]
    assert str(shares.loser_net) == row["loser_net"]
    assert str(shares.commission) == row["commission"]


def test_the_escrow_goes_back_less_what_was_lost_and_the_commission() -> None:
    """S-5 on C-1 under a cap of 15: 15.00 held of each; 24.02 and 5.00 back, 0.98 to the house."""
    shares = price(outcome=won(Win.GAMMON), terms=single("5", "15"), tariff=GE)
    assert [str(part) for part in (shares.winner_back, shares.loser_back, shares.commission, shares.escrow)] == [
        "24.02",
        "5.00",
        "0.98",
        "30.00",
    ]
    assert shares.lost == Decimal("10.00")


@pytest.mark.parametrize("winner", [1, 2])
def test_each_side_finds_its_own_part(winner: Side) -> None:
    shares = price(outcome=won(Win.GAMMON, winner=winner), terms=single("5", "15"), tariff=GE)
    loser: Side = 2 if winner == 1 else 1
    assert (str(shares.back_to(winner)), str(shares.net_of(winner))) == ("24.02", "9.02")
    assert (str(shares.back_to(loser)), str(shares.net_of(loser))) == ("5.00", "-10.00")


@pytest.mark.parametrize("ending", ROADS)
def test_whatever_the_road_the_price_is_the_same(ending: Ending) -> None:
    """Borne off, dropped, resigned, timed out, abandoned: winner and points are what counts."""
    game = price(outcome=won(Win.SINGLE, cube=2, ending=ending), terms=single("5", "15"), tariff=GE)
    assert (str(game.winner_net), str(game.loser_net)) == ("9.02", "-10.00")
    match = price(outcome=won(ending=ending), terms=series("10", 3), tariff=GE, standings=LEVEL)
    assert (str(match.winner_net), str(match.loser_net)) == ("8.82", "-10.00")


def test_a_match_given_up_whole_costs_its_stake() -> None:
    """B-19: such an outcome has no kind of win."""
    outcome = Outcome(winner=2, win=None, cube=1, points=2, ending=Ending.RESIGNED)
    shares = price(outcome=outcome, terms=series("10", 3), tariff=GE, standings=LEVEL)
    assert shares.net_of(1) == Decimal("-10.00")


@pytest.mark.parametrize("terms", [single("5", "15"), series("5", 3)], ids=["single", "series"])
def test_a_void_contest_gives_the_stakes_back_and_takes_nothing(terms: Terms) -> None:
    shares = price(outcome=voided(), terms=terms, tariff=GE, standings=LEVEL)
    held = stakes.exposure(terms)
    assert (shares.back_to(1), shares.back_to(2), shares.commission, shares.charge) == (held, held, Decimal(0), None)
    assert [str(net) for net in (shares.net_of(1), shares.net_of(2), shares.lost)] == ["0.00", "0.00", "0.00"]


def test_jacoby_and_the_cap_are_in_the_base_of_the_commission() -> None:
    """The tier goes by what moved (GE single): 64 x 3 stakes of 5 under a cap of 100 are charged as 100."""
    shares = price(outcome=won(Win.BACKGAMMON, cube=64), terms=single("5", "100"), tariff=GE)
    assert shares.charge
    assert (shares.charge.rate, shares.commission) == (Decimal("0.039"), Decimal("7.80"))
    undoubled_gammon_under_jacoby = Outcome(winner=1, win=Win.GAMMON, cube=1, points=1, ending=Ending.BORNE_OFF)
    assert price(outcome=undoubled_gammon_under_jacoby, terms=single("5", "15"), tariff=GE).lost == 5


def test_uncapped_cube_64_and_backgammon_is_192_stakes() -> None:
    """Cases 50."""
    shares = price(outcome=won(Win.BACKGAMMON, cube=64), terms=single("1", "192"), tariff=GE)
    assert (str(shares.loser_net), str(shares.loser_back)) == ("-192.00", "0.00")


@pytest.mark.parametrize("row", table("domain_c")["rating_adjustments"], ids=lambda row: "-v-".join(row["ratings"]))
def test_the_pair_pays_as_worked(row: dict[str, Any]) -> None:
    """C-4 to C-9 through the price."""
    standings = Standing(Decimal(row["ratings"][0])), Standing(Decimal(row["ratings"][1]))
    terms = series(row.get("stake", "10"), row.get("points", 3))
    assert str(price(outcome=won(), terms=terms, tariff=GE, standings=standings).commission) == row["pair"]


def test_a_currency_the_tariff_does_not_have_is_refused() -> None:
    with pytest.raises(commission.CurrencyNotInTariff):
        price(outcome=won(), terms=single("5", "15", "EUR"), tariff=GE)
    assert price(outcome=won(), terms=single("5", "15", "EUR"), tariff=SG).commission == Decimal("0.50")


def test_a_loss_beyond_any_amount_is_refused() -> None:
    stake = Decimal("999999999999.99")
    terms = Terms(currency="USD", stake=stake, match_length=0, cap=stakes.uncapped(stake=stake))
    assert price(outcome=won(), terms=terms, tariff=GE).lost == stake
    with pytest.raises(money.InvalidAmount, match="stake"):
        price(outcome=won(cube=2), terms=terms, tariff=GE)


def test_three_cents_of_18_98_are_not_lost_in_between() -> None:
    """Cases 34: 10.54 and 8.44 stay 18.98; every part is a Decimal of the minor unit."""
    shares = price(outcome=won(), terms=single("8.44", "9.49"), tariff=SG)
    assert shares.escrow == Decimal("18.98")
    assert all(str(part) == f"{part:.2f}" for part in (shares.winner_back, shares.loser_back, shares.commission))


@pytest.mark.parametrize(
    ("entries", "fee", "prizes", "house"), [(8, "3.33", ["13.32", "5.33", "2.66", "2.66"], "2.67")]
)
def test_prizes_are_rounded_and_the_house_takes_the_rest(entries: int, fee: str, prizes: list[str], house: str) -> None:
    """T-3, cases 56: the fund of 26.64 empties to zero exactly."""
    fund = entries * Decimal(fee)
    parts = money.share_out(fund, [Decimal(share) for share in ("0.5", "0.2", "0.1", "0.1", "0.1")], "USD")
    assert [str(part) for part in parts] == [*prizes, house]
    assert sum(parts) == fund == Decimal("26.64")


# --- always ---------------------------------------------------------------------------------------------------------

currencies = st.sampled_from(["USD", "PLAY", "JPY", "KWD"])
cubes = st.sampled_from([1, 2, 4, 8, 16, 32, 64])
whole = st.integers(min_value=1, max_value=10**7)
ratings = st.decimals(min_value=1000, max_value=2200, places=6)


def check(shares: Shares, terms: Terms) -> None:
    held = stakes.exposure(terms)
    assert shares.winner_back + shares.loser_back + shares.commission == 2 * held
    assert shares.winner_net + shares.loser_net + shares.commission == 0
    assert shares.winner_back == held + shares.winner_net
    assert shares.loser_back == held + shares.loser_net
    assert 0 <= shares.commission <= shares.lost <= held
    for part in shares.winner_back, shares.loser_back, shares.commission, shares.lost:
        assert str(money.exact(part, terms.currency)) == str(part)


@given(
    currencies, whole, st.integers(min_value=0, max_value=10**9), cubes, st.sampled_from(Win), st.sampled_from([1, 2])
)
def test_the_parts_of_a_single_game_empty_the_escrow(
    currency: str, stake: int, extra: int, cube: int, win: Win, winner: Side
) -> None:
    unit = money.currency(currency).minor_unit
    terms = Terms(currency=currency, stake=stake * unit, match_length=0, cap=(stake + extra) * unit)
    tariff = GE if GE.serves(currency) else SG
    shares = price(outcome=won(win, cube=cube, winner=winner), terms=terms, tariff=tariff)
    check(shares, terms)


@given(whole, st.integers(min_value=1, max_value=25), ratings, ratings, st.sampled_from([1, 2]))
def test_the_parts_of_a_series_empty_the_escrow(
    stake: int, length: int, one: Decimal, other: Decimal, winner: Side
) -> None:
    terms = Terms(currency="USD", stake=Decimal(stake).scaleb(-2), match_length=length)
    standings = Standing(one), Standing(other)
    shares = price(outcome=won(winner=winner), terms=terms, tariff=GE, standings=standings)
    check(shares, terms)
