"""The heart of a process that serves players: while it beats, time counts at the tables (services.pulse, A-1)."""

import threading
from typing import Final

import structlog
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, close_old_connections, connections
from django.utils import timezone

from games.live import services
from games.live.models import Live

log = structlog.get_logger(__name__)

BEAT_S: Final = 2.0


class Heart:
    """A thread and a connection of its own, so that it beats however busy the process and its pool are."""

    def __init__(self) -> None:
        self._began, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._beats, name="live-heart", daemon=True)

    def start(self) -> None:
        """The first beat is over when this returns, so that nobody is served before it."""
        self._thread.start()
        self._began.wait()

    def stop(self) -> None:
        """No beat comes after this."""
        self._stopped.set()
        self._thread.join()

    def _beats(self) -> None:
        _connect_past_the_pool()
        _beat()
        self._began.set()
        while not self._stopped.wait(BEAT_S):
            _beat()
        connections.close_all()


def _connect_past_the_pool() -> None:
    """This thread's connection is not one that those who are served may hold all of; it is kept from beat to beat."""
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    options = {name: value for name, value in own.settings_dict["OPTIONS"].items() if name != "pool"}
    own.settings_dict = {**own.settings_dict, "OPTIONS": options, "CONN_MAX_AGE": None}
    connections[DEFAULT_DB_ALIAS] = own


def _beat() -> None:
    try:
        # Where nothing is on, nobody has missed the service: after a demonstration it need not alarm anyone.
        if (silence := services.pulse(now=timezone.now)) and Live.objects.filter(due_at__isnull=False).exists():
            log.warning("service_was_down", seconds=round(silence.total_seconds()))
    except (OperationalError, InterfaceError) as error:
        log.warning("heart_without_database", reason=type(error).__name__)
    except Exception:
        log.exception("heart_failed")  # the next beat may not, and without any no clock runs
    finally:
        close_old_connections()
