"""Rooms and quotes: the first endpoints, and what the manners make of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.factories import RoomFactory

pytestmark = pytest.mark.django_db


def ask(client: Client, body: dict[str, Any]) -> Any:
    return client.post("/v1/quotes", body, content_type="application/json")


def test_rooms_are_listed_by_their_short_names(client: Client) -> None:
    RoomFactory.create(slug="sapphire", name="Sapphire")
    emerald = RoomFactory.create(slug="emerald", name="Emerald")
    answer = client.get("/v1/rooms")
    assert answer.status_code == 200, answer.content
    assert [room["slug"] for room in answer.json()["results"]] == ["emerald", "sapphire"]
    assert answer.json()["results"][0] == {"id": str(emerald.pk), "slug": "emerald", "name": "Emerald"}
    assert answer.json()["next"] is None


def test_a_quote_is_what_would_be_charged(client: Client) -> None:
    """C-1: stake 5, a gammon."""
    RoomFactory.create(charges="gammonempire")
    answer = ask(
        client,
        {"tariff": "gammonempire", "match_length": 0, "amount": {"amount": "10.00", "currency": "USD"}},
    )
    assert answer.status_code == 200, answer.content
    assert answer.json()["commission"] == {"amount": "0.98", "currency": "USD"}
    assert answer.json()["net"] == {"amount": "9.02", "currency": "USD"}


@pytest.mark.parametrize(
    ("change", "status", "code", "pointer"),
    [
        ({"amount": {"amount": "0.999", "currency": "USD"}}, 422, "invalid_amount", "/amount/amount"),
        ({"amount": {"amount": 5, "currency": "USD"}}, 422, "invalid_amount", "/amount/amount"),
        ({"amount": {"amount": "5.00", "currency": "XXX"}}, 422, "unknown_currency", "/amount/currency"),
        ({"amount": {"amount": "5.00"}}, 422, "missing", "/amount/currency"),
        ({"amount": "5.00"}, 422, "not_money", "/amount"),
        ({"match_length": 26}, 422, "max_value", "/match_length"),
        ({"standings": [{"rating": "1500.000"}]}, 422, "min_length", "/standings"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(
    change: dict[str, Any], status: int, code: str, pointer: str, client: Client
) -> None:
    body = {"tariff": "gammonempire", "match_length": 0, "amount": {"amount": "5.00", "currency": "USD"}}
    answer = ask(client, body | change)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    fault = answer.json()["errors"][0]
    assert (answer.json()["code"], fault["code"], fault["pointer"]) == ("invalid", code, pointer)


def test_an_unknown_tariff_is_not_there(client: Client) -> None:
    body = {"tariff": "gratis", "match_length": 0, "amount": {"amount": "5.00", "currency": "USD"}}
    answer = ask(client, body)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_tariff")
