"""The application as the workers have it, with a task that takes as long as a test wants and a broker's short patience.

Run as ``celery -A tests.workers.lamed worker``. The row says whether there is work: ``wanted`` until it is ``done``.
"""

from __future__ import annotations

import os
import time

from django.db import connection, transaction

from wagering.config.celery import app

PATIENCE = {"visibility_timeout": 2, "unacked_restore_interval": 1}
app.conf.broker_transport_options = {**app.conf.broker_transport_options, **PATIENCE}
GATE = os.environ["GATE"]


@app.task(name="tests.do_job")
def do_job(job: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE workers_job SET tries = tries + 1, tried_by = %s WHERE id = %s", [os.getpid(), job])
    while not os.path.exists(GATE):  # noqa: PTH110 - as bare as can be
        time.sleep(0.02)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM workers_job WHERE id = %s AND state = 'wanted' FOR UPDATE", [job])
        if cursor.fetchone():
            cursor.execute("UPDATE workers_job SET state = 'done', effects = effects + 1 WHERE id = %s", [job])
