"""What runs by the clock: known to the workers, and safe to run twice and at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import connection

from ledger import book, postings, seals
from wagering.config import tasks
from wagering.config.celery import SWEEPS, TIME_LIMIT_S, VISIBILITY_TIMEOUT_S, app

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_every_sweep_is_a_task_that_the_workers_know() -> None:
    app.loader.import_default_modules()
    assert SWEEPS.keys() <= set(app.tasks)
    assert all(entry["options"]["expires"] == entry["schedule"] for entry in app.conf.beat_schedule.values())


def test_a_task_that_takes_its_time_is_not_handed_out_again() -> None:
    assert app.conf.task_time_limit == TIME_LIMIT_S
    assert app.conf.broker_transport_options.get("visibility_timeout", VISIBILITY_TIMEOUT_S) > 2 * TIME_LIMIT_S


@pytest.mark.django_db(transaction=True)
def test_sealing_and_rolling_up_at_once_seal_each_journal_once() -> None:
    for _ in range(5):
        book.post(postings.play_money_issued(issue=uuid4(), player=uuid4(), amount=Decimal("5.00"), at=NOW))

    def both(_: int) -> None:
        tasks.roll_up()
        tasks.seal()
        connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(both, range(8)))
    found = seals.verify()
    assert (found.count, found.fault) == (5, None)
    assert book.roll_up() == 0
