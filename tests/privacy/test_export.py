"""A player takes everything that is kept of them, and of nobody else."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from pytest_django import Settings

from tests.access.callers import bearer, client_of
from tests.cashier.outside import Outside
from tests.factories import person
from tests.privacy.people import ADDRESS, BIOGRAPHY, BORN, FULL_NAME, IBAN, NAME, lived

pytestmark = pytest.mark.django_db


def test_it_is_everything(world: Outside) -> None:
    _, token = lived(world, opponent=person("bob"))
    answer = bearer(token).get("/v1/me/data")
    assert answer.status_code == 200
    data = answer.json()
    assert (data["name"], data["biography"]) == (NAME, BIOGRAPHY)
    assert (data["identity"]["name"], data["identity"]["birth_date"]) == (FULL_NAME, BORN)
    assert data["identity"]["address"] == ADDRESS
    (account,) = [method for method in data["payment_methods"] if method["provider"] == "bank"]
    assert (account["iban"], account["last4"]) == (IBAN, IBAN[-4:])
    assert account["holder"].casefold() == FULL_NAME.casefold()
    assert [each["label"] for each in data["clients"]] == ["my old phone"]
    assert [each["state"] for each in data["deposits"]] == ["succeeded"]
    assert len(data["tables"]) == 2
    assert len(data["ratings"]) == 2
    assert [each["kind"] for each in data["exclusions"]] == ["exclusion"]
    wallets = {wallet["currency"]: wallet for wallet in data["wallets"]}
    assert wallets.keys() == {"PLAY", "USD"}
    statement = wallets["USD"]["statement"]
    assert [entry["number"] for entry in statement] == list(range(1, len(statement) + 1))
    assert statement[-1]["balance"] == wallets["USD"]["available"]
    assert "deposit_succeeded" in {notice["kind"] for notice in data["notices"]}


def test_it_is_nobody_elses(world: Outside) -> None:
    bob = person("bob")
    lived(world, opponent=bob)
    text = client_of(bob).get("/v1/me/data").content.decode()
    assert "Featherstonehaugh" not in text
    assert IBAN not in text


def test_it_is_asked_for_a_few_times_an_hour(settings: Settings) -> None:
    cache.clear()
    client = client_of(person())
    answers = [client.get("/v1/me/data").status_code for _ in range(settings.RATES["my_data"][0] + 1)]
    assert answers == [200] * settings.RATES["my_data"][0] + [429]
