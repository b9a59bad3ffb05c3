"""System checks before a deployment: the broker is named, answers, and keeps what it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's name

from wagering.config import brokers

ANSWER_TIMEOUT_S = 3
KEEPS: dict[str, str] = {"appendonly": "yes", "maxmemory-policy": "noeviction"}


@register(Tags.compatibility, deploy=True)
def the_broker_keeps_what_it_takes(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Run by ``manage.py check --deploy``. A URL that names no broker at all is refused with the settings already."""
    url = settings.CELERY_BROKER_URL
    if url == brokers.EMBEDDED_BROKER:
        return []
    if url == brokers.NO_BROKER:
        return [
            Error(
                f"{brokers.VARIABLE} is not set beside DATABASE_URL: nothing is queued, and no worker will start",
                hint="Name a Valkey, a Redis or a RabbitMQ, as docker/compose.yaml does.",
                id="config.E003",
            )
        ]
    # Half a second of imports, which no other command needs.
    from kombu import Connection
    from kombu.exceptions import OperationalError

    try:
        with Connection(url, connect_timeout=ANSWER_TIMEOUT_S) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=ANSWER_TIMEOUT_S)
            if brokers.is_rabbitmq(url):
                return []
            found = _configuration(connection)
    except (OperationalError, OSError) as error:
        return [
            Error(f"{brokers.VARIABLE}: {brokers.without_password(url)} does not answer: {error}", id="config.E004")
        ]
    return [
        Warning(
            f"{brokers.VARIABLE}: {brokers.without_password(url)} has {name} {found[name]}, which loses tasks",
            hint=f"Set {name} {wanted}.",
            id="config.W001",
        )
        for name, wanted in KEEPS.items()
        if found.get(name, wanted) != wanted
    ]


def _configuration(connection: Any) -> dict[str, str]:
    """What the server says of itself; nothing where it lets nobody ask, as a managed one may."""
    from redis import RedisError

    try:
        return dict(connection.default_channel.client.config_get(*KEEPS))
    except RedisError:
        return {}
