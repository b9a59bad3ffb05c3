"""Is the process alive, and may it be given requests: for whoever balances load and restarts."""

import socket
from typing import Final
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from wagering.config import brokers

BROKER_WAIT_S: Final = 2


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers. It asks nobody else: a database that is down is not mended by a restart."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers and has all migrations and the broker, if there is one, can be reached; else 503.

    Each is said by name, "ok" or what is wrong, without addresses.
    """
    found = {"database": _database(), "migrations": "unknown", "broker": _broker()}
    if found["database"] == "ok":
        found["migrations"] = _migrations()
    ready = set(found.values()) <= {"ok", "none", "embedded"}
    return JsonResponse(found, status=200 if ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "does not answer"
    return "ok"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} not applied" if missing else "ok"


def _broker() -> str:
    """A connection and no more: whoever listens there is the broker's own affair."""
    if settings.CELERY_BROKER_URL == brokers.NO_BROKER:
        return "none"
    if settings.CELERY_BROKER_URL == brokers.EMBEDDED_BROKER:
        return "embedded"  # it is started by the first who sends, not by asking
    parts = urlsplit(settings.CELERY_BROKER_URL)
    try:
        if parts.scheme.endswith("+socket"):
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(BROKER_WAIT_S)
                line.connect(unquote(parts.path))
        else:
            assert parts.hostname, "settings have looked at the URL"
            port = parts.port or (5672 if parts.scheme.startswith("amqp") else 6379)
            socket.create_connection((parts.hostname, port), timeout=BROKER_WAIT_S).close()
    except OSError:
        return "cannot be reached"
    return "ok"
