"""Sending what is due. A task an endpoint, so that one that is slow keeps no other waiting."""

from __future__ import annotations

import time
from typing import Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from wagering.notices import outgoing
from wagering.rest import sweeps

AT_A_STRETCH_S: Final = 30


@shared_task
def send(endpoint: str) -> None:
    """What is due at one endpoint, until nothing is, or it does not answer, or others have waited long enough."""
    until = time.monotonic() + AT_A_STRETCH_S
    while outgoing.send_next(endpoint=UUID(endpoint), at=timezone.now()) and time.monotonic() < until:
        pass


@shared_task
def look_for_deliveries() -> None:
    """Endpoints for which something is due."""
    due = outgoing.due(at=timezone.now())
    sweeps.hint_some(due, send)
