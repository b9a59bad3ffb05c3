"""CELERY_BROKER_URL: what names a server is taken, everything else is refused by name, and no password is repeated."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import redis
from django.conf import settings
from pytest_django import Settings

from tests.workers.conftest import ROOT
from wagering.config import broker_checks, brokers, celery
from wagering.config.embedded import broker


@pytest.mark.parametrize(
    "url",
    [
        "redis://valkey:6379/0",
        "redis://:secret@valkey",
        "rediss://valkey:6380/1?ssl_cert_reqs=required",
        "redis+socket:///run/valkey.sock",
        "amqp://room:secret@rabbit:5672/room",
        "amqps://room:secret@rabbit/room",
    ],
)
def test_a_url_that_names_a_server_is_taken(url: str) -> None:
    assert brokers.parse(url) == url


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "the scheme must be redis"),
        ("valkey:6379", "the scheme must be redis"),
        ("filesystem://", "not 'filesystem'"),
        ("memory://", "not 'memory'"),
        ("redis://:secret@", "host is missing"),
        ("redis://:secret@valkey:port/0", "Port could not be cast"),
        ("redis://:secret@valkey/room", "the database is a number"),
        ("redis+socket://run/valkey.sock", "the socket's path is missing"),
        ("redis://:secret@valkey/0?visibility_timeout=8", "unknown parameter 'visibility_timeout'"),
        ("amqp://", "host is missing"),
    ],
)
def test_any_other_is_refused(url: str, said: str) -> None:
    with pytest.raises(brokers.BadBrokerUrl, match=said) as refused:
        brokers.parse(url)
    assert brokers.VARIABLE in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "arguments"),
    [
        ("amqp://room:secret@rabbit:5672/room", {"x-queue-type": "quorum"}),
        ("amqps://room:secret@rabbit/room", {"x-queue-type": "quorum"}),
        ("redis://valkey:6379/0", None),
    ],
)
def test_every_queue_at_rabbitmq_is_a_quorum_queue(url: str, arguments: dict[str, str] | None) -> None:
    app = celery.app
    assert [queue.queue_arguments for queue in celery.queues(url)] == [arguments] * len(app.conf.task_queues)
    # A queue that is not among them is none: nothing is declared on the way, of another type.
    assert celery.queues(settings.CELERY_BROKER_URL) == app.conf.task_queues
    assert not app.conf.task_create_missing_queues
    used = {app.conf.task_default_queue, *(route["queue"] for route in app.conf.task_routes.values())}
    assert used <= {queue.name for queue in celery.queues(url)}


def test_a_bad_one_is_said_by_check_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT, env={**os.environ, brokers.VARIABLE: "sqs://"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.strip().startswith(f"settings: {brokers.VARIABLE}: the scheme must be")


def found(settings: Settings, url: str) -> list[tuple[str | None, str]]:
    settings.CELERY_BROKER_URL = url
    return [(message.id, message.msg) for message in broker_checks.the_broker_keeps_what_it_takes(None)]


def test_a_deployment_without_one_is_found(settings: Settings) -> None:
    ((number, said),) = found(settings, brokers.NO_BROKER)
    assert (number, said.split()[0]) == ("config.E003", brokers.VARIABLE)


def test_one_that_does_not_answer_is_found(settings: Settings) -> None:
    ((number, said),) = found(settings, "redis://:secret@127.0.0.1:1/0")
    assert number == "config.E004"
    assert said.startswith(f"{brokers.VARIABLE}: redis://127.0.0.1:1/0 does not answer")
    assert "secret" not in said


def test_one_that_would_lose_tasks_is_found(settings: Settings, valkey: broker.Broker) -> None:
    assert found(settings, valkey.url) == []
    redis.Redis(unix_socket_path=str(valkey.address)).config_set("maxmemory-policy", "allkeys-lru")
    ((number, said),) = found(settings, valkey.url)
    assert number == "config.W001"
    assert said.endswith("has maxmemory-policy allkeys-lru, which loses tasks")
