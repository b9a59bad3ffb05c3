"""Whoever keeps failing to log in waits, longer each time."""

from __future__ import annotations

import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
import time_machine
from django.db import connection, connections
from pytest_django import Settings
from rest_framework.test import APIClient

from games.access import lockout
from games.access.lockout import OF_ADDRESSES, OF_NAMES, Attempt, TooManyFailures
from games.access.models import Failures
from tests.access.callers import PASSWORD, log_in, now, player_client, register

pytestmark = pytest.mark.django_db


def fail(times: int, *, name: str = "ann", address: str = "192.0.2.1") -> list[str]:
    """The codes that come back."""
    return [log_in(name, "wrong", address=address).json()["code"] for _ in range(times)]


@pytest.mark.parametrize(
    ("failures", "seconds"),
    [(0, 0), (5, 0), (6, 30), (7, 60), (8, 120), (9, 240), (10, 480), (11, 900), (12, 900), (10**6, 900)],
)
def test_a_name_s_lock_doubles_up_to_a_quarter_of_an_hour(failures: int, seconds: int) -> None:
    assert OF_NAMES.lock(failures=failures) == timedelta(seconds=seconds)


@pytest.mark.parametrize(("failures", "seconds"), [(20, 0), (21, 30), (27, 1920), (28, 3600), (10**6, 3600)])
def test_an_address_s_lock_doubles_up_to_an_hour(failures: int, seconds: int) -> None:
    assert OF_ADDRESSES.lock(failures=failures) == timedelta(seconds=seconds)


@pytest.mark.parametrize("name", ["ann", "cleo"])
def test_after_six_failures_even_the_password_is_refused_whether_or_not_the_name_exists(name: str) -> None:
    register("ann")
    assert fail(6, name=name) == ["log_in_refused"] * 6
    refused = log_in(name, address="192.0.2.77")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_failures")
    assert refused.json()["retry_at"].endswith("Z")
    assert 28 <= int(refused["Retry-After"]) <= 31
    assert name not in refused.content.decode()


def test_names_that_look_alike_are_locked_together() -> None:
    register("ann")
    for name in ("ann", "ANN", "Änn", "a-nn", "a.n.n", "aNn"):
        assert log_in(name, "wrong").status_code == 401
    assert log_in("ann").status_code == 429


def test_whoever_waits_is_let_in_and_starts_anew() -> None:
    register("ann")
    fail(6)
    with time_machine.travel(now() + timedelta(seconds=29)):
        assert log_in().status_code == 429
    with time_machine.travel(now() + timedelta(seconds=31)):
        assert log_in().status_code == 201
        assert fail(5) == ["log_in_refused"] * 5
        assert log_in().status_code == 201


def test_a_failure_after_the_wait_locks_for_twice_as_long() -> None:
    register("ann")
    fail(6)
    later = now() + timedelta(seconds=31)
    with time_machine.travel(later, tick=False):
        assert fail(1) == ["log_in_refused"]
        assert fail(1) == ["too_many_failures"]
    with time_machine.travel(later + timedelta(seconds=59)):
        assert fail(1) == ["too_many_failures"]
    with time_machine.travel(later + timedelta(seconds=61)):
        assert log_in().status_code == 201


def test_a_day_later_it_is_forgotten() -> None:
    register("ann")
    fail(6)
    with time_machine.travel(now() + timedelta(days=1, seconds=1)):
        assert fail(5) == ["log_in_refused"] * 5
        assert log_in().status_code == 201
    assert lockout.forget(at=now() + timedelta(hours=23)) == 0
    assert lockout.forget(at=now() + timedelta(days=3)) == 2
    assert not Failures.objects.exists()


def test_an_address_that_tries_many_names_waits_and_others_do_not() -> None:
    register("ann")
    for number in range(21):
        assert fail(1, name=f"guess{'x' * number}") == ["log_in_refused"]
    assert log_in(address="192.0.2.1").status_code == 429
    assert log_in(address="192.0.2.2").status_code == 201


def test_an_own_account_does_not_wash_an_address_clean() -> None:
    register("ann")
    for number in range(20):
        assert fail(1, name=f"guess{'x' * number}") == ["log_in_refused"]
        if number % 4 == 0:
            assert log_in().status_code == 201
    assert log_in().status_code == 201  # no failure itself
    assert fail(1, name="one-more") == ["log_in_refused"]
    assert log_in().status_code == 429


def test_all_of_an_ipv6_network_is_one_address() -> None:
    register("ann")
    for number in range(21):
        assert fail(1, name=f"guess{'x' * number}", address=f"2001:db8:1:2::{number:x}") == ["log_in_refused"]
    assert log_in(address="2001:db8:1:2:ffff::1").status_code == 429
    assert log_in(address="2001:db8:1:3::1").status_code == 201


def test_a_stranger_s_word_about_the_address_is_not_taken(settings: Settings) -> None:
    """Without proxies of ours X-Forwarded-For is anybody's to write."""
    register("ann")
    asked = {"name": "guess", "password": "wrong", "label": "x"}
    for number in range(21):
        client = APIClient(REMOTE_ADDR="192.0.2.9", headers={"X-Forwarded-For": f"198.51.100.{number}"})
        assert client.post("/v1/tokens", asked | {"name": f"guess{'x' * number}"}, format="json").status_code == 401
    assert log_in(address="192.0.2.9").status_code == 429


def test_neither_names_nor_addresses_are_kept() -> None:
    fail(1, name="ann", address="192.0.2.1")
    rows = set(Failures.objects.values_list("subject", flat=True))
    assert len(rows) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", subject) for subject in rows)
    guesses = ("ann", "name:ann", "192.0.2.1", "address:192.0.2.1")
    assert rows.isdisjoint(sha256(guess.encode()).hexdigest() for guess in guesses)  # they are keyed


def test_the_password_cannot_be_guessed_with_a_stolen_token_either() -> None:
    thief = player_client("ann")
    asked = {"current_password": "wrong", "new_password": "two-on-the-ace"}
    codes = [thief.post("/v1/me/password", asked, format="json").json()["code"] for _ in range(7)]
    assert codes == ["password_wrong"] * 6 + ["too_many_failures"]
    right = asked | {"current_password": PASSWORD}
    assert thief.post("/v1/me/password", right, format="json").status_code == 429


# --- at the same time -------------------------------------------------------------------------------------------------


def together(times: int, call: Any) -> list[Any]:
    start = threading.Barrier(times)
    if not connection.in_atomic_block:
        connection.close()

    def run(number: int) -> Any:
        try:
            start.wait(20)
            return call(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, range(times)))


@pytest.mark.django_db(transaction=True)
def test_of_thirty_guesses_at_once_six_are_heard() -> None:
    """As many as one after another: an attempt is counted before its password is looked at."""
    register("ann")
    answers = together(30, lambda number: log_in("ann", "wrong", address=f"192.0.2.{number}").json()["code"])
    assert Counter(answers) == {"log_in_refused": 6, "too_many_failures": 24}


@pytest.mark.django_db(transaction=True)
def test_of_forty_names_at_once_an_address_is_heard_for_twenty_one() -> None:
    answers = together(
        40, lambda number: log_in(f"guess{'x' * (number % 10)}{'y' * (number // 10)}", "wrong").status_code
    )
    assert Counter(answers) == {401: 21, 429: 19}


@pytest.mark.django_db(transaction=True)
def test_two_names_and_two_addresses_crosswise_do_not_deadlock() -> None:
    def attempt(number: int) -> str:
        for turn in range(10):
            tried = Attempt(name=("ann", "bob")[(number + turn) % 2], address=f"192.0.2.{(number // 2 + turn) % 2}")
            try:
                lockout.begin(tried, at=now())
            except TooManyFailures:
                continue
            lockout.succeeded(tried, at=now())
        return "done"

    assert together(8, attempt) == ["done"] * 8
