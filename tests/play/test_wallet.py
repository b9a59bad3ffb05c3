"""What a player owns, how it came about, and play money."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from rest_framework.test import APIClient

from games.rules.endings import Win
from ledger import book, postings
from tests.factories import escrow, fund, wallet, won
from tests.play.lobbying import MATCH, SINGLE, Guest, emerald, refused
from wagering.play.models import PlayMoneyIssue
from wagering.play.wallet import services
from wagering.settlement.services import settle, void
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db


def money(amount: str, currency: str = "USD") -> dict[str, str]:
    return {"amount": amount, "currency": currency}


def play(amount: str) -> dict[str, str]:
    return money(amount, "PLAY")


def of_play(*, available: str, held: str = "0.00") -> dict[str, Any]:
    nothing = dict.fromkeys(("pending", "bonus", "unclaimed", "owed"), play("0.00"))
    return {"currency": "PLAY", "zone": "amateurs", "available": play(available), "held": play(held), **nothing}


def test_whoever_looks_for_the_first_time_has_play_money() -> None:
    ann = Guest("ann", funds=None)
    for _ in range(2):
        answer = ann.gets("wallet")
        assert answer.status_code == 200, answer.content
        assert answer.json() == {
            "wallets": [
                of_play(available="1000.00"),
            ]
        }
    assert PlayMoneyIssue.objects.count() == 1
    assert book.find(f"play_money_issued:{PlayMoneyIssue.objects.get().pk}")


def test_a_wallet_tells_what_is_at_hand_and_what_is_held() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    fund(ann.player, "500", "JPY")
    bob.accepts(ann.offered(room=room))
    by_currency = {told["currency"]: told for told in ann.gets("wallet").json()["wallets"]}
    assert list(by_currency) == ["JPY", "PLAY", "USD"]
    assert by_currency["USD"] == {
        "currency": "USD",
        "zone": "professionals",
        "available": money("85.00"),
        "held": money("15.00"),
        **dict.fromkeys(("pending", "bonus", "unclaimed", "owed"), money("0.00")),
    }
    assert by_currency["JPY"]["available"] == money("500", "JPY")


def test_a_wallet_costs_few_queries(django_assert_max_num_queries: Any) -> None:
    ann = Guest("ann")
    ann.gets("wallet")
    with django_assert_max_num_queries(5):
        ann.gets("wallet")


def test_a_wallet_is_ones_own() -> None:
    Guest("bob")
    assert APIClient().get("/v1/wallet").status_code == 401
    assert [told["currency"] for told in Guest("ann", funds=None).gets("wallet").json()["wallets"]] == ["PLAY"]


# --- the statement ----------------------------------------------------------------------------------------------------


def test_a_statement_says_what_each_entry_is_because_of() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    table = bob.accepts(ann.offered(room=room)).json()["table"]
    void(table=Stake.objects.get(table=table).table, at=datetime.now(UTC))
    answer = ann.gets("wallet/statement", currency="USD")
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert (told["opening"], told["closing"]) == (money("0.00"), money("100.00"))
    assert [
        (entry["number"], entry["event"], entry["change"]["amount"], entry["balance"]["amount"])
        for entry in told["results"]
    ] == [
        (1, "deposit_confirmed", "100.00", "100.00"),
        (2, "stake_held", "-15.00", "85.00"),
        (3, "stake_voided", "15.00", "100.00"),
    ]
    assert [entry["table"] for entry in told["results"]] == [None, table, table]
    assert [entry["cause"]["kind"] for entry in told["results"]] == ["deposit", "table", "table"]
    assert {entry["cause"]["id"] for entry in told["results"][1:]} == {table}
    assert [entry["opponent"] and entry["opponent"]["name"] for entry in told["results"]] == [None, "bob", "bob"]
    assert (told["next"], told["previous"]) == (None, None)


def test_a_statement_comes_in_pages_that_follow_each_other() -> None:
    ann = Guest("ann", funds="1")
    for amount in ("2", "3", "4"):
        fund(ann.player, amount)
    first = ann.gets("wallet/statement", currency="USD", limit="3").json()
    assert [entry["change"]["amount"] for entry in first["results"]] == ["1.00", "2.00", "3.00"]
    assert first["closing"] == money("6.00")
    second = ann.client.get(first["next"]).json()
    assert [entry["change"]["amount"] for entry in second["results"]] == ["4.00"]
    assert (second["opening"], second["closing"], second["next"]) == (money("6.00"), money("10.00"), None)
    assert ann.client.get(second["previous"]).json()["results"] == first["results"]


def test_a_statement_costs_few_queries_however_long(django_assert_max_num_queries: Any) -> None:
    room, ann = emerald(), Guest("ann")
    for number in range(5):
        Guest(f"guest {number}").accepts(ann.offered(MATCH, room=room))
    with django_assert_max_num_queries(6):
        assert len(ann.gets("wallet/statement", currency="USD").json()["results"]) == 6


def test_an_unused_wallet_has_an_empty_statement() -> None:
    told = Guest("ann").gets("wallet/statement", currency="KWD").json()
    assert told == {
        "next": None,
        "previous": None,
        "opening": money("0.000", "KWD"),
        "results": [],
        "closing": money("0.000", "KWD"),
    }


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"currency": "XXX"},
        {"currency": "USD", "cursor": "-1"},
        {"currency": "USD", "cursor": "x"},
        {"currency": "USD", "limit": "201"},
    ],
)
def test_a_statement_of_nothing_is_refused(query: dict[str, str]) -> None:
    refused(Guest("ann").gets("wallet/statement", **query), 422, "invalid")


# --- totals -----------------------------------------------------------------------------------------------------------


def test_totals_are_the_statements_own_sums() -> None:
    """C-1: a gammon at stake 5 brings 9.02 and costs 10.00; what is held or asked for is neither lost nor paid."""
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    table = Stake.objects.get(table=bob.accepts(ann.offered(room=room)).json()["table"]).table
    settle(table=table, outcome=won(1, Win.GAMMON), at=datetime.now(UTC))
    noon = datetime.now(UTC)
    bob.accepts(ann.offered(room=room))
    held: dict[str, Any] = {"player": ann.player.pk, "currency": "USD", "at": noon}
    first, second = uuid4(), uuid4()
    book.post(postings.payout_held(attempt=first, amount=Decimal(20), **held))
    book.post(postings.payout_paid(attempt=first, provider=None, amount=Decimal(20), **held))
    book.post(postings.payout_held(attempt=second, amount=Decimal(30), **held))
    nothing = dict.fromkeys(("taken_back", "lost", "other"), money("0.00"))
    assert ann.gets("wallet/totals", currency="USD").json() == {
        **nothing,
        "paid_in": money("100.00"),
        "paid_out": money("20.00"),
        "won": money("9.02"),
        "net_deposits": money("80.00"),
        "net_deposits_for_life": money("80.00"),
    }
    told = ann.gets("wallet/totals", currency="USD", since=noon.isoformat()).json()
    assert (told["won"], told["paid_out"]) == (money("0.00"), money("20.00"))
    assert (told["net_deposits"], told["net_deposits_for_life"]) == (money("-20.00"), money("80.00"))
    assert bob.gets("wallet/totals", currency="USD", until=noon.isoformat()).json()["lost"] == money("10.00")
    mine = {one["currency"]: one for one in ann.gets("wallet").json()["wallets"]}["USD"]
    assert (mine["available"], mine["held"], mine["pending"]) == (money("44.02"), money("15.00"), money("30.00"))


def test_a_chargeback_is_taken_back_and_what_is_owed_is_told() -> None:
    ann = Guest("ann", funds="100")
    spent: dict[str, Any] = {"player": ann.player.pk, "provider": uuid4(), "currency": "USD", "at": datetime.now(UTC)}
    spent |= {"wallet": Decimal(100), "receivable": Decimal(36), "difference": Decimal(0)}
    book.post(postings.deposit_charged_back(dispute=uuid4(), **spent))
    assert ann.gets("wallet/totals", currency="USD").json()["taken_back"] == money("100.00")
    assert {one["currency"]: one for one in ann.gets("wallet").json()["wallets"]}["USD"]["owed"] == money("36.00")


@pytest.mark.parametrize("query", [{}, {"currency": "XXX"}, {"currency": "USD", "since": "yesterday"}])
def test_totals_of_nothing_are_refused(query: dict[str, str]) -> None:
    refused(Guest("ann").gets("wallet/totals", **query), 422, "invalid")


# --- play money -------------------------------------------------------------------------------------------------------


def spend(guest: Guest, amount: str) -> None:
    """The player's play money is gone, all but what is left after ``amount``."""
    book.post(
        postings.manual_adjustment(
            adjustment=uuid4(),
            player=guest.player.pk,
            direction="debit",
            amount=Decimal(amount),
            currency="PLAY",
            reason="lost it all",
            operator=uuid4(),
            at=datetime.now(UTC),
        )
    )


def test_play_money_is_given_again_below_the_floor() -> None:
    ann = Guest("ann", funds=None)
    ann.gets("wallet")
    refused(ann.posts("wallet/play-money"), 409, "enough_play_money")
    spend(ann, "900.00")
    refused(ann.posts("wallet/play-money"), 409, "enough_play_money")  # 100.00 is not below the floor
    spend(ann, "0.01")
    answer = ann.posts("wallet/play-money")
    assert answer.status_code == 201, answer.content
    assert answer.json()["given"] == play("1000.00")
    assert answer.json()["wallet"]["available"] == play("1099.99")


def test_what_is_held_at_tables_is_not_gone() -> None:
    room, ann, bob = emerald(), Guest("ann", funds=None), Guest("bob")
    all_of_it = {**SINGLE, "stake": play("950.00"), "cap": play("950.00")}
    bob.accepts(ann.offered(all_of_it, room=room))
    assert (wallet(ann.player, "PLAY"), escrow(ann.player, "PLAY")) == (Decimal("50.00"), Decimal("950.00"))
    refused(ann.posts("wallet/play-money"), 409, "enough_play_money")


def test_the_first_of_it_may_be_asked_for() -> None:
    answer = Guest("ann", funds=None).posts("wallet/play-money")
    assert answer.json()["wallet"]["available"] == play("1000.00")


def test_play_money_is_given_so_many_times_a_day(settings: Any) -> None:
    settings.PLAY_MONEY_TIMES_A_DAY = 2
    ann = Guest("ann", funds=None)
    ann.gets("wallet")
    for _ in range(2):
        spend(ann, "1000.00")
        assert ann.posts("wallet/play-money").status_code == 201
    spend(ann, "1000.00")
    assert refused(ann.posts("wallet/play-money"), 409, "play_money_spent")["limit"] == 2
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert services.ask_again(player=ann.player, at=tomorrow) == Decimal("1000.00")


def test_a_repeated_request_gives_once() -> None:
    ann = Guest("ann", funds=None)
    ann.gets("wallet")
    spend(ann, "1000.00")
    first, again = (ann.posts("wallet/play-money", key="k1") for _ in range(2))
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    assert wallet(ann.player, "PLAY") == Decimal("1000.00")


def test_what_was_given_stays_written() -> None:
    Guest("ann", funds=None).gets("wallet")
    with pytest.raises(DatabaseError, match="play_money_issue_is_final"), transaction.atomic():
        PlayMoneyIssue.objects.update(amount=Decimal("2.00"))
    with pytest.raises(DatabaseError, match="play_money_issue_is_final"), transaction.atomic():
        PlayMoneyIssue.objects.all().delete()
