"""The chart of accounts: what may exist where, and how it behaves."""

from uuid import UUID

import pytest

from ledger import chart, money
from ledger.chart import HOUSE, KINDS, UnknownAccount
from tests.ledger.people import ANN


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.get)
def test_no_kind_is_guarded_and_hot(kind: chart.Kind) -> None:
    assert not (kind.guarded and kind.hot)


def test_what_players_own_is_guarded_and_theirs() -> None:
    owned = {"wallet", "escrow", "payouts_pending", "bonus", "unclaimed", "receivable"}
    assert {kind.code for kind in KINDS.values() if kind.owned_by == "player"} == owned
    assert {kind.code for kind in KINDS.values() if kind.guarded} == owned | {"suspense"}


def test_hot_accounts_are_those_of_the_house_that_every_player_touches() -> None:
    assert {kind.code for kind in KINDS.values() if kind.hot} == {"commission", "clearing", "play_issued"}


def test_what_we_owe_grows_on_credit_and_what_we_have_on_debit() -> None:
    owed = "wallet escrow payouts_pending bonus unclaimed commission revenue suspense"
    had = (
        "receivable adjustments promotions processing_costs clearing bank_customers bank_operating "
        "dispute_differences play_issued"
    )
    assert {kind.code for kind in KINDS.values() if kind.grows_on == "CR"} == set(owed.split())
    assert {kind.code for kind in KINDS.values() if kind.grows_on == "DR"} == set(had.split())


@pytest.mark.parametrize("code", ["wallet", "escrow", "commission"])
def test_an_account_exists_in_both_zones(code: str) -> None:
    assert chart.account(code, ANN, "USD").currency == "USD"
    assert chart.account(code, ANN, "PLAY").currency == "PLAY"


@pytest.mark.parametrize(
    "code", [code for code in KINDS if code not in ("wallet", "escrow", "commission", "play_issued")]
)
def test_play_money_has_no_bank_and_earns_nothing(code: str) -> None:
    """Z: a play-money unit can never reach a real-money account."""
    assert chart.account(code, HOUSE, "USD")
    with pytest.raises(UnknownAccount, match="does not exist in PLAY, which belongs to the amateurs"):
        chart.account(code, HOUSE, "PLAY")


def test_real_money_is_not_issued() -> None:
    assert chart.house("play_issued", "PLAY")
    with pytest.raises(UnknownAccount, match="does not exist in USD, which belongs to the professionals"):
        chart.house("play_issued", "USD")


@pytest.mark.parametrize("code", ["jackpot", "Wallet", "wallet ", "", None])
def test_a_kind_that_is_not_on_the_page_is_refused(code: str) -> None:
    with pytest.raises(UnknownAccount, match="is no kind of account; the chart has wallet, escrow"):
        chart.account(code, ANN, "USD")


def test_an_unknown_currency_is_refused() -> None:
    with pytest.raises(money.UnknownCurrency):
        chart.wallet(ANN, "XXX")


def test_an_account_reads_as_kind_owner_and_currency() -> None:
    assert str(chart.wallet(UUID(int=7), "USD")) == "wallet:00000000-0000-0000-0000-000000000007:USD"
    assert str(chart.house("revenue", "EUR")) == "revenue:house:EUR"


def test_the_shortcuts_name_their_kinds() -> None:
    assert [
        shortcut(ANN, "USD").code for shortcut in (chart.wallet, chart.escrow, chart.commission, chart.clearing)
    ] == [
        "wallet",
        "escrow",
        "commission",
        "clearing",
    ]
