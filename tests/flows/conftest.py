"""One running house for all flows of a file, as ``manage.py up`` runs it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connections
from pytest_django import DjangoDbBlocker

from tests.conftest import empty_the_tables
from tests.flows import late
from tests.flows.house import House
from tests.workers.conftest import Program
from wagering.config.embedded import broker
from wagering.config.postgres.base import close_pools


@contextmanager
def a_broker() -> Iterator[str]:
    """A queue of our own; or the one that TEST_BROKER_URL names, so that the flows can be seen on any."""
    if named := os.environ.get("TEST_BROKER_URL"):
        yield named
        return
    with broker.scratch() as valkey:
        yield valkey.url


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    child_environment: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[House]:
    """Web, workers and beat on the test database; what they wrote is emptied out when they have stopped."""
    forward = tmp_path_factory.mktemp("clock") / "forward"
    forward.write_text("0")
    with django_db_blocker.unblock(), a_broker() as broker_url:
        environment = {
            **child_environment,
            "CELERY_BROKER_URL": broker_url,
            "PROVIDERS": "sandbox",
            "BANK": "sandbox",
            "SANDBOX_FILE": str(forward.parent / "sandbox.sqlite3"),
            "PYTHONPATH": str(Path(late.__path__[0])),
            "CLOCK_PUT_FORWARD": str(forward),
        }
        up = Program("manage.py", "up", "--port", "0", environment=environment)
        try:
            assert up.says("Ctrl-C stops all of it"), up.output
            address = re.search(r"the API's page +(http://127\.0\.0\.1:\d+)/v1/docs", up.output)
            assert address, up.output
            yield House(address[1], log=lambda: up.output, environment=environment, forward=forward)
            up.process.terminate()
            assert up.process.wait(timeout=30) == 0, up.output
        finally:
            print(up.output)  # pytest shows it with what failed
            up.kill()
            connections.close_all()
            close_pools()
            empty_the_tables()
