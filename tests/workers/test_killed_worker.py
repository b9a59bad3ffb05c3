"""A task outlives the worker that had it, and what it does is done once."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import psycopg
import pytest
from celery import Celery

from tests.workers.conftest import Run, descendants, happens
from wagering.config.embedded import broker

TABLE = """
CREATE TABLE workers_job (
    id text PRIMARY KEY, state text NOT NULL DEFAULT 'wanted',
    tried_by int, tries int NOT NULL DEFAULT 0, effects int NOT NULL DEFAULT 0
)
"""
WORKER = ("-m", "celery", "--quiet", "-A", "tests.workers.lamed", "worker", "-Q", "default", "-c", "1", "-l", "INFO")


@pytest.mark.django_db(transaction=True)
def test_a_task_survives_its_workers_and_runs_once_in_effect(
    valkey: broker.Broker,
    run: Run,
    child_environment: dict[str, str],
    owner_connection: psycopg.Connection,
    tmp_path: Path,
) -> None:
    gate = tmp_path / "gate"
    environment = {**child_environment, "CELERY_BROKER_URL": valkey.url, "GATE": str(gate)}
    owner_connection.execute(TABLE)
    owner_connection.execute("GRANT SELECT, INSERT, UPDATE ON workers_job TO app")
    owner_connection.execute("INSERT INTO workers_job (id) VALUES ('job')")

    def row(column: str) -> Any:
        found = owner_connection.execute(f"SELECT {column} FROM workers_job").fetchone()
        assert found is not None
        return found[0]

    def send() -> None:
        sender = Celery("sender", broker=valkey.url, set_as_current=False)
        sender.send_task("tests.do_job", ["job"], queue="default", exchange="default", routing_key="default")

    try:
        workers = [run(*WORKER, f"-nworker{number}@%h", environment=environment) for number in range(2)]
        assert all(worker.says("ready.") for worker in workers)
        send()
        assert happens(lambda: row("tries") == 1)
        os.kill(row("tried_by"), signal.SIGKILL)  # the process that did the work: the task is given back at once
        assert happens(lambda: row("tries") == 2)
        doomed, other = sorted(workers, key=lambda worker: row("tried_by") not in descendants(worker.process.pid))
        doomed.kill()  # all of that worker: the broker gives the task to the other when its patience ends
        assert happens(lambda: row("tries") >= 3), other.output
        gate.touch()
        assert happens(lambda: row("state") == "done"), other.output
        tries = row("tries")
        send()
        assert happens(lambda: row("tries") > tries), other.output
        other.process.terminate()
        assert other.process.wait(timeout=60) == 0
        assert row("effects") == 1
    finally:
        owner_connection.execute("DROP TABLE workers_job")
