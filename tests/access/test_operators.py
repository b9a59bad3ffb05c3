"""An operator's password is as hard to guess at as a player's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from games.access import hashing
from games.models import User
from tests.access.callers import PASSWORD, log_in, now, register

pytestmark = pytest.mark.django_db

AGAIN = "Logging in has failed too often by this name or from this address. Try again after "


@pytest.fixture(autouse=True)
def olivia() -> User:
    user: User = User.objects.create_superuser(username="olivia", password=PASSWORD)
    return user


def tries(password: str = "wrong", *, name: str = "olivia", address: str = "192.0.2.1") -> Any:
    """The answer of the admin's log-in."""
    asked = {"username": name, "password": password, "next": "/admin/"}
    return Client(REMOTE_ADDR=address).post("/admin/login/", asked)


def is_in(answer: Any) -> bool:
    return bool(answer.status_code == 302 and answer["Location"] == "/admin/")


@pytest.mark.parametrize("name", ["olivia", "nobody"])
def test_after_six_failures_even_the_password_is_refused(name: str) -> None:
    for _ in range(6):
        assert AGAIN not in tries(name=name).content.decode()
    refused = tries(PASSWORD, name=name, address="192.0.2.2")
    assert not is_in(refused)
    assert AGAIN in refused.content.decode()
    with time_machine.travel(now() + timedelta(seconds=31)):
        assert is_in(tries(PASSWORD)), "it starts anew"


def test_who_tries_many_names_from_one_address_waits_and_others_do_not() -> None:
    for number in range(21):
        tries(name=f"operator{number}")
    assert not is_in(tries(PASSWORD))
    assert is_in(tries(PASSWORD, address="192.0.2.2"))


def test_failures_at_the_players_door_lock_no_operator_out() -> None:
    for number in range(7):
        log_in("olivia", "wrong", address=f"192.0.2.{number + 10}")
    assert log_in("olivia", "wrong", address="192.0.2.9").json()["code"] == "too_many_failures"
    assert is_in(tries(PASSWORD))


def test_a_player_is_no_operator_and_that_is_a_failure() -> None:
    register("ann")
    for _ in range(6):
        assert not is_in(tries(PASSWORD, name="ann"))
    assert AGAIN in tries(PASSWORD, name="ann").content.decode()


def test_an_address_has_a_rate(settings: Settings) -> None:
    settings.RATES = {"log_in": (2, 60)}
    assert [is_in(tries(PASSWORD)) for _ in range(3)] == [True, True, False]
    assert "Too many requests" in tries(PASSWORD).content.decode()
    assert is_in(tries(PASSWORD, address="192.0.2.2"))


def test_a_password_that_nobody_looked_at_is_no_failure(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, olivia: User
) -> None:
    settings.PASSWORD_HASHERS = ["games.access.hashing.Argon2InTurn"]
    olivia.set_password(PASSWORD)
    olivia.save()
    monkeypatch.setattr(hashing, "WAIT_S", 0.01)
    with hashing._turn:
        for _ in range(7):
            assert "The service is busy" in tries().content.decode()
    assert is_in(tries(PASSWORD))
