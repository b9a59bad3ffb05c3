"""A hint: sent when the transaction has committed, and without a broker nothing fails and nobody waits."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from uuid import uuid4

import pytest
import redis
from celery import Celery, Task
from django.db import connection, transaction
from pytest_django import Settings

from games.models import Player
from tests.factories import PlayerFactory
from wagering.config.celery import app
from wagering.config.embedded import broker
from wagering.rest import gains, hints, sweeps
from wagering.rest.hints import hint

pytestmark = pytest.mark.django_db(transaction=True)


def task_on(url: str) -> Task[[str], None]:
    """A task of an application that has all our settings, and the broker at ``url``."""
    there = Celery("there", broker=url, set_as_current=False)
    there.conf.update({key: app.conf[key] for key in ("broker_transport_options", "task_publish_retry_policy")})
    there.conf.update(task_default_queue="default", broker_connection_timeout=app.conf.broker_connection_timeout)

    @there.task(name=f"look_at.{uuid4().hex}")  # a name is known to all applications of a process
    def look_at(row: str) -> None:
        raise NotImplementedError("nobody listens")

    return look_at


@pytest.fixture(autouse=True)
def _outspoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_silent_until", 0.0)
    monkeypatch.setattr(hints, "SILENCE_S", 600.0)


def waiting(valkey: broker.Broker) -> int:
    return int(redis.Redis(unix_socket_path=str(valkey.address)).llen("default"))


def test_it_is_sent_after_the_commit_and_not_before(valkey: broker.Broker) -> None:
    with transaction.atomic():
        hint(task_on(valkey.url), "a row")
        assert waiting(valkey) == 0
    assert waiting(valkey) == 1


def test_one_that_nobody_takes_is_dropped_in_time(valkey: broker.Broker) -> None:
    hint(task_on(valkey.url), "a row")
    (message,) = redis.Redis(unix_socket_path=str(valkey.address)).lrange("default", 0, -1)
    left = datetime.fromisoformat(json.loads(message)["headers"]["expires"]) - datetime.now(UTC)
    assert 0 < left.total_seconds() <= hints.LASTS_S


def test_a_sweep_of_many_rows_says_some_of_them_each_time_others(
    valkey: broker.Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "HINTED", 2)
    rows = [str(PlayerFactory.create().pk) for _ in range(5)]
    queue, task, said = redis.Redis(unix_socket_path=str(valkey.address)), task_on(valkey.url), set[str]()
    while len(said) < len(rows):
        sweeps.hint_some(Player.objects.all(), task)
        messages = [json.loads(each) for each in queue.lrange("default", 0, -1)]
        queue.delete("default")
        assert len(messages) == 2
        for message in messages:
            left = datetime.fromisoformat(message["headers"]["expires"]) - datetime.now(UTC)
            assert left.total_seconds() <= hints.SWEPT_LASTS_S
            said |= {row for row in rows if row in message["headers"]["argsrepr"]}
    assert said == set(rows)


def test_it_is_not_sent_for_what_was_rolled_back(valkey: broker.Broker) -> None:
    with transaction.atomic():
        hint(task_on(valkey.url), "a row")
        transaction.set_rollback(True)
    assert waiting(valkey) == 0


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "amqp://127.0.0.1:1", "redis+socket:///no/such.sock"])
def test_a_broker_that_is_down_fails_no_commit_and_is_not_asked_again_at_once(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    look_at = task_on(url)
    began = time.monotonic()
    for _ in range(20):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            hint(look_at, "a row")
    assert time.monotonic() - began < 10
    assert [record.getMessage().split(",")[0] for record in caplog.records if record.name == hints.__name__] == [
        f"{look_at.name} was not sent"
    ]


def falls_over(*args: object, **kwargs: object) -> None:
    raise RuntimeError("whatever it is")


def test_what_falls_over_after_the_commit_fails_nobody(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(hints, "_send", falls_over)
    settings.GAINS_TELL = [f"{__name__}.falls_over"]
    with transaction.atomic():
        player = PlayerFactory.create()
        hint(task_on("memory://"), "a row")
        hints.hint_again(task_on("memory://"), "a row")
        gains.gained(players=[player.pk], currency="USD")
    assert Player.objects.filter(pk=player.pk).exists()
