"""Paying in, over HTTP: once a key, one's own alone, and no amount that is none."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from pytest_django import Settings

from tests.access.callers import client_of
from tests.cashier.deposits.wishes import asks, paid
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from wagering.cashier.deposits.models import Deposit


@pytest.fixture(autouse=True)
def unhurried(settings: Settings) -> None:
    settings.RATES = {}


@pytest.mark.django_db
def test_a_player_pays_in(world: Outside) -> None:
    ann = person(funds=None)
    client = client_of(ann)
    made = asks(client, return_url="https://room.example/wallet")
    assert made.status_code == 201
    body = made.json()
    assert (body["state"], body["pay_at"], body["paid"]) == ("created", None, None)
    assert world.asked == []  # the POST asks nobody
    begun = client.post(f"/v1/deposits/{body['id']}/start").json()
    assert (begun["state"], begun["pay_at"]) == ("processing", world.house.url + "/pay/pay_000000000001")
    assert client.post(f"/v1/deposits/{body['id']}/start").json() == begun
    page = world.is_paid(Deposit.objects.get())
    assert b"This payment is succeeded" in page.body
    assert b"https://room.example/wallet" in page.body
    world.delivers()
    told = client.get(f"/v1/deposits/{body['id']}").json()
    assert told["state"] == "succeeded"
    assert told["paid"] == {"amount": "20.00", "currency": "USD"}
    assert client.get("/v1/deposits").json()["results"] == [told]
    methods = client.get("/v1/payment-methods").json()
    assert methods["providers"] == ["sandbox"]
    assert [(method["id"], method["last4"]) for method in methods["methods"]] == [(told["method"], "4242")]
    assert "4242424242424242" not in str(methods) + str(world.record("instrument")) + str(world.record("payment"))
    assert client.post(f"/v1/deposits/{body['id']}/start").json()["code"] == "not_to_be_started"


@pytest.mark.django_db
def test_a_player_is_told_once_that_it_is_there(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann)
    world.delivers()
    told = client_of(ann).get("/v1/notices").json()["results"]
    assert [(notice["kind"], notice["data"]) for notice in told] == [
        ("deposit_succeeded", {"deposit": str(deposit.pk), "amount": "20.00", "currency": "USD"})
    ]


@pytest.mark.django_db
def test_it_is_asked_for_once_a_key(world: Outside) -> None:  # cases 4, 5, 6
    client = client_of(person(funds=None))
    body = {"amount": {"amount": "25.00", "currency": "USD"}}
    keyless = client.post("/v1/deposits", body, format="json")
    assert (keyless.status_code, keyless.json()["code"]) == (400, "idempotency_key_missing")
    first, again = asks(client, "25.00", key="one"), asks(client, "25.00", key="one")
    assert again.json() == first.json()
    assert again["Idempotent-Replayed"] == "true"
    other = asks(client, "50.00", key="one")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert Deposit.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_wish_and_one_payment_however_many_ask_at_once(world: Outside) -> None:  # cases 1, 6
    ann = person(funds=None)
    client = client_of(ann)
    world.house.mischief.often = {"time_out_after": 30}
    told: list[Any] = []

    def at_once() -> None:
        told.append(asks(client, key="one").status_code)
        made = Deposit.objects.values_list("pk", flat=True)
        told.extend(client.post(f"/v1/deposits/{deposit}/start").status_code for deposit in made)
        connections.close_all()

    threads = [threading.Thread(target=at_once) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(told) <= {200, 201, 409, 503}
    assert 201 in told
    assert Deposit.objects.count() == 1
    assert len(world.record("payment")) <= 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("amount", "currency", "code"),
    [
        ("500.5", "JPY", "invalid"),  # case 27
        ("0.999", "USD", "invalid"),  # case 41
        ("5.005", "USD", "invalid"),
        ("NaN", "USD", "invalid"),  # case 42
        ("Infinity", "USD", "invalid"),
        ("1e3", "USD", "invalid"),
        ("1_000", "USD", "invalid"),
        ("١٢.٥", "USD", "invalid"),
        ("-5.00", "USD", "invalid"),
        (5, "USD", "invalid"),
        ("0.00", "USD", "invalid_amount"),
        ("5.00", "XYZ", "invalid"),
        ("5.00", "PLAY", "currency_not_taken"),
    ],
)
def test_what_is_no_amount_is_refused(world: Outside, amount: Any, currency: str, code: str) -> None:
    answer = asks(client_of(person(funds=None)), amount, currency)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json()["errors"][0]["pointer"].startswith("/amount")
    assert not Deposit.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("more", [{"provider": "nobody"}, {"return_url": "javascript:alert(1)"}, {"amuont": 1}])
def test_what_is_not_known_is_refused(world: Outside, more: dict[str, Any]) -> None:
    answer = asks(client_of(person(funds=None)), **more)
    assert answer.status_code == 422
    assert not Deposit.objects.exists()


@pytest.mark.django_db
def test_without_a_provider_nobody_pays_in(world: Outside, settings: Settings) -> None:
    client = client_of(person(funds=None))
    settings.PROVIDERS = []
    assert asks(client).json()["code"] == "unknown_provider"
    assert client.get("/v1/payment-methods").json()["providers"] == []


@pytest.mark.django_db
def test_a_provider_that_is_silent_is_asked_again(world: Outside) -> None:
    client = client_of(person(funds=None))
    deposit = asks(client).json()["id"]
    world.misbehaves("time_out_after")
    silent = client.post(f"/v1/deposits/{deposit}/start")
    assert (silent.status_code, silent.json()["code"]) == (503, "provider_silent")
    assert silent["Retry-After"] == "5"
    assert client.post(f"/v1/deposits/{deposit}/start").status_code == 200
    assert len(world.record("payment")) == 1


@pytest.mark.django_db
def test_deposits_are_ones_own(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    bob = client_of(person("bob", funds=None))
    assert bob.get("/v1/deposits").json()["results"] == []
    assert bob.get("/v1/payment-methods").json()["methods"] == []
    assert bob.get(f"/v1/deposits/{deposit.pk}").status_code == 404
    assert bob.post(f"/v1/deposits/{deposit.pk}/start").status_code == 404
    assert bob.get(f"/v1/deposits/{uuid4()}").status_code == 404
    assert wallet(deposit.player) == Decimal("20.00")
