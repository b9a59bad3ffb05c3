"""What runs apart from a request: the Celery application, its queues, and what runs by the clock.

A message is a hint, the table is the truth. A row that waits for work says so itself (a state, a due time); a message
only says that it is worth a look now. So a task takes the row's id, locks the row, looks again whether there is work
to do, and does it in one transaction: it may come twice, late, at once with itself, or never. A door sends a hint by
``wagering.rest.hints.hint``, after the commit and without ever failing it; for the hint that got lost, a sweep that
runs by the clock finds the rows that wait. There is no countdown and no ETA: a due column and a sweep instead.
"""

from __future__ import annotations

import logging
import os
from typing import Any, Final

from celery import Celery, signals
from django.conf import settings
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu import Exchange, Queue
from kombu.transport import TRANSPORT_ALIASES

from wagering.config import brokers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wagering.config.settings")

TIME_LIMIT_S: Final = 300
VISIBILITY_TIMEOUT_S: Final = 900
"""When Valkey hands out again what a worker took and never finished. Above the time limit, or it ran twice at once."""

DEFAULT: Final = "default"
ANALYSIS: Final = "analysis"
"""For what takes seconds of a processor. It has workers of its own."""

ROUTES: Final = {
    "wagering.play.tasks.adjudicate": {"queue": ANALYSIS},
    "wagering.play.tasks.price": {"queue": ANALYSIS},
}
"""Tasks that go elsewhere than to the default queue: a line each."""

SWEEPS: Final = {
    # What is done by the clock, and how often (s, from the start of the beat): one line each, of any app's tasks.py.
    # Safe at any time, twice and at once. The sweeps of play (clocks, absences) and of games that wait for their
    # analysis get their lines here.
    "wagering.play.tasks.look_at_the_clock": 5,
    "wagering.play.tasks.look_for_machines": 5,
    "wagering.play.tasks.look_for_unfinished": 30,
    "wagering.play.lobby.tasks.expire_offers": 60,
    "wagering.cashier.deposits.tasks.look_in_the_inbox": 15,
    "wagering.cashier.deposits.tasks.look_for_payments": 30,
    "wagering.cashier.deposits.tasks.look_for_refunds": 30,
    "wagering.cashier.deposits.tasks.look_for_refunds_made_there": 600,
    "wagering.cashier.disputes.tasks.look_for_receivables": 15,
    "wagering.notices.tasks.look_for_deliveries": 5,
    "wagering.cashier.bank.tasks.fetch_documents": 30,
    "wagering.cashier.bank.tasks.look_for_entries": 30,
    "wagering.cashier.payouts.tasks.look_for_payouts": 15,
    "wagering.cashier.payouts.tasks.make_batches": 30,
    "wagering.cashier.payouts.tasks.look_for_batches": 15,
    "wagering.cashier.payouts.tasks.look_for_sendings": 15,
    "wagering.cashier.payouts.tasks.look_for_verdicts": 15,
    "wagering.cashier.payouts.tasks.look_for_returns": 30,
    "wagering.surveillance.tasks.look_at_all": 6 * 3600,
    "wagering.config.tasks.roll_up": 60,
    "wagering.config.tasks.seal": 60,
    "wagering.config.tasks.forget_requests": 3600,
    "games.access.tasks.forget": 3600,
    "wagering.seamless.tasks.forget": 3600,
    "wagering.protection.tasks.look_at_the_sums": 3600,
    "wagering.protection.tasks.look_for_the_absent": 6 * 3600,
    "wagering.cashier.sweeps.tasks.sweep_commission": 3600,
    "wagering.seamless.tasks.tell_of_left_rounds": 3600,
}

QUORUM: Final = {"x-queue-type": "quorum"}

VALKEY_OPTIONS: Final[dict[str, Any]] = {
    "visibility_timeout": VISIBILITY_TIMEOUT_S,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 1,
    "socket_timeout": 10,
}
RABBITMQ_OPTIONS: Final[dict[str, Any]] = {"confirm_publish": True, "connect_timeout": 1}
SHORT_RETRIES: Final = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
"""For whoever sends: a request waits behind it, and the sweep does what was not sent."""


def queues(broker: str) -> list[Queue]:
    """All there are, as they are declared at the ``broker`` of that URL."""
    arguments = QUORUM if brokers.is_rabbitmq(broker) else None
    return [Queue(name, Exchange(name), routing_key=name, queue_arguments=arguments) for name in (DEFAULT, ANALYSIS)]


for scheme, transport in (("embedded", "EmbeddedTransport"), ("missing", "MissingTransport")):
    TRANSPORT_ALIASES[scheme] = f"wagering.config.broker_transport:{transport}"  # imported when it is used
app = Celery("backgammon")
app.set_default()
app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    broker_transport_options={
        **(RABBITMQ_OPTIONS if brokers.is_rabbitmq(settings.CELERY_BROKER_URL) else VALKEY_OPTIONS),
        **SHORT_RETRIES,
    },
    broker_connection_timeout=2,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # a worker outlives the absence of its broker
    task_queues=queues(settings.CELERY_BROKER_URL),
    task_routes=ROUTES,
    task_default_queue=DEFAULT,
    task_default_exchange=DEFAULT,
    task_default_routing_key=DEFAULT,
    task_create_missing_queues=False,
    # A task is taken off the queue once it is done: that of a worker that was killed comes again.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    task_time_limit=TIME_LIMIT_S,
    task_soft_time_limit=TIME_LIMIT_S - 30,
    task_publish_retry_policy=SHORT_RETRIES,
    # What became of it stands in our own tables.
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_serializer="json",
    accept_content=["json"],
    timezone="UTC",
    # Workers do not talk to each other.
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    # The sweeps are safe at any time, so nothing is remembered from one beat to the next.
    beat_scheduler="celery.beat:Scheduler",
    beat_schedule={
        task: {"task": task, "schedule": every_s, "options": {"expires": every_s}} for task, every_s in SWEEPS.items()
    },
)
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)  # the id of the task, and of the request behind it, in every line


@signals.setup_logging.connect
def _log_as_the_rest_does(loglevel: int | None = None, **_: Any) -> None:
    """By settings.LOGGING, and not as Celery would; what Celery itself tells, from the level of its command line."""
    logging.getLogger("celery").setLevel(loglevel or logging.WARNING)
    for told_by_the_step_above in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(told_by_the_step_above).setLevel(logging.WARNING)
    logging.getLogger("kombu.transport.native_delayed_delivery").setLevel(logging.ERROR)  # warns of ETAs: we have none
