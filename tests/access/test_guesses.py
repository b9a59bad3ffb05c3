"""Whoever guesses at tokens and signatures is told to wait; whoever has the right one never is."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from pytest_django import Settings
from rest_framework.test import APIClient

from games.access.models import Scope
from tests.access.callers import PASSWORD, RoomClient, key_of, log_in, player_client, register, room_client
from tests.factories import RoomFactory
from wagering.config.http import rates

pytestmark = pytest.mark.django_db

GUESS = "Bearer bgr_" + "0" * 64


@pytest.fixture(autouse=True)
def few(quick: None, settings: Settings) -> None:
    settings.RATES = {"guesses": (3, 60), "registration": (2, 60), "log_in": (2, 60), "anonymous": (5, 60)}


def guess(*, address: str = "192.0.2.1", header: str = GUESS, **headers: str) -> Any:
    return APIClient(REMOTE_ADDR=address).get("/v1/me", headers={"Authorization": header, **headers})


def statuses(*answers: Any) -> list[int]:
    return [answer.status_code for answer in answers]


def test_whoever_guesses_at_tokens_is_told_to_wait() -> None:
    assert statuses(*(guess() for _ in range(4))) == [401, 401, 401, 429]
    refused = guess(header="Bearer x")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert refused.json()["limit"] == "3 wrong credentials in 60 s"
    assert 1 <= int(refused["Retry-After"]) <= 20
    assert "WWW-Authenticate" not in refused


def test_a_right_token_is_let_in_from_anywhere_whoever_guesses() -> None:
    phone = player_client("ann")
    for _ in range(4):
        guess(address="127.0.0.1")
    assert guess(address="127.0.0.1").status_code == 429
    assert statuses(phone.get("/v1/me"), phone.get("/v1/me", REMOTE_ADDR="192.0.2.9")) == [200, 200]
    assert guess(address="192.0.2.9").status_code == 401


def test_an_ipv6_network_guesses_as_one() -> None:
    answers = [guess(address=f"2001:db8:1:2::{number:x}") for number in range(4)]
    assert statuses(*answers) == [401, 401, 401, 429]
    assert guess(address="2001:db8:1:3::1").status_code == 401


def test_another_address_is_another_only_if_a_proxy_of_ours_says_so(settings: Settings) -> None:
    said = [guess(**{"X-Forwarded-For": f"198.51.100.{number}"}) for number in range(4)]
    assert statuses(*said) == [401, 401, 401, 429]
    settings.PROXIES = 1
    assert statuses(*(guess(**{"X-Forwarded-For": f"9.9.9.{n}, 198.51.100.7"}) for n in range(4)))[-1] == 429
    assert guess(**{"X-Forwarded-For": "198.51.100.8"}).status_code == 401


def forged(server: RoomClient, *, address: str) -> Any:
    """The answer to a signature under the server's key by somebody without its secret."""
    thief = RoomClient(key=server.key, secret="guessed")
    return thief.post("/v1/seamless/balance", {}, format="json", REMOTE_ADDR=address)


def test_a_key_is_guessed_at_from_everywhere_and_its_server_is_heard() -> None:
    server, other = room_client(RoomFactory.create(), Scope.WALLET), room_client(RoomFactory.create(), Scope.WALLET)
    answers = [forged(server, address=f"192.0.2.{number}") for number in range(4)]
    assert statuses(*answers) == [401, 401, 401, 429]
    assert answers[-1].json()["rs_status"] == "RS_ERROR_TIMEOUT"
    told = {"request_uuid": str(uuid4()), "token": "bgs_none"}
    assert server.post("/v1/seamless/balance", told, format="json").json()["status"] == "RS_ERROR_INVALID_TOKEN"
    assert key_of(server).used_at is not None
    assert forged(other, address="192.0.2.9").status_code == 401


def test_a_database_that_goes_away_meanwhile_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(**_: object) -> None:
        raise OperationalError("connection to server at 10.1.2.3 failed")

    monkeypatch.setattr(rates, "take", gone)
    answer = guess(header="Bearer x")
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")


def test_registering_and_logging_in_are_rarer_than_the_rest() -> None:
    assert statuses(*(register(name) for name in ("ann", "bob", "cleo"))) == [201, 201, 429]
    assert statuses(*(log_in() for _ in range(3))) == [201, 201, 429]
    assert log_in(address="192.0.2.2").status_code == 201
    assert APIClient().get("/v1/rooms").status_code == 200


def test_wrong_passwords_have_their_own_count() -> None:
    register("ann")
    assert log_in("ann", "wrong").json()["code"] == "log_in_refused"
    assert statuses(*(guess() for _ in range(4))) == [401, 401, 401, 429]
    assert log_in("ann", PASSWORD).status_code == 201


def test_a_player_s_list_of_tokens_is_no_log_in() -> None:
    phone = player_client("ann")
    assert statuses(*(phone.get("/v1/tokens") for _ in range(4))) == [200] * 4
