"""What a refusal says to a person is enough to mend the request by, without another look at the page."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.access.callers import client_of
from tests.factories import PlayerFactory, RoomFactory

TERMS: dict[str, Any] = {
    "stake": {"amount": "5.00", "currency": "PLAY"},
    "cap": {"amount": "15.00", "currency": "PLAY"},
    "move_s": 15,
}
OFFER = {"room": "emerald", **TERMS}


@pytest.fixture
def ann(db: None) -> APIClient:
    RoomFactory.create(slug="emerald", charges="gammonempire")
    return client_of(PlayerFactory.create(name="ann"))


def refused(client: APIClient, path: str, body: dict[str, Any]) -> tuple[str, list[str | None]]:
    answer = client.post(path, body, format="json", headers={"Idempotency-Key": uuid4().hex})
    assert answer.status_code == 422, answer.content
    told = answer.json()
    return told["detail"], [fault.get("pointer") for fault in told.get("errors", [])]


MISSING = object()
OFFERS: list[tuple[dict[str, Any], str, list[str]]] = [
    ({"stake": MISSING, "room": MISSING}, "stake: is missing; room: is missing", ["/stake", "/room"]),
    ({"stake": None}, "stake: is null, and has to be something", ["/stake"]),
    ({"stake": {"amount": None, "currency": "PLAY"}}, 'must be text in quotes, such as "5.00"', ["/stake/amount"]),
    ({"stake": {"amount": 5, "currency": "PLAY"}}, 'must be text in quotes, such as "5.00"', ["/stake/amount"]),
    ({"stake": {"amount": "5.00"}}, "stake/currency: is missing", ["/stake/currency"]),
    ({"abandonment": "dance"}, 'abandonment: "dance" is none of split, forfeit, void', ["/abandonment"]),
    ({"room": "rubin"}, "GET /v1/rooms", ["/room"]),
    ({"cap": MISSING}, "cap: is missing: a single game names the most that it can cost", ["/cap"]),
    ({"move_s": 0}, "move_s and reserve_s are 1 to 86400 seconds together", ["/move_s", "/reserve_s"]),
    ({"match_length": 3}, "cap: 15.00 caps nothing: a match costs its stake", ["/cap"]),
]


@pytest.mark.parametrize(("change", "told", "pointers"), OFFERS)
def test_of_an_offer(change: dict[str, Any], told: str, pointers: list[str], ann: APIClient) -> None:
    body = {name: value for name, value in {**OFFER, **change}.items() if value is not MISSING}
    detail, at = refused(ann, "/v1/offers", body)
    assert told in detail
    assert at == pointers


def test_of_a_counter_that_changes_nothing(ann: APIClient) -> None:
    made = ann.post("/v1/offers", OFFER, format="json", headers={"Idempotency-Key": uuid4().hex}).json()
    bob = client_of(PlayerFactory.create(name="bob"))
    detail, at = refused(bob, f"/v1/offers/{made['id']}/counters", TERMS)
    assert "accept it instead" in detail
    assert at == [""]  # RFC 6901: the whole body


@pytest.mark.parametrize(
    ("body", "told", "pointer"),
    [
        ({"version": 1, "kind": "play"}, "play: is missing", "/play"),
        ({"version": 1, "kind": "resign"}, "concession: is missing", "/concession"),
        ({"version": 1, "kind": "roll", "play": "8/5"}, "is given with play alone", "/play"),
        ({"version": 1, "kind": "dance"}, '"dance" is none of roll, play, double, take', "/kind"),
    ],
)
def test_of_an_action(body: dict[str, Any], told: str, pointer: str, sitting: tuple[APIClient, str]) -> None:
    client, table = sitting
    detail, at = refused(client, f"/v1/tables/{table}/actions", body)
    assert told in detail
    assert at == [pointer]


def test_of_a_hash_that_is_short(sitting: tuple[APIClient, str]) -> None:
    client, table = sitting
    detail, at = refused(client, f"/v1/tables/{table}/seeds", {"hash": "ab"})
    assert detail == "hash: is not 64 lower-case hexadecimal digits"
    assert at == ["/hash"]


def test_of_a_choice_in_the_query(ann: APIClient) -> None:
    answer = ann.get("/v1/offers?pace=slow")
    assert 'pace: "slow" is none of live, days' in answer.json()["detail"]


def test_of_a_form(ann: APIClient) -> None:
    answer = ann.post("/v1/tokens", "name=ann", content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["code"]) == (415, "not_json")
    assert "send application/json" in answer.json()["detail"]


@pytest.fixture
def sitting(ann: APIClient) -> tuple[APIClient, str]:
    """Ann's client, and a table where she sits."""
    made = ann.post("/v1/offers", OFFER, format="json", headers={"Idempotency-Key": uuid4().hex}).json()
    bob = client_of(PlayerFactory.create(name="bob"))
    taken = bob.post(f"/v1/offers/{made['id']}/accept", {}, format="json", headers={"Idempotency-Key": uuid4().hex})
    return ann, taken.json()["table"]
