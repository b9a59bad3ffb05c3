"""``manage.py up``: web, workers and beat come, answer and go, all of them and only them."""

from __future__ import annotations

import re
import socket
import time
import urllib.request
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.workers.conftest import Run, alive, descendants, happens
from wagering.config import brokers
from wagering.config.embedded import broker
from wagering.config.http import logs

PROXY_LESS = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@pytest.mark.django_db(transaction=True)
def test_it_comes_answers_and_goes(
    valkey: broker.Broker, run: Run, child_environment: dict[str, str], tmp_path: Path
) -> None:
    outside = {"PROVIDERS": "sandbox", "SANDBOX_FILE": str(tmp_path / "sandbox.sqlite3")}
    environment = {**child_environment, **outside, "CELERY_BROKER_URL": valkey.url}
    up = run("manage.py", "up", "--port", "0", "--verbose", environment=environment)
    assert up.says("Ctrl-C stops all of it"), up.output
    address = re.search(r"the admin +(http://127\.0\.0\.1:\d+)/admin/", up.output)
    assert address, up.output
    sandbox = re.search(r"the sandbox +(http://127\.0\.0\.1:\d+)", up.output)
    assert sandbox, up.output
    for page in (f"{address[1]}/healthz", f"{sandbox[1]}/control/record"):
        with PROXY_LESS.open(page, timeout=20) as answer:
            assert answer.status == 200
    assert up.says("default@"), up.output
    assert up.says("analysis@"), up.output
    assert up.says("beat: Starting"), up.output

    running = descendants(up.process.pid)
    assert len(running) >= 5 * 2 + 2 + 3  # the tethers and what they hold, the web's workers and the pools'
    began = time.monotonic()
    up.process.terminate()
    assert up.process.wait(timeout=30) == 0
    assert time.monotonic() - began < 15
    assert not any(alive(pid) for pid in running)
    assert happens(lambda: up.output.endswith("up       | stopped\n")), up.output
    assert valkey.running()  # not its own to stop


@pytest.mark.parametrize(("level", "told"), [("WARNING", False), ("INFO", True)])
def test_the_lines_of_the_clock_are_for_who_asks(level: str, told: bool) -> None:
    """Requests and warnings are told either way, and that a worker is ready."""
    loggers = logs.logging(level=level, form="console")["loggers"]
    assert loggers["django_structlog"]["level"] == loggers["celery.apps.worker"]["level"] == "INFO"
    assert (loggers["django_structlog.celery"]["level"] == "INFO") is told
    assert (loggers["celery.beat"]["level"] == "INFO") is told


def test_a_port_that_is_taken_is_said_before_anything_is_started(settings: Settings) -> None:
    settings.CELERY_BROKER_URL = "redis+socket:///never/asked.sock"
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(CommandError, match="Address already in use; choose another with --port"),
    ):
        call_command("up", port=taken.getsockname()[1])


def test_without_a_broker_beside_another_database_it_is_refused_by_name(settings: Settings) -> None:
    settings.CELERY_BROKER_URL = brokers.NO_BROKER
    with pytest.raises(CommandError, match=f"{brokers.VARIABLE} must be set"):
        call_command("up", port=0)
