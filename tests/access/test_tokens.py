"""A player's tokens: several, each seen and ended by itself, none after its time."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.access import services
from games.access.models import PlayerToken
from games.access.services import TOKENS_MAX
from games.models import Player
from tests.access.callers import bearer, log_in, logged_in, now, player_client, register

pytestmark = pytest.mark.django_db


def ids(client: APIClient) -> dict[str, str]:
    """Label -> id of what the client sees."""
    return {token["label"]: token["id"] for token in client.get("/v1/tokens").json()["results"]}


def test_a_player_sees_the_own_clients_and_no_secret() -> None:
    phone = player_client("ann")
    logged_in("ann", label="laptop")
    player_client("bob")
    page = phone.get("/v1/tokens").json()
    assert page.keys() == {"next", "previous", "results"}
    assert [(token["label"], token["is_current"]) for token in page["results"]] == [("laptop", False), ("phone", True)]
    assert page["results"][0].keys() == {"id", "label", "created_at", "expires_at", "is_current"}


def test_only_a_hash_of_a_token_is_kept() -> None:
    register("ann")
    token = log_in("ann").json()["token"]
    kept = PlayerToken.objects.get()
    assert token.startswith("bgr_") and len(token) == 68
    assert len(kept.digest) == 128  # SHA-512
    assert token not in (kept.digest, kept.token_key)
    assert kept.token_key == token[:15]  # the library's short name of it: 44 of its 256 bits


def test_a_revoked_token_is_out_in_the_middle_of_a_game() -> None:
    phone, thief = player_client("ann"), logged_in("ann", label="stolen")
    assert thief.get("/v1/me").status_code == 200
    assert phone.delete(f"/v1/tokens/{ids(phone)['stolen']}").status_code == 204
    refused = thief.get("/v1/me")
    assert (refused.status_code, refused.json()["code"]) == (401, "token_refused")
    assert refused["WWW-Authenticate"] == "Bearer"
    assert phone.get("/v1/me").status_code == 200
    assert ids(phone).keys() == {"phone"}


def test_a_token_ends_itself() -> None:
    phone = player_client("ann")
    assert phone.delete(f"/v1/tokens/{ids(phone)['phone']}").status_code == 204
    assert phone.get("/v1/me").status_code == 401


def test_another_s_token_is_not_found() -> None:
    """The same answer for another's and for nobody's."""
    ann, bob = player_client("ann"), player_client("bob")
    others, nobodys = ids(bob)["phone"], uuid4()
    for token in (others, nobodys):
        refused = ann.delete(f"/v1/tokens/{token}")
        assert (refused.status_code, refused.json()["code"]) == (404, "token_not_found")
    assert bob.get("/v1/me").status_code == 200


def test_all_tokens_are_ended_at_once_and_only_the_own() -> None:
    phone, laptop, bob = player_client("ann"), logged_in("ann", label="laptop"), player_client("bob")
    assert phone.delete("/v1/tokens").status_code == 204
    assert [client.get("/v1/me").status_code for client in (phone, laptop, bob)] == [401, 401, 200]


def test_a_token_expires() -> None:
    register("ann")
    given = log_in("ann").json()
    with time_machine.travel(now() + timedelta(days=29, hours=23)):
        assert bearer(given["token"]).get("/v1/me").status_code == 200
    with time_machine.travel(now() + timedelta(days=30, seconds=1)):
        refused = bearer(given["token"]).get("/v1/me")
        assert (refused.status_code, refused.json()["code"]) == (401, "token_refused")
        assert log_in("ann", label="new").status_code == 201
        assert PlayerToken.objects.count() == 2
    at = now() + timedelta(days=31, seconds=1)
    assert services.forget_expired(at=at) == 1
    assert PlayerToken.objects.get().label == "new"


def test_one_client_too_many_ends_the_oldest() -> None:
    register("ann")
    clients = [logged_in("ann", label=f"client {number}") for number in range(TOKENS_MAX + 1)]
    assert [client.get("/v1/me").status_code for client in clients] == [401] + [200] * TOKENS_MAX


@pytest.mark.parametrize(
    "header",
    [
        "Bearer", "Bearer ", "Bearer a b", "Bearer bgr_", "Bearer bgr_" + "0" * 64, "bearer " + "0" * 64,
        "Bearer \u00ff\u00fe", "Bearer bgr_" + "g" * 64, "Bearer " + "x" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_token_is_refused(header: str) -> None:
    player_client("ann")
    refused = APIClient().get("/v1/me", headers={"Authorization": header})
    assert refused.status_code == 401
    assert refused["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Basic YW5uOng="}, {"Authorization": "Token x"}])
def test_whoever_has_none_is_asked_for_one(headers: dict[str, str]) -> None:
    refused = APIClient().get("/v1/me", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")
    assert refused["WWW-Authenticate"] == "Bearer"


def test_an_old_token_does_not_hinder_logging_in_again() -> None:
    register("ann")
    asked = {"name": "ann", "password": "five-checkers-home", "label": "again"}
    answer = bearer("bgr_" + "0" * 64).post("/v1/tokens", asked, format="json")
    assert answer.status_code == 201


def test_an_uppercased_token_is_not_it() -> None:
    register("ann")
    token = log_in("ann").json()["token"]
    assert bearer(token).get("/v1/me").status_code == 200
    assert bearer("bgr_" + token[4:].upper()).get("/v1/me").status_code == 401


def test_a_token_costs_one_query() -> None:
    phone = player_client("ann")
    with CaptureQueriesContext(connection) as asked:
        assert phone.get("/v1/me").status_code == 200
    assert len([query for query in asked if "config_allowance" not in query["sql"]]) == 1


def test_a_login_without_a_player_is_let_in_nowhere() -> None:
    phone = player_client("ann")
    Player.objects.update(user=None)
    assert phone.get("/v1/me").status_code == 403
