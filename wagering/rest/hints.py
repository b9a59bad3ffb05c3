"""Telling a worker that a row waits for it. A hint and no more: the row says itself what is to be done."""

from __future__ import annotations

import logging
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

if TYPE_CHECKING:
    from celery import Task

log = logging.getLogger(__name__)

SILENCE_S: Final = 5
"""How long nothing is sent after the broker did not answer: of the requests that come meanwhile none waits for it."""

LASTS_S: Final = 60
"""A hint that nobody took for so long is dropped: the sweeps send another."""

SWEPT_LASTS_S: Final = 15
"""One that a sweep sent is dropped when the next sweep has come: so of what waits for long hardly any waits twice."""

_silent_until = time.monotonic()


def hint(task: Task[Any, Any], *arguments: str) -> None:
    """Send ``task`` once this transaction has committed. A broker that is down fails neither the commit nor the caller:
    the sweep finds the row.
    """
    _send_after_commit(task, arguments, LASTS_S)


def hint_again(task: Task[Any, Any], *arguments: str) -> None:
    """As ``hint``, from a sweep, which does so each time that it finds the row."""
    _send_after_commit(task, arguments, SWEPT_LASTS_S)


def _send_after_commit(task: Task[Any, Any], arguments: tuple[str, ...], lasts_s: int) -> None:
    # Django logs what a hook raises by the hook's name, and a partial has none.
    transaction.on_commit(lambda: _send(task, arguments, lasts_s), robust=True)


def _send(task: Task[Any, Any], arguments: tuple[str, ...], lasts_s: int) -> None:
    global _silent_until  # noqa: PLW0603 - one a process, as the connection is
    if time.monotonic() < _silent_until:
        return
    # Half a second of imports, which most commands do not need.
    from kombu.exceptions import OperationalError

    import_module(settings.CELERY_APP)
    try:
        task.apply_async(arguments, expires=lasts_s)
    except (OperationalError, ImproperlyConfigured) as error:
        _silent_until = time.monotonic() + SILENCE_S
        log.warning("%s was not sent, the sweep will find it: %s", task.name, error)
