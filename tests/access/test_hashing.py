"""Hashing is dear on purpose: one password at a time, no connection held, and nothing counted unlooked at."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection
from pytest_django import Settings
from rest_framework.test import APIClient

from games.access import hashing
from tests.access.callers import PASSWORD, log_in, player_client, register


def changes(client: APIClient, new: str = "two-on-the-ace", current: str = PASSWORD) -> Any:
    asked = {"current_password": current, "new_password": new}
    return client.post("/v1/me/password", asked, format="json")


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch, real_passwords: None) -> list[bool]:
    """Of each password that is hashed, whether a connection was held meanwhile."""
    found: list[bool] = []
    for name in ("encode", "verify"):
        real = getattr(Argon2PasswordHasher, name)

        def looked(self: Any, *arguments: Any, real: Any = real) -> Any:
            found.append(connection.connection is not None)
            return real(self, *arguments)

        monkeypatch.setattr(Argon2PasswordHasher, name, looked)
    return found


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_a_password_is_hashed(looks: list[bool]) -> None:
    ann = player_client("ann")
    assert changes(ann).status_code == 204
    assert looks == [False] * 4  # registering, logging in, the old one, the new one


@pytest.mark.django_db
def test_a_new_password_that_is_weak_is_refused_before_anything_is_hashed(looks: list[bool]) -> None:
    ann = player_client("ann")
    looks.clear()
    assert changes(ann, "aaaaaaaa", current="wrong").json()["code"] == "password_refused"
    assert looks == []


@pytest.mark.django_db
def test_who_would_wait_too_long_is_told_and_nothing_is_counted(
    real_passwords: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = player_client("ann")
    monkeypatch.setattr(hashing, "WAIT_S", 0.01)
    with hashing._turn:
        for refused in [register("bob"), changes(ann), *[log_in("ann", "wrong") for _ in range(7)]]:
            assert (refused.status_code, refused.json()["code"]) == (503, "busy")
            assert refused["Retry-After"]
    assert log_in("ann").status_code == 201
    assert changes(ann).status_code == 204


@pytest.mark.django_db
def test_changing_the_password_has_a_rate_of_its_own(settings: Settings) -> None:
    settings.RATES = {"password": (2, 600), "client": (600, 60)}
    ann = player_client("ann")
    assert [changes(ann, current="wrong").status_code for _ in range(3)] == [422, 422, 429]
    assert ann.get("/v1/me").status_code == 200
