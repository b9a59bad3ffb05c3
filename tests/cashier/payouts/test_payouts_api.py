"""Getting paid over HTTP: once a key, one's own alone, nothing sealed in an answer."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from games.models import Player
from tests.access.callers import client_of
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import NOTHING, account, pending, winner, works
from tests.factories import person, wallet
from wagering.cashier.payouts.models import Payout

pytestmark = pytest.mark.django_db


def asks(client: Any, method: str, amount: str = "48.00", *, key: str = "", currency: str = "EUR") -> Any:
    body = {"amount": {"amount": amount, "currency": currency}, "method": method}
    return client.post("/v1/payouts", body, format="json", headers={"Idempotency-Key": key or uuid4().hex})


def adds(client: Any, iban: str = "NL91 ABNA 0417 1643 00", holder: str = "Ann Miller") -> Any:
    return client.post("/v1/payment-methods/bank-accounts", {"iban": iban, "holder": holder}, format="json")


def test_a_player_gets_paid(bank: Outside) -> None:
    client = client_of(winner(bank))
    added = adds(client)
    assert (added.status_code, added.json()["last4"], added.json()["provider"]) == (201, "4300", "bank")
    assert adds(client, "nl91abna0417164300").json()["id"] == added.json()["id"]
    assert "0417164300" not in added.content.decode()
    asked = asks(client, added.json()["id"], key="one")
    assert asked.status_code == 201
    assert asked.json()["state"] == "held"
    replayed = asks(client, added.json()["id"], key="one")
    assert replayed.json() == asked.json()
    assert Payout.objects.count() == 1
    works(bank)
    told = client.get(f"/v1/payouts/{asked.json()['id']}").json()
    assert (told["state"], told["last4"]) == ("paid", "4300")
    assert client.get("/v1/payouts").json()["results"] == [told]


def test_what_is_refused_says_why(bank: Outside) -> None:
    ann, bob = winner(bank), person("bob", funds=None)
    mine, others = account(bank, ann), account(bank, bob, "GB29NWBK60161331926819")
    client = client_of(ann)

    def code(answer: Any) -> tuple[int, str]:
        return answer.status_code, answer.json()["code"]

    assert code(asks(client, str(mine.pk), "100.01")) == (409, "insufficient_funds")
    assert code(asks(client, str(others.pk)))[0] == 404
    assert code(asks(client, str(mine.pk), currency="JPY", amount="10")) == (422, "currency_not_paid_out")
    assert code(asks(client, str(mine.pk), "0.00"))[0] == 422
    assert code(adds(client, "NL91ABNA0417164301")) == (422, "bad_iban")
    assert code(adds(client, holder="Анна")) == (422, "bad_holder")
    keyless = client.post("/v1/payouts", {}, format="json")
    assert code(keyless) == (400, "idempotency_key_missing")
    assert wallet(ann, "EUR") == 100


def test_nobody_is_paid_to_the_account_that_pays(bank: Outside) -> None:
    answer = client_of(winner(bank)).post(
        "/v1/payment-methods/bank-accounts", {"iban": settings.BANK_IBAN, "holder": "Ann Miller"}, format="json"
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_iban")
    assert "our own account" in answer.json()["detail"]


def test_a_payout_is_taken_back(bank: Outside) -> None:
    ann = winner(bank)
    client = client_of(ann)
    made = asks(client, str(account(bank, ann).pk)).json()
    door = f"/v1/payouts/{made['id']}/cancel"
    assert client.post(door, headers={"Idempotency-Key": "c"}).json()["state"] == "cancelled"
    assert (wallet(ann, "EUR"), pending(ann)) == (Decimal(100), NOTHING)
    other = asks(client, str(account(bank, ann).pk)).json()
    works(bank)
    refused = client.post(f"/v1/payouts/{other['id']}/cancel", headers={"Idempotency-Key": "d"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_to_be_cancelled")


def test_a_payout_is_nobody_elses(bank: Outside) -> None:
    ann = winner(bank)
    made = asks(client_of(ann), str(account(bank, ann).pk)).json()
    bob: Player = person("bob", funds=None)
    assert client_of(bob).get(f"/v1/payouts/{made['id']}").status_code == 404
    assert client_of(bob).post(f"/v1/payouts/{made['id']}/cancel", headers={"Idempotency-Key": "x"}).status_code == 404
    assert client_of(bob).get("/v1/payouts").json()["results"] == []


def test_an_account_in_another_name_takes_the_first_ones_place(bank: Outside) -> None:
    client = client_of(winner(bank))
    first, second = adds(client).json(), adds(client, holder="Bob Miller").json()
    assert first["id"] != second["id"]
    assert [each["id"] for each in client.get("/v1/payment-methods").json()["methods"]] == [second["id"]]
