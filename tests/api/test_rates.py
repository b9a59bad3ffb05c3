"""How often a client may ask."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from wagering.config.http import rates
from wagering.config.http.rates import TooManyRequests, take

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.addresses")]


def test_whoever_asks_too_often_is_told_when_to_ask_again(client: Client, settings: Any) -> None:
    settings.RATES = {"slow": (3, 60)}
    assert [client.get("/v1/slow").status_code for _ in range(3)] == [200] * 3
    answer = client.get("/v1/slow")
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert answer["Content-Type"] == "application/problem+json"
    assert 1 <= int(answer["Retry-After"]) <= 20
    assert answer.json()["limit"] == "3 requests in 60 s"


def test_each_has_a_rate_of_his_own(client: Client, settings: Any) -> None:
    settings.RATES = {"slow": (1, 60)}
    assert client.get("/v1/slow").status_code == 200
    assert client.get("/v1/slow").status_code == 429
    assert client.get("/v1/slow", REMOTE_ADDR="192.0.2.7").status_code == 200
    assert client.get("/v1/rooms").status_code == 200  # another rate


def test_an_address_that_a_client_claims_counts_for_nothing(client: Client, settings: Any) -> None:
    settings.RATES = {"slow": (1, 60)}
    assert client.get("/v1/slow", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 200
    assert client.get("/v1/slow", headers={"X-Forwarded-For": "192.0.2.2"}).status_code == 429


def test_behind_a_proxy_of_ours_its_word_counts_and_no_other(client: Client, settings: Any) -> None:
    settings.RATES, settings.PROXIES = {"slow": (1, 60)}, 1
    assert client.get("/v1/slow", headers={"X-Forwarded-For": "9.9.9.9, 192.0.2.1"}).status_code == 200
    assert client.get("/v1/slow", headers={"X-Forwarded-For": "8.8.8.8, 192.0.2.1"}).status_code == 429
    assert client.get("/v1/slow", headers={"X-Forwarded-For": "192.0.2.2"}).status_code == 200


def test_the_allowance_comes_back_by_and_by(settings: Any) -> None:
    settings.RATES = {"slow": (2, 60)}
    for _ in range(2):
        take(client="user:ann", rate="slow")
    with pytest.raises(TooManyRequests) as refused:
        take(client="user:ann", rate="slow")
    assert 29 <= refused.value.wait_s <= 30
    with connection.cursor() as cursor:
        cursor.execute("UPDATE config_allowance SET whole_at = whole_at - interval '30 seconds'")
    take(client="user:ann", rate="slow")
    with pytest.raises(TooManyRequests):
        take(client="user:ann", rate="slow")


def test_a_rate_that_nobody_set_is_no_limit(settings: Any) -> None:
    settings.RATES = {}
    for _ in range(50):
        take(client="user:ann", rate="client")


def test_clients_whose_allowance_is_whole_are_forgotten(settings: Any) -> None:
    settings.RATES = {"slow": (2, 60)}
    take(client="user:ann", rate="slow")
    take(client="user:bob", rate="slow")
    assert rates.purge() == 0
    with connection.cursor() as cursor:
        cursor.execute("UPDATE config_allowance SET whole_at = now() - interval '1 s' WHERE client = 'user:ann'")
    assert rates.purge() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_no_more_pass_than_may(settings: Any) -> None:
    settings.RATES = {"slow": (5, 60)}
    passed: list[int] = []

    def ask(number: int) -> None:
        try:
            take(client="user:ann", rate="slow")
            passed.append(number)
        except TooManyRequests:
            pass
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 5
