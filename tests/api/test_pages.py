"""Whatever goes wrong under /v1, the answer is a problem, and it says nothing that it should not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client, override_settings

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.addresses")]


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert (told["status"], told["code"], told["type"]) == (status, code, f"/v1/docs#problem-{code}")
    assert told["title"] and told["detail"]
    assert told["instance"] == f"urn:request:{answer['X-Request-ID']}"
    return told


@pytest.mark.parametrize("address", ["/v1/", "/v1/nowhere", "/v1/rooms/", "/v1/rooms/x/y", "/v1/%F0%9F%8E%B2"])
@pytest.mark.parametrize("debug", [False, True])
def test_there_is_nothing_there(address: str, debug: bool, client: Client) -> None:
    with override_settings(DEBUG=debug):
        problem(client.get(address), 404, "not_found")


def test_a_row_that_is_not_there_is_not_found(client: Client) -> None:
    told = problem(client.get("/v1/rooms/emerald"), 404, "not_found")
    assert "Room" not in told["detail"]


def test_another_method_is_told_which_there_are(client: Client) -> None:
    answer = client.delete("/v1/rooms")
    problem(answer, 405, "method_not_allowed")
    assert set(answer["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_only_json_is_given(client: Client) -> None:
    problem(client.get("/v1/rooms", headers={"Accept": "text/html"}), 406, "not_acceptable")


def test_who_asks_must_be_known(client: Client) -> None:
    answer = client.post("/v1/deposits", {}, content_type="application/json")
    problem(answer, 401, "not_authenticated")
    assert answer["WWW-Authenticate"] == "X-Player"


def test_a_crash_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    answer = Client(raise_request_exception=False).get("/v1/crash")
    told = problem(answer, 500, "went_wrong")
    assert "hunter2" not in str(told)
    assert "Zero" not in str(told)


def test_a_host_that_is_not_ours_is_a_bad_request(client: Client) -> None:
    told = problem(client.get("/v1/rooms", headers={"Host": "evil.example"}), 400, "unreadable")
    assert "evil" not in told["detail"]


def test_whoever_lost_to_rivals_may_ask_again(client: Client) -> None:
    answer = client.get("/v1/busy")
    problem(answer, 503, "busy")
    assert answer["Retry-After"] == "1"


def test_without_the_database_it_is_not_known_what_was_done(client: Client) -> None:
    answer = client.get("/v1/no-database")
    told = problem(answer, 503, "database_unavailable")
    assert "10.1.2.3" not in str(told)
    assert answer.has_header("Retry-After")


@pytest.mark.parametrize("amount", ["0.999", "5.005", "NaN", "Infinity", "1e3", "1_000", "١٢.٥", "-1", "5."])
def test_an_amount_that_is_none_is_named(amount: str, client: Client) -> None:
    """Cases 41 and 42."""
    told = problem(client.get(f"/v1/amounts/{amount}"), 422, "invalid_amount")
    assert told["errors"][0]["parameter"] == "stake"


@pytest.mark.parametrize("given", ["abcdefgh", "trace-1.2_3", "a" * 64])
def test_a_request_keeps_the_name_it_came_with(given: str, client: Client) -> None:
    assert client.get("/v1/rooms", headers={"X-Request-ID": given})["X-Request-ID"] == given


@pytest.mark.parametrize(
    "given", ["", "short", "a" * 65, "a b c d e f", 'x"},{"evil":1}', "x\r\nSet-Cookie: a=b", "ключключ"]
)
def test_a_name_that_could_break_something_is_replaced(given: str, client: Client) -> None:
    answer = client.get("/v1/rooms", headers={"X-Request-ID": given})
    assert re.fullmatch("[0-9a-f]{32}", answer["X-Request-ID"])
