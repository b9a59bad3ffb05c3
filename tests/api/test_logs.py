"""A line an event, with the request's id and nobody's data."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.db import IntegrityError
from django.test import Client

from games.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.addresses")]

SECRETS = ("hunter2", "ann@example.com", "bgr_verysecrettoken", "192.0.2.77", "Mozilla", "Ann Smith")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the handler of settings.LOGGING writes."""
    text = io.StringIO()
    (ours,) = (handler for handler in logging.getLogger().handlers if type(handler) is logging.StreamHandler)
    before = ours.setStream(text)
    yield text
    if before is not None:
        ours.setStream(before)


def lines(text: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.getvalue().splitlines()]


def test_a_request_is_one_line_with_its_id(client: Client, written: io.StringIO) -> None:
    client.get("/v1/rooms", headers={"X-Request-ID": "trace-0001"})
    (line,) = lines(written)
    assert (line["event"], line["request"], line["code"]) == ("request_finished", "GET /v1/rooms", 200)
    assert line["request_id"] == "trace-0001"
    assert line["timestamp"].endswith("Z")


def test_who_asked_is_an_id(client: Client, written: io.StringIO) -> None:
    ann = User.objects.create_user(username="ann", email="ann@example.com")
    client.get("/v1/deposits", headers={"X-Player": "ann"})
    assert lines(written)[-1]["user_id"] == str(ann.pk)


def test_nothing_of_a_person_is_written(written: io.StringIO) -> None:
    client = Client(raise_request_exception=False, REMOTE_ADDR="192.0.2.77")
    headers = {"Authorization": "Bearer bgr_verysecrettoken", "User-Agent": "Mozilla"}
    body = {"email": "ann@example.com", "password": "hunter2", "name": "Ann Smith"}
    client.post("/v1/echo", body, content_type="application/json", headers=headers)
    client.post("/v1/echo?email=ann@example.com&token=bgr_verysecrettoken", b"{", content_type="application/json")
    client.get("/v1/nowhere?password=hunter2", headers=headers)
    assert len(lines(written)) == 3
    for secret in SECRETS:
        assert secret not in written.getvalue(), secret


@pytest.mark.urls("wagering.config.urls")
def test_nothing_of_whoever_registers_and_logs_in_is_written(written: io.StringIO) -> None:
    client = Client(REMOTE_ADDR="192.0.2.77")
    new = {"name": "AnnSmith77", "password": "a-long-hunter2-word"}
    login = {**new, "label": "ann@example.com"}
    assert client.post("/v1/players", new, content_type="application/json").status_code == 201
    statuses = []
    for word in ("a-long-hunter2-word", "a-wrong-hunter2-word"):
        answer = client.post("/v1/tokens", login | {"password": word}, content_type="application/json")
        statuses.append(answer.status_code)
        token = answer.json().get("token", "bgr_verysecrettoken")
        client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert token not in written.getvalue()
    assert statuses == [201, 401]
    assert len(lines(written)) >= 5
    for secret in (*SECRETS, "AnnSmith77"):
        assert secret not in written.getvalue(), secret


def test_what_a_careless_call_adds_is_taken_out(written: io.StringIO) -> None:
    log = structlog.get_logger("wagering.tests")
    log.warning("signed in ann@example.com", password="hunter2", token="bgr_verysecrettoken", email="ann@example.com")
    log.warning("paid", player="0c9d", new_password="hunter2", ip="192.0.2.77", full_name="Ann Smith", amount="5.00")
    logging.getLogger("elsewhere").warning("mail to %s failed", "ann@example.com")
    first, second, third = lines(written)
    assert set(first) == {"event", "logger", "level", "timestamp"}
    assert (second["player"], second["amount"]) == ("0c9d", "5.00")
    assert third["event"] == "mail to [address] failed"
    for secret in SECRETS:
        assert secret not in written.getvalue(), secret


def test_what_a_constraint_refused_is_not_repeated(written: io.StringIO) -> None:
    told = f"ann-smith-{1970}"  # not as one word, since a traceback repeats the source
    User.objects.create_user(username=told)
    try:
        User.objects.create_user(username=told)
    except IntegrityError:
        logging.getLogger("elsewhere").exception("not saved")
    (line,) = lines(written)
    assert "IntegrityError" in line["exception"]
    assert "games_user_username_key" in line["exception"]
    assert told not in written.getvalue()


def test_a_crash_is_told_with_its_traceback_and_the_requests_id(written: io.StringIO) -> None:
    answer = Client(raise_request_exception=False).get("/v1/crash")
    failed = next(line for line in lines(written) if line["event"] == "request_failed")
    assert failed["request_id"] == answer["X-Request-ID"]
    assert "ZeroDivisionError" in failed["exception"]
    assert "ann@example.com" not in failed["exception"]


def test_the_usual_level_is_quiet_but_for_requests() -> None:
    assert settings.LOGGING["root"]["level"] == "WARNING"
    assert settings.LOGGING["loggers"]["django_structlog"]["level"] == "INFO"
